"""Count dependent rows for what they are: how much they inflate the variance of level means.

Tests of independence take the rows for independent draws. Repeated rows, repeated measures of a
subject and series in time are not: noise then differs between the levels of a column by many times
of what the number of rows suggests. The inflation has a closed form, which only counts where both
columns are dependent along the same rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from autotype.inference.column import Column
from autotype.inference.sampling.row_priority import hash_cells

_FEWEST_GROUPS = 8  # values of a key
_MOST_KEYS = 12
_MOST_ROWS = 25  # per value of a key; columns with more are factors
_PER_LEVEL = 2  # values of a key for each level of a column whose rows it groups
_LAGS = 1 / 3  # of the rows
_DEVIATIONS = 3.0  # of a correlation that is not one by chance
_DEVIATIONS_ALONG = 4.0  # of a weighted sum of autocorrelations
_NEAR = 10  # lags in which dependence shows, if there is any
LITTLE_INFLATION = 1.25  # changes no verdict
_SORTED_BY = 1  # position among the keys
_TINY = 1e-12
_SURPRISING = 10.0  # times more pairs of equal rows than columns of their frequencies have


def grouping_keys(columns: Sequence[Column]) -> np.ndarray:
    """Return the columns whose values may group rows that depend on each other.

    Parameters
    ----------
    columns : sequence of Column
        The columns of the sample, typed by rules.

    Returns
    -------
    ndarray of int, shape (k, n_rows)
        Codes of groups, -1 where missing: first of equal rows, if there are many, then of what the
        rows are sorted by, if anything, then of the keys with most values. The codes of numbers
        follow these.
    """
    found: list[tuple[float, np.ndarray]] = []
    for column in columns:
        if not column.hashable or column.n_distinct < _FEWEST_GROUPS:
            continue
        codes, uniques = column.coded
        n_present = int((codes >= 0).sum())
        if max(_FEWEST_GROUPS, n_present / _MOST_ROWS) <= len(uniques) <= n_present / 2:
            if column.numbers is not None:
                codes = pd.factorize(column.numbers, sort=True)[0]
            else:  # not by first appearance, which depends on the order of the rows
                ranks = np.argsort(np.argsort([str(value) for value in uniques], kind="stable"))
                codes = np.append(ranks, -1)[codes]
            found.append((n_present / len(uniques), codes))
    found.sort(key=lambda item: item[0])
    n_rows = len(columns[0].values) if columns else 0
    of_rows = [_equal_rows(columns, n_rows), _sorted_by(columns, n_rows)]
    keys = [*of_rows, *(codes for _, codes in found[:_MOST_KEYS])]
    return np.array(keys, dtype=np.int32).reshape(len(keys), n_rows)


def _sorted_by(columns: Sequence[Column], n_rows: int) -> np.ndarray:
    """Return groups of rows that are alike since the rows are sorted; -1 if they are not.

    Rows sorted by factors, one within the other, or by a measurement, follow each other for that
    reason alone. Sorted by time or by number, as by a subject with few rows, they may well depend
    on each other.
    """
    factors = []
    for column in columns:
        if not column.hashable or column.n_distinct < 2:
            continue
        codes, uniques = column.coded
        if len(uniques) * _MOST_ROWS <= n_rows:
            factors.append(codes + 1)
        elif column.semantic_type == "continuous" and column.numbers is not None:
            numbers = column.numbers[np.isfinite(column.numbers)]
            steps = np.diff(numbers / (np.abs(numbers).max(initial=0.0) or 1.0))
            is_sorted = (steps >= 0).all() or (steps <= 0).all()
            if is_sorted and len(np.unique(steps.round(9))) > _FEWEST_GROUPS:
                return np.arange(n_rows) // _MOST_ROWS
    groups, is_finer = np.zeros(n_rows, dtype=int), True
    while is_finer:
        is_finer = False
        for codes in factors:
            within = groups * (codes.max() + 1) + codes
            n_runs = 1 + np.count_nonzero(np.diff(within))
            if groups[-1] + 1 < n_runs <= n_rows / _MOST_ROWS and n_runs == len(np.unique(within)):
                groups = np.cumsum(np.diff(within, prepend=within[:1]) != 0)
                is_finer = True
    return groups if groups[-1:].any() else np.full(n_rows, -1)


def _equal_rows(columns: Sequence[Column], n_rows: int) -> np.ndarray:
    """Return a code for each set of equal rows; -1 unless far more are equal than by chance."""
    hashes, log_chance = np.zeros(n_rows, dtype=np.uint64), 0.0
    for column in columns:
        if not column.hashable:
            return np.full(n_rows, -1)
        if column.n_distinct < 2:
            continue
        codes, uniques = column.coded
        if len(uniques) > 0.9 * len(codes):
            continue  # the number of the row
        counts = np.bincount(codes + 1, minlength=len(uniques) + 1) / max(len(codes), 1)
        log_chance += math.log(max(float(counts @ counts), 1e-300))
        hashes += hash_cells(np.arange(len(uniques) + 1.0), codes, seed=column.position)
    groups = pd.factorize(hashes)[0]
    sizes = np.bincount(groups).astype(float)
    pairs = float(sizes @ (sizes - 1))
    repeated = sizes[sizes > 1].sum() > 0.5 * n_rows
    surprising = pairs > _SURPRISING * math.exp(log_chance) * n_rows * (n_rows - 1)
    return groups if repeated and surprising else np.full(n_rows, -1)


def variance_inflation(
    X: np.ndarray, codes: np.ndarray, n_levels: int, keys: np.ndarray
) -> np.ndarray:
    """Compute by how much dependent rows inflate the variance of the level means of predictors.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Predictors, their rows in the order of the frame's.
    codes : ndarray of int, shape (n,)
        Levels 0 .. n_levels - 1 of a column.
    n_levels : int
    keys : ndarray of int, shape (k, n)
        See `grouping_keys`.

    Returns
    -------
    ndarray of shape (p,)
        At least 1. The n rows say as much as n divided by it, of independent ones.

    Notes
    -----
    Along the rows, 1 + 2 sum r_x(k) r_y(k) over lags k, of the autocorrelations of predictor and
    levels; by a key, 1 + (m - 1) i_x i_y, of their correlations within a group and the number m of
    rows in the group of a row. Where the levels are what the rows are arranged by, sorted or in
    turn as in a design, the autocorrelation of the predictor is that within levels; where it is
    other factors or a measurement, it is that of what these leave. Sums that are small, or
    that chance explains, count as 0.

    References
    ----------
    Bartlett (1935), Some aspects of the time-correlation problem in regard to tests of
    significance. Kish (1965), Survey sampling.
    """
    X = X - X.mean(axis=0)
    levels = (codes[:, None] == np.arange(n_levels)).astype(float)
    levels -= levels.mean(axis=0)
    covariance = levels.T @ levels
    square = np.trace(covariance)
    of_levels = _autocorrelation(levels, square).sum(axis=1)
    n_series = square**2 / max((covariance**2).sum(), _TINY)
    inflation = np.ones(X.shape[1])
    if _depend_along(of_levels[:, None], len(X) * n_series).any():
        base, along = X, _within(X, keys[_SORTED_BY])
        if _is_arranged(codes, n_levels):
            base = along = _within(X, codes)
        of_predictors = _autocorrelation(along, (base**2).sum(axis=0))
        found = 1.0 + 2.0 * of_levels @ of_predictors
        is_there = _depend_along(of_predictors, len(X)) & (found >= LITTLE_INFLATION)
        inflation = np.where(is_there, found, 1.0)
    for k, key in enumerate(keys):
        if k == _SORTED_BY:
            continue
        if k == 0 or key.max(initial=-1) + 1 >= _PER_LEVEL * n_levels:
            inflation = np.maximum(inflation, _within_groups(X, codes, n_levels, key))
    return np.maximum(inflation, 1.0)


def _within(X: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Subtract the means of groups of rows; the group -1 is no other than the rest."""
    sums = np.zeros((groups.max() + 2, X.shape[1]))
    np.add.at(sums, groups + 1, X)
    return X - (sums / np.bincount(groups + 1).clip(1)[:, None])[groups + 1]


