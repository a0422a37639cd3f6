"""Hyper-parameters by ascent of the log evidence, few evaluations where they are dear.

The parameters are one vector: the kernel's theta, ln s unless the noise is held, b_1 and
ln Delta_2 .. ln Delta_{L-1} (Chu and Ghahramani 2005, Gaussian processes for ordinal regression,
sec. 3.1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from scipy.optimize import minimize

from autotype.gaussian_process.solvers.ordinal_latent import (
    EvidenceGradient,
    LatentPosterior,
    OrdinalObservations,
    threshold_parameter_gradient,
    thresholds_from_parameters,
)

# Stands for the value where the evidence cannot be computed: worse than any, yet finite.
_NO_EVIDENCE = 1e100
# Nats that a parameter, moved by a factor of e, may still promise at the end.
_FLAT = 1e-2


class KernelMatrixLike(Protocol):
    """A kernel on fixed rows."""

    def value(self, theta: np.ndarray) -> np.ndarray:
        """Kernel matrix at theta."""

    def contract(self, weights: np.ndarray) -> np.ndarray:
        """Sum weights * dK/dtheta_p at the theta of the last `value`."""


@dataclass(frozen=True)
class ParameterLayout:
    """Where the parts of the parameter vector lie.

    Attributes
    ----------
    n_kernel : int
        Length of theta.
    noise : float or None
        The noise where it is held; None where it is learnt.
    """

    n_kernel: int
    noise: float | None

    def unpack(self, parameters: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """Split into theta, noise and the free threshold parameters."""
        theta, rest = parameters[: self.n_kernel], parameters[self.n_kernel :]
        if self.noise is not None:
            return theta, self.noise, rest
        return theta, float(np.exp(rest[0])), rest[1:]


class EvidenceFunction:
    """Minus the log evidence of one set of rows, with its gradient.

    Parameters
    ----------
    kernel : KernelMatrixLike
        The kernel on the rows.
    observations : OrdinalObservations
        Their ranks and weights.
    infer : callable
        `laplace_posterior`, `ep_posterior` or `variational_posterior`.
    layout : ParameterLayout
        Meaning of the parameter vector.

    Attributes
    ----------
    start : ndarray of shape (n,), LatentPosterior or None
        Latent values, or posterior, from which the next evaluation starts.
    """

    def __init__(
        self,
        kernel: KernelMatrixLike,
        observations: OrdinalObservations,
        infer: Callable[..., LatentPosterior],
        layout: ParameterLayout,
    ) -> None:
        self.kernel = kernel
        self.observations = observations
        self.infer = infer
        self.layout = layout
        self.start: np.ndarray | LatentPosterior | None = None
        self._best_value = np.inf
        self._best_parameters = np.empty(0)
        self._best: Any = None

    def posterior(self, parameters: np.ndarray, *, with_gradient: bool = False) -> LatentPosterior:
        """Approximate posterior at the parameters, started from the latent values kept."""
        if not with_gradient and np.array_equal(parameters, self._best_parameters):
            return self._best
        theta, noise, free = self.layout.unpack(parameters)
        return self.infer(
            self.kernel.value(theta),
            self.observations,
            thresholds_from_parameters(free),
            noise,
            start=self.start,
            with_gradient=with_gradient,
        )

    def __call__(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus the log evidence and its gradient; huge and flat where no factor exists."""
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                posterior = self.posterior(parameters, with_gradient=True)
        except np.linalg.LinAlgError:
            return _NO_EVIDENCE, np.zeros(len(parameters))
        if posterior.gradient is None:
            raise ValueError("infer gave no gradient though it was asked for one")
        value, slope = -posterior.log_evidence, -self._slope(parameters, posterior.gradient)
        if not (np.isfinite(value) and np.isfinite(slope).all()):
            return _NO_EVIDENCE, np.zeros(len(parameters))
        if value < self._best_value:
            self._best_value, self._best_parameters = value, parameters.copy()
            self._best = self.start = replace(posterior, gradient=None)
        return value, slope

    def _slope(self, parameters: np.ndarray, gradient: EvidenceGradient) -> np.ndarray:
        free = self.layout.unpack(parameters)[2]
        by_kernel = self.kernel.contract(gradient.kernel)
        by_noise = [] if self.layout.noise is not None else [gradient.log_noise]
        by_threshold = threshold_parameter_gradient(free, gradient.thresholds)
        return np.concatenate([by_kernel, by_noise, by_threshold])


