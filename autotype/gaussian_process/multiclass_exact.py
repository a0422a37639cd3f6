"""The multi-class latent model on all training rows: Laplace's softmax, or EP's steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from scipy.optimize import OptimizeResult, minimize
from scipy.special import softmax
from sklearn.gaussian_process.kernels import ConstantKernel, Kernel, Product

from autotype.gaussian_process.hyperparameters import DIRECT_ROWS
from autotype.gaussian_process.kernels import KernelMatrix, kernel_matrix
from autotype.gaussian_process.softmax_average import better_softmax, class_probabilities
from autotype.gaussian_process.solvers.probit_ep import (
    ProbitLatents,
    leave_one_out_probit,
    probit_latents,
)
from autotype.gaussian_process.solvers.probit_sites import MultinomialProbitSites
from autotype.gaussian_process.solvers.softmax_laplace import SoftmaxLatents, softmax_latents
from autotype.gaussian_process.weight_space.softmax_laplace import leave_one_out_latents

_NO_EVIDENCE = 1e100
# EP's evidence is stationary in the sites, its error of the order of the square of this.
_ROUGH, _FINE, _EXACT = 1e-3, 1e-5, 1e-10


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


@dataclass(frozen=True)
class ClassObservations:
    """The classes of the rows and how much each row counts.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
        Classes 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    weight : ndarray of shape (n,)
        Factors of the log likelihood terms, > 0.
    """

    codes: np.ndarray
    n_levels: int
    weight: np.ndarray

    def take(self, rows: np.ndarray) -> ClassObservations:
        """Select rows by their numbers."""
        return ClassObservations(self.codes[rows], self.n_levels, self.weight[rows])


class Inference(Protocol):
    """One way to approximate the posterior of the latents; what `posterior` gives is its own."""

    @property
    def cause(self) -> str:
        """What went wrong where a posterior has not converged, with its iterations put in."""

    def posterior(self, K: np.ndarray, start: Any = None, *, rough: bool = False) -> Any:
        """Posterior and evidence at a kernel matrix, from a nearby posterior where there is one."""

    def leave_one_out(self, latents: Any) -> tuple[float, bool]:
        """Weighted sum of the rows' leave-one-out log probabilities, and whether by averaging."""

    def probabilities(
        self, latents: Any, cross: np.ndarray, prior_variance: np.ndarray, *, averaged: bool
    ) -> np.ndarray:
        """Predictive probabilities at new rows, shape (m, L)."""


class LaplaceSoftmax:
    """Laplace's approximation of the softmax's posterior."""

    cause = "Newton's method did not settle in {} steps; rescale the features"

    def __init__(self, data: ClassObservations) -> None:
        self.data = data

    def posterior(
        self, K: np.ndarray, start: SoftmaxLatents | None = None, *, rough: bool = False
    ) -> SoftmaxLatents:
        """Posterior at a kernel matrix; always exactly at the mode, which a step more reaches."""
        data = self.data
        guess = None if start is None else start.alpha
        return softmax_latents(K, data.codes, data.n_levels, weight=data.weight, start=guess)

    def leave_one_out(self, latents: SoftmaxLatents) -> tuple[float, bool]:
        """Score by the better of averaging and putting the mode in, and whether by averaging."""
        data = self.data
        without = leave_one_out_latents(
            latents.mode, latents.spread, data.codes, sample_weight=data.weight
        )
        return better_softmax(*without, data.codes, data.weight)

    def probabilities(
        self,
        latents: SoftmaxLatents,
        cross: np.ndarray,
        prior_variance: np.ndarray,
        *,
        averaged: bool,
    ) -> np.ndarray:
        """Predictive probabilities at new rows, shape (m, L)."""
        if averaged:
            return class_probabilities(*latents.predict(cross, prior_variance))
        return softmax(cross @ latents.alpha, axis=1)


class EPProbit:
    """Expectation propagation with steps Theta(f_y - f_k) on noisy latents."""

    cause = "expectation propagation did not settle in {} sweeps; rescale the features"

    def __init__(self, data: ClassObservations) -> None:
        self.rows = MultinomialProbitSites(data.codes, data.n_levels, data.weight)
        self.fine = _EXACT if len(data.codes) <= DIRECT_ROWS else _FINE

    def posterior(
        self, K: np.ndarray, start: ProbitLatents | None = None, *, rough: bool = False
    ) -> ProbitLatents:
        """Posterior at a kernel matrix, to a lower tolerance where `rough`."""
        sites = None if start is None or not start.converged else start.sites
        return probit_latents(K, self.rows, start=sites, tol=_ROUGH if rough else self.fine)

    def leave_one_out(self, latents: ProbitLatents) -> tuple[float, bool]:
        """Score by averaging over the posterior: EP's holds the mean."""
        return float(self.rows.weight @ leave_one_out_probit(self.rows, latents)), True

    def probabilities(
        self,
        latents: ProbitLatents,
        cross: np.ndarray,
        prior_variance: np.ndarray,
        *,
        averaged: bool,
    ) -> np.ndarray:
        """Predictive probabilities at new rows, shape (m, L)."""
        return latents.probabilities(cross, prior_variance)


