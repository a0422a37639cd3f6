"""The latent model in weight space, for many rows: f = Zw with few features Z.

The features are the columns themselves for linear kernels and Nystrom features of the kernel for
all others. Weights, thresholds and their prior scales come from `solvers.laplace`; what that
cannot learn, the kernel's shape, is learnt beforehand from the exact evidence of a sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.special import ndtr
from sklearn.gaussian_process.kernels import Kernel

from autotype.gaussian_process.solvers.ordinal_latent import OrdinalObservations
from autotype.gaussian_process.unobserved_levels import complete_thresholds
from autotype.gaussian_process.weight_space.ordinal_laplace import (
    OrdinalPosterior,
    OrdinalProblem,
    fit_ordinal,
    leave_one_out_ordinal,
)

_CHUNK_ROWS = 20_000


class LinearFeatures:
    """The columns, scaled so that k(x, z) is the product of two feature vectors.

    Parameters
    ----------
    scale : ndarray of shape (d,)
        Square roots of the prior variances of the weights.
    """

    def __init__(self, scale: np.ndarray) -> None:
        self.scale = scale

    def transform(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Features, and the prior variance that they leave out (none)."""
        return X * self.scale, np.zeros(len(X))


class NystromFeatures:
    """Features whose products are the kernel's projection on inducing rows.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    inducing : ndarray of shape (m, d)
        Inducing rows.
    """

    def __init__(self, kernel: Kernel, inducing: np.ndarray) -> None:
        self.kernel = kernel
        self.inducing = inducing
        K = kernel(inducing)
        K[np.diag_indices_from(K)] += 1e-8 * np.mean(np.diag(K)) + 1e-300
        self._factor = cholesky(K, lower=True)

    def transform(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Features, and the prior variance that they leave out."""
        Z = np.empty((len(X), len(self.inducing)))
        for first in range(0, len(X), _CHUNK_ROWS):
            rows = slice(first, first + _CHUNK_ROWS)
            cross = self.kernel(self.inducing, X[rows])
            Z[rows] = solve_triangular(self._factor, cross, lower=True, check_finite=False).T
        left = self.kernel.diag(X) - np.einsum("ij,ij->i", Z, Z)
        return Z, np.maximum(left, 0.0)


@dataclass(frozen=True)
class WeightSpaceModel:
    """A fitted latent model in weight space, in units in which the kernel has its own amplitude.

    Attributes
    ----------
    kernel : Kernel
        The kernel behind the features.
    features : LinearFeatures or NystromFeatures
        Z.
    fit : OrdinalPosterior
        Posterior of weights and thresholds, in units of the noise.
    observed : ndarray of int
        The observed levels.
    thresholds : ndarray of shape (n_levels - 1,)
        Strictly increasing, unobserved levels included.
    noise : float
        s, one over the standard deviation of a weight in units of the noise.
    log_evidence, loo_log_likelihood, n_iter, trouble :
        As in `FunctionSpaceModel`.
    """

    kernel: Kernel
    features: LinearFeatures | NystromFeatures
    fit: OrdinalPosterior
    observed: np.ndarray
    thresholds: np.ndarray
    noise: float
    log_evidence: float
    loo_log_likelihood: float
    n_iter: int
    trouble: str

    def latent(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the latent function at new rows."""
        Z, left_out = self.features.transform(X)
        d = len(self.fit.coef)
        variance = np.einsum("ij,ij->i", Z @ self.fit.covariance[:d, :d], Z)
        variance += self.fit.weight_variance * left_out
        return self.noise * (Z @ self.fit.coef), self.noise**2 * variance

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the levels, averaged over weights and thresholds."""
        Z, left_out = self.features.transform(X)
        d, covariance = len(self.fit.coef), self.fit.covariance
        latent = np.einsum("ij,ij->i", Z @ covariance[:d, :d], Z)
        latent += self.fit.weight_variance * left_out
        # Variance of b_l - f; one put in for an unobserved level is as sure as its neighbour.
        own = np.clip(
            np.searchsorted(self.observed, np.arange(len(self.thresholds)), "right") - 1,
            0,
            len(self.fit.thresholds) - 1,
        )
        cross = Z @ covariance[:d, d:][:, own]
        variance = np.maximum(latent[:, None] - 2.0 * cross + np.diag(covariance)[d:][own], 0.0)
        ends = self.thresholds / self.noise - (Z @ self.fit.coef)[:, None]
        below = ndtr(ends / np.sqrt(1.0 + variance))
        edges = np.column_stack([np.zeros(len(Z)), below, np.ones(len(Z))])
        probability = np.maximum(np.diff(edges, axis=1), 1e-300)
        return probability / probability.sum(axis=1, keepdims=True)


def fit_weight_space(
    kernel: Kernel,
    features: LinearFeatures | NystromFeatures,
    X: np.ndarray,
    observations: OrdinalObservations,
    observed: np.ndarray,
    n_levels: int,
) -> WeightSpaceModel:
    """Fit weights, thresholds and their scales on all rows.

    Parameters
    ----------
    kernel : Kernel
        The kernel behind the features.
    features : LinearFeatures or NystromFeatures
        Z.
    X : ndarray of shape (n, d)
        Training rows.
    observations : OrdinalObservations
        Dense ranks of the observed levels, and weights.
    observed : ndarray of int
        The observed levels among `n_levels`.
    n_levels : int
        Levels on the scale.

    Returns
    -------
    WeightSpaceModel
    """
    Z, _ = features.transform(X)
    weight = observations.weight
    weighted = None if np.all(weight == 1.0) else weight
    problem = OrdinalProblem(Z, observations.ranks, observations.n_levels, weighted)
    fit = fit_ordinal(problem)
    noise = 1.0 / np.sqrt(fit.weight_variance)
    loo = leave_one_out_ordinal(problem, fit).averaged
    return WeightSpaceModel(
        kernel=kernel,
        features=features,
        fit=fit,
        observed=observed,
        thresholds=noise
        * complete_thresholds(
            fit.thresholds,
            observed,
            n_levels,
            mean=Z @ fit.coef,
            deviation=np.ones(len(Z)),
            weight=weight,
        ),
        noise=float(noise),
        log_evidence=fit.log_evidence,
        loo_log_likelihood=float(weight @ loo),
        n_iter=fit.n_iter,
        trouble=""
        if fit.converged
        else f"Newton's method did not settle in {fit.n_iter} steps; rescale the features",
    )
