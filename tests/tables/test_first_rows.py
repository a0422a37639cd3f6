from __future__ import annotations

import gzip

import pandas as pd
import pytest

from autotype.cli import main
from autotype.errors import UnreadableTableError
from autotype.tables.table_file import ReadOptions, open_file, read_file

THREE = ReadOptions(n_rows=3)
ROWS = [("a, b", "1"), ('say "c"', "2"), ("line\nbreak", "3"), ("d", "x"), ("e", "5")]
FRAME = pd.DataFrame({"text": [row[0] for row in ROWS], "number": [1, 2, 3, 4, 5]})


def written_csv(path, encoding="utf-8", line_end="\n"):
    frame = pd.DataFrame(ROWS, columns=["text", "number"])
    path.write_bytes(frame.to_csv(index=False, lineterminator=line_end).encode(encoding))
    return str(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_the_first_rows_of_csv(tmp_path, encoding, line_end) -> None:
    frame = read_file(written_csv(tmp_path / "a.csv", encoding, line_end), THREE).frame
    assert frame["text"].tolist()[:2] == ["a, b", 'say "c"']
    assert frame["number"].tolist() == [1, 2, 3]  # the text comes later


def test_rows_beyond_the_first_are_not_checked(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\n\n1,2\n3,4\n5,6\n7\nx\x00y,1\n")
    assert read_file(str(path), THREE).frame.to_numpy().tolist() == [[1, 2], [3, 4], [5, 6]]
    with pytest.raises(UnreadableTableError, match="line 7 holds NUL bytes"):
        read_file(str(path))


def test_a_given_delimiter_a_large_field_and_fewer_rows(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"a:b\n'{'x' * 200_000}':1\n", encoding="utf-8")
    frame = read_file(str(path), ReadOptions(delimiter=":", n_rows=10)).frame
    assert frame.shape == (1, 2)


@pytest.mark.parametrize("n", [10, 200_000])
def test_the_first_rows_of_a_file_of_any_size(tmp_path, n) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a;b\n" + "1;2\n" * n + "3\x00;4\n", encoding="utf-8")
    assert read_file(str(path), THREE).frame.to_numpy().tolist() == [[1, 2]] * 3


def test_gzip_and_json_lines(tmp_path) -> None:
    lines = "".join(f'{{"a": {k}}}\n\n' for k in range(5)) + "no JSON"
    with gzip.open(tmp_path / "a.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(lines)
    assert read_file(str(tmp_path / "a.jsonl.gz"), THREE).frame["a"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("index", [None, [10, 20, 30, 40, 50], list("vwxyz")])
def test_the_first_rows_of_parquet(tmp_path, index) -> None:
    pytest.importorskip("pyarrow")
    frame = FRAME.assign(part=pd.array([1, None, 3, 4, 5], dtype="Int64"))
    if index is not None:
        frame.index = pd.Index(index, name="key")
    path = str(tmp_path / "a.parquet")
    frame.to_parquet(path, row_group_size=2)
    for rows in (1, 2, 3, 4, 9):
        found = read_file(path, ReadOptions(n_rows=rows)).frame
        pd.testing.assert_frame_equal(found, read_file(path).frame.head(rows))
    assert isinstance(open_file(path, THREE, large=0).frame, pd.DataFrame)


def test_the_first_rows_of_a_corrupt_parquet_file(tmp_path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(UnreadableTableError, match="not a whole Parquet file"):
        read_file(str(tmp_path / "a.parquet"), THREE)


def test_the_first_rows_of_excel(tmp_path) -> None:
    pytest.importorskip("openpyxl")
    FRAME.assign(number=[1, 2, 3, "x", 5]).to_excel(tmp_path / "a.xlsx", index=False)
    frame = read_file(str(tmp_path / "a.xlsx"), THREE).frame
    assert frame["number"].tolist() == [1, 2, 3]
    assert frame["number"].dtype == "int64"


def test_the_command_line_counts_the_first_rows(tmp_path, capsys) -> None:
    assert main(["infer", written_csv(tmp_path / "a.csv"), "--nrows", "4", "--quiet"]) == 0
    assert main(["infer", written_csv(tmp_path / "a.csv"), "--nrows", "4"]) == 0
    assert "4 rows" in capsys.readouterr().out
    assert main(["infer", "--url", "sqlite://", "--table", "t", "--nrows", "4"]) == 2
    assert "--nrows is for files" in capsys.readouterr().err
