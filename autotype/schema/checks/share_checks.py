"""The checks ``varies`` and ``has_level_shares``: how often values occur is as it was.

A column that is stuck at one value passes all checks of single values. Few rows may hold one value
by chance, so ``varies`` compares their number with how frequent the value was. Two samples of the
same source differ by chance, so ``has_level_shares`` allows three standard errors of each level's
proportion besides the tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
from pandera.pandas import Check

from autotype.errors import UnwritableTypesError
from autotype.schema.checks.check import Arguments, SchemaCheck
from autotype.schema.checks.column_views import Observed, Witnesses, value_counts
from autotype.schema.levels import level_key
from autotype.types.codec.json_values import decode_hashable, encode
from autotype.types.column_type import DISCRETE
from autotype.wording import join_first

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


# Levels of a column whose proportions are checked; of more, each has too few rows.
_MAX_LEVELS = 100
# Proportions may differ by the tolerance and this many standard errors of a difference in them.
_STANDARD_ERRORS = 3.0


def has_level_shares(
    values: pd.Series, *, levels: Sequence[Any], counts: Sequence[int], tolerance: float
) -> bool:
    """Check that each level has about the proportion that it had.

    Parameters
    ----------
    values : pandas.Series
        The column.
    levels : sequence
        Levels of the frame that the schema was made of.
    counts : sequence of int
        Their numbers of rows in it.
    tolerance : float
        By how much a proportion may differ, in [0, 1], besides three standard errors of the
        difference between two samples.

    Examples
    --------
    >>> low_and_high = {"levels": ["low", "high"], "counts": [500, 500], "tolerance": 0.1}
    >>> has_level_shares(pd.Series(["low", "high", "high"] * 5), **low_and_high)
    True
    >>> has_level_shares(pd.Series(["low", "high", "high"] * 500), **low_and_high)
    False
    """
    return not shares_beyond(
        value_counts(values), levels=levels, counts=counts, tolerance=tolerance
    )


def shares_beyond(
    observed: Mapping[Any, int], *, levels: Sequence[Any], counts: Sequence[int], tolerance: float
) -> list[tuple[Any, float, float]]:
    """Return the levels beyond the tolerance, each with its proportion and the expected one."""
    n_before, n_now = sum(counts), sum(observed.values())
    if not n_before or not n_now:
        return []
    before = {level_key(decode_hashable(v)): n for v, n in zip(levels, counts, strict=True)}
    beyond = []
    for level, n in _all_levels(observed, levels).items():
        first = before.get(level_key(level), 0)
        pooled = (first + n) / (n_before + n_now)
        error = math.sqrt(pooled * (1 - pooled) * (1 / n_before + 1 / n_now))
        difference = abs(n / n_now - first / n_before)
        if difference > tolerance + _STANDARD_ERRORS * error:
            beyond.append((level, n / n_now, first / n_before))
    return sorted(beyond, key=lambda found: -abs(found[1] - found[2]))


def _all_levels(observed: Mapping[Any, int], levels: Sequence[Any]) -> dict[Any, int]:
    by_key = {level_key(level): (level, n) for level, n in observed.items()}
    for level in map(decode_hashable, levels):
        by_key.setdefault(level_key(level), (level, 0))
    return dict(by_key.values())


class HasLevelShares(CountCheck):
    """Made of discrete columns if a tolerance is given."""

    name = "has_level_shares"
    function = staticmethod(has_level_shares)
    statistics = ("levels", "counts", "tolerance")
    follows_from = ("varies",)
    remedy = "look for the cause, or write a new schema"

    def observe(self, observed: Observed) -> Arguments | None:
        """Return the levels with their numbers of rows."""
        tolerance, counts = observed.share_tolerance, observed.counts
        is_discrete = observed.column.semantic_type in DISCRETE
        if tolerance is None or not is_discrete or not 2 <= len(counts) <= _MAX_LEVELS:
            return None
        try:
            levels = list(map(encode, counts))
        except UnwritableTypesError:  # levels of a class that a schema's file cannot hold
            return None
        return {"levels": levels, "counts": list(counts.values()), "tolerance": tolerance}

    def expectation(self, arguments: Arguments) -> str:
        """Return the check's message."""
        return f"proportions of levels within {arguments['tolerance']:.1%} of those before"

    def finding(self, counts: Mapping[Any, int], statistics: Arguments) -> str:
        """Describe levels with other proportions than before.

        Examples
        --------
        >>> before = {"levels": ["low", "high"], "counts": [100, 300], "tolerance": 0.1}
        >>> print(HasLevelShares().finding({"low": 1200, "high": 800}, before))
        has other proportions than before: level 'low' 60% instead of 25%, level 'high' 40% instead of 75% (tolerance 10%)
        """  # noqa: E501 - the output is one line
        beyond = shares_beyond(counts, **statistics)
        if not beyond:
            return ""
        listed = [f"level {level!r} {now:.0%} instead of {was:.0%}" for level, now, was in beyond]
        tolerance = f"(tolerance {statistics['tolerance']:.0%})"
        return f"has other proportions than before: {join_first(listed)} {tolerance}"
