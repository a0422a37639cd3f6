"""The exact ordinal model: a kernel on all training rows, for up to a few thousand of them.

Many evaluations on a sample, then a handful on all rows: the sample's optimum and its curvature
make every step on all rows count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process.classifier import ASCENT_STOPPED, FittedLatent
from autotype.models.gaussian_process.features import spread_sample
from autotype.models.gaussian_process.hyperparameters import (
    OrdinalEvidence,
    ParameterLayout,
    parameter_bounds,
    starting_points,
)
from autotype.models.gaussian_process.kernels import kernel_matrix, learns_amplitude
from autotype.models.gaussian_process.solvers.evidence_ascent import (
    DIRECT_ROWS,
    Ascent,
    curvature_at,
    polish,
    polish_best,
)
from autotype.models.gaussian_process.solvers.link import Link
from autotype.models.gaussian_process.solvers.ordinal_ep import ep_posterior, variational_posterior
from autotype.models.gaussian_process.solvers.ordinal_laplace import laplace_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    LatentPosterior,
    leave_one_out,
    rank_probabilities,
    thresholds_from_parameters,
)
from autotype.models.gaussian_process.unobserved_levels import (
    LatentRows,
    OrdinalTraining,
    complete_thresholds,
)

_SAMPLE_SIZES = 130, 400
_HALVED_ROWS = 600  # from here on half of the rows come before all of them
# Where ranks are noise-free the evidence rises as the noise falls. Laplace's approximation takes
# the posterior for sharper than it is there and gains evidence at the cost of predictions.
_SMALLEST_NOISE = 0.02  # in units of the prior's standard deviation, as those below
_SAMPLE_NOISE = 0.2  # below, a sample's evidence misleads
_LOW_NOISE, _LOW_NOISE_OF_MANY = 0.3, 0.1  # from here on down Laplace's evidence is checked
_CREDIBLE_NATS = 1.0  # by which a leave-one-out score has to differ to contradict
_PAUSE_NOISE = 0.1  # Laplace's ascent waits here for what EP finds
# Nats that an ascent may leave: of several starts or on a sample, of a check, and at the end, which
# is rounding, so that the end does not depend on the path.
_COARSE_NATS, _CHECK_NATS, _FINAL_NATS = 1e-2, 1e-4, 1e-12
_NATS_A_ROW = 1e-5  # of many rows: of their likelihood no more is lost, and a step costs n^3
_N_BEST = 2

Infer = Callable[..., LatentPosterior]


@dataclass(frozen=True)
class Approximation:
    """A way to approximate posterior and evidence of the latent values.

    Attributes
    ----------
    infer : callable
        Kernel matrix, observations, thresholds and noise to a posterior.
    coarse_tol, fine_tol : float or None
        Tolerances of `infer` while hyper-parameters are searched, far from their end and near it;
        None for its default.
    smallest_noise : float
        Lower end of the noise, in units of the prior's standard deviation.
    """

    infer: Infer
    coarse_tol: float | None = None
    fine_tol: float | None = None
    smallest_noise: float = _SMALLEST_NOISE

    @property
    def infer_coarse(self) -> Infer:
        """`infer` at the tolerance that a search of hyper-parameters needs."""
        return self.infer if self.coarse_tol is None else partial(self.infer, tol=self.coarse_tol)

    @property
    def infer_fine(self) -> Infer:
        """`infer` at the tolerance that the last steps of the search need."""
        return self.infer if self.fine_tol is None else partial(self.infer, tol=self.fine_tol)


LAPLACE = Approximation(laplace_posterior)
# The evidence is stationary in the sites: its error is of the order of the tolerance squared.
EP = Approximation(ep_posterior, 1e-4, 1e-7, 0.5 * _SMALLEST_NOISE)
VARIATIONAL = replace(EP, infer=variational_posterior)


@dataclass(frozen=True)
class FitPlan:
    """A plan of how the hyper-parameters of an exact model are learned.

    Attributes
    ----------
    approximation : Approximation
        Whose evidence is maximised.
    noise : float or None
        The noise where it is held; None to learn it.
    max_iter : int
        Most iterations of one ascent; 0 evaluates the start only.
    restart_lengths : bool
        Whether to try length scales shorter than the kernel's as starts too.
    infer_final : callable or None
        The approximation of the posterior kept, where it is another one.
    rows : ndarray of int or None
        The rows whose evidence is maximised, some of every observed level; None for all.
    start : FunctionSpaceModel or None
        A model of the same rows whose ascent is to go on.
    can_pause : bool
        Whether an ascent may end early at very low noise, before it is known to be of use.
    n_best : int
        How many of the starts to ascend from.
    tol : float
        Nats that an ascent on all rows may leave.
    share_prior : float
        Strength of the prior on the share explained; 0 for the evidence alone.
    """

    approximation: Approximation
    noise: float | None
    max_iter: int
    restart_lengths: bool
    infer_final: Infer | None = None
    rows: np.ndarray | None = None
    start: FunctionSpaceModel | None = None
    can_pause: bool = False
    n_best: int = _N_BEST
    tol: float = _FINAL_NATS
    share_prior: float = 0.0

    def holding_noise(self, kernel: Kernel) -> FitPlan:
        """Hold the noise at 1 where the kernel's own scale does the same already."""
        if self.noise is None and learns_amplitude(kernel):
            return replace(self, noise=1.0)
        return self

    def strength(self, kernel: Kernel) -> float:
        """Strength of the prior: none where amplitude and noise are both held."""
        learned = self.noise is None or learns_amplitude(kernel)
        return self.share_prior if learned else 0.0


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
        The end of the ascent of its hyper-parameters.
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


