"""Dual coordinate descent for linear NPSVOR: one hyperplane for each rank, several in one visit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from autotype.svm.solvers.dual_coordinate_block import PassOrders, RankBlock
from autotype.svm.solvers.linear_problem import LinearRankProblem, LinearRankSolution, squared_norms

_MOST_COLUMNS = 8  # wider blocks spend more on columns that are done than sharing a row saves


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
    start : LinearRankSolution, optional
        What to start from, dual variables within their bounds; 0 by default. The stop compares with
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
    parts = _split(len(problem.column_ranks), n_threads)
    shared = PassOrders(len(norms), seed, len(parts))
    blocks = [
        RankBlock.begin(
            problem,
            columns,
            start=start,
            # One thread solves a block to its end before the next, which starts from pass 0.
            orders=shared if n_threads > 1 else PassOrders(len(norms), seed),
            follower=number if n_threads > 1 else 0,
        )
        for number, columns in enumerate(parts)
    ]
    _run_blocks(blocks, problem, norms, tol=tol, max_iter=max_iter, n_threads=n_threads)
    return _solution(problem, blocks)


def _split(n_columns: int, n_threads: int) -> list[np.ndarray]:
    """Divide the columns into as few blocks as threads and masks allow: a block shares visits.

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
    blocks: list[RankBlock],
    problem: LinearRankProblem,
    norms: np.ndarray,
    *,
    tol: float,
    max_iter: int,
    n_threads: int,
) -> None:
    """Give every block its passes; a thread that is free takes the block that waits longest."""

    def ends_with_next_pass(block: RankBlock) -> bool:
        block.one_pass(problem, norms, tol)
        ended = not block.n_open or bool(block.n_iter.max() >= max_iter)
        if ended:
            block.finish()
        return ended

    if n_threads == 1 or len(blocks) == 1:
        for block in blocks:
            while not ends_with_next_pass(block):
                pass
        return
    waiting = list(blocks)

    def work() -> None:
        while True:
            try:
                block = waiting.pop(0)
            except IndexError:
                return
            if not ends_with_next_pass(block):
                waiting.append(block)

    with ThreadPoolExecutor(n_threads) as pool:
        for future in [pool.submit(work) for _ in range(n_threads)]:
            future.result()


def _solution(problem: LinearRankProblem, blocks: list[RankBlock]) -> LinearRankSolution:
    """Put the blocks' columns side by side."""
    if len(blocks) == 1:
        dual, weights = blocks[0].dual, blocks[0].weights
    else:
        n_columns = len(problem.column_ranks)
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
