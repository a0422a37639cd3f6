"""Compare two reports: columns, types, orders, levels and shares."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autotype.types.column_mapping import check_report, match_by_name
from autotype.types.column_type import ColumnType
from autotype.types.drift.comparison import ColumnComparison, ColumnComparisons
from autotype.types.drift.share_tests import (
    adjust,
    largest_share_moved,
    shares_p_value,
    shift_along_scale,
    shift_p_value,
)

if TYPE_CHECKING:
    from autotype.types.column_types import ColumnTypes


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
    adjusted = adjust(np.array([draft.p_value for draft in drafts], dtype=np.float64))
    return ColumnComparisons(
        [
            _with_adjusted(draft, float(p), alpha, min_distance)
            for draft, p in zip(drafts, adjusted, strict=True)
        ]
    )


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
    first = [code for code in one if code in other]
    second = [code for code in other if code in one]
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
    common = [code for code in fresh if code in merged]
    if common != [code for code in merged if code in common]:
        fresh.reverse()
    for j, code in enumerate(fresh):
        if code not in merged:
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
