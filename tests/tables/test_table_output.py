from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import autotype
from autotype.errors import MissingExtraError, UnknownFormatError
from autotype.tables.table import Table
from autotype.tables.table_file import read_file
from autotype.tables.table_output import UnwritableTableError, table_as_csv, write_table
from autotype.type_report import TypeReport
from autotype.types.codebook import Codebook, CodebookEntry
from autotype.types.column_type import ColumnType
from autotype.types.reading import Reading


@pytest.fixture
def typed() -> tuple[pd.DataFrame, TypeReport]:
    frame = pd.DataFrame({"size": ["S", "M", "L", None] * 6, "grade": [1, 3, 2, 1] * 6})
    types = autotype.infer_types(frame, known={"size": ["S", "M", "L"], "grade": [3, 2, 1]})
    return frame.ordinal.apply_types(types), types


def test_parquet_keeps_texts_and_notes_the_order_of_numbers(tmp_path, typed) -> None:
    frame, types = typed
    path = str(tmp_path / "a.parquet")
    with pytest.warns(UserWarning, match=r"a\.parquet: the levels of 'grade' are not strings"):
        write_table(frame, path, types)
    back = read_file(path).frame
    assert back["size"].dtype == frame["size"].dtype
    assert back["grade"].tolist() == frame["grade"].tolist()
    assert os.listdir(tmp_path) == ["a.parquet"]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz", "a.jsonl", "a.jsonl.gz"])
def test_text_formats_keep_the_values(tmp_path, typed, name) -> None:
    frame, types = typed
    with pytest.warns(UserWarning, match=r"'size', 'grade' keep their values, but neither dtype"):
        write_table(frame, str(tmp_path / name), types)
    back = read_file(str(tmp_path / name)).frame
    assert back["size"].fillna("").tolist() == frame["size"].astype(object).fillna("").tolist()
    assert back["grade"].tolist() == frame["grade"].tolist()
    compressed = (tmp_path / name).read_bytes().startswith(b"\x1f\x8b")
    assert compressed == name.endswith(".gz")


@pytest.mark.parametrize("dtype", ["str", object, "category"])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_carriage_returns_stay_in_their_cells(tmp_path, name, dtype) -> None:
    cells = pd.Series(["x\ry", "\r", "c\nd", "e\r\nf", "g"], dtype=dtype)
    frame = pd.DataFrame({"a": cells, "n\rm": range(5)})
    write_table(frame, str(tmp_path / name))
    with open(tmp_path / name, newline="") as file:
        rows = list(csv.reader(file, delimiter="\t" if name == "a.tsv" else ","))
    assert rows == [["a", "n\rm"], *([str(v) for v in row] for row in frame.to_numpy())]
    assert list(csv.reader(io.StringIO(table_as_csv(frame), newline=""))) == rows


def test_json_keeps_digits_dates_and_nesting(tmp_path) -> None:
    frame = pd.DataFrame(
        {
            "x": [527.42, np.nan],
            "n": pd.array([2**60 + 1, None], dtype="Int64"),
            "day": pd.to_datetime(["2024-02-29", None]),
            "list": [[1, "é"], None],
            "other": [1 + 2j, None],
        }
    )
    write_table(frame, str(tmp_path / "a.jsonl"))
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {
        "x": 527.42,
        "n": 2**60 + 1,
        "day": "2024-02-29T00:00:00",
        "list": [1, "é"],
        "other": "(1+2j)",
    }
    assert set(json.loads(lines[1]).values()) == {None}
    assert "é" in lines[0]


def test_no_warning_if_nothing_is_lost(tmp_path) -> None:
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"])})
    write_table(frame, str(tmp_path / "a.csv"))
    assert table_as_csv(frame) == "a\nx\ny\n"


def test_csv_text_warns_too(typed) -> None:
    with pytest.warns(UserWarning, match="standard output: 'size', 'grade' keep"):
        assert table_as_csv(typed[0]).startswith("size,grade\nS,1\n")


