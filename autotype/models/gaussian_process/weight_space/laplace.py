"""Laplace's approximation in weight space: Newton's method that learns prior scales on its way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import LinAlgError, lapack

from autotype.models.gaussian_process.solvers.class_precision import (
    inverse_diagonal,
    triangular_inverse,
)
from autotype.models.gaussian_process.solvers.newton import NewtonState, halve_until_decrease

# On separable data the evidence has no maximum: this cap keeps the weights' scale finite.
MAX_WEIGHT_VARIANCE = 300.0
MIN_WEIGHT_VARIANCE = 1e-6
_CHUNK_ROWS = 1_000  # of a matrix product, so that its input stays in the cache
_SETTLED = 5e-3  # change of the scales' logs, and nats, below which they are held
# Nats from the mode within which the updates of the scales are a sequence to extrapolate.
_NEAR = 30.0
_FIRST = 1.5  # length of the first extrapolated step, in updates: each leaves some of the distance
_SHORTEST = 0.3  # extrapolated step, in updates
_LONGEST = 4.0
_LONGEST_AT_MODE = 20.0  # where the last two updates are hardly those of the way to the mode
_AT_MODE = 0.1  # nats


Scales = tuple[float, ...]  # of the prior


class WeightSpaceProblem(ABC):
    """A log-concave posterior of a vector of weights whose normal prior has a few scales to learn.

    Attributes
    ----------
    scale_bounds : tuple of pairs of float
        Least and largest value of each scale.
    """

    scale_bounds: ClassVar[tuple[tuple[float, float], ...]]

    @abstractmethod
    def start(self, scales: Scales, *, learn: bool) -> tuple[np.ndarray, Scales]:
        """Return the start of the search for the mode, and the scales there."""

    @abstractmethod
    def prior(self, scales: Scales) -> tuple[np.ndarray, np.ndarray]:
        """Return means and variances of the weights, which are independent under the prior."""

    @abstractmethod
    def loss(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        """Compute the negative log likelihood, and what its derivatives are computed from."""

    @abstractmethod
    def loss_gradient(self, terms: np.ndarray) -> np.ndarray:
        """Compute the gradient of the negative log likelihood."""

    @abstractmethod
    def hessian(self, state: NewtonState, scales: Scales, *, rough: bool = False) -> np.ndarray:
        """Hessian (at least its lower triangle) of the negative log posterior.

        A rough one may be in single precision.
        """

    @abstractmethod
    def updated_scales(self, state: NewtonState, variance: np.ndarray, scales: Scales) -> Scales:
        """Update the scales at the posterior variances of the unknowns."""

    def state(self, position: np.ndarray, scales: Scales) -> NewtonState:
        """Evaluate the negative log posterior, up to the priors' constants."""
        loss, terms = self.loss(position)
        return self.rescaled(NewtonState(position, np.inf, loss, (terms,)), scales)

    def rescaled(self, state: NewtonState, scales: Scales) -> NewtonState:
        """Return the state of the same position at other scales."""
        mean, variance = self.prior(scales)
        penalty = 0.5 * np.sum((state.position - mean) ** 2 / variance)
        return replace(state, objective=float(state.loss + penalty))

    def gradient(self, state: NewtonState, scales: Scales) -> np.ndarray:
        """Gradient of the negative log posterior."""
        return self.loss_gradient(*state.terms) + self.prior_gradient(state.position, scales)

    def prior_gradient(self, position: np.ndarray, scales: Scales) -> np.ndarray:
        """Gradient of the negative log prior, the part that the scales change."""
        mean, variance = self.prior(scales)
        return (position - mean) / variance

    def bounded_scales(self, scales: Sequence[float] | np.ndarray) -> Scales:
        """Clip scales to their bounds."""
        return tuple(np.clip(scales, *np.transpose(self.scale_bounds)).tolist())


