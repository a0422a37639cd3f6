"""Gaussian-process ordinal regression in function space: expectation propagation.

All sites are updated at once, so that a sweep is one Cholesky factor and one inverse (BLAS)
instead of n rank-one updates. The likelihood is log-concave: site precisions stay >= 0 and every
cavity is proper. The same loop maximises the variational lower bound on the evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np

from autotype.gaussian_process.solvers.anderson import AndersonMixer
from autotype.gaussian_process.solvers.interval_likelihood import interval_likelihood
from autotype.gaussian_process.solvers.ordinal_latent import (
    EvidenceGradient,
    LatentPosterior,
    OrdinalObservations,
    curvature,
    factor_sites,
    finite_ends,
    kernel_gradient,
    likelihood_terms,
    log_determinant,
    site_inverse,
    solve_sites,
)
from autotype.gaussian_process.solvers.tempered_likelihood import tempered_moments

_N_NODES = 40


@dataclass(frozen=True)
class _Marginals:
    """A Gaussian posterior that given sites imply."""

    factor: np.ndarray
    R: np.ndarray
    alpha: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    fit: float  # log of the integral of the prior times all sites


@dataclass(frozen=True)
class _Answer:
    """What the likelihood makes of given marginals.

    Attributes
    ----------
    precision, shift : ndarray of shape (n,)
        Parameters of the new sites.
    log_terms : ndarray of shape (n,)
        What each row's likelihood and old site contribute to the log evidence.
    upper, lower, log_noise : ndarray of shape (n,)
        Derivatives of each row's log normaliser in its two thresholds and in ln s.
    """

    precision: np.ndarray
    shift: np.ndarray
    log_terms: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    log_noise: np.ndarray


def ep_posterior(
    K: np.ndarray,
    observations: OrdinalObservations,
    thresholds: np.ndarray,
    noise: float,
    *,
    start: np.ndarray | LatentPosterior | None = None,
    with_gradient: bool = True,
    tol: float = 1e-9,
    max_iter: int = 200,
) -> LatentPosterior:
    """Approximate the posterior of the latent values and the evidence by EP.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix, symmetric positive semi-definite; it may be singular.
    observations : OrdinalObservations
        Ranks and weights; a row of weight w >= 1 has w equal sites, one of w < 1 the likelihood
        to the power of w.
    thresholds : ndarray of shape (n_levels - 1,)
        Strictly increasing.
    noise : float
        s > 0.
    start : ndarray of shape (n,) or LatentPosterior, optional
        A guess of the latent values, or a nearby posterior whose sites are taken over.
    with_gradient : bool
        Whether to form the derivatives of the evidence.
    tol : float
        Stop once no site moves by more, in units of its posterior's standard deviation. The
        evidence is stationary in the sites, so its error is of the order of tol squared.
    max_iter : int
        Most sweeps.

    Returns
    -------
    LatentPosterior

    Notes
    -----
    O(n^3) a sweep, usually 4 to 10 sweeps. Where the changes grow from one sweep to the next the
    step is halved (damping), to recover slowly.

    References
    ----------
    Chu and Ghahramani (2005), Gaussian processes for ordinal regression, appendix B; the
    derivatives hold the sites fixed, as the evidence is stationary in them at the fixed point.

    Examples
    --------
    >>> import numpy as np
    >>> data = OrdinalObservations(np.array([0, 1, 2]), 3, np.ones(3))
    >>> fit = ep_posterior(np.eye(3), data, np.array([-1.0, 1.0]), 0.5)
    >>> fit.mean[[0, 2]].round(3), fit.converged
    (array([-1.289,  1.289]), True)
    """
    answer = _ep_answer
    return _settle(K, observations, thresholds, noise, answer, start, with_gradient, tol, max_iter)


def variational_posterior(
    K: np.ndarray,
    observations: OrdinalObservations,
    thresholds: np.ndarray,
    noise: float,
    *,
    start: np.ndarray | LatentPosterior | None = None,
    with_gradient: bool = True,
    tol: float = 1e-9,
    max_iter: int = 200,
) -> LatentPosterior:
    """Maximise the variational lower bound on the log evidence over Gaussian posteriors.

    Parameters
    ----------
    K, observations, thresholds, noise, start, with_gradient, tol, max_iter :
        As in `ep_posterior`.

    Returns
    -------
    LatentPosterior
        Its `log_evidence` is the bound.

    Notes
    -----
    The paper evaluates the bound at EP's posterior and neglects that this posterior depends on
    the hyper-parameters. Here the posterior is the bound's own maximiser: the bound is tighter and
    its gradient exact. Expectations are sums over 40 Gauss-Hermite nodes, in value and gradient
    alike.

    References
    ----------
    Chu and Ghahramani (2005), Gaussian processes for ordinal regression, sec. 3.2, appendix C.
    """
    answer = _variational_answer
    return _settle(K, observations, thresholds, noise, answer, start, with_gradient, tol, max_iter)


def _settle(
    K: np.ndarray,
    observations: OrdinalObservations,
    thresholds: np.ndarray,
    noise: float,
    answer_of: Callable[..., _Answer],
    start: np.ndarray | LatentPosterior | None,
    with_gradient: bool,
    tol: float,
    max_iter: int,
) -> LatentPosterior:
    """Iterate the sites' updates to their fixed point."""
    w, n = observations.weight, len(observations.weight)
    sites = np.concatenate(_first_sites(observations, thresholds, noise, start))
    mixer, converged = AndersonMixer(), False
    for n_iter in range(1, max_iter + 1):
        tau, nu = sites[:n], sites[n:]
        at = _marginals(K, w * tau, w * nu)
        answer = answer_of(observations, at, tau, nu, thresholds, noise)
        residual = np.concatenate([answer.precision - tau, answer.shift - nu])
        # Changes in units in which the posterior has variance 1.
        unit = np.concatenate([at.variance, np.sqrt(at.variance)])
        slide = np.abs(residual[n:] - residual[:n] * at.mean) * unit[n:]
        change = float(np.max((slide + np.abs(residual[:n]) * unit[:n]) * np.minimum(w, 1.0)))
        if change < tol:
            converged = True
            break
        if n_iter < max_iter:
            sites = mixer.next(sites, residual, unit, change)
            sites[:n] = np.maximum(sites[:n], 0.0)
    gradient = None
    if with_gradient:
        gradient = EvidenceGradient(
            kernel=kernel_gradient(at.R, [(at.alpha, at.alpha)]),
            log_noise=float(w @ answer.log_noise),
            thresholds=observations.by_threshold(w * answer.upper, w * answer.lower),
        )
    return LatentPosterior(
        alpha=at.alpha,
        mean=at.mean,
        variance=at.variance,
        site_precision=w * tau,
        site_shift=w * nu,
        factor=at.factor,
        log_evidence=at.fit + float(answer.log_terms.sum()),
        n_iter=n_iter,
        converged=converged,
        gradient=gradient,
    )


