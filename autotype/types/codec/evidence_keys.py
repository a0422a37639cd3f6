"""The keys of `ColumnType.evidence`, their types and meanings: those of a report's JSON Schema.

The features of the type model and the documentation are made from it. To add a feature, write its
line in ``type_report.schema.json`` and compute its value in `type_features`.

All keys are optional: those of the data are absent if no other column can predict this one, and
features of the verdict that are zero or unknown are omitted. The weights of the features are
explained in ``docs/algorithms/verdict.md``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Evidence = dict[str, Any]
REPORT: dict[str, Any] = json.loads(
    Path(__file__).with_name("type_report.schema.json").read_text("utf-8")
)
EVIDENCE_PROPERTIES: dict[str, dict[str, Any]] = REPORT["$defs"]["column"]["properties"][
    "evidence"
]["properties"]
# The features of the type model, in the order of its weights. All are floats.
FEATURES = tuple(
    name
    for name, schema in EVIDENCE_PROPERTIES.items()
    if schema["description"].startswith("Feature: ")
)
