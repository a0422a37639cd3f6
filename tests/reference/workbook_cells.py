"""Cells of a workbook as openpyxl reads them, one by one."""

from __future__ import annotations

import datetime
from typing import Any

import openpyxl


def cells_by_openpyxl(path: str, sheet: str) -> list[list[Any]]:
    """Return the cells of a sheet from the first row and column.

    Parameters
    ----------
    path : str
        A .xlsx file.
    sheet : str
        Name of the sheet.

    Returns
    -------
    list of list
        None for empty cells, blank strings and errors; integers for whole floats; dates for
        datetimes at midnight.
    """
    book = openpyxl.load_workbook(path, data_only=True)
    rows = [[_value(cell) for cell in row] for row in book[sheet].iter_rows()]
    while rows and all(value is None for value in rows[-1]):
        rows.pop()
    width = max(
        (j for row in rows for j, value in enumerate(row, start=1) if value is not None), default=0
    )
    return [row[:width] for row in rows]


def _value(cell: Any) -> Any:
    value = cell.value
    if cell.data_type == "e" or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date()
    return value
