"""Dual coordinate descent for linear NPSVOR: one hyperplane for each rank.

For rank k, with t = +1 above the rank and -1 below it, the primal problem is (eq. (4))

    min |w|^2 / 2 + sum_{y = k} own_i max(|w'x_i| - epsilon, 0)
                  + sum_{y != k} other_i max(1 - t_i w'x_i, 0)

or the same with squared losses. Its dual has one signed variable c_i a row (eq. (20), c = yt alpha
in the paper's letters), with w = sum c_i x_i.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from autotype.solvers._dual_coordinate_fast import npsvor_pass, row_squared_norms

_MOST_COLUMNS = 8  # wider blocks spend more on columns that are done than sharing a row saves


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


@dataclass
class _Block:
    """Columns that share the visits of a row, and their moving state."""

    columns: np.ndarray
    allowed: np.ndarray
    dual: np.ndarray
    weights: np.ndarray
    order_of_pass: Callable[[int], np.ndarray]
    first_violation: np.ndarray
    n_pass: int = 0
    active: np.ndarray = field(init=False)
    done: np.ndarray = field(init=False)
    converged: np.ndarray = field(init=False)
    margins: np.ndarray = field(init=False)
    shrunk: np.ndarray = field(init=False)
    n_iter: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        width = len(self.columns)
        self.active = self.allowed.copy()
        self.done = np.zeros(width, dtype=bool)
        self.converged = np.zeros(width, dtype=bool)
        self.margins = np.full(width, np.inf)
        self.shrunk = np.zeros(width, dtype=np.int64)
        self.n_iter = np.zeros(width, dtype=np.int64)

    def judge(self, violation: np.ndarray, largest: np.ndarray, tol: float) -> None:
        """Apply the stopping rule (31) to each column on its own, and restart or shrink further."""
        for c in np.flatnonzero(~self.done):
            self.n_iter[c] += 1
            if np.isnan(self.first_violation[c]):
                # v0 of eq. (31) is the violation met in the first pass.
                self.first_violation[c] = violation[c]
            bit = np.uint32(1 << c)
            if violation[c] > tol * self.first_violation[c]:
                self.margins[c] = largest[c]  # eq. (34)
            elif self.shrunk[c] == 0:
                self.done[c] = self.converged[c] = True
                self.active &= ~bit
            else:
                self.active |= self.allowed & bit
                self.shrunk[c] = 0
                self.margins[c] = np.inf


def solve_linear_ranks(
    problem: LinearRankProblem,
    *,
    tol: float,
    max_iter: int,
    seed: int,
    n_threads: int = 1,
    start: np.ndarray | None = None,
    first_violation: np.ndarray | None = None,
) -> LinearRankSolution:
    """Minimise the dual of every column by DCD-2 (Algorithm 2), all columns in one visit of a row.

    Parameters
    ----------
    problem : LinearRankProblem
        What to solve.
    tol : float
        A column stops when the sum of the violations in a pass is below `tol` times that of the
        first pass, eq. (31).
    max_iter : int
        Most passes over the rows.
    seed : int
        Seed of the rows' random order, which all columns share.
    n_threads : int
        Threads among which the columns are divided; they change nothing but the time.
    start : ndarray of shape (n, n_columns), optional
        Dual variables to start from, clipped to their bounds; 0 by default.
    first_violation : ndarray of shape (n_columns,), optional
        Violation to compare with instead of that of the first pass, for a warm start.

    Returns
    -------
    LinearRankSolution

    Notes
    -----
    A pass costs O(nnz(X) n_columns) less what shrinking saves. Each column shrinks and stops by its
    own violations, and sees the rows in an order that depends on the seed and the number of the
    pass alone, so that its path is the same whichever columns share its visits.

    References
    ----------
    Shi, Wang, Shen and Niu, A novel large-scale ordinal regression model, eqs. (20)-(34).
    """
    X = problem.X
    norms = squared_norms(X, problem.bias)
    blocks = [
        _make_block(problem, columns, seed, start, first_violation)
        for columns in _split(len(problem.column_ranks), n_threads)
    ]

    def one_pass(block: _Block) -> bool:
        _one_pass(problem, norms, block, tol)
        return bool(block.done.all()) or block.n_pass >= max_iter

    _run_blocks(blocks, one_pass, n_threads)
    n_columns = len(problem.column_ranks)
    dual = blocks[0].dual if len(blocks) == 1 else np.empty((X.shape[0], n_columns))
    weights = np.empty((X.shape[1] + 1, n_columns), dtype=X.dtype)
    for block in blocks:
        if len(blocks) > 1:
            dual[:, block.columns] = block.dual
        weights[:, block.columns] = block.weights[:, : len(block.columns)]
    return LinearRankSolution(
        weights=weights[:-1],
        intercepts=weights[-1].astype(np.float64) * problem.bias,
        dual=dual,
        n_iter=np.concatenate([block.n_iter for block in blocks]),
        converged=np.concatenate([block.converged for block in blocks]),
        first_violation=np.concatenate([block.first_violation for block in blocks]),
    )


def _split(n_columns: int, n_threads: int) -> list[np.ndarray]:
    """Divide the columns into as few blocks as threads and masks allow: a block shares visits."""
    n_blocks = -(-n_columns // _MOST_COLUMNS)
    if n_threads > 1:
        n_blocks = max(n_blocks, min(n_columns, n_threads))
    edges = np.linspace(0, n_columns, n_blocks + 1).round().astype(int)
    return [np.arange(first, last) for first, last in pairwise(edges)]


def _make_block(
    problem: LinearRankProblem,
    columns: np.ndarray,
    seed: int,
    start: np.ndarray | None,
    first_violation: np.ndarray | None,
) -> _Block:
    n, m = problem.X.shape
    generator = np.random.default_rng(seed)

    def order_of_pass(number: int) -> np.ndarray:
        return generator.permutation(np.arange(n, dtype=np.int32))

    dual = np.zeros((n, len(columns)))
    weights = _aligned_zeros((m + 1, len(columns)), problem.X.dtype)
    if start is not None:
        dual[:] = clip_to_bounds(problem, start[:, columns], columns)
        weights[:-1] = problem.X.T @ dual.astype(problem.X.dtype)
        weights[-1] = problem.bias * dual.sum(axis=0)
    compared = np.full(len(columns), np.nan)
    if first_violation is not None:
        compared[:] = first_violation[columns]
    return _Block(columns, problem.masks(columns), dual, weights, order_of_pass, compared)


def clip_to_bounds(problem: LinearRankProblem, dual: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Bring signed dual variables into the box of eq. (20): shape (n, len(columns))."""
    lower, upper = dual_bounds(problem, columns)
    return np.clip(dual, lower, upper)


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


