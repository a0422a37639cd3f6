"""The dual of kernel regression with order preferences in SciPy's HiGHS.

It has the methods of :class:`~autotype.preferences.solvers.dense_simplex.DenseProgram`, and solves
what that gives up on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

_FEASIBILITY = 1e-9


class HighsProgram:
    """The program in HiGHS, which starts anew at each solve."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows, self.n_rows = rows, rows.shape[1] - 1
        self.n_iter, self.limit = 0, 0.0
        self.blocks: list[tuple[np.ndarray, ...]] = []

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
        self.blocks.append((self.rows[above] - self.rows[below], cost, lower, upper))

    def set_limit(self, limit: float) -> None:
        """Bound the absolute values of the ranged rows."""
        self.limit = limit

    def solve(self) -> tuple[np.ndarray, float]:
        """Return the multipliers of the rows and the minimum."""
        parts = zip(*self.blocks, strict=True)
        columns, cost, lower, upper = (np.concatenate(part) for part in parts)
        # linprog has no ranged rows: each becomes an equality with a bounded slack.
        slack = sparse.eye_array(self.n_rows + 1, self.n_rows, format="csc")
        limits = np.full(self.n_rows, self.limit)
        bounds = np.column_stack([np.append(lower, -limits), np.append(upper, limits)])
        result: Any = linprog(
            np.append(cost, np.zeros(self.n_rows)),
            A_eq=sparse.hstack([sparse.csc_array(columns.T), -slack], format="csc"),
            b_eq=np.zeros(self.n_rows + 1),
            bounds=bounds,
            method="highs-ds",
            options={
                "presolve": False,
                "primal_feasibility_tolerance": _FEASIBILITY,
                "dual_feasibility_tolerance": _FEASIBILITY,
            },
        )
        if result.status != 0:
            raise RuntimeError(
                f"the linear program of the order preferences was not solved ({result.message}); "
                "scale the features, take a larger lambda1 or a narrower kernel"
            )
        self.n_iter += int(result.nit)
        return np.asarray(result.eqlin.marginals), float(result.fun)
