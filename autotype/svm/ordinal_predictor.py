"""What the support-vector ordinal estimators share: labels in and out, scores and constraints."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import StrOptions

from autotype.svm.ordinal_training import OrdinalTraining

LABEL_CONSTRAINTS: dict = {
    "classes": [None, "array-like", StrOptions({"sorted"})],
    "class_weight": [None, dict, StrOptions({"balanced"})],
}


class OrdinalPredictor(ClassifierMixin, BaseEstimator):
    """Base of the estimators that predict ranks and score them."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # scikit-learn's checks score on three blobs in a triangle, which no scale orders.
        tags.classifier_tags.poor_score = True
        return tags

    def decision_function(self, X):
        """Score the ranks; the largest score is that of the rank predicted.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between them and the training rows where it is precomputed.

        Returns
        -------
        ndarray of shape (n_samples, n_ranks), or (n_samples,) with two ranks
            With two ranks, positive for the higher one.
        """
        return self._scores(X)

    def predict(self, X):
        """Predict labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between them and the training rows where it is precomputed.

        Returns
        -------
        ndarray, Categorical or Series of length n_samples
            Labels of the kind that `fit` was given: a Series only where X is a frame, whose index
            it takes over.
        """
        ranks = self._ranks(X)
        return self._labels.decode(self._observed[ranks], X)

    @abstractmethod
    def _scores(self, X: Any) -> np.ndarray:
        """Score the ranks: shape (n, n_ranks), or (n,) with two."""

    @abstractmethod
    def _ranks(self, X: Any) -> np.ndarray:
        """Predict ranks among the observed levels: shape (n,)."""

    def _keep_labels(self, training: OrdinalTraining) -> None:
        """Remember how to turn ranks back into labels."""
        self._labels, self._observed = training.labels, training.observed
        self.classes_ = training.classes
