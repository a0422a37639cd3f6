"""The statements create a table that takes what the schema takes, in real databases."""

import datetime
import sqlite3

import numpy as np
import pandas as pd
import pytest
import yaml

import autotype
from autotype.errors import UnwritableTypesError
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType
from tests.inference.frames import postgresql
from tests.schema.exports.schemas import DAY_1, FAILING, REPORT, TYPES, changed


def rows(frame):
    return [tuple(None if pd.isna(v) else v for v in row) for row in frame.astype(object).values]


class TestDuckDB:
    """ENUMs with an order, and CHECK constraints."""

    @pytest.fixture
    def database(self):
        duckdb = pytest.importorskip("duckdb")
        with duckdb.connect() as connection:
            connection.execute(REPORT.to_sql("shop", dialect="duckdb"))
            yield connection

    def insert(self, database, frame):
        database.executemany("INSERT INTO shop VALUES (?, ?, ?, ?, ?, ?)", rows(frame))

    def test_the_batch_fits_and_its_levels_are_ordered(self, database):
        self.insert(database, DAY_1)
        found = database.execute(
            "SELECT DISTINCT size FROM shop WHERE size > 'S'::shop_size ORDER BY 1"
        )
        assert found.fetchall() == [("M",), ('it\'s "L"',)]
        back = database.execute("SELECT * FROM shop").df()
        assert back["size"].cat.categories.tolist() == ["S", "M", 'it\'s "L"']

    @pytest.mark.parametrize("name", FAILING)
    def test_another_batch_does_not(self, database, name):
        import duckdb

        with pytest.raises((duckdb.ConstraintException, duckdb.ConversionException)):
            self.insert(database, changed(name, FAILING[name]))

    def test_missing_values_fail_where_there_were_none(self, database):
        import duckdb

        with pytest.raises(duckdb.ConstraintException, match="NOT NULL"):
            self.insert(database, changed("town", None))


class TestSQLite:
    """CHECK constraints alone."""

    @pytest.fixture
    def database(self):
        connection = sqlite3.connect(":memory:")
        connection.execute(REPORT.to_sql("shop", dialect="sqlite"))
        yield connection
        connection.close()

    def insert(self, database, frame):
        database.executemany("INSERT INTO shop VALUES (?, ?, ?, ?, ?, ?)", rows(frame))

    def test_the_batch_fits(self, database):
        self.insert(database, DAY_1)
        assert database.execute("SELECT count(*) FROM shop").fetchone() == (40,)

    @pytest.mark.parametrize("name", FAILING)
    def test_another_batch_does_not(self, database, name):
        with pytest.raises(sqlite3.IntegrityError, match="constraint failed"):
            self.insert(database, changed(name, FAILING[name]))


def loaded_by_sqlite(statements: str, frames: list[pd.DataFrame]) -> int:
    connection = sqlite3.connect(":memory:")
    connection.executescript(statements)
    for frame in frames:
        frame.to_sql("shop", connection, if_exists="append", index=False)
    return connection.execute("SELECT count(*) FROM shop").fetchone()[0]


def loaded_by_duckdb(statements: str, frames: list[pd.DataFrame]) -> int:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.execute(statements)
        for _frame in frames:
            connection.execute("INSERT INTO shop SELECT * FROM _frame")
        return connection.execute("SELECT count(*) FROM shop").fetchone()[0]


def loaded_by_postgresql(statements: str, frames: list[pd.DataFrame]) -> int:
    if postgresql.missing():
        pytest.skip("PostgreSQL or its driver is not installed")
    import psycopg

    with psycopg.connect(postgresql.server_url()) as connection:
        connection.execute(f"CREATE SCHEMA s; SET search_path TO s; {statements}")
        marks = ", ".join(["%s"] * frames[0].shape[1])
        for frame in frames:
            connection.cursor().executemany(f"INSERT INTO shop VALUES ({marks})", rows(frame))
        count = connection.execute("SELECT count(*) FROM shop").fetchone()
        connection.rollback()
    return count[0]


LOADED_BY = {
    "sqlite": loaded_by_sqlite,
    "duckdb": loaded_by_duckdb,
    "postgresql": loaded_by_postgresql,
}


