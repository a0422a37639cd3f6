"""Ordinal regression in weight space: Laplace's approximation with learnt hyper-parameters.

The latent function is linear in the columns of X, f = Xw with w ~ N(0, s2 I); the thresholds have
the prior b_l ~ N(c m_l, c^2) around the interior points m of a uniform grid on [-6, 6]; the noise
is 1. (w, b) has a log-concave posterior: damped Newton on d + L - 1 unknowns, O(n d^2) a step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, lapack
from scipy.special import ndtri

from autotype.gaussian_process.solvers.interval_likelihood import (
    IntervalLikelihood,
    interval_likelihood,
    log_interval_probability,
)

# On separable data the evidence has no maximum: these caps keep the hyper-parameters finite.
MAX_WEIGHT_VARIANCE = 300.0
MAX_THRESHOLD_SCALE = 8.0
_MIN_HYPER = 1e-6
_GRID_END = 6.0


@dataclass(frozen=True)
class OrdinalPosterior:
    """Laplace approximation of the posterior of weights and thresholds.

    Attributes
    ----------
    coef : ndarray of shape (d,)
        Posterior mode of the weights.
    thresholds : ndarray of shape (L - 1,)
        Posterior mode of the thresholds, strictly increasing where every rank is observed.
    covariance : ndarray of shape (d + L - 1, d + L - 1)
        Inverse Hessian at the mode, weights first.
    weight_variance : float
        s2, the prior variance of a weight.
    threshold_scale : float
        c, scale of the thresholds' prior.
    log_evidence : float
        Laplace's approximation of the log marginal likelihood.
    n_iter : int
        Newton steps taken.
    converged : bool
        Whether the Newton decrement fell below the tolerance.
    """

    coef: np.ndarray
    thresholds: np.ndarray
    covariance: np.ndarray
    weight_variance: float
    threshold_scale: float
    log_evidence: float
    n_iter: int
    converged: bool


@dataclass(frozen=True)
class _Point:
    """A point (w, b) with all that one Newton step needs."""

    theta: np.ndarray
    objective: float
    upper: np.ndarray
    lower: np.ndarray


class OrdinalProblem:
    """The data of one fit: X, the ranks, and the objective with its derivatives.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Design matrix, columns on comparable scales.
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    sample_weight : ndarray of shape (n,), optional
        Factors of the log likelihood terms, >= 0.
    """

    def __init__(
        self,
        X: np.ndarray,
        ranks: np.ndarray,
        n_levels: int,
        sample_weight: np.ndarray | None = None,
    ) -> None:
        self.X = np.ascontiguousarray(X, dtype=np.float64)
        self.ranks = np.asarray(ranks, dtype=np.intp)
        self.n_levels = n_levels
        self.weight = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        self.grid = np.linspace(-_GRID_END, _GRID_END, n_levels + 1)[1:-1]
        self.counts = np.bincount(self.ranks, weights=self.weight, minlength=n_levels)

    @property
    def n_features(self) -> int:
        """d, the number of columns of X."""
        return self.X.shape[1]

    def start(self) -> np.ndarray:
        """Weights zero, thresholds at the probits of the cumulative shares."""
        share = (np.cumsum(self.counts)[:-1] + 0.5) / (self.counts.sum() + 1.0)
        thresholds = ndtri(share) + 1e-3 * np.arange(self.n_levels - 1)
        return np.concatenate([np.zeros(self.n_features), thresholds])

    def ends(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Interval ends (a, c) of every row at (w, b)."""
        d = self.n_features
        latent = self.X @ theta[:d]
        bounds = np.concatenate([[-np.inf], theta[d:], [np.inf]])
        return bounds[self.ranks + 1] - latent, bounds[self.ranks] - latent

    def point(self, theta: np.ndarray, s2: float, c: float) -> _Point:
        """Evaluate the negative log posterior, up to the priors' constants, at (w, b)."""
        upper, lower = self.ends(theta)
        log_prob = log_interval_probability(upper, lower)
        d = self.n_features
        loss = -(log_prob.sum() if self.weight is None else self.weight @ log_prob)
        prior = theta[:d] @ theta[:d] / s2 + np.sum((theta[d:] - c * self.grid) ** 2) / c**2
        return _Point(theta, float(loss + 0.5 * prior), upper, lower)

    def likelihood(self, point: _Point) -> IntervalLikelihood:
        """Interval likelihood of every row at a point, sample weights multiplied in."""
        terms = interval_likelihood(point.upper, point.lower)
        if self.weight is None:
            return terms
        names = ("log_prob", "grad_a", "grad_c", "hess_aa", "hess_cc", "hess_ac")
        return IntervalLikelihood(**{n: getattr(terms, n) * self.weight for n in names})

    def gradient(
        self, theta: np.ndarray, terms: IntervalLikelihood, s2: float, c: float
    ) -> np.ndarray:
        """Gradient of the negative log posterior in (w, b)."""
        d, levels = self.n_features, self.n_levels
        grad_a = np.bincount(self.ranks, weights=terms.grad_a, minlength=levels)
        grad_c = np.bincount(self.ranks, weights=terms.grad_c, minlength=levels)
        by_weight = self.X.T @ (terms.grad_a - terms.grad_c) + theta[:d] / s2
        by_threshold = grad_c[1:] - grad_a[:-1] + (theta[d:] - c * self.grid) / c**2
        return np.concatenate([by_weight, by_threshold])

    def hessian(self, terms: IntervalLikelihood, s2: float, c: float) -> np.ndarray:
        """Hessian of the negative log posterior in (w, b)."""
        d, levels = self.n_features, self.n_levels
        hessian = np.empty((d + levels - 1, d + levels - 1))
        curvature = terms.hess_aa + terms.hess_cc + 2.0 * terms.hess_ac
        hessian[:d, :d] = self.X.T @ (self.X * curvature[:, None])
        hessian[:d, :d][np.diag_indices(d)] += 1.0 / s2
        # A threshold is the upper end of its own rank and the lower end of the next.
        cross = np.zeros((len(self.ranks), levels + 1))
        rows = np.arange(len(self.ranks))
        cross[rows, self.ranks + 1] = terms.hess_aa + terms.hess_ac
        cross[rows, self.ranks] = terms.hess_cc + terms.hess_ac
        by_both = -(self.X.T @ cross[:, 1:-1])
        hessian[:d, d:] = by_both
        hessian[d:, :d] = by_both.T
        aa = np.bincount(self.ranks, weights=terms.hess_aa, minlength=levels)
        cc = np.bincount(self.ranks, weights=terms.hess_cc, minlength=levels)
        ac = np.bincount(self.ranks, weights=terms.hess_ac, minlength=levels)
        hessian[d:, d:] = (
            np.diag(aa[:-1] + cc[1:] + 1.0 / c**2) + np.diag(ac[1:-1], 1) + np.diag(ac[1:-1], -1)
        )
        return hessian


