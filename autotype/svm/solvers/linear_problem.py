"""The problem of linear NPSVOR, one hyperplane for each rank, its bounds and its solution.

For rank k, with t = +1 above the rank and -1 below it, the primal problem is (eq. (4))

    min |w|^2 / 2 + sum_{y = k} own_i max(|w'x_i| - epsilon, 0)
                  + sum_{y != k} other_i max(1 - t_i w'x_i, 0)

or the same with squared losses. Its dual has one signed variable c_i a row (eq. (20), c = yt alpha
in the paper's letters), with w = sum c_i x_i.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from autotype.svm.solvers._dual_coordinate_fast import row_squared_norms


@dataclass(frozen=True)
class LinearRankProblem:
    """The rows, their ranks, and what an error costs.

    Attributes
    ----------
    X : csr_matrix of shape (n, m), float32 or float64
        The rows; weights are kept in the same precision.
    ranks : ndarray of int32, shape (n,)
        Ranks 0 .. n_ranks - 1.
    column_ranks : ndarray of int32, shape (n_columns,)
        The rank whose hyperplane each column of the solution is.
    own_bounds, other_bounds : ndarray of shape (n,)
        Cost of a row's error in the problem of its own rank (C1), and in the others' (C2).
    epsilon : float
        Half width of the tube around a hyperplane.
    squared : bool
        Whether errors are squared.
    bias : float
        Value of the constant feature; 0 for none.
    taking_part : ndarray of bool, shape (n, n_columns), optional
        Which rows each column's problem holds; all of them by default.
    """

    X: Any
    ranks: np.ndarray
    column_ranks: np.ndarray
    own_bounds: np.ndarray
    other_bounds: np.ndarray
    epsilon: float
    squared: bool
    bias: float
    taking_part: np.ndarray | None = None

    def masks(self, columns: np.ndarray) -> np.ndarray:
        """Bits of the columns in whose problem a row takes part: uint32 of shape (n,)."""
        masks = np.zeros(len(self.ranks), dtype=np.uint32)
        for bit, column in enumerate(columns):
            own = self.ranks == self.column_ranks[column]
            counts = np.where(own, self.own_bounds, self.other_bounds) > 0
            if self.taking_part is not None:
                counts &= self.taking_part[:, column]
            masks |= counts.astype(np.uint32) << np.uint32(bit)
        return masks


@dataclass(frozen=True)
class LinearRankSolution:
    """Hyperplanes and how near they are to the optimum.

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


def dual_bounds(problem: LinearRankProblem, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds of the signed dual variables, each of shape (n, len(columns))."""
    ranks, column_ranks = problem.ranks[:, None], problem.column_ranks[columns]
    own, other = problem.own_bounds[:, None], problem.other_bounds[:, None]
    if problem.squared:
        own, other = (np.where(bound > 0, np.inf, 0.0) for bound in (own, other))
    upper = np.where(ranks == column_ranks, own, np.where(ranks > column_ranks, other, 0.0))
    lower = np.where(ranks == column_ranks, -own, np.where(ranks < column_ranks, -other, 0.0))
    if problem.taking_part is not None:
        out = ~problem.taking_part[:, columns]
        lower[out] = upper[out] = 0.0
    return lower, upper


def squared_norms(X: Any, bias: float) -> np.ndarray:
    """A_i = x_i'x_i, eq. (10), with the constant feature: shape (n,)."""
    norms = np.empty(X.shape[0])
    row_squared_norms(X.data, X.indptr, norms)
    norms += bias**2
    return norms
