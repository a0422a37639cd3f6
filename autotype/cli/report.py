"""``autotype report FILE -o report.html``: write a page of types, or of a table's types."""

from __future__ import annotations

import argparse
from functools import partial

from autotype.cli.failures import FINE, WrongUseError
from autotype.cli.input import is_report, report_from
from autotype.cli.output import (
    check_outputs,
    deliver,
    failure_delivered,
    failure_ways,
    print_note,
)


def report(options: argparse.Namespace) -> int:
    """Write the page."""
    inputs = {"FILE": options.file, "--known": options.known, "--scales": options.scales}
    check_outputs({"--output": options.output}, inputs=inputs, page="--output")
    ways = failure_ways(options.file)
    if is_report(options.file) and (options.columns or options.known or options.judge):
        raise WrongUseError("--columns, --known and --judge need a data file, not types")
    page = {"--output": options.output}
    with failure_delivered(page, lambda message: {"--output": ways(message)["--html"]}):
        types = report_from(options.file, options)
    types = types.without_values() if options.no_values else types
    deliver((options.output, partial(types.to_html, table=options.file)))
    print_note(f"{len(types.columns)} columns", options)
    return FINE
