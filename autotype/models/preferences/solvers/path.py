"""The linear program of kernel regression with order preferences, solved in its dual.

With centres x_1, ..., x_m, f(x) = sum_j alpha_j k(x, x_j) + alpha_0 (Zhu and Goldberg eq. (5)) and

    min  sum_i c_i |y_i - f(x_i)|_epsilon + lambda1 |alpha|_1
         + (lambda2 / p) sum_q w_q max(d_q - (f(x_iq) - f(x_jq)), 0)          (eq. (6), c_i = 1/l)

the paper solves the primal, eq. (7): 3l + p + 1 variables, 5l + 2p constraints. There may be a
million preferences and only a hundred labelled rows, and most preferences hold anyway or are
violated anyway. The dual is as small as the labelled rows, and leaves these preferences out:

    max  y'b + d'g - epsilon |b|_1
    s.t. |K'b + M'g| <= lambda1,  1'b + s'g = 0,  |b_i| <= c_i,  0 <= g_q <= lambda2 w_q / p

has m ranged rows and one equality, whatever p: a preference is a bounded column, with M_q = k(x_iq,
.) - k(x_jq, .), and s_q = 0 for a pair, 1 for f(x) >= d, -1 for -f(x) >= d. Of many preferences a
sample gets columns at first; the others are held at the bound of g that its optimum shows, and get
a column once that proves wrong. alpha and alpha_0 are the multipliers of the rows, and lambda1 is
their bound only: along a path of lambda1 the last basis stays dual feasible, and the dual simplex
method goes on from it.

SciPy's HiGHS solves what the simplex method gives up on. Our own simplex method is faster on these
dense programs, since it goes on from its last basis, but it gives up where rounding or ties stop
it. HiGHS is slower and more robust.

The best constant function tells how large lambda1 has to be for a constant to be optimal, which is
where a grid of lambda1 starts. Its objective is the unit in which a duality gap is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from autotype.models.preferences.solvers.dense_simplex import (
    DenseProgram,
    InfeasibleError,
    NotSolvedError,
)

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
    d, epsilon = problem.difference, problem.epsilon
    kinks = np.concatenate([y - epsilon, y + epsilon, d[low], -d[high]])
    jumps = np.concatenate([costs, costs, uppers[low], uppers[high]])
    # Below all kinks, every term but the satisfied bounds pulls the constant up.
    intercept, passed = _flat_point(kinks, jumps, start=-costs.sum() - uppers[low].sum())
    n, n_low = len(y), int(low.sum())
    b = costs - passed[:n] - passed[n : 2 * n]
    # A pair is violated by every constant if d > 0, and by none otherwise.
    g = np.where((sides == 0) & (d > 0), uppers, 0.0)
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


# Up to so many preferences, and so many for each centre, the program begins with all of them; else
# with a sample, as about one a centre is basic at the optimum.
_FEW, _FEW_A_CENTRE, _SAMPLE_A_CENTRE = 100, 10, 2
_GAP = 1e-11  # relative to the scale of the targets

_FEASIBILITY = 1e-9
_INFEASIBLE = 2  # linprog's status


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
    program: type[DenseProgram] = DenseProgram,
) -> PreferenceSolution:
    """Solve the program for one lambda1; see :func:`solve_preference_path`."""
    path = solve_preference_path(problem, lambda1s=[lambda1], lambda2=lambda2, program=program)
    return next(path)


def solve_preference_path(
    problem: PreferenceProblem,
    *,
    lambda1s: Sequence[float] | np.ndarray,
    lambda2: float,
    program: type[DenseProgram] = DenseProgram,
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
        goes to `HighsProgram`, which starts from the beginning each time. The optimum is the same.

    Returns
    -------
    iterator of PreferenceSolution
        In the order of `lambda1s`.

    Raises
    ------
    RuntimeError
        If the solver gives up, which numbers of very different size can cause. Every problem of
        finite numbers has an optimum: alpha = 0 is feasible, and the objective is at least 0.
    """
    dual = _ScaledDual(problem, lambda2, program)
    return (dual.solve(lambda1) for lambda1 in lambda1s)


