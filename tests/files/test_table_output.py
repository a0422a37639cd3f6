from __future__ import annotations

import gzip
import json
import os
import sys

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import MissingExtraError
from autotype.files.table_file import UnknownFormatError, read_table
from autotype.files.table_output import UnwritableTableError, table_as_csv, write_table
from autotype.type_report import TypeReport

NOTHING = TypeReport([])


@pytest.fixture
def typed() -> tuple[pd.DataFrame, TypeReport]:
    frame = pd.DataFrame({"size": ["S", "M", "L", None] * 6, "grade": [1, 3, 2, 1] * 6})
    types = autotype.infer_types(frame, known={"size": ["S", "M", "L"], "grade": [3, 2, 1]})
    return frame.ordinal.apply_types(types), types


def test_parquet_keeps_texts_and_notes_the_order_of_numbers(tmp_path, typed) -> None:
    frame, types = typed
    path = str(tmp_path / "a.parquet")
    with pytest.warns(UserWarning, match=r"a\.parquet: the levels of 'grade' are not texts"):
        write_table(frame, types, path)
    back = read_table(path)
    assert back["size"].dtype == frame["size"].dtype
    assert back["grade"].tolist() == frame["grade"].tolist()
    assert os.listdir(tmp_path) == ["a.parquet"]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz", "a.jsonl", "a.jsonl.gz"])
def test_text_formats_keep_the_values(tmp_path, typed, name) -> None:
    frame, types = typed
    with pytest.warns(UserWarning, match=r"'size', 'grade' keep their values, but neither dtype"):
        write_table(frame, types, str(tmp_path / name))
    back = read_table(str(tmp_path / name))
    assert back["size"].fillna("").tolist() == frame["size"].astype(object).fillna("").tolist()
    assert back["grade"].tolist() == frame["grade"].tolist()
    compressed = (tmp_path / name).read_bytes().startswith(b"\x1f\x8b")
    assert compressed == name.endswith(".gz")


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
    write_table(frame, NOTHING, str(tmp_path / "a.jsonl"))
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
    write_table(frame, NOTHING, str(tmp_path / "a.csv"))
    assert table_as_csv(frame) == "a\nx\ny\n"


def test_csv_text_warns_too(typed) -> None:
    with pytest.warns(UserWarning, match="standard output: 'size', 'grade' keep"):
        assert table_as_csv(typed[0]).startswith("size,grade\nS,1\n")


@pytest.mark.parametrize(
    ("frame", "name", "message"),
    [
        (pd.DataFrame({"a": [1, "x"]}), "a.parquet", r"a\.parquet: column 'a': Arrow cannot"),
        (
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            "a.jsonl",
            "cannot have two keys 'a'; rename one",
        ),
    ],
)
def test_what_a_format_cannot_hold(tmp_path, frame, name, message) -> None:
    with pytest.raises(UnwritableTableError, match=message):
        write_table(frame, NOTHING, str(tmp_path / name))
    assert os.listdir(tmp_path) == []


def test_an_old_file_survives_a_failure(tmp_path) -> None:
    (tmp_path / "a.parquet").write_text("old")
    with pytest.raises(UnwritableTableError):
        write_table(pd.DataFrame({"a": [1, "x"]}), NOTHING, str(tmp_path / "a.parquet"))
    assert (tmp_path / "a.parquet").read_text() == "old"


def test_unknown_format(tmp_path) -> None:
    with pytest.raises(UnknownFormatError, match=r"a\.xlsm: the name must end in one of \.csv"):
        write_table(pd.DataFrame(), NOTHING, str(tmp_path / "a.xlsm"))


def test_pyarrow_is_missing(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r'pip install "autotype-ordinal\[parquet\]"'):
        write_table(pd.DataFrame({"a": [1]}), NOTHING, str(tmp_path / "a.parquet"))
    assert os.listdir(tmp_path) == []


def test_gzip_is_whole(tmp_path) -> None:
    write_table(pd.DataFrame({"a": [1]}), NOTHING, str(tmp_path / "a.csv.gz"))
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == b"a\n1\n"
