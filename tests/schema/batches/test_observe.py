"""A schema of a table that stays in its engine is that of the same rows in pandas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import autotype
from autotype.schema.checks.table import CHECKS
from tests.inference.frames.engines import LAZY, sample_table
from tests.schema.test_validate_native import TYPES

Convert = Callable[[pd.DataFrame], Any]
# Engines count nothing of rows that were not drawn: here all are.
FRAME = sample_table(300).assign(fee=[f"${1 + k % 40}.50" for k in range(300)], currency="EUR")
STATED = autotype.TypeReport(
    [
        *TYPES.columns,
        autotype.ColumnType("fee", "continuous"),
        autotype.ColumnType("currency", "constant", levels={"EUR": 300}),
    ]
)


def stated(schema: Any) -> dict[str, Any]:
    """Return what a schema requires, by column and check."""
    return {
        name: {check.name: check.of_rule(rule) for check in CHECKS} | {"dtype": str(rule.dtype)}
        for name, rule in schema.columns.items()
    }


@pytest.fixture(params=[False, True], ids=["loaded", "counted"])
def by_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = -1 if request.param else 10**6
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", cells)


@pytest.mark.parametrize("options", [{}, {"margin": None, "share_tolerance": 0.1}])
@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_the_schema_is_that_of_the_rows(convert: Convert, options: dict[str, Any]) -> None:
    lazy = convert(FRAME)
    rows = lazy.compute() if "dask" in type(lazy).__module__ else FRAME
    made = stated(autotype.to_schema(lazy, STATED, **options))
    expected = stated(autotype.to_schema(rows, STATED, **options))
    for name, rule in expected.items():
        for check, arguments in rule.items():
            if check == "varies":  # two rows more, with the extremes, were looked at
                assert (made[name][check] is None) == (arguments is None), (name, check)
            elif check == "has_level_shares" and arguments:
                counts = dict(zip(arguments["levels"], arguments["counts"], strict=True))
                found = made[name][check]
                assert dict(zip(found["levels"], found["counts"], strict=True)) == counts
            elif check != "dtype" or name not in ("day", "fee", "number", "rating"):
                assert made[name][check] == arguments, (name, check)


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_it_accepts_the_table_and_refuses_another(convert: Convert) -> None:
    lazy = convert(FRAME)
    schema = autotype.to_schema(lazy, STATED)
    autotype.validate(lazy, schema)
    autotype.validate(FRAME, schema)
    with pytest.raises(autotype.errors.BatchError, match="'score'"):
        autotype.validate(convert(FRAME.assign(score=FRAME["score"] * 1e6)), schema)


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_levels_that_the_report_does_not_hold(convert: Convert) -> None:
    with pytest.raises(autotype.errors.UnseenLevelError, match="'superb'"):
        autotype.to_schema(convert(FRAME.replace("good", "superb")), STATED)
    with pytest.raises(autotype.errors.UnknownColumnError, match="holds none of the report's"):
        autotype.to_schema(convert(FRAME[["score"]]), STATED.__class__(TYPES.columns[:1]))