def fit_ordinal(
    problem: OrdinalProblem,
    *,
    weight_variance: float = 1.0,
    threshold_scale: float = 1.0,
    learn: bool = True,
    tol: float = 1e-9,
    max_iter: int = 100,
) -> OrdinalPosterior:
    """Fit weights, thresholds and hyper-parameters in one loop.

    Parameters
    ----------
    problem : OrdinalProblem
        The data.
    weight_variance, threshold_scale : float
        Start of s2 and c, or their values where `learn` is false.
    learn : bool
        Whether to learn s2 and c: MacKay's update for s2 and the EM update for c after every
        Newton step, then Newton to the end with both held.
    tol : float
        Bound on half the squared Newton decrement, in nats.
    max_iter : int
        Most Newton steps.

    Returns
    -------
    OrdinalPosterior

    Notes
    -----
    Each step costs O(n d^2 + (d + L)^3). Steps are halved until the objective falls, which also
    keeps the thresholds in order.

    References
    ----------
    Chu and Ghahramani (2005), Gaussian processes for ordinal regression, eqs. (3) and (13).
    MacKay (1992), Bayesian interpolation, for the update of s2.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-2, 2, 60)[:, None]
    >>> fit = fit_ordinal(OrdinalProblem(x, np.digitize(x[:, 0], [-1, 0.5]), 3))
    >>> bool(fit.coef[0] > 1), bool(np.all(np.diff(fit.thresholds) > 0)), fit.converged
    (True, True, True)
    """
    s2, c = weight_variance, threshold_scale
    theta = problem.start()
    learning, converged, n_iter = learn, False, 0
    point = problem.point(theta, s2, c)
    for n_iter in range(1, max_iter + 1):
        terms = problem.likelihood(point)
        gradient = problem.gradient(point.theta, terms, s2, c)
        factor = cho_factor(problem.hessian(terms, s2, c), lower=True, check_finite=False)
        step = cho_solve(factor, gradient, check_finite=False)
        decrement = 0.5 * float(gradient @ step)
        if not learning and decrement < tol:
            converged = True
            break
        point = _line_search(problem, point, step, decrement, s2, c)
        if learning:
            new_s2, new_c = _update_hyperparameters(problem, point.theta, factor, s2, c)
            moved = abs(np.log(new_s2 / s2)) + abs(np.log(new_c / c))
            # Half the steps at most go into the hyper-parameters: the rest reach the mode.
            learning = (moved > 1e-3 or decrement > 1e-3) and n_iter < max_iter // 2
            s2, c = new_s2, new_c
            point = problem.point(point.theta, s2, c)
    return _posterior(problem, point, s2, c, n_iter, converged)


