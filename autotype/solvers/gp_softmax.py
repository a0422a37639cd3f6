"""Multi-class Gaussian-process regression in function space: Laplace's approximation.

Every class k has a latent function f_k ~ N(0, K), all with the same K; P(y = k) is the softmax.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.special import logsumexp


@dataclass(frozen=True)
class SoftmaxLatents:
    """Laplace approximation of the posterior of the latents.

    Attributes
    ----------
    alpha : ndarray of shape (n, L)
        K^-1 times the mode, class by class.
    mode : ndarray of shape (n, L)
        The latents' posterior mode.
    reduced : ndarray of shape (L, n, n)
        E_k = (K + D_k^-1)^-1, D_k = diag(p_k).
    factor : ndarray of shape (n, n)
        Lower Cholesky factor of the sum of E_k.
    spread : ndarray of shape (n, L, L)
        Posterior covariance of each row's latents.
    log_evidence : float
        Laplace's approximation of the log marginal likelihood.
    gradient : ndarray of shape (n, n)
        Symmetric G: the evidence changes by sum(G * dK).
    n_iter : int
        Newton steps.
    converged : bool
        Whether the Newton decrement fell below the tolerance.
    """

    alpha: np.ndarray
    mode: np.ndarray
    reduced: np.ndarray
    factor: np.ndarray
    spread: np.ndarray
    log_evidence: float
    gradient: np.ndarray
    n_iter: int
    converged: bool

    def predict(
        self, cross: np.ndarray, prior_variance: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean (m, L) and covariance (m, L, L) of the latents at new rows (R & W alg. 3.4).

        Parameters
        ----------
        cross : ndarray of shape (m, n)
            Kernel between new and training rows.
        prior_variance : ndarray of shape (m,)
            Kernel's diagonal at the new rows.
        """
        covariance = _spread(self.reduced, self.factor, cross, prior_variance)
        return cross @ self.alpha, covariance


def softmax_latents(
    K: np.ndarray,
    codes: np.ndarray,
    n_levels: int,
    *,
    start: np.ndarray | None = None,
    tol: float = 1e-10,
    max_iter: int = 100,
) -> SoftmaxLatents:
    """Approximate the posterior of the latents and the evidence by Laplace's method.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix, positive semi-definite; it may be singular.
    codes : ndarray of int, shape (n,)
        Classes 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    start : ndarray of shape (n, L), optional
        A guess of alpha; taken only where it beats zero.
    tol : float
        Bound on half the squared Newton decrement, in nats.
    max_iter : int
        Most Newton steps.

    Returns
    -------
    SoftmaxLatents

    Notes
    -----
    O(L n^3) a Newton step: the precision D - PP' is block diagonal plus rank n, so no L n x L n
    matrix is formed.

    References
    ----------
    Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, sec. 3.5 and
    algorithms 3.3 and 3.4; eq. (3.44) gives the evidence.

    Examples
    --------
    >>> fit = softmax_latents(np.eye(3), np.array([0, 1, 2]), 3)
    >>> fit.mode.argmax(axis=1), fit.converged
    (array([0, 1, 2]), True)
    """
    n = len(K)
    target = np.zeros((n, n_levels))
    target[np.arange(n), codes] = 1.0
    alpha = np.zeros((n, n_levels))
    if start is not None and _objective(K @ start, start, codes) < _objective(alpha, alpha, codes):
        alpha = start
    mode = K @ alpha
    converged, n_iter = False, 0
    for n_iter in range(1, max_iter + 1):  # noqa: B007 - reported
        prob = _softmax(mode)
        residual = target - prob - alpha  # minus the objective's gradient in f
        reduced, factor, _ = _factors(K, prob)
        # (I + W K)^-1 residual, R & W alg. 3.3 lines 9 and 10
        step = residual - _solve(reduced, factor, K @ residual)
        change = K @ step
        decrement = 0.5 * float(np.sum(residual * change))
        value, length = _objective(mode, alpha, codes), 1.0
        for _ in range(30):
            trial, moved = alpha + length * step, mode + length * change
            if _objective(moved, trial, codes) <= value - 0.1 * length * decrement + 1e-12 * (
                1.0 + abs(value)
            ):
                alpha, mode = trial, moved
                break
            length *= 0.5
        if decrement < tol:
            converged = True
            break
    return _finish(K, codes, target, alpha, mode, n_iter=n_iter, converged=converged)


