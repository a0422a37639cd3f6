from __future__ import annotations

import dataclasses
import datetime
import decimal
import json
import math

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import UnreadableTypesError, UnwritableTypesError
from autotype.type_report import TypeReport
from autotype.types.codec.json_values import simplify
from autotype.types.codec.plain_column import FORMAT_VERSION
from autotype.types.codec.report_json import encode_report, summarise
from autotype.types.column_type import ColumnType


def test_head() -> None:
    summary = summarise(TypeReport([], n_rows=np.int64(3)))
    assert summary == {
        "format_version": FORMAT_VERSION,
        "autotype_version": autotype.__version__,
        "n_rows": 3,
        "warnings": [],
        "columns": [],
    }


def test_every_field_of_a_column_is_there() -> None:
    (column,) = summarise(TypeReport([ColumnType("id", "identifier")]))["columns"]
    assert set(column) == {field.name for field in dataclasses.fields(ColumnType)} | {"type_set"}
    assert column["probability"] is None
    assert column["order"] is None
    assert column["levels"] == []


def test_values_of_a_rich_column() -> None:
    column = ColumnType(
        ("a", 1),
        "ordinal",
        np.float64(0.75),
        order=(np.int64(1), np.int64(2)),
        direction_known=np.bool_(True),
        levels={np.int64(1): np.int64(5), np.int64(2): 6},
        n_levels=np.int64(2),
        off_scale=(99,),
        alternatives=(((2, 1), np.float32(0.25)),),
        evidence={"gain": np.float64(1.5), "worst": math.inf, "missing": math.nan, 3: ()},
        reasons=("Because.",),
    )
    (cells,) = encode_report(TypeReport([column]))["columns"]
    assert cells == {
        "name": ["a", 1],
        "semantic_type": "ordinal",
        "probability": 0.75,
        "order": [1, 2],
        "best_order": None,
        "order_probability": None,
        "direction_known": True,
        "levels": [{"level": 1, "count": 5}, {"level": 2, "count": 6}],
        "n_levels": 2,
        "n_rows_used": 0,
        "off_scale": [99],
        "ties": [],
        "alternatives": [{"order": [2, 1], "weight": 0.25}],
        "evidence": {"gain": 1.5, "worst": "inf", "missing": None, "3": []},
        "reasons": ["Because."],
        "provenance": "inferred",
        "note": "",
        "profile": None,
        "type_probabilities": {},
        "format": None,
        "missing_markers": [],
        "labels": [],
        "missing_ranges": [],
        "title": "",
        "group": "",
        "scale": "",
        "reversed": False,
        "weighted_shares": [],
        "n_effective": None,
        "partial_order": None,
        "type_set": ["ordinal"],
        "exact": {
            "name": {"type": "tuple", "value": ["a", 1]},
            "evidence": {
                "type": "mapping",
                "value": [
                    ["gain", 1.5],
                    ["worst", {"type": "float", "value": "inf"}],
                    ["missing", {"type": "float", "value": "nan"}],
                    [3, {"type": "tuple", "value": []}],
                ],
            },
        },
    }
    assert json.loads(json.dumps(cells, allow_nan=False)) == cells


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (pd.NA, None),
        (pd.NaT, None),
        (np.datetime64("NaT", "ns"), None),
        (float("nan"), None),
        (True, True),
        (np.bool_(False), False),
        (np.int8(-3), -3),
        (10**30, 10**30),
        (np.float32(0.5), 0.5),
        (-math.inf, "-inf"),
        (np.str_("a"), "a"),
        (pd.Timestamp("2024-02-29 12:00"), "2024-02-29T12:00:00"),
        (np.datetime64("2024-02-29"), "2024-02-29T00:00:00"),
        (datetime.date(2024, 2, 29), "2024-02-29"),
        (datetime.time(12, 30), "12:30:00"),
        (pd.Timedelta("1D"), "P1DT0H0M0S"),
        (np.timedelta64(1, "D"), "P1DT0H0M0S"),
        (decimal.Decimal("1.10"), "1.10"),
        (pd.Period("2024-02"), "2024-02"),
        (pd.Interval(0, 1), "(0, 1]"),
        (b"x", "b'x'"),
        (np.array([1.0, np.nan]), [1.0, None]),
        (np.array(["2024-02-29"], dtype="datetime64[D]"), ["2024-02-29T00:00:00"]),
        ([{"a": (1,)}], [{"a": [1]}]),
        ("\ud800", "\\ud800"),
    ],
)
def test_plain_values(value: object, expected: object) -> None:
    result = simplify(value)
    assert result == expected
    assert type(result) is type(expected)
    json.dumps(result, allow_nan=False).encode()


def test_duplicate_names_keep_their_columns() -> None:
    report = TypeReport([ColumnType("a", "text"), ColumnType("a", "binary")])
    assert [c["semantic_type"] for c in summarise(report)["columns"]] == ["text", "binary"]
    assert TypeReport.from_json(report.to_json()) == report
    plain = json.loads(report.to_json())
    assert plain.pop("repeats_names") is True
    with pytest.raises(UnreadableTypesError, match=r"columns\[1\]\.name: 'a' is repeated"):
        TypeReport.from_json(json.dumps(plain))


def test_levels_that_cannot_be_read_back_are_refused_but_shown() -> None:
    deep = ("a",)
    for _ in range(60):
        deep = (deep,)
    for level, message in ((range(3), "of the class range, cannot"), (deep, "nested deeper than")):
        report = TypeReport([ColumnType("c", "categorical", levels={level: 1, "b": 2})])
        with pytest.raises(UnwritableTypesError, match=f"column 'c': .*{message}"):
            report.to_json()
        assert str(summarise(report)["columns"][0]["levels"][0]["count"]) == "1"


def test_levels_that_would_be_read_back_as_one_are_refused() -> None:
    days = [np.datetime64("2020-01-01"), datetime.datetime(2020, 1, 1), "a"]
    types = autotype.infer_types(pd.DataFrame({"day": pd.Series(days * 9, dtype=object)}))
    if len(types["day"].levels) < 3:
        pytest.skip("this pandas counts both dates as one")
    with pytest.raises(UnwritableTypesError, match=r"'day': its levels cannot be .* to one class"):
        types.to_json()