def _first_sites(
    observations: OrdinalObservations,
    thresholds: np.ndarray,
    noise: float,
    start: np.ndarray | LatentPosterior | None,
) -> tuple[np.ndarray, np.ndarray]:
    """Sites of one row each: a nearby posterior's, those of Laplace at a guess, or none."""
    if isinstance(start, LatentPosterior):
        w = observations.weight
        return start.site_precision / w, start.site_shift / w
    n = len(observations.ranks)
    if start is None:
        return np.zeros(n), np.zeros(n)
    _, _, terms = likelihood_terms(observations, start, thresholds, noise)
    tau = curvature(terms) / noise**2
    return tau, tau * start - (terms.grad_a - terms.grad_c) / noise


def _marginals(K: np.ndarray, tau: np.ndarray, nu: np.ndarray) -> _Marginals:
    """Posterior N(K alpha, (K^-1 + T)^-1) of the sites."""
    root = np.sqrt(tau)
    factor = factor_sites(K, root)
    alpha = nu - solve_sites(factor, root, K @ nu)
    mean = K @ alpha
    R, variance = site_inverse(K, factor, root)
    fit = 0.5 * float(nu @ mean) - 0.5 * log_determinant(factor)
    return _Marginals(factor, R, alpha, mean, variance, fit)


