"""Linear algebra of L latent functions that a row's class ties together.

All latents have the same prior N(0, K). Row i's likelihood sees its L latents through the precision
diag(pi_i) - pi_i pi_i' / sum(pi_i): of the softmax (pi = p) as of steps with noise. The joint
precision is then block diagonal plus rank n, and no L n x L n matrix is formed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import blas, cho_solve, cholesky, lapack, solve_triangular

from autotype.models.gaussian_process.solvers.evidence_ascent import ApproximatePosterior

_SMALL = 48  # order up to which LAPACK inverts a triangular matrix as fast


class ClassPrecision:
    """(K + W^-1)^-1 in factors, W the rows' precisions.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix, positive semi-definite; it may be singular.
    pi : ndarray of shape (n, L)
        >= 0, with a positive sum in every row.

    Attributes
    ----------
    reduced : ndarray of shape (L, n, n)
        E_k = (K + D_k^-1)^-1, D_k = diag(pi_k).
    factor : ndarray of shape (n, n)
        Lower Cholesky factor of the sum of E_k.
    log_det : float
        log |I + K W|.

    Notes
    -----
    O(L n^3).

    References
    ----------
    Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, sec. 3.5.

    Examples
    --------
    >>> import numpy as np
    >>> precision = ClassPrecision(np.eye(2), np.array([[0.5, 0.5], [0.2, 0.8]]))
    >>> precision.solve(np.ones((2, 2))).round(12)  # a shift common to all classes has no effect
    array([[0., 0.],
           [0., 0.]])
    """

    def __init__(self, K: np.ndarray, pi: np.ndarray) -> None:
        n, levels = pi.shape
        self.reduced = np.empty((levels, n, n))
        log_det = -float(np.log(pi.sum(axis=1)).sum())
        for k in range(levels):
            root = np.sqrt(pi[:, k])
            B = np.multiply(K, root[:, None], order="F")
            B *= root[None, :]
            B[np.diag_indices(n)] += 1.0
            L = cholesky(B, lower=True, check_finite=False, overwrite_a=True)
            log_det += 2.0 * float(np.log(np.diag(L)).sum())
            self.reduced[k] = inverse_of(L)
            self.reduced[k] *= root[:, None]
            self.reduced[k] *= root[None, :]
        # Jitter: where K is large every E_k is nearly singular, and so is their sum.
        total = self.reduced.sum(axis=0)
        total[np.diag_indices(n)] += 1e-12 * np.trace(total) / n
        self.factor = cholesky(total, lower=True, check_finite=False)
        # |I + K W| = |I + K D| |sum of E_k| / product of the rows' sums of pi
        self.log_det = log_det + 2.0 * float(np.log(np.diag(self.factor)).sum())

    def solve(self, right: np.ndarray) -> np.ndarray:
        """(K + W^-1)^-1 times one vector per class, shape (n, L)."""
        # R & W alg. 3.3: (E - E R (R'ER)^-1 R'E) right, R = stacked identities.
        c = np.stack([E @ right[:, k] for k, E in enumerate(self.reduced)], axis=1)
        inner = cho_solve((self.factor, True), c.sum(axis=1), check_finite=False)
        return c - np.stack([E @ inner for E in self.reduced], axis=1)

    def spread(self, cross: np.ndarray, prior_variance: np.ndarray) -> np.ndarray:
        """Posterior covariance of the latents at m rows, shape (m, L, L) (R & W alg. 3.4).

        Parameters
        ----------
        cross : ndarray of shape (m, n)
            Kernel between these and the training rows.
        prior_variance : ndarray of shape (m,)
            The kernel's diagonal.
        """
        m, levels = len(cross), len(self.reduced)
        spread = np.zeros((m, levels, levels))
        parts = []
        for k, E in enumerate(self.reduced):
            projected = E @ cross.T
            spread[:, k, k] = prior_variance - np.einsum("ij,ji->i", cross, projected)
            parts.append(solve_triangular(self.factor, projected, lower=True, check_finite=False))
        for k in range(levels):
            for other in range(k + 1):
                value = np.einsum("ji,ji->i", parts[k], parts[other])
                spread[:, k, other] += value
                if other != k:
                    spread[:, other, k] += value
        return spread

    def kernel_gradient(self) -> np.ndarray:
        """Symmetric G: -log |I + K W| / 2 changes by sum(G * dK) with W held."""
        gradient = np.asfortranarray(-0.5 * self.reduced.sum(axis=0))
        for E in self.reduced:
            half = solve_triangular(self.factor, E, lower=True, check_finite=False)
            gradient = blas.dsyrk(0.5, half, trans=1, beta=1.0, c=gradient, lower=1, overwrite_c=1)
        return _mirrored(gradient)


@dataclass(frozen=True, kw_only=True)
class ClassLatents(ApproximatePosterior):
    """Gaussian approximation of the posterior of L latent functions at the training rows.

    Attributes
    ----------
    alpha : ndarray of shape (n, L)
        K^-1 times the mean, class by class.
    mean : ndarray of shape (n, L)
        Means of the latents; with Laplace's method their mode.
    spread : ndarray of shape (n, L, L)
        Covariance of each row's latents.
    precision : ClassPrecision
        (K + W^-1)^-1 in factors, W the rows' precisions.
    moved : ndarray of shape (n, n), optional
        What the precisions that move with the kernel add to the slope of the evidence, as they do
        with Laplace's method.
    sites : pair of ndarray of shape (n, L), optional
        tau >= 0 and nu of EP's fixed point; 0 for each row's own class.
    """

    alpha: np.ndarray
    mean: np.ndarray
    spread: np.ndarray
    precision: ClassPrecision
    moved: np.ndarray | None = None
    sites: tuple[np.ndarray, np.ndarray] | None = None

    @cached_property
    def gradient(self) -> np.ndarray:
        """Symmetric G: the evidence changes by sum(G * dK), shape (n, n).

        With EP to a few percent where weights are below 1, since the evidence is not quite
        stationary in the sites of such rows.
        """
        slope = self.alpha @ self.alpha.T
        if self.moved is not None:
            slope += self.moved + self.moved.T
        return self.precision.kernel_gradient() + 0.5 * slope

    def predict(
        self, cross: np.ndarray, prior_variance: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean (m, L) and covariance (m, L, L) of the latents at new rows (R & W alg. 3.4).

        Parameters
        ----------
        cross : ndarray of shape (m, n)
            Kernel between new and training rows.
        prior_variance : ndarray of shape (m,)
            Kernel's diagonal at the new rows.
        """
        return cross @ self.alpha, self.precision.spread(cross, prior_variance)


