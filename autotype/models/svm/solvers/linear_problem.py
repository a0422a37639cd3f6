"""The problem of linear NPSVOR, one hyperplane for each rank, its solution and objectives.

For rank k, with t = +1 above the rank and -1 below it, the primal problem is (eq. (4))

    min |w|^2 / 2 + sum_{y = k} own_i max(|w'x_i| - epsilon, 0)
                  + sum_{y != k} other_i max(1 - t_i w'x_i, 0)

or the same with squared losses. Its dual has one signed variable c_i per row (eq. (20),
c = yt alpha in the paper's letters), with w = sum c_i x_i.

The dual is what is solved: its variables have bounds of their own and no joint constraint, so that
one of them can be minimised exactly while all others stay, at the cost of one sparse row. The
solvers differ in how they choose the next variable; problem, solution and objectives are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from autotype.models.svm.solvers._dual_coordinate_fast import (
    npsvor_objective_terms,
    row_squared_norms,
)

_ROWS_OF_A_SUM = 1 << 14  # of one thread: sums do not depend on the number of threads

_In = TypeVar("_In")
_Out = TypeVar("_Out")


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
        Cost of a row's error in the problem of its own rank (C1), and in the others' (C2); a
        problem holds the rows whose cost in it is not 0.
    epsilon : float
        Half width of the tube around a hyperplane.
    squared : bool
        Whether errors are squared.
    bias : float
        Value of the constant feature; 0 for none.
    """

    X: Any
    ranks: np.ndarray
    ranks_of_columns: np.ndarray
    own_costs: np.ndarray
    other_costs: np.ndarray
    epsilon: float
    squared: bool
    bias: float

    @property
    def csr(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The values, features and starts of the rows, as the kernels read them."""
        return self.X.data, self.X.indices, self.X.indptr

    def kinds(self, columns: np.ndarray, width: int) -> np.ndarray:
        """Return what the ranks are in the columns.

        Returns
        -------
        ndarray of shape (n_ranks, 6, width)
            Whether a rank is the column's own, another, epsilon if own, its side, whether it is
            above and minus whether it is below. Places behind the columns are 0.
        """
        ranks = np.arange(int(self.ranks.max(initial=-1)) + 1)
        side = np.sign(ranks[:, None] - self.ranks_of_columns[columns])
        own = side == 0
        kinds = np.zeros((len(ranks), 6, width))
        parts = own, side != 0, own * self.epsilon, side, np.maximum(side, 0), np.minimum(side, 0)
        for place, values in enumerate(parts):
            kinds[:, place, : len(columns)] = values
        return kinds

    def masks(self, columns: np.ndarray) -> np.ndarray:
        """Return the bits of the columns whose problem holds a row: uint32 of shape (n,)."""
        masks = np.zeros(len(self.ranks), dtype=np.uint32)
        for bit, column in enumerate(columns):
            own = self.ranks == self.ranks_of_columns[column]
            counts = np.where(own, self.own_costs, self.other_costs) > 0
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


def npsvor_objectives(
    problem: LinearRankProblem, solution: LinearRankSolution, n_threads: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Evaluate both objectives at a solution, at a cost of O(nnz(X) n_columns).

    Returns
    -------
    primal : ndarray of shape (n_columns,)
        Eq. (4) at the weights.
    dual : ndarray of shape (n_columns,)
        The negative of eq. (20) at the dual variables; never above the minimum of the primal.
    """
    n, n_columns = problem.X.shape[0], len(problem.ranks_of_columns)
    weights = np.ascontiguousarray(solution.weights)
    edges = [*range(0, n, _ROWS_OF_A_SUM), n]

    ranks = problem.ranks, problem.ranks_of_columns
    losses = problem.own_costs, problem.other_costs, problem.epsilon, problem.squared
    planes = weights, solution.intercepts, solution.dual

    def terms(ends: tuple[int, int]) -> np.ndarray:
        sums, work = np.zeros((2, n_columns)), np.empty(n_columns, dtype=weights.dtype)
        npsvor_objective_terms(*problem.csr, *ends, *ranks, *losses, *planes, work, sums)
        return sums

    loss, dual = np.sum(in_threads(terms, list(pairwise(edges)), n_threads), axis=0)
    norms = np.einsum("jk,jk->k", weights, weights, dtype=np.float64)
    if problem.bias:
        norms += (solution.intercepts / problem.bias) ** 2
    return norms / 2 + loss, dual - norms / 2


def in_threads(function: Callable[[_In], _Out], items: Sequence[_In], n_threads: int) -> list[_Out]:
    """Call a function that releases the GIL on each item, and return the results in their order."""
    if n_threads == 1 or len(items) == 1:
        return list(map(function, items))
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(function, items))
