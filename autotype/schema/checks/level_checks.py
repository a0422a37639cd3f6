"""The checks of levels: ``is_categorical`` and ``is_ordinal`` of a Categorical, ``isin`` of values.

The levels of ``is_categorical`` may be in any order, and those of ``is_ordinal`` are in this one.
Once registered they are ``Check.is_ordinal(order=[...])`` in a schema of pandera and
``Field(is_ordinal=[...])`` in a model, and pandera writes them to YAML with their levels, unlike
the categories of a dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnwritableTypesError
from autotype.schema.checks.check import Arguments, SchemaCheck, Stated, Term, list_values
from autotype.schema.checks.column_views import Observed
from autotype.schema.checks.tool_values import TIMES, kind_of_levels, plain_levels, sql_levels
from autotype.schema.levels import (
    CATEGORICAL,
    ORDINAL,
    as_statistic,
    format_levels,
    level_key,
    levels_of,
    membership,
)
from autotype.types.codec.json_values import decode, encode
from autotype.types.column_type import ColumnType
from autotype.types.levels import LevelSet, codes_of, mixes_equals, present_levels

_MAX_LISTED = 12
_MOST_IN_LIST = 2  # levels
# pointblank does not find booleans, nor dates in YAML, among those of a column.
_NOT_IN_POINTBLANK = ("boolean", *TIMES)
_NEW_LEVEL = "correct the value, or infer the types of a frame that holds it and write a new schema"


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
    return has_levels(values, list(map(decode, levels)), ordered=False)


def has_levels(values: pd.Series, expected: list[Any], *, ordered: bool) -> pd.Series | bool:
    """Check rows for unseen levels, and if there are none the categories of the dtype."""
    known = _at_known(values, membership(expected))
    if not known.all():
        return pd.Series(known, index=values.index)
    if not isinstance(values.dtype, pd.CategoricalDtype) or values.cat.ordered != ordered:
        return False
    levels, keys = map(level_key, values.cat.categories.tolist()), map(level_key, expected)
    return list(levels) == list(keys) if ordered else set(levels) == set(keys)


def _at_known(values: pd.Series, known: Callable[[Any], bool]) -> np.ndarray:
    """Check for each row that its level is known, or missing; each level is looked up once."""
    try:
        codes, levels = codes_of(values)
        by_cell = mixes_equals(values, levels)
    except (TypeError, NotImplementedError):  # cells without hash
        by_cell = True
    if by_cell:
        flags = [known(cell) for cell in values]
        return values.isna().to_numpy(dtype=bool) | np.array(flags, dtype=bool)
    return np.array([*map(known, levels), True])[codes]


class LevelCheck(SchemaCheck):
    """A check that lists the values of a column; its argument is ``levels``, a LevelSet."""

    def as_sql(self, name: str, stated: Stated) -> str | None:
        """Return a CHECK constraint."""
        return f"CHECK ({name} IN ({sql_levels(stated[self.name]['levels'].categories)}))"

    def as_dbt(self, stated: Stated) -> Term:
        """Return ``accepted_values``."""
        levels = stated[self.name]["levels"].categories
        # dbt puts strings between single quotes as they are.
        quoted = [v.replace("'", "''") if isinstance(v, str) else v for v in plain_levels(levels)]
        is_number = kind_of_levels(levels) not in (None, "text", *TIMES)
        options = {"quote": False} if is_number else {}
        return {"accepted_values": {"arguments": {"values": quoted, **options}}}

    def as_expectation(self, stated: Stated) -> Term:
        """Return ``expect_column_values_to_be_in_set``, with the order in the meta data."""
        levels = stated[self.name]["levels"]
        if kind_of_levels(levels.categories) in TIMES:  # JSON holds no dates
            return None
        listed = plain_levels(levels.categories)
        kind = "expect_column_values_to_be_in_set"
        meta = {"meta": {"order": plain_levels(levels.on_scale)}} if levels.ordered else {}
        return {"type": kind, "kwargs": {"value_set": listed}, **meta}

    def as_pointblank(self, name: str, stated: Stated) -> Term:
        """Return ``col_vals_in_set``."""
        levels = stated[self.name]["levels"].categories
        if kind_of_levels(levels) in _NOT_IN_POINTBLANK:
            return None
        missing = [] if "not_null" in stated else [None]
        return {"col_vals_in_set": {"columns": [name], "set": [*plain_levels(levels), *missing]}}


class IsCategorical(LevelCheck):
    """Made of the columns that are cast to unordered Categoricals, if their levels are known."""

    name = CATEGORICAL
    function: Any = staticmethod(is_categorical)
    statistics: tuple[str, ...] = ("levels",)
    ordered = False

    def observe(self, observed: Observed) -> Arguments | None:
        """Return the levels of the dtype as the function takes them."""
        stated = self._stated(observed.levels)
        return stated and self.encoded(stated["levels"])

    def encoded(self, levels: LevelSet) -> Arguments:
        """Return the function's arguments."""
        return {"levels": list(map(as_statistic, levels.categories))}

    def expectation(self, arguments: Arguments) -> str:
        """Return the check's message."""
        levels = LevelSet(tuple(map(decode, arguments["levels"])))
        return f"levels must be {format_levels(levels)}, without order"

    def of_type(self, column: ColumnType) -> Arguments | None:
        """Return the levels with which the column is cast."""
        levels = column.level_set
        return self._stated(levels) if levels and column.is_cast(levels.categories) else None

    def of_rule(self, rule: Any) -> Arguments | None:
        """Return the levels of a rule's dtype or check."""
        return self._stated(levels_of(rule))

    def _stated(self, levels: LevelSet | None) -> Arguments | None:
        if levels is None or levels.ordered != self.ordered or not levels.categories:
            return None
        return {"levels": levels}

    def failure_cases(self, error: Any, values: pd.Series | None) -> Any:
        """Return rows of unseen levels, or the levels of the batch in the schema's format."""
        if isinstance(error.failure_cases, pd.DataFrame):
            return error.failure_cases
        if values is None:
            return ""
        if not isinstance(values.dtype, pd.CategoricalDtype):
            return f"{values.dtype} without levels"
        ordered = bool(values.cat.ordered)
        levels = format_levels(LevelSet(tuple(values.cat.categories.tolist()), ordered=ordered))
        return levels if ordered else f"{levels} (without order)"

    def sentence(self, where: str, error: Any, values: pd.Series | None) -> str:
        """Return the unseen levels, or the levels of the batch and those expected."""
        cases, stated = error.failure_cases, levels_of(error.schema) or LevelSet(())
        expected = format_levels(stated)
        if isinstance(cases, pd.DataFrame):
            found = list_values(cases, "level ")
            return f"{where} holds {found}, not among {expected}; {_NEW_LEVEL}"
        levels = list(stated.categories)
        listed = repr(levels) if len(levels) <= _MAX_LISTED else "levels"
        return (
            f"{where} has the levels {cases}, expected {expected}; "
            f"set them with .cat.set_categories({listed}, ordered={stated.ordered})"
        )


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
    return has_levels(values, expected, ordered=True)


