"""Find values that are hardly levels: for a missing cell or a total, or alone among numbers.

In which order levels are listed, and up to which number their labels are read, is stated here, too.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from autotype.lexicon.dates import DATE_TEXT
from autotype.lexicon.missing import CODES_ABOVE, CODES_BELOW, missing_marks, missing_phrases
from autotype.lexicon.numbers import amounts_of
from autotype.lexicon.toml_files import read_toml

_MAX_LONE = 2  # levels of one row; where there are more, the column has many rare levels
_HEAD = 50  # distinct values by which a column of numbers or dates is recognised
_MIN_ALIKE = 0.8  # share of them that are
_MAX_ODD = 20  # strings among numbers; a column with more holds strings
_MAX_CHECKED = 100_000  # distinct values

MAX_LISTED = 100  # levels of a column whose labels are read


@cache
def totals() -> frozenset[str]:
    """Return the strings that name a row which sums up others."""
    words = read_toml("stray")["totals"]["words"]
    forms = (str.lower, str.capitalize, str.title, str.upper)
    return frozenset(form(word) for word in words for form in forms)


@cache
def _codes() -> np.ndarray:
    return np.array(sorted(CODES_BELOW | CODES_ABOVE | {0.0}))


@cache
def _code_texts() -> frozenset[str]:
    """Return the strings of the numbers that may mean a missing value."""
    ends = ("", ".0", ".00")
    whole = [f"{code:.0f}{end}" for code in _codes() if code == round(code) for end in ends]
    return frozenset([*whole, *(str(code) for code in _codes()), "0", "0000"])


def code_of(value: Any) -> float | None:
    """Return the number that a value is, if it may be a code for a missing value.

    Examples
    --------
    >>> code_of(-9), code_of("999.0"), code_of(12), code_of(True)
    (-9.0, 999.0, None, None)
    """
    if isinstance(value, str):
        return float(value) if value in _code_texts() else None
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return None
    return float(value) if value == 0 or value in CODES_BELOW or value in CODES_ABOVE else None


@cache
def _named() -> frozenset[str]:
    """Return the strings that stand out wherever they are."""
    return frozenset(chain(missing_marks(), missing_phrases(), totals(), _code_texts()))


def stray_values(levels: pd.Index, counts: np.ndarray) -> dict[Any, int]:
    """Find the values that stand out in a column with more levels than are listed.

    Parameters
    ----------
    levels : pandas.Index
        The distinct values.
    counts : ndarray of int
        Their counts.

    Returns
    -------
    dict
        Strings for a missing cell or a total, the strings among numbers, amounts or dates, and
        numbers that may be codes for a missing value, each with its count.

    Examples
    --------
    >>> stray_values(pd.Index([*map(str, range(90)), "kg", "?", "999"]), np.ones(93, dtype=int))
    {'0': 1, '66': 1, '77': 1, '88': 1, 'kg': 1, '?': 1, '999': 1}
    """
    if levels.dtype == object or isinstance(levels.dtype, pd.StringDtype):
        stray = _hold_texts(levels.tolist(), _named().union(odd_texts(levels)))
    elif pd.api.types.is_any_real_numeric_dtype(levels.dtype):
        stray = np.isin(np.asarray(levels, dtype=float), _codes())  # pandas finds no float128
    else:
        return {}
    places = np.flatnonzero(stray)
    found = np.asarray(levels[places], dtype=object).tolist()
    return dict(zip(found, counts[places].tolist(), strict=True))


def codes_among(numbers: np.ndarray) -> dict[Any, int]:
    """Count the numbers that may be codes for a missing value, among sorted ones."""
    ends = [np.searchsorted(numbers, _codes(), side=side) for side in ("left", "right")]
    counts = ends[1] - ends[0]
    return dict(zip(_codes()[counts > 0].tolist(), counts[counts > 0].tolist(), strict=True))


def lone_texts(levels: Mapping[Any, int], *, is_listed: bool = True) -> list[str]:
    """Find the strings of one row, in a column where these are exceptions.

    Parameters
    ----------
    levels : mapping
        Levels with their counts; or, of a column that does not list them, the strings that stand
        out.
    is_listed : bool
        Whether they are all levels.

    Returns
    -------
    list of str
        One or two strings; empty if the column has more levels of one row, as rare ones have. Of a
        column of numbers, amounts or dates, only strings that are none count; of any other with
        many such levels, words for a total.
    """
    lone = [level for level, n in levels.items() if n == 1 and level not in missing_marks()]
    if not any(isinstance(level, str) for level in lone):
        return []
    if not is_listed:
        lone = [level for level in lone if code_of(level) is None]
    if is_listed and len(lone) > _MAX_LONE:
        lone = [*odd_texts(list(levels)), *(level for level in lone if level in totals())]
    lone = [level for level in lone if isinstance(level, str) and levels[level] == 1]
    return lone if len(lone) <= _MAX_LONE else []


def odd_texts(levels: Sequence[Any]) -> list[str]:
    """Find the strings among levels that are numbers, amounts or dates but for a few."""
    index = pd.Index(levels, dtype=object, tupleize_cols=False)
    for are_alike in (_are_amounts, _are_dates):
        head = are_alike(index[:_HEAD])
        if head.mean() >= _MIN_ALIKE and len(index) <= _MAX_CHECKED:
            alike = head if len(index) <= _HEAD else are_alike(index)
            odd = index[~alike].tolist()
            return [v for v in odd if isinstance(v, str)] if len(odd) <= _MAX_ODD else []
    return []


def are_amounts_or_dates(levels: Sequence[Any]) -> bool:
    """Check whether all values, but for a few signs, are numbers, amounts or dates.

    Examples
    --------
    >>> are_amounts_or_dates(["1", "2.5"]), are_amounts_or_dates(["low", "1"])
    (True, False)
    """
    index = pd.Index(levels, dtype=object, tupleize_cols=False)
    return any(are_alike(index).mean() >= _MIN_ALIKE for are_alike in (_are_amounts, _are_dates))


def _are_amounts(levels: pd.Index) -> np.ndarray:
    """Check which values are numbers, or strings of numbers or amounts."""
    try:
        return amounts_of(pd.Series(levels, dtype=object)).notna().to_numpy(dtype=bool)
    except (TypeError, ValueError, OverflowError):  # cells that are no scalars
        return np.zeros(len(levels), dtype=bool)


def _are_dates(levels: pd.Index) -> np.ndarray:
    """Check which values are strings of dates."""
    return np.array([isinstance(v, str) and bool(DATE_TEXT.fullmatch(v)) for v in levels])


def hold_any(values: pd.Series, some: Collection[Any]) -> np.ndarray:
    """Mask the values that are one of some; pandas finds no string of a lone surrogate.

    Examples
    --------
    >>> hold_any(pd.Series(["a", 1, "b"]), ["b", "c"])
    array([False, False,  True])
    """
    found = np.zeros(len(values), dtype=bool)
    if texts := frozenset(v for v in some if isinstance(v, str)):
        found |= _hold_texts(values.tolist(), texts)
    if numbers := [v for v in some if not isinstance(v, str)]:
        found |= values.isin(numbers).to_numpy(dtype=bool)
    return found


def _hold_texts(values: Sequence[Any], texts: frozenset[str]) -> np.ndarray:
    return np.array([isinstance(v, str) and v in texts for v in values], dtype=bool)


def by_frequency(counts: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    """Return levels with their counts, most frequent first, ties by text.

    Examples
    --------
    >>> by_frequency([("b", 1), ("a", 1), ("c", 2)])
    {'c': 2, 'a': 1, 'b': 1}
    """
    return dict(sorted(counts, key=lambda item: (-item[1], str(item[0]))))


def are_readable(levels: Sequence[Any]) -> bool:
    """Check whether the levels of a column with many are strings or integers, not too many.

    Examples
    --------
    >>> are_readable(["a", 1, 2.0]), are_readable([0.5]), are_readable(range(101))
    (True, False, False)
    """
    return len(levels) <= MAX_LISTED and all(
        isinstance(v, str) or (isinstance(v, Real) and abs(v) != math.inf and v == v // 1)
        for v in levels
    )
