"""Gaussian-process ordinal regression as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from functools import partial
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process.kernels import Kernel
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from autotype.estimators.targets import read_ordinal_labels
from autotype.gaussian_process.hyperparameters import DIRECT_ROWS, SMALLEST_NOISE, spread_sample
from autotype.gaussian_process.kernels import (
    KERNEL_NAMES,
    feature_relevance,
    learns_amplitude,
    named_kernel,
)
from autotype.gaussian_process.ordinal_exact import (
    FunctionSpaceModel,
    better_where_noise_is_little,
    fit_function_space,
)
from autotype.gaussian_process.ordinal_features import (
    LinearFeatures,
    NystromFeatures,
    WeightSpaceModel,
    fit_weight_space,
)
from autotype.gaussian_process.solvers.ordinal_ep import ep_posterior, variational_posterior
from autotype.gaussian_process.solvers.ordinal_laplace import laplace_posterior
from autotype.gaussian_process.solvers.ordinal_latent import OrdinalObservations
from autotype.gaussian_process.unobserved_levels import observed_ranks

_EXACT_ROWS = 2_000  # above, other than linear kernels go through Nystrom features
_EXACT_LINEAR_ROWS = 500  # above, linear kernels go to weight space
_SHAPE_ROWS = 800  # rows from which a kernel's shape is learnt for Nystrom features
# In units of the prior's standard deviation: from here on down Laplace's evidence is checked.
_LITTLE_NOISE, _LITTLE_NOISE_OF_MANY = 0.3, 0.1


class GPOrdinalClassifier(ClassifierMixin, BaseEstimator):
    """Ordinal regression with a Gaussian process over a latent scale.

    Each row has a latent value f(x) with a Gaussian-process prior; thresholds cut the latent scale
    into the ranks. Kernel, noise and thresholds are learnt by maximising the evidence, so that
    there is nothing to cross-validate, and predictions come with probabilities.

    Parameters
    ----------
    kernel : {"rbf", "linear", "ard-rbf", "ard-linear"} or Kernel, default="rbf"
        Covariance of the latent function. A name starts on the scale of the features; a
        scikit-learn kernel object is taken as it is, with its start and its bounds.
    inference : {"laplace", "ep"}, default="laplace"
        How the posterior of the latent values is approximated.
    evidence : {"approximate", "variational"}, default="approximate"
        What is maximised: the approximation's own evidence, or, with ``inference="ep"``, the
        variational lower bound.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; text needs it. "sorted" takes the labels' sort order.
    noise : float, default=None
        Standard deviation of the noise on the latent scale; learnt by default (held at 1 where
        the kernel learns its own amplitude, which says the same).
    n_inducing : int, default=100
        Inducing rows of the Nystrom features that stand for the kernel above 2,000 rows.
    max_iter : int, default=100
        Most iterations of the hyper-parameters' ascent; 0 keeps the start.

    Attributes
    ----------
    classes_ : ndarray of shape (n_levels,)
        Levels, lowest first.
    kernel_ : Kernel
        The kernel with learnt hyper-parameters.
    noise_ : float
        Standard deviation of the noise.
    thresholds_ : ndarray of shape (n_levels - 1,)
        Thresholds on the latent scale, increasing.
    log_evidence_ : float
        Approximate log marginal likelihood (or the bound) at the values learnt.
    loo_log_likelihood_ : float
        Approximate leave-one-out log predictive probability, summed over the rows.
    relevance_ : ndarray of shape (n_features,) or None
        With an ARD kernel, how much each feature counts; None with others.
    n_iter_ : int
        Iterations of the ascent (Newton steps in weight space).
    n_features_in_, feature_names_in_ :
        As everywhere in scikit-learn.

    Notes
    -----
    Exact up to 2,000 rows, O(n^3) an evaluation and a handful of them. Above, kernels go through
    Nystrom features, their shape learnt from a sample, and linear kernels are fitted in weight
    space from 500 rows on; both cost O(n m^2) with m features, and take Laplace's approximation
    whatever `inference` says. There the thresholds have a prior, so that evidences of the two
    regimes do not compare.

    References
    ----------
    Chu and Ghahramani (2005), Gaussian processes for ordinal regression, JMLR 6.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 3, 40)
    >>> model = GPOrdinalClassifier().fit(x[:, None], np.digitize(np.sin(x), [0.4, 0.8]))
    >>> model.predict([[0.1], [1.5], [2.4]])
    array([0, 2, 1])
    """

    _parameter_constraints: dict = {  # noqa: RUF012 - scikit-learn's convention
        "kernel": [StrOptions(set(KERNEL_NAMES)), Kernel],
        "inference": [StrOptions({"laplace", "ep"})],
        "evidence": [StrOptions({"approximate", "variational"})],
        "classes": [None, "array-like", StrOptions({"sorted"})],
        "noise": [None, Interval(Real, 0, None, closed="neither")],
        "n_inducing": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        inference="laplace",
        evidence="approximate",
        classes=None,
        noise=None,
        n_inducing=100,
        max_iter=100,
    ):
        self.kernel = kernel
        self.inference = inference
        self.evidence = evidence
        self.classes = classes
        self.noise = noise
        self.n_inducing = n_inducing
        self.max_iter = max_iter

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn kernel, noise and thresholds, and the posterior of the latent function.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Labels: an ordered Categorical, numbers, or text with `classes`.
        sample_weight : array-like of shape (n_samples,), optional
            Factors of the rows' log likelihoods; a row of weight 2 acts as two equal rows.

        Returns
        -------
        GPOrdinalClassifier
            The estimator itself.

        Raises
        ------
        ValueError
            Where labels have no order or are missing, or all rows are of one class.

        Warns
        -----
        ConvergenceWarning
            Where the posterior or the hyper-parameters did not settle, with the cause.
        """
        if self.evidence == "variational" and self.inference != "ep":
            raise ValueError(
                "evidence='variational' bounds the evidence at EP's posterior, got "
                f"inference={self.inference!r}; pass inference='ep' or evidence='approximate'"
            )
        if y is None:
            raise ValueError("fit requires y to be passed, but the target y is None")
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self._labels, ranks = read_ordinal_labels(y, self.classes)
        if len(ranks) != len(X):
            raise ValueError(
                f"X has {len(X)} rows but y has {len(ranks)} labels; they must agree row by row"
            )
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        self.classes_ = self._labels.classes
        self._fit_latent(X, ranks, weight)
        return self

    def _fit_latent(self, X: np.ndarray, ranks: np.ndarray, weight: np.ndarray) -> None:
        used = weight > 0
        X, ranks, weight = X[used], ranks[used], weight[used]
        observed, dense = observed_ranks(ranks, len(self.classes_))
        if len(observed) < 2:
            raise ValueError(
                f"rows of positive sample_weight hold {len(observed)} class(es), "
                "at least 2 are needed"
            )
        named = isinstance(self.kernel, str)
        self._centre = np.average(X, axis=0, weights=weight) if named else np.zeros(X.shape[1])
        X = X - self._centre
        kernel = named_kernel(self.kernel, X, weight) if named else self.kernel
        observations = OrdinalObservations(dense, len(observed), weight)
        linear = self.kernel == "linear" if named else False
        in_weight_space = linear and X.shape[1] < len(X) and self.inference == "laplace"
        if len(X) > (_EXACT_LINEAR_ROWS if in_weight_space else _EXACT_ROWS):
            self._keep(self._fit_many_rows(kernel, X, observations, observed))
        else:
            self._keep(self._fit_exact(kernel, X, observations, observed))

    def _fit_exact(
        self, kernel: Kernel, X: np.ndarray, observations: OrdinalObservations, observed: np.ndarray
    ) -> FunctionSpaceModel:
        fit = partial(
            fit_function_space,
            kernel,
            X,
            observations,
            observed,
            len(self.classes_),
            noise=self.noise,
            max_iter=self.max_iter,
            restart_lengths=isinstance(self.kernel, str),
        )
        variational = self.evidence == "variational"
        sweep = variational_posterior if variational else ep_posterior
        by_ep = partial(
            fit,
            sweep,
            # The evidence is stationary in the sites: its error is of the order of tol squared.
            roughly=partial(sweep, tol=1e-4),
            smallest_noise=0.5 * SMALLEST_NOISE,
        )
        if self.inference == "ep":
            return by_ep(final=ep_posterior if variational else None)
        model = fit(laplace_posterior)
        learns_noise = self.noise is None and not learns_amplitude(kernel) and self.max_iter > 0
        if not learns_noise:
            return model
        little, rows = _LITTLE_NOISE, None
        if len(X) > DIRECT_ROWS:
            # EP on many rows costs several times Laplace: a sample's optimum is near enough.
            little = _LITTLE_NOISE_OF_MANY
            size = max(DIRECT_ROWS // 2, DIRECT_ROWS - 2 * observations.n_levels)
            rows = spread_sample(X, observations.ranks, size)
        other = partial(by_ep, final=laplace_posterior, learn_from=rows)
        return better_where_noise_is_little(model, other, little)

    def _fit_many_rows(
        self, kernel: Kernel, X: np.ndarray, observations: OrdinalObservations, observed: np.ndarray
    ) -> WeightSpaceModel:
        features: LinearFeatures | NystromFeatures
        levels = len(self.classes_)
        if len(kernel.theta) > 0 and self.max_iter > 0:
            rows = spread_sample(X, observations.ranks, _SHAPE_ROWS)
            kernel = self._fit_exact(kernel, X[rows], observations.take(rows), observed).kernel
        relevance = feature_relevance(kernel) if self.kernel == "ard-linear" else None
        if self.kernel == "linear":
            relevance = np.full(X.shape[1], float(kernel.k1.constant_value))
        if relevance is not None and X.shape[1] < len(X):
            features = LinearFeatures(np.sqrt(relevance))
        else:
            inducing = spread_sample(X, np.zeros(len(X), dtype=int), self.n_inducing)
            features = NystromFeatures(kernel, X[inducing])
        return fit_weight_space(kernel, features, X, observations, observed, levels)

    def _keep(self, model: FunctionSpaceModel | WeightSpaceModel) -> None:
        self._model = model
        self.kernel_ = model.kernel
        self.noise_ = model.noise
        self.thresholds_ = model.thresholds
        self.log_evidence_ = model.log_evidence
        self.loo_log_likelihood_ = model.loo_log_likelihood
        self.relevance_ = feature_relevance(model.kernel)
        self.n_iter_ = model.n_iter
        if model.trouble:
            warnings.warn(
                f"{type(self).__name__}: {model.trouble}", ConvergenceWarning, stacklevel=4
            )

    def _features(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False) - self._centre

    def predict_latent(self, X, return_std=False):
        """Predict the latent function.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.
        return_std : bool
            Whether to return the posterior standard deviation too (without the noise).

        Returns
        -------
        mean : ndarray of shape (n_samples,)
            On the scale of `thresholds_`.
        std : ndarray of shape (n_samples,)
            Only with `return_std`.
        """
        features = self._features(X)
        mean, variance = self._model.latent(features)
        return (mean, np.sqrt(variance)) if return_std else mean

    def predict_proba(self, X):
        """Predict the probabilities of the levels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, n_levels)
            Columns as in `classes_`; rows sum to 1.
        """
        features = self._features(X)
        return self._model.probabilities(features)

    def predict(self, X):
        """Predict the most probable level.

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
        ranks = self.predict_proba(X).argmax(axis=1)
        return self._labels.decode(ranks, X)
