"""Decision rules: from function values of a row to its rank, and scores of all ranks.

NPSVOR has a function for each rank (equations are those of Shi, Wang, Shen and Niu, A novel
large-scale ordinal regression model); threshold models have one latent function and thresholds.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from autotype.models.svm.base import POSITIVE, OrdinalSVM

COST_CONSTRAINTS: dict[str, Any] = {"C": [POSITIVE], "C1": [None, POSITIVE], "C2": [None, POSITIVE]}


class NonparallelSVM(OrdinalSVM):
    """Base of the classifiers with a function f_k for each rank k.

    `_functions` evaluates f_k less `intercept_`.
    """

    predictor: str
    intercept_: np.ndarray

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OrdinalSVM._parameter_constraints,
        "epsilon": [Interval(Real, 0, None, closed="left")],
        "predictor": [StrOptions({"ordered", "nearest"})],
    }

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
        return scores_of_latent(self.predict_latent(X), self.thresholds_)

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
    between = values[:, :-1] + values[:, 1:]  # NPSVOR eq. (35)
    # In any order of the g, eq. (36) counts the positive ones.
    return between[:, 0] if between.shape[1] == 1 else _sums_of_largest(-np.sort(-between, axis=1))


def scores_of_latent(latent: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """Compute scores of the ranks so that the predicted one has the largest.

    Returns
    -------
    ndarray of shape (n, n_levels), or (n,) with two levels

    Examples
    --------
    >>> scores_of_latent(np.array([0.5]), np.array([0.0, 1.0]))
    array([[0. , 0.5, 0. ]])
    """
    above = latent[:, None] - np.sort(thresholds)  # decreasing along the thresholds
    return above[:, 0] if len(thresholds) == 1 else _sums_of_largest(above)


def _sums_of_largest(decreasing: np.ndarray) -> np.ndarray:
    """Sum the k largest numbers of each row, for k = 0, 1, ...

    The sum grows as long as the next number is positive: its maximum is at the number of positive
    ones, which is the predicted rank.
    """
    start = np.zeros((len(decreasing), 1), dtype=decreasing.dtype)
    return np.hstack([start, np.cumsum(decreasing, axis=1)])
