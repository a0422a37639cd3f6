"""Rewrite the golden file of schemas and their failures, after an intended change.

    python tests/schema/golden/renew.py && git diff tests/schema/golden

The frame has a column for each check, and the batches are at the limits of the checks and beyond.
Review the difference before the commit: it is what changes for users.
"""

from __future__ import annotations

import datetime
import json
import math
import re
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

import autotype
from autotype import ColumnType, TypeReport
from autotype.errors import BatchError
from autotype.schema.checks.column_rules import COLUMN_RULES
from autotype.schema.outcome import check_outcome

FILE = Path(__file__).resolve().parent / "schemas.json"
N_ROWS = 40
DAYS = [datetime.date(2024, 1, 1 + k) for k in range(3)]
CELLS: dict[str, list[Any]] = {
    "id": [f"k{k:02d}" for k in range(N_ROWS)],
    "size": ["S", "M", "L", "?"] * 10,
    "grade": [1, 2, 3, 4, 4] * 8,
    "town": ["Ulm", "Rom", None, "it's", "Rom"] * 8,
    "half": [0.5, 1.5] * 20,
    "ok": [True, False] * 20,
    "sold": ["yes", "no"] * 20,
    "unit": ["kg"] * N_ROWS,
    "items": [k % 9 for k in range(N_ROWS)],
    "change": [k % 9 - 4 for k in range(N_ROWS)],
    "weight": [1 + k / 4 for k in range(N_ROWS)],
    "rate": [math.inf, *map(float, range(1, N_ROWS))],
    "debt": [-math.inf, *map(float, range(1, N_ROWS))],
    "day": list(pd.date_range("2024-01-01", periods=N_ROWS).as_unit("ns")),
    "moment": list(pd.date_range("2024-01-01", periods=N_ROWS, tz="UTC").as_unit("ns")),
    "due": [f"{k % 28 + 1}/{k % 12 + 1}/2020" for k in range(N_ROWS)],
    "price": [f"${1000 + k}.50" for k in range(N_ROWS)],
    "length": [f"{k} {('m', 'km', 'cm')[k % 3]}" for k in range(N_ROWS)],
    "width": ["n/a", "wide", *(f"{k} {('m', 'km', 'cm', 'in')[k % 4]}" for k in range(2, N_ROWS))],
    "opened": DAYS * 13 + DAYS[:1],
    "nothing": [None] * N_ROWS,
}
FRAME = pd.DataFrame(CELLS)
TYPES = TypeReport(
    [
        ColumnType("id", "identifier"),
        ColumnType(
            "size", "ordinal", order=("S", "M", "L"), off_scale=("?",),
            levels=dict.fromkeys(["?", "S", "M", "L"], 10),
        ),
        ColumnType("grade", "ordinal", order=(4, 3, 2, 1)),
        ColumnType("town", "categorical", levels={"Rom": 16, "Ulm": 8, "it's": 8}),
        ColumnType("half", "ordinal", order=(0.5, 1.5), levels={0.5: 20, 1.5: 20}),
        ColumnType("ok", "binary", levels={True: 20, False: 20}),
        ColumnType("sold", "binary", levels={"yes": 20, "no": 20}),
        ColumnType("unit", "constant", levels={"kg": 40}),
        ColumnType("items", "count"),
        ColumnType("change", "count"),
        *(ColumnType(name, "continuous") for name in ("weight", "rate", "debt")),
        *(ColumnType(name, "datetime") for name in ("day", "moment", "due")),
        *(ColumnType(name, "continuous") for name in ("price", "length", "width")),
        ColumnType("opened", "ordinal", order=tuple(DAYS), levels=dict.fromkeys(DAYS, 13)),
        ColumnType("nothing", "undetermined"),
    ],
    n_rows=N_ROWS,
)  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = {
    "by default": {},
    "shares": {"share_tolerance": 0.1},
    "no range": {"margin": None},
    "narrow": {"margin": 0.0, "max_strays": 0.05},
    "strict": {"strict": True, "coerce": True},
}


def cells(**changes: Any) -> pd.DataFrame:
    """Return the frame with some first cells changed."""
    batch = FRAME.copy()
    for name, values in changes.items():
        values = values if isinstance(values, list) else [values]
        column = [*values, *CELLS[name][len(values) :]]
        batch[name] = pd.Series(column, dtype=None if name != "nothing" else object)
    return batch


