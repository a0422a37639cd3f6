"""``autotype compare OLD NEW...``: print what changed between reports, or a report and a table."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from functools import partial

from autotype.cli.failures import DATA_FAILS, FINE, WrongUseError
from autotype.cli.output import (
    STANDARD_INPUT,
    Write,
    deliver_outputs,
    failure_delivered,
    failure_ways,
    of_text,
    requested_outputs,
)
from autotype.cli.tables import (
    RequestedTable,
    TableResult,
    results_of,
    summarise,
    table_of,
    tables_against,
    types_of,
)


def compare(options: argparse.Namespace) -> int:
    """Print what changed in one or many tables, and write it to files."""
    tables, earlier, others = tables_against(
        options, ("OLD", options.old), partial(_ending, options.old), ways=failure_ways
    )
    _check(tables, options)
    outputs, find = requested_outputs(options), partial(_compare, options)
    if len(tables) == 1 and not os.path.isdir(options.old):
        title = f"{tables[0].label} compared with {options.old}"
        with failure_delivered(outputs, failure_ways(title)):
            compared = [find(tables[0], options.old)]
        printed = str(compared[0].found)
    else:
        compared = results_of(tables, earlier, others, find, options)
        printed = summarise(compared, _lines, failed="changed", fine="nothing changed")
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


def _compare(options: argparse.Namespace, table: RequestedTable, before: str) -> TableResult:
    """Compare a table, or its types, with an earlier one."""
    reports = (types_of(table_of(before), options), types_of(table, options))
    comparison = reports[0].compare(
        reports[1], alpha=options.alpha, min_distance=options.min_distance
    )
    return TableResult(table.label, before, comparison, DATA_FAILS if comparison else FINE)


def _lines(result: TableResult) -> list[str]:
    return (result.error if result.found is None else str(result.found)).splitlines()


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
