"""Thresholds for the levels of a scale that do not occur in the training rows.

The likelihood knows nothing about such a level but that it is rare: it would push an outer
threshold to infinity and shrink an inner interval to nothing. Its interval gets the
proportion that half a row would have instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from autotype.models.gaussian_process.solvers.ordinal_latent import OrdinalObservations


@dataclass(frozen=True)
class OrdinalTraining:
    """The training rows of an ordinal model, and the levels that occur in them.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Features.
    observations : OrdinalObservations
        Dense ranks of the observed levels, and weights.
    observed : ndarray of int
        The observed levels, increasing.
    n_levels : int
        Levels on the scale.
    """

    X: np.ndarray
    observations: OrdinalObservations
    observed: np.ndarray
    n_levels: int

    def take(self, rows: np.ndarray) -> OrdinalTraining:
        """Select rows, some of every observed level, by their numbers."""
        return replace(self, X=self.X[rows], observations=self.observations.take(rows))


def observed_ranks(ranks: np.ndarray, n_levels: int) -> tuple[np.ndarray, np.ndarray]:
    """Renumber the observed levels without gaps.

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
    training: OrdinalTraining,
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
    training : OrdinalTraining
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
    >>> data = OrdinalObservations(np.repeat([0, 1], [50, 49]), 2, np.ones(99))
    >>> training = OrdinalTraining(np.zeros((99, 1)), data, np.array([0, 1]), 3)
    >>> nothing = np.zeros(99)
    >>> complete_thresholds(
    ...     np.array([0.0]), training, mean=nothing, variance=nothing, noise=1.0
    ... ).round(2)
    array([0.  , 2.58])
    """
    observed, n_levels = training.observed, training.n_levels
    if len(observed) == n_levels:
        return thresholds
    weight, link = training.observations.weight, training.observations.link
    deviation = np.sqrt(variance + noise**2)

    def density(at: float) -> float:  # of the rows' mixture
        values = link.mean_density((at - mean) / noise, variance / noise**2) / noise
        return float(weight @ values / weight.sum())

    def quantile(probability: float) -> float:  # of the rows' mixture, by bisection
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
