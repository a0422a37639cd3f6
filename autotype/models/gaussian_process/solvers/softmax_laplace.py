"""Multi-class Gaussian-process regression in function space: Laplace's approximation.

Every class k has a latent function f_k ~ N(0, K), all with the same K; P(y = k) is the softmax.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp, softmax

from autotype.models.gaussian_process.solvers.class_precision import ClassLatents, ClassPrecision
from autotype.models.gaussian_process.solvers.newton import NewtonState, halve_until_decrease


def softmax_latents(
    K: np.ndarray,
    codes: np.ndarray,
    n_levels: int,
    *,
    weight: np.ndarray | None = None,
    start: np.ndarray | None = None,
    tol: float = 1e-10,
    max_iter: int = 100,
) -> ClassLatents:
    """Approximate the posterior of the latents and the evidence by Laplace's method.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix, positive semi-definite; it may be singular.
    codes : ndarray of int, shape (n,)
        Classes 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    weight : ndarray of shape (n,), optional
        Factors of the log likelihood terms, > 0; 1 by default.
    start : ndarray of shape (n, L), optional
        A guess of alpha; taken only where it beats zero.
    tol : float
        Bound on half the squared Newton decrement, in nats.
    max_iter : int
        Most Newton steps.

    Returns
    -------
    ClassLatents

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
    >>> fit.mean.argmax(axis=1), fit.converged
    (array([0, 1, 2]), True)
    """
    objective = _LatentObjective(codes, n_levels, np.ones(len(K)) if weight is None else weight)
    state = objective.state(np.zeros((2, len(K), n_levels)))
    if start is not None:
        warm = objective.state(np.stack([start, K @ start]))
        state = warm if warm.objective < state.objective else state
    converged, n_iter = False, 0
    for n_iter in range(1, max_iter + 1):  # noqa: B007 - reported
        alpha, f = state.position
        pi = objective.weight[:, None] * softmax(f, axis=1)
        residual = objective.target - pi - alpha  # minus the objective's gradient in f
        # (I + W K)^-1 residual, R & W alg. 3.3 lines 9 and 10
        alpha_step = residual - ClassPrecision(K, pi).solve(K @ residual)
        step = np.stack([alpha_step, K @ alpha_step])
        decrement = 0.5 * float(np.sum(residual * step[1]))
        state, _ = halve_until_decrease(objective.state, state, step, decrement, share=0.1)
        if decrement < tol:
            converged = True
            break
    return _finish(K, objective, state, n_iter=n_iter, converged=converged)


class _LatentObjective:
    """Negative log posterior of the latents, up to log|K|."""

    def __init__(self, codes: np.ndarray, n_levels: int, weight: np.ndarray) -> None:
        self.weight = weight
        self.observed = (np.arange(len(codes)), codes)
        self.target = np.zeros((len(codes), n_levels))
        self.target[self.observed] = weight

    def state(self, position: np.ndarray) -> NewtonState:
        """Evaluate the softmax's loss plus f'K^-1 f / 2."""
        alpha, latent = position
        loss = self.weight @ (logsumexp(latent, axis=1) - latent[self.observed])
        return NewtonState(position, float(loss + 0.5 * np.sum(alpha * latent)), loss)


def _finish(
    K: np.ndarray, objective: _LatentObjective, state: NewtonState, *, n_iter: int, converged: bool
) -> ClassLatents:
    """Compute covariances, evidence and its slope at the mode."""
    alpha, mode = state.position
    prob = softmax(mode, axis=1)
    pi = objective.weight[:, None] * prob
    precision = ClassPrecision(K, pi)
    spread = precision.spread(K, np.diag(K))
    # How -log|I + K W| / 2 depends on f: the row's W times (diag S - 2 S p).
    inner = np.einsum("ikk->ik", spread) - 2.0 * np.einsum("ikl,il->ik", spread, prob)
    by_mode = -0.5 * pi * (inner - np.sum(prob * inner, axis=1, keepdims=True))
    implicit = by_mode - precision.solve(K @ by_mode)
    return ClassLatents(
        alpha=alpha,
        mean=mode,
        precision=precision,
        spread=spread,
        log_evidence=-state.objective - 0.5 * precision.log_det,
        moved=implicit @ (objective.target - pi).T,
        n_iter=n_iter,
        converged=converged,
    )
