"""``autotype compare OLD NEW...``: print what changed between reports, or a report and a table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence

from autotype.cli.failures import DATA_FAILS, FINE, WrongUseError
from autotype.cli.output import STANDARD_INPUT, Write, failure_ways, findings, of_json, of_text
from autotype.cli.tables import HeldAgainst, RequestedTable, TableResult, table_of, types_of


def compare(options: argparse.Namespace) -> int:
    """Print what changed in one or many tables, and write it to files."""
    return _Comparison(options, "OLD", options.old).run()


class _Comparison(HeldAgainst):
    """The tables of today and the former ones, or their types."""

    words = ("changed", "nothing changed")

    def ending(self, tables: Sequence[RequestedTable]) -> str | None:
        """Return the ending of reports, or None where OLD is a folder of tables without any."""
        names = os.listdir(self.place) if os.path.isdir(self.place) else [".json"]
        is_report = any(name.endswith(".json") for name in names)
        return ".json" if is_report or any(table.path is None for table in tables) else None

    def check(self, tables: Sequence[RequestedTable]) -> None:
        options = self.options
        if not 0 < options.alpha < 1:
            raise WrongUseError(f"--alpha: expected a share between 0 and 1, got {options.alpha:g}")
        if [self.place, *(table.path for table in tables)] == [STANDARD_INPUT, STANDARD_INPUT]:
            both = "OLD and NEW are both standard input (-)"
            raise WrongUseError(f"{both}; name a file for one of them")
        is_written = os.path.isdir(self.place) or table_of(self.place).is_report
        if options.known and is_written and all(table.is_report for table in tables):
            raise WrongUseError("--known needs a data file: both OLD and NEW are types")

    def find(self, table: RequestedTable, place: str) -> TableResult:
        options = self.options
        before, after = types_of(table_of(place), options), types_of(table, options)
        found = before.compare(after, alpha=options.alpha, min_distance=options.min_distance)
        return TableResult(table.label, place, found, DATA_FAILS if found else FINE)

    def lines(self, result: TableResult) -> list[str]:
        return (result.error if result.found is None else str(result.found)).splitlines()

    def ways(self, results: Sequence[TableResult]) -> dict[str, Write]:
        plain = [result.to_dict("before") for result in results]
        whole = {"changed": any(result.code != FINE for result in results), "tables": plain}
        if len(results) == 1 and results[0].found is not None:
            whole = results[0].found.to_dict()
        return {
            "--json": of_json(whole),
            "--html": of_text(lambda: findings().as_comparison_page(plain)),
        }

    def failure_ways(self, label: str) -> Callable[[str], dict[str, Write]]:
        return failure_ways(f"{label} compared with {self.place}")
