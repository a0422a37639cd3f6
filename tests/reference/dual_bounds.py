"""Bounds of the dual variables of linear NPSVOR, written out."""

from __future__ import annotations

from typing import Any

import numpy as np


def dual_bounds(problem: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper bounds of the signed dual variables: shape (n, n_columns) each."""
    lower = np.zeros((len(problem.ranks), len(problem.ranks_of_columns)))
    upper = lower.copy()
    for i, rank in enumerate(problem.ranks):
        for k, of_column in enumerate(problem.ranks_of_columns):
            cost = problem.own_costs[i] if rank == of_column else problem.other_costs[i]
            if problem.squared:
                cost = np.inf if cost > 0 else 0.0
            if rank >= of_column:
                upper[i, k] = cost
            if rank <= of_column:
                lower[i, k] = -cost
    return lower, upper
