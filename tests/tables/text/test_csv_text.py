"""Where the table is in a text, small or large, and what may be stated of it."""

from __future__ import annotations

import narwhals as nw
import pandas as pd
import pytest

import autotype
from autotype.errors import UnreadableTableError
from autotype.tables import table_file
from autotype.tables.table_file import ReadOptions, open_file, read_file

COLOURS = ("red", "green", "blue")
ROWS = "".join(f"{k},{k / 4},{COLOURS[k % 3]}\n" for k in range(1, 40))
ROWS_OF_ONE = "".join(f"{k}\n" for k in range(1, 40))
TEXTS = {
    "regular": f"n,x,colour\n{ROWS}",
    "titles": f"Paint by number\n\nn,x,colour\n{ROWS}",
    "footer": f"n,x,colour\n{ROWS}\nSource: the painters\n",
    "repeated header": f"n,x,colour\n{ROWS}".replace("20,", "n,x,colour\n20,"),
    "rows without a value": f"n,x,colour\n{ROWS},,\n,,\n",
    "blank lines": f"n,x,colour\n\n{ROWS}\n\n",
    "trailing separators": f"n,x,colour\n{ROWS}".replace("\n", ",\n").replace("colour,", "colour"),
    "comments": f"# paint\n# by number\nn,x,colour\n{ROWS}",
    "semicolons": f"n;x;colour\n{ROWS}".replace(",", ";").replace(".", ","),
    "bars": f"n,x,colour\n{ROWS}".replace(",", " | "),
}
READERS = ("pandas", "duckdb", "polars")


def read(path, reader: str, monkeypatch) -> pd.DataFrame:
    monkeypatch.setattr(table_file, "installed_engines", lambda: [reader])
    table = open_file(str(path), large=1e9 if reader == "pandas" else 0)
    assert isinstance(table.frame, pd.DataFrame) == (reader == "pandas")
    frame = nw.from_native(table.frame).lazy().collect("pandas").to_native()
    assert isinstance(frame, pd.DataFrame)
    return frame


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", TEXTS)
def test_each_reader_finds_the_same_table(tmp_path, monkeypatch, name, encoding, reader) -> None:
    (tmp_path / "a.csv").write_bytes(TEXTS[name].encode(encoding))
    frame = read(tmp_path / "a.csv", reader, monkeypatch)
    assert list(frame.columns) == ["n", "x", "colour"]
    assert frame["n"].tolist() == list(range(1, 40))
    assert frame["x"].tolist() == [k / 4 for k in range(1, 40)]
    assert frame["colour"].tolist()[:3] == ["green", "blue", "red"]


def test_a_long_file_with_titles_and_a_footer(tmp_path) -> None:
    rows = "".join(f"{k},{k / 4},some words in a row\n" for k in range(30_000))
    text = f"Paint\nby number\n\nn,x,words\n{rows}\nSource: the painters\n"
    (tmp_path / "a.csv").write_text(text)
    table = read_file(str(tmp_path / "a.csv"))
    assert (table.frame.shape, table.frame["n"].dtype) == ((30_000, 3), "int64")
    reading = table.reading
    assert (reading.title, reading.header, reading.footer) == ((1, 2), (4,), (30_006,))


@pytest.mark.parametrize("text", [f"n,x,colour\n,,\n{ROWS}", f'n\n""\n{ROWS_OF_ONE}'])
def test_a_row_without_a_value_below_the_header_is_said(tmp_path, text) -> None:
    (tmp_path / "a.csv").write_text(text)
    table = read_file(str(tmp_path / "a.csv"))
    assert table.frame["n"].tolist() == list(range(1, 40))
    assert table.reading.dropped == ("lines without a value below the header: 2",)


