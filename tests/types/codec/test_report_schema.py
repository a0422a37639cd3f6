"""The published JSON Schema fits the classes, and says what each key means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_args

import jsonschema
import pytest

from autotype.types.codec.evidence_keys import REPORT as SCHEMA
from autotype.types.codec.plain_column import COLUMN, check
from autotype.types.column_type import SEMANTIC_TYPES, ColumnProfile, ColumnType, Provenance
from autotype.types.data_warning import DataWarning
from autotype.types.reading import Reading

VOCABULARY = [
    *COLUMN.values(),
    *({"$ref": f"#/$defs/{name}"} for name in ("count", "figure", "order", "probability")),
    {"type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [{}, {"type": "number"}]},
]
VALUES = [None, True, 0, -1, 2**62, 0.5, "ordinal", "inf", [], ["a"], ["a", 0.5], ["a", "b"], {}]
VALUES += [[{"level": "a", "count": 1}], [{"level": "a"}], [{"order": [], "weight": None}]]


def test_the_published_file_has_the_fields_of_the_classes() -> None:
    column = SCHEMA["$defs"]["column"]["properties"]
    parts = {
        ColumnType: COLUMN,
        ColumnProfile: column["profile"]["properties"],
        Reading: SCHEMA["properties"]["reading"]["properties"],
        DataWarning: SCHEMA["$defs"]["warning"]["properties"].keys() - {"exact"},
    }
    for kind, keys in parts.items():
        assert set(keys) == {field.name for field in fields(kind)}
    assert column["semantic_type"]["enum"] == list(SEMANTIC_TYPES)
    assert column["type_set"]["items"]["enum"] == list(SEMANTIC_TYPES)
    assert column["type_probabilities"]["propertyNames"]["enum"] == list(SEMANTIC_TYPES)
    assert column["provenance"]["enum"] == list(get_args(Provenance))


@pytest.mark.parametrize("name", ["report", "column", "warning"])
def test_every_key_has_a_sentence(name: str) -> None:
    part = SCHEMA if name == "report" else SCHEMA["$defs"][name]
    for key, field in _fields(part["properties"]):
        assert field.get("description", "").endswith("."), key


def _fields(properties: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, field in properties.items():
        yield key, field
        yield from _fields(field.get("properties", {}))


def test_exact_forms_are_of_the_keys_that_hold_levels() -> None:
    exact = SCHEMA["$defs"]["column"]["properties"]["exact"]
    assert set(exact["propertyNames"]["enum"]) == {
        *("name", "order", "best_order", "levels", "off_scale", "ties", "alternatives", "evidence"),
        *("missing_markers", "labels", "weighted_shares", "partial_order"),
    }
    assert SCHEMA["$defs"]["column"]["required"] == list(COLUMN)


@pytest.mark.parametrize("schema", VOCABULARY, ids=str)
@pytest.mark.parametrize("plain", VALUES, ids=str)
def test_reports_are_checked_as_json_schema_says(schema: dict[str, Any], plain: Any) -> None:
    """The check of reading agrees with jsonschema's, whose integers may be 1.0."""
    if isinstance(plain, float) and plain.is_integer():
        return
    valid = jsonschema.Draft202012Validator({**schema, "$defs": SCHEMA["$defs"]}).is_valid(plain)
    if valid:
        check(plain, schema)
    else:
        with pytest.raises(ValueError, match=r"is not|lacks|has \d items|has the unknown key"):
            check(plain, schema)
