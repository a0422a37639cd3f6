"""``autotype infer FILE``: print the types of a table's columns, or write them to files."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from functools import partial

from autotype.cli import output
from autotype.cli.failures import FINE, DataFailsError, WrongUseError
from autotype.cli.input import files_named, files_read, infer_from, judge_from
from autotype.cli.tables import RequestedTable, requested_table, requested_tables
from autotype.errors import KnownTypesError
from autotype.type_report import TypeReport
from autotype.types.decisions.known_file import check_known_name, known_as_toml


def infer(options: argparse.Namespace) -> int:
    """Infer the types of the tables that are named, and write or print the results."""
    if options.folder is None and (options.force or options.log != "text"):
        raise WrongUseError("--force and --log are for many tables, with --folder OUT")
    judge_from(options)  # a wrong option is wrong use before any table is read
    outputs = output.requested_outputs(options)
    of_schema = options.share_tolerance is not None or options.max_strays is not None
    if options.schema is None and of_schema:
        raise WrongUseError("--share-tolerance and --max-strays are for --schema OUT")
    if options.folder is not None:
        for option, path in outputs.items():
            if path is not None and option != "--schema":
                raise WrongUseError(
                    f"{option} is for a single table; --folder writes a report of each: "
                    f"leave out {option}"
                )
        if options.ask:
            raise WrongUseError("--ask is for a single table: leave out --folder")
        from autotype.cli.job import run_job  # the index page and the state: many tables only

        if output.STANDARD_INPUT in options.files:
            raise WrongUseError("standard input (-) is a single table: leave out --folder")
        return run_job(requested_tables(options, several=True), options)
    if options.ask:
        from autotype.cli.ask import check_terminal

        check_terminal()
    output.check_outputs(
        outputs,
        inputs=files_named(options) | files_read(options),
        renewed={"--write-known": "--known"},
        formats={"--write-known": check_known_name},
    )
    # Its place may hold a folder.
    with output.failure_delivered(outputs, output.failure_ways("no table")):
        table = requested_table(options)
    return _infer_one(table, outputs, options)


def _infer_one(
    table: RequestedTable, outputs: dict[str, str | None], options: argparse.Namespace
) -> int:
    """Infer the types of one table; write the requested outputs and print the table."""
    with ExitStack() as until_written:  # a schema asks the engine of a large table again
        with output.failure_delivered(outputs, output.failure_ways(table.label)):
            opened = until_written.enter_context(table.open(options))
            report = infer_from(opened, options)
        if options.ask:
            from autotype.cli.ask import ask_in_terminal

            report = ask_in_terminal(report)
        ways: dict[str, output.Write] = {
            "--json": report.to_json,
            "--html": partial(report.to_html, table=table.label),
            "--schema": output.of_text(partial(output.schema_text, opened.frame, report, options)),
            "--write-known": partial(_write_known, report),
        }
        output.deliver_outputs(outputs, ways)
    if output.STANDARD_OUTPUT not in outputs.values() and not options.quiet:
        output.print_text(report.to_text())  # not after an output that failed
    return FINE


def _write_known(report: TypeReport, path: str | None) -> str | None:
    """Write the decisions that a report holds, or return them as TOML."""
    try:
        decisions = report.to_known(path)
    except KnownTypesError as problem:
        raise DataFailsError(
            f"--write-known {path or output.STANDARD_OUTPUT}: {problem}"
        ) from problem
    return known_as_toml(decisions).rstrip("\n") if path is None else None
