"""The JSON Schema of a report, made from the tables by which reports are written and read.

Readers of reports and the documentation use the file `type_report.schema.json`. After a change of a
table, ``python -m autotype.types.codec.report_schema`` writes it; a test compares it with the
tables.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autotype.types.atomic_file import write_text
from autotype.types.codec.plain_column import COLUMN
from autotype.types.codec.report_json import FORMAT_VERSION, WARNING
from autotype.types.codec.shapes import COUNT, STRING, array_of, object_schema, reference

PATH = Path(__file__).with_name("type_report.schema.json")

# Of each key of a report its JSON Schema and a sentence on its meaning.
_REPORT: dict[str, tuple[dict[str, Any], str]] = {
    "format_version": (
        {"const": FORMAT_VERSION},
        "Incremented whenever a reader of the older format would misread the newer.",
    ),
    "autotype_version": (STRING.schema, "The version that wrote the report."),
    "n_rows": (COUNT.schema, "Rows of the frame."),
    "sample": (STRING.schema, "Which rows were sampled, and how; absent if all were used."),
    "warnings": (
        array_of(reference("warning")),
        "What looks wrong in the data, and what to do about it.",
    ),
    "columns": (
        array_of(reference("column")),
        "One for each column of the frame, in its order; names may repeat.",
    ),
    "names": (
        {"type": "array", "minItems": 1},
        "Names of the levels of the column labels, if they have any.",
    ),
}

_DEFINITIONS: dict[str, dict[str, Any]] = {
    "count": {"type": "integer", "minimum": 0},
    "figure": {
        "description": "A number; null for NaN, a string for an infinity.",
        "type": ["number", "string", "null"],
    },
    "probability": {
        "description": "null for columns that are not discrete.",
        "type": ["number", "null"],
        "minimum": 0,
        "maximum": 1,
    },
    "order": {"description": "Levels, lowest first.", "type": ["array", "null"]},
}


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema of what `TypeReport.to_json` writes."""
    warning, column = object_schema(WARNING), object_schema(COLUMN)
    warning["properties"]["exact"] = {
        "description": "The name, where JSON cannot hold it as it is.",
        "type": "object",
    }
    column["properties"]["exact"] = {
        "description": "Fields with values that JSON cannot represent, repeated: each such value "
        "is an object of its type and a plain value.",
        "type": "object",
        "propertyNames": {"enum": [key for key, (shape, _) in COLUMN.items() if shape.part]},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Report of column types",
        "description": "What TypeReport.to_json writes and TypeReport.from_json reads, "
        f"format {FORMAT_VERSION}.",
        "type": "object",
        "required": ["format_version", "autotype_version", "n_rows", "columns"],
        "properties": {
            key: {"description": sentence, **schema} for key, (schema, sentence) in _REPORT.items()
        },
        "$defs": {**_DEFINITIONS, "warning": warning, "column": column},
    }


def schema_text() -> str:
    """Return the text of the file."""
    return json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write_text(PATH, schema_text())
