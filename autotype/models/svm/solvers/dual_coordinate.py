"""Dual coordinate descent for linear NPSVOR: one hyperplane for each rank, several in one visit."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from autotype.models.svm.solvers._dual_coordinate_fast import npsvor_passes
from autotype.models.svm.solvers.linear_problem import (
    LinearRankProblem,
    LinearRankSolution,
    squared_norms,
)

_MOST_COLUMNS = 8  # wider blocks spend more on columns that are done than sharing a row saves
_NUMBERS_AT_ONCE = 10_000  # random numbers for passes of few rows, of which a call makes several


def solve_linear_ranks(
    problem: LinearRankProblem,
    *,
    tol: float,
    max_iter: int,
    seed: int,
    n_threads: int = 1,
    start: LinearRankSolution | None = None,
) -> LinearRankSolution:
    """Minimise the dual of every column by DCD-2 (Algorithm 2), all columns in one visit of a row.

    Parameters
    ----------
    problem : LinearRankProblem
        The problem.
    tol : float
        A column stops when the sum of the violations in a pass is below `tol` times that of the
        first pass, eq. (31).
    max_iter : int
        Maximum number of passes over the rows.
    seed : int
        Seed of the rows' random order, which all columns share.
    n_threads : int
        Threads among which the columns are divided; they change nothing but the time.
    start : LinearRankSolution, optional
        Initial point, dual variables within their bounds; 0 by default. The stop compares with
        its first violation.

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
    norms = squared_norms(problem.X, problem.bias)
    parts = _split(len(problem.ranks_of_columns), n_threads)
    blocks = [RankBlock.begin(problem, columns, start=start, seed=seed) for columns in parts]

    def ends_with_next_passes(block: RankBlock) -> bool:
        block.some_passes(problem, norms, tol=tol, max_iter=max_iter)
        ended = not block.n_open or bool(block.n_iter.max() >= max_iter)
        if ended:
            block.sort_columns()
        return ended

    _run_blocks(blocks, ends_with_next_passes, n_threads)
    return _solution(problem, blocks)


