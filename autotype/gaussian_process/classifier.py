"""The base of both Gaussian-process classifiers: reading the training data, and prediction."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process.kernels import Kernel
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from autotype.estimators.targets import OrdinalLabels
from autotype.gaussian_process.kernels import feature_relevance

# Warnings of a fit that stopped early; the number of iterations is put in.
NEWTON_STOPPED = "Newton's method did not settle in {} steps; rescale the features"
EP_STOPPED = "expectation propagation did not settle in {} sweeps; rescale the features"
ASCENT_STOPPED = (
    "the hyper-parameters did not reach the evidence's maximum in max_iter={} iterations; "
    "raise max_iter or rescale the features"
)


@dataclass(frozen=True, kw_only=True)
class FittedLatent(ABC):
    """A fitted latent model.

    Attributes
    ----------
    kernel : Kernel
        With its learned hyper-parameters.
    log_evidence : float
        Log marginal likelihood, on the observed levels.
    loo_log_likelihood : float
        Sum of the rows' leave-one-out log predictive probabilities, weighted.
    n_iter : int
        Iterations of the hyper-parameters' ascent, or Newton steps.
    warning : str or None
        Why the fit may not be at its best.
    """

    kernel: Kernel
    log_evidence: float
    loo_log_likelihood: float
    n_iter: int
    warning: str | None

    @abstractmethod
    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Predictive probabilities of the levels, shape (m, n_levels)."""


class GPClassifier(ClassifierMixin, BaseEstimator):
    """Base of the Gaussian-process classifiers; `fit` is theirs."""

    kernel: Any
    max_iter: int

    def _read_training(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        read_labels: Callable[[Any], tuple[OrdinalLabels, np.ndarray]],
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Check the training data; return features, codes and weights where these are positive."""
        if y is None:
            raise ValueError("fit requires y to be passed, but the target y is None")
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self._labels, codes = read_labels(y)
        if len(codes) != len(X):
            raise ValueError(
                f"X has {len(X)} rows but y has {len(codes)} labels; they must agree row by row"
            )
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        used = weight > 0
        X, codes, weight = X[used], codes[used], weight[used]
        n_used = len(np.unique(codes))
        if n_used < 2:
            raise ValueError(
                f"rows of positive sample_weight hold {n_used} class(es), at least 2 are needed"
            )
        self.classes_ = self._labels.classes
        # A named kernel starts on the scale of centred features; an object is the user's own.
        named = isinstance(self.kernel, str)
        self._centre = np.average(X, axis=0, weights=weight) if named else np.zeros(X.shape[1])
        return X - self._centre, codes, weight

    def _keep(self, model: FittedLatent) -> None:
        """Set the attributes of a fit, and pass its warning on to the caller of `fit`."""
        self._model = model
        self.kernel_ = model.kernel
        self.log_evidence_ = model.log_evidence
        self.loo_log_likelihood_ = model.loo_log_likelihood
        self.relevance_ = feature_relevance(model.kernel)
        self.n_iter_ = model.n_iter
        if model.warning is not None:
            warnings.warn(
                f"{type(self).__name__}: {model.warning}", ConvergenceWarning, stacklevel=4
            )

    def _centred(self, X: Any) -> np.ndarray:
        """Check new rows and centre them as those of the fit."""
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False) - self._centre

    def predict_proba(self, X):
        """Predict the probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, n_levels)
            Columns as in `classes_`; rows sum to 1.
        """
        features = self._centred(X)
        return self._model.probabilities(features)

    def predict(self, X):
        """Predict the most probable class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray, Categorical or Series of length n_samples
            Labels of the kind passed to `fit`: a Series only where X is a frame, whose index it
            takes over.
        """
        codes = self.predict_proba(X).argmax(axis=1)
        return self._labels.decode(codes, X)
