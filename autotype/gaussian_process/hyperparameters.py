"""Kernel, noise and thresholds of a latent Gaussian process learnt from the evidence.

Many evaluations on a sample, then a handful on all rows: the sample's optimum and its curvature
make every step on all rows count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri
from sklearn.gaussian_process.kernels import RBF, Kernel

from autotype.gaussian_process.kernels import kernel_matrix, kernel_parts
from autotype.gaussian_process.solvers.evidence_ascent import (
    Ascent,
    EvidenceFunction,
    ParameterLayout,
    ascend,
    curvature_at,
    polish,
)
from autotype.gaussian_process.solvers.ordinal_latent import (
    LatentPosterior,
    OrdinalObservations,
    threshold_parameters,
    thresholds_from_parameters,
)

DIRECT_ROWS = 250  # up to here all rows are as cheap as a sample
_MIN_SAMPLE, _MAX_SAMPLE = 130, 400
# Where ranks are noise-free the evidence rises as the noise falls. Laplace's approximation takes
# the posterior for sharper than it is there and gains evidence at the cost of predictions.
SMALLEST_NOISE = 0.02
_SAMPLE_NOISE = 0.2  # of the prior's standard deviation: below, a sample's evidence misleads
_START_NOISES = (1.0, 0.25)
_START_LENGTHS = (1.0, 0.4)


@dataclass(frozen=True)
class LearntModel:
    """Hyper-parameters at the best evidence found, and the posterior there.

    Attributes
    ----------
    theta : ndarray
        Logs of the kernel's free hyper-parameters.
    noise : float
        s > 0.
    thresholds : ndarray of shape (n_levels - 1,)
        Strictly increasing.
    posterior : LatentPosterior
        At these values, on all rows.
    n_iter : int
        Iterations of the ascent on all rows, at least 1.
    converged : bool
        Whether the ascent reached its tolerance.
    """

    theta: np.ndarray
    noise: float
    thresholds: np.ndarray
    posterior: LatentPosterior
    n_iter: int
    converged: bool


def learn_hyperparameters(
    kernel: Kernel,
    X: np.ndarray,
    observations: OrdinalObservations,
    infer: Callable[..., LatentPosterior],
    roughly: Callable[..., LatentPosterior],
    *,
    noise: float | None,
    max_iter: int,
    restart_lengths: bool,
    smallest_noise: float = SMALLEST_NOISE,
) -> LearntModel:
    """Maximise the evidence over kernel, noise and thresholds.

    Parameters
    ----------
    kernel : Kernel
        Start and bounds.
    X : ndarray of shape (n, d)
        The rows.
    observations : OrdinalObservations
        Ranks and weights; every rank is observed.
    infer : callable
        `laplace_posterior`, `ep_posterior` or `variational_posterior`.
    roughly : callable
        The same at a tolerance that the ascent can do with.
    noise : float or None
        The noise where it is held; None to learn it.
    max_iter : int
        Most iterations of one ascent; 0 evaluates the start only.
    restart_lengths : bool
        Whether to try shorter length scales than the kernel's as starts too.
    smallest_noise : float
        Lower end of the noise, in units of the prior's standard deviation.

    Returns
    -------
    LearntModel
    """
    layout = ParameterLayout(len(kernel.theta), noise)
    amplitude = float(np.sqrt(np.mean(kernel.diag(X)))) or 1.0
    bounds = _bounds(kernel, layout, observations.n_levels, amplitude, smallest_noise)
    starts = [
        np.clip(start, bounds[:, 0], bounds[:, 1])
        for start in _starts(kernel, layout, observations, amplitude, restart_lengths)
    ]
    matrix = kernel_matrix(kernel, X)
    exact = EvidenceFunction(matrix, observations, infer, layout)
    if max_iter == 0:
        ascent = Ascent(starts[0], exact(starts[0])[0], 1, True)
    elif len(X) <= DIRECT_ROWS:
        rough = EvidenceFunction(matrix, observations, roughly, layout)
        near = _ascend_from_best(rough, starts, bounds, max_iter)
        exact.start = rough.start
        ascent = ascend(exact, near.parameters, bounds, max_iter=max_iter, precise=True)
    else:
        exact.infer = roughly
        ascent = _ascend_by_sample(
            exact, kernel, X, starts, bounds, max_iter, little_noise=_SAMPLE_NOISE * amplitude
        )
    theta, learnt_noise, free = layout.unpack(ascent.parameters)
    return LearntModel(
        theta=theta,
        noise=learnt_noise,
        thresholds=thresholds_from_parameters(free),
        posterior=exact.posterior(ascent.parameters),
        n_iter=max(1, ascent.n_iter),
        converged=ascent.converged,
    )


def _ascend_from_best(
    function: EvidenceFunction,
    starts: list[np.ndarray],
    bounds: np.ndarray,
    max_iter: int,
) -> Ascent:
    """Ascend from the two best starts and keep the better end."""
    best_first = sorted(starts, key=lambda start: function(start)[0])
    ends = [ascend(function, start, bounds, max_iter=max_iter) for start in best_first[:2]]
    return min(ends, key=lambda end: end.value)


def _ascend_by_sample(
    exact: EvidenceFunction,
    kernel: Kernel,
    X: np.ndarray,
    starts: list[np.ndarray],
    bounds: np.ndarray,
    max_iter: int,
    *,
    little_noise: float,
) -> Ascent:
    """Ascend on a sample, take its curvature, and finish on all rows."""
    data = exact.observations
    rows = spread_sample(X, data.ranks, int(np.clip(len(X) // 4, _MIN_SAMPLE, _MAX_SAMPLE)))
    part = data.take(rows)
    sampled = EvidenceFunction(kernel_matrix(kernel, X[rows]), part, exact.infer, exact.layout)
    rough = _ascend_from_best(sampled, starts, bounds, max_iter)
    at = exact.layout.n_kernel
    if exact.layout.noise is None and rough.parameters[at] <= np.log(little_noise):
        # So little noise may be the sample's alone: ask all rows whether they rather have more.
        narrow = bounds.copy()
        narrow[at, 0] = np.log(little_noise)
        noisier = _ascend_from_best(
            sampled, [np.clip(start, *narrow.T) for start in starts], narrow, max_iter
        )
        rough = min(rough, noisier, key=lambda end: exact(end.parameters)[0])
    # Evidence grows with the rows, and so does its curvature.
    scale = data.weight.sum() / part.weight.sum()
    hessian = scale * curvature_at(sampled, rough.parameters)
    own_kernel = kernel.clone_with_theta(rough.parameters[: exact.layout.n_kernel])
    exact.start = own_kernel(X, X[rows]) @ sampled.posterior(rough.parameters).alpha
    return polish(exact, rough.parameters, bounds, hessian=hessian, max_iter=max_iter)


def spread_sample(X: np.ndarray, ranks: np.ndarray, size: int) -> np.ndarray:
    """Choose about `size` rows, every rank in its share, independent of the rows' order.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Features.
    ranks : ndarray of int, shape (n,)
        Ranks.
    size : int
        Number of rows wanted; two more of each rank may come on top.

    Returns
    -------
    ndarray of int
        Row numbers, sorted.

    Examples
    --------
    >>> spread_sample(np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1]), 2)
    array([0, 1, 3, 4, 5])
    """
    order = np.lexsort((*X.T[::-1], ranks))
    evenly = np.linspace(0, len(order) - 1, min(size, len(order))).astype(np.intp)
    first = np.searchsorted(ranks[order], np.unique(ranks))
    second = np.minimum(first + 1, len(order) - 1)
    return np.unique(order[np.concatenate([evenly, first, second])])


def _starts(
    kernel: Kernel,
    layout: ParameterLayout,
    observations: OrdinalObservations,
    amplitude: float,
    restart_lengths: bool,
) -> list[np.ndarray]:
    """Make starting points: thresholds at the probits of the shares, several noises and lengths."""
    counts = observations.counts()
    share = (np.cumsum(counts)[:-1] + 0.5) / (counts.sum() + 1.0)
    probits = ndtri(share) + 1e-3 * np.arange(len(share))
    lengths = _START_LENGTHS if restart_lengths else (1.0,)
    is_length = np.array([name == "length_scale" for name in _theta_names(kernel)], dtype=bool)
    noises = [layout.noise] if layout.noise is not None else [amplitude * n for n in _START_NOISES]
    starts = []
    for factor in lengths:
        theta = kernel.theta + np.where(is_length, np.log(factor), 0.0)
        for noise in noises:
            free = threshold_parameters(probits * np.hypot(amplitude, noise))
            own = [] if layout.noise is not None else [np.log(noise)]
            starts.append(np.concatenate([theta, own, free]))
    return starts


def _theta_names(kernel: Kernel) -> list[str]:
    """Name of the hyper-parameter behind each entry of theta."""
    return [
        parameter.name.rpartition("__")[2]
        for parameter in kernel.hyperparameters
        if not parameter.fixed
        for _ in range(parameter.n_elements)
    ]


def _bounds(
    kernel: Kernel,
    layout: ParameterLayout,
    n_levels: int,
    amplitude: float,
    smallest_noise: float,
) -> np.ndarray:
    """Box of the parameter vector, in units of the prior's standard deviation."""
    rows = [kernel.bounds] if layout.n_kernel else []
    unit = amplitude if layout.noise is None else np.hypot(amplitude, layout.noise)
    if layout.noise is None:
        rows.append(np.log([[smallest_noise * unit, 1e2 * unit]]))
    rows.append(np.array([[-1e3 * unit, 1e3 * unit]]))
    rows.extend([np.log([[1e-5 * unit, 1e3 * unit]])] * (n_levels - 2))
    return np.vstack(rows)


def has_length_scale(kernel: Kernel) -> bool:
    """Tell whether the kernel is built on Gaussian kernels with free length scales."""
    return any(
        isinstance(part, RBF) and not part.hyperparameter_length_scale.fixed
        for part in kernel_parts(kernel)
    )
