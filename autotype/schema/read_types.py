"""Types from a schema: what its dtypes, checks and metadata say of each column."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from autotype.column_type import ColumnType, SemanticType
from autotype.export.json_values import decode
from autotype.schema.build import METADATA_KEY
from autotype.schema.level_checks import ORDINAL
from autotype.schema.validate import as_schema, level_statistics, levels_of
from autotype.type_report import TypeReport

if TYPE_CHECKING:
    from pandera.pandas import Column, DataFrameModel, DataFrameSchema

_REASON = "A schema says so."


def types_from_schema(schema: DataFrameSchema | type[DataFrameModel]) -> TypeReport:
    """Give the types that a schema states.

    Parameters
    ----------
    schema : pandera DataFrameSchema or DataFrameModel
        From `to_schema` or `read_schema`, or any other.

    Returns
    -------
    TypeReport
        One column for each of the schema's, in its order; levels without counts. Of a schema
        that we did not make: an ordered Category is ordinal, another one categorical (binary if
        it has two levels), truth values are binary, floats continuous, whole numbers counts,
        unique columns identifiers, and texts text; ``undetermined`` where the dtype is not said.

    Examples
    --------
    >>> import pandera.pandas as pa
    >>> sizes = pa.Column(pa.Category(["S", "M", "L"], ordered=True))
    >>> types_from_schema(pa.DataFrameSchema({"size": sizes}))["size"].order
    ('S', 'M', 'L')
    """
    rules = as_schema(schema)
    # pandera leaves a model's metadata behind when it makes a schema of it.
    said = _said(rules.metadata or getattr(getattr(schema, "Config", None), "metadata", None))
    columns = [_column(name, rule, said.get(name)) for name, rule in rules.columns.items()]
    return TypeReport(columns)


def _said(metadata: Any) -> dict[Hashable, Mapping[str, Any]]:
    """Give what `to_schema` noted of each column, by name."""
    notes = metadata.get(METADATA_KEY) if isinstance(metadata, Mapping) else None
    if not isinstance(notes, list):
        return {}
    return {decode(note["name"]): note for note in notes}


def _column(name: Hashable, rule: Column, note: Mapping[str, Any] | None) -> ColumnType:
    found = levels_of(rule)
    levels, ordered = found if found is not None else ([], False)
    semantic_type = note["semantic_type"] if note is not None else _by_dtype(rule, levels, ordered)
    off_scale = next(
        (tuple(said["off_scale"]) for check, said in level_statistics(rule) if check == ORDINAL), ()
    )
    order = tuple(level for level in levels if level not in off_scale) if ordered else None
    return ColumnType(
        name=name,
        semantic_type=semantic_type,
        probability=1.0 if ordered else math.nan,
        order=order,
        best_order=order,
        order_probability=1.0 if ordered else math.nan,
        direction_known=ordered and (note is None or bool(note["direction_known"])),
        levels=dict.fromkeys(levels, 0),
        n_levels=len(levels),
        off_scale=off_scale,
        reasons=(_REASON,),
    )


def _by_dtype(rule: Column, levels: list[Any], ordered: bool) -> SemanticType:
    from pandera import dtypes

    dtype = rule.dtype
    if levels or isinstance(dtype, dtypes.Category):
        if ordered:
            return "ordinal"
        return "binary" if len(levels) == 2 else "categorical"
    if rule.unique:
        return "identifier"
    by_class: list[tuple[Any, SemanticType]] = [
        (dtypes.Bool, "binary"),
        (dtypes.Int, "count"),
        (dtypes.UInt, "count"),
        (dtypes.Float, "continuous"),
        (dtypes.Decimal, "continuous"),
        (dtypes.DateTime, "datetime"),
        (dtypes.Timestamp, "datetime"),
        (dtypes.Timedelta, "datetime"),
        (dtypes.Date, "datetime"),
        (dtypes.String, "text"),
    ]
    return next((name for kind, name in by_class if isinstance(dtype, kind)), "undetermined")
