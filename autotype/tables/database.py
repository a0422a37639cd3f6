"""Open tables of databases through Ibis, those of DuckDB by its own driver."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from autotype.errors import MissingExtraError, UnreadableTableError
from autotype.lazy_names import import_library
from autotype.wording import did_you_mean, first_line, format_some

if TYPE_CHECKING:
    import duckdb

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
# Up to the last @, since a password may hold any character.
_PASSWORD = re.compile(r"(?<=://)([^:/@]*):(.*)(?=@)")
_PARAMETER = re.compile(r"(?i)([?&;][^=&;]*(?:pass|pwd|token|secret|key)[^=&;]*=)([^&;#]*)")
_PART = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')  # of a name such as sales."2024.q1"
_POSTGRESQL = ("postgres", "postgresql")


@contextmanager
def open_database_table(url: str, name: str) -> Iterator[Any]:
    """Open a table of a database, and close the connection afterwards.

    Parameters
    ----------
    url : str
        As of ``ibis.connect``: ``postgres://user:password@host/database``. SQLite and DuckDB have
        ``sqlite:///relative.db`` and ``sqlite:////absolute.db``; an absent file is not created.
    name : str
        The table, ``schema.table`` or ``catalog.schema.table``; a part that holds dots or quotes is
        quoted, as in SQL.

    Yields
    ------
    ibis.Table, or duckdb.DuckDBPyRelation
        It can be read within the ``with`` statement.

    Raises
    ------
    UnreadableTableError
        If there is no such database or table, or the connection fails. No message holds a password.
    MissingExtraError
        If Ibis or its backend is not installed.
    """
    shown = without_secrets(url, url)
    connection = _connect(url, shown)
    try:
        yield _table_of(connection, name, url, shown)
    finally:
        connection.disconnect()


def _table_of(connection: Any, name: str, url: str, shown: str) -> Any:
    tables: list[str] = []
    try:
        tables = connection.list_tables()
        if name in tables:
            return connection.table(name)
        *schema, table = (quoted.replace('""', '"') or part for quoted, part in _PART.findall(name))
        if not schema and table in tables:
            return connection.table(table)
        place = tuple(schema) if len(schema) > 1 else "".join(schema)
        if schema and table in connection.list_tables(database=place):
            return connection.table(table, database=place)
    except Exception as problem:  # each database has its own
        if "." not in name:
            reason = without_secrets(first_line(problem), url)
            raise UnreadableTableError(f"{shown}: {reason}") from None
    hint = did_you_mean(name, tables) or (
        f"; there are {format_some(sorted(tables))}" if tables else "; there is none at all"
    )
    raise UnreadableTableError(f"{shown}: there is no table {name!r}{hint}")


def without_secrets(text: str, url: str) -> str:
    """Replace the passwords of a URL by ``***`` in any text.

    Examples
    --------
    >>> url = "postgres://me:se@cret@host/db?sslpassword=x1"
    >>> without_secrets(url, url)
    'postgres://me:***@host/db?sslpassword=***'
    >>> without_secrets("no access with se@cret", url)
    'no access with ***'
    """
    shown = _PARAMETER.sub(r"\1***", _PASSWORD.sub(r"\1:***", url))
    text = text.replace(url, shown)
    if text == shown:
        return text
    secrets = [match[2] for form in (_PASSWORD, _PARAMETER) for match in form.finditer(url)]
    for secret in sorted({*secrets, *map(unquote, secrets)} - {""}, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


def _connect(url: str, shown: str) -> Any:
    if _SCHEME.match(url) is None:
        raise UnreadableTableError(
            f"{shown}: is not the URL of a database, such as sqlite:///file.db or "
            "postgres://user:password@host/database"
        )
    scheme, _, rest = url.partition("://")
    use = f"{shown}: reading databases needs"
    if scheme.lower() == "duckdb":
        duckdb = import_library("duckdb", f"{use} DuckDB", extra="duckdb")
    else:
        ibis = import_library("ibis", f"{use} Ibis", extra="ibis")
    try:
        if scheme.lower() == "duckdb":
            return _DuckDB(duckdb.connect(_existing(rest, shown), read_only=True))
        if scheme.lower() == "sqlite" and rest:
            file = _existing(rest, shown)
            _check_sqlite(file)
            return ibis.sqlite.connect(file)
        return ibis.connect(url)
    except UnreadableTableError:
        raise
    except ImportError:
        if scheme.lower() in _POSTGRESQL:
            message = f"{shown}: PostgreSQL needs the driver psycopg"
            raise MissingExtraError(message, extra="postgresql") from None
        raise MissingExtraError(
            f'{shown}: its backend is not installed; pip install "ibis-framework[{scheme}]"'
        ) from None
    except Exception as problem:  # each database has its own
        reason = without_secrets(first_line(problem), url)
        raise UnreadableTableError(f"{shown}: cannot be connected to: {reason}") from None


class _DuckDB:
    """What is used of a connection of Ibis, whose release 12 does not know DuckDB 2."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self.disconnect = connection.close

    def list_tables(self, database: str | tuple[str, ...] = ()) -> list[str]:
        """Return the tables and views of a schema, or of a schema in a catalog."""
        place = (database,) if isinstance(database, str) else database
        wanted = (
            *("current_database()", "current_schema()")[: 2 - len(place)],
            *"??"[: len(place)],
        )
        query = (
            "SELECT table_name FROM information_schema.tables "
            f"WHERE table_catalog = {wanted[0]} AND table_schema = {wanted[1]}"
        )
        return [name for (name,) in self._connection.execute(query, list(place)).fetchall()]

    def table(self, name: str, database: str | tuple[str, ...] = ()) -> duckdb.DuckDBPyRelation:
        """Return a table."""
        place = (database,) if isinstance(database, str) else database
        return self._connection.table(
            ".".join('"' + part.replace('"', '""') + '"' for part in (*place, name))
        )


def _check_sqlite(file: str) -> None:
    """Raise sqlite3's error for another file, whose connection Ibis would leave open."""
    import sqlite3

    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA schema_version")


def _existing(rest: str, shown: str) -> str:
    """Return the file of a URL: the first slash separates, or begins an absolute path."""
    places = [unquote(rest).removeprefix("/"), unquote(rest)]
    for place in places:
        if os.path.isfile(place):
            return place
    raise UnreadableTableError(f"{shown}: there is no file {places[0] or repr(rest)}")
