"""Expectation propagation for the multinomial probit model, in function space.

Every class k has a latent function f_k ~ N(0, K), all with the same K. Row i sees its class through
g_i = f_i + e_i, e_i ~ N(0, I): g_y > g_k for every other k.
"""

from __future__ import annotations

import numpy as np

from autotype.models.gaussian_process.solvers.class_precision import (
    ClassLatents,
    ClassPrecision,
)
from autotype.models.gaussian_process.solvers.probit_sites import (
    MultinomialProbitSites,
    largest_probabilities,
    match_probit,
    with_noise,
)
from autotype.models.gaussian_process.solvers.site_iteration import SiteIteration


def probit_latents(
    K: np.ndarray,
    rows: MultinomialProbitSites,
    *,
    start: ClassLatents | None = None,
    tol: float = 1e-5,
    max_iter: int = 300,
) -> ClassLatents:
    """Run parallel EP with damping to its fixed point.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix, positive semi-definite; it may be singular.
    rows : MultinomialProbitSites
        Classes and weights.
    start : ClassLatents, optional
        A fit of the same rows, from whose sites to start.
    tol : float
        Largest change of a sweep in a mean, in standard deviations. The evidence is stationary in
        the sites, so its error is of the order of tol squared.
    max_iter : int
        Most sweeps.

    Returns
    -------
    ClassLatents

    Notes
    -----
    O(L n^3) a sweep, as Laplace's approximation of the softmax: the sites' precision has the same
    form.

    References
    ----------
    Hernandez-Lobato et al. (2014), Learning the semantics of discrete random variables, sec. 2.2.
    Riihimaki, Jylanki and Vehtari (2013), Nested expectation propagation, sec. 3.3, for the form of
    the precision.

    Examples
    --------
    >>> fit = probit_latents(4.0 * np.eye(3), MultinomialProbitSites(np.array([0, 1, 2]), 3))
    >>> fit.mean.argmax(axis=1), fit.converged
    (array([0, 1, 2]), True)
    """
    others = rows.others
    first = (start and start.sites) or rows.first_sites()
    iteration = SiteIteration(first[0][others], first[1][others], tol=tol, max_iter=max_iter)
    tau, nu, steps = np.zeros((3, *others.shape))
    for of_tau, of_nu in iteration:
        tau[others], nu[others] = of_tau, of_nu
        pi, shift, log_terms = rows.sites(tau, nu)
        precision = ClassPrecision(K, pi)
        alpha = shift - precision.solve(K @ shift)
        mean, spread = K @ alpha, precision.spread(K, np.diag(K))
        centre, variance = (part[others] for part in rows.differences(tau, nu, mean, spread))
        *matched, change, log_steps = match_probit(centre, variance, of_tau, of_nu)
        iteration.update(*matched, variance=variance, change=float(np.max(change)))
    steps[others] = log_steps
    # The log of the integral of prior times sites, and what the steps add to it.
    log_integral = 0.5 * float(np.sum(shift * mean)) - 0.5 * precision.log_det
    return ClassLatents(
        alpha=alpha,
        mean=mean,
        spread=spread,
        precision=precision,
        sites=(tau, nu),
        log_evidence=log_integral + (log_terms + float(rows.weight @ steps.sum(axis=1))),
        n_iter=iteration.n_iter,
        converged=iteration.converged,
    )


def probit_probabilities(
    latents: ClassLatents, cross: np.ndarray, prior_variance: np.ndarray
) -> np.ndarray:
    """Predictive probabilities of the classes, shape (m, L); parameters as of `predict`."""
    mean, covariance = latents.predict(cross, prior_variance)
    return largest_probabilities(mean, with_noise(covariance))
