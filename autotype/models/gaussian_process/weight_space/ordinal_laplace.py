"""Ordinal regression in weight space: Laplace's approximation with learned hyper-parameters.

The latent function is linear in the columns of X, f = Xw with w ~ N(0, s2 I); the thresholds have
the prior b_l ~ N(c m_l, c^2) around the interior points m of a uniform grid on [-6, 6]; the noise
is 1, normal or logistic. (w, b) has a log-concave posterior: damped Newton on d + L - 1 unknowns,
O(n d^2) a step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import blas

from autotype.models.gaussian_process.solvers import interval_likelihood as likelihood
from autotype.models.gaussian_process.solvers.evidence_ascent import ApproximatePosterior
from autotype.models.gaussian_process.solvers.newton import NewtonState
from autotype.models.gaussian_process.weight_space import laplace
from autotype.models.gaussian_process.weight_space.laplace import Scales

# On separable data the evidence has no maximum: this cap keeps the thresholds' scale finite.
MAX_THRESHOLD_SCALE = 8.0
MIN_THRESHOLD_SCALE = 1e-2
_GRID_END = 6.0
_MANY_FEATURES = 100  # from which on single precision is faster
_MAX_CONDITION = 1e5  # of a Hessian in single precision
_TINY = 1e-15
_LEAST_LOG_PROB = -30.0  # of a row left out: one outlier does not decide between two models


def threshold_grid(n_levels: int) -> np.ndarray:
    """Prior means of the thresholds: the interior points of a uniform grid on [-6, 6].

    Examples
    --------
    >>> threshold_grid(4)
    array([-3.,  0.,  3.])
    """
    return np.linspace(-_GRID_END, _GRID_END, n_levels + 1)[1:-1]


@dataclass(frozen=True)
class OrdinalPosterior(ApproximatePosterior):
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
    """

    coef: np.ndarray
    thresholds: np.ndarray
    covariance: np.ndarray
    weight_variance: float
    threshold_scale: float

    @property
    def n_determined(self) -> float:
        """How many weights the rows determine, more than the prior does."""
        d = len(self.coef)
        return float(d - np.trace(self.covariance[:d, :d]) / self.weight_variance)


