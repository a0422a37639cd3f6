"""The check ``has_level_shares``: each level of a column has about the proportion that it had.

Two samples of the same source differ by chance, so three standard errors are allowed besides the
tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from autotype.errors import UnwritableTypesError
from autotype.schema.checks.check import Arguments
from autotype.schema.checks.column_views import Observed, value_counts
from autotype.schema.checks.varies import CountCheck
from autotype.schema.levels import level_key
from autotype.types.codec.json_values import decode_hashable, encode
from autotype.types.column_type import DISCRETE
from autotype.wording import join_first

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
