"""Which sheet of a workbook is read, and what becomes of its cells."""

from __future__ import annotations

import datetime
import io

import openpyxl
import pandas as pd
import pytest

from autotype.errors import UnreadableTableError
from autotype.tables.content import Content
from autotype.tables.table import Limits, ReadOptions
from autotype.tables.workbooks.workbook_file import read_workbook

LIMITS = Limits("a.xlsx", 10**8)
ROWS = [["name", "n"], ["a", 1], ["b", 2], ["c", 3]]


def book_of(**sheets) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return book


def read(book: openpyxl.Workbook, **options):
    file = io.BytesIO()
    book.save(file)
    return read_content(file.getvalue(), **options)


def read_content(content: bytes, **options):
    stated = ReadOptions(**options)
    table = read_workbook(Content("excel", lambda: io.BytesIO(content)), LIMITS, stated)
    return table.frame, table.codebook, table.reading


class TestSheets:
    def test_a_cover_and_notes_are_passed_over(self) -> None:
        cover = [["Office of Statistics"], [], ["Fruit in 2024"], ["Contact: fruit@example.org"]]
        frame, _, reading = read(book_of(Cover=cover, Data=ROWS, More=ROWS))
        assert frame.to_numpy().tolist() == [["a", 1], ["b", 2], ["c", 3]]
        assert reading.format == "excel"
        assert reading.sheet == "Data"
        assert reading.sheets == ("Cover", "Data", "More")
        (doubt,) = reading.doubts
        assert doubt.startswith("reads 'Data', one of 3 sheets; --sheet selects another: 'Cover'")

    def test_a_list_of_the_sheets_is_passed_over(self) -> None:
        contents = [["Contents", None], ["T 1", "Apples by year"], ["T 2", "Pears by year"]]
        *_, reading = read(book_of(Index=contents, T1=ROWS, T2=ROWS))
        assert reading.sheet == "T1"

    def test_hidden_and_empty_sheets_are_passed_over(self) -> None:
        book = book_of(Hidden=ROWS, Empty=[], Data=ROWS)
        book["Hidden"].sheet_state = "hidden"
        assert read(book)[2].sheet == "Data"
        frame, _, reading = read(book, sheet="Hidden")
        assert (reading.sheet, reading.doubts, len(frame)) == ("Hidden", (), 3)

    def test_a_column_of_numbers_is_a_table(self) -> None:
        assert read(book_of(One=[["n"], [1], [2]], Two=ROWS))[2].sheet == "One"

    def test_notes_alone_are_read(self) -> None:
        assert read(book_of(Empty=[], Notes=[["one"], ["two"]]))[2].sheet == "Notes"

    def test_errors(self) -> None:
        with pytest.raises(UnreadableTableError, match="no sheet 'x' among 'Data'"):
            read(book_of(Data=ROWS), sheet="x")
        with pytest.raises(UnreadableTableError, match=r"a\.xlsx: sheet 'Data' is empty"):
            read(book_of(Data=[], Empty=[[None, None]]), sheet="Data")


class TestHeader:
    def test_a_given_header_and_footer(self) -> None:
        rows = [["x", "y"], ["a", "b"], [1, 2], [3, 4], [5, 6]]
        frame, _, reading = read(book_of(Data=rows), header=(2,), footer=1)
        assert list(frame) == ["a", "b"]
        assert frame.to_numpy().tolist() == [[1, 2], [3, 4]]
        assert (reading.header, reading.footer) == ((2,), (5,))

    def test_merged_groups_name_their_columns(self) -> None:
        rows = [["town", "men", None, "women", None], [None, "young", "old", "young", "old"]]
        rows += [[name, k, k + 0.5, k + 2, k + 3] for k, name in enumerate(["a", "b", "c"])]
        book = book_of(Data=rows)
        for area in ("A1:A2", "B1:C1", "D1:E1"):
            book["Data"].merge_cells(area)
        frame, _, reading = read(book)
        assert reading.header == (1, 2)
        assert frame.shape == (3, 5)
        assert frame.columns[0] == "town"
        for column, (group, name) in zip(
            frame.columns[1:],
            [("men", "young"), ("men", "old"), ("women", "young"), ("women", "old")],
            strict=True,
        ):
            assert group in column
            assert name in column

    def test_merged_cells_of_data_stay_as_they_are(self) -> None:
        book = book_of(Data=[["region", "n"], ["north", 1], [None, 2], ["south", 3]])
        book["Data"].merge_cells("A2:A3")
        with pytest.warns(UserWarning, match=r"are merged \(A2:A3\)"):
            frame, *_ = read(book)
        assert frame["region"].tolist()[0::2] == ["north", "south"]
        assert pd.isna(frame["region"][1])

    def test_merged_cells_of_no_data_are_no_finding(self) -> None:
        rows = [["Fruit", None], ["name", "n"], ["a", 1], ["b", 2], [], ["Source: office", None]]
        book = book_of(Data=rows)
        for area in ("A1:B1", "A6:B6", "A3:A3"):
            book["Data"].merge_cells(area)
        frame, _, reading = read(book)  # a warning would be an error
        assert frame.to_numpy().tolist() == [["a", 1], ["b", 2]]
        assert (reading.title, reading.footer) == ((1,), (6,))

    def test_empty_rows_among_others_are_named(self) -> None:
        rows = [["a", "b"], [1, 2], [], [3, 4], [None, None], [5, 6], []]
        frame, _, reading = read(book_of(Data=rows))
        assert frame["a"].tolist() == [1, 3, 5]
        assert reading.dropped == ("2 rows without a value left out",)

    def test_an_empty_row_below_the_header_is_named(self) -> None:
        frame, _, reading = read(book_of(Data=[["a", "b"], [None, None], ["x", 1], ["y", 2]]))
        assert (frame["a"].tolist(), len(reading.dropped)) == (["x", "y"], 1)


