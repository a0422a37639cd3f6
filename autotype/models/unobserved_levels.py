"""Thresholds for levels that a scale has and the training rows have not.

The likelihood says nothing about such a level beyond "rare": it would push an outer threshold to
infinity and an inner interval to nothing. It gets instead the share that half a row would have.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri


def observed_ranks(ranks: np.ndarray, n_levels: int) -> tuple[np.ndarray, np.ndarray]:
    """Number the observed levels without gaps.

    Parameters
    ----------
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_levels - 1.
    n_levels : int
        Levels on the scale.

    Returns
    -------
    observed : ndarray of int
        The levels that occur, increasing.
    dense : ndarray of int, shape (n,)
        Position of each row's level among them.

    Examples
    --------
    >>> observed_ranks(np.array([0, 3, 3]), 5)
    (array([0, 3]), array([0, 1, 1]))
    """
    present = np.bincount(ranks, minlength=n_levels) > 0
    observed = np.flatnonzero(present)
    return observed, (np.cumsum(present) - 1)[ranks]


def complete_thresholds(
    thresholds: np.ndarray,
    observed: np.ndarray,
    n_levels: int,
    *,
    centre: float,
    spread: float,
    n_rows: float,
) -> np.ndarray:
    """Place the thresholds of unobserved levels between and beyond the learnt ones.

    Parameters
    ----------
    thresholds : ndarray of shape (n_observed - 1,)
        Between the observed levels, increasing.
    observed : ndarray of int, shape (n_observed,)
        The observed levels.
    n_levels : int
        Levels on the scale.
    centre, spread : float
        Mean and standard deviation of latent value plus noise over the training rows.
    n_rows : float
        Rows, or the sum of their weights.

    Returns
    -------
    ndarray of shape (n_levels - 1,)
        Strictly increasing and finite.

    Examples
    --------
    >>> complete_thresholds(
    ...     np.array([0.0]), np.array([0, 1]), 3, centre=0.0, spread=1.0, n_rows=100
    ... ).round(2)
    array([0.  , 2.58])
    """
    share = 0.5 / (n_rows + 1.0)
    complete = np.empty(n_levels - 1)
    below, above = observed[0], n_levels - 1 - observed[-1]
    # Beyond the outer thresholds: equal shares in the tail, at least a little further out.
    step = 0.1 * spread
    for k in range(below):
        tail = centre + spread * ndtri(share * (k + 1))
        complete[k] = min(tail, thresholds[0] - step * (below - k))
    for k in range(above):
        tail = centre - spread * ndtri(share * (k + 1))
        complete[n_levels - 2 - k] = max(tail, thresholds[-1] + step * (above - k))
    # Between two observed levels: split the threshold in the middle of the gap.
    for j, threshold in enumerate(thresholds):
        low, high = observed[j], observed[j + 1]
        n_between = high - low  # thresholds low .. high - 1
        density = np.exp(-0.5 * ((threshold - centre) / spread) ** 2) / (2.5 * spread)
        width = share / max(density, share / (0.1 * spread))
        limit = np.min(np.abs(np.delete(thresholds, j) - threshold), initial=np.inf) / 4.0
        width = min(width, limit / n_between)
        offsets = np.arange(n_between) - 0.5 * (n_between - 1)
        complete[low:high] = threshold + width * offsets
    return complete