def _line_search(
    problem: OrdinalProblem, point: _Point, step: np.ndarray, decrement: float, s2: float, c: float
) -> _Point:
    """Halve the Newton step until the objective falls by a fair share of what it promises."""
    length = 1.0
    slack = 1e-12 * (1.0 + abs(point.objective))
    for _ in range(40):
        trial = problem.point(point.theta - length * step, s2, c)
        if trial.objective <= point.objective - 0.2 * length * decrement + slack:
            return trial
        length *= 0.5
    return point


def _update_hyperparameters(
    problem: OrdinalProblem, theta: np.ndarray, factor: tuple, s2: float, c: float
) -> tuple[float, float]:
    """One step of MacKay's update for s2 and of EM for c."""
    d = problem.n_features
    variance = np.diag(_inverse(factor))
    weights, thresholds = theta[:d], theta[d:]
    n_well_determined = np.clip(d - variance[:d].sum() / s2, 1e-3, d)
    new_s2 = weights @ weights / n_well_determined if d else s2
    # The expected log prior K log u - u^2 B/2 + u C has its maximum in u = 1/c at:
    square = float(np.sum(thresholds**2 + variance[d:]))
    linear = float(thresholds @ problem.grid)
    u = (linear + np.sqrt(linear**2 + 4.0 * len(thresholds) * square)) / (2.0 * square)
    return (
        float(np.clip(new_s2, _MIN_HYPER, MAX_WEIGHT_VARIANCE)),
        float(np.clip(1.0 / u, 1e-2, MAX_THRESHOLD_SCALE)),
    )


def _inverse(factor: tuple) -> np.ndarray:
    """Inverse from a lower Cholesky factor."""
    inverse, _ = lapack.dpotri(factor[0], lower=1)
    return np.tril(inverse) + np.tril(inverse, -1).T


def _posterior(
    problem: OrdinalProblem, point: _Point, s2: float, c: float, n_iter: int, converged: bool
) -> OrdinalPosterior:
    terms = problem.likelihood(point)
    factor = cho_factor(problem.hessian(terms, s2, c), lower=True, check_finite=False)
    d = problem.n_features
    log_det = 2.0 * float(np.log(np.diag(factor[0])).sum())
    log_prior_det = d * np.log(s2) + 2.0 * (problem.n_levels - 1) * np.log(c)
    return OrdinalPosterior(
        coef=point.theta[:d],
        thresholds=point.theta[d:],
        covariance=_inverse(factor),
        weight_variance=s2,
        threshold_scale=c,
        log_evidence=float(-point.objective - 0.5 * (log_det + log_prior_det)),
        n_iter=n_iter,
        converged=converged,
    )


