"""What the kernel support-vector estimators share: labels in, and the kernel between their rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from autotype.estimators import kernel_expansion
from autotype.estimators.kernel_expansion import KernelExpansion
from autotype.svm.ordinal_predictor import LABEL_CONSTRAINTS, OrdinalPredictor
from autotype.svm.ordinal_training import OrdinalTraining, read_training

KERNEL_CONSTRAINTS: dict = {**kernel_expansion.KERNEL_CONSTRAINTS, **LABEL_CONSTRAINTS}


class KernelOrdinalEstimator(KernelExpansion, OrdinalPredictor):
    """Base of the kernel classifiers of ordered levels."""

    classes: Any
    class_weight: Any

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
        self._keep_labels(training)
        kept = np.flatnonzero(np.any(coefficients != 0, axis=1))
        self.support_ = training.rows[kept]
        self.dual_coef_ = np.ascontiguousarray(coefficients[kept])
        if self._rows is not None:
            self._rows = self._rows[kept]
