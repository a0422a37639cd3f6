"""The ranked probability score, and the average of distributions that minimises it.

The score is a square of cumulative probabilities, so that the best average of given distributions
is a convex quadratic program over the simplex: it has one optimum, and needs no search. The average
is then made as certain as its errors allow, and each cut as probable.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import cholesky
from scipy.optimize import minimize, nnls
from scipy.special import expit, logit

_LEAST_WEIGHT = 0.03  # a member below it costs more than it adds
_MOST = 2.0  # sharpness and factor of odds, and its inverse the least
# Rows that the belief in a sharpness of 1, and in offsets of 0, is worth.
_SHARPNESS_ROWS, _OFFSET_ROWS = 40, 80
_FAR = 20.0  # log odds, beyond which a probability is certain
_RIDGE = 1e-9  # of the mean squared error: two equal members share their weight


def ranked_probability_scores(probabilities: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Compute the mean squared distance of cumulative probabilities from the truth, per row.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_levels)
        Probabilities of the ranks; rows sum to 1.
    ranks : ndarray of int, shape (n,)
        The true ranks.

    Returns
    -------
    ndarray of shape (n,)
        In [0, 1]; 0 is best.

    Examples
    --------
    >>> ranked_probability_scores(np.array([[0.5, 0.5, 0.0]]), np.array([0]))
    array([0.125])
    """
    return (cumulative_errors(probabilities, ranks) ** 2).mean(axis=1)