def fit_laplace(
    problem: WeightSpaceProblem,
    scales: Scales,
    *,
    learn: bool = True,
    tol: float = 1e-9,
    max_iter: int = 100,
    start: np.ndarray | None = None,
    flat: float = 0.0,
) -> tuple[np.ndarray, Scales, np.ndarray, dict[str, Any]]:
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
    start : ndarray of shape (p,), optional
        Where to start at these scales; where the problem says by default.
    flat : float
        Change of the log evidence below which the scales are held: where the rows show nothing,
        they would go on to an end.

    Returns
    -------
    position : ndarray of shape (p,)
        The mode.
    scales : tuple of float
        The priors' scales.
    covariance : ndarray of shape (p, p)
        Inverse Hessian at the mode.
    summary : dict
        The attributes of `ApproximatePosterior`.

    Notes
    -----
    The updates alone converge linearly, at rates of .3 to .8. Near the mode the position follows
    the scales to first order, and the scales are extrapolated by the secant of the last two
    updates: two thirds of the steps, and nearer to the fixed point. At the mode the last factor in
    single precision serves for the last steps, while each leaves a tenth of the decrement at most.

    References
    ----------
    MacKay (1992), Bayesian interpolation, for scales that move with the weights.
    """
    learning, converged, n_iter = learn, False, 0
    if start is None:
        start, scales = problem.start(scales, learn=learn)
    state, updates = problem.state(start, scales), []
    decrement, evidence, reuse = np.inf, -np.inf, False
    for n_iter in range(1, max_iter + 1):
        before, known = decrement, evidence
        if not reuse:
            factor = _factored(problem, state, scales, rough=learning)
        gradient = problem.gradient(state, scales)
        step = -_solve(factor, gradient)
        decrement = -0.5 * float(gradient @ step)
        if not learning and decrement < tol:
            converged = True
            break
        if learning:
            evidence, last = _log_evidence(problem, state, factor, scales), scales
        state, _ = halve_until_decrease(problem.state, state, step, decrement, scales, share=0.2)
        if learning:
            update = problem.updated_scales(state, inverse_diagonal(factor), last)
            if decrement < _NEAR:
                updates.append((np.log(last), np.log(update) - np.log(last)))
                scales = problem.bounded_scales(_extrapolated(updates, decrement))
                state = _follow(problem, state, factor, last, scales)
            else:
                scales, state = update, problem.rescaled(state, update)
            moved = float(np.abs(np.log(np.divide(scales, last))).sum())
            # Half the steps at most go into the scales: the others reach the mode.
            learning = n_iter < max_iter // 2 and (
                decrement > max(_SETTLED, tol)
                or (moved > _SETTLED and abs(evidence - known) >= flat)
            )
        reuse = (
            not learning
            and factor.dtype == np.float32
            and decrement < (0.1 * before if reuse else _AT_MODE)
        )
    if not converged or factor.dtype == np.float32:  # else the last factor is that of the mode
        factor = _factored(problem, state, scales, rough=False)
    root = triangular_inverse(factor)
    summary = {
        "log_evidence": _log_evidence(problem, state, factor, scales),
        "n_iter": n_iter,
        "converged": converged,
    }
    return state.position, scales, root.T @ root, summary


def _log_evidence(
    problem: WeightSpaceProblem, state: NewtonState, factor: np.ndarray, scales: Scales
) -> float:
    """Compute log p(y, mode) - log|H| / 2 - log|prior covariance| / 2."""
    log_det = 2.0 * float(np.log(np.diag(factor)).sum())
    _, variance = problem.prior(scales)
    return float(-state.objective - 0.5 * (log_det + np.log(variance).sum()))


def _factored(
    problem: WeightSpaceProblem, state: NewtonState, scales: Scales, *, rough: bool
) -> np.ndarray:
    """Compute the Hessian's lower Cholesky factor, zeros above its diagonal."""
    hessian = problem.hessian(state, scales, rough=rough)
    single = hessian.dtype == np.float32
    potrf = lapack.spotrf if single else lapack.dpotrf
    factor, info = potrf(hessian, lower=1, clean=1, overwrite_a=1)
    if info and single:
        return _factored(problem, state, scales, rough=False)
    if info:
        raise LinAlgError(f"the Hessian is not positive definite (leading minor {info})")
    return factor


def _solve(factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    potrs = lapack.spotrs if factor.dtype == np.float32 else lapack.dpotrs
    solution, _ = potrs(factor, right, lower=1)
    return solution.astype(float, copy=False)


def _extrapolated(updates: list[tuple[np.ndarray, np.ndarray]], decrement: float) -> np.ndarray:
    """Return the scales where the secant through the last two updates does not move them.

    `updates` are the logs of scales and their changes; `decrement` is the distance from the mode in
    nats.
    """
    logs, change = updates[-1]
    length = _FIRST
    if len(updates) > 1:
        before, its_change = updates[-2]
        moved = logs - before
        slope = float(moved @ (change - its_change))
        # Where the change grows, the fixed point is not near.
        length = 2.0 if slope >= 0.0 else float(moved @ moved) / -slope
    longest = _LONGEST_AT_MODE if decrement < _AT_MODE else _LONGEST
    return np.exp(logs + np.clip(length, _SHORTEST, longest) * change)


def _follow(
    problem: WeightSpaceProblem,
    state: NewtonState,
    factor: np.ndarray,
    last: Scales,
    scales: Scales,
) -> NewtonState:
    """Move the position with the scales, by what their change adds to the gradient."""
    position = state.position
    pull = problem.prior_gradient(position, scales) - problem.prior_gradient(position, last)
    stayed = problem.rescaled(state, scales)
    moved = problem.state(position - _solve(factor, pull), scales)
    return moved if moved.objective < stayed.objective else stayed


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
