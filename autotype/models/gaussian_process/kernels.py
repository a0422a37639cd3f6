"""Kernels by name or as functions, and kernel matrices with derivatives but no n x n x p tensor.

Users pass scikit-learn's kernel objects, one of four names, or functions of two sets of rows, which
become kernel objects here. `KernelMatrix` evaluates any of them on fixed rows, and contracts
dK/dtheta with the weights that a solver returns.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    DotProduct,
    Hyperparameter,
    Kernel,
    KernelOperator,
    Product,
    WhiteKernel,
)

from autotype.models.magnitudes import check_kernel

_FAR = 1e4  # lengths from the centre, above which a product of matrices loses short distances
_LEAST_LOG = -60.0  # of a kernel, which is nothing beside rounding
_CHUNK_ROWS = 64  # of a function's diagonal, which costs the square of them
_MOST_CHECKED_ROWS = 2_000
_ROUNDING = 1e-6  # of an eigenvalue, in units of the largest

_Contraction = Callable[[np.ndarray], np.ndarray]

KERNEL_NAMES = ("rbf", "linear", "ard-rbf", "ard-linear")


class ARDDotProduct(Kernel):
    """Linear kernel with a relevance for each feature: k(x, z) = sum_v relevance_v x_v z_v.

    Parameters
    ----------
    relevance : ndarray of shape (n_features,)
        Prior variances of the weights, > 0.
    relevance_bounds : pair of floats, ndarray of shape (n_features, 2) or "fixed"
        Bounds of each relevance.

    Examples
    --------
    >>> ARDDotProduct([1.0, 4.0])(np.eye(2))
    array([[1., 0.],
           [0., 4.]])
    """

    def __init__(self, relevance: Any, relevance_bounds: Any = (1e-6, 1e6)) -> None:
        self.relevance = relevance
        self.relevance_bounds = relevance_bounds

    @property
    def hyperparameter_relevance(self) -> Hyperparameter:
        """The relevances as scikit-learn's hyper-parameter."""
        size = np.size(self.relevance)
        return Hyperparameter("relevance", "numeric", self.relevance_bounds, size)

    def __call__(self, X: Any, Y: Any = None, eval_gradient: bool = False) -> Any:
        """Evaluate k(X, Y) and, on demand, its gradient in the logs of the relevances."""
        X = np.atleast_2d(X)
        relevance = np.asarray(self.relevance, dtype=float)
        K = (X * relevance) @ (X if Y is None else np.atleast_2d(Y)).T
        if not eval_gradient:
            return K
        if self.hyperparameter_relevance.fixed:
            return K, np.empty((len(X), len(X), 0))
        return K, X[:, None, :] * X[None, :, :] * relevance

    def diag(self, X: Any) -> np.ndarray:
        """Diagonal of k(X, X)."""
        return np.einsum("ij,ij->i", np.atleast_2d(X) * self.relevance, np.atleast_2d(X))

    def is_stationary(self) -> bool:
        """Return False: the kernel depends on more than x - z."""
        return False

    def __repr__(self) -> str:
        values = ", ".join(f"{value:.3g}" for value in np.atleast_1d(self.relevance))
        return f"ARDDotProduct(relevance=[{values}])"


def named_kernel(name: str, X: np.ndarray, weight: np.ndarray) -> Kernel:
    """Return the kernel of a name, started on the scale of the features.

    Parameters
    ----------
    name : {"rbf", "linear", "ard-rbf", "ard-linear"}
        Eqs. (1) and (18) of Chu and Ghahramani (2005), and their linear counterparts.
    X : ndarray of shape (n, d)
        Features, centred.
    weight : ndarray of shape (n,)
        Sample weights.

    Returns
    -------
    Kernel
        For unit variances the start is the paper's, kappa = 1/d: squared length scale d.
    """
    variance = np.average(X**2, axis=0, weights=weight)
    total = float(variance.sum()) or 1.0
    # A constant feature has neither scale nor influence.
    spread = np.sqrt(np.where(variance > 0, variance, 1.0))
    if name == "rbf":
        start = np.sqrt(total)
        return RBF(start, (start * 0.02, start * 100.0))
    if name == "ard-rbf":
        start = spread * np.sqrt(len(spread))
        return RBF(start, np.column_stack([start * 0.02, start * 1e3]))
    if name == "linear":
        return ConstantKernel(1.0 / total, "fixed") * DotProduct(0.0, "fixed")
    start = 1.0 / (spread**2 * len(spread))
    return ARDDotProduct(start, np.column_stack([start * 1e-5, start * 1e4]))


def learns_amplitude(kernel: Kernel) -> bool:
    """Return whether the kernel learns its own scale, so that the noise may stay at 1.

    Examples
    --------
    >>> learns_amplitude(RBF()), learns_amplitude(ConstantKernel(2.0) * RBF())
    (False, True)
    """
    return any(
        _is_free_constant(part)
        or (isinstance(part, ARDDotProduct) and not part.hyperparameter_relevance.fixed)
        for part in kernel_parts(kernel)
    )


def _is_free_constant(kernel: Kernel) -> bool:
    """Return whether a kernel is a constant to be learned."""
    return isinstance(kernel, ConstantKernel) and not kernel.hyperparameter_constant_value.fixed


def kernel_parts(kernel: Kernel) -> Iterator[Kernel]:
    """Iterate over the kernels that a composed kernel is made of."""
    if isinstance(kernel, KernelOperator):
        yield from kernel_parts(kernel.k1)
        yield from kernel_parts(kernel.k2)
    elif isinstance(getattr(kernel, "kernel", None), Kernel):
        yield from kernel_parts(kernel.kernel)
    else:
        yield kernel


