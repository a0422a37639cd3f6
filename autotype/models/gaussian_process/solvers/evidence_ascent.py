"""Maximise the log evidence over hyper-parameters, with few evaluations, as each is expensive.

The whole Hessian of BFGS is small here: started with a good guess of it, half the evaluations of
L-BFGS-B do, and it is handed on to the next ascent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from autotype.models.gaussian_process.solvers.posterior import ApproximatePosterior

# Up to here an evaluation is cheap: ascents use all rows and go to the limits of rounding.
DIRECT_ROWS = 250
# Stands for the value where the evidence cannot be computed: worse than any, yet finite.
_NO_EVIDENCE = 1e100
# Nats that a step may still promise where rounding ends an ascent.
_FLAT = 1e-2
_ROUNDING = 1e-12  # of a log evidence, relative

Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]


Posterior = TypeVar("Posterior", bound=ApproximatePosterior)


class Evidence(ABC, Generic[Posterior]):
    """Minus a log evidence and prior with their gradient, each evaluation started from an earlier.

    Parameters
    ----------
    infer : callable
        The `arguments` at some hyper-parameters and `start`, an earlier posterior or None, to a
        posterior.
    """

    def __init__(self, infer: Callable[..., Posterior]) -> None:
        self.infer = infer
        self.start: Posterior | None = None

    @abstractmethod
    def arguments(self, parameters: np.ndarray) -> tuple[Any, ...]:
        """Return the positional arguments of `infer` at the hyper-parameters."""

    @abstractmethod
    def slope(self, parameters: np.ndarray, posterior: Posterior) -> np.ndarray:
        """Compute the gradient of the log evidence."""

    def log_prior(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Log prior density of the hyper-parameters, and its gradient: flat by default."""
        return 0.0, np.zeros(len(parameters))

    def keep(self, posterior: Posterior | None) -> None:
        """Choose the next start: the last posterior that converged; None after a failure."""
        self.start = posterior if posterior is not None and posterior.converged else None

    def posterior(self, parameters: np.ndarray) -> Posterior:
        """Approximate posterior at the hyper-parameters."""
        return self.infer(*self.arguments(parameters), start=self.start)

    def __call__(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus log evidence and log prior, and their gradient; huge and flat without a factor."""
        nothing = _NO_EVIDENCE, np.zeros(len(parameters))
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                arguments = self.arguments(parameters)
                posterior = self.infer(*arguments, start=self.start)
        except np.linalg.LinAlgError:
            self.keep(None)
            return nothing
        log_prior, prior_slope = self.log_prior(parameters)
        value = -(posterior.log_evidence + log_prior)
        slope = -(self.slope(parameters, posterior) + prior_slope)
        if not (np.isfinite(value) and np.isfinite(slope).all()):
            return nothing
        self.keep(posterior)
        return value, slope


@dataclass(frozen=True)
class Ascent:
    """The end of an ascent.

    Attributes
    ----------
    parameters : ndarray of shape (p,)
        The best parameters seen.
    value : float
        Minus their log evidence and log prior.
    n_iter : int
        Iterations.
    converged : bool
        Whether the gradient shows that little is left to gain.
    hessian : ndarray of shape (p, p)
        Estimate of the Hessian of `value`.
    """

    parameters: np.ndarray
    value: float
    n_iter: int
    converged: bool
    hessian: np.ndarray


def ascend(
    objective: Objective,
    start: np.ndarray,
    bounds: np.ndarray,
    *,
    hessian: np.ndarray,
    max_iter: int,
    tol: float = 1e-4,
) -> Ascent:
    """Maximise the evidence by BFGS with a good Hessian: about one evaluation per step.

    Parameters
    ----------
    objective : callable
        Value and gradient, expensive to evaluate.
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
    point, (value, gradient), H = start, objective(start), hessian
    promised = last = np.inf
    for n_iter in range(max_iter):
        # Parameters at a bound that the gradient pushes outwards stay there.
        free = ~(
            ((point <= bounds[:, 0]) & (gradient > 0)) | ((point >= bounds[:, 1]) & (gradient < 0))
        )
        step = np.zeros(len(point))
        step[free] = -np.linalg.solve(H[np.ix_(free, free)], gradient[free])
        promised = -0.5 * float(gradient @ step)
        # Below the rounding of the value the gradient alone decides, as long as it falls.
        rounded = promised < _ROUNDING * (1.0 + abs(value))
        if promised < tol or (rounded and promised > 0.1 * last):
            return Ascent(point, value, n_iter, True, H)
        last = promised if rounded else np.inf
        step *= min(1.0, 2.0 / np.max(np.abs(step)))  # no parameter moves by more than e^2
        length = 1.0
        for _ in range(12):
            trial = np.clip(point + length * step, bounds[:, 0], bounds[:, 1])
            new_value, new_gradient = objective(trial)
            if rounded or new_value < value + 1e-4 * float(gradient @ (trial - point)):
                break
            length *= 0.3
        else:
            return Ascent(point, value, n_iter, promised < _FLAT, H)
        H = _bfgs_update(H, trial - point, new_gradient - gradient)
        point, value, gradient = trial, new_value, new_gradient
    return Ascent(point, value, max_iter, promised < _FLAT, H)


def _bfgs_update(H: np.ndarray, step: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Update the Hessian by BFGS, damped where the observed curvature is not positive."""
    Hs = H @ step
    expected, observed = float(step @ Hs), float(step @ change)
    if expected <= 0.0:
        return H
    if observed < 0.1 * expected:  # Powell's damping
        mix = 0.9 * expected / (expected - observed)
        change = mix * change + (1.0 - mix) * Hs
        observed = float(step @ change)
    return H - np.outer(Hs, Hs) / expected + np.outer(change, change) / observed
