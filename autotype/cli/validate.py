"""``autotype validate FILE... --schema schema.yaml``: check batches against their schemas."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.cli.failures import (
    DATA_FAILS,
    FINE,
    DataFailsError,
    WrongUseError,
    describe_one_of_many,
    in_one_line,
)
from autotype.cli.input import files_read, read_argument, read_typed
from autotype.cli.output import (
    Write,
    check_outputs,
    deliver_outputs,
    failure_delivered,
    of_table,
    of_text,
    requested_outputs,
    table_format,
)
from autotype.cli.tables import (
    RequestedTable,
    TableResult,
    counterparts,
    requested_tables,
    rows_of,
)
from autotype.type_report import TypeReport
from autotype.wording import format_count

if TYPE_CHECKING:
    from autotype.schema.outcome import CheckResult, Outcome


def validate(options: argparse.Namespace) -> int:
    """Print the failures of one or many tables, and write them to files."""
    outputs = requested_outputs(options)
    inputs = {"--schema": options.schema} | files_read(options)
    check_outputs(outputs, inputs=inputs | {file: file for file in options.files})
    with failure_delivered(
        outputs, lambda message: _failure_ways("no table", options.schema, message)
    ):  # today's files may be missing, all of them
        tables = requested_tables(options, several=True)
    schemas, others = counterparts(tables, options.schema, ".yaml")
    inputs |= {t.label: t.path for t in tables}
    inputs |= {path: path for path in (*schemas.values(), *others)}
    if len(tables) > 1 and outputs["--failed-rows"]:
        raise WrongUseError("--failed-rows is for a single table: leave it out")
    check_outputs(outputs, inputs=inputs, formats={"--failed-rows": table_format})
    if len(tables) == 1 and not os.path.isdir(options.schema):
        return _validate_one(tables[0], outputs, options)
    checked = [_check_any(table, schemas[table.key], options) for table in tables]
    if not options.partial:
        checked += [
            TableResult("no table", path, _unreadable(f"there is no table for {path}"), DATA_FAILS)
            for path in others
        ]
    printed = None if options.quiet else lambda: _summary_of_all(checked)
    deliver_outputs(outputs, _ways(checked), printed=printed)
    return max(result.code for result in checked)


def _validate_one(
    table: RequestedTable, outputs: dict[str, str | None], options: argparse.Namespace
) -> int:
    """Print the failures of one table, whose rows may be written, too."""
    with failure_delivered(
        outputs, lambda message: _failure_ways(table.label, options.schema, message)
    ):
        frame, checked = _check(table, options.schema, options)
    rows = of_table(lambda: _failed_rows(frame, checked.found), TypeReport([]))
    printed = None if options.quiet else lambda: "\n".join(_summary(checked))
    # A reader that closes the pipe, such as `head`, does not change the exit code.
    deliver_outputs(outputs, {**_ways([checked]), "--failed-rows": rows}, printed=printed)
    return checked.code


def _check(
    table: RequestedTable, place: str, options: argparse.Namespace
) -> tuple[pd.DataFrame, TableResult]:
    """Read a table and its schema, and return its rows and what the checks found."""
    from autotype.schema.outcome import check_outcome
    from autotype.schema.yaml_io import read_schema

    schema = read_argument("--schema", place, read_schema)
    frame = _read(table, schema, options)
    outcome = check_outcome(
        frame,
        schema,
        min_rows=options.min_rows,
        max_failures=options.max_failures,
        strict=options.strict,
    )
    code = DATA_FAILS if outcome.of_status("failed") else FINE
    return frame, TableResult(table.label, place, outcome, code)


def _check_any(table: RequestedTable, place: str, options: argparse.Namespace) -> TableResult:
    """Check one of many tables; one that cannot be checked fails, and stops no other."""
    try:
        if not os.path.exists(place):
            raise DataFailsError(f"{table.label}: there is no schema {place}")
        return _check(table, place, options)[1]
    except Exception as problem:
        code, reason = describe_one_of_many(problem, table.label, debug=options.debug)
        return TableResult(table.label, place, _unreadable(reason), code)


def _unreadable(message: str) -> Outcome:
    from autotype.schema.outcome import FAILED, CheckResult, Outcome

    return Outcome((CheckResult(None, "readable", FAILED, message),), 0)


def _ways(checked: Sequence[TableResult]) -> dict[str, Write]:
    """Return how each output is written."""
    plain = [result.to_dict("schema") for result in checked]
    one = plain[0] if len(plain) == 1 else None
    whole = one or {"success": all(part["success"] for part in plain), "tables": plain}
    return {
        "--json": of_text(lambda: json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False)),
        "--html": of_text(lambda: _page(plain)),
        "--junit": of_text(lambda: _junit(plain)),
    }


def _failure_ways(label: str, schema: str, message: str) -> dict[str, Write]:
    """Return how each output states that nothing could be checked."""
    row = pd.DataFrame(
        {"row": pd.array([None], "Int64"), "failed_checks": [f"readable: {message}"]}
    )
    ways = _ways([TableResult(label, schema, _unreadable(message), DATA_FAILS)])
    return {**ways, "--failed-rows": of_table(lambda: row, TypeReport([]))}


def _read(table: RequestedTable, schema: Any, options: argparse.Namespace) -> pd.DataFrame:
    """Read the batch; its columns are strings and numbers where those of the schema are."""
    from autotype.schema.outcome import is_numeric, is_text

    if table.path is None:
        with table.open(options) as opened:
            return rows_of(opened)
    types = TypeReport.from_schema(schema)
    numeric = [name for name, rule in schema.columns.items() if is_numeric(rule)]
    texts = [name for name, rule in schema.columns.items() if is_text(rule)]
    options = table.options(options)
    return read_typed(
        table.path, options, types, texts=texts, numbers=numeric, output=options.failed_rows
    ).frame


def _summary(checked: TableResult) -> list[str]:
    """Return a line for each failure, or one for success; what is tolerated comes last."""
    outcome = checked.found
    tolerated = outcome.of_status("tolerated")
    lines = [result.message for result in outcome.of_status("failed")]
    if not lines:
        rows = format_count(outcome.n_rows, "row")
        aside = f", with {format_count(len(tolerated), 'tolerated failure')}" if tolerated else ""
        lines = [in_one_line(f"{checked.label}: {rows} fit the schema {checked.against}{aside}")]
    lines += [_tolerated(result, outcome.n_rows) for result in tolerated]
    return [*lines, *(f"note: {note}" for note in outcome.notes)]


def _summary_of_all(checked: Sequence[TableResult]) -> str:
    """Return the lines of all tables, each with the name of its table, and one for all."""
    lines = []
    for result in checked:
        for line in _summary(result):
            is_named = line.startswith(result.label)
            lines.append(line if is_named else in_one_line(f"{result.label}: {line}"))
    n_failed = sum(result.code != FINE for result in checked)
    total = format_count(len(checked), "table")
    lines.append(f"{total}: {n_failed:,} failed" if n_failed else f"{total}: all fit")
    return "\n".join(lines)


def _tolerated(result: CheckResult, n_rows: int) -> str:
    n_failed = len(set(result.rows or ()))
    return f"tolerated ({n_failed:,} of {n_rows:,} rows): {result.message}"


def _page(plain: Sequence[dict[str, Any]]) -> str:
    from autotype.report.findings_page import as_validation_page

    return as_validation_page(plain)


def _junit(plain: Sequence[dict[str, Any]]) -> str:
    from autotype.report.junit import as_junit

    return as_junit(plain)


def _failed_rows(frame: pd.DataFrame, outcome: Outcome) -> pd.DataFrame:
    """Return the rows that fail, with their numbers and the checks they fail.

    Columns of numbers and strings become strings, since Parquet cannot hold both.
    """
    from autotype.tables.columns import strings_of_cells

    failed = outcome.failed_rows()
    rows = strings_of_cells(frame.iloc[list(failed)]).reset_index(drop=True)
    for j, dtype in enumerate(rows.dtypes):
        if pd.api.types.is_object_dtype(dtype):
            rows.isetitem(j, rows.iloc[:, j].map(str, na_action="ignore"))
    checks = pd.Series(["; ".join(checks) for checks in failed.values()], dtype="str")
    numbers = pd.Series(list(failed), dtype="int64")
    for name, cells in (("failed_checks", checks), ("row", numbers)):
        while name in rows.columns:
            name += "_"
        rows.insert(0, name, cells)
    return rows
