"""Gaussian-process ordinal regression in function space: Laplace's approximation.

Newton's method finds the mode of the latent values for a given kernel matrix; the evidence and
its derivatives with respect to the kernel, the noise and the thresholds follow from one Cholesky
factor and one inverse.
"""

from __future__ import annotations

import numpy as np

from autotype.models.gaussian_process.solvers import ordinal_latent as latent
from autotype.models.gaussian_process.solvers._interval_likelihood_fast import (
    evidence_slopes,
    latent_slopes,
)
from autotype.models.gaussian_process.solvers.newton import NewtonState, halve_until_decrease

# Rounding of the objective, relative: less than elsewhere, as the tolerance is tighter.
_SLACK = 1e-13


class _LatentObjective:
    """The convex objective S(f) of one kernel, one noise and one set of thresholds."""

    def __init__(
        self,
        K: np.ndarray,
        observations: latent.OrdinalObservations,
        thresholds: np.ndarray,
        noise: float,
    ) -> None:
        self.K = K
        self.observations = observations
        # As the kernels read it.
        of_rows = observations.weight, observations.link.logistic
        self.likelihood = (observations.ranks, latent.rank_bounds(thresholds), noise, *of_rows)

    def state(self, position: np.ndarray) -> NewtonState:
        """Objective S(f) = -log p(y|f) + f'K^-1 f/2 (GPOR eq. (8)).

        Its terms are the slopes of the likelihood, and W^1/2.
        """
        alpha, f = position
        log_prob, gradient, root = np.empty((3, len(f)))
        latent_slopes(f, *self.likelihood, log_prob, gradient, root)
        loss = -float(log_prob.sum())
        return NewtonState(position, 0.5 * float(alpha @ f) + loss, loss, (gradient, root))

    def newton_point(self, f: np.ndarray) -> NewtonState:
        """Evaluate one full Newton step from latent values that need no alpha."""
        gradient, root = self.state(np.array([np.zeros(len(f)), f])).terms
        target = root**2 * f + gradient
        factor = latent.factor_sites(self.K, root)
        alpha = target - latent.solve_sites(factor, root, self.K @ target)
        return self.state(_with_latent(self.K, alpha))


def _with_latent(K: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Return alpha and the latent values K alpha in one array."""
    both = np.empty((2, len(alpha)))
    both[0] = alpha
    np.dot(K, alpha, out=both[1])
    return both


def _find_mode(
    objective: _LatentObjective, start: np.ndarray | None, *, tol: float, max_iter: int
) -> tuple[NewtonState, int, bool]:
    """Minimise S(f) by damped Newton from the better of zero and the Newton point of `start`.

    Returns
    -------
    state : NewtonState
    n_iter : int
        Newton steps.
    converged : bool
        Whether half the squared Newton decrement fell below `tol`.
    """
    K = objective.K
    state = objective.state(np.zeros((2, len(K))))
    if start is not None:
        # A mode of other hyper-parameters can be far worse than none (rare extreme ranks).
        warm = objective.newton_point(start)
        state = warm if warm.objective < state.objective else state
    for n_iter in range(1, max_iter + 1):
        gradient, root = state.terms
        residual = gradient - state.position[0]  # minus the gradient of S in f
        # Newton in alpha: (I + W K)^-1 residual
        factor = latent.factor_sites(K, root)
        alpha_step = residual - latent.solve_sites(factor, root, K @ residual)
        step = _with_latent(K, alpha_step)
        decrement = 0.5 * float(residual @ step[1])
        if decrement < tol:  # Newton's last step squares the remaining error
            return objective.state(state.position + step), n_iter, True
        state, length = halve_until_decrease(
            objective.state, state, step, decrement, share=0.1, slack=_SLACK
        )
        if length == 0.0:
            return state, n_iter, decrement < 1e-6 * (1.0 + abs(state.objective))
    return state, max_iter, False


def laplace_posterior(
    K: np.ndarray,
    observations: latent.OrdinalObservations,
    thresholds: np.ndarray,
    noise: float,
    *,
    start: latent.LatentPosterior | None = None,
    with_gradient: bool = True,
    tol: float = 1e-14,
    max_iter: int = 200,
) -> latent.LatentPosterior:
    """Approximate the posterior of the latent values and the evidence by Laplace's method.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix, symmetric positive semi-definite; it may be singular.
    observations : OrdinalObservations
        Ranks and weights.
    thresholds : ndarray of shape (n_levels - 1,)
        Strictly increasing.
    noise : float
        s > 0.
    start : LatentPosterior, optional
        A nearby posterior, from whose mode to start.
    with_gradient : bool
        Whether to form the derivatives of the evidence.
    tol : float
        Bound on half the squared Newton decrement, in nats.
    max_iter : int
        Most Newton steps.

    Returns
    -------
    LatentPosterior

    Notes
    -----
    O(n^3): one Cholesky factor a Newton step, then one factor and one inverse for evidence and all
    derivatives.

    References
    ----------
    Chu and Ghahramani (2005), Gaussian processes for ordinal regression, sec. 3.1 and appendix A.

    Examples
    --------
    >>> import numpy as np
    >>> data = latent.OrdinalObservations(np.array([0, 1, 2]), 3, np.ones(3))
    >>> fit = laplace_posterior(np.eye(3), data, np.array([-1.0, 1.0]), 0.5)
    >>> fit.mean.round(3), fit.converged
    (array([-1.176,  0.   ,  1.176]), True)
    """
    objective = _LatentObjective(K, observations, thresholds, noise)
    near = None if start is None else start.mean
    state, n_iter, converged = _find_mode(objective, near, tol=tol, max_iter=max_iter)
    slopes, root = state.terms
    factor = latent.factor_sites(K, root)
    # -S(f) - log|I + K W| / 2, GPOR eq. (13)
    log_evidence = -state.objective - 0.5 * latent.log_determinant(factor)
    R, variance = latent.site_inverse(K, factor, root)
    alpha, f = state.position
    gradient = _gradient(objective, state, R, variance) if with_gradient else None
    return latent.LatentPosterior(
        alpha=alpha,
        mean=f,
        variance=variance,
        site_precision=root**2,
        site_shift=root**2 * f + slopes,
        factor=factor,
        log_evidence=log_evidence,
        n_iter=n_iter,
        converged=converged,
        gradient=gradient,
    )


def _gradient(
    objective: _LatentObjective, state: NewtonState, R: np.ndarray, variance: np.ndarray
) -> tuple[np.ndarray, float, np.ndarray]:
    """Compute derivatives of the evidence at the mode (GPOR appendix A); R is overwritten."""
    data, slopes = objective.observations, np.empty((7, len(variance)))
    alpha, f = state.position
    evidence_slopes(f, variance, *objective.likelihood, slopes)
    # log|I + K W| depends on f, too: (I + W K)^-1 times its slope.
    by_f = slopes[0]
    implicit = by_f - _symmetric_product(R, objective.K @ by_f)
    moved = objective.K @ implicit
    upper, lower, log_noise = slopes[1:4] + moved * slopes[4:]
    return (
        latent.kernel_gradient(R, [(alpha, alpha), (2.0 * implicit, alpha)]),
        float(log_noise.sum()),
        data.by_threshold(upper, lower),
    )


def _symmetric_product(R: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Product of a symmetric matrix, given by its lower triangle, with a vector."""
    return R @ vector + R.T @ vector - np.diag(R) * vector
