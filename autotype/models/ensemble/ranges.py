"""Ranges of neighbouring levels that hold the true one with a stated probability.

Conformal prediction: the ranges of held-out rows are made as wide as the coverage needs, so that it
holds on average over rows like those of the fit, however wrong the probabilities are.
"""

from __future__ import annotations

import numpy as np


def outside_masses(probabilities: np.ndarray) -> np.ndarray:
    """Compute how much probability the nested ranges hold before they reach each level.

    The first range is the median level. The more probable neighbour joins next, the lower one of
    two equal ones.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_levels)
        Rows sum to 1.

    Returns
    -------
    ndarray of shape (n, n_levels)
        0 at the median level.

    Examples
    --------
    >>> outside_masses(np.array([[0.25, 0.5, 0.125, 0.125]]))
    array([[0.5  , 0.   , 0.75 , 0.875]])
    """
    n, n_levels = probabilities.shape
    rows = np.arange(n)
    low = (np.cumsum(probabilities, axis=1)[:, :-1] < 0.5).sum(axis=1)
    high = low.copy()
    held = probabilities[rows, low].copy()
    masses = np.zeros((n, n_levels))
    framed = np.pad(probabilities, ((0, 0), (1, 1)), constant_values=-1.0)
    for _ in range(n_levels - 1):
        downwards = framed[rows, low] >= framed[rows, high + 2]
        low, high = low - downwards, high + ~downwards
        joined = np.where(downwards, low, high)
        masses[rows, joined] = held
        held += probabilities[rows, joined]
    return masses


def coverage_limit(
    probabilities: np.ndarray, ranks: np.ndarray, weights: np.ndarray, coverage: float
) -> float:
    """Compute the largest mass that a level of a range may have before it.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_levels)
        Of held-out rows.
    ranks : ndarray of int, shape (n,)
        Their true ranks.
    weights : ndarray of shape (n,)
        Their weights, >= 0.
    coverage : float
        In (0, 1).

    Returns
    -------
    float
        The conformal quantile; infinite where the rows are too few for the coverage.
    """
    masses = outside_masses(probabilities)[np.arange(len(ranks)), ranks]
    order = np.argsort(masses, kind="stable")
    reached = np.cumsum(weights[order])
    # One more row, the new one, whose mass may be the largest.
    needed = coverage * (reached[-1] + reached[-1] / len(ranks))
    place = np.searchsorted(reached, needed * (1 - 1e-12))
    return float(masses[order][place]) if place < len(order) else np.inf


def ranges_within(probabilities: np.ndarray, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and the highest rank of the range of each row.

    Examples
    --------
    >>> low, high = ranges_within(np.array([[0.25, 0.5, 0.125, 0.125]]), 0.6)
    >>> low.item(), high.item()
    (0, 1)
    """
    inside = outside_masses(probabilities) <= limit
    n_levels = probabilities.shape[1]
    return inside.argmax(axis=1), n_levels - 1 - inside[:, ::-1].argmax(axis=1)
