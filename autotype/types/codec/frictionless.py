"""Write types as a Frictionless Table Schema, with `categories` and `categoriesOrdered`."""

from __future__ import annotations

import math
import os
from typing import Any

from autotype.lexicon.toml_files import read_toml
from autotype.types.atomic_file import as_json
from autotype.types.codec.json_values import as_unicode
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.wording import format_level

_PROFILE = "https://datapackage.org/profiles/2.0/tableschema.json"


def to_frictionless(
    types: ColumnTypes, path: str | os.PathLike[str] | None = None
) -> dict[str, Any]:
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
        Levels that are neither strings nor integers are in ``constraints.enum`` instead, since
        the standard allows categories of those two types only. Names that are not strings become
        strings, and so do levels of which one is infinite, which JSON cannot hold; lone
        surrogates are escaped. A note is the field's ``description``.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
    >>> to_frictionless(TypeReport([size]))["fields"]
    [{'name': 'size', 'type': 'string', 'categories': ['S', 'M'], 'categoriesOrdered': True}]
    """
    schema = {"$schema": _PROFILE, "fields": [_field(column) for column in types.columns]}
    if path is not None:
        as_json(schema, path)
    return schema


def _field(column: ColumnType) -> dict[str, Any]:
    note = {"description": as_unicode(column.note)} if column.note else {}
    return {"name": _string(column.name), **note, **_type(column)}


def _type(column: ColumnType) -> dict[str, Any]:
    found = column.level_set
    if found is None or not found.categories:
        known: dict[str, dict[str, Any]] = read_toml("files")["table_schema"]
        return known.get(column.semantic_type, {"type": "any"})
    levels = found.categories
    if all(isinstance(level, bool) for level in levels):
        return {"type": "boolean"}
    field: dict[str, Any]
    if all(map(_is_whole, levels)):
        field = {"type": "integer", "categories": list(map(int, levels))}
    elif found.are_strings:
        field = {"type": "string", "categories": list(map(_string, levels))}
    elif all(map(_is_json_number, levels)):
        return {"type": "number", "constraints": {"enum": list(levels)}}
    else:
        return {"type": "string", "constraints": {"enum": list(map(_string, levels))}}
    if column.semantic_type != "undetermined":
        field["categoriesOrdered"] = found.ordered
    return field


def _string(value: Any) -> str:
    return as_unicode(format_level(value))


def _is_json_number(level: Any) -> bool:
    is_number = isinstance(level, int | float) and not isinstance(level, bool)
    return is_number and (isinstance(level, int) or math.isfinite(level))


def _is_whole(level: Any) -> bool:
    return _is_json_number(level) and level == level // 1