class _ScaledDual:
    """The dual in units that make the targets, the kernel and the bounds of b about 1.

    It grows: preferences that stand at the wrong bound get columns, which stay.
    """

    def __init__(
        self, problem: PreferenceProblem, lambda2: float, program: type[DenseProgram]
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
        # No column nor all of them reach further: a larger lambda1 bounds nothing.
        reach = problem.costs.sum() / self.cost_unit + 2 * self.uppers.sum()
        self.widest_limit = 2 * reach * max(1.0, float(np.abs(rows).max()))
        # Preferences outside the program: g stands at 0, or is held at its upper bound.
        self.waiting = self.uppers > 0
        self.held = np.zeros(len(self.uppers), dtype=bool)
        # The program has those rows only of which its columns are made.
        used = np.append(np.arange(len(problem.y)), len(rows))
        self.places = np.full(len(self.rows), -1)
        self.places[used] = np.arange(len(used))
        self.program = program(self.rows[used])
        self._add_labelled()
        counted, n_centres = np.flatnonzero(self.waiting), len(self.means)
        self.sample: np.ndarray | None = None
        if len(counted) <= max(_FEW, _FEW_A_CENTRE * n_centres):
            self._add_preferences(counted)
        else:
            # Spread over the list, which may be grouped by kind; at first it stands for all.
            n_sample = max(_FEW, _SAMPLE_A_CENTRE * n_centres)
            self.sample = counted[:: len(counted) // n_sample]
            self._add_preferences(self.sample)
            weight = self.uppers[counted].sum() / self.uppers[self.sample].sum()
            self.program.set_upper(weight * self.uppers[self.sample])

    def _add_labelled(self) -> None:
        y = (self.problem.y - self.middle) / self.unit
        bounds = self.problem.costs / self.cost_unit
        row, none = np.arange(len(y)), np.full(len(y), len(y))
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
        rows = np.unique(np.concatenate([self.above[chosen], self.below[chosen]]))
        rows = rows[self.places[rows] < 0]
        self.places[rows] = len(self.program.rows) + np.arange(len(rows))
        self.program.add_rows(self.rows[rows])
        self.program.add_columns(
            self.places[self.above[chosen]],
            self.places[self.below[chosen]],
            cost=-self.differences[chosen],
            lower=np.zeros(len(chosen)),
            upper=self.uppers[chosen],
        )
        self.waiting[chosen] = self.held[chosen] = False

    def solve(self, lambda1: float) -> PreferenceSolution:
        """Find the optimum for lambda1, starting from the last basis and its columns."""
        limit = lambda1 / (self.kernel_unit * self.cost_unit)
        self.program.set_limit(min(limit, self.widest_limit))
        if self.sample is not None:
            self._choose_sides(self.sample)
        while True:
            multipliers, minimum = self._optimum()
            short = self._shortfalls(multipliers)
            # The program lacks the hinges of the preferences outside: at its optimum, what those on
            # the wrong side would change is the duality gap of the whole program.
            wrong = np.where(self.waiting, short, np.where(self.held, -short, 0.0))
            if self.uppers @ np.maximum(wrong, 0.0) <= _GAP * max(1.0, abs(minimum)):
                return self._solution(-multipliers, minimum, lambda1)
            self._add_preferences(np.flatnonzero(wrong > 0))
            self._hold()

    def _shortfalls(self, multipliers: np.ndarray) -> np.ndarray:
        """Compute d - (f(above) - f(below)) of every preference."""
        values = -(self.rows @ multipliers)
        return self.differences - (values[self.above] - values[self.below])

    def _choose_sides(self, sample: np.ndarray) -> None:
        """Hold those preferences at their upper bounds that the sample's optimum violates."""
        multipliers, _ = self._optimum()
        self.held = self.waiting & (self._shortfalls(multipliers) > 0)
        self.waiting &= ~self.held
        self.program.set_upper(self.uppers[sample])
        self._hold()
        self.sample = None

    def _hold(self) -> None:
        """Set the sum of the columns held at their upper bounds in the program."""
        held = np.flatnonzero(self.held)
        amounts, n_rows = self.uppers[held], len(self.rows)
        of_rows = np.bincount(self.above[held], amounts, minlength=n_rows)
        of_rows -= np.bincount(self.below[held], amounts, minlength=n_rows)
        self.program.hold(of_rows @ self.rows, -float(amounts @ self.differences[held]))

    def _optimum(self) -> tuple[np.ndarray, float]:
        while True:
            try:
                return self.program.solve()
            except NotSolvedError as error:
                if isinstance(error, InfeasibleError) and self.held.any():
                    # What is held may be more than the other columns can balance; with columns of
                    # their own all of them can be 0.
                    self._add_preferences(np.flatnonzero(self.held))
                    self._hold()
                elif not isinstance(self.program, HighsProgram):
                    self.program = HighsProgram.continuing(self.program)
                else:
                    raise

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
            n_columns=int(np.sum((self.uppers > 0) & ~self.waiting & ~self.held)),
            n_iter=self.program.n_iter,
        )


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
