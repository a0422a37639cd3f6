"""What a rule of pandera requires besides its checks: presence, dtype, missing values, uniqueness.

pandera holds them as arguments of a column and reports them by codes of its own. Here they are
checks like all others.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from pandera.engines.pandas_engine import Engine
from pandera.pandas import Category

from autotype.lexicon.dates import are_dates
from autotype.schema.checks.check import (
    Arguments,
    SchemaCheck,
    Stated,
    Term,
    list_cases,
    list_values,
    locate,
)
from autotype.schema.checks.column_views import Observed
from autotype.schema.checks.tool_values import TIMES, kind_of_dtype, kind_of_levels
from autotype.schema.levels import as_categorical, category_dtype, levels_of
from autotype.types.column_type import ColumnType
from autotype.types.nan_equality import has_hash


class ColumnRule(SchemaCheck):
    """A check that pandera holds as an argument of a column, by default as a boolean.

    Attributes
    ----------
    reasons : tuple of str
        The codes of pandera's errors about it.
    option, required : str, bool
        The argument of pandera's column, and its value where something is required; an empty
        string if it is an argument of the schema.
    remedy : str
        The sentence after the column's name. It may hold ``{rows}`` or ``{cases}``.
    """

    reasons: tuple[str, ...] = ()
    option = ""
    required = True
    remedy = ""

    def options(self, observed: Observed) -> dict[str, Any]:
        """Return the arguments of pandera's column."""
        return {self.option: getattr(observed, self.option)} if self.option else {}

    def of_rule(self, rule: Any) -> Arguments | None:
        """Return no arguments if the rule requires it."""
        return {} if self.option and bool(getattr(rule, self.option)) == self.required else None

    def sentence(self, where: str, error: Any, values: pd.Series | None) -> str:
        """Return the remedy, with the cases or where they are."""
        cases = error.failure_cases
        if "{cases}" in self.remedy:
            return f"{where} {self.remedy.format(cases=list_cases(cases) or 'missing ones')}"
        return f"{where} {self.remedy.format(rows=locate(cases))}"


class Present(ColumnRule):
    """Every column of a schema or a report must be there, unless it is optional."""

    name = "present"
    reasons = ("COLUMN_NOT_IN_DATAFRAME",)
    option = "required"
    remedy = "is missing; add it, or remove it from the schema"
    expected, step = "expect_column_to_exist", "col_exists"

    def of_type(self, column: ColumnType) -> Arguments | None:
        """Return no arguments: a column that has a type is there."""
        return {}


class InSchema(ColumnRule):
    """A strict schema holds every column of a batch."""

    name = "in_schema"
    reasons = ("COLUMN_NOT_IN_SCHEMA",)
    remedy = "is not in the schema; remove it, or add it to the schema"


class NotNull(ColumnRule):
    """A column without missing values keeps to it."""

    name = "not_null"
    reasons = ("SERIES_CONTAINS_NULLS",)
    option, required = "nullable", False
    remedy = "has missing values{rows}; fill them in, or allow them (nullable)"
    sql, dbt = "NOT NULL", "not_null"
    expected, step = "expect_column_values_to_not_be_null", "col_vals_not_null"


class Unique(ColumnRule):
    """Identifiers do not repeat."""

    name = "unique"
    reasons = ("SERIES_CONTAINS_DUPLICATES",)
    option = "unique"
    remedy = "repeats values: {cases}"
    sql, dbt = "UNIQUE", "unique"
    expected = "expect_column_values_to_be_unique"

    def as_pointblank(self, name: str, stated: Stated) -> Term:
        """Return the step, which calls the column otherwise."""
        return {"rows_distinct": {"columns_subset": [name]}}


class HasDtype(ColumnRule):
    """A column keeps its dtype; those that are cast have the categories of their levels."""

    name = "dtype"
    reasons = ("WRONG_DATATYPE", "DATATYPE_COERCION")
    follows_from = ("is_ordinal", "is_categorical")

    def options(self, observed: Observed) -> dict[str, Any]:
        """Return pandera's dtype."""
        if not observed.is_categorical:  # a dtype without values means nothing
            is_kept = observed.is_plain and not observed.becomes_numbers
            return {"dtype": _engine_dtype(observed.values) if is_kept else None}
        levels = observed.levels
        if levels is None:
            # Whether a dtype has a hash depends on the order of its levels; a batch has another.
            as_cast = as_categorical(observed.values.astype(object))
            known = has_hash(observed.values.dtype) and as_cast.dtype != object
            return {"dtype": Category() if known else None}
        return {"dtype": category_dtype(levels.categories, ordered=levels.ordered)}

    def of_type(self, column: ColumnType) -> Arguments | None:
        """Return the kind of the values, if the type lists them."""
        return {"kind": kind_of_levels(list(column.levels))} if column.levels else None

    def of_rule(self, rule: Any) -> Arguments | None:
        """Return the kind of values of a dtype, unless it states levels."""
        if rule.dtype is None or levels_of(rule) is not None:
            return None
        return {"kind": kind_of_dtype(rule.dtype)}

    def sentence(self, where: str, error: Any, values: pd.Series | None) -> str:
        """Return the dtype and the expected one, or what pandera could not cast."""
        if error.reason_code.name != "WRONG_DATATYPE":
            return SchemaCheck.sentence(self, where, error, values)
        got = error.failure_cases if values is None else values.dtype
        text = f"{where} has the dtype {got}, expected {error.schema.dtype}"
        if values is not None and kind_of_dtype(error.schema.dtype) in TIMES:
            cells = values[
                values.notna() & values.map(lambda cell: isinstance(cell, str)).astype(bool)
            ]
            if 0 < len(strays := cells[~are_dates(cells)]) < len(cells):
                cases = pd.DataFrame({"failure_case": strays, "index": strays.index})
                return f"{text}, as {list_values(cases)} is no date; correct it"
        return f"{text}; cast or correct it"


COLUMN_RULES = (Present(), InSchema(), HasDtype(), NotNull(), Unique())


def _engine_dtype(values: pd.Series) -> Any:
    """Return pandera's dtype of a column, or None if it does not survive YAML."""
    with warnings.catch_warnings(action="ignore"):  # pandera's, about dtypes it does not know
        try:
            dtype = Engine.dtype(values.dtype)
            again = Engine.dtype(str(dtype))
            fits = np.all(np.asarray(again.check(Engine.dtype(values.dtype), values)))
        except Exception:  # whatever a foreign dtype raises: the column goes without
            return None
    return again if fits else None
