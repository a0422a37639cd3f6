"""``autotype infer FILE``: print the types of a file's columns, or write them to files."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import pandas as pd

import autotype
from autotype.cli.arguments import add_command, add_inference, add_reading
from autotype.cli.failures import FINE
from autotype.cli.input import infer_from, read_frame
from autotype.cli.output import (
    STANDARD_OUTPUT,
    check_page_possible,
    check_writable,
    deliver,
    print_text,
)


def add_infer(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "infer",
        infer,
        summary="print the type of each column of a file",
        description="Print for each column its type, the probability that it is ordinal and "
        "the order of its levels.",
    )
    add_reading(command)
    group = command.add_argument_group("output, - for standard output instead of the table")
    group.add_argument("--json", metavar="OUT", help="write the types as JSON, for `apply`")
    group.add_argument("--html", metavar="OUT", help="write a report page")
    group.add_argument("--schema", metavar="OUT", help="write a schema as YAML, for `validate`")
    add_inference(command)


def infer(options: argparse.Namespace) -> int:
    """Infer the types of a file's columns; write the requested outputs and print the table."""
    outputs = {"--json": options.json, "--html": options.html, "--schema": options.schema}
    check_writable(outputs.items())
    if options.html is not None:
        check_page_possible()
    frame = read_frame(options)
    report = infer_from(frame, options)
    if options.json is not None:
        deliver(options.json, report.to_json, report.to_json)
    if options.html is not None:
        deliver(options.html, report.to_html, report.to_html)
    if options.schema is not None:
        _deliver_schema(frame, report, options.schema)
    if STANDARD_OUTPUT not in outputs.values() and not options.quiet:
        print_text(report.to_text())
    return FINE


def _deliver_schema(frame: pd.DataFrame, report: autotype.TypeReport, path: str) -> None:
    schema = autotype.to_schema(frame, report)

    def as_text() -> str:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "schema.yaml")
            autotype.write_schema(schema, file)
            return file.read_text(encoding="utf-8").rstrip("\n")

    deliver(path, as_text, lambda file: autotype.write_schema(schema, file))
