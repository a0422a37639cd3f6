"""The loss of boosted trees on cumulative splits, and the step that lowers it, written out."""

from __future__ import annotations

import numpy as np


def loss(raw: np.ndarray, ranks: np.ndarray) -> float:
    """Sum the log losses of being above each cut; `raw` are log odds, shape (n, n_cuts)."""
    above = ranks[:, None] > np.arange(raw.shape[1])
    return float(np.log1p(np.exp(np.where(above, -raw, raw))).sum())


def gradient(raw: np.ndarray, ranks: np.ndarray, step: float = 1e-5) -> np.ndarray:
    """Differentiate the loss by finite differences, in each of its log odds."""
    slopes = np.empty_like(raw)
    for place in np.ndindex(raw.shape):
        moved = np.zeros_like(raw)
        moved[place] = step
        slopes[place] = (loss(raw + moved, ranks) - loss(raw - moved, ranks)) / (2 * step)
    return slopes


def leaf_steps(
    raw: np.ndarray, ranks: np.ndarray, leaves: np.ndarray, penalty: float
) -> np.ndarray:
    """Return Newton's step of the constant of each leaf, for each log odds."""
    slopes = gradient(raw, ranks)
    odds = 1 / (1 + np.exp(-raw))
    steps = np.empty_like(raw)
    for leaf in np.unique(leaves):
        inside = leaves == leaf
        curvature = (odds * (1 - odds))[inside].sum()
        steps[inside] = -slopes[inside].sum() / (curvature + penalty)
    return steps
