"""Read a table from a sheet of a workbook: .xlsx, .xlsm, .xls or .ods.

Columns are made of the typed cells of a sheet, where numbers may be stored as strings.
"""

from __future__ import annotations

import datetime
import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.lexicon.numbers import MISSING_NUMBERS
from autotype.tables.cells import FORMS, float_of, int_of
from autotype.tables.columns import (
    column_of_objects,
    column_of_strings,
    distinct_names,
    frame_of_columns,
)
from autotype.tables.content import Content
from autotype.tables.layout.grid import Row
from autotype.tables.layout.layout import Layout, find_layout
from autotype.tables.table import Limits, ReadOptions, Table
from autotype.tables.workbooks.sheet_scan import Range, SheetScan, cell_name
from autotype.tables.workbooks.workbook import Workbook, open_workbook
from autotype.types.data_warning import DataWarning
from autotype.types.reading import Reading
from autotype.wording import format_count, format_some, join_first

_MAX_NAMED = 5
_HEAD_ROWS = 10_000  # in which the layout is found, and in the last ones
_TAIL_ROWS = 200

Rows = list[list[Any]]
Noted = tuple[pd.Series, str]  # a column, and what of its cells was changed

_LONG = re.compile(r"\s*[-+]?\d{16,}\s*")  # more digits than Excel's numbers: a string keeps them
_NUMBER, _CODE, _INTEGER, _DATE = (
    re.compile(FORMS[name]) for name in ("point", "code", "integer", "date")
)


def read_workbook(content: Content, limits: Limits, options: ReadOptions) -> Table:
    """Read a sheet of a workbook.

    Parameters
    ----------
    content : Content
    limits : Limits
        Name in error messages, and the sizes that the file and the table may have.
    options : ReadOptions
        The sheet, the rows of its header and footer, the missing strings and the number of rows.
        Excel's errors are missing in any case.

    Returns
    -------
    Table
        Columns are made by `column_of_cells`. The codebook holds labels and units in other lines
        of the header; the reading the rows of header, title and footer, the sheets, cells that
        were changed, and formulas without a stored value.

    Raises
    ------
    UnreadableTableError
        If the content is cut off or corrupt, has a password, holds no such sheet or no cells in
        it, or is beyond the limits.
    MissingExtraError
        If python-calamine, or xlrd for .xls, is not installed.

    Warns
    -----
    UserWarning
        If cells of the data are merged, or if columns have no name or the same one.
    """
    book = open_workbook(content.opened, limits)
    name, cells, doubts = _chosen_sheet(book, limits.path, options.sheet)
    if not cells.holds_cells:
        raise UnreadableTableError(f"{limits.path}: sheet {name!r} is empty")
    layout = _layout_of(cells, options.header, options.footer)
    frame, dropped, numbers = _frame(cells.rows, layout, options)
    last = max(numbers, default=0)
    read = set(numbers)
    merged = [
        area
        for area in cells.merged
        if area[:2] != area[2:] and not read.isdisjoint(range(area[0], min(area[2], last) + 1))
    ]
    findings = (_finding_of_merged(merged, frame, name),) if merged else ()
    for finding in findings:
        warnings.warn(f"{limits.path}: {finding}", stacklevel=4)
    unstored = [place for place in cells.unstored if place[0] <= last]
    if unstored:
        places = join_first([cell_name(*place) for place in unstored], _MAX_NAMED)
        doubts += (
            f"{format_count(len(unstored), 'formula')} of sheet {name!r} without a stored value "
            f"read as missing ({places}); open the file in a spreadsheet program and save it",
        )
    reading = Reading(
        "excel",
        sheet=name,
        sheets=book.sheets,
        dropped=tuple(dropped),
        doubts=(*layout.doubts, *doubts),
        **layout.lines(),
    )
    names = dict(zip(layout.columns, frame.columns, strict=True))
    return Table(frame, layout.codebook(names), reading, findings=findings)


def _chosen_sheet(
    book: Workbook, path: str, requested: str | None
) -> tuple[str, SheetScan, tuple[str, ...]]:
    """Return the name and cells of the requested sheet, or of the first that holds a table."""
    if requested is not None:
        if requested not in book.sheets:
            known = ", ".join(map(repr, book.sheets[:_MAX_NAMED]))
            raise UnreadableTableError(f"{path}: holds no sheet {requested!r} among {known}")
        return requested, book.read(requested), ()
    names = book.visible or book.sheets
    if not names:
        raise UnreadableTableError(f"{path}: holds no sheet of cells")
    first: tuple[str, SheetScan] | None = None
    for name in names:
        cells = book.read(name)
        if _holds_table(cells.rows, [other for other in book.sheets if other != name]):
            break
        if first is None and cells.holds_cells:
            first = name, cells
    else:
        name, cells = first or (name, cells)
    others = [other for other in book.sheets if other != name]
    if not others:
        return name, cells, ()
    doubt = (
        f"reads {name!r}, one of {len(book.sheets)} sheets; --sheet selects another: "
        f"{format_some(others)}"
    )
    return name, cells, (doubt,)


