"""Validate a batch against a schema: plain values are cast, Categoricals taken at their word."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from autotype.export.categoricals import cast_to_levels, present_levels
from autotype.export.json_values import decode
from autotype.schema.build import category_dtype
from autotype.schema.level_checks import CATEGORICAL, ORDINAL, membership

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
        With ``lazy``: as `autotype.schema.failures.BatchError`, whose text has a line for each
        thing that is wrong and whose ``failure_cases`` name column, row, level and the levels
        expected.
    pandera.errors.SchemaError
        Without ``lazy``: the first failure, as pandera words it.
    TypeError
        If `schema` is neither.

    Notes
    -----
    What says nothing of an order is cast: texts and numbers, as a CSV file gives them, to the
    schema's categories, whole numbers to floats, and texts of dates to dates. A level that the
    schema does not hold stays, so that it fails under its own name rather than becoming missing.
    A Categorical says which levels it has and in which order, and fails where that is not what
    the schema says.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> day1 = pd.DataFrame({"size": ["M", "S", "L"] * 5})
    >>> schema = day1.ordinal.to_schema(day1.ordinal.infer_types())
    >>> validate(pd.DataFrame({"size": ["L", "S"]}), schema)["size"].max()
    'L'
    """
    from pandera.errors import SchemaErrors

    schema = restore_levels(as_schema(schema))
    batch = cast_batch(frame, schema)
    try:
        return schema.validate(batch, lazy=lazy)
    except SchemaErrors as failures:
        from autotype.schema.failures import BatchError

        raise BatchError(schema, failures.schema_errors, failures.data) from None


def as_schema(schema: Any) -> DataFrameSchema:
    """Give a DataFrameModel as the DataFrameSchema that it stands for."""
    from pandera.pandas import DataFrameModel, DataFrameSchema

    if isinstance(schema, DataFrameSchema):
        return schema
    if isinstance(schema, type) and issubclass(schema, DataFrameModel):
        return schema.to_schema()
    raise TypeError(
        f"expected a pandera DataFrameSchema or DataFrameModel, got {type(schema).__qualname__}; "
        "autotype.read_schema(path) reads one from a file"
    )


def restore_levels(schema: DataFrameSchema) -> DataFrameSchema:
    """Give a schema with the levels in its dtypes where only its checks hold them.

    That is so where pandera itself read the schema from YAML; the given schema is not changed.
    """
    from pandera.dtypes import Category

    restored = copy.deepcopy(schema)
    for rule in restored.columns.values():
        found = levels_of(rule)
        if found is not None and isinstance(rule.dtype, Category):
            dtype = category_dtype(found[0], ordered=found[1])
            rule.dtype = rule.dtype if dtype is None else dtype
    return restored


def cast_batch(frame: pd.DataFrame, schema: DataFrameSchema) -> pd.DataFrame:
    """Cast plain values to what the schema says, wherever nothing is lost."""
    rules = _rules(frame, schema)
    cast = [_cast(frame.iloc[:, j], rules.get(name)) for j, name in enumerate(frame.columns)]
    if not cast:
        return frame.copy()
    batch = pd.concat(cast, axis=1)
    batch.columns = frame.columns
    return batch


def _rules(frame: pd.DataFrame, schema: DataFrameSchema) -> Mapping[Hashable, Column]:
    """Give the rule of each column; those of patterns too."""
    rules: dict[Hashable, Column] = {}
    for name, rule in schema.columns.items():
        if rule.regex:
            rules |= dict.fromkeys(rule.get_regex_columns(frame), rule)
        else:
            rules[name] = rule
    return rules


def levels_of(rule: Column) -> tuple[list[Any], bool] | None:
    """Give the levels that a column's rule calls for, and whether they are ordered.

    The dtype says so, or the check where the dtype was read from plain YAML; None where neither
    does.
    """
    from pandera.dtypes import Category

    if isinstance(rule.dtype, Category) and rule.dtype.categories is not None:
        return list(rule.dtype.categories), bool(rule.dtype.ordered)
    for check, said in level_statistics(rule):
        if check == ORDINAL:
            return [*said["off_scale"], *said["order"]], True
        return said["levels"], False
    return None


def level_statistics(rule: Column) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    """Give name and decoded statistics of a rule's checks of levels."""
    for check in rule.checks:
        if check.name in (ORDINAL, CATEGORICAL):
            yield (
                check.name,
                {
                    key: [decode(level) for level in levels or ()]
                    for key, levels in check.statistics.items()
                },
            )


def _cast(values: pd.Series, rule: Column | None) -> pd.Series:
    if rule is None or isinstance(values.dtype, pd.CategoricalDtype):
        return values
    found = levels_of(rule)
    if found is not None:
        return _cast_to_levels(values, *found)
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
        strangers = [level for level in present_levels(values) if not known(level)]
        categories = [*strangers, *levels] if ordered else [*levels, *strangers]
        cast = cast_to_levels(values, categories, ordered=ordered)
    except (TypeError, ValueError, NotImplementedError):  # cells that no category can be
        return values
    return cast if _same_missing(cast, values) else values


def _same_missing(first: pd.Series, second: pd.Series) -> bool:
    return np.array_equal(np.asarray(first.isna()), np.asarray(second.isna()))


def _cast_without_loss(values: pd.Series, dtype: Any) -> pd.Series:
    """Cast where every value stays what it is; leave all others to fail as they are."""
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
