"""The checks ``is_ordinal`` and ``is_categorical``, for any pandera schema.

Once registered they are ``Check.is_ordinal(order=[...])`` in a schema and
``Field(is_ordinal=[...])`` in a model, and pandera writes them to YAML with their levels, unlike
the categories of a dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnwritableTypesError
from autotype.types.codec.json_values import decode, encode
from autotype.types.nan_equality import nan_key

ORDINAL, CATEGORICAL = "is_ordinal", "is_categorical"


def is_ordinal(
    values: pd.Series, *, order: Sequence[Any], off_scale: Sequence[Any] | None = None
) -> pd.Series | bool:
    """Check that a column is an ordered Categorical with these levels in this order.

    Parameters
    ----------
    values : pandas.Series
        The column.
    order : sequence
        All levels on the scale, lowest first.
    off_scale : sequence, optional
        Levels that are not on the scale; the dtype holds them below the lowest.

    Returns
    -------
    pandas.Series of bool or bool
        False at the rows of unseen levels if there are any; otherwise whether the dtype is right.

    Examples
    --------
    >>> sizes = pd.CategoricalDtype(["S", "M", "L"], ordered=True)
    >>> is_ordinal(pd.Series(["M", "S"], dtype=sizes), order=["S", "M", "L"])
    True
    >>> is_ordinal(pd.Series(["M", "S"], dtype=sizes), order=["S", "L", "M"])
    False
    >>> is_ordinal(pd.Series(["M", "XL"]), order=["S", "M", "L"]).tolist()
    [True, False]
    """
    expected = [*(decode(level) for level in off_scale or ()), *map(decode, order)]
    return _matches(values, expected, ordered=True)


def is_categorical(values: pd.Series, *, levels: Sequence[Any]) -> pd.Series | bool:
    """Check that a column is an unordered Categorical with these levels, in any order.

    Parameters
    ----------
    values : pandas.Series
        The column.
    levels : sequence
        All levels.

    Returns
    -------
    pandas.Series of bool or bool
        False at the rows of unseen levels if there are any; otherwise whether the dtype is right.

    Examples
    --------
    >>> is_categorical(pd.Series(["a", "b"], dtype="category"), levels=["b", "a"])
    True
    """
    return _matches(values, list(map(decode, levels)), ordered=False)


def _matches(values: pd.Series, expected: list[Any], *, ordered: bool) -> pd.Series | bool:
    known = _at_known(values, membership(expected))
    if not known.all():
        return pd.Series(known, index=values.index)
    if not isinstance(values.dtype, pd.CategoricalDtype) or values.cat.ordered != ordered:
        return False
    levels = values.cat.categories.tolist()
    if ordered:
        return len(levels) == len(expected) and all(map(same_level, levels, expected))
    return len(levels) == len(expected) and all(map(membership(expected), levels))


def _at_known(values: pd.Series, known: Callable[[Any], bool]) -> np.ndarray:
    """Check for each row that its level is known, or missing; each level is looked up once."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        codes, levels = values.cat.codes.to_numpy(), values.cat.categories
    else:
        try:
            codes, levels = pd.factorize(values)
        except (TypeError, NotImplementedError):  # cells without hash
            flags = [known(cell) for cell in values]
            return values.isna().to_numpy(dtype=bool) | np.array(flags, dtype=bool)
    flags = [known(level) for level in pd.Index(levels, dtype=object, tupleize_cols=False)]
    return np.array([*flags, True])[codes]


def membership(levels: Iterable[Any]) -> Callable[[Any], bool]:
    """Return a function that checks whether a level is among `levels`; 1 and True differ."""
    keys = {level_key(level) for level in levels}

    def is_known(level: Any) -> bool:
        try:
            return level_key(level) in keys
        except TypeError:  # a cell without hash is no level
            return False

    return is_known


def same_level(first: Any, second: Any) -> bool:
    """Check whether two levels are the same; 1 and True differ."""
    return level_key(first) == level_key(second)


def level_key(level: Any) -> tuple[bool, Any]:
    """Return a key that is equal for equal levels: 1 and True differ, NaN is equal to NaN."""
    return isinstance(level, (bool, np.bool_)), nan_key(level)


def ordinal_check(order: Sequence[Any], off_scale: Sequence[Any] = ()) -> Any:
    """Make the check of an ordinal column, once registered; its message states the order."""
    from pandera.pandas import Check

    return Check.is_ordinal(
        order=[_statistic(level) for level in order],
        off_scale=[_statistic(level) for level in off_scale] or None,
        error=f"levels must be {format_levels(order, off_scale, ordered=True)}, in this order",
    )


def categorical_check(levels: Sequence[Any]) -> Any:
    """Make the check of a categorical column, once registered; its message lists the levels."""
    from pandera.pandas import Check

    return Check.is_categorical(
        levels=[_statistic(level) for level in levels],
        error=f"levels must be {format_levels(levels, ordered=False)}, without order",
    )


def _statistic(level: Any) -> Any:
    """Encode a level; an object that no file can hold stays, for schemas that are not written."""
    try:
        return encode(level)
    except UnwritableTypesError:
        return level


def format_levels(
    levels: Sequence[Any], off_scale: Sequence[Any] = (), *, ordered: bool, most: int = 12
) -> str:
    """Format levels, omitting inner ones of many.

    Examples
    --------
    >>> format_levels(["S", "M", 3], ["?"], ordered=True)
    "'S' < 'M' < 3 (off the scale: '?')"
    """
    mark = " < " if ordered else ", "
    shown = [repr(level) for level in levels]
    if len(shown) > most:
        shown = [*shown[: most - 1], "...", shown[-1]]
    aside = f" (off the scale: {', '.join(map(repr, off_scale))})" if off_scale else ""
    return mark.join(shown) + aside
