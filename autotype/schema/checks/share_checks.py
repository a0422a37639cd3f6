"""The checks ``varies`` and ``has_level_shares``: what a whole column holds, and how often.

Both compare a batch with the frame that the schema was made of, and allow for chance: few rows may
hold one value, or other shares, without anything being wrong.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from autotype.schema.checks.level_checks import level_key
from autotype.types.codec.json_values import decode_hashable, encode
from autotype.wording import join_first

VARIES, SHARES = "varies", "has_level_shares"
# Statistic of such a check that the counts of an engine have decided: the finding, or None.
FINDING = "finding"
# A column that holds one value only fails if chance makes it so less often than this.
_CHANCE = 1e-3
_HEAD = 100
# Shares may differ by the tolerance and this many standard errors of a difference in shares.
_STANDARD_ERRORS = 3.0


def varies(values: pd.Series, *, top_share: float) -> bool:
    """Check that a column does not hold a single value where it held several.

    Parameters
    ----------
    values : pandas.Series
        The column.
    top_share : float
        Share of the most frequent value in the frame that the schema was made of. A batch with a
        single value fails if chance would draw that many equal values less than once in a
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


def value_counts(values: pd.Series) -> dict[Any, int]:
    """Return the values that occur, the most frequent first, with their numbers of rows.

    Nothing if there are cells without hash, such as lists.
    """
    try:
        with warnings.catch_warnings():  # pandas 2, of objects such as dates: they remain the same
            warnings.filterwarnings("ignore", "The behavior of value_counts", FutureWarning)
            observed = values.value_counts()
        counts = zip(observed.index.tolist(), observed.tolist(), strict=True)
        return {value: int(n) for value, n in counts if n}
    except (TypeError, NotImplementedError):  # Arrow's raise the latter
        return {}


def is_stuck(n_distinct: int, n_values: int, top_share: float) -> bool:
    """Check whether a column holds one value, and too often for chance."""
    return n_distinct == 1 and top_share**n_values < _CHANCE


def has_level_shares(
    values: pd.Series, *, levels: Sequence[Any], counts: Sequence[int], tolerance: float
) -> bool:
    """Check that each level has about the share that it had.

    Parameters
    ----------
    values : pandas.Series
        The column.
    levels : sequence
        Levels of the frame that the schema was made of.
    counts : sequence of int
        Their numbers of rows in it.
    tolerance : float
        By how much a share may differ, in [0, 1], besides three standard errors of the difference
        between two samples.

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
    """Return the levels beyond the tolerance, each with its share and the expected one."""
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


def variety_check(top_share: float) -> Any:
    """Make the check that a column does not hold a single value."""
    from pandera.pandas import Check

    share = math.ceil(1e6 * top_share) / 1e6
    return Check.varies(
        top_share=share, error=f"must vary: no value had more than {share:.1%} of the rows"
    )


def shares_check(levels: Mapping[Any, int], tolerance: float) -> Any:
    """Make the check of the shares of a column's levels."""
    from pandera.pandas import Check

    return Check.has_level_shares(
        levels=[encode(level) for level in levels],
        counts=[int(n) for n in levels.values()],
        tolerance=tolerance,
        error=f"shares of levels within {tolerance:.1%} of those before",
    )


def variety_finding(value: Any, n_values: int, top_share: float) -> str:
    """Describe a column that holds a single value.

    Examples
    --------
    >>> variety_finding("M", 200, 0.4)
    "holds 'M' in all 200 rows, where no value had more than 40.0% before"
    """
    return (
        f"holds {value!r} in all {n_values:,} rows, where no value had more than {top_share:.1%} "
        "before"
    )


def shares_finding(beyond: Sequence[tuple[Any, float, float]], tolerance: float) -> str:
    """Describe levels with other shares than before.

    Examples
    --------
    >>> shares_finding([("low", 0.6, 0.25)], 0.1)
    "has other shares than before: level 'low' 60% instead of 25% (tolerance 10%)"
    """
    listed = [f"level {level!r} {now:.0%} instead of {before:.0%}" for level, now, before in beyond]
    return f"has other shares than before: {join_first(listed)} (tolerance {tolerance:.0%})"