class TestCells:
    def test_numbers_stored_as_text_are_the_same_level(self) -> None:
        rows = [["n", "code"], *([k % 5, 10000 + k] for k in range(98)), ["3", "01067"], ["4", 5]]
        frame, _, reading = read(book_of(Data=rows))
        assert frame["n"].dtype == "int64"
        assert frame["n"].nunique() == 5
        assert frame["code"].tolist()[-2:] == ["01067", "5"]
        assert reading.dropped == (
            "column 'n': read as numbers: 2 cells stored as text",
            "column 'code': codes are text: 99 cells stored as a number among them",
        )

    def test_dates(self) -> None:
        day = datetime.datetime(2024, 2, 29)
        rows = [["day", "moment", "mixed"]]
        rows += [[day, day, day], [day, day.replace(hour=5), "unknown"], [None, day, day]]
        frame, *_ = read(book_of(Data=rows))
        assert frame["day"].dtype.kind == "M"
        assert frame["moment"].tolist()[1] == pd.Timestamp("2024-02-29 05:00")
        assert frame["mixed"].tolist()[1] == "unknown"

    def test_formulas_without_a_stored_value_are_named(self) -> None:
        rows = [["a", "b", "c"], *([k, f"=A{k}+1", f"x{k}"] for k in range(1, 9)), [9, 5, "=A1"]]
        frame, _, reading = read(book_of(Data=rows))
        assert frame["b"].isna().sum() == 8
        (doubt,) = reading.doubts
        assert doubt == (
            "9 formulas of sheet 'Data' without a stored value read as missing (B2, B3, B4, B5, B6 "
            "and 4 more); open the file in a spreadsheet program and save it"
        )
        frame, _, reading = read(book_of(Data=[["a", "b"], [1, "=A2"], [2, "=A3"]]))
        assert frame["b"].isna().all()  # the column stays, and is not empty in silence
        assert "(B2, B3)" in reading.doubts[0]

    def test_missing_strings_and_first_rows(self) -> None:
        rows = [["a", "b"], [1, "x"], ["?", "y"], [3, "?"], ["text", "z"]]
        frame, *_ = read(book_of(Data=rows), missing=("?",), n_rows=3)
        assert frame["a"].tolist() == [1, pd.NA, 3]
        assert frame["b"].isna().tolist() == [False, False, True]

    def test_a_long_sheet_has_a_footer_too(self) -> None:
        rows = [["a", "b"], *([k, f"t{k % 7}"] for k in range(11_000)), [], ["Source: the office"]]
        frame, _, reading = read(book_of(Data=rows))
        assert frame.shape == (11_000, 2)
        assert reading.footer == (11_003,)


def test_open_document(tmp_path) -> None:
    frame = pd.DataFrame({"name": ["a", "b", "c"], "n": [1, 2, 3], "x": [0.5, None, 2.5]})
    frame["day"] = pd.to_datetime(["2024-02-29", "2024-03-01", "2024-03-02"])
    frame.to_excel(tmp_path / "a.ods", engine="odf", index=False)
    content = (tmp_path / "a.ods").read_bytes()
    found, _, reading = read_content(content)
    pd.testing.assert_frame_equal(found, frame, check_dtype=False)
    assert reading.sheets == ("Sheet1",)
