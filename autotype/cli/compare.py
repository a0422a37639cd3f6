"""``autotype compare OLD NEW...``: print what changed between reports, or a report and a table."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence

from autotype.cli.failures import (
    DATA_FAILS,
    FINE,
    DataFailsError,
    WrongUseError,
    describe_one_of_many,
    in_one_line,
)
from autotype.cli.input import files_read
from autotype.cli.output import (
    STANDARD_INPUT,
    Write,
    check_outputs,
    deliver_outputs,
    failure_delivered,
    failure_ways,
    of_text,
    requested_outputs,
)
from autotype.cli.tables import (
    RequestedTable,
    TableResult,
    counterparts,
    requested_tables,
    table_of,
    types_of,
)
from autotype.wording import format_count


def compare(options: argparse.Namespace) -> int:
    """Print what changed in one or many tables, and write it to files."""
    outputs = requested_outputs(options)
    inputs = {"OLD": options.old} | files_read(options)
    check_outputs(outputs, inputs=inputs | {file: file for file in options.files})
    with failure_delivered(outputs, failure_ways("no table")):  # today's files may be missing
        tables = requested_tables(options, several=True)
    earlier, others = counterparts(tables, options.old, _ending(options.old, tables))
    inputs |= {t.label: t.path for t in tables}
    check_outputs(outputs, inputs=inputs | {path: path for path in (*earlier.values(), *others)})
    _check(tables, options)
    if len(tables) == 1 and not os.path.isdir(options.old):
        title = f"{tables[0].label} compared with {options.old}"
        with failure_delivered(outputs, failure_ways(title)):
            compared = [_compare(tables[0], options.old, options)]
        printed = str(compared[0].found)
    else:
        compared = [_compare_any(table, earlier[table.key], options) for table in tables]
        compared += [
            TableResult("no table", path, None, DATA_FAILS, f"there is no table for {path}")
            for path in others
        ]
        printed = _summary(compared)
    deliver_outputs(outputs, _ways(compared), printed=None if options.quiet else lambda: printed)
    return max(result.code for result in compared)


def _ending(old: str, tables: Sequence[RequestedTable]) -> str | None:
    """Return the ending of reports, or None where OLD is a folder of tables without any."""
    names = os.listdir(old) if os.path.isdir(old) else [".json"]
    is_report = any(name.endswith(".json") for name in names)
    return ".json" if is_report or any(table.path is None for table in tables) else None


def _check(tables: Sequence[RequestedTable], options: argparse.Namespace) -> None:
    """Raise for options that do not go together."""
    if not 0 < options.alpha < 1:
        raise WrongUseError(f"--alpha: expected a share between 0 and 1, got {options.alpha:g}")
    if [options.old, *(table.path for table in tables)] == [STANDARD_INPUT, STANDARD_INPUT]:
        raise WrongUseError("OLD and NEW are both standard input (-); name a file for one of them")
    is_written = os.path.isdir(options.old) or table_of(options.old).is_report
    if options.known and is_written and all(table.is_report for table in tables):
        raise WrongUseError("--known needs a data file: both OLD and NEW are types")


def _compare(table: RequestedTable, before: str, options: argparse.Namespace) -> TableResult:
    """Compare a table, or its types, with an earlier one."""
    reports = (types_of(table_of(before), options), types_of(table, options))
    comparison = reports[0].compare(
        reports[1], alpha=options.alpha, min_distance=options.min_distance
    )
    return TableResult(table.label, before, comparison, DATA_FAILS if comparison else FINE)


def _compare_any(table: RequestedTable, before: str, options: argparse.Namespace) -> TableResult:
    """Compare one of many tables; one that cannot be compared fails, and stops no other."""
    try:
        if not os.path.exists(before):
            kind = "report" if before.endswith(".json") else "table"
            raise DataFailsError(f"there is no {kind} {before}")
        return _compare(table, before, options)
    except Exception as problem:
        code, reason = describe_one_of_many(problem, table.label, debug=options.debug)
        return TableResult(table.label, before, None, code, reason)


def _summary(compared: Sequence[TableResult]) -> str:
    """Return the sentences of all tables, each with the name of its table, and one for all."""
    lines = []
    for result in compared:
        text = result.error if result.found is None else str(result.found)
        lines += [in_one_line(f"{result.label}: {line}") for line in str(text).splitlines()]
    n_changed = sum(result.code != FINE for result in compared)
    total = format_count(len(compared), "table")
    changed = f"{n_changed:,} changed" if n_changed else "nothing changed"
    return "\n".join([*lines, f"{total}: {changed}"])


def _ways(compared: Sequence[TableResult]) -> dict[str, Write]:
    """Return how each output is written."""
    plain = [result.to_dict("before") for result in compared]
    whole = {"changed": any(result.code != FINE for result in compared), "tables": plain}
    if len(compared) == 1 and compared[0].found is not None:
        whole = compared[0].found.to_dict()

    def page() -> str:
        from autotype.report.findings_page import as_comparison_page

        return as_comparison_page(plain)

    return {
        "--json": of_text(lambda: json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False)),
        "--html": of_text(page),
    }
