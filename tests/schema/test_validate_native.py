"""A batch in any library gets the verdict of the same rows in pandas."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype import ColumnType, TypeReport, errors, validate
from autotype.inference.frames.as_pandas import open_frame
from tests.inference.frames.engines import EAGER, LAZY, engine, sample_table, to_arrow, to_polars

Convert = Callable[[pd.DataFrame], Any]

GRADES = ("poor", "fair", "good", "excellent")
TYPES = TypeReport(
    [
        ColumnType("grade", "ordinal", order=GRADES),
        ColumnType("colour", "categorical", levels=dict.fromkeys(["red", "green", "blue", "grey"])),
        ColumnType("rating", "ordinal", order=(1, 2, 3, 4, 5)),
        ColumnType("score", "continuous"),
        ColumnType("share", "continuous"),
        ColumnType("member", "binary", levels={True: 1, False: 1}),
        ColumnType("number", "identifier"),
        ColumnType("day", "datetime"),
        ColumnType("rare", "categorical", levels=dict.fromkeys(["never", "often", "always"])),
    ]
)
DAY_1, DAY_2 = sample_table(200), sample_table(150, seed=1)


@cache
def survey(*, strict: bool = False) -> Any:
    """Return the schema of the first day."""
    return autotype.to_schema(DAY_1, TYPES, name="survey", strict=strict)


def changed(**cells: Any) -> pd.DataFrame:
    """Return a batch with some cells changed: column=(row, value)."""
    batch = DAY_2.copy()
    for name, (row, value) in cells.items():
        batch[name] = batch[name].where(batch.index != row, value)
    return batch


# Batches, and whether the schema is strict.
FAILING = {
    "a new level": (changed(grade=(7, "superb")), False),
    "a new level of numbers": (changed(rating=(7, 9)), False),
    "missing values": (changed(grade=(7, None)), False),
    "missing numbers": (changed(score=(7, np.nan)), False),
    "out of range": (changed(score=(7, 1e6)), False),
    "infinite": (changed(share=(7, np.inf)), False),
    "repeated": (changed(number=(7, 1003)), False),
    "strings for numbers": (DAY_2.assign(score=DAY_2["colour"].fillna("?")), False),
    "numbers for levels": (DAY_2.assign(grade=DAY_2["number"]), False),
    "fractions for integers": (DAY_2.assign(number=DAY_2["number"] + 0.5), False),
    "a level only": (DAY_2.assign(grade="poor"), False),
    "a number only": (DAY_2.assign(score=1.0), False),
    "a string only": (DAY_2.assign(rare=None, colour="red"), False),
    "no column": (DAY_2.drop(columns=["grade", "share"]), False),
    "an extra column": (DAY_2.assign(other=1), True),
    "many failures": (
        changed(grade=(7, "superb"), score=(9, -1e6), number=(7, 1003)).drop(columns="day"),
        False,
    ),
}
PASSING = {
    "a batch": (DAY_2, False),
    "with all columns": (DAY_2, True),
    "with a new column": (DAY_2.assign(other=1), False),
    "integers for fractions": (DAY_2.assign(share=[0, 1] * 75), False),
    "without rows": (DAY_2.iloc[:0], False),
    "strings of dates": (DAY_2.assign(day=DAY_2["day"].dt.strftime("%Y-%m-%d")), False),
}


def verdict(batch: Any, schema: Any) -> list[tuple[str, str]]:
    """Return the columns that fail, with the check."""
    try:
        validate(batch, schema)
    except errors.BatchError as failures:
        return failed_checks(failures)
    return []


def failed_checks(failures: errors.BatchError) -> list[tuple[str, str]]:
    cases = failures.failure_cases
    checks = set(zip(cases["column"].map(str), cases["check"].map(str), strict=True))
    return sorted(checks) or [("no cases", str(failures))]


@cache
def failures_in_pandas(case: str) -> errors.BatchError:
    batch, strict = FAILING[case]
    with pytest.raises(errors.BatchError) as failures:
        validate(batch, survey(strict=strict))
    return failures.value


@cache
def passes_in_pandas(case: str) -> bool:
    batch, strict = PASSING[case]
    return verdict(batch, survey(strict=strict)) == []


@pytest.mark.parametrize("case", FAILING)
@pytest.mark.parametrize("convert", [*EAGER, *LAZY])
def test_the_verdict_and_the_sentences_are_those_of_pandas(convert: Convert, case: str) -> None:
    batch, strict = FAILING[case]
    expected = failures_in_pandas(case)
    with pytest.raises(errors.BatchError) as failures:
        validate(convert(batch), survey(strict=strict))
    if case not in ("strings for numbers", "fractions for integers"):  # name the dtype
        assert failures.value.problems == expected.problems
    assert failed_checks(failures.value) == failed_checks(expected)


@pytest.mark.parametrize("case", FAILING)
@pytest.mark.parametrize("convert", LAZY)
def test_counts_give_the_verdict_of_the_rows(
    convert: Convert, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)
    batch, strict = FAILING[case]
    found = verdict(convert(batch), survey(strict=strict))
    assert found == failed_checks(failures_in_pandas(case))


@pytest.mark.parametrize("case", PASSING)
@pytest.mark.parametrize("by_engine", [False, True])
@pytest.mark.parametrize("convert", [*EAGER, *LAZY])
def test_a_good_batch_passes_in_its_own_library(
    convert: Convert, by_engine: bool, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by_engine:
        monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)
    batch, strict = PASSING[case]
    assert passes_in_pandas(case)
    native = convert(batch)
    assert type(validate(native, survey(strict=strict))) is type(native)


@pytest.fixture
def by_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have engines count however small the table is."""
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_failures_of_counts_name_the_number_of_rows(convert: Convert) -> None:
    batch = changed(score=(7, -1e6), number=(7, 1003))
    batch["grade"] = batch["grade"].replace("good", "superb").mask(batch.index == 9, None)
    batch["rating"] = batch["rating"].mask(batch["rating"] == 3, 9)
    n_superb, n_nines = (batch["grade"] == "superb").sum(), (batch["rating"] == 9).sum()
    with pytest.raises(errors.BatchError) as failures:
        validate(convert(batch), survey())
    assert [problem.partition(",")[0].partition(";")[0] for problem in failures.value.problems] == [
        "column 'grade' has missing values in 1 row",
        f"column 'grade' holds level 'superb' in {n_superb} rows",
        f"column 'rating' holds level 9 in {n_nines} rows",
        failures.value.problems[3].partition(",")[0],
        "column 'number' repeats values: 1003 in 2 rows",
    ]
    assert failures.value.problems[3].startswith("column 'score' fails in_range(")
    assert failures.value.problems[3].endswith("): -1000000.0")
    cases = failures.value.failure_cases.set_index("column")
    assert cases["index"].isna().all()
    assert cases.loc["rating", "n_rows"] == n_nines
    assert pd.isna(cases.loc["score", "n_rows"])
    assert cases.loc["rating", "expected"] == "1 < 2 < 3 < 4 < 5"


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_the_first_failure_of_counts_is_one_of_pandera(convert: Convert) -> None:
    import pandera.pandas as pa

    for batch in (changed(score=(7, -1e6)), DAY_2.drop(columns="day")):
        with pytest.raises(pa.errors.SchemaError, match=r"score|day"):
            validate(convert(batch), survey(), lazy=False)