def _holds_table(rows: Rows, others: Sequence[str]) -> bool:
    """Check for a table, rather than a cover, notes or a list of the other sheets.

    Examples
    --------
    >>> _holds_table([["Report"], ["2024"]], []), _holds_table([["a", "b"], [1, 2]], [])
    (False, True)
    >>> _holds_table([["Contents", None], ["T 1", "Men"], ["T 2", "Women"]], ["T1", "T2"])
    False
    """
    filled = [[value for value in row if value is not None] for row in rows]
    wide = [row for row in filled if len(row) > 1]
    n_filled = sum(map(bool, filled))
    if len(wide) < 2 or len(wide) < n_filled / 2:
        return n_filled > 1 and _is_one_column(filled)
    names = {_plain(name) for name in others}
    n_named = sum(
        any(isinstance(value, str) and _plain(value) in names for value in row) for row in wide
    )
    return n_named < len(wide) / 2


def _is_one_column(filled: Rows) -> bool:
    """Check for a column of numbers or dates under one name."""
    (first, *rest) = [row[0] for row in filled if row]
    return isinstance(first, str) and not any(isinstance(value, str) for value in rest)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _layout_of(cells: SheetScan, header: Sequence[int] | None, footer: int | None) -> Layout:
    """Find the layout, with the names of merged header cells over their spans."""
    n_rows = len(cells.rows) - (footer or 0)
    none = None if footer is None else 0
    layout = find_layout(*_numbered(cells.rows[:n_rows]), header=header, footer=none)
    lines = layout.header
    if any(top in lines for top, *_ in cells.merged):
        rows = _filled_header(cells, lines)[:n_rows]
        found = find_layout(*_numbered(rows), header=lines, footer=none)
        layout = replace(found, titles=layout.titles, doubts=layout.doubts)
    return replace(layout, footer=(*layout.footer, *range(n_rows + 1, len(cells.rows) + 1)))


def _numbered(rows: Rows) -> tuple[list[Row], list[Row] | None]:
    """Return the first rows with their numbers, and the last ones if there are more."""
    numbered = [Row(number, cells) for number, cells in enumerate(rows[:_HEAD_ROWS], start=1)]
    if len(rows) <= _HEAD_ROWS:
        return numbered, None
    start = max(_HEAD_ROWS, len(rows) - _TAIL_ROWS)
    return numbered, [Row(k, cells) for k, cells in enumerate(rows[start:], start=start + 1)]


def _filled_header(cells: SheetScan, header: Sequence[int]) -> Rows:
    """Return the rows, with the values of merged cells all over their spans in header lines."""
    rows = list(cells.rows)
    for top, left, bottom, right in cells.merged:
        spanned = [row for row in range(top, min(bottom, len(rows)) + 1) if row in header]
        if top not in header or left > len(rows[0]):
            continue
        value = rows[top - 1][left - 1]
        for row in spanned:
            changed = list(rows[row - 1])
            stop = min(right, len(changed))
            changed[left - 1 : stop] = [value] * (stop - left + 1)
            rows[row - 1] = changed
    return rows


def _frame(
    rows: Rows, layout: Layout, options: ReadOptions
) -> tuple[pd.DataFrame, list[str], list[int]]:
    """Return the frame, sentences about changed cells, and the numbers of its rows."""
    apart = {*layout.header, *layout.titles, *layout.footer, *layout.skipped}
    numbers = [
        k
        for k, row in enumerate(rows, start=1)
        if k >= (layout.first or len(rows) + 1)
        and k not in apart
        and any(value is not None for value in row)
    ][: options.n_rows]
    columns, notes, strings = {}, {}, {}
    names = distinct_names([layout.given[j] for j in layout.columns])
    for name, j in zip(names, layout.columns, strict=True):
        values = [rows[k - 1][j] for k in numbers]
        if options.missing:
            values = [None if isinstance(v, str) and v in options.missing else v for v in values]
        if options.keep_strings and all(isinstance(v, str) for v in values if v is not None):
            strings[name] = pd.Series(values, dtype=object)
        columns[name], notes[name] = column_of_cells(values)
    frame = frame_of_columns(columns, pd.RangeIndex(len(numbers)), written=strings)
    dropped = [f"column {name!r}: {note}" for name, note in notes.items() if note]
    between = range(max(layout.header, default=numbers[0]), numbers[-1]) if numbers else ()
    if n_empty := len(set(between).difference(numbers, apart)):
        dropped.append(f"{format_count(n_empty, 'row')} without a value left out")
    return frame, dropped, numbers


