"""Write a table as an Excel file, and escape what spreadsheet programs take for formulas."""

from __future__ import annotations

import datetime
import io
import math
import re
import warnings
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnwritableTableError
from autotype.lazy_names import import_library
from autotype.tables.columns import with_changed
from autotype.wording import NOT_XML, format_some, format_value

_MAX_ROWS, _MAX_COLUMNS, _MAX_CHARACTERS = 1 << 20, 1 << 14, 32_767
_MAX_DIGITS = 15  # of a number
_MAX_WHOLE = 10**_MAX_DIGITS
_FIRST_YEAR = 1901  # Excel has no earlier dates, and gives 1900 a leap day
_START = ("=", "+", "-", "@", "\t", "\r")
_SIGNED = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?")
_CODED = re.compile("_(?=x[0-9a-fA-F]{4}_)")  # begins the code of a character, such as _x0041_
_MARK = "'"  # spreadsheet programs show the rest as text


def excel_bytes(frame: pd.DataFrame, path: str, *, escape: bool) -> bytes:
    """Return a frame as the content of an Excel file with one sheet.

    Parameters
    ----------
    frame : pandas.DataFrame
    path : str
        Name in error messages.
    escape : bool
        Whether strings that begin like formulas are marked as strings, which does not change them.
        Otherwise those that begin with "=" are formulas.

    Returns
    -------
    bytes
        Numbers, booleans, dates and times are cells of their own kind. Numbers of more than 15
        digits, times with a zone or microseconds, dates before 1901 and other objects are strings.

    Raises
    ------
    UnwritableTableError
        If a sheet cannot hold the table: too many rows or columns, strings beyond 32,767 characters
        or with control characters, infinite numbers.
    MissingExtraError
        If openpyxl is not installed.

    Warns
    -----
    UserWarning
        If strings hold carriage returns, which become line feeds.
    """
    openpyxl = import_library("openpyxl", f"{path}: writing Excel needs openpyxl", extra="excel")
    if len(frame) >= _MAX_ROWS or frame.shape[1] > _MAX_COLUMNS:
        raise UnwritableTableError(
            f"{path}: a sheet holds {_MAX_ROWS - 1:,} rows and {_MAX_COLUMNS:,} columns, not "
            f"{len(frame):,} and {frame.shape[1]:,}; write .parquet"
        )
    names = list(frame.columns)
    rows = [[_storable(str(name), f"{path}: name of column {j}") for j, name in enumerate(names)]]
    columns = [frame.iloc[:, j].astype(object) for j in range(len(names))]
    plain = [values.where(values.notna(), None).tolist() for values in columns]
    for i, cells in enumerate(zip(*plain, strict=True)):
        rows.append(
            [_storable(v, f"{path}: column {names[j]!r} at row {i}") for j, v in enumerate(cells)]
        )
    _warn_of_returns(rows, path)
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in rows:
        written = (openpyxl.cell.WriteOnlyCell(sheet, value) for value in row)
        sheet.append([_cell(cell, escape=escape) for cell in written])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _cell(cell: Any, *, escape: bool) -> Any:
    """Make a string of a cell that is a formula to openpyxl, or to Excel once it is edited.

    openpyxl writes 16 digits of a number, of which some floats need 17.
    """
    if type(cell.value) is float and float(f"{cell.value:.16g}") != cell.value:
        cell._value = repr(cell.value)
        return cell
    if is_formula(cell.value) and (escape or not cell.value.startswith("=")):
        cell.data_type = "s"
        cell.quotePrefix = escape
    return cell


def _warn_of_returns(rows: list[list[Any]], path: str) -> None:
    """Replace carriage returns, which XML does not keep, in place."""
    changed: set[str] = set()
    for row in rows:
        for j, value in enumerate(row):
            if isinstance(value, str) and "\r" in value:
                row[j] = value.replace("\r\n", "\n").replace("\r", "\n")
                changed.add(str(rows[0][j]))
    if changed:
        warnings.warn(
            f"{path}: carriage returns in {format_some(sorted(changed))} become line feeds",
            stacklevel=5,
        )


