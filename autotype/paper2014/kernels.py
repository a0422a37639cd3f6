"""The kernels of the 2014 method, and features for the ordinal model's weights.

EP over weights costs O(n m^2) for m features, over latent values O(n^3). Linear kernels have few
features by themselves; for the squared exponential the eigenvectors of the kernel matrix serve as
features, without those whose eigenvalues are rounding.
"""

from __future__ import annotations

import numpy as np
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Product

KERNEL_NAMES = ("linear", "linear-bias", "rbf")
_SMALLEST_FRACTION = 1e-7  # of the largest eigenvalue: directions below are rounding


def check_kernel(name: str) -> None:
    """Raise unless there is a kernel of this name.

    Raises
    ------
    ValueError
    """
    if name not in KERNEL_NAMES:
        names = ", ".join(map(repr, KERNEL_NAMES))
        raise ValueError(f"kernel must be one of {names}, got {name!r}")


def paper_kernel(name: str, n_features: int) -> Product:
    """Return an amplitude times the kernel of this name, at its start and with its bounds.

    Parameters
    ----------
    name : {"linear", "linear-bias", "rbf"}
        x'z, 1 + x'z with the bias that the paper's kernel lacks, or the squared exponential.
    n_features : int
        Columns of the rows, which are standardised.

    Returns
    -------
    Product

    Raises
    ------
    ValueError
        If there is no kernel of this name.

    Examples
    --------
    >>> paper_kernel("linear-bias", 2)(np.eye(2))
    array([[2., 1.],
           [1., 2.]])
    """
    check_kernel(name)
    if name == "rbf":
        length = np.sqrt(max(n_features, 1))
        bounds = length * np.exp([-3.0, 4.0])
        return ConstantKernel(10.0, (1e-3, 1e4)) * RBF(length, tuple(bounds))
    return ConstantKernel(1.0, (1e-4, 1e4)) * DotProduct(float(name == "linear-bias"), "fixed")


def features(
    kernel: Product, X: np.ndarray, new: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray | float]:
    """Compute features whose products are the kernel.

    Parameters
    ----------
    kernel : Product
        As `paper_kernel` returns it, with any hyper-parameters.
    X : ndarray of shape (n, d)
        Training rows.
    new : ndarray of shape (k, d), optional
        The rows to compute features of; the training rows by default.

    Returns
    -------
    Z : ndarray of shape (n, m) or (k, m)
        ZZ' is the kernel matrix of the training rows.
    residual_variance : ndarray of shape (k,) or float
        Prior variance of new rows that Z does not explain.
    """
    if isinstance(kernel.k2, DotProduct):
        rows = X if new is None else new
        bias = np.full((len(rows), 1), kernel.k2.sigma_0)
        return np.sqrt(kernel.k1.constant_value) * np.hstack([rows, bias]), 0.0
    values, vectors = np.linalg.eigh(kernel(X))
    keep = values > _SMALLEST_FRACTION * values[-1]
    if new is None:
        return vectors[:, keep] * np.sqrt(values[keep]), 0.0
    Z = kernel(new, X) @ (vectors[:, keep] / np.sqrt(values[keep]))
    return Z, np.maximum(kernel.diag(new) - np.einsum("ij,ij->i", Z, Z), 0.0)