@dataclass(frozen=True)
class Ascent:
    """Where an ascent ended.

    Attributes
    ----------
    parameters : ndarray of shape (p,)
        The best parameters seen.
    value : float
        Minus their log evidence.
    n_iter : int
        Iterations.
    converged : bool
        Whether the gradient says that little is left to gain.
    """

    parameters: np.ndarray
    value: float
    n_iter: int
    converged: bool


def ascend(
    function: EvidenceFunction,
    start: np.ndarray,
    bounds: np.ndarray,
    *,
    max_iter: int,
    precise: bool = False,
) -> Ascent:
    """Maximise the evidence by L-BFGS-B: the way for cheap evaluations.

    Parameters
    ----------
    function : EvidenceFunction
        The objective.
    start : ndarray of shape (p,)
        Start, within bounds.
    bounds : ndarray of shape (p, 2)
        Lower and upper ends.
    max_iter : int
        Most iterations.
    precise : bool
        Whether to go to the limits of rounding, so that the end does not depend on the path.

    Returns
    -------
    Ascent
    """
    ftol, gtol = (1e-13, 1e-7) if precise else (1e-7, 1e-3)
    result = minimize(
        function,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": max_iter, "ftol": ftol, "gtol": gtol, "maxls": 12},
    )
    # "Abnormal" line searches end where rounding does, which is as good as converged; and so is
    # an end on a plateau.
    inside = result.x - np.clip(result.x - result.jac, bounds[:, 0], bounds[:, 1])
    converged = result.status != 1 or float(np.max(np.abs(inside))) < _FLAT
    return Ascent(result.x, float(result.fun), int(result.nit), converged)


def curvature_at(function: EvidenceFunction, at: np.ndarray, step: float = 1e-3) -> np.ndarray:
    """Hessian of the objective by differences of its gradient, made positive definite."""
    _, gradient = function(at)
    rows = [function(at + step * unit)[1] - gradient for unit in np.eye(len(at))]
    hessian = np.array(rows) / step
    values, vectors = np.linalg.eigh(0.5 * (hessian + hessian.T))
    values = np.maximum(np.abs(values), 0.05)
    return (vectors * values) @ vectors.T


def polish(
    function: EvidenceFunction,
    start: np.ndarray,
    bounds: np.ndarray,
    *,
    hessian: np.ndarray,
    max_iter: int,
    tol: float = 1e-4,
) -> Ascent:
    """Maximise the evidence by BFGS from a good start with a good Hessian: one evaluation a step.

    Parameters
    ----------
    function : EvidenceFunction
        The objective, dear to evaluate.
    start : ndarray of shape (p,)
        Start, within bounds.
    bounds : ndarray of shape (p, 2)
        Steps are clipped to them.
    hessian : ndarray of shape (p, p)
        Positive definite estimate of the Hessian of the objective.
    max_iter : int
        Most iterations.
    tol : float
        Stop once the quadratic model promises less than this, in nats.

    Returns
    -------
    Ascent

    Notes
    -----
    A line search that halves, and BFGS's update wherever the curvature along the step is positive.
    """
    H = hessian
    point, (value, gradient) = start, function(start)
    for n_iter in range(max_iter):
        free = ~(
            ((point <= bounds[:, 0]) & (gradient > 0)) | ((point >= bounds[:, 1]) & (gradient < 0))
        )
        step = np.zeros(len(point))
        step[free] = -np.linalg.solve(H[np.ix_(free, free)], gradient[free])
        promise = -0.5 * float(gradient @ step)
        if promise < tol:
            return Ascent(point, value, n_iter, True)
        step *= min(1.0, 2.0 / np.max(np.abs(step)))  # no parameter moves by more than e^2
        length = 1.0
        for _ in range(12):
            trial = np.clip(point + length * step, bounds[:, 0], bounds[:, 1])
            new_value, new_gradient = function(trial)
            if new_value < value + 1e-4 * float(gradient @ (trial - point)):
                break
            length *= 0.3
        else:
            return Ascent(point, value, n_iter, promise < 100.0 * tol)
        H = _bfgs_update(H, trial - point, new_gradient - gradient)
        point, value, gradient = trial, new_value, new_gradient
    return Ascent(point, value, max_iter, False)


def _bfgs_update(H: np.ndarray, step: np.ndarray, change: np.ndarray) -> np.ndarray:
    """BFGS's update of the Hessian, damped where the curvature seen is not positive."""
    Hs = H @ step
    expected, seen = float(step @ Hs), float(step @ change)
    if expected <= 0.0:
        return H
    if seen < 0.1 * expected:  # Powell's damping
        mix = 0.9 * expected / (expected - seen)
        change = mix * change + (1.0 - mix) * Hs
        seen = float(step @ change)
    return H - np.outer(Hs, Hs) / expected + np.outer(change, change) / seen
