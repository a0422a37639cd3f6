from __future__ import annotations

import re

import pandas as pd
import pytest

from autotype.report.text import WIDTH, as_text
from autotype.report.text_cells import display_width, fit_order, shorten
from autotype.type_report import TypeReport
from autotype.types.column_type import SEMANTIC_TYPES, ColumnType
from autotype.types.data_warning import DataWarning
from autotype.wording import printable

SIZE = ColumnType("size", "ordinal", 0.984, order=("S", "M", "L"), direction_known=True, n_levels=3)
PLAN = ColumnType("plan", "categorical", 0.031, best_order=("Lyra", "Orion", "Vega"), n_levels=3)


def lines(*columns: ColumnType, n_rows: int = 10) -> list[str]:
    return as_text(TypeReport(list(columns), n_rows=n_rows)).splitlines()


def test_one_row_for_each_column_under_a_header() -> None:
    header, rule, size, plan, blank, summary = lines(SIZE, PLAN)
    assert header.split() == ["column", "type", "P(ordinal)", "levels", "order"]
    assert set(rule) == {"-", " "}
    assert size.split(maxsplit=4) == ["size", "ordinal", "0.98", "3", "S < M < L"]
    assert plan.split() == ["plan", "categorical", "0.03", "3"]  # an order only where ordinal
    assert blank == ""
    assert summary == "2 columns, 10 rows: 1 ordinal, 1 categorical"


def test_cells_stand_under_their_header() -> None:
    header, _, size, plan, *_ = lines(SIZE, PLAN)
    assert size.index("S < M") == header.index("order")
    assert size.index("0.98") == plan.index("0.03")
    assert size.index("ordinal") == plan.index("categorical") == header.index("type")


def test_unknown_direction_is_not_written_as_smaller() -> None:
    column = ColumnType("grade", "ordinal", 0.9, order=("x", "y", "z"), n_levels=3)
    assert lines(column)[2].endswith("x - y - z")


def test_no_probability_where_the_question_does_not_arise() -> None:
    row = lines(ColumnType("id", "identifier", n_levels=12345))[2]
    assert row.split() == ["id", "identifier", "12,345"]


def test_empty_report() -> None:
    assert as_text(TypeReport([], n_rows=0)) == "0 columns, 0 rows"


def test_every_column_of_a_wide_frame_has_its_row() -> None:
    columns = [ColumnType(f"x {chr(97 + j // 26)}{chr(97 + j % 26)}s", "text") for j in range(300)]
    assert len(lines(*columns)) == 300 + 4


def test_columns_that_are_alike_have_one_row() -> None:
    columns = [ColumnType(f"x{j}", "continuous", n_levels=30 + j) for j in range(300)]
    _, _, row, _, summary = lines(*columns)
    assert row.split() == ["x0", "…", "x299", "(300)", "continuous", "30-329"]
    assert summary.startswith("300 columns")


def test_a_scale_has_one_row_with_its_columns() -> None:
    levels = {"never": 4, "sometimes": 5, "always": 3}
    order = tuple(levels)
    options = {"order": order, "best_order": order, "levels": levels, "direction_known": True}
    names = [f"work{j}" for j in range(30)] + ["home", "a column of a very long name"]
    columns = [
        ColumnType(name, "ordinal", 0.99 - j / 1000, n_levels=3, reversed=j == 7, **options)
        for j, name in enumerate(names)
    ]
    _, _, row, names, reverse, *_ = lines(SIZE, *columns)[1:]
    assert row.split()[-9:-5] == ["(32)", "ordinal", "0.96", "3"]
    assert row.endswith("never < sometimes < always")
    assert names == "  work0 … work29, home, a column of a very long name"
    assert reverse == "  reversed: work7"


def test_warnings_of_one_cause_are_one_paragraph() -> None:
    found = [
        DataWarning("stray level", f"{n!r} holds 'x'", "correct that row", n) for n in range(40)
    ]
    other = DataWarning("blanks", "'b' holds ' x'", "strip it", "b")
    text = str(TypeReport([SIZE], warnings=[*found[:20], other, *found[20:]]))
    _, stray, blanks = text.split("\n\n")[1:]
    assert stray.startswith("stray level (40): 0 holds 'x'; likewise 1, 2, 3, 4,")
    assert stray.endswith(", 39; correct\n  that row.")
    assert blanks == "blanks: 'b' holds ' x'; strip it."
    several = [DataWarning("codebook", f"line {n} is odd", "correct it") for n in range(2)]
    assert "codebook (2): line 0 is odd; line 1 is odd; correct it." in str(
        TypeReport([SIZE], warnings=several)
    )


@pytest.mark.parametrize(
    "levels",
    [
        [f"very long level text number {j}" for j in range(20)],
        ["x" * 500, "y" * 500],
        ["大変満足" * 9, "不満" * 9, "普通"],
    ],
)
def test_no_line_is_wider_than_the_terminal(levels: list[str]) -> None:
    column = ColumnType("n" * 200, "ordinal", 0.5, order=tuple(levels), n_levels=10**9)
    assert max(map(display_width, lines(column, SIZE))) <= WIDTH


