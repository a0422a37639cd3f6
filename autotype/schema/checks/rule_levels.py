"""The levels that the columns of a pandera schema state."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autotype.schema.checks.level_checks import CATEGORICAL, ORDINAL
from autotype.types.codec.json_values import decode_hashable

if TYPE_CHECKING:
    from pandera.pandas import Column, DataFrameSchema


def as_schema(schema: Any) -> DataFrameSchema:
    """Return a schema as a DataFrameSchema; a DataFrameModel is converted."""
    from pandera.pandas import DataFrameModel, DataFrameSchema

    if isinstance(schema, DataFrameSchema):
        return schema
    if isinstance(schema, type) and issubclass(schema, DataFrameModel):
        converted = schema.to_schema()
        # pandera does not copy a model's metadata to the schema that it makes of it.
        converted.metadata = converted.metadata or getattr(schema.Config, "metadata", None)
        return converted
    raise TypeError(
        f"expected a pandera DataFrameSchema or DataFrameModel, got {type(schema).__qualname__}; "
        "autotype.read_schema(path) reads one from a file"
    )


def levels_of(rule: Column) -> tuple[list[Any], bool] | None:
    """Return the levels that a column's rule states, and whether they are ordered.

    They are those of the dtype, or of the check if pandera itself read the rule from YAML; None
    if neither states levels.
    """
    from pandera.dtypes import Category

    if isinstance(rule.dtype, Category) and rule.dtype.categories is not None:
        return list(rule.dtype.categories), bool(rule.dtype.ordered)
    for check, statistics in level_statistics(rule):
        if check == ORDINAL:
            return [*statistics["off_scale"], *statistics["order"]], True
        return statistics["levels"], False
    return None


def level_statistics(rule: Column) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    """Yield the name and the decoded statistics of each of a rule's level checks."""
    for check in rule.checks:
        if check.name in (ORDINAL, CATEGORICAL):
            yield (
                check.name,
                {
                    key: [decode_hashable(level) for level in levels or ()]
                    for key, levels in check.statistics.items()
                },
            )


def restore_levels(schema: DataFrameSchema) -> DataFrameSchema:
    """Return a copy of a schema whose dtypes hold the levels of its checks.

    In a schema that pandera itself read from YAML, only the checks hold levels.
    """
    from pandera.dtypes import Category

    restored = copy.deepcopy(schema)
    for rule in restored.columns.values():
        stated = levels_of(rule)
        if stated is not None and isinstance(rule.dtype, Category):
            dtype = category_dtype(stated[0], ordered=stated[1])
            rule.dtype = rule.dtype if dtype is None else dtype
    return restored


def category_dtype(levels: list[Any], *, ordered: bool) -> Any:
    """Return pandera's dtype with these levels, or None if pandas cannot hold such categories."""
    from autotype.schema.checks.level_dtype import LevelDtype

    try:
        dtype = LevelDtype(levels, ordered=ordered)
        hash(dtype.type)  # pandera does it too
    except (TypeError, ValueError, NotImplementedError):  # tuples, or lone surrogates in pandas 2
        return None
    return dtype
