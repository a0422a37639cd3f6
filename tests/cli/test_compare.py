from __future__ import annotations

import json
import sqlite3

import pandas as pd
import pytest

import autotype
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType


def report(low: int, high: int, *, more: tuple[ColumnType, ...] = ()) -> TypeReport:
    mood = ColumnType(
        "mood", "ordinal", 0.9, order=("low", "high"), levels={"low": low, "high": high}
    )
    return TypeReport([mood, *more], n_rows=low + high)


@pytest.fixture(autouse=True)
def reports(tmp_path):
    report(80, 20).to_json(tmp_path / "old.json")
    report(20, 80, more=(ColumnType("n", "count"),)).to_json(tmp_path / "new.json")


def test_two_reports(call) -> None:
    child = call("compare", "old.json", "new.json")
    assert (child.returncode, child.stderr) == (1, "")
    assert child.stdout.splitlines()[0] == "2 of 2 columns changed:"
    assert "- 'n': It is new (count)." in child.stdout
    same = call("compare", "old.json", "old.json")
    assert (same.returncode, same.stdout) == (0, "nothing changed in 1 column\n")
    assert call("compare", "old.json", "new.json", "--quiet").stdout == ""


def test_some_columns_and_other_limits(call) -> None:
    child = call("compare", "old.json", "new.json", "--columns", "mood")
    assert child.stdout.startswith(
        "1 of 1 column changed:\n- 'mood': The proportions of its levels"
    )
    child = call("compare", "old.json", "new.json", "--columns", "mood", "--min-distance", "70%")
    assert child.returncode == 0
    assert call("compare", "old.json", "new.json", "--columns", "mood", "--alpha", "1e-30").stdout


def test_a_table(call, tmp_path) -> None:
    rows = "low,1.5\nhigh,2.5\nmid,3.5\n" * 20
    (tmp_path / "day1.csv").write_text(f"mood,price\n{rows}")
    (tmp_path / "day2.csv").write_text(f"mood,price\n{rows.replace('high', 'low')}none,1.5\n")
    assert call("infer", "day1.csv", "--json", "types.json", "--quiet").returncode == 0
    assert call("compare", "types.json", "day1.csv").returncode == 0
    child = call("compare", "types.json", "day2.csv")
    assert (child.returncode, child.stderr) == (1, "")
    assert "level 'high' is gone" in child.stdout


def test_known_types_of_a_table(call, inferred, tmp_path) -> None:
    (tmp_path / "day2.csv").write_text("mood\nlow\n")
    (tmp_path / "known.toml").write_text('mood = ["low", "high"]\n')
    assert call("compare", "old.json", "day2.csv", "--known", "known.toml").returncode == 1
    assert inferred[0][2]["known"] == {"mood": ["low", "high"]}


def test_json_and_page(call, tmp_path) -> None:
    child = call("compare", "old.json", "new.json", "--json", "a.json", "--html", "a.html")
    assert child.returncode == 1
    comparison = json.loads((tmp_path / "a.json").read_text())
    assert [column["changes"] for column in comparison["columns"]] == [["shares"], ["new"]]
    assert "new.json compared with old.json" in (tmp_path / "a.html").read_text()
    child = call("compare", "old.json", "new.json", "--json", "-")
    assert json.loads(child.stdout) == comparison
    assert call("compare", "old.json", "new.json", "--html", "-").stdout.startswith("<!doctype")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("old.json",), "no table is named: give NEW, or --url and --table"),
        (("none.json", "new.json"), "types none.json: no such file or directory"),
        (("old.json", "none.csv"), "none.csv: no such file or directory"),
        (("-", "-"), "OLD and NEW are both standard input (-); name a file for one of them"),
        (("old.json", "new.json", "--alpha", "0"), "--alpha: expected a share between 0 and 1"),
        (
            ("old.json", "new.json", "--known", "known.toml"),
            "--known needs a data file: both OLD and NEW are types",
        ),
        (("old.json", "new.json", "--json", "old.json"), "would overwrite OLD, which is read"),
    ],
)
def test_wrong_use(call, arguments, message) -> None:
    child = call("compare", *arguments)
    assert (child.returncode, child.stdout) == (2, "")
    assert message in child.stderr


def test_our_own_failure_is_not_drift(call, monkeypatch) -> None:
    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(autotype.TypeReport, "compare", fail)
    assert call("compare", "old.json", "new.json").returncode == 3


