"""The published JSON Schema is made from the tables of the codec, and says what each key means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from autotype.types.codec.plain_column import COLUMN
from autotype.types.codec.report_schema import PATH, report_schema, schema_text


def test_the_published_file_is_made_from_the_tables() -> None:
    remedy = "run: python -m autotype.types.codec.report_schema"
    assert PATH.read_text("utf-8") == schema_text(), remedy


@pytest.mark.parametrize("name", ["report", "column", "warning"])
def test_every_key_has_a_sentence(name: str) -> None:
    schema = report_schema()
    part = schema if name == "report" else schema["$defs"][name]
    for key, field in _fields(part["properties"]):
        assert field.get("description", "").endswith("."), key


def _fields(properties: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, field in properties.items():
        yield key, field
        yield from _fields(field.get("properties", {}))


def test_exact_forms_are_of_the_keys_that_hold_levels() -> None:
    exact = report_schema()["$defs"]["column"]["properties"]["exact"]
    assert set(exact["propertyNames"]["enum"]) == {
        *("name", "order", "best_order", "levels", "off_scale", "ties", "alternatives", "evidence")
    }
    assert list(report_schema()["$defs"]["column"]["required"]) == list(COLUMN)
