from __future__ import annotations

import datetime
import random

import numpy as np
import pandas as pd
import pytest

from autotype.tables.columns import (
    column_of_objects,
    column_of_records,
    column_of_strings,
    frame_of_columns,
    strings_of_cells,
    strings_of_dates,
)


def typed(cells: list[str | None], decimal: str = ".", **options: bool) -> pd.Series:
    return column_of_strings(pd.Series(cells, dtype=str), decimal, **options)[0]


@pytest.mark.parametrize("dtype", [object, "str", "string"])
@pytest.mark.parametrize(
    ("cells", "expected", "values"),
    [
        (["1", "2", "1"], "int64", [1, 2, 1]),
        (["1", None, "NA"], "Int64", [1, None, None]),
        (["18446744073709551615", "1"], "uint64", [2**64 - 1, 1]),
        (["18446744073709551615", None], "UInt64", [2**64 - 1, None]),
        (["1.5", "-", "2"], "float64", [1.5, None, 2.0]),
        (["True", "FALSE", "true"], "bool", [True, False, True]),
        (["True", None, "false"], "object", [True, None, False]),
        ([None, None], "Int64", [None, None]),
        ([], "Int64", []),
    ],
)
def test_dtypes(cells, expected, values, dtype) -> None:
    strings = pd.Series(cells, index=range(5, 5 + len(cells)), dtype=dtype, name="x")
    column, _ = column_of_strings(strings)
    assert str(column.dtype) == expected
    assert [None if pd.isna(value) else value for value in column] == values
    assert column.index.equals(strings.index)
    assert column.name == "x"


def test_strings_become_numbers_if_all_are() -> None:
    assert typed(["1", "NA", "2,5"], ",").tolist()[::2] == [1.0, 2.5]
    assert typed(["1", "x", "NA"]).tolist() == ["1", "x", "NA"]
    assert typed(["1,5", "x", "NA"], ",", numbers=True).tolist()[:2] == [1.5, "x"]


@pytest.mark.parametrize("cell", ["1.", ".5", "-3", "+1e3", " 2 ", "٣", "１.５", "\u00a07\x1c"])
def test_numbers_of_many_forms(cell) -> None:
    assert typed([cell]).tolist() == [float(cell.strip())]


@pytest.mark.parametrize("decimal", [".", ","])
def test_a_point_is_read_besides_a_comma(decimal) -> None:
    assert typed(["1.5", "NA", "2"], decimal).tolist()[::2] == [1.5, 2.0]
    assert typed(["1.5", "2,5"], decimal).tolist() == ["1.5", "2,5"]


@pytest.mark.parametrize(
    ("text", "is_number"),
    [
        ("1.8 1.9 1.10 1.11", False),  # versions, of which the last is the newest
        ("2.1 2.2 2.10 NA", False),
        ("12.50 3.10 9.90", True),  # as many decimals each
        ("1.5 2.25 3.0", True),
        ("1.5 2.10 0.05", True),  # no version has a zero behind the point
        ("1.5 2.10 3", True),
        ("1.125 2.250 3.100", True),
        ("+491709876543 +491701234567", False),
        ("+1 0 -1", True),
        ("1E5 2E7 30", False),
        ("1E5 2.5", True),
        ("1e+05 2e+05", True),
    ],
)
def test_nothing_that_a_number_would_lose(text, is_number) -> None:
    column = typed(text.split())
    assert pd.api.types.is_numeric_dtype(column) == is_number
    if not is_number:
        assert [cell for cell in column if cell == cell] == text.replace(" NA", "").split()


def test_a_code_beside_a_missing_marker() -> None:
    column = typed(["01067", "NA", "10115"])
    assert column.isna().tolist() == [False, True, False]
    assert column[0] == "01067"


def test_a_form_that_only_a_late_cell_has() -> None:
    many = [str(k) for k in range(2000)]
    assert typed(many).dtype == "int64"
    assert typed([*many, "007"])[5] == "5"
    assert typed([*many, "0.5"])[5] == 5.0
    assert typed([*many, "x"])[5] == "5"
    assert np.isnan(typed([*many, "NA", "0.5"])[2000])


def test_no_integer_is_rounded_because_of_the_others() -> None:
    assert column_of_objects([9007199254740993, None]).dtype == "Int64"
    assert column_of_objects([2**70, None])[0] == 2**70
    assert column_of_objects([9007199254740993, 1.5])[0] == 9007199254740993


