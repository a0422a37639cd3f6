"""The kernels of the 2014 method, and features for the ordinal model's weights.

EP over weights costs O(n m^2) for m features, over latent values O(n^3). Linear kernels have few
features by themselves; for the squared exponential the eigenvectors of the kernel matrix serve as
features, without those whose eigenvalues are rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

# Z with ZZ' the kernel matrix, and the prior variance that Z does not explain.
Features = tuple[np.ndarray, np.ndarray | float]
_SMALLEST_FRACTION = 1e-7  # of the largest eigenvalue: directions below are rounding


class LinearKernel:
    """k(x, z) = a x'z, or a (1 + x'z) with a bias; the only hyper-parameter is ln a.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training rows, standardised.
    has_bias : bool
        Whether to add the bias, which the paper's kernel lacks.
    """

    start = (np.log(1.0),)
    bounds = ((np.log(1e-4), np.log(1e4)),)

    def __init__(self, X: np.ndarray, *, has_bias: bool = False) -> None:
        self.X = X
        self.has_bias = has_bias

    def features(self, theta: np.ndarray, X: np.ndarray | None = None) -> Features:
        """Return the features of new rows, or of the training rows."""
        X = self.X if X is None else X
        Z = np.column_stack([np.ones(len(X)), X]) if self.has_bias else X
        return np.exp(0.5 * theta[0]) * Z, 0.0

    def matrix(self, theta: np.ndarray, X: np.ndarray | None = None) -> np.ndarray:
        """Compute the kernel matrix of the training rows, or between new rows and them."""
        return self.features(theta, X)[0] @ self.features(theta)[0].T

    def diagonal(self, theta: np.ndarray, X: np.ndarray) -> np.ndarray:
        """Compute k(x, x) of new rows."""
        return np.sum(self.features(theta, X)[0] ** 2, axis=1)

    def slopes(self, theta: np.ndarray, gradient: np.ndarray) -> list[float]:
        """Sum gradient * dK/d theta for each hyper-parameter."""
        return [float(np.sum(gradient * self.matrix(theta)))]


class SquaredExponentialKernel:
    """k(x, z) = a exp(-|x - z|^2 / (2 l^2)); hyper-parameters ln a, ln l.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training rows, standardised.
    """

    def __init__(self, X: np.ndarray) -> None:
        self.X = X
        self.square = cdist(X, X, "sqeuclidean")
        length = 0.5 * np.log(max(X.shape[1], 1))
        self.start = (np.log(10.0), length)
        self.bounds = ((np.log(1e-3), np.log(1e4)), (length - 3.0, length + 4.0))

    def features(self, theta: np.ndarray, X: np.ndarray | None = None) -> Features:
        """Return the features of new rows, or of the training rows."""
        values, vectors = np.linalg.eigh(self.matrix(theta))
        keep = values > _SMALLEST_FRACTION * values[-1]
        if X is None:
            return vectors[:, keep] * np.sqrt(values[keep]), 0.0
        Z = self.matrix(theta, X) @ (vectors[:, keep] / np.sqrt(values[keep]))
        residual_variance = np.exp(theta[0]) - np.einsum("ij,ij->i", Z, Z)
        return Z, np.maximum(residual_variance, 0.0)

    def matrix(self, theta: np.ndarray, X: np.ndarray | None = None) -> np.ndarray:
        """Compute the kernel matrix of the training rows, or between new rows and them."""
        square = self.square if X is None else cdist(X, self.X, "sqeuclidean")
        return np.exp(theta[0] - 0.5 * np.exp(-2.0 * theta[1]) * square)

    def diagonal(self, theta: np.ndarray, X: np.ndarray) -> np.ndarray:
        """Compute k(x, x) of new rows."""
        return np.full(len(X), np.exp(theta[0]))

    def slopes(self, theta: np.ndarray, gradient: np.ndarray) -> list[float]:
        """Sum gradient * dK/d theta for each hyper-parameter."""
        by_entry = gradient * self.matrix(theta)
        by_length = by_entry * np.exp(-2.0 * theta[1]) * self.square
        return [float(by_entry.sum()), float(by_length.sum())]


PaperKernel = LinearKernel | SquaredExponentialKernel
_KERNELS: dict[str, Callable[[np.ndarray], PaperKernel]] = {
    "linear": LinearKernel,
    "linear-bias": partial(LinearKernel, has_bias=True),
    "rbf": SquaredExponentialKernel,
}


def check_kernel(name: str) -> None:
    """Raise unless there is a kernel of this name.

    Raises
    ------
    ValueError
    """
    if name not in _KERNELS:
        raise ValueError(f"kernel must be one of {', '.join(map(repr, _KERNELS))}, got {name!r}")


def paper_kernel(name: str, X: np.ndarray) -> PaperKernel:
    """Return the kernel of this name, with its training rows.

    Raises
    ------
    ValueError
        If there is no kernel of this name.
    """
    check_kernel(name)
    return _KERNELS[name](X)
