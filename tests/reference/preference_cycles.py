"""Reference for the search for contradictions: can all preferences hold at once?"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from autotype.models import Preferences


def can_all_hold(preferences: Preferences) -> bool:
    """Return whether values exist, by a linear program that maximises the gap of "larger"."""
    rows = preferences.rows.tolist()
    column = {row: k for k, row in enumerate(rows)}
    larger = (preferences.kind == "order") & (preferences.difference == 0)
    larger &= preferences.above != preferences.below  # a row above itself states nothing
    # Variables: a value for each row, and the gap of "larger": maximise the gap, up to 1.
    A = np.zeros((len(preferences), len(rows) + 1))
    for q, (above, below) in enumerate(zip(preferences.above, preferences.below, strict=True)):
        if above >= 0:
            A[q, column[above]] -= 1
        if below >= 0:
            A[q, column[below]] += 1
    A[larger, -1] = 1
    bounds = [(None, None)] * len(rows) + [(0, 1)]
    result = linprog(
        np.append(np.zeros(len(rows)), -1.0), A_ub=A, b_ub=-preferences.difference, bounds=bounds
    )
    return result.status == 0 and (not larger.any() or -result.fun > 1e-7)
