"""Decide on a rank from the probabilities of all ranks."""

from __future__ import annotations

import numpy as np

DECISIONS = ("mode", "median", "mean")


def decide_ranks(probabilities: np.ndarray, decision: str) -> np.ndarray:
    """Return the rank of each row that minimises an expected error.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_levels)
        Probabilities of the ranks; rows sum to 1.
    decision : {"mode", "median", "mean"}
        The most probable rank, of the fewest errors; the median, of the least absolute error; or
        the mean rounded to a rank, of the least squared error.

    Returns
    -------
    ndarray of int, shape (n,)
        Ranks 0 .. n_levels - 1.

    Examples
    --------
    >>> [decide_ranks(np.array([[0.1, 0.2, 0.3, 0.4]]), name).item() for name in DECISIONS]
    [3, 2, 2]
    """
    if decision == "mode":
        return probabilities.argmax(axis=1)
    if decision == "median":
        return (probabilities.cumsum(axis=1)[:, :-1] < 0.5).sum(axis=1)
    mean = probabilities @ np.arange(probabilities.shape[1])
    return np.rint(mean).astype(np.intp)