class IsOrdinal(IsCategorical):
    """Made of ordinal columns; all else is as of a column without order."""

    name = ORDINAL
    function = staticmethod(is_ordinal)
    statistics = ("order", "off_scale")
    ordered = True

    def encoded(self, levels: LevelSet) -> Arguments:
        """Return the function's arguments."""
        off_scale = list(map(as_statistic, levels.off_scale))
        return {"order": list(map(as_statistic, levels.on_scale)), "off_scale": off_scale or None}

    def expectation(self, arguments: Arguments) -> str:
        """Return the check's message."""
        order, off_scale = arguments["order"], arguments["off_scale"] or ()
        levels = LevelSet(tuple(map(decode, order)), tuple(map(decode, off_scale)), ordered=True)
        return f"levels must be {format_levels(levels)}, in this order"


class IsIn(LevelCheck):
    """pandera's own; made of constant columns, and of binary ones that keep their dtype."""

    name = "isin"

    def observe(self, observed: Observed) -> Arguments | None:
        """Return the values that occur."""
        if not observed.is_plain or observed.column.semantic_type not in ("constant", "binary"):
            return None
        allowed = _allowed(present_levels(observed.values))
        if allowed is None or not _are_all_in(observed.values, allowed):
            return None
        return {"allowed_values": allowed}

    def of_type(self, column: ColumnType) -> Arguments | None:
        """Return the levels of a column that keeps its dtype."""
        levels = column.level_set
        if levels is None or column.is_cast(levels.categories):
            return None
        allowed = _allowed(levels.categories)
        return None if allowed is None else {"levels": LevelSet(tuple(allowed))}

    def of_rule(self, rule: Any) -> Arguments | None:
        """Return the values of a rule whose dtype and other checks state no levels."""
        stated = super().of_rule(rule) if levels_of(rule) is None else None
        return stated and {"levels": LevelSet(tuple(stated["allowed_values"]))}


def _allowed(levels: Iterable[Any]) -> list[Any] | None:
    """Return one or two levels as a schema's file can hold them, otherwise None."""
    try:
        allowed = [encode(level) for level in levels]
    except UnwritableTypesError:  # cells of a class that a schema's file cannot hold
        return None
    plain = not any(isinstance(level, (dict, list)) for level in allowed)
    return sorted(allowed, key=str) if plain and 1 <= len(allowed) <= _MOST_IN_LIST else None


def _are_all_in(values: pd.Series, allowed: list[Any]) -> bool:
    """Check whether pandas finds a column's values; it fails at the largest ones of Arrow."""
    try:
        return bool(values.dropna().isin(allowed).all())
    except (OverflowError, TypeError, ValueError):
        return False
