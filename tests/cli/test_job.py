"""Jobs: the types of many tables, resumed after an interruption."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pandas as pd
import pytest

import autotype
from autotype.cli import input
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

CSV = "size,price\n" + "S,1.5\nM,2.5\nL,3.5\n" * 12

# Ibis asks pandas for an option that pandas deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")


LEFT = "autotype: warning: data: 1 file in its subfolders not read; to read all give 'data/**'\n"


@pytest.fixture
def data(tmp_path):
    """A folder with three tables, one of them compressed, and other things."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.csv").write_text(CSV)
    (folder / "b.csv").write_text("colour\nred\nblue\n")
    pd.DataFrame({"x": range(9)}).to_csv(folder / "c.csv.gz", index=False)
    (folder / ".hidden.csv").write_text(CSV)
    (folder / "notes.md").write_text("no table")
    return folder


@pytest.fixture
def more(data) -> Path:
    """A subfolder with one more table."""
    folder = data / "more"
    folder.mkdir()
    (folder / "a.csv").write_text(CSV)
    return folder


@pytest.fixture
def typed(monkeypatch):
    """Replace inference by a record of the tables that it is asked for, and of its options."""
    calls = []

    def infer_types(table, columns=None, **options):
        frame = table.frame
        calls.append((list(frame.columns), options))
        types = [ColumnType(name, "ordinal") for name in frame.columns]
        return TypeReport(types, n_rows=len(frame))

    monkeypatch.setattr("autotype.cli.input.infer_types", infer_types)
    return calls


def summary_of(folder) -> dict:
    return json.loads((folder / "summary.json").read_text())


def statuses(folder) -> dict:
    return {table["table"]: table["status"] for table in summary_of(folder)["tables"]}


class TestTables:
    def test_a_report_of_each(self, data, call, tmp_path) -> None:
        done = call("infer", "data", "--folder", "OUT")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines() == [
            "data/a.csv: 36 rows, 2 columns: 1 continuous, 1 ordinal",
            "data/b.csv: 2 rows, 1 column: 1 binary",
            "data/c.csv.gz: 9 rows, 1 column: 1 identifier",
            "OUT/index.html: 3 tables",
        ]
        out = tmp_path / "OUT"
        names = [f"{name}.{ending}" for name in "abc" for ending in ("html", "json")]
        assert sorted(os.listdir(out)) == sorted(
            [*names, "index.html", "job.lock", "state.json", "summary.json"]
        )
        assert autotype.TypeReport.from_json(out / "a.json")["size"].order == ("S", "M", "L")
        assert (out / "a.html").read_text().startswith("<!doctype html>")
        assert 'href="c.html"' in (out / "index.html").read_text()
        assert summary_of(out)["tables"][0] == {
            "table": "data/a.csv",
            "status": "done",
            "rows": 36,
            "columns": 2,
            "types": {"continuous": 1, "ordinal": 1},
            "error": None,
            "report": "a.json",
            "page": "a.html",
        }

    def test_subfolders_are_named_or_read(self, data, more, typed, call, tmp_path) -> None:
        assert call("infer", "data", "--folder", "data/OUT").stderr == LEFT
        assert call("infer", "data", "data/more", "--folder", "data/OUT").stderr == ""
        (more / ".git").mkdir()
        (more / ".git" / "b.csv").write_text(CSV)
        done = call("infer", "data/**", "--folder", "data/OUT")
        assert done.stderr == ""
        # Neither hidden files nor the reports are tables.
        assert len(summary_of(data / "OUT")["tables"]) == 4
        assert call("infer", "data/*/**", "--folder", "OUT").returncode == 0
        assert list(statuses(tmp_path / "OUT")) == ["data/more/a.csv"]

    def test_patterns_folders_and_names_each_once(self, data, more, typed, call, tmp_path) -> None:
        done = call("infer", "data/b.csv", "data/**/*.csv", "data", "--folder", "OUT")
        assert done.returncode == 0
        assert list(statuses(tmp_path / "OUT")) == [
            "data/b.csv",
            "data/a.csv",
            "data/more/a.csv",
            "data/c.csv.gz",
        ]

    def test_names_that_clash_or_are_odd(self, data, more, typed, call, tmp_path) -> None:
        (data / "A.csv").write_text(CSV)
        (data / "index.csv").write_text(CSV)
        (data / "x <y>%.csv").write_text(CSV)
        (data / "++.csv").write_text(CSV)
        (data / "nul.old.csv").write_text(CSV)  # Windows has a device of this name
        (data / f"{'n' * 200}.csv").write_text(CSV)
        call("infer", "data", "data/more", "--folder", "OUT")
        reports = {t["table"]: t["report"] for t in summary_of(tmp_path / "OUT")["tables"]}
        assert reports == {
            "data/++.csv": "table.json",
            "data/A.csv": "A.json",
            "data/a.csv": "a-2.json",
            "data/b.csv": "b.json",
            "data/c.csv.gz": "c.json",
            "data/index.csv": "index-2.json",
            f"data/{'n' * 200}.csv": f"{'n' * 100}.json",
            "data/nul.old.csv": "table_nul.old.json",
            "data/x <y>%.csv": "x_y.json",
            "data/more/a.csv": "a-3.json",
        }
        assert "data/A.csv" in (tmp_path / "OUT" / "index.html").read_text()

    def test_names_stay_when_tables_are_added(self, data, more, typed, call, tmp_path) -> None:
        call("infer", "data/more", "--folder", "OUT")
        call("infer", "data", "data/more", "--folder", "OUT")
        reports = {t["table"]: t["report"] for t in summary_of(tmp_path / "OUT")["tables"]}
        assert (reports["data/more/a.csv"], reports["data/a.csv"]) == ("a.json", "a-2.json")
        assert len(typed) == 4

    def test_the_known_types_are_not_overwritten(self, data, typed, call, tmp_path) -> None:
        (data / "a.json").write_text("{}")
        assert (
            call("infer", "data/a.csv", "--known", "data/a.json", "--folder", "data").returncode
            == 0
        )
        assert (data / "a.json").read_text() == "{}"
        assert (data / "a-2.json").exists()

    def test_tables_of_a_database(self, call, tmp_path) -> None:
        connection = sqlite3.connect(tmp_path / "x.db")
        pd.DataFrame({"a": range(5)}).to_sql("t1", connection, index=False)
        pd.DataFrame({"b": range(5)}).to_sql("t2", connection, index=False)
        connection.close()
        tables = ["--table", "t1", "--table", "t2"]
        for _ in range(2):  # whether a database has changed is unknown
            done = call("infer", "--url", "sqlite:///x.db", *tables, "--folder", "OUT")
            assert done.returncode == 0
            assert "sqlite:///x.db t1: 5 rows, 1 column: 1 undetermined\n" in done.stdout
        assert (tmp_path / "OUT" / "t2.json").exists()

    def test_a_large_file_among_them(self, data, call, tmp_path) -> None:
        done = call("infer", "data/a.csv", "--large", "100", "--folder", "OUT")
        assert done.stdout.startswith("data/a.csv: 36 rows, 2 columns")


