"""The hyper-parameters of the ordinal model as one vector: layout, starts, bounds, evidence.

The vector holds the kernel's theta, ln s unless the noise is held, b_1 and ln Delta_2 ..
ln Delta_{L-1} (Chu and Ghahramani 2005, Gaussian processes for ordinal regression, sec. 3.1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from sklearn.gaussian_process.kernels import RBF, Kernel

from autotype.models.gaussian_process.kernels import KernelMatrix, kernel_parts
from autotype.models.gaussian_process.share_prior import SharePrior
from autotype.models.gaussian_process.solvers.evidence_ascent import Evidence
from autotype.models.gaussian_process.solvers.interval_likelihood import starting_thresholds
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    LatentPosterior,
    OrdinalObservations,
    threshold_parameter_gradient,
    threshold_parameters,
    thresholds_from_parameters,
)

# In units of the prior's standard deviation.
_START_NOISES = (1.0, 0.25)
_START_LENGTHS = (1.0, 0.4)
# Of the log evidence of a row, in the logs of all parameters but the first threshold.
_CURVATURE_OF_KERNEL, _CURVATURE_OF_NOISE = 0.5, 0.5
_CURVATURE_OF_THRESHOLD, _CURVATURE_OF_GAPS = 0.04, 0.3


@dataclass(frozen=True)
class ParameterLayout:
    """Positions of the parts in the parameter vector.

    Attributes
    ----------
    n_kernel : int
        Length of theta.
    noise : float or None
        The noise where it is held; None where it is learned.
    """

    n_kernel: int
    noise: float | None

    def unpack(self, parameters: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """Split into theta, noise and the free threshold parameters."""
        theta, others = parameters[: self.n_kernel], parameters[self.n_kernel :]
        if self.noise is not None:
            return theta, self.noise, others
        return theta, float(np.exp(others[0])), others[1:]


class OrdinalEvidence(Evidence[LatentPosterior]):
    """Minus the log evidence of one set of rows and the log prior, with their gradient.

    Parameters
    ----------
    kernel : KernelMatrix
        The kernel on the rows.
    observations : OrdinalObservations
        Their ranks and weights.
    infer : callable
        `laplace_posterior`, `ep_posterior` or `variational_posterior`.
    layout : ParameterLayout
        Meaning of the parameter vector.
    start : ndarray of shape (n,) or LatentPosterior, optional
        Latent values, or a posterior, from which the first evaluation starts; later ones start
        from the best posterior so far.
    share_prior : float
        Strength of the prior on the share explained; 0 for the evidence alone.
    """

    def __init__(
        self,
        kernel: KernelMatrix,
        observations: OrdinalObservations,
        infer: Callable[..., LatentPosterior],
        layout: ParameterLayout,
        *,
        start: np.ndarray | LatentPosterior | None = None,
        share_prior: float = 0.0,
    ) -> None:
        super().__init__(infer, start=start, with_gradient=True)
        self.kernel = kernel
        self.observations = observations
        self.layout = layout
        self.prior = SharePrior(share_prior, observations.weight)
        self._best_value = np.inf
        self._best_parameters = np.empty(0)
        self._best: LatentPosterior | None = None

    def arguments(self, parameters: np.ndarray) -> tuple:
        """Return kernel matrix, observations, thresholds and noise."""
        theta, noise, free = self.layout.unpack(parameters)
        thresholds = thresholds_from_parameters(free)
        self._matrix = self.kernel.value(theta)
        return self._matrix, self.observations, thresholds, noise

    def log_prior(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Log density of the share explained, and its gradient, at the matrix of `arguments`."""
        layout, gradient = self.layout, np.zeros(len(parameters))
        if self.prior.strength == 0.0:
            return 0.0, gradient
        density = self.prior.density(self._matrix, layout.unpack(parameters)[1])
        if layout.n_kernel > 0 and density.kernel_scale != 0.0:
            weights = density.kernel_scale * self.prior.spread_weights()
            gradient[: layout.n_kernel] = self.kernel.contract(weights)
        if layout.noise is None:
            gradient[layout.n_kernel] = density.log_noise
        return density.value, gradient

    def slope(self, parameters: np.ndarray, posterior: LatentPosterior) -> np.ndarray:
        """Compute the gradient of the log evidence in the parameter vector."""
        gradient = posterior.gradient
        if gradient is None:
            raise ValueError("infer returned a posterior without the gradient of its evidence")
        free = self.layout.unpack(parameters)[2]
        by_kernel = self.kernel.contract(gradient.kernel)
        by_noise = [] if self.layout.noise is not None else [gradient.log_noise]
        by_threshold = threshold_parameter_gradient(free, gradient.thresholds)
        return np.concatenate([by_kernel, by_noise, by_threshold])

    def keep(self, parameters: np.ndarray, value: float, posterior: LatentPosterior | None) -> None:
        """Start the next evaluations from the best posterior so far."""
        if posterior is not None and value < self._best_value:
            self._best_value, self._best_parameters = value, parameters.copy()
            # The gradient's n x n matrix is not needed again.
            self._best = self.start = replace(posterior, gradient=None)

    def expected_curvature(self, amplitude: float) -> np.ndarray:
        """Return the usual Hessian of minus the log evidence, for the first step of BFGS.

        The figures are those of smooth functions with noise, by simulation; only the number of
        evaluations depends on them.
        """
        n_kernel, held = self.layout.n_kernel, self.layout.noise
        unit = amplitude if held is None else np.hypot(amplitude, held)
        a_row = [_CURVATURE_OF_KERNEL / max(n_kernel, 1)] * n_kernel
        a_row += [_CURVATURE_OF_NOISE] if held is None else []
        a_row += [_CURVATURE_OF_THRESHOLD / unit**2]
        a_row += [_CURVATURE_OF_GAPS] * (self.observations.n_levels - 2)
        return np.diag(self.observations.weight.sum() * np.array(a_row))

    def refine(self, infer: Callable[..., LatentPosterior]) -> None:
        """Evaluate by a more accurate inference from now on."""
        self.infer, self._best_value = infer, np.inf

    def restart_at(self, latent: np.ndarray) -> None:
        """Start the next evaluation from these latent values."""
        self.start = latent

    def best_posterior(self, parameters: np.ndarray) -> LatentPosterior:
        """Return the posterior, without gradient; that of the best parameters is kept."""
        if self._best is not None and np.array_equal(parameters, self._best_parameters):
            return self._best
        return self.infer(*self.arguments(parameters), start=self.start, with_gradient=False)


