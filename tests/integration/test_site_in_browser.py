"""The documentation site in a browser, which `.ci/run` builds before it runs these tests.

`AUTOTYPE_SITE` names the folder of the site; without it they are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

PAGES = ["docs/index", "docs/tutorial", "docs/gallery", "docs/reference/infer", "README"]
# Resolves to the titles of the results once the search has finished.
SEARCH = """new Promise(done => {
  const wait = () => {
    const results = document.querySelector('#search-results');
    if (!results || !/finished/i.test(results.innerText)) return setTimeout(wait, 20);
    done([...results.querySelectorAll('ul.search a')].map(link => link.innerText));
  };
  wait();
})"""


@pytest.fixture(scope="module")
def site() -> Path:
    if "AUTOTYPE_SITE" not in os.environ:
        pytest.skip("AUTOTYPE_SITE names no site: see CONTRIBUTING.md")
    return Path(os.environ["AUTOTYPE_SITE"]).resolve()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_needs_no_network_and_has_no_errors(shared_browser, site, name, scheme) -> None:
    shared_browser.open(site / f"{name}.html", scheme=scheme)
    assert shared_browser.complaints == []
    assert [r for r in shared_browser.requests if not r.startswith(("file:", "data:"))] == []


def test_dark_is_dark(shared_browser, site) -> None:
    colour = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    shared_browser.open(site / "docs/index.html", scheme="light")
    light = shared_browser.evaluate(colour)
    shared_browser.open(site / "docs/index.html", scheme="dark")
    assert max(shared_browser.evaluate(colour)) < 60 < 200 < min(light)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_is_as_wide_as_the_window(shared_browser, site, name, width) -> None:
    shared_browser.open(site / f"{name}.html", width=width)
    assert shared_browser.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("wanted", "title"),
    [
        ("revise", "Correct a verdict"),
        ("explain", "First report"),
        ("validate", "Validate the next batch"),
        ("max-failures", "The command line"),
        ("UnseenLevelError", "Errors"),
    ],
)
def test_the_search_finds(shared_browser, site, wanted, title) -> None:
    shared_browser.open(site / "search.html")
    address = (site / "search.html").as_uri()
    shared_browser.send("Page.navigate", url=f"{address}?q={wanted}")
    assert title in shared_browser.evaluate(SEARCH)
