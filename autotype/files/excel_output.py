"""Write a table as an Excel file."""

from __future__ import annotations

import datetime
import io
import math
import warnings
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import MissingExtraError, UnwritableTableError
from autotype.files.formulas import is_formula
from autotype.wording import format_some

_MAX_ROWS, _MAX_COLUMNS, _MAX_CHARACTERS = 1 << 20, 1 << 14, 32_767
_MAX_DIGITS = 15  # of a number
_MAX_WHOLE = 10**_MAX_DIGITS
_FIRST_YEAR = 1901  # Excel knows no dates before, and gives 1900 a leap day


def excel_bytes(frame: pd.DataFrame, path: str, *, escape: bool) -> bytes:
    """Return a frame as the content of an Excel file with one sheet.

    Parameters
    ----------
    frame : pandas.DataFrame
    path : str
        Name in error messages.
    escape : bool
        Whether texts that begin like formulas are marked as texts, which does not change them.
        Otherwise those that begin with "=" are formulas.

    Returns
    -------
    bytes
        Numbers, truth values, dates and times are cells of their own kind. Numbers of more than 15
        digits, times with a zone or microseconds, dates before 1901 and other objects are texts.

    Raises
    ------
    UnwritableTableError
        If a sheet cannot hold the table: too many rows or columns, texts beyond 32,767 characters
        or with control characters, infinite numbers.
    MissingExtraError
        If openpyxl is not installed.

    Warns
    -----
    UserWarning
        If texts hold carriage returns, which become line feeds.
    """
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.utils.exceptions import IllegalCharacterError
    except ImportError:
        raise MissingExtraError(f"{path}: writing Excel needs openpyxl", extra="excel") from None
    if len(frame) >= _MAX_ROWS or frame.shape[1] > _MAX_COLUMNS:
        raise UnwritableTableError(
            f"{path}: a sheet holds {_MAX_ROWS - 1:,} rows and {_MAX_COLUMNS:,} columns, not "
            f"{len(frame):,} and {frame.shape[1]:,}; write .parquet"
        )
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    names = list(frame.columns)
    returns: set[str] = set()

    def cell(value: Any, j: int, where: str) -> Any:
        if isinstance(value, str) and "\r" in value:  # XML itself does not keep it
            returns.add(str(names[j]))
            value = value.replace("\r\n", "\n").replace("\r", "\n")
        try:
            made = WriteOnlyCell(sheet, _storable(value))
        except IllegalCharacterError:
            raise _unwritable(f"{path}: {where}", value, "control characters") from None
        except ValueError as problem:
            raise _unwritable(f"{path}: {where}", value, str(problem)) from None
        if is_formula(made.value) and (escape or not made.value.startswith("=")):
            made.data_type = "s"
            made.quotePrefix = escape
        return made

    sheet.append([cell(str(name), j, f"name of column {j}") for j, name in enumerate(names)])
    columns = [frame.iloc[:, j].astype(object) for j in range(len(names))]
    plain = [values.where(values.notna(), None).tolist() for values in columns]
    for i, row in enumerate(zip(*plain, strict=True)):
        sheet.append(
            [cell(value, j, f"column {names[j]!r} at row {i}") for j, value in enumerate(row)]
        )
    content = io.BytesIO()
    book.save(content)
    if returns:
        warnings.warn(
            f"{path}: carriage returns in {format_some(sorted(returns))} become line feeds",
            UserWarning,
            stacklevel=4,
        )
    return content.getvalue()


def _unwritable(where: str, value: Any, reason: str) -> UnwritableTableError:
    shown = repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:60]}..."
    return UnwritableTableError(
        f"{where}: Excel cannot hold {shown} ({reason}); write .parquet, or correct it"
    )


def _storable(value: Any) -> Any:
    """Return a value that a cell keeps as it is, or its text.

    Raises
    ------
    ValueError
        If there is none.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("not a finite number")
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
        raise ValueError(f"{len(text):,} characters, at most {_MAX_CHARACTERS:,} fit")
    text.encode()  # UnicodeEncodeError is a ValueError
    return text


def _is_kept(value: datetime.datetime) -> bool:
    """Check whether Excel's days and milliseconds keep a date and time."""
    fraction = value.microsecond % 1000 or getattr(value, "nanosecond", 0)
    return value.tzinfo is None and value.year >= _FIRST_YEAR and not fraction
