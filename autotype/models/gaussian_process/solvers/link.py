"""The distribution of the noise on the latent scale: normal (probit) or logistic (logit).

Both have variance 1 here, so that a noise s is a standard deviation with either. A normal latent
value plus normal noise is normal. With logistic noise it has no closed form, but the logistic
distribution is a mixture of normals whose standard deviations follow that of Kolmogorov's
statistic (Andrews and Mallows 1974, Scale mixtures of normal distributions; Stefanski 1991, A
normal scale mixture representation of the logistic distribution). Averages over a normal are sums
over a few components, as accurate for a wide normal as for a narrow one, which Gauss-Hermite nodes
are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

_LEAST_PROBABILITY = 1e-300
_LOGISTIC_DEVIATION = np.pi / np.sqrt(3.0)
# Equal steps in the log of the spread; outside of the ends the density is below 1e-12.
_FIRST_SPREAD, _LAST_SPREAD, _STEP = 0.2, 4.5, 0.18


@dataclass(frozen=True, eq=False)
class Link:
    """A distribution of variance 1, as a mixture of normals of mean 0.

    Attributes
    ----------
    logistic : bool
        Whether it is the logistic distribution, not the normal one; as the kernels read it.
    spread, log_share : ndarray of shape (n_components,)
        Standard deviations of the components and logs of their weights.
    largest_curvature : float
        The largest value of minus the second derivative of the log probability of an interval.
    """

    logistic: bool
    spread: np.ndarray
    log_share: np.ndarray
    largest_curvature: float

    def components(self) -> Iterator[tuple[float, float]]:
        """Iterate over the pairs of standard deviation and log of the weight."""
        return zip(self.spread.tolist(), self.log_share.tolist(), strict=True)

    def mean_distribution(self, at: np.ndarray, variance: np.ndarray | float) -> np.ndarray:
        """Distribution function of the sum of this noise and N(0, variance).

        Examples
        --------
        >>> LOGIT.mean_distribution(np.array([0.0, 1.0]), 0.0).round(6)  # 1 / (1 + exp(-1.8138))
        array([0.5    , 0.85982])
        """
        total = np.zeros(np.broadcast_shapes(np.shape(at), np.shape(variance)))
        for deviation, log_share in self.components():
            total += np.exp(log_share) * ndtr(at / np.sqrt(deviation**2 + variance))
        return total

    def mean_probabilities(self, ends: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """Mean probabilities of the intervals between normal ends.

        Parameters
        ----------
        ends : ndarray of shape (m, L - 1)
            Means of the ends, non-decreasing.
        variance : ndarray of shape (m, L - 1) or (m, 1)
            Their variances.

        Returns
        -------
        ndarray of shape (m, L)
            Positive; rows sum to 1.

        Examples
        --------
        >>> LOGIT.mean_probabilities(np.array([[-1.0, 1.0]]), np.zeros((1, 1))).round(3)
        array([[0.14, 0.72, 0.14]])
        """
        # The smaller side of each end, and from these what is far out, without cancellation.
        tail = self.mean_distribution(-np.abs(ends), variance)
        is_below = ends < 0.0
        nothing, all_of_it = np.zeros((len(ends), 1)), np.ones((len(ends), 1))
        below = np.hstack([nothing, np.where(is_below, tail, 1.0 - tail), all_of_it])
        above = np.hstack([all_of_it, np.where(is_below, 1.0 - tail, tail), nothing])
        starts_above = np.hstack([nothing, ~is_below]) > 0.0
        probability = np.where(starts_above, -np.diff(above), np.diff(below))
        # Different variances may turn an interval over.
        probability = np.maximum(probability, _LEAST_PROBABILITY)
        return probability / probability.sum(axis=1, keepdims=True)

    def mean_density(self, at: np.ndarray, variance: np.ndarray | float) -> np.ndarray:
        """Density of the sum of this noise and N(0, variance)."""
        total = np.zeros(np.broadcast_shapes(np.shape(at), np.shape(variance)))
        for deviation, log_share in self.components():
            square = deviation**2 + variance
            total += np.exp(log_share - 0.5 * at * at / square) / np.sqrt(2.0 * np.pi * square)
        return total


def kolmogorov_density(x: np.ndarray) -> np.ndarray:
    """Density of the limit distribution of Kolmogorov's statistic, to 1e-14 from 0.2 on.

    Parameters
    ----------
    x : ndarray of shape (n,)
        At least 0.2.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> kolmogorov_density(np.array([0.5, 1.0])).round(4)
    array([0.6396, 1.0719])
    """
    k = np.arange(1, 41)[:, None]
    terms = (-1.0) ** (k + 1) * k**2 * np.exp(-2.0 * k**2 * x**2)
    return np.maximum(8.0 * x * terms.sum(axis=0), 0.0)


def _logit() -> Link:
    """Return the logistic distribution: 2 K Z, K Kolmogorov's statistic and Z standard normal."""
    spread = np.exp(np.arange(np.log(_FIRST_SPREAD), np.log(_LAST_SPREAD) + _STEP, _STEP))
    # The trapezoidal rule in the log of the spread converges exponentially.
    share = kolmogorov_density(spread) * spread
    return Link(
        logistic=True,
        spread=2.0 * spread / _LOGISTIC_DEVIATION,
        log_share=np.log(share / share.sum()),
        largest_curvature=0.5 * _LOGISTIC_DEVIATION**2,
    )


PROBIT = Link(logistic=False, spread=np.ones(1), log_share=np.zeros(1), largest_curvature=1.0)
LOGIT = _logit()