def _ep_answer(
    observations: OrdinalObservations,
    at: _Marginals,
    tau: np.ndarray,
    nu: np.ndarray,
    thresholds: np.ndarray,
    noise: float,
) -> _Answer:
    """Match moments row by row (GPOR appendix B)."""
    v = at.variance
    # A row's own site leaves: one of its w equal ones, or all of it where w < 1.
    share = np.minimum(observations.weight, 1.0)
    own, own_shift = share * tau, share * nu
    shrink = np.maximum(1.0 - v * own, 1e-12)
    variance = v / shrink
    mean = (at.mean - v * own_shift) / shrink
    matched = _match_moments(observations, mean, variance, thresholds, noise)
    # Normaliser of the old site: C = log Z - log of the cavity's mean of exp(nu f - tau f^2 / 2).
    grown = 1.0 + own * variance
    quadratic = variance * own_shift**2 + 2.0 * mean * own_shift - mean**2 * own
    normaliser = matched.log_terms + 0.5 * np.log(grown) - 0.5 * quadratic / grown
    return replace(matched, log_terms=np.maximum(observations.weight, 1.0) * normaliser)


def _match_moments(
    observations: OrdinalObservations,
    mean: np.ndarray,
    variance: np.ndarray,
    thresholds: np.ndarray,
    noise: float,
) -> _Answer:
    """Sites whose moments are those of cavity times likelihood; `log_terms` of that product."""
    square = noise**2 + variance
    scale = np.sqrt(square)
    a, c, terms = likelihood_terms(observations, mean, thresholds, scale)
    pa, pc = terms.grad_a, terms.grad_c
    V = curvature(terms)  # (lambda + s^2) u with u = gamma^2 - 2 beta
    left = square - variance * V  # > 0, as V < 1
    precision = V / left  # p = u / (1 - lambda u)
    answer = _Answer(
        precision=precision,
        shift=precision * mean - (pa - pc) * scale / left,
        log_terms=terms.log_prob,
        upper=pa / scale,
        lower=-pc / scale,
        log_noise=noise**2 / square * (c * pc - a * pa),
    )
    rows = np.flatnonzero(observations.weight < 1.0)
    if len(rows):
        tempered = _match_tempered(
            observations.at(rows), mean[rows], variance[rows], thresholds, noise
        )
        for part in fields(_Answer):
            getattr(answer, part.name)[rows] = getattr(tempered, part.name)
    return answer


def _match_tempered(
    observations: OrdinalObservations,
    mean: np.ndarray,
    variance: np.ndarray,
    thresholds: np.ndarray,
    noise: float,
) -> _Answer:
    """Do the same for rows whose likelihood counts to the power of their weight."""
    deviation = np.sqrt(variance)
    upper, lower = observations.ends(mean, thresholds, noise)
    found = tempered_moments(upper, lower, deviation / noise, observations.weight)
    left = found.variance * deviation  # of f, over the cavity's deviation
    precision = np.maximum(-found.covariance, 0.0) / (left * deviation)
    return _Answer(
        precision=precision,
        shift=precision * mean + found.slope / left,
        log_terms=found.log_normaliser,
        upper=found.grad_a / noise,
        lower=-found.grad_c / noise,
        log_noise=found.log_noise,
    )


def _variational_answer(
    observations: OrdinalObservations,
    at: _Marginals,
    tau: np.ndarray,
    nu: np.ndarray,
    thresholds: np.ndarray,
    noise: float,
) -> _Answer:
    """Take expectations of the log likelihood and of its slopes under the marginals."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(_N_NODES)
    weights = weights / weights.sum()
    deviation = np.sqrt(np.maximum(at.variance, 1e-300))
    latent = at.mean[:, None] + deviation[:, None] * nodes
    bounds = np.concatenate([[-np.inf], thresholds, [np.inf]])
    a = (bounds[observations.ranks + 1][:, None] - latent) / noise
    c = (bounds[observations.ranks][:, None] - latent) / noise
    terms = interval_likelihood(a, c)
    pa, pc = terms.grad_a, terms.grad_c
    slope = -(pa - pc) / noise
    mean_slope = slope @ weights
    # -2 d/dv of the sum over nodes: positive, since the slope falls along the nodes.
    precision = np.maximum(-(slope @ (weights * nodes)) / deviation, 0.0)
    w = observations.weight
    # F = E log p - KL; with the sites' own integral taken out of KL (GPOR appendix C).
    expected = terms.log_prob @ weights
    sites = nu * at.mean - 0.5 * tau * (at.mean**2 + at.variance)
    a, c = finite_ends(a, c)
    return _Answer(
        precision=precision,
        shift=mean_slope + precision * at.mean,
        log_terms=w * (expected - sites),
        upper=(pa @ weights) / noise,
        lower=-(pc @ weights) / noise,
        log_noise=(c * pc - a * pa) @ weights,
    )
