"""Expectation propagation for the multinomial probit model, in function space.

Every class k has a latent function f_k ~ N(0, K), all with the same K. Row i sees its class through
g_i = f_i + e_i, e_i ~ N(0, I): g_y > g_k for every other k. `weight_space/probit_ep.py` is the
counterpart for many rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autotype.models.gaussian_process.solvers.class_precision import (
    ClassLatents,
    ClassPrecision,
)
from autotype.models.gaussian_process.solvers.probit_sites import (
    MultinomialProbitSites,
    ProbitPosterior,
    iterate_probit_sites,
    largest_probabilities,
    with_noise,
)


@dataclass(frozen=True, kw_only=True)
class ProbitLatents(ProbitPosterior, ClassLatents):
    """EP's Gaussian approximation for the latents, and its evidence."""

    @cached_property
    def gradient(self) -> np.ndarray:
        """Symmetric G: the evidence changes by sum(G * dK), the sites held, shape (n, n).

        To a few percent where weights are below 1, since the evidence is not quite stationary in
        the sites of such rows.
        """
        return self.precision.kernel_gradient() + 0.5 * self.alpha @ self.alpha.T

    def probabilities(self, cross: np.ndarray, prior_variance: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L); parameters as of `predict`."""
        mean, covariance = self.predict(cross, prior_variance)
        return largest_probabilities(mean, with_noise(covariance))


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

    def posterior_of(pi: np.ndarray, shift: np.ndarray) -> ProbitLatents:
        precision = ClassPrecision(K, pi)
        alpha = shift - precision.solve(K @ shift)
        mean = K @ alpha
        return ProbitLatents(
            alpha=alpha,
            mean=mean,
            spread=precision.spread(K, np.diag(K)),
            precision=precision,
            log_evidence=0.5 * float(np.sum(shift * mean)) - 0.5 * precision.log_det,
        )

    return iterate_probit_sites(rows, posterior_of, start, tol=tol, max_iter=max_iter)
