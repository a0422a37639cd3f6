"""What the contents of cells look like."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal

import pytest

from autotype.tables.layout.grid import (
    CellKind,
    GridRow,
    Row,
    is_empty,
    is_ruler,
    kind_of,
    text_of,
)


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        (CellKind.EMPTY, ["", " ", "\u00a0", None, math.nan]),
        (CellKind.MISSING, ["-", "..", "n/a", "NA", "k. A.", "#N/A", ":", "---"]),
        (
            CellKind.NUMBER,
            ["1", "-1.5", "1,5", "1.234,56", "1 234", "12 %", "$5.00", "5 €", "(12)", "1e-5", ".5"],
        ),
        (CellKind.NUMBER, ["12 ₪", "1,200 Kč", "USD 3.5", "15 000 Ft", "500 р.", "A$3", "7 元"]),
        (CellKind.NUMBER, [1, 2.5, True, Decimal("1.5"), "36.5#", "12*", "−3"]),
        (
            CellKind.DATE,
            [
                "2020-01-31",
                "31.1.2020",
                "1/2/20 10:30",
                "10:30:05",
                "2020年1月",
                "2020-Q1",
                "2020-01",
            ],
        ),
        (CellKind.DATE, ["2020-01-31T10:00:00Z", "Jan 5, 2020", "5 Jan 2020"]),
        (CellKind.DATE, [datetime.date(2020, 1, 1), datetime.time(1), datetime.timedelta(1)]),
        (
            CellKind.TEXT,
            ["1 THB", "Berlin", "10 bis 14", "A1", "1st", "2013 (38)", "x" * 50, "9" * 50],
        ),
    ],
)
def test_kinds(kind, cells):
    assert [kind_of(cell) for cell in cells] == [kind] * len(cells)


@pytest.mark.parametrize(
    ("cell", "text"), [(2020.0, "2020"), (2.5, "2.5"), (None, ""), (" a", " a"), (1e300, "1e+300")]
)
def test_text(cell, text):
    assert text_of(cell) == text


def test_empty_cells():
    assert not any(map(is_empty, [0, False, "0", "x"]))


def test_rulers():
    assert is_ruler(["----", "", "===="])
    assert is_ruler(["------+-----"])
    assert not is_ruler(["--", "--"])
    assert not is_ruler(["----", "5"])
    assert not is_ruler([])


@pytest.mark.parametrize(
    ("cells", "is_sequence"),
    [
        (["1", "2", "3"], True),
        (["1", "2"], False),
        (["1"], False),
        (["3", "2", "1"], False),
        (["1", "2", "4"], False),
        (["2", "4", "6", "8"], False),
        (["2", "4", "6", "8", "10"], True),
        (["10", "8", "6", "4", "2"], True),
        (["5", "5", "5", "5", "5"], False),
        (["2019", "2020"], True),
        (["2020", "2019"], True),
        (["2019", "2021"], False),
        (["2019", "2021", "2024"], True),
        (["2024", "2021", "2019"], True),
        (["2019", "2019"], False),
        (["2019", "2021", "2020"], False),
        (["2019", "2020", "2019", "2020"], True),
        (["2019", "2020", "2020", "2019"], False),
        (["town", "2019년", "2020년"], True),
        (["2019", "1.5"], False),
        (["2019", "12345"], False),
    ],
)
def test_numbers_that_name_columns(cells, is_sequence) -> None:
    assert GridRow(Row(1, cells), after_gap=False).is_sequence == is_sequence
