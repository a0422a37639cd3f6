"""Many tables against one schema, or each against its own; and columns that no schema knows."""

from __future__ import annotations

import json
import sqlite3
from xml.etree import ElementTree

import pandas as pd
import pytest

import autotype
from autotype.schema.outcome import find_renamed


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"size": ["S", "M", "L"] * 12, "price": [1.5, 2.5, 3.5] * 12})


@pytest.fixture
def day(frame, tmp_path):
    """Three tables of one form; the second has a level that the schema does not know."""
    folder = tmp_path / "day"
    folder.mkdir()
    for name in ("a", "b", "c"):
        frame.to_csv(folder / f"{name}.csv", index=False)
    frame.replace("L", "XXL").to_csv(folder / "b.csv", index=False)
    schema = autotype.to_schema(frame, autotype.infer_types(frame))
    autotype.write_schema(schema, tmp_path / "s.yaml")
    return folder


class TestOneSchema:
    def test_one_summary_and_one_exit_code(self, day, call) -> None:
        child = call("validate", "day", "--schema", "s.yaml")
        lines = child.stdout.splitlines()
        assert child.returncode == 1
        assert lines[0] == "day/a.csv: 36 rows fit the schema s.yaml"
        assert lines[1].startswith("day/b.csv: ")
        assert "'XXL'" in lines[1]
        assert lines[-1] == "3 tables: 1 failed"
        child = call("validate", "day/a.csv", "day/c.csv", "--schema", "s.yaml")
        assert (child.returncode, child.stdout.splitlines()[-1]) == (0, "2 tables: all fit")
        assert call("validate", "day/[ac].csv", "--schema", "s.yaml", "--quiet").returncode == 0

    def test_outputs_of_all(self, day, call, tmp_path) -> None:
        outputs = ["--json", "o.json", "--junit", "o.xml", "--html", "o.html"]
        assert call("validate", "day", "--schema", "s.yaml", *outputs).returncode == 1
        plain = json.loads((tmp_path / "o.json").read_text())
        assert plain["success"] is False
        assert [part["success"] for part in plain["tables"]] == [True, False, True]
        assert [part["file"] for part in plain["tables"]] == [f"day/{n}.csv" for n in "abc"]
        suites = ElementTree.parse(tmp_path / "o.xml").getroot()
        assert [suite.get("failures") for suite in suites] == ["0", "1", "0"]
        assert "1 of 3 tables fail" in (tmp_path / "o.html").read_text()

    def test_a_table_that_cannot_be_read_stops_no_other(self, day, call, tmp_path) -> None:
        (day / "a.csv").write_bytes(b"")
        child = call("validate", "day", "--schema", "s.yaml", "--json", "o.json")
        assert child.returncode == 1
        assert child.stdout.splitlines()[0].startswith("day/a.csv: is empty")
        assert child.stdout.splitlines()[-1] == "3 tables: 2 failed"
        tables = json.loads((tmp_path / "o.json").read_text())["tables"]
        assert tables[0]["checks"][0]["check"] == "readable"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["day", "--failed-rows", "r.csv"], "--failed-rows is for a single table"),
            (["-", "day/a.csv"], "standard input (-) is a single table"),
            (["day/*.parquet"], "no file fits this pattern"),
            (["--table", "t"], "--table needs --url"),
            (["day", "--json", "day/b.csv"], "would overwrite day/b.csv, which is read"),
        ],
    )
    def test_wrong_use(self, day, call, arguments, message) -> None:
        child = call("validate", *arguments, "--schema", "s.yaml")
        assert (child.returncode, child.stdout) == (2, "")
        assert message in child.stderr

    @pytest.mark.parametrize("files", ["none/*.csv", "empty"])
    def test_no_table_at_all_replaces_earlier_results(self, day, call, files, tmp_path) -> None:
        (tmp_path / "empty").mkdir()
        for name in ("o.json", "o.xml", "o.html"):
            (tmp_path / name).write_text("of yesterday")
        outputs = ["--json", "o.json", "--junit", "o.xml", "--html", "o.html"]
        child = call("validate", files, "--schema", "s.yaml", *outputs)
        assert child.returncode == 2
        assert json.loads((tmp_path / "o.json").read_text())["success"] is False
        assert ElementTree.parse(tmp_path / "o.xml").getroot().get("failures") != "0"
        assert "of yesterday" not in (tmp_path / "o.html").read_text()
        child = call("compare", "s.yaml", files, "--json", "o.json")
        assert child.returncode == 2
        assert "error" in json.loads((tmp_path / "o.json").read_text())

    @pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Ibis with pandas 3
    def test_tables_of_a_database(self, day, call, frame, tmp_path) -> None:
        pytest.importorskip("ibis")
        with sqlite3.connect(tmp_path / "d.db") as database:
            frame.to_sql("one", database, index=False)
            frame.replace("L", "XXL").to_sql("two", database, index=False)
        database.close()
        tables = ["--url", f"sqlite:///{tmp_path}/d.db", "--table", "one", "--table", "two"]
        child = call("validate", *tables, "--schema", "s.yaml")
        assert child.returncode == 1
        assert child.stdout.splitlines()[-1] == "2 tables: 1 failed"


