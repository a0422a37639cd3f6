"""The report page in a real browser: quiet, alone, sortable, filterable, accessible."""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.report.notebook import as_html
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType
from tests.strategies.surveys import N_COLUMNS, make_survey

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(1)>'
HOSTILE = (SCRIPT, IMAGE, "</table><h1>", "&amp;")
RIGHT_TO_LEFT = ("נמוך", "متوسط", "גבוה")

pytestmark = pytest.mark.browser


def make_frame(n_rows: int = 240) -> pd.DataFrame:
    """A survey of 80 columns: scales, names, codes, numbers, dates, and hostile ones."""
    rng = np.random.default_rng(5)
    content, age = rng.standard_normal((2, n_rows))
    agree = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")
    scales = [agree, ("S", "M", "L", "XL"), ("never", "rarely", "sometimes", "often", "always")]
    names = [("North", "East", "South", "West"), ("car", "bus", "bicycle"), ("red", "green", "tan")]

    def graded(trait, levels):
        cuts = np.quantile(trait, np.linspace(0, 1, len(levels) + 1)[1:-1])
        return np.array(levels, dtype=object)[np.digitize(trait, cuts)]

    columns: dict[str, object] = {"id": [f"R-{k:05d}" for k in range(n_rows)]}
    columns["day"] = pd.date_range("2024-01-01", periods=n_rows)
    for j in range(26):
        noise = rng.standard_normal(n_rows)
        columns[f"question {j + 1}"] = graded(content + noise, scales[j % len(scales)])
    for j in range(18):
        columns[f"place {j + 1}"] = rng.choice(np.array(names[j % 3], dtype=object), n_rows)
    for j in range(18):
        columns[f"amount {j + 1}"] = np.round(50 + 10 * age + rng.standard_normal(n_rows), 2)
    for j in range(9):
        columns[f"visits {j + 1}"] = rng.poisson(30, n_rows)
    columns["member"] = rng.choice(["yes", "no"], n_rows)
    columns["currency"] = "EUR"
    columns["score"] = graded(content, tuple(range(20)))
    columns[SCRIPT] = graded(content, HOSTILE)
    columns[IMAGE] = graded(age, (*HOSTILE[::-1], "x" * 300))
    columns["הערכה"] = graded(content, RIGHT_TO_LEFT)
    columns["n" * 300] = graded(age, agree)
    return pd.DataFrame(columns)


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    report = autotype.infer_types(make_frame())
    assert len(report) == 80
    path = tmp_path_factory.mktemp("page") / "types.html"
    report.to_html(path)
    return path


@pytest.fixture
def browser(shared_browser, page):
    """A browser that shows the page, and saw nothing wrong with it at the end."""
    shared_browser.open(page)
    click(shared_browser, "#each")
    yield shared_browser
    assert shared_browser.complaints == []


def shown_names(browser) -> list[str]:
    return browser.evaluate(
        "[...document.querySelectorAll('#table tbody tr:not([hidden]) th')].map(h => h.innerText)"
    )


def cells(browser, selector: str) -> list[str]:
    script = f"[...document.querySelectorAll('#table tbody tr:not([hidden])')].map(r => {selector})"
    return browser.evaluate(script)


def click(browser, selector: str) -> None:
    browser.evaluate(f"document.querySelector({selector!r}).click()")


def test_no_request_leaves_and_nothing_complains(browser, page) -> None:
    assert browser.requests == [page.as_uri()]
    assert len(shown_names(browser)) == 80


def test_a_page_that_asks_and_complains_is_noticed(shared_browser, tmp_path) -> None:
    path = tmp_path / "bad.html"
    path.write_text("<img src='http://127.0.0.1:9/x.png'><script>console.error('no')</script>")
    shared_browser.open(path)
    assert shared_browser.requests == [path.as_uri(), "http://127.0.0.1:9/x.png"]
    assert any("no" in complaint for complaint in shared_browser.complaints)


def test_names_and_levels_are_text(browser) -> None:
    assert {SCRIPT, IMAGE, "הערכה"} <= set(shown_names(browser))
    assert browser.evaluate("document.images.length + document.scripts.length") == 1
    text = browser.evaluate("document.getElementById('columns').textContent")
    for level in (*HOSTILE, *RIGHT_TO_LEFT, "(300 characters)"):
        assert level in text


def test_an_order_of_words_from_right_to_left_is_written_lowest_first(browser) -> None:
    """Levels are isolated: the first of the order stands at the left, as everywhere."""
    levels = browser.evaluate(
        "[...document.querySelectorAll('#table tbody tr')]"
        ".filter(r => r.querySelector('th').textContent === 'הערכה')"
        ".flatMap(r => [...r.querySelectorAll('.says bdi')])"
        ".map(b => [b.textContent, b.getBoundingClientRect().left])"
    )
    assert {level for level, _ in levels} == set(RIGHT_TO_LEFT)
    assert [left for _, left in levels] == sorted(left for _, left in levels)


