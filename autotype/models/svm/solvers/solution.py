"""What the solvers return: functions, and how near their dual is to its optimum.

A dual bounds the minimum of its primal problem from below. The gap between the two objectives is
therefore the only stopping measure that needs no knowledge of the optimum, and every estimator
reports it, whichever solver it takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Solution:
    """One function with thresholds, or one function with an intercept for each rank.

    Attributes
    ----------
    coefficients : ndarray of shape (n,) or (n, n_ranks)
        Coefficients of the rows in the kernel solvers, f(x) = sum_i c_i K(x_i, x) + offset; weights
        of the features in the linear one.
    offsets : ndarray of shape (n_levels - 1,) or (n_ranks,)
        Thresholds of the only function, or intercepts of the functions.
    n_iter : int
        Steps or passes; those of the rank that needed most if ranks are solved separately.
    converged : bool
        Whether the stopping rule held within the iterations allowed.
    primal, dual : float or ndarray of shape (n_ranks,)
        Objectives, the dual a lower bound of the primal.
    violation : float or ndarray of shape (n_ranks,)
        Distance from the optimum that the kernel solvers compare with the tolerance.
    """

    coefficients: np.ndarray
    offsets: np.ndarray
    n_iter: int
    converged: bool
    primal: Any
    dual: Any
    violation: Any = np.nan


def relative_gap(primal: Any, dual: Any) -> Any:
    """Compute (primal - dual) / |primal|, which is 0 at the optimum."""
    return (primal - dual) / np.maximum(np.abs(primal), np.finfo(float).tiny)