def _storable(value: Any, where: str) -> Any:
    """Return a value that a cell keeps as it is, or its text.

    Raises
    ------
    UnwritableTableError
        If there is none.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    is_endless = isinstance(value, Decimal) and value.is_infinite()
    if is_endless or (isinstance(value, float) and not math.isfinite(value)):
        raise _unwritable(where, value, "not a finite number")
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int) and abs(value) < _MAX_WHOLE:
        return value
    if isinstance(value, Decimal) and len(f"{value:f}".strip("-.0")) <= _MAX_DIGITS:
        return value
    if isinstance(value, datetime.datetime) and _is_kept(value):
        return value.to_pydatetime() if isinstance(value, pd.Timestamp) else value
    text = value.isoformat() if isinstance(value, datetime.date) else str(value)
    if len(text) > _MAX_CHARACTERS:
        reason = f"{len(text):,} characters, at most {_MAX_CHARACTERS:,} fit"
        raise _unwritable(where, text, reason)
    if NOT_XML.search(text):
        raise _unwritable(where, text, "it holds characters that XML cannot hold")
    return _CODED.sub("_x005F_", text)


def _unwritable(where: str, value: Any, reason: str) -> UnwritableTableError:
    return UnwritableTableError(
        f"{where}: Excel cannot hold {format_value(value)} ({reason}); write .parquet, or "
        "correct it"
    )


def _is_kept(value: datetime.datetime) -> bool:
    """Check whether Excel's days and milliseconds keep a date and time."""
    fraction = value.microsecond % 1000 or getattr(value, "nanosecond", 0)
    return value.tzinfo is None and value.year >= _FIRST_YEAR and not fraction


def is_formula(value: Any) -> bool:
    r"""Check whether a string begins like a formula and is not just a number.

    Examples
    --------
    >>> [is_formula(value) for value in ("=1+1", "@SUM(A1)", "-5", -5, "a=b", "\t=1")]
    [True, True, False, False, False, True]
    """
    return isinstance(value, str) and value.startswith(_START) and not _SIGNED.fullmatch(value)


def escape_formulas(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Insert an apostrophe before the strings and names of columns that begin like formulas.

    Parameters
    ----------
    frame : pandas.DataFrame
        It is not changed.

    Returns
    -------
    frame : pandas.DataFrame
    changed : list of str
        The columns with changed cells or a changed name.

    Examples
    --------
    >>> escaped, changed = escape_formulas(pd.DataFrame({"a": ["=1+1", "x"], "b": [-1, 2]}))
    >>> escaped["a"].tolist(), changed
    (["'=1+1", 'x'], ['a'])
    """
    changed: list[str] = []

    def escape(name: Any, values: pd.Series) -> pd.Series:
        has_formula = any(map(is_formula, _texts(values)))
        if has_formula or is_formula(name):
            changed.append(str(name))
        if not has_formula:
            return values
        return values.astype(object).map(lambda v: _MARK + v if is_formula(v) else v)

    escaped = with_changed(frame, escape).copy(deep=False)
    escaped.columns = pd.Index([_MARK + n if is_formula(n) else n for n in frame.columns])
    return escaped, changed


def holds_text(frame: pd.DataFrame, text: str) -> bool:
    """Check whether a string is in a cell or in the name of a column."""
    named = any(text in str(name) for name in frame.columns)
    return named or any(_holds(values, text) for _, values in frame.items())


def _holds(values: pd.Series, text: str) -> bool:
    if isinstance(values.dtype, pd.StringDtype):
        return bool(values.str.contains(text, regex=False).any())
    return any(text in cell for cell in _texts(values))


def _texts(values: pd.Series) -> list[str]:
    """Return the strings of a column; of a Categorical its categories, each once."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        return [level for level in values.cat.categories if isinstance(level, str)]
    if pd.api.types.is_object_dtype(values) or pd.api.types.is_string_dtype(values):
        return [value for value in values if isinstance(value, str)]
    return []
