"""Thresholds for the levels of a scale that do not occur in the training rows.

The likelihood knows nothing about such a level but that it is rare: it would push an outer
threshold to infinity and shrink an inner interval to nothing. Its interval gets the
proportion that half a row would have instead.
"""

from __future__ import annotations

import numpy as np

from autotype.models.gaussian_process.solvers.ordinal_latent import OrdinalObservations


def complete_thresholds(
    thresholds: np.ndarray,
    data: OrdinalObservations,
    *,
    mean: np.ndarray,
    variance: np.ndarray,
    noise: float,
) -> np.ndarray:
    """Place the thresholds of unobserved levels between and beyond the learned ones.

    Parameters
    ----------
    thresholds : ndarray of shape (n_observed - 1,)
        Between the observed levels, increasing.
    data : OrdinalObservations
        Which levels are observed, the weights of the rows and the link.
    mean, variance : ndarray of shape (n,)
        Of the latent values of the training rows.
    noise : float
        s > 0.

    Returns
    -------
    ndarray of shape (n_levels - 1,)
        Strictly increasing and finite.

    Examples
    --------
    >>> ranks, observed, nothing = np.repeat([0, 1], [50, 49]), np.array([0, 1]), np.zeros(99)
    >>> data = OrdinalObservations(ranks, 2, np.ones(99), observed=observed, n_all=3)
    >>> complete_thresholds(
    ...     np.array([0.0]), data, mean=nothing, variance=nothing, noise=1.0
    ... ).round(2)
    array([0.  , 2.58])
    """
    observed, n_levels, weight, link = data.observed, data.n_all, data.weight, data.link
    if observed is None or len(observed) == n_levels:
        return thresholds
    deviation = np.sqrt(variance + noise**2)

    def density(at: float) -> float:  # of the rows' mixture
        values = link.mean_density((at - mean) / noise, variance / noise**2) / noise
        return float(weight @ values / weight.sum())

    def quantile(probability: float) -> float:  # of the rows' mixture, by bisection (bounded)
        low = float(np.min(mean - 40.0 * deviation))
        high = float(np.max(mean + 40.0 * deviation))
        for _ in range(80):
            middle = 0.5 * (low + high)
            below = link.mean_distribution((middle - mean) / noise, variance / noise**2)
            if weight @ below < probability * weight.sum():
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    share = 0.5 / (weight.sum() + 1.0)
    step = 0.1 * float(np.min(deviation))
    complete = np.empty(n_levels - 1)
    below, above = int(observed[0]), n_levels - 1 - int(observed[-1])
    # Beyond the outer thresholds: equal proportions in the tail, at least a little further out.
    for k in range(below):
        tail = quantile(share * (k + 1) / below)
        complete[k] = min(tail, thresholds[0] - step * (below - k))
    for k in range(above):
        tail = quantile(1.0 - share * (k + 1) / above)
        complete[n_levels - 2 - k] = max(tail, thresholds[-1] + step * (above - k))
    # Between two observed levels: a narrow interval about the threshold.
    for j, threshold in enumerate(thresholds):
        low, high = int(observed[j]), int(observed[j + 1])
        width = min(share / max(density(threshold), 1e-300), step)
        nearest = np.min(np.abs(np.delete(thresholds, j) - threshold), initial=np.inf)
        width = min(width, nearest / (4.0 * (high - low)))
        complete[low:high] = threshold + width * (np.arange(high - low) - 0.5 * (high - low - 1))
    return complete
