"""Multi-class Gaussian-process classification as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from dataclasses import replace
from numbers import Integral

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process.kernels import ConstantKernel, Kernel
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from autotype.models.gp_hyperparameters import spread_sample
from autotype.models.gp_multiclass_model import (
    ExactMulticlass,
    WeightSpaceMulticlass,
    fit_exact,
    fit_weight_space_multiclass,
)
from autotype.models.gp_weight_space import LinearFeatures, NystromFeatures
from autotype.models.kernels import KERNEL_NAMES, feature_relevance, named_kernel
from autotype.models.ordinal_labels import OrdinalLabels, read_ordinal_labels

_EXACT_ROWS = 600  # above, other than linear kernels go through Nystrom features
_SHAPE_ROWS = 300  # rows from which a kernel's shape is learnt for Nystrom features
_BIAS_VARIANCE = 25.0  # of the classes' biases beside a linear kernel, as in weight space


class GPMulticlassClassifier(ClassifierMixin, BaseEstimator):
    """Classification into unordered classes with one Gaussian process a class.

    Every class has a latent function with the same Gaussian-process prior, and the softmax of the
    latents gives the probabilities. The kernel is learnt by maximising the evidence.

    Parameters
    ----------
    kernel : {"rbf", "linear", "ard-rbf", "ard-linear"} or Kernel, default="rbf"
        Covariance of each latent function. A name starts on the scale of the features and learns
        its amplitude; a scikit-learn kernel object is taken as it is.
    n_inducing : int, default=100
        Inducing rows of the Nystrom features that stand for the kernel above 600 rows.
    max_iter : int, default=100
        Most iterations of the hyper-parameters' ascent; 0 keeps the start.

    Attributes
    ----------
    classes_ : ndarray of shape (n_levels,)
        Classes; those of a Categorical that never occur in y are kept.
    kernel_ : Kernel
        The kernel with learnt hyper-parameters.
    log_evidence_ : float
        Laplace's approximation of the log marginal likelihood.
    loo_log_likelihood_ : float
        Approximate leave-one-out log predictive probability, summed over the rows.
    n_iter_ : int
        Iterations of the ascent (Newton steps in weight space).
    n_features_in_, feature_names_in_ :
        As everywhere in scikit-learn.

    Notes
    -----
    Exact up to 600 rows, O(L n^3) a Newton step; ``kernel="linear"`` in weight space above as
    many rows as features, O(n (L d)^2); other kernels through Nystrom features, their shape
    learnt from a sample.

    References
    ----------
    Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, sec. 3.5.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 3, 30)[:, None]
    >>> y = np.array(["low", "high", "low"])[np.digitize(x[:, 0], [1, 2])]
    >>> GPMulticlassClassifier().fit(x, y).predict([[0.2], [1.5], [2.8]]).tolist()
    ['low', 'high', 'low']
    """

    _parameter_constraints: dict = {  # noqa: RUF012 - scikit-learn's convention
        "kernel": [StrOptions(set(KERNEL_NAMES)), Kernel],
        "n_inducing": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(self, kernel="rbf", *, n_inducing=100, max_iter=100):
        self.kernel = kernel
        self.n_inducing = n_inducing
        self.max_iter = max_iter

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y):
        """Learn the kernel and the posterior of the latent functions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Labels of any kind.

        Returns
        -------
        GPMulticlassClassifier
            The estimator itself.

        Raises
        ------
        ValueError
            Where labels are missing or all rows are of one class.

        Warns
        -----
        ConvergenceWarning
            Where the posterior or the hyper-parameters did not settle, with the cause.
        """
        if y is None:
            raise ValueError("fit requires y to be passed, but the target y is None")
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self._labels, codes = read_class_labels(y)
        if len(codes) != len(X):
            raise ValueError(
                f"X has {len(X)} rows but y has {len(codes)} labels; they must agree row by row"
            )
        self.classes_ = self._labels.classes
        named = isinstance(self.kernel, str)
        self._centre = X.mean(axis=0) if named else np.zeros(X.shape[1])
        X = X - self._centre
        self._model = self._fit_latents(X, codes)
        self.kernel_ = self._model.kernel
        self.log_evidence_ = self._model.log_evidence
        self.loo_log_likelihood_ = self._model.loo_log_likelihood
        self.n_iter_ = self._model.n_iter
        if self._model.trouble:
            warnings.warn(
                f"{type(self).__name__}: {self._model.trouble}", ConvergenceWarning, stacklevel=2
            )
        return self

    def _fit_latents(
        self, X: np.ndarray, codes: np.ndarray
    ) -> ExactMulticlass | WeightSpaceMulticlass:
        levels = len(self.classes_)
        kernel = self._start(X)
        if len(X) <= _EXACT_ROWS and not (self.kernel == "linear" and X.shape[1] < len(X)):
            return fit_exact(kernel, X, codes, levels, max_iter=self.max_iter)
        if self.kernel == "linear" and X.shape[1] < len(X):
            scale = float(np.sqrt(kernel.k1.k1.constant_value))
            features = LinearFeatures(np.full(X.shape[1], scale))
            fitted = fit_weight_space_multiclass(kernel, features, X, codes, levels)
            learnt = np.log(fitted.fit.weight_variance) + kernel.theta
            return replace(fitted, kernel=kernel.clone_with_theta(learnt))
        rows = spread_sample(X, codes, _SHAPE_ROWS)
        part = fit_exact(kernel, X[rows], codes[rows], levels, max_iter=self.max_iter)
        inducing = spread_sample(X, np.zeros(len(X), dtype=int), self.n_inducing)
        nystrom = NystromFeatures(part.kernel, X[inducing])
        return fit_weight_space_multiclass(part.kernel, nystrom, X, codes, levels)

    def _start(self, X: np.ndarray) -> Kernel:
        if not isinstance(self.kernel, str):
            return self.kernel
        base = named_kernel(self.kernel, X, np.ones(len(X)))
        if self.kernel == "ard-linear":
            return base + ConstantKernel(_BIAS_VARIANCE, "fixed")
        if self.kernel == "linear":
            start = base.k1.constant_value
            amplitude = ConstantKernel(start, (start * 1e-6, start * 1e4))
            return amplitude * base.k2 + ConstantKernel(_BIAS_VARIANCE, "fixed")
        return ConstantKernel(4.0, (1e-3, 1e3)) * base

    @property
    def relevance_(self):
        """Relevance of each feature with an ARD kernel; None with others."""
        check_is_fitted(self)
        return feature_relevance(self.kernel_)

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
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False) - self._centre
        return self._model.probabilities(X)

    def predict(self, X):
        """Predict the most probable class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray, Categorical or Series of length n_samples
            Labels of the kind that `fit` was given: a Series only where X is a frame, whose index
            it takes over.
        """
        codes = self.predict_proba(X).argmax(axis=1)
        return self._labels.decode(codes, X)


def read_class_labels(y) -> tuple[OrdinalLabels, np.ndarray]:
    """Read a target of unordered classes: any labels, a Categorical's categories as they are."""
    dtype = getattr(y, "dtype", None)
    if not isinstance(dtype, pd.CategoricalDtype):
        return read_ordinal_labels(y, "sorted")
    labels, codes = read_ordinal_labels(y, list(dtype.categories))
    return replace(labels, dtype=dtype), codes
