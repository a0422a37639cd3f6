"""Cast the plain values of a batch to a schema's dtypes, and have pandera check it."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from pandera.engines.pandas_engine import Engine
from pandera.errors import SchemaErrors
from pandera.pandas import Column, DataFrameSchema

from autotype.schema.batches.failures import batch_error
from autotype.schema.levels import as_categorical, levels_of, membership
from autotype.schema.notes import notes_of
from autotype.types.arrow_array import NULLABLE, with_plain_missing
from autotype.types.column_names import plain_names
from autotype.types.levels import (
    LevelSet,
    cast_to_levels,
    codes_of,
    join_columns,
    mixes_equals,
    unseen_levels,
)
from autotype.types.nan_equality import has_hash


def check_batch(batch: pd.DataFrame, schema: DataFrameSchema, *, lazy: bool) -> pd.DataFrame:
    """Validate a batch that has been cast.

    Raises
    ------
    BatchError
        With ``lazy``: all failures.
    pandera.errors.SchemaError
        Without ``lazy``: the first one.
    """
    with warnings.catch_warnings():
        # pandas 2 warns pandera of the tables of failures that it puts together.
        warnings.filterwarnings("ignore", "The behavior of DataFrame concat", FutureWarning)
        # It looks columns up by name, also in labels of several levels that are not sorted.
        warnings.filterwarnings("ignore", "indexing past lexsort", pd.errors.PerformanceWarning)
        try:
            with np.errstate(over="ignore"):  # a small float of NumPy beside a large number
                return schema.validate(batch, lazy=lazy)
        except SchemaErrors as failures:
            raise batch_error(schema, failures.schema_errors, failures.data) from None


def cast_batch(frame: pd.DataFrame, schema: DataFrameSchema) -> pd.DataFrame:
    """Cast plain values to the schema's dtypes wherever nothing is lost."""
    rules = expand_rules(frame, schema)
    columns = [with_plain_missing(frame.iloc[:, j]) for j in range(frame.shape[1])]
    unordered = [_is_unordered(values) for values in columns]
    notes = notes_of(schema) if any(unordered) else {}
    cast = [
        _cast(
            values, rules.get(name), is_plain=is_one and bool(notes.get(name, {}).get("unordered"))
        )
        for name, values, is_one in zip(frame.columns, columns, unordered, strict=True)
    ]
    if not cast:
        return frame.copy()
    return join_columns(cast, plain_names(frame.columns))


def plain_values(values: pd.Series) -> pd.Series:
    """Return an unordered Categorical as plain values: most libraries use it as mere storage.

    Examples
    --------
    >>> plain_values(pd.Series(["a", "b"], dtype="category")).dtype == pd.Series(["a"]).dtype
    True
    """
    if not _is_unordered(values):
        return values
    dtype = values.cat.categories.dtype
    nullable = NULLABLE.get(str(dtype)) if values.hasnans else None
    return values.astype(dtype) if nullable is None else values.astype(object).astype(nullable)


def _is_unordered(values: pd.Series) -> bool:
    return isinstance(values.dtype, pd.CategoricalDtype) and not values.cat.ordered


def expand_rules(frame: pd.DataFrame, schema: DataFrameSchema) -> Mapping[Hashable, Column]:
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
    stated, dtype = levels_of(rule), getattr(rule.dtype, "type", None)
    if isinstance(values.dtype, pd.CategoricalDtype) and not (is_plain and stated):
        return values
    if stated is not None:
        cast = _cast_to_levels(values, stated)
        # pandera takes the hash of a dtype: without one, a new level has to fail as a plain value.
        return cast if dtype is None or has_hash(cast.dtype) else cast.astype(object)
    if isinstance(dtype, pd.CategoricalDtype):
        return as_categorical(values)
    if dtype is None:
        return values
    return values if fits(values, rule.dtype) else _cast_without_loss(values, dtype)


def fits(values: pd.Series, dtype: Any) -> bool:
    """Check whether a column has a rule's dtype."""
    try:
        return bool(np.all(dtype.check(Engine.dtype(values.dtype), values)))
    except TypeError:  # a dtype that pandera does not know
        return False


def _cast_to_levels(values: pd.Series, stated: LevelSet) -> pd.Series:
    """Cast to a Categorical; levels that are not stated stay, below the lowest."""
    known = membership(stated.categories)
    try:
        read = codes_of(values)
        unseen, levels = unseen_levels(read, known), list(stated.categories)
        categories = [*unseen, *levels] if stated.ordered else [*levels, *unseen]
        cast = cast_to_levels(values, categories, ordered=stated.ordered, read=read)
    except (TypeError, ValueError, NotImplementedError):  # cells that no category can be
        return values
    is_kept = _same_missing(cast, values) and not mixes_equals(values, read[1])
    return cast if is_kept else values


def _same_missing(first: pd.Series, second: pd.Series) -> bool:
    return np.array_equal(np.asarray(first.isna()), np.asarray(second.isna()))


def _kind_of(dtype: Any) -> str | None:
    """Return what the values of a dtype are, where one kind may be cast to another dtype of it."""
    types = pd.api.types
    if types.is_bool_dtype(dtype):
        return "boolean"
    if types.is_numeric_dtype(dtype):
        return "number"
    if types.is_datetime64_any_dtype(dtype):
        return "moment"
    return "duration" if getattr(dtype, "kind", "") == "m" else None


def _cast_without_loss(values: pd.Series, dtype: Any) -> pd.Series:
    """Cast if every value stays the same; otherwise return the column to fail as it is."""
    given, types = values, pd.api.types
    if values.dtype == object and not types.is_string_dtype(dtype):
        values = values.convert_dtypes()  # Python's own numbers, booleans or moments
    kind, stated = _kind_of(values.dtype), _kind_of(dtype)
    texts = types.is_string_dtype(values.dtype) and (
        types.is_string_dtype(dtype) or types.is_datetime64_any_dtype(dtype)
    )
    no_value = values.dtype == object and values.isna().all()
    # True beside None, in pandas alone.
    boxed = types.is_object_dtype(dtype) and kind == "boolean"
    is_of_kind = kind is not None and kind == stated
    if not (is_of_kind or texts or no_value or boxed):
        return given
    try:
        cast, held = values.astype(dtype), values.notna()
        is_same = types.is_string_dtype(values.dtype) or (values[held] == cast[held]).all()
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return given
    return cast if is_same and _same_missing(cast, values) else given
