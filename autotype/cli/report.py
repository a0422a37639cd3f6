"""``autotype report FILE -o report.html``: write a page of types, or of a table's types."""

from __future__ import annotations

import argparse
from functools import partial

from autotype.cli.failures import FINE, WrongUseError
from autotype.cli.input import files_read
from autotype.cli.output import (
    check_outputs,
    deliver,
    failure_delivered,
    failure_ways,
    print_note,
)
from autotype.cli.tables import requested_table, types_of


def report(options: argparse.Namespace) -> int:
    """Write the page."""
    table = requested_table(options)
    inputs = {"FILE": table.path} | files_read(options)
    check_outputs({"--output": options.output}, inputs=inputs, page="--output")
    ways = failure_ways(table.label)
    if table.is_report and (options.columns or options.known or options.judge):
        raise WrongUseError("--columns, --known and --judge need a data file, not types")
    page = {"--output": options.output}
    with failure_delivered(page, lambda message: {"--output": ways(message)["--html"]}):
        types = types_of(table, options)
    types = types.without_values() if options.no_values else types
    deliver((options.output, partial(types.to_html, table=table.label)))
    print_note(f"{len(types.columns)} columns", options)
    return FINE
