"""The libraries that read tables without loading them: DuckDB, polars, Arrow, and Ibis."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import tempfile
from operator import attrgetter
from typing import TYPE_CHECKING

from autotype.lexicon.toml_files import read_toml

if TYPE_CHECKING:
    import duckdb


def installed_engines() -> list[str]:
    """Return those of DuckDB and polars that are installed, the faster first.

    Examples
    --------
    >>> set(installed_engines()) <= {"duckdb", "polars"}
    True
    """
    if importlib.util.find_spec("pyarrow") is None:  # brings what they compute to pandas
        return []
    return [name for name in ("duckdb", "polars") if importlib.util.find_spec(name) is not None]


def engine_errors() -> tuple[type[Exception], ...]:
    """Return the errors of the libraries that are loaded, for an ``except`` clause.

    Examples
    --------
    >>> import sqlite3
    >>> sqlite3.Error in engine_errors()
    True
    """
    known = read_toml("files")["engine_errors"].items()
    return tuple(attrgetter(path)(sys.modules[name]) for name, path in known if name in sys.modules)


def connect_duckdb() -> duckdb.DuckDBPyConnection:
    """Return a database in memory, which keeps no pages of the files that it reads.

    What does not fit into memory goes to the folder for temporary files, not to the working folder.
    """
    import duckdb

    folder = os.path.join(tempfile.gettempdir(), f"autotype-{os.getpid()}")  # made when needed
    connection = duckdb.connect(config={"temp_directory": folder})
    connection.execute("SET enable_external_file_cache = false")
    return connection