# Batches, each with the options of its schema.
BATCHES: dict[str, tuple[str, pd.DataFrame]] = {
    "itself": ("by default", FRAME),
    "itself, strict": ("strict", FRAME),
    "itself, narrow": ("narrow", FRAME),
    "no rows": ("shares", FRAME.iloc[:0]),
    "repeated identifiers": ("by default", cells(id=["k07", "k07", "k09"])),
    "missing values": (
        "by default",
        cells(id=None, size=[None, None], grade=[None], weight=None, due=None, ok=None),
    ),
    "new levels": (
        "by default",
        cells(size=["XL", "XL", "XS"], grade=[5, 0], town=["Bern"], half=2.5, unit="g", sold="?"),
    ),
    "six new levels": ("by default", cells(town=list("abcdef"))),
    "five new levels": ("by default", cells(town=list("abcde"))),
    "at the limits": (
        "by default",
        cells(items=[0, 24], change=[-20, 20], weight=[0.0, 30.25], rate=0.0,
              price=["$922.50", "$1117.50"]),
    ),
    "beyond the limits": (
        "by default",
        cells(items=[-1, 25], change=[-21, 21], weight=[-0.25, 30.5], rate=-0.5,
              price=["$922.49", "$1117.51"]),
    ),
    "at narrow limits": ("narrow", cells(change=[-4, 4], weight=[1.0, 10.75])),
    "beyond narrow limits": ("narrow", cells(change=[-5, 5], weight=[0.75, 11.0])),
    "six beyond": ("by default", cells(change=[-21, 21, 22, 23, 24, 25])),
    "other dtypes": (
        "by default",
        cells(items="many", day="soon", change=0.5, weight="heavy").assign(moment="2024-01-01"),
    ),
    "strays that are tolerated": ("narrow", cells(due=["?", "soon"], price=["?", "none"])),
    "strays": ("narrow", cells(due=["?", "?", "31/31/2020"], price=["?", "€5", "?"])),
    "strays twice as many": ("by default", cells(width=["n/a"] * 4)),
    "more strays": ("by default", cells(width=["n/a"] * 5, length="5 miles")),
    "one value": ("by default", FRAME.assign(size="S", items=3, weight=1.5, due="1/1/2020")),
    "few rows of one value": (
        "by default", FRAME.assign(size="S", grade=4, town="Rom", items=3).iloc[:4]
    ),
    "other shares": ("shares", FRAME.loc[[*range(N_ROWS), *list(range(2, 40, 4)) * 30]]),
    "no column": ("by default", FRAME.drop(columns=["size", "weight"])),
    "another column": ("strict", FRAME.assign(colour="red")),
    "another order": (
        "by default",
        FRAME.assign(size=pd.Categorical(FRAME["size"], ["S", "?", "M", "L"], ordered=True),
                     town=pd.Categorical(FRAME["town"], ["Rom", "Ulm", "it's", "Oslo"])),
    ),
    "without order": ("by default", FRAME.assign(size=FRAME["size"].astype("category"))),
}  # fmt: skip


def neutral(text: str) -> str:
    """Return a text as all versions of pandas write it."""
    text = re.sub(r"\bdtype (object|str)\b", "dtype text", text)
    text = re.sub(r"(?<=\d \| )None(?= \|)", "nan", text)  # a missing string, before pandas 3
    text = re.sub(r"\| (object|str|string\[\w+\])\"", '| text"', text)
    return re.sub(r"datetime64\[(s|ms|us|ns)", "datetime64[", text)


def plain(value: Any) -> Any:
    """Return a value as JSON holds it."""
    return json.loads(neutral(json.dumps(value, default=str)))


def requires(rule: Any) -> dict[str, Any]:
    """Return what a rule of pandera requires."""
    stated = [of.name for of in COLUMN_RULES if of.of_rule(rule) is not None]
    checks = {check.name: [check.statistics, check.error] for check in rule.checks}
    return {"rules": stated, "coerce": rule.coerce, **checks}


def problems(batch: pd.DataFrame, schema: Any) -> list[str]:
    """Return the sentences on a batch, and the rows that they count."""
    try:
        autotype.validate(batch, schema)
    except BatchError as failures:
        cases = failures.failure_cases[["column", "index", "failure_case", "expected"]].head(4)
        return [*failures.problems, *(" | ".join(map(str, case)) for case in cases.values)]
    return []


def of_file(batch: pd.DataFrame, schema: Any, **options: Any) -> Any:
    """Return the outcome of a batch that was read from a file."""
    found = check_outcome(batch.reset_index(drop=True), schema, **options)
    failed = [c for c in found.to_dict()["checks"] if c["status"] != "passed"]
    counts = found.to_dict()["counts"]
    return {"counts": counts, "checks": failed, "notes": found.notes, "rows": found.failed_rows()}


def exports(report: TypeReport) -> dict[str, Any]:
    """Return what other tools are given."""
    dialects = ("postgresql", "duckdb", "sqlite")
    return {
        **{name: report.to_sql("shop", dialect=name).splitlines() for name in dialects},
        "dbt": yaml.safe_load(report.to_dbt("shop")),
        "great_expectations": report.to_great_expectations("shop")["expectations"],
        "pointblank": yaml.safe_load(report.to_pointblank("shop"))["steps"],
    }


def contract() -> Any:
    """Return all that the golden file holds."""
    schemas = {name: autotype.to_schema(FRAME, TYPES, **kept) for name, kept in OPTIONS.items()}
    by_default = schemas["by default"]
    as_file = [
        ("beyond the limits", {"min_rows": 40, "max_failures": (1.0, False)}),
        ("beyond the limits", {"min_rows": 41, "max_failures": (0.05, True), "strict": True}),
        ("new levels", {"min_rows": 0, "max_failures": (2.0, False)}),
        ("other dtypes", {"min_rows": 0, "max_failures": (0.0, False)}),
        ("no column", {"min_rows": 0, "max_failures": (0.0, False)}),
        ("another column", {"min_rows": 0, "max_failures": (0.0, False), "strict": True}),
    ]
    return plain(
        {
            "schemas": {
                of: {
                    name: requires(rule)
                    for name, rule in schema.columns.items()
                    if of == "by default" or requires(rule) != requires(by_default.columns[name])
                }
                for of, schema in schemas.items()
            },
            "problems": {
                name: problems(batch, schemas[of]) for name, (of, batch) in BATCHES.items()
            },
            "files": {
                f"{name} {options}": of_file(BATCHES[name][1], by_default, **options)
                for name, options in as_file
            },
            "of the schema": exports(TypeReport.from_schema(by_default)),
            "of the types": exports(TYPES),
        }
    )


if __name__ == "__main__":
    text = json.dumps(contract(), indent=1, ensure_ascii=False)
    text = re.sub(r"\n {4,}", " ", text)  # a line for each column, batch and check
    FILE.write_text(f"{text}\n", encoding="utf-8")
