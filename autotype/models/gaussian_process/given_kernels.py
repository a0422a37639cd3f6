"""Kernels that are given as a function of two sets of rows, or as a precomputed matrix.

The solvers know kernels as objects that are evaluated on features. A function becomes such an
object; a matrix becomes features of its own, the row's kernel with all training rows, from which
the object picks entries.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import Kernel, WhiteKernel

from autotype.models.magnitudes import check_kernel

_CHUNK_ROWS = 64  # of a function's diagonal, which costs the square of them
_MOST_CHECKED_ROWS = 2_000
# In units of the largest eigenvalue: what is taken for rounding, and what for a lost dimension.
_ROUNDING, _RANK_TOLERANCE = 1e-6, 1e-10


class FunctionKernel(Kernel):
    """A function of two sets of rows, without hyper-parameters.

    Parameters
    ----------
    function : callable
        Maps arrays of shapes (n, d) and (m, d) to their kernel, of shape (n, m).

    Examples
    --------
    >>> FunctionKernel(lambda X, Y: X @ Y.T)(np.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
        self.function = function

    def __call__(self, X: Any, Y: Any = None, eval_gradient: bool = False) -> Any:
        """Evaluate k(X, Y), and its gradient in no hyper-parameters."""
        Y = X if Y is None else Y
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is checked
            K = np.array(self.function(X, Y), dtype=np.float64)  # a copy: it may keep its own
        if K.shape != (len(X), len(Y)):
            raise ValueError(
                f"the kernel function returned shape {K.shape} for {len(X)} and {len(Y)} rows; it "
                f"has to return their kernel, of shape {(len(X), len(Y))}"
            )
        _check_missing(K, X, Y)
        check_kernel(K)
        return (K, np.empty((len(X), len(X), 0))) if eval_gradient else K

    def diag(self, X: Any) -> np.ndarray:
        """Diagonal of k(X, X)."""
        parts = np.array_split(X, max(1, -(-len(X) // _CHUNK_ROWS)))
        return np.concatenate([np.diag(self(part)) for part in parts])

    def is_stationary(self) -> bool:
        """Return False: a function may depend on more than x - z."""
        return False

    def __repr__(self) -> str:
        return f"FunctionKernel({getattr(self.function, '__name__', self.function)})"


class PrecomputedKernel(Kernel):
    """A matrix whose rows, extended by `training_rows` or `NewRows`, are the features.

    Examples
    --------
    >>> PrecomputedKernel()(training_rows(np.array([[2.0, 1.0], [1.0, 3.0]])))
    array([[2., 1.],
           [1., 3.]])
    """

    def __init__(self) -> None:  # scikit-learn reads a kernel's parameters off its signature
        pass

    def __call__(self, X: Any, Y: Any = None, eval_gradient: bool = False) -> Any:
        """Pick k(X, Y): Y holds training rows."""
        K = X[:, (X if Y is None else Y)[:, -2].astype(np.intp)]
        return (K, np.empty((len(X), len(X), 0))) if eval_gradient else K

    def diag(self, X: Any) -> np.ndarray:
        """Diagonal of k(X, X)."""
        return X[:, -1].copy()

    def is_stationary(self) -> bool:
        """Return False: a matrix may hold any kernel."""
        return False

    def __repr__(self) -> str:
        return "PrecomputedKernel()"


def training_rows(K: np.ndarray) -> np.ndarray:
    """Extend the kernel between the training rows by row number and prior variance.

    Raises
    ------
    ValueError
        If K is not square and symmetric.
    """
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"a precomputed kernel must be square, rows by rows, got shape {K.shape}; pass the "
            "kernel between all training rows"
        )
    apart = np.abs(K - K.T)
    if apart.max(initial=0.0) > _ROUNDING * np.abs(K).max(initial=0.0):
        i, j = np.unravel_index(np.argmax(apart), K.shape)
        raise ValueError(
            f"a precomputed kernel must be symmetric, got {K[i, j]:g} between rows {i} and {j} but "
            f"{K[j, i]:g} between {j} and {i}; pass (K + K.T) / 2 if that is what you mean"
        )
    return np.column_stack([K, np.arange(len(K)), np.diag(K)])


class NewRows:
    """Extends the kernel between new and training rows by the prior variance of the new ones.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel between the training rows.
    counted : ndarray of int
        Numbers of the rows that count, those of positive weight.

    Notes
    -----
    The matrix does not hold k(x, x) of a new row x. Where all training rows have the same (a
    Gaussian or a correlation kernel), so has x. Elsewhere it is k'K^-1 k, what the training rows
    explain of it, and the mean of what they leave unexplained of one another, 1 / (K^-1)_ii. That
    is exact where they span the features of x, as more rows than features do for a linear kernel.

    Examples
    --------
    >>> x = np.array([[1.0], [2.0], [3.0]])
    >>> NewRows(x @ x.T, np.arange(3))(np.array([[4.0]]) @ x.T).round(6)
    array([[ 4.,  8., 12., -1., 16.]])
    """

    def __init__(self, K: np.ndarray, counted: np.ndarray) -> None:
        diagonal = np.diag(K)[counted]
        self.constant = np.ptp(diagonal) <= _ROUNDING * np.abs(diagonal).max()
        self.variance = float(diagonal.mean())
        if self.constant:
            return
        self.rows = counted[_spread(len(counted))]
        values, vectors = np.linalg.eigh(K[np.ix_(self.rows, self.rows)])
        least = _RANK_TOLERANCE * np.abs(values).max()
        # A direction without a variance explains nothing, whatever the new rows hold along it.
        kept = values > least
        self.root = vectors[:, kept] / np.sqrt(values[kept])
        inverse_diagonal = vectors**2 @ (1.0 / np.maximum(values, least))
        self.unexplained = float(np.mean(1.0 / inverse_diagonal))

    def __call__(self, K: np.ndarray) -> np.ndarray:
        """Extend new rows: their kernel with all training rows, -1, and their prior variance."""
        if self.constant:
            variance = np.full(len(K), self.variance)
        else:
            Z = K[:, self.rows] @ self.root
            variance = np.einsum("ij,ij->i", Z, Z) + self.unexplained
        return np.column_stack([K, np.full(len(K), -1.0), variance])


def covariance(kernel: Kernel, X: np.ndarray) -> Kernel:
    """Return a kernel that is a covariance of the training rows.

    Parameters
    ----------
    kernel : FunctionKernel or PrecomputedKernel
        The kernel.
    X : ndarray of shape (n, d)
        Training rows, of which at most 2,000 are looked at.

    Returns
    -------
    Kernel
        The kernel itself, or, where its matrix has a negative eigenvalue beyond rounding, its sum
        with as much noise.

    Warns
    -----
    UserWarning
        Where noise is added.
    """
    K = check_kernel(kernel(X[_spread(len(X))]), refuse_small=True)
    largest = float(np.abs(K).max(initial=0.0))
    if largest == 0.0:
        return kernel
    values = np.linalg.eigvalsh(K / largest)
    if values[0] >= -_ROUNDING * max(values[-1], 1.0):
        return kernel
    noise = -values[0] * largest
    warnings.warn(
        "the kernel is no covariance of the training rows: the smallest eigenvalue of its matrix "
        f"is {-noise:.3g}, and {noise:.3g} is added to its diagonal, as noise would; pass a "
        "positive semi-definite kernel (distances are none, but exp(-distance ** 2) is)",
        UserWarning,
        stacklevel=5,  # the caller of scikit-learn's wrapper of `fit`
    )
    return kernel + WhiteKernel(noise, "fixed")


def _spread(n: int) -> np.ndarray:
    """Numbers of at most 2,000 of n rows, evenly spread."""
    return np.linspace(0, n - 1, min(n, _MOST_CHECKED_ROWS)).astype(np.intp)


def _check_missing(K: np.ndarray, X: np.ndarray, Y: np.ndarray) -> None:
    """Raise ValueError where the kernel is NaN because of missing entries."""
    if not np.isnan(K).any():
        return
    i, j = np.argwhere(np.isnan(K))[0]
    for row in (X[i], Y[j]):
        if np.isnan(row).any():
            raise ValueError(
                f"the kernel function returned NaN for a row whose entry {np.isnan(row).argmax()} "
                "is missing (NaN); take a kernel for incomplete rows, such as "
                "autotype.models.pearson_kernel, or fill the entries first, as "
                "LowRankCompletion does"
            )
