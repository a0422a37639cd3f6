from __future__ import annotations

import sys

import pytest

from autotype.errors import MissingExtraError
from autotype.report import html
from autotype.report.findings import as_index_page

DONE = {
    "table": "a/<b>.csv",
    "status": "done",
    "rows": 1200,
    "columns": 3,
    "types": {"ordinal": 2, "text": 1},
    "error": None,
    "page": "b 1.html",
}
FAILED = {
    "table": "c.csv",
    "status": "failed",
    "rows": None,
    "columns": None,
    "types": {},
    "error": "line 3 holds <1> field",
    "page": None,
}
PENDING = {**FAILED, "status": "pending", "error": None}


def page_of(*tables) -> str:
    return as_index_page({"autotype_version": "1.2.3", "tables": list(tables)})


def test_links_and_counts() -> None:
    page = page_of(DONE, FAILED, PENDING)
    assert '<a href="b%201.html">a/&lt;b&gt;.csv</a>' in page
    assert "1,200" in page
    assert 'aria-label="2 ordinal, 1 text"' in page
    assert "line 3 holds &lt;1&gt; field" in page
    assert "<b>3</b> tables, <b>3</b> columns" in page
    assert "1 failed" in page
    assert "<b>1</b> not done yet" in page
    assert page.count("<a ") == 1


def test_nothing_is_loaded_and_no_script_runs() -> None:
    page = page_of(DONE)
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_one_table() -> None:
    assert "<b>1</b> table, <b>3</b> columns" in page_of(DONE)


def test_without_jinja(monkeypatch) -> None:
    html.load_templates.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match="needs Jinja2"):
        page_of(DONE)
