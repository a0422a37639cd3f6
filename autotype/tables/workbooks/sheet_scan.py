"""Scan the parts of a workbook before they are loaded, to find how far the cells of a sheet reach.

Two cells in opposite corners take a few bytes in a file, and gigabytes as an array of all cells
between them, which is what the reader makes. The same holds for a long string that a million cells
share, and for rows that OpenDocument repeats. A scan also finds what the reader does not return:
formulas without a stored value, and merged cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

Attributes = dict[str, str]
Range = tuple[int, int, int, int]  # first row and column, last row and column, counted from 1

_RANGE = re.compile(r"\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?")
_MAX_COLUMN, _MAX_ROW = 1 << 14, 1 << 20  # of the file formats; more are never loaded


@dataclass
class SheetScan:
    """What a scan of a sheet found, and its cells.

    Attributes
    ----------
    n_rows, n_columns : int
        Up to the last cell that holds a value.
    n_bytes : int
        Of the strings of all cells, where cells may share one.
    unstored : list of (row, column)
        Cells of formulas without a stored value.
    merged : list of Range
        Merged cells.
    rows : list of list
        From the first row and column of the sheet, all as long; None where a cell is empty or
        holds an error such as #DIV/0!. Floats that are integers are integers. Only once loaded.
    """

    n_rows: int = 0
    n_columns: int = 0
    n_bytes: int = 0
    unstored: list[tuple[int, int]] = field(default_factory=list)
    merged: list[Range] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)

    @property
    def holds_cells(self) -> bool:
        """Whether a cell of the loaded rows is filled."""
        return any(value is not None for row in self.rows for value in row)

    def reach(self, row: int, column: int) -> None:
        """Extend the size to a cell."""
        self.n_rows, self.n_columns = max(self.n_rows, row), max(self.n_columns, column)


def column_of_letters(letters: str) -> int:
    """Return the number of a column; `ValueError` if it is none.

    Examples
    --------
    >>> column_of_letters("A"), column_of_letters("XFD")
    (1, 16384)
    """
    if not (letters.isascii() and letters.isalpha()):
        raise ValueError(f"{letters!r} is no column")
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell.

    Examples
    --------
    >>> cell_name(5, 1), cell_name(1, 16384)
    ('A5', 'XFD1')
    """
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row}"


def _parser(
    start: Callable[[str, Attributes], None], *, text: Callable[[str], None] | None = None
) -> expat.XMLParserType:
    """Return a parser of XML that refuses a document type, by which entities could unfold."""

    def refuse(*_: object) -> None:
        raise ValueError("holds a document type")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = start
    parser.CharacterDataHandler = text
    return parser


def elements(content: bytes, name: str) -> list[Attributes]:
    """Return the attributes of the elements of a name, whatever their prefix.

    Examples
    --------
    >>> elements(b'<x:a xmlns:x="u"><x:b k="1"/></x:a>', "b")
    [{'k': '1'}]
    """
    found: list[Attributes] = []

    def start(tag: str, attributes: Attributes) -> None:
        if tag.rpartition(":")[2] == name:
            found.append(attributes)

    _parser(start).Parse(content, True)
    return found


