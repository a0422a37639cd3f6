"""Frictionless Table Schema: what each type becomes, and that frictionless agrees."""

import json

import pandas as pd
import pytest

import autotype
from autotype.type_report import TypeReport
from autotype.types.codec.frictionless import to_frictionless
from autotype.types.column_type import ColumnType

TYPES = TypeReport(
    [
        ColumnType("mood", "ordinal", order=("low", "high"), off_scale=("?",), levels={"low": 1}),
        ColumnType("stars", "ordinal", order=(1.0, 2.0, 3.0)),
        ColumnType("half", "ordinal", order=(0.5, 1.0, 1.5)),
        ColumnType(
            "day", "ordinal", order=(pd.Timestamp("2024-01-01"), pd.Timestamp("2024-02-01"))
        ),
        ColumnType("town", "categorical", levels={"Ulm": 2, "Rom": 1}),
        ColumnType("yes", "binary", levels={"y": 1, "n": 2}),
        ColumnType("flag", "binary", levels={True: 1, False: 2}),
        ColumnType("mixed", "undetermined", levels={"a": 1, "b": 1, "c": 1}),
        ColumnType("lists", "undetermined"),
        ColumnType("x", "continuous"),
        ColumnType("n", "count"),
        ColumnType("since", "datetime"),
        ColumnType(7, "identifier"),
        ColumnType("note", "text"),
        ColumnType("one", "constant", levels={"EUR": 3}),
        ColumnType("none", "constant"),
    ]
)


def fields():
    return {field["name"]: field for field in to_frictionless(TYPES)["fields"]}


def test_each_type():
    found = fields()
    assert found["mood"] == {
        "name": "mood",
        "type": "string",
        "categories": ["?", "low", "high"],
        "categoriesOrdered": True,
    }
    assert found["stars"]["categories"] == [1, 2, 3]
    assert found["stars"]["type"] == "integer"
    assert found["half"] == {
        "name": "half",
        "type": "number",
        "constraints": {"enum": [0.5, 1.0, 1.5]},
    }
    assert found["day"]["constraints"] == {"enum": ["2024-01-01 00:00:00", "2024-02-01 00:00:00"]}
    assert found["town"]["categoriesOrdered"] is False
    assert found["yes"]["categories"] == ["y", "n"]
    assert found["flag"] == {"name": "flag", "type": "boolean"}
    assert found["mixed"] == {"name": "mixed", "type": "string", "categories": ["a", "b", "c"]}
    assert found["one"]["categories"] == ["EUR"]
    types = {name: field["type"] for name, field in found.items()}
    assert types["lists"] == types["7"] == types["none"] == "any"
    assert (types["x"], types["n"], types["note"]) == ("number", "integer", "string")
    assert found["since"] == {"name": "since", "type": "datetime", "format": "any"}


def test_written_as_json(tmp_path):
    assert TYPES.to_frictionless(tmp_path / "schema.json") == to_frictionless(TYPES)
    assert json.loads((tmp_path / "schema.json").read_text("utf-8")) == to_frictionless(TYPES)


@pytest.mark.parametrize(
    ("levels", "kind", "listed"),
    [
        ([0.5, float("inf"), -1.5], "string", ["0.5", "inf", "-1.5"]),
        ([0.5, 10**400], "number", [0.5, 10**400]),
        (["\ud800", "a"], "string", ["\\ud800", "a"]),
    ],
)
def test_levels_that_json_cannot_hold_become_texts(levels, kind, listed, tmp_path):
    types = TypeReport([ColumnType("\udfff", "categorical", levels=dict.fromkeys(levels, 1))])
    types.to_frictionless(tmp_path / "schema.json")
    text = (tmp_path / "schema.json").read_text("utf-8")
    (field,) = json.loads(text, parse_constant=pytest.fail)["fields"]
    assert (field["name"], field["type"]) == ("\\udfff", kind)
    assert (field.get("categories") or field["constraints"]["enum"]) == listed


@pytest.mark.filterwarnings("ignore")  # frictionless' own
def test_frictionless_reads_it_and_accepts_the_data(tmp_path):
    frictionless = pytest.importorskip("frictionless")
    frame = pd.DataFrame(
        {
            "mood": ["low", "mid", "high"] * 10,
            "stars": [1, 2, 3] * 10,
            "price": [0.5 + j for j in range(30)],
            "since": pd.date_range("2024-01-01", periods=30).strftime("%Y-%m-%d"),
        }
    )
    frame.to_csv(tmp_path / "data.csv", index=False)
    autotype.infer_types(frame).to_frictionless(tmp_path / "schema.json")
    schema = frictionless.Schema.from_descriptor(
        json.loads((tmp_path / "schema.json").read_text("utf-8"))
    )
    with frictionless.system.use_context(trusted=True):
        assert frictionless.validate(str(tmp_path / "data.csv"), schema=schema).valid
