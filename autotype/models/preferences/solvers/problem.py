"""The problem of kernel regression with order preferences, and its best constant function.

The best constant tells how large lambda1 has to be for a constant to be optimal, which is where a
grid of lambda1 starts. Its objective is the unit in which a duality gap is judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

NO_ROW = -1  # in place of a row: the function that is 0 everywhere
_ROUNDING = 2e-15  # of a slope, relative to the sum of the sizes of its terms


@dataclass(frozen=True)
class PreferenceProblem:
    """Labelled rows, preferences and their costs.

    Attributes
    ----------
    K : ndarray of shape (l, m)
        Kernel between the labelled rows and the centres.
    y : ndarray of shape (l,)
        Targets, finite.
    costs : ndarray of shape (l,)
        c_i > 0, of sum 1.
    K_rows : ndarray of shape (r, m)
        Kernel between the rows of the preferences and the centres.
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
        """Compute max(d - (f(above) - f(below)), 0): shape (p,)."""
        values = np.append(self.K_rows @ coefficients + intercept, 0.0)  # the last is NO_ROW's
        return np.maximum(self.difference - (values[self.above] - values[self.below]), 0.0)

    def objective(
        self, coefficients: np.ndarray, intercept: float, *, lambda1: float, lambda2: float
    ) -> float:
        """Compute Zhu and Goldberg eq. (6)."""
        residuals = np.abs(self.y - self.K @ coefficients - intercept)
        loss = self.costs @ np.maximum(residuals - self.epsilon, 0.0)
        total = loss + lambda1 * np.abs(coefficients).sum()
        if lambda2 and self.n_preferences:
            hinge = self.weight @ self.violations(coefficients, intercept)
            total += lambda2 / self.n_preferences * hinge
        return float(total)


def best_constant(problem: PreferenceProblem, *, lambda2: float) -> tuple[float, float, float]:
    """Minimise eq. (6) over alpha_0 with alpha = 0.

    Parameters
    ----------
    problem : PreferenceProblem
        The rows and preferences.
    lambda2 : float
        Weight of the preferences, >= 0.

    Returns
    -------
    intercept : float
        alpha_0.
    objective : float
        Zhu and Goldberg eq. (6), which does not depend on lambda1 here.
    lambda1 : float
        For every lambda1 at least as large, alpha = 0 is optimal. The smallest such lambda1 unless
        rows tie at the intercept or preferences of difference 0 allow a smaller one.

    Notes
    -----
    The objective is convex and piecewise linear: its kinks are sorted, O((l + p) log(l + p)), and
    the slope is 0 within one. The dual variables b and g are what each term adds to that slope;
    with them alpha = 0 is optimal if |K'b + M'g| <= lambda1. What rounding leaves of a slope
    is 0: a lambda1 of that size is too small to be computed with.
    """
    uppers = lambda2 * problem.weight / max(problem.n_preferences, 1)
    sides, y, costs = problem.sides, problem.y, problem.costs
    low, high = sides > 0, sides < 0  # f(x) >= d and -f(x) >= d
    kinks = np.concatenate(
        [
            y - problem.epsilon,
            y + problem.epsilon,
            problem.difference[low],
            -problem.difference[high],
        ]
    )
    jumps = np.concatenate([costs, costs, uppers[low], uppers[high]])
    # Below all kinks, every term but the satisfied bounds pulls the constant up.
    intercept, passed = _flat_point(kinks, jumps, start=-costs.sum() - uppers[low].sum())
    n, n_low = len(y), int(low.sum())
    b = costs - passed[:n] - passed[n : 2 * n]
    # A pair is violated by every constant if d > 0, and by none otherwise.
    g = np.where((sides == 0) & (problem.difference > 0), uppers, 0.0)
    g[low] = uppers[low] - passed[2 * n : 2 * n + n_low]
    g[high] = passed[2 * n + n_low :]
    rows = np.zeros(len(problem.K_rows) + 1)  # the last is NO_ROW's
    np.add.at(rows, problem.above, g)
    np.add.at(rows, problem.below, -g)
    slopes = problem.K.T @ b + problem.K_rows.T @ rows[:-1]
    sizes = np.abs(problem.K).T @ costs + np.abs(problem.K_rows).T @ np.abs(rows[:-1])
    slopes[np.abs(slopes) <= _ROUNDING * sizes] = 0.0
    none = np.zeros(problem.K.shape[1])
    objective = problem.objective(none, intercept, lambda1=0.0, lambda2=lambda2)
    return intercept, objective, float(np.abs(slopes).max(initial=0.0))


def _flat_point(kinks: np.ndarray, jumps: np.ndarray, start: float) -> tuple[float, np.ndarray]:
    """Find where the slope is 0, and how much of each kink's jump lies to the left of it."""
    order = np.argsort(kinks, kind="stable")
    slopes = start + np.cumsum(jumps[order])
    rounding = 1e-12 * jumps.sum()
    at = int(np.argmax(slopes >= -rounding))
    point = kinks[order[at]]
    if abs(slopes[at]) <= rounding and at + 1 < len(order):  # flat up to the next kink
        point = 0.5 * (point + kinks[order[at + 1]])
    passed = np.where(kinks < point, jumps, 0.0)
    here = kinks == point
    if here.any():
        passed[here] = jumps[here] * -(start + passed.sum()) / jumps[here].sum()
    return float(point), passed
