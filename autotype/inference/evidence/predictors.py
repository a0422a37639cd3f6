"""Encode the columns of a frame as predictors, once, and select those of each candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import fdtrc

from autotype.inference.column import Column
from autotype.inference.evidence.between_scatter import f_statistics
from autotype.inference.evidence.dependence import (
    LITTLE_INFLATION,
    grouping_keys,
    variance_inflation,
)
from autotype.inference.learned import load_learned
from autotype.lexicon.dates import days_of

MAX_PREDICTORS = 40
# The multi-class model has a weight for each level and predictor: many levels, fewer predictors.
_MAX_WEIGHTS = 240
_MIN_PREDICTORS = 15
_BOUNDS = (0.01, 0.99)  # quantiles outside of which numbers are outliers
_CLIP = 4.0  # standard deviations
_MAX_INDICATORS = 12  # levels of one column that get an indicator of their own
MIN_SHARE = 0.02  # rarer levels are pooled; rarer missingness gets no predictor
_MIN_DEVIATION = 1e-6  # standard deviation of a predictor on the rows of a candidate
_FEWEST_OFFERED = 100  # predictors that the p-value of the strongest is corrected for
_NO_P_VALUE = 0.5
_WEAKER = 3.0  # times the p-value of a predictor that stands beside a significant one
# Fewer independent rows show nothing, unless nearly all of the rows are.
_FEWEST_BLOCKS = 20
_MIN_SCALE = 0.2  # the least standard deviation that an indicator is divided by


class Indicators:
    """Predictors that hold two values, one below and one above 0.

    Parameters
    ----------
    masks : ndarray of bool, shape (q, n)
        The rows of the upper value; the two values are 1 or 0, centred and scaled.

    Attributes
    ----------
    bits : ndarray of uint64, shape (n_words, q)
        For each predictor the rows of the upper value, a bit per row.
    low, high : ndarray of shape (q,)
        The two values.
    """

    def __init__(self, masks: np.ndarray) -> None:
        share = masks.mean(axis=1) if masks.size else np.zeros(len(masks))
        scale = np.maximum(np.sqrt(share * (1.0 - share)), _MIN_SCALE)
        self.bits, self.low, self.high = _packed(masks), -share / scale, (1.0 - share) / scale

    def counts(self, groups: np.ndarray) -> np.ndarray:
        """Count the rows of the upper value in groups of rows, a mask a row; shape (m, q)."""
        counts = np.empty((len(groups), self.bits.shape[1]))
        for group, count in zip(_packed(groups).T, counts, strict=True):
            # Down the columns, several of which the processor sums at once.
            count[:] = np.bitwise_count(self.bits & group[:, None]).sum(axis=0, dtype=np.uint32)
        return counts

    def values(self, k: int, rows: np.ndarray) -> np.ndarray:
        """Return one predictor's values in some rows."""
        held = np.unpackbits(self.bits[:, k].copy().view(np.uint8))[rows]
        return np.where(held, self.high[k], self.low[k])


@dataclass(frozen=True)
class DesignMatrix:
    """The predictors of one candidate.

    Attributes
    ----------
    X : ndarray of shape (n, p)
        Centred and scaled; finite.
    is_number : ndarray of bool, shape (p,)
        Whether a predictor is a number or date, in contrast to an indicator.
    names : tuple of str
        A name for each predictor, for the reports.
    p_value : float
        That of the strongest, corrected for how many it was selected from; 0.5 where none is
        significant, so that all say nothing.
    inflation : float
        How many of its dependent rows say as much as an independent one, see `dependence`.
    is_selected : bool
        Whether they are the strongest of more, though none is significant.
    """

    X: np.ndarray
    is_number: np.ndarray
    names: tuple[str, ...]
    p_value: float = _NO_P_VALUE
    inflation: float = 1.0
    is_selected: bool = False


