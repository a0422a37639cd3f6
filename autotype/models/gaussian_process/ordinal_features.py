"""The ordinal model in weight space, for many rows: f = Zw with few features Z.

The features are the columns themselves for linear kernels and Nystrom features of the kernel for
all others. Weights, thresholds and their prior scales are learned in `weight_space`; the kernel's
shape is learned beforehand from the exact evidence of a sample, and its lengths are then scaled to
the evidence of more rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process.classifier import NEWTON_STOPPED, FittedLatent
from autotype.models.gaussian_process.features import Features, LinearFeatures, NystromFeatures
from autotype.models.gaussian_process.kernels import scale_lengths
from autotype.models.gaussian_process.solvers.interval_likelihood import Link
from autotype.models.gaussian_process.solvers.ordinal_latent import OrdinalObservations
from autotype.models.gaussian_process.unobserved_levels import complete_thresholds
from autotype.models.gaussian_process.weight_space.ordinal_laplace import (
    OrdinalPosterior,
    OrdinalProblem,
    fit_ordinal,
    leave_one_out_ordinal,
)

# By which the lengths of a kernel are multiplied, and then those of the best one.
_FACTORS = (2.0, 1.0, 0.5, 0.25, 0.125)
_FINE_FACTORS = (0.5**0.5, 2.0**0.5)
_LEAST_START = 1e-2  # of a variance: from less it grows slowly where other lengths explain more
_TRIAL_STEPS = 12
_FLAT, _TRIAL_FLAT = 1e-2, 0.5  # nats

# A kernel, its features, and their posterior.
Trial = tuple[Kernel, NystromFeatures, OrdinalPosterior]


@dataclass(frozen=True, kw_only=True)
class WeightSpaceModel(FittedLatent):
    """A fitted ordinal model in weight space, in units in which the kernel has its own amplitude.

    Attributes
    ----------
    features : Features
        Z.
    fit : OrdinalPosterior
        Posterior of weights and thresholds, in units of the noise.
    observed : ndarray of int
        The observed levels.
    thresholds : ndarray of shape (n_levels - 1,)
        Strictly increasing, unobserved levels included.
    noise : float
        s, one over the standard deviation of a weight in units of the noise.
    link : Link
        The distribution of the noise.
    """

    features: Features
    fit: OrdinalPosterior
    observed: np.ndarray
    thresholds: np.ndarray
    noise: float
    link: Link

    def latent(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the latent function at new rows."""
        Z, variance = self._features_and_variance(X)
        return self.noise * (Z @ self.fit.coef), self.noise**2 * variance

    def _features_and_variance(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Features of new rows and variance of the latent function, in units of the noise."""
        Z, residual_variance = self.features.transform(X)
        d = len(self.fit.coef)
        variance = np.einsum("ij,ij->i", Z @ self.fit.covariance[:d, :d], Z)
        return Z, variance + self.fit.weight_variance * residual_variance

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the levels, averaged over weights and thresholds."""
        Z, latent = self._features_and_variance(X)
        d, covariance = len(self.fit.coef), self.fit.covariance
        # Variance of b_l - f; that of an unobserved level is its neighbour's.
        nearest = np.clip(
            np.searchsorted(self.observed, np.arange(len(self.thresholds)), "right") - 1,
            0,
            len(self.fit.thresholds) - 1,
        )
        cross = Z @ covariance[:d, d:][:, nearest]
        variance = np.maximum(latent[:, None] - 2.0 * cross + np.diag(covariance)[d:][nearest], 0.0)
        ends = self.thresholds / self.noise - (Z @ self.fit.coef)[:, None]
        return self.link.mean_probabilities(ends, variance)


def fit_lengths(
    kernel: Kernel,
    X: np.ndarray,
    data: OrdinalObservations,
    features_of: Callable[[Kernel], NystromFeatures],
) -> Trial:
    """Scale the lengths of a kernel to the largest evidence in weight space.

    A few hundred rows show less of what varies over short distances than thousands do. The evidence
    may have a maximum at long and one at short lengths, so factors from 2 to 1/8 are tried.

    Parameters
    ----------
    kernel : Kernel
        The kernel whose shape was learned from few rows, with free lengths.
    X : ndarray of shape (n, d)
        Rows.
    data : OrdinalObservations
        Their ranks and weights.
    features_of : callable
        Returns the features of a kernel.

    Returns
    -------
    kernel : Kernel
        The kernel with its lengths multiplied by a power of the square root of 2.
    features : NystromFeatures
        Its features.
    fit : OrdinalPosterior
        Their posterior, of these rows.
    """

    def scored(kernel: Kernel, near: Trial | None) -> Trial:
        features = features_of(kernel)
        # Lengths at which it takes more steps leave nothing to learn, or all to the noise.
        options = {"tol": _FLAT, "flat": _TRIAL_FLAT, "max_iter": _TRIAL_STEPS} | _start(
            near, features
        )
        return kernel, features, fit_ordinal(_problem(features, X, data), **options)

    trials: list[Trial] = []
    for factor in _FACTORS:
        scaled = scale_lengths(kernel, factor)
        # At a bound lengths stay the same: the second trial of one goes on from the first.
        if [trial[0] for trial in trials].count(scaled) < 2:
            trials.append(scored(scaled, trials[-1] if trials else None))
    best = max(trials, key=_evidence)
    fine = [scale_lengths(best[0], factor) for factor in _FINE_FACTORS]
    return max([best, *(scored(k, best) for k in fine if k != best[0])], key=_evidence)


def has_lengths(kernel: Kernel) -> bool:
    """Check whether a kernel has lengths to scale."""
    return not np.array_equal(scale_lengths(kernel, _FACTORS[0]).theta, kernel.theta)


def _evidence(trial: Trial) -> float:
    return trial[2].log_evidence


def _start(near: Trial | None, features: Features) -> dict[str, Any]:
    """Return where to start a fit: at the function of another one, and its scales."""
    if near is None or isinstance(features, LinearFeatures):
        return {}
    _, known, fit = near
    weights = features.weights_of(known.transform(features.inducing)[0] @ fit.coef)
    return {
        "start": np.concatenate([weights, fit.thresholds]),
        "weight_variance": max(fit.weight_variance, _LEAST_START),
        "threshold_scale": fit.threshold_scale,
    }


def fit_weight_space(
    kernel: Kernel,
    features: Features,
    X: np.ndarray,
    data: OrdinalObservations,
    near: Trial | None = None,
) -> WeightSpaceModel:
    """Fit weights, thresholds and their scales on all rows.

    Parameters
    ----------
    kernel : Kernel
        The kernel behind the features.
    features : Features
        Z.
    X : ndarray of shape (n, d)
        Rows.
    data : OrdinalObservations
        Their ranks and weights.
    near : tuple, optional
        What `fit_lengths` returns: a fit of fewer rows, from which to start.

    Returns
    -------
    WeightSpaceModel
    """
    problem = _problem(features, X, data)
    fit = fit_ordinal(problem, flat=_FLAT, **_start(near, features))
    noise = 1.0 / np.sqrt(fit.weight_variance)
    thresholds = complete_thresholds(
        fit.thresholds, data, mean=problem.X @ fit.coef, variance=np.zeros(len(X)), noise=1.0
    )
    return WeightSpaceModel(
        kernel=kernel,
        features=features,
        fit=fit,
        observed=np.arange(data.n_levels) if data.observed is None else data.observed,
        thresholds=noise * thresholds,
        noise=float(noise),
        link=data.link,
        log_evidence=fit.log_evidence,
        loo_log_likelihood=float(data.weight @ leave_one_out_ordinal(problem, fit)[1]),
        n_iter=fit.n_iter,
        warning=None if fit.converged else NEWTON_STOPPED.format(fit.n_iter),
    )


def _problem(features: Features, X: np.ndarray, data: OrdinalObservations) -> OrdinalProblem:
    Z, _ = features.transform(X)
    weight = None if np.all(data.weight == 1.0) else data.weight
    return OrdinalProblem(Z, data.ranks, data.n_levels, weight, link=data.link)