class TestFolderOfSchemas:
    @pytest.fixture
    def schemas(self, day, frame, tmp_path):
        folder = tmp_path / "schemas"
        folder.mkdir()
        for name in ("a", "b", "c"):
            (folder / f"{name}.yaml").write_bytes((tmp_path / "s.yaml").read_bytes())
        return folder

    def test_each_by_its_name(self, day, schemas, call) -> None:
        child = call("validate", "day", "--schema", "schemas")
        assert child.returncode == 1
        assert child.stdout.splitlines()[0] == "day/a.csv: 36 rows fit the schema schemas/a.yaml"
        assert child.stdout.splitlines()[-1] == "3 tables: 1 failed"

    def test_a_table_without_schema_and_a_schema_without_table_fail(
        self, day, schemas, call
    ) -> None:
        (schemas / "a.yaml").rename(schemas / "z.yaml")
        child = call("validate", "day/a.csv", "day/c.csv", "--schema", "schemas")
        assert child.returncode == 1
        assert child.stdout.splitlines() == [
            "day/a.csv: there is no schema schemas/a.yaml",
            "day/c.csv: 36 rows fit the schema schemas/c.yaml",
            "no table: there is no table for schemas/b.yaml",
            "no table: there is no table for schemas/z.yaml",
            "4 tables: 3 failed",
        ]

    def test_no_schema_is_overwritten(self, day, schemas, call) -> None:
        child = call("validate", "day/a.csv", "--schema", "schemas", "--json", "schemas/b.yaml")
        assert (child.returncode, child.stdout) == (2, "")
        assert "would overwrite schemas/b.yaml, which is read" in child.stderr

    def test_names_that_collide_are_an_error_before_anything_runs(
        self, day, schemas, call, frame
    ) -> None:
        frame.to_csv(day / "a.tsv", sep="\t", index=False)
        child = call("validate", "day", "--schema", "schemas")
        assert (child.returncode, child.stdout) == (2, "")
        assert "schemas/a.yaml would be of day/a.csv and of day/a.tsv" in child.stderr


class TestNewColumns:
    def test_are_noted_or_fail(self, day, call, frame) -> None:
        changed = frame.rename(columns={"size": "format"}).assign(shop="north")
        changed.to_csv(day / "a.csv", index=False)
        child = call("validate", "day/a.csv", "--schema", "s.yaml")
        assert child.returncode == 1
        assert "it may have been renamed: 'format' is new" in child.stdout
        assert "note: column 'shop' is new, and the schema has no check of it\n" in child.stdout
        frame.assign(shop="north").to_csv(day / "a.csv", index=False)
        assert call("validate", "day/a.csv", "--schema", "s.yaml").returncode == 0
        child = call("validate", "day/a.csv", "--schema", "s.yaml", "--strict")
        assert child.returncode == 1
        assert child.stdout == "column 'shop' is new, and the schema has no check of it\n"

    def test_a_guess_needs_most_of_the_levels(self, frame) -> None:
        schema = autotype.to_schema(frame, autotype.infer_types(frame))
        other = pd.DataFrame({"grade": ["S", "T", "U"] * 12, "price": 1.5})
        assert find_renamed(other, schema) == {}
        assert find_renamed(other.replace("T", "M").replace("U", "L"), schema) == {"size": "grade"}
        assert find_renamed(other.rename(columns={"grade": "sizes"}), schema) == {"size": "sizes"}
        assert find_renamed(frame.drop(columns="size"), schema) == {}
