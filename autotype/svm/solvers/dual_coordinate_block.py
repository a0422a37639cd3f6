"""Columns of linear NPSVOR that share the visits of a row: their state, passes and stop."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from autotype.svm.solvers._dual_coordinate_fast import npsvor_pass
from autotype.svm.solvers.linear_problem import LinearRankProblem, LinearRankSolution

_MOST_ORDERS = 8


class PassOrders:
    """The rows' order in each pass, which depends on the seed and the number of the pass alone.

    An order is made by the block that is first to need it and dropped after the last one. Only the
    latest are kept: a block that has fallen behind makes its orders again.

    Parameters
    ----------
    n_rows : int
        Rows to order.
    seed : int
        Seed of the orders.
    n_followers : int
        Blocks that go through the orders, each at its own pace.
    """

    def __init__(self, n_rows: int, seed: int, n_followers: int = 1) -> None:
        self._rows = np.arange(n_rows, dtype=np.int32)
        self._generator = np.random.default_rng(seed)
        self._next: list[float] = [0] * n_followers
        self._made: dict[int, np.ndarray] = {}
        self._states: dict[int, Any] = {}  # of the generator before each order
        self._n_made = 0
        self._lock = Lock()

    def next_of(self, follower: int) -> np.ndarray:
        """Order of the follower's next pass: int32 of shape (n_rows,)."""
        with self._lock:
            number = int(self._next[follower])
            if number == self._n_made:
                self._states[number] = self._generator.bit_generator.state
                self._made[number] = self._generator.permutation(self._rows)
                self._made.pop(number - _MOST_ORDERS, None)
                self._n_made += 1
            order = self._made.get(number)
            if order is None:
                again = np.random.default_rng()
                again.bit_generator.state = self._states[number]
                order = again.permutation(self._rows)
            self._move(follower, number + 1)
        return order

    def leave(self, follower: int) -> None:
        """Say that the follower needs no more orders."""
        with self._lock:
            self._move(follower, math.inf)

    def _move(self, follower: int, to: float) -> None:
        self._next[follower] = to
        for number in [n for n in self._states if n < min(self._next)]:
            del self._states[number]
            self._made.pop(number, None)


@dataclass
class RankBlock:
    """Columns that share the visits of a row; those still being solved come first.

    Attributes
    ----------
    columns : ndarray of int, shape (width,)
        Which columns of the problem these are, in the block's present order.
    dual : ndarray of shape (n, width)
        Signed dual variables.
    weights : ndarray of shape (m + 1, width)
        Weights of the features and of the constant feature.
    allowed : ndarray of uint32, shape (n,)
        Bits of the columns in whose problem a row takes part.
    first_violation : ndarray of shape (width,)
        What the stopping rule compares with; NaN until the first pass.
    orders : PassOrders
        The rows' orders.
    follower : int
        The block's number among those that follow the orders.
    """

    columns: np.ndarray
    dual: np.ndarray
    weights: np.ndarray
    allowed: np.ndarray
    first_violation: np.ndarray
    orders: PassOrders
    follower: int
    n_open: int = field(init=False)
    active: np.ndarray = field(init=False)
    converged: np.ndarray = field(init=False)
    margins: np.ndarray = field(init=False)
    shrunk: np.ndarray = field(init=False)
    n_iter: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
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
        orders: PassOrders,
        follower: int,
    ) -> RankBlock:
        """Set up the columns' state, from the solution `start` where it is given."""
        n, m = problem.X.shape
        dual = np.zeros((n, len(columns)))
        weights = _aligned_zeros((m + 1, len(columns)), problem.X.dtype)
        compared = np.full(len(columns), np.nan)
        if start is not None:
            dual[:] = start.dual[:, columns]
            weights[:-1] = start.weights[:, columns]
            if problem.bias:
                weights[-1] = start.intercepts[columns] / problem.bias
            compared[:] = start.first_violation[columns]
        return cls(
            columns.copy(), dual, weights, problem.masks(columns), compared, orders, follower
        )

    def one_pass(self, problem: LinearRankProblem, norms: np.ndarray, tol: float) -> None:
        """Visit the rows once and judge the columns."""
        violation, largest = np.zeros(self.n_open), np.zeros(self.n_open)
        X = problem.X
        npsvor_pass(
            X.data,
            X.indices,
            X.indptr,
            self.orders.next_of(self.follower),
            problem.ranks,
            problem.column_ranks[self.columns[: self.n_open]],
            problem.own_bounds,
            problem.other_bounds,
            norms,
            problem.epsilon,
            problem.squared,
            problem.bias,
            self.margins,
            self.active,
            self.dual,
            self.weights,
            violation,
            largest,
            self.shrunk,
        )
        self._judge(violation, largest, tol)

    def _judge(self, violation: np.ndarray, largest: np.ndarray, tol: float) -> None:
        """Apply the stopping rule (31) to each column on its own, and restart or shrink further."""
        for c in reversed(range(self.n_open)):
            self.n_iter[c] += 1
            if np.isnan(self.first_violation[c]):
                # v0 of eq. (31) is the violation met in the first pass.
                self.first_violation[c] = violation[c]
            if violation[c] > tol * self.first_violation[c]:
                self.margins[c] = largest[c]  # eq. (34)
            elif self.shrunk[c] == 0:
                self.converged[c] = True
                self._close(c)
            else:
                self.active |= self.allowed & np.uint32(1 << c)
                self.shrunk[c] = 0
                self.margins[c] = np.inf

    def _close(self, c: int) -> None:
        """Move a column behind those still being solved, so that visits no more touch it."""
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
        for of_columns in (
            self.columns,
            self.dual,
            self.weights,
            self.first_violation,
            self.converged,
            self.margins,
            self.shrunk,
            self.n_iter,
        ):
            of_columns[..., [one, other]] = of_columns[..., [other, one]]

    def finish(self) -> None:
        """Bring the columns into increasing order, once no more passes will come."""
        self.orders.leave(self.follower)
        for place in range(len(self.columns)):
            self._swap(place, place + int(self.columns[place:].argmin()))


def _aligned_zeros(shape: tuple[int, int], dtype: type) -> np.ndarray:
    """Zeros that begin on a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    buffer = np.zeros(size + 64, dtype=np.uint8)
    offset = -buffer.ctypes.data % 64
    return buffer[offset : offset + size].view(dtype).reshape(shape)