@dataclass(frozen=True)
class FramePredictors:
    """The predictors that a frame offers: indicators in a bit per row, and numbers.

    They are sent to workers with each batch of candidates, and are therefore kept small.

    Attributes
    ----------
    n_rows : int
        Rows of the sample.
    indicators : Indicators
        The predictors that are no numbers.
    numbers : ndarray of shape (n_rows, p - q)
        Numbers and dates, standardised; finite.
    source : ndarray of int, shape (p,)
        Position of the frame's column that a predictor comes from.
    is_number : ndarray of bool, shape (p,)
        Whether a predictor is a number or date, in contrast to an indicator.
    names : tuple of str
        A name for each predictor, for the reports.
    keys : ndarray of int, shape (k, n_rows)
        Codes of rows that may depend on each other, see `grouping_keys`.
    n_left_out : int
        Predictors of columns that were not read, as others are stronger, see `screen`.
    """

    n_rows: int
    indicators: Indicators
    numbers: np.ndarray
    source: np.ndarray
    is_number: np.ndarray
    names: tuple[str, ...] = ()
    keys: np.ndarray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int32))
    n_left_out: int = 0

    @cached_property
    def squares(self) -> np.ndarray:
        """The sum of squares of each number, shape (p - q,)."""
        return np.einsum("ij,ij->j", self.numbers, self.numbers)

    def select(self, positions: np.ndarray, rows: np.ndarray) -> DesignMatrix:
        """Return some predictors, by positions, in some rows; they are not centred on these."""
        places = np.where(self.is_number, np.cumsum(self.is_number), np.cumsum(~self.is_number)) - 1
        X = np.empty((len(rows), len(positions)))
        for column, k in zip(X.T, positions, strict=True):
            if self.is_number[k]:
                column[:] = self.numbers[rows, places[k]]
            else:
                column[:] = self.indicators.values(places[k], rows)
        names = tuple(self.names[k] for k in positions)
        return DesignMatrix(X, self.is_number[positions], names)


def encode(columns: Sequence[Column], use: Sequence[bool] | None = None) -> FramePredictors:
    """Encode every usable column of a sample as predictors.

    Numbers (dates too) are standardised and clipped, levels become indicators with the rare ones
    pooled, levels whose `reading` is a scale also become their rank, and missing values get an
    indicator of their own. Identifiers, free text and constants are left out.

    Parameters
    ----------
    columns : sequence of Column
        The columns of the sample, typed by rules.
    use : sequence of bool, optional
        Columns that may be predictors; all by default.

    Returns
    -------
    FramePredictors
    """
    n = len(columns[0].values) if columns else 0
    found = [
        (j, name, predictor)
        for j, column in enumerate(columns)
        if use is None or use[j]
        for name, predictor in _predictors(column)
    ]
    source, names, predictors = zip(*found, strict=True) if found else ((), (), ())
    is_number = np.array([predictor.dtype != bool for predictor in predictors], dtype=bool)
    masks = [predictor for predictor in predictors if predictor.dtype == bool]
    numbers = [predictor for predictor in predictors if predictor.dtype != bool]
    return FramePredictors(
        n,
        Indicators(np.array(masks, dtype=bool).reshape(len(masks), n)),
        # Transposed: the values of a predictor are contiguous.
        np.array(numbers, dtype=float).reshape(len(numbers), n).T,
        np.array(source, dtype=np.intp),
        is_number,
        names,
        grouping_keys(columns),
    )


def _predictors(column: Column) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the predictors of one column: a name, and numbers or a mask of rows."""
    kind = column.semantic_type
    if kind in ("constant", "identifier", "text") or not column.hashable:
        return
    name = str(column.name)
    numbers = temporal_numbers(column.values) if kind == "datetime" else None
    if numbers is None:
        numbers = column.numbers
    if numbers is None and kind == "datetime":
        return
    missing = column.codes < 0 if numbers is None else ~np.isfinite(numbers)
    places = _ranks_by_labels(column) if numbers is None else numbers
    if places is not None:
        standardised = standardise(places, ~np.isfinite(places))
        if standardised is not None:
            yield name if numbers is not None else f"{name} (rank)", standardised
    if numbers is None:
        yield from _indicators(column, missing)
    if MIN_SHARE < missing.mean() < 1 - MIN_SHARE:
        yield f"{name} is missing", missing


def _ranks_by_labels(column: Column) -> np.ndarray | None:
    """Return each row's rank along the order of the dtype or of a trusted label rule, if any."""
    if column.is_ordered_dtype and column.decision is not None:
        order = column.decision.order or tuple(column.values.dtype.categories)
    else:
        order = column.used_labels.order or () if column.used_labels.rule.trusted else ()
    if len(order) < 3:
        return None
    rank = {level: float(k) for k, level in enumerate(order)}
    codes, levels = column.coded
    return np.array([*(rank.get(level, np.nan) for level in levels), np.nan])[codes]


