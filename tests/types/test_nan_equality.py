"""Values, types and reports are equal with NaN equal to NaN, and so are their hashes."""

from __future__ import annotations

import copy
import decimal
import math
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType
from autotype.types.nan_equality import has_hash, nan_key


def nan() -> float:
    """A NaN of its own: containers take one object for equal to itself."""
    return float("nan")


MISSING = [
    nan(),
    np.float32("nan"),
    pd.NA,
    pd.NaT,
    np.datetime64("NaT", "ns"),
    decimal.Decimal("NaN"),
]
SIZE = ColumnType(
    ("size", nan()),
    "ordinal",
    order=("S", decimal.Decimal("sNaN"), ("x", nan())),
    levels={"S": 3, ("x", nan()): 4},
    alternatives=((("S",), nan()),),
    evidence={"log_rows": nan(), "thresholds": [nan(), 1.0], "level_means": np.array([1, nan()])},
)


def rebuilt(value):
    """A deep copy with every NaN a new object."""
    if isinstance(value, dict):
        return {rebuilt(key): rebuilt(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(rebuilt, value))
    return nan() if isinstance(value, float) and math.isnan(value) else copy.deepcopy(value)


@pytest.mark.parametrize("value", [*MISSING, decimal.Decimal("sNaN"), complex(nan(), 1)], ids=repr)
def test_missing_values_of_a_kind_are_equal(value) -> None:
    first, second = nan_key((1, value)), nan_key((1, copy.deepcopy(value)))
    assert first == second
    assert hash(first) == hash(second)
    assert first != nan_key((1, 2))


def test_kinds_and_containers_differ() -> None:
    assert (
        len({nan_key(value) for value in (nan(), pd.NA, pd.NaT, None, decimal.Decimal("NaN"))}) == 5
    )
    assert nan_key([nan()]) != nan_key((nan(),))
    assert nan_key({1: nan()}) == nan_key({1: nan()})
    assert nan_key({nan(), "a"}) == nan_key({"a", nan()})
    assert nan_key(np.array([[1.0, nan()]])) == [[1.0, float]]


def test_types_with_nan_in_any_field() -> None:
    cells = {key: rebuilt(value) for key, value in vars(SIZE).items()}
    again = ColumnType(**cells)
    assert again == SIZE
    assert hash(again) == hash(SIZE)
    for field, value in {"order": ("S",), "levels": {"S": 3}, "probability": 0.5}.items():
        assert replace(SIZE, **{field: value}) != SIZE
    assert SIZE != "size"


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {"size": ["S", "M", "L", "M", "S"] * 8, "x": np.arange(40) / 7, float("nan"): ["a"] * 40}
    )


def test_reports_are_equal(frame) -> None:
    types = autotype.infer_types(frame)
    again = autotype.infer_types(frame)
    for other in (
        again,
        TypeReport.from_json(types.to_json()),
        copy.deepcopy(types),
        pickle.loads(pickle.dumps(types)),
    ):
        assert other == types
        assert hash(other) == hash(types)
        assert other[float("nan")] == types.columns[2]
    assert types != autotype.infer_types(frame[:20])
    assert types != dict(types)
    assert {types["x"]} == {again["x"]}


def test_all_columns_of_a_name_and_the_labels_count() -> None:
    a, b = ColumnType("a", "text"), ColumnType("a", "count")
    assert TypeReport([a, b]) != TypeReport([a])
    assert TypeReport([a]) != TypeReport([a], n_rows=1)
    assert TypeReport([a]) != TypeReport([a], names=pd.Index(["a"], name="column"))


def test_comparisons_are_equal(frame) -> None:
    types = autotype.infer_types(frame)
    first, second = (types.compare(copy.deepcopy(types)) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first["size"] == second["size"]
    assert first != types.compare(TypeReport([]))
    assert pickle.loads(pickle.dumps(first)) == first


def test_a_dtype_that_is_hashed_with_a_warning_has_no_hash() -> None:
    # pandas makes a table of tuples whose lengths differ to sort such levels.
    mixed = pd.CategoricalDtype(pd.Index([((), ()), "a"], dtype=object, tupleize_cols=False))
    assert not has_hash(mixed)
    assert has_hash(pd.CategoricalDtype(["a", "b"]))
