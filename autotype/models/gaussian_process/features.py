"""Few features whose products are a kernel, and the rows that stand for all."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, lapack, solve_triangular
from sklearn.gaussian_process.kernels import Kernel

from autotype.models.gaussian_process.kernels import cross_kernel

_CHUNK_ROWS = 20_000


class LinearFeatures:
    """The columns, scaled so that k(x, z) is the product of two feature vectors.

    Parameters
    ----------
    scale : ndarray of shape (d,)
        Square roots of the prior variances of the weights.
    """

    def __init__(self, scale: np.ndarray) -> None:
        self.scale = scale

    def transform(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Features, and the prior variance that they do not explain (none)."""
        return X * self.scale, np.zeros(len(X))


class NystromFeatures:
    """Features whose products are the kernel's projection on inducing rows.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    inducing : ndarray of shape (m, d)
        Inducing rows.
    """

    def __init__(self, kernel: Kernel, inducing: np.ndarray) -> None:
        self.kernel = kernel
        self.inducing = inducing
        K = kernel(inducing)
        # Equal inducing rows leave K singular.
        K[np.diag_indices_from(K)] += 1e-8 * np.mean(np.diag(K)) + 1e-300
        self._factor = cholesky(K, lower=True)

    def weights_of(self, values: np.ndarray) -> np.ndarray:
        """Compute the weights of the function with these values at the inducing rows."""
        return solve_triangular(self._factor, values, lower=True, check_finite=False)

    def transform(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Features, and the prior variance that they do not explain."""
        Z = np.empty((len(X), len(self.inducing)))
        for first in range(0, len(X), _CHUNK_ROWS):
            rows = slice(first, first + _CHUNK_ROWS)
            cross = cross_kernel(self.kernel, X[rows], self.inducing)
            Z[rows] = solve_triangular(
                self._factor, cross.T, lower=True, overwrite_b=True, check_finite=False
            ).T
        residual = self.kernel.diag(X) - np.einsum("ij,ij->i", Z, Z)
        return Z, np.maximum(residual, 0.0)


Features = LinearFeatures | NystromFeatures


def well_spread(kernel: Kernel, X: np.ndarray, unexplained: float) -> np.ndarray:
    """Choose rows by pivots: each is that which those before explain least.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    X : ndarray of shape (n, d)
        Rows to choose from.
    unexplained : float
        Prior variance of a row below which the others explain it.

    Returns
    -------
    ndarray of int
        Row numbers.
    """
    _, pivots, rank, _ = lapack.dpstrf(kernel(X), tol=unexplained, lower=1)
    return np.sort(pivots[: max(rank, 1)] - 1)


def spread_sample(X: np.ndarray, ranks: np.ndarray, size: int) -> np.ndarray:
    """Choose about `size` rows, every rank in its proportion, independent of the rows' order.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Features.
    ranks : ndarray of int, shape (n,)
        Ranks.
    size : int
        Number of rows wanted; two more of each rank may come on top.

    Returns
    -------
    ndarray of int
        Row numbers, sorted.

    Examples
    --------
    >>> spread_sample(np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1]), 2)
    array([0, 1, 3, 4, 5])
    """
    # In the order of the ranks, then of the features: rows at even distances cover both.
    order = np.lexsort((*X.T[::-1], ranks))
    evenly = np.linspace(0, len(order) - 1, min(size, len(order))).astype(np.intp)
    first = np.searchsorted(ranks[order], np.unique(ranks))
    second = np.minimum(first + 1, len(order) - 1)
    return np.unique(order[np.concatenate([evenly, first, second])])
