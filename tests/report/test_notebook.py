from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
import pytest

from autotype.report.notebook import as_html
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

SCRIPT = "<script>alert('x')</script>"


class Table(HTMLParser):
    """Collects the tags and the cells' strings of a fragment; fails on tags that do not close."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.titles: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag != "br":
            self.open.append(tag)
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
            self.titles += [value for name, value in attrs if name == "title"]
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.titles += [value for name, value in attrs if name == "title"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def test_a_table_of_cells() -> None:
    size = ColumnType("size", "ordinal", 0.999, order=("S", 2.0), direction_known=True, n_levels=2)
    table = Table(as_html(TypeReport([size, ColumnType("id", "identifier")], n_rows=7)))
    assert table.rows == [
        ["column", "type", "P(ordinal)", "levels", "order"],
        ["size", "ordinal", ">0.99", "2", "S < 2"],
        ["id", "identifier", "", "0", ""],
    ]


@pytest.mark.parametrize("direction_known", [True, False])
def test_every_name_level_and_reason_is_escaped(direction_known: bool) -> None:
    column = ColumnType(
        SCRIPT,
        "ordinal",
        0.5,
        order=(SCRIPT, '"&amp;'),
        direction_known=direction_known,
        reasons=(f'" onmouseover="{SCRIPT}',),
    )
    html = as_html(TypeReport([column], n_rows=1))
    assert "<script" not in html
    table = Table(html)
    assert "script" not in table.tags
    assert table.rows[1][0] == SCRIPT
    mark = "<" if direction_known else "–"
    assert table.rows[1][4] == f'{SCRIPT} {mark} "&amp;'
    assert table.titles == [f'" onmouseover="{SCRIPT}']


def test_the_host_chooses_the_colours() -> None:
    html = as_html(TypeReport([ColumnType("a", "text")]))
    assert "color" not in html
    assert "background" not in html


def test_odd_reports() -> None:
    assert len(Table(as_html(TypeReport([]))).rows) == 1
    twice = TypeReport([ColumnType("a", "text"), ColumnType("a", "binary")])
    assert [row[:2] for row in Table(as_html(twice)).rows[1:]] == [["a", "text"], ["a", "binary"]]
    names = pd.MultiIndex.from_tuples([("a", 1)])
    assert Table(as_html(TypeReport([ColumnType(("a", 1), "text")], names=names))).rows[1][0] == (
        "('a', 1)"
    )


def test_a_long_order_and_a_long_name_are_shortened_and_whole_in_their_tooltips() -> None:
    levels = tuple(f"level {k}" for k in range(20))
    column = ColumnType("n" * 100, "ordinal", 0.9, order=levels, direction_known=True)
    table = Table(as_html(TypeReport([column])))
    name, *_, order = table.rows[1]
    assert name == "n" * 39 + "…"
    assert order.endswith("… < level 19")
    assert len(order) <= 70
    assert table.titles == ["n" * 100, " < ".join(levels)]


def test_levels_of_any_direction_are_isolated() -> None:
    html = as_html(TypeReport([ColumnType("a", "ordinal", 0.9, order=("נמוך", "גבוה"))]))
    assert "<bdi>נמוך</bdi> – <bdi>גבוה</bdi>" in html


NAMES = [f"{chr(97 + j)} text" for j in range(26)]


@pytest.mark.parametrize(("n_columns", "scrolls"), [(20, False), (21, True)])
def test_many_rows_scroll_also_by_keyboard(n_columns, scrolls) -> None:
    html = as_html(TypeReport([ColumnType(name, "text") for name in NAMES[:n_columns]]))
    assert ("overflow: auto" in html) is scrolls
    assert ('tabindex="0" role="region" aria-label="21 columns' in html) is scrolls


def test_ordinal_and_doubtful_columns_are_first_in_a_long_table() -> None:
    others = [ColumnType(name, "text") for name in NAMES]
    doubtful = ColumnType("n", "count", type_probabilities={"count": 0.6, "ordinal": 0.4})
    size = ColumnType("size", "ordinal", 0.9, order=("S", "M"))
    html = as_html(TypeReport([*others, doubtful, size, ColumnType("flag", "binary")]))
    table = html[html.index("<table") : html.index("</div>")]
    assert [row[0] for row in Table(table).rows[1:4]] == ["n", "size", "a text"]
    assert "come first; below them: 1 binary, 26 text." in html


def test_a_scale_is_a_row() -> None:
    columns = [
        ColumnType(f"q{j}", "ordinal", 0.9, order=("S", "M"), levels={"S": 1, "M": 2}, n_levels=2)
        for j in range(4)
    ]
    columns[2] = replace(columns[2], reversed=True)
    (_, row) = Table(as_html(TypeReport(columns))).rows
    assert row == ["q0 … q3 (4)", "ordinal", "0.90", "2", "S – Mreversed: q2"]


def test_very_long_names_and_reasons_stay_short() -> None:
    column = ColumnType("n" * 10**6, "ordinal", order=("x" * 10**6, "y"), reasons=("z" * 10**6,))
    assert len(as_html(TypeReport([column]))) < 10_000


def test_a_title_is_in_the_tooltip_and_labels_are_in_the_order() -> None:
    mood = ColumnType("mood", "ordinal", 0.9, order=(1, 2), labels={1: "<b>"}, title="How are you?")
    table = as_html(TypeReport([mood]))
    assert '<tr title="How are you? –' in table
    assert "1 &quot;&lt;b&gt;&quot; – 2" in table
