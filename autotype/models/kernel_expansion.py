"""Base of kernel estimators: the kernel, and linear combinations of it at training rows.

Support-vector machines and preference regression differ in what they minimise, but what they learn
has one form: a sum of kernel functions at some of the training rows. This base reads the kernel's
parameters, evaluates it without overflow or cancellation, and predicts from such a sum.
"""

from __future__ import annotations

from numbers import Real
from typing import Annotated, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from autotype.models import parameters
from autotype.models.magnitudes import check_kernel, read_features

_ROUNDING = 1e-14  # a variance below this fraction of the mean square is rounding


@parameters.estimator(kw_only=True)
class KernelExpansion(BaseEstimator):
    """Base of the estimators whose solution is a combination of kernel functions of the rows.

    `fit` calls `_set_width`, and sets `support_`, `_rows` (the rows of `support_`, None for a
    precomputed kernel) and `dual_coef_`, of shape (n_support, ...).
    """

    kernel: Annotated[Any, StrOptions({"linear", "rbf", "poly", "precomputed"}), callable] = "rbf"
    degree: parameters.PositiveInt = 3
    coef0: Annotated[float, Real] = 0.0

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    @property
    def _reading(self) -> dict[str, Any]:
        """How X is read: as features, or as the values of a kernel."""
        if self.kernel == "precomputed":
            return {"accept_sparse": False, "bounded": False}
        return {"accept_sparse": "csr", "bounded": True}

    def _check_square(self, shape: tuple[int, int]) -> None:
        """Raise ValueError for a precomputed kernel that is not rows by rows."""
        if self.kernel == "precomputed" and shape[0] != shape[1]:
            raise ValueError(
                "a precomputed kernel must be square, rows by rows, got shape "
                f"{shape}; pass the kernel between all training rows"
            )

    def _set_width(self, gamma: Any, X: Any, weights: np.ndarray) -> None:
        """Set `_gamma` as `gamma_of` returns it, for a kernel that has a width."""
        if self.kernel in ("rbf", "poly"):  # for others, "scale" would be a pass over X in vain
            self._gamma = gamma_of(gamma, X, weights)

    def _kernel_matrix(self, X: Any, Y: Any, *, in_fit: bool = False) -> np.ndarray:
        """Evaluate the kernel between the rows of X and Y, with the width `_gamma`."""
        if self.kernel == "precomputed":
            return X
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is checked
            K = self.kernel(X, Y) if callable(self.kernel) else self._named_kernel_matrix(X, Y)
        K = check_kernel(np.asarray(K, dtype=np.float64), refuse_small=in_fit)
        if in_fit and self.kernel == "poly" and not K.any() and abs(X).max() > 0:
            raise ValueError(
                "the kernel 'poly' is 0 between all rows, though the features are not: its powers "
                "vanish; scale the features, or choose a larger gamma or coef0 or a smaller degree"
            )
        return K

    def _named_kernel_matrix(self, X: Any, Y: Any) -> np.ndarray:
        if self.kernel == "rbf" and not sparse.issparse(X) and not sparse.issparse(Y):
            # Distances do not depend on the origin, but their rounding does.
            centre = Y.mean(axis=0)
            X, Y = (X - centre,) * 2 if X is Y else (X - centre, Y - centre)
        gamma = getattr(self, "_gamma", None)  # none for kernels without a width
        options = {"degree": self.degree, "coef0": self.coef0, "gamma": gamma}
        return pairwise_kernels(X, Y, metric=self.kernel, filter_params=True, **options)

    def _functions(self, X: Any) -> np.ndarray:
        """Evaluate the combinations of kernel functions: shape (n, ...)."""
        check_is_fitted(self)
        X = read_features(self, X, reset=False, dtype=np.float64, **self._reading)
        if not len(self.support_):
            return np.zeros((X.shape[0], *self.dual_coef_.shape[1:]))
        precomputed = self.kernel == "precomputed"
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
    if sparse.issparse(X):
        shifted, squares = X, X.multiply(X)
    else:  # near the rows the variance is not lost in the square of their mean
        shifted = X - X[0, 0]
        squares = shifted**2
    mean = float((weights @ shifted).sum()) / n_features
    square = float((weights @ squares).sum()) / n_features
    variance = square - mean**2
    return 1.0 / (n_features * variance) if variance > _ROUNDING * square else 1.0
