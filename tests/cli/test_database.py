"""Tables of databases on the command line, with SQLite and PostgreSQL."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from typing import Any

import pandas as pd
import pytest

from autotype.tables.database import without_secrets
from tests.inference.frames import postgresql
from tests.inference.frames.engines import to_postgresql

# Ibis asks pandas for an option that pandas deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")


@pytest.fixture
def database(tmp_path):
    connection = sqlite3.connect(tmp_path / "x.db")
    frame = pd.DataFrame({"size": ["S", "M", "L"] * 12, "price": [1.5, 2.5, 3.5] * 12})
    frame.to_sql("people", connection, index=False)
    frame[["size"]].to_sql("pets", connection, index=False)
    connection.close()
    return tmp_path / "x.db"


@pytest.mark.parametrize("absolute", [False, True])
def test_the_types_of_a_table(database, call, absolute) -> None:
    url = f"sqlite:///{database if absolute else 'x.db'}"
    done = call("infer", "--url", url, "--table", "people")
    assert (done.returncode, done.stderr) == (0, "")
    assert "S < M < L" in done.stdout
    assert "2 columns, 36 rows" in done.stdout


@pytest.mark.parametrize("name", ['a.b "c"', '"a.b ""c"""', 'main."a.b ""c"""'])
def test_names_with_dots_and_quotes(tmp_path, call, name) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        frame = pd.DataFrame({"size": ["S", "M", "L"] * 12})
        frame.to_sql('a.b "c"', connection, index=False)
    done = call("infer", "--url", "sqlite:///x.db", "--table", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert "S < M < L" in done.stdout


@pytest.fixture
def duckdb_file(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with closing(duckdb.connect(tmp_path / "d.duckdb")) as connection:
        connection.execute('CREATE SCHEMA "wave 2"')
        for name in ("people", '"wave 2"."a.b ""c"""'):
            connection.execute(
                f"CREATE TABLE {name} AS SELECT substr('SML', i % 3 + 1, 1) AS size, "
                "i + 0.5::DOUBLE AS price FROM range(36) AS r(i)"
            )
        connection.execute("CREATE VIEW seen AS FROM people")
    return tmp_path / "d.duckdb"


@pytest.mark.parametrize(
    "name",
    ["people", "main.people", "d.main.people", "seen", '"wave 2"."a.b ""c"""'],
)
def test_the_types_of_a_table_of_duckdb(duckdb_file, call, name) -> None:
    before = duckdb_file.read_bytes()
    done = call("infer", "--url", "duckdb:///d.duckdb", "--table", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert "S < M < L" in done.stdout
    assert duckdb_file.read_bytes() == before


def test_a_table_of_duckdb_is_checked_compared_and_written(duckdb_file, call, tmp_path) -> None:
    table = ("--url", "duckdb:///d.duckdb", "--table", "people")
    done = call("infer", *table, "--schema", "s.yaml", "--json", "t.json")
    assert (done.returncode, done.stderr) == (0, "")
    done = call("validate", *table, "--schema", "s.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert "36 rows fit the schema s.yaml" in done.stdout
    done = call("compare", "t.json", *table)
    assert (done.returncode, done.stdout) == (0, "nothing changed in 2 columns\n")
    done = call("apply", *table, "--types", "t.json", "-o", "typed.parquet")
    assert (done.returncode, done.stdout) == (0, "typed.parquet: 36 rows, 1 of 2 columns typed\n")
    assert list(pd.read_parquet(tmp_path / "typed.parquet")["size"].cat.categories) == list("SML")


@pytest.mark.parametrize(
    ("url", "name", "message"),
    [
        ("duckdb:///d.duckdb", "zzz", "there is no table 'zzz'; there are 'people', 'seen'"),
        ("duckdb:///d.duckdb", "zzz.people", "there is no table 'zzz.people'"),
        ("duckdb:///x.csv", "t", "duckdb:///x.csv: cannot be connected to: "),
        ("duckdb://", "t", "duckdb://: there is no file ''"),
    ],
)
def test_wrong_use_of_duckdb(duckdb_file, call, tmp_path, url, name, message) -> None:
    (tmp_path / "x.csv").write_text("a,b\n" * 500)
    done = call("infer", "--url", url, "--table", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_duckdb(call, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    done = call("infer", "--url", "duckdb:///d.duckdb", "--table", "people")
    assert done.returncode == 2
    assert (
        'reading databases needs DuckDB; type pip install "autotype-ordinal[duckdb]"' in done.stderr
    )


def test_a_schema(database, call, tmp_path) -> None:
    done = call("infer", "--url", "sqlite:///x.db", "--table", "people", "--schema", "s.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert "size" in (tmp_path / "s.yaml").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--url sqlite:///x.db --table peeple", "no table 'peeple'; did you mean 'people'?"),
        ("--url sqlite:///x.db --table zzz", "no table 'zzz'; there are 'people', 'pets'"),
        ("--url sqlite:///x.db --table a.people", "there is no table 'a.people'"),
        ("--url sqlite:///y.db --table t", "sqlite:///y.db: there is no file y.db"),
        ("--url sqlite:///x.csv --table t", "sqlite:///x.csv: cannot be connected to: file is not"),
        ("--url x.db --table t", "x.db: is not the URL of a database, such as sqlite:///file.db"),
        ("--url foo://x --table t", "foo://x: cannot be connected to: Don't know how to"),
        ("--url sqlite:///x.db", "--url needs --table, the name of a table"),
        ("--table t", "--table needs --url, the database that holds it"),
        ("a.csv --url sqlite:///x.db --table t", "give either FILE, or --url and --table"),
        ("--url sqlite:///x.db --table people --table pets", "2 tables are named; for a report"),
    ],
)
def test_wrong_use(database, call, tmp_path, arguments, message) -> None:
    (tmp_path / "x.csv").write_text("a,b\n" * 500)
    before = sorted(os.listdir(tmp_path))
    done = call("infer", *arguments.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("--url sqlite:///x.db --table people", 0),
        ("--url sqlite:///x.db --table people --schema s.yaml", 0),
        ("--url sqlite:///x.db --table people --table pets --folder OUT", 0),
        ("--url sqlite:///x.db --table zzz", 2),
        ("--url sqlite:///x.db --table people --columns zzz", 2),
        ("--url sqlite:///x.csv --table people", 2),
    ],
)
def test_no_connection_is_left_open(database, call, tmp_path, monkeypatch, arguments, code) -> None:
    (tmp_path / "x.csv").write_text("a,b\n" * 500)
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def record(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", record)
    assert call("infer", *arguments.split()).returncode == code
    assert opened
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
            connection.execute("SELECT 1")


def test_no_password_is_printed(call, monkeypatch) -> None:
    import ibis

    def connect(url: str) -> None:
        raise RuntimeError(f"no access to {url} with se@cr:et")

    monkeypatch.setattr(ibis, "connect", connect)
    url = "mydb://me:se@cr:et@host/db?sslpassword=other1&x=1"
    for options in ([], ["--debug"], ["--folder", "OUT"]):
        done = call("infer", "--url", url, "--table", "t", *options)
        assert done.returncode == (1 if "--folder" in options else 2)
        assert "no access to mydb://me:***@host/db?sslpassword=***&x=1 with ***" in done.stderr
        assert "se@cr" not in done.stderr + done.stdout
        assert "other1" not in done.stderr + done.stdout


def test_no_password_is_kept_in_the_files_of_a_job(call, tmp_path) -> None:
    call("infer", "--url", "mydb://me:secret1@host/db", "--table", "t", "--folder", "OUT")
    names = ["index.html", "job.lock", "state.json", "summary.json"]
    assert sorted(os.listdir(tmp_path / "OUT")) == names
    for file in (tmp_path / "OUT").iterdir():
        assert "secret1" not in file.read_text()


def test_without_ibis(database, call, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ibis", None)
    done = call("infer", "--url", "sqlite:///x.db", "--table", "people")
    assert done.returncode == 2
    assert 'reading databases needs Ibis; type pip install "autotype-ordinal[ibis]"' in done.stderr


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_without_the_driver_of_postgresql(call, monkeypatch, scheme) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "ibis.backends.postgres", raising=False)
    done = call("infer", "--url", f"{scheme}://me:secret1@host/db", "--table", "t")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"autotype: error: --url {scheme}://me:***@host/db: PostgreSQL needs the driver psycopg; "
        'type pip install "autotype-ordinal[postgresql]"\n'
    )


@pytest.mark.parametrize(
    ("url", "hidden"),
    [
        ("postgres://me@host/db", "postgres://me@host/db"),
        ("postgres://me:a/b@c@host:5432/db", "postgres://me:***@host:5432/db"),
        ("x://host/?token=abc&a=1", "x://host/?token=***&a=1"),
        ("sqlite:///a.db", "sqlite:///a.db"),
    ],
)
def test_passwords_of_urls(url, hidden) -> None:
    assert without_secrets(url, url) == hidden


def test_a_password_in_percent_code() -> None:
    assert without_secrets("no access: p@ss", "x://me:p%40ss@host/db") == "no access: ***"


@pytest.mark.skipif(postgresql.missing(), reason="needs PostgreSQL and psycopg")
@pytest.mark.filterwarnings("ignore")  # Ibis calls what pandas deprecates
class TestPostgreSQL:
    @pytest.fixture
    def table(self):
        frame = pd.DataFrame({"size": ["S", "M", "L"] * 12, "price": [1.5, 2.5, None] * 12})
        return to_postgresql(frame).get_name()

    @pytest.mark.parametrize("cells", [-1, 10**6])  # drawn by the server, or loaded
    def test_the_types_of_a_table(self, table, call, monkeypatch, cells) -> None:
        monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", cells)
        done = call("infer", "--url", postgresql.server_url(), "--table", table)
        assert (done.returncode, done.stderr) == (0, "")
        assert "S < M < L" in done.stdout
        assert "2 columns, 36 rows" in done.stdout
        assert ("drawn by postgres (Ibis)" in done.stdout) == (cells < 0)

    def test_a_table_of_a_schema(self, table, call) -> None:
        done = call("infer", "--url", postgresql.server_url(), "--table", f"public.{table}")
        assert (done.returncode, done.stderr) == (0, "")
        assert "2 columns, 36 rows" in done.stdout

    def test_a_job(self, table, call, tmp_path) -> None:
        url = postgresql.server_url()
        done = call("infer", "--url", url, "--table", table, "--folder", "OUT", "--log", "json")
        assert (done.returncode, done.stderr) == (0, "")
        assert (tmp_path / "OUT" / f"{table}.json").exists()
        password = url.split(":")[2].split("@")[0]
        for file in (tmp_path / "OUT").iterdir():
            assert password not in file.read_text()

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda url: url.replace("tester:", "tester:x"), "password authentication failed"),
            (lambda url: url.replace("tester:", "nobody:"), "password authentication failed"),
            (lambda url: url.replace("/postgres", "/none"), 'database "none" does not exist'),
        ],
    )
    def test_a_server_that_refuses(self, table, call, change, message) -> None:
        url = postgresql.server_url()
        done = call("infer", "--url", change(url), "--table", table)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
        assert url.split(":")[2].split("@")[0] not in done.stderr

    def test_a_table_that_is_not_there(self, table, call) -> None:
        for name in ("tt", "public.tt", "none.t"):
            done = call("infer", "--url", postgresql.server_url(), "--table", name)
            assert (done.returncode, done.stdout) == (2, "")
            assert f"there is no table '{name}'" in done.stderr


def test_every_command_that_reads_a_table(database, call, tmp_path) -> None:
    table = ["--url", "sqlite:///x.db", "--table", "people"]
    assert call("infer", *table, "--json", "t.json", "--schema", "s.yaml").returncode == 0
    assert call("validate", *table, "--schema", "s.yaml").returncode == 0
    assert call("compare", "t.json", *table).returncode == 0
    done = call("report", *table, "-o", "p.html")
    assert (done.returncode, done.stdout) == (0, "p.html: 2 columns\n")
    assert "sqlite:///x.db people" in (tmp_path / "p.html").read_text()
    done = call("apply", *table, "--types", "t.json", "-o", "typed.parquet")
    assert (done.returncode, done.stderr) == (0, "")
    assert pd.read_parquet(tmp_path / "typed.parquet")["size"].cat.ordered
    for command in (["report", "-o", "p.html"], ["apply", "--types", "t.json", "-o", "x.csv"]):
        done = call(*command, *table, "--table", "pets")
        assert (done.returncode, done.stdout) == (2, "")
        assert "2 tables are named, expected one" in done.stderr
        assert "no table is named" in call(*command).stderr
