"""Expectation propagation over latent values *and* thresholds: the ordinal model of 2014.

Row i has the latent f_i = z_i'w + e_i with w ~ N(0, I) and e_i ~ N(0, s2), so that f has the
kernel ZZ' + s2 I; thresholds b_l ~ N(m_l, v). The likelihood is a product of steps
Theta[sign(g(y_i) - l - 1/2) (f_i - b_l)], each with one Gaussian site on f_i - b_l.

Thresholds are random here, as published, instead of parameters to optimise. Weights and thresholds
then have one joint Gaussian posterior. Each f_i is eliminated by itself, so that the cost is linear
in the number of rows.
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
    log_noise_gradient : float
        Derivative of the evidence in the log of s2.
    kernel_gradient : ndarray of shape (n, n)
        Symmetric G: the evidence changes by sum(G * d(ZZ')).
    """

    weights: np.ndarray
    thresholds: np.ndarray
    covariance: np.ndarray
    noise_variance: float
    precision: np.ndarray
    shift: np.ndarray
    log_noise_gradient: float
    kernel_gradient: np.ndarray

    def probabilities(
        self, Z: np.ndarray, residual_variance: np.ndarray | float = 0.0
    ) -> np.ndarray:
        """Compute predictive probabilities of the ranks, shape (m, L).

        Parameters
        ----------
        Z : ndarray of shape (m, p)
            Features of the new rows.
        residual_variance : ndarray of shape (m,) or float
            Prior variance of the latent that Z does not explain.

        Notes
        -----
        One-dimensional quadrature over f, thresholds taken as independent given f; the
        mass of thresholds out of order is divided in proportion.
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


class _Gaussian:
    """Posterior of weights and thresholds given the sites, the latents f_i eliminated.

    O(n (m + L)^2 + (m + L)^3).

    Attributes
    ----------
    total : ndarray of shape (n,)
        Sum of the sites' precisions of each row.
    remaining : ndarray of shape (n,)
        1 / (1 + s2 total): the fraction of the noise's variance that a row keeps.
    spread : ndarray of shape (n,)
        s2 remaining.
    shift : ndarray of shape (n,)
        Sum of the sites' shifts of each row.
    inner : ndarray of shape (L - 1, L - 1)
        Precision of the thresholds.
    mean, covariance : ndarray
        Of (w, b).
    log_evidence : float
        The evidence less the sites' own terms.
    """

    def __init__(self, Z: np.ndarray, noise: float, tau: np.ndarray, nu: np.ndarray) -> None:
        self.Z, self.noise, self.tau, self.p = Z, noise, tau, Z.shape[1]
        p, k, v = self.p, tau.shape[1], THRESHOLD_VARIANCE
        prior_mean = threshold_grid(k + 1)
        self.total, self.shift = tau.sum(axis=1), nu.sum(axis=1)
        # Eliminate f_i, which only its own sites and its noise touch (Schur complement).
        self.remaining = r = 1.0 / (1.0 + noise * self.total)
        self.spread = s = noise * r
        self.inner = np.diag(1.0 / v + tau.sum(axis=0)) - (tau * s[:, None]).T @ tau
        P = np.empty((p + k, p + k))
        P[:p, :p] = (Z * (self.total * r)[:, None]).T @ Z + np.eye(p)
        P[:p, p:] = -Z.T @ (r[:, None] * tau)
        P[p:, :p] = P[:p, p:].T
        P[p:, p:] = self.inner
        h = self.shift
        right = np.concatenate([Z.T @ (r * h), prior_mean / v - nu.sum(axis=0) + tau.T @ (s * h)])
        factor = cholesky(P, lower=True, check_finite=False)
        half = solve_triangular(factor, np.eye(p + k), lower=True, check_finite=False)
        self.mean = cho_solve((factor, True), right, check_finite=False)
        self.covariance = half.T @ half
        self.log_evidence = float(
            0.5 * (right @ self.mean + h @ (s * h))
            - 0.5 * float(prior_mean @ prior_mean) / v
            + 0.5 * float(np.log(r).sum())
            - float(np.log(np.diag(factor)).sum())
            - 0.5 * k * np.log(v)
        )

    def noise_moments(self, factor: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compute mean and variance of factor z_i'w plus the row's noise, and what spreads it."""
        Q = np.concatenate([self.Z * factor[:, None], self.spread[:, None] * self.tau], axis=1)
        QC = Q @ self.covariance
        variance = self.spread + np.einsum("ij,ij->i", QC, Q)
        return self.spread * self.shift + Q @ self.mean, variance, QC

    def differences(self) -> tuple[np.ndarray, np.ndarray]:
        """Compute mean and variance of f_i - b_l."""
        mean, marginal, QC = self.noise_moments(self.remaining)
        p = self.p
        variance = marginal[:, None] - 2.0 * QC[:, p:] + np.diag(self.covariance)[p:]
        return mean[:, None] - self.mean[p:], variance

    def log_noise_gradient(self) -> float:
        """Compute the derivative of the evidence in ln s2 with the sites held."""
        noise, variance, _ = self.noise_moments(self.remaining - 1.0)
        return 0.5 * float(((noise**2 + variance) / self.noise - 1.0).sum())

    def kernel_gradient(self) -> np.ndarray:
        """Compute the derivative of the evidence in ZZ' with the sites held."""
        Z, r, p = self.Z, self.remaining, self.p
        N = r[:, None] * self.tau
        weight = self.total * r
        alpha = r * self.shift + N @ self.mean[p:] - weight * (Z @ self.mean[:p])
        # The sites' precision on Zw once noise and thresholds are integrated out.
        precision = np.diag(weight) - N @ np.linalg.solve(self.inner, N.T)
        GZ = precision @ Z
        return 0.5 * (np.outer(alpha, alpha) - precision + GZ @ self.covariance[:p, :p] @ GZ.T)


def fit_threshold_ep(
    Z: np.ndarray,
    ranks: np.ndarray,
    n_levels: int,
    noise_variance: float,
    *,
    start: ThresholdPosterior | None = None,
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
    sign = np.where(ranks[:, None] > np.arange(n_levels - 1), 1.0, -1.0)
    if start is None:
        first = np.full(sign.shape, 1e-3), np.zeros(sign.shape)
    else:
        first = start.precision, start.shift
    iteration = SiteIteration(*first, tol=tol, max_iter=max_iter)
    for sites in iteration:
        tau, nu = (part.reshape(sign.shape) for part in sites)
        q = _Gaussian(Z, noise_variance, tau, nu)
        mean, variance = q.differences()
        *matched, change, log_terms = match_probit(mean, variance, tau, nu, sign=sign)
        iteration.update(*matched, variance=variance, change=float(np.max(change)))
    return ThresholdPosterior(
        weights=q.mean[: q.p],
        thresholds=q.mean[q.p :],
        covariance=q.covariance,
        noise_variance=noise_variance,
        precision=tau,
        shift=nu,
        log_evidence=q.log_evidence + float(log_terms.sum()),
        log_noise_gradient=q.log_noise_gradient(),
        kernel_gradient=q.kernel_gradient(),
        n_iter=iteration.n_iter,
        converged=iteration.converged,
    )