def _split(n_columns: int, n_threads: int) -> list[np.ndarray]:
    """Divide the columns into as few blocks as threads allow, since a block shares visits.

    Outer ranks take the most passes, so they go together, and into the narrower blocks.
    """
    n_blocks = -(-n_columns // _MOST_COLUMNS)
    if n_threads > 1:
        n_blocks = max(n_blocks, min(n_columns, n_threads))
    from_the_middle = np.abs(2 * np.arange(n_columns) - (n_columns - 1))
    outer_first = np.argsort(-from_the_middle, kind="stable")
    narrow, n_wide = divmod(n_columns, n_blocks)
    widths = [narrow] * (n_blocks - n_wide) + [narrow + 1] * n_wide
    return [np.sort(part) for part in np.split(outer_first, np.cumsum(widths)[:-1])]


def _run_blocks(
    blocks: list[RankBlock], ends_with_next_passes: Callable[[RankBlock], bool], n_threads: int
) -> None:
    """Run the passes of all blocks; a free thread continues the block that has waited longest."""
    if n_threads == 1 or len(blocks) == 1:
        for block in blocks:
            while not ends_with_next_passes(block):
                pass
        return
    waiting = list(blocks)

    def work() -> None:
        while True:
            try:
                block = waiting.pop(0)
            except IndexError:
                return
            if not ends_with_next_passes(block):
                waiting.append(block)

    with ThreadPoolExecutor(n_threads) as pool:
        for future in [pool.submit(work) for _ in range(n_threads)]:
            future.result()


def _solution(problem: LinearRankProblem, blocks: list[RankBlock]) -> LinearRankSolution:
    """Join the blocks' columns."""
    n_columns = len(problem.ranks_of_columns)
    if len(blocks) == 1:
        dual, weights = blocks[0].dual[:, :n_columns], blocks[0].weights[:, :n_columns]
    else:
        dual = np.empty((len(problem.ranks), n_columns))
        weights = np.empty((problem.X.shape[1] + 1, n_columns), dtype=problem.X.dtype)
        for block in blocks:
            for place, column in enumerate(block.columns):
                dual[:, column] = block.dual[:, place]
                weights[:, column] = block.weights[:, place]
    columns = np.concatenate([block.columns for block in blocks]).argsort()
    return LinearRankSolution(
        weights=weights[:-1],
        intercepts=weights[-1].astype(np.float64) * problem.bias,
        dual=dual,
        n_iter=np.concatenate([block.n_iter for block in blocks])[columns],
        converged=np.concatenate([block.converged for block in blocks])[columns],
        first_violation=np.concatenate([block.first_violation for block in blocks])[columns],
    )


@dataclass
class RankBlock:
    """Columns that share the visits of a row; those still being solved come first.

    Attributes
    ----------
    columns : ndarray of int, shape (k,)
        Which columns of the problem these are, in the block's present order.
    dual : ndarray of shape (n, width)
        Signed dual variables; the width is 2, 4 or 8, the first that holds k.
    weights : ndarray of shape (m + 1, width)
        Weights of the features and of the constant feature.
    kinds : ndarray of shape (n_ranks, 6, width)
        What each rank is in each column, as `LinearRankProblem.kinds` returns it.
    allowed : ndarray of uint32, shape (n,)
        Bits of the columns in whose problem a row takes part.
    first_violation : ndarray of shape (k,)
        Violation that the stopping rule compares with; NaN until the first pass.
    generator : Generator
        Draws the random numbers that shuffle the rows before each pass.
    order : ndarray of int32, shape (n,)
        The rows in the order of the last pass.
    numbers : ndarray of uint32, shape (p, n) or (p, n + 1)
        Random numbers drawn for the next p passes.
    n_open : int
        Columns still being solved.
    active : ndarray of uint32, shape (n,)
        Bits of the columns that a visit of the row updates: `allowed` less what is shrunk.
    converged : ndarray of bool, shape (k,)
        Whether the stopping rule held.
    margins : ndarray of shape (k,)
        Largest violation of the last pass, beyond which variables are shrunk, eq. (34).
    shrunk : ndarray of int64, shape (k,)
        Variables shrunk since the last restart.
    n_iter : ndarray of int64, shape (k,)
        Passes of each column.
    """

    columns: np.ndarray
    dual: np.ndarray
    weights: np.ndarray
    kinds: np.ndarray
    allowed: np.ndarray
    first_violation: np.ndarray
    generator: np.random.Generator
    order: np.ndarray = field(init=False)
    numbers: np.ndarray = field(init=False)
    n_open: int = field(init=False)
    active: np.ndarray = field(init=False)
    converged: np.ndarray = field(init=False)
    margins: np.ndarray = field(init=False)
    shrunk: np.ndarray = field(init=False)
    n_iter: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.allowed)
        self.order = np.arange(n, dtype=np.int32)
        self.numbers = np.empty((0, n), dtype=np.uint32)
        self.n_open = len(self.columns)
        self.active = self.allowed.copy()
        self.converged = np.zeros(self.n_open, dtype=bool)
        self.margins = np.full(self.n_open, np.inf)
        self.shrunk = np.zeros(self.n_open, dtype=np.int64)
        self.n_iter = np.zeros(self.n_open, dtype=np.int64)

    @classmethod
    def begin(
        cls,
        problem: LinearRankProblem,
        columns: np.ndarray,
        *,
        start: LinearRankSolution | None,
        seed: int,
    ) -> RankBlock:
        """Set up the columns' state, from the solution `start` if it is given."""
        n, m = problem.X.shape
        # The kernel takes several columns at a time; those of a row lie in one cache line.
        width = max(2, 1 << (len(columns) - 1).bit_length())
        dual = _aligned_zeros((n, width), np.float64)
        weights = _aligned_zeros((m + 1, width), problem.X.dtype)
        first_violation = np.full(len(columns), np.nan)
        if start is not None:
            own = slice(len(columns))
            dual[:, own] = start.dual[:, columns]
            weights[:-1, own] = start.weights[:, columns]
            if problem.bias:
                weights[-1, own] = start.intercepts[columns] / problem.bias
            first_violation[:] = start.first_violation[columns]
        return cls(
            columns=columns.copy(),
            dual=dual,
            weights=weights,
            kinds=problem.kinds(columns, width),
            allowed=problem.masks(columns),
            first_violation=first_violation,
            # One generator a block, all of the same seed: a column meets the same orders in
            # whichever block it is, and blocks proceed at their own pace.
            generator=np.random.default_rng(seed),
        )

    def some_passes(
        self, problem: LinearRankProblem, norms: np.ndarray, *, tol: float, max_iter: int
    ) -> None:
        """Visit the rows until a column meets the stopping rule, or a few times."""
        if not len(self.numbers):
            n = len(self.order)
            shape = max(1, _NUMBERS_AT_ONCE // max(n, 1)), (n + 1) // 2
            # Two at a time, since a generator makes 64 bits.
            self.numbers = self.generator.integers(2**64, size=shape, dtype=np.uint64).view(
                np.uint32
            )
        n_left = max_iter - int(self.n_iter.max())
        violation = np.empty(self.n_open)
        X = problem.X
        n_passes = npsvor_passes(
            X.data,
            X.indices,
            X.indptr,
            problem.ranks,
            self.kinds,
            problem.own_costs,
            problem.other_costs,
            norms,
            self.n_open,
            problem.squared,
            problem.bias,
            tol,
            self.numbers[:n_left],
            self.order,
            self.margins,
            self.first_violation,
            self.active,
            self.dual,
            self.weights,
            violation,
            self.shrunk,
        )
        self.n_iter[: self.n_open] += n_passes
        self.numbers = self.numbers[n_passes:]
        self._end_columns(violation <= tol * self.first_violation[: self.n_open])

    def _end_columns(self, is_optimal: np.ndarray) -> None:
        """Close the columns that are optimal on their active variables, or restart them."""
        for c in reversed(np.flatnonzero(is_optimal).tolist()):
            if self.shrunk[c] == 0:
                self.converged[c] = True
                self._close(c)
            else:
                # Check it on all variables before it counts.
                self.active |= self.allowed & np.uint32(1 << c)
                self.shrunk[c] = 0
                self.margins[c] = np.inf

    def _close(self, c: int) -> None:
        """Move a finished column to the end, so that later passes skip it."""
        self.n_open -= 1
        self._swap(c, self.n_open)
        for masks in (self.active, self.allowed):
            last = (masks >> np.uint32(self.n_open)) & np.uint32(1)
            masks &= ~np.uint32(1 << c | 1 << self.n_open)
            if c < self.n_open:
                masks |= last << np.uint32(c)

    def _swap(self, one: int, other: int) -> None:
        if one == other:
            return
        for by_column in (
            self.columns,
            self.dual,
            self.weights,
            self.kinds,
            self.first_violation,
            self.converged,
            self.margins,
            self.shrunk,
            self.n_iter,
        ):
            kept = by_column[..., one].copy()
            by_column[..., one] = by_column[..., other]
            by_column[..., other] = kept

    def sort_columns(self) -> None:
        """Bring the columns into increasing order, after the last pass."""
        for place in range(len(self.columns)):
            self._swap(place, place + int(self.columns[place:].argmin()))


def _aligned_zeros(shape: tuple[int, int], dtype: type) -> np.ndarray:
    """Return zeros that begin on a cache line."""
    size = shape[0] * shape[1] * np.dtype(dtype).itemsize
    buffer = np.zeros(size + 64, dtype=np.uint8)
    offset = -buffer.ctypes.data % 64
    return buffer[offset : offset + size].view(dtype).reshape(shape)
