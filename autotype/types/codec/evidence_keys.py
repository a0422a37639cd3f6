"""The keys of `ColumnType.evidence`, their types and meanings: those of a report's JSON Schema.

`Evidence`, the features of the type model and the documentation are all made from it. To add a
feature, write its line in ``type_report.schema.json`` and compute its value in
`type_features`.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

_FEATURE = "Feature: "  # begins the meaning of a feature of the type model
REPORT: dict[str, Any] = json.loads(
    Path(__file__).with_name("type_report.schema.json").read_text("utf-8")
)
EVIDENCE_PROPERTIES: dict[str, dict[str, Any]] = REPORT["$defs"]["column"]["properties"][
    "evidence"
]["properties"]


def _kind(schema: dict[str, Any]) -> Any:
    """Return the Python type of a value."""
    if "$ref" in schema:
        return int if schema["$ref"].endswith("/count") else float
    if schema["type"] == "string":
        return str
    return list[float] if "$ref" in schema.get("items", {}) else list[Any]


# Every key: name -> type and meaning.
EVIDENCE_KEYS: dict[str, tuple[Any, str]] = {
    name: (_kind(schema), schema["description"]) for name, schema in EVIDENCE_PROPERTIES.items()
}
# The features of the type model, in the order of its weights: name -> meaning. All are float.
FEATURES: dict[str, str] = {
    name: meaning.removeprefix(_FEATURE)
    for name, (_, meaning) in EVIDENCE_KEYS.items()
    if meaning.startswith(_FEATURE)
}

_KINDS = {str: "str", int: "int", float: "float", list[float]: "list of float", list[Any]: "list"}

if TYPE_CHECKING:
    Evidence = dict[str, Any]
else:
    Evidence = TypedDict(
        "Evidence", {name: kind for name, (kind, _) in EVIDENCE_KEYS.items()}, total=False
    )
    Evidence.__doc__ = """The numbers behind a verdict, by name.

    `ColumnType.evidence` and the JSON of a report hold them. All keys are optional: those of the
    data are absent if no other column can predict this one, and features of the verdict that are
    zero or unknown are omitted. The weights of the features are explained in
    ``docs/algorithms/verdict.md``.

    Attributes
    ----------
    """ + "\n    ".join(
        line
        for name, (kind, meaning) in EVIDENCE_KEYS.items()
        for line in (
            f"{name} : {_KINDS[kind]}",
            *textwrap.wrap(meaning, 92, initial_indent="    ", subsequent_indent="    "),
        )
    )
