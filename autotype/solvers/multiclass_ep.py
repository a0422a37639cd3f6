"""Expectation propagation for the multi-class model with steps Theta(f_y - f_k).

Row i has latents f_i = W z_i + e_i, one a class, with w_k ~ N(0, I) and e_i ~ N(0, I): the noise
fixes the scale, on which the steps do not depend. Each step has one Gaussian site on f_y - f_k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.special import log_ndtr

_N_NODES = 64


@dataclass(frozen=True)
class StepPosterior:
    """EP's Gaussian approximation for the weights of all classes, and its evidence.

    Attributes
    ----------
    weights : ndarray of shape (L, m)
        Posterior means.
    covariance : ndarray of shape (L m, L m)
        Class after class.
    precision, shift : ndarray of shape (n, L)
        tau >= 0 and nu of the sites; 0 for a row's own class.
    log_evidence : float
        EP's estimate of the log marginal likelihood.
    log_amplitude_gradient : float
        Derivative in the log of a factor of ZZ'.
    kernel_gradient : ndarray of shape (n, n) or None
        Symmetric G: the evidence changes by sum(G * d(ZZ')); only on demand.
    n_iter : int
        Sweeps.
    converged : bool
        Whether the sites settled.
    """

    weights: np.ndarray
    covariance: np.ndarray
    precision: np.ndarray
    shift: np.ndarray
    log_evidence: float
    log_amplitude_gradient: float
    kernel_gradient: np.ndarray | None
    n_iter: int
    converged: bool

    def probabilities(self, Z: np.ndarray, left_out: np.ndarray | float = 0.0) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L), by one-dimensional quadrature.

        Notes
        -----
        Given the class' own latent the others are taken as independent. Taken as independent from
        the start, they would count a shift common to all classes, of which the data say nothing.
        """
        n, (levels, p) = len(Z), self.weights.shape
        mean = Z @ self.weights.T
        blocks = self.covariance.reshape(levels, p, levels, p)
        cov = np.empty((n, levels, levels))
        for k in range(levels):
            for other in range(k + 1):
                value = np.einsum("ij,ij->i", Z @ blocks[k, :, other], Z)
                cov[:, k, other] = cov[:, other, k] = value
        own = np.arange(levels)
        cov[:, own, own] += 1.0 + np.reshape(left_out, (-1, 1))
        nodes, mass = np.polynomial.hermite_e.hermegauss(_N_NODES)
        prob = np.empty_like(mean)
        for k in range(levels):
            variance = cov[:, k, k]
            slope = np.delete(cov[:, k], k, axis=1) / variance[:, None]
            others = np.delete(cov[:, own, own], k, axis=1) - slope**2 * variance[:, None]
            gap = mean[:, [k]] - np.delete(mean, k, axis=1)
            moved = (1.0 - slope)[:, None, :] * (np.sqrt(variance)[:, None] * nodes)[:, :, None]
            z = (gap[:, None, :] + moved) / np.sqrt(np.maximum(others, 1e-12))[:, None, :]
            prob[:, k] = np.exp(log_ndtr(z).sum(axis=2)) @ mass
        prob = np.maximum(prob, 1e-300)
        return prob / prob.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class _Gaussian:
    mean: np.ndarray  # (L, m)
    covariance: np.ndarray
    kept: np.ndarray  # (n, L, L): S_i = (I + M_i)^-1
    row_shift: np.ndarray  # (n, L)
    log_evidence_part: float


def _solve(Z: np.ndarray, codes: np.ndarray, tau: np.ndarray, nu: np.ndarray) -> _Gaussian:
    """Posterior of the weights given the sites, rows' noise eliminated."""
    n, levels = tau.shape
    p, rows = Z.shape[1], np.arange(n)
    M = np.zeros((n, levels, levels))
    M[:, np.arange(levels), np.arange(levels)] = 1.0 + tau
    M[rows, codes, :] -= tau
    M[rows, :, codes] -= tau
    M[rows, codes, codes] += tau.sum(axis=1)
    S = np.linalg.inv(M)
    h = -nu
    h[rows, codes] += nu.sum(axis=1)
    G = np.eye(levels) - S
    blocks = np.empty((levels, p, levels, p))
    for k in range(levels):
        for other in range(k + 1):
            blocks[k, :, other] = (Z * G[:, [k], other]).T @ Z
            blocks[other, :, k] = blocks[k, :, other]
    P = blocks.reshape(levels * p, levels * p)
    P[np.diag_indices_from(P)] += 1.0
    factor = cholesky(P, lower=True, check_finite=False)
    Sh = np.einsum("ikl,il->ik", S, h)
    right = (Sh.T @ Z).ravel()
    mean = cho_solve((factor, True), right, check_finite=False)
    half = solve_triangular(factor, np.eye(len(P)), lower=True, check_finite=False)
    part = 0.5 * (right @ mean + np.sum(h * Sh)) - 0.5 * np.linalg.slogdet(M)[1].sum()
    part -= float(np.log(np.diag(factor)).sum())
    return _Gaussian(mean.reshape(levels, p), half.T @ half, S, h, float(part))


def _differences(Z: np.ndarray, codes: np.ndarray, q: _Gaussian) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of f_y - f_k for every row and class."""
    n, levels = q.row_shift.shape
    p, rows = Z.shape[1], np.arange(n)
    blocks = q.covariance.reshape(levels, p, levels, p)
    V = np.empty((n, levels, levels))
    for k in range(levels):
        for other in range(k + 1):
            V[:, k, other] = V[:, other, k] = np.einsum("ij,ij->i", Z @ blocks[k, :, other], Z)
    S = q.kept
    mean = np.einsum("ikl,il->ik", S, q.row_shift + Z @ q.mean.T)
    cov = S + S @ V @ S
    diagonal = np.einsum("ikk->ik", cov)
    variance = diagonal[rows, codes][:, None] + diagonal - 2.0 * cov[rows, codes]
    return mean[rows, codes][:, None] - mean, variance


def fit_multiclass_ep(
    Z: np.ndarray,
    codes: np.ndarray,
    n_levels: int,
    *,
    start: StepPosterior | None = None,
    with_kernel_gradient: bool = False,
    tol: float = 1e-5,
    max_iter: int = 300,
) -> StepPosterior:
    """Run parallel EP with damping to its fixed point.

    Parameters
    ----------
    Z : ndarray of shape (n, m)
        Features with ZZ' the kernel matrix of every class.
    codes : ndarray of int, shape (n,)
        Classes 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    start : StepPosterior, optional
        Whose sites to start from.
    with_kernel_gradient : bool
        Whether to form the n x n derivative.
    tol : float
        Largest change of a sweep in a mean, in standard deviations.
    max_iter : int
        Most sweeps.

    Returns
    -------
    StepPosterior

    Notes
    -----
    O(n (L m)^2 + (L m)^3) a sweep.

    References
    ----------
    Hernandez-Lobato et al. (2014), Learning the semantics of discrete random variables, sec. 2.2.

    Examples
    --------
    >>> x = np.column_stack([np.ones(30), np.linspace(-3, 3, 30)])
    >>> fit = fit_multiclass_ep(10 * x, np.repeat([0, 1, 2], 10), 3)
    >>> fit.converged, fit.probabilities(10 * x).argmax(axis=1)[[0, 15, 29]]
    (True, array([0, 1, 2]))
    """
    n, rows = len(Z), np.arange(len(Z))
    others = np.ones((n, n_levels), dtype=bool)
    others[rows, codes] = False
    tau = 1e-3 * others if start is None else start.precision.copy()
    nu = np.zeros((n, n_levels)) if start is None else start.shift.copy()
    damping, last, converged, n_iter = 0.8, np.inf, False, 0
    for n_iter in range(1, max_iter + 1):  # noqa: B007 - reported
        q = _solve(Z, codes, tau, nu)
        mean, variance = _differences(Z, codes, q)
        variance = np.where(others, variance, 1.0)
        cavity = 1.0 / np.maximum(1.0 / variance - tau, 1e-10)
        centre = cavity * (mean / variance - nu)
        z = centre / np.sqrt(cavity)
        ratio = np.exp(-0.5 * z**2 - 0.5 * np.log(2.0 * np.pi) - log_ndtr(z))
        shrink = np.clip(ratio * (z + ratio), 1e-12, 1.0 - 1e-9)
        tilted = centre + np.sqrt(cavity) * ratio
        new_tau = np.where(others, shrink / (cavity * (1.0 - shrink)), 0.0)
        new_nu = np.where(others, tilted * (new_tau + 1.0 / cavity) - centre / cavity, 0.0)
        change = float(np.max(np.abs(tilted - mean)[others] / np.sqrt(variance[others])))
        if change < tol:
            converged = True
            break
        if change > last:
            damping = max(0.7 * damping, 0.1)
        last = change
        tau += damping * (new_tau - tau)
        nu += damping * (new_nu - nu)
    sites = log_ndtr(z) + 0.5 * (
        centre**2 / cavity + np.log(cavity) - mean**2 / variance - np.log(variance)
    )
    trace = float(np.trace(q.covariance) + np.sum(q.mean**2) - q.mean.size)
    return StepPosterior(
        weights=q.mean,
        covariance=q.covariance,
        precision=tau,
        shift=nu,
        log_evidence=q.log_evidence_part + float(sites[others].sum()),
        log_amplitude_gradient=0.5 * trace,
        kernel_gradient=_kernel_gradient(Z, q) if with_kernel_gradient else None,
        n_iter=n_iter,
        converged=converged,
    )


def _kernel_gradient(Z: np.ndarray, q: _Gaussian) -> np.ndarray:
    """Give the derivative of the evidence in ZZ', summed over the classes, sites held."""
    n, levels = q.row_shift.shape
    G = np.eye(levels) - q.kept
    alpha = np.einsum("ikl,il->ik", q.kept, q.row_shift) - np.einsum("ikl,il->ik", G, Z @ q.mean.T)
    gradient = alpha @ alpha.T - np.diag(np.einsum("ikk->i", G))
    for k in range(levels):
        A = (G[:, k, :, None] * Z[:, None, :]).reshape(n, -1)
        gradient += A @ q.covariance @ A.T
    return 0.5 * gradient
