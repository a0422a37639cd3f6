"""``autotype report FILE -o report.html``: write a page of types, or of a table's types."""

from __future__ import annotations

import argparse
from functools import partial

import autotype
from autotype.cli.arguments import add_command, add_inference, add_reading, output_name
from autotype.cli.failures import FINE, WrongUseError
from autotype.cli.input import infer_from, open_file, read_argument
from autotype.cli.output import (
    STANDARD_OUTPUT,
    Delivery,
    check_outputs,
    deliver,
    print_text,
)


def add_report(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "report",
        report,
        summary="write a report page of a table, or of types",
        description="Write a self-contained HTML page of the types that `autotype infer --json` "
        "wrote, or of a data file, whose types are inferred first.",
    )
    add_reading(command, file="types (.json), or a data file as for `autotype infer`")
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        type=output_name,
        help="the page; - prints it",
    )
    add_inference(command)


def report(options: argparse.Namespace) -> int:
    """Write the page."""
    inputs = {"FILE": options.file, "--known": options.known}
    check_outputs({"--output": options.output}, inputs=inputs, page="--output")
    if options.file.lower().endswith(".json"):
        if options.columns or options.known or options.judge:
            raise WrongUseError("--columns, --known and --judge need a data file, not types")
        types = read_argument("types", options.file, autotype.TypeReport.from_json)
        types = types.without_values() if options.no_values else types
    else:
        types = infer_from(open_file(options.file, options), options)
    to_html = partial(types.to_html, table=options.file)
    deliver(Delivery(options.output, to_html, to_html))
    if not options.quiet and options.output != STANDARD_OUTPUT:
        print_text(f"{options.output}: {len(types.columns)} columns")
    return FINE
