"""Read column types from the dtypes, checks and metadata of a pandera schema."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

from pandera import dtypes
from pandera.pandas import Column, DataFrameModel, DataFrameSchema

from autotype.errors import UnreadableTypesError
from autotype.schema.checks.tool_values import Kind, kind_of_dtype
from autotype.schema.levels import as_schema, levels_of
from autotype.schema.notes import notes_of
from autotype.types.column_type import ColumnType, SemanticType
from autotype.types.levels import LevelSet

# What is taken of a column from its note, where there is one.
_NOTED = (
    "semantic_type", "probability", "order_probability", "partial_order", "provenance", "note",
)  # fmt: skip
_TYPES: dict[Kind, SemanticType] = {
    "boolean": "binary",
    "integer": "count",
    "large integer": "count",
    "number": "continuous",
    "datetime": "datetime",
    "zoned datetime": "datetime",
    "text": "text",
}


def columns_from_schema(schema: DataFrameSchema | type[DataFrameModel]) -> list[ColumnType]:
    """Read the types that a schema states.

    Parameters
    ----------
    schema : pandera DataFrameSchema or DataFrameModel
        From `to_schema` or `read_schema`, or any other.

    Returns
    -------
    list of ColumnType
        One for each column of the schema, in its order; levels without counts. A schema of
        `to_schema` also holds who decided on a type, how sure it is, and the note. Of any other
        schema: an ordered Category is ordinal, another one categorical (binary if it has two
        levels), booleans are binary, floats continuous, integers counts, unique columns
        identifiers, and strings text; ``undetermined`` without a dtype.

    Raises
    ------
    UnreadableTypesError
        If its levels, or the metadata that `to_schema` stores, are damaged.

    Examples
    --------
    >>> import pandera.pandas as pa
    >>> sizes = pa.Column(pa.Category(["S", "M", "L"], ordered=True))
    >>> columns_from_schema(pa.DataFrameSchema({"size": sizes}))[0].order
    ('S', 'M', 'L')
    """
    rules = as_schema(schema)
    notes = notes_of(rules)
    columns = []
    for name, rule in rules.columns.items():
        try:
            columns.append(_column(name, rule, notes.get(name)))
        except (TypeError, ValueError) as problem:
            raise UnreadableTypesError(
                f"the schema's levels of column {name!r} are damaged: {problem}; correct them, or "
                "write the schema again"
            ) from problem
    return columns


def _column(name: Hashable, rule: Column, note: Mapping[str, Any] | None) -> ColumnType:
    levels = levels_of(rule) or LevelSet(())
    order = levels.on_scale if levels.ordered else None
    sure = math.nan if order is None else 1.0
    by_dtype = ColumnType(
        name,
        _by_dtype(rule, levels),
        probability=sure,
        order_probability=sure,
        direction_known=True,
        provenance="known",
    )
    noted = by_dtype if note is None else note["column"]
    return replace(
        by_dtype,
        **{key: getattr(noted, key) for key in _NOTED},
        order=order,
        best_order=order,
        direction_known=levels.ordered and noted.direction_known,
        levels=dict.fromkeys(levels.categories, 0),
        n_levels=len(levels.categories),
        off_scale=levels.off_scale if levels.ordered else noted.off_scale,
        reasons=("Stated by a schema.",),
    )


def _by_dtype(rule: Column, levels: LevelSet) -> SemanticType:
    dtype = rule.dtype
    if levels.categories or isinstance(dtype, dtypes.Category):
        if levels.ordered:
            return "ordinal"
        return "binary" if len(levels.categories) == 2 else "categorical"
    if rule.unique:
        return "identifier"
    kind = kind_of_dtype(dtype)
    if kind is not None:
        return _TYPES[kind]
    is_time = isinstance(dtype, (dtypes.Timedelta, dtypes.Date))
    return "datetime" if is_time else "undetermined"