@pytest.mark.parametrize("text", ["n,x\n,\n,\n", 'n\n""\n""\n'])
def test_rows_without_a_value_are_said_where_there_are_no_others(tmp_path, text) -> None:
    (tmp_path / "a.csv").write_text(text)
    table = read_file(str(tmp_path / "a.csv"))
    assert table.frame.empty
    assert table.reading.dropped == ("lines without a value below the header: 2, 3",)


class TestStated:
    @pytest.mark.parametrize(
        ("text", "options", "columns", "first"),
        [
            ("t\na,b\n1,2\n3,4\n", {"header": 2}, ["a", "b"], [1, 2]),
            ("1,2\n3,4\n", {"header": 0}, ["Unnamed: 0", "Unnamed: 1"], [1, 2]),
            ("a;b\n1,5;2\n", {"decimal": "."}, ["a", "b"], ["1,5", 2]),
            ("a\tb\n1,5\t2\n", {"decimal": ","}, ["a", "b"], [1.5, 2]),
            ("a,b\n1,2\n3,4\nx,y\n", {"footer": 1}, ["a", "b"], [1, 2]),
            ("a  b\n1  2\n", {"delimiter": "blanks"}, ["a", "b"], [1, 2]),
            ("a,b\nx,y\n", {"delimiter": "none"}, ["a,b"], ["x,y"]),
            ("a,b\n1,x\n3,4\n", {"missing": ["x"], "nrows": 1}, ["a", "b"], [1, None]),
        ],
    )
    def test_it_is_believed(self, tmp_path, text, options, columns, first) -> None:
        (tmp_path / "a.csv").write_text(text)
        frame = autotype.read_table(tmp_path / "a.csv", **options).frame
        assert list(frame.columns) == columns
        found = [None if pd.isna(cell) else cell for cell in frame.iloc[0]]
        assert found == first

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"delimiter": "::"}, "delimiter: expected one character, or 'tab', .* got '::'"),
            ({"delimiter": ""}, "delimiter: expected one character, or 'tab', .* got ''"),
            ({"decimal": ";"}, "decimal: expected '.' or ',', got ';'"),
            ({"header": -1}, "header: expected 0, or lines from 1 up"),
            ({"header": [3, 2]}, "header: expected 0, or lines from 1 up"),
            ({"footer": -1}, "footer: expected a number of lines, got -1"),
            ({"ragged": "cut"}, "ragged: expected one of error, pad, drop, got 'cut'"),
            ({"nrows": 0}, "nrows: expected a number of rows from 1 up, got 0"),
        ],
    )
    def test_out_of_range(self, tmp_path, options, message) -> None:
        (tmp_path / "a.csv").write_text("a,b\n1,2\n")
        with pytest.raises(ValueError, match=message):
            autotype.read_table(tmp_path / "a.csv", **options)

    def test_a_header_that_is_not_there(self, tmp_path) -> None:
        (tmp_path / "a.csv").write_text("a,b\n1,2\n")
        with pytest.raises(UnreadableTableError, match="line 9, stated as the header, holds"):
            autotype.read_table(tmp_path / "a.csv", header=9)

    def test_a_guess_in_doubt_is_a_warning(self, tmp_path) -> None:
        (tmp_path / "a.csv").write_text("a,a\n1,2\n")
        with pytest.warns(UserWarning, match="a.csv: the header repeats names"):
            assert list(autotype.read_table(tmp_path / "a.csv").frame) == ["a", "a.1"]

    def test_single_quotes_that_are_left_out_are_named(self, tmp_path) -> None:
        (tmp_path / "a.csv").write_text("a,b\n" + "'x, y','2'\n" * 4)
        table = autotype.read_table(tmp_path / "a.csv")
        assert table.frame["a"].tolist() == ["x, y"] * 4
        assert table.reading.dropped == ("single quotes around values left out",)


