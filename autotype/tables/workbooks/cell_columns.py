"""Make columns of the typed cells of a sheet, where numbers may be stored as strings."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pandas as pd

from autotype.lexicon.numbers import MISSING_NUMBERS
from autotype.tables.cells import FORMS, float_of, int_of
from autotype.tables.columns import column_of_objects, column_of_strings
from autotype.wording import format_count

_LONG = re.compile(r"\s*[-+]?\d{16,}\s*")  # more digits than Excel's numbers: a string keeps them
_NUMBER, _CODE, _INTEGER, _DATE = (
    re.compile(FORMS[name]) for name in ("point", "code", "integer", "date")
)


def column_of_cells(values: list[Any]) -> tuple[pd.Series, str]:
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
) -> tuple[pd.Series, str]:
    n_dates = sum(isinstance(value, datetime.date) for value in present)
    if n_dates + len(strings) < len(present) or not all(map(_DATE.fullmatch, strings)):
        return column_of_objects(values), ""
    moment = datetime.datetime.fromisoformat
    values = [moment(value) if isinstance(value, str) else value for value in values]
    column = _column_of_values(values, [value for value in values if value is not None])
    return column, f"read as dates: {format_count(len(strings), 'cell')} stored as text"


def _column_of_numbers_and_strings(
    values: list[Any], strings: list[str], n_present: int
) -> tuple[pd.Series, str]:
    written = [text for text in strings if _NUMBER.fullmatch(text)]
    note = ""
    if any(_CODE.fullmatch(text) or _LONG.fullmatch(text) for text in written):
        n_changed = sum(type(value) is int for value in values)
        values = [str(value) if type(value) is int else value for value in values]
        note = f"codes are text: {format_count(n_changed, 'cell')} stored as a number among them"
        if all(value is None or isinstance(value, str) for value in values):
            return pd.Series(values), note
    elif written:
        read = {text: _number_of(text) for text in written}
        values = [read.get(v, v) if isinstance(v, str) else v for v in values]
        note = f"read as numbers: {format_count(len(written), 'cell')} stored as text"
    others = {value for value in values if isinstance(value, str)}
    n_numbers = sum(map(_is_number, values))
    n_others = sum(isinstance(value, str) for value in values)
    if n_numbers + n_others == n_present and MISSING_NUMBERS.issuperset(others):
        values = [None if isinstance(value, str) else value for value in values]
    return column_of_objects(values), note


def _number_of(text: str) -> int | float:
    return int_of(text) if _INTEGER.fullmatch(text) else float_of(text)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
