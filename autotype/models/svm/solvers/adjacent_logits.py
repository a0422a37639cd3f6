"""Probabilities of ranks from scores: logits of adjacent ranks, calibrated by maximum likelihood.

The log odds of rank k + 1 against rank k are a d_k + b_k, where d_k is the difference of the two
ranks' scores, a >= 0 one slope for all and b_k an offset each. With b = 0 this is the softmax at a
temperature of 1/a, and the most probable rank has the largest score.

Each rank has one parameter and all share the slope, since a small sample has few rows of each rank;
calibrating each rank by itself, as one against the rest, would also ignore the order of the ranks.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax

# Variances of the normal priors: offsets of the order of 1, and a slope, in units of the
# differences' root mean square, that separable rows would send to infinity.
_OFFSET_VARIANCE = 1.0
_SLOPE_VARIANCE = 100.0


def fit_adjacent_logits(
    differences: np.ndarray, ranks: np.ndarray, weights: np.ndarray
) -> tuple[float, np.ndarray]:
    """Fit slope and offsets by penalised maximum likelihood, a convex problem.

    Parameters
    ----------
    differences : ndarray of shape (n, n_ranks - 1)
        Differences of the scores of adjacent ranks, of rows that the scores were not fitted to.
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_ranks - 1; not all have to occur.
    weights : ndarray of shape (n,)
        Weights of the rows, >= 0, not all 0.

    Returns
    -------
    slope : float
        a >= 0.
    offsets : ndarray of shape (n_ranks - 1,)
        b.

    Notes
    -----
    Both penalties fade as rows are added. O(n n_ranks) a step of L-BFGS-B, some tens of steps.
    """
    total = weights.sum()
    largest = np.abs(differences).max(initial=0.0)
    proportion = weights / total
    squares = np.mean((differences / (largest or 1.0)) ** 2, axis=1)
    unit = largest * np.sqrt(proportion @ squares) or 1.0
    scaled = differences / unit
    above = ranks[:, None] > np.arange(differences.shape[1])
    variances = np.r_[_SLOPE_VARIANCE, np.full(differences.shape[1], _OFFSET_VARIANCE)]
    start = np.r_[1.0, np.zeros(differences.shape[1])]
    solution = minimize(
        _objective,
        start,
        args=(scaled, above, proportion, 1.0 / (total * variances)),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None), *[(None, None)] * differences.shape[1]],
        options={"ftol": 1e-14, "gtol": 1e-9, "maxiter": 1000},
    )
    return float(solution.x[0] / unit), solution.x[1:]


def adjacent_probabilities(
    slope: float, offsets: np.ndarray, differences: np.ndarray
) -> np.ndarray:
    """Return the probabilities of the ranks: shape (n, n_ranks), rows sum to 1.

    Parameters
    ----------
    slope : float
        a.
    offsets : ndarray of shape (n_ranks - 1,)
        b.
    differences : ndarray of shape (n, n_ranks - 1)
        d.
    """
    return np.exp(_log_probabilities(slope * differences + offsets))


def _objective(
    parameters: np.ndarray,
    differences: np.ndarray,
    above: np.ndarray,
    proportion: np.ndarray,
    penalty: np.ndarray,
) -> tuple[float, np.ndarray]:
    """Compute the penalised mean negative log likelihood and its gradient by slope and offsets."""
    log_probability = _log_probabilities(parameters[0] * differences + parameters[1:])
    own = log_probability[np.arange(len(above)), above.sum(axis=1)]
    value = -proportion @ own + 0.5 * penalty @ parameters**2
    # The derivative by a logit is P(rank > k) - [rank > k].
    exceeding = np.exp(log_probability)[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
    slopes = proportion[:, None] * (exceeding - above)
    gradient = np.r_[np.sum(slopes * differences), slopes.sum(axis=0)]
    return float(value), gradient + penalty * parameters


def _log_probabilities(logits: np.ndarray) -> np.ndarray:
    scores = np.hstack([np.zeros((len(logits), 1)), np.cumsum(logits, axis=1)])
    return log_softmax(scores, axis=1)
