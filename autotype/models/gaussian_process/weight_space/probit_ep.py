"""Expectation propagation for the multinomial probit model, in weight space.

Row i has latents f_i = W z_i + e_i, one a class, with w_k ~ N(0, I) and e_i ~ N(0, I): the noise
fixes the scale, on which the steps do not depend. `solvers/probit_ep.py` is the counterpart
for few rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.linalg import cho_solve, cholesky

from autotype.models.gaussian_process.solvers.class_precision import inverse_of
from autotype.models.gaussian_process.solvers.probit_sites import (
    MultinomialProbitSites,
    ProbitPosterior,
    iterate_probit_sites,
    largest_probabilities,
    with_noise,
)
from autotype.models.gaussian_process.weight_space.laplace import latent_covariances

_CHUNK_ROWS = 1_000  # of a matrix product, so that its input stays in the cache


@dataclass(frozen=True, kw_only=True)
class ProbitWeights(ProbitPosterior):
    """EP's Gaussian approximation for the weights of all classes, and its evidence.

    Attributes
    ----------
    weights : ndarray of shape (L, m)
        Posterior means.
    covariance : ndarray of shape (L m, L m)
        Class after class.
    """

    weights: np.ndarray
    covariance: np.ndarray

    @property
    def log_feature_gradient(self) -> np.ndarray:
        """Derivatives in the logs of the prior variances of the features' weights, shape (m,).

        Their sum is that in the log of a factor of ZZ'.
        """
        second_moment = np.diag(self.covariance).reshape(self.weights.shape) + self.weights**2
        return 0.5 * (second_moment - 1.0).sum(axis=0)

    def probabilities(
        self, Z: np.ndarray, residual_variance: np.ndarray | float = 0.0
    ) -> np.ndarray:
        """Predictive probabilities of the classes, shape (m, L).

        Parameters
        ----------
        Z : ndarray of shape (m, p)
            Features of the new rows.
        residual_variance : ndarray of shape (m,) or float
            Prior variance of the latents that Z does not explain.
        """
        covariance = latent_covariances(Z, self.covariance, len(self.weights))
        return largest_probabilities(Z @ self.weights.T, with_noise(covariance, residual_variance))


def _precision_blocks(Z: np.ndarray, pi: np.ndarray) -> np.ndarray:
    """Sum over the rows of (diag(pi) - pi pi' / sum(pi)) times z z', shape (L, p, L, p)."""
    levels, p = pi.shape[1], Z.shape[1]
    share = pi / pi.sum(axis=1)[:, None]
    blocks = np.zeros((levels, p, levels, p))
    for first in range(0, len(Z), _CHUNK_ROWS):
        part = slice(first, first + _CHUNK_ROWS)
        rows = Z[part]
        for k in range(levels):
            for other in range(k + 1):
                block = (pi[part, k] if k == other else 0.0) - share[part, k] * pi[part, other]
                blocks[k, :, other] += (rows * block[:, None]).T @ rows
    for k in range(levels):
        for other in range(k):
            blocks[other, :, k] = blocks[k, :, other]
    return blocks


def _posterior(Z: np.ndarray, pi: np.ndarray, shift: np.ndarray) -> ProbitWeights:
    levels, p = pi.shape[1], Z.shape[1]
    blocks = _precision_blocks(Z, pi)
    P = blocks.reshape(levels * p, levels * p)
    P[np.diag_indices_from(P)] += 1.0
    factor = cholesky(P, lower=True, check_finite=False)
    right = (shift.T @ Z).ravel()
    weights = cho_solve((factor, True), right, check_finite=False)
    log_integral = 0.5 * float(right @ weights) - float(np.log(np.diag(factor)).sum())
    covariance = inverse_of(factor)
    weights = weights.reshape(levels, p)
    return ProbitWeights(
        weights=weights,
        covariance=covariance,
        mean=Z @ weights.T,
        spread=latent_covariances(Z, covariance, levels),
        log_evidence=log_integral,
    )


def fit_probit_weights(
    Z: np.ndarray,
    rows: MultinomialProbitSites,
    *,
    start: tuple[np.ndarray, np.ndarray] | None = None,
    tol: float = 1e-5,
    max_iter: int = 300,
) -> ProbitWeights:
    """Run parallel EP with damping to its fixed point.

    Parameters
    ----------
    Z : ndarray of shape (n, m)
        Features with ZZ' the kernel matrix of every class.
    rows : MultinomialProbitSites
        Classes and weights.
    start : pair of ndarray, optional
        Sites to start from.
    tol : float
        Largest change of a sweep in a mean, in standard deviations.
    max_iter : int
        Most sweeps.

    Returns
    -------
    ProbitWeights

    Notes
    -----
    O(n (L m)^2 + (L m)^3) a sweep.

    References
    ----------
    Hernandez-Lobato et al. (2014), Learning the semantics of discrete random variables, sec. 2.2.

    Examples
    --------
    >>> x = np.column_stack([np.ones(30), np.linspace(-3, 3, 30)])
    >>> fit = fit_probit_weights(10 * x, MultinomialProbitSites(np.repeat([0, 1, 2], 10), 3))
    >>> fit.converged, fit.probabilities(10 * x).argmax(axis=1)[[0, 15, 29]]
    (True, array([0, 1, 2]))
    """
    return iterate_probit_sites(rows, partial(_posterior, Z), start, tol=tol, max_iter=max_iter)
