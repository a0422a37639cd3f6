"""The two ways to fit the multi-class latent model: on all rows, and in weight space."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtri
from scipy.stats import qmc
from sklearn.gaussian_process.kernels import ConstantKernel, Kernel, Product

from autotype.models.gp_weight_space import LinearFeatures, NystromFeatures
from autotype.models.kernels import KernelMatrix, kernel_matrix
from autotype.solvers.gp_softmax import SoftmaxLatents, softmax_latents
from autotype.solvers.softmax import (
    SoftmaxPosterior,
    SoftmaxProblem,
    fit_softmax,
    leave_one_out_softmax,
    leave_rows_out,
)

_N_DRAWS = 64
_CHUNK_ROWS = 2_000
_NO_EVIDENCE = 1e100


class ScaledKernelMatrix(KernelMatrix):
    """A constant times a kernel, whose own fast way of derivatives is kept.

    Parameters
    ----------
    kernel : Product
        ConstantKernel (free) times a kernel.
    X : ndarray of shape (n, d)
        The rows.
    """

    def __init__(self, kernel: Product, X: np.ndarray) -> None:
        super().__init__(kernel, X)
        self.base = kernel_matrix(kernel.k2, X)

    def value(self, theta: np.ndarray) -> np.ndarray:
        """Kernel matrix at theta, shape (n, n)."""
        self._scale = np.exp(theta[0])
        self._scaled_matrix = self._scale * self.base.value(theta[1:])
        return self._scaled_matrix

    def contract(self, weights: np.ndarray) -> np.ndarray:
        """Sum weights * dK/dtheta_p for every p."""
        own = np.sum(weights * self._scaled_matrix)
        return np.concatenate([[own], self._scale * self.base.contract(weights)])


def evidence_matrix(kernel: Kernel, X: np.ndarray) -> KernelMatrix:
    """Choose the fastest way to evaluate a kernel on the rows of X."""
    if (
        isinstance(kernel, Product)
        and isinstance(kernel.k1, ConstantKernel)
        and not kernel.k1.hyperparameter_constant_value.fixed
    ):
        return ScaledKernelMatrix(kernel, X)
    return kernel_matrix(kernel, X)


def class_probabilities(mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Average the softmax over normal latents.

    Parameters
    ----------
    mean : ndarray of shape (m, L)
        Means of the latents.
    covariance : ndarray of shape (m, L, L)
        Their covariances.

    Returns
    -------
    ndarray of shape (m, L)
        Rows sum to 1.

    Notes
    -----
    Sobol points and their mirror images, the same for every row, so that a row's answer does not
    depend on the rows beside it.
    """
    levels = mean.shape[1]
    points = ndtri(qmc.Sobol(levels, scramble=True, rng=0).random(_N_DRAWS))
    points = np.concatenate([points, -points])
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    result = np.empty_like(mean)
    for first in range(0, len(mean), _CHUNK_ROWS):
        rows = slice(first, first + _CHUNK_ROWS)
        latent = mean[rows, None, :] + points @ root[rows].transpose(0, 2, 1)
        latent = np.exp(latent - latent.max(axis=2, keepdims=True))
        result[rows] = (latent / latent.sum(axis=2, keepdims=True)).mean(axis=1)
    return result / result.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class ExactMulticlass:
    """A fitted model on all training rows.

    Attributes
    ----------
    kernel : Kernel
        With its learnt hyper-parameters.
    X : ndarray of shape (n, d)
        Training rows.
    latents : SoftmaxLatents
        Posterior of the latents.
    log_evidence, loo_log_likelihood : float
        Log marginal likelihood; sum of leave-one-out log probabilities.
    n_iter : int
        Iterations of the ascent.
    trouble : str
        Why the fit may not be at its best; empty where it is.
    """

    kernel: Kernel
    X: np.ndarray
    latents: SoftmaxLatents = field(repr=False)
    log_evidence: float
    loo_log_likelihood: float
    n_iter: int
    trouble: str

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L)."""
        return class_probabilities(
            *self.latents.predict(self.kernel(X, self.X), self.kernel.diag(X))
        )


def fit_exact(
    kernel: Kernel, X: np.ndarray, codes: np.ndarray, n_levels: int, *, max_iter: int
) -> ExactMulticlass:
    """Learn the kernel by L-BFGS-B on the exact Laplace evidence.

    Parameters
    ----------
    kernel : Kernel
        Start and bounds.
    X : ndarray of shape (n, d)
        Training rows.
    codes : ndarray of int, shape (n,)
        Classes 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    max_iter : int
        Most iterations; 0 keeps the start.

    Returns
    -------
    ExactMulticlass
    """
    matrix = evidence_matrix(kernel, X)
    warm: list[np.ndarray | None] = [None]

    def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
        try:
            fit = softmax_latents(matrix.value(theta), codes, n_levels, start=warm[0])
        except np.linalg.LinAlgError:
            return _NO_EVIDENCE, np.zeros(len(theta))
        warm[0] = fit.alpha
        return -fit.log_evidence, -matrix.contract(fit.gradient)

    n_iter, trouble = 1, ""
    if len(kernel.theta) and max_iter:
        found = minimize(
            objective,
            kernel.theta,
            jac=True,
            method="L-BFGS-B",
            bounds=kernel.bounds,
            options={"maxiter": max_iter, "ftol": 1e-8},
        )
        kernel = kernel.clone_with_theta(np.clip(found.x, *kernel.bounds.T))
        n_iter = max(1, int(found.nit))
        if found.status == 1:
            trouble = (
                f"the hyper-parameters did not reach the evidence's maximum in "
                f"max_iter={max_iter} iterations; raise max_iter or rescale the features"
            )
    latents = softmax_latents(kernel(X), codes, n_levels)
    if not latents.converged:
        trouble = f"Newton's method did not settle in {latents.n_iter} steps; rescale the features"
    loo = leave_rows_out(latents.mode, latents.spread, codes)
    return ExactMulticlass(
        kernel,
        X,
        latents,
        log_evidence=latents.log_evidence,
        loo_log_likelihood=float(loo.averaged.sum()),
        n_iter=n_iter,
        trouble=trouble,
    )


@dataclass(frozen=True)
class WeightSpaceMulticlass:
    """A fitted model on features whose products are the kernel; attributes as in the exact one."""

    kernel: Kernel
    features: LinearFeatures | NystromFeatures
    fit: SoftmaxPosterior
    log_evidence: float
    loo_log_likelihood: float
    n_iter: int
    trouble: str

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L)."""
        Z, left_out = self.features.transform(X)
        Z = np.column_stack([np.ones(len(Z)), Z])
        levels, p = self.fit.coef.shape
        blocks = self.fit.covariance.reshape(levels, p, levels, p)
        covariance = np.empty((len(Z), levels, levels))
        for k in range(levels):
            for other in range(levels):
                covariance[:, k, other] = np.einsum("ij,ij->i", Z @ blocks[k, :, other], Z)
        own = np.arange(levels)
        covariance[:, own, own] += self.fit.weight_variance * left_out[:, None]
        return class_probabilities(Z @ self.fit.coef.T, covariance)


def fit_weight_space_multiclass(
    kernel: Kernel,
    features: LinearFeatures | NystromFeatures,
    X: np.ndarray,
    codes: np.ndarray,
    n_levels: int,
) -> WeightSpaceMulticlass:
    """Fit in weight space, the amplitude learnt inside Newton's loop; O(n (L m)^2)."""
    Z, _ = features.transform(X)
    problem = SoftmaxProblem(Z, codes, n_levels)
    fit = fit_softmax(problem)
    return WeightSpaceMulticlass(
        kernel,
        features,
        fit,
        log_evidence=fit.log_evidence,
        loo_log_likelihood=float(leave_one_out_softmax(problem, fit).averaged.sum()),
        n_iter=fit.n_iter,
        trouble=""
        if fit.converged
        else f"Newton's method did not settle in {fit.n_iter} steps; rescale the features",
    )
