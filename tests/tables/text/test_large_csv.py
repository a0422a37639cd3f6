"""Large CSV files hold in DuckDB and polars what `read_file` reads from them."""

from __future__ import annotations

import csv
import datetime
import gzip
import os
import random
import warnings
from functools import partial

import narwhals as nw
import numpy as np
import pandas as pd
import pytest

from autotype.errors import UnreadableTableError
from autotype.tables.content import find_content
from autotype.tables.table import Limits
from autotype.tables.table_file import ReadOptions, open_file, read_file
from autotype.tables.text.csv_text import CsvText, examine_csv
from autotype.tables.text.large_csv import OtherReaderError, scan_csv

LIBRARIES = ("duckdb", "polars")
POOLS = [
    ["1", "2", "-3", "+4", " 5 ", "0"],
    ["1.5", "2.25", "-.5", "5.", "1e3"],
    ["1", "2.5"],
    ["1.0", "2"],
    ["01067", "10115"],
    ["01067", "1.5"],
    ["01067", "1.0"],
    ["007", "NA", "7"],
    ["a", "b", "None"],
    ["1", "NA"],
    ["1.5", "nan", "2"],
    ["NA", ""],
    ["True", "False"],
    ["tRue", "FALSE", ""],
    ["True", "x"],
    ["inf", "1.5"],
    ["inf", "01"],
    ["inf", "NA", "1"],
    ["9223372036854775807", "1"],
    ["9223372036854775808", "1"],
    ["18446744073709551615", "-1"],
    ["18446744073709551616", "1"],
    ["1e400", "1"],
    ["1e-400", "2.5"],
    ["x,y", "z;w"],
    ['he "s"', "b"],
    ["two\nlines", "b"],
    ["1,5", "2"],
    ["1,5", "NA", "3"],
    ["1,5", "2.5"],
    ["1_0", "2"],
    ["0x1F", "2"],
    ["é", "ü"],
    ["K.A.", "1"],
    ["", ""],
    ["2024-02-29", "1850-12-31"],
    ["2024-02-29", "2023-02-29"],
    ["2024-02-29 10:30", "2024-03-01 00:00"],
    ["2024-02-29T10:30:59", "9999-12-31T23:59:59"],
    ["2024-02-29 10:30:59.500", "2024-02-29 10:30:59.000"],
    ["2024-02-29T10:30:59.123456", "1000-01-01T00:00:00.000000"],
    ["2024-02-29", "2024-02-29T10:30"],
    ["2024-02-29T10:30:00Z", "2024-02-29T10:30:00+02:00"],
]


def cells(column: pd.Series) -> list[object]:
    """The cells of a column as Python's own objects, None where missing."""

    def plain(cell: object) -> object:
        if pd.isna(cell):
            return None
        if isinstance(cell, bool | np.bool_):
            return bool(cell)
        if isinstance(cell, datetime.datetime):
            return str(cell)
        return cell if isinstance(cell, str) else float(cell)

    return [plain(cell) for cell in column]


def as_pandas(table: object) -> pd.DataFrame:
    frame = nw.from_native(table).lazy().collect("pandas").to_native()
    assert isinstance(frame, pd.DataFrame)
    return frame


def examined(path, options: ReadOptions | None = None) -> CsvText:
    limits = Limits(str(path), 10**9)
    opened = find_content(partial(open, path, "rb"), limits).opened
    options = options or ReadOptions()
    return examine_csv(opened, limits, options, path=str(path), for_engine=True)


def scanned(path, options: ReadOptions, library: str) -> pd.DataFrame:
    text = examined(path, options)
    return as_pandas(scan_csv(text, "a.csv", library=library, missing=options.missing))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("seed", range(30))
