"""Ranks observed through a latent Gaussian process: what Laplace's method and EP share.

The latent function f has the prior N(0, K); rank y is observed with probability
F((b_y - f)/s) - F((b_{y-1} - f)/s), s the noise (GPOR eq. (3)). F is the distribution function of
the link: Phi, or the logistic one of variance 1. An approximate posterior is described by Gaussian
sites: N(f; 0, K) times prod_i exp(nu_i f_i - tau_i f_i^2 / 2).

GPOR is Chu and Ghahramani (2005), Gaussian processes for ordinal regression, JMLR 6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite

import numpy as np
from scipy.linalg import blas, lapack, solve_triangular

from autotype.models.gaussian_process.solvers._interval_likelihood_fast import site_matrix
from autotype.models.gaussian_process.solvers.evidence_ascent import ApproximatePosterior
from autotype.models.gaussian_process.solvers.interval_likelihood import (
    PROBIT,
    Link,
    mean_log_probability,
)


@dataclass(frozen=True)
class OrdinalObservations:
    """The ranks of the rows, how much each row counts, and how they depend on latent values.

    Attributes
    ----------
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_levels - 1.
    n_levels : int
        Number of ranks, at least 2.
    weight : ndarray of shape (n,)
        Factors of the log likelihood terms, > 0: a row of weight 2 acts as two equal rows.
    link : Link
        The distribution of the noise.
    observed : ndarray of int, optional
        Which levels of a longer scale these ranks are, increasing.
    n_all : int
        Levels of that scale.
    """

    ranks: np.ndarray
    n_levels: int
    weight: np.ndarray
    link: Link = PROBIT
    observed: np.ndarray | None = None
    n_all: int = 0

    def __post_init__(self) -> None:
        # As the kernels read them.
        object.__setattr__(self, "ranks", np.ascontiguousarray(self.ranks, dtype=np.intp))
        weight = np.ascontiguousarray(self.weight, dtype=np.float64)
        object.__setattr__(self, "weight", weight)

    def take(self, rows: np.ndarray) -> OrdinalObservations:
        """Select rows by their numbers."""
        return replace(self, ranks=self.ranks[rows], weight=self.weight[rows])

    def counts(self) -> np.ndarray:
        """Weighted number of rows of each rank, shape (n_levels,)."""
        return np.bincount(self.ranks, weights=self.weight, minlength=self.n_levels)

    def ends(
        self, mean: np.ndarray, thresholds: np.ndarray, scale: np.ndarray | float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Interval ends (a, c) of every row in units of `scale`."""
        bounds = rank_bounds(thresholds)
        return (bounds[self.ranks + 1] - mean) / scale, (bounds[self.ranks] - mean) / scale

    def by_threshold(self, upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
        """Sum each threshold's derivatives over the rows above and below it."""
        L = self.n_levels
        as_upper = np.bincount(self.ranks, weights=upper, minlength=L)[:-1]
        return as_upper + np.bincount(self.ranks, weights=lower, minlength=L)[1:]


@dataclass(frozen=True)
class LatentPosterior(ApproximatePosterior):
    """Gaussian approximation of the posterior of the latent values, and its evidence.

    Attributes
    ----------
    alpha : ndarray of shape (n,)
        K^-1 times the posterior mean; the mean at new points is k' alpha.
    mean, variance : ndarray of shape (n,)
        Marginals at the training rows.
    site_precision, site_shift : ndarray of shape (n,)
        tau >= 0 and nu of the sites.
    factor : ndarray of shape (n, n)
        Lower Cholesky factor of B = I + T^1/2 K T^1/2, T = diag(tau).
    gradient : tuple or None
        Only on demand: the derivatives of the log evidence. Of the kernel it is a lower triangular
        G in Fortran order, so that a symmetric change dK has the derivative sum(G * dK); then those
        in ln s and in each threshold b_l, of shape (n_levels - 1,).
    """

    alpha: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    site_precision: np.ndarray
    site_shift: np.ndarray
    factor: np.ndarray
    gradient: tuple[np.ndarray, float, np.ndarray] | None = None

    def predict(
        self, cross: np.ndarray, prior_variance: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the latent function at new points (GPOR sec. 4).

        Parameters
        ----------
        cross : ndarray of shape (m, n)
            Kernel between new points and training rows.
        prior_variance : ndarray of shape (m,)
            Kernel of each new point with itself.

        Returns
        -------
        mean, variance : ndarray of shape (m,)
        """
        # k** - k' (K + T^-1)^-1 k by one triangular solve.
        root = np.sqrt(self.site_precision)
        half = solve_triangular(self.factor, root[:, None] * cross.T, lower=True)
        variance = prior_variance - np.einsum("ij,ij->j", half, half)
        return cross @ self.alpha, np.maximum(variance, 0.0)


def rank_bounds(thresholds: np.ndarray) -> np.ndarray:
    """Return the ends of the ranks: the thresholds, with the infinite outer ones."""
    return np.concatenate([[-np.inf], thresholds, [np.inf]])


def rank_probabilities(
    mean: np.ndarray,
    variance: np.ndarray,
    thresholds: np.ndarray,
    noise: float,
    *,
    link: Link = PROBIT,
) -> np.ndarray:
    """Predictive probabilities of the ranks (GPOR eq. (17)).

    Parameters
    ----------
    mean, variance : ndarray of shape (m,)
        Of the latent function.
    thresholds : ndarray of shape (L - 1,)
        Non-decreasing.
    noise : float
        s > 0.
    link : Link
        The distribution of the noise.

    Returns
    -------
    ndarray of shape (m, L)
        Rows sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> rank_probabilities(np.zeros(1), np.zeros(1), np.array([-1.0, 1.0]), 1.0).round(3)
    array([[0.159, 0.683, 0.159]])
    """
    ends = (thresholds - mean[:, None]) / noise
    return link.mean_probabilities(ends, variance[:, None] / noise**2)


def leave_one_out(
    observations: OrdinalObservations,
    posterior: LatentPosterior,
    thresholds: np.ndarray,
    noise: float,
) -> np.ndarray:
    """Log predictive probability of every row under the posterior without its site.

    Of a row of weight 2 one of its two copies is left out, of one of weight 1/2 all.

    Parameters
    ----------
    observations : OrdinalObservations
        The data of the fit.
    posterior : LatentPosterior
        The fit.
    thresholds, noise :
        The likelihood's parameters, as in the fit.

    Returns
    -------
    ndarray of shape (n,)
    """
    # The cavity: 1/variance = 1/v - share tau, mean/variance = mean/v - share nu.
    v, share = posterior.variance, 1.0 / np.maximum(observations.weight, 1.0)
    shrink = np.maximum(1.0 - v * share * posterior.site_precision, 1e-10)
    variance = v / shrink
    mean = (posterior.mean - v * share * posterior.site_shift) / shrink
    a, c = observations.ends(mean, thresholds, noise)
    spread = variance / noise**2
    return mean_log_probability(a, c, spread, spread, observations.link)


def factor_sites(K: np.ndarray, root: np.ndarray) -> np.ndarray:
    """Cholesky factor of B = I + T^1/2 K T^1/2, root = diag(T^1/2).

    Raises
    ------
    LinAlgError
        If K is not finite or so far from positive semi-definite that B has no factor.
    """
    K = np.ascontiguousarray(K)
    for jitter in (0.0, 1e-10, 1e-7, 1e-4):
        B = np.zeros(K.shape)
        site_matrix(K, root, jitter, B)
        factor, status = lapack.dpotrf(B.T, lower=1, clean=0, overwrite_a=1)
        if status == 0 and isfinite(factor[-1, -1]):
            return factor
    raise np.linalg.LinAlgError(
        "I + T^1/2 K T^1/2 has no Cholesky factor: the kernel matrix is not finite or not "
        "positive semi-definite; rescale the features or add a WhiteKernel"
    )


def solve_sites(factor: np.ndarray, root: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """R @ vector with R = (K + T^-1)^-1 = T^1/2 B^-1 T^1/2."""
    solution, _ = lapack.dpotrs(factor, root * vector, lower=1)
    return root * solution


def log_determinant(factor: np.ndarray) -> float:
    """Log determinant of the matrix that `factor` is the Cholesky factor of."""
    return 2.0 * float(np.log(factor.diagonal()).sum())


def site_inverse(
    K: np.ndarray, factor: np.ndarray, root: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Form R = (K + T^-1)^-1 and the posterior variances diag((K^-1 + T)^-1) from the factor.

    Returns
    -------
    R : ndarray of shape (n, n), Fortran order
        Lower triangle; zeros above.
    variance : ndarray of shape (n,)
    """
    # R = T^1/2 B^-1 T^1/2 from the inverse of B, in place.
    R, _ = lapack.dpotri(factor, lower=1)
    variance = _variance(K, factor, root, R.diagonal())
    R *= root[:, None]
    R *= root
    return R, variance


def site_variance(K: np.ndarray, factor: np.ndarray, root: np.ndarray) -> np.ndarray:
    """Compute the posterior variances alone, at a third of the cost of `site_inverse`."""
    half, _ = lapack.dtrtri(factor, lower=1)  # zeros above the diagonal, as in the factor
    return _variance(K, factor, root, np.einsum("ij,ij->j", half, half))


def _variance(
    K: np.ndarray, factor: np.ndarray, root: np.ndarray, inverse_diagonal: np.ndarray
) -> np.ndarray:
    """Posterior variances from the diagonal of B^-1."""
    tau = root * root
    # (K^-1 + T)^-1 = T^-1/2 (I - B^-1) T^-1/2, unless tau is so small that this cancels.
    least = 1e-6 * max(tau.max(), 1e-300)
    if tau.min() > least:
        return np.maximum((1.0 - inverse_diagonal) / tau, 0.0)
    small = np.flatnonzero(tau <= least)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (1.0 - inverse_diagonal) / tau
    half = solve_triangular(factor, root[:, None] * K[:, small], lower=True)
    variance[small] = K[small, small] - np.einsum("ij,ij->j", half, half)
    return np.maximum(variance, 0.0)


def kernel_gradient(R: np.ndarray, pairs: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Form lower triangular G with sum(G * dK) = -tr(R dK)/2 + sum of u'dK v/2 over `pairs`.

    R (lower triangle) is overwritten.
    """
    G = R
    G *= -1.0  # each symmetric rank-two update adds (uv' + vu') / 2
    for u, v in pairs:
        G = blas.dsyr2(0.5, u, v, lower=1, a=G, overwrite_a=1)
    # An entry below the diagonal stands for itself and its mirror: twice one half.
    diagonal = np.einsum("ii->i", G)
    diagonal *= 0.5
    return G


def threshold_parameters(thresholds: np.ndarray) -> np.ndarray:
    """Turn thresholds into the free parameters b_1, ln Delta_2, ... (GPOR sec. 2.2).

    Parameters
    ----------
    thresholds : ndarray of shape (L - 1,)
        Strictly increasing.

    Returns
    -------
    ndarray of shape (L - 1,)

    Examples
    --------
    >>> import numpy as np
    >>> threshold_parameters(np.array([-1.0, 0.0, 1.0]))
    array([-1.,  0.,  0.])
    """
    return np.concatenate([thresholds[:1], np.log(np.diff(thresholds))])


def thresholds_from_parameters(parameters: np.ndarray) -> np.ndarray:
    """Undo `threshold_parameters`."""
    return np.cumsum(np.concatenate([parameters[:1], np.exp(parameters[1:])]))


def threshold_parameter_gradient(parameters: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """Turn a gradient in the thresholds into one in b_1, ln Delta_2, ...: b_j = b_1 + sum Delta."""
    tail = np.cumsum(gradient[::-1])[::-1]
    return np.concatenate([tail[:1], tail[1:] * np.exp(parameters[1:])])
