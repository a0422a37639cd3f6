"""The exact multi-class model on all training rows: softmax by Laplace, or probit by EP."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process.classifier import (
    ASCENT_STOPPED,
    EP_STOPPED,
    NEWTON_STOPPED,
    FittedLatent,
)
from autotype.models.gaussian_process.kernels import KernelMatrix
from autotype.models.gaussian_process.softmax_average import better_softmax, class_probabilities
from autotype.models.gaussian_process.solvers.class_precision import ClassLatents
from autotype.models.gaussian_process.solvers.evidence_ascent import (
    DIRECT_ROWS,
    Evidence,
    ascend,
)
from autotype.models.gaussian_process.solvers.probit_ep import (
    probit_latents,
    probit_probabilities,
)
from autotype.models.gaussian_process.solvers.probit_sites import MultinomialProbitSites
from autotype.models.gaussian_process.solvers.softmax_laplace import softmax_latents
from autotype.models.gaussian_process.weight_space.left_out import leave_one_out_latents

# EP's evidence is stationary in the sites, its error of the order of the square of this.
_FINE_TOL, _EXACT_TOL = 1e-5, 1e-10
_CURVATURE = 0.03  # of minus the log evidence of a row; only the number of steps depends on it
# Nats that an ascent may leave: where rows are few the end does not depend on the path, so that two
# equal rows are one of weight 2.
_NATS_OF_FEW, _NATS_A_ROW = 1e-12, 1e-6


class LaplaceSoftmax:
    """Laplace's approximation of the softmax's posterior; parameters as of `SoftmaxProblem`."""

    nonconvergence_message = NEWTON_STOPPED

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

    def probabilities(
        self, latents: ClassLatents, cross: np.ndarray, prior_variance: np.ndarray
    ) -> np.ndarray:
        """Probabilities at new rows, averaged over the posterior, shape (m, L)."""
        return class_probabilities(*latents.predict(cross, prior_variance))


class EPProbit:
    """Expectation propagation for the multinomial probit model."""

    nonconvergence_message = EP_STOPPED

    def __init__(self, codes: np.ndarray, n_levels: int, weight: np.ndarray) -> None:
        self.rows, self.weight = MultinomialProbitSites(codes, n_levels, weight), weight
        self.tol = _EXACT_TOL if len(codes) <= DIRECT_ROWS else _FINE_TOL

    def posterior(self, K: np.ndarray, start: ClassLatents | None = None) -> ClassLatents:
        """Posterior at a kernel matrix."""
        return probit_latents(K, self.rows, start=start, tol=self.tol)

    def leave_one_out(self, latents: ClassLatents) -> tuple[float, bool]:
        """Score by averaging over the posterior: EP's holds the mean."""
        return float(self.rows.weight @ self.rows.leave_one_out(latents)), True

    def probabilities(
        self, latents: ClassLatents, cross: np.ndarray, prior_variance: np.ndarray
    ) -> np.ndarray:
        """Probabilities at new rows, averaged over the posterior, shape (m, L)."""
        return probit_probabilities(latents, cross, prior_variance)


Inference = LaplaceSoftmax | EPProbit


@dataclass(frozen=True, kw_only=True)
class ExactMulticlass(FittedLatent):
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
        return self.inference.probabilities(self.latents, cross, self.kernel.diag(X))


class _ClassEvidence(Evidence[ClassLatents]):
    """Minus the log evidence of the training rows, with its gradient in the kernel's theta."""

    def __init__(self, matrix: KernelMatrix, inference: Inference) -> None:
        super().__init__(inference.posterior)
        self.matrix = matrix

    def arguments(self, parameters: np.ndarray) -> tuple[Any, ...]:
        """Return the kernel matrix."""
        return (self.matrix.value(parameters),)

    def slope(self, parameters: np.ndarray, posterior: ClassLatents) -> np.ndarray:
        """Compute the gradient of the log evidence in theta."""
        return self.matrix.contract(posterior.gradient)


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
        evidence = _ClassEvidence(KernelMatrix(kernel, X), inference)
        total = float(inference.weight.sum())
        ascent = ascend(
            evidence,
            kernel.theta,
            kernel.bounds,
            hessian=np.diag(np.full(len(kernel.theta), _CURVATURE * total / len(kernel.theta))),
            max_iter=max_iter,
            tol=_NATS_OF_FEW if len(X) <= DIRECT_ROWS else _NATS_A_ROW * total,
        )
        kernel, n_iter = kernel.clone_with_theta(ascent.parameters), max(1, ascent.n_iter)
        warning = None if ascent.converged else ASCENT_STOPPED.format(max_iter)
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
