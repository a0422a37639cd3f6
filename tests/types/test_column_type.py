from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from autotype.inference.labels.evidence import RULES
from autotype.inference.learned import TYPE_FEATURES
from autotype.types.codec.evidence_keys import EVIDENCE_PROPERTIES, FEATURES
from autotype.types.column_type import SEMANTIC_TYPES, ColumnType

SIZE = ColumnType(
    "size",
    "ordinal",
    0.98,
    order=("S", "M", "L"),
    direction_known=True,
    reasons=("The labels are sizes.", "The data agree."),
)


def test_reason_is_the_first_one() -> None:
    assert SIZE.reason == "The labels are sizes."
    assert ColumnType("id", "identifier").reason == ""


def test_explain_gives_verdict_probability_order_and_reasons() -> None:
    assert SIZE.explain() == (
        "'size' is ordinal (probability of ordinal 0.98), in the order S < M < L. "
        "The labels are sizes. The data agree."
    )


def test_shows_the_verdict_and_not_all_its_numbers() -> None:
    column = replace(SIZE, evidence={"predictability": 2.5}, levels={"S": 3})
    assert repr(column) == (
        "<ColumnType: 'size' is ordinal (probability of ordinal 0.98), in the order S < M < L>"
    )


@pytest.mark.parametrize("semantic_type", SEMANTIC_TYPES)
def test_every_type_can_be_explained(semantic_type) -> None:
    assert ColumnType("x", semantic_type).explain().startswith("'x' ")


def test_the_keys_of_evidence_are_documented_once() -> None:
    """The JSON Schema, the rules and the features of the verdict name the same keys."""
    keys = set(EVIDENCE_PROPERTIES)
    assert FEATURES == TYPE_FEATURES
    assert {rule.feature for rule in RULES.values() if rule.feature} <= set(FEATURES)
    golden = Path(__file__).parents[1] / "report" / "golden" / "tickets.json"
    columns = json.loads(golden.read_text("utf-8"))["columns"]
    assert {key for column in columns for key in column["evidence"]} <= keys


def test_sentences_hold_no_controls_of_the_data() -> None:
    levels = "\x1b[31mlow", "\u202ehigh"
    column = ColumnType("a", "ordinal", order=levels, reasons=levels, note="\x07")
    for text in (column.explain(), repr(column)):
        assert text.isprintable()
        assert r"\x1b[31mlow - \u202ehigh" in text
