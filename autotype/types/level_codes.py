"""The distinct values of a column and the code of each row, and casts to a Categorical of them.

pandas finds categories by sorting, and matches values to them by dtype. Both lose values that a
column may well hold: lone surrogates, tuples, 1 beside True. Here a level is what is equal to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from autotype.types.nan_equality import nan_key


class LevelCodes(NamedTuple):
    """A column as codes of its distinct values.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
        -1 where the value is missing.
    levels : list
        Distinct values in order of first appearance; of a Categorical its categories, of which
        some may have no row.
    """

    codes: np.ndarray
    levels: list[Any]

    def present(self) -> list[Any]:
        """Return the levels that have a row.

        Examples
        --------
        >>> sizes = pd.Series(["S", "M"], dtype=pd.CategoricalDtype(["S", "M", "L"]))
        >>> codes_of(sizes).present()
        ['S', 'M']
        """
        return self.unseen(lambda _: False)

    def unseen(self, is_known: Callable[[Any], bool]) -> list[Any]:
        """Return the levels that have a row and are not known."""
        new = [code for code, level in enumerate(self.levels) if not is_known(level)]
        if not new:
            return []
        # Widened first: the sum may exceed the few bits of the codes of a Categorical.
        counts = np.bincount(self.codes.astype(np.intp) + 1, minlength=len(self.levels) + 1)[1:]
        return [self.levels[code] for code in new if counts[code]]


def codes_of(values: pd.Series) -> LevelCodes:
    """Find the distinct values of a column.

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
        return LevelCodes(values.cat.codes.to_numpy(), values.cat.categories.tolist())
    codes, present = pd.factorize(values)
    levels = pd.Index(present, dtype=object, tupleize_cols=False)
    missing = levels.isna()
    if missing.any():  # pandas counts some of them as values
        codes = np.where(np.append(missing, True)[codes], -1, codes)
    return LevelCodes(codes, levels.tolist())


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
    try:
        index = pd.Index(levels, tupleize_cols=False)
        if index.is_unique and all(map(_same, index.tolist(), levels)):
            return index
    except (TypeError, ValueError, OverflowError):  # lone surrogates, which Arrow cannot hold
        pass
    # pandas compares levels; scalars of NumPy cannot be with integers beyond 64 bits.
    scalars = (np.bool_, np.number)
    plain = [level.item() if isinstance(level, scalars) else level for level in levels]
    return pd.Index(plain, dtype=object, tupleize_cols=False)


def _same(first: Any, second: Any) -> bool:
    return first is second or bool(first == second)


def join_columns(columns: list[pd.Series], names: pd.Index) -> pd.DataFrame:
    """Join columns of one index, at least one, to a frame with any names."""
    # Keys, as pandas fails to make an index of strings with lone surrogates.
    joined = pd.concat(columns, axis=1, keys=range(len(columns)))
    joined.columns = names
    return joined
