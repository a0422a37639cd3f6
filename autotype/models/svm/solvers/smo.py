"""Sequential minimal optimisation for SVOR (Chu and Keerthi 2007) and kernel NPSVOR.

SVOR has a direction in feature space and thresholds b_1 <= ... <= b_{L-1}. With explicit
constraints, each row is kept on its side of the thresholds next to its rank; with implicit
constraints, of all thresholds, which implies their order. NPSVOR has a function for each rank,
solved one after another.

All of these duals have the same form: a quadratic in the rows' coefficients, bounds, and one sum
per threshold that has to be 0. This module states them in that form, and `pair_descent` solves it.
"""

from __future__ import annotations

import numpy as np

from autotype.models.svm.solvers.kernel_problem import KernelRankProblem, solution_at
from autotype.models.svm.solvers.pair_descent import DualState, KernelDual, minimise_by_pairs
from autotype.models.svm.solvers.solution import Solution


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
    state = minimise_by_pairs(problem, tol=tol, max_iter=max_iter)
    coefficients = state.coefficients(problem)
    latent = problem.K @ coefficients  # the sum kept during the steps has accumulated rounding
    at_least, at_most = _threshold_bounds(state, explicit)
    # The middle of the interval, or the only end that it has.
    low = np.where(np.isfinite(at_least), at_least, at_most)
    high = np.where(np.isfinite(at_most), at_most, low)
    thresholds = np.maximum.accumulate((low + high) / 2)
    errors = np.maximum(1 - signs * (latent[rows] - thresholds[at]), 0)
    norm = float(coefficients @ latent)  # |f|^2 = t'Kt
    return Solution(
        coefficients=coefficients,
        offsets=thresholds,
        violation=max(float(np.max(at_least - state.lowest)), 0.0),
        n_iter=state.n_steps,
        converged=state.converged,
        primal=norm / 2 + float(problem.bounds @ errors),
        dual=float(state.dual.sum()) - norm / 2,
    )


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


def _threshold_bounds(state: DualState, explicit: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the interval that optimality allows each threshold."""
    if not explicit:
        return state.highest, state.lowest
    # b_p <= b_q for p < q, and equal where the flow between them is positive.
    groups = state.groups
    first = np.searchsorted(groups, groups)
    last = np.searchsorted(groups, groups, side="right") - 1
    at_least = np.maximum.accumulate(state.highest)[last]
    return at_least, np.minimum.accumulate(state.lowest[::-1])[::-1][first]


def solve_kernel_ranks(problem: KernelRankProblem, *, tol: float, max_iter: int) -> Solution:
    """Minimise the dual of every rank by steps over the most violating pairs, second order.

    Parameters
    ----------
    problem : KernelRankProblem
        The problem.
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
    K = np.ascontiguousarray(problem.K, dtype=np.float64)
    coefficients = np.zeros((len(K), problem.n_ranks))
    intercepts = np.zeros(problem.n_ranks)
    n_iter = 0
    for rank in range(problem.n_ranks):
        rows, signs, targets, bounds = _rank_variables(problem, rank)
        pairs = KernelDual(
            K=K,
            rows=rows,
            thresholds=np.zeros(len(rows), dtype=np.int32),
            signs=signs,
            targets=targets,
            bounds=bounds,
            n_thresholds=1,
            linked=False,
        )
        state = minimise_by_pairs(pairs, tol=tol, max_iter=max_iter)
        n_iter = max(n_iter, state.n_steps)
        coefficients[:, rank] = state.coefficients(pairs)
        # Optimality leaves the threshold -b an interval: its middle.
        intercepts[rank] = -(state.highest[0] + state.lowest[0]) / 2
    return solution_at(problem, coefficients, intercepts, n_iter=n_iter, tol=tol)


def _rank_variables(
    problem: KernelRankProblem, rank: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return row, sign in c, target of f + b, and bound of each variable of eq. (6)."""
    own = problem.ranks == rank
    rows = np.repeat(np.arange(len(own), dtype=np.int32), 1 + own)
    signs = np.where(problem.ranks > rank, 1.0, -1.0)[rows]
    signs[1:][rows[1:] == rows[:-1]] = 1.0  # the second variable of a row of the rank
    # A row of the rank itself costs nothing between -epsilon and epsilon.
    targets = np.where(own[rows], -problem.epsilon * signs, signs)
    bounds = np.where(own, problem.own_costs, problem.other_costs)
    return rows, signs, targets, bounds[rows]
