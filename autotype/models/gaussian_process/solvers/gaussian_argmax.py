"""The probability that one of L jointly normal variables is the largest."""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr, ndtri_exp
from scipy.stats import qmc

_N_NODES = 24  # of Gauss and Legendre, where one dimension remains to integrate
_N_POINTS = 128  # of Sobol, where more are
_CHUNK_ROWS = 2_000


def largest_probabilities(mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Probability of each entry to be the largest.

    Parameters
    ----------
    mean : ndarray of shape (m, L)
        Means.
    covariance : ndarray of shape (m, L, L)
        Covariances, positive definite.

    Returns
    -------
    ndarray of shape (m, L)
        Rows sum to 1.

    Notes
    -----
    Exact for L = 2, by quadrature for L = 3 (to about 1e-6), by 128 Sobol points for more (to about
    1e-3). The points are the same for every row, so that a row's result does not depend on the
    other rows.

    References
    ----------
    Genz (1992), Numerical computation of multivariate normal probabilities.

    Examples
    --------
    >>> largest_probabilities(np.array([[1.0, 0.0, 0.0]]), np.eye(3)[None]).round(3)
    array([[0.634, 0.183, 0.183]])
    """
    m, levels = mean.shape
    logs = [
        log_largest_probability(mean, covariance, np.full(m, k, dtype=np.intp))
        for k in range(levels)
    ]
    probability = np.maximum(np.exp(np.stack(logs, axis=1)), 1e-300)
    return probability / probability.sum(axis=1, keepdims=True)


def log_largest_probability(
    mean: np.ndarray, covariance: np.ndarray, which: np.ndarray
) -> np.ndarray:
    """Log probability that entry `which` of each row is the largest, shape (m,).

    Parameters
    ----------
    mean, covariance :
        As in `largest_probabilities`.
    which : ndarray of int, shape (m,)
        Entries 0 .. L - 1.
    """
    rows = np.arange(len(mean))
    levels = mean.shape[1]
    others = np.nonzero(np.arange(levels) != which[:, None])[1].reshape(len(mean), levels - 1)
    at = rows[:, None]
    # P(x_which is the largest) = P(all d > 0), d the differences to the others.
    gap = mean[rows, which][:, None] - mean[at, others]
    with_own = covariance[at, which[:, None], others]
    spread = covariance[at[:, :, None], others[:, :, None], others[:, None, :]]
    spread = spread + covariance[rows, which, which][:, None, None]
    spread = spread - with_own[:, :, None] - with_own[:, None, :]
    points, log_mass = _points(levels - 2)
    result = np.empty(len(mean))
    for first in range(0, len(mean), _CHUNK_ROWS):
        part = slice(first, first + _CHUNK_ROWS)
        result[part] = _log_orthant(gap[part], spread[part], points, log_mass)
    return result


def _points(dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Points in the unit cube and the logs of their weights."""
    if dimension <= 0:
        return np.empty((1, 0)), np.zeros(1)
    if dimension == 1:
        nodes, mass = np.polynomial.legendre.leggauss(_N_NODES)
        return 0.5 * (nodes[:, None] + 1.0), np.log(0.5 * mass)
    points = qmc.Sobol(dimension, scramble=True, rng=0).random(_N_POINTS)
    return points, np.full(_N_POINTS, -np.log(_N_POINTS))


def _log_orthant(
    mean: np.ndarray, covariance: np.ndarray, points: np.ndarray, log_mass: np.ndarray
) -> np.ndarray:
    """Log P(all d > 0), d ~ N(mean, covariance), by Genz' sequence of conditionals."""
    m, size = mean.shape
    spread = np.sqrt(np.einsum("ikk->ik", covariance))
    # The least probable first: what follows then varies least.
    order = np.argsort(mean / spread, axis=1)
    at = np.arange(m)[:, None]
    mean = mean[at, order]
    covariance = covariance[at[:, :, None], order[:, :, None], order[:, None, :]]
    covariance = covariance + np.eye(size) * (1e-10 * np.max(spread, axis=1) ** 2)[:, None, None]
    factor = np.linalg.cholesky(covariance)
    log_prob = np.broadcast_to(log_mass, (m, len(points))).copy()
    drawn = np.empty((m, len(points), size))
    for j in range(size):
        z = mean[:, j, None] + np.einsum("iqk,ik->iq", drawn[:, :, :j], factor[:, j, :j])
        below = log_ndtr(z / factor[:, j, j, None])
        log_prob += below
        if j < size - 1:  # a normal above -z, at the point's share of the remaining mass
            drawn[:, :, j] = -ndtri_exp(np.log(points[:, j]) + below)
    top = log_prob.max(axis=1)
    return top + np.log(np.exp(log_prob - top[:, None]).sum(axis=1))
