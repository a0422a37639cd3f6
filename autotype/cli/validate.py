"""``autotype validate FILE... --schema schema.yaml``: check batches against their schemas."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.cli.failures import DATA_FAILS, FINE, WrongUseError, in_one_line
from autotype.cli.input import read_argument, read_typed
from autotype.cli.output import (
    Write,
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
    results_of,
    rows_of,
    summarise,
    tables_against,
)
from autotype.type_report import TypeReport
from autotype.wording import format_count

if TYPE_CHECKING:
    from autotype.schema.outcome import CheckResult, Outcome


def validate(options: argparse.Namespace) -> int:
    """Print the failures of one or many tables, and write them to files."""
    tables, schemas, others = tables_against(
        options,
        ("--schema", options.schema),
        lambda _: ".yaml",
        ways=partial(_failure_ways, options.schema),
        formats={"--failed-rows": table_format},
    )
    outputs = requested_outputs(options)
    if len(tables) > 1 and outputs["--failed-rows"]:
        raise WrongUseError("--failed-rows is for a single table: leave it out")
    if len(tables) == 1 and not os.path.isdir(options.schema):
        return _validate_one(tables[0], outputs, options)
    others = [] if options.partial else others
    results = results_of(tables, schemas, others, lambda *t: _check(options, *t)[1], options)
    checked = [r if r.found else r._replace(found=_unreadable(r.error)) for r in results]
    printed = partial(summarise, checked, _summary, failed="failed", fine="all fit")
    deliver_outputs(outputs, _ways(checked), printed=None if options.quiet else printed)
    return max(result.code for result in checked)


def _validate_one(
    table: RequestedTable, outputs: dict[str, str | None], options: argparse.Namespace
) -> int:
    """Print the failures of one table, whose rows may be written, too."""
    with failure_delivered(outputs, _failure_ways(options.schema, table.label)):
        frame, checked = _check(options, table, options.schema)
    rows = of_table(lambda: _failed_rows(frame, checked.found), TypeReport([]))
    printed = None if options.quiet else lambda: "\n".join(_summary(checked))
    # A reader that closes the pipe, such as `head`, does not change the exit code.
    deliver_outputs(outputs, {**_ways([checked]), "--failed-rows": rows}, printed=printed)
    return checked.code


def _check(
    options: argparse.Namespace, table: RequestedTable, place: str
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


def _failure_ways(schema: str, label: str) -> Callable[[str], dict[str, Write]]:
    """Return how each output states that nothing could be checked."""

    def ways(message: str) -> dict[str, Write]:
        row = {"row": pd.array([None], "Int64"), "failed_checks": [f"readable: {message}"]}
        unreadable = TableResult(label, schema, _unreadable(message), DATA_FAILS)
        rows = of_table(lambda: pd.DataFrame(row), TypeReport([]))
        return {**_ways([unreadable]), "--failed-rows": rows}

    return ways


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
