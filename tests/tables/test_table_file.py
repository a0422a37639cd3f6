from __future__ import annotations

import gzip
import io
import sys
import zipfile

import pandas as pd
import pytest

import autotype
from autotype.errors import MissingExtraError
from autotype.tables.table_file import ReadOptions, read_file
from autotype.tables.text.csv_file import UnreadableTableError


@pytest.fixture
def read(tmp_path):
    """Write bytes (or UTF-8 text) to a file of a given name and read them as a table."""

    def write_and_read(content: bytes | str, name: str = "a.csv") -> pd.DataFrame:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_file(str(path)).frame

    return write_and_read


class TestFormats:
    def test_gzip(self, read) -> None:
        assert read(gzip.compress(b"a,b\n1,2\n", mtime=0), "A.CSV.GZ").shape == (1, 2)

    def test_parquet(self, tmp_path) -> None:
        frame = pd.DataFrame({"a": pd.Categorical(["x", "y"], ["y", "x"], ordered=True)})
        frame.to_parquet(tmp_path / "a.parquet")
        pd.testing.assert_frame_equal(read_file(str(tmp_path / "a.parquet")).frame, frame)

    @pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1251"])
    def test_json_in_the_encoding_that_is_found(self, read, name, encoding) -> None:
        content = '{"город": "Санкт-Петербург"}\n{"город": "Екатеринбург"}\n'
        if name == "a.json":
            content = f"[{content.strip().replace(chr(10), ',')}]"
        frame = read(content.encode(encoding), name)
        assert frame["город"].to_list() == ["Санкт-Петербург", "Екатеринбург"]

    def test_json_that_is_not_in_the_encoding_given(self, tmp_path) -> None:
        (tmp_path / "a.jsonl").write_bytes(b'{"a": "\xe9"}')
        with pytest.raises(UnreadableTableError, match=r"decode byte 0xe9 .*; give its encoding"):
            read_file(str(tmp_path / "a.jsonl"), ReadOptions(encoding="utf-8"))

    @pytest.mark.parametrize("name", ["a.jsonl", "a.NDJSON"])
    def test_json_lines(self, read, name) -> None:
        frame = read('\ufeff{"a": "NA", "b": 1}\n\n{"b": null, "c": [1]}\n', name)
        assert list(frame.columns) == ["a", "b", "c"]
        assert frame["a"][0] == "NA"
        assert frame["b"].isna().tolist() == [False, True]
        assert frame["c"][1] == [1]

    def test_json_lines_compressed(self, read) -> None:
        assert read(gzip.compress(b'{"a": 1}\n', mtime=0), "a.jsonl.gz").shape == (1, 1)

    def test_excel(self, tmp_path) -> None:
        frame = pd.DataFrame({"garage": ["None", "yes", ""], "n": [1, "NA", 3], 7: ["a", "b", "c"]})
        frame.to_excel(tmp_path / "a.xlsx", index=False)
        found = read_file(str(tmp_path / "a.xlsx")).frame
        assert list(found.columns) == ["garage", "n", "7"]
        assert found["garage"].tolist()[:2] == ["None", "yes"]
        assert found["garage"].isna().tolist() == [False, False, True]
        missing = read_file(str(tmp_path / "a.xlsx"), ReadOptions(missing=("None",))).frame
        assert missing["garage"].isna().tolist() == [True, False, True]

    def test_sheets_of_excel(self, tmp_path) -> None:
        path = str(tmp_path / "a.xlsx")
        with pd.ExcelWriter(path) as book:
            pd.DataFrame({"a": [1]}).to_excel(book, sheet_name="one", index=False)
            pd.DataFrame({"b": [1]}).to_excel(book, sheet_name="two", index=False)
            pd.DataFrame().to_excel(book, sheet_name="none", index=False)
        table = read_file(path)
        assert list(table.frame) == ["a"]
        assert table.reading.sheet == "one"
        assert table.reading.sheets == ("one", "two", "none")
        (doubt,) = table.reading.doubts
        assert doubt == "reads 'one', one of 3 sheets; --sheet selects another: 'two', 'none'"
        assert list(read_file(path, ReadOptions(sheet="two")).frame) == ["b"]
        with pytest.raises(UnreadableTableError, match=r"holds no sheet '2' among 'one', 'two'"):
            read_file(path, ReadOptions(sheet="2"))
        with pytest.raises(UnreadableTableError, match=r"sheet 'none' is empty"):
            read_file(path, ReadOptions(sheet="none"))

    def test_merged_cells_of_excel(self, tmp_path) -> None:
        import openpyxl

        path = str(tmp_path / "a.xlsx")
        book = openpyxl.Workbook()
        for row in (["region", "sales", "staff"], ["north", 1, 2], [None, 3, 4], [None, 5, 6]):
            book.active.append(row)
        book.active.merge_cells("A2:A4")
        book.save(path)
        message = (
            r"a\.xlsx: cells of sheet 'Sheet' are merged \(A2:A4\): the first .*; unmerge them"
        )
        with pytest.warns(UserWarning, match=message):
            table = read_file(path)
        assert table.frame["region"].isna().tolist() == [False, True, True]
        assert [(one.kind, one.column) for one in table.findings] == [("merged cells", "region")]
        assert autotype.infer_types(table).warnings[0] == table.findings[0]
        assert read_file(path, ReadOptions(n_rows=0)).frame.shape == (0, 3)  # none is in this row
        for row in range(2, 9):
            book.active.cell(row, 2).value = row
            book.active.merge_cells(f"B{row}:C{row}")
        book.save(path)
        message = r"\(A2:A4, B2:C2, B3:C3, B4:C4, B5:C5 and 3 more\)"
        with pytest.warns(UserWarning, match=message):
            (finding,) = read_file(path).findings
        assert finding.column is None

    def test_texts_of_digits_in_excel(self, tmp_path) -> None:
        columns = {
            "code": ["01067", "10115", "2"],
            "id": ["12345678901234567", "1", "2"],
            "text": ["1", "NA", "3"],
            "n": [1, "NA", 3],
            "long": [1, None, 123456789012345],
        }
        pd.DataFrame(columns).to_excel(tmp_path / "a.xlsx", index=False)
        frame = read_file(str(tmp_path / "a.xlsx")).frame
        assert frame["code"].tolist() == ["01067", "10115", "2"]
        assert frame["id"].tolist()[0] == "12345678901234567"
        for name in ("text", "n", "long"):
            assert frame[name].dtype == "Int64"
            assert frame[name].isna().sum() == 1

    def test_errors_of_excel_are_missing(self, tmp_path) -> None:
        import openpyxl

        book = openpyxl.Workbook()
        for row in (["a", "b"], [1, "x"], ["#DIV/0!", "y"], [3, None]):
            book.active.append(row)
        book.save(tmp_path / "a.xlsx")
        frame = read_file(str(tmp_path / "a.xlsx")).frame
        assert frame["a"].tolist()[::2] == [1, 3]
        assert frame.isna().to_numpy().tolist() == [[False, False], [True, False], [False, True]]

    def test_a_row_beyond_those_of_excel(self, tmp_path) -> None:
        pd.DataFrame({"a": [1]}).to_excel(tmp_path / "a.xlsx", index=False)
        with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        sheet = members["xl/worksheets/sheet1.xml"].replace(b'r="A2"', b'r="A2000000000"')
        members["xl/worksheets/sheet1.xml"] = sheet
        with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
            for name, member in members.items():
                archive.writestr(name, member)
        with pytest.raises(UnreadableTableError, match="holds a row beyond 1,048,576"):
            read_file(str(tmp_path / "a.xlsx"))

    def test_an_index_in_parquet_is_columns_again(self, tmp_path) -> None:
        def columns(index) -> list[str]:
            pd.DataFrame({"a": [1, 2]}, index=index).to_parquet(tmp_path / "a.parquet")
            return list(read_file(str(tmp_path / "a.parquet")).frame.columns)

        assert columns(pd.Index(["x", "y"], name="key")) == ["key", "a"]
        assert columns(pd.MultiIndex.from_tuples([(1, "x"), (2, "y")], names=["i", "j"])) == [
            "i",
            "j",
            "a",
        ]
        assert columns(pd.Index(["x", "y"])) == ["index", "a"]
        assert columns(pd.Index([7, 3])) == ["a"]

    def test_long_integers_in_parquet(self, tmp_path) -> None:
        import pyarrow
        from pyarrow import parquet

        cells = {"i": [2**53 + 1, None], "u": pyarrow.array([2**64 - 1, None], "uint64")}
        parquet.write_table(pyarrow.table(cells), tmp_path / "a.parquet")
        frame = read_file(str(tmp_path / "a.parquet")).frame
        assert [frame["i"][0], frame["u"][0]] == [2**53 + 1, 2**64 - 1]
        assert frame.iloc[1].isna().all()

    def test_long_integers_in_json(self, read) -> None:
        frame = read('{"i": 9007199254740993, "b": 1e0}\n{"b": 9007199254740993}\n', "a.jsonl")
        assert frame["i"].tolist()[0] == frame["b"].tolist()[1] == 9007199254740993
        huge = "123456789012345678901234567890"
        assert read(f'{{"i": {huge}}}\n{{}}\n', "a.jsonl")["i"].tolist()[0] == int(huge)

    def test_what_is_known_of_a_csv_file(self, tmp_path) -> None:
        (tmp_path / "a.csv").write_bytes("ä:b\nx:1\n".encode("cp1252"))
        known = ReadOptions(delimiter=":", encoding="cp1252", missing=("x",), texts=frozenset("b"))
        frame = read_file(str(tmp_path / "a.csv"), known).frame
        assert frame["ä"].isna().all()
        assert frame["b"].tolist() == ["1"]


