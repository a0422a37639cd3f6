"""Sequential minimal optimisation for SVOR (Chu and Keerthi 2007) and kernel NPSVOR.

SVOR has a direction in feature space and thresholds b_1 <= ... <= b_{L-1}. With explicit
constraints, each row is kept on its side of the thresholds next to its rank; with implicit
constraints, of all thresholds, which implies their order. NPSVOR has a function for each rank,
solved one after another.

All of these duals have the same form: a quadratic in the rows' coefficients, bounds, and one sum
per threshold that has to be 0. This module states them in that form, and `minimise_by_pairs` solves
it.

In kernel NPSVOR with f = K c + b, the dual of rank k is: minimise c'Kc/2 + sum h_i(c_i) subject to
1'c = 0, where h_i is epsilon |c_i| on [-own_i, own_i] for rows of the rank, and -t_i c_i between 0
and t_i other_i for the others (eq. (6), with a free intercept).

The duals are solved by pair steps and active-set steps. Pair steps are cheap, yet near the optimum
of a smooth kernel they take tens of thousands of tiny steps among the same few variables. A joint
step of those variables, by a Cholesky factor, replaces most of these. Its cost is kept below that
of the pair steps before it.

In t = signs * dual and with f = K coefficients, all of them read: minimise |f|^2 / 2 less sum
targets t, each dual variable between 0 and its bound, the t of each threshold summing to 0.

Pair steps are second-order SMO. An active-set step moves all free variables, those at no bound, to
their joint minimum: they span a face of the feasible set on which the dual is quadratic, and the
step d to its minimum solves H d + F = A'b, A d = 0. H is the kernel between the rows of the free
variables, F their slopes, row j of A marks those at threshold j, and b are the thresholds. If a
bound comes first, the step ends there, its variable leaves the face, and the next step follows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from autotype.models.svm.solvers._dual_face_fast import add_rows, descend_face
from autotype.models.svm.solvers._smo_fast import minimise_pairs
from autotype.models.svm.solvers.solution import Solution

# An active-set step over m of n variables follows after this many pair steps, or m^3 / n times the
# factor if that is more: then it costs no more than the pair steps did.
_FIRST_STEPS, _FIRST_FACTOR = 200, 1 / 30
_LATER_STEPS, _LATER_FACTOR = 25, 1 / 100  # since the last one; later ones drop fewer variables
_LEAST_PART = 200  # at least 1 / 200 of all pair steps so far, in case they gain nothing
_RIDGE = 1e-11  # of the trace; more than the rounding of a factorisation


def solve_thresholds(
    K: np.ndarray,
    ranks: np.ndarray,
    costs: np.ndarray,
    *,
    n_levels: int,
    explicit: bool,
    tol: float,
    max_iter: int,
) -> Solution:
    """Minimise the dual of SVOR by steps over the most violating pairs, second order.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel of the rows.
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_levels - 1.
    costs : ndarray of shape (n,)
        Cost of an error of each row.
    n_levels : int
        Number of levels.
    explicit : bool
        Explicit constraints on the thresholds (SVOREX) or implicit ones (SVORIM).
    tol : float
        Largest violation to leave.
    max_iter : int
        Maximum number of pair steps.

    Returns
    -------
    Solution
        With thresholds that do not decrease.

    Notes
    -----
    A step costs O(n n_levels) with implicit constraints and O(n) with explicit ones.

    References
    ----------
    Chu and Keerthi (2007), Support vector ordinal regression, Neural Computation 19(3).
    """
    rows, at, signs = _threshold_variables(ranks, n_levels, explicit)
    problem = KernelDual(
        K=np.ascontiguousarray(K, dtype=np.float64),
        rows=rows,
        thresholds=at,
        signs=signs,
        targets=signs,
        bounds=costs[rows],
        n_thresholds=n_levels - 1,
        linked=explicit,
    )
    return _solution(problem, minimise_by_pairs(problem, tol=tol, max_iter=max_iter))


def _threshold_variables(
    ranks: np.ndarray, n_levels: int, explicit: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return row, threshold and side (+1 above the threshold) of every dual variable."""
    rows, at = np.divmod(np.arange(len(ranks) * (n_levels - 1)), n_levels - 1)
    signs = np.where(ranks[rows] > at, 1.0, -1.0)
    if explicit:  # only the thresholds below and above the rank
        near = (ranks[rows] == at) | (ranks[rows] == at + 1)
        rows, at, signs = rows[near], at[near], signs[near]
    return rows.astype(np.int32), at.astype(np.int32), signs


