"""Expectation propagation over latent values *and* thresholds: the ordinal model of 2014.

Row i has the latent f_i = z_i'w + e_i with w ~ N(0, I) and e_i ~ N(0, s2), so that f has the
kernel ZZ' + s2 I; thresholds b_l ~ N(m_l, v). The likelihood is a product of steps
Theta[sign(g(y_i) - l - 1/2) (f_i - b_l)], each with one Gaussian site on f_i - b_l.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.special import log_ndtr

from autotype.models.gaussian_process.solvers.posterior import ApproximatePosterior
from autotype.models.gaussian_process.solvers.probit_sites import match_probit
from autotype.models.gaussian_process.solvers.site_iteration import SiteIteration
from autotype.models.gaussian_process.weight_space.ordinal_laplace import threshold_grid

THRESHOLD_VARIANCE = 1.0
_N_NODES = 64


@dataclass(frozen=True)
class ThresholdPosterior(ApproximatePosterior):
    """EP's Gaussian approximation for weights and thresholds, and its evidence.

    Attributes
    ----------
    weights : ndarray of shape (m,)
        Posterior mean of w.
    thresholds : ndarray of shape (L - 1,)
        Posterior mean of the thresholds.
    covariance : ndarray of shape (m + L - 1, m + L - 1)
        Joint covariance of (w, b).
    noise_variance : float
        s2.
    precision, shift : ndarray of shape (n, L - 1)
        tau >= 0 and nu of the sites.
    log_amplitude_gradient, log_noise_gradient : float
        Derivatives of the evidence in the logs of a factor of ZZ' and of s2.
    kernel_gradient : ndarray of shape (n, n) or None
        Symmetric G: the evidence changes by sum(G * d(ZZ')); only on demand.
    """

    weights: np.ndarray
    thresholds: np.ndarray
    covariance: np.ndarray
    noise_variance: float
    precision: np.ndarray
    shift: np.ndarray
    log_amplitude_gradient: float
    log_noise_gradient: float
    kernel_gradient: np.ndarray | None

    def probabilities(
        self, Z: np.ndarray, residual_variance: np.ndarray | float = 0.0
    ) -> np.ndarray:
        """Predictive probabilities of the ranks, shape (m, L).

        Parameters
        ----------
        Z : ndarray of shape (m, p)
            Features of the new rows.
        residual_variance : ndarray of shape (m,) or float
            Prior variance of the latent that Z does not explain.

        Notes
        -----
        One-dimensional quadrature over f, thresholds taken as independent given f; mass of
        thresholds out of order is shared out in proportion.
        """
        p = Z.shape[1]
        C = self.covariance
        mean = Z @ self.weights
        variance = np.einsum("ij,ij->i", Z @ C[:p, :p], Z) + self.noise_variance + residual_variance
        slope = (Z @ C[:p, p:]) / variance[:, None]
        variances = np.maximum(np.diag(C)[p:] - slope**2 * variance[:, None], 1e-12)
        nodes, mass = np.polynomial.hermite_e.hermegauss(_N_NODES)
        f = mean[:, None] + np.sqrt(variance)[:, None] * nodes
        moved = self.thresholds + slope[:, None, :] * (f - mean[:, None])[:, :, None]
        z = (f[:, :, None] - moved) / np.sqrt(variances)[:, None, :]
        above = np.cumsum(log_ndtr(z), axis=2)  # f over b_1 .. b_k
        below = np.cumsum(log_ndtr(-z)[:, :, ::-1], axis=2)[:, :, ::-1]  # f under b_k ..
        none = np.zeros((*f.shape, 1))
        joint = np.exp(np.concatenate([none, above], 2) + np.concatenate([below, none], 2))
        prob = np.maximum(np.einsum("q,iqk->ik", mass, joint), 1e-300)
        return prob / prob.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class _Gaussian:
    """Posterior of (w, b) given the sites, f_i eliminated."""

    remaining: np.ndarray  # 1 / (1 + s2 t_i): share of the noise's variance that a row keeps
    row_shift: np.ndarray  # sum over l of nu_il
    mean: np.ndarray
    covariance: np.ndarray
    log_evidence_part: float  # rhs'mean / 2 + log|posterior| / 2 - prior's terms


class _Problem:
    def __init__(self, Z: np.ndarray, ranks: np.ndarray, n_levels: int, noise: float) -> None:
        self.Z, self.noise = Z, noise
        self.sign = np.where(ranks[:, None] > np.arange(n_levels - 1), 1.0, -1.0)
        self.prior_mean = threshold_grid(n_levels)

    def solve(self, tau: np.ndarray, nu: np.ndarray) -> _Gaussian:
        """Posterior of weights and thresholds: O(n (m + L)^2 + (m + L)^3)."""
        Z, s2, v = self.Z, self.noise, THRESHOLD_VARIANCE
        p, k = Z.shape[1], tau.shape[1]
        total, h = tau.sum(axis=1), nu.sum(axis=1)
        # Eliminate f_i, which only its own sites and its noise touch (Schur complement).
        r = 1.0 / (1.0 + s2 * total)
        s = s2 * r
        N = r[:, None] * tau
        P = np.empty((p + k, p + k))
        P[:p, :p] = (Z * (total * r)[:, None]).T @ Z + np.eye(p)
        P[:p, p:] = -Z.T @ N
        P[p:, :p] = P[:p, p:].T
        P[p:, p:] = np.diag(1.0 / v + tau.sum(axis=0)) - (tau * s[:, None]).T @ tau
        right = np.concatenate(
            [Z.T @ (r * h), self.prior_mean / v - nu.sum(axis=0) + tau.T @ (s * h)]
        )
        factor = cholesky(P, lower=True, check_finite=False)
        half = solve_triangular(factor, np.eye(p + k), lower=True, check_finite=False)
        mean = cho_solve((factor, True), right, check_finite=False)
        part = (
            0.5 * (right @ mean + h @ (s * h))
            - 0.5 * float(self.prior_mean @ self.prior_mean) / v
            + 0.5 * float(np.log(r).sum())
            - float(np.log(np.diag(factor)).sum())
            - 0.5 * k * np.log(v)
        )
        return _Gaussian(r, h, mean, half.T @ half, float(part))

    def differences(self, tau: np.ndarray, q: _Gaussian) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of f_i - b_l under the posterior."""
        s = self.noise * q.remaining
        Q = np.concatenate([self.Z * q.remaining[:, None], s[:, None] * tau], axis=1)
        QC = Q @ q.covariance
        p = self.Z.shape[1]
        marginal = s + np.einsum("ij,ij->i", QC, Q)
        variance = marginal[:, None] - 2.0 * QC[:, p:] + np.diag(q.covariance)[p:]
        mean = (s * q.row_shift + Q @ q.mean)[:, None] - q.mean[p:]
        return mean, variance


def fit_threshold_ep(
    Z: np.ndarray,
    ranks: np.ndarray,
    n_levels: int,
    noise_variance: float,
    *,
    start: ThresholdPosterior | None = None,
    with_kernel_gradient: bool = False,
    tol: float = 1e-5,
    max_iter: int = 300,
) -> ThresholdPosterior:
    """Run parallel EP with damping to its fixed point.

    Parameters
    ----------
    Z : ndarray of shape (n, m)
        Features with ZZ' the kernel matrix.
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    noise_variance : float
        s2 > 0.
    start : ThresholdPosterior, optional
        Whose sites to start from.
    with_kernel_gradient : bool
        Whether to form the n x n derivative.
    tol : float
        Largest change of a sweep in a mean, in standard deviations.
    max_iter : int
        Most sweeps.

    Returns
    -------
    ThresholdPosterior

    References
    ----------
    Hernandez-Lobato et al. (2014), Learning the semantics of discrete random variables, sec. 2.1.

    Examples
    --------
    >>> x = np.linspace(-3, 3, 30)[:, None]
    >>> fit = fit_threshold_ep(x, np.repeat([0, 1, 2], 10), 3, 0.1)
    >>> fit.converged, fit.probabilities(x).argmax(axis=1)[[0, 15, 29]]
    (True, array([0, 1, 2]))
    """
    problem = _Problem(Z, ranks, n_levels, noise_variance)
    sign = problem.sign
    if start is None:
        first = np.full(sign.shape, 1e-3), np.zeros(sign.shape)
    else:
        first = start.precision, start.shift
    iteration = SiteIteration(*first, tol=tol, max_iter=max_iter)
    for sites in iteration:
        tau, nu = (part.reshape(sign.shape) for part in sites)
        q = problem.solve(tau, nu)
        mean, variance = problem.differences(tau, q)
        matched = match_probit(mean, variance, tau, nu, sign=sign)
        change = float(np.max(matched.change))
        iteration.update(matched.precision, matched.shift, variance=variance, change=change)
    by_amplitude, by_noise = _slopes(problem, tau, q)
    p = Z.shape[1]
    return ThresholdPosterior(
        weights=q.mean[:p],
        thresholds=q.mean[p:],
        covariance=q.covariance,
        noise_variance=noise_variance,
        precision=tau,
        shift=nu,
        log_evidence=q.log_evidence_part + float(matched.log_terms.sum()),
        log_amplitude_gradient=by_amplitude,
        log_noise_gradient=by_noise,
        kernel_gradient=_kernel_gradient(problem, tau, q) if with_kernel_gradient else None,
        n_iter=iteration.n_iter,
        converged=iteration.converged,
    )


def _slopes(problem: _Problem, tau: np.ndarray, q: _Gaussian) -> tuple[float, float]:
    """Compute derivatives of the evidence in ln a and ln s2 with the sites held."""
    Z, s2, r = problem.Z, problem.noise, q.remaining
    p = Z.shape[1]
    Cw = q.covariance[:p, :p]
    by_amplitude = 0.5 * float(np.trace(Cw) + q.mean[:p] @ q.mean[:p] - p)
    # Posterior of the rows' noise: mean and variance.
    s = s2 * r
    Q = np.concatenate([Z * (r - 1.0)[:, None], s[:, None] * tau], axis=1)
    noise = s * q.row_shift + Q @ q.mean
    spread = s + np.einsum("ij,ij->i", Q @ q.covariance, Q)
    by_noise = 0.5 * float(((noise**2 + spread) / s2 - 1.0).sum())
    return by_amplitude, by_noise


def _kernel_gradient(problem: _Problem, tau: np.ndarray, q: _Gaussian) -> np.ndarray:
    """Compute the derivative of the evidence in ZZ' with the sites held."""
    Z, r = problem.Z, q.remaining
    p = Z.shape[1]
    s = problem.noise * r
    N = r[:, None] * tau
    weight = tau.sum(axis=1) * r
    alpha = r * q.row_shift + N @ q.mean[p:] - weight * (Z @ q.mean[:p])
    # The sites' precision on Zw once noise and thresholds are integrated out.
    J = np.diag(1.0 / THRESHOLD_VARIANCE + tau.sum(axis=0)) - (tau * s[:, None]).T @ tau
    precision = np.diag(weight) - N @ np.linalg.solve(J, N.T)
    GZ = precision @ Z
    return 0.5 * (np.outer(alpha, alpha) - precision + GZ @ q.covariance[:p, :p] @ GZ.T)