def _softmax(latent: np.ndarray) -> np.ndarray:
    return np.exp(latent - logsumexp(latent, axis=1, keepdims=True))


def _objective(latent: np.ndarray, alpha: np.ndarray, codes: np.ndarray) -> float:
    """Negative log posterior up to log|K|."""
    own = latent[np.arange(len(codes)), codes]
    return float(np.sum(logsumexp(latent, axis=1) - own) + 0.5 * np.sum(alpha * latent))


def _factors(K: np.ndarray, prob: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """E_k of every class, the factor of their sum, and log|I + K W|."""
    n, levels = prob.shape
    reduced = np.empty((levels, n, n))
    log_det = 0.0
    for k in range(levels):
        root = np.sqrt(prob[:, k])
        B = root[:, None] * K * root[None, :]
        B[np.diag_indices(n)] += 1.0
        L = cholesky(B, lower=True, check_finite=False, overwrite_a=True)
        half = solve_triangular(L, np.diag(root), lower=True, check_finite=False)
        reduced[k] = half.T @ half
        log_det += 2.0 * float(np.log(np.diag(L)).sum())
    total = reduced.sum(axis=0)
    total[np.diag_indices(n)] += 1e-12 * np.trace(total) / n
    factor = cholesky(total, lower=True, check_finite=False)
    # |I + K W| = |I + K D| |sum of E_k|
    return reduced, factor, log_det + 2.0 * float(np.log(np.diag(factor)).sum())


def _solve(reduced: np.ndarray, factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(W^-1 + K)^-1 times one vector per class."""
    c = np.einsum("kij,jk->ik", reduced, right, optimize=True)
    inner = cho_solve((factor, True), c.sum(axis=1), check_finite=False)
    return c - np.stack([E @ inner for E in reduced], axis=1)


def _spread(
    reduced: np.ndarray, factor: np.ndarray, cross: np.ndarray, prior_variance: np.ndarray
) -> np.ndarray:
    m, levels = len(cross), len(reduced)
    spread = np.zeros((m, levels, levels))
    parts = []
    for k, E in enumerate(reduced):
        seen = E @ cross.T
        spread[:, k, k] = prior_variance - np.einsum("ij,ji->i", cross, seen)
        parts.append(solve_triangular(factor, seen, lower=True, check_finite=False))
    for k in range(levels):
        for other in range(k + 1):
            value = np.einsum("ji,ji->i", parts[k], parts[other])
            spread[:, k, other] += value
            if other != k:
                spread[:, other, k] += value
    return spread


def _finish(
    K: np.ndarray,
    codes: np.ndarray,
    target: np.ndarray,
    alpha: np.ndarray,
    mode: np.ndarray,
    *,
    n_iter: int,
    converged: bool,
) -> SoftmaxLatents:
    prob = _softmax(mode)
    reduced, factor, log_det = _factors(K, prob)
    spread = _spread(reduced, factor, K, np.diag(K))
    # How -log|I + K W| / 2 depends on f: the row's W times (diag S - 2 S p).
    inner = np.einsum("ikk->ik", spread) - 2.0 * np.einsum("ikl,il->ik", spread, prob)
    by_mode = -0.5 * prob * (inner - np.sum(prob * inner, axis=1, keepdims=True))
    implicit = by_mode - _solve(reduced, factor, K @ by_mode)
    gradient = 0.5 * alpha @ alpha.T - 0.5 * reduced.sum(axis=0)
    for E in reduced:
        half = solve_triangular(factor, E, lower=True, check_finite=False)
        gradient += 0.5 * half.T @ half
    slope = implicit @ (target - prob).T
    return SoftmaxLatents(
        alpha=alpha,
        mode=mode,
        reduced=reduced,
        factor=factor,
        spread=spread,
        log_evidence=-_objective(mode, alpha, codes) - 0.5 * log_det,
        gradient=gradient + 0.5 * (slope + slope.T),
        n_iter=n_iter,
        converged=converged,
    )
