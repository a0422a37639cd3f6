"""Write what is known of a table's columns for other tools that check tables.

Each check says what a tool calls it; here are the strings around that: statements of SQL, the
properties of a dbt model, a suite of Great Expectations, and a plan of pointblank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Literal

from pandera.pandas import DataFrameModel, DataFrameSchema

from autotype._version import __version__
from autotype.errors import UnwritableTypesError
from autotype.lexicon.toml_files import read_toml
from autotype.schema.checks.check import Arguments, Stated
from autotype.schema.checks.level_checks import LevelCheck
from autotype.schema.checks.table import CHECKS
from autotype.schema.checks.tool_values import (
    check_levels,
    kind_of_levels,
    kind_of_profile,
    plain_levels,
    sql_levels,
    sql_name,
)
from autotype.schema.levels import as_schema
from autotype.schema.yaml_text import write_yaml
from autotype.types.codec.json_values import as_unicode
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.types.levels import LevelSet

Dialect = Literal["postgresql", "duckdb", "sqlite"]
_DIALECTS = ("postgresql", "duckdb", "sqlite")
_LONGEST = 63  # bytes of a name or an enumerated string of PostgreSQL
# Letters that DuckDB and SQLite do not tell from small ones in a name.
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_LEVEL_CHECKS = tuple(check.name for check in CHECKS if isinstance(check, LevelCheck))


def checks_of_schema(
    schema: DataFrameSchema | type[DataFrameModel], types: ColumnTypes
) -> dict[Any, Stated]:
    """Return the checks of each column of a schema; levels only where its type states none.

    Parameters
    ----------
    schema : pandera DataFrameSchema or DataFrameModel
    types : ColumnTypes
        The types that the schema states.

    Returns
    -------
    dict
        Column -> name of the check -> its arguments.
    """
    checks = {}
    for name, rule in as_schema(schema).columns.items():
        stated = _given({check.name: check.of_rule(rule) for check in CHECKS})
        checks[name] = _without_levels(stated) if _levels(_of_type(types[name])) else stated
    return checks


def _of_type(column: ColumnType) -> Stated:
    return _given({check.name: check.of_type(column) for check in CHECKS})


def _given(found: Mapping[str, Arguments | None]) -> Stated:
    return {name: arguments for name, arguments in found.items() if arguments is not None}


def _levels(stated: Stated) -> LevelSet | None:
    return next((stated[name]["levels"] for name in _LEVEL_CHECKS if name in stated), None)


def _without_levels(stated: Stated) -> Stated:
    return {name: arguments for name, arguments in stated.items() if name not in _LEVEL_CHECKS}


def _columns(types: ColumnTypes) -> Iterator[tuple[ColumnType, Stated, LevelSet | None]]:
    """Yield type, checks and levels of each column; levels of a type prevail over a schema's."""
    for column in types.columns:
        stated = _of_type(column)
        if column.name in types.checks:
            of_type = {name: stated[name] for name in _LEVEL_CHECKS if name in stated}
            of_schema = types.checks[column.name]
            stated = {**_without_levels(of_schema), **of_type} if of_type else of_schema
        levels = _levels(stated)
        if levels is not None:
            check_levels(column.name, levels.categories)
        yield column, stated, levels


def _said(stated: Stated, method: str, *arguments: Any) -> list[Any]:
    """Return what a tool calls the checks of a column, in the order of the table."""
    found = [getattr(c, method)(*arguments, stated) for c in CHECKS if c.name in stated]
    return [said for said in found if said is not None]


def to_sql(types: ColumnTypes, table: str, *, dialect: Dialect) -> str:
    """Write statements that create a table; see `TypeReport.to_sql`."""
    if dialect not in _DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(_DIALECTS)}, got {dialect!r}")
    _check_names([str(column.name) for column in types.columns], dialect)
    enums, columns = [], []
    for column, stated, levels in _columns(types):
        name = str(column.name)
        kind = stated.get("dtype", {}).get("kind") or kind_of_profile(column)
        if levels is not None:
            kind = kind_of_levels(levels.categories)
            if kind is None:
                raise UnwritableTypesError(
                    f"column {name!r} has levels of several types, which no column of SQL holds;"
                    " cast it to text"
                )
        sql_type = read_toml("files")["sql"][kind or "text"]
        type_name = f"{table}_{name}"
        scale = levels.categories if levels and levels.ordered and kind == "text" else ()
        if scale and _can_enumerate([type_name, *scale], dialect):
            sql_type = sql_name(type_name)
            enums.append(f"CREATE TYPE {sql_type} AS ENUM ({sql_levels(scale)});")
            stated = _without_levels(stated)
        quoted = sql_name(name)
        columns.append("  " + " ".join([quoted, sql_type, *_said(stated, "as_sql", quoted)]))
    return "\n".join([*enums, f"CREATE TABLE {sql_name(table)} (", ",\n".join(columns), ");"])


def _check_names(names: Sequence[str], dialect: Dialect) -> None:
    """Raise an UnwritableTypesError if a database takes a name for another column or a constant."""
    if not names:
        raise UnwritableTypesError("there are no columns, of which a table of SQL consists")
    seen: dict[str, str] = {}
    for name in names:
        if dialect == "postgresql":
            kept = as_unicode(name).encode()[:_LONGEST].decode(errors="ignore")
        else:
            kept = name.translate(_LOWER)
        if not kept or kept in seen or kept in read_toml("files")["taken"][dialect]:
            same = "means another thing" if kept else "is empty"
            same = f"is that of {seen[kept]!r}" if kept in seen else same
            raise UnwritableTypesError(f"column {name!r}: its name {same} to {dialect}; rename it")
        seen[kept] = name


def _can_enumerate(strings: Sequence[str], dialect: Dialect) -> bool:
    """Check whether a database can have a type of this name, the first, and these levels."""
    if dialect == "postgresql":
        return all(len(as_unicode(string).encode()) <= _LONGEST for string in strings)
    return dialect == "duckdb"


def to_dbt(types: ColumnTypes, model: str) -> str:
    """Write the properties of a dbt model; see `TypeReport.to_dbt`."""
    columns = []
    for column, stated, levels in _columns(types):
        properties: dict[str, Any] = {"name": str(column.name)}
        if levels is not None and levels.ordered:
            listed = plain_levels(levels.on_scale)
            properties["description"] = f"Ordinal: {' < '.join(map(str, listed))}"
            properties["config"] = {"meta": {"order": listed}}
        tests = sorted(_said(stated, "as_dbt"), key=lambda test: isinstance(test, str))
        columns.append(properties | ({"data_tests": tests} if tests else {}))
    return write_yaml({"version": 2, "models": [{"name": model, "columns": columns}]})


def to_great_expectations(types: ColumnTypes, name: str) -> dict[str, Any]:
    """Return a suite of Great Expectations; see `TypeReport.to_great_expectations`."""
    expectations = [
        said | {"kwargs": {"column": str(column.name), **said["kwargs"]}}
        for column, stated, _ in _columns(types)
        for said in _said(stated, "as_expectation")
    ]
    return {"name": name, "expectations": expectations, "meta": {"autotype_version": __version__}}


def to_pointblank(types: ColumnTypes, table: str | None) -> str:
    """Write a plan of pointblank; see `TypeReport.to_pointblank`."""
    steps = [
        step
        for column, stated, _ in _columns(types)
        for step in _said(stated, "as_pointblank", str(column.name))
    ]
    return write_yaml({"tbl": table, "steps": steps})
