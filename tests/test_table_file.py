from __future__ import annotations

import gzip
import io
import sys

import numpy as np
import pandas as pd
import pytest

from autotype.csv_file import UnreadableTableError, sniff_separator
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


class TestSeparator:
    @pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
    def test_each(self, separator, read) -> None:
        frame = read(f"a{separator}b\n1{separator}x\n2{separator}y\n")
        assert list(frame.columns) == ["a", "b"]
        assert frame["a"].tolist() == [1, 2]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('a;b\n"x, y, z";"1, 2"\n', ";"),
            ("a;b\n1,5;2,5\n", ";"),
            ('a,b\n"x;y",1\n"x;y;z",2\n', ","),
            ("a|b,c\n1|x\n2|y, z\n", "|"),
            ('"a\nb",c\n1,2\n', ","),
            ("a,b,c\n", ","),
            ("a,b\n1,2\n1,2,3\n", ","),
        ],
    )
    def test_the_one_that_agrees_with_the_header(self, text, expected) -> None:
        assert sniff_separator(text) == expected

    @pytest.mark.parametrize("text", ["", "a\n", "a\nx, y\nz\n", "how, really?\n1\n2\n3\n"])
    def test_none_in_a_single_column(self, text) -> None:
        assert sniff_separator(text) not in ",;\t|"

    def test_a_single_column_keeps_its_commas_and_gaps(self, read) -> None:
        frame = read("word\nhello, you\n\nok\n")
        assert frame["word"].tolist()[::2] == ["hello, you", "ok"]
        assert frame["word"].isna().tolist() == [False, True, False]

    def test_a_field_beyond_the_size_limit(self, read) -> None:
        long = "x" * 200_000
        assert read(f"a,b\n1,2\n3,{long}\n").shape == (2, 2)
        assert read(f"a,b\n1,{long}\n").shape == (1, 2)

    def test_tsv_is_not_sniffed(self, read) -> None:
        assert read("a,b\n1,2\n", "a.tsv").shape == (1, 1)

    def test_only_whole_lines_of_a_long_file_are_sniffed(self, read) -> None:
        frame = read("a,b\n" + "x;1,2\n" * 100_000)
        assert frame.shape == (100_000, 2)


class TestMissing:
    def test_words_stay_levels_among_texts(self, read) -> None:
        frame = read("garage,n\nNone,1\nNA,2\nN/A,3\nnull,4\n,5\n")
        assert frame["garage"].tolist()[:4] == ["None", "NA", "N/A", "null"]
        assert pd.isna(frame["garage"][4])

    def test_words_are_missing_among_numbers(self, read) -> None:
        frame = read("age,n\n34,1\nNA,2\n-1.5e1,3\n,4\n")
        np.testing.assert_array_equal(frame["age"], [34, np.nan, -15, np.nan])

    def test_decimal_commas_between_semicolons(self, read) -> None:
        frame = read("price;text\n1,50;1,x\n-2,25;2\n")
        assert frame["price"].tolist() == [1.5, -2.25]
        assert frame["text"].tolist() == ["1,x", "2"]

    def test_booleans_stay(self, read) -> None:
        assert read("a,b\nTrue,1\nFalse,2\n")["a"].dtype == bool


class TestEncoding:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    def test_each(self, encoding, read) -> None:
        frame = read("größe,n\ncafé,1\n".encode(encoding))
        assert frame.columns[0] == "größe"
        assert frame["größe"][0] == "café"

    def test_bytes_that_no_code_page_knows(self, read) -> None:
        assert read(b"a,b\n\x81,1\n")["a"][0] == "\x81"

    def test_a_late_byte_decides(self, read) -> None:
        frame = read(b"a,b\n" + b"x,1\n" * 200_000 + b"\xe9,2\n")
        assert frame["a"].iloc[-1] == "é"


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
