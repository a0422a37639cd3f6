"""Slow, obvious penalised likelihood of adjacent-rank logits, and its maximum."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import minimize


def probabilities(slope: float, offsets: np.ndarray, differences: np.ndarray) -> np.ndarray:
    """Multiply the odds of neighbours, row by row."""
    rows = []
    for row in differences:
        odds = [1.0]
        for difference, offset in zip(row, offsets, strict=True):
            odds.append(odds[-1] * math.exp(slope * difference + offset))
        rows.append(np.array(odds) / sum(odds))
    return np.array(rows)


def fit(differences: np.ndarray, ranks: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Slope and offsets of the largest penalised log likelihood, by a search without gradients."""
    unit = math.sqrt(weights @ (differences**2).mean(axis=1) / weights.sum())

    def loss(parameters: np.ndarray) -> float:
        slope, offsets = parameters[0], parameters[1:]
        own = probabilities(slope / unit, offsets, differences)[np.arange(len(ranks)), ranks]
        return float(-weights @ np.log(own) + slope**2 / 200 + offsets @ offsets / 2)

    start = np.r_[1.0, np.zeros(differences.shape[1])]
    options = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 10_000, "maxfev": 10_000}
    solution = minimize(loss, start, method="Nelder-Mead", options=options)
    return np.r_[solution.x[0] / unit, solution.x[1:]]