def _is_arranged(codes: np.ndarray, n_levels: int) -> bool:
    """Check for rows sorted by their level, or levels that follow each other in turn."""
    if np.count_nonzero(np.diff(codes)) == n_levels - 1:
        return True
    periods = 1 + np.flatnonzero(codes[1 : int(len(codes) * _LAGS)] == codes[0])
    return any(np.array_equal(codes[period:], codes[:-period]) for period in periods.tolist())


def _depend_along(correlations: np.ndarray, n_values: float) -> np.ndarray:
    """Check, for each series, whether autocorrelations at near or at all lags are not by chance.

    Several series of levels count as the number of them that are independent.
    """
    is_there = np.zeros(correlations.shape[1], dtype=bool)
    for n_lags in (min(_NEAR, len(correlations)), len(correlations)):
        weights = 1.0 - np.arange(n_lags) / max(n_lags, 1)
        by_chance = np.sqrt((weights**2).sum() / n_values)
        is_there |= weights @ correlations[:n_lags] > _DEVIATIONS_ALONG * by_chance
    return is_there


def _autocorrelation(values: np.ndarray, square: np.ndarray | float) -> np.ndarray:
    """Return the autocorrelations of centred series with this sum of squares, from lag 1 on."""
    n_lags = int(len(values) * _LAGS)
    size = 1 << (len(values) + n_lags).bit_length()
    spectrum = np.abs(np.fft.rfft(values, size, axis=0)) ** 2
    return np.fft.irfft(spectrum, size, axis=0)[1 : max(n_lags, 1)] / np.maximum(square, _TINY)


