"""The dual of kernel regression with order preferences in SciPy's HiGHS.

Our own simplex method is faster on these dense programs, since it goes on from its last basis, but
it gives up where rounding or ties stop it. HiGHS is slower and more robust: it solves what is left.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from autotype.models.preferences.solvers.dense_simplex import DenseProgram, InfeasibleError

_FEASIBILITY = 1e-9
_INFEASIBLE = 2  # linprog's status


class HighsProgram(DenseProgram):
    """The same program, which HiGHS solves from the beginning each time."""

    @classmethod
    def continuing(cls, program: DenseProgram) -> Self:
        """Return a program as it stands, with its count of iterations."""
        same = cls(program.rows)
        vars(same).update(vars(program))
        return same

    def solve(self) -> tuple[np.ndarray, float]:
        """Return the multipliers of the rows and the minimum."""
        n = self.n_equations
        columns = self.rows[self.above] - self.rows[self.below]
        # linprog has no ranged rows: each becomes an equality with a bounded slack.
        slack = sparse.eye_array(n, n - 1, format="csc")
        order = np.append(np.arange(n, len(self.cost)), np.arange(n - 1))
        result: Any = linprog(
            self.cost[order],
            A_eq=sparse.hstack([sparse.csc_array(columns.T), -slack], format="csc"),
            b_eq=-self.held,
            bounds=np.column_stack([self.lower[order], self.upper[order]]),
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
