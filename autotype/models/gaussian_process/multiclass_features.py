"""The multi-class latent model in weight space, for many rows: f_k = Z w_k with few features Z."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process.classifier import NEWTON_STOPPED, FittedLatent
from autotype.models.gaussian_process.features import Features
from autotype.models.gaussian_process.softmax_average import better_softmax, class_probabilities
from autotype.models.gaussian_process.weight_space.laplace import latent_covariances
from autotype.models.gaussian_process.weight_space.left_out import leave_one_out_latents
from autotype.models.gaussian_process.weight_space.softmax_laplace import (
    SoftmaxPosterior,
    SoftmaxProblem,
    fit_softmax,
)


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
    codes: np.ndarray,
    n_levels: int,
    weight: np.ndarray,
) -> LaplaceWeights:
    """Fit in weight space, the amplitude learned inside Newton's loop; O(n (L m)^2)."""
    Z, _ = features.transform(X)
    problem = SoftmaxProblem(Z, codes, n_levels, weight)
    fit = fit_softmax(problem)
    spread = latent_covariances(problem.X, fit.covariance, n_levels)
    without = leave_one_out_latents(problem.X @ fit.coef.T, spread, codes, sample_weight=weight)
    loo, averaged = better_softmax(*without, codes, weight)
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
