"""Tables of databases on the command line, with SQLite."""

from __future__ import annotations

import os
import sqlite3
import sys

import pandas as pd
import pytest

from autotype.files.database import without_secrets

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
    assert sorted(os.listdir(tmp_path / "OUT")) == ["index.html", "state.json", "summary.json"]
    for file in (tmp_path / "OUT").iterdir():
        assert "secret1" not in file.read_text()


def test_without_ibis(database, call, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ibis", None)
    done = call("infer", "--url", "sqlite:///x.db", "--table", "people")
    assert done.returncode == 2
    assert 'reading databases needs Ibis; type pip install "autotype-ordinal[ibis]"' in done.stderr


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
