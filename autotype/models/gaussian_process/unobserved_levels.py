"""Thresholds for the levels of a scale that do not occur in the training rows.

The likelihood knows nothing about such a level but that it is rare: it would push an outer
threshold to infinity and shrink an inner interval to nothing. Its interval gets the
proportion that half a row would have instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from autotype.models.gaussian_process.solvers.link import PROBIT, Link
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


@dataclass(frozen=True, kw_only=True)
class LatentRows:
    """Latent values of the training rows, and the distribution of the noise about them.

    Attributes
    ----------
    mean, variance : ndarray of shape (n,)
        Of the latent values.
    weight : ndarray of shape (n,)
        Weights of the rows.
    noise : float
        s.
    link : Link
        The distribution of the noise.
    """

    mean: np.ndarray
    variance: np.ndarray
    weight: np.ndarray
    noise: float
    link: Link = PROBIT

    @property
    def deviation(self) -> np.ndarray:
        """Standard deviation of latent value plus noise."""
        return np.sqrt(self.variance + self.noise**2)

    def quantile(self, probability: float) -> float:
        """Invert the distribution function of the rows' mixture by bisection."""
        low = float(np.min(self.mean - 40.0 * self.deviation))
        high = float(np.max(self.mean + 40.0 * self.deviation))
        for _ in range(80):
            middle = 0.5 * (low + high)
            below = self.link.mean_distribution(*self._in_noises(middle))
            if self.weight @ below < probability * self.weight.sum():
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    def density(self, at: float) -> float:
        """Density of the rows' mixture."""
        density = self.link.mean_density(*self._in_noises(at)) / self.noise
        return float(self.weight @ density / self.weight.sum())

    def _in_noises(self, at: float) -> tuple[np.ndarray, np.ndarray]:
        """Distance from the rows' means and their variances, in units of the noise."""
        return (at - self.mean) / self.noise, self.variance / self.noise**2


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
    rows: LatentRows,
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
    rows : LatentRows
        Latent values of the training rows, noise and weights.

    Returns
    -------
    ndarray of shape (n_levels - 1,)
        Strictly increasing and finite.

    Examples
    --------
    >>> rows = LatentRows(mean=np.zeros(99), variance=np.zeros(99), weight=np.ones(99), noise=1.0)
    >>> complete_thresholds(np.array([0.0]), np.array([0, 1]), 3, rows).round(2)
    array([0.  , 2.58])
    """
    if len(observed) == n_levels:
        return thresholds
    share = 0.5 / (rows.weight.sum() + 1.0)
    step = 0.1 * float(np.min(rows.deviation))
    complete = np.empty(n_levels - 1)
    below, above = int(observed[0]), n_levels - 1 - int(observed[-1])
    # Beyond the outer thresholds: equal proportions in the tail, at least a little further out.
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
