"""DCD-1: dual coordinate descent over both variables of a row, as in eq. (6).

The absolute error of a row of the rank itself needs two dual variables, one for each side of the
tube. DCD-2 merges them into one signed variable and is faster. DCD-1 is kept because the paper
compares the two, and because it checks the optimum of DCD-2 by another way.
"""

from __future__ import annotations

import numpy as np

from autotype.models.svm.solvers._dual_coordinate_fast import npsvor_two_variable_pass
from autotype.models.svm.solvers.linear_problem import (
    LinearRankProblem,
    LinearRankSolution,
    squared_norms,
)


def solve_linear_ranks_by_dcd1(
    problem: LinearRankProblem, *, tol: float, max_iter: int, seed: int
) -> LinearRankSolution:
    """Minimise eq. (6) rank after rank by Algorithm 1, with the stopping rule (31).

    Parameters
    ----------
    problem : LinearRankProblem
        The problem; `row_mask` is not used.
    tol : float
        A rank stops when the sum of the violations in a pass is below `tol` times that of the
        first pass.
    max_iter : int
        Maximum number of passes over the variables.
    seed : int
        Seed of the variables' random order.

    Returns
    -------
    LinearRankSolution
        With c = alpha- minus alpha+ for rows of the rank itself.
    """
    X = problem.X
    norms = squared_norms(X, problem.bias)
    n_columns = len(problem.ranks_of_columns)
    weights = np.zeros((n_columns, X.shape[1] + 1), dtype=X.dtype)
    dual = np.zeros((X.shape[0], n_columns))
    n_iter = np.zeros(n_columns, dtype=np.int64)
    converged = np.zeros(n_columns, dtype=bool)
    first = np.full(n_columns, np.nan)
    for column, rank in enumerate(problem.ranks_of_columns):
        rows, signs, linear, bounds = _variables(problem, int(rank))
        variables = np.zeros(len(rows))
        generator = np.random.default_rng(seed)
        while n_iter[column] < max_iter and not converged[column]:
            violation = np.zeros(1)
            npsvor_two_variable_pass(
                X.data,
                X.indices,
                X.indptr,
                generator.permutation(np.arange(len(rows), dtype=np.int32)),
                rows,
                signs,
                linear,
                bounds,
                norms,
                problem.squared,
                problem.bias,
                variables,
                weights[column],
                violation,
            )
            if n_iter[column] == 0:
                first[column] = violation[0]
            n_iter[column] += 1
            converged[column] = violation[0] <= tol * first[column]
        # The signed variable of a row is the sum over its one or two variables.
        np.add.at(dual[:, column], rows, signs * variables)
    return LinearRankSolution(
        weights=weights[:, :-1].T,
        intercepts=weights[:, -1].astype(np.float64) * problem.bias,
        dual=dual,
        n_iter=n_iter,
        converged=converged,
        first_violation=first,
    )


def _variables(
    problem: LinearRankProblem, rank: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return row, sign in w, linear term of eq. (12) and bound of the n + l variables."""
    ranks = problem.ranks
    own = np.flatnonzero((ranks == rank) & (problem.own_costs > 0))
    others = np.flatnonzero((ranks != rank) & (problem.other_costs > 0))
    rows = np.concatenate([own, own, others]).astype(np.int32)
    side = np.where(ranks[others] > rank, 1.0, -1.0)
    signs = np.concatenate([np.ones(len(own)), -np.ones(len(own)), side])
    linear = np.concatenate([np.full(2 * len(own), problem.epsilon), -np.ones(len(others))])
    bounds = np.concatenate(
        [problem.own_costs[own], problem.own_costs[own], problem.other_costs[others]]
    )
    return rows, signs, linear, bounds
