"""Primal and dual objectives of linear NPSVOR: how far a solution is from the optimum."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from autotype.svm.solvers._dual_coordinate_fast import row_values
from autotype.svm.solvers.linear_problem import LinearRankProblem, LinearRankSolution


@dataclass(frozen=True)
class Objectives:
    """Objectives of every column, both as values to be minimised and maximised respectively.

    Attributes
    ----------
    primal : ndarray of shape (n_columns,)
        Eq. (4) at the weights.
    dual : ndarray of shape (n_columns,)
        The negative of eq. (20) at the dual variables; never above the primal's minimum.
    """

    primal: np.ndarray
    dual: np.ndarray

    @property
    def relative_gap(self) -> np.ndarray:
        """(primal - dual) / primal, 0 at the optimum: shape (n_columns,)."""
        return (self.primal - self.dual) / np.maximum(self.primal, np.finfo(float).tiny)


def npsvor_objectives(
    problem: LinearRankProblem, solution: LinearRankSolution, n_threads: int = 1
) -> Objectives:
    """Evaluate both objectives at a solution, for O(nnz(X) n_columns)."""
    columns = range(len(problem.column_ranks))
    latent = np.zeros((problem.X.shape[0], len(columns)), dtype=problem.X.dtype)
    weights = np.ascontiguousarray(solution.weights)
    edges = np.linspace(0, len(latent), n_threads + 1).astype(int).tolist()

    def evaluate(ends: tuple[int, int]) -> None:
        row_values(problem.X.data, problem.X.indices, problem.X.indptr, *ends, weights, latent)

    def of_column(column: int) -> tuple[float, float]:
        return _column_objectives(problem, solution, column, latent[:, column])

    if n_threads == 1:
        evaluate((0, len(latent)))
        pairs = [of_column(column) for column in columns]
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            list(pool.map(evaluate, pairwise(edges)))
            pairs = list(pool.map(of_column, columns))
    primal, dual = np.array(pairs).T
    return Objectives(primal, dual)


def _column_objectives(
    problem: LinearRankProblem, solution: LinearRankSolution, column: int, latent: np.ndarray
) -> tuple[float, float]:
    """Primal and dual objective of one column, from its rows' w'x."""
    rank, intercept = problem.column_ranks[column], solution.intercepts[column]
    weights = solution.weights[:, column].astype(np.float64)
    norm = weights @ weights
    if problem.bias:
        norm += (intercept / problem.bias) ** 2
    own = problem.ranks == rank
    side = np.where(problem.ranks > rank, 1.0, -1.0)
    f = latent + intercept
    error = np.where(own, np.abs(f) - problem.epsilon, 1.0 - side * f)
    np.maximum(error, 0.0, out=error)
    cost = np.where(own, problem.own_bounds, problem.other_bounds)
    if problem.taking_part is not None:
        cost = cost * problem.taking_part[:, column]
    c = solution.dual[:, column]
    dual = -norm / 2 - np.where(own, problem.epsilon * np.abs(c), -side * c).sum()
    if problem.squared:
        counted = cost > 0
        dual -= np.sum(c[counted] ** 2 / cost[counted]) / 4
        error *= error
    return norm / 2 + cost @ error, dual