def temporal_numbers(values: pd.Series) -> np.ndarray | None:
    """Return dates, times and durations in days; None if they cannot be read."""
    try:
        return days_of(values).to_numpy()
    except (TypeError, ValueError, OverflowError):
        return None


def standardise(numbers: np.ndarray, missing: np.ndarray) -> np.ndarray | None:
    """Standardise and clip, missing values at the mean; None where nothing varies."""
    present = numbers[~missing]
    if len(present) < 2:
        return None
    # Outliers must not set the scale. The quantiles of `numpy.quantile`, in a fifth of the time.
    places = np.arange(len(present)) / (len(present) - 1)
    low, high = np.interp(_BOUNDS, places, np.sort(present))
    bounded = np.clip(present, low, high) if high > low else present
    with np.errstate(over="ignore", invalid="ignore"):
        scale = bounded.std()
    if not np.isfinite(scale) or scale <= 1e-12 * max(1.0, np.abs(bounded).max()):
        return None
    standardised = np.zeros(len(numbers))
    standardised[~missing] = np.clip((present - bounded.mean()) / scale, -_CLIP, _CLIP)
    return standardised


def _indicators(column: Column, missing: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the rows of the frequent levels; two levels without missing values need one."""
    codes, levels = column.coded
    counts = np.bincount(codes[~missing], minlength=len(levels))
    frequent = [
        k
        for k in sorted(range(len(levels)), key=lambda k: (-counts[k], str(levels[k])))
        if counts[k] >= max(MIN_SHARE * len(codes), 2)
    ][:_MAX_INDICATORS]
    for k in frequent[:1] if len(levels) == 2 and not missing.any() else frequent:
        yield f"{column.name} = {levels[k]}", codes == k


def strengths(offered: FramePredictors, targets: Sequence[np.ndarray]) -> np.ndarray:
    """Compute how strongly each predictor alone speaks of each of some columns.

    Parameters
    ----------
    offered : FramePredictors
        p predictors of n rows; names and keys are not needed.
    targets : sequence of ndarray of int, shape (n,)
        Levels 0 .. n_levels - 1; -1 where missing.

    Returns
    -------
    ndarray of shape (n_targets, p)
        The between-level F; 0 of what does not vary.
    """
    found = np.zeros((len(targets), len(offered.source)))
    for strength, codes in zip(found, targets, strict=True):
        rows = np.flatnonzero(codes >= 0)
        between, total = _sums_of_squares(offered, codes[rows], rows)
        varies = total > len(rows) * _MIN_DEVIATION**2
        strength[varies] = f_statistics(
            between[varies], total[varies], n_rows=len(rows), n_levels=int(codes.max()) + 1
        )
    return found


def predictors_for(
    offered: FramePredictors, excluded: Sequence[int], codes: np.ndarray, rows: np.ndarray
) -> DesignMatrix:
    """Select the predictors of one candidate, on its rows.

    Parameters
    ----------
    offered : FramePredictors
        All predictors of the frame.
    excluded : sequence of int
        Positions of the candidate and of its equivalent columns.
    codes : ndarray of int, shape (len(rows),)
        Its levels.
    rows : ndarray of int
        Its rows of the sample.

    Returns
    -------
    DesignMatrix
        At most `MAX_PREDICTORS` columns, those with the largest between-level F; centred, without
        constant ones.
    """
    chosen = np.flatnonzero(~np.isin(offered.source, excluded))
    if not len(chosen):
        return offered.select(chosen, rows)
    between, total = _sums_of_squares(offered, codes, rows)
    chosen = chosen[total[chosen] > len(rows) * _MIN_DEVIATION**2]
    n_levels = int(codes.max()) + 1
    n_offered = max(len(chosen) + offered.n_left_out, _FEWEST_OFFERED)
    strength = f_statistics(between, total, n_rows=len(rows), n_levels=n_levels)[chosen]
    most = max(min(MAX_PREDICTORS, _MAX_WEIGHTS // n_levels), _MIN_PREDICTORS)
    limit = load_learned().max_predictor_p
    # Of equal ones the first, so that it is always these.
    best = np.sort(np.argsort(-strength, kind="stable")[:most])
    kept = offered.select(chosen[best], rows)
    is_selected = len(best) < len(chosen) + offered.n_left_out
    kept = replace(kept, X=kept.X - kept.X.mean(axis=0), is_selected=is_selected)
    p_values = _p_values(strength[best], len(rows), n_levels)
    if not (p_values <= limit).any():
        return kept
    keys = offered.keys[:, rows]
    inflation = variance_inflation(kept.X, codes, n_levels, keys)
    p_values = _p_values(strength[best], len(rows), n_levels, inflation)
    is_many = (inflation < LITTLE_INFLATION) | (len(rows) / inflation >= _FEWEST_BLOCKS)
    is_kept = (p_values <= _WEAKER * limit) & is_many
    if not (is_kept & (p_values <= limit)).any():
        return replace(kept, inflation=float(inflation.max()))
    return DesignMatrix(
        kept.X[:, is_kept],
        kept.is_number[is_kept],
        tuple(name for name, used in zip(kept.names, is_kept, strict=True) if used),
        min(p_values[is_kept].min() * n_offered, _NO_P_VALUE),
        float(np.average(inflation[is_kept], weights=strength[best][is_kept])),
    )


def _p_values(
    strength: np.ndarray, n_rows: int, n_levels: int, inflation: np.ndarray | float = 1.0
) -> np.ndarray:
    """Compute the p-values of F statistics, the rows divided by their inflation."""
    within = np.maximum(n_rows / inflation - n_levels, 0.0)
    statistic = strength * within / max(n_rows - n_levels, 1)
    p_values = fdtrc(max(n_levels - 1, 1), np.maximum(within, 1.0), statistic)
    return np.where(within < 1.0, 1.0, p_values)


def _sums_of_squares(
    offered: FramePredictors, codes: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the sums of squares of all predictors, between the levels of a column and in total.

    Costs O(n L) for 64 indicators or for a number.
    """
    n_levels = int(codes.max(initial=-1)) + 1
    groups = np.zeros((n_levels, offered.n_rows), dtype=bool)
    groups[codes, rows] = True
    n_rows = np.bincount(codes, minlength=n_levels)[:, None]
    indicators, numbers = offered.indicators, offered.numbers
    low, high = indicators.low, indicators.high
    held = indicators.counts(groups)
    sums, squares = np.empty((n_levels, len(offered.source))), np.empty(len(offered.source))
    sums[:, ~offered.is_number] = n_rows * low + held * (high - low)
    squares[~offered.is_number] = len(rows) * low**2 + held.sum(axis=0) * (high**2 - low**2)
    sums[:, offered.is_number] = groups.astype(float) @ numbers
    left_out = numbers[~groups.any(axis=0)]
    squares[offered.is_number] = offered.squares - (left_out**2).sum(axis=0)
    correction = sums.sum(axis=0) ** 2 / max(len(rows), 1)
    between = (sums**2 / np.maximum(n_rows, 1)).sum(axis=0) - correction
    return between, squares - correction


def _packed(masks: np.ndarray) -> np.ndarray:
    """Pack each of the masks of rows, shape (q, n), into words of 64 bits: shape (n_words, q)."""
    in_bytes = np.packbits(masks, axis=1)
    padded = np.zeros((len(in_bytes), -(-masks.shape[1] // 64) * 8), dtype=np.uint8)
    padded[:, : in_bytes.shape[1]] = in_bytes
    return np.ascontiguousarray(padded.view(np.uint64).T)