def cumulative_errors(probabilities: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Subtract the true from the predicted cumulative probabilities: shape (n, n_levels - 1)."""
    cuts = np.arange(probabilities.shape[1] - 1)
    return np.cumsum(probabilities, axis=1)[:, :-1] - (ranks[:, None] <= cuts)


def best_weights(
    distributions: Sequence[np.ndarray], ranks: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Compute the weights of the average with the least ranked probability score.

    Parameters
    ----------
    distributions : sequence of k ndarrays of shape (n, n_levels)
        Probabilities of held-out rows, by each member.
    ranks : ndarray of int, shape (n,)
        The true ranks.
    weights : ndarray of shape (n,)
        Weights of the rows, >= 0.

    Returns
    -------
    ndarray of shape (k,)
        Non-negative, sum 1. Members that would weigh less than 0.03 have weight 0.

    Notes
    -----
    With the errors E_k of the members, the score of the average is w'Gw, G the weighted products of
    the E_k. The minimum over the simplex is that of ||R v||^2 + (sum v - 1)^2 over v >= 0, G = R'R,
    scaled to the sum 1: for v = s w the best s leaves q / (1 + q), which increases with q = w'Gw.

    Examples
    --------
    >>> right, wrong = np.array([[0.9, 0.1]]), np.array([[0.2, 0.8]])
    >>> best_weights([right, wrong], np.array([0]), np.ones(1))
    array([1., 0.])
    """
    root = np.sqrt(weights)[:, None]
    errors = np.array([(cumulative_errors(p, ranks) * root).ravel() for p in distributions])
    products = errors @ errors.T
    kept = np.arange(len(products))
    while True:
        found = _least_on_simplex(products[np.ix_(kept, kept)])
        if found.min() >= _LEAST_WEIGHT or len(kept) == 1:
            break
        # The largest stays whatever it is, for there is no average of nothing.
        kept = kept[(found >= _LEAST_WEIGHT) | (found == found.max())]
    result = np.zeros(len(products))
    result[kept] = found
    return result


def _least_on_simplex(products: np.ndarray) -> np.ndarray:
    """Minimise w'Gw over w >= 0 with the sum 1."""
    k = len(products)
    scale = np.trace(products) / k
    if not scale > 0:  # all members are right
        return np.full(k, 1.0 / k)
    factor = cholesky(products / scale + _RIDGE * np.eye(k))
    solution, _ = nnls(np.vstack([factor, np.ones(k)]), np.append(np.zeros(k), 1.0))
    return solution / solution.sum()


def recalibrated(probabilities: np.ndarray, sharpness: float, offsets: np.ndarray) -> np.ndarray:
    """Multiply the log odds of cumulative probabilities by a factor, and add an offset to each cut.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_levels)
        Rows sum to 1.
    sharpness : float
        > 0; above 1 the probabilities become more certain.
    offsets : ndarray of shape (n_levels - 1,)
        Above 0 the levels up to the cut become more probable.

    Returns
    -------
    ndarray of shape (n, n_levels)
        Rows sum to 1. Cuts that offsets bring out of order meet between.

    Examples
    --------
    >>> recalibrated(np.array([[0.2, 0.6, 0.2]]), 2.0, np.zeros(2)).round(3)
    array([[0.059, 0.882, 0.059]])
    """
    below = np.clip(np.cumsum(probabilities, axis=1)[:, :-1], 0.0, 1.0)
    above = fall_monotonically(expit(-(sharpness * logit(below) + offsets)))
    return -np.diff(above, axis=1, prepend=1.0, append=0.0)


def best_recalibration(
    probabilities: np.ndarray, ranks: np.ndarray, weights: np.ndarray
) -> tuple[float, np.ndarray]:
    """Compute the sharpness and offsets of probabilities with the least ranked probability score.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_levels)
        Of held-out rows.
    ranks : ndarray of int, shape (n,)
        The true ranks.
    weights : ndarray of shape (n,)
        Weights of the rows, >= 0.

    Returns
    -------
    sharpness : float
        From 1/2 to 2, near 1 where rows are few.
    offsets : ndarray of shape (n_levels - 1,)
        Between -log 2 and log 2, near 0 where rows are few.

    Notes
    -----
    An average of calibrated distributions is less certain than it could be. The square of the
    logarithm, weighted as 40 rows in the mean score, holds a sharpness near 1; the mean square of
    the offsets, as 80 rows, these near 0.

    References
    ----------
    Ranjan and Gneiting (2010), Combining probability forecasts, JRSS B 72.
    """
    n_cuts = probabilities.shape[1] - 1
    errors = cumulative_errors(probabilities, ranks)
    plain = weights @ (errors**2).sum(axis=1)
    if not plain > 0:
        return 1.0, np.zeros(n_cuts)
    below = np.cumsum(probabilities, axis=1)[:, :-1]
    true, shares = np.round(below - errors), weights[:, None] / plain
    log_odds = np.clip(logit(np.clip(below, 0.0, 1.0)), -_FAR, _FAR)
    belief = np.append(_SHARPNESS_ROWS, np.full(n_cuts, _OFFSET_ROWS / n_cuts)) / len(ranks)

    def loss(logs: np.ndarray) -> tuple[float, np.ndarray]:
        sharpness = np.exp(logs[0])
        moved = expit(sharpness * log_odds + logs[1:])
        errors = moved - true
        slopes = 2 * shares * errors * moved * (1 - moved)
        slope = np.append(sharpness * (slopes * log_odds).sum(), slopes.sum(axis=0))
        return (shares * errors**2).sum() + belief @ logs**2, slope + 2 * belief * logs

    ends = [(-np.log(_MOST), np.log(_MOST))] * (1 + n_cuts)
    found = minimize(loss, np.zeros(1 + n_cuts), jac=True, method="L-BFGS-B", bounds=ends).x
    return float(np.exp(found[0])), found[1:]


def fall_monotonically(above: np.ndarray) -> np.ndarray:
    """Replace probabilities that rise from one cut to the next: shape (n, n_cuts).

    The mean of the least falling values that are nowhere smaller and the largest that are nowhere
    larger; falling values stay as they are.

    Examples
    --------
    >>> fall_monotonically(np.array([[0.5, 0.75, 0.25]]))
    array([[0.625, 0.625, 0.25 ]])
    """
    larger = np.maximum.accumulate(above[:, ::-1], axis=1)[:, ::-1]
    smaller = np.minimum.accumulate(above, axis=1)
    return (larger + smaller) / 2