def scan_xlsx(content: bytes, lengths: Sequence[int] = ()) -> tuple[SheetScan, int]:
    """Scan the XML of a sheet of Excel.

    Parameters
    ----------
    content : bytes
    lengths : sequence of int
        Characters of the shared strings, if those of all cells are to be counted.

    Returns
    -------
    scan : SheetScan
        Without the bytes of shared strings, unless their lengths are given.
    n_shared : int
        Cells that hold a shared string.
    """
    scan = SheetScan()
    row = column = n_shared = 0
    has_formula = is_string = is_shared = is_value = False
    number = ""  # of a shared string
    columns: dict[str, int] = {}

    def end_of_cell() -> None:
        nonlocal has_formula
        if has_formula and not is_string:
            scan.unstored.append((row, column))
        has_formula = False

    def value(characters: str) -> None:
        nonlocal has_formula, number
        has_formula = False
        number += characters

    def end_of_value() -> None:
        nonlocal is_value, number
        if is_shared and number.strip().isdecimal() and int(number) < len(lengths):
            scan.n_bytes += lengths[int(number)]
        is_value, number, parser.CharacterDataHandler = False, "", None

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal row, column, n_shared, has_formula, is_string, is_shared, is_value
        tag = tag.rpartition(":")[2] if ":" in tag else tag
        if is_value:
            end_of_value()
        if tag == "c":
            if has_formula:
                end_of_cell()
            name = attributes.get("r")
            if name is None:
                column += 1
            else:
                letters = name.rstrip("0123456789")
                if letters not in columns:
                    columns[letters] = column_of_letters(letters)
                column, row = columns[letters], int(name[len(letters) :])
            kind = attributes.get("t")
            is_shared = kind == "s"
            n_shared += is_shared
            is_string = kind == "str"  # whose stored value may be empty
        elif tag in ("v", "is"):
            if has_formula or (is_shared and lengths):
                is_value, parser.CharacterDataHandler = True, value
            scan.reach(row, column)
        elif tag == "f":
            has_formula = True
        elif tag == "row":
            if has_formula:
                end_of_cell()
            row, column = int(attributes.get("r") or row + 1), 0
        elif tag == "mergeCell":
            scan.merged += range_of(attributes.get("ref", ""))

    parser = _parser(start)
    parser.Parse(content, True)
    end_of_value()
    if has_formula:
        end_of_cell()
    return scan, n_shared


def range_of(text: str) -> list[Range]:
    """Return the range of cells of a text such as "A2:A5", in a list; none of another text."""
    found = _RANGE.fullmatch(text)
    if found is None:
        return []
    first, top, last, bottom = found.groups()
    column, row = column_of_letters(first), int(top)
    return [(row, column, int(bottom or row), column_of_letters(last) if last else column)]


def shared_lengths(content: bytes) -> list[int]:
    """Return the number of characters of each shared string of Excel."""
    lengths: list[int] = []

    def start(tag: str, attributes: Attributes) -> None:
        if tag.rpartition(":")[2] == "si":
            lengths.append(0)

    def text(characters: str) -> None:
        if lengths:
            lengths[-1] += len(characters)

    _parser(start, text=text).Parse(content, True)
    return lengths


def scan_ods(content: bytes) -> dict[str, SheetScan]:
    """Scan the tables of an OpenDocument spreadsheet, by their names."""
    scans: dict[str, SheetScan] = {}
    scan = SheetScan()
    row = column = n_rows = n_repeated = 0

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal scan, row, column, n_rows, n_repeated
        if tag == "table:table":
            scan = scans.setdefault(attributes.get("table:name", ""), SheetScan())
            row = n_rows = 0
        elif tag == "table:table-row":
            row, column, n_repeated = row + n_rows, 0, 0
            n_rows = max(int(attributes.get("table:number-rows-repeated", 1)), 1)
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            column += n_repeated
            n_repeated = max(int(attributes.get("table:number-columns-repeated", 1)), 1)
            if attributes.get("table:formula") and "office:value-type" not in attributes:
                scan.unstored.append((row + 1, column + 1))
            if "office:value-type" in attributes:
                value()
            height = int(attributes.get("table:number-rows-spanned", 1))
            width = int(attributes.get("table:number-columns-spanned", 1))
            if height > 1 or width > 1:
                scan.merged.append((row + 1, column + 1, row + height, column + width))

    def value() -> None:
        scan.reach(min(row + n_rows, _MAX_ROW), min(column + n_repeated, _MAX_COLUMN))

    def text(characters: str) -> None:
        length = len(characters.strip())  # without what indents the elements
        scan.n_bytes += length * n_rows * n_repeated
        if length and n_repeated:
            value()

    _parser(start, text=text).Parse(content, True)
    return scans
