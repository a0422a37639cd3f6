"""``autotype report FILE -o report.html``: write a page of types, or of a table's types."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

from autotype.cli.failures import FINE, WrongUseError
from autotype.cli.input import files_named, files_read
from autotype.cli.output import (
    Write,
    check_outputs,
    deliver,
    failure_delivered,
    failure_ways,
    print_note,
)
from autotype.cli.tables import requested_table, types_of


def report(options: argparse.Namespace) -> int:
    """Write the page."""
    page = {"--output": options.output}
    inputs = files_named(options) | files_read(options)
    check_outputs(page, inputs=inputs, page="--output")
    with failure_delivered(page, _failure_way("no table")):  # its place may hold a folder
        table = requested_table(options)
    if table.is_report and (options.columns or options.known or options.judge):
        raise WrongUseError("--columns, --known and --judge need a data file, not types")
    with failure_delivered(page, _failure_way(table.label)):
        types = types_of(table, options)
    types = types.without_values() if options.no_values else types
    deliver((options.output, partial(types.to_html, table=table.label)))
    print_note(f"{len(types.columns)} columns", options)
    return FINE


def _failure_way(title: str) -> Callable[[str], dict[str, Write]]:
    """Return how the page states that nothing could be inferred."""
    ways = failure_ways(title)
    return lambda message: {"--output": ways(message)["--html"]}
