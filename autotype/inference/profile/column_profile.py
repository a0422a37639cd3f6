"""Profile a column from its sample: examples, frequent values, and a histogram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from autotype.inference.column import Column
from autotype.lexicon.dates import days_of
from autotype.types.column_type import ColumnProfile
from autotype.wording import format_level, shorten

_N_EXAMPLES = 4
_N_COMMON = 5
_N_BINS = 20
_LONGEST = 60  # characters of a value
_MIDNIGHT = " 00:00:00"

T = TypeVar("T")


def profile_column(column: Column, *, are_listed: bool) -> ColumnProfile:
    """Profile a column; the order of the rows changes nothing.

    Parameters
    ----------
    column : Column
        The column, typed by rules.
    are_listed : bool
        Whether the report lists the levels with their counts; more is then not needed.

    Returns
    -------
    ColumnProfile
        Only the missing values, if the levels are listed or the cells cannot be compared.
    """
    if are_listed or not column.hashable:
        return ColumnProfile(column.n_missing)
    values = column.values.iloc[column.rows]
    present = values.notna().to_numpy(dtype=bool)
    if not present.any():
        return ColumnProfile(column.n_missing)
    cells = values[present].astype(object)
    numbers = _numbers(column)
    try:
        if numbers is not None:
            numbers = numbers[present]
            is_finite = np.isfinite(numbers)
            if np.unique(numbers[is_finite]).size > 1:
                return _of_numbers(column.n_missing, numbers[is_finite], cells[is_finite].tolist())
        counts = Counter(map(_text, cells))
    except Exception:  # of the text of an object of the user's class
        return ColumnProfile(column.n_missing)
    by_count = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ColumnProfile(
        column.n_missing,
        examples=tuple(_spread(sorted(counts))),
        common=tuple(item for item in by_count[:_N_COMMON] if item[1] > 1),
    )


def _numbers(column: Column) -> np.ndarray | None:
    """Return the positions of the sampled values on an axis, if they are numbers or dates."""
    if column.numbers is not None:
        return column.numbers[column.rows]
    if column.semantic_type != "datetime":
        return None
    try:
        return days_of(column.values.iloc[column.rows]).to_numpy()
    except Exception:  # dates beyond what pandas holds
        return None


def _of_numbers(n_missing: int, numbers: np.ndarray, cells: Sequence[Any]) -> ColumnProfile:
    """Return the profile of finite numbers, at least two different ones, and their cells."""
    distinct = np.unique(numbers)
    low, high = distinct[0], distinct[-1]
    # In halves, as the range of floats of both signs may be no float.
    places = (numbers / 2 - low / 2) / (high / 2 - low / 2)
    bins = np.bincount(np.minimum(places * _N_BINS, _N_BINS - 1).astype(int), minlength=_N_BINS)

    def text(number: float) -> str:
        """Return the first text of a number in alphabetic order: "1.0" and "1" are one number."""
        return min(_text(cells[k]) for k in np.flatnonzero(numbers == number).tolist())

    return ColumnProfile(
        n_missing,
        examples=tuple(text(number) for number in _spread(distinct.tolist())),
        histogram=tuple(bins.tolist()),
        low=text(low),
        high=text(high),
    )


def _spread(values: Sequence[T]) -> list[T]:
    """Choose a few values, evenly spread, without the two ends of a long list.

    Examples
    --------
    >>> _spread("abc"), _spread("abcdefghi")
    (['a', 'b', 'c'], ['b', 'd', 'f', 'h'])
    """
    if len(values) <= _N_EXAMPLES:
        return list(values)
    return [values[int((k + 0.5) * len(values) / _N_EXAMPLES)] for k in range(_N_EXAMPLES)]


def _text(value: Any) -> str:
    return shorten(format_level(value).removesuffix(_MIDNIGHT), _LONGEST)