@pytest.mark.parametrize(
    ("frame", "name", "message"),
    [
        (
            pd.DataFrame({"a": [1, "x"]}),
            "a.parquet",
            r"a\.parquet: Arrow cannot hold a column as it is: 'a'",
        ),
        (
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            "a.jsonl",
            "cannot have two keys 'a'; rename one",
        ),
    ],
)
def test_what_a_format_cannot_hold(tmp_path, frame, name, message) -> None:
    with pytest.raises(UnwritableTableError, match=message):
        write_table(frame, str(tmp_path / name))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("frame", [pd.DataFrame({"x": ["a\0b"]}), pd.DataFrame({"\0": [1]})])
def test_nul_in_csv(tmp_path, frame) -> None:
    with pytest.raises(UnwritableTableError, match="its text holds NUL characters"):
        write_table(frame, str(tmp_path / "a.csv"))


@pytest.mark.parametrize(
    ("name", "cells"),
    [("a;b", ["1;2", "3;4"]), ("tags", ["red;blue", "green;red", None]), ("x|y", ["1|2", "3|4"])],
)
def test_a_single_column_stays_one(tmp_path, name, cells) -> None:
    frame = pd.DataFrame({name: pd.Series(cells, dtype="str")})
    write_table(frame, str(tmp_path / "a.csv"))
    pd.testing.assert_frame_equal(autotype.read_table(tmp_path / "a.csv").frame, frame)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.xlsx", "a.jsonl"])
def test_signaling_decimals_are_missing(tmp_path, name) -> None:
    cells = [Decimal("sNaN"), Decimal("NaN"), Decimal("1.5")] * 2
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object), "b": range(6)})
    autotype.write_table(frame, tmp_path / name)
    assert (
        autotype.read_table(tmp_path / name).frame["a"].isna().tolist() == [True, True, False] * 2
    )


def test_decimals_of_negative_scale_are_refused_by_parquet(tmp_path) -> None:
    cells = pa.array([Decimal("1E+5"), Decimal("2E+5")], type=pa.decimal128(3, -5))
    frame = pd.DataFrame({"a": pd.arrays.ArrowExtensionArray(cells)})
    with pytest.raises(UnwritableTableError, match=r"a\.parquet: Scale must be"):
        autotype.write_table(frame, tmp_path / "a.parquet")
    assert not (tmp_path / "a.parquet").exists()


def test_an_old_file_survives_a_failure(tmp_path) -> None:
    (tmp_path / "a.parquet").write_text("old")
    with pytest.raises(UnwritableTableError):
        write_table(pd.DataFrame({"a": [1, "x"]}), str(tmp_path / "a.parquet"))
    assert (tmp_path / "a.parquet").read_text() == "old"


def test_unknown_format(tmp_path) -> None:
    with pytest.raises(UnknownFormatError, match=r"a\.xlsm: the name must end in one of \.csv"):
        write_table(pd.DataFrame(), str(tmp_path / "a.xlsm"))


def test_pyarrow_is_missing(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r'pip install "autotype-ordinal\[parquet\]"'):
        write_table(pd.DataFrame({"a": [1]}), str(tmp_path / "a.parquet"))
    assert os.listdir(tmp_path) == []


def test_gzip_is_whole(tmp_path) -> None:
    write_table(pd.DataFrame({"a": [1]}), str(tmp_path / "a.csv.gz"))
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == b"a\n1\n"