def _aligned_zeros(shape: tuple[int, int], dtype: Any) -> np.ndarray:
    """Zeros that begin on a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    buffer = np.zeros(size + 64, dtype=np.uint8)
    offset = -buffer.ctypes.data % 64
    return buffer[offset : offset + size].view(dtype).reshape(shape)


def squared_norms(X: Any, bias: float) -> np.ndarray:
    """A_i = x_i'x_i, eq. (10), with the constant feature: shape (n,)."""
    norms = np.empty(X.shape[0])
    row_squared_norms(X.data, X.indptr, norms)
    norms += bias**2
    return norms


def _one_pass(problem: LinearRankProblem, norms: np.ndarray, block: _Block, tol: float) -> None:
    width = len(block.columns)
    violation, largest = np.zeros(width), np.zeros(width)
    X = problem.X
    npsvor_pass(
        X.data,
        X.indices,
        X.indptr,
        block.order_of_pass(block.n_pass),
        problem.ranks,
        problem.column_ranks[block.columns],
        problem.own_bounds,
        problem.other_bounds,
        norms,
        problem.epsilon,
        problem.squared,
        problem.bias,
        block.margins,
        block.active,
        block.dual,
        block.weights,
        violation,
        largest,
        block.shrunk,
    )
    block.n_pass += 1
    block.judge(violation, largest, tol)


def _run_blocks(blocks: list[_Block], one_pass: Callable[[_Block], bool], n_threads: int) -> None:
    """Give every block its passes; a thread that is free takes the block that waits longest."""
    if n_threads == 1 or len(blocks) == 1:
        for block in blocks:
            while not one_pass(block):
                pass
        return
    waiting = list(blocks)

    def work() -> None:
        while True:
            try:
                block = waiting.pop(0)
            except IndexError:
                return
            if not one_pass(block):
                waiting.append(block)

    with ThreadPoolExecutor(n_threads) as pool:
        for future in [pool.submit(work) for _ in range(n_threads)]:
            future.result()
