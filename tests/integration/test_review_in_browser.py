"""Decisions on the page that are kept as they are made: by a server, and by a notebook's widget."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from autotype.cli.review import ReviewServer
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType
from autotype.types.decisions.known_file import read_known_file

pytestmark = pytest.mark.browser

LEVELS = {"low": 5, "mid": 4, "high": 3}
ORDER = ["low", "mid", "high"]


@pytest.fixture
def report() -> TypeReport:
    battery = [ColumnType(name, "undetermined", 0.5, levels=LEVELS) for name in ("a", "b", "c")]
    return TypeReport([*battery, ColumnType("id", "identifier")], n_rows=12)


def wait(browser, condition: str) -> None:
    """Wait until a condition holds in the page."""
    browser.evaluate(
        "new Promise((done, fail) => { const end = Date.now() + 20000; (function look() {"
        f" if ({condition}) done(); else if (Date.now() > end) fail(new Error('never'));"
        " else setTimeout(look, 20); })() })"
    )


def correct(root: str, name: str) -> str:
    """Script that keeps the levels of a column as an order, in the page of a document."""
    return f"""(page => {{
        const card = [...page.querySelectorAll(".card")]
            .find(card => card.querySelector("h3").textContent === {json.dumps(name)});
        card.querySelector(".opener").click();
        const form = card.querySelector(".editor");
        form.querySelector("select").value = "ordinal";
        form.querySelector("select").dispatchEvent(new Event("change"));
        [...form.querySelectorAll("button")].find(b => b.textContent.startsWith("Keep")).click();
    }})({root})"""


def test_a_correction_of_a_scale_is_saved_by_the_server(shared_browser, report, tmp_path) -> None:
    path = tmp_path / "t.known.toml"
    with ReviewServer(report, str(path), table="t.csv") as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        shared_browser.open(server.address)
        shared_browser.evaluate(correct("document", "b"))
        decided = "document.getElementById('decided').textContent"
        wait(shared_browser, f"{decided} === '3 decisions, saved in {path}'")
        assert read_known_file(path) == dict.fromkeys("abc", ORDER)
        shared_browser.open(server.address)  # again: it continues
        assert shared_browser.evaluate(decided).startswith("3 decisions")
        click = "[...document.querySelectorAll('button')].find(b => b.textContent === '{}').click()"
        shared_browser.evaluate("document.querySelector('.card .opener').click()")
        shared_browser.evaluate("document.querySelector('.reverse').click()")
        shared_browser.evaluate(click.format("Keep this decision"))
        wait(shared_browser, f"{decided}.includes('saved in')")
        assert read_known_file(path) == dict.fromkeys("abc", ORDER[::-1])
        shared_browser.evaluate("document.getElementById('undo').click()")
        wait(shared_browser, f"{decided}.includes('saved in')")
        assert read_known_file(path) == dict.fromkeys("abc", ORDER)
        assert shared_browser.complaints == []
        assert all(address.startswith(server.address) for address in shared_browser.requests)
        shared_browser.open("about:blank")
        thread.join(30)  # the page is closed, and so it ends
        assert not thread.is_alive()


@pytest.mark.parametrize("odd", ["\0", "\r", "\x85", "\x1b", "\u2028", "\ufffe", " \t"])
def test_names_and_levels_with_controls_are_saved_as_they_are(
    shared_browser, tmp_path, odd
) -> None:
    levels = dict.fromkeys((f"{odd}low", "mid", f"hi{odd}gh"), 4)
    report = TypeReport([ColumnType(f"a{odd}b", "undetermined", 0.5, levels=levels)], n_rows=12)
    path = tmp_path / "t.known.toml"
    with ReviewServer(report, str(path)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        shared_browser.open(server.address)
        name = shared_browser.evaluate("document.querySelector('.card h3').textContent")
        shared_browser.evaluate(correct("document", name))
        decided = "document.getElementById('decided').textContent"
        wait(shared_browser, f"{decided}.includes('saved in')")
        assert read_known_file(path) == {f"a{odd}b": list(levels)}
        server.shutdown()
        thread.join()
    assert shared_browser.complaints == []


def test_a_decision_that_cannot_be_saved_is_said(shared_browser, report, tmp_path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with ReviewServer(report, str(folder / "t.known.toml")) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        shared_browser.open(server.address)
        folder.rmdir()
        shared_browser.evaluate(correct("document", "a"))
        wait(shared_browser, "document.getElementById('decided').textContent.includes('not saved')")
        folder.mkdir()
        shared_browser.evaluate(correct("document", "c"))  # the next one saves all
        wait(shared_browser, "document.getElementById('decided').textContent.includes('saved in')")
        assert len(read_known_file(folder / "t.known.toml")) == 3
        server.shutdown()
        thread.join()
    shared_browser.complaints.clear()  # of the answer 400


def test_a_widget_changes_the_report_in_python(shared_browser, report, tmp_path: Path) -> None:
    pytest.importorskip("anywidget")
    widget = report.review()
    script = widget._esm.replace("export default", "window.widget =", 1)
    values = json.dumps({"page": widget.page, "decisions": "", "code": "", "problem": ""})
    values = values.replace("</", "<\\/")
    (tmp_path / "notebook.html").write_text(
        f"""<!doctype html><meta charset="utf-8"><div id="cell" style="color: #eee"></div><script>
        {script}
        const values = {values};
        window.model = {{
            get: key => values[key],
            set: (key, value) => {{ values[key] = value; }},
            save_changes: () => {{ window.saved = values.decisions; }},
            on: () => {{}}, off: () => {{}}, send: () => {{}},
        }};
        window.widget.render({{ model: window.model, el: document.getElementById("cell") }});
        </script>"""
    )
    shared_browser.open(tmp_path / "notebook.html")
    wait(
        shared_browser, "document.querySelector('iframe').contentDocument?.querySelector('.opener')"
    )
    scheme = "document.querySelector('iframe').style.colorScheme"
    assert shared_browser.evaluate(scheme) == "dark"  # as the notebook, by its text
    # A link stays in the page, whose address is not that of the notebook.
    shared_browser.evaluate(
        "document.querySelector('iframe').contentDocument.querySelector('a[href=\"#c1\"]').click()"
    )
    wait(shared_browser, "document.querySelector('iframe').contentWindow.location.hash === '#c1'")
    opened = (
        "document.querySelector('iframe').contentDocument.querySelector('#c1').closest('details')"
    )
    wait(shared_browser, f"{opened}.open")
    shared_browser.evaluate(correct("document.querySelector('iframe').contentDocument", "a"))
    wait(shared_browser, "window.saved")
    widget.decisions = shared_browser.evaluate("window.saved")
    assert widget.types["c"].order == tuple(ORDER)
    assert widget.problem == ""
    types = report
    names = {"types": types}
    exec(widget.code, names)
    assert names["types"] == widget.types
    assert shared_browser.complaints == []
