"""Gaussian-process ordinal regression in function space: expectation propagation.

All sites are updated at once, so that a sweep is one Cholesky factor and one inverse (BLAS)
instead of n rank-one updates. The likelihood is log-concave: site precisions stay >= 0 and every
cavity is proper.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autotype.models.gaussian_process.solvers import ordinal_latent as latent
from autotype.models.gaussian_process.solvers._interval_likelihood_fast import (
    largest_move,
    matched_sites,
)
from autotype.models.gaussian_process.solvers.interval_likelihood import tempered_moments
from autotype.models.gaussian_process.solvers.site_iteration import SiteIteration

_LEAST_DEVIATION = 1e-5  # of a cavity, in units of the noise


def ep_posterior(
    K: np.ndarray,
    observations: latent.OrdinalObservations,
    thresholds: np.ndarray,
    noise: float,
    *,
    start: latent.LatentPosterior | None = None,
    with_gradient: bool = True,
    updated_sites: Callable[..., np.ndarray] | None = None,
    tol: float = 1e-9,
    max_iter: int = 200,
) -> latent.LatentPosterior:
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
    start : LatentPosterior, optional
        A nearby posterior, whose sites are taken over.
    with_gradient : bool
        Whether to form the derivatives of the evidence.
    updated_sites : callable, optional
        Return new sites and derivatives as `matched_sites_of` does, which is the default; another
        fixed point has another evidence.
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
    step is damped.

    References
    ----------
    Chu and Ghahramani (2005), Gaussian processes for ordinal regression, appendix B; the
    derivatives hold the sites fixed, as the evidence is stationary in them at the fixed point.

    Examples
    --------
    >>> import numpy as np
    >>> data = latent.OrdinalObservations(np.array([0, 1, 2]), 3, np.ones(3))
    >>> fit = ep_posterior(np.eye(3), data, np.array([-1.0, 1.0]), 0.5)
    >>> fit.mean[[0, 2]].round(3), fit.converged
    (array([-1.289,  1.289]), True)
    """
    w, bounds = observations.weight, latent.rank_bounds(thresholds)
    updated_sites = updated_sites or matched_sites_of
    tau, nu = np.zeros(len(w)), np.zeros(len(w))
    if start is not None:
        tau, nu = start.site_precision / w, start.site_shift / w
    iteration = SiteIteration(tau, nu, tol=tol, max_iter=max_iter)
    for tau, nu in iteration:
        factor, alpha, mean, variance = _marginals(K, w * tau, w * nu)
        precision, shift, log_terms, upper, lower, log_noise = updated_sites(
            observations, bounds, noise, sites=(tau, nu), marginals=(mean, variance)
        )
        change = largest_move(tau, nu, precision, shift, mean, variance, w)
        iteration.update(precision, shift, variance=variance, change=change)
    # Of the prior times all sites
    log_integral = 0.5 * float((w * nu) @ mean) - 0.5 * latent.log_determinant(factor)
    gradient = None
    if with_gradient:
        R, _ = latent.site_inverse(K, factor, np.sqrt(w * tau))
        # The evidence is stationary in the sites, so that its derivatives hold them fixed.
        gradient = (
            latent.kernel_gradient(R, [(alpha, alpha)]),
            float(w @ log_noise),
            observations.by_threshold(w * upper, w * lower),
        )
    return latent.LatentPosterior(
        alpha=alpha,
        mean=mean,
        variance=variance,
        site_precision=w * tau,
        site_shift=w * nu,
        factor=factor,
        log_evidence=log_integral + float(log_terms.sum()),
        n_iter=iteration.n_iter,
        converged=iteration.converged,
        gradient=gradient,
    )


def _marginals(
    K: np.ndarray, precision: np.ndarray, shift: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Compute the posterior N(K alpha, (K^-1 + T)^-1) of the rows' sites.

    Returns
    -------
    factor : ndarray of shape (n, n)
        Cholesky factor of the sites.
    alpha, mean, variance : ndarray of shape (n,)
        K^-1 times the mean, and the marginals.
    """
    root = np.sqrt(precision)
    factor = latent.factor_sites(K, root)
    alpha = shift - latent.solve_sites(factor, root, K @ shift)
    return factor, alpha, K @ alpha, latent.site_variance(K, factor, root)


def matched_sites_of(
    data: latent.OrdinalObservations,
    bounds: np.ndarray,
    noise: float,
    *,
    sites: tuple[np.ndarray, np.ndarray],
    marginals: tuple[np.ndarray, np.ndarray],
) -> np.ndarray:
    """Match the moments of cavity times likelihood, row by row (GPOR appendix B).

    Returns
    -------
    ndarray of shape (6, n)
        Precision and shift of the new sites; contributions of each row's likelihood and old site to
        the log evidence; derivatives of each row's log normaliser in its upper and lower threshold
        and in ln s.
    """
    w, link = data.weight, data.link
    tau, nu = sites
    has_tempered = w.min() < 1.0
    if has_tempered:
        # A row's own site leaves: one of its w equal ones, or all of it where w < 1.
        share = np.minimum(w, 1.0)
        tau, nu = share * tau, share * nu
    cavity, matched = np.empty((3, len(w))), np.empty((6, len(w)))
    of_link = link.spread, link.log_share, link.largest_curvature
    matched_sites(*marginals, tau, nu, data.ranks, bounds, noise, *of_link, cavity, matched)
    mean, variance, old_sites = cavity
    if has_tempered:
        rows = np.flatnonzero(w < 1.0)
        matched[:, rows] = _tempered_sites(
            data.take(rows), bounds[1:-1], noise, cavity=(mean[rows], variance[rows])
        )
    # C = log Z - log of the old site's mean in the cavity
    matched[2] = (matched[2] + old_sites) * np.maximum(w, 1.0)
    return matched


def _tempered_sites(
    data: latent.OrdinalObservations,
    thresholds: np.ndarray,
    noise: float,
    *,
    cavity: tuple[np.ndarray, np.ndarray],
) -> np.ndarray:
    """Match rows of weight below 1, whose likelihood counts to the power of their weight."""
    mean, variance = cavity
    # Where the prior has next to no variance, the likelihood's slopes still need some to be seen.
    deviation = np.maximum(np.sqrt(variance), _LEAST_DEVIATION * noise)
    upper, lower = data.ends(mean, thresholds, noise)
    log_normaliser, variance, slope, covariance, grad_a, grad_c, log_noise = tempered_moments(
        upper, lower, deviation / noise, data.weight, link=data.link
    )
    narrowed = variance * deviation  # of f, over the cavity's deviation
    precision = np.maximum(-covariance, 0.0) / (narrowed * deviation)
    shift = precision * mean + slope / narrowed
    return np.stack([precision, shift, log_normaliser, grad_a / noise, -grad_c / noise, log_noise])
