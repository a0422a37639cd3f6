"""The check ``isin``: a column holds the values of a list, such as the two of a binary column."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from autotype.errors import UnwritableTypesError
from autotype.schema.checks.check import Arguments, SchemaCheck, Stated, Term
from autotype.schema.checks.column_views import Observed
from autotype.schema.checks.tool_values import (
    TIMES,
    kind_of_levels,
    plain_levels,
    sql_levels,
)
from autotype.schema.levels import levels_of
from autotype.types.codec.json_values import encode
from autotype.types.column_type import ColumnType
from autotype.types.levels import LevelSet, present_levels

_MAX_LEVELS = 2
# pointblank does not find booleans, nor dates in YAML, among those of a column.
_NOT_IN_POINTBLANK = ("boolean", *TIMES)


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
        is_number = kind_of_levels(levels) in ("integer", "number", "boolean")
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
    return sorted(allowed, key=str) if plain and 1 <= len(allowed) <= _MAX_LEVELS else None


def _are_all_in(values: pd.Series, allowed: list[Any]) -> bool:
    """Check whether pandas finds a column's values; it fails at the largest ones of Arrow."""
    try:
        return bool(values.dropna().isin(allowed).all())
    except (OverflowError, TypeError, ValueError):
        return False
