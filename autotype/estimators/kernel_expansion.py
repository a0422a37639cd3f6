"""Base of kernel estimators: the kernel, and linear combinations of it at training rows."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.extmath import row_norms, safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data


class KernelExpansion(BaseEstimator):
    """Base of the estimators whose solution is a combination of kernel functions of the rows.

    `fit` sets `_gamma`, `_rows` (the rows of `support_`, None for a precomputed kernel), `support_`
    and `dual_coef_`, of shape (n_support, ...).
    """

    kernel: Any
    degree: int
    coef0: float

    _parameter_constraints: dict = {  # noqa: RUF012 - scikit-learn's convention
        "kernel": [StrOptions({"linear", "rbf", "poly", "precomputed"}), callable],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Real],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _check_square(self, shape: tuple[int, int]) -> None:
        """Raise ValueError for a precomputed kernel that is not rows by rows."""
        if self.kernel == "precomputed" and shape[0] != shape[1]:
            raise ValueError(
                "a precomputed kernel must be square, rows by rows, got shape "
                f"{shape}; pass the kernel between all training rows"
            )

    def _kernel_matrix(self, X: Any, Y: Any) -> np.ndarray:
        """Evaluate the kernel between the rows of X and Y, with the width `_gamma`."""
        if self.kernel == "precomputed":
            return X
        if callable(self.kernel):
            return np.asarray(self.kernel(X, Y), dtype=np.float64)
        # In place throughout: the matrix is the largest thing held.
        K = safe_sparse_dot(X, Y.T, dense_output=True)
        if self.kernel == "poly":
            K *= self._gamma
            K += self.coef0
            K **= self.degree
        elif self.kernel == "rbf":  # exp(-gamma |x - y|^2)
            K *= 2
            K -= row_norms(X, squared=True)[:, None]
            K -= row_norms(Y, squared=True)
            np.minimum(K, 0, out=K)  # rounding may leave -|x - y|^2 above 0
            if X is Y:
                np.fill_diagonal(K, 0)
            K *= self._gamma
            np.exp(K, out=K)
        return K

    def _functions(self, X: Any) -> np.ndarray:
        """Evaluate the combinations of kernel functions: shape (n, ...)."""
        check_is_fitted(self)
        precomputed = self.kernel == "precomputed"
        X = validate_data(
            self, X, accept_sparse=False if precomputed else "csr", dtype=np.float64, reset=False
        )
        if not len(self.support_):
            return np.zeros((X.shape[0], *self.dual_coef_.shape[1:]))
        K = X[:, self.support_] if precomputed else self._kernel_matrix(X, self._rows)
        return K @ self.dual_coef_


def gamma_of(gamma: Any, X: Any, weights: np.ndarray) -> float:
    """Return gamma as a number; "scale" and "auto" as in scikit-learn, with weighted rows.

    Parameters
    ----------
    gamma : {"scale", "auto"} or float
        "scale" is 1 / (n_features variance of X), "auto" is 1 / n_features.
    X : ndarray or csr_matrix of shape (n, n_features)
        Rows.
    weights : ndarray of shape (n,)
        Weights of the rows in the variance.
    """
    n_features = X.shape[1]
    if gamma == "auto":
        return 1.0 / n_features
    if gamma != "scale":
        return float(gamma)
    weights = weights / weights.sum()
    squares = X.multiply(X) if sparse.issparse(X) else X * X
    mean = float((weights @ X).sum()) / n_features
    variance = float((weights @ squares).sum()) / n_features - mean**2
    return 1.0 / (n_features * variance) if variance > 0 else 1.0
