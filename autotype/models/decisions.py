"""Decide on a rank from the probabilities of all ranks."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from sklearn.utils._param_validation import StrOptions

DECISIONS = ("mode", "median", "mean")
Decision = Annotated[Any, StrOptions(set(DECISIONS)), "array-like"]


def decide_ranks(probabilities: np.ndarray, decision: Any) -> np.ndarray:
    """Return the rank of each row that minimises an expected error.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_levels)
        Probabilities of the ranks; rows sum to 1.
    decision : {"mode", "median", "mean"} or array-like of shape (n_levels, n_levels)
        The most probable rank, of the fewest errors; the median, of the least absolute error; the
        mean rounded to a rank, of the least squared error; or the cost of deciding on the rank of
        the column where that of the row is true.

    Returns
    -------
    ndarray of int, shape (n,)
        Ranks 0 .. n_levels - 1.

    Raises
    ------
    ValueError
        If the costs are not finite, or not of this shape.

    Examples
    --------
    >>> [decide_ranks(np.array([[0.1, 0.2, 0.3, 0.4]]), name).item() for name in DECISIONS]
    [3, 2, 2]
    """
    if not isinstance(decision, str):
        costs, n_levels = np.asarray(decision, dtype=float), probabilities.shape[1]
        if costs.shape != (n_levels, n_levels) or not np.isfinite(costs).all():
            raise ValueError(
                f"decision must be one of {DECISIONS} or a matrix of finite costs, a row for each "
                f"of the {n_levels} true levels and a column for each decision, got the shape "
                f"{costs.shape}"
            )
        return (probabilities @ costs).argmin(axis=1)
    if decision == "mode":
        return probabilities.argmax(axis=1)
    if decision == "median":
        return (probabilities.cumsum(axis=1)[:, :-1] < 0.5).sum(axis=1)
    mean = probabilities @ np.arange(probabilities.shape[1])
    return np.rint(mean).astype(np.intp)
