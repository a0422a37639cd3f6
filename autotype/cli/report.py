"""``autotype report FILE -o report.html``: write a page of types, or of a table's types."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

from autotype.cli import output
from autotype.cli.failures import FINE, WrongUseError
from autotype.cli.input import files_named, files_read
from autotype.cli.tables import requested_table, types_of


def report(options: argparse.Namespace) -> int:
    """Write the page."""
    page = {"--output": options.output}
    inputs = files_named(options) | files_read(options)
    output.check_outputs(page, inputs=inputs, page="--output")
    with output.failure_delivered(page, _failure_way("no table")):  # its place may hold a folder
        table = requested_table(options)
    if table.is_report and (options.columns or options.known or options.judge):
        raise WrongUseError("--columns, --known and --judge need a data file, not types")
    with output.failure_delivered(page, _failure_way(table.label)):
        types = types_of(table, options)
    types = types.without_values() if options.no_values else types
    output.deliver((options.output, partial(types.to_html, table=table.label)))
    output.print_note(f"{len(types.columns)} columns", options)
    return FINE


def _failure_way(title: str) -> Callable[[str], dict[str, output.Write]]:
    """Return how the page states that nothing could be inferred."""
    ways = output.failure_ways(title)
    return lambda message: {"--output": ways(message)["--html"]}
