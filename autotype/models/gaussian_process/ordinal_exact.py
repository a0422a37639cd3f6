"""The exact ordinal model: a kernel on all training rows, for up to a few thousand of them.

Kernel, noise and thresholds fit the rows best where the evidence is largest, the probability of the
observed ranks with the latent values averaged out. The evidence of few rows hardly restrains the
amplitude beside the noise: its maximum may lie where the features explain everything, or nothing.
So the objective is the log evidence plus the log density of a weak prior on the proportion
explained.

What is learned is one vector: the kernel's theta, ln s unless the noise is held, b_1 and
ln Delta_2 .. ln Delta_{L-1} (Chu and Ghahramani 2005, Gaussian processes for ordinal regression,
sec. 3.1). Learning is one ascent: from one start, BFGS climbs the objective to its maximum. An
evaluation costs the cube of the rows. Many rows therefore leave most steps to a third of them,
whose maximum is near that of all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process.classifier import ASCENT_STOPPED, FittedLatent
from autotype.models.gaussian_process.features import spread_sample
from autotype.models.gaussian_process.kernels import KernelMatrix, learns_amplitude
from autotype.models.gaussian_process.solvers.evidence_ascent import (
    DIRECT_ROWS,
    Ascent,
    Evaluation,
    Evidence,
    ascend,
)
from autotype.models.gaussian_process.solvers.interval_likelihood import Link, starting_thresholds
from autotype.models.gaussian_process.solvers.ordinal_ep import ep_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    LatentPosterior,
    OrdinalObservations,
    leave_one_out,
    rank_probabilities,
    threshold_parameter_gradient,
    threshold_parameters,
    thresholds_from_parameters,
)
from autotype.models.gaussian_process.unobserved_levels import complete_thresholds

# Of minus the log evidence of a row, in any parameter: about what smooth functions with noise have.
# Only the number of steps depends on it.
_CURVATURE = 0.3
# A function that varies less, beside its own variance, is a constant up to rounding.
_CONSTANT = 1e-12
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


def share_log_prior(
    K: np.ndarray, noise: float, weight: np.ndarray, *, strength: float
) -> tuple[float, float, np.ndarray | None]:
    """Compute the log density of Beta(k, k) for the proportion R explained, and its slopes.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    noise : float
        s > 0.
    weight : ndarray of shape (n,)
        Weights of the rows, > 0.
    strength : float
        k >= 0; 0 for no prior.

    Returns
    -------
    value, by_log_noise : float
        k ln R + k ln(1 - R), the density of ln(R / (1 - R)), and its slope in ln s.
    by_kernel : ndarray of shape (n, n), or None
        Its slope in K. All are nothing where the function is constant or the strength 0.

    Notes
    -----
    R = v / (v + s^2), where v is the variance over the rows that the Gaussian process expects of
    its function, p'diag(K) - p'Kp with the rows' proportions p of the weight, and s the noise. What
    is the same in all rows is left to the thresholds; so v, unlike the amplitude, is the effect of
    the features, also where a long length scale makes the function nearly linear. The density falls
    by k nats for each factor e of v / s^2, either way; evidence of many rows outweighs it.

    Examples
    --------
    >>> share_log_prior(2.0 * np.eye(2), 1.0, np.ones(2), strength=2.0)[0]  # R = 1/2
    -2.772588722239781
    """
    p = weight / weight.sum()
    total = float(p @ np.diag(K))
    spread = total - float(p @ K @ p)
    if strength == 0.0 or not spread > _CONSTANT * total:
        return 0.0, 0.0, None
    odds = spread / noise**2
    # ln R + ln(1 - R) of R = odds / (1 + odds)
    value = strength * float(np.log(odds) - 2.0 * np.log1p(odds))
    by_log_odds = strength * (1.0 - odds) / (1.0 + odds)
    by_kernel = (by_log_odds / spread) * (np.diag(p) - np.outer(p, p))
    return value, -2.0 * by_log_odds, by_kernel


class OrdinalEvidence(Evidence[LatentPosterior]):
    """Minus the log evidence of one set of rows and the log prior, with their gradient.

    Parameters
    ----------
    kernel : Kernel
        Start and bounds of its hyper-parameters.
    X : ndarray of shape (n, d)
        The rows.
    observations : OrdinalObservations
        Their ranks and weights.
    infer : callable
        `laplace_posterior` or `ep_posterior`.
    noise : float or None
        The noise where it is held; None where it is learned.
    share_prior : float
        Strength of the prior on the proportion explained; 0 for the evidence alone.

    Attributes
    ----------
    amplitude : float
        The prior's standard deviation of the latent values at the start: the unit of the bounds.
    """

    def __init__(
        self,
        kernel: Kernel,
        X: np.ndarray,
        observations: OrdinalObservations,
        infer: Callable[..., LatentPosterior],
        *,
        noise: float | None = None,
        share_prior: float = 0.0,
    ) -> None:
        super().__init__(self._at)
        self.infer = infer
        self.kernel = kernel
        self.observations = observations
        self.noise = noise
        self.share_prior = share_prior
        self.amplitude = float(np.sqrt(np.mean(kernel.diag(X)))) or 1.0
        self._n_kernel = len(kernel.theta)
        self.matrix = KernelMatrix(kernel, X)

    def unpack(self, parameters: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """Split into theta, noise and the free threshold parameters."""
        theta, others = parameters[: self._n_kernel], parameters[self._n_kernel :]
        if self.noise is not None:
            return theta, self.noise, others
        return theta, float(np.exp(others[0])), others[1:]

    def start_parameters(self) -> np.ndarray:
        """Start: the kernel's own theta, a noise as large, thresholds at the ranks' quantiles."""
        noise = self.amplitude if self.noise is None else self.noise
        thresholds = starting_thresholds(self.observations.counts())
        free = threshold_parameters(thresholds * np.hypot(self.amplitude, noise))
        log_noise = [np.log(noise)] if self.noise is None else []
        return np.concatenate([self.kernel.theta, log_noise, free])

    def bounds(self, smallest_noise: float) -> np.ndarray:
        """Return the box of the vector; `smallest_noise` in units of the amplitude."""
        rows = [self.kernel.bounds] if self._n_kernel else []
        unit = np.hypot(self.amplitude, self.noise or 0.0)
        if self.noise is None:
            rows.append(np.log([[smallest_noise * unit, 1e2 * unit]]))
        rows.append(np.array([[-1e3 * unit, 1e3 * unit]]))
        rows.extend([np.log([[1e-5 * unit, 1e3 * unit]])] * (self.observations.n_levels - 2))
        return np.vstack(rows)

    def usual_hessian(self) -> np.ndarray:
        """Return the Hessian to start BFGS with; several lengths share the curvature of one."""
        curvature = np.full(len(self.start_parameters()), _CURVATURE)
        curvature[: self._n_kernel] /= max(self._n_kernel, 1)
        return np.diag(self.observations.weight.sum() * curvature)

    def _at(
        self, parameters: np.ndarray, start: LatentPosterior | None
    ) -> Evaluation[LatentPosterior]:
        """Approximate the posterior; return it, the value and the gradient of the objective."""
        theta, noise, free = self.unpack(parameters)
        thresholds = thresholds_from_parameters(free)
        K = self.matrix.value(theta)
        posterior = self.infer(K, self.observations, thresholds, noise, start=start)
        if posterior.gradient is None:
            raise ValueError("infer returned a posterior without the gradient of its evidence")
        by_kernel, by_log_noise, by_threshold = posterior.gradient
        log_prior, prior_by_noise, prior_by_kernel = share_log_prior(
            K, noise, self.observations.weight, strength=self.share_prior
        )
        if prior_by_kernel is not None:
            by_kernel = by_kernel + prior_by_kernel
        of_noise = [by_log_noise + prior_by_noise] if self.noise is None else []
        slope = [
            self.matrix.contract(by_kernel),
            np.array(of_noise),
            threshold_parameter_gradient(free, by_threshold),
        ]
        return posterior, posterior.log_evidence + log_prior, np.concatenate(slope)


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
        K = evidence.matrix.value(theta)
        posterior = self.kept(K, data, thresholds, noise, start=evidence.start, with_gradient=False)
        log_prior, *_ = share_log_prior(K, noise, data.weight, strength=evidence.share_prior)
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
            log_evidence=-ascent.value - log_prior,
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