class TestJson:
    @pytest.mark.parametrize(
        ("cells", "message"),
        [
            ([1.0, np.inf], r"a\.jsonl: column 'x' at row 1: JSON cannot hold inf \(Out of range"),
            ([[1.0], [np.nan]], r"column 'x' at row 1: JSON cannot hold \[nan\]"),
            ([{"a": {"b": -np.inf}}], r"column 'x' at row 0: JSON cannot hold \{'a': \{'b': -inf"),
            ([{(1, 2): 3}], r"column 'x' at row 0: JSON cannot hold .*keys must be str"),
            ([np.array([1.0, np.nan])], r"column 'x' at row 0: JSON cannot hold array"),
            (["\ud800"], r"column 'x' at row 0: JSON cannot hold .*surrogates not allowed"),
        ],
    )
    def test_what_it_cannot_hold(self, tmp_path, cells, message) -> None:
        frame = pd.DataFrame({"y": range(len(cells)), "x": pd.Series(cells, dtype=object)})
        with pytest.raises(UnwritableTableError, match=f"{message}.*; correct it, or write .csv"):
            write_table(frame, str(tmp_path / "a.jsonl"))
        assert os.listdir(tmp_path) == []

    @pytest.mark.parametrize("names", [[1, "1"], [None, "None"], [True, "True"]])
    def test_names_that_are_one_key(self, tmp_path, names) -> None:
        frame = pd.DataFrame([[1, 2]], columns=pd.Index(names, dtype=object))
        with pytest.raises(UnwritableTableError, match="cannot have two keys"):
            write_table(frame, str(tmp_path / "a.jsonl"))

    def test_names_of_any_kind(self, tmp_path) -> None:
        names = pd.Index([("a", "b"), pd.Timestamp("2024"), np.nan], dtype=object)
        write_table(pd.DataFrame([[1, 2, 3]], columns=names), str(tmp_path / "a.jsonl"))
        names_read = autotype.read_table(tmp_path / "a.jsonl").frame.columns
        assert names_read.tolist() == ["('a', 'b')", "2024-01-01 00:00:00", "nan"]

    def test_long_arrays_are_whole(self, tmp_path) -> None:
        frame = pd.DataFrame({"x": pd.Series([np.arange(5000)])})
        write_table(frame, str(tmp_path / "a.jsonl"))
        assert json.loads((tmp_path / "a.jsonl").read_text())["x"] == list(range(5000))
        assert table_as_csv(frame).count(",") == 4999