def inverse_of(factor: np.ndarray) -> np.ndarray:
    """Compute the inverse of a matrix from its lower Cholesky factor."""
    inverse, _ = lapack.dpotri(factor, lower=1)
    return _mirrored(inverse)


def inverse_diagonal(factor: np.ndarray) -> np.ndarray:
    """Compute the diagonal of the inverse of a matrix from its lower Cholesky factor.

    The factor holds zeros above its diagonal; the result has its precision.

    Examples
    --------
    >>> import numpy as np
    >>> inverse_diagonal(np.linalg.cholesky(np.array([[2.0, 1.0], [1.0, 2.0]]))).round(6)
    array([0.666667, 0.666667])
    """
    inverse = triangular_inverse(factor)
    return np.einsum("ij,ij->j", inverse, inverse)


def triangular_inverse(factor: np.ndarray) -> np.ndarray:
    """Invert a lower triangular matrix with zeros above its diagonal, in its precision."""
    n, single = len(factor), factor.dtype == np.float32
    if n <= _SMALL:
        return (lapack.strtri if single else lapack.dtrtri)(factor, lower=1)[0]
    # By halves it is mostly products of matrices, which LAPACK's own loop is not.
    half = n // 2
    inverse = np.zeros((n, n), dtype=factor.dtype, order="F")
    first = inverse[:half, :half] = triangular_inverse(factor[:half, :half])
    second = inverse[half:, half:] = triangular_inverse(factor[half:, half:])
    product = blas.strmm if single else blas.dtrmm
    below = product(-1.0, first, factor[half:, :half], side=1, lower=1)
    inverse[half:, :half] = product(1.0, second, below, lower=1, overwrite_b=1)
    return inverse


def _mirrored(lower: np.ndarray) -> np.ndarray:
    """Symmetric matrix from its lower triangle."""
    full = np.tril(lower)
    full += np.tril(lower, -1).T
    return full
