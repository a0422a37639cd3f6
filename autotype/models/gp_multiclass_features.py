"""The multi-class latent model in weight space, for many rows: f_k = Z w_k with few features Z."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.averaged_softmax import class_probabilities
from autotype.models.gp_multiclass_model import ClassObservations, EPSteps
from autotype.models.gp_weight_space import LinearFeatures, NystromFeatures
from autotype.solvers.multiclass_ep import StepPosterior, fit_multiclass_ep, leave_weights_out
from autotype.solvers.softmax import (
    BIAS_VARIANCE,
    SoftmaxPosterior,
    SoftmaxProblem,
    fit_softmax,
    leave_one_out_softmax,
)
from autotype.solvers.step_rows import StepRows

_CHUNK_ROWS = 5_000


@dataclass(frozen=True)
class LaplaceWeights:
    """Laplace's approximation on features whose products are the kernel.

    Attributes
    ----------
    kernel : Kernel
        The kernel behind the features.
    features : LinearFeatures or NystromFeatures
        Z, to which a bias is added.
    fit : SoftmaxPosterior
        Posterior of the weights.
    log_evidence, loo_log_likelihood, n_iter, trouble :
        As in `ExactMulticlass`.
    """

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


def fit_laplace_weights(
    kernel: Kernel,
    features: LinearFeatures | NystromFeatures,
    X: np.ndarray,
    data: ClassObservations,
) -> LaplaceWeights:
    """Fit in weight space, the amplitude learnt inside Newton's loop; O(n (L m)^2)."""
    Z, _ = features.transform(X)
    problem = SoftmaxProblem(Z, data.codes, data.n_levels, data.weight)
    fit = fit_softmax(problem)
    loo = leave_one_out_softmax(problem, fit).averaged
    return LaplaceWeights(
        kernel,
        features,
        fit,
        log_evidence=fit.log_evidence,
        loo_log_likelihood=float(data.weight @ loo),
        n_iter=fit.n_iter,
        trouble=""
        if fit.converged
        else f"Newton's method did not settle in {fit.n_iter} steps; rescale the features",
    )


@dataclass(frozen=True)
class EPWeights:
    """EP's approximation on features whose products are the kernel; attributes as above."""

    kernel: Kernel
    features: LinearFeatures | NystromFeatures
    has_bias: bool
    fit: StepPosterior
    log_evidence: float
    loo_log_likelihood: float
    n_iter: int
    trouble: str

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L)."""
        parts = []
        for first in range(0, len(X), _CHUNK_ROWS):
            Z, left_out = self.features.transform(X[first : first + _CHUNK_ROWS])
            Z = _with_bias(Z) if self.has_bias else Z
            parts.append(self.fit.probabilities(Z, left_out))
        return np.concatenate(parts)


def _with_bias(Z: np.ndarray) -> np.ndarray:
    return np.column_stack([np.full(len(Z), np.sqrt(BIAS_VARIANCE)), Z])


def fit_ep_weights(
    kernel: Kernel,
    features: LinearFeatures | NystromFeatures,
    X: np.ndarray,
    data: ClassObservations,
    *,
    has_bias: bool,
    n_iter: int,
) -> EPWeights:
    """Run EP in weight space at given hyper-parameters; O(n (L m)^2) a sweep.

    Parameters
    ----------
    kernel, features, X, data :
        As in `fit_laplace_weights`.
    has_bias : bool
        Whether the kernel holds a bias that the features do not.
    n_iter : int
        Iterations that learning the hyper-parameters took.

    Returns
    -------
    EPWeights
    """
    rows = StepRows(data.codes, data.n_levels, data.weight)
    Z, left_out = features.transform(X)
    Z = _with_bias(Z) if has_bias else Z
    fit = fit_multiclass_ep(Z, rows, tol=1e-3)
    loo = leave_weights_out(Z, rows, fit, left_out)
    return EPWeights(
        kernel,
        features,
        has_bias,
        fit,
        log_evidence=fit.log_evidence,
        loo_log_likelihood=float(data.weight @ loo),
        n_iter=n_iter,
        trouble="" if fit.converged else EPSteps.cause.format(fit.n_iter),
    )


def learn_linear_amplitude(
    X: np.ndarray, data: ClassObservations, start: float, bounds: np.ndarray, max_iter: int
) -> tuple[float, int]:
    """Maximise EP's evidence over the prior variance of a linear model's weights.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Rows, centred.
    data : ClassObservations
        Their classes.
    start : float
        Log of the variance.
    bounds : ndarray of shape (1, 2)
        Its ends.
    max_iter : int
        Most iterations.

    Returns
    -------
    log_variance : float
    n_iter : int
    """
    rows = StepRows(data.codes, data.n_levels, data.weight)
    sites: list = [None]

    def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
        Z = _with_bias(np.exp(0.5 * theta[0]) * X)
        fit = fit_multiclass_ep(Z, rows, start=sites[0], tol=1e-3)
        sites[0] = fit.sites if fit.converged else None
        return -fit.log_evidence, -fit.log_feature_gradient[1:].sum(keepdims=True)

    if max_iter == 0:
        return start, 1
    found = minimize(
        objective,
        [start],
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": max_iter, "ftol": 1e-8},
    )
    return float(found.x[0]), max(1, int(found.nit))