def _finding_of_merged(merged: Sequence[Range], frame: pd.DataFrame, sheet: str) -> DataWarning:
    """Return the finding about merged cells."""
    merged = sorted(merged)
    columns = {column for _, left, _, right in merged for column in (left, right)}
    (first, *others) = columns
    ranges = [f"{cell_name(*area[:2])}:{cell_name(*area[2:])}" for area in merged]
    listed = join_first(ranges, _MAX_NAMED)
    return DataWarning(
        "merged cells",
        f"cells of sheet {sheet!r} are merged ({listed}): the first one of each range holds its "
        "value, and the others are read as missing",
        "unmerge them, and write the value into each cell",
        frame.columns[first - 1] if not others and first <= frame.shape[1] else None,
    )


def column_of_cells(values: list[Any]) -> Noted:
    """Make a column of cells.

    Parameters
    ----------
    values : list
        Numbers, booleans, strings, dates and times; None where missing.

    Returns
    -------
    column : pandas.Series
        Strings only are read as those of CSV, except that integers of more digits than Excel's
        numbers have stay strings. Beside numbers, strings that are numbers become numbers: the
        same value would be two levels otherwise. If one of them is a code such as "01067", or of
        more digits, integers become strings instead. Strings such as "NA" are missing beside
        numbers. Dates are datetimes, and strings of dates beside dates, too.
    note : str
        What was changed, for `Reading.dropped`; empty if nothing.

    Examples
    --------
    >>> column, note = column_of_cells([5, "5", 7, None])
    >>> column.tolist(), note
    ([5, 5, 7, <NA>], 'read as numbers: 1 cell stored as text')
    >>> column_of_cells([10115, "01067"])[0].tolist()
    ['10115', '01067']
    """
    present = [value for value in values if value is not None]
    strings = [value for value in present if isinstance(value, str)]
    if not strings:
        return _column_of_values(values, present), ""
    if len(strings) == len(present):
        column = pd.Series(values)
        return column if any(map(_LONG.fullmatch, strings)) else column_of_strings(column)[0], ""
    if not any(_is_number(value) for value in present):
        return _column_of_dates_and_strings(values, strings, present)
    return _column_of_numbers_and_strings(values, strings, len(present))


def _column_of_values(values: list[Any], present: list[Any]) -> pd.Series:
    """Make a column of cells without strings: of datetimes, or of durations, if there are some."""
    kinds = set(map(type, present))
    if kinds == {datetime.date} or kinds == {datetime.date, datetime.datetime}:
        midnight = datetime.time()
        values = [
            datetime.datetime.combine(value, midnight) if type(value) is datetime.date else value
            for value in values
        ]
    elif kinds == {datetime.time, datetime.timedelta}:  # those below a day are read as times
        day = datetime.datetime.min
        values = [
            datetime.datetime.combine(day, value) - day if type(value) is datetime.time else value
            for value in values
        ]
    return column_of_objects(values)


def _column_of_dates_and_strings(
    values: list[Any], strings: list[str], present: list[Any]
) -> Noted:
    n_dates = sum(isinstance(value, datetime.date) for value in present)
    if n_dates + len(strings) < len(present) or not all(map(_DATE.fullmatch, strings)):
        return column_of_objects(values), ""
    moment = datetime.datetime.fromisoformat
    values = [moment(value) if isinstance(value, str) else value for value in values]
    column = _column_of_values(values, [value for value in values if value is not None])
    return column, f"read as dates: {format_count(len(strings), 'cell')} stored as text"


def _column_of_numbers_and_strings(values: list[Any], strings: list[str], n_present: int) -> Noted:
    written = [text for text in strings if _NUMBER.fullmatch(text)]
    note = ""
    if any(_CODE.fullmatch(text) or _LONG.fullmatch(text) for text in written):
        n_changed = sum(type(value) is int for value in values)
        values = [str(value) if type(value) is int else value for value in values]
        note = f"codes are text: {format_count(n_changed, 'cell')} stored as a number among them"
        if all(value is None or isinstance(value, str) for value in values):
            return pd.Series(values), note
    elif written:
        read = {t: int_of(t) if _INTEGER.fullmatch(t) else float_of(t) for t in written}
        values = [read.get(v, v) if isinstance(v, str) else v for v in values]
        note = f"read as numbers: {format_count(len(written), 'cell')} stored as text"
    others = {value for value in values if isinstance(value, str)}
    n_numbers = sum(map(_is_number, values))
    n_others = sum(isinstance(value, str) for value in values)
    if n_numbers + n_others == n_present and MISSING_NUMBERS.issuperset(others):
        values = [None if isinstance(value, str) else value for value in values]
    return column_of_objects(values), note


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
