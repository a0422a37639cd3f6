"""The problem of linear NPSVOR, one hyperplane for each rank, its solution and objectives.

For rank k, with t = +1 above the rank and -1 below it, the primal problem is (eq. (4))

    min |w|^2 / 2 + sum_{y = k} own_i max(|w'x_i| - epsilon, 0)
                  + sum_{y != k} other_i max(1 - t_i w'x_i, 0)

or the same with squared losses. Its dual has one signed variable c_i a row (eq. (20), c = yt alpha
in the paper's letters), with w = sum c_i x_i.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from autotype.svm.solvers._dual_coordinate_fast import row_squared_norms, row_values


@dataclass(frozen=True)
class LinearRankProblem:
    """The rows, their ranks, and what an error costs.

    Attributes
    ----------
    X : csr_matrix of shape (n, m), float32 or float64
        The rows; weights are kept in the same precision.
    ranks : ndarray of int32, shape (n,)
        Ranks 0 .. n_ranks - 1.
    ranks_of_columns : ndarray of int32, shape (n_columns,)
        The rank whose hyperplane each column of the solution is.
    own_costs, other_costs : ndarray of shape (n,)
        Cost of a row's error in the problem of its own rank (C1), and in the others' (C2).
    epsilon : float
        Half width of the tube around a hyperplane.
    squared : bool
        Whether errors are squared.
    bias : float
        Value of the constant feature; 0 for none.
    row_mask : ndarray of bool, shape (n, n_columns), optional
        Which rows each column's problem holds; all of them by default.
    """

    X: Any
    ranks: np.ndarray
    ranks_of_columns: np.ndarray
    own_costs: np.ndarray
    other_costs: np.ndarray
    epsilon: float
    squared: bool
    bias: float
    row_mask: np.ndarray | None = None

    def masks(self, columns: np.ndarray) -> np.ndarray:
        """Return the bits of the columns whose problem holds a row: uint32 of shape (n,)."""
        masks = np.zeros(len(self.ranks), dtype=np.uint32)
        for bit, column in enumerate(columns):
            own = self.ranks == self.ranks_of_columns[column]
            counts = np.where(own, self.own_costs, self.other_costs) > 0
            if self.row_mask is not None:
                counts &= self.row_mask[:, column]
            masks |= counts.astype(np.uint32) << np.uint32(bit)
        return masks


@dataclass(frozen=True)
class LinearRankSolution:
    """Hyperplanes, their dual variables and how the iteration ended.

    Attributes
    ----------
    weights : ndarray of shape (m, n_columns)
        Weights of the features.
    intercepts : ndarray of shape (n_columns,)
        Weight of the constant feature times its value.
    dual : ndarray of shape (n, n_columns)
        The signed dual variables c.
    n_iter : ndarray of int, shape (n_columns,)
        Passes over the rows.
    converged : ndarray of bool, shape (n_columns,)
        Whether the stopping rule held within the passes allowed.
    first_violation : ndarray of shape (n_columns,)
        The violation that the stopping rule compares with.
    """

    weights: np.ndarray
    intercepts: np.ndarray
    dual: np.ndarray
    n_iter: np.ndarray
    converged: np.ndarray
    first_violation: np.ndarray


def squared_norms(X: Any, bias: float) -> np.ndarray:
    """Compute A_i = x_i'x_i, eq. (10), with the constant feature: shape (n,)."""
    norms = np.empty(X.shape[0])
    row_squared_norms(X.data, X.indptr, norms)
    norms += bias**2
    return norms


@dataclass(frozen=True)
class Objectives:
    """Objectives of every column; the primal is minimised, the dual maximised.

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
    """Evaluate both objectives at a solution, at a cost of O(nnz(X) n_columns)."""
    columns = range(len(problem.ranks_of_columns))
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
    """Compute primal and dual objective of one column from `latent`, the rows' w'x."""
    rank, intercept = problem.ranks_of_columns[column], solution.intercepts[column]
    weights = solution.weights[:, column].astype(np.float64)
    norm = weights @ weights
    if problem.bias:
        norm += (intercept / problem.bias) ** 2
    own = problem.ranks == rank
    side = np.where(problem.ranks > rank, 1.0, -1.0)
    f = latent + intercept
    # The loss of eq. (4): epsilon tube on the rank, hinge on the others.
    error = np.where(own, np.abs(f) - problem.epsilon, 1.0 - side * f)
    np.maximum(error, 0.0, out=error)
    cost = np.where(own, problem.own_costs, problem.other_costs)
    if problem.row_mask is not None:
        cost = cost * problem.row_mask[:, column]
    c = solution.dual[:, column]
    # The negative of eq. (20); squared losses add c^2 / (4 cost).
    dual = -norm / 2 - np.where(own, problem.epsilon * np.abs(c), -side * c).sum()
    if problem.squared:
        counted = cost > 0
        dual -= np.sum(c[counted] ** 2 / cost[counted]) / 4
        error *= error
    return norm / 2 + cost @ error, dual