def test_as_read_file(tmp_path, library, seed) -> None:
    chance = random.Random(seed)
    pools = chance.choices(POOLS, k=6)
    separator = chance.choice(",;\t")
    path = tmp_path / "a.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(
            file,
            delimiter=separator,
            lineterminator=chance.choice(["\n", "\r\n"]),
            quoting=chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
        )
        writer.writerow([f"c{j}" for j in range(len(pools))])
        for _ in range(chance.choice([3, 40])):
            writer.writerow(["" if chance.random() < 0.1 else chance.choice(p) for p in pools])
    options = ReadOptions(delimiter=separator, missing=("K.A.",) * (seed % 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a number beyond the range of floats
        expected = read_file(str(path), options).frame
        found = scanned(path, options, library)
    assert list(found.columns) == list(expected.columns)
    for name, pool in zip(expected.columns, pools, strict=True):
        assert cells(found[name]) == cells(expected[name]), pool


@pytest.mark.parametrize("library", LIBRARIES)
class TestColumns:
    def test_kinds_that_only_later_rows_show(self, tmp_path, library, monkeypatch) -> None:
        monkeypatch.setattr("autotype.tables.text.large_csv._HEAD_ROWS", 2)
        rows = [
            "whole,code,text,float,empty,later",
            *["1,1,1,1.5,,", "2,2,2,2.5,,"],
            *["3,01067,x,3,,", "4,4,4,NA,,7"],
        ]
        (tmp_path / "a.csv").write_text("\n".join(rows) + "\n")
        found = scanned(tmp_path / "a.csv", ReadOptions(), library)
        assert cells(found["whole"]) == [1, 2, 3, 4]
        assert cells(found["code"]) == ["1", "2", "01067", "4"]
        assert cells(found["text"]) == ["1", "2", "x", "4"]
        assert cells(found["float"]) == [1.5, 2.5, 3, None]
        assert cells(found["empty"]) == [None] * 4
        assert cells(found["later"]) == [None, None, None, 7]

    def test_names_as_read_file(self, tmp_path, library) -> None:
        (tmp_path / "a.csv").write_text("a,,a,\n1,2,3,\n4,5,6,\n")
        expected = read_file(str(tmp_path / "a.csv")).frame
        found = scanned(tmp_path / "a.csv", ReadOptions(), library)
        assert list(found.columns) == list(expected.columns)
        assert list(found.columns) == ["a", "Unnamed: 1", "a.1", "Unnamed: 3"]

    def test_a_name_that_another_column_would_get(self, tmp_path, library) -> None:
        (tmp_path / "a.csv").write_text(",Unnamed: 0\n1,2\n3,4\n")
        for frame in (
            read_file(str(tmp_path / "a.csv")).frame,
            scanned(tmp_path / "a.csv", ReadOptions(), library),
        ):
            assert frame.to_dict("list") == {"Unnamed: 0.1": [1, 3], "Unnamed: 0": [2, 4]}

    def test_a_name_that_is_a_pattern_or_a_partition(self, tmp_path, library) -> None:
        folder = tmp_path / "year=2020"
        folder.mkdir()
        (folder / "a[1]*.csv").write_text("a,b\n1,2\n")
        (folder / "a1.csv").write_text("a,b\n3,4\n")
        found = scanned(folder / "a[1]*.csv", ReadOptions(), library)
        assert found.to_dict("list") == {"a": [1], "b": [2]}

    def test_compressed(self, tmp_path, library) -> None:
        with gzip.open(tmp_path / "a.csv.gz", "wt") as file:
            file.write("a,b\n1,x\n2,y\n")
        found = scanned(tmp_path / "a.csv.gz", ReadOptions(), library)
        assert found.to_dict("list") == {"a": [1, 2], "b": ["x", "y"]}

    @pytest.mark.parametrize(
        "content",
        [
            b"a,b\n1,2\n\n3,4\n5,6\n",
            b"a,b\n1,2,\n3,4,\n5,6,\n",
            b"Title\n\na,b\n1,2\n3,4\n5,6\n",
            b"a,b\n1,2\n3,4\n5,6\n,\n,\n",
            "a,b\n1,2\n3,4\n5,6\n".encode("utf-16"),
        ],
    )
    def test_what_is_not_regular_is_copied(self, tmp_path, library, content) -> None:
        (tmp_path / "a.csv").write_bytes(content)
        text = examined(tmp_path / "a.csv")
        assert text.path != str(tmp_path / "a.csv")
        found = as_pandas(scan_csv(text, "a.csv", library=library))
        assert found.to_dict("list") == {"a": [1, 3, 5], "b": [2, 4, 6]}
        copy = text.path
        del text
        assert not os.path.exists(copy)


def test_names_that_differ_in_case_go_to_polars(tmp_path) -> None:
    (tmp_path / "a.csv").write_text("a,A\n1,2\n")
    with pytest.raises(OtherReaderError, match="differ in case only, which DuckDB cannot hold"):
        scanned(tmp_path / "a.csv", ReadOptions(), "duckdb")
    table = open_file(str(tmp_path / "a.csv"), large=0).frame
    assert type(table).__module__.startswith("polars")


def test_rows_that_the_library_counts_otherwise(tmp_path, monkeypatch) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    text = examined(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(OtherReaderError, match=r"duckdb finds 2 rows, not 1"):
        scan_csv(text, "a.csv", library="duckdb")


def test_what_the_library_cannot_parse(tmp_path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    text = examined(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text("a,b\n1,2,3,4\n")
    with pytest.raises(OtherReaderError, match="duckdb cannot read it"):
        scan_csv(text, "a.csv", library="duckdb")


def test_ragged_rows_are_refused(tmp_path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3\n4,5\n")
    with pytest.raises(UnreadableTableError, match="line 3 holds 1 field, the header 2"):
        open_file(str(tmp_path / "a.csv"), large=0)
