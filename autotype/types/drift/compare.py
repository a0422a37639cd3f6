"""Compare two reports: columns, types, orders, levels and shares.

Whether levels have the same proportions is tested by their counts. A new batch never has exactly
the proportions of the last one; an alarm should be raised only for a difference that chance does
not explain. There are two tests: the Mann-Whitney test, which detects a shift along a scale, and
the chi-squared test of homogeneity, for levels of any kind. Their usual approximations are wrong
for few rows, and a batch may have ten: then the exact distribution is computed, or sampled.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special, stats

from autotype.types.column_mapping import check_report, match_by_name
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.types.drift.comparison import ColumnComparison, ColumnComparisons

# Limits on the rows of both samples: up to the first, the permutation distribution of the rank sum
# is computed; up to the second it is sampled; beyond, it is approximated by a normal.
MAX_EXACT = 50
MAX_SAMPLED = 2_000
# Smallest expected count for the chi-squared approximation (Cochran 1954).
MIN_EXPECTED = 5
_N_TABLES, _FEWEST_TABLES = 9_999, 999
_MAX_CELLS = 2_000_000  # of all random tables; of more than 200 levels fewer tables are drawn
_MAX_DRAWN = 100_000_000
_SEED = 0


def compare_types(
    before: ColumnTypes, after: ColumnTypes, *, alpha: float = 0.01, min_distance: float = 0.05
) -> ColumnComparisons:
    """Compare a report with a later one of the same table.

    Parameters
    ----------
    before, after : TypeReport
        For instance of two batches.
    alpha : float
        Probability of a false alarm in the shares, over all columns together, in (0, 1).
    min_distance : float
        Differences in shares below this total variation distance are not called changes however
        significant they are, in [0, 1]: in a million rows every difference is significant.

    Returns
    -------
    ColumnComparisons

    Raises
    ------
    TypeError
        If one of the two is not a report.
    ValueError
        If `alpha` or `min_distance` is out of range.

    Notes
    -----
    Types are compared by name. Orders are compared on the common levels; if one of the two is
    known only up to reversal, reversed orders are equal. Shares are tested
    for columns with counted levels in both reports: those ordinal in both with the same order by
    a test of a shift along the scale (Mann-Whitney, exact for few rows) and one of the shares
    (chi-squared, with random tables where counts are small), whose smaller p-value counts twice;
    others by the latter alone. Holm's method corrects for the number of columns. Levels off the
    scale have no part in the shift. Of a report with weights, the proportions are the weighted ones
    of the effective number of rows.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> def report(low, high):
    ...     levels = {"low": low, "mid": 50, "high": high}
    ...     return TypeReport([ColumnType("mood", "ordinal", order=tuple(levels), levels=levels)])
    >>> print(compare_types(report(40, 60), report(60, 40)))
    nothing changed in 1 column
    >>> print(compare_types(report(40, 60), report(90, 10)))
    1 of 1 column changed:
    - 'mood': The proportions of its levels changed: 33% of the rows would have to move back (p < 0.0001), and it moved down its scale (shift -0.44).
    """  # noqa: E501 - the last line is what it prints
    check_report(before)
    check_report(after)
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1, got {alpha!r}")
    if not 0 <= min_distance <= 1:
        raise ValueError(f"min_distance must be from 0 to 1, got {min_distance!r}")
    matches, new = match_by_name([column.name for column in before.columns], after.columns)
    pairs = [*zip(before.columns, matches, strict=True), *((None, column) for column in new)]
    drafts = [_compare(*pair) for pair in pairs]
    adjusted = adjust(np.array([draft.p_value for draft in drafts], dtype=np.float64)).tolist()
    found = zip(drafts, adjusted, strict=True)
    return ColumnComparisons([_with_adjusted(draft, p, alpha, min_distance) for draft, p in found])


def _compare(before: ColumnType | None, after: ColumnType | None) -> ColumnComparison:
    if after is None:
        return ColumnComparison(before.name if before else None, before, None, ("missing",))
    if before is None:
        return ColumnComparison(after.name, None, after, ("new",))
    changes = []
    if before.semantic_type != after.semantic_type:
        changes.append("type")
    same_order = _same_order(before, after)
    if before.order is not None and after.order is not None and not same_order:
        changes.append("order")
    new, gone = _unshared(after, before), _unshared(before, after)
    if new or gone:
        changes.append("levels")
    draft = ColumnComparison(before.name, before, after, tuple(changes), new, gone)
    is_scale = same_order and bool(set(before.order or ()) & set(after.order or ()))
    return dataclasses.replace(draft, **_test(before, after, is_scale=is_scale))


def _same_order(before: ColumnType, after: ColumnType) -> bool:
    one, other, _ = _coded_orders(before, after)
    common = set(one) & set(other)
    first, second = ([code for code in order if code in common] for order in (one, other))
    reversible = not (before.direction_known and after.direction_known)
    return first == second or (reversible and first == second[::-1])


def _unshared(column: ColumnType, other: ColumnType) -> tuple[Any, ...]:
    """Return the levels counted in one column that the other does not list; none if it lists none.

    A level of a scale is listed also where only other columns of the scale hold it.
    """
    listed = set(other.levels)
    return tuple(level for level in _present(column) if listed and level not in listed)


def _present(column: ColumnType) -> list[Any]:
    """Return the levels that occur; all if nothing was counted, as in a report from a schema."""
    return [level for level, count in column.levels.items() if count] or list(column.levels)


def _test(before: ColumnType, after: ColumnType, *, is_scale: bool) -> dict[str, Any]:
    """Test the proportions of the levels, if both reports have counted them."""
    levels = list(dict.fromkeys([*before.levels, *after.levels]))
    first, second = _counts(before, levels), _counts(after, levels)
    if not first.sum() or not second.sum():
        return {}
    p_value = shares_p_value(first, second)
    statistics = {"p_value": p_value, "distance": largest_share_moved(first, second)}
    if not is_scale:
        return statistics
    scale = _scale(before, after)
    first, second = _counts(before, scale), _counts(after, scale)
    if not first.sum() or not second.sum():
        return statistics
    # Two tests of one column: the smaller p-value is doubled (Bonferroni).
    both = min(1.0, 2 * min(p_value, shift_p_value(first, second)))
    return statistics | {"p_value": both, "shift": shift_along_scale(first, second)}


def _scale(before: ColumnType, after: ColumnType) -> list[Any]:
    """Merge two orders that agree on their common levels; the other levels keep their places."""
    merged, fresh, levels = _coded_orders(before, after)
    held, common = set(merged), set(merged) & set(fresh)
    if [code for code in fresh if code in common] != [code for code in merged if code in common]:
        fresh.reverse()
    for j, code in enumerate(fresh):
        if code not in held:
            merged.insert(0 if j == 0 else merged.index(fresh[j - 1]) + 1, code)
    return [levels[code] for code in merged]


def _coded_orders(before: ColumnType, after: ColumnType) -> tuple[list[int], list[int], list[Any]]:
    """Return both orders as numbers of levels, and the levels.

    Levels of several classes need not be comparable: a duration of NumPy and a Decimal are not.
    """
    levels = list(dict.fromkeys([*(before.order or ()), *(after.order or ())]))
    code = {level: k for k, level in enumerate(levels)}
    first, second = ([code[level] for level in column.order or ()] for column in (before, after))
    return first, second, levels


def _counts(column: ColumnType, levels: Sequence[Any]) -> np.ndarray:
    """Return the counts of levels, or the weighted proportions of the effective rows."""
    if column.weighted_shares:
        shares = np.array([column.weighted_shares.get(level, 0.0) for level in levels])
        return np.rint(shares * column.n_effective).astype(np.int64)
    return np.array([column.levels.get(level, 0) for level in levels], dtype=np.int64)


def _with_adjusted(
    draft: ColumnComparison, p_adjusted: float, alpha: float, min_distance: float
) -> ColumnComparison:
    changed = p_adjusted <= alpha and draft.distance >= min_distance
    changes = (*draft.changes, "shares") if changed else draft.changes
    return dataclasses.replace(draft, p_adjusted=p_adjusted, changes=changes)


def largest_share_moved(before: np.ndarray, after: np.ndarray) -> float:
    """Return the total variation distance: the least proportion of rows to change for equal shares.

    Parameters
    ----------
    before, after : ndarray of int, shape (n_levels,)
        Counts >= 0 of the same levels, each with a positive sum.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> largest_share_moved(np.array([5, 5, 0]), np.array([5, 0, 5]))
    0.5
    """
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def shift_along_scale(before: np.ndarray, after: np.ndarray) -> float:
    """Return P(a row after is higher than one before) - P(it is lower), Cliff's delta.

    Parameters
    ----------
    before, after : ndarray of int, shape (n_levels,)
        Counts of the levels, lowest first, each with a positive sum.

    Returns
    -------
    float
        In [-1, 1]; positive if the rows moved up.

    Examples
    --------
    >>> shift_along_scale(np.array([1, 1]), np.array([0, 2]))
    0.5
    """
    p, q = before / before.sum(), after / after.sum()
    below = np.cumsum(p) - p
    above = 1 - np.cumsum(p)
    return float(q @ (below - above))


def shift_p_value(before: np.ndarray, after: np.ndarray) -> float:
    """Test for a shift along a scale: two-sided Mann-Whitney test on counts, ties accounted for.

    Parameters
    ----------
    before, after : ndarray of int, shape (n_levels,)
        Counts of the levels, lowest first, each with a positive sum.

    Returns
    -------
    float
        In [0, 1]: from the permutation distribution given the ties for up to ``MAX_EXACT`` rows
        in all, from 9,999 random tables with the same margins (always the same ones) for up to
        ``MAX_SAMPLED``, and from the normal approximation with the variance corrected for ties
        beyond, or if no table is as extreme.

    Notes
    -----
    The permutation distribution takes O(n_before^2 n_rows^2) steps at worst.

    References
    ----------
    Mann & Whitney, "On a test of whether one of two random variables is stochastically larger
    than the other", Annals of Mathematical Statistics 18, 1947. Lehmann, "Nonparametrics", 1975,
    sec. 1.4, eq. (1.35) for the variance with ties.

    Examples
    --------
    >>> round(shift_p_value(np.array([3, 0]), np.array([0, 3])), 3)  # 2 of 20 arrangements
    0.1
    """
    totals = before + after
    if np.count_nonzero(totals) < 2:
        return 1.0
    rows = int(totals.sum())
    if rows <= MAX_EXACT:
        return _exact_shift_p_value(before, totals)
    normal = _normal_shift_p_value(before, after)
    if rows > MAX_SAMPLED:
        return normal
    scores = _doubled_midranks(totals) - (rows + 1)
    tables = _random_tables(totals, int(before.sum()))
    return _sampled_p_value(np.abs(tables @ scores) >= abs(int(before @ scores)), normal)


def _normal_shift_p_value(before: np.ndarray, after: np.ndarray) -> float:
    totals = (before + after)[before + after > 0]
    n, m, rows = int(before.sum()), int(after.sum()), int(totals.sum())
    ties = float((totals.astype(float) ** 3 - totals).sum())
    variance = n * m / 12 * (rows + 1 - ties / (rows * (rows - 1)))  # Lehmann eq. (1.35)
    # U - E(U), with U the pairs in which the row after is the higher one; ties count one half.
    excess = shift_along_scale(before, after) * n * m / 2
    # Half a step of U, whose steps ties make wider: midranks differ by multiples of gcd / 2.
    step = np.gcd.reduce(np.diff(_doubled_midranks(totals))) / 2
    return min(1.0, float(2 * stats.norm.sf((abs(excess) - step / 2) / math.sqrt(variance))))


def _doubled_midranks(totals: np.ndarray) -> np.ndarray:
    """Return twice the midrank of each level, an integer."""
    return 2 * np.cumsum(totals) - totals + 1


def _exact_shift_p_value(before: np.ndarray, totals: np.ndarray) -> float:
    """Sum the probabilities of all tables whose rank sum is as far from its mean as this one."""
    n, rows = int(before.sum()), int(totals.sum())
    scores = _doubled_midranks(totals) - (rows + 1)  # their mean is zero
    reach = int(np.abs(scores) @ totals)
    ways = np.zeros((n + 1, 2 * reach + 1))  # by rows given to `before`, and their sum of scores
    ways[0, reach] = 1.0
    for total, score in zip(totals.tolist(), scores.tolist(), strict=True):
        grown = np.zeros_like(ways)
        for taken in range(min(total, n) + 1):
            shifted = np.roll(ways[: n + 1 - taken], taken * score, axis=1)
            grown[taken:] += special.comb(total, taken) * shifted
        ways = grown / grown.max()  # only the shares in the last row count
    distribution = ways[n] / ways[n].sum()
    far = np.abs(np.arange(-reach, reach + 1)) >= abs(int(scores @ before))
    return min(1.0, float(distribution[far].sum()))


def shares_p_value(before: np.ndarray, after: np.ndarray) -> float:
    """Test for any difference in shares: chi-squared test of homogeneity.

    Parameters
    ----------
    before, after : ndarray of int, shape (n_levels,)
        Counts of the same levels, each with a positive sum.

    Returns
    -------
    float
        In [0, 1]: from 9,999 random tables with the same margins (always the same ones), fewer for
        more than 200 levels, if an expected count is below ``MIN_EXPECTED``; from the chi-squared
        approximation otherwise, or if no table is as extreme.

    References
    ----------
    Cochran, "Some methods for strengthening the common chi-squared tests", Biometrics 10, 1954.
    Phipson & Smyth, "Permutation p-values should never be zero", 2010, for the +1.

    Examples
    --------
    >>> round(shares_p_value(np.array([50, 50]), np.array([30, 70])), 4)
    0.0039
    """
    totals = before + after
    before, after, totals = (counts[totals > 0] for counts in (before, after, totals))
    n, rows = int(before.sum()), int(totals.sum())
    if len(totals) < 2:
        return 1.0
    statistic = _chi_squared(before, totals)
    least = totals.min() * min(n, rows - n) / rows
    approximate = float(stats.chi2.sf(statistic, len(totals) - 1))
    if least >= MIN_EXPECTED or rows > _MAX_DRAWN:
        return approximate
    tables = _random_tables(totals, n)
    as_extreme = _chi_squared(tables, totals) >= statistic * (1 - 1e-12)
    return _sampled_p_value(as_extreme, approximate)


def _random_tables(totals: np.ndarray, n: int) -> np.ndarray:
    """Draw first rows of tables with these column totals and `n` rows in the first sample."""
    random = np.random.default_rng(_SEED)
    size = max(_FEWEST_TABLES, min(_N_TABLES, _MAX_CELLS // len(totals)))
    return random.multivariate_hypergeometric(totals, n, size=size, method="marginals")


def _sampled_p_value(as_extreme: np.ndarray, approximate: float) -> float:
    """Return the proportion of tables as extreme as the observed one, which is included.

    If it is the only one, the p-value is below the resolution of the sample. The smaller
    approximation is used then: otherwise no column could pass the correction for many columns.
    """
    sampled = float((as_extreme.sum() + 1) / (len(as_extreme) + 1))
    return sampled if as_extreme.any() else min(sampled, approximate)


def _chi_squared(before: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Return the statistics of tables of two rows, from first rows and column totals."""
    share = before.sum(axis=-1, keepdims=True) / totals.sum()
    expected = totals * share
    # Both rows deviate from their expectations by the same number.
    return ((before - expected) ** 2 / (expected * (1 - share))).sum(axis=-1)


def adjust(p_values: np.ndarray) -> np.ndarray:
    """Correct p-values for their number: Holm's method, which bounds the chance of any false alarm.

    Parameters
    ----------
    p_values : ndarray, shape (n,)
        NaN without a test; these are not counted.

    Returns
    -------
    ndarray, shape (n,)
        Not below the given ones, at most 1.

    References
    ----------
    Holm, "A simple sequentially rejective multiple test procedure", 1979.

    Examples
    --------
    >>> adjust(np.array([0.01, 0.04, 0.5])).tolist()
    [0.03, 0.08, 0.5]
    """
    adjusted = np.full(len(p_values), np.nan)
    tested = np.flatnonzero(~np.isnan(p_values))
    by_size = tested[np.argsort(p_values[tested], kind="stable")]
    left = np.arange(len(by_size), 0, -1)
    adjusted[by_size] = np.minimum(np.maximum.accumulate(p_values[by_size] * left), 1.0)
    return adjusted
