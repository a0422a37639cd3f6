"""Write types as a Frictionless Table Schema, with `categories` and `categoriesOrdered`."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from autotype.types.atomic_file import write_text
from autotype.types.codec.json_values import as_unicode
from autotype.types.column_type import ColumnType
from autotype.wording import format_level

if TYPE_CHECKING:
    from autotype.types.column_types import ColumnTypes

_PROFILE = "https://datapackage.org/profiles/2.0/tableschema.json"
_PLAIN_TYPES = {
    "continuous": {"type": "number"},
    "count": {"type": "integer"},
    # Any format: the default is ISO 8601 with a time.
    "datetime": {"type": "datetime", "format": "any"},
    "identifier": {"type": "any"},
    "text": {"type": "string"},
}


def to_frictionless(types: ColumnTypes, path: str | os.PathLike | None = None) -> dict[str, Any]:
    """Return a report as a Table Schema of Data Package version 2.

    Parameters
    ----------
    types : TypeReport
    path : str or path, optional
        File to write it to, as JSON.

    Returns
    -------
    dict
        ``fields``, one for each column. Those with levels hold ``categories``: levels off the
        scale, then the others from the lowest up. ``categoriesOrdered`` is true for ordinal
        columns, false for categorical and binary ones, and absent if the type is undetermined.
        Levels that are neither texts nor whole numbers are in ``constraints.enum`` instead,
        since the standard allows categories of those two types only. Names that are not texts
        become texts, and so do levels of which one is infinite, which JSON cannot hold; lone
        surrogates are escaped.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
    >>> to_frictionless(TypeReport([size]))["fields"]
    [{'name': 'size', 'type': 'string', 'categories': ['S', 'M'], 'categoriesOrdered': True}]
    """
    schema = {"$schema": _PROFILE, "fields": [_field(column) for column in types.columns]}
    if path is not None:
        text = json.dumps(schema, indent=2, ensure_ascii=False, allow_nan=False)
        write_text(path, text + "\n")
    return schema


def _field(column: ColumnType) -> dict[str, Any]:
    field: dict[str, Any] = {"name": _text(column.name)}
    levels = _levels(column)
    if not levels or column.semantic_type in _PLAIN_TYPES:
        return field | _PLAIN_TYPES.get(column.semantic_type, {"type": "any"})
    if all(isinstance(level, bool) for level in levels):
        return field | {"type": "boolean"}
    if _all_whole(levels):
        field |= {"type": "integer", "categories": [int(level) for level in levels]}
    elif all(isinstance(level, str) for level in levels):
        field |= {"type": "string", "categories": [_text(level) for level in levels]}
    else:
        is_number = all(map(_is_json_number, levels))
        listed = levels if is_number else [_text(level) for level in levels]
        return field | {
            "type": "number" if is_number else "string",
            "constraints": {"enum": listed},
        }
    if column.semantic_type != "undetermined":
        field["categoriesOrdered"] = column.semantic_type == "ordinal"
    return field


def _levels(column: ColumnType) -> list[Any]:
    if column.order is not None:
        return [*column.off_scale, *column.order]
    return list(column.levels)


def _text(value: Any) -> str:
    return as_unicode(format_level(value))


def _is_json_number(level: Any) -> bool:
    if isinstance(level, float):
        return math.isfinite(level)
    return isinstance(level, int) and not isinstance(level, bool)


def _all_whole(levels: Iterable[Any]) -> bool:
    """Check whether all levels are whole numbers, or floats with whole values."""
    return all(
        isinstance(level, (int, float)) and not isinstance(level, bool) and level == level // 1
        for level in levels
    )
