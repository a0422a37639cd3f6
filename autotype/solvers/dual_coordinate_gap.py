"""Primal and dual objectives of linear NPSVOR: how far a solution is from the optimum."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from autotype.solvers._dual_coordinate_fast import row_values
from autotype.solvers.dual_coordinate import LinearRankProblem, LinearRankSolution


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
    latent = _values(problem.X, solution.weights, n_threads)
    intercepts = solution.intercepts
    primal = np.empty(latent.shape[1])
    dual = np.empty(latent.shape[1])
    for column, rank in enumerate(problem.column_ranks):
        weights = solution.weights[:, column].astype(np.float64)
        norm = weights @ weights
        if problem.bias:
            norm += (intercepts[column] / problem.bias) ** 2
        own = problem.ranks == rank
        side = np.where(problem.ranks > rank, 1.0, -1.0)
        f = latent[:, column] + intercepts[column]
        error = np.where(own, np.abs(f) - problem.epsilon, 1.0 - side * f)
        np.maximum(error, 0.0, out=error)
        cost = np.where(own, problem.own_bounds, problem.other_bounds)
        if problem.taking_part is not None:
            cost = cost * problem.taking_part[:, column]
        c = solution.dual[:, column]
        linear = np.where(own, problem.epsilon * np.abs(c), -side * c)
        dual[column] = -norm / 2 - linear.sum()
        if problem.squared:
            counted = cost > 0
            dual[column] -= np.sum(c[counted] ** 2 / cost[counted]) / 4
            error *= error
        primal[column] = norm / 2 + cost @ error
    return Objectives(primal, dual)


def _values(X: Any, weights: np.ndarray, n_threads: int) -> np.ndarray:
    """X @ weights, with the rows divided among threads: shape (n, n_columns)."""
    out = np.zeros((X.shape[0], weights.shape[1]), dtype=X.dtype)
    weights = np.ascontiguousarray(weights)

    def part(first: int, last: int) -> None:
        row_values(X.data, X.indices, X.indptr, first, last, weights, out)

    if n_threads == 1:
        part(0, X.shape[0])
        return out
    edges = np.linspace(0, X.shape[0], n_threads + 1).astype(int).tolist()
    with ThreadPoolExecutor(n_threads) as pool:
        for future in [pool.submit(part, *ends) for ends in pairwise(edges)]:
            future.result()
    return out
