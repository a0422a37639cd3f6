"""Write a schema as SQL: a table with its types, ENUMs and CHECK constraints."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any, Literal

from autotype.errors import UnwritableTypesError
from autotype.schema.tools.column_constraint import ColumnConstraint, read_constraints

if TYPE_CHECKING:
    from pandera.pandas import DataFrameModel, DataFrameSchema

    from autotype.types.column_types import ColumnTypes

Dialect = Literal["postgresql", "duckdb", "sqlite"]
_DIALECTS = ("postgresql", "duckdb", "sqlite")
_TYPES = {
    "text": "TEXT",
    "integer": "BIGINT",
    "number": "DOUBLE PRECISION",
    "boolean": "BOOLEAN",
    "datetime": "TIMESTAMP",
}


def to_sql(
    source: ColumnTypes | DataFrameSchema | type[DataFrameModel],
    table: str = "batch",
    *,
    dialect: Dialect = "postgresql",
) -> str:
    """Write a schema as statements that create a table with the same demands.

    Parameters
    ----------
    source : pandera DataFrameSchema, DataFrameModel, or TypeReport
        A report holds levels only; a schema also missing values, ranges and uniqueness.
    table : str
        The table's name.
    dialect : {"postgresql", "duckdb", "sqlite"}
        In the first two, texts with an order have a type of their own, made by ``CREATE TYPE ...
        AS ENUM``, which sorts by the order, and compares by it (in DuckDB with a literal that is
        cast: ``'S'::batch_size``). SQLite has no such types: there and for
        all other levels a CHECK lists them, without order.

    Returns
    -------
    str
        ``CREATE TYPE`` statements and one ``CREATE TABLE``. Levels off the scale come first in
        their type, below the lowest. Dates and amounts that are texts stay texts.

    Raises
    ------
    TypeError
        If `source` is none of these.
    ValueError
        If there is no such dialect.
    UnwritableTypesError
        If a name or a level cannot be written as SQL.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
    >>> print(to_sql(TypeReport([size]), "shop"))
    CREATE TYPE "shop_size" AS ENUM ('S', 'M');
    CREATE TABLE "shop" (
      "size" "shop_size"
    );
    >>> print(to_sql(TypeReport([size]), "shop", dialect="sqlite"))
    CREATE TABLE "shop" (
      "size" TEXT CHECK ("size" IN ('S', 'M'))
    );
    """
    if dialect not in _DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(_DIALECTS)}, got {dialect!r}")
    types, columns = [], []
    for column in read_constraints(source):
        kind = _TYPES.get(column.kind or "text", "TEXT")
        is_enum = column.ordered and column.kind == "text" and dialect != "sqlite"
        if is_enum:
            kind = _name(f"{table}_{column.name}")
            types.append(f"CREATE TYPE {kind} AS ENUM ({_listed(column.levels or ())});")
        if column.kind is None and column.levels:
            raise UnwritableTypesError(
                f"column {column.name!r} has levels of several types, which no column of SQL holds;"
                " cast it to text"
            )
        columns.append(" ".join([_name(column.name), kind, *_constraints(column, is_enum)]))
    return "\n".join(
        [*types, f"CREATE TABLE {_name(table)} (", ",\n".join(f"  {c}" for c in columns), ");"]
    )


def _constraints(column: ColumnConstraint, is_enum: bool) -> list[str]:
    name = _name(column.name)
    found = [] if column.nullable else ["NOT NULL"]
    if column.unique:
        found.append("UNIQUE")
    if column.levels is not None and not is_enum:
        found.append(f"CHECK ({name} IN ({_listed(column.levels)}))")
    limits = [
        f"{name} {sign} {limit!r}"
        for sign, limit in ((">=", column.low), ("<=", column.high))
        if limit is not None
    ]
    if limits:
        found.append(f"CHECK ({' AND '.join(limits)})")
    return found


def _listed(levels: tuple) -> str:
    return ", ".join(map(_literal, levels))


def _literal(level: Any) -> str:
    if isinstance(level, bool):
        return str(level).upper()
    if isinstance(level, str):
        return _quoted(level, "'")
    if isinstance(level, datetime.date):
        return f"'{level.isoformat()}'"
    return repr(level)


def _name(name: str) -> str:
    return _quoted(name, '"')


def _quoted(text: str, mark: str) -> str:
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise UnwritableTypesError(
            f"{text!r} holds a character that SQL cannot; rename the column or the level"
        )
    return f"{mark}{text.replace(mark, 2 * mark)}{mark}"
