"""The same table in every engine that is installed, for the tests."""

from __future__ import annotations

import atexit
import importlib.util
import shutil
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.inference.frames import postgresql

_TABLE_NUMBERS = count()  # of the tables in the databases of the tests


def to_polars(frame: pd.DataFrame) -> Any:
    import polars as pl

    return pl.from_pandas(frame)


def to_arrow(frame: pd.DataFrame) -> Any:
    import pyarrow as pa

    return pa.Table.from_pandas(frame, preserve_index=False)


def to_dataset(frame: pd.DataFrame) -> Any:
    import pyarrow.dataset

    batches = to_arrow(frame).to_batches(max_chunksize=max(len(frame) // 3, 1))
    return pyarrow.dataset.dataset(batches or to_arrow(frame))


def to_dask(frame: pd.DataFrame) -> Any:
    import dask.dataframe as dd

    return dd.from_pandas(frame, npartitions=3)


def to_duckdb(frame: pd.DataFrame) -> Any:
    import duckdb

    return duckdb.connect().from_df(frame)


def to_ibis(frame: pd.DataFrame) -> Any:
    import ibis

    table = to_arrow(frame)
    name = f"t{next(_TABLE_NUMBERS)}"
    schema = ibis.Schema.from_pyarrow(table.schema)
    plain = frame.astype(object).where(frame.notna(), None)  # SQLite knows no other missing value
    return sqlite_connection().create_table(name, plain, schema=schema)


@cache
def sqlite_connection() -> Any:
    """Connect to an empty database in memory, once, until this process ends."""
    import ibis

    connection = ibis.sqlite.connect()
    atexit.register(connection.disconnect)
    return connection


def to_postgresql(frame: pd.DataFrame) -> Any:
    import pyarrow as pa

    table = to_arrow(frame)
    for k, field in enumerate(table.schema):
        if pa.types.is_null(field.type):  # PostgreSQL has no such type
            table = table.set_column(k, field.name, table.column(k).cast(pa.string()))
    return postgresql.connection().create_table(f"t{next(_TABLE_NUMBERS)}", table)


def to_spark(frame: pd.DataFrame) -> Any:
    return spark_session().createDataFrame(to_arrow(frame))


@cache
def spark_session() -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def lacking(*packages: str) -> bool:
    return any(importlib.util.find_spec(name) is None for name in packages)


def engine(convert: Callable[[pd.DataFrame], Any], name: str, *packages: str) -> Any:
    missing = lacking(*packages) or ("pyspark" in packages and shutil.which("java") is None)
    missing |= "psycopg" in packages and postgresql.missing()
    marks = [pytest.mark.skipif(missing, reason=f"needs {' and '.join(packages)}")]
    if {"pyspark", "dask", "ibis"} & set(packages):
        # These libraries call what pandas deprecates, and Spark's gateway leaves sockets open.
        marks.append(pytest.mark.filterwarnings("ignore"))
    return pytest.param(convert, id=name, marks=marks)


EAGER = [engine(to_polars, "polars", "polars"), engine(to_arrow, "pyarrow")]
LAZY = [
    engine(lambda frame: to_polars(frame).lazy(), "polars lazy", "polars"),
    engine(to_duckdb, "duckdb", "duckdb"),
    engine(to_dask, "dask", "dask"),
    engine(to_dataset, "dataset"),
    engine(to_ibis, "ibis", "ibis"),
    engine(to_postgresql, "postgresql", "ibis", "psycopg"),
    engine(to_spark, "spark", "pyspark"),
]


def sample_table(n_rows: int = 600, seed: int = 0) -> pd.DataFrame:
    """Generate a table with columns of every common type that all engines hold."""
    rng = np.random.default_rng(seed)
    latent = rng.standard_normal(n_rows)
    grade = np.digitize(latent + 0.5 * rng.standard_normal(n_rows), [-1, 0, 1])
    frame = pd.DataFrame(
        {
            "grade": np.array(["poor", "fair", "good", "excellent"], dtype=object)[grade],
            "colour": rng.choice(["red", "green", "blue", "grey"], n_rows),
            "rating": pd.array(rng.integers(1, 6, n_rows), dtype="Int64"),
            "score": latent.round(6),
            "share": np.where(rng.random(n_rows) < 0.1, np.nan, rng.random(n_rows)),
            "member": rng.random(n_rows) < 0.3,
            "number": np.arange(n_rows) + 1000,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(n_rows) % 90, "D"),
            "rare": rng.choice(["never", "often", "always"], n_rows, p=[0.9, 0.09, 0.01]),
        }
    )
    frame["rating"] = frame["rating"].mask(pd.Series(rng.random(n_rows) < 0.05))
    frame["day"] = frame["day"].astype("datetime64[us]")
    frame["colour"] = (
        frame["colour"].astype(object).mask(pd.Series(rng.random(n_rows) < 0.05), None)
    )
    return frame