class TestStandardInput:
    @pytest.fixture
    def read(self, monkeypatch):
        def read_content(content: bytes) -> pd.DataFrame:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
            return read_file("-").frame

        return read_content

    def test_csv_plain_and_compressed(self, read) -> None:
        assert read(b"a;b\n1;2\n").shape == (1, 2)
        assert read(gzip.compress(b"a;b\n1;2\n", mtime=0)).shape == (1, 2)

    def test_other_formats_by_their_first_bytes(self, read, tmp_path) -> None:
        frame = pd.DataFrame({"a": [1], "b": [2]})
        frame.to_parquet(tmp_path / "a.parquet")
        frame.to_excel(tmp_path / "a.xlsx", index=False)
        assert read((tmp_path / "a.parquet").read_bytes()).shape == (1, 2)
        assert read((tmp_path / "a.xlsx").read_bytes()).shape == (1, 2)
        assert read(b' {"a": 1, "b": 2}\n').shape == (1, 2)

    @pytest.mark.parametrize(
        ("content", "message"),
        [(b"", "is empty"), (b"PAR1", "Parquet"), (b"\x1f\x8b\x08", "not a whole gzip file")],
    )
    def test_broken(self, read, content, message) -> None:
        with pytest.raises(UnreadableTableError, match=f"^standard input: .*{message}"):
            read(content)

    def test_closed(self, monkeypatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        with pytest.raises(UnreadableTableError, match="standard input is closed"):
            read_file("-")


class TestNames:
    @pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
    def test_repeated_names_are_distinguished(self, read, tmp_path, name) -> None:
        table = pd.DataFrame([[1, 2, 3]], columns=["a", "a", "a.1"])
        table.to_csv(tmp_path / "a.csv", index=False)
        table.to_excel(tmp_path / "a.xlsx", index=False)
        table = read_file(str(tmp_path / name))
        assert list(table.frame.columns) == ["a", "a.2", "a.1"]
        assert table.reading.doubts == ("the header repeats names; the later ones are numbered",)

    @pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
    def test_empty_names_are_made_up(self, tmp_path, name) -> None:
        table = pd.DataFrame([[1, 2]], columns=["", "a"])
        table.to_csv(tmp_path / "a.csv", index=False)
        table.to_excel(tmp_path / "a.xlsx", index=False)
        assert list(read_file(str(tmp_path / name)).frame.columns) == ["Unnamed: 0", "a"]

    def test_header_alone(self, read) -> None:
        assert read("a,b\n").shape == (0, 2)


class TestErrors:
    @pytest.mark.parametrize(
        ("content", "name", "message"),
        [
            ("", "a.csv", "is empty"),
            ("\n\n", "a.csv", "is empty"),
            ("a,b\n1,2\n1,2,3\n", "a.csv", "line 3 holds 3 fields, the header 2; correct it, or"),
            (
                "a,b\n1,2,3\n1,2,3\n",
                "a.csv",
                r"line 2 holds 3 fields, the header 2 \(2 rows are of other lengths: lines 2, 3\)",
            ),
            ("a,b\n1,2\n1\n1,2\n", "a.csv", "line 3 holds 1 field, the header 2; correct it, or"),
            (
                "a,b,c\n1,2,3\n7",
                "a.csv",
                "line 3 holds 1 field, the header 3; it is the last one: is",
            ),
            (
                'a,b\n"x,1\n2,3\n',
                "a.csv",
                "a quote of the row in line 2 is not closed; is the file cut off",
            ),
            (b"PAR1\0\0", "a.csv", "not a whole Parquet file"),
            (b"a,b\0\n1,2\n", "a.csv", "not a text file"),
            (gzip.compress(b"a,b\n1,2\n" * 999, mtime=0)[:30], "a.csv.gz", "not a whole gzip file"),
            (b"", "a.csv.gz", "is empty"),
            (b"PAR1", "a.parquet", "not a whole Parquet file"),
            (b"", "a.parquet", "not a whole Parquet file"),
            ("", "a.jsonl", "is empty, it holds no JSON object"),
            ('{"a": 1}\n[1]\n', "a.jsonl", "line 2 holds a JSON list, not an object"),
            ('{"a": 1', "a.jsonl", r"line 1 is not a JSON object \(Expecting ',' .* column 8\)"),
            ('{"a": 1, "a": 2}\n', "a.jsonl", "line 1 cannot be read .the key 'a' is repeated"),
            ('{"a": "\\ud83d"}\n', "a.jsonl", "line 1 holds half of a surrogate pair, which"),
            ('{"a": 1}\n{"a": 2, "b', "a.jsonl", "line 2 is not a JSON object"),
            ("[" * 100_000, "a.jsonl", "line 1 cannot be read"),
            (b"", "a.xlsx", "not a whole Excel file"),
            (b"PK\3\4", "a.xlsx", "not a whole Excel file"),
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

    @pytest.mark.parametrize("name", ["a.doc", "a.xls", "a.csv.gz", "a"])
    def test_the_name_does_not_decide(self, read, name) -> None:
        assert read("a,b\n1,2\n", name).to_numpy().tolist() == [[1, 2]]

    def test_missing_file(self, tmp_path) -> None:
        with pytest.raises(FileNotFoundError):
            read_file(str(tmp_path / "none.csv"))

    def test_folder(self, tmp_path) -> None:
        (tmp_path / "a.csv").mkdir()
        with pytest.raises(IsADirectoryError, match="is a folder"):
            read_file(str(tmp_path / "a.csv"))

    def test_pyarrow_is_missing(self, read, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtraError, match=r'pip install "autotype-ordinal\[parquet\]"'):
            read(b"PAR1", "a.parquet")

    def test_calamine_is_missing(self, read, tmp_path, monkeypatch) -> None:
        pd.DataFrame({"a": [1]}).to_excel(tmp_path / "a.xlsx", index=False)
        monkeypatch.setitem(sys.modules, "python_calamine", None)
        with pytest.raises(MissingExtraError, match=r'pip install "autotype-ordinal\[excel\]"'):
            read_file(str(tmp_path / "a.xlsx"))
