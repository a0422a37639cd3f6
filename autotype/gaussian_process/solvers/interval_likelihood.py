"""The probit interval likelihood of a rank, safe in both tails.

For a latent value f and noise 1 a rank with upper threshold b and lower threshold b' has the
probability Phi(a) - Phi(c) with a = b - f and c = b' - f (Chu and Ghahramani 2005, Gaussian
processes for ordinal regression, eq. (3)). The outer thresholds are infinite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import erfcx, log_ndtr

_SQRT_HALF = 0.7071067811865476
_SQRT_2_OVER_PI = 0.7978845608028654


@dataclass(frozen=True)
class IntervalLikelihood:
    """Log probabilities of intervals and their derivatives in (a, c).

    Attributes
    ----------
    log_prob : ndarray
        log(Phi(a) - Phi(c)).
    grad_a, grad_c : ndarray
        phi(a)/P and phi(c)/P: the derivative of `log_prob` in a, and minus that in c. Both >= 0.
    hess_aa, hess_cc, hess_ac : ndarray
        Entries of the *negative* Hessian of `log_prob` in (a, c), which is positive semi-definite.
    """

    log_prob: np.ndarray
    grad_a: np.ndarray
    grad_c: np.ndarray
    hess_aa: np.ndarray
    hess_cc: np.ndarray
    hess_ac: np.ndarray


def log_interval_probability(a: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Compute log(Phi(a) - Phi(c)) for a > c without cancellation.

    Parameters
    ----------
    a, c : ndarray of the same shape
        Upper and lower ends; +inf and -inf are allowed. Where a <= c the value is -inf.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import numpy as np
    >>> log_interval_probability(np.array([9.0]), np.array([8.0])).round(4)
    array([-35.0136])
    """
    upper, lower, _ = _in_lower_tail(a, c)
    return _log_probability_and_ratio(upper, lower)[0]


def _in_lower_tail(a: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mirror the intervals in the upper tail, where Phi is 1 up to rounding."""
    mirrored = c > 0
    return np.where(mirrored, -c, a), np.where(mirrored, -a, c), mirrored


def _log_probability_and_ratio(
    upper: np.ndarray, lower: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """log(Phi(upper) - Phi(lower)), and Phi(lower) / Phi(upper)."""
    log_upper, log_lower = log_ndtr(upper), log_ndtr(lower)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.exp(np.minimum(log_lower - log_upper, 0.0))
        value = log_upper + np.log1p(-ratio)
    return np.where(upper > lower, value, -np.inf), ratio


def interval_likelihood(a: np.ndarray, c: np.ndarray) -> IntervalLikelihood:
    """Compute log probability, gradient and negative Hessian of intervals (c, a).

    Parameters
    ----------
    a, c : ndarray of the same shape
        Upper and lower ends, a > c; +inf and -inf are allowed.

    Returns
    -------
    IntervalLikelihood
        Finite wherever a > c.

    Notes
    -----
    With pa = phi(a)/P and pc = phi(c)/P the negative Hessian is aa: a pa + pa^2,
    cc: -c pc + pc^2, ac: -pa pc; the terms of an infinite end vanish.
    """
    upper, lower, mirrored = _in_lower_tail(a, c)
    log_prob, ratio = _log_probability_and_ratio(upper, lower)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        by_upper = _inverse_mills(upper) / (1.0 - ratio)
        by_lower = _inverse_mills(lower) * ratio / (1.0 - ratio)
    finite_a, finite_c = np.isfinite(a), np.isfinite(c)
    grad_a = np.where(finite_a, np.where(mirrored, by_lower, by_upper), 0.0)
    grad_c = np.where(finite_c, np.where(mirrored, by_upper, by_lower), 0.0)
    a0, c0 = np.where(finite_a, a, 0.0), np.where(finite_c, c, 0.0)
    return IntervalLikelihood(
        log_prob=log_prob,
        grad_a=grad_a,
        grad_c=grad_c,
        hess_aa=grad_a * np.maximum(a0 + grad_a, 0.0),
        hess_cc=grad_c * np.maximum(grad_c - c0, 0.0),
        hess_ac=-grad_a * grad_c,
    )


def _inverse_mills(x: np.ndarray) -> np.ndarray:
    """phi(x) / Phi(x); by the scaled erfc, as exp(log phi - log Phi) loses x^2 digits."""
    return _SQRT_2_OVER_PI / erfcx(-_SQRT_HALF * x)