def test_a_click_sorts_and_a_second_one_turns_round(browser) -> None:
    by_name = "button[data-key=name]"
    click(browser, by_name)
    first = shown_names(browser)
    numbered = [name for name in first if name.startswith("question ")]
    assert numbered == [f"question {j + 1}" for j in range(26)]  # 2 before 10
    click(browser, by_name)
    assert shown_names(browser) == first[::-1]
    sorted_by = browser.evaluate(
        "[...document.querySelectorAll('th[aria-sort]')].map(h => [h.innerText, h.ariaSort])"
    )
    assert [sort for _, sort in sorted_by] == ["descending"]


def test_probabilities_sort_from_high_to_low_and_none_last(browser) -> None:
    click(browser, "button[data-key=chance]")
    values = cells(browser, "r.dataset.chance")
    numbers = [float(value) for value in values if value]
    assert numbers == sorted(numbers, reverse=True)
    assert 0 < len(numbers) < 80
    assert all(value == "" for value in values[len(numbers) :])
    click(browser, "button[data-key=position]")
    assert shown_names(browser)[:2] == ["id", "day"]


def test_text_filters_names_and_levels_and_the_cards_with_them(browser) -> None:
    browser.evaluate("document.getElementById('find').focus()")
    browser.type("BICYCLE")
    assert shown_names(browser) == [f"place {j}" for j in range(2, 19, 3)]
    status = "document.getElementById('status').innerText"
    assert browser.evaluate(status) == "6 of 80 columns"
    cards = "document.querySelectorAll('article:not([hidden])').length"
    assert browser.evaluate(cards) == 6
    browser.type(" nothing")
    assert browser.evaluate("document.getElementById('no-row').hidden") is False
    assert browser.evaluate(status) == "0 of 80 columns"
    click(browser, "#reset")
    assert len(shown_names(browser)) == 80


def test_types_filter_and_add_up(browser) -> None:
    for semantic_type in ("count", "constant"):
        click(browser, f".chip[data-type={semantic_type}]")
    kinds = browser.evaluate(
        "[...document.querySelectorAll('#table tbody tr:not([hidden])')].map(r => r.dataset.type)"
    )
    assert kinds.count("count") == 9
    assert kinds.count("constant") == 1
    assert len(kinds) == 10
    assert browser.evaluate("document.querySelectorAll('article:not([hidden])').length") == 10


def test_the_keyboard_alone_sorts_and_filters(browser) -> None:
    focused = "document.activeElement.textContent.trim()"
    browser.press("Tab")
    assert browser.evaluate(focused) == "Skip to the overview"
    browser.press("Enter")
    for _ in range(60):  # past the questions
        browser.press("Tab")
        if browser.evaluate("document.activeElement.matches('.chip')"):
            break
    browser.press(" ")
    assert browser.evaluate("document.activeElement.ariaPressed") == "true"
    assert 0 < len(shown_names(browser)) < 80
    for _ in range(30):
        if browser.evaluate(focused).startswith("Column"):
            break
        browser.press("Tab")
    browser.press("Enter")
    assert browser.evaluate("document.activeElement.closest('th').ariaSort") == "ascending"


def test_a_name_in_the_table_leads_to_its_card(browser) -> None:
    """Also past cards that were never shown, whose heights the browser only guesses."""
    last, *_ = browser.evaluate(
        "[...document.querySelectorAll('#table th a')].map(a => a.hash).reverse()"
    )
    click(browser, f"a[href='{last}']")
    top = browser.evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done("
        f"document.querySelector('{last}').getBoundingClientRect().top))))"
    )
    assert 0 <= top < 400


@pytest.mark.parametrize("width", [375, 768, 1280])
@pytest.mark.parametrize("shown", ["page", "survey"])
def test_nothing_reaches_over_the_edge(shared_browser, shown, width, request) -> None:
    shared_browser.open(request.getfixturevalue(shown), width=width)
    assert shared_browser.evaluate("document.documentElement.scrollWidth") <= width
    # No word of a heading is broken: each is in one rectangle.
    shared_browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    broken = shared_browser.evaluate("""
        [...document.querySelectorAll("h2, h4, th[scope=col], dt")].flatMap(head => {
            const walker = document.createTreeWalker(head, NodeFilter.SHOW_TEXT), broken = [];
            while (walker.nextNode()) {
                for (const word of walker.currentNode.data.matchAll(/\\S+/g)) {
                    const range = new Range();
                    range.setStart(walker.currentNode, word.index);
                    range.setEnd(walker.currentNode, word.index + word[0].length);
                    if (range.getClientRects().length > 1) broken.push(word[0]);
                }
            }
            return broken;
        })""")
    assert broken == []


