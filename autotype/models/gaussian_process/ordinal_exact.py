"""The exact ordinal model: a kernel on all training rows, for up to a few thousand of them.

Learning is one ascent: from one start, BFGS climbs the objective of `hyperparameters` to its
maximum. An evaluation costs the cube of the rows. Many rows therefore leave most steps to a third
of them, whose maximum is near that of all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process.classifier import ASCENT_STOPPED, FittedLatent
from autotype.models.gaussian_process.features import spread_sample
from autotype.models.gaussian_process.hyperparameters import OrdinalEvidence
from autotype.models.gaussian_process.kernels import learns_amplitude
from autotype.models.gaussian_process.solvers.evidence_ascent import DIRECT_ROWS, Ascent, ascend
from autotype.models.gaussian_process.solvers.link import Link
from autotype.models.gaussian_process.solvers.ordinal_ep import ep_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    LatentPosterior,
    OrdinalObservations,
    leave_one_out,
    rank_probabilities,
    thresholds_from_parameters,
)
from autotype.models.gaussian_process.unobserved_levels import complete_thresholds

# In units of the prior's standard deviation. Noise-free ranks have no maximum: their evidence rises
# as the noise falls.
_SMALLEST_NOISE = 0.02
# Nats that an ascent may leave: with few rows it ends where rounding does, so that the end does not
# depend on the path; with many a step costs more than so little of their likelihood is worth.
_NATS_OF_FEW, _NATS_A_ROW = 1e-12, 1e-5
_LOW_NOISE = 0.3  # in units of the prior's standard deviation: from here on down EP is heard, too

_POSTERIOR_STOPPED = (
    "the approximate posterior did not settle in {} iterations at the hyper-parameters found; "
    "rescale the features or hold the noise at a larger value"
)

Infer = Callable[..., LatentPosterior]


@dataclass(frozen=True, kw_only=True)
class FunctionSpaceModel(FittedLatent):
    """A fitted ordinal model in function space.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Training rows.
    posterior : LatentPosterior
        Of their latent values.
    thresholds : ndarray of shape (n_levels - 1,)
        Strictly increasing, unobserved levels included.
    noise : float
        s.
    link : Link
        The distribution of the noise.
    ascent : Ascent
        The ascent that found its hyper-parameters.
    """

    X: np.ndarray
    posterior: LatentPosterior = field(repr=False)
    thresholds: np.ndarray
    noise: float
    link: Link
    ascent: Ascent = field(repr=False)

    def latent(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the latent function at new rows."""
        return self.posterior.predict(self.kernel(X, self.X), self.kernel.diag(X))

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the levels, shape (m, n_levels)."""
        return rank_probabilities(*self.latent(X), self.thresholds, self.noise, link=self.link)


@dataclass(frozen=True, kw_only=True)
class ExactFit:
    """A way to learn the hyper-parameters of an exact model.

    Attributes
    ----------
    infer : callable
        The approximation of the posterior whose evidence is maximised.
    kept : callable
        The approximation of the posterior kept.
    noise : float or None
        The noise where it is held; None to learn it.
    max_iter : int
        Most iterations of an ascent; 0 keeps the start.
    share_prior : float
        Strength of the prior on the proportion explained; 0 for the evidence alone.
    """

    infer: Infer
    kept: Infer
    noise: float | None
    max_iter: int
    share_prior: float

    def fit(
        self, kernel: Kernel, X: np.ndarray, data: OrdinalObservations, near: Ascent | None = None
    ) -> FunctionSpaceModel:
        """Learn kernel, noise and thresholds on the exact evidence, and keep the posterior.

        Parameters
        ----------
        kernel : Kernel
            Start and bounds.
        X : ndarray of shape (n, d)
            Rows.
        data : OrdinalObservations
            Their ranks and weights.
        near : Ascent, optional
            An ascent of another evidence of the same rows, from whose end to start.

        Returns
        -------
        FunctionSpaceModel
        """
        evidence = self._evidence(kernel, X, data)
        bounds = evidence.bounds(_SMALLEST_NOISE)
        start, hessian = np.clip(evidence.start_parameters(), *bounds.T), evidence.usual_hessian()
        tol, most = _NATS_OF_FEW, self.max_iter
        if near is not None:
            start, hessian = near.parameters, near.hessian
        elif len(X) > DIRECT_ROWS:
            rows = spread_sample(X, data.ranks, max(DIRECT_ROWS // 2, len(X) // 3))
            part = self._evidence(kernel, X[rows], data.take(rows))
            # Evidence grows with the rows, and so do its curvature and what an ascent may leave.
            tol = _NATS_A_ROW * data.weight.sum()
            share = data.weight[rows].sum() / data.weight.sum()
            hessian = part.usual_hessian()
            coarse = ascend(part, start, bounds, hessian=hessian, max_iter=most, tol=share * tol)
            start, hessian = coarse.parameters, coarse.hessian / share
        ascent = ascend(evidence, start, bounds, hessian=hessian, max_iter=most, tol=tol)
        return self._model_at(ascent, evidence, X)

    def _evidence(
        self, kernel: Kernel, X: np.ndarray, data: OrdinalObservations
    ) -> OrdinalEvidence:
        """Return the objective on some rows."""
        noise, has_amplitude = self.noise, learns_amplitude(kernel)
        # The noise stays at 1 where the kernel's own scale does the same already, and the prior has
        # nothing to restrain where both are held.
        if noise is None and has_amplitude:
            noise = 1.0
        return OrdinalEvidence(
            kernel,
            X,
            data,
            self.infer,
            noise=noise,
            share_prior=self.share_prior if noise is None or has_amplitude else 0.0,
        )

    def _model_at(
        self, ascent: Ascent, evidence: OrdinalEvidence, X: np.ndarray
    ) -> FunctionSpaceModel:
        """Keep the posterior at the end of an ascent."""
        data = evidence.observations
        theta, noise, free = evidence.unpack(ascent.parameters)
        thresholds = thresholds_from_parameters(free)
        posterior = self.kept(
            *evidence.arguments(ascent.parameters), start=evidence.start, with_gradient=False
        )
        warning = None
        if not posterior.converged:
            warning = _POSTERIOR_STOPPED.format(posterior.n_iter)
        elif not ascent.converged and self.max_iter > 0:
            warning = ASCENT_STOPPED.format(self.max_iter)
        loo = data.weight @ leave_one_out(data, posterior, thresholds, noise)
        return FunctionSpaceModel(
            kernel=evidence.kernel.clone_with_theta(theta),
            X=X,
            posterior=posterior,
            thresholds=complete_thresholds(
                thresholds, data, mean=posterior.mean, variance=posterior.variance, noise=noise
            ),
            noise=noise,
            link=data.link,
            ascent=ascent,
            log_evidence=-ascent.value - evidence.log_prior(ascent.parameters)[0],
            loo_log_likelihood=float(loo),
            n_iter=max(1, ascent.n_iter),
            warning=warning,
        )

    def fit_checked(
        self, kernel: Kernel, X: np.ndarray, data: OrdinalObservations
    ) -> FunctionSpaceModel:
        """Learn by Laplace's evidence, and by EP's where few rows show low noise; keep the better.

        Parameters
        ----------
        kernel, X, data :
            As in `fit`; `infer` is Laplace's approximation.

        Returns
        -------
        FunctionSpaceModel
            With Laplace's posterior either way.

        Notes
        -----
        Low noise makes the likelihood sharper than the prior is wide. There Laplace's evidence can
        exceed the true one by ten nats and favour short length scales and no noise, and leaving
        rows out tells which of the two hyper-parameters are better.
        """
        model = self.fit(kernel, X, data)
        amplitude = float(np.sqrt(np.mean(model.kernel.diag(X)))) or 1.0
        is_low = model.noise <= _LOW_NOISE * amplitude and not learns_amplitude(kernel)
        held = self.noise is not None or self.max_iter == 0
        if held or not is_low or len(X) > DIRECT_ROWS:
            return model
        other = replace(self, infer=ep_posterior).fit(kernel, X, data, model.ascent)
        if other.loo_log_likelihood <= model.loo_log_likelihood:
            return model
        return replace(other, log_evidence=other.posterior.log_evidence)
