"""Which checks a report states for other tools: those of its types, and those of its schema."""

from __future__ import annotations

import datetime
import pickle
from typing import Any

import pandas as pd
import pandera.pandas as pa
import pytest
import yaml

import autotype
from autotype import ColumnType, TypeReport

FRAME = pd.DataFrame(
    {
        "price": [2.5, 3.75, 1.5, 2.5] * 10,
        "visits": [3, 0, 10, 2] * 10,
        "day": pd.to_datetime(["2024-01-01", "2024-02-01", "2024-03-01", "2024-01-01"] * 10),
        "key": [f"k{j}" for j in range(40)],
        "note": ["some words", "and others", "a", "b c"] * 10,
        "size": ["S", "M", "L", "M"] * 10,
        "town": ["Ulm", "Rom", "Bern", "Rom"] * 10,
        "mood": ["blue", "red", "green", "red"] * 10,
        "flag": [True, False, True, True] * 10,
        "bit": [0, 1, 1, 0] * 10,
        "answer": ["yes", "no", "yes", "yes"] * 10,
        "unit": ["kg"] * 40,
    }
)
LISTED = ["size", "town", "mood", "flag", "bit", "answer", "unit"]


def typed(name: str, kind: Any, **options: Any) -> ColumnType:
    levels = FRAME[name].value_counts(sort=False).to_dict()  # `infer_types` lists few levels, too
    return ColumnType(name, kind, levels=levels, **options)


TYPES = TypeReport(
    [
        typed("price", "continuous"),
        typed("visits", "count"),
        typed("day", "datetime"),
        typed("key", "identifier"),
        typed("note", "text"),
        typed("size", "ordinal", order=("S", "M", "L")),
        typed("town", "categorical"),
        typed("mood", "undetermined"),
        typed("flag", "binary"),
        typed("bit", "binary"),
        typed("answer", "binary"),
        typed("unit", "constant"),
    ]
)
OF_SCHEMA = TypeReport.from_schema(autotype.to_schema(FRAME, TYPES))


def allowed(report: TypeReport) -> dict[str, list[Any]]:
    """Return the values that Great Expectations and dbt allow in each column, sorted."""
    suite = {
        e["kwargs"]["column"]: sorted(e["kwargs"]["value_set"], key=str)
        for e in report.to_great_expectations()["expectations"]
        if e["type"] == "expect_column_values_to_be_in_set"
    }
    (model,) = yaml.safe_load(report.to_dbt())["models"]
    tests = {
        c["name"]: [t for t in c.get("data_tests", []) if "accepted_values" in t]
        for c in model["columns"]
    }
    of_dbt = {
        name: sorted(test["accepted_values"]["arguments"]["values"], key=str)
        for name, found in tests.items()
        for test in found
    }
    assert of_dbt == suite
    return suite


@pytest.mark.parametrize("name", [c for c in FRAME if c not in LISTED])
def test_values_of_numbers_dates_and_texts_are_not_levels(name: str) -> None:
    """A later price is another one, even if the first batch held three."""
    for report in (TYPES, OF_SCHEMA):
        assert name not in allowed(report)
        (line,) = [part for part in report.to_sql().splitlines() if f'"{name}"' in part]
        assert " IN (" not in line


def test_a_report_lists_the_levels_that_its_schema_does() -> None:
    assert list(allowed(TYPES)) == LISTED
    assert allowed(TYPES) == allowed(OF_SCHEMA)
    assert allowed(TYPES)["flag"] == [False, True]


@pytest.mark.parametrize(
    "column",
    [
        ColumnType("x", "binary", levels={0: 1, 1: 1, 2: 1}),  # of another batch
        ColumnType("x", "binary"),
        ColumnType("x", "constant"),
        ColumnType("x", "constant", levels={datetime.date(2024, 1, 1): 9}),
        ColumnType("x", "categorical"),
        ColumnType("x", "ordinal"),
    ],
    ids=lambda column: f"{column.semantic_type} {list(column.levels)}",
)
def test_types_without_levels_to_list(column: ColumnType) -> None:
    assert " IN (" not in TypeReport([column]).to_sql()
    assert allowed(TypeReport([column])) == {}


def test_the_kind_of_values_that_a_type_lists_is_known() -> None:
    lines = dict(line.split(maxsplit=1) for line in TYPES.to_sql().splitlines()[2:-1])
    kinds = {name.strip('"'): kind.rstrip(",") for name, kind in lines.items()}
    assert {name: kinds[name] for name in ("price", "visits", "day", "note")} == {
        "price": "DOUBLE PRECISION",
        "visits": "BIGINT",
        "day": "TIMESTAMP",
        "note": "TEXT",
    }


def test_a_schema_as_source_keeps_all_that_it_demands() -> None:
    text = OF_SCHEMA.to_sql("shop")
    assert '"price" DOUBLE PRECISION NOT NULL CHECK ("price" >= 0.0 AND "price" <= 8.25)' in text
    assert '"day" TIMESTAMP NOT NULL' in text
    assert '"key" TEXT NOT NULL UNIQUE' in text
    schema = pa.DataFrameSchema(
        {
            "code": pa.Column(str, pa.Check.isin(["a", "b", "c"]), nullable=True),
            "low": pa.Column(float, pa.Check.ge(0.5)),
            "high": pa.Column(int, pa.Check.le(9)),
            "above": pa.Column(int, pa.Check.gt(0)),
            "names": pa.Column("category", pa.Check.is_categorical(["a", "it's"])),
        }
    )
    assert TypeReport.from_schema(schema).to_sql().splitlines()[1:-1] == [
        """  "code" TEXT CHECK ("code" IN ('a', 'b', 'c')),""",
        '  "low" DOUBLE PRECISION NOT NULL CHECK ("low" >= 0.5),',
        '  "high" BIGINT NOT NULL CHECK ("high" <= 9),',
        '  "above" BIGINT NOT NULL,',
        """  "names" TEXT NOT NULL CHECK ("names" IN ('a', 'it''s'))""",
    ]


def test_an_optional_column_need_not_exist() -> None:
    schema = pa.DataFrameSchema({"x": pa.Column(int, required=False, nullable=True)})
    assert TypeReport.from_schema(schema).to_great_expectations()["expectations"] == []


def test_a_decision_changes_levels_and_keeps_the_other_checks() -> None:
    revised = OF_SCHEMA.revise(size=["L", "M", "S"], town="text")
    text = revised.to_sql("shop")
    assert """CREATE TYPE "shop_size" AS ENUM ('L', 'M', 'S');""" in text
    assert '"size" "shop_size" NOT NULL' in text
    assert '  "town" TEXT NOT NULL,\n' in text
    assert 'CHECK ("price" >= 0.0 AND "price" <= 8.25)' in text


def test_where_the_checks_of_a_schema_go() -> None:
    assert OF_SCHEMA.checks["price"]["in_range"]["max_value"] == 8.25
    assert TYPES.checks == {}
    assert pickle.loads(pickle.dumps(OF_SCHEMA)).checks == OF_SCHEMA.checks
    assert TypeReport(OF_SCHEMA).checks == OF_SCHEMA.checks
    assert OF_SCHEMA.without_values().checks == {}  # limits are values
    assert TypeReport(OF_SCHEMA.columns) == OF_SCHEMA
