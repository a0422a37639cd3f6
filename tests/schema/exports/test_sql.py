"""The statements create a table that takes what the schema takes, in real databases."""

import datetime
import sqlite3

import pandas as pd
import pytest

from autotype.errors import UnwritableTypesError
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType
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
