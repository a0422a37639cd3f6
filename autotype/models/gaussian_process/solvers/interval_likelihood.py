"""The probability of a rank, an interval of the latent scale: two links, safe in both tails.

For a latent value f and noise 1 a rank with upper threshold b and lower threshold b' has the
probability F(a) - F(c) with a = b - f and c = b' - f (Chu and Ghahramani 2005, Gaussian processes
for ordinal regression, eq. (3)). F is the distribution function of the noise: normal (probit) or
logistic (logit). The outer thresholds are infinite.

Both links have variance 1 here, so that a noise s is a standard deviation with either. A normal
latent value plus normal noise is normal. With logistic noise it has no closed form, but the
logistic distribution is a mixture of normals whose standard deviations follow that of Kolmogorov's
statistic (Andrews and Mallows 1974, Scale mixtures of normal distributions; Stefanski 1991, A
normal scale mixture representation of the logistic distribution). Averages over a normal are sums
over a few components, as accurate for a wide normal as for a narrow one, which Gauss-Hermite nodes
are not.

A row of weight w < 1 contributes p(y | f)^w, whose product with a normal density has no closed
form. It is log-concave in f, so Gauss-Legendre panels between its mode and where it vanishes
integrate it to ten digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from autotype.models.gaussian_process.solvers._interval_likelihood_fast import (
    interval_log_probabilities,
    interval_terms,
)

_LEAST_PROBABILITY = 1e-300
_LOGISTIC_DEVIATION = np.pi / np.sqrt(3.0)
# Equal steps in the log of the spread; outside of the ends the density is below 1e-12.
_FIRST_SPREAD, _LAST_SPREAD, _STEP = 0.2, 4.5, 0.18
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_SMALLEST_RATIO = 1e-100  # for 0, where the likelihood is constant: its bends are far away
_LAST_DROP = 36.0  # nats below the mode from where on the product counts as 0
_SHARES = 0.5 ** np.arange(6)  # of the way from the mode to there: ends of the panels
_NEAR_ENDS = np.array([-6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0])  # the likelihood bends here
_BISECTIONS = 60  # wide normals meet likelihoods that bend suddenly
_LEAST_WIDTH = 1e-9  # of an interval, in deviations of the noise


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


def log_interval_probability(a: np.ndarray, c: np.ndarray, link: Link = PROBIT) -> np.ndarray:
    """Compute log(F(a) - F(c)) for a > c without cancellation.

    Parameters
    ----------
    a, c : ndarray of the same shape
        Upper and lower ends; +inf and -inf are allowed. Where a <= c the value is -inf.
    link : Link
        Whose distribution function F is.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import numpy as np
    >>> log_interval_probability(np.array([9.0]), np.array([8.0])).round(4)
    array([-35.0136])
    """
    log_prob = np.empty(np.shape(a))
    upper = np.ascontiguousarray(a, dtype=np.float64).reshape(-1)
    lower = np.ascontiguousarray(c, dtype=np.float64).reshape(-1)
    interval_log_probabilities(upper, lower, link.logistic, log_prob.reshape(-1))
    return log_prob


def mean_log_probability(
    a: np.ndarray,
    c: np.ndarray,
    variance_a: np.ndarray,
    variance_c: np.ndarray,
    link: Link = PROBIT,
) -> np.ndarray:
    """Compute the log of the mean of F(a) - F(c) over normal ends.

    Parameters
    ----------
    a, c : ndarray of the same shape
        Means of the ends; infinite ones are allowed.
    variance_a, variance_c : ndarray
        Their variances, >= 0, broadcast to the shape of the means.
    link : Link
        Whose distribution function F is.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import numpy as np
    >>> mean_log_probability(np.ones(1), np.array([-np.inf]), 3 * np.ones(1), np.ones(1)).round(4)
    array([-0.3689])
    """
    total = None
    for deviation, log_share in link.components():
        upper = a / np.sqrt(deviation**2 + variance_a)
        # Different variances may turn an interval over, which is then an empty one.
        lower = np.minimum(c / np.sqrt(deviation**2 + variance_c), upper - _LEAST_WIDTH)
        part = log_interval_probability(upper, lower) + log_share
        total = part if total is None else np.logaddexp(total, part)
    return np.asarray(total)


def starting_thresholds(counts: np.ndarray) -> np.ndarray:
    """Return the probits of the cumulative proportions, strictly increasing.

    Parameters
    ----------
    counts : ndarray of shape (L,)
        Weighted number of rows of each rank.

    Returns
    -------
    ndarray of shape (L - 1,)

    Examples
    --------
    >>> import numpy as np
    >>> starting_thresholds(np.array([10.0, 0.0, 10.0])).round(3)
    array([0.   , 0.001])
    """
    # Half a row more on each side keeps the probits finite, 1e-3 equal ones apart.
    share = (np.cumsum(counts)[:-1] + 0.5) / (counts.sum() + 1.0)
    return ndtri(share) + 1e-3 * np.arange(len(share))


def interval_likelihood(a: np.ndarray, c: np.ndarray, link: Link = PROBIT) -> np.ndarray:
    """Compute log probability, gradient and negative Hessian of intervals (c, a).

    Parameters
    ----------
    a, c : ndarray of the same shape
        Upper and lower ends, a > c; +inf and -inf are allowed.
    link : Link
        Whose distribution function F is.

    Returns
    -------
    ndarray of shape (6, ...)
        Finite wherever a > c: log P = log(F(a) - F(c)); F'(a)/P and F'(c)/P, both >= 0, the
        derivative of log P in a, and minus that in c; the entries aa, cc and ac of the *negative*
        Hessian of log P, which is positive semi-definite.

    Notes
    -----
    With pa = F'(a)/P and pc = F'(c)/P the negative Hessian is aa: a pa + pa^2, cc: -c pc + pc^2,
    ac: -pa pc, where F is normal. The logistic function L has L(a) - L(c) = L(a) L(-c)
    (1 - exp(c - a)), whose log is a sum of functions of a, c and a - c. The terms of an infinite
    end vanish.
    """
    terms = np.empty((6, np.size(a)))
    upper = np.ascontiguousarray(a, dtype=np.float64).reshape(-1)
    lower = np.ascontiguousarray(c, dtype=np.float64).reshape(-1)
    interval_terms(upper, lower, link.logistic, terms)
    return terms.reshape(6, *np.shape(a))


def tempered_moments(
    upper: np.ndarray,
    lower: np.ndarray,
    ratio: np.ndarray,
    power: np.ndarray,
    *,
    link: Link = PROBIT,
) -> np.ndarray:
    """Integrate N(x; 0, 1) [F(upper - ratio x) - F(lower - ratio x)]^power.

    Parameters
    ----------
    upper, lower : ndarray of shape (k,)
        Ends of the interval at x = 0 in units of the noise; infinite ones are allowed.
    ratio : ndarray of shape (k,)
        The normal's standard deviation in units of the noise, > 0.
    power : ndarray of shape (k,)
        w, in (0, 1].
    link : Link
        Whose distribution function F is.

    Returns
    -------
    ndarray of shape (7, k)
        Log of the integral; variance of x; mean of d log p / dx, where p is the probability in
        brackets: w times it is the mean of x; covariance of x and d log p / dx, <= 0: w times it is
        the variance less 1; means of the derivatives of log p in its upper end, of minus that in
        its lower end, and of that in the log of a noise which divides both.

    Examples
    --------
    A power of 1 has a closed form with the probit link, here Phi(1 / sqrt(1 + 2^2)):

    >>> import numpy as np
    >>> from scipy.special import log_ndtr
    >>> one = np.ones(1)
    >>> tempered_moments(one, -np.inf * one, 2 * one, one)[0].round(8)
    array([-0.39654564])
    >>> log_ndtr(1 / np.sqrt(5)).round(8)
    np.float64(-0.39654564)
    """
    ratio = np.maximum(ratio, _SMALLEST_RATIO)
    upper, lower, ratio, power = (v[:, None] for v in (upper, lower, ratio, power))

    def log_product(x: np.ndarray) -> np.ndarray:
        log_prob = log_interval_probability(upper - ratio * x, lower - ratio * x, link)
        return power * log_prob - x**2 / 2

    def pull(x: np.ndarray) -> np.ndarray:
        _, grad_a, grad_c, *_ = interval_likelihood(upper - ratio * x, lower - ratio * x, link)
        return -power * ratio * (grad_a - grad_c)

    # The mode lies between 0 and the likelihood's pull there, which only falls.
    most = pull(np.zeros_like(ratio))
    inner, mode = np.zeros_like(most), most
    for _ in range(_BISECTIONS):
        middle = (inner + mode) / 2
        is_short = (pull(middle) - middle) * most > 0
        inner, mode = np.where(is_short, middle, inner), np.where(is_short, mode, middle)
    highest = log_product(mode)
    # The normal alone drops that far at these ends.
    outer = (np.sqrt(2 * _LAST_DROP) + 1 + np.abs(mode)) * np.array([-1.0, 1.0])
    inner = np.zeros_like(outer)
    for _ in range(_BISECTIONS):
        middle = (inner + outer) / 2
        is_inside = log_product(mode + middle) > highest - _LAST_DROP
        inner, outer = np.where(is_inside, middle, inner), np.where(is_inside, outer, middle)
    bends = np.concatenate([end / ratio + 1 / ratio * _NEAR_ENDS for end in (upper, lower)], axis=1)
    nodes, widths = _panels(mode, outer, bends)
    a, c = upper - ratio * nodes, lower - ratio * nodes
    log_prob, grad_a, grad_c, *_ = interval_likelihood(a, c, link)
    weights = widths * np.exp(power * log_prob - nodes**2 / 2 - highest)
    total = weights.sum(axis=1, keepdims=True)
    weights = weights / total

    def mean(values: np.ndarray) -> np.ndarray:
        return np.einsum("ij,ij->i", weights, values)

    slope = -ratio * (grad_a - grad_c)
    centred = nodes - mean(nodes)[:, None]
    a, c = np.where(np.isfinite(a), a, 0.0), np.where(np.isfinite(c), c, 0.0)
    log_normaliser = (np.log(total) + highest)[:, 0] - 0.5 * np.log(2 * np.pi)
    joint = centred * (slope - mean(slope)[:, None])
    averaged = (centred**2, slope, joint, grad_a, grad_c, c * grad_c - a * grad_a)
    return np.stack([log_normaliser, *map(mean, averaged)])


def _panels(
    mode: np.ndarray, outer: np.ndarray, bends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and widths that resolve both the scale of the product and the bends of p."""
    reach = outer[:, :, None] * _SHARES
    points = np.concatenate([reach.reshape(len(mode), -1), bends - mode, 0 * mode], axis=1)
    points = np.sort(np.clip(points, outer[:, :1], outer[:, 1:]), axis=1)
    half = np.diff(points, axis=1)[:, :, None] / 2
    middle = (points[:, 1:] + points[:, :-1])[:, :, None] / 2
    nodes = mode[:, :, None] + middle + half * _NODES
    return nodes.reshape(len(mode), -1), (half * _WEIGHTS).reshape(len(mode), -1)