@dataclass(frozen=True)
class LeaveOneOut:
    """Leave-one-out predictive log probabilities of the observed ranks.

    Attributes
    ----------
    plug_in : ndarray of shape (n,)
        At the mode without the row.
    averaged : ndarray of shape (n,)
        Averaged over the posterior without the row.
    """

    plug_in: np.ndarray
    averaged: np.ndarray

    @property
    def best(self) -> np.ndarray:
        """The one of the two with the better mean."""
        return max((self.plug_in, self.averaged), key=np.mean)


def leave_one_out_ordinal(problem: OrdinalProblem, fit: OrdinalPosterior) -> LeaveOneOut:
    """Approximate each row's predictive probability by the model without that row.

    Parameters
    ----------
    problem : OrdinalProblem
        The data of the fit (unit sample weights).
    fit : OrdinalPosterior
        The fit.

    Returns
    -------
    LeaveOneOut

    Notes
    -----
    Row i acts through (a_i, c_i) = A_i (w, b). With S = A_i H^-1 A_i' and W the row's negative
    Hessian, the covariance without the row is S~ = S (I - W S)^-1 and the ends move by
    S~ (-phi(a)/P, phi(c)/P). One pass, O(n (d + L)^2).
    """
    theta = np.concatenate([fit.coef, fit.thresholds])
    point = problem.point(theta, fit.weight_variance, fit.threshold_scale)
    terms = interval_likelihood(point.upper, point.lower)
    aa, ac, cc = _end_covariances(problem, fit.covariance)
    # S~ = S (I - W S)^-1 for 2 x 2 blocks, written out.
    m11 = 1.0 - (terms.hess_aa * aa + terms.hess_ac * ac)
    m12 = -(terms.hess_aa * ac + terms.hess_ac * cc)
    m21 = -(terms.hess_ac * aa + terms.hess_cc * ac)
    m22 = 1.0 - (terms.hess_ac * ac + terms.hess_cc * cc)
    det = np.maximum(m11 * m22 - m12 * m21, 1e-9)
    out_aa, out_ac = (aa * m22 - ac * m21) / det, (ac * m11 - aa * m12) / det
    out_ca, out_cc = (ac * m22 - cc * m21) / det, (cc * m11 - ac * m12) / det
    upper = point.upper - out_aa * terms.grad_a + out_ac * terms.grad_c
    lower = point.lower - out_ca * terms.grad_a + out_cc * terms.grad_c
    lower = np.minimum(lower, upper - 1e-9)
    plug_in = log_interval_probability(upper, lower)
    upper_scale = np.sqrt(1.0 + np.maximum(out_aa, 0.0))
    lower_scale = np.sqrt(1.0 + np.maximum(out_cc, 0.0))
    wide_upper = upper / upper_scale
    wide_lower = np.minimum(lower / lower_scale, wide_upper - 1e-9)
    averaged = log_interval_probability(wide_upper, wide_lower)
    return LeaveOneOut(plug_in=np.maximum(plug_in, -30.0), averaged=np.maximum(averaged, -30.0))


def _end_covariances(
    problem: OrdinalProblem, covariance: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Posterior variances of a_i and c_i and their covariance, for every row."""
    d, levels = problem.n_features, problem.n_levels
    X = problem.X
    latent = np.einsum("ij,ij->i", X @ covariance[:d, :d], X)
    cross = np.zeros((len(X), levels + 1))  # cov(f_i, b_l), zero for the outer thresholds
    cross[:, 1:-1] = X @ covariance[:d, d:]
    among = np.zeros((levels + 1, levels + 1))
    among[1:-1, 1:-1] = covariance[d:, d:]
    rows, k = np.arange(len(X)), problem.ranks
    with_upper, with_lower = cross[rows, k + 1], cross[rows, k]
    aa = among[k + 1, k + 1] - 2.0 * with_upper + latent
    cc = among[k, k] - 2.0 * with_lower + latent
    ac = among[k + 1, k] - with_upper - with_lower + latent
    return aa, ac, cc
