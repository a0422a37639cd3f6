"""Expectation propagation for the multinomial probit model, in function space.

Every class k has a latent function f_k ~ N(0, K), all with the same K. Row i sees its class through
g_i = f_i + e_i, e_i ~ N(0, I): g_y > g_k for every other k. `weight_space/probit_ep.py` is the
counterpart for many rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autotype.models.gaussian_process.solvers.class_precision import (
    ClassPrecision,
    factor_class_precision,
)
from autotype.models.gaussian_process.solvers.posterior import ApproximatePosterior
from autotype.models.gaussian_process.solvers.probit_sites import (
    MultinomialProbitSites,
    RowLatents,
    RowSites,
    iterate_probit_sites,
    largest_probabilities,
    log_largest_probability,
)


@dataclass(frozen=True)
class _Latents(RowLatents):
    alpha: np.ndarray
    precision: ClassPrecision


@dataclass(frozen=True)
class ProbitLatents(ApproximatePosterior):
    """EP's Gaussian approximation for the latents, and its evidence.

    Attributes
    ----------
    alpha : ndarray of shape (n, L)
        K^-1 times the posterior mean, class by class.
    mean : ndarray of shape (n, L)
        Posterior means of the latents.
    spread : ndarray of shape (n, L, L)
        Posterior covariance of each row's latents.
    precision : ClassPrecision
        (K + W^-1)^-1 in factors, W what the rows' sites see.
    sites : pair of ndarray of shape (n, L)
        tau >= 0 and nu; 0 for per row's own class.
    gradient : ndarray of shape (n, n)
        Symmetric G: the evidence changes by sum(G * dK); to a few percent where weights are
        below 1, since the evidence is not quite stationary in the sites of such rows.
    """

    alpha: np.ndarray
    mean: np.ndarray
    spread: np.ndarray
    precision: ClassPrecision
    sites: tuple[np.ndarray, np.ndarray]
    gradient: np.ndarray

    def predict(
        self, cross: np.ndarray, prior_variance: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean (m, L) and covariance (m, L, L) of the latents at new rows, without their noise.

        Parameters
        ----------
        cross : ndarray of shape (m, n)
            Kernel between new and training rows.
        prior_variance : ndarray of shape (m,)
            Kernel's diagonal at the new rows.
        """
        return cross @ self.alpha, self.precision.spread(cross, prior_variance)

    def probabilities(self, cross: np.ndarray, prior_variance: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L); parameters as of `predict`."""
        mean, covariance = self.predict(cross, prior_variance)
        return largest_probabilities(mean, covariance + np.eye(mean.shape[1]))


def probit_latents(
    K: np.ndarray,
    rows: MultinomialProbitSites,
    *,
    start: tuple[np.ndarray, np.ndarray] | None = None,
    tol: float = 1e-5,
    max_iter: int = 300,
) -> ProbitLatents:
    """Run parallel EP with damping to its fixed point.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix, positive semi-definite; it may be singular.
    rows : MultinomialProbitSites
        Classes and weights.
    start : pair of ndarray, optional
        Sites to start from.
    tol : float
        Largest change of a sweep in a mean, in standard deviations. The evidence is stationary in
        the sites, so its error is of the order of tol squared.
    max_iter : int
        Most sweeps.

    Returns
    -------
    ProbitLatents

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

    def posterior_of(sites: RowSites) -> _Latents:
        precision = factor_class_precision(K, sites.pi)
        alpha = sites.shift - precision.solve(K @ sites.shift)
        mean = K @ alpha
        spread = precision.spread(K, np.diag(K))
        log_integral = 0.5 * float(np.sum(sites.shift * mean)) - 0.5 * precision.log_det
        return _Latents(mean, spread, log_integral, alpha, precision)

    fixed_point = iterate_probit_sites(rows, posterior_of, start, tol=tol, max_iter=max_iter)
    latents = fixed_point.latents
    # The sites held: the evidence is stationary in them.
    gradient = latents.precision.kernel_gradient() + 0.5 * latents.alpha @ latents.alpha.T
    return ProbitLatents(
        alpha=latents.alpha,
        mean=latents.mean,
        spread=latents.spread,
        precision=latents.precision,
        sites=fixed_point.sites,
        log_evidence=fixed_point.log_evidence,
        gradient=gradient,
        n_iter=fixed_point.n_iter,
        converged=fixed_point.converged,
    )


def leave_one_out_probit(rows: MultinomialProbitSites, fit: ProbitLatents) -> np.ndarray:
    """Log predictive probability of every row under the posterior without its sites, shape (n,)."""
    mean, covariance = rows.cavities(*fit.sites, fit.mean, fit.spread)
    return log_largest_probability(mean, covariance + np.eye(rows.n_levels), rows.codes)
