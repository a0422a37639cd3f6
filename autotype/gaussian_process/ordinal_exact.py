"""The exact latent model: a kernel on all training rows, for up to a few thousand of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from sklearn.gaussian_process.kernels import Kernel

from autotype.gaussian_process.hyperparameters import (
    SMALLEST_NOISE,
    has_length_scale,
    learn_hyperparameters,
)
from autotype.gaussian_process.kernels import learns_amplitude
from autotype.gaussian_process.solvers.ordinal_latent import (
    LatentPosterior,
    OrdinalObservations,
    leave_one_out,
    rank_probabilities,
)
from autotype.gaussian_process.unobserved_levels import complete_thresholds


@dataclass(frozen=True)
class FunctionSpaceModel:
    """A fitted latent model in function space.

    Attributes
    ----------
    kernel : Kernel
        With its learnt hyper-parameters.
    X : ndarray of shape (n, d)
        Training rows.
    posterior : LatentPosterior
        Of their latent values.
    thresholds : ndarray of shape (n_levels - 1,)
        Strictly increasing, unobserved levels included.
    noise : float
        s.
    log_evidence : float
        Log evidence on the observed levels.
    loo_log_likelihood : float
        Sum of the rows' leave-one-out log predictive probabilities, weighted.
    n_iter : int
        Iterations of the hyper-parameters' ascent.
    trouble : str
        Why the fit may not be at its best; empty where it is.
    """

    kernel: Kernel
    X: np.ndarray
    posterior: LatentPosterior
    thresholds: np.ndarray
    noise: float
    log_evidence: float
    loo_log_likelihood: float
    n_iter: int
    trouble: str

    def latent(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the latent function at new rows."""
        return self.posterior.predict(self.kernel(X, self.X), self.kernel.diag(X))

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the levels, shape (m, n_levels)."""
        return rank_probabilities(*self.latent(X), self.thresholds, self.noise)


def fit_function_space(
    kernel: Kernel,
    X: np.ndarray,
    observations: OrdinalObservations,
    observed: np.ndarray,
    n_levels: int,
    infer: Callable[..., LatentPosterior],
    *,
    roughly: Callable[..., LatentPosterior] | None = None,
    final: Callable[..., LatentPosterior] | None = None,
    noise: float | None = None,
    max_iter: int = 100,
    restart_lengths: bool = False,
    smallest_noise: float = SMALLEST_NOISE,
    learn_from: np.ndarray | None = None,
) -> FunctionSpaceModel:
    """Learn kernel, noise and thresholds on the exact evidence, and keep the posterior.

    Parameters
    ----------
    kernel : Kernel
        Start and bounds.
    X : ndarray of shape (n, d)
        Training rows.
    observations : OrdinalObservations
        Dense ranks of the observed levels, and weights.
    observed : ndarray of int
        The observed levels among `n_levels`.
    n_levels : int
        Levels on the scale.
    infer : callable
        The approximation whose evidence is maximised.
    roughly : callable, optional
        The same at a tolerance that the ascent can do with.
    final : callable, optional
        The approximation of the posterior kept, where it is another one.
    noise : float, optional
        The noise where it is held.
    max_iter : int
        Most iterations of one ascent.
    restart_lengths : bool
        Whether to try shorter length scales as starts too.
    smallest_noise : float
        Lower end of the noise, in units of the prior's standard deviation.
    learn_from : ndarray of int, optional
        The rows whose evidence is maximised, some of every observed level; all of them by default.

    Returns
    -------
    FunctionSpaceModel
    """
    if noise is None and learns_amplitude(kernel):
        noise = 1.0  # the kernel's own scale says it already
    rows = np.arange(len(X)) if learn_from is None else learn_from
    learnt = learn_hyperparameters(
        kernel,
        X[rows],
        observations.take(rows),
        infer,
        roughly or infer,
        noise=noise,
        max_iter=max_iter,
        restart_lengths=restart_lengths and has_length_scale(kernel),
        smallest_noise=smallest_noise,
    )
    kernel = kernel.clone_with_theta(learnt.theta)
    posterior, thresholds = learnt.posterior, learnt.thresholds
    log_evidence = posterior.log_evidence
    if final is not None or learn_from is not None:
        finish = final or infer
        posterior = finish(kernel(X), observations, thresholds, learnt.noise, with_gradient=False)
    loo = leave_one_out(observations, posterior, thresholds, learnt.noise)
    weight = observations.weight
    return FunctionSpaceModel(
        kernel=kernel,
        X=X,
        posterior=posterior,
        thresholds=complete_thresholds(
            thresholds,
            observed,
            n_levels,
            mean=posterior.mean,
            deviation=np.sqrt(posterior.variance + learnt.noise**2),
            weight=weight,
        ),
        noise=learnt.noise,
        log_evidence=float(log_evidence),
        loo_log_likelihood=float(weight @ loo),
        n_iter=learnt.n_iter,
        trouble=_trouble(learnt.converged, posterior, max_iter),
    )


def better_where_noise_is_little(
    model: FunctionSpaceModel, other: Callable[[], FunctionSpaceModel], little: float
) -> FunctionSpaceModel:
    """Check a fit by Laplace's evidence where the noise it found is little.

    Parameters
    ----------
    model : FunctionSpaceModel
        Learnt by Laplace's evidence.
    other : callable
        Learns by another evidence, perhaps of some rows only, and keeps Laplace's posterior.
    little : float
        The largest noise at which to do so, in units of the prior's standard deviation.

    Returns
    -------
    FunctionSpaceModel
        The other where it leaves rows out better, by more than a nat.

    Notes
    -----
    Little noise makes the likelihood sharper than the prior is wide. There Laplace's evidence can
    exceed the true one by ten nats and favour short length scales, which the leave-one-out
    probabilities give away.
    """
    deviation = float(np.sqrt(np.mean(model.kernel.diag(model.X)))) or 1.0
    if model.noise > little * deviation:
        return model
    found = other()
    if found.loo_log_likelihood <= model.loo_log_likelihood + 1.0:
        return model
    return replace(found, log_evidence=found.posterior.log_evidence)


def _trouble(ascent_converged: bool, posterior: LatentPosterior, max_iter: int) -> str:
    if not posterior.converged:
        return (
            f"the approximate posterior did not settle in {posterior.n_iter} iterations at the "
            "hyper-parameters found; rescale the features or hold the noise at a larger value"
        )
    if not ascent_converged:
        return (
            f"the hyper-parameters did not reach the evidence's maximum in max_iter={max_iter} "
            "iterations; raise max_iter or rescale the features"
        )
    return ""
