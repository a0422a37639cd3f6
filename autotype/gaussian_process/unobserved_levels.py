"""Thresholds for the levels of a scale that do not occur in the training rows.

The likelihood knows nothing about such a level but that it is rare: it would push an outer
threshold to infinity and shrink an inner interval to nothing. Its interval gets the share that half
a row would have instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from autotype.gaussian_process.solvers.ordinal_latent import OrdinalObservations


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
    observed: np.ndarray,
    n_levels: int,
    *,
    mean: np.ndarray,
    deviation: np.ndarray,
    weight: np.ndarray,
) -> np.ndarray:
    """Place the thresholds of unobserved levels between and beyond the learned ones.

    Parameters
    ----------
    thresholds : ndarray of shape (n_observed - 1,)
        Between the observed levels, increasing.
    observed : ndarray of int, shape (n_observed,)
        The observed levels.
    n_levels : int
        Levels on the scale.
    mean, deviation : ndarray of shape (n,)
        Of latent value plus noise at the training rows.
    weight : ndarray of shape (n,)
        Weights of the rows.

    Returns
    -------
    ndarray of shape (n_levels - 1,)
        Strictly increasing and finite.

    Examples
    --------
    >>> rows = {"mean": np.zeros(99), "deviation": np.ones(99), "weight": np.ones(99)}
    >>> complete_thresholds(np.array([0.0]), np.array([0, 1]), 3, **rows).round(2)
    array([0.  , 2.58])
    """
    if len(observed) == n_levels:
        return thresholds
    rows = _Rows(mean, deviation, weight / weight.sum())
    share = 0.5 / (weight.sum() + 1.0)
    step = 0.1 * float(np.min(deviation))
    complete = np.empty(n_levels - 1)
    below, above = int(observed[0]), n_levels - 1 - int(observed[-1])
    # Beyond the outer thresholds: equal shares in the tail, at least a little further out.
    for k in range(below):
        tail = rows.quantile(share * (k + 1) / below)
        complete[k] = min(tail, thresholds[0] - step * (below - k))
    for k in range(above):
        tail = rows.quantile(1.0 - share * (k + 1) / above)
        complete[n_levels - 2 - k] = max(tail, thresholds[-1] + step * (above - k))
    # Between two observed levels: a narrow interval about the threshold.
    for j, threshold in enumerate(thresholds):
        low, high = int(observed[j]), int(observed[j + 1])
        width = min(share / max(rows.density(threshold), 1e-300), step)
        nearest = np.min(np.abs(np.delete(thresholds, j) - threshold), initial=np.inf)
        width = min(width, nearest / (4.0 * (high - low)))
        complete[low:high] = threshold + width * (np.arange(high - low) - 0.5 * (high - low - 1))
    return complete


@dataclass(frozen=True)
class _Rows:
    """Mixture of the rows' predictive distributions on the latent scale, noise included."""

    mean: np.ndarray
    deviation: np.ndarray
    share: np.ndarray

    def quantile(self, probability: float) -> float:
        """Invert the mixture's distribution function by bisection."""
        low = float(np.min(self.mean - 40.0 * self.deviation))
        high = float(np.max(self.mean + 40.0 * self.deviation))
        for _ in range(80):
            middle = 0.5 * (low + high)
            if self.share @ ndtr((middle - self.mean) / self.deviation) < probability:
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    def density(self, at: float) -> float:
        """Density of the mixture."""
        z = (at - self.mean) / self.deviation
        return float(self.share @ (np.exp(-0.5 * z * z) / self.deviation)) / np.sqrt(2.0 * np.pi)
