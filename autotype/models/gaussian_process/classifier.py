"""The base of both Gaussian-process classifiers: reading the training data, and prediction."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process.kernels import Kernel
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from autotype.models.gaussian_process import kernels
from autotype.models.magnitudes import read_features
from autotype.models.training import LevelClassifier, read_training

# Warnings of a fit that stopped early; the number of iterations is put in.
NEWTON_STOPPED = "Newton's method did not settle in {} steps; rescale the features"
EP_STOPPED = "expectation propagation did not settle in {} sweeps; rescale the features"
ASCENT_STOPPED = (
    "the hyper-parameters did not reach the evidence's maximum in max_iter={} iterations; "
    "raise max_iter or rescale the features"
)

KernelOption = Annotated[Any, StrOptions(set(kernels.KERNEL_NAMES)), Kernel, callable]

_ROUNDING = 1e-14  # of a feature's magnitude: a spread below it is none


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


class GPClassifier(LevelClassifier):
    """Base of the Gaussian-process classifiers, which differ in their labels and their model."""

    kernel: Any
    max_iter: int
    _model: Any
    decision: Any = "mode"  # a parameter of ordinal classifiers

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the hyper-parameters and the posterior of the latent functions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Labels. Those of an ordinal classifier have an order: an ordered Categorical, numbers,
            or strings with `classes`.
        sample_weight : array-like of shape (n_samples,), optional
            Factors of the rows' log likelihoods; a row of weight 2 acts as two equal rows.

        Returns
        -------
        GPClassifier
            The estimator itself.

        Raises
        ------
        ValueError
            Where labels have no order but need one, or are missing, rows of positive
            weight are of one class, or features or weights cannot be computed with: NaN, infinite,
            negative weights, or magnitudes other than 0 and those between 1e-75 and 1e75, for which
            the error names the feature. `predict` refuses larger ones too. Also where a callable
            kernel is not of the rows' shape.

        Warns
        -----
        ConvergenceWarning
            Where the posterior or the hyper-parameters did not settle, with the cause.
        """
        X, codes, weight = self._read_training(X, y, sample_weight)
        with _checked_numbers(weight):
            model = self._fit_model(X, codes, weight)
        self._keep(model, weight)
        return self

    @abstractmethod
    def _fit_model(self, X: np.ndarray, codes: np.ndarray, weight: np.ndarray) -> FittedLatent:
        """Choose between exact rows, linear features and Nystrom features, and fit."""

    def __sklearn_tags__(self) -> Any:
        """Return the tags: a function may take NaN."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._is_function
        # How well three blobs in a triangle are told apart depends on the kernel given.
        tags.classifier_tags.poor_score = self._is_function
        return tags

    @property
    def _named(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel in kernels.KERNEL_NAMES

    @property
    def _is_function(self) -> bool:
        """Whether the kernel is a function, not one of scikit-learn's kernels, callable too."""
        return callable(self.kernel) and not isinstance(self.kernel, Kernel)

    @property
    def _finite(self) -> str | bool:
        """Which rows the kernel takes, as `ensure_all_finite` of scikit-learn says it."""
        return "allow-nan" if self._is_function else True

    def _start_kernel(self, X: np.ndarray, weight: np.ndarray) -> Kernel:
        """Return the kernel to start from, as an object; X are the rows as read."""
        if isinstance(self.kernel, Kernel):
            return self.kernel
        return kernels.named_kernel(self.kernel, X, weight) if self._named else self._given_kernel

    def _read_training(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Check the training data; return features, codes and weights where these are positive."""
        training = read_training(
            self,
            X,
            y,
            sample_weight=sample_weight,
            min_samples=2,
            ensure_all_finite=self._finite,
        )
        self._labels = training.labels
        self.classes_ = training.labels.classes
        X, codes, weight = training.X, training.observed[training.ranks], training.weights
        if not self._named:  # the user's own, on the user's scale
            self._centre = np.zeros(X.shape[1])
            if self._is_function:
                self._given_kernel = kernels.covariance(kernels.FunctionKernel(self.kernel), X)
            return X, codes, weight
        # A named kernel starts on the scale of centred features.
        self._centre = np.average(X, axis=0, weights=weight)
        centred = X - self._centre
        # What rounding leaves of a constant is no feature.
        magnitude = np.maximum(np.abs(X).max(axis=0), np.abs(self._centre))
        centred[:, np.ptp(X, axis=0) <= _ROUNDING * magnitude] = 0.0
        return centred, codes, weight

    def _keep(self, model: FittedLatent, weight: np.ndarray) -> None:
        """Set the attributes of a fit, and pass its warning on to the caller of `fit`."""
        if not np.isfinite([model.log_evidence, model.loo_log_likelihood]).all():
            raise _infinite_posterior(weight)
        self._model = model
        self.kernel_ = model.kernel
        self.log_evidence_ = model.log_evidence
        self.loo_log_likelihood_ = model.loo_log_likelihood
        self.relevance_ = kernels.feature_relevance(model.kernel)
        self.n_iter_ = model.n_iter
        if model.warning is not None:
            warnings.warn(
                f"{type(self).__name__}: {model.warning}", ConvergenceWarning, stacklevel=4
            )

    def _centred(self, X: Any) -> np.ndarray:
        """Check new rows and centre them as those of the fit."""
        check_is_fitted(self)
        finite = self._finite
        X = read_features(self, X, reset=False, dtype=np.float64, ensure_all_finite=finite)
        return X - self._centre

    def predict_proba(self, X: Any) -> np.ndarray:
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


@contextmanager
def _checked_numbers(weight: np.ndarray) -> Iterator[None]:
    """Fit without warnings of overflow; raise ValueError where a matrix has no Cholesky factor."""
    try:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):  # `_keep` checks them
            yield
    except np.linalg.LinAlgError as error:
        raise _infinite_posterior(weight) from error


def _infinite_posterior(weight: np.ndarray) -> ValueError:
    """Explain a posterior that is not finite, with the remedy."""
    largest = weight.max()
    remedy = "rescale the features, or hold the noise or the kernel's hyper-parameters"
    if largest > 1:
        remedy = (
            f"sample weights as large as {largest:g} make the posterior narrower than rounding; "
            "divide them by a common factor"
        )
    return ValueError(f"the posterior is not finite: {remedy}")
