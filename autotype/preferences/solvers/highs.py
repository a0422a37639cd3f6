"""The dual of kernel regression with order preferences in HiGHS.

Both programs have the methods of :class:`~autotype.preferences.solvers.dense_simplex.DenseProgram`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

_FEASIBILITY = 1e-9


class HighsProgram:
    """The program in HiGHS itself, which keeps its basis from one solve to the next."""

    def __init__(self, rows: np.ndarray) -> None:
        import highspy

        self.highspy, self.rows = highspy, rows
        n_rows = rows.shape[1] - 1
        self.n_rows, self.n_iter = n_rows, 0
        self.highs: Any = highspy.Highs()
        options: dict[str, Any] = {
            "output_flag": False,
            "presolve": "off",  # it finds nothing in a dense program, and costs the warm start
            "solver": "simplex",
            "simplex_scale_strategy": 0,  # the units are chosen already
            "primal_feasibility_tolerance": _FEASIBILITY,
            "dual_feasibility_tolerance": _FEASIBILITY,
        }
        for name, value in options.items():
            self.highs.setOptionValue(name, value)
        bounds, no_values = np.zeros(n_rows + 1), np.zeros(0)
        starts = np.zeros(n_rows + 1, dtype=np.int32)
        no_columns = np.zeros(0, dtype=np.int32)
        self.highs.addRows(n_rows + 1, bounds, bounds, 0, starts, no_columns, no_values)

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
        columns = self.rows[above] - self.rows[below]
        n, width = columns.shape
        starts = np.arange(n, dtype=np.int32) * width
        indices = np.tile(np.arange(width, dtype=np.int32), n)
        self.highs.addCols(n, cost, lower, upper, n * width, starts, indices, columns.ravel())

    def set_limit(self, limit: float) -> None:
        """Bound the absolute values of the ranged rows."""
        rows = np.arange(self.n_rows, dtype=np.int32)
        limits = np.full(self.n_rows, limit)
        self.highs.changeRowsBounds(self.n_rows, rows, -limits, limits)

    def solve(self) -> tuple[np.ndarray, float]:
        """Return the multipliers of the rows and the minimum."""
        optimal = self.highspy.HighsModelStatus.kOptimal
        self.highs.run()
        if self.highs.getModelStatus() != optimal:
            self.highs.clearSolver()
            self.highs.setOptionValue("presolve", "choose")
            self.highs.run()
            self.highs.setOptionValue("presolve", "off")
        status = self.highs.getModelStatus()
        if status != optimal:
            raise _given_up(self.highs.modelStatusToString(status))
        info = self.highs.getInfo()
        self.n_iter += info.simplex_iteration_count
        duals = np.array(self.highs.getSolution().row_dual)
        return duals, float(info.objective_function_value)


class ScipyProgram:
    """The program through SciPy's HiGHS, which starts anew each time."""

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
            raise _given_up(result.message)
        self.n_iter += int(result.nit)
        return np.asarray(result.eqlin.marginals), float(result.fun)


def _given_up(message: str) -> RuntimeError:
    return RuntimeError(
        f"the linear program of the order preferences was not solved ({message}); scale the "
        "features, take a larger lambda1 or a narrower kernel"
    )
