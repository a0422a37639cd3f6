"""The keys of a report in JSON: the one table of their types and meanings.

Reports are checked against it when they are read. The JSON Schema for other readers of reports, and
so the page of the documentation, are made from it: after a change ``python -m
autotype.types.codec.report_schema`` writes the file `type_report.schema.json`, which a test
compares with the table.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from autotype.types.atomic_file import write_text
from autotype.types.column_type import PROVENANCES, SEMANTIC_TYPES
from autotype.types.evidence_keys import EVIDENCE_KEYS
from autotype.wording import format_value

# Incremented whenever a reader of the older format would misread the newer.
FORMAT_VERSION = 1
PATH = Path(__file__).with_name("type_report.schema.json")

Schema = dict[str, Any]


def _key(meaning: str, schema: Schema) -> Schema:
    return ({"description": meaning} if meaning else {}) | schema


def _array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(fields: Mapping[str, Schema], required: Collection[str] | None = None) -> Schema:
    needed = list(fields if required is None else required)
    parts = {"type": "object", "required": needed, "additionalProperties": False}
    return parts | {"properties": dict(fields)}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


_STRING, _ARRAY, _STRINGS = {"type": "string"}, {"type": "array"}, _array({"type": "string"})
_COUNT, _FIGURE = _reference("count"), _reference("figure")
_ORDER, _PROBABILITY = _reference("order"), _reference("probability")


def _evidence(figure: Schema) -> Schema:
    """Return the schema of the evidence."""
    by_type = {
        str: _STRING,
        int: _COUNT,
        float: figure,
        list[Any]: _ARRAY,
        list[float]: _array(figure),
    }
    schemas = {key: by_type[kind] for key, (kind, _) in EVIDENCE_KEYS.items()}
    schemas["top_predictors"] = _array(
        {**_ARRAY, "minItems": 2, "maxItems": 2, "prefixItems": [{}, figure]}
    )
    keys = {key: _key(meaning, schemas[key]) for key, (_, meaning) in EVIDENCE_KEYS.items()}
    return {"type": "object", "properties": keys}


# The evidence once it is decoded: infinities are no longer strings.
EVIDENCE = _evidence({"type": ["number", "null"]})

_PROFILE = {
    "n_missing": _key("Missing values.", _COUNT),
    "examples": _key("A few values; none if the levels are listed.", _STRINGS),
    "common": _key(
        "The most frequent values with their counts in the sampled rows.",
        _array(_object({"value": _STRING, "count": _COUNT})),
    ),
    "histogram": _key("Sampled rows in bins of equal width between low and high.", _array(_COUNT)),
    "low": _key("The low end of the histogram.", _STRING),
    "high": _key("The high end of the histogram.", _STRING),
}

COLUMN = {
    "name": _key("A string, or a number, a list or null as the frame has it.", {}),
    "semantic_type": _key("The type.", {"enum": list(SEMANTIC_TYPES)}),
    "probability": _key("P(ordinal), given that it is ordinal or categorical.", _PROBABILITY),
    "order": _key("null unless the column is ordinal in a known order.", _ORDER),
    "best_order": _key("The best order found, for any verdict.", _ORDER),
    "order_probability": _key(
        "P(best_order is exactly right, up to reversal, if ordinal).", _PROBABILITY
    ),
    "direction_known": _key(
        "Whether the low end is known, or only the order up to reversal.", {"type": "boolean"}
    ),
    "levels": _key(
        "Levels with their counts in the whole frame.",
        _array(_object({"level": {}, "count": _COUNT})),
    ),
    "n_levels": _key("Distinct values, without missing ones.", _COUNT),
    "n_rows_used": _key("Rows from which the evidence of the data is computed.", _COUNT),
    "off_scale": _key("Levels that are not on the scale.", _ARRAY),
    "ties": _key("Runs of best_order whose levels the data do not distinguish.", _array(_ARRAY)),
    "alternatives": _key(
        "The next best orders with their weights.",
        _array(_object({"order": _ARRAY, "weight": {"type": ["number", "null"]}})),
    ),
    "evidence": _key("The numbers behind the verdict, by name.", _evidence(_FIGURE)),
    "reasons": _key("Sentences, the most important first.", _STRINGS),
    "provenance": _key(
        "How the type was found: by inference, now or earlier; by an ordered dtype; by the user's "
        "scales; stated before inference; or by a later correction.",
        {"enum": list(PROVENANCES)},
    ),
    "note": _key("A remark of the user; may be empty.", _STRING),
    "profile": _key(
        "What the cells look like; null if no rows were read.",
        _object(_PROFILE) | {"type": ["object", "null"]},
    ),
    "type_probabilities": _key(
        "Probability of each type; empty if inference did not weigh them.",
        {"type": "object", "propertyNames": {"enum": list(SEMANTIC_TYPES)}}
        | {"additionalProperties": {"type": "number", "minimum": 0, "maximum": 1}},
    ),
    "format": _key(
        'What the values are written as, such as "url" or "percent"; null if nothing special.',
        {"type": ["string", "null"]},
    ),
    "missing_markers": _key(
        "Values that mean a missing one, of a column that is neither ordinal nor categorical.",
        _ARRAY,
    ),
    "labels": _key(
        "Labels of stored values in the codebook.",
        _array(_object({"level": {}, "label": _STRING})),
    ),
    "title": _key("The question text; may be empty.", _STRING),
    "group": _key("A key that the columns of one question share; may be empty.", _STRING),
    "scale": _key("A key that the columns of one scale share; may be empty.", _STRING),
    "reversed": _key(
        "Whether it falls where the other columns of its scale rise.", {"type": "boolean"}
    ),
    "weighted_shares": _key(
        "Proportions of the levels by the weights of their rows; empty without weights.",
        _array(_object({"level": {}, "share": _PROBABILITY})),
    ),
    "n_effective": _key("The effective number of weighted rows; null without weights.", _FIGURE),
    "partial_order": _key(
        "Of an ordinal column without order: the pairs of a lower and a higher level that are "
        "known; null for other columns.",
        {"type": ["array", "null"], "items": {**_ARRAY, "minItems": 2, "maxItems": 2}},
    ),
}

# Computed from the fields when they are written.
DERIVED = {
    "type_set": _key(
        "The smallest set of types that holds the true one with probability 0.95.",
        _array({"enum": list(SEMANTIC_TYPES)}),
    ),
}

_WARNING = {
    "kind": _key('What it is, such as "missing marker".', _STRING),
    "message": _key("What was found, and where.", _STRING),
    "remedy": _key("What to do about it.", _STRING),
    "column": _key("Name of the column; null for several columns, or a row.", {}),
}

_LINES = _array({"type": "integer", "minimum": 1})
_MAYBE = {"type": ["string", "null"]}
READING = {
    "format": _key('That of the content, such as "csv" or "excel".', _STRING),
    "encoding": _key("Of text.", _MAYBE),
    "delimiter": _key('Between fields of text; also "blanks" or "positions".', _MAYBE),
    "decimal": _key("The decimal sign of text.", _MAYBE),
    "header": _key("Lines that name the columns, counted from 1.", _LINES),
    "title": _key("Lines of titles and notes above the header.", _LINES),
    "footer": _key("Lines of totals and notes below the data.", _LINES),
    "skipped": _key("Other lines without data, such as comments.", _LINES),
    "sheet": _key("The sheet of a workbook that was read.", _MAYBE),
    "sheets": _key("All sheets of a workbook.", _STRINGS),
    "dropped": _key("What was left out or changed.", _STRINGS),
    "doubts": _key("Guesses that may be wrong, with the option that overrides each.", _STRINGS),
    "platform": _key("The survey platform whose export the file is; may be empty.", _STRING),
}

_REPORT = {
    "format_version": _key(
        "Incremented whenever a reader of the older format would misread the newer.",
        {"const": FORMAT_VERSION},
    ),
    "autotype_version": _key("The version that wrote the report.", _STRING),
    "n_rows": _key("Rows of the frame.", _COUNT),
    "sample": _key("Which rows were sampled, and how; absent if all were used.", _STRING),
    "reading": _key("How the file was read; absent without a file.", _object(READING)),
    "weights": _key("Name of the column of weights; absent without one.", {}),
    "warnings": _key(
        "What looks wrong in the data, and what to do about it.", _array(_reference("warning"))
    ),
    "columns": _key(
        "One for each column of the frame, in its order; names may repeat.",
        _array(_reference("column")),
    ),
    "repeats_names": _key(
        "true if columns of the frame share a name; absent if none do.", {"const": True}
    ),
    "names": _key(
        "Names of the levels of the column labels, if they have any.", {**_ARRAY, "minItems": 1}
    ),
}


def _with_exact(
    fields: Mapping[str, Schema], exact_keys: Collection[str], derived: Mapping[str, Schema]
) -> Schema:
    meaning = (
        "Fields with values that JSON cannot represent, repeated: each such value is an object of "
        "its type and a plain value."
    )
    exact = {"type": "object", "propertyNames": {"enum": list(exact_keys)}}
    keys = {**fields, **derived, "exact": _key(meaning, exact)}
    return _object(keys, required=fields)


# Keys that the first reports do not have, or that no reader needs.
LATER = (
    "autotype_version",
    "provenance",
    "note",
    "profile",
    "type_probabilities",
    "format",
    "missing_markers",
    "labels",
    "title",
    "group",
    "weighted_shares",
    "n_effective",
    "platform",
    "scale",
    "reversed",
    "partial_order",
)
# Keys of a column whose values JSON may not hold, such as levels.
EXACT = (
    "name",
    "order",
    "best_order",
    "levels",
    "off_scale",
    "ties",
    "alternatives",
    "evidence",
    "missing_markers",
    "labels",
    "weighted_shares",
    "partial_order",
)

_DEFINITIONS = {
    "count": {"type": "integer", "minimum": 0},
    "figure": _key(
        "A number; null for NaN, a string for an infinity.", {"type": ["number", "string", "null"]}
    ),
    "probability": _key(
        "null for columns that are not discrete.",
        {"type": ["number", "null"], "minimum": 0, "maximum": 1},
    ),
    "order": _key("Levels, lowest first.", {"type": ["array", "null"]}),
    "warning": _with_exact(_WARNING, ["column"], {}),
    "column": _with_exact(COLUMN, EXACT, DERIVED),
}
COLUMN_SCHEMA = _DEFINITIONS["column"]

REPORT = _key(
    f"What TypeReport.to_json writes and TypeReport.from_json reads, format {FORMAT_VERSION}.",
    _object(_REPORT, required=("format_version", "autotype_version", "n_rows", "columns"))
    | {"additionalProperties": True},
)


def schema_text() -> str:
    """Return the JSON Schema of a report, as the file holds it."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Report of column types",
    }
    schema = {**head, **REPORT, "$defs": _DEFINITIONS}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


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
    """Raise unless a value is as a schema of this module says; other keys may be there.

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
    if isinstance(plain, int | float) and (plain < low or plain > high):
        limits = f"a number from {low} up" if high == math.inf else f"from {low} to {high}"
        raise misfit(path, f": {format_value(plain)} is not {limits}")
    if isinstance(plain, Mapping):
        if unknown := plain.keys() - set(schema.get("propertyNames", {}).get("enum", plain)):
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


if __name__ == "__main__":
    write_text(PATH, schema_text())