class TestLengths:
    LONG = "a,b,c\n1,2,3\n1,2,3,4\n1,2,3\n"

    def test_long_rows(self, tmp_path) -> None:
        (tmp_path / "a.csv").write_text(self.LONG)
        with pytest.raises(UnreadableTableError, match=r"line 3 holds 4 .*\(--ragged\) reads"):
            read_file(str(tmp_path / "a.csv"))
        padded = read_file(str(tmp_path / "a.csv"), ReadOptions(ragged="pad"))
        assert padded.frame.to_numpy().tolist() == [[1, 2, 3]] * 3
        assert padded.reading.dropped == (
            "1 row of other lengths than the header filled or cut (line 3)",
        )
        assert len(read_file(str(tmp_path / "a.csv"), ReadOptions(ragged="drop")).frame) == 2

    def test_a_habit_of_leaving_out_the_last_fields(self, tmp_path) -> None:
        rows = "".join(f"{k},{k}\n" if k % 3 else f"{k},{k},note\n" for k in range(1, 40))
        (tmp_path / "a.csv").write_text(f"n,m,note\n{rows}")
        table = read_file(str(tmp_path / "a.csv"))
        assert table.frame["note"].notna().sum() == 13
        assert table.reading.dropped[0].startswith("26 rows of other lengths than the header fil")

    def test_a_short_row_among_rows_with_empty_last_fields_is_in_doubt(self, tmp_path) -> None:
        rows = "".join(f"{k},{k},\n" for k in range(1, 40))
        (tmp_path / "a.csv").write_text(f"n,m,note\n{rows}7,8\n9,10\n{rows}")
        with pytest.raises(UnreadableTableError, match="line 41 holds 2 fields, the header 3"):
            read_file(str(tmp_path / "a.csv"))

    def test_labels_of_groups_are_rows(self, tmp_path) -> None:
        (tmp_path / "a.csv").write_text("town,n,m\nNorth\nA,1,2\nB,3,4\nSouth\nC,5,6\nD,7,8\n")
        table = read_file(str(tmp_path / "a.csv"))
        assert table.frame["town"].tolist() == ["North", "A", "B", "South", "C", "D"]
        assert "2 rows of a single field filled (lines 2, 5)" in table.reading.dropped


def test_long_columns_are_typed_as_short_ones(tmp_path) -> None:
    """pyarrow parses and counts from 10,000 rows on."""
    cells = {
        "whole": ["1", "2"],
        "gap": ["1", ""],
        "half": ["1.5", "2."],
        "code": ["007", "8"],
        "flag": ["True", "false"],
        "text": ["a, b", 'say "c"'],
        "NA": ["1", "NA"],
        "version": ["1.9", "1.10"],
        "comma": ["1,5", "2"],
        "late": ["1", "2"],
    }
    short = pd.DataFrame({name: values * 20 for name, values in cells.items()})
    long = pd.concat([short] * 300, ignore_index=True)
    long.loc[len(long) - 1, "late"] = "0x1"
    for frame, name in ((short, "short.csv"), (long, "long.csv")):
        frame.to_csv(tmp_path / name, index=False, sep="\t")
    few, many = (read_file(str(tmp_path / name)).frame for name in ("short.csv", "long.csv"))
    late = many.pop("late")
    assert late.tolist()[-1] == "0x1"
    few = few.drop(columns="late")
    assert few.dtypes.to_dict() == many.dtypes.to_dict()
    pd.testing.assert_frame_equal(many.head(len(few)), few)


@pytest.mark.parametrize(
    ("content", "delimiter", "message"),
    [
        ("50%s of a\n1;2\n3;4\n", "|", r"'\|' it is a single column, '50%s of a'; its fields"),
        ("x^%d\n1^2\n3^4\n", None, r"seems to be a single column, 'x\^%d', but 2 of its first 2"),
    ],
)
def test_percent_signs_in_a_message(tmp_path, content, delimiter, message) -> None:
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(UnreadableTableError, match=message):
        read_file(str(tmp_path / "t.csv"), ReadOptions(delimiter=delimiter))
