"""``autotype validate FILE --schema schema.yaml``: check a batch against its schema."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.cli.failures import DATA_FAILS, FINE, in_one_line
from autotype.cli.input import read_argument, read_typed
from autotype.cli.output import (
    Delivery,
    check_outputs,
    deliver_outputs,
    failure_delivered,
    of_table,
    of_text,
    requested_outputs,
    table_format,
)
from autotype.type_report import TypeReport
from autotype.wording import format_count

if TYPE_CHECKING:
    from autotype.schema.outcome import CheckResult, Outcome


def validate(options: argparse.Namespace) -> int:
    """Print the failures of a batch, and write them to files."""
    outputs = requested_outputs(options)
    inputs = {"FILE": options.file, "--schema": options.schema}
    check_outputs(outputs, inputs=inputs, formats={"--failed-rows": table_format})
    from autotype.schema.outcome import check_outcome
    from autotype.schema.yaml_io import read_schema

    with failure_delivered(outputs, lambda message: _failure_ways(message, options)):
        schema = read_argument("--schema", options.schema, read_schema)
        frame = _read(schema, options)
        outcome = check_outcome(
            frame, schema, min_rows=options.min_rows, max_failures=options.max_failures
        )
    ways = _ways(outcome, lambda: _failed_rows(frame, outcome), options)
    printed = None if options.quiet else lambda: _summary(outcome, options)
    # A reader that closes the pipe, such as `head`, does not change the exit code.
    deliver_outputs(outputs, ways, printed=printed)
    return DATA_FAILS if outcome.of_status("failed") else FINE


def _ways(
    outcome: Outcome, failed_rows: Callable[[], pd.DataFrame], options: argparse.Namespace
) -> dict[str, Callable[[str], Delivery]]:
    """Return how each output is delivered."""
    names = {"file": options.file, "schema": options.schema}
    plain = names | outcome.to_dict()
    return {
        "--json": of_text(lambda: json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False)),
        "--html": of_text(lambda: _page(plain, names)),
        "--junit": of_text(lambda: _junit(plain, names)),
        "--failed-rows": of_table(failed_rows, TypeReport([])),
    }


def _failure_ways(
    message: str, options: argparse.Namespace
) -> dict[str, Callable[[str], Delivery]]:
    """Return how each output states that nothing could be checked."""
    from autotype.schema.outcome import FAILED, CheckResult, Outcome

    outcome = Outcome((CheckResult(None, "readable", FAILED, message),), 0)
    row = pd.DataFrame(
        {"row": pd.array([None], "Int64"), "failed_checks": [f"readable: {message}"]}
    )
    return _ways(outcome, lambda: row, options)


def _read(schema: Any, options: argparse.Namespace) -> pd.DataFrame:
    """Read the batch; its columns are strings and numbers where those of the schema are."""
    from autotype.schema.outcome import is_numeric, is_text

    types = TypeReport.from_schema(schema)
    numeric = [name for name, rule in schema.columns.items() if is_numeric(rule)]
    texts = [name for name, rule in schema.columns.items() if is_text(rule)]
    return read_typed(options, types, texts=texts, numbers=numeric).frame


def _summary(outcome: Outcome, options: argparse.Namespace) -> str:
    """Return a line for each failure, or one for success; tolerated failures come last."""
    tolerated = outcome.of_status("tolerated")
    lines = [result.message for result in outcome.of_status("failed")]
    if not lines:
        rows = format_count(outcome.n_rows, "row")
        aside = f", with {format_count(len(tolerated), 'tolerated failure')}" if tolerated else ""
        lines = [in_one_line(f"{options.file}: {rows} fit the schema {options.schema}{aside}")]
    return "\n".join([*lines, *(_tolerated(result, outcome.n_rows) for result in tolerated)])


def _tolerated(result: CheckResult, n_rows: int) -> str:
    n_failed = len(set(result.rows or ()))
    return f"tolerated ({n_failed:,} of {n_rows:,} rows): {result.message}"


def _page(plain: dict[str, Any], names: dict[str, str]) -> str:
    from autotype.report.findings_page import as_validation_page

    return as_validation_page(plain, **names)


def _junit(plain: dict[str, Any], names: dict[str, str]) -> str:
    from autotype.report.junit import as_junit

    return as_junit(plain, **names)


def _failed_rows(frame: pd.DataFrame, outcome: Outcome) -> pd.DataFrame:
    """Return the rows that fail, with their numbers and the checks they fail.

    Columns of numbers and strings become strings, since Parquet cannot hold both.
    """
    failed = outcome.failed_rows()
    rows = frame.iloc[list(failed)].reset_index(drop=True)
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