@pytest.mark.parametrize("convert", [LAZY[0], LAZY[1], LAZY[2]])
@pytest.mark.usefixtures("by_engine")
def test_missing_values_repeat_each_other(convert: Convert) -> None:
    import pandera.pandas as pa

    schema = pa.DataFrameSchema({"key": pa.Column(str, nullable=True, unique=True)})
    one, two = pd.DataFrame({"key": ["a", None, "b"]}), pd.DataFrame({"key": ["a", None, None]})
    assert verdict(convert(one), schema) == verdict(one, schema) == []
    assert verdict(convert(two), schema) == verdict(two, schema) != []


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_the_levels_of_a_column_of_many_are_not_loaded_if_drawn_rows_fail(
    convert: Convert, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autotype.schema.batches.engine_batch.MAX_LEVELS", 20)
    batch = DAY_2.assign(grade=[f"note {k}" for k in range(len(DAY_2))])
    with pytest.raises(
        errors.BatchError, match=r"'grade' holds level 'note \d+' and .* more, not among"
    ):
        validate(convert(batch), survey())
    dates = DAY_2.assign(day=DAY_2["day"].dt.strftime("%Y-%m-%d"))
    assert verdict(convert(dates), survey()) == []
    wrong = dates.assign(day=dates["day"].where(dates.index != 149, "yesterday"))
    assert verdict(convert(wrong), survey()) == verdict(wrong, survey()) != []


def test_the_levels_are_cast_as_by_apply_types() -> None:
    import polars as pl

    checked = validate(to_polars(DAY_2), survey())
    assert checked.schema["grade"] == pl.Enum(GRADES)
    assert checked.schema["colour"] == pl.Categorical()
    assert checked.schema["rating"] == pl.Int64
    assert validate(checked, survey()).equals(checked)
    lazy = validate(to_polars(DAY_2).lazy(), survey())
    assert lazy.collect().equals(checked)
    table = validate(to_arrow(DAY_2), survey())
    assert table.schema.field("grade").type.ordered
    assert not table.schema.field("colour").type.ordered
    assert validate(table, survey()).equals(table)


@pytest.mark.parametrize("by_counts", [False, True])
def test_an_enum_states_its_order_and_a_categorical_none(
    by_counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import polars as pl

    if by_counts:
        monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)
    wrong = to_polars(DAY_2).lazy().cast({"grade": pl.Enum(sorted(GRADES))})
    with pytest.raises(errors.BatchError, match="'grade' has the levels 'excellent' < 'fair'"):
        validate(wrong, survey())
    right = to_polars(DAY_2).lazy().cast({"grade": pl.Enum(GRADES)})
    stored = to_polars(DAY_2).lazy().cast({"grade": pl.Categorical(), "colour": pl.Categorical()})
    for batch in (right, stored):
        assert validate(batch, survey()).collect_schema()["grade"] == pl.Enum(GRADES)


@pytest.mark.parametrize("convert", [engine(to_polars, "polars", "polars"), *LAZY[:2]])
def test_columns_of_no_rule_are_filtered(convert: Convert) -> None:
    import pandera.pandas as pa

    schema = pa.DataFrameSchema({"grade": survey().columns["grade"]}, strict="filter")
    checked = validate(convert(DAY_2), schema)
    assert open_frame(checked).names.tolist() == ["grade"]


@pytest.mark.parametrize("convert", [*EAGER, *LAZY])
def test_what_only_pandas_does_is_refused(convert: Convert) -> None:
    import pandera.pandas as pa

    columns = {"grade": survey().columns["grade"]}
    parsing = pa.DataFrameSchema(columns, parsers=pa.Parser(lambda frame: frame))
    with pytest.raises(ValueError, match=r"changes the batch \(parsers\).*convert .* to pandas"):
        validate(convert(DAY_2), parsing)
    dropping = pa.DataFrameSchema(columns, drop_invalid_rows=True)
    with pytest.raises(ValueError, match=r"changes the batch \(drop_invalid_rows\)"):
        validate(convert(DAY_2), dropping)


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_what_counts_do_not_decide_is_refused(convert: Convert) -> None:
    import pandera.pandas as pa

    mean = pa.Check(lambda values: values.mean() > 0, name="mean")
    with pytest.raises(ValueError, match="the check 'mean' of column 'score', which the counts of"):
        validate(convert(DAY_2), pa.DataFrameSchema({"score": pa.Column(float, mean)}))
    of_all = pa.DataFrameSchema(checks=pa.Check(lambda frame: len(frame) > 3), unique=["grade"])
    with pytest.raises(ValueError, match="checks of several columns, rows that are unique"):
        validate(convert(DAY_2), of_all)


def test_schemas_of_pandera_for_other_libraries_are_refused() -> None:
    import pandera.polars as pp

    with pytest.raises(TypeError, match=r"pandera\.polars and the like has a method validate"):
        validate(to_polars(DAY_2), pp.DataFrameSchema({"score": pp.Column()}))


@pytest.mark.parametrize("thing", [3, {"a": [1]}, np.ones((2, 2))])
def test_other_things_are_refused(thing: object) -> None:
    with pytest.raises(TypeError, match="frames of pandas, polars"):
        validate(thing, survey())


def test_a_schema_of_numbers_beside_strings_fits_their_numbers_after_apply() -> None:
    ages = ["…" if k % 20 == 0 else 18.5 + k % 60 for k in range(200)]
    frame = pd.DataFrame({"age": pd.Series(ages, dtype=object), "x": range(200)})
    types = autotype.infer_types(frame)
    assert types["age"].missing_markers == ("…",)
    schema = autotype.to_schema(frame, types)
    with pytest.warns(UserWarning, match="'age' are stored as such"):
        typed = autotype.apply_types(frame, types)
    for batch in (frame, typed):
        autotype.validate(batch, schema)


@pytest.mark.parametrize("convert", [lambda frame: frame, *EAGER, *LAZY])
def test_a_schema_of_strings_fits_their_numbers_after_apply(convert: Convert) -> None:
    ages = ["unknown" if k % 20 == 0 else str(18 + k % 60) for k in range(200)]
    frame = pd.DataFrame({"age": ages, "grade": ["low", "mid", "high", "mid"] * 50})
    types = autotype.infer_types(frame)
    assert types["age"].missing_markers == ("unknown",)
    schema = autotype.to_schema(frame, types)
    with pytest.warns(UserWarning, match="'age' are stored as such"):
        typed = autotype.apply_types(frame, types)
    assert typed["age"].dtype == "float64"
    outside = typed.assign(age=typed["age"].replace({20.0: 900.0}))
    for batch in (frame, typed):
        autotype.validate(convert(batch), schema)
    with pytest.raises(errors.BatchError, match=r"'age' .*amounts"):
        autotype.validate(convert(outside), schema)
