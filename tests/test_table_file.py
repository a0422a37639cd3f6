from __future__ import annotations

import gzip
import io
import sys

import pandas as pd
import pytest

from autotype.csv_file import UnreadableTableError
from autotype.exceptions import MissingExtraError
from autotype.table_file import UnknownFormatError, read_table


@pytest.fixture
def read(tmp_path):
    """Write bytes (or UTF-8 text) to a file of a given name and read them as a table."""

    def write_and_read(content: bytes | str, name: str = "a.csv") -> pd.DataFrame:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_table(str(path))

    return write_and_read


class TestFormats:
    def test_gzip(self, read) -> None:
        assert read(gzip.compress(b"a,b\n1,2\n"), "A.CSV.GZ").shape == (1, 2)

    def test_parquet(self, tmp_path) -> None:
        frame = pd.DataFrame({"a": pd.Categorical(["x", "y"], ["y", "x"], ordered=True)})
        frame.to_parquet(tmp_path / "a.parquet")
        pd.testing.assert_frame_equal(read_table(str(tmp_path / "a.parquet")), frame)

    def test_standard_input(self, monkeypatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a;b\n1;2\n")))
        assert read_table("-").shape == (1, 2)

    def test_repeated_names_are_told_apart(self, read) -> None:
        assert list(read("a,a\n1,2\n").columns) == ["a", "a.1"]

    def test_header_alone(self, read) -> None:
        assert read("a,b\n").shape == (0, 2)


class TestErrors:
    @pytest.mark.parametrize(
        ("content", "name", "message"),
        [
            ("", "a.csv", "is empty"),
            ("\n\n", "a.csv", "is empty"),
            ("a,b\n1,2\n1,2,3\n", "a.csv", "Expected 2 fields in line 3, saw 3$"),
            ("a,b\n1,2,3\n1,2,3\n", "a.csv", "rows hold 3 fields, the header names 2$"),
            ('a,b\n"x,1\n2,3\n', "a.csv", "EOF inside string"),
            (b"PAR1\0\0", "a.csv", "not a text file"),
            (b"a,b\n1,2\n", "a.csv.gz", "not a whole gzip file"),
            (gzip.compress(b"a,b\n1,2\n" * 999)[:30], "a.csv.gz", "not a whole gzip file"),
            (b"", "a.csv.gz", "is empty"),
            (b"PAR1", "a.parquet", "not a whole Parquet file"),
            (b"", "a.parquet", "not a whole Parquet file"),
        ],
    )
    def test_content(self, read, content, name, message) -> None:
        with pytest.raises(UnreadableTableError, match=message):
            read(content, name)

    @pytest.mark.parametrize("share", [0.3, 0.9])
    def test_truncated_parquet(self, tmp_path, read, share) -> None:
        pd.DataFrame({"a": range(1000)}).to_parquet(tmp_path / "whole.parquet")
        content = (tmp_path / "whole.parquet").read_bytes()
        with pytest.raises(UnreadableTableError, match=r"a\.parquet: not a whole Parquet file"):
            read(content[: int(len(content) * share)], "a.parquet")

    def test_unknown_format(self, read) -> None:
        with pytest.raises(UnknownFormatError, match=r"a\.xlsx: the name must end in one of \.csv"):
            read("", "a.xlsx")

    def test_missing_file(self, tmp_path) -> None:
        with pytest.raises(FileNotFoundError):
            read_table(str(tmp_path / "none.csv"))

    def test_folder(self, tmp_path) -> None:
        (tmp_path / "a.csv").mkdir()
        with pytest.raises(IsADirectoryError, match="is a folder"):
            read_table(str(tmp_path / "a.csv"))

    def test_pyarrow_is_missing(self, read, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtraError, match=r'pip install "autotype\[parquet\]"'):
            read(b"PAR1", "a.parquet")