class TestResume:
    def test_unchanged_tables_are_skipped(self, data, typed, call, tmp_path) -> None:
        call("infer", "data", "--folder", "OUT")
        before = (tmp_path / "OUT" / "summary.json").read_bytes()
        done = call("infer", "data", "--folder", "OUT")
        assert len(typed) == 3
        assert done.stdout.count("(unchanged)") == 3
        assert (tmp_path / "OUT" / "summary.json").read_bytes() == before

    def test_what_makes_a_table_be_inferred_anew(self, data, typed, call, tmp_path) -> None:
        command = ["infer", "data", "--folder", "OUT"]
        call(*command)
        (data / "b.csv").write_text("colour\nred\ngreen\nblue\n")
        call(*command)
        assert [names for names, _ in typed[3:]] == [["colour"]]
        (tmp_path / "OUT" / "a.html").unlink()
        call(*command)
        assert [names for names, _ in typed[4:]] == [["size", "price"]]
        call(*command, "--force")
        assert len(typed) == 8
        call(*command, "--max-levels", "5")
        assert len(typed) == 11
        call(*command, "--max-levels", "5", "--n-jobs", "2", "--quiet")
        assert len(typed) == 11
        (tmp_path / "known.json").write_text('{"x": "count"}')
        call("infer", "data/c.csv.gz", "--known", "known.json", "--folder", "OUT")
        (tmp_path / "known.json").write_text('{"x": "text"}')
        call("infer", "data/c.csv.gz", "--known", "known.json", "--folder", "OUT")
        assert len(typed) == 13

    def test_known_types_of_several_tables(self, data, call, tmp_path) -> None:
        (tmp_path / "known.toml").write_text('colour = "text"\nx = "count"\nsise = "text"\n')
        done = call("infer", "data", "--known", "known.toml", "--folder", "OUT")
        assert done.returncode == 0
        assert "no table has a column 'sise'; did you mean 'size'?" in done.stderr
        reports = [json.loads(path.read_text()) for path in (tmp_path / "OUT").glob("?.json")]
        found = {c["name"]: c["semantic_type"] for types in reports for c in types["columns"]}
        assert (found["colour"], found["x"]) == ("text", "count")
        again = call("infer", "data", "--known", "known.toml", "--folder", "OUT")
        assert "no table has" not in again.stderr  # unchanged tables were not opened

    def test_after_an_interruption(self, data, typed, call, tmp_path, monkeypatch) -> None:
        infer_types = input.infer_types

        def interrupted(table, *arguments, **options):
            if "colour" in table.frame.columns:
                raise KeyboardInterrupt
            return infer_types(table, *arguments, **options)

        monkeypatch.setattr("autotype.cli.input.infer_types", interrupted)
        done = call("infer", "data", "--folder", "OUT")
        assert (done.returncode, done.stderr) == (130, "")
        out = tmp_path / "OUT"
        assert list(statuses(out).values()) == ["done", "pending", "pending"]
        assert "<b>2</b> not done yet" in (out / "index.html").read_text()
        assert not list(out.glob(".*"))
        monkeypatch.setattr("autotype.cli.input.infer_types", infer_types)
        assert call("infer", "data", "--folder", "OUT").returncode == 0
        assert [names for names, _ in typed] == [["size", "price"], ["colour"], ["x"]]
        assert list(statuses(out).values()) == ["done"] * 3

    def test_a_database_goes_on_after_an_interruption(
        self, typed, call, tmp_path, monkeypatch
    ) -> None:
        connection = sqlite3.connect(tmp_path / "x.db")
        for name in ("t1", "t2"):
            pd.DataFrame({name: [1]}).to_sql(name, connection, index=False)
        connection.close()
        command = ["infer", "--url", "sqlite:///x.db", "--table", "t1", "--table", "t2"]
        monkeypatch.setattr("autotype.cli.job.infer_from", interrupt_at("t2"))
        assert call(*command, "--folder", "OUT").returncode == 130
        monkeypatch.undo()
        monkeypatch.chdir(tmp_path)
        done = call(*command, "--folder", "OUT")
        assert "t1: 1 row, 1 column: 1 text (unchanged)" in done.stdout
        assert "t2: 1 row, 1 column: 1 constant\n" in done.stdout

    @pytest.mark.parametrize(
        "content",
        [
            "{",
            "[]",
            '{"format_version": 99, "is_finished": true, "tables": {}}',
            '{"format_version": 1, "is_finished": true, "tables": {"a": {"name": "../x"}}}',
        ],
    )
    def test_a_file_that_is_no_state(self, data, typed, call, tmp_path, content) -> None:
        (tmp_path / "OUT").mkdir()
        (tmp_path / "OUT" / "state.json").write_text(content)
        done = call("infer", "data", "--folder", "OUT")
        assert done.returncode == 2
        assert "OUT/state.json: is not the state of a job of this version" in done.stderr
        assert (tmp_path / "OUT" / "state.json").read_text() == content