@dataclass(frozen=True)
class ExactMulticlass:
    """A fitted model on all training rows.

    Attributes
    ----------
    kernel : Kernel
        With its learnt hyper-parameters.
    X : ndarray of shape (n, d)
        Training rows.
    infer : LaplaceSoftmax or EPProbit
        The approximation.
    latents : SoftmaxLatents or ProbitLatents
        Posterior of the latents.
    averaged : bool
        Whether predictions average over it.
    log_evidence, loo_log_likelihood : float
        Log marginal likelihood; sum of leave-one-out log probabilities.
    n_iter : int
        Iterations of the ascent.
    trouble : str
        Why the fit may not be at its best; empty where it is.
    """

    kernel: Kernel
    X: np.ndarray
    infer: Inference = field(repr=False)
    latents: Any = field(repr=False)
    averaged: bool
    log_evidence: float
    loo_log_likelihood: float
    n_iter: int
    trouble: str

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L)."""
        cross = self.kernel(X, self.X)
        prior_variance = self.kernel.diag(X)
        return self.infer.probabilities(self.latents, cross, prior_variance, averaged=self.averaged)


def fit_exact(kernel: Kernel, X: np.ndarray, infer: Inference, *, max_iter: int) -> ExactMulticlass:
    """Learn the kernel by L-BFGS-B on the exact rows' evidence.

    Parameters
    ----------
    kernel : Kernel
        Start and bounds.
    X : ndarray of shape (n, d)
        Training rows.
    infer : LaplaceSoftmax or EPProbit
        The approximation, with the rows' classes.
    max_iter : int
        Most iterations; 0 keeps the start.

    Returns
    -------
    ExactMulticlass
    """
    kernel, n_iter, trouble = _learn(kernel, X, infer, max_iter)
    latents = infer.posterior(kernel(X), rough=False)
    if not latents.converged:
        trouble = infer.cause.format(latents.n_iter)
    loo, averaged = infer.leave_one_out(latents)
    return ExactMulticlass(
        kernel,
        X,
        infer,
        latents,
        averaged=averaged,
        log_evidence=latents.log_evidence,
        loo_log_likelihood=loo,
        n_iter=n_iter,
        trouble=trouble,
    )


def _learn(
    kernel: Kernel, X: np.ndarray, infer: Inference, max_iter: int
) -> tuple[Kernel, int, str]:
    """Kernel at the best evidence found, iterations, and what went wrong."""
    if len(kernel.theta) == 0 or max_iter == 0:
        return kernel, 1, ""
    matrix = evidence_matrix(kernel, X)
    theta = kernel.theta
    # Where rows are few the end does not depend on the path: two equal rows, or one of weight 2.
    for precise in (False, True) if len(X) <= DIRECT_ROWS else (False,):
        found = _ascend(matrix, infer, theta, kernel.bounds, precise=precise, max_iter=max_iter)
        theta = np.clip(found.x, *kernel.bounds.T)
    trouble = ""
    if found.status == 1:
        trouble = (
            f"the hyper-parameters did not reach the evidence's maximum in "
            f"max_iter={max_iter} iterations; raise max_iter or rescale the features"
        )
    return kernel.clone_with_theta(theta), max(1, int(found.nit)), trouble


def _ascend(
    matrix: KernelMatrix,
    infer: Inference,
    start: np.ndarray,
    bounds: np.ndarray,
    *,
    precise: bool,
    max_iter: int,
) -> OptimizeResult:
    warm: list = [None]

    def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
        try:
            fit = infer.posterior(matrix.value(theta), warm[0], rough=not precise)
        except np.linalg.LinAlgError:
            return _NO_EVIDENCE, np.zeros(len(theta))
        warm[0] = fit
        return -fit.log_evidence, -matrix.contract(fit.gradient)

    ftol, gtol = (1e-13, 1e-7) if precise else (1e-8, 1e-4)
    options = {"maxiter": max_iter, "ftol": ftol, "gtol": gtol, "maxls": 8}
    return minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
