"""The linear program of kernel regression with order preferences, solved in its dual.

With centres x_1, ..., x_m, f(x) = sum_j alpha_j k(x, x_j) + alpha_0 (Zhu and Goldberg eq. (5)) and

    min  sum_i c_i |y_i - f(x_i)|_epsilon + lambda1 |alpha|_1
         + (lambda2 / p) sum_q w_q max(d_q - (f(x_iq) - f(x_jq)), 0)          (eq. (6), c_i = 1/l)

the paper solves the primal, eq. (7): 3l + p + 1 variables, 5l + 2p constraints. The dual

    max  y'b + d'g - epsilon |b|_1
    s.t. |K'b + M'g| <= lambda1,  1'b + s'g = 0,  |b_i| <= c_i,  0 <= g_q <= lambda2 w_q / p

has m ranged rows and one equality, whatever p: a preference is a bounded column, with
M_q = k(x_iq, .) - k(x_jq, .), and s_q = 0 for a pair, 1 for f(x) >= d, -1 for -f(x) >= d. Columns
of preferences are added once f violates them. alpha and alpha_0 are the
multipliers of the rows, and lambda1 is their bound only: along a path of lambda1 the last basis
stays dual feasible, and the dual simplex method goes on from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from autotype.preferences.solvers.dense_simplex import DenseProgram, NotSolvedError
from autotype.preferences.solvers.highs import HighsProgram
from autotype.preferences.solvers.problem import NO_ROW, PreferenceProblem

# Columns of preferences to begin with and to add at a time: at least so many, and so many for each
# centre, as about one a centre is basic at the optimum.
_FIRST_COLUMNS, _FIRST_SHARE = 100, 10
_ADDED_COLUMNS, _ADDED_SHARE = 200, 1.2
_GAP = 1e-11  # relative to the scale of the targets


@dataclass(frozen=True)
class PreferenceSolution:
    """An optimum of the program.

    Attributes
    ----------
    coefficients : ndarray of shape (m,)
        alpha.
    intercept : float
        alpha_0.
    objective, dual_objective : float
        Eq. (6) and its dual at the solution; they agree up to the solver's tolerance.
    n_columns : int
        Preferences whose columns were needed.
    n_iter : int
        Simplex iterations since the start of the path.
    """

    coefficients: np.ndarray
    intercept: float
    objective: float
    dual_objective: float
    n_columns: int
    n_iter: int


def solve_preferences(
    problem: PreferenceProblem,
    *,
    lambda1: float,
    lambda2: float,
    program: type[DenseProgram | HighsProgram] = DenseProgram,
) -> PreferenceSolution:
    """Solve the program for one lambda1; see :func:`solve_preference_path`."""
    path = solve_preference_path(problem, lambda1s=[lambda1], lambda2=lambda2, program=program)
    return next(path)


def solve_preference_path(
    problem: PreferenceProblem,
    *,
    lambda1s: Sequence[float],
    lambda2: float,
    program: type[DenseProgram | HighsProgram] = DenseProgram,
) -> Iterator[PreferenceSolution]:
    """Solve the program for each lambda1 in turn, every basis the start of the next.

    Parameters
    ----------
    problem : PreferenceProblem
        The rows and preferences.
    lambda1s : sequence of float
        Weights of |alpha|_1, >= 0; best in monotone order.
    lambda2 : float
        Weight of the preferences, >= 0; 0 is the 1-norm support-vector regression.
    program : {DenseProgram, HighsProgram}
        Method. `DenseProgram` keeps its basis from one lambda1 to the next, and what it gives up on
        goes to `HighsProgram`, which starts anew each time. The optimum is the same.

    Returns
    -------
    iterator of PreferenceSolution
        In the order of `lambda1s`.

    Raises
    ------
    ValueError
        For a negative or infinite lambda1 or lambda2, or a problem with NaN or infinity. Every
        other problem has an optimum: alpha = 0 is feasible, and the objective is at least 0.
    RuntimeError
        If the solver gives up, which numbers of very different size can cause.
    """
    for name, value in [*(("lambda1", value) for value in lambda1s), ("lambda2", lambda2)]:
        if not (np.isfinite(value) and value >= 0):
            raise ValueError(f"{name} must be a finite number >= 0, got {value!r}")
    for name in ("K", "y", "K_rows", "difference", "weight"):
        if not np.isfinite(getattr(problem, name)).all():
            raise ValueError(f"{name} of the problem must be finite, got NaN or infinity")
    dual = _ScaledDual(problem, lambda2, program)
    return (dual.solve(lambda1) for lambda1 in lambda1s)


class _ScaledDual:
    """The dual in units that make the targets, the kernel and the bounds of b about 1.

    It grows: the columns of preferences are added when f violates them, and stay.
    """

    def __init__(
        self,
        problem: PreferenceProblem,
        lambda2: float,
        program: type[DenseProgram | HighsProgram],
    ) -> None:
        self.problem, self.lambda2 = problem, lambda2
        # f = sum alpha_j (k(., x_j) - mean_j) + intercept is the same set of functions, and keeps
        # the differences between rows if a wide kernel is nearly constant.
        self.means = problem.costs @ problem.K
        centred = problem.K - self.means
        self.kernel_unit = float(np.abs(centred).max(initial=0.0)) or 1.0
        self.middle = float(np.median(problem.y))
        differences = problem.difference - problem.sides * self.middle
        sizes = [np.abs(problem.y - self.middle).mean()]
        if lambda2 and len(differences):
            sizes.append(np.abs(differences).mean())
        self.unit = float(max(sizes)) or 1.0
        self.cost_unit = float(problem.costs.mean())
        self.differences = differences / self.unit
        others = (problem.K_rows - self.means) / self.kernel_unit
        rows = np.vstack([centred / self.kernel_unit, others])
        rows = np.hstack([rows, np.ones((len(rows), 1))])
        self.rows = np.vstack([rows, np.zeros_like(rows[:1])])  # the last is NO_ROW's
        self.above, self.below = (
            np.where(side == NO_ROW, len(rows), side + len(problem.y))
            for side in (problem.above, problem.below)
        )
        p = max(problem.n_preferences, 1)
        self.uppers = lambda2 * problem.weight / (p * self.cost_unit)
        self.waiting = self.uppers > 0
        self.program: DenseProgram | HighsProgram = program(self.rows)
        self._add_labelled()
        waiting = np.flatnonzero(self.waiting)
        # Spread over the list, which may be grouped by kind.
        n_first = max(_FIRST_COLUMNS, _FIRST_SHARE * len(self.means))
        self._add_preferences(waiting[:: max(1, len(waiting) // n_first)])

    def _add_labelled(self) -> None:
        y = (self.problem.y - self.middle) / self.unit
        bounds = self.problem.costs / self.cost_unit
        row, none = np.arange(len(y)), np.full(len(y), len(self.rows) - 1)
        epsilon = self.problem.epsilon / self.unit
        if epsilon == 0.0:
            self.program.add_columns(row, none, cost=-y, lower=-bounds, upper=bounds)
            return
        zeros = np.zeros_like(bounds)  # b = b+ - b-, since |b| has a cost
        self.program.add_columns(row, none, cost=epsilon - y, lower=zeros, upper=bounds)
        self.program.add_columns(none, row, cost=epsilon + y, lower=zeros, upper=bounds)

    def _add_preferences(self, chosen: np.ndarray) -> None:
        if not len(chosen):
            return
        self.program.add_columns(
            self.above[chosen],
            self.below[chosen],
            cost=-self.differences[chosen],
            lower=np.zeros(len(chosen)),
            upper=self.uppers[chosen],
        )
        self.waiting[chosen] = False

    def solve(self, lambda1: float) -> PreferenceSolution:
        """Find the optimum for lambda1, starting from the last basis and its columns."""
        self.program.set_limit(lambda1 / (self.kernel_unit * self.cost_unit))
        n_added = max(_ADDED_COLUMNS, int(_ADDED_SHARE * len(self.means)))
        while True:
            multipliers, minimum = self._optimum()
            # The restricted program lacks only the hinge of the preferences without a column: at
            # its optimum, their weighted violation is the duality gap of the whole program.
            values = -(self.rows @ multipliers)
            reached = values[self.above] - values[self.below]
            missing = self.uppers * np.where(self.waiting, self.differences - reached, 0.0)
            missing = np.maximum(missing, 0.0)
            if missing.sum() <= _GAP * max(1.0, abs(minimum)):
                return self._solution(-multipliers, minimum, lambda1)
            worst = np.argsort(-missing)[:n_added]
            self._add_preferences(worst[missing[worst] > 0])

    def _optimum(self) -> tuple[np.ndarray, float]:
        if isinstance(self.program, DenseProgram):
            try:
                return self.program.solve()
            except NotSolvedError:
                self.program = self._handed_over(self.program)
        return self.program.solve()

    def _handed_over(self, dense: DenseProgram) -> HighsProgram:
        """Copy the program as it stands to HiGHS."""
        program = HighsProgram(self.rows)
        n = dense.n_equations
        program.add_columns(
            dense.above,
            dense.below,
            cost=dense.cost[n:],
            lower=dense.lower[n:],
            upper=dense.upper[n:],
        )
        program.set_limit(float(dense.upper[0]))
        program.n_iter = dense.n_iter
        return program

    def _solution(self, values: np.ndarray, minimum: float, lambda1: float) -> PreferenceSolution:
        coefficients = values[:-1] * (self.unit / self.kernel_unit)
        intercept = float(values[-1]) * self.unit + self.middle - float(self.means @ coefficients)
        return PreferenceSolution(
            coefficients=coefficients,
            intercept=intercept,
            objective=self.problem.objective(
                coefficients, intercept, lambda1=lambda1, lambda2=self.lambda2
            ),
            dual_objective=-minimum * self.unit * self.cost_unit,
            n_columns=int(np.sum((self.uppers > 0) & ~self.waiting)),
            n_iter=self.program.n_iter,
        )
