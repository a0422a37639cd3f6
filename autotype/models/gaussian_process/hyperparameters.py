"""What the ordinal model learns, as one vector, and the objective that learning maximises.

Kernel, noise and thresholds fit the rows best where the evidence is largest, the probability of the
observed ranks with the latent values averaged out. The evidence of few rows hardly restrains the
amplitude beside the noise: its maximum may lie where the features explain everything, or nothing.
So the objective is the log evidence plus the log density of a weak prior on the proportion
explained.

The vector holds the kernel's theta, ln s unless the noise is held, b_1 and ln Delta_2 ..
ln Delta_{L-1} (Chu and Ghahramani 2005, Gaussian processes for ordinal regression, sec. 3.1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process.kernels import KernelMatrix
from autotype.models.gaussian_process.solvers.evidence_ascent import Evidence
from autotype.models.gaussian_process.solvers.interval_likelihood import starting_thresholds
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    LatentPosterior,
    OrdinalObservations,
    threshold_parameter_gradient,
    threshold_parameters,
    thresholds_from_parameters,
)

# Of minus the log evidence of a row, in any parameter: about what smooth functions with noise have.
# Only the number of steps depends on it.
_CURVATURE = 0.3
# A function that varies less, beside its own variance, is a constant up to rounding.
_CONSTANT = 1e-12


def share_log_prior(
    K: np.ndarray, noise: float, weight: np.ndarray, *, strength: float
) -> tuple[float, float, np.ndarray | None]:
    """Compute the log density of Beta(k, k) for the proportion R explained, and its slopes.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    noise : float
        s > 0.
    weight : ndarray of shape (n,)
        Weights of the rows, > 0.
    strength : float
        k >= 0; 0 for no prior.

    Returns
    -------
    value, by_log_noise : float
        k ln R + k ln(1 - R), the density of ln(R / (1 - R)), and its slope in ln s.
    by_kernel : ndarray of shape (n, n), or None
        Its slope in K. All are nothing where the function is constant or the strength 0.

    Notes
    -----
    R = v / (v + s^2), where v is the variance over the rows that the Gaussian process expects of
    its function, p'diag(K) - p'Kp with the rows' proportions p of the weight, and s the noise. What
    is the same in all rows is left to the thresholds; so v, unlike the amplitude, is the effect of
    the features, also where a long length scale makes the function nearly linear. The density falls
    by k nats for each factor e of v / s^2, either way; evidence of many rows outweighs it.

    Examples
    --------
    >>> share_log_prior(2.0 * np.eye(2), 1.0, np.ones(2), strength=2.0)[0]  # R = 1/2
    -2.772588722239781
    """
    p = weight / weight.sum()
    total = float(p @ np.diag(K))
    spread = total - float(p @ K @ p)
    if strength == 0.0 or not spread > _CONSTANT * total:
        return 0.0, 0.0, None
    odds = spread / noise**2
    # ln R + ln(1 - R) of R = odds / (1 + odds)
    value = strength * float(np.log(odds) - 2.0 * np.log1p(odds))
    by_log_odds = strength * (1.0 - odds) / (1.0 + odds)
    by_kernel = (by_log_odds / spread) * (np.diag(p) - np.outer(p, p))
    return value, -2.0 * by_log_odds, by_kernel


class OrdinalEvidence(Evidence[LatentPosterior]):
    """Minus the log evidence of one set of rows and the log prior, with their gradient.

    Parameters
    ----------
    kernel : Kernel
        Start and bounds of its hyper-parameters.
    X : ndarray of shape (n, d)
        The rows.
    observations : OrdinalObservations
        Their ranks and weights.
    infer : callable
        `laplace_posterior` or `ep_posterior`.
    noise : float or None
        The noise where it is held; None where it is learned.
    share_prior : float
        Strength of the prior on the proportion explained; 0 for the evidence alone.

    Attributes
    ----------
    amplitude : float
        The prior's standard deviation of the latent values at the start: the unit of the bounds.
    """

    def __init__(
        self,
        kernel: Kernel,
        X: np.ndarray,
        observations: OrdinalObservations,
        infer: Callable[..., LatentPosterior],
        *,
        noise: float | None = None,
        share_prior: float = 0.0,
    ) -> None:
        super().__init__(infer)
        self.kernel = kernel
        self.observations = observations
        self.noise = noise
        self.share_prior = share_prior
        self.amplitude = float(np.sqrt(np.mean(kernel.diag(X)))) or 1.0
        self._n_kernel = len(kernel.theta)
        self._matrix = KernelMatrix(kernel, X)

    def unpack(self, parameters: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """Split into theta, noise and the free threshold parameters."""
        theta, others = parameters[: self._n_kernel], parameters[self._n_kernel :]
        if self.noise is not None:
            return theta, self.noise, others
        return theta, float(np.exp(others[0])), others[1:]

    def start_parameters(self) -> np.ndarray:
        """Start: the kernel's own theta, a noise as large, thresholds at the ranks' quantiles."""
        noise = self.amplitude if self.noise is None else self.noise
        thresholds = starting_thresholds(self.observations.counts())
        free = threshold_parameters(thresholds * np.hypot(self.amplitude, noise))
        log_noise = [np.log(noise)] if self.noise is None else []
        return np.concatenate([self.kernel.theta, log_noise, free])

    def bounds(self, smallest_noise: float) -> np.ndarray:
        """Return the box of the vector; `smallest_noise` in units of the amplitude."""
        rows = [self.kernel.bounds] if self._n_kernel else []
        unit = np.hypot(self.amplitude, self.noise or 0.0)
        if self.noise is None:
            rows.append(np.log([[smallest_noise * unit, 1e2 * unit]]))
        rows.append(np.array([[-1e3 * unit, 1e3 * unit]]))
        rows.extend([np.log([[1e-5 * unit, 1e3 * unit]])] * (self.observations.n_levels - 2))
        return np.vstack(rows)

    def usual_hessian(self) -> np.ndarray:
        """Return the Hessian to start BFGS with; several lengths share the curvature of one."""
        curvature = np.full(len(self.start_parameters()), _CURVATURE)
        curvature[: self._n_kernel] /= max(self._n_kernel, 1)
        return np.diag(self.observations.weight.sum() * curvature)

    def arguments(self, parameters: np.ndarray) -> tuple[Any, ...]:
        """Return kernel matrix, observations, thresholds and noise."""
        theta, noise, free = self.unpack(parameters)
        thresholds = thresholds_from_parameters(free)
        self._K = self._matrix.value(theta)
        return self._K, self.observations, thresholds, noise

    def slope(self, parameters: np.ndarray, posterior: LatentPosterior) -> np.ndarray:
        """Compute the gradient of the log evidence in the parameter vector."""
        if posterior.gradient is None:
            raise ValueError("infer returned a posterior without the gradient of its evidence")
        by_kernel, by_log_noise, by_threshold = posterior.gradient
        free = self.unpack(parameters)[2]
        return np.concatenate(
            [
                self._matrix.contract(by_kernel),
                [by_log_noise] if self.noise is None else [],
                threshold_parameter_gradient(free, by_threshold),
            ]
        )

    def log_prior(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Log density of the proportion explained and its gradient, at `arguments`' matrix."""
        gradient = np.zeros(len(parameters))
        value, by_noise, by_kernel = share_log_prior(
            self._K,
            self.unpack(parameters)[1],
            self.observations.weight,
            strength=self.share_prior,
        )
        if by_kernel is not None and self._n_kernel:
            gradient[: self._n_kernel] = self._matrix.contract(by_kernel)
        if self.noise is None:
            gradient[self._n_kernel] = by_noise
        return value, gradient
