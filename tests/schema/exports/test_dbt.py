"""The properties of a dbt model: their structure, and dbt itself where it is installed."""

import datetime
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType
from tests.schema.exports.schemas import DAY_1, FAILING, REPORT, changed


def accepted(values, **options):
    return {"accepted_values": {"arguments": {"values": values, **options}}}


def test_structure():
    properties = yaml.safe_load(REPORT.to_dbt("shop"))
    assert properties["version"] == 2
    (model,) = properties["models"]
    assert model["name"] == "shop"
    columns = {column.pop("name"): column for column in model["columns"]}
    levels = ["S", "M", 'it\'s "L"']
    assert columns["size"] == {
        "description": 'Ordinal: S < M < it\'s "L"',
        "config": {"meta": {"order": levels}},
        "data_tests": [accepted(["S", "M", "it''s \"L\""])],
    }
    assert columns["grade"]["data_tests"] == [
        accepted([3, 2, 1], quote=False),
        "not_null",
    ]
    assert sorted(columns["town"]["data_tests"][0]["accepted_values"]["arguments"]["values"]) == [
        *("1", "Rom", "Ulm", "no")
    ]
    assert columns["id"]["data_tests"] == ["not_null", "unique"]
    assert columns["price"] == {}


def test_levels_off_the_scale_are_accepted_but_not_ordered():
    answers = {"order": ("no", "yes, often"), "off_scale": ("?",)}
    types = TypeReport([ColumnType("often", "ordinal", levels={}, **answers)])
    (column,) = yaml.safe_load(types.to_dbt())["models"][0]["columns"]
    assert column["config"] == {"meta": {"order": ["no", "yes, often"]}}
    assert column["data_tests"] == [accepted(["?", "no", "yes, often"])]
    (expectation,) = types.to_great_expectations()["expectations"][1:]
    assert expectation["meta"] == column["config"]["meta"]


def test_structure_by_the_json_schema_of_generic_tests():
    """The part of dbt's published JSON schema that concerns these tests."""
    jsonschema = pytest.importorskip("jsonschema")
    accepted = {
        "type": "object",
        "required": ["values"],
        "properties": {
            "values": {"type": "array", "items": {"anyOf": [{"type": "string"}]}},
            "quote": {"type": "boolean"},
        },
        "additionalProperties": False,
    }
    accepted["properties"]["values"]["items"]["anyOf"] += [{"type": "number"}, {"type": "boolean"}]
    nested = {"type": "object", "properties": {"arguments": accepted}, "required": ["arguments"]}
    test = {"anyOf": [{"enum": ["not_null", "unique"]}]}
    test["anyOf"].append({"type": "object", "properties": {"accepted_values": nested}})
    column = {"type": "object", "required": ["name"]}
    column["properties"] = {"data_tests": {"type": "array", "items": test}}
    schema = {"properties": {"version": {"const": 2}, "models": {"type": "array"}}}
    schema["properties"]["models"]["items"] = {
        "required": ["name", "columns"],
        "properties": {"columns": {"type": "array", "items": column}},
    }
    jsonschema.validate(yaml.safe_load(REPORT.to_dbt()), schema)


@pytest.fixture
def project(tmp_path):
    """A dbt project on a file of DuckDB, whose model is the table of a batch."""
    pytest.importorskip("dbt.cli.main")
    pytest.importorskip("dbt.adapters.duckdb")
    (tmp_path / "models").mkdir()
    plain = {"name": "shop", "version": "1.0", "profile": "shop"}
    (tmp_path / "dbt_project.yml").write_text(yaml.safe_dump(plain))
    output = {"type": "duckdb", "path": str(tmp_path / "shop.duckdb")}
    profile = {"shop": {"target": "dev", "outputs": {"dev": output}}}
    (tmp_path / "profiles.yml").write_text(yaml.safe_dump(profile))
    (tmp_path / "models" / "shop.sql").write_text(
        f"select * from read_parquet('{tmp_path}/shop.parquet')"
    )
    (tmp_path / "models" / "schema.yml").write_text(REPORT.to_dbt("shop"))
    return tmp_path


def build(project: Path) -> subprocess.CompletedProcess:
    command = "import sys; from dbt.cli.main import cli; sys.exit(cli())"
    arguments = ["build", "--project-dir", str(project), "--profiles-dir", str(project)]
    return subprocess.run(
        [sys.executable, "-c", command, *arguments],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_dbt_runs_the_tests(project):
    DAY_1.to_parquet(project / "shop.parquet")
    done = build(project)
    assert done.returncode == 0, done.stdout
    assert "PASS=10" in done.stdout
    failing = DAY_1
    for name in ("size", "grade", "town", "id"):
        failing = failing.assign(**{name: changed(name, FAILING[name])[name]})
    failing.to_parquet(project / "shop.parquet")
    done = build(project)
    assert done.returncode == 1
    assert "ERROR=4" in done.stdout


def test_dates_as_levels():
    days = {datetime.date(2024, 2, 29): 5, datetime.date(2024, 3, 1): 5}
    types = TypeReport([ColumnType("day", "categorical", levels=days)])
    listed = accepted(["2024-02-29", "2024-03-01"])
    (column,) = yaml.safe_load(types.to_dbt())["models"][0]["columns"]
    assert column == {"name": "day", "data_tests": [listed]}
    kinds = [e["type"] for e in types.to_great_expectations()["expectations"]]
    assert kinds == ["expect_column_to_exist"]
    steps = yaml.safe_load(types.to_pointblank())["steps"]
    assert steps == [{"col_exists": {"columns": ["day"]}}]
