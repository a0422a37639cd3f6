"""The check ``varies``: a column does not hold a single value where it held several.

A column that is stuck at one value passes all checks of single values. Few rows may hold one value
by chance, so the check compares their number with how frequent the value was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from autotype.schema.checks.check import Arguments, SchemaCheck
from autotype.schema.checks.column_views import Observed, Witnesses, value_counts

# A column that holds one value only fails if chance makes it so less often than this.
_CHANCE = 1e-3
_HEAD = 100
# Statistic of a check that the counts of an engine have decided: the finding, empty if it holds.
_FINDING = "finding"


def varies(values: pd.Series, *, top_share: float) -> bool:
    """Check that a column does not hold a single value where it held several.

    Parameters
    ----------
    values : pandas.Series
        The column.
    top_share : float
        Proportion of the most frequent value in the frame that the schema was made of. A batch
        with a single value fails if chance would draw that many equal values less than once in a
        thousand times: 5 rows where the most frequent value had a quarter, 7,000 where it had
        99.9%.

    Examples
    --------
    >>> varies(pd.Series([7.5] * 9), top_share=0.25), varies(pd.Series([7.5] * 2), top_share=0.25)
    (False, True)
    """
    if len(value_counts(values.iloc[:_HEAD])) > 1:  # almost every column: the rest need not be read
        return True
    counts = value_counts(values)
    return not is_stuck(len(counts), sum(counts.values()), top_share)


def is_stuck(n_distinct: int, n_values: int, top_share: float) -> bool:
    """Check whether a column holds one value, and too often for chance."""
    return n_distinct == 1 and top_share**n_values < _CHANCE


class CountCheck(SchemaCheck):
    """A check of how often values occur in a whole column: its finding is a sentence."""

    needs = "counts"
    remedy = ""

    def finding(self, counts: Mapping[Any, int], statistics: Arguments) -> str:
        """Describe what is wrong with the values and their numbers of rows; empty if nothing is."""
        raise NotImplementedError

    def decided(self, check: Any, witnesses: Witnesses) -> Any:
        """Return a check that has been decided by the counts, with what they find."""
        from pandera.pandas import Check

        finding = self.finding(witnesses.counts or {}, check.statistics)
        decided = Check(partial(_is_empty, finding), name=check.name, error=check.error)
        decided.statistics = {_FINDING: finding}
        return decided

    def failure_cases(self, error: Any, values: pd.Series | None) -> str:
        """Return the finding, or what the check expects if it could not be computed."""
        statistics = error.check.statistics
        if _FINDING in statistics:
            return str(statistics[_FINDING])
        counts = {} if values is None else value_counts(values)
        return self.finding(counts, statistics) or str(error.check.error)

    def sentence(self, where: str, error: Any, values: pd.Series | None) -> str:
        """Return the finding with its remedy."""
        return f"{where} {error.failure_cases}; {self.remedy}"


def _is_empty(finding: str, _: pd.Series) -> bool:
    return not finding


class Varies(CountCheck):
    """Made of every column with several values that does not identify rows."""

    name = "varies"
    function = staticmethod(varies)
    statistics = ("top_share",)
    remedy = "correct its source, or remove the check from the schema"

    def observe(self, observed: Observed) -> Arguments | None:
        """Return the proportion of the most frequent value."""
        if observed.unique or len(observed.counts) < 2:
            return None
        counts = observed.counts.values()
        return {"top_share": math.ceil(1e6 * (max(counts) / sum(counts))) / 1e6}

    def expectation(self, arguments: Arguments) -> str:
        """Return the check's message."""
        return f"must vary: no value had more than {arguments['top_share']:.1%} of the rows"

    def finding(self, counts: Mapping[Any, int], statistics: Arguments) -> str:
        """Describe a column that holds a single value.

        Examples
        --------
        >>> Varies().finding({"M": 200}, {"top_share": 0.4})
        "holds 'M' in all 200 rows, where no value had more than 40.0% before"
        """
        n_rows, share = sum(counts.values()), statistics["top_share"]
        if not is_stuck(len(counts), n_rows, share):
            return ""
        return (
            f"holds {next(iter(counts))!r} in all {n_rows:,} rows, where no value had more than "
            f"{share:.1%} before"
        )
