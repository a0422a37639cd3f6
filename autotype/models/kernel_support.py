"""What the kernel support-vector estimators share: their kernel and the rows it is evaluated at."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from autotype.models.ordinal_predictor import LABEL_CONSTRAINTS, OrdinalPredictor
from autotype.models.ordinal_training import OrdinalTraining, read_training

KERNEL_CONSTRAINTS: dict = {
    "kernel": [StrOptions({"linear", "rbf", "poly", "precomputed"}), callable],
    "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
    "degree": [Interval(Integral, 1, None, closed="left")],
    "coef0": [Real],
    **LABEL_CONSTRAINTS,
}


class KernelOrdinalEstimator(OrdinalPredictor):
    """Base of the estimators whose solution is a combination of kernel functions of the rows."""

    kernel: Any
    gamma: Any
    degree: int
    coef0: float
    classes: Any
    class_weight: Any

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[OrdinalTraining, np.ndarray]:
        """Check the training data and evaluate the kernel between its rows."""
        precomputed = self.kernel == "precomputed"
        training = read_training(
            self,
            X,
            y,
            classes=self.classes,
            sample_weight=sample_weight,
            class_weight=self.class_weight,
            accept_sparse=False if precomputed else "csr",
            keep_all_rows=precomputed,
        )
        if precomputed and training.X.shape[0] != training.X.shape[1]:
            raise ValueError(
                "a precomputed kernel must be square, rows by rows, got shape "
                f"{training.X.shape}; pass the kernel between all training rows"
            )
        self._gamma = self._gamma_of(training)
        self._rows = None if precomputed else training.X
        return training, self._kernel_matrix(training.X, training.X)

    def _gamma_of(self, training: OrdinalTraining) -> float:
        """1 / (n_features variance) for "scale", as scikit-learn has it, rows weighted."""
        if self.gamma == "auto":
            return 1.0 / training.X.shape[1]
        if self.gamma != "scale":
            return float(self.gamma)
        X, weights = training.X, training.weights / training.weights.sum()
        squares = X.multiply(X) if sparse.issparse(X) else X * X
        n_features = X.shape[1]
        mean = float((weights @ X).sum()) / n_features
        variance = float((weights @ squares).sum()) / n_features - mean**2
        return 1.0 / (n_features * variance) if variance > 0 else 1.0

    def _kernel_matrix(self, X: Any, Y: Any) -> np.ndarray:
        if self.kernel == "precomputed":
            return X
        if callable(self.kernel):
            return np.asarray(self.kernel(X, Y), dtype=np.float64)
        return pairwise_kernels(
            X,
            Y,
            metric=self.kernel,
            filter_params=True,
            gamma=self._gamma,
            degree=self.degree,
            coef0=self.coef0,
        )

    def _keep_support(self, training: OrdinalTraining, coefficients: np.ndarray) -> None:
        """Keep the rows whose coefficients are not 0; coefficients of shape (n, n_functions)."""
        self._keep_labels(training)
        self.support_ = np.flatnonzero(np.any(coefficients != 0, axis=1))
        self.dual_coef_ = np.ascontiguousarray(coefficients[self.support_])
        if self._rows is not None:
            self._rows = self._rows[self.support_]

    def _functions(self, X: Any) -> np.ndarray:
        """Evaluate the combinations of kernel functions: shape (n, n_functions)."""
        check_is_fitted(self)
        precomputed = self.kernel == "precomputed"
        X = validate_data(
            self, X, accept_sparse=False if precomputed else "csr", dtype=np.float64, reset=False
        )
        if not len(self.support_):
            return np.zeros((X.shape[0], self.dual_coef_.shape[1]))
        K = X[:, self.support_] if precomputed else self._kernel_matrix(X, self._rows)
        return K @ self.dual_coef_