class TestExcel:
    def test_keeps_values_of_each_kind(self, tmp_path) -> None:
        frame = pd.DataFrame(
            {
                "n": pd.array([-1, None, 3], dtype="Int64"),
                "x": [0.1, np.nan, -1e300],
                "yes": [True, False, None],
                "text": ["01067", " a ", None],
                "day": pd.to_datetime(["2024-02-29 12:30", None, "1990-01-01 00:00"]),
                "size": pd.Categorical(["S", "M", None]),
            }
        )
        write_table(frame, str(tmp_path / "a.xlsx"))
        back = read_file(str(tmp_path / "a.xlsx")).frame
        assert (
            back.astype(object)
            .where(back.notna(), None)
            .equals(frame.astype(object).where(frame.notna(), None))
        )

    def test_floats_keep_all_digits(self, tmp_path) -> None:
        numbers = [0.1 + 0.2, 1 / 3, 123456789.12345678, 1.7976931348623157e308, 5e-324, -2.5]
        write_table(pd.DataFrame({"x": numbers}), str(tmp_path / "a.xlsx"))
        assert read_file(str(tmp_path / "a.xlsx")).frame["x"].tolist() == numbers

    def test_a_text_that_looks_like_the_code_of_a_character_stays_a_text(self, tmp_path) -> None:
        texts = ["_x0041_", "_x000D_", "a_x00e9_b", "_x005F_x0041_", "_x41_", "x_"]
        write_table(pd.DataFrame({"_x0041_": texts}), str(tmp_path / "a.xlsx"))
        read = read_file(str(tmp_path / "a.xlsx")).frame
        assert read.to_dict("list") == {"_x0041_": texts}

    def test_what_is_no_number_of_excel_is_text(self, tmp_path) -> None:
        import openpyxl

        day, zoned = pd.Timestamp("1850-01-01"), pd.Timestamp("2024-01-01", tz="UTC")
        cells = [10**15, 2**70, day, zoned, np.array([1, 2]), Decimal("1.25"), Decimal(1) / 3]
        write_table(pd.DataFrame({"x": pd.Series(cells)}), str(tmp_path / "a.xlsx"))
        rows = openpyxl.load_workbook(tmp_path / "a.xlsx").active.values
        assert [row[0] for row in rows] == [
            "x",
            "1000000000000000",
            "1180591620717411303424",
            "1850-01-01T00:00:00",
            "2024-01-01T00:00:00+00:00",
            "[1, 2]",
            1.25,
            "0.3333333333333333333333333333",
        ]

    @pytest.mark.parametrize(
        ("cell", "message"),
        [
            (np.inf, r"Excel cannot hold inf \(not a finite number\)"),
            (Decimal("-Infinity"), r"Excel cannot hold Decimal\('-Infinity'\) \(not a finite"),
            ("x" * 40_000, r"Excel cannot hold 'x+\.\.\. \(40,000 characters, at most 32,767 fit"),
            ("a\0b", r"Excel cannot hold 'a.x00b' \(it holds characters that XML cannot hold\)"),
            ("\ud800", r"Excel cannot hold .*characters that XML cannot"),
        ],
    )
    def test_what_it_cannot_hold(self, tmp_path, cell, message) -> None:
        frame = pd.DataFrame({"y": [1, 2], "x": pd.Series([None, cell], dtype=object)})
        with pytest.raises(UnwritableTableError, match=f"a.xlsx: column 'x' at row 1: {message}"):
            write_table(frame, str(tmp_path / "a.xlsx"))
        assert os.listdir(tmp_path) == []

    def test_too_large(self, tmp_path) -> None:
        wide = pd.DataFrame([range(17_000)])
        with pytest.raises(UnwritableTableError, match="16,384 columns, not 1 and 17,000; write"):
            write_table(wide, str(tmp_path / "a.xlsx"))

    def test_carriage_returns(self, tmp_path) -> None:
        frame = pd.DataFrame({"x": ["a\r\nb", "c\rd"]})
        with pytest.warns(UserWarning, match="carriage returns in 'x' become line feeds"):
            write_table(frame, str(tmp_path / "a.xlsx"))
        assert read_file(str(tmp_path / "a.xlsx")).frame["x"].tolist() == ["a\nb", "c\nd"]

    def test_openpyxl_is_missing(self, tmp_path, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "openpyxl", None)
        with pytest.raises(MissingExtraError, match=r'pip install "autotype-ordinal\[excel\]"'):
            write_table(pd.DataFrame({"a": [1]}), str(tmp_path / "a.xlsx"))


def test_the_same_table_makes_the_same_bytes(tmp_path) -> None:
    for name in ("a.csv.gz", "b.csv.gz"):
        write_table(pd.DataFrame({"a": [1]}), str(tmp_path / name))
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_csv_of_half_characters(tmp_path) -> None:
    with pytest.raises(UnwritableTableError, match=r"a\.csv: .*surrogates not allowed; correct"):
        write_table(pd.DataFrame({"a": ["\ud800"]}, dtype=object), str(tmp_path / "a.csv"))


@pytest.mark.filterwarnings("ignore:.* keep their values, but neither dtype")
@pytest.mark.parametrize(("microseconds", "kind"), [(1000, "datetime"), (1001, "str")])
def test_excel_holds_milliseconds_and_a_text_of_what_is_finer(tmp_path, microseconds, kind) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    moment = pd.Timestamp("2024-02-29 12:00:00") + pd.Timedelta(microseconds, "us")
    autotype.write_table(pd.DataFrame({"at": [moment] * 3, "n": 1}), tmp_path / "a.xlsx")
    cells = openpyxl.load_workbook(tmp_path / "a.xlsx").active["A"][1:]
    assert {type(cell.value).__name__ for cell in cells} == {kind}


