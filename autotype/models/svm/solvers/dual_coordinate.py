"""Dual coordinate descent for linear NPSVOR: one hyperplane for each rank, several in one visit.

On sparse text a pass over the rows is bound by memory, not by arithmetic. The hyperplanes of
several ranks therefore share each visit of a row: their dual variables and weights lie in one cache
line, and a row is read once for all of them. Ranks converge at different speed, so each column
shrinks and stops by itself and leaves the visits when it is done.

DCD-1 descends over both variables of a row, as in eq. (6). The absolute error of a row of the rank
itself needs two dual variables, one for each side of the tube. DCD-2 merges them into one signed
variable and is faster. DCD-1 is kept because the paper compares the two, and because it checks the
optimum of DCD-2 by another way.
"""

from __future__ import annotations

import numpy as np

from autotype.models.svm.solvers._dual_coordinate_fast import (
    npsvor_passes,
    npsvor_two_variable_pass,
)
from autotype.models.svm.solvers.linear_problem import (
    LinearRankProblem,
    LinearRankSolution,
    in_threads,
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

    def solved(columns: np.ndarray) -> RankBlock:
        block = RankBlock(problem, columns, start=start, seed=seed)
        while block.n_open and block.n_iter.max() < max_iter:
            block.some_passes(norms, tol=tol, max_iter=max_iter)
        return block

    parts = _split(len(problem.ranks_of_columns), n_threads)
    return _solution(problem, in_threads(solved, parts, n_threads))


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


def _solution(problem: LinearRankProblem, blocks: list[RankBlock]) -> LinearRankSolution:
    """Join the blocks' columns."""
    order = np.concatenate([block.columns for block in blocks]).argsort()

    def joined(name: str) -> np.ndarray:
        parts = [getattr(block, name)[..., : len(block.columns)] for block in blocks]
        return np.take(np.concatenate(parts, axis=-1), order, axis=-1)

    weights = joined("weights")
    return LinearRankSolution(
        weights=weights[:-1],
        intercepts=weights[-1].astype(np.float64) * problem.bias,
        **{name: joined(name) for name in ("dual", "n_iter", "converged", "first_violation")},
    )


class RankBlock:
    """Columns that share the visits of a row; those still being solved come first.

    Parameters
    ----------
    problem : LinearRankProblem
        The problem.
    columns : ndarray of int, shape (k,)
        Its columns that this block solves.
    start : LinearRankSolution or None
        Initial point.
    seed : int
        Seed of the rows' random order.

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
    active : ndarray of uint32, shape (n,)
        Bits of the columns that a visit of the row updates: `allowed` less what is shrunk.
    first_violation : ndarray of shape (k,)
        Violation that the stopping rule compares with; NaN until the first pass.
    order : ndarray of int32, shape (n,)
        The rows in the order of the last pass.
    numbers : ndarray of uint32, shape (p, n) or (p, n + 1)
        Random numbers drawn for the next p passes.
    n_open : int
        Columns still being solved.
    converged : ndarray of bool, shape (k,)
        Whether the stopping rule held.
    margins : ndarray of shape (k,)
        Largest violation of the last pass, beyond which variables are shrunk, eq. (34).
    shrunk : ndarray of int64, shape (k,)
        Variables shrunk since the last restart.
    n_iter : ndarray of int64, shape (k,)
        Passes of each column.
    """

    def __init__(
        self,
        problem: LinearRankProblem,
        columns: np.ndarray,
        *,
        start: LinearRankSolution | None,
        seed: int,
    ) -> None:
        (n, m), k = problem.X.shape, len(columns)
        self.problem, self.columns, self.n_open = problem, columns.copy(), k
        # The kernel takes several columns at a time; those of a row lie in one cache line.
        width = max(2, 1 << (k - 1).bit_length())
        self.dual = _aligned_zeros((n, width), np.float64)
        self.weights = _aligned_zeros((m + 1, width), problem.X.dtype)
        self.kinds, self.allowed = problem.kinds(columns, width), problem.masks(columns)
        self.active = self.allowed.copy()
        self.first_violation, self.margins = np.full(k, np.nan), np.full(k, np.inf)
        self.converged, self.shrunk = np.zeros(k, dtype=bool), np.zeros(k, dtype=np.int64)
        self.n_iter = np.zeros(k, dtype=np.int64)
        # One generator per block, all of the same seed: a column meets the same orders in
        # whichever block it is, and blocks proceed at their own pace.
        self.generator = np.random.default_rng(seed)
        self.order = np.arange(n, dtype=np.int32)
        self.numbers = np.empty((0, n), dtype=np.uint32)
        if start is not None:
            self.dual[:, :k] = start.dual[:, columns]
            self.weights[:-1, :k] = start.weights[:, columns]
            if problem.bias:
                self.weights[-1, :k] = start.intercepts[columns] / problem.bias
            self.first_violation[:] = start.first_violation[columns]

    def some_passes(self, norms: np.ndarray, *, tol: float, max_iter: int) -> None:
        """Visit the rows until a column meets the stopping rule, or a few times."""
        if not len(self.numbers):
            n = len(self.order)
            shape = max(1, _NUMBERS_AT_ONCE // max(n, 1)), (n + 1) // 2
            # Two at a time, since a generator makes 64 bits.
            self.numbers = self.generator.integers(2**64, size=shape, dtype=np.uint64).view(
                np.uint32
            )
        n_left = max_iter - int(self.n_iter.max())
        problem, violation = self.problem, np.empty(self.n_open)
        costs = problem.own_costs, problem.other_costs
        rows = *problem.csr, problem.ranks, self.kinds, *costs, norms
        options = self.n_open, problem.squared, problem.bias, tol, self.numbers[:n_left]
        stopping = self.margins, self.first_violation
        results = self.active, self.dual, self.weights, violation, self.shrunk
        n_passes = npsvor_passes(*rows, *options, self.order, *stopping, *results)
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
        solution = self.columns, self.kinds, self.dual, self.weights
        progress = self.first_violation, self.margins, self.shrunk, self.converged, self.n_iter
        for by_column in (*solution, *progress):
            kept = by_column[..., one].copy()
            by_column[..., one] = by_column[..., other]
            by_column[..., other] = kept


def _aligned_zeros(shape: tuple[int, int], dtype: type) -> np.ndarray:
    """Return zeros that begin on a cache line."""
    size = shape[0] * shape[1] * np.dtype(dtype).itemsize
    buffer = np.zeros(size + 64, dtype=np.uint8)
    offset = -buffer.ctypes.data % 64
    return buffer[offset : offset + size].view(dtype).reshape(shape)


def solve_linear_ranks_by_dcd1(
    problem: LinearRankProblem, *, tol: float, max_iter: int, seed: int
) -> LinearRankSolution:
    """Minimise eq. (6) rank after rank by Algorithm 1, with the stopping rule (31).

    Parameters
    ----------
    problem : LinearRankProblem
        The problem.
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
            order = generator.permutation(np.arange(len(rows), dtype=np.int32))
            given = rows, signs, linear, bounds, norms, problem.squared, problem.bias
            results = variables, weights[column], violation
            npsvor_two_variable_pass(*problem.csr, order, *given, *results)
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
