"""The interval likelihood of a rank, safe in both tails.

For a latent value f and noise 1 a rank with upper threshold b and lower threshold b' has the
probability F(a) - F(c) with a = b - f and c = b' - f (Chu and Ghahramani 2005, Gaussian processes
for ordinal regression, eq. (3)). F is the distribution function of the noise: Phi with the probit
link, that of the logistic distribution with the logit link. The outer thresholds are infinite.

A row of weight w < 1 contributes p(y | f)^w, whose product with a normal density has no closed
form. It is log-concave in f, so Gauss-Legendre panels between its mode and where it vanishes
integrate it to ten digits.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from autotype.models.gaussian_process.solvers._interval_likelihood_fast import (
    interval_log_probabilities,
    interval_terms,
)
from autotype.models.gaussian_process.solvers.link import PROBIT, Link

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_SMALLEST_RATIO = 1e-100  # for 0, where the likelihood is constant: its bends are far away
_LAST_DROP = 36.0  # nats below the mode from where on the product counts as 0
_SHARES = 0.5 ** np.arange(6)  # of the way from the mode to there: ends of the panels
_NEAR_ENDS = np.array([-6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0])  # the likelihood bends here
_BISECTIONS = 20
# The logistic likelihood bends so suddenly that wide normals need many halvings to find its mode.
_NEWTON_STEPS, _MODE_TOL = 60, 1e-7
_LEAST_WIDTH = 1e-9  # of an interval, in deviations of the noise


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

    mode = _mode(upper, lower, ratio, power, link=link)
    at_mode = log_interval_probability(upper - ratio * mode, lower - ratio * mode, link)
    highest = power * at_mode - mode**2 / 2
    nodes, widths = _panels(mode, highest, upper, lower, ratio, power, link=link)
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
    averaged = (centred**2, slope, centred * slope, grad_a, grad_c, c * grad_c - a * grad_a)
    return np.stack([log_normaliser, *map(mean, averaged)])


def _mode(
    upper: np.ndarray, lower: np.ndarray, ratio: np.ndarray, power: np.ndarray, *, link: Link
) -> np.ndarray:
    """Find the mode by Newton steps, halved where they leave the bracket.

    It lies between 0 and the slope of w log p there, which only falls.
    """
    x = np.zeros_like(ratio)
    low, high = x - np.inf, x + np.inf
    for _ in range(_NEWTON_STEPS):
        _, grad_a, grad_c, aa, cc, ac = interval_likelihood(
            upper - ratio * x, lower - ratio * x, link
        )
        slope = -power * ratio * (grad_a - grad_c)
        bend = aa + cc + 2.0 * ac
        low, high = np.where(slope > x, x, low), np.where(slope > x, high, x)
        low, high = np.maximum(low, np.minimum(slope, x)), np.minimum(high, np.maximum(slope, x))
        step = x + (slope - x) / (1.0 + power * ratio**2 * np.maximum(bend, 0.0))
        settled = np.abs(step - x) < _MODE_TOL
        # A step to an end of the bracket, where it has been, would lead back from there.
        x = np.where(((step > low) & (step < high)) | settled, step, (low + high) / 2)
        if np.all(settled):
            break
    return x


def _panels(
    mode: np.ndarray,
    highest: np.ndarray,
    upper: np.ndarray,
    lower: np.ndarray,
    ratio: np.ndarray,
    power: np.ndarray,
    *,
    link: Link,
) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and widths that resolve both the scale of the product and the bends of p."""
    sides = np.array([-1.0, 1.0])
    inner = np.zeros((len(mode), 2))
    # The normal alone drops that far here.
    outer = np.full_like(inner, np.sqrt(2 * _LAST_DROP) + 1) + np.abs(mode)
    for _ in range(_BISECTIONS):
        middle = (inner + outer) / 2
        x = mode + sides * middle
        at_x = log_interval_probability(upper - ratio * x, lower - ratio * x, link)
        within = power * at_x - x**2 / 2 > highest - _LAST_DROP
        inner, outer = np.where(within, middle, inner), np.where(within, outer, middle)
    reach = (sides * outer)[:, :, None] * _SHARES
    bends = np.concatenate([end / ratio + 1 / ratio * _NEAR_ENDS for end in (upper, lower)], axis=1)
    points = np.concatenate([reach.reshape(len(mode), -1), bends - mode, 0 * mode], axis=1)
    points = np.sort(np.clip(points, -outer[:, :1], outer[:, 1:]), axis=1)
    half = np.diff(points, axis=1)[:, :, None] / 2
    middle = (points[:, 1:] + points[:, :-1])[:, :, None] / 2
    nodes = mode[:, :, None] + middle + half * _NODES
    return nodes.reshape(len(mode), -1), (half * _WEIGHTS).reshape(len(mode), -1)