class OrdinalProblem(laplace.WeightSpaceProblem):
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
    link : Link
        The distribution of the noise.
    """

    scale_bounds = (
        (laplace.MIN_WEIGHT_VARIANCE, laplace.MAX_WEIGHT_VARIANCE),
        (MIN_THRESHOLD_SCALE, MAX_THRESHOLD_SCALE),
    )

    def __init__(
        self,
        X: np.ndarray,
        ranks: np.ndarray,
        n_levels: int,
        sample_weight: np.ndarray | None = None,
        *,
        link: likelihood.Link = likelihood.PROBIT,
    ) -> None:
        self.X = np.ascontiguousarray(X, dtype=np.float64)
        self.n_features = self.X.shape[1]
        self.ranks = np.asarray(ranks, dtype=np.intp)
        self.n_levels = n_levels
        self.link = link
        self.weight = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        self.grid = threshold_grid(n_levels)
        self.counts = np.bincount(self.ranks, weights=self.weight, minlength=n_levels)

    @cached_property
    def _single(self) -> np.ndarray:
        # Products of subnormal numbers are a hundred times as slow, and nothing beside the prior.
        return np.where(np.abs(self.X) < _TINY, 0.0, self.X).astype(np.float32)

    @cached_property
    def _spread(self) -> float:
        """The trace of X'X, which bounds its largest eigenvalue."""
        return float(np.einsum("ij,ij->", self.X, self.X))

    def start(self, scales: Scales, *, learn: bool) -> tuple[np.ndarray, Scales]:
        """Weights zero, thresholds at the probits of the cumulative proportions."""
        weights = np.zeros(self.n_features)
        return np.concatenate([weights, likelihood.starting_thresholds(self.counts)]), scales

    def ends(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Interval ends (a, c) of every row at (w, b)."""
        d = self.n_features
        latent = self.X @ theta[:d]
        bounds = np.concatenate([[-np.inf], theta[d:], [np.inf]])
        return bounds[self.ranks + 1] - latent, bounds[self.ranks] - latent

    def prior(self, scales: Scales) -> tuple[np.ndarray, np.ndarray]:
        """Return means and variances of (w, b)."""
        (s2, c), d = scales, self.n_features
        mean, variance = np.zeros(d + self.n_levels - 1), np.full(d + self.n_levels - 1, s2)
        mean[d:], variance[d:] = c * self.grid, c**2
        return mean, variance

    def loss(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        """Compute the negative log likelihood at (w, b), and the weighted terms of every row."""
        terms = likelihood.interval_likelihood(*self.ends(position), self.link)
        if self.weight is not None:
            terms *= self.weight
        return -terms[0].sum(), terms

    def loss_gradient(self, terms: np.ndarray) -> np.ndarray:
        """Compute the gradient of the negative log likelihood in (w, b)."""
        _, grad_a, grad_c, *_ = terms
        by_threshold = self._by_rank(grad_c)[1:] - self._by_rank(grad_a)[:-1]
        return np.concatenate([self.X.T @ (grad_a - grad_c), by_threshold])

    def _by_rank(self, values: np.ndarray) -> np.ndarray:
        """Sum over the rows of each rank, shape (n_levels,)."""
        return np.bincount(self.ranks, weights=values, minlength=self.n_levels)

    def hessian(self, state: NewtonState, scales: Scales, *, rough: bool = False) -> np.ndarray:
        """Hessian of the negative log posterior in (w, b), its lower triangle.

        A rough one is in single precision where many features make it dear, and the prior is
        strong enough to bound its inverse.
        """
        (s2, _), d, levels = scales, self.n_features, self.n_levels
        (terms,) = state.terms
        aa, cc, ac = terms[3:]
        curvature = np.maximum(aa + cc + 2.0 * ac, 0.0)
        single = rough and d >= _MANY_FEATURES
        if single:
            # Bounds the largest eigenvalue: the trace of X'X times the most curvature of a row.
            single = float(np.max(curvature)) * self._spread * s2 < _MAX_CONDITION
        dtype = np.float32 if single else np.float64
        hessian = np.zeros((d + levels - 1, d + levels - 1), dtype=dtype, order="F")
        X = self._single if single else self.X
        if d:
            rows = X * np.sqrt(curvature).astype(dtype)[:, None]
            product = blas.ssyrk if single else blas.dsyrk
            hessian[:d, :d] = product(1.0, rows.T, lower=1)  # half the cost of a product
        # A threshold is the upper end of its own rank and the lower end of the next.
        cross = np.zeros((len(self.ranks), levels + 1))
        rows = np.arange(len(self.ranks))
        cross[rows, self.ranks + 1] = aa + ac
        cross[rows, self.ranks] = cc + ac
        hessian[d:, :d] = -(cross[:, 1:-1].T @ self.X)
        aa, cc, ac = map(self._by_rank, terms[3:])
        hessian[d:, d:] = np.diag(aa[:-1] + cc[1:]) + np.diag(ac[1:-1], 1) + np.diag(ac[1:-1], -1)
        hessian[np.diag_indices_from(hessian)] += 1.0 / self.prior(scales)[1]
        return hessian

    def updated_scales(self, state: NewtonState, variance: np.ndarray, scales: Scales) -> Scales:
        """MacKay's update of s2 and one EM step for c."""
        s2, _ = scales
        d = self.n_features
        w, b = state.position[:d], state.position[d:]
        n_well_determined = np.clip(d - variance[:d].sum() / s2, 1e-3, d)
        new_s2 = w @ w / n_well_determined if d else s2
        # The expected log prior K log u - u^2 B/2 + u C has its maximum in u = 1/c at:
        square = float(np.sum(b**2 + variance[d:]))
        linear = float(b @ self.grid)
        u = (linear + np.sqrt(linear**2 + 4.0 * len(b) * square)) / (2.0 * square)
        return self.bounded_scales([new_s2, 1.0 / u])


def fit_ordinal(
    problem: OrdinalProblem,
    *,
    weight_variance: float = 1.0,
    threshold_scale: float = 1.0,
    **options: Any,
) -> OrdinalPosterior:
    """Fit weights, thresholds and hyper-parameters in one loop.

    Parameters
    ----------
    problem : OrdinalProblem
        The data.
    weight_variance, threshold_scale : float
        Start of s2 and c, or their values where `learn` is false: else they are learned by
        MacKay's update for s2 and the EM update for c after every Newton step.
    **options
        As of `fit_laplace`.

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
    scales = (weight_variance, threshold_scale)
    position, (s2, c), covariance, summary = laplace.fit_laplace(problem, scales, **options)
    d = problem.n_features
    return OrdinalPosterior(
        coef=position[:d],
        thresholds=position[d:],
        covariance=covariance,
        weight_variance=s2,
        threshold_scale=c,
        **summary,
    )


def leave_one_out_ordinal(problem: OrdinalProblem, fit: OrdinalPosterior) -> np.ndarray:
    """Approximate each row's predictive probability by the model without that row.

    Parameters
    ----------
    problem : OrdinalProblem
        The data of the fit (unit sample weights).
    fit : OrdinalPosterior
        The fit.

    Returns
    -------
    ndarray of shape (2, n)
        Log probabilities of the observed levels: at the mode without the row, and averaged over the
        posterior without it.

    Notes
    -----
    Row i acts through (a_i, c_i) = A_i (w, b). With S = A_i H^-1 A_i' and W the row's negative
    Hessian, the covariance without the row is S~ = S (I - W S)^-1 and the ends move by
    S~ (-F'(a)/P, F'(c)/P). One pass, O(n (d + L)^2).
    """
    ends = problem.ends(np.concatenate([fit.coef, fit.thresholds]))
    _, grad_a, grad_c, hess_aa, hess_cc, hess_ac = likelihood.interval_likelihood(
        *ends, problem.link
    )
    # S, the covariance of a row's two ends under the posterior of all rows.
    aa, ac, cc = _end_covariances(problem, fit.covariance)
    # S~ = S (I - W S)^-1 for 2 x 2 blocks, written out.
    m11 = 1.0 - (hess_aa * aa + hess_ac * ac)
    m12 = -(hess_aa * ac + hess_ac * cc)
    m21 = -(hess_ac * aa + hess_cc * ac)
    m22 = 1.0 - (hess_ac * ac + hess_cc * cc)
    det = np.maximum(m11 * m22 - m12 * m21, 1e-9)
    out_aa, out_ac = (aa * m22 - ac * m21) / det, (ac * m11 - aa * m12) / det
    out_ca, out_cc = (ac * m22 - cc * m21) / det, (cc * m11 - ac * m12) / det
    # One Newton step from the fit: the ends move by S~ (-F'(a)/P, F'(c)/P).
    upper = ends[0] - out_aa * grad_a + out_ac * grad_c
    lower = ends[1] - out_ca * grad_a + out_cc * grad_c
    lower = np.minimum(lower, upper - 1e-9)
    plug_in = likelihood.log_interval_probability(upper, lower, problem.link)
    averaged = likelihood.mean_log_probability(
        upper, lower, np.maximum(out_aa, 0.0), np.maximum(out_cc, 0.0), problem.link
    )
    return np.maximum([plug_in, averaged], _LEAST_LOG_PROB)


def _end_covariances(
    problem: OrdinalProblem, covariance: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Posterior variances of a_i and c_i and their covariance, for every row."""
    d, levels = problem.n_features, problem.n_levels
    X = problem.X if d < _MANY_FEATURES else problem._single
    latent = np.einsum("ij,ij->i", X @ covariance[:d, :d].astype(X.dtype), X).astype(float)
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
