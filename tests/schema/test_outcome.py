"""What a schema requires and what a failed batch is told, seen from the frames alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pandera.pandas as pa
import pytest

import autotype
from autotype import ColumnType, TypeReport
from autotype.errors import BatchError
from autotype.schema.outcome import check_outcome, find_renamed

DAYS = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=30)})
TOWNS = ["Ulm", "Bern", "Graz", "Linz", "Kiel"]


def schema_of(frame: pd.DataFrame, *columns: ColumnType, **options):
    report = TypeReport(columns, n_rows=len(frame)) if columns else autotype.infer_types(frame)
    return autotype.to_schema(frame, report, **options)


def failure(batch: object, schema) -> BatchError:
    with pytest.raises(BatchError) as caught:
        autotype.validate(batch, schema)
    return caught.value


def categorical(name: str, levels: list) -> ColumnType:
    return ColumnType(name, "categorical", 0.1, levels=dict.fromkeys(levels, 5))


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["soon", *map(str, DAYS["day"][1:])], "as 'soon' at row 0 is no date; correct it"),
        (["soon"] * 30, "expected datetime64[ns]; cast or correct it"),
    ],
)
def test_strings_among_dates_are_named_and_a_column_of_others_is_not(cells, found) -> None:
    assert found in str(failure(DAYS.assign(day=cells), schema_of(DAYS)))


@pytest.mark.parametrize(
    ("n_levels", "is_checked"), [(1, False), (2, True), (100, True), (101, False)]
)
def test_shares_of_two_to_a_hundred_levels_are_checked(n_levels, is_checked) -> None:
    levels = [f"w{k}" for k in range(n_levels)]
    frame = pd.DataFrame({"x": levels * 5})
    schema = schema_of(frame, categorical("x", levels), share_tolerance=0.1)
    assert (
        "has_level_shares" in {check.name for check in schema.columns["x"].checks}
    ) == is_checked


def test_shares_of_values_that_are_no_levels_are_not_checked() -> None:
    frame = pd.DataFrame({"x": [1.5, 2.25, 3.125] * 10})
    schema = schema_of(frame, ColumnType("x", "continuous"), share_tolerance=0.1)
    assert "has_level_shares" not in {check.name for check in schema.columns["x"].checks}


def test_of_two_columns_of_one_name_neither_has_to_be_unique() -> None:
    frame = pd.DataFrame(np.array([range(30), [1, 2, 3] * 10]).T, columns=["k", "k"])
    columns = [ColumnType("k", "identifier"), ColumnType("k", "count")]
    assert autotype.validate(frame, schema_of(frame, *columns)) is not None
    assert autotype.validate(frame.iloc[:, ::-1], schema_of(frame, *columns)) is not None


def test_an_engine_counts_the_rows_that_fail(monkeypatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", 10)
    frame = pd.DataFrame({"town": TOWNS * 6, "n": range(30)})
    batch = frame.assign(town=["Oslo"] * 4 + ["Rom"] * 2 + list(frame["town"][6:]))
    schema = schema_of(frame, categorical("town", TOWNS))
    cases = failure(duckdb.from_df(batch), schema).failure_cases
    assert dict(zip(cases["failure_case"], cases["n_rows"], strict=True)) == {"Oslo": 4, "Rom": 2}


@pytest.mark.parametrize(
    ("held", "is_renamed"),
    [
        (TOWNS, True),
        (TOWNS[:3], True),  # enough of the levels
        (TOWNS[:2], False),
        ([*TOWNS[:4], "Oslo"], True),  # few others
        ([*TOWNS[:4], "Oslo", "Rom"], False),
    ],
)
def test_a_column_under_another_name_is_found_by_its_levels(held, is_renamed) -> None:
    schema = schema_of(pd.DataFrame({"town": TOWNS * 6}), categorical("town", TOWNS))
    found = find_renamed(pd.DataFrame({"w": held * 6}), schema)
    assert found == ({"town": "w"} if is_renamed else {})


def test_new_columns_take_no_name_of_a_column_that_is_there() -> None:
    frame = pd.DataFrame({"town": TOWNS * 6, "n": range(30)})
    schema = schema_of(frame, categorical("town", TOWNS), ColumnType("n", "count"))
    assert find_renamed(frame.drop(columns="n").assign(place=frame["town"]), schema) == {}


def is_positive(values):
    return values > 0


@pytest.mark.parametrize("n_failing", [0, 2])
def test_a_check_of_a_user_has_one_result(n_failing) -> None:
    schema = pa.DataFrameSchema({"x": pa.Column(int, pa.Check(is_positive))})
    batch = pd.DataFrame({"x": [-1] * n_failing + [1, 2, 3]})
    found = check_outcome(batch, schema, min_rows=0, max_failures=(0.0, False)).results
    status = "failed" if n_failing else "passed"
    assert [(r.check, r.status) for r in found if r.column == "x"] == [
        *(("present", "passed"), ("dtype", "passed"), ("not_null", "passed")),
        ("is_positive", status),
    ]


def test_identifiers_without_hash_need_not_be_unique() -> None:
    frame = pd.DataFrame({"k": [[1], [2], [3]] * 10})
    assert not schema_of(frame, ColumnType("k", "identifier")).columns["k"].unique


def test_the_closest_name_of_several_is_the_renamed_column() -> None:
    schema = pa.DataFrameSchema({"price": pa.Column(float), "prices": pa.Column(float)})
    batch = pd.DataFrame({"priced": [1.0], "price of it": [1.0]})
    assert find_renamed(batch.rename(columns={"price of it": "prixe"}), schema) == {
        "price": "priced",
        "prices": "prixe",
    }


def test_a_check_that_another_dtype_breaks_is_no_further_failure() -> None:
    checks = [
        pa.Check(lambda values: values > 0, name="above"),
        pa.Check(lambda v: v < 9, name="under"),
    ]
    schema = pa.DataFrameSchema({"n": pa.Column("int64", checks)})
    with pytest.raises(BatchError) as failures:
        autotype.validate(pd.DataFrame({"n": ["a", "b"]}), schema)
    assert len(failures.value.problems) == 1
    assert "expected int64" in failures.value.problems[0]


@pytest.mark.parametrize(
    ("dtype", "cells", "limits"),
    [
        ("int64", [-(2**62), 2**63 - 1], (-(2**63), 2**63 - 1)),
        ("uint64", [1, 2**64 - 1], (0, 2**64 - 1)),
        ("int8", [-128, 127], (-383, 382)),
        ("uint64[pyarrow]", [0, 2**63 - 1], (0, 2**63 - 1)),
        ("float32", [0.0, 3e38], (0.0, float(np.finfo("float32").max))),
        ("float64", [1.0, 3.0], (0.0, 5.0)),
    ],
)
def test_ranges_stay_within_what_a_column_can_be_compared_with(dtype, cells, limits) -> None:
    frame = pd.DataFrame({"n": pd.Series(cells * 9, dtype=dtype)})
    kind = "continuous" if dtype.startswith("f") else "count"
    schema = autotype.to_schema(frame, TypeReport([ColumnType("n", kind)], n_rows=18), margin=1.0)
    (check,) = (c for c in schema.columns["n"].checks if c.name == "in_range")
    assert (check.statistics["min_value"], check.statistics["max_value"]) == limits
