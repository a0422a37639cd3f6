"""Sequential minimal optimisation for the duals of kernel NPSVOR, rank by rank."""

from __future__ import annotations

import numpy as np

from autotype.svm.solvers.kernel_problem import KernelRankProblem, KernelRankSolution
from autotype.svm.solvers.pair_descent import PairProblem, minimise_by_pairs


def solve_kernel_ranks_by_pairs(
    problem: KernelRankProblem, *, tol: float, max_iter: int
) -> KernelRankSolution:
    """Minimise the dual of every rank by steps over the most violating pairs, second order.

    Parameters
    ----------
    problem : KernelRankProblem
        What to solve.
    tol : float
        Largest violation of the optimality conditions to leave.
    max_iter : int
        Most pair steps of a rank.

    Returns
    -------
    KernelRankSolution

    Notes
    -----
    A step costs O(n). Rows of the rank itself have two variables, c = a+ - a-, as eq. (6) has them;
    the others one, as in :mod:`autotype.svm.solvers.smo` with a single threshold, -b.
    """
    K = np.ascontiguousarray(problem.K, dtype=np.float64)
    coefficients = np.zeros((len(K), problem.n_ranks))
    intercepts = np.zeros(problem.n_ranks)
    n_iter = 0
    for rank in range(problem.n_ranks):
        rows, signs, targets, bounds = _variables(problem, rank)
        pairs = PairProblem(
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
        intercepts[rank] = -(state.highest[0] + state.lowest[0]) / 2
    return KernelRankSolution.at(problem, coefficients, intercepts, n_iter)


def _variables(
    problem: KernelRankProblem, rank: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Row, sign in c, target of f + b, and bound of each variable of eq. (6)."""
    own = problem.ranks == rank
    rows = np.repeat(np.arange(len(own), dtype=np.int32), 1 + own)
    signs = np.where(problem.ranks > rank, 1.0, -1.0)[rows]
    signs[1:][rows[1:] == rows[:-1]] = 1.0  # the second variable of a row of the rank
    # A row of the rank itself is left alone between -epsilon and epsilon.
    targets = np.where(own[rows], -problem.epsilon * signs, signs)
    bounds = np.where(own, problem.own_bounds, problem.other_bounds)
    return rows, signs, targets, bounds[rows]