def test_an_empty_report(shared_browser, tmp_path) -> None:
    path = tmp_path / "empty.html"
    TypeReport([]).to_html(path)
    shared_browser.open(path)
    assert "no columns" in shared_browser.evaluate("document.body.innerText")
    assert shared_browser.complaints == []


@pytest.fixture(scope="module")
def survey(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("survey") / "survey.html"
    autotype.infer_types(make_survey()).to_html(path)
    return path


def test_a_survey_is_shown_by_its_scales_and_blocks(shared_browser, survey) -> None:
    shared_browser.open(survey)
    names = shown_names(shared_browser)
    assert len(names) < 40
    assert "trust_1 … trust_1818 columns" in [name.replace("\n", "") for name in names]
    status = "document.getElementById('status').innerText"
    assert shared_browser.evaluate(status) == f"{N_COLUMNS} columns"
    click(shared_browser, "#each")
    assert len(shown_names(shared_browser)) == N_COLUMNS
    click(shared_browser, "#each")
    assert shown_names(shared_browser) == names
    shared_browser.evaluate("document.getElementById('find').focus()")
    shared_browser.type("trust_1")
    shown = ["trust_1", *(f"trust_{k}" for k in range(10, 19))]
    assert shown_names(shared_browser) == shown
    assert shared_browser.evaluate("document.querySelectorAll('details[open]').length") == 1
    click(shared_browser, "#reset")
    assert shown_names(shared_browser) == names
    assert shared_browser.complaints == []


def test_a_scale_shows_the_proportions_of_each_column(shared_browser, survey) -> None:
    shared_browser.open(survey)
    script = "[...document.querySelectorAll('section.block .ordered tbody tr')].map(r => ["
    script += "r.querySelector('a').textContent, r.querySelector('.stack').title])"
    rows = dict(shared_browser.evaluate(script))
    assert {"trust_18", "att_40", "sat_15", "freq_25", "rate_12"} <= set(rows)
    assert rows["trust_1"].startswith("none at all ")
    centres = shared_browser.evaluate(
        "[...document.querySelectorAll('section.block .ordered')].map(f => new Set([..."
        "f.querySelectorAll('.stack')].map(s => { const parts = [...s.querySelectorAll('i')]"
        ".map(i => i.getBoundingClientRect()); const middle = parts.length >> 1;"
        "return Math.round(parts.length % 2 ? parts[middle].left + parts[middle].width / 2"
        " : parts[middle].left) })).size)"
    )
    assert max(centres) <= 3  # of rounding; else aligned at the middle of the scale


def test_a_link_opens_the_block_of_a_column(shared_browser, survey) -> None:
    shared_browser.open(f"{survey.as_uri()}#c60")
    opened = "[...document.querySelectorAll('details[open] h3')].map(h => h.textContent)"
    assert "sat_15" in shared_browser.evaluate(opened)


def test_a_survey_of_two_hundred_columns_is_printed_on_few_pages(shared_browser, survey) -> None:
    shared_browser.open(survey)
    printed = base64.b64decode(shared_browser.send("Page.printToPDF")["data"])
    assert 5 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 40


@pytest.mark.parametrize("panel", ["jp-NotebookPanel", "exported"])
def test_a_long_table_of_a_notebook_scrolls_in_jupyterlab_only(
    shared_browser, tmp_path, panel
) -> None:
    columns = [ColumnType(f"{chr(97 + j)} text", "text") for j in range(26)]
    path = tmp_path / "notebook.html"
    path.write_text(f"<meta charset=utf-8><div class={panel}>{as_html(TypeReport(columns))}</div>")
    shared_browser.open(path)
    heights = shared_browser.evaluate(
        "(box => [box.clientHeight, box.scrollHeight])(document.querySelector('.autotype-box'))"
    )
    assert (heights[0] < heights[1]) is (panel == "jp-NotebookPanel")


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core, which checks a page's accessibility."""
    path = os.environ.get("AXE_CORE")
    if not path:
        pytest.skip("AXE_CORE does not name the file axe.min.js of axe-core")
    return Path(path).read_text(encoding="utf-8")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("dark", 390)])
def test_accessible(browser, page, axe, scheme, width) -> None:
    browser.open(page, scheme=scheme, width=width)
    assert browser.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is (
        scheme == "dark"
    )
    # What is not yet rendered has no colours to check.
    browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    browser.evaluate(
        "document.querySelectorAll('.card').forEach(c => c.style.contentVisibility = 'visible')"
    )
    browser.evaluate("document.querySelectorAll('.opener').forEach(o => o.click())")
    browser.evaluate(axe + "; undefined")
    found = browser.evaluate(
        "axe.run().then(r => r.violations.map(v => [v.id, v.impact, v.nodes[0].html]))"
    )
    assert found == []
