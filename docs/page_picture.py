"""Renew the picture of the report page, in headless Chromium: python docs/page_picture.py."""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import autotype

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "integration"))

from chromium import Browser, find_chromium  # noqa: E402

WIDTH, HEIGHT = 1200, 1640
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


def main() -> None:
    """Write the page of the example survey, correct a column on it, and take the picture."""
    survey = pd.read_csv(ROOT / "examples" / "survey.csv")
    rng = np.random.default_rng(0)
    for k in range(1, 7):  # whether such levels have an order, neither words nor data say
        survey[f"desk {k}"] = rng.choice(["soarer", "hatchling", "glider"], len(survey))
    with tempfile.TemporaryDirectory() as folder, Browser(find_chromium()) as browser:
        page = Path(folder, "survey.html")
        autotype.infer_types(survey).to_html(page, table="survey.csv")
        browser.open(page, width=WIDTH)
        browser.send("Emulation.setScrollbarsHidden", hidden=True)
        browser.evaluate(SCRIPT)
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": 1}
        browser.send(
            "Emulation.setDeviceMetricsOverride",
            width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        shot = browser.send("Page.captureScreenshot", format="png", clip=clip)
    target = ROOT / "docs" / "how-to" / "report-page.png"
    target.write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    main()