def batch(seed: int, day: str) -> pd.DataFrame:
    """Values of every kind; those of another batch are others, except the levels."""
    rng = np.random.default_rng(seed)
    start, n = pd.Timestamp(day), 60
    days = pd.Series(start + pd.to_timedelta(rng.integers(0, 3, n), "D"))
    return pd.DataFrame(
        {
            "price": (seed + rng.integers(0, 3, n)) * 1.25,
            "pieces": rng.integers(0, 400, n),
            "stock": pd.Series(rng.integers(0, 90, n)).where(rng.random(n) > 0.1),
            "weight": rng.normal(size=n) * 10**seed,
            "weight or word": ["on request", *map(str, rng.normal(size=n - 1))],
            "amount": [f"{v:,} €" for v in rng.integers(1000, 9999, n)],
            "few days": days,
            "days": start + pd.to_timedelta(range(n), "h"),
            "as text": (start + pd.to_timedelta(range(n), "D")).strftime("%d.%m.%Y"),
            "born": rng.integers(1920, 2010, n),
            "moments": (days + pd.Timedelta(hours=seed)).dt.tz_localize("Asia/Kolkata"),
            "size": rng.choice(["S", "M", "L"], n),
            "ok": rng.random(n) > 0.5,
            "id": range(1000 * seed, 1000 * seed + n),
        }
    )


@pytest.mark.parametrize("dialect", LOADED_BY)
def test_a_table_takes_its_frame_and_a_later_batch(dialect):
    first, later = batch(1, "2024-01-01"), batch(2, "2025-06-01")
    types = autotype.infer_types(first)
    statements = types.to_sql("shop", dialect=dialect)
    assert LOADED_BY[dialect](statements, [first, later]) == 120
    for name, kind in {"pieces": "BIGINT", "stock": "BIGINT", "weight": "DOUBLE PRECISION",
                       "weight or word": "TEXT", "amount": "TEXT", "days": "TIMESTAMP",
                       "as text": "TEXT", "born": "BIGINT",
                       "moments": "TIMESTAMP WITH TIME ZONE"}.items():  # fmt: skip
        assert f'  "{name}" {kind},\n' in statements
    accepted = yaml.safe_load(types.to_dbt("shop"))["models"][0]["columns"]
    assert [c["name"] for c in accepted if "data_tests" in c] == ["size", "ok"]


@pytest.mark.parametrize("dialect", ["duckdb", "postgresql"])  # SQLite has 64 bits
@pytest.mark.parametrize("source", ["types", "schema"])
def test_integers_beyond_64_bits_keep_their_digits(source, dialect):
    frame = pd.DataFrame(
        {
            "tweet": np.arange(60) + 1_800_000_000_000_000_001,
            "hash": np.arange(60, dtype=np.uint64) + np.uint64(2**64 - 90),
            "shard": np.array([2**63 + 1, 2**64 - 1] * 30, dtype=np.uint64),
        }
    )
    types = autotype.infer_types(frame)
    if source == "schema":
        types = TypeReport.from_schema(frame.ordinal.to_schema(types))
    statements = types.to_sql("shop", dialect=dialect)
    assert LOADED_BY[dialect](statements, [frame]) == 60
    assert '"hash" NUMERIC(38)' in statements
    assert '"shard" NUMERIC(38)' in statements
    assert "DOUBLE" not in statements


@pytest.mark.parametrize("dialect", LOADED_BY)
def test_a_table_takes_moments_that_are_levels(dialect):
    days = [pd.Timestamp("2024-01-01"), pd.Timestamp("2024-06-01 12:30:00.5")] * 20
    types = TypeReport([ColumnType("day", "ordinal", order=tuple(days[:2]))])
    assert LOADED_BY[dialect](types.to_sql("shop", dialect=dialect), [pd.DataFrame({"day": days})])


