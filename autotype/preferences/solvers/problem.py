"""The problem of kernel regression with order preferences, and its objective."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

NO_ROW = -1  # in place of a row: the function that is 0 everywhere


@dataclass(frozen=True)
class PreferenceProblem:
    """Labelled rows, preferences, and what each costs.

    Attributes
    ----------
    K : ndarray of shape (l, m)
        Kernel between the labelled rows and the centres.
    y : ndarray of shape (l,)
        Targets, finite.
    costs : ndarray of shape (l,)
        c_i > 0, of sum 1.
    K_rows : ndarray of shape (r, m)
        Kernel between the rows that preferences speak of and the centres.
    above, below : ndarray of int, shape (p,)
        Rows of `K_rows`, or `NO_ROW`: f(above) - f(below) >= difference.
    difference, weight : ndarray of shape (p,)
        d, finite, and w >= 0.
    epsilon : float
        Half width of the tube without loss, >= 0.
    """

    K: np.ndarray
    y: np.ndarray
    costs: np.ndarray
    K_rows: np.ndarray
    above: np.ndarray
    below: np.ndarray
    difference: np.ndarray
    weight: np.ndarray
    epsilon: float = 0.0

    @property
    def n_preferences(self) -> int:
        """The p of eq. (6)."""
        return len(self.difference)

    @cached_property
    def sides(self) -> np.ndarray:
        """Factor of the intercept in f(above) - f(below): 0, 1 or -1, shape (p,)."""
        return (self.above != NO_ROW).astype(float) - (self.below != NO_ROW)

    def violations(self, coefficients: np.ndarray, intercept: float) -> np.ndarray:
        """max(d - (f(above) - f(below)), 0): shape (p,)."""
        values = np.append(self.K_rows @ coefficients + intercept, 0.0)  # the last is NO_ROW's
        return np.maximum(self.difference - (values[self.above] - values[self.below]), 0.0)

    def objective(
        self, coefficients: np.ndarray, intercept: float, *, lambda1: float, lambda2: float
    ) -> float:
        """Zhu and Goldberg eq. (6)."""
        residuals = np.abs(self.y - self.K @ coefficients - intercept)
        loss = self.costs @ np.maximum(residuals - self.epsilon, 0.0)
        total = loss + lambda1 * np.abs(coefficients).sum()
        if lambda2 and self.n_preferences:
            hinge = self.weight @ self.violations(coefficients, intercept)
            total += lambda2 / self.n_preferences * hinge
        return float(total)
