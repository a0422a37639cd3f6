"""Validate a batch against a schema: plain values are cast, Categoricals are checked as is."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from autotype.export.categoricals import cast_to_levels, join_columns, present_levels
from autotype.parsing.missing import with_plain_missing
from autotype.schema.level_checks import membership, register_checks
from autotype.schema.notes import notes_of
from autotype.schema.rule_levels import as_schema, levels_of, restore_levels

if TYPE_CHECKING:
    from pandera.pandas import Column, DataFrameModel, DataFrameSchema


def validate(
    frame: pd.DataFrame, schema: DataFrameSchema | type[DataFrameModel], *, lazy: bool = True
) -> pd.DataFrame:
    """Cast a batch to the schema's levels and validate it with pandera.

    Parameters
    ----------
    frame : pandas.DataFrame
        The batch. It is not changed.
    schema : pandera DataFrameSchema or DataFrameModel
        From `to_schema` or `read_schema`, or any other.
    lazy : bool
        Whether to collect all failures before raising, rather than to stop at the first.

    Returns
    -------
    pandas.DataFrame
        The batch with the schema's dtypes.

    Raises
    ------
    pandera.errors.SchemaErrors
        With ``lazy``: as `autotype.errors.BatchError`, whose text has a line for each failure and
        whose ``failure_cases`` name column, row, level and the expected levels.
    pandera.errors.SchemaError
        Without ``lazy``: the first failure, in pandera's words.
    TypeError
        If `schema` is neither.

    Notes
    -----
    Values that state no order are cast: texts and numbers, as in a CSV file, to the schema's
    categories, whole numbers to floats, and texts of dates to dates. A level that the schema does
    not hold stays, so that it fails under its own name rather than becoming missing. A Categorical
    states its levels and their order, and fails if these differ from the schema's. The exception
    is an unordered one in a column that was an unordered one when the schema was made: it is cast
    as plain values are, without its unused categories.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> day1 = pd.DataFrame({"size": ["M", "S", "L"] * 5})
    >>> schema = day1.ordinal.to_schema(day1.ordinal.infer_types())
    >>> validate(pd.DataFrame({"size": ["L", "S"]}), schema)["size"].max()
    'L'
    """
    from pandera.errors import SchemaErrors

    register_checks()
    schema = restore_levels(as_schema(schema))
    batch = cast_batch(frame, schema)
    with warnings.catch_warnings():
        # pandas 2 warns pandera of the tables of failures that it puts together.
        warnings.filterwarnings("ignore", "The behavior of DataFrame concat", FutureWarning)
        try:
            return schema.validate(batch, lazy=lazy)
        except SchemaErrors as failures:
            from autotype.schema.failures import BatchError

            raise BatchError(schema, failures.schema_errors, failures.data) from None


def cast_batch(frame: pd.DataFrame, schema: DataFrameSchema) -> pd.DataFrame:
    """Cast plain values to the schema's dtypes wherever nothing is lost."""
    rules, notes = _rules(frame, schema), notes_of(schema)
    cast = []
    for j, name in enumerate(frame.columns):
        values = with_plain_missing(frame.iloc[:, j])
        is_unordered = isinstance(values.dtype, pd.CategoricalDtype) and not values.cat.ordered
        is_plain = is_unordered and bool(notes.get(name, {}).get("unordered"))
        cast.append(_cast(values, rules.get(name), is_plain=is_plain))
    if not cast:
        return frame.copy()
    return join_columns(cast, frame.columns)


def _rules(frame: pd.DataFrame, schema: DataFrameSchema) -> Mapping[Hashable, Column]:
    """Return the rule of each column; rules of patterns are expanded."""
    rules: dict[Hashable, Column] = {}
    for name, rule in schema.columns.items():
        if rule.regex:
            rules |= dict.fromkeys(rule.get_regex_columns(frame), rule)
        else:
            rules[name] = rule
    return rules


def _cast(values: pd.Series, rule: Column | None, *, is_plain: bool) -> pd.Series:
    if rule is None:
        return values
    stated = levels_of(rule)
    if isinstance(values.dtype, pd.CategoricalDtype) and not (is_plain and stated):
        return values
    if stated is not None:
        return _cast_to_levels(values, *stated)
    dtype = getattr(rule.dtype, "type", None)
    if dtype is None:
        return values
    if isinstance(dtype, pd.CategoricalDtype):
        return values.astype("category")
    return values if _fits(values, rule.dtype) else _cast_without_loss(values, dtype)


def _fits(values: pd.Series, dtype: Any) -> bool:
    from pandera.engines.pandas_engine import Engine

    try:
        return bool(np.all(dtype.check(Engine.dtype(values.dtype), values)))
    except TypeError:  # a dtype that pandera does not know
        return False


def _cast_to_levels(values: pd.Series, levels: list[Any], ordered: bool) -> pd.Series:
    """Cast to a Categorical; levels that are not among `levels` stay, below the lowest."""
    known = membership(levels)
    try:
        unseen = [level for level in present_levels(values) if not known(level)]
        categories = [*unseen, *levels] if ordered else [*levels, *unseen]
        cast = cast_to_levels(values, categories, ordered=ordered)
    except (TypeError, ValueError, NotImplementedError):  # cells that no category can be
        return values
    return cast if _same_missing(cast, values) else values


def _same_missing(first: pd.Series, second: pd.Series) -> bool:
    return np.array_equal(np.asarray(first.isna()), np.asarray(second.isna()))


def _cast_without_loss(values: pd.Series, dtype: Any) -> pd.Series:
    """Cast if every value stays the same; otherwise return the column to fail as it is."""
    types = pd.api.types
    if types.is_bool_dtype(values.dtype) or types.is_bool_dtype(dtype):
        return values
    numbers = types.is_numeric_dtype(values.dtype) and types.is_numeric_dtype(dtype)
    texts = types.is_string_dtype(values.dtype) and (
        types.is_string_dtype(dtype) or types.is_datetime64_any_dtype(dtype)
    )
    moments = types.is_datetime64_any_dtype(values.dtype) and types.is_datetime64_any_dtype(dtype)
    if not (numbers or texts or moments):
        return values
    try:
        cast = values.astype(dtype)
        same = _same_missing(cast, values) and (
            types.is_string_dtype(values.dtype)
            or (cast == values).where(values.notna(), True).all()
        )
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return values
    return cast if same else values
