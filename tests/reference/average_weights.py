"""Slow twins of the ensemble's weights and ranges."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize


def best_weights(distributions: list[np.ndarray], ranks: np.ndarray, weights: np.ndarray):
    """Minimise the ranked probability score of the average, by a general solver."""
    true = np.eye(distributions[0].shape[1])[ranks].cumsum(axis=1)
    cumulative = np.array([p.cumsum(axis=1) for p in distributions])

    def score(w: np.ndarray) -> float:
        return float(weights @ ((np.tensordot(w, cumulative, 1) - true) ** 2).sum(axis=1))

    k = len(distributions)
    simplex = {"type": "eq", "fun": lambda w: w.sum() - 1}
    found = minimize(
        score,
        np.full(k, 1 / k),
        bounds=[(0, 1)] * k,
        constraints=simplex,
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return found.x, found.fun


def best_recalibration(probabilities: np.ndarray, ranks: np.ndarray, weights: np.ndarray):
    """Search the logarithms of a factor and of each cut's odds ratio, without derivatives."""
    n, n_cuts = len(ranks), probabilities.shape[1] - 1
    cumulative = probabilities.cumsum(axis=1)[:, :-1]
    true = ranks[:, None] <= np.arange(n_cuts)
    plain = float(weights @ ((cumulative - true) ** 2).mean(axis=1))

    def score(logs: np.ndarray) -> float:
        odds = (cumulative / (1 - cumulative)) ** np.exp(logs[0]) * np.exp(logs[1:])
        errors = weights @ ((odds / (1 + odds) - true) ** 2).mean(axis=1)
        return float(errors / plain + 40 / n * logs[0] ** 2 + 80 / n * (logs[1:] ** 2).mean())

    bounds = [(-np.log(2), np.log(2))] * (1 + n_cuts)
    options = {"xatol": 1e-8, "fatol": 1e-14, "maxiter": 20_000, "maxfev": 20_000}
    start = np.zeros(1 + n_cuts)
    found = minimize(score, start, bounds=bounds, method="Nelder-Mead", options=options)
    return float(np.exp(found.x[0])), found.x[1:]


def nested_range(probabilities: np.ndarray, limit: float) -> tuple[int, int]:
    """Grow one row's range from the median level while the mass before a level is in the limit."""
    low = high = int((probabilities.cumsum()[:-1] < 0.5).sum())
    last = len(probabilities) - 1
    while (low, high) != (0, last) and probabilities[low : high + 1].sum() <= limit:
        below = probabilities[low - 1] if low > 0 else -1
        above = probabilities[high + 1] if high < last else -1
        low, high = (low - 1, high) if below >= above else (low, high + 1)
    return low, high
