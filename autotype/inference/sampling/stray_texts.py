"""Find strings that are hardly levels: for a missing cell or a total, or alone among numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from autotype.lexicon.dates import DATE_TEXT
from autotype.lexicon.numbers import amounts_of
from autotype.lexicon.toml_files import read_toml

_MAX_LONE = 2  # levels of one row; where there are more, the column has many rare levels
_HEAD = 50  # distinct values by which a column of numbers or dates is recognised
_MIN_ALIKE = 0.8  # share of them that are
_MAX_ODD = 20  # strings among numbers; a column with more holds strings
_MAX_CHECKED = 100_000  # distinct values


@cache
def markers() -> frozenset[str]:
    """Return the strings that mean a missing cell."""
    return frozenset(text for texts in read_toml("stray")["missing"].values() for text in texts)


@cache
def totals() -> frozenset[str]:
    """Return the strings that name a row which sums up others."""
    words = read_toml("stray")["totals"]["words"]
    forms = (str.lower, str.capitalize, str.title, str.upper)
    return frozenset(form(word) for word in words for form in forms)


def stray_texts(levels: pd.Index, counts: np.ndarray) -> dict[str, int]:
    """Find the strings that stand out in a column with more levels than are listed.

    Parameters
    ----------
    levels : pandas.Index
        The distinct values.
    counts : ndarray of int
        Their counts.

    Returns
    -------
    dict
        Strings for a missing cell or a total, and the strings among numbers, amounts or dates, each
        with its count.

    Examples
    --------
    >>> stray_texts(pd.Index([*map(str, range(90)), "kg", "?"]), np.ones(92, dtype=int))
    {'kg': 1, '?': 1}
    """
    if not (levels.dtype == object or isinstance(levels.dtype, pd.StringDtype)):
        return {}
    stray = np.asarray(levels.isin([*markers(), *totals(), *odd_texts(levels)]), dtype=bool)
    places = np.flatnonzero(stray)
    return {level: int(n) for level, n in zip(levels[places], counts[places], strict=True)}


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
    lone = [level for level, n in levels.items() if n == 1 and level not in markers()]
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


def _are_amounts(levels: pd.Index) -> np.ndarray:
    """Check which values are numbers, or strings of numbers or amounts."""
    try:
        return amounts_of(pd.Series(levels, dtype=object)).notna().to_numpy(dtype=bool)
    except (TypeError, ValueError, OverflowError):  # cells that are no scalars
        return np.zeros(len(levels), dtype=bool)


def _are_dates(levels: pd.Index) -> np.ndarray:
    """Check which values are strings of dates."""
    return np.array([isinstance(v, str) and bool(DATE_TEXT.fullmatch(v)) for v in levels])


def hold_any(values: pd.Series, texts: Collection[str]) -> np.ndarray:
    """Mask the values that are one of some strings; pandas finds no text of a lone surrogate.

    Examples
    --------
    >>> hold_any(pd.Series(["a", 1, "b"]), ["b", "c"])
    array([False, False,  True])
    """
    some = frozenset(texts)
    return np.array([isinstance(v, str) and v in some for v in values.tolist()], dtype=bool)
