"""The keys of a report in JSON, and the check of what was read against them.

The JSON Schema ``type_report.schema.json`` beside this module is the one table of the keys, their
types and meanings: other readers of reports and the page of the documentation take it as it is.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from autotype.types.codec.evidence_keys import EVIDENCE_PROPERTIES, REPORT
from autotype.wording import format_value

Schema = dict[str, Any]

# Incremented whenever a reader of the older format would misread the newer.
FORMAT_VERSION: int = REPORT["properties"]["format_version"]["const"]
_DEFINITIONS = REPORT["$defs"]
COLUMN_SCHEMA = _DEFINITIONS["column"]
# The fields of a column, without what is computed from them.
COLUMN: dict[str, Schema] = {
    key: COLUMN_SCHEMA["properties"][key] for key in COLUMN_SCHEMA["required"]
}
# Keys that the first reports do not have, or that no reader needs.
LATER = (
    *("autotype_version", "provenance", "note", "profile", "type_probabilities", "format"),
    *("missing_markers", "labels", "title", "group", "weighted_shares", "n_effective", "platform"),
    *("scale", "reversed", "partial_order", "missing_ranges"),
)
_FIGURE = "#/$defs/figure"


def _decoded(schema: Any) -> Any:
    """Return the schema of values that have been decoded: infinities are no longer strings."""
    if isinstance(schema, dict) and schema.get("$ref") == _FIGURE:
        return {"type": ["number", "null"]}
    if isinstance(schema, dict):
        return {key: _decoded(part) for key, part in schema.items()}
    return list(map(_decoded, schema)) if isinstance(schema, list) else schema


EVIDENCE = {"type": "object", "properties": _decoded(EVIDENCE_PROPERTIES)}

_CLASSES: dict[str, tuple[str, Any]] = {
    "string": ("a string", str),
    "boolean": ("true or false", bool),
    "integer": ("an integer of 64 bits", int),
    "number": ("a number", (int, float)),
    "array": ("a list", (list, tuple)),
    "object": ("an object", Mapping),
    "null": ("null", type(None)),
}


def check(plain: Any, schema: Schema, path: str = "", *, optional: Collection[str] = ()) -> None:
    """Raise unless a value is as a schema of this module says.

    Parameters
    ----------
    plain : object
        Of lists, mappings, and what else JSON has.
    schema : dict
    path : str
        The place of the value, for the message.
    optional : collection of str
        Keys of any object that may be missing although the schema requires them.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> check({"name": "a", "note": 5}, {"properties": COLUMN}, ".columns[0]")
    Traceback (most recent call last):
    ...
    ValueError: columns[0].note: 5 is not a string
    """
    if "$ref" in schema:
        schema = _DEFINITIONS[schema["$ref"].rpartition("/")[2]]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is_of(plain, kind) for kind in kinds):
        names = " or ".join(_CLASSES[kind][0] for kind in kinds)
        raise misfit(path, f": {format_value(plain)} is not {names}")
    if "enum" in schema and plain not in schema["enum"]:
        raise misfit(path, f": {format_value(plain)} is not one of {', '.join(schema['enum'])}")
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    is_limited = (low, high) != (-math.inf, math.inf)
    if is_limited and isinstance(plain, int | float) and not low <= plain <= high:  # nor NaN
        limits = f"a number from {low} up" if high == math.inf else f"from {low} to {high}"
        raise misfit(path, f": {format_value(plain)} is not {limits}")
    if isinstance(plain, Mapping):
        names = schema.get("propertyNames", {}).get("enum", plain)
        known = schema["properties"] if schema.get("additionalProperties") is False else names
        if unknown := plain.keys() - set(known):
            raise misfit(path, f" has the unknown key {format_value(min(unknown, key=str))}")
        if isinstance(others := schema.get("additionalProperties"), dict):
            for key in plain.keys() - schema.get("properties", {}).keys():
                check(plain[key], others, f"{path}.{key}", optional=optional)
        for key, part in schema.get("properties", {}).items():
            if key in plain:
                check(plain[key], part, f"{path}.{key}", optional=optional)
        for key in schema.get("required", ()):
            if key not in plain and key not in optional:
                raise misfit(path, f" lacks {key!r}")
    elif isinstance(plain, list | tuple):
        if not schema.get("minItems", 0) <= len(plain) <= schema.get("maxItems", math.inf):
            raise misfit(path, f": {format_value(plain)} has {len(plain)} items")
        parts = schema.get("prefixItems", [schema.get("items", {})] * len(plain))
        for j, (item, part) in enumerate(zip(plain, parts, strict=False)):
            check(item, part, f"{path}[{j}]", optional=optional)


def _is_of(plain: Any, kind: str) -> bool:
    if isinstance(plain, bool):
        return kind == "boolean"
    # Larger integers are no floats to calculate with, and no counts.
    is_large = isinstance(plain, int) and abs(plain) >> {"integer": 63}.get(kind, 1023) > 0
    return isinstance(plain, _CLASSES[kind][1]) and not is_large


def misfit(path: str, problem: object) -> ValueError:
    """Return the error for a wrong value at a place."""
    return ValueError(f"{path.removeprefix('.')}{problem}".removeprefix(": ").strip())
