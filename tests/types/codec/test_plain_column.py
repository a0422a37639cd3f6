"""A column type as plain values and back, whole or without what a format has no room for."""

from __future__ import annotations

import dataclasses
import datetime
import json
import math

import pytest

from autotype import ColumnType
from autotype.errors import UnwritableTypesError
from autotype.types.codec.plain_column import COLUMN, LATER, as_plain, from_plain, readable
from autotype.types.column_type import ColumnProfile
from tests.integration.decided_columns import (
    CLASSES,
    OFF_SCALE,
    RARE_CLASSES,
    Example,
    examples_of_classes,
    grades,
)

DAY = datetime.date(2024, 2, 29)
FULL = ColumnType(
    ("due", 1),
    "ordinal",
    0.75,
    order=(DAY, "later"),
    best_order=(DAY, "later"),
    order_probability=0.5,
    direction_known=True,
    levels={DAY: 3, "later": 0, None: 1},
    n_levels=3,
    n_rows_used=4,
    off_scale=(None,),
    ties=((DAY, "later"),),
    alternatives=((("later", DAY), 0.25),),
    evidence={
        "label_rule": "scale",
        "data_order": [DAY],
        "loo_ordinal": math.nan,
        "thresholds": [-math.inf, 0.5],
        "top_predictors": [(("a", 1), 0.5)],
    },
    reasons=("Because.",),
    provenance="revised",
    note="as on the box",
    profile=ColumnProfile(2, ("a",), (("b", 3),), (1, 2), "0", "9"),
    type_probabilities={"ordinal": 0.75, "categorical": 0.25},
    format="list",
    missing_markers=(DAY, "n/a"),
    labels={DAY: "the first day", -9: "refused"},
    title="When?",
    group="q1",
)


def test_every_field_of_a_column_has_a_key() -> None:
    assert list(COLUMN) == [field.name for field in dataclasses.fields(ColumnType)]


@pytest.mark.parametrize(
    "column",
    [
        FULL,
        ColumnType("x", "text"),
        ColumnType("x", "ordinal", order=()),
        Example("ordinal", "inferred", grades(5), OFF_SCALE).report["x"],
        *(e.report["x"] for e in examples_of_classes({**CLASSES, **RARE_CLASSES})),
    ],
    ids=str,
)
def test_there_and_back(column: ColumnType) -> None:
    plain = as_plain(column)
    again = from_plain(json.loads(json.dumps(plain, allow_nan=False)))
    assert again == column
    assert list(map(type, again.levels)) == list(map(type, column.levels))
    assert {key: cells for key, cells in plain.items() if key != "exact"} == readable(column)


@pytest.mark.parametrize("left_out", COLUMN)
def test_a_field_that_is_left_out_is_the_one_of_a_new_column(left_out: str) -> None:
    plain = as_plain(FULL, without=[left_out])
    assert left_out not in plain
    assert left_out not in plain["exact"]
    if left_out in ("name", "semantic_type"):
        with pytest.raises(TypeError, match=left_out):  # ColumnType has no default for it
            from_plain(plain, without=[left_out])
        return
    new = getattr(ColumnType("x", "text"), left_out)
    assert from_plain(plain, without=[left_out]) == dataclasses.replace(FULL, **{left_out: new})
    if left_out not in LATER:  # the first reports had none
        with pytest.raises(ValueError, match=f"lacks {left_out!r}"):
            from_plain(plain)


def test_a_level_that_is_left_out_need_not_be_writable() -> None:
    column = ColumnType("x", "categorical", levels={range(3): 1})
    with pytest.raises(
        UnwritableTypesError, match=r"column 'x': range\(0, 3\), of the class range"
    ):
        as_plain(column)
    assert as_plain(column, without=["levels"])["name"] == "x"
