"""Cast the plain values of a batch to a schema's dtypes, and have pandera check it."""

from __future__ import annotations

import warnings
from collections.abc import Container, Hashable, Mapping
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

# What pandas infers of values, in a dtype of their own or as objects.
_KINDS = {
    "boolean": "boolean",
    **dict.fromkeys(("integer", "floating", "mixed-integer-float", "complex", "decimal"), "number"),
    **dict.fromkeys(("datetime64", "datetime", "date"), "moment"),
    **dict.fromkeys(("timedelta64", "timedelta"), "duration"),
    **{kind: kind for kind in ("time", "bytes")},
}
# Kinds of the objects in a column of a type; any kind in others.
_HELD = {
    "datetime": {"moment", "time"},
    "count": {"number"},
    "continuous": {"number", "duration"},
}


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
    notes = notes_of(schema) if any(map(_asks_note, columns, map(rules.get, frame.columns))) else {}
    cast = [
        _cast(values, rules.get(name), notes.get(name, {}))
        for name, values in zip(frame.columns, columns, strict=True)
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


def _asks_note(values: pd.Series, rule: Column | None) -> bool:
    stated = getattr(getattr(rule, "dtype", None), "type", None)
    return _is_unordered(values) or pd.api.types.is_object_dtype(stated)


def expand_rules(frame: pd.DataFrame, schema: DataFrameSchema) -> Mapping[Hashable, Column]:
    """Return the rule of each column; rules of patterns are expanded."""
    rules: dict[Hashable, Column] = {}
    for name, rule in schema.columns.items():
        if rule.regex:
            rules |= dict.fromkeys(rule.get_regex_columns(frame), rule)
        else:
            rules[name] = rule
    return rules


def _cast(values: pd.Series, rule: Column | None, note: Mapping[str, Any]) -> pd.Series:
    if rule is None:
        return values
    stated, dtype = levels_of(rule), getattr(rule.dtype, "type", None)
    if isinstance(values.dtype, pd.CategoricalDtype):
        is_plain = _is_unordered(values) and note.get("unordered")
        if not (is_plain and stated):
            return values
    if stated is not None:
        cast = _cast_to_levels(values, stated)
        # pandera takes the hash of a dtype: without one, a new level has to fail as a plain value.
        return cast if dtype is None or has_hash(cast.dtype) else cast.astype(object)
    if isinstance(dtype, pd.CategoricalDtype):
        return as_categorical(values)
    if dtype is None:
        return values
    if fits(values, rule.dtype):
        return values
    held = _HELD.get(note["column"].semantic_type) if note else None
    return _cast_without_loss(values, dtype, held or set(_KINDS.values()))


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


def _inferred(values: pd.Series) -> str:
    """Return what pandas infers of the values, "" for types that it does not know."""
    try:
        return pd.api.types.infer_dtype(values)
    except (TypeError, NotImplementedError):
        return ""


def _cast_without_loss(values: pd.Series, dtype: Any, held: Container[str]) -> pd.Series:
    """Cast if every value stays the same; otherwise return the column to fail as it is.

    Where objects are stated they may be of the kinds `held`: pandas holds as objects what other
    libraries have dtypes for, such as True beside None, dates and decimals.
    """
    types, inferred = pd.api.types, _inferred(values)
    kind = _KINDS.get(inferred)  # values of one kind may be cast to another dtype of it
    to_text = types.is_string_dtype(dtype)
    is_text = types.is_string_dtype(values.dtype if to_text else values)  # of objects all
    is_known = (
        kind in held
        if types.is_object_dtype(dtype)
        else kind is not None and kind == _KINDS.get(_inferred(pd.Series([], dtype=dtype)))
    )
    texts = is_text and (to_text or types.is_datetime64_any_dtype(dtype))
    no_value = values.dtype == object and values.isna().all()
    if not (is_known or texts or no_value):
        return values
    try:
        plain = values if texts else _as_native(values, inferred)
        cast, there = plain.astype(dtype), values.notna()
        # Numbers that wrap come back; moments and others of another unit are compared in their own.
        again = cast if kind == "number" else cast.astype(plain.dtype)
        is_same = is_text or (plain[there] == again[there]).all()
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return values
    return cast if is_same and _same_missing(cast, values) else values


def _as_native(values: pd.Series, inferred: str) -> pd.Series:
    """Return dates and objects in a dtype of pandas, and what it has none for as objects."""
    if inferred == "date":
        return values.astype("datetime64[us]")
    if isinstance(values.dtype, pd.ArrowDtype) and values.dtype.kind == "O":
        return values.astype(object)
    return values.convert_dtypes() if values.dtype == object else values