class TestManyTables:
    @pytest.fixture
    def days(self, call, tmp_path):
        """Two days of tables, and the reports of the first."""
        rows = "low,1.5\nhigh,2.5\nmid,3.5\n" * 20
        for day in ("day1", "day2"):
            (tmp_path / day).mkdir()
            for name in ("a", "b"):
                (tmp_path / day / f"{name}.csv").write_text(f"mood,price\n{rows}")
        (tmp_path / "day2" / "b.csv").write_text(f"mood,price\n{rows.replace('high', 'low')}")
        assert call("infer", "day1", "--folder", "types1", "--quiet").returncode == 0

    def test_each_by_its_name(self, days, call, tmp_path) -> None:
        child = call("compare", "types1", "day2", "--json", "o.json", "--html", "o.html")
        assert (child.returncode, child.stderr) == (1, "")
        lines = child.stdout.splitlines()
        assert lines[0] == "day2/a.csv: nothing changed in 2 columns"
        assert lines[1] == "day2/b.csv: 1 of 2 columns changed:"
        assert "Level 'high' is gone" in lines[2]
        assert lines[-1] == "2 tables: 1 changed"
        plain = json.loads((tmp_path / "o.json").read_text())
        assert plain["changed"]
        assert [(t["file"], t["before"], t["changed"]) for t in plain["tables"]] == [
            ("day2/a.csv", "types1/a.json", False),
            ("day2/b.csv", "types1/b.json", True),
        ]
        page = (tmp_path / "o.html").read_text()
        assert "1 of 2 tables changed" in page
        assert "day2/b.csv: mood" in page

    def test_folders_of_reports(self, days, call) -> None:
        call("infer", "day2", "--folder", "types2", "--quiet")
        child = call("compare", "types1", "types2")
        assert (child.returncode, child.stdout.splitlines()[-1]) == (1, "2 tables: 1 changed")
        child = call("compare", "types1", "types1")
        assert child.returncode == 0
        assert child.stdout.splitlines()[-1] == "2 tables: nothing changed"

    def test_names_that_files_may_not_have(self, days, call, tmp_path) -> None:
        (tmp_path / "day1" / "a.csv").rename(tmp_path / "day1" / "x <y>%.csv")
        call("infer", "day1", "--folder", "types", "--schema", "types", "--quiet")
        assert (tmp_path / "types" / "x_y.json").exists()
        assert call("compare", "types", "day1").returncode == 0
        assert call("validate", "day1", "--schema", "types").returncode == 0

    def test_one_report_for_all(self, days, call) -> None:
        child = call("compare", "types1/a.json", "day1/a.csv", "day2/b.csv")
        assert (child.returncode, child.stdout.splitlines()[-1]) == (1, "2 tables: 1 changed")
        assert call("compare", "types1/a.json", "day1/*.csv", "--quiet").stdout == ""

    def test_tables_and_reports_without_each_other(self, days, call, tmp_path) -> None:
        (tmp_path / "day2" / "b.csv").rename(tmp_path / "day2" / "c.csv")
        (tmp_path / "day2" / "d.csv").write_text("")
        (tmp_path / "types1" / "d.json").write_bytes((tmp_path / "types1/a.json").read_bytes())
        child = call("compare", "types1", "day2", "--json", "o.json", "--html", "o.html")
        assert child.returncode == 1
        assert child.stdout.splitlines() == [
            "day2/a.csv: nothing changed in 2 columns",
            "day2/c.csv: there is no report types1/c.json",
            "day2/d.csv: is empty, not even a header was found",
            "no table: there is no table for types1/b.json",
            "4 tables: 3 changed",
        ]
        plain = json.loads((tmp_path / "o.json").read_text())
        assert plain["tables"][1]["error"] == "there is no report types1/c.json"
        assert "day2/d.csv: the table" in (tmp_path / "o.html").read_text()

    def test_two_folders_of_tables(self, days, call, tmp_path) -> None:
        assert call("compare", "day1", "day1").returncode == 0
        (tmp_path / "day2" / "b.csv").rename(tmp_path / "day2" / "c.csv")
        child = call("compare", "day1", "day2")
        assert child.returncode == 1
        assert "day2/c.csv: there is no table day1/c.csv" in child.stdout.splitlines()
        assert "no table: there is no table for day1/b.csv" in child.stdout.splitlines()

    def test_two_folders_of_tables_of_several_formats(self, days, call, tmp_path) -> None:
        for day in ("day1", "day2"):
            (tmp_path / day / "b.csv").rename(tmp_path / day / "b.tsv")
        child = call("compare", "day1", "day2")
        assert "there is no table" not in child.stdout

    @pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Ibis with pandas 3
    def test_tables_of_a_database(self, days, call, tmp_path) -> None:
        pytest.importorskip("ibis")
        with sqlite3.connect(tmp_path / "d.db") as database:
            pd.read_csv(tmp_path / "day2" / "a.csv").to_sql("a", database, index=False)
            pd.read_csv(tmp_path / "day2" / "b.csv").to_sql("b", database, index=False)
        database.close()
        child = call("compare", "types1", "--url", "sqlite:///d.db", "--table", "a", "--table", "b")
        assert (child.returncode, child.stdout.splitlines()[-1]) == (1, "2 tables: 1 changed")
