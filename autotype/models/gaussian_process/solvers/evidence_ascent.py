"""Maximise the log evidence over hyper-parameters, with few evaluations, as each is expensive.

The whole Hessian of BFGS is small here: started with a good guess of it, half the evaluations of
L-BFGS-B do, and it is handed on to the next ascent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np


@dataclass(frozen=True, kw_only=True)
class ApproximatePosterior:
    """Base of the Gaussian approximations of a posterior.

    Attributes
    ----------
    log_evidence : float
        Approximation of the log marginal likelihood: Laplace's or EP's.
    n_iter : int
        Newton steps or sweeps.
    converged : bool
        Whether the mode or the fixed point was reached.
    """

    log_evidence: float
    n_iter: int
    converged: bool


# Up to here an evaluation is cheap: ascents use all rows and go to the limits of rounding.
DIRECT_ROWS = 250
# Stands for the value where the evidence cannot be computed: worse than any, yet finite.
_NO_EVIDENCE = 1e100
# Nats that a step may still promise where rounding ends an ascent.
_FLAT = 1e-2
_ROUNDING = 1e-12  # of a log evidence, relative

Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]


Posterior = TypeVar("Posterior", bound=ApproximatePosterior)


# A posterior, its log evidence plus a log prior, and the gradient of the sum.
Evaluation = tuple[Posterior, float, np.ndarray]


class Evidence(Generic[Posterior]):
    """Minus a log evidence and prior with their gradient, each evaluation started from an earlier.

    Parameters
    ----------
    compute : callable
        Hyper-parameters, and an earlier posterior or None, to a posterior, its log evidence plus
        their log prior, and the gradient of the sum.
    """

    def __init__(
        self, compute: Callable[[np.ndarray, Posterior | None], Evaluation[Posterior]]
    ) -> None:
        self._compute = compute
        self.start: Posterior | None = None

    def __call__(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus log evidence and log prior, and their gradient; huge and flat without a factor."""
        nothing = _NO_EVIDENCE, np.zeros(len(parameters))
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                posterior, value, slope = self._compute(parameters, self.start)
        except np.linalg.LinAlgError:
            self.start = None
            return nothing
        if not (np.isfinite(value) and np.isfinite(slope).all()):
            return nothing
        # The next start is the last posterior that converged; none after a failure.
        self.start = posterior if posterior.converged else None
        return -value, -slope


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
