"""Base classes of the support-vector ordinal estimators.

Five estimators differ in their objective, but read data, decode labels, predict and warn alike.
They are put together from two choices: linear or kernel (the bases here), and one function for each
rank or one function with thresholds (`NonparallelSVM` and `ThresholdSVM`).

Decision rules lead from function values of a row to its rank, and to scores of all ranks. NPSVOR
has a function for each rank (equations are those of Shi, Wang, Shen and Niu, A novel large-scale
ordinal regression model); threshold models have one latent function and thresholds.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted

from autotype.models import parameters
from autotype.models.magnitudes import read_features
from autotype.models.svm.solvers.solution import Solution, relative_gap
from autotype.models.training import LevelClassifier, TrainingData, read_training

Loss = Literal["hinge", "squared_hinge"]
Predictor = Literal["ordered", "nearest"]

_FLOATS = [np.float64, np.float32]  # both kept as they are: float32 saves a third of the time


@parameters.estimator(kw_only=True)
class OrdinalSVM(LevelClassifier):
    """Base of the support-vector classifiers of ordered levels."""

    classes: parameters.Levels = None
    class_weight: parameters.ClassWeight = None
    _reading: ClassVar[Any]  # how features are read, as options of `read_features`

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # scikit-learn's checks score on three blobs in a triangle, which no scale orders.
        tags.classifier_tags.poor_score = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between the rows if it is precomputed.
        y : array-like of shape (n_samples,)
            Labels: an ordered Categorical, numbers, or strings with `classes`.
        sample_weight : array-like of shape (n_samples,), optional
            Factors of the costs, >= 0; a row of weight 2 acts as two equal rows.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ValueError
            If labels have no order or are missing, rows of positive weight are of one class, or
            features or weights cannot be computed with: NaN, infinite, negative weights, or
            magnitudes other than 0 and those between 1e-75 and 1e75, for which the error names the
            feature. `predict` refuses larger ones too.

        Warns
        -----
        ConvergenceWarning
            If `max_iter` iterations did not reach `tol`, with the duality gap.
        """
        limit = self._solve(self._read(X, y, sample_weight))
        if limit:
            warnings.warn(
                f"{type(self).__name__} stopped at {limit} with a relative duality gap of "
                f"{np.max(self.dual_gap_):.2g}; increase max_iter or tol, or scale the features",
                ConvergenceWarning,
                stacklevel=3,  # the caller of scikit-learn's wrapper of this method
            )
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Compute scores of the ranks; the predicted rank has the largest.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between them and the training rows if it is precomputed.

        Returns
        -------
        ndarray of shape (n_samples, n_ranks), or (n_samples,) with two ranks
            With two ranks, positive for the higher one.
        """
        return self._scores(X)

    def predict(self, X: Any) -> Any:
        """Predict labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between them and the training rows if it is precomputed.

        Returns
        -------
        ndarray, Categorical or Series of length n_samples
            Labels of the kind passed to `fit`; a Series, with the index of X, only if X is a frame.
        """
        ranks = self._ranks(X)
        return self._labels.decode(self._observed[ranks], X)

    @property
    def _keeps_all_rows(self) -> bool:
        """Whether rows of weight 0 stay, so that row numbers of X remain valid."""
        return False

    @abstractmethod
    def _solve(self, training: TrainingData) -> str | None:
        """Solve the optimisation problem and set the fitted attributes.

        Returns
        -------
        str or None
            The limit that ended it before convergence, such as "max_iter=5 passes".
        """

    @abstractmethod
    def _functions(self, X: Any) -> np.ndarray:
        """Evaluate the fitted functions: shape (n,), or (n, n_functions)."""

    @abstractmethod
    def _scores(self, X: Any) -> np.ndarray:
        """Compute scores of the ranks: shape (n, n_ranks), or (n,) with two."""

    @abstractmethod
    def _ranks(self, X: Any) -> np.ndarray:
        """Predict ranks among the observed levels: shape (n,)."""

    def _read(self, X: Any, y: Any, sample_weight: Any) -> TrainingData:
        """Check the training data."""
        return read_training(
            self,
            X,
            y,
            sample_weight=sample_weight,
            class_weight=self.class_weight,
            keep_all_rows=self._keeps_all_rows,
            **self._reading,
        )

    def _keep_labels(self, training: TrainingData) -> None:
        """Store what decodes ranks as labels."""
        self._labels, self._observed = training.labels, training.observed
        self.classes_ = training.classes

    def _keep(self, training: TrainingData, solution: Solution, limit: str) -> str | None:
        """Store what all solutions have; return the limit if it ended the solver."""
        self._keep_labels(training)
        self.n_iter_: Any = max(solution.n_iter, 1)
        self.dual_gap_ = relative_gap(solution.primal, solution.dual)
        return None if solution.converged else limit


@parameters.estimator(kw_only=True)
class LinearOrdinalSVM(OrdinalSVM):
    """Base of the linear classifiers, which visit the rows in random order."""

    loss: Loss = "hinge"
    tol: parameters.PositiveFloat = 0.1
    max_iter: parameters.PositiveInt = 1000
    random_state: parameters.RandomState = 0
    _reading = {"accept_sparse": "csr", "dtype": _FLOATS}  # noqa: RUF012 - not changed

    def _seed(self) -> int:
        """Draw the seed of the order in which rows are visited."""
        if isinstance(self.random_state, Integral):  # a generator takes longer than a small fit
            return int(self.random_state)
        return check_random_state(self.random_state).randint(np.iinfo(np.int32).max)

    def _functions(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = read_features(self, X, reset=False, **self._reading)
        return safe_sparse_dot(X, self.coef_.T, dense_output=True)


def as_csr(X: Any) -> Any:
    """Convert features to CSR, sparse ones without a copy."""
    if sparse.issparse(X) or not X.all() or X.size > np.iinfo(np.int32).max:
        return sparse.csr_matrix(X)
    n, m = X.shape
    features = np.tile(np.arange(m, dtype=np.int32), n)
    row_starts = np.arange(0, X.size + 1, m, dtype=np.int32)
    return sparse.csr_matrix((X.reshape(-1), features, row_starts), shape=X.shape)


class NonparallelSVM(OrdinalSVM):
    """Base of the classifiers with a function f_k for each rank k.

    `_functions` evaluates f_k less `intercept_`.
    """

    predictor: Predictor
    intercept_: np.ndarray

    def decision_values(self, X: Any) -> np.ndarray:
        """Evaluate the function of each rank, f_k(x) = w_k'x + b_k.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between them and the training rows if it is precomputed.

        Returns
        -------
        ndarray of shape (n_samples, n_ranks)
            Near 0 if the row fits the rank, positive above it, negative below.
        """
        return self._functions(X) + self.intercept_

    def _scores(self, X: Any) -> np.ndarray:
        return scores_of_planes(self.decision_values(X), self.predictor)

    def _ranks(self, X: Any) -> np.ndarray:
        return ranks_of_planes(self.decision_values(X), self.predictor)


class ThresholdSVM(OrdinalSVM):
    """Base of the classifiers with one latent function and thresholds between the ranks."""

    thresholds_: np.ndarray

    def predict_latent(self, X: Any) -> np.ndarray:
        """Evaluate the latent function.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between them and the training rows if it is precomputed.

        Returns
        -------
        ndarray of shape (n_samples,)
            On the scale of `thresholds_`.
        """
        return np.ravel(self._functions(X))

    def _scores(self, X: Any) -> np.ndarray:
        return _sums_of_largest(self.predict_latent(X)[:, None] - self.thresholds_)

    def _ranks(self, X: Any) -> np.ndarray:
        return (self.predict_latent(X)[:, None] > self.thresholds_).sum(axis=1)


def ranks_of_planes(values: np.ndarray, predictor: str) -> np.ndarray:
    """Predict ranks 0 .. n_ranks - 1.

    Parameters
    ----------
    values : ndarray of shape (n, n_ranks)
        f_k(x) for each rank k.
    predictor : {"ordered", "nearest"}
        Eq. (36) or eq. (5).

    Returns
    -------
    ndarray of int, shape (n,)

    Examples
    --------
    >>> ranks_of_planes(np.array([[1.0, 0.2, -0.9]]), "ordered")
    array([1])
    """
    if predictor == "nearest":
        return np.abs(values).argmin(axis=1)  # NPSVOR eq. (5)
    return (values[:, :-1] + values[:, 1:] > 0).sum(axis=1)  # NPSVOR eqs. (35), (36)


def scores_of_planes(values: np.ndarray, predictor: str) -> np.ndarray:
    """Compute scores of the ranks so that the predicted one has the largest.

    Parameters
    ----------
    values : ndarray of shape (n, n_ranks)
        f_k(x) for each rank k.
    predictor : {"ordered", "nearest"}
        Eq. (36) or eq. (5).

    Returns
    -------
    ndarray of shape (n, n_ranks), or (n,) with two ranks, positive for the higher one
    """
    if predictor == "nearest":
        distance = np.abs(values)
        return -distance if values.shape[1] > 2 else distance[:, 0] - distance[:, 1]
    # In any order of the g of NPSVOR eq. (35), eq. (36) counts the positive ones.
    return _sums_of_largest(values[:, :-1] + values[:, 1:])


def _sums_of_largest(values: np.ndarray) -> np.ndarray:
    """Sum the k largest numbers of each row, for k = 0, 1, ...; a single number stays.

    The sum grows as long as the next number is positive: its maximum is at the number of positive
    ones, which is the predicted rank.

    Examples
    --------
    >>> _sums_of_largest(np.array([[-0.5, 0.5]]))
    array([[0. , 0.5, 0. ]])
    """
    if values.shape[1] == 1:
        return values[:, 0]
    start = np.zeros((len(values), 1), dtype=values.dtype)
    return np.hstack([start, np.cumsum(-np.sort(-values, axis=1), axis=1)])
