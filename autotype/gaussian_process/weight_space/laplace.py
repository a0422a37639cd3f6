"""Laplace's approximation in weight space: Newton's method that learns prior scales on its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from autotype.gaussian_process.solvers.class_precision import inverse_diagonal, inverse_of
from autotype.gaussian_process.solvers.newton import NewtonState, halve_until_decrease
from autotype.gaussian_process.solvers.posterior import ApproximatePosterior

# On separable data the evidence has no maximum: this cap keeps the weights' scale finite.
MAX_WEIGHT_VARIANCE = 300.0
MIN_WEIGHT_VARIANCE = 1e-6
_CHUNK_ROWS = 1_000  # of a matrix product, so that its input stays in the cache
_SETTLED = 1e-3  # change of the scales' logs, and nats, below which they are held

State = TypeVar("State", bound=NewtonState)


class WeightSpaceProblem(Protocol[State]):
    """A log-concave posterior of a vector of weights whose prior has a few scales to learn."""

    def start(self) -> np.ndarray:
        """Return the start of the search for the mode."""

    def state(self, position: np.ndarray, scales: tuple[float, ...]) -> State:
        """Evaluate the negative log posterior, up to the priors' constants."""

    def rescaled(self, state: State, scales: tuple[float, ...]) -> State:
        """Return the state of the same position at other scales."""

    def derivatives(self, state: State, scales: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Gradient and Hessian (at least its lower triangle) of the negative log posterior."""

    def updated_scales(
        self, state: State, variance: np.ndarray, scales: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Update the scales at the posterior variances of the unknowns."""

    def log_prior_determinant(self, scales: tuple[float, ...]) -> float:
        """Log determinant of the prior covariance."""


@dataclass(frozen=True)
class WeightSpaceFit(ApproximatePosterior, Generic[State]):
    """Mode and covariance of the weights at learned scales.

    Attributes
    ----------
    state : NewtonState
        The mode.
    scales : tuple of float
        The priors' scales.
    covariance : ndarray of shape (p, p)
        Inverse Hessian at the mode.
    """

    state: State
    scales: tuple[float, ...]
    covariance: np.ndarray


def fit_laplace(
    problem: WeightSpaceProblem[State],
    scales: tuple[float, ...],
    *,
    learn: bool,
    tol: float,
    max_iter: int,
) -> WeightSpaceFit[State]:
    """Find the mode by damped Newton, the scales updated after every step.

    Parameters
    ----------
    problem : WeightSpaceProblem
        Objective, derivatives and updates of the scales.
    scales : tuple of float
        Start of the scales, or their values where `learn` is false.
    learn : bool
        Whether to learn the scales.
    tol : float
        Bound on half the squared Newton decrement, in nats.
    max_iter : int
        Most Newton steps.

    Returns
    -------
    WeightSpaceFit

    References
    ----------
    MacKay (1992), Bayesian interpolation, for scales that move with the weights.
    """
    learning, converged, n_iter = learn, False, 0
    state = problem.state(problem.start(), scales)
    for n_iter in range(1, max_iter + 1):
        gradient, hessian = problem.derivatives(state, scales)
        factor = cho_factor(hessian, lower=True, overwrite_a=True, check_finite=False)
        step = -cho_solve(factor, gradient, check_finite=False)
        decrement = -0.5 * float(gradient @ step)
        if not learning and decrement < tol:
            converged = True
            break
        state, _ = halve_until_decrease(problem.state, state, step, decrement, scales, share=0.2)
        if learning:
            variance = inverse_diagonal(factor[0])
            last, scales = scales, problem.updated_scales(state, variance, scales)
            moved = float(np.abs(np.log(np.divide(scales, last))).sum())
            # Half the steps at most go into the scales: the others reach the mode.
            learning = (moved > _SETTLED or decrement > _SETTLED) and n_iter < max_iter // 2
            state = problem.rescaled(state, scales)
    if not converged:  # else the last factor is that of the mode
        _, hessian = problem.derivatives(state, scales)
        factor = cho_factor(hessian, lower=True, overwrite_a=True, check_finite=False)
    log_det = 2.0 * float(np.log(np.diag(factor[0])).sum())
    # log p(y, mode) - log|H| / 2 - log|prior covariance| / 2
    curvature = 0.5 * (log_det + problem.log_prior_determinant(scales))
    return WeightSpaceFit(
        state=state,
        scales=scales,
        covariance=inverse_of(factor[0]),
        log_evidence=float(-state.objective - curvature),
        n_iter=n_iter,
        converged=converged,
    )


def latent_covariances(Z: np.ndarray, covariance: np.ndarray, n_levels: int) -> np.ndarray:
    """Compute the posterior covariance of each row's latents from that of the classes' weights.

    Parameters
    ----------
    Z : ndarray of shape (n, p)
        Features.
    covariance : ndarray of shape (L p, L p)
        Of the weights, class after class.
    n_levels : int
        L.

    Returns
    -------
    ndarray of shape (n, L, L)
        z_i' C_kl z_i for every row and pair of classes.
    """
    blocks = covariance.reshape(n_levels, Z.shape[1], n_levels, Z.shape[1])
    spread = np.empty((len(Z), n_levels, n_levels))
    for first in range(0, len(Z), _CHUNK_ROWS):
        part = slice(first, first + _CHUNK_ROWS)
        for k in range(n_levels):
            for other in range(k + 1):
                value = np.einsum("ij,ij->i", Z[part] @ blocks[k, :, other], Z[part])
                spread[part, k, other] = spread[part, other, k] = value
    return spread


@dataclass(frozen=True)
class LeaveOneOut:
    """Leave-one-out predictive log probabilities of the observed levels.

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
