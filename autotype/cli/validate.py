"""``autotype validate FILE... --schema schema.yaml``: check batches against their schemas."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd

from autotype.cli.failures import DATA_FAILS, FINE, WrongUseError, in_one_line
from autotype.cli.input import read_argument, read_typed
from autotype.cli.output import Write, findings, of_json, of_table, of_text, table_format
from autotype.cli.tables import HeldAgainst, RequestedTable, TableResult, rows_of
from autotype.type_report import TypeReport
from autotype.wording import format_count

if TYPE_CHECKING:
    from autotype.schema.outcome import CheckResult, Outcome


def validate(options: argparse.Namespace) -> int:
    """Print the failures of one or many tables, and write them to files."""
    return _Validation(options, "--schema", options.schema).run()


class _Validation(HeldAgainst):
    """Tables and their schemas."""

    words = ("failed", "all fit")
    formats: ClassVar = {"--failed-rows": table_format}
    rows = pd.DataFrame()  # that fail, of the one table of which they are written

    def ending(self, tables: Sequence[RequestedTable]) -> str:
        return ".yaml"

    def check(self, tables: Sequence[RequestedTable]) -> None:
        if len(tables) > 1 and self.options.failed_rows:
            raise WrongUseError("--failed-rows is for a single table: leave it out")

    def find(self, table: RequestedTable, place: str) -> TableResult:
        """Read a table and its schema, and check its rows."""
        from autotype.schema.outcome import check_outcome
        from autotype.schema.yaml_io import read_schema

        options = self.options
        schema = read_argument("--schema", place, read_schema)
        frame = _read(table, schema, options)
        outcome = check_outcome(
            frame,
            schema,
            min_rows=options.min_rows,
            max_failures=options.max_failures,
            strict=options.strict,
        )
        if options.failed_rows:
            self.rows = _failed_rows(frame, outcome)
        code = DATA_FAILS if outcome.of_status("failed") else FINE
        return TableResult(table.label, place, outcome, code)

    def lines(self, result: TableResult) -> list[str]:
        """Return a line for each failure, or one for success; what is tolerated comes last."""
        outcome = _outcome(result)
        tolerated = outcome.of_status("tolerated")
        lines = [result.message for result in outcome.of_status("failed")]
        if not lines:
            rows = format_count(outcome.n_rows, "row")
            aside = f", with {format_count(len(tolerated), 'tolerated failure')}"
            fit = f"{result.label}: {rows} fit the schema {result.against}"
            lines = [in_one_line(fit + (aside if tolerated else ""))]
        lines += [_tolerated(result, outcome.n_rows) for result in tolerated]
        return [*lines, *(f"note: {note}" for note in outcome.notes)]

    def ways(self, results: Sequence[TableResult]) -> dict[str, Write]:
        plain = [r._replace(found=_outcome(r)).to_dict("schema") for r in results]
        one = plain[0] if len(plain) == 1 else None
        whole = one or {"success": all(part["success"] for part in plain), "tables": plain}
        return {
            "--json": of_json(whole),
            "--html": of_text(lambda: findings().as_validation_page(plain)),
            "--junit": of_text(lambda: findings().as_junit(plain)),
            "--failed-rows": of_table(lambda: self.rows, TypeReport([])),
        }

    def failure_ways(self, label: str) -> Callable[[str], dict[str, Write]]:
        def ways(message: str) -> dict[str, Write]:
            row = {"row": pd.array([None], "Int64"), "failed_checks": [f"readable: {message}"]}
            self.rows = pd.DataFrame(row)
            return self.ways([TableResult(label, self.place, None, DATA_FAILS, message)])

        return ways


def _outcome(result: TableResult) -> Outcome:
    """Return what was found of a table; one that could not be read fails."""
    from autotype.schema.outcome import FAILED, CheckResult, Outcome

    unreadable = CheckResult(None, "readable", FAILED, result.error)
    return result.found or Outcome((unreadable,), 0)


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


def _tolerated(result: CheckResult, n_rows: int) -> str:
    n_failed = len(set(result.rows or ()))
    return f"tolerated ({n_failed:,} of {n_rows:,} rows): {result.message}"


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
