"""``autotype infer FILE``: print the types of a table's columns, or write them to files."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import pandas as pd

import autotype
from autotype.cli.arguments import add_command, add_inference, add_reading, output_name
from autotype.cli.failures import FINE, WrongUseError
from autotype.cli.input import file_findings, infer_from
from autotype.cli.output import (
    STANDARD_OUTPUT,
    Delivery,
    check_page_possible,
    check_writable,
    deliver,
    print_text,
)
from autotype.cli.tables import RequestedTable, requested_tables

_OUTPUTS = {
    "--json": "the types as JSON, for `apply`",
    "--html": "a report page",
    "--schema": "a schema as YAML, for `validate`",
}


def add_infer(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "infer",
        infer,
        summary="print the type of each column of a file",
        description="Print for each column its type, the probability that it is ordinal and "
        "the order of its levels. With --folder, write a report of each of many tables.",
    )
    add_reading(command, several=True)
    database = command.add_argument_group("database, instead of FILE")
    database.add_argument("--url", help="of a database, such as sqlite:///file.db (through Ibis)")
    database.add_argument("--table", metavar="NAME", action="append", help="may be repeated")
    group = command.add_argument_group("output, - for standard output instead of the table")
    for option, result in _OUTPUTS.items():
        group.add_argument(option, metavar="OUT", type=output_name, help=f"write {result}")
    job = command.add_argument_group("job: many tables, one report each")
    job.add_argument(
        "--folder",
        metavar="OUT",
        help="write reports, index.html and summary.json there; FILE may then be many files, "
        "patterns such as 'data/*.parquet', and folders. A second run skips unchanged tables.",
    )
    job.add_argument(
        "--force", action="store_true", help="infer unchanged tables anew (default: skip them)"
    )
    job.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help="what is printed of each table: a line of text, or of JSON (default: text)",
    )
    add_inference(command)


def infer(options: argparse.Namespace) -> int:
    """Infer the types of the tables that are named, and write or print the results."""
    if options.folder is None and (options.force or options.log != "text"):
        raise WrongUseError("--force and --log are for many tables, with --folder OUT")
    outputs = {"--json": options.json, "--html": options.html, "--schema": options.schema}
    if options.folder is not None:
        for option, path in outputs.items():
            if path is not None:
                raise WrongUseError(
                    f"{option} is for a single table; --folder writes a report of each: "
                    f"leave out {option}"
                )
        from autotype.cli.job import run_job  # the index page and the state: many tables only

        return run_job(requested_tables(options), options)
    (table,) = requested_tables(options)
    return _infer_one(table, outputs, options)


def _infer_one(
    table: RequestedTable, outputs: dict[str, str | None], options: argparse.Namespace
) -> int:
    """Infer the types of one table; write the requested outputs and print the table."""
    inputs = {"FILE": table.path, "--known": options.known}
    check_writable(outputs.items(), inputs=inputs.items())
    if options.html is not None:
        check_page_possible()
    with file_findings() as found:
        frame = table.open(options, loaded=options.schema is not None)
    report = infer_from(frame, options, label=table.label, found=found)
    deliveries = []
    if options.json is not None:
        deliveries.append(Delivery(options.json, report.to_json, report.to_json))
    if options.html is not None:
        deliveries.append(Delivery(options.html, report.to_html, report.to_html))
    if options.schema is not None:
        deliveries.append(_schema(frame, report, options.schema))
    deliver(*deliveries)
    if STANDARD_OUTPUT not in outputs.values() and not options.quiet:
        print_text(report.to_text())
    return FINE


def _schema(frame: pd.DataFrame, report: autotype.TypeReport, path: str) -> Delivery:
    schema = autotype.to_schema(frame, report)

    def as_text() -> str:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "schema.yaml")
            autotype.write_schema(schema, file)
            return file.read_text(encoding="utf-8").rstrip("\n")

    return Delivery(path, as_text, lambda file: autotype.write_schema(schema, file))
