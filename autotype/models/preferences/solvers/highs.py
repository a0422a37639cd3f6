"""The dual of kernel regression with order preferences in SciPy's HiGHS.

It has the methods of
:class:`~autotype.models.preferences.solvers.dense_simplex.DenseProgram`, and solves what that
gives up on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from autotype.models.preferences.solvers.dense_simplex import InfeasibleError

_FEASIBILITY = 1e-9
_INFEASIBLE = 2  # linprog's status


class HighsProgram:
    """The program in HiGHS, which starts anew at each solve."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows, self.n_rows = rows, rows.shape[1] - 1
        self.n_iter, self.limit = 0, 0.0
        self.held, self.held_cost = np.zeros(rows.shape[1]), 0.0
        self.columns = np.zeros((0, rows.shape[1]))
        self.cost = self.lower = self.upper = np.zeros(0)

    def add_rows(self, rows: np.ndarray) -> None:
        """Add rows for further columns to be made of."""
        self.rows = np.concatenate([self.rows, rows])

    def hold(self, total: np.ndarray, cost: float) -> None:
        """Set the sum of the columns that are held at a bound, and their cost."""
        self.held, self.held_cost = total, cost

    def add_columns(
        self,
        above: np.ndarray,
        below: np.ndarray,
        *,
        cost: np.ndarray,
        lower: np.ndarray,
        upper: np.ndarray,
    ) -> None:
        """Add variables, `above` and `below` the rows that their columns are made of."""
        self.columns = np.concatenate([self.columns, self.rows[above] - self.rows[below]])
        self.cost = np.append(self.cost, cost)
        self.lower = np.append(self.lower, lower)
        self.upper = np.append(self.upper, upper)

    def set_upper(self, upper: np.ndarray) -> None:
        """Change the upper bounds of the variables added last."""
        self.upper[len(self.upper) - len(upper) :] = upper

    def set_limit(self, limit: float) -> None:
        """Bound the absolute values of the ranged rows."""
        self.limit = limit

    def solve(self) -> tuple[np.ndarray, float]:
        """Return the multipliers of the rows and the minimum."""
        # linprog has no ranged rows: each becomes an equality with a bounded slack.
        slack = sparse.eye_array(self.n_rows + 1, self.n_rows, format="csc")
        limits = np.full(self.n_rows, self.limit)
        bounds = np.column_stack([np.append(self.lower, -limits), np.append(self.upper, limits)])
        result: Any = linprog(
            np.append(self.cost, np.zeros(self.n_rows)),
            A_eq=sparse.hstack([sparse.csc_array(self.columns.T), -slack], format="csc"),
            b_eq=-self.held,
            bounds=bounds,
            method="highs-ds",
            options={
                "presolve": False,
                "primal_feasibility_tolerance": _FEASIBILITY,
                "dual_feasibility_tolerance": _FEASIBILITY,
            },
        )
        if result.status == _INFEASIBLE and self.held.any():
            raise InfeasibleError(result.message)
        if result.status != 0:
            raise RuntimeError(
                f"the linear program of the order preferences was not solved ({result.message}); "
                "scale the features, take a larger lambda1 or a narrower kernel"
            )
        self.n_iter += int(result.nit)
        return np.asarray(result.eqlin.marginals), float(result.fun) + self.held_cost