def _within_groups(X: np.ndarray, codes: np.ndarray, n_levels: int, key: np.ndarray) -> np.ndarray:
    """Compute the inflation by a key, from the correlation of pairs of rows of a group.

    That of pairs in neighbouring groups is subtracted: along a measurement both are alike, and
    what depends on it smoothly is no repetition.
    """
    held = key >= 0
    places = key[held] * n_levels + codes[held]
    n_groups = int(key.max(initial=-1)) + 1
    of_levels = np.bincount(places, minlength=n_groups * n_levels).reshape(n_groups, n_levels)
    of_levels = of_levels[of_levels.any(axis=1)].astype(float)
    sizes = of_levels.sum(axis=1)
    n_rows = max(sizes.sum(), 1.0)
    pairs, across = float(sizes @ (sizes - 1)), float(sizes[1:] @ sizes[:-1])
    if len(sizes) < 2 or not pairs:
        return np.ones(X.shape[1])
    by_chance = _DEVIATIONS / np.sqrt(len(sizes))

    def correlation(sums: np.ndarray, squares: np.ndarray, axis: int | None = None) -> np.ndarray:
        spread = np.maximum(squares / n_rows, _TINY)
        same = ((sums**2).sum(axis=axis) - squares) / pairs / spread
        near = (sums[1:] * sums[:-1]).sum(axis=axis) / across / spread
        return np.clip(same - np.where(near > by_chance, near, 0.0), 0.0, 1.0)

    share = of_levels.sum(axis=0) / n_rows
    by_level = correlation(of_levels - sizes[:, None] * share, n_rows * (1.0 - share @ share))
    if not by_level:  # of most keys, whatever the predictors
        return np.ones(X.shape[1])
    values = X[held] - X[held].mean(axis=0)
    starts = np.cumsum(sizes, dtype=np.intp) - sizes.astype(np.intp)
    sums = np.add.reduceat(values[np.argsort(key[held], kind="stable")], starts, axis=0)
    return 1.0 + pairs / n_rows * correlation(sums, (values**2).sum(axis=0), 0) * by_level
