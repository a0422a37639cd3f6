from __future__ import annotations

import datetime

import pandas as pd
import pytest

from autotype.tables.workbooks.workbook_file import column_of_cells


@pytest.mark.parametrize(
    ("cells", "expected", "note"),
    [
        ([1, 2, None], [1, 2, None], ""),
        (["5", " 6 ", "7.5"], [5, 6, 7.5], ""),
        ([5, "5", " 6 ", "7.5"], [5, 5, 6, 7.5], "read as numbers: 3 cells stored as text"),
        ([5, "NA", "5"], [5, None, 5], "read as numbers: 1 cell stored as text"),
        ([5, "5", "k. A."], [5, 5, "k. A."], "read as numbers: 1 cell stored as text"),
        ([5, "1,5"], [5, "1,5"], ""),
        ([5, "inf", None], [5, "inf", None], ""),
        ([5, "007"], ["5", "007"], "codes are text: 1 cell stored as a number among them"),
        (
            [5, "12345678901234567"],
            ["5", "12345678901234567"],
            "codes are text: 1 cell stored as a number among them",
        ),
        (
            [5.5, "007", 1],
            [5.5, "007", "1"],
            "codes are text: 1 cell stored as a number among them",
        ),
        ([True, "x"], [True, "x"], ""),
        ([None, None], [None, None], ""),
        ([datetime.time(3), None], [datetime.time(3), None], ""),
    ],
)
def test_columns(cells, expected, note) -> None:
    column, found = column_of_cells(cells)
    assert [None if pd.isna(value) else value for value in column.tolist()] == expected
    assert found == note


def test_dates_and_moments_are_one_type() -> None:
    column, _ = column_of_cells([datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1, 5), None])
    assert column.dtype.kind == "M"
    assert column.isna().tolist() == [False, False, True]


def test_times_beside_durations_are_durations() -> None:
    column, _ = column_of_cells([datetime.time(5, 30), datetime.timedelta(hours=30), None])
    assert column.dtype.kind == "m"
    assert column.tolist()[:2] == [pd.Timedelta(hours=5.5), pd.Timedelta(hours=30)]


def test_cells_are_not_changed() -> None:
    cells = [5, "5"]
    column_of_cells(cells)
    assert cells == [5, "5"]


def test_dates_stored_as_text_beside_dates_are_dates() -> None:
    day = datetime.datetime(2024, 1, 31)
    column, note = column_of_cells([day, "2024-02-01", None, datetime.date(2024, 2, 2)])
    assert column.dropna().tolist() == [day + datetime.timedelta(days=k) for k in range(3)]
    assert note == "read as dates: 1 cell stored as text"
    mixed, note = column_of_cells([day, "soon"])
    assert (mixed.tolist(), note) == ([day, "soon"], "")
