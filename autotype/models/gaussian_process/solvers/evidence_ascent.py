"""Maximise the log evidence over hyper-parameters, with few evaluations when each is expensive."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
from scipy.optimize import minimize

from autotype.models.gaussian_process.solvers.posterior import ApproximatePosterior

# Up to here an evaluation is cheap: ascents use all rows and go to the limits of rounding.
DIRECT_ROWS = 250
# Stands for the value where the evidence cannot be computed: worse than any, yet finite.
_NO_EVIDENCE = 1e100
# Nats that a step may still promise where rounding ends an ascent.
_FLAT = 1e-2
_ROUNDING = 1e-12  # of a log evidence, relative
# Ends of coarse ascents that differ by more, in the logs of scales, are those of other maxima, and
# which is the higher one is open where their values differ by less.
_APART, _RIVAL_NATS = 0.3, 0.1

Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]


Posterior = TypeVar("Posterior", bound=ApproximatePosterior)


class Evidence(ABC, Generic[Posterior]):
    """Minus a log evidence and prior with their gradient, each evaluation started from an earlier.

    Parameters
    ----------
    infer : callable
        The `arguments` at some hyper-parameters, `start` and the options to a posterior.
    start : Any
        Where the first evaluation starts; None for a start from nothing.
    **options :
        Further keyword arguments of `infer`.
    """

    def __init__(self, infer: Callable[..., Posterior], *, start: Any = None, **options: Any):
        self.infer = infer
        self.start = start
        self.options = options

    @abstractmethod
    def arguments(self, parameters: np.ndarray) -> tuple:
        """Return the positional arguments of `infer` at the hyper-parameters."""

    @abstractmethod
    def slope(self, parameters: np.ndarray, posterior: Posterior) -> np.ndarray:
        """Compute the gradient of the log evidence."""

    def log_prior(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Log prior density of the hyper-parameters, and its gradient: flat by default."""
        return 0.0, np.zeros(len(parameters))

    def keep(self, parameters: np.ndarray, value: float, posterior: Posterior | None) -> None:
        """Choose the next start: the last posterior that converged; None after a failure."""
        self.start = posterior if posterior is not None and posterior.converged else None

    def posterior(self, parameters: np.ndarray) -> Posterior:
        """Approximate posterior at the hyper-parameters."""
        return self.infer(*self.arguments(parameters), start=self.start, **self.options)

    def __call__(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus log evidence and log prior, and their gradient; huge and flat without a factor."""
        nothing = _NO_EVIDENCE, np.zeros(len(parameters))
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                posterior = self.posterior(parameters)
        except np.linalg.LinAlgError:
            self.keep(parameters, _NO_EVIDENCE, None)
            return nothing
        log_prior, prior_slope = self.log_prior(parameters)
        value = -(posterior.log_evidence + log_prior)
        slope = -(self.slope(parameters, posterior) + prior_slope)
        if not (np.isfinite(value) and np.isfinite(slope).all()):
            return nothing
        self.keep(parameters, value, posterior)
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
    gradient : ndarray of shape (p,) or None
        Gradient of `value` there, for another ascent to go on.
    hessian : ndarray of shape (p, p) or None
        Estimate of its Hessian, from BFGS.
    paused : bool
        Whether the caller's condition ended it.
    rival : Ascent or None
        The next best end, if it may be near a better maximum than this one.
    """

    parameters: np.ndarray
    value: float
    n_iter: int
    converged: bool
    gradient: np.ndarray | None = None
    hessian: np.ndarray | None = None
    paused: bool = False
    rival: Ascent | None = None


@dataclass(frozen=True)
class Tolerance:
    """When L-BFGS-B stops: relative decrease, projected gradient, and length of line searches."""

    ftol: float
    gtol: float
    max_line_search: int


def ascend(
    objective: Objective,
    starts: Sequence[np.ndarray],
    bounds: np.ndarray,
    *,
    tolerance: Tolerance,
    max_iter: int,
    n_best: int | None = None,
) -> Ascent:
    """Maximise the evidence by L-BFGS-B, which suits cheap evaluations.

    Parameters
    ----------
    objective : callable
        Minus the log evidence and its gradient.
    starts : sequence of ndarray of shape (p,)
        Starts, within bounds; the best end is returned.
    bounds : ndarray of shape (p, 2)
        Lower and upper ends.
    tolerance : Tolerance
        When to stop.
    max_iter : int
        Most iterations from each start.
    n_best : int, optional
        Ascend only from so many starts, those of the best values; from all by default.

    Returns
    -------
    Ascent
    """
    if n_best is not None:
        evaluations = list(map(objective, starts))
        values = [value for value, _ in evaluations]
        starts = [starts[k] for k in np.argsort(values, kind="stable")[:n_best]]
    options = {
        "maxiter": max_iter,
        "ftol": tolerance.ftol,
        "gtol": tolerance.gtol,
        "maxls": tolerance.max_line_search,
    }
    ends = []
    for start in starts:
        result = minimize(
            objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options
        )
        # "Abnormal" line searches end where rounding does, which is as good as converged; and so
        # is an end on a plateau.
        inside = result.x - np.clip(result.x - result.jac, bounds[:, 0], bounds[:, 1])
        converged = result.status != 1 or float(np.max(np.abs(inside))) < _FLAT
        ends.append(Ascent(result.x, float(result.fun), int(result.nit), converged))
    return min(ends, key=lambda end: end.value)


def curvature_at(objective: Objective, at: np.ndarray, step: float = 1e-3) -> np.ndarray:
    """Compute the Hessian by differences of the gradient, made positive definite."""
    _, gradient = objective(at)
    rows = [objective(at + step * unit)[1] - gradient for unit in np.eye(len(at))]
    hessian = np.array(rows) / step
    values, vectors = np.linalg.eigh(0.5 * (hessian + hessian.T))
    # Flat and concave directions get a small positive curvature.
    values = np.maximum(np.abs(values), 0.05)
    return (vectors * values) @ vectors.T


def polish(
    objective: Objective,
    start: np.ndarray | Ascent,
    bounds: np.ndarray,
    *,
    hessian: np.ndarray | None = None,
    max_iter: int,
    tol: float = 1e-4,
    pause: Callable[[np.ndarray], bool] | None = None,
) -> Ascent:
    """Maximise the evidence by BFGS with a good Hessian: about one evaluation a step.

    Parameters
    ----------
    objective : callable
        Value and gradient, expensive to evaluate.
    start : ndarray of shape (p,) or Ascent
        Start, within bounds, or an ascent to go on from.
    bounds : ndarray of shape (p, 2)
        Steps are clipped to them.
    hessian : ndarray of shape (p, p), optional
        Positive definite estimate of the Hessian of the objective; that of an ascent by default.
    max_iter : int
        Most iterations.
    tol : float
        Stop once the quadratic model promises less than this, in nats.
    pause : callable, optional
        Whether to stop at these parameters.

    Returns
    -------
    Ascent

    Notes
    -----
    A line search that halves, and BFGS's update wherever the curvature along the step is positive.
    """
    if isinstance(start, Ascent):
        point, value, gradient = start.parameters, start.value, start.gradient
        H = start.hessian if hessian is None else hessian
    else:
        point, (value, gradient), H = start, objective(start), hessian
    if gradient is None or H is None:
        raise ValueError("a start needs its gradient and an estimate of the Hessian")

    def end(n_iter: int, converged: bool, paused: bool = False) -> Ascent:
        return Ascent(point, value, n_iter, converged, gradient, H, paused)

    promised = last = np.inf
    for n_iter in range(max_iter):
        if pause is not None and pause(point):
            return end(n_iter, False, paused=True)
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
            return end(n_iter, True)
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
            return end(n_iter, promised < _FLAT)
        H = _bfgs_update(H, trial - point, new_gradient - gradient)
        point, value, gradient = trial, new_value, new_gradient
    return end(max_iter, promised < _FLAT)


def polish_best(
    objective: Objective,
    starts: Sequence[np.ndarray],
    bounds: np.ndarray,
    *,
    hessian: np.ndarray,
    max_iter: int,
    tol: float,
    n_best: int,
    pause: Callable[[np.ndarray], bool] | None = None,
) -> Ascent:
    """Maximise the evidence by `polish` from the `n_best` starts of the best values.

    Parameters
    ----------
    objective, bounds, hessian, max_iter, tol, pause :
        As in `polish`.
    starts : sequence of ndarray of shape (p,)
        Starts, within bounds.
    n_best : int
        Starts to ascend from.

    Returns
    -------
    Ascent
        The end of the best value, among those up to the first that paused.
    """
    points = []
    for start in starts:
        value, gradient = objective(start)
        points.append(Ascent(start, value, 0, False, gradient, hessian))
    points.sort(key=lambda point: point.value)
    ends = []
    for point in points[:n_best]:
        ends.append(polish(objective, point, bounds, max_iter=max_iter, tol=tol, pause=pause))
        if ends[-1].paused:
            break
    best, *others = sorted(ends, key=lambda end: end.value)
    if others and (best.paused or _are_rivals(best, others[0])):
        return replace(best, rival=others[0])
    return best


def _are_rivals(one: Ascent, other: Ascent) -> bool:
    """Return whether two ends are apart, and their values too near to tell the better maximum."""
    apart = float(np.max(np.abs(one.parameters - other.parameters))) > _APART
    # What paused was to go no further.
    return apart and not other.paused and abs(one.value - other.value) < _RIVAL_NATS


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