WAYS = {  # strftime's format, and the digits of seconds that it leaves out
    "%Y-%m-%d": 0,
    "%Y-%m-%d %H:%M": 0,
    "%Y-%m-%dT%H:%M": 0,
    "%Y-%m-%d %H:%M:%S": 0,
    "%Y-%m-%dT%H:%M:%S": 0,
    "%Y-%m-%d %H:%M:%S.%f": 3,
    "%Y-%m-%dT%H:%M:%S.%f": 3,
    "%Y-%m-%dT%H:%M:%S.%f ": 1,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n_rows", [30, 12_000])  # pyarrow casts the long ones
def test_dates_are_those_of_the_standard_library_and_written_back(way, n_rows) -> None:
    chance = random.Random(0)
    start = datetime.datetime(1000, 1, 1)
    moments = [start + datetime.timedelta(seconds=chance.uniform(0, 2.8e11)) for _ in range(n_rows)]
    texts = [moment.strftime(way) for moment in moments]
    texts = [text[: len(text) - WAYS[way]] for text in texts]
    column, _ = column_of_strings(pd.Series([None, *texts], dtype=str))
    assert column.dtype == "datetime64[us]"
    assert pd.isna(column[0])
    assert column[1:].tolist() == [datetime.datetime.fromisoformat(text) for text in texts]
    written = strings_of_dates(frame_of_columns({"at": column}))["at"].tolist()
    assert written == [None, *texts]


@pytest.mark.parametrize(
    "texts",
    [
        ["2024-01-31", "2024-01-31 10:00"],  # of two ways
        ["2024-01-31", "n/a"],
        ["2023-02-29"],
        ["1900-02-29"],
        ["0000-00-00"],
        ["2024-1-31"],
        ["2024-01"],
        ["31.01.2024"],
        ["2024-01-31T24:00"],
        ["2024-01-31T10:00Z"],
        ["2024-01-31T10:00+01:00"],
        ["2024-01-31T10:00:00.5"],
    ],
)
def test_other_dates_stay_strings(texts) -> None:
    assert typed(texts).tolist() == texts


def test_records_hold_dates_but_their_strings_are_no_numbers() -> None:
    assert column_of_records(["2024-01-31", None]).dtype == "datetime64[us]"
    assert column_of_records(["1", "2"]).tolist() == ["1", "2"]
    assert column_of_records(["2024-01-31", 1]).tolist() == ["2024-01-31", 1]


def test_dates_that_were_changed_are_not_written_as_they_were_read() -> None:
    frame = frame_of_columns({"day": typed(["2024-01-31", "2024-02-01"]), "n": pd.Series([1, 2])})
    frame["day"] += pd.Timedelta(hours=1)
    assert strings_of_dates(frame) is frame


def test_cells_that_were_changed_are_not_written_as_they_were_read() -> None:
    texts = {"x": ["2.50", "+3", None, "1e1"], "flag": ["TRUE", "False", "true", None]}
    strings = {name: pd.Series(cells, dtype=str) for name, cells in texts.items()}
    frame = frame_of_columns({name: typed(texts[name]) for name in texts}, written=strings)
    last_first = pd.concat([frame, frame]).iloc[::-1]
    written = strings_of_cells(last_first).fillna("")
    assert written["x"].tolist() == ["1e1", "", "+3", "2.50"] * 2
    frame.loc[0, "x"] = 7.0
    written = strings_of_cells(frame).fillna("")
    assert written["x"].tolist() == [7.0, "+3", "", "1e1"]
    assert written["flag"].tolist() == ["TRUE", "False", "true", ""]
    assert written.attrs == frame.attrs


@pytest.mark.parametrize(
    ("cells", "dtype"),
    [
        (["-9223372036854775808", "٣"], "int64"),
        (["-9223372036854775809", "٣"], "str"),
        (["18446744073709551615", "٣"], "uint64"),
        (["18446744073709551616", "٣"], "str"),
        (["-٩٢٢٣٣٧٢٠٣٦٨٥٤٧٧٥٨٠٨"], "int64"),
        (["-٩٢٢٣٣٧٢٠٣٦٨٥٤٧٧٥٨٠٩"], "str"),
    ],
)
def test_integers_of_any_digits_within_64_bits_only(cells, dtype) -> None:
    strings = pd.Series(cells, dtype="str")
    column, _ = column_of_strings(strings)
    assert column.dtype == (strings.dtype if dtype == "str" else dtype)
    if dtype != "str":
        assert column.tolist() == list(map(int, cells))


def test_dates_beside_changed_ones_are_written_as_they_were_read() -> None:
    read = {name: typed(["2024-01-31", "2024-02-01"]) for name in ("changed", "kept")}
    frame = frame_of_columns(read)
    frame["changed"] += pd.Timedelta(hours=1)
    written = strings_of_dates(frame)
    assert written["changed"].iloc[0] == pd.Timestamp("2024-01-31 01:00")
    assert written["kept"].tolist() == ["2024-01-31", "2024-02-01"]


@pytest.mark.parametrize("marks", [5, [[1]], {"at": "XX"}, {"at": 5}, {"at": [1]}, {"at": {}}])
def test_marks_that_others_left_are_ignored(marks) -> None:
    frame = pd.DataFrame({"at": pd.to_datetime(["2024-01-01"])})
    frame.attrs = {"autotype dates": marks, "autotype cells": marks}
    assert strings_of_dates(frame) is frame
    assert strings_of_cells(frame) is frame