def interrupt_at(last: str):
    def infer_from(table, options, *, is_one_of_many):
        if last in table.frame.columns:
            raise KeyboardInterrupt
        return TypeReport([ColumnType(name, "text") for name in table.frame.columns], n_rows=1)

    return infer_from


class TestFailures:
    def test_bad_tables_among_good_ones(self, data, call, tmp_path) -> None:
        (data / "a1.csv").write_text("a,b\n1,2\n3\n4,5\n")
        (data / "a2.parquet").write_bytes(b"PAR1")
        (data / "a3.csv").write_text("")
        done = call("infer", "data", "data/none.csv", "--folder", "OUT")
        assert done.returncode == 1
        assert done.stderr.splitlines()[0] == (
            "autotype: error: data/a1.csv: line 3 holds 1 field, the header 2; correct it, or put "
            "fields that hold the delimiter in quotes; ragged='pad' or 'drop' (--ragged) reads the "
            "file nevertheless"
        )
        assert "data/none.csv: no such file or directory" in done.stderr
        assert done.stderr.count("\n") == 4
        assert done.stdout.splitlines()[-1] == "OUT/index.html: 7 tables, 4 failed"
        counts = list(statuses(tmp_path / "OUT").values())
        assert (counts.count("done"), counts.count("failed")) == (3, 4)
        entry = next(t for t in summary_of(tmp_path / "OUT")["tables"] if t["status"] == "failed")
        assert entry["report"] is entry["rows"] is None
        assert entry["error"].startswith("line 3 holds 1 field")

    def test_it_is_tried_again(self, data, typed, call, tmp_path) -> None:
        (data / "b.csv").write_text("")
        assert call("infer", "data", "--folder", "OUT").returncode == 1
        assert call("infer", "data", "--folder", "OUT").returncode == 1
        (data / "b.csv").write_text("colour\nred\n")
        assert call("infer", "data", "--folder", "OUT").returncode == 0
        assert len(typed) == 3

    def test_our_own_failure_is_3_and_stops_no_other(
        self, data, call, tmp_path, monkeypatch
    ) -> None:
        infer_types = input.infer_types

        def fails(table, *arguments, **options):
            if "colour" in table.frame.columns:
                raise RuntimeError("it broke")
            return infer_types(table, *arguments, **options)

        monkeypatch.setattr("autotype.cli.input.infer_types", fails)
        done = call("infer", "data", "--folder", "OUT", "--debug")
        assert done.returncode == 3
        assert "data/b.csv: unexpected RuntimeError: it broke; this is a fault of" in done.stderr
        assert "Traceback" in done.stderr
        assert list(statuses(tmp_path / "OUT").values()) == ["done", "failed", "done"]

    def test_too_little_memory(self, data, call, monkeypatch) -> None:
        def fails(*arguments, **options):
            raise MemoryError

        monkeypatch.setattr("autotype.cli.input.infer_types", fails)
        done = call("infer", "data/a.csv", "--folder", "OUT")
        assert done.returncode == 3
        assert "data/a.csv: there is not enough memory for this table" in done.stderr

    def test_an_error_of_the_library_that_reads_is_the_data_s(
        self, data, call, monkeypatch
    ) -> None:
        import duckdb

        def fails(*arguments, **options):
            raise duckdb.IOException("the disk is gone")

        monkeypatch.setattr("autotype.cli.input.infer_types", fails)
        done = call("infer", "data/a.csv", "--large", "10")
        assert (done.returncode, done.stderr) == (
            1,
            "autotype: error: data/a.csv: the disk is gone\n",
        )


