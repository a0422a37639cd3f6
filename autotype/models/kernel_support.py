"""What the kernel support-vector estimators share: labels in, and labels out of ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils._param_validation import StrOptions

from autotype.models import kernel_expansion
from autotype.models.kernel_expansion import KernelExpansion
from autotype.models.ordinal_training import OrdinalTraining, decode_ranks, read_training

KERNEL_CONSTRAINTS: dict = {
    **kernel_expansion.KERNEL_CONSTRAINTS,
    "classes": [None, "array-like", StrOptions({"sorted"})],
    "class_weight": [None, dict, StrOptions({"balanced"})],
}


class KernelOrdinalEstimator(ClassifierMixin, KernelExpansion):
    """Base of the kernel classifiers of ordered levels."""

    classes: Any
    class_weight: Any

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # scikit-learn's checks score on blobs in a triangle, which a linear scale cannot order.
        tags.classifier_tags.poor_score = True
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
        self._check_square(training.X.shape)
        self._gamma = self._gamma_of(training.X, training.weights)
        self._rows = None if precomputed else training.X
        return training, self._kernel_matrix(training.X, training.X)

    def _keep_support(self, training: OrdinalTraining, coefficients: np.ndarray) -> None:
        """Keep the rows whose coefficients are not 0; coefficients of shape (n, n_functions)."""
        self._labels, self._observed = training.labels, training.observed
        self.classes_ = training.classes
        self.support_ = np.flatnonzero(np.any(coefficients != 0, axis=1))
        self.dual_coef_ = np.ascontiguousarray(coefficients[self.support_])
        if self._rows is not None:
            self._rows = self._rows[self.support_]

    def _decode(self, ranks: np.ndarray, X: Any) -> Any:
        return decode_ranks(self._labels, self._observed, ranks, X)