def solve_kernel_ranks(
    K: np.ndarray,
    ranks: np.ndarray,
    own_costs: np.ndarray,
    other_costs: np.ndarray,
    *,
    n_ranks: int,
    epsilon: float,
    tol: float,
    max_iter: int,
) -> Solution:
    """Minimise the dual of every rank by steps over the most violating pairs, second order.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel of the rows.
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_ranks - 1.
    own_costs, other_costs : ndarray of shape (n,)
        Cost of a row's error in the problem of its own rank (C1), and in the others' (C2).
    n_ranks : int
        Number of ranks.
    epsilon : float
        Half width of the tube.
    tol : float
        Largest violation of the optimality conditions to leave.
    max_iter : int
        Maximum number of pair steps of a rank.

    Returns
    -------
    Solution

    Notes
    -----
    A step costs O(n). Rows of the rank itself have two variables, c = a+ - a-, as in eq. (6); the
    others one, as for SVOR with the single threshold -b.
    """
    K = np.ascontiguousarray(K, dtype=np.float64)
    solutions = []
    for rank in range(n_ranks):
        own = ranks == rank
        rows = np.repeat(np.arange(len(own), dtype=np.int32), 1 + own)
        signs = np.where(ranks > rank, 1.0, -1.0)[rows]
        signs[1:][rows[1:] == rows[:-1]] = 1.0  # the second variable of a row of the rank
        problem = KernelDual(
            K=K,
            rows=rows,
            thresholds=np.zeros(len(rows), dtype=np.int32),
            signs=signs,
            # A row of the rank itself costs nothing between -epsilon and epsilon.
            targets=np.where(own[rows], -epsilon * signs, signs),
            bounds=np.where(own, own_costs, other_costs)[rows],
            n_thresholds=1,
            linked=False,
        )
        state = minimise_by_pairs(problem, tol=tol, max_iter=max_iter)
        solutions.append(_solution(problem, state))
    return Solution(
        coefficients=np.column_stack([each.coefficients for each in solutions]),
        offsets=-np.concatenate([each.offsets for each in solutions]),
        n_iter=max(each.n_iter for each in solutions),
        converged=all(each.converged for each in solutions),
        primal=np.array([each.primal for each in solutions]),
        dual=np.array([each.dual for each in solutions]),
        violation=np.array([each.violation for each in solutions]),
    )


def _solution(problem: KernelDual, state: DualState) -> Solution:
    """Compute thresholds, objectives and distance from the optimum at the end of the steps."""
    coefficients = state.coefficients(problem)
    latent = problem.K @ coefficients  # the sum kept during the steps has accumulated rounding
    at_least, at_most = _threshold_bounds(state, problem.linked)
    # The middle of the interval, or the only end that it has.
    low = np.where(np.isfinite(at_least), at_least, at_most)
    high = np.where(np.isfinite(at_most), at_most, low)
    thresholds = np.maximum.accumulate((low + high) / 2)
    values = latent[problem.rows] - thresholds[problem.thresholds]
    errors = np.maximum(problem.signs * (problem.targets - values), 0)
    norm = float(coefficients @ latent)  # |f|^2 = t'Kt
    return Solution(
        coefficients=coefficients,
        offsets=thresholds,
        violation=max(float(np.max(at_least - state.lowest)), 0.0),
        n_iter=state.n_steps,
        converged=state.converged,
        primal=norm / 2 + float(problem.bounds @ errors),
        dual=float((problem.signs * problem.targets) @ state.dual) - norm / 2,
    )