def fit_function_space(
    kernel: Kernel, training: OrdinalTraining, plan: FitPlan
) -> FunctionSpaceModel:
    """Learn kernel, noise and thresholds on the exact evidence, and keep the posterior.

    Parameters
    ----------
    kernel : Kernel
        Start and bounds.
    training : OrdinalTraining
        Rows, ranks and weights.
    plan : FitPlan
        How to learn.

    Returns
    -------
    FunctionSpaceModel
    """
    plan = plan.holding_noise(kernel)
    part = training if plan.rows is None else training.take(plan.rows)
    X, data, approximation = part.X, part.observations, plan.approximation
    layout = ParameterLayout(len(kernel.theta), plan.noise)
    amplitude = float(np.sqrt(np.mean(kernel.diag(X)))) or 1.0
    bounds = parameter_bounds(
        kernel,
        layout,
        data.n_levels,
        amplitude=amplitude,
        smallest_noise=approximation.smallest_noise,
    )
    starts = []
    if plan.start is None:
        points = starting_points(
            kernel, layout, data, amplitude=amplitude, restart_lengths=plan.restart_lengths
        )
        starts = [np.clip(point, bounds[:, 0], bounds[:, 1]) for point in points]
    matrix = kernel_matrix(kernel, X)
    latent = None if plan.start is None else plan.start.posterior
    evidence = OrdinalEvidence(
        matrix,
        data,
        approximation.infer_coarse,
        layout,
        start=latent,
        share_prior=plan.strength(kernel),
    )
    if plan.max_iter == 0:
        ascent = Ascent(starts[0], evidence(starts[0])[0], 1, True)
    elif len(X) <= DIRECT_ROWS:
        ascent = _ascend_directly(evidence, starts, bounds, plan, amplitude=amplitude)
    else:
        ascent = _ascend_by_sample(
            evidence, kernel, X, starts, bounds=bounds, max_iter=plan.max_iter, amplitude=amplitude
        )
    return _model_at(ascent, evidence, kernel, training, plan=plan)


def _ascend_directly(
    evidence: OrdinalEvidence,
    starts: list[np.ndarray],
    bounds: np.ndarray,
    plan: FitPlan,
    *,
    amplitude: float,
) -> Ascent:
    """Ascend on all rows, from another evidence's optimum or from the best of the starts."""

    def finish(start: Ascent) -> Ascent:
        if plan.tol == _FINAL_NATS:
            evidence.refine(plan.approximation.infer_fine)
        point = np.clip(start.parameters, bounds[:, 0], bounds[:, 1])
        return polish(
            evidence, point, bounds, hessian=start.hessian, max_iter=plan.max_iter, tol=plan.tol
        )

    def finish_both(start: Ascent) -> Ascent:
        end = finish(start)
        # Best with next to no noise by Laplace's evidence need not be best by another one.
        if start.rival is None or (start.paused and plan.approximation is LAPLACE):
            return end
        return min(end, finish(start.rival), key=lambda end: end.value)

    if plan.start is not None:
        return finish_both(plan.start.ascent)

    def noise_is_low(parameters: np.ndarray) -> bool:
        return bool(parameters[evidence.layout.n_kernel] < np.log(_PAUSE_NOISE * amplitude))

    pause = noise_is_low if plan.can_pause and evidence.layout.noise is None else None
    ascent = polish_best(
        evidence,
        starts,
        bounds,
        hessian=evidence.expected_curvature(amplitude),
        max_iter=plan.max_iter,
        tol=_COARSE_NATS,
        n_best=plan.n_best,
        pause=pause,
    )
    if ascent.paused:
        return ascent
    return finish_both(ascent)


