"""``autotype infer FILE``: print the types of a file's columns, or write them to files."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import pandas as pd

import autotype
from autotype.cli.arguments import add_command, add_inference, add_reading, output_name
from autotype.cli.failures import FINE
from autotype.cli.input import infer_from, read_frame
from autotype.cli.output import (
    STANDARD_OUTPUT,
    Delivery,
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
    for option, result in (
        ("--json", "the types as JSON, for `apply`"),
        ("--html", "a report page"),
        ("--schema", "a schema as YAML, for `validate`"),
    ):
        group.add_argument(option, metavar="OUT", type=output_name, help=f"write {result}")
    add_inference(command)


def infer(options: argparse.Namespace) -> int:
    """Infer the types of a file's columns; write the requested outputs and print the table."""
    outputs = {"--json": options.json, "--html": options.html, "--schema": options.schema}
    inputs = {"FILE": options.file, "--known": options.known}
    check_writable(outputs.items(), inputs=inputs.items())
    if options.html is not None:
        check_page_possible()
    frame = read_frame(options)
    report = infer_from(frame, options)
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