class TestLog:
    def test_a_line_of_json_for_each(self, data, typed, call) -> None:
        (data / "b.csv").write_text("")
        done = call("infer", "data", "--folder", "OUT", "--log", "json")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert [line["status"] for line in lines] == ["done", "failed", "done"]
        assert all(line.pop("seconds") >= 0 for line in lines)
        assert lines[0] == {
            "table": "data/a.csv",
            "status": "done",
            "rows": 36,
            "columns": 2,
            "types": {"ordinal": 2},
            "error": None,
            "report": "a.json",
            "page": "a.html",
        }
        assert lines[1]["error"] == "is empty, not even a header was found"
        again = call("infer", "data", "--folder", "OUT", "--log", "json").stdout
        assert [json.loads(line)["status"] for line in again.splitlines()] == [
            "unchanged",
            "failed",
            "unchanged",
        ]

    def test_quiet(self, data, typed, call) -> None:
        done = call("infer", "data", "--folder", "OUT", "--quiet")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("data/*.tsv --folder OUT", "data/*.tsv: no file fits this pattern"),
        ("empty --folder OUT", "empty: holds no CSV, JSON lines, Parquet or Excel file"),
        ("- --folder OUT", "standard input (-) is a single table: leave out --folder"),
        ("data --folder OUT --json t.json", "--json is for a single table; --folder writes"),
        ("data --folder OUT --html t.html", "--html is for a single table"),
        ("data --folder OUT --schema -", "--schema -: is standard output, not a folder"),
        ("data --folder OUT --schema data/a.csv", "--schema data/a.csv: is a file, not a folder"),
        ("data --folder data/a.csv", "--folder data/a.csv: is a file, not a folder"),
        ("data --folder data/a.csv/x", "--folder data/a.csv/x: not a directory"),
        ("data/a.csv data/b.csv", "2 tables are named; for a report of each give a folder"),
        ("data", "data: is a folder, not a file; for the files in it add --folder OUT"),
        ("data/*.csv", "data/*.csv: there is no such file; for the files of a pattern add"),
        ("data/a.csv --force", "--force and --log are for many tables, with --folder OUT"),
        ("data/a.csv --log json", "--force and --log are for many tables, with --folder OUT"),
        ("data/a.csv --max-seconds 0", "expected a positive number, got '0'"),
        ("data/a.csv --max-seconds soon", "expected a positive number, got 'soon'"),
    ],
)
def test_wrong_use(data, typed, call, tmp_path, arguments, message) -> None:
    (tmp_path / "empty").mkdir()
    done = call("infer", *arguments.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert typed == []


def test_a_time_limit_for_each_table(data, typed, call) -> None:
    call("infer", "data", "--folder", "OUT", "--max-seconds", "2.5")
    assert [options["max_seconds"] for _, options in typed] == [2.5] * 3


def test_without_jinja(data, typed, call, monkeypatch) -> None:
    import sys

    from autotype.report import html

    html.load_templates.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    done = call("infer", "data", "--folder", "OUT")
    assert done.returncode == 2
    assert "autotype-ordinal[report]" in done.stderr
    assert typed == []


class TestSheets:
    def test_each_has_a_report(self, tmp_path, call) -> None:
        with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
            for name in ("one", "two"):
                pd.DataFrame({name: list("abcab"), "n": range(5)}).to_excel(book, sheet_name=name)
            pd.DataFrame().to_excel(book, sheet_name="empty")
        done = call("infer", "book.xlsx", "--sheet", "all", "--folder", "OUT")
        assert done.returncode == 0, done.stderr
        found = sorted(path.name for path in (tmp_path / "OUT").glob("book*.json"))
        assert found == ["book-one.json", "book-two.json"]
        types = autotype.TypeReport.from_json(tmp_path / "OUT" / "book-two.json")
        assert types.reading.sheet == "two"

    def test_they_need_a_folder(self, tmp_path, call) -> None:
        done = call("infer", "book.xlsx", "--sheet", "all")
        assert (done.returncode, done.stdout) == (2, "")
        assert "--sheet all needs --folder OUT" in done.stderr


def test_names_of_files_are_printed_in_one_line_without_commands_to_the_terminal(
    call, tmp_path
) -> None:
    (tmp_path / "a\x1b[31m\nautotype: fine.csv").write_text("a,b\n1,2\n")
    (tmp_path / "b\x1b[2J\n.csv").write_text("")
    child = call("infer", ".", "--folder", "OUT")
    assert child.returncode == 1
    assert "a\\x1b[31m autotype: fine.csv: 1 row, 2 columns: 2 constant\n" in child.stdout
    assert "b\\x1b[2J .csv: is empty" in child.stderr
    assert "\x1b" not in child.stdout + child.stderr


class TestSchemas:
    def test_one_for_each_table_by_which_the_next_day_is_checked(
        self, data, call, tmp_path
    ) -> None:
        (data / "b.csv").write_text(CSV.replace("size", "format"))
        job = ["infer", "data", "--folder", "OUT", "--schema", "SCHEMAS"]
        assert call(*job).returncode == 0
        assert sorted(os.listdir(tmp_path / "SCHEMAS")) == ["a.yaml", "b.yaml", "c.yaml"]
        child = call("validate", "data", "--schema", "SCHEMAS")
        assert (child.returncode, child.stdout.splitlines()[-1]) == (0, "3 tables: all fit")
        (data / "a.csv").write_text(CSV.replace("L", "XXL"))
        child = call("validate", "data", "--schema", "SCHEMAS")
        assert (child.returncode, child.stdout.splitlines()[-1]) == (1, "3 tables: 1 failed")
        child = call("validate", "data/b.csv", "--schema", "SCHEMAS")
        assert "there is no table for SCHEMAS/a.yaml" in child.stdout
        child = call("validate", "data/b.csv", "--schema", "SCHEMAS", "--partial")
        assert (child.returncode, child.stdout.splitlines()[-1]) == (0, "1 table: all fit")

    def test_a_schema_that_is_gone_or_of_other_limits_is_written_again(
        self, data, call, tmp_path
    ) -> None:
        job = ["infer", "data", "--folder", "OUT", "--schema", "SCHEMAS"]
        assert "(unchanged)" not in call(*job).stdout
        assert call(*job).stdout.count("(unchanged)") == 3
        (tmp_path / "SCHEMAS" / "a.yaml").unlink()
        assert call(*job).stdout.count("(unchanged)") == 2
        assert "has_level_shares" not in (tmp_path / "SCHEMAS" / "a.yaml").read_text()
        call(*job, "--share-tolerance", "5%")
        assert "has_level_shares" in (tmp_path / "SCHEMAS" / "a.yaml").read_text()

    def test_names_that_collide_are_an_error_before_anything_runs(
        self, data, more, typed, call, tmp_path
    ) -> None:
        done = call("infer", "data", "data/more", "--folder", "OUT", "--schema", "SCHEMAS")
        assert (done.returncode, done.stdout) == (2, "")
        assert "SCHEMAS/a.yaml would be of data/a.csv and of data/more/a.csv" in done.stderr
        assert not typed

    def test_a_table_that_fails_keeps_its_schema(self, data, call, tmp_path) -> None:
        job = ["infer", "data", "--folder", "OUT", "--schema", "SCHEMAS"]
        call(*job)
        (data / "a.csv").write_text("")
        assert call(*job).returncode == 1
        assert (tmp_path / "SCHEMAS" / "a.yaml").exists()