def test_no_line_on_a_block_is_wider_than_the_terminal() -> None:
    levels = {"大変満足" * 9: 3, "不満" * 9: 4, "普通": 5}
    options = {"order": tuple(levels), "levels": levels, "reversed": True}
    columns = [ColumnType(f"{chr(0x5927 + j)}満足度", "ordinal", **options) for j in range(30)]
    text = lines(*columns)
    assert len(text) > 6
    assert max(map(display_width, text)) <= WIDTH


def test_a_summary_of_all_types_is_folded() -> None:
    columns = [ColumnType(t, t) for t in SEMANTIC_TYPES]
    *_, first, second = lines(*columns, n_rows=10**9)
    assert len(first) <= WIDTH
    assert first.endswith(",")
    assert f"{first} {second.strip()}".endswith(", ".join(f"1 {t}" for t in SEMANTIC_TYPES))


def test_a_long_order_keeps_its_ends() -> None:
    column = ColumnType("score", "ordinal", order=tuple(range(100)), direction_known=True)
    text = fit_order(column, 40)
    assert text.startswith("0 < 1 < 2")
    assert text.endswith("… < 99")
    assert len(text) <= 40


def test_an_order_that_just_fits_is_whole() -> None:
    assert fit_order(SIZE, 9) == "S < M < L"
    assert fit_order(SIZE, 8) == "S < … <…"


def test_duplicate_and_multi_index_names() -> None:
    assert [line.split()[0] for line in lines(SIZE, SIZE)[2:4]] == ["size", "size"]
    names = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")])
    columns = [ColumnType(name, "text") for name in names]
    text = as_text(TypeReport(columns, names=names, n_rows=1))
    assert "('a', 'x')" in text
    assert "('a', 'y')" in text


def test_control_characters_cannot_break_the_table() -> None:
    column = ColumnType(
        "a\nb\x1b[31m", "ordinal", 0.5, order=("x\ty", "z\u202e", "\ud800"), direction_known=True
    )
    _, _, row, *_ = lines(column)
    assert r"a\nb\x1b[31m" in row
    assert r"x\ty < z\u202e < \ud800" in row


def test_wide_characters_keep_the_table_aligned() -> None:
    _, _, wide, narrow, *_ = lines(ColumnType("大小", "text"), ColumnType("size", "text"))
    assert display_width(wide[: wide.index("text")]) == narrow.index("text")


def test_small_parts() -> None:
    assert display_width("e\u0301") == 1
    assert shorten("大小大小", 5) == "大小…"
    assert printable(None) == "None"


def test_no_probability_is_shown_as_certain() -> None:
    _, _, high, low, *_ = lines(
        ColumnType("a", "ordinal", 0.9999), ColumnType("b", "categorical", 0)
    )
    assert ">0.99" in high
    assert "<0.01" in low


def test_whole_numbers_that_missing_values_made_floats() -> None:
    column = ColumnType("score", "ordinal", order=(1.0, 1.5, 2.0), direction_known=True)
    assert fit_order(column, 40) == "1 < 1.5 < 2"
    assert "in the order 1 < 1.5 < 2" in column.explain()


ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def test_colour_changes_nothing_but_the_colour() -> None:
    report = TypeReport([SIZE, PLAN, ColumnType("大小", "text")], n_rows=10)
    colored = as_text(report, color=True)
    assert ESCAPE.sub("", colored) == as_text(report)
    assert "\x1b[1;36mordinal\x1b[0m" in colored
    assert "\x1b" not in as_text(report)


@pytest.mark.parametrize("width", [60, 80])
def test_a_narrow_terminal_gets_a_narrow_table(width: int) -> None:
    column = ColumnType("n" * 200, "undetermined", 0.5, order=tuple(range(50)), n_levels=10**9)
    report = TypeReport([SIZE, column], n_rows=10**9)
    assert max(map(display_width, as_text(report, width=width).splitlines())) <= width


def test_a_name_of_a_million_characters() -> None:
    assert shorten("x" * 10**6, 20) == "x" * 19 + "…"
    assert shorten("e\u0301" * 10, 10) == "e\u0301" * 10


def test_levels_have_their_labels() -> None:
    mood = ColumnType("mood", "ordinal", 0.9, order=(1, 2), labels={1: "bad\n", 2: "2"})
    assert lines(mood)[2].endswith('1 "bad" - 2')


def test_the_probability_of_other_types_is_that_of_the_type_where_it_is_in_doubt() -> None:
    doubted = ColumnType("n", "count", 0.4, type_probabilities={"count": 0.7, "ordinal": 0.3})
    sure = ColumnType("m", "count", 0.4, type_probabilities={"count": 0.95, "ordinal": 0.05})
    rows = lines(doubted, sure)[2:4]
    assert rows[0].split() == ["n", "count", "0", "P(count)", "0.70"]
    assert rows[1].split() == ["m", "count", "0"]
