"""The widget for notebooks, without a browser: what it is sent, and what it makes of it."""

from __future__ import annotations

import re
import sys

import pytest

from autotype.errors import MissingExtraError
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

LEVELS = {"low": 5, "mid": 4, "high": 3}


@pytest.fixture
def report() -> TypeReport:
    return TypeReport([ColumnType("a", "undetermined", 0.5, levels=LEVELS)], n_rows=12)


def test_decisions_revise_the_report(report) -> None:
    pytest.importorskip("anywidget")
    widget = report.review()
    assert widget.types is report
    assert 'data-save="notebook"' in widget.page
    widget.decisions = '{"a": ["low", "mid", "high"]}'
    assert widget.types["a"].order == ("low", "mid", "high")
    assert report["a"].semantic_type == "undetermined"
    assert widget.code == "types = types.revise({\n    'a': ['low', 'mid', 'high'],\n})"
    widget.decisions = '{"a": ["low"]}'
    assert "leaves out" in widget.problem
    assert widget.types["a"].order == ("low", "mid", "high")
    widget.decisions = "{}"
    assert (widget.types, widget.code, widget.problem) == (report, "", "")


def test_code_states_the_order_of_a_scale_once() -> None:
    pytest.importorskip("anywidget")
    columns = [ColumnType(n, "undetermined", 0.5, levels=LEVELS) for n in "abc"]
    widget = TypeReport(columns).review()
    widget.decisions = '{"a": ["low", "mid", "high"], "b": ["low", "mid", "high"]}'
    assert "**dict.fromkeys(['a', 'b'], ['low', 'mid', 'high'])," in widget.code
    names = {"types": TypeReport(columns)}
    exec(widget.code, names)
    assert names["types"] == widget.types


def test_scales_and_doubtful_columns_are_reviewed_first() -> None:
    pytest.importorskip("anywidget")
    scale = [ColumnType(n, "ordinal", 0.9, levels=LEVELS) for n in "ab"]
    columns = [ColumnType("id", "identifier"), ColumnType("x", "undetermined"), *scale]
    page = TypeReport(columns).review().page
    headings = re.findall(r"<h3 id=\"(b?n)\d+\"><bdi>(.*?)</bdi>", page)
    assert [name for _, name in headings] == ["a, b", "a", "b", "x", "id"]


def test_a_further_view_shows_what_is_decided(report, monkeypatch) -> None:
    pytest.importorskip("anywidget")
    widget = report.review()
    sent = []
    monkeypatch.setattr(
        type(widget), "send", lambda self, content, buffers=None: sent.append(content)
    )
    widget.decisions = '{"a": ["low", "mid", "high"]}'
    widget._handle_custom_msg({}, [])
    assert "data-stated" in sent[0]["page"]


def test_without_anywidget(report, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "autotype.report.widget", raising=False)
    with pytest.raises(MissingExtraError, match=r"autotype-ordinal\[notebook\]"):
        report.review()