def test_moments_of_excel_stay_moments(tmp_path) -> None:
    moments = pd.to_datetime(["1901-05-06 07:08:00", "1999-12-31 00:00:00", "2024-02-29 23:59:59"])
    autotype.write_table(pd.DataFrame({"at": moments, "n": [1, 2, 3]}), tmp_path / "a.xlsx")
    assert autotype.read_table(tmp_path / "a.xlsx").frame["at"].tolist() == moments.tolist()


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "fits"), [(4, 3, True), (5, 3, False), (6, 3, False), (4, 4, False)]
)
def test_how_much_a_sheet_holds(tmp_path, monkeypatch, n_rows, n_columns, fits) -> None:
    monkeypatch.setattr("autotype.tables.workbooks.excel_output._MAX_ROWS", 5)
    monkeypatch.setattr("autotype.tables.workbooks.excel_output._MAX_COLUMNS", 3)
    frame = pd.DataFrame({f"c{j}": range(n_rows) for j in range(n_columns)})
    path, types = str(tmp_path / "a.xlsx"), TypeReport([])
    if fits:
        write_table(frame, path, types)
        assert read_file(path).frame.shape == (n_rows, n_columns)
    else:
        with pytest.raises(UnwritableTableError, match="holds 4 rows and 3 columns, not"):
            write_table(frame, path, types)


def test_the_codebook_of_a_table_is_written_unless_another_is_given(tmp_path) -> None:
    frame = pd.DataFrame({"x": [1, 2]})
    own, other = (Codebook({"x": CodebookEntry(label)}) for label in ("own", "other"))
    for given, label in ((None, "own"), (other, "other")):
        write_table(Table(frame, own, Reading("csv")), tmp_path / "t.parquet", codebook=given)
        assert read_file(str(tmp_path / "t.parquet")).codebook.columns["x"].label == label


def test_frames_of_other_libraries_are_refused(tmp_path) -> None:
    with pytest.raises(TypeError, match=r"pandas frame, got pyarrow.*Table; convert it first with"):
        write_table(pa.table({"a": [1]}), tmp_path / "t.parquet")


@pytest.mark.parametrize("ending", ["parquet", "sav", "dta"])
def test_labels_of_types_are_written_where_no_codebook_has_them(tmp_path, ending) -> None:
    labels = {1: "never", 2: "often", 9: "refused"}
    column = ColumnType("x", "ordinal", order=(1, 2), off_scale=(9,), labels=labels, title="Rate?")
    types = TypeReport([column, ColumnType("gone", "text", title="Of no column")])
    path = tmp_path / f"t.{ending}"
    write_table(pd.DataFrame({"x": [1, 2, 9], "y": 1.5}), path, types)
    (entry,) = (e for k, e in read_file(str(path)).codebook.columns.items() if k != "y")
    assert (entry.label, dict(entry.values)) == ("Rate?", labels)
    assert entry.missing == ((9,) if ending != "dta" else ())


@pytest.mark.parametrize(
    ("cells", "ending"),
    [([10**5000, 7], "csv"), ([10**5000, 7], "xlsx"), ([10**400, 7], "sav"), ([10**400, 7], "dta")],
)
def test_numbers_that_a_format_cannot_hold(tmp_path, cells, ending) -> None:
    frame = pd.DataFrame({"x": pd.Series(cells, dtype=object)})
    with pytest.raises(UnwritableTableError, match="a value cannot be written"):
        write_table(frame, tmp_path / f"a.{ending}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_views_of_strings(tmp_path, ending) -> None:
    views = pd.arrays.ArrowExtensionArray(pa.array(["low", "high", None], pa.string_view()))
    write_table(pd.DataFrame({"x": views}), tmp_path / f"a.{ending}")
    assert read_file(str(tmp_path / f"a.{ending}")).frame["x"].tolist()[:2] == ["low", "high"]
