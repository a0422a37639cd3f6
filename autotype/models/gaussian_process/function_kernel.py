"""Kernels that are given as a function of two sets of rows.

The solvers know kernels as objects that are evaluated on features, which a function becomes here.
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
_ROUNDING = 1e-6  # of an eigenvalue, in units of the largest


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


def covariance(kernel: Kernel, X: np.ndarray) -> Kernel:
    """Return a kernel that is a covariance of the training rows.

    Parameters
    ----------
    kernel : FunctionKernel
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
    n = len(X)
    rows = np.linspace(0, n - 1, min(n, _MOST_CHECKED_ROWS)).astype(np.intp)  # evenly spread
    K = check_kernel(kernel(X[rows]), refuse_small=True)
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
