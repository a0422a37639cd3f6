from __future__ import annotations

from dataclasses import replace

import pytest

from autotype.column_type import SEMANTIC_TYPES, ColumnType

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
