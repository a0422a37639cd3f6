"""The levels of a column: which they are, the code of each row, and casts to a Categorical of them.

Casts, checks, encoders and every file format ask `ColumnType.level_set` for the levels, their order
and which are off the scale, so that they agree.

pandas finds categories by sorting, and matches values to them by dtype. Both lose values that a
column may well hold: lone surrogates, tuples, 1 beside True. Here a level is what is equal to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from numbers import Number, Real
from typing import Any

import numpy as np
import pandas as pd

from autotype.types.nan_equality import nan_key

LevelCodes = tuple[np.ndarray, list[Any]]  # of `codes_of`
_NUMBERS = (Number, np.bool_, np.timedelta64)  # what may be equal to another kind
# Three letters and more, or a sign of a script that sets no blanks between words.
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])|[\u2e80-\ud7ff]")


@dataclass(frozen=True)
class LevelSet:
    """The levels of a column.

    Attributes
    ----------
    on_scale : tuple
        Levels, lowest first if the order counts.
    off_scale : tuple
        Levels such as "don't know" that have no place on the scale; none without an order.
    ordered : bool
        Whether the order of the levels counts.

    Examples
    --------
    >>> LevelSet(("S", "M"), ("?",), ordered=True).categories
    ('?', 'S', 'M')
    """

    on_scale: tuple[Any, ...]
    off_scale: tuple[Any, ...] = ()
    ordered: bool = False

    @property
    def categories(self) -> tuple[Any, ...]:
        """All levels as an ordered dtype has to place them: those off the scale come first.

        So "at least fair" never selects them. Repeated levels are listed once.
        """
        levels = (*self.off_scale, *self.on_scale)
        first: dict[Any, Any] = {}
        for level in levels:
            first.setdefault(nan_key(level), level)
        return tuple(first.values())

    @property
    def are_strings(self) -> bool:
        """Whether all levels are strings, as enumerations need."""
        return all(isinstance(level, str) for level in self.categories)

    @property
    def are_numbers_in_order(self) -> bool:
        """Whether the scale consists of increasing numbers, which need no ordered dtype."""
        if not all(isinstance(level, Real) for level in self.on_scale):
            return False
        return all(low < high for low, high in pairwise(self.on_scale))

    def with_new(self, levels: Iterable[Any]) -> LevelSet:
        """Return the set with more levels, whose place on the scale is not known.

        They come below the scale if the order counts, and behind the other levels if not.

        Examples
        --------
        >>> LevelSet(("S", "M"), ("?",), ordered=True).with_new(["XL"]).categories
        ('XL', '?', 'S', 'M')
        >>> LevelSet(("Ulm", "Rom")).with_new(["Bern"]).categories
        ('Ulm', 'Rom', 'Bern')
        """
        if self.ordered:
            return replace(self, off_scale=(*levels, *self.off_scale))
        return replace(self, on_scale=(*self.on_scale, *levels))


def hold_word(levels: Iterable[object]) -> bool:
    """Check whether a level holds a word; levels such as 1 to 5 are no scale by themselves.

    Examples
    --------
    >>> hold_word(["low", "1"]), hold_word([1, 2, "C3"])
    (True, False)
    """
    return any(_WORD.search(str(level)) for level in levels)


def unseen_levels(read: LevelCodes, is_known: Callable[[Any], bool]) -> list[Any]:
    """Return the levels of a column that have a row and are not known."""
    codes, levels = read
    new = [code for code, level in enumerate(levels) if not is_known(level)]
    if not new:
        return []
    # Widened first: the sum may exceed the few bits of the codes of a Categorical.
    counts = np.bincount(codes.astype(np.intp) + 1, minlength=len(levels) + 1)[1:]
    return [levels[code] for code in new if counts[code]]


def present_levels(values: pd.Series) -> list[Any]:
    """Return the levels of a column that have a row.

    Examples
    --------
    >>> sizes = pd.Series(["S", "M"], dtype=pd.CategoricalDtype(["S", "M", "L"]))
    >>> present_levels(sizes)
    ['S', 'M']
    """
    return unseen_levels(codes_of(values), lambda _: False)


def codes_of(values: pd.Series) -> LevelCodes:
    """Find the distinct values of a column, and the code of each row.

    Returns
    -------
    codes : ndarray of int, shape (n,)
        -1 where the value is missing.
    levels : list
        Distinct values in order of first appearance; of a Categorical its categories, of which
        some may have no row.

    Raises
    ------
    TypeError
        If a cell has no hash.

    Examples
    --------
    >>> codes, levels = codes_of(pd.Series(["b", None, "a", "b"]))
    >>> codes.tolist(), levels
    ([0, -1, 1, 0], ['b', 'a'])
    """
    if isinstance(values.dtype, pd.CategoricalDtype):
        return values.cat.codes.to_numpy(), values.cat.categories.tolist()
    codes, present = factorize(values)
    levels = pd.Index(present, dtype=object, tupleize_cols=False)
    missing = levels.isna()
    if missing.any():  # pandas counts some of them as values
        codes = np.where(np.append(missing, True)[codes], -1, codes)
    return codes, levels.tolist()


def factorize(values: pd.Series) -> tuple[np.ndarray, Any]:
    """Find the distinct values of a column; Arrow takes 0.0 and -0.0 for two."""
    is_arrow = isinstance(values.dtype, pd.ArrowDtype) and values.dtype.kind == "f"
    # As an array, of which pandas 2 makes no index: that fails on integers beyond floats.
    cells = values.to_numpy() if values.dtype == object else values
    return pd.factorize(cells + 0.0 if is_arrow else cells)


def cast_to_levels(
    values: pd.Series, levels: list[Any], *, ordered: bool, read: LevelCodes | None = None
) -> pd.Series:
    """Cast to a Categorical of any hashable levels, including tuples and lone surrogates.

    Values are matched to levels by Python's equality, not by the dtype that pandas finds for the
    levels; a value that is not among them becomes missing. A column of this dtype is returned as
    it is.

    Parameters
    ----------
    values : pandas.Series
    levels : list
    ordered : bool
    read : LevelCodes, optional
        Of `values`, if they have been read before.
    """
    dtype = pd.CategoricalDtype(_level_index(levels), ordered=ordered)
    if not levels:  # also cells without hash
        cast = pd.Categorical.from_codes(np.full(len(values), -1), dtype=dtype)
        return pd.Series(cast, index=values.index, name=values.name)
    if _is_dtype(values.dtype, dtype):
        return values
    codes, present = codes_of(values) if read is None else read
    places = {nan_key(level): k for k, level in enumerate(levels)}
    places_of_present = [places.get(nan_key(level), -1) for level in present]
    # As few bytes per row as the Categorical will have.
    place_of = np.array([*places_of_present, -1], dtype=np.min_scalar_type(-len(levels) - 1))
    cast = pd.Categorical.from_codes(place_of[codes], dtype=dtype)
    return pd.Series(cast, index=values.index, name=values.name)


def _is_dtype(dtype: Any, expected: pd.CategoricalDtype) -> bool:
    """Check that a dtype is the expected one, also in the order and the classes of its levels."""
    if not isinstance(dtype, pd.CategoricalDtype) or bool(dtype.ordered) != bool(expected.ordered):
        return False
    levels, wanted = dtype.categories, expected.categories
    if levels.dtype != wanted.dtype or not levels.equals(wanted):
        return False
    return levels.dtype != object or list(map(type, levels)) == list(map(type, wanted))


def _level_index(levels: list[Any]) -> pd.Index:
    # Lone surrogates are unknown to Arrow; a small float of NumPy overflows beside a large number.
    with suppress(TypeError, ValueError, OverflowError), np.errstate(over="ignore"):
        index = pd.Index(levels, tupleize_cols=False)
        if index.is_unique and all(map(_same, index.tolist(), levels)):
            return index
    # pandas compares levels; scalars of NumPy cannot be with integers beyond 64 bits.
    scalars = (np.bool_, np.number)
    plain = [level.item() if isinstance(level, scalars) else level for level in levels]
    return pd.Index(plain, dtype=object, tupleize_cols=False)


def _same(first: Any, second: Any) -> bool:
    return first is second or bool(first == second)


def mixes_equals(values: pd.Series, levels: Iterable[Any]) -> bool:
    """Check whether a column holds equal values of two kinds, of which a Categorical keeps one.

    Parameters
    ----------
    values : pandas.Series
    levels : iterable
        Its distinct values.

    Examples
    --------
    >>> mixes_equals(pd.Series([1, True, "x"], dtype=object), [1, "x"])
    True
    >>> mixes_equals(pd.Series([1, 1.0, "x"], dtype=object), [1, "x"])
    False
    """
    if values.dtype != object or not any(isinstance(level, _NUMBERS) for level in levels):
        return False
    kinds: dict[Any, tuple[bool, bool]] = {}
    for value in values:
        if isinstance(value, _NUMBERS):
            kind = isinstance(value, bool | np.bool_), isinstance(value, np.timedelta64)
            if kinds.setdefault(value, kind) != kind:
                return True
    return False


def join_columns(columns: list[pd.Series], names: pd.Index) -> pd.DataFrame:
    """Join columns of one index, at least one, to a frame with any names."""
    # Keys, as pandas fails to make an index of strings with lone surrogates.
    joined = pd.concat(columns, axis=1, keys=range(len(columns)))
    joined.columns = names
    return joined


def check_pairs(pairs: Iterable[tuple[Any, Any]], levels: Iterable[Any]) -> None:
    """Raise a ValueError if pairs of a lower and a higher level are of others, or a circle.

    Examples
    --------
    >>> check_pairs([("S", "M"), ("M", "L"), ("L", "S")], ["S", "M", "L"])
    Traceback (most recent call last):
        ...
    ValueError: 'M' is below itself
    """
    known, order = set(map(nan_key, levels)), TopologicalSorter[Any]()
    for pair in pairs:
        for level in pair:
            if nan_key(level) not in known:
                raise ValueError(f"{level!r} is not among the levels")
        order.add(*map(nan_key, reversed(pair)))
    try:
        order.prepare()
    except CycleError as circle:
        raise ValueError(f"{circle.args[1][0]!r} is below itself") from None