def starting_points(
    kernel: Kernel,
    layout: ParameterLayout,
    observations: OrdinalObservations,
    *,
    amplitude: float,
    restart_lengths: bool,
) -> list[np.ndarray]:
    """Return starting points: thresholds at the probits of the shares, some noises and lengths."""
    thresholds = starting_thresholds(observations.counts())
    lengths = _START_LENGTHS if restart_lengths and has_length_scale(kernel) else (1.0,)
    is_length = np.array([name == "length_scale" for name in _theta_names(kernel)], dtype=bool)
    noises = [layout.noise] if layout.noise is not None else [amplitude * n for n in _START_NOISES]
    starts = []
    for factor in lengths:
        theta = kernel.theta + np.where(is_length, np.log(factor), 0.0)
        for noise in noises:
            free = threshold_parameters(thresholds * np.hypot(amplitude, noise))
            log_noise = [] if layout.noise is not None else [np.log(noise)]
            starts.append(np.concatenate([theta, log_noise, free]))
    return starts


def _theta_names(kernel: Kernel) -> list[str]:
    """Name of the hyper-parameter behind each entry of theta."""
    return [
        parameter.name.rpartition("__")[2]
        for parameter in kernel.hyperparameters
        if not parameter.fixed
        for _ in range(parameter.n_elements)
    ]


def parameter_bounds(
    kernel: Kernel,
    layout: ParameterLayout,
    n_levels: int,
    *,
    amplitude: float,
    smallest_noise: float,
) -> np.ndarray:
    """Return the box of the parameter vector, in units of the prior's standard deviation."""
    rows = [kernel.bounds] if layout.n_kernel else []
    unit = amplitude if layout.noise is None else np.hypot(amplitude, layout.noise)
    if layout.noise is None:
        rows.append(np.log([[smallest_noise * unit, 1e2 * unit]]))
    rows.append(np.array([[-1e3 * unit, 1e3 * unit]]))
    rows.extend([np.log([[1e-5 * unit, 1e3 * unit]])] * (n_levels - 2))
    return np.vstack(rows)


def has_length_scale(kernel: Kernel) -> bool:
    """Return whether the kernel is built on Gaussian kernels with free length scales."""
    return any(
        isinstance(part, RBF) and not part.hyperparameter_length_scale.fixed
        for part in kernel_parts(kernel)
    )
