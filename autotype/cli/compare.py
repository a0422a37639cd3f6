"""``autotype compare OLD NEW``: print what changed between two reports, or a report and a table."""

from __future__ import annotations

import argparse
from functools import partial

from autotype.cli.failures import DATA_FAILS, FINE, WrongUseError
from autotype.cli.input import is_report, report_from
from autotype.cli.output import (
    STANDARD_INPUT,
    check_outputs,
    deliver_outputs,
    failure_delivered,
    failure_ways,
    requested_outputs,
    through,
)
from autotype.type_report import TypeReport


def compare(options: argparse.Namespace) -> int:
    """Print what changed, and write it to files."""
    outputs = requested_outputs(options)
    inputs = {"OLD": options.old, "NEW": options.file, "--known": options.known}
    check_outputs(outputs, inputs=inputs)
    if not 0 < options.alpha < 1:
        raise WrongUseError(f"--alpha: expected a share between 0 and 1, got {options.alpha:g}")
    if options.old == options.file == STANDARD_INPUT:
        raise WrongUseError("OLD and NEW are both standard input (-); name a file for one of them")
    if options.known and is_report(options.old) and is_report(options.file):
        raise WrongUseError("--known needs a data file: both OLD and NEW are types")
    title = f"{options.file} compared with {options.old}"
    with failure_delivered(outputs, failure_ways(title)):
        before, after = (_report(path, options) for path in (options.old, options.file))
        comparison = before.compare(after, alpha=options.alpha, min_distance=options.min_distance)
    to_html = partial(comparison.to_html, before=options.old, after=options.file)
    deliver_outputs(
        outputs,
        {"--json": through(comparison.to_json), "--html": through(to_html)},
        printed=None if options.quiet else lambda: str(comparison),
    )
    return DATA_FAILS if comparison else FINE


def _report(path: str, options: argparse.Namespace) -> TypeReport:
    """Read a report, of the requested columns only, or infer the types of a table."""
    report = report_from(path, options)
    if options.columns is None or not is_report(path):
        return report
    wanted = [column for column in report.columns if str(column.name) in options.columns]
    return TypeReport(wanted, n_rows=report.n_rows, sample=report.sample)
