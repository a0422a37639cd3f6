"""From a latent value and thresholds to a rank."""

from __future__ import annotations

import numpy as np


def threshold_ranks(latent: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """Count the thresholds below each value: ranks 0 .. n_levels - 1, shape (n,)."""
    return (latent[:, None] > thresholds).sum(axis=1)


def threshold_scores(latent: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """Score the ranks so that the predicted one has the largest score.

    The score of rank k is the sum of the k largest f - b_j, which grows as long as another one is
    positive; with two ranks, f - b alone.

    Returns
    -------
    ndarray of shape (n, n_levels), or (n,) with two levels

    Examples
    --------
    >>> threshold_scores(np.array([0.5]), np.array([0.0, 1.0]))
    array([[0. , 0.5, 0. ]])
    """
    if len(thresholds) == 1:
        return latent - thresholds[0]
    above = latent[:, None] - np.sort(thresholds)
    return np.hstack([np.zeros((len(latent), 1)), np.cumsum(above, axis=1)])