def _threshold_bounds(state: DualState, linked: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the interval that optimality allows each threshold."""
    if not linked:
        return state.highest, state.lowest
    # b_p <= b_q for p < q, and equal where the flow between them is positive.
    groups = state.groups
    first = np.searchsorted(groups, groups)
    last = np.searchsorted(groups, groups, side="right") - 1
    at_least = np.maximum.accumulate(state.highest)[last]
    return at_least, np.minimum.accumulate(state.lowest[::-1])[::-1][first]


@dataclass(frozen=True)
class KernelDual:
    """A dual whose variables move in pairs.

    Attributes
    ----------
    K : ndarray of shape (n, n)
        Kernel of the rows, C-contiguous.
    rows : ndarray of int32, shape (n_variables,)
        Row of each variable; those of one row stand together.
    thresholds : ndarray of int32, shape (n_variables,)
        Threshold that each acts at.
    signs : ndarray of shape (n_variables,)
        +1 if a variable raises its row's coefficient, -1 if it lowers it.
    targets : ndarray of shape (n_variables,)
        Value of f less the threshold at which the slope of a variable is 0.
    bounds : ndarray of shape (n_variables,)
        Largest values of the variables.
    n_thresholds : int
        Number of thresholds.
    linked : bool
        Whether thresholds are held in order, by flows between them.
    """

    K: np.ndarray
    rows: np.ndarray
    thresholds: np.ndarray
    signs: np.ndarray
    targets: np.ndarray
    bounds: np.ndarray
    n_thresholds: int
    linked: bool


class DualState:
    """The dual variables and what depends on them; all variables are 0 at first.

    Attributes
    ----------
    dual : ndarray of shape (n_variables,)
        Variables.
    flow : ndarray of shape (n_thresholds - 1,)
        Multipliers of the thresholds' order; 0 if they are not linked.
    latent : ndarray of shape (n,)
        f of the rows.
    highest, lowest : ndarray of shape (n_thresholds,)
        Largest f - target of the variables whose t can fall, smallest of those whose t can rise.
    n_steps : int
        Pair steps taken.
    converged : bool
        Whether no pair violates optimality by more than the tolerance.
    """

    def __init__(self, problem: KernelDual) -> None:
        self.dual, self.latent = np.zeros(len(problem.rows)), np.zeros(len(problem.K))
        self.flow = np.zeros(problem.n_thresholds - 1)
        self.highest, self.lowest = np.empty((2, problem.n_thresholds))
        self.n_steps, self.converged = 0, False

    @property
    def groups(self) -> np.ndarray:
        """Number of each threshold's group, within which flows keep the thresholds equal."""
        return np.append(0, np.cumsum(self.flow <= 0))

    def coefficients(self, problem: KernelDual) -> np.ndarray:
        """Sum the variables of each row: shape (n,)."""
        t = problem.signs * self.dual
        return np.bincount(problem.rows, weights=t, minlength=len(problem.K))


def minimise_by_pairs(problem: KernelDual, *, tol: float, max_iter: int) -> DualState:
    """Minimise a dual by steps over the most violating pairs, second order.

    Parameters
    ----------
    problem : KernelDual
        The problem.
    tol : float
        Largest violation of the optimality conditions to leave.
    max_iter : int
        Maximum number of pair steps.

    Returns
    -------
    DualState

    Notes
    -----
    Pair steps, O(n_variables) each, soon find the variables that are at a bound, and then converge
    slowly. Then `active_set_step` moves the others to their joint minimum, as far as bounds allow,
    and pair steps continue with what violates optimality. If the kernel is not positive definite,
    there are pair steps only.
    """
    state, make_steps = DualState(problem), _pair_steps(problem, tol)
    start, steps, factor = 0, _FIRST_STEPS, _FIRST_FACTOR  # start: at the last active-set step
    while True:
        make_steps(state, min(start + steps, max_iter) - state.n_steps)
        if state.converged or state.n_steps >= max_iter:
            return state
        free = np.flatnonzero((state.dual > 0) & (state.dual < problem.bounds))
        due = int(factor * len(free) ** 3 / len(problem.rows))
        if start == 0:  # each variable takes a step to leave 0
            due = max(due, int(np.count_nonzero(state.dual)))
        if state.n_steps - start < due:
            steps = due
        elif active_set_step(problem, state, free):
            start, factor = state.n_steps, _LATER_FACTOR
            steps = max(_LATER_STEPS, state.n_steps // _LEAST_PART)
        else:
            steps = max_iter


def _pair_steps(problem: KernelDual, tol: float) -> Callable[[DualState, int], None]:
    """Return the compiled pair steps, at most so many at a time, with their work space."""
    n, n_variables = len(problem.K), len(problem.rows)
    kernel = problem.K, np.ascontiguousarray(np.diag(problem.K))
    variables = problem.rows, problem.thresholds, problem.signs, problem.targets, problem.bounds
    given = *kernel, *variables, problem.linked, tol
    work = (
        np.empty(n_variables, dtype=np.int32),
        np.empty(n_variables, dtype=np.uint8),
        np.empty(n_variables),
        np.empty(n, dtype=np.int32),
        np.empty(n),
        np.empty(problem.n_thresholds, dtype=np.int32),
    )

    def make_steps(state: DualState, n_steps: int) -> None:
        results = state.dual, state.flow, state.latent, state.highest, state.lowest
        taken = minimise_pairs(*given, n_steps, *work, *results)
        state.converged = taken >= 0
        state.n_steps += taken if state.converged else n_steps

    return make_steps


def active_set_step(problem: KernelDual, state: DualState, free: np.ndarray) -> bool:
    """Move the free variables towards the minimum of their face, in place.

    Parameters
    ----------
    problem : KernelDual
        The dual.
    state : DualState
        Its variables; `dual`, `flow` and `latent` are updated.
    free : ndarray of int
        Variables that are strictly between 0 and their bounds.

    Returns
    -------
    bool
        False, with nothing done, if the kernel between their rows is not positive definite.

    Notes
    -----
    O(m^3 + m n) for m free variables, and O(m^2) for each that meets a bound. The objective never
    rises.
    """
    if len(free) < 2:
        return True
    at, signs = problem.thresholds[free], problem.signs[free]
    factor = _factor(problem, state, free)
    if factor is None:
        return False
    m, n_thresholds = len(free), problem.n_thresholds
    sides = np.zeros((m, 1 + n_thresholds), order="F")
    sides[:, 0] = state.latent[problem.rows[free]] - problem.targets[free]
    sides[np.arange(m), 1 + at] = 1.0
    solved, _ = lapack.dtrtrs(factor, sides, lower=1, overwrite_b=1)
    before = signs * state.dual[free]
    upper = np.where(signs > 0, problem.bounds[free], 0.0)
    t = before.copy()
    work = (
        np.empty((3, max(m, n_thresholds)), dtype=np.int32),
        np.empty((n_thresholds, m)),
        np.empty((n_thresholds, n_thresholds)),
        np.empty(n_thresholds),
        np.empty(m),
    )
    lower = upper - problem.bounds[free]
    descend_face(factor.T, solved.T, at, lower, upper, problem.linked, *work, state.flow, t)
    state.dual[free] = np.clip(signs * t, 0.0, problem.bounds[free])
    add_rows(problem.K, problem.rows[free], t - before, state.latent)
    return True


def _factor(problem: KernelDual, state: DualState, free: np.ndarray) -> np.ndarray | None:
    """Factorise the kernel between the free variables; None if it is not positive definite."""
    rows = problem.rows[free]
    kernel = problem.K[np.ix_(rows, rows)]
    scale = float(np.trace(kernel))
    # A constant added to H within a group has no effect on d, as A d = 0, and makes the system for
    # the thresholds well conditioned.
    group = state.groups[problem.thresholds[free]]
    kernel[group[:, None] == group] += scale / len(free)
    kernel[np.diag_indices_from(kernel)] += _RIDGE * scale
    factor, failed = lapack.dpotrf(kernel.T, lower=1, overwrite_a=1, clean=0)
    return None if failed else factor
