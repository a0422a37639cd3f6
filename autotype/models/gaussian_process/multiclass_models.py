"""The fitted multi-class models: on all training rows, or in weight space on few features of them.

On all rows the softmax is fitted by Laplace's method, or the multinomial probit by EP. Averaging
over Laplace's posterior is badly under-confident where classes are separable, since the mode is far
from the mean there; plugging the mode in is over-confident elsewhere. Leave-one-out scores decide
which to use.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import helmert
from scipy.special import ndtri, softmax
from scipy.stats import qmc
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process import classifier
from autotype.models.gaussian_process.features import Features
from autotype.models.gaussian_process.kernels import KernelMatrix
from autotype.models.gaussian_process.solvers import probit_ep
from autotype.models.gaussian_process.solvers.class_precision import ClassLatents
from autotype.models.gaussian_process.solvers.evidence_ascent import (
    DIRECT_ROWS,
    Evaluation,
    Evidence,
    ascend,
)
from autotype.models.gaussian_process.solvers.softmax_laplace import softmax_latents
from autotype.models.gaussian_process.weight_space import softmax_laplace
from autotype.models.gaussian_process.weight_space.laplace import latent_covariances
from autotype.models.gaussian_process.weight_space.left_out import leave_one_out_latents

# EP's evidence is stationary in the sites, its error of the order of the square of this.
_FINE_TOL, _EXACT_TOL = 1e-5, 1e-10
_CURVATURE = 0.03  # of minus the log evidence of a row; only the number of steps depends on it
# Nats that an ascent may leave: where rows are few the end does not depend on the path, so that two
# equal rows are one of weight 2.
_NATS_OF_FEW, _NATS_A_ROW = 1e-12, 1e-6
_N_DRAWS = 256
_CHUNK_ROWS = 1_000
_MANY_ROWS = 5_000
_LEAST_PROBABILITY = 1e-13
_WORTH = 1e-3  # nats per row that plugging the mode in must gain: rounding decides no tie


class LaplaceSoftmax:
    """Laplace's approximation of the softmax's posterior; parameters as of `SoftmaxProblem`."""

    nonconvergence_message = classifier.NEWTON_STOPPED

    def __init__(self, codes: np.ndarray, n_levels: int, weight: np.ndarray) -> None:
        self.codes, self.n_levels, self.weight = codes, n_levels, weight

    def posterior(self, K: np.ndarray, start: ClassLatents | None = None) -> ClassLatents:
        """Posterior at a kernel matrix."""
        guess = None if start is None else start.alpha
        return softmax_latents(K, self.codes, self.n_levels, weight=self.weight, start=guess)

    def leave_one_out(self, latents: ClassLatents) -> tuple[float, bool]:
        """Score by the better of averaging and the plug-in mode; return whether by averaging."""
        without = leave_one_out_latents(
            latents.mean, latents.spread, self.codes, sample_weight=self.weight
        )
        return better_softmax(*without, self.codes, self.weight)

    def probabilities(self, mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
        """Probabilities of normal latents, shape (m, L)."""
        return class_probabilities(mean, covariance)


class EPProbit:
    """Expectation propagation for the multinomial probit model."""

    nonconvergence_message = classifier.EP_STOPPED

    def __init__(self, codes: np.ndarray, n_levels: int, weight: np.ndarray) -> None:
        self.rows, self.weight = probit_ep.MultinomialProbitSites(codes, n_levels, weight), weight
        self.tol = _EXACT_TOL if len(codes) <= DIRECT_ROWS else _FINE_TOL

    def posterior(self, K: np.ndarray, start: ClassLatents | None = None) -> ClassLatents:
        """Posterior at a kernel matrix."""
        return probit_ep.probit_latents(K, self.rows, start=start, tol=self.tol)

    def leave_one_out(self, latents: ClassLatents) -> tuple[float, bool]:
        """Score by averaging over the posterior: EP's holds the mean."""
        return float(self.rows.weight @ self.rows.leave_one_out(latents)), True

    def probabilities(self, mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
        """Probabilities of normal latents, shape (m, L)."""
        return probit_ep.probit_probabilities(mean, covariance)


Inference = LaplaceSoftmax | EPProbit


@dataclass(frozen=True, kw_only=True)
class ExactMulticlass(classifier.FittedLatent):
    """A fitted multi-class model on all training rows.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Training rows.
    inference : LaplaceSoftmax or EPProbit
        The approximation.
    latents : ClassLatents
        Posterior of the latents.
    averaged : bool
        Whether predictions average over it.
    """

    X: np.ndarray
    inference: Inference = field(repr=False)
    latents: ClassLatents = field(repr=False)
    averaged: bool

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L)."""
        cross = self.kernel(X, self.X)
        if not self.averaged:
            return softmax(cross @ self.latents.alpha, axis=1)
        return self.inference.probabilities(*self.latents.predict(cross, self.kernel.diag(X)))


def fit_exact(
    kernel: Kernel, X: np.ndarray, inference: Inference, *, max_iter: int
) -> ExactMulticlass:
    """Learn the kernel by an ascent of the exact rows' evidence.

    Parameters
    ----------
    kernel : Kernel
        Start and bounds.
    X : ndarray of shape (n, d)
        Training rows.
    inference : LaplaceSoftmax or EPProbit
        The approximation, with the rows' classes.
    max_iter : int
        Most iterations; 0 keeps the start.

    Returns
    -------
    ExactMulticlass
    """
    n_iter, warning = 1, None
    if len(kernel.theta) > 0 and max_iter > 0:
        matrix = KernelMatrix(kernel, X)

        def compute(theta: np.ndarray, start: ClassLatents | None) -> Evaluation[ClassLatents]:
            latents = inference.posterior(matrix.value(theta), start)
            return latents, latents.log_evidence, matrix.contract(latents.gradient)

        total = float(inference.weight.sum())
        ascent = ascend(
            Evidence(compute),
            kernel.theta,
            kernel.bounds,
            hessian=np.diag(np.full(len(kernel.theta), _CURVATURE * total / len(kernel.theta))),
            max_iter=max_iter,
            tol=_NATS_OF_FEW if len(X) <= DIRECT_ROWS else _NATS_A_ROW * total,
        )
        kernel, n_iter = kernel.clone_with_theta(ascent.parameters), max(1, ascent.n_iter)
        warning = None if ascent.converged else classifier.ASCENT_STOPPED.format(max_iter)
    latents = inference.posterior(kernel(X))
    if not latents.converged:
        warning = inference.nonconvergence_message.format(latents.n_iter)
    loo, averaged = inference.leave_one_out(latents)
    return ExactMulticlass(
        kernel=kernel,
        X=X,
        inference=inference,
        latents=latents,
        averaged=averaged,
        log_evidence=latents.log_evidence,
        loo_log_likelihood=loo,
        n_iter=n_iter,
        warning=warning,
    )


@dataclass(frozen=True, kw_only=True)
class LaplaceWeights(classifier.FittedLatent):
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
    fit: softmax_laplace.SoftmaxPosterior
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
    problem = softmax_laplace.SoftmaxProblem(Z, codes, n_levels, weight)
    fit = softmax_laplace.fit_softmax(problem)
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
        warning=None if fit.converged else classifier.NEWTON_STOPPED.format(fit.n_iter),
    )


def class_probabilities(
    mean: np.ndarray, covariance: np.ndarray, *, n_draws: int = _N_DRAWS
) -> np.ndarray:
    """Average the softmax over normal latents.

    Parameters
    ----------
    mean : ndarray of shape (m, L)
        Means of the latents.
    covariance : ndarray of shape (m, L, L)
        Their covariances.
    n_draws : int
        Number of Sobol points, a power of 2.

    Returns
    -------
    ndarray of shape (m, L)
        Rows sum to 1.

    Notes
    -----
    Sobol points and their mirror images, 256 of them to about 1e-3; the same for every row, so
    that a row's result does not depend on the other rows. A shift common to all classes
    changes no probability and is taken out first: L - 1 contrasts are averaged over.
    """
    contrasts = helmert(mean.shape[1])
    points = ndtri(qmc.Sobol(len(contrasts), scramble=True, rng=0).random(n_draws))
    points = np.concatenate([points, -points])
    spread = contrasts @ covariance @ contrasts.T
    unit = np.einsum("ikk->i", spread) + 1e-300
    spread = spread + 1e-10 * unit[:, None, None] * np.eye(len(contrasts))
    # A Cholesky factor, not an eigenbasis: that is arbitrary where eigenvalues are equal.
    root = contrasts.T @ _lower_root(spread)
    result = np.empty_like(mean)
    for first in range(0, len(mean), _CHUNK_ROWS):
        rows = slice(first, first + _CHUNK_ROWS)
        latent = mean[rows, None, :] + points @ root[rows].transpose(0, 2, 1)
        result[rows] = softmax(latent, axis=2).mean(axis=1)
    return result / result.sum(axis=1, keepdims=True)


def _lower_root(spread: np.ndarray) -> np.ndarray:
    """Cholesky factors, of the nearest semi-definite matrices where needed."""
    try:
        return np.linalg.cholesky(spread)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(spread)
        least = 1e-10 * np.abs(values).max(axis=1, keepdims=True) + 1e-300
        scaled = vectors * np.maximum(values, least)[:, None, :]
        return np.linalg.cholesky(scaled @ vectors.transpose(0, 2, 1))


def better_softmax(
    mean: np.ndarray, covariance: np.ndarray, codes: np.ndarray, weight: np.ndarray
) -> tuple[float, bool]:
    """Score averaging and plugging the mode in by leave-one-out.

    Parameters
    ----------
    mean, covariance :
        Of the latents of each row by the model without it, as in `class_probabilities`.
    codes : ndarray of int, shape (m,)
        Their classes.
    weight : ndarray of shape (m,)
        Their weights.

    Returns
    -------
    score : float
        Weighted sum of the log probabilities, by the better one.
    averaged : bool
        Whether that is averaging.
    """
    rows = np.arange(len(codes))
    # The errors of many rows cancel in their sum.
    average = class_probabilities(
        mean, covariance, n_draws=_N_DRAWS if len(rows) <= _MANY_ROWS else _N_DRAWS // 16
    )
    plug_in, averaged = (
        float(weight @ np.log(np.maximum(probability[rows, codes], _LEAST_PROBABILITY)))
        for probability in (softmax(mean, axis=1), average)
    )
    if plug_in > averaged + _WORTH * float(weight.sum()):
        return plug_in, False
    return averaged, True