def _ascend_by_sample(
    exact: OrdinalEvidence,
    kernel: Kernel,
    X: np.ndarray,
    starts: list[np.ndarray],
    *,
    bounds: np.ndarray,
    max_iter: int,
    amplitude: float,
) -> Ascent:
    """Ascend on a sample, compute the curvature there, and finish on all rows."""
    layout = exact.layout
    sample, sampled = _sample_of(exact, kernel, X, int(np.clip(len(X) // 4, *_SAMPLE_SIZES)))

    def ascend_within(bounds: np.ndarray) -> Ascent:
        return polish_best(
            sampled,
            [np.clip(start, bounds[:, 0], bounds[:, 1]) for start in starts],
            bounds,
            hessian=sampled.expected_curvature(amplitude),
            max_iter=max_iter,
            tol=_COARSE_NATS,
            n_best=_N_BEST,
        )

    best = ascend_within(bounds)
    at, low_noise = layout.n_kernel, np.log(_SAMPLE_NOISE * amplitude)
    if layout.noise is None and best.parameters[at] <= low_noise:
        # The low noise may be an artefact of the sample: compare both optima on the full data.
        narrow = bounds.copy()
        narrow[at, 0] = low_noise
        noisier = ascend_within(narrow)
        value, noisier_value = exact(best.parameters)[0], exact(noisier.parameters)[0]
        best = noisier if noisier_value < value else best
    # Evidence grows with the rows, and so does its curvature.
    hessian = curvature_at(sampled, best.parameters) / sampled.observations.weight.sum()
    if len(X) >= _HALVED_ROWS:  # half of the rows are nearer to the end, at an eighth of the cost
        half, halved = _sample_of(exact, kernel, X, len(X) // 2)
        _start_from(halved, half, kernel, sampled, sample, best.parameters)
        total = halved.observations.weight.sum()
        best = polish(
            halved,
            best.parameters,
            bounds,
            hessian=total * hessian,
            max_iter=max_iter,
            tol=_COARSE_NATS,
        )
        hessian = best.hessian / total
        sample, sampled = half, halved
    _start_from(exact, X, kernel, sampled, sample, best.parameters)
    total = exact.observations.weight.sum()
    return polish(
        exact,
        best.parameters,
        bounds,
        hessian=total * hessian,
        max_iter=max_iter,
        tol=_NATS_A_ROW * total,
    )


def _sample_of(
    exact: OrdinalEvidence, kernel: Kernel, X: np.ndarray, size: int
) -> tuple[np.ndarray, OrdinalEvidence]:
    """Choose about `size` of the rows, and return their features and their evidence."""
    data = exact.observations
    rows = spread_sample(X, data.ranks, size)
    matrix = kernel_matrix(kernel, X[rows])
    sampled = OrdinalEvidence(
        matrix, data.take(rows), exact.infer, exact.layout, share_prior=exact.prior.strength
    )
    return X[rows], sampled


def _start_from(
    evidence: OrdinalEvidence,
    X: np.ndarray,
    kernel: Kernel,
    sampled: OrdinalEvidence,
    sample: np.ndarray,
    parameters: np.ndarray,
) -> None:
    """Start an evidence at the latent values that a sample's posterior predicts."""
    kernel = kernel.clone_with_theta(parameters[: evidence.layout.n_kernel])
    evidence.restart_at(kernel(X, sample) @ sampled.best_posterior(parameters).alpha)


def _model_at(
    ascent: Ascent,
    exact: OrdinalEvidence,
    kernel: Kernel,
    training: OrdinalTraining,
    *,
    plan: FitPlan,
) -> FunctionSpaceModel:
    """Keep the posterior at the end of an ascent."""
    theta, noise, free = exact.layout.unpack(ascent.parameters)
    kernel, thresholds = kernel.clone_with_theta(theta), thresholds_from_parameters(free)
    posterior = exact.best_posterior(ascent.parameters)
    log_evidence = float(posterior.log_evidence)
    data = training.observations
    if plan.infer_final is not None or plan.rows is not None:
        finish = plan.infer_final or plan.approximation.infer
        K = kernel(training.X)
        near = posterior if plan.rows is None else None
        posterior = finish(K, data, thresholds, noise, start=near, with_gradient=False)
    elif plan.approximation.coarse_tol is not None and len(training.X) <= DIRECT_ROWS:
        posterior = plan.approximation.infer(
            *exact.arguments(ascent.parameters), start=posterior, with_gradient=False
        )
        log_evidence = float(posterior.log_evidence)
    return FunctionSpaceModel(
        kernel=kernel,
        X=training.X,
        posterior=posterior,
        thresholds=complete_thresholds(
            thresholds,
            training.observed,
            training.n_levels,
            LatentRows(
                mean=posterior.mean,
                variance=posterior.variance,
                weight=data.weight,
                noise=noise,
                link=data.link,
            ),
        ),
        noise=noise,
        link=data.link,
        ascent=ascent,
        log_evidence=log_evidence,
        loo_log_likelihood=float(data.weight @ leave_one_out(data, posterior, thresholds, noise)),
        n_iter=max(1, ascent.n_iter),
        warning=_trouble(posterior, ascent, plan.max_iter),
    )


def _trouble(posterior: LatentPosterior, ascent: Ascent, max_iter: int) -> str | None:
    """State why a fit may not be at its best, if it may not."""
    if not posterior.converged:
        return (
            f"the approximate posterior did not settle in {posterior.n_iter} iterations at the "
            "hyper-parameters found; rescale the features or hold the noise at a larger value"
        )
    return None if ascent.converged else ASCENT_STOPPED.format(max_iter)


def recheck_plan(
    model: FunctionSpaceModel, training: OrdinalTraining, plan: FitPlan
) -> FitPlan | None:
    """Plan a refit by EP where Laplace found very low noise, or its own posterior contradicts it.

    Parameters
    ----------
    model : FunctionSpaceModel
        Learned by Laplace's evidence.
    training : OrdinalTraining
        Its rows.
    plan : FitPlan
        Its plan.

    Returns
    -------
    FitPlan or None
        EP's evidence with Laplace's posterior at its maximum; None where the noise is large
        enough and the evidence credible, or the noise not learned.

    Notes
    -----
    Low noise makes the likelihood sharper than the prior is wide. There Laplace's evidence can
    exceed the true one by ten nats and favour short length scales, which the leave-one-out
    probabilities give away. The evidence predicts each row from those before it, leaving one out
    from all others: where that is worse, by more than a nat, the evidence is too large.
    """
    if plan.holding_noise(model.kernel).noise is not None or plan.max_iter == 0:
        return None
    low_noise, rows = _LOW_NOISE, None
    if len(training.X) > DIRECT_ROWS:
        # EP on many rows costs several times Laplace: a sample's optimum is near enough.
        low_noise = _LOW_NOISE_OF_MANY
        ranks, n_levels = training.observations.ranks, training.observations.n_levels
        size = max(DIRECT_ROWS // 2, DIRECT_ROWS - 2 * n_levels)
        rows = spread_sample(training.X, ranks, size)
    deviation = float(np.sqrt(np.mean(model.kernel.diag(training.X)))) or 1.0
    credible = model.loo_log_likelihood >= model.log_evidence - _CREDIBLE_NATS
    if model.noise > low_noise * deviation and credible:
        return None
    # EP's optimum is a few steps away, unless one of many length scales has gone astray already.
    near = len(model.kernel.theta) <= 1 or not model.ascent.paused
    start = model if rows is None and near else None
    return replace(
        plan,
        approximation=EP,
        infer_final=laplace_posterior,
        rows=rows,
        start=start,
        n_best=1 if rows is None else _N_BEST,
        tol=_CHECK_NATS,
    )


def better_left_out(model: FunctionSpaceModel, refit: FunctionSpaceModel) -> FunctionSpaceModel:
    """Return the refit where its leave-one-out score is better by more than a nat."""
    if refit.loo_log_likelihood <= model.loo_log_likelihood + _CREDIBLE_NATS:
        return model
    return replace(refit, log_evidence=refit.posterior.log_evidence)


def fit_checked(kernel: Kernel, training: OrdinalTraining, plan: FitPlan) -> FunctionSpaceModel:
    """Learn by Laplace's evidence, and by EP's where the noise is low; keep the better.

    Parameters
    ----------
    kernel, training, plan :
        As in `fit_function_space`; the plan is to maximise Laplace's evidence.

    Returns
    -------
    FunctionSpaceModel
    """
    model = fit_function_space(kernel, training, replace(plan, can_pause=True))
    recheck = recheck_plan(model, training, plan)
    if recheck is None:
        return model
    refit = fit_function_space(kernel, training, recheck)
    better = better_left_out(model, refit)
    if better is model and model.ascent.paused:
        model = fit_function_space(kernel, training, replace(plan, start=model))
        better = better_left_out(model, refit)
    if better is model or recheck.rows is not None:
        return better
    refit = fit_function_space(kernel, training, replace(recheck, start=refit, tol=_FINAL_NATS))
    return replace(refit, log_evidence=refit.posterior.log_evidence)