def feature_relevance(kernel: Kernel) -> np.ndarray | None:
    """Relevance of each feature under an ARD kernel: kappa_v = 1/length_v^2, or the prior variance.

    Returns
    -------
    ndarray of shape (n_features,) or None
        None without an ARD part.
    """
    for part in kernel_parts(kernel):
        if isinstance(part, RBF) and part.anisotropic:
            return 1.0 / np.asarray(part.length_scale) ** 2
        if isinstance(part, ARDDotProduct) and np.size(part.relevance) > 1:
            return np.asarray(part.relevance, dtype=float).copy()
    return None


def scale_lengths(kernel: Kernel, factor: float) -> Kernel:
    """Multiply the free length scales of a kernel, within their bounds.

    Examples
    --------
    >>> from sklearn.gaussian_process.kernels import RBF
    >>> scale_lengths(2.0 * RBF(3.0), 0.5)
    1.41**2 * RBF(length_scale=1.5)
    """
    free = [parameter for parameter in kernel.hyperparameters if not parameter.fixed]
    is_length = [p.name.endswith("length_scale") for p in free for _ in range(p.n_elements)]
    theta = kernel.theta + np.log(factor) * np.array(is_length)
    return kernel.clone_with_theta(np.clip(theta, *kernel.bounds.T))


def cross_kernel(kernel: Kernel, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Evaluate a kernel between rows X and Z, a Gaussian one from a product of matrices.

    Examples
    --------
    >>> cross_kernel(RBF(2.0), np.array([[0.0], [2.0]]), np.array([[2.0]])).round(3).ravel()
    array([0.607, 1.   ])
    """
    if type(kernel) is RBF:
        scaled, other = X / kernel.length_scale, Z / kernel.length_scale
        if max(np.abs(scaled).max(initial=0.0), np.abs(other).max(initial=0.0)) < _FAR:
            return _gaussian(scaled, other)
    return kernel(X, Z)


def _gaussian(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Compute exp(-|x - z|^2 / 2) from |x|^2 / 2 + |z|^2 / 2 - x'z."""
    half = X @ Z.T
    half -= 0.5 * np.einsum("ij,ij->i", X, X)[:, None]
    half -= 0.5 * np.einsum("ij,ij->i", Z, Z)
    # Products of smaller numbers are subnormal, and a hundred times as slow.
    np.clip(half, _LEAST_LOG, 0.0, out=half)
    return np.exp(half, out=half)


class KernelMatrix:
    """A kernel on fixed rows: its matrix and contracted derivatives for any theta.

    Parameters
    ----------
    kernel : Kernel
        scikit-learn kernel; theta are the logs of its free hyper-parameters.
    X : ndarray of shape (n, d)
        The rows.
    """

    def __init__(self, kernel: Kernel, X: np.ndarray) -> None:
        self.kernel = kernel
        self.X = X
        self._contract: _Contraction = lambda _: np.empty(0)
        self._fixed: np.ndarray | None = None
        is_scaled = type(kernel) is Product and _is_free_constant(kernel.k1)
        self._base = KernelMatrix(kernel.k2, X) if is_scaled else None

    def value(self, theta: np.ndarray) -> np.ndarray:
        """Kernel matrix at theta, shape (n, n), not to be changed."""
        base = self._base
        if base is not None:  # a constant times a kernel that keeps its own fast derivatives
            scale = np.exp(theta[0])
            K = scale * base.value(theta[1:])
            # dK / d ln(scale) = K
            self._contract = lambda weights: np.append(
                np.sum(weights * K), scale * base.contract(weights)
            )
            return K
        if len(theta) > 0:
            K, self._contract = _matrix_with_slopes(self.kernel.clone_with_theta(theta), self.X)
            return K
        if self._fixed is None:
            self._fixed = self.kernel(self.X)
            self._fixed.setflags(write=False)
        return self._fixed

    def contract(self, weights: np.ndarray) -> np.ndarray:
        """Sum weights * dK/dtheta_p for every p, at the theta of the last `value`."""
        return self._contract(weights)


def _matrix_with_slopes(kernel: Kernel, X: np.ndarray) -> tuple[np.ndarray, _Contraction]:
    """Evaluate a free kernel on rows; for named ones without a tensor of all derivatives."""
    if type(kernel) is RBF:
        scaled = X / kernel.length_scale
        K = _gaussian(scaled, scaled)
        np.fill_diagonal(K, 1.0)

        def by_lengths(weights: np.ndarray) -> np.ndarray:
            # Sums of weights * K * (squared scaled distances along each feature).
            P = weights.T * K  # K is symmetric; this order of memory is the faster
            both = P.sum(axis=0) + P.sum(axis=1)
            slopes = both @ scaled**2 - 2.0 * np.einsum("ij,ij->j", scaled, P @ scaled)
            return slopes if kernel.anisotropic else slopes.sum(keepdims=True)

        return K, by_lengths
    if type(kernel) is ARDDotProduct:
        scaled = X * np.sqrt(kernel.relevance)
        return scaled @ scaled.T, lambda weights: np.einsum("ij,ij->j", scaled, weights @ scaled)
    K, tensor = kernel(X, eval_gradient=True)
    return K, lambda weights: np.einsum("ij,ijp->p", weights, tensor)


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
