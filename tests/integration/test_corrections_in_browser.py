"""Correcting types and orders on the report page, and the file of decisions that it downloads."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autotype.type_report import TypeReport
from autotype.types.decisions.known_file import read_known_file

pytestmark = pytest.mark.browser

CODES = ("qx", "zv", "kk", "wj")
ODD = ('"x" & <b>', "a  b ", "\u202e", "ä" * 200)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """A battery, numbers and dates as levels, odd strings as levels and as a name."""
    rng = np.random.default_rng(3)
    n = 120
    days = [datetime.date(2024, 1, day) for day in (1, 15, 31)]
    columns = {f"item {k}": rng.choice(np.array(CODES, dtype=object), n) for k in range(4)}
    columns["stars"] = rng.integers(1, 5, n)
    columns["half"] = rng.choice([0.5, 1.0, 2.5], n)
    columns["day"] = pd.Categorical(rng.choice(np.array(days, dtype=object), n))
    columns["<i>odd</i> \u202e"] = rng.choice(np.array(ODD, dtype=object), n)
    columns["id"] = [f"R-{k}" for k in range(n)]
    return pd.DataFrame(columns)


@pytest.fixture(scope="module")
def report(frame) -> TypeReport:
    return frame.ordinal.infer_types()


@pytest.fixture(scope="module")
def page(report, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("page") / "types.html"
    report.to_html(path, table="data/my survey.csv")
    return path


@pytest.fixture
def browser(shared_browser, page, tmp_path):
    """A browser that shows the page, and saw nothing wrong with it at the end."""
    shared_browser.open(page)
    shared_browser.save_downloads(tmp_path)
    yield shared_browser
    assert shared_browser.complaints == []
    assert all(address.startswith(("file:", "blob:")) for address in shared_browser.requests)


def card_of(browser, name: str) -> str:
    """Identifier of the card of a column."""
    script = "[...document.querySelectorAll('.card')].map(c => [c.querySelector('h3').textContent"
    found = browser.evaluate(f"{script}, c.id])")
    (card,) = [card for shown, card in found if shown == name]
    return card


def open_editor(browser, name: str) -> str:
    card = card_of(browser, name)
    browser.evaluate(f"document.querySelector('#{card} .opener').click()")
    return f"#{card} .editor"


def click(browser, selector: str, text: str = "") -> None:
    browser.evaluate(
        f"[...document.querySelectorAll({json.dumps(selector)})]"
        f".find(b => b.textContent.startsWith({json.dumps(text)})).click()"
    )


def choose(browser, editor: str, semantic_type: str) -> None:
    browser.evaluate(
        f"(s => {{ s.value = '{semantic_type}'; s.dispatchEvent(new Event('change')) }})"
        f"(document.querySelector('{editor} select'))"
    )


def order_of(browser, editor: str) -> list[str]:
    return browser.evaluate(
        f"[...document.querySelectorAll('{editor} .on .handle')].map(h => h.textContent)"
    )


def downloaded(browser, folder: Path) -> Path:
    """Click on the button and wait for the file."""
    click(browser, "#download")
    for _ in range(200):
        found = [path for path in folder.iterdir() if path.suffix == ".json"]
        if found and found[0].read_text(encoding="utf-8").endswith("}\n"):
            return found[0]
        browser.evaluate("new Promise(done => setTimeout(done, 20))")
    raise AssertionError("nothing was downloaded")


def test_nothing_is_decided_at_first(browser) -> None:
    assert browser.evaluate("document.getElementById('decisions').hidden") is True


def test_a_type(browser, report, frame, tmp_path) -> None:
    editor = open_editor(browser, "id")
    assert browser.evaluate(f"document.querySelector('{editor} select').value") == "identifier"
    choose(browser, editor, "text")
    click(browser, f"{editor} button", "Keep")
    path = downloaded(browser, tmp_path)
    assert read_known_file(path) == {"id": "text"}
    assert report.revise(path)["id"].semantic_type == "text"
    assert frame.ordinal.infer_types("id", known=path)["id"].semantic_type == "text"
    assert browser.evaluate("document.getElementById('decided').textContent") == "1 decision"


def test_the_file_and_the_title_hold_table_and_date(browser, tmp_path) -> None:
    today = datetime.date.today()
    dates = {str(today), str(datetime.date.today())}
    title = browser.evaluate("document.title")
    assert title.startswith("data/my survey.csv: Column types, ")
    assert any(date in title for date in dates)
    editor = open_editor(browser, "id")
    click(browser, f"{editor} button", "Keep")
    path = downloaded(browser, tmp_path)
    stem, _, date = path.stem.partition("-known-")
    assert (stem, len(date)) == ("my_survey", 10)
    datetime.date.fromisoformat(date)


def test_the_keyboard_alone_orders_levels(browser, report, tmp_path) -> None:
    editor = open_editor(browser, "stars")
    browser.evaluate(f"document.querySelector('{editor} select').focus()")
    choose(browser, editor, "ordinal")
    before = order_of(browser, editor)
    browser.press("Tab")
    assert browser.evaluate("document.activeElement.textContent") == before[0]
    browser.press("ArrowDown")
    assert order_of(browser, editor) == [before[1], before[0], *before[2:]]
    assert browser.evaluate("document.activeElement.textContent") == before[0]
    status = f"document.querySelector('{editor} [role=status]').textContent"
    assert browser.evaluate(status) == f"{before[0]} is 2 of 4."
    browser.press("End")
    browser.press("ArrowUp")
    browser.press("Tab")  # to "up"
    browser.press("Enter")
    browser.press("Tab")
    browser.press("Tab")  # to "off the scale"
    wanted = [before[1], before[0], *before[2:]]
    assert order_of(browser, editor) == wanted
    browser.press(" ")
    assert order_of(browser, editor) == [level for level in wanted if level != before[0]]
    click(browser, f"{editor} button", "Keep")
    stars = report.revise(downloaded(browser, tmp_path))["stars"]
    order = tuple(int(level) for level in wanted if level != before[0])
    assert (stars.order, stars.off_scale) == (order, (int(before[0]),))


def test_the_mouse_drags_levels(browser, report, tmp_path) -> None:
    editor = open_editor(browser, "half")
    choose(browser, editor, "ordinal")
    browser.evaluate(f"document.querySelector('{editor} .on').scrollIntoView({{block: 'center'}})")
    before = order_of(browser, editor)
    # Cards that come into view are laid out in the following frames, and move those below.
    browser.evaluate(
        "new Promise(done => { let last = '', same = 0; const look = () => {"
        f"const now = document.querySelector('{editor} .on').getBoundingClientRect().y;"
        "same = now === last ? same + 1 : 0; last = now;"
        "same === 5 ? done() : requestAnimationFrame(look) }; look() })"
    )
    centres = browser.evaluate(
        f"[...document.querySelectorAll('{editor} .on .handle')].map(h => "
        "(b => [b.x + b.width / 2, b.y + b.height / 2])(h.getBoundingClientRect()))"
    )
    x, low = centres[-1]
    browser.drag(tuple(centres[0]), (x, low - 3), (x, low + 8))
    assert order_of(browser, editor) == [*before[1:], before[0]]
    assert browser.evaluate("document.querySelectorAll('.dragged').length") == 0
    click(browser, f"{editor} button", "Keep")
    half = report.revise(downloaded(browser, tmp_path))["half"]
    assert half.order == tuple(float(level) for level in [*before[1:], before[0]])
    assert all(type(level) is float for level in half.order)


def test_a_note_and_levels_of_any_class(browser, report, frame, tmp_path) -> None:
    for name in ("day", "<i>odd</i> \\u202e"):
        editor = open_editor(browser, name)
        choose(browser, editor, "ordinal")
        browser.evaluate(f"document.querySelector('{editor} input[type=text]').focus()")
        browser.type('as "they" said <b>')
        click(browser, f"{editor} button", "Keep")
    path = downloaded(browser, tmp_path)
    revised = report.revise(path)
    for name in ("day", "<i>odd</i> \u202e"):
        assert revised[name].semantic_type == "ordinal"
        assert set(revised[name].order) == set(report[name].levels)
        assert revised[name].note == 'as "they" said <b>'
    known = frame.ordinal.infer_types(known=path)
    assert known["day"].order == revised["day"].order


def test_a_question_is_answered_for_its_battery(browser, report, tmp_path) -> None:
    (question,) = [q for q in report.questions() if "item 0" in q.columns]
    click(browser, ".question button", "Accept")
    assert "4 decisions" in browser.evaluate("document.getElementById('decided').textContent")
    known = read_known_file(downloaded(browser, tmp_path))
    assert known == question.answer()
    click(browser, ".question button", "Undo")
    assert "0 decisions" in browser.evaluate("document.getElementById('decided').textContent")
    click(browser, "#undo")
    assert "4 decisions" in browser.evaluate("document.getElementById('decided').textContent")
    click(browser, "#undo")
    assert browser.evaluate("document.getElementById('decisions').hidden") is True


def test_another_order_for_the_whole_battery(browser, report, tmp_path) -> None:
    click(browser, ".question button", "Another order")
    editor = f"#{card_of(browser, 'item 0')}-editor"  # on the card of the battery
    before = order_of(browser, editor)
    click(browser, f"{editor} .on li:first-child button", "\u2193")
    click(browser, f"{editor} button", "Keep")
    revised = report.revise(downloaded(browser, tmp_path))
    expected = (before[1], before[0], *before[2:])
    assert {revised[f"item {k}"].order for k in range(4)} == {expected}
    marks = "document.querySelectorAll('tr.decided').length"
    assert browser.evaluate(marks) == 5  # four columns, and their block
    said = "document.querySelector('section.block .decision').textContent"
    assert browser.evaluate(said).startswith("Decision on all of them: ")
    browser.evaluate(f"document.querySelector('{editor} input[type=checkbox]').click()")
    click(browser, f"{editor} button", "Remove")
    assert browser.evaluate(marks) == 4  # three columns, and their block
    assert browser.evaluate(said) == "Decisions on 3 of 4 columns"


def test_two_levels_have_to_stay_on_the_scale(browser) -> None:
    editor = open_editor(browser, "half")
    choose(browser, editor, "ordinal")
    for _ in range(2):
        click(browser, f"{editor} .on .toggle")
    click(browser, f"{editor} button", "Keep")
    status = browser.evaluate(f"document.querySelector('{editor} [role=status]').textContent")
    assert status == "At least two levels have to be on the scale."
    assert browser.evaluate("document.getElementById('decisions').hidden") is True


def test_a_column_without_listed_levels_cannot_become_ordinal(browser, frame, tmp_path) -> None:
    wide = pd.DataFrame({"amount": np.linspace(0, 1, 50)})
    path = tmp_path / "wide.html"
    wide.ordinal.infer_types().to_html(path)
    browser.open(path)
    editor = open_editor(browser, "amount")
    script = f"document.querySelector('{editor} option[value=ordinal]').disabled"
    assert browser.evaluate(script) is True


def test_stated_decisions_are_downloaded_again(browser, report, tmp_path) -> None:
    path = tmp_path / "stated.html"
    stated = {"stars": {"order": [4, 3, 1], "off_scale": [2], "note": "reversed"}}
    report.revise(stated).to_html(path)
    browser.open(path)
    editor = open_editor(browser, "stars")
    assert order_of(browser, editor) == ["4", "3", "1"]
    click(browser, f"#{card_of(browser, 'id')} .opener")
    click(browser, f"#{card_of(browser, 'id')} .editor button", "Keep")
    known = read_known_file(downloaded(browser, tmp_path))
    assert known == {**stated, "id": "identifier"}


def test_leaving_asks_while_decisions_are_not_downloaded(browser, page, tmp_path) -> None:
    before = browser.warnings_before_leaving
    editor = open_editor(browser, "id")
    browser.evaluate(f"document.querySelector('{editor} .main').focus()")
    browser.press("Enter")  # browsers ask only after a gesture of the user
    browser.open(page)
    assert browser.warnings_before_leaving == before + 1
    editor = open_editor(browser, "id")
    browser.evaluate(f"document.querySelector('{editor} .main').focus()")
    browser.press("Enter")
    downloaded(browser, tmp_path)
    browser.open(page)
    assert browser.warnings_before_leaving == before + 1


@pytest.mark.parametrize("width", [390, 1280])
def test_open_editors_do_not_reach_over_the_edge(browser, page, width) -> None:
    browser.open(page, width=width)
    browser.evaluate("document.querySelectorAll('.opener').forEach(o => o.click())")
    browser.evaluate(
        "document.querySelectorAll('select').forEach(s => { s.value = 'ordinal';"
        "s.dispatchEvent(new Event('change')) })"
    )
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
