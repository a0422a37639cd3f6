"""Dates and amounts that a table holds as strings."""

import re

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import BatchError
from autotype.lexicon.dates import are_dates
from autotype.schema.yaml_io import schema_from_yaml, schema_to_yaml
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

TYPES = TypeReport([ColumnType("day", "datetime"), ColumnType("price", "continuous")])
DAY_1 = pd.DataFrame(
    {
        "day": [f"{j % 28 + 1}/{j % 12 + 1}/2020" for j in range(60)],
        "price": [f"${1000 + j:,}.50" for j in range(60)],
    }
)
SCHEMA = autotype.to_schema(DAY_1, TYPES)


def problems(schema, **changes):
    batch = DAY_1.assign(
        **{name: [*cells, *DAY_1[name][len(cells) :]] for name, cells in changes.items()}
    )
    again = schema_from_yaml(schema_to_yaml(schema))
    found = []
    for one in (schema, again):
        with pytest.raises(BatchError) as caught:
            autotype.validate(batch, one)
        found.append(caught.value.problems)
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("day", ["31/31/2020", "30/2/2020", "soon", "3/31/2020", "2020-13-01"])
def test_dates_that_are_none(day):
    assert problems(SCHEMA, day=["1/1/2020", day]) == [
        f"column 'day' holds {day!r} at row 1: must be dates or times that exist; correct them"
    ]


@pytest.mark.parametrize("day", ["31/12/2020", "2020-02-29", "1.2.2021", "29 Feb 2020", "12:30"])
def test_dates_that_exist(day):
    assert len(autotype.validate(DAY_1.assign(day=[day, *DAY_1["day"][1:]]), SCHEMA)) == 60


def test_dates_that_begin_with_the_month():
    schema = autotype.to_schema(DAY_1.assign(day=[f"1/{j % 28 + 1}/20" for j in range(60)]), TYPES)
    assert "'13/1/20' at row 0" in problems(schema, day=["13/1/20"])[0]
    assert are_dates(pd.Series(["13/1/20", "1/13/20", 5, None]), day_first=None).tolist() == [
        *(True, True, True, False)
    ]


@pytest.mark.parametrize(
    ("price", "where"),
    [
        ("on request", "amounts in $ from 882.5 to 1177.5"),
        ("€1,010.00", "amounts in $"),
        ("1,010 kg", "amounts in $"),
        ("$10,100.00", "from 882.5 to 1177.5"),
        ("-$1,010.00", "from 882.5 to 1177.5"),
    ],
)
def test_amounts_that_are_none(price, where):
    (problem,) = problems(SCHEMA, price=[price])
    assert problem.startswith(f"column 'price' holds {price!r} at row 0: must be amounts in $ from")
    assert where in problem


def test_amounts_without_a_unit_fit():
    batch = DAY_1.assign(price=[str(1000 + j) for j in range(60)])
    assert len(autotype.validate(batch, SCHEMA)) == 60


def test_a_share_of_stray_texts_is_tolerated():
    day1 = DAY_1.assign(price=["on request", "n/a", *DAY_1["price"][2:]])
    schema = autotype.to_schema(day1, TYPES)  # 2 of 60: up to 4 in a batch as large
    assert len(autotype.validate(DAY_1.assign(price=["?"] * 4 + [*DAY_1["price"][4:]]), schema))
    (problem,) = problems(schema, price=["?"] * 5)
    assert problem.startswith("column 'price' holds '?' at row 0 (5 rows): must be amounts in $")
    assert "except 6.67% of the rows" in problem
    assert "'$9,000' at row 0" in problems(schema, price=["$9,000"])[0]
    strict = autotype.to_schema(day1, TYPES, max_strays=0.0)
    assert "'?' at row 0" in problems(strict, price=["?"])[0]
    loose = autotype.to_schema(DAY_1, TYPES, max_strays=0.5)
    assert len(autotype.validate(DAY_1.assign(day=["?", *DAY_1["day"][1:]]), loose)) == 60


def test_no_range_without_a_margin_and_any_of_many_units():
    day1 = DAY_1.assign(price=[f"{j} {('kg', 'm', 'cm', 'mm')[j % 4]}" for j in range(60)])
    (check,) = (
        check
        for check in autotype.to_schema(day1, TYPES, margin=None).columns["price"].checks
        if check.name == "is_amount"
    )
    assert check.statistics["units"] is None
    assert check.statistics["max_value"] is None
    assert check(pd.Series(["7 miles", "1e3"])).check_passed
    nothing = autotype.to_schema(DAY_1.assign(price=list("abc") * 20), TYPES)
    assert [check.name for check in nothing.columns["price"].checks] == ["varies"]


def test_counts_of_an_engine_weigh_the_strays(monkeypatch):
    polars = pytest.importorskip("polars")
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)
    schema = autotype.to_schema(DAY_1, TYPES, max_strays=0.2)
    prices = np.where(np.arange(6000) % 5 == 0, "on request", "$1,010.00")
    batch = DAY_1.iloc[np.arange(6000) % 60].reset_index(drop=True).assign(price=prices)
    assert autotype.validate(polars.from_pandas(batch).lazy(), schema) is not None
    strict = autotype.to_schema(DAY_1, TYPES, max_strays=0.1)
    message = "column 'price' holds 'on request' in 1,200 rows: must be amounts"
    with pytest.raises(BatchError, match=re.escape(message)):
        autotype.validate(polars.from_pandas(batch).lazy(), strict)
