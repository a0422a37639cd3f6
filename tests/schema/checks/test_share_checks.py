"""Columns that hold a single value, and levels with other proportions than before."""

import re

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import BatchError
from autotype.schema.checks.column_views import Witnesses
from autotype.schema.checks.share_checks import has_level_shares, is_stuck, shares_beyond, varies
from autotype.schema.checks.table import find_check
from autotype.schema.yaml_io import schema_from_yaml, schema_to_yaml
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

TYPES = TypeReport(
    [
        ColumnType("size", "ordinal", order=("S", "M", "L")),
        ColumnType("flag", "binary"),
        ColumnType("price", "continuous"),
    ]
)


def frame(n, *, seed=0, p=(0.5, 0.3, 0.2)):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "size": rng.choice(["S", "M", "L"], n, p=p),
            "flag": rng.random(n) < 0.9,
            "price": rng.random(n) * 100,
        }
    )


DAY_1 = frame(400)
SCHEMA = autotype.to_schema(DAY_1, TYPES)
WITH_SHARES = autotype.to_schema(DAY_1, TYPES, share_tolerance=0.1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size": "M"}, "column 'size' holds 'M' in all 300 rows, where no value had more than 4"),
        ({"price": 7.5}, "column 'price' holds 7.5 in all 300 rows, where no value had more than "),
        ({"flag": True}, "column 'flag' holds True in all 300 rows, where no value had more than "),
    ],
)
def test_a_column_that_holds_a_single_value(changes, message):
    for schema in (SCHEMA, schema_from_yaml(schema_to_yaml(SCHEMA))):
        with pytest.raises(BatchError, match=re.escape(message)) as caught:
            autotype.validate(frame(300).assign(**changes), schema)
        assert len(caught.value.problems) == 1
        assert "; correct its source, or remove the check from the schema" in str(caught.value)


def test_few_equal_rows_are_chance():
    few = pd.DataFrame({"size": ["M"] * 4, "flag": True, "price": [1.0, 2.0, 3.0, 4.0]})
    assert len(autotype.validate(few, SCHEMA)) == 4
    assert len(autotype.validate(few.iloc[:0], WITH_SHARES)) == 0
    assert not is_stuck(1, 9, 0.5)
    assert is_stuck(1, 10, 0.5)
    assert not is_stuck(2, 10, 0.5)


def test_identifiers_and_constants_need_not_vary():
    day1 = pd.DataFrame({"id": [f"k{j}" for j in range(40)], "unit": "kg"})
    types = TypeReport([ColumnType("id", "identifier"), ColumnType("unit", "constant")])
    schema = autotype.to_schema(day1, types)
    names = [check.name for rule in schema.columns.values() for check in rule.checks]
    assert names == ["isin"]


def test_other_shares_fail_where_a_tolerance_is_set():
    same, other = frame(2000, seed=1), frame(2000, seed=2, p=(0.2, 0.3, 0.5))
    assert len(autotype.validate(same, WITH_SHARES)) == 2000
    assert len(autotype.validate(other, SCHEMA)) == 2000
    for schema in (WITH_SHARES, schema_from_yaml(schema_to_yaml(WITH_SHARES))):
        with pytest.raises(
            BatchError, match="column 'size' has other proportions than before"
        ) as error:
            autotype.validate(other, schema)
        assert error.value.problems == [
            "column 'size' has other proportions than before: level 'L' 50% instead of 25%, level "
            "'S' 21% instead of 46% (tolerance 10%); look for the cause, or write a new schema"
        ]


def test_few_rows_may_have_other_shares():
    counts = {"levels": ["a", "b"], "counts": [500, 500], "tolerance": 0.1}
    assert shares_beyond({"a": 6, "b": 2}, **counts) == []
    assert shares_beyond({"a": 600, "b": 200}, **counts) == [("a", 0.75, 0.5), ("b", 0.25, 0.5)]
    assert shares_beyond({"c": 600, "a": 10}, **counts)[0] == ("c", 600 / 610, 0.0)
    assert shares_beyond({}, **counts) == []
    assert has_level_shares(pd.Series([["a"], ["b"]]), **counts)  # fails other checks


@pytest.mark.parametrize("name", ["share_tolerance", "max_strays"])
def test_shares_out_of_range(name):
    with pytest.raises(ValueError, match=f"{name} must be None or from 0 to 1, got 5"):
        autotype.to_schema(DAY_1, TYPES, **{name: 5})


def test_counts_of_an_engine_give_the_same_sentences(monkeypatch):
    polars = pytest.importorskip("polars")
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)
    assert autotype.validate(polars.from_pandas(frame(300)).lazy(), WITH_SHARES) is not None
    for batch in (frame(300).assign(size="M", price=7.5), frame(2000, p=(0.2, 0.3, 0.5))):
        with pytest.raises(BatchError) as expected:
            autotype.validate(batch, WITH_SHARES)
        with pytest.raises(BatchError) as counted:
            autotype.validate(polars.from_pandas(batch).lazy(), WITH_SHARES)
        assert counted.value.problems == expected.value.problems


def test_few_values_that_no_drawn_row_holds_decide_nothing() -> None:
    unseen = Witnesses(pd.Series([None], dtype=object), [999_999], n_distinct=1, n_present=1)
    (check,) = (of for of in SCHEMA.columns["price"].checks if of.name == "varies")
    assert unseen.counts is None
    assert find_check(check).decided(check, unseen)(unseen.values).check_passed


def test_checks_in_panderas_short_form_stay_beside_ours():
    text = schema_to_yaml(SCHEMA)
    names = [check.name for check in schema_from_yaml(text).columns["price"].checks]
    assert names == ["varies", "in_range"]


def test_cells_without_hash_are_not_counted():
    arrow = pytest.importorskip("pyarrow")
    lists = pd.Series([[1], [2]] * 20, dtype=pd.ArrowDtype(arrow.list_(arrow.int64())))
    for values in (lists, lists.astype(object)):
        types = TypeReport([ColumnType("x", "undetermined")])
        schema = autotype.to_schema(pd.DataFrame({"x": values}), types)
        assert schema.columns["x"].checks == []
        assert varies(values, top_share=0.5)


def test_three_standard_errors_of_a_difference_are_allowed():
    rng = np.random.default_rng(0)
    for _ in range(200):
        n, m = rng.integers(1, 60, 2)
        a, b = rng.integers(0, n + 1), rng.integers(0, m + 1)
        share = (a + b) / (n + m)
        allowed = 0.02 + 3 * np.sqrt(share * (1 - share) * (1 / n + 1 / m))
        counts = {"levels": ["a", "b"], "counts": [int(a), int(n - a)], "tolerance": 0.02}
        found = {level for level, _, _ in shares_beyond({"a": int(b), "b": int(m - b)}, **counts)}
        assert (found == {"a", "b"}) == (abs(a / n - b / m) > allowed), (a, n, b, m)
