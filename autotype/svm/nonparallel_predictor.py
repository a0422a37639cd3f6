"""From the values of the ranks' hyperplanes to a rank: the two predictors of NPSVOR.

Equations are those of Shi, Wang, Shen and Niu, A novel large-scale ordinal regression model.
"""

from __future__ import annotations

from numbers import Real

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

NPSVOR_CONSTRAINTS: dict = {
    "C": [Interval(Real, 0, None, closed="neither")],
    "C1": [None, Interval(Real, 0, None, closed="neither")],
    "C2": [None, Interval(Real, 0, None, closed="neither")],
    "epsilon": [Interval(Real, 0, None, closed="left")],
    "predictor": [StrOptions({"ordered", "nearest"})],
}


def ranks_of(values: np.ndarray, predictor: str) -> np.ndarray:
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
    >>> ranks_of(np.array([[1.0, 0.2, -0.9]]), "ordered")
    array([1])
    """
    if predictor == "nearest":
        return np.abs(values).argmin(axis=1)  # NPSVOR eq. (5)
    return (values[:, :-1] + values[:, 1:] > 0).sum(axis=1)  # NPSVOR eqs. (35), (36)


def scores_of(values: np.ndarray, predictor: str) -> np.ndarray:
    """Score the ranks so that the predicted one has the largest score.

    Parameters
    ----------
    values : ndarray of shape (n, n_ranks)
        f_k(x) for each rank k.
    predictor : {"ordered", "nearest"}
        Eq. (36) or eq. (5).

    Returns
    -------
    ndarray of shape (n, n_ranks), or (n,) with two ranks, positive for the higher one

    Notes
    -----
    For "ordered", the score of rank k is the sum of the k largest g: it grows as long as another g
    is positive, so that its maximum is at the number of positive ones, eq. (36).
    """
    if values.shape[1] == 2:
        if predictor == "nearest":
            return np.abs(values[:, 0]) - np.abs(values[:, 1])
        return values[:, 0] + values[:, 1]
    if predictor == "nearest":
        return -np.abs(values)
    between = values[:, :-1] + values[:, 1:]  # NPSVOR eq. (35)
    largest_first = -np.sort(-between, axis=1)
    start = np.zeros((len(values), 1), dtype=values.dtype)
    return np.hstack([start, np.cumsum(largest_first, axis=1)])
