"""The multi-class latent model in weight space, for many rows: f_k = Z w_k with few features Z."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import softmax
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process.classifier import EP_STOPPED, NEWTON_STOPPED, FittedLatent
from autotype.models.gaussian_process.features import Features
from autotype.models.gaussian_process.multiclass_exact import ClassObservations
from autotype.models.gaussian_process.softmax_average import better_softmax, class_probabilities
from autotype.models.gaussian_process.solvers.evidence_ascent import DIRECT_ROWS
from autotype.models.gaussian_process.solvers.probit_sites import MultinomialProbitSites
from autotype.models.gaussian_process.weight_space.laplace import (
    MAX_WEIGHT_VARIANCE,
    latent_covariances,
)
from autotype.models.gaussian_process.weight_space.left_out import leave_one_out_latents
from autotype.models.gaussian_process.weight_space.probit_ep import (
    ProbitWeights,
    fit_probit_weights,
)
from autotype.models.gaussian_process.weight_space.softmax_laplace import (
    BIAS_VARIANCE,
    SoftmaxPosterior,
    SoftmaxProblem,
    fit_softmax,
)

_CHUNK_ROWS = 5_000
# EP's tolerances while the variance is learned and then, and that of the variance's logarithm, in
# which the evidence is flat; where rows are few the end does not depend on the path.
_MANY_ROWS = (1e-2, 1e-3, 0.05)
_FEW_ROWS = (1e-6, 1e-10, 1e-9)
_VARIANCE_BOUNDS = (1e-6, MAX_WEIGHT_VARIANCE)


@dataclass(frozen=True, kw_only=True)
class LaplaceWeights(FittedLatent):
    """Laplace's approximation on features whose products are the kernel.

    Attributes
    ----------
    features : Features
        Z, to which a bias is added.
    fit : SoftmaxPosterior
        Posterior of the weights.
    averaged : bool
        Whether predictions average over it.
    """

    features: Features
    fit: SoftmaxPosterior
    averaged: bool

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L)."""
        Z, residual_variance = self.features.transform(X)
        Z = np.column_stack([np.ones(len(Z)), Z])
        if not self.averaged:
            return softmax(Z @ self.fit.coef.T, axis=1)
        levels = len(self.fit.coef)
        covariance = latent_covariances(Z, self.fit.covariance, levels)
        diagonal = np.arange(levels)
        covariance[:, diagonal, diagonal] += self.fit.weight_variance * residual_variance[:, None]
        return class_probabilities(Z @ self.fit.coef.T, covariance)


def fit_laplace_weights(
    kernel: Kernel,
    features: Features,
    X: np.ndarray,
    data: ClassObservations,
) -> LaplaceWeights:
    """Fit in weight space, the amplitude learned inside Newton's loop; O(n (L m)^2)."""
    Z, _ = features.transform(X)
    problem = SoftmaxProblem(Z, data.codes, data.n_levels, data.weight)
    fit = fit_softmax(problem)
    spread = latent_covariances(problem.X, fit.covariance, data.n_levels)
    without = leave_one_out_latents(
        problem.X @ fit.coef.T, spread, data.codes, sample_weight=data.weight
    )
    loo, averaged = better_softmax(*without, data.codes, data.weight)
    return LaplaceWeights(
        kernel=kernel,
        features=features,
        fit=fit,
        averaged=averaged,
        log_evidence=fit.log_evidence,
        loo_log_likelihood=loo,
        n_iter=fit.n_iter,
        warning=None if fit.converged else NEWTON_STOPPED.format(fit.n_iter),
    )


@dataclass(frozen=True, kw_only=True)
class EPWeights(FittedLatent):
    """EP's approximation on features whose products are the kernel.

    Attributes
    ----------
    features : Features
        Z.
    has_bias : bool
        Whether a bias is added to Z.
    variance : float
        Prior variance of the weights.
    fit : ProbitWeights
        Posterior of the weights in units of their prior.
    """

    features: Features
    has_bias: bool
    variance: float
    fit: ProbitWeights

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L)."""
        parts = []
        for first in range(0, len(X), _CHUNK_ROWS):
            Z, residual_variance = self.features.transform(X[first : first + _CHUNK_ROWS])
            Z = _scaled(Z, self.variance, self.has_bias)
            parts.append(self.fit.probabilities(Z, self.variance * residual_variance))
        return np.concatenate(parts)


def _scaled(Z: np.ndarray, variance: float, has_bias: bool) -> np.ndarray:
    """Features whose weights have the prior variance 1."""
    Z = np.sqrt(variance) * Z
    return np.column_stack([np.full(len(Z), np.sqrt(BIAS_VARIANCE)), Z]) if has_bias else Z


def fit_ep_weights(
    kernel: Kernel,
    features: Features,
    X: np.ndarray,
    data: ClassObservations,
    *,
    has_bias: bool,
    max_iter: int,
) -> EPWeights:
    """Run EP in weight space, the weights' prior variance learned on the way.

    Parameters
    ----------
    kernel, features, X, data :
        As in `fit_laplace_weights`.
    has_bias : bool
        Whether the kernel holds a bias that the features do not.
    max_iter : int
        Most updates of the variance; 0 holds it.

    Returns
    -------
    EPWeights

    Notes
    -----
    O(n (L m)^2) a sweep. The variance moves by MacKay's update, each from the sites so far: at its
    fixed point the derivative of EP's evidence is zero.
    """
    rows = MultinomialProbitSites(data.codes, data.n_levels, data.weight)
    Z, residual_variance = features.transform(X)
    coarse_tol, tol, flat = _FEW_ROWS if len(X) <= DIRECT_ROWS else _MANY_ROWS
    variance, sites, n_iter = 1.0, None, 1
    for n_iter in range(1, max_iter + 1):  # noqa: B007 - reported
        coarse = fit_probit_weights(
            _scaled(Z, variance, has_bias), rows, start=sites, tol=coarse_tol
        )
        sites = coarse.sites
        new = float(np.clip(variance * _mackay(coarse, has_bias), *_VARIANCE_BOUNDS))
        moved = abs(np.log(new / variance))
        variance = new
        if moved < flat:
            break
    Z = _scaled(Z, variance, has_bias)
    fit = fit_probit_weights(Z, rows, start=sites, tol=tol)
    loo = rows.leave_one_out(fit, variance * residual_variance)
    return EPWeights(
        kernel=kernel,
        features=features,
        has_bias=has_bias,
        variance=variance,
        fit=replace(fit, spread=fit.spread[:0]),  # of the training rows; predictions need none
        log_evidence=fit.log_evidence,
        loo_log_likelihood=float(data.weight @ loo),
        n_iter=n_iter,
        warning=None if fit.converged else EP_STOPPED.format(fit.n_iter),
    )


def _mackay(fit: ProbitWeights, has_bias: bool) -> float:
    """Compute MacKay's factor of the weights' variance: square over number well determined."""
    # The number well determined is gamma = square - 2 dE/d ln(variance); the bias has no part.
    first = int(has_bias)
    square = float(np.sum(fit.weights[:, first:] ** 2))
    well_determined = square - 2.0 * float(fit.log_feature_gradient[first:].sum())
    return square / max(well_determined, 1e-3)
