"""Read a table from a sheet of an Excel file."""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Callable, Sequence
from typing import IO, Any

import pandas as pd

from autotype.errors import AutotypeError, MissingExtraError, UnreadableTableError
from autotype.lexicon.numbers import MISSING_NUMBERS
from autotype.tables.columns import column_of_objects, column_of_strings, names_of
from autotype.tables.limits import Limits
from autotype.types.data_warning import DataWarning, FileWarning
from autotype.wording import first_line, join_first

_BLOCK = 1 << 20  # bytes
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\b[^<>]*?\bref=[\"']([A-Z]+\d+:[A-Z]+\d+)[\"']")
_ROW = re.compile(r"\d+")
_LONG = re.compile(r"\s*[-+]?\d{16,}\s*")  # more digits than Excel's numbers: a string keeps them
_MAX_NAMED = 5
_MAX_ROWS = 1 << 20  # of Excel; a file may state any number of a row


def read_excel(
    opened: Callable[[], IO[bytes]],
    limits: Limits,
    *,
    sheet: str | None = None,
    missing: Sequence[str] = (),
    n_rows: int | None = None,
) -> pd.DataFrame:
    """Read a sheet of an Excel file as a frame.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    limits : Limits
        Name in error messages, and the sizes that the file and the table may have.
    sheet : str, optional
        By default the first.
    missing : sequence of str
        Strings that mean a missing value, besides the empty cell and Excel's errors.
    n_rows : int, optional
        Rows below the header to read, >= 1; all by default.

    Returns
    -------
    pandas.DataFrame
        Columns are numbers if all cells are. Columns of strings only are read as those of CSV,
        except that strings of more digits than Excel's numbers have stay strings. Strings such as
        "NA" are missing beside numbers, and strings elsewhere.

    Raises
    ------
    UnreadableTableError
        If the content is cut off or corrupt, holds no such sheet or no cells in it, or is beyond
        the limits.
    MissingExtraError
        If openpyxl is not installed.

    Warns
    -----
    UserWarning
        If there are further sheets, if cells are merged, or if columns have no name or the same
        one.
    """
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError(
            f"{limits.path}: reading Excel needs openpyxl", extra="excel"
        ) from None
    try:
        with opened() as file:
            _check_unpacked_size(file, limits)
            file.seek(0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # styles and extensions, which are not read
                book = openpyxl.load_workbook(file, read_only=True, data_only=True)
                name = _sheet(book.sheetnames, limits.path, sheet)
                rows = _rows(book[name], limits, None if n_rows is None else n_rows + 1)
                merged = _merged_ranges(book[name], n_rows)
            book.close()
    except AutotypeError:
        raise
    except Exception as problem:  # what openpyxl raises on corrupt content is not documented
        raise UnreadableTableError(
            f"{limits.path}: not a whole Excel file ({first_line(problem)})"
        ) from problem
    if sheet is None and len(book.sheetnames) > 1:
        warnings.warn(
            f"{limits.path}: reads {name!r}, the first of {len(book.sheetnames)} sheets; "
            "--sheet selects another",
            UserWarning,
            stacklevel=4,
        )
    if not rows:
        raise UnreadableTableError(f"{limits.path}: sheet {name!r} is empty")
    frame = _frame(rows, limits.path, frozenset(["", *missing]))
    if merged:
        warnings.warn(FileWarning(limits.path, _merged(merged, frame, name)), stacklevel=4)
    return frame


def _check_unpacked_size(file: IO[bytes], limits: Limits) -> None:
    """Check the sizes in the archive's directory, which unpacking does not exceed."""
    with zipfile.ZipFile(file) as archive:
        limits.check_bytes(sum(member.file_size for member in archive.infolist()))


def _sheet(names: Sequence[str], path: str, requested: str | None) -> str:
    if requested is None:
        return names[0]
    if requested not in names:
        known = ", ".join(map(repr, names[:5]))
        raise UnreadableTableError(f"{path}: holds no sheet {requested!r} among {known}")
    return requested


def _rows(sheet: Any, limits: Limits, n_rows: int | None) -> list[list[Any]]:
    """Return the cells from the first row to the last row and column that hold a value.

    With `n_rows`, so many rows at most.
    """
    sheet.reset_dimensions()  # what the file states may be wrong
    rows: list[list[Any]] = []
    n_filled = n_columns = 0
    for number, cells in enumerate(sheet.rows, start=1):
        if number > _MAX_ROWS:
            raise UnreadableTableError(f"{limits.path}: holds a row beyond {_MAX_ROWS:,}")
        row = [_value(cell) for cell in cells]
        while row and row[-1] is None:
            row.pop()
        if row or rows:
            rows.append(row)
        if row:
            n_filled, n_columns = len(rows), max(n_columns, len(row))
            limits.check_cells(n_filled, n_columns)
        if len(rows) == n_rows:
            break
    return [row + [None] * (n_columns - len(row)) for row in rows[:n_filled]]


def _merged_ranges(sheet: Any, n_rows: int | None) -> list[str]:
    """Return the ranges of merged cells, such as "A2:A5", that begin in the first rows.

    They follow the cells in the file.
    """
    ranges: list[str] = []
    rest = b""
    with sheet._get_source() as source:  # openpyxl does not list them for sheets read row by row
        while block := source.read(_BLOCK):
            rest += block
            ranges += [found.decode() for found in _MERGED.findall(rest)]
            rest = rest[rest.rfind(b"<") :]
    if n_rows is not None:
        ranges = [text for text in ranges if int(_ROW.findall(text)[0]) <= n_rows + 1]
    return ranges


def _merged(ranges: Sequence[str], frame: pd.DataFrame, sheet: str) -> DataWarning:
    """Return the finding about merged cells."""
    from openpyxl.utils import range_boundaries

    ranges = sorted(ranges, key=lambda text: range_boundaries(text)[1::-1])  # by row, then column
    bounds = [range_boundaries(text) for text in ranges]
    columns = {bound[0] for bound in bounds} | {bound[2] for bound in bounds}
    (first, *others) = columns
    inside = not others and first is not None and first <= frame.shape[1]
    listed = join_first(ranges, _MAX_NAMED)
    return DataWarning(
        "merged cells",
        f"cells of sheet {sheet!r} are merged ({listed}): the first one of each range holds its "
        "value, and the others are read as missing",
        "unmerge them, and write the value into each cell",
        frame.columns[first - 1] if inside else None,
    )


def _value(cell: Any) -> Any:
    """Return a cell's value; None for an error such as #DIV/0!."""
    if cell.data_type == "e":
        return None
    value = cell.value
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if is_whole else value


def _frame(rows: list[list[Any]], path: str, missing: frozenset[str]) -> pd.DataFrame:
    header = ["" if name is None else str(name) for name in rows[0]]
    columns = [
        _column([None if value in missing else value for value in cells[1:]])
        for cells in zip(*rows, strict=True)
    ]
    names = names_of(header, [True] * len(header), path)
    frame = pd.DataFrame(dict(enumerate(columns)), index=pd.RangeIndex(len(rows) - 1))
    frame.columns = pd.Index(list(names.values()))
    return frame


def _column(values: list[Any]) -> pd.Series:
    """Make a column of cells, where numbers may be stored as strings."""
    present = [value for value in values if value is not None]
    strings = [value for value in present if isinstance(value, str)]
    if not strings:
        return column_of_objects(values)
    if len(strings) == len(present):
        column = pd.Series(values)
        is_long = any(map(_LONG.fullmatch, strings))
        return column if is_long else column_of_strings(column)[0]
    numbers = [v for v in present if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) + len(strings) == len(present) and MISSING_NUMBERS.issuperset(strings):
        return column_of_objects([None if isinstance(value, str) else value for value in values])
    return column_of_objects(values)
