"""Make columns of cells that are Python's objects, as the readers of JSON and Excel return them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from autotype.lexicon.numbers import CODE, MISSING_NUMBERS, numbers_if_all, whole_numbers

_EXACT = 1 << 53  # floats hold all whole numbers up to this one
_LONG = r"\s*[-+]?\d{16,}\s*"  # more digits than Excel's numbers: stored as a text to keep them


def column_of(values: list[Any]) -> pd.Series:
    """Make a column of any cells; no whole number is rounded because of the other cells.

    Parameters
    ----------
    values : list
        Cells, None where missing.

    Returns
    -------
    pandas.Series
        Whole numbers of which some are missing are Int64, or objects beyond 64 bits.

    Examples
    --------
    >>> column_of([9007199254740993, None]).tolist()
    [9007199254740993, <NA>]
    """
    column = pd.Series(values)
    if not pd.api.types.is_float_dtype(column):
        return column
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, int) for value in present):
        try:
            return pd.Series(values, dtype="Int64")
        except OverflowError:
            return pd.Series(values, dtype=object)
    is_long = any(isinstance(value, int) and abs(value) > _EXACT for value in present)
    return pd.Series(values, dtype=object) if is_long else column


def column_of_numbers_or_texts(values: list[Any]) -> pd.Series:
    """Make a column of cells of a sheet, where numbers may be stored as texts.

    Parameters
    ----------
    values : list
        Cells, None where missing.

    Returns
    -------
    pandas.Series
        Numbers if all cells are, or if all are texts of numbers, but not of codes such as "01067"
        or of more digits than Excel's numbers have. Texts such as "NA" are then missing.

    Examples
    --------
    >>> column_of_numbers_or_texts([3, "NA", 1]).tolist()
    [3, <NA>, 1]
    >>> column_of_numbers_or_texts(["01067", "10115"]).tolist()
    ['01067', '10115']
    """
    present = [value for value in values if value is not None]
    texts = [value for value in present if isinstance(value, str)]
    if not texts:
        return column_of(values)
    if len(texts) < len(present):
        numbers = [v for v in present if isinstance(v, int | float) and not isinstance(v, bool)]
        if len(numbers) + len(texts) == len(present) and MISSING_NUMBERS.issuperset(texts):
            return column_of([None if isinstance(value, str) else value for value in values])
        return column_of(values)
    column = pd.Series(values)
    if column.str.fullmatch(f"{CODE}|{_LONG}").eq(True).any():
        return column
    numbers_in_it = numbers_if_all(column)
    if not pd.api.types.is_float_dtype(numbers_in_it):
        return numbers_in_it
    whole = whole_numbers(column.where(~column.isin(MISSING_NUMBERS)))
    return numbers_in_it if whole is None else whole