@pytest.mark.parametrize(
    ("dialect", "names", "message"),
    [
        ("sqlite", ["size", "Size"], "column 'Size': its name is that of 'size' to sqlite; rename"),
        ("duckdb", ["éA", "éa"], "column 'éa': its name is that of 'éA' to duckdb"),
        ("postgresql", ["x" * 63 + "a", "x" * 63 + "b"], r"x*b': its name is that of 'x*a' to"),
        ("postgresql", ["a", "a"], "column 'a': its name is that of 'a' to postgresql"),
        ("postgresql", [""], "column '': its name is empty to postgresql"),
        ("duckdb", [], "there are no columns"),
        (
            "postgresql",
            ["ctid"],
            "column 'ctid': its name means another thing to postgresql; rename it",
        ),
        (
            "sqlite",
            ["size", "True"],
            "column 'True': its name means another thing to sqlite; rename it",
        ),
    ],
)
def test_names_that_a_database_refuses(dialect, names, message):
    types = TypeReport([ColumnType(name, "text") for name in names])
    with pytest.raises(UnwritableTypesError, match=message):
        types.to_sql(dialect=dialect)


@pytest.mark.parametrize("dialect", LOADED_BY)
def test_names_and_levels_that_it_takes(dialect):
    levels = ("S" * 63 + "1", "S" * 63 + "2")
    names = ["é", "É", "size" if dialect != "postgresql" else "Size", "long" * 15]
    types = TypeReport([ColumnType(name, "ordinal", order=levels) for name in names])
    frame = pd.DataFrame({name: list(levels) for name in names})
    assert LOADED_BY[dialect](types.to_sql("shop", dialect=dialect), [frame]) == 2


def test_postgresql_by_default():
    text = REPORT.to_sql('my "shop"')
    assert text.startswith(
        """CREATE TYPE "my ""shop""_size" AS ENUM ('S', 'M', 'it''s "L"');\n"""
        'CREATE TABLE "my ""shop""" (\n  "size" "my ""shop""_size",\n'
    )
    assert """  "town" TEXT NOT NULL CHECK ("town" IN ('1', 'Rom', 'Ulm', 'no'))""" in text or (
        """  "town" TEXT NOT NULL CHECK ("town" IN ('Ulm', 'Rom', 'no', '1'))""" in text
    )
    assert '  "price" DOUBLE PRECISION CHECK ("price" >= 0.0 AND "price" <= 6.5)' in text
    assert '  "ok" BOOLEAN NOT NULL CHECK ("ok" IN (FALSE, TRUE))' in text


def test_a_report_holds_levels_only():
    text = TYPES.to_sql("shop")
    assert '"grade" BIGINT CHECK ("grade" IN (3, 2, 1))' in text
    assert "NOT NULL" not in text
    assert '"price" TEXT' in text


def test_levels_off_the_scale_come_first():
    column = ColumnType("size", "ordinal", order=("S", "L"), off_scale=("?",))
    assert "AS ENUM ('?', 'S', 'L')" in TypeReport([column]).to_sql()


def test_dates_as_levels():
    days = {datetime.date(2024, 2, 29): 5, datetime.date(2024, 3, 1): 5}
    text = TypeReport([ColumnType("day", "categorical", levels=days)]).to_sql()
    assert """"day" TIMESTAMP CHECK ("day" IN ('2024-02-29', '2024-03-01'))""" in text


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([("a", 1), ("b", 2)], r"column 'x' has the level \('a', 1\), expected strings, finite"),
        ([1.5, float("inf")], "column 'x' has the level inf, expected strings, finite numbers"),
        (["a", 1], "column 'x' has levels of several types, which no column of SQL holds"),
        (["a\0b", "c"], r"'a\\x00b' holds a character that SQL cannot"),
    ],
)
def test_levels_that_sql_cannot_hold(levels, message):
    types = TypeReport([ColumnType("x", "categorical", levels=dict.fromkeys(levels, 1))])
    with pytest.raises(UnwritableTypesError, match=message):
        types.to_sql()


def test_wrong_use():
    with pytest.raises(ValueError, match="dialect must be one of postgresql, duckdb, sqlite, got"):
        REPORT.to_sql(dialect="oracle")
    with pytest.raises(TypeError, match="expected a pandera DataFrameSchema or DataFrameModel"):
        TypeReport.from_schema(DAY_1)  # type: ignore[arg-type]
