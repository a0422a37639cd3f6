"""Renew the pictures of the report page, in headless Chromium: python docs/page_picture.py."""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import autotype

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tests" / "integration"), str(ROOT / "examples")]

from chromium import Browser, find_chromium  # noqa: E402
from likert_battery import answers  # noqa: E402

Box = tuple[float, float, float, float]  # left, top, width, height

WIDTH, HEIGHT = 1200, 1640
MARGIN = 12  # around a card
# Show the ordinal columns, and keep the order of the first.
SCRIPT = """
const click = (root, text) =>
  [...root.querySelectorAll("button")].find(button => button.textContent.trim() === text).click();
document.querySelector("[data-type=ordinal].chip").click();
const card = [...document.querySelectorAll(".card")].find(
  card => card.querySelector("h3").textContent === "company_size");
click(card, "Correct");
click(card, "Keep this decision");
"""


# Where the card of the first scale is.
SCALE_CARD = """
(() => {
  const box = document.querySelector(".block").getBoundingClientRect();
  return [box.left + scrollX, box.top + scrollY, box.width, box.height];
})()
"""


def main() -> None:
    """Write the pages of two surveys, and take the pictures."""
    with tempfile.TemporaryDirectory() as folder, Browser(find_chromium()) as browser:
        page = Path(folder, "survey.html")
        autotype.infer_types(survey()).to_html(page, table="survey.csv")
        browser.open(page, width=WIDTH)
        browser.send("Emulation.setScrollbarsHidden", hidden=True)
        browser.evaluate(SCRIPT)
        take(browser, "report-page.png", (0, 0, WIDTH, HEIGHT))
        autotype.infer_types(answers()).to_html(page, table="course.csv")
        browser.open(page, width=WIDTH)
        left, top, width, height = browser.evaluate(SCALE_CARD)
        around = (left - MARGIN, top - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN)
        take(browser, "report-page-scale.png", around)


def survey() -> pd.DataFrame:
    """Return the example survey, and columns of which neither words nor data show the order."""
    frame = pd.read_csv(ROOT / "examples" / "survey.csv")
    rng = np.random.default_rng(0)
    for k in range(1, 7):
        frame[f"desk {k}"] = rng.choice(["soarer", "hatchling", "glider"], len(frame))
    return frame


def take(browser: Browser, name: str, box: Box) -> None:
    """Write a picture of a part of the page that is open."""
    clip = dict(zip(("x", "y", "width", "height"), box, strict=True))
    browser.send(
        "Emulation.setDeviceMetricsOverride",
        width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False,
    )  # fmt: skip
    shot = browser.send("Page.captureScreenshot", format="png", clip={**clip, "scale": 1})
    (ROOT / "docs" / "how-to" / name).write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    main()
