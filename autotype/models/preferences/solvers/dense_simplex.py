"""A dual simplex method for programs whose matrix is dense and whose variables have bounds.

Cross-validation solves hundreds of programs that differ in a bound or a few columns. SciPy's
interface to HiGHS has no warm start, and HiGHS is made for sparse matrices: it takes several times
as long here. This method keeps its basis, and uses products with dense matrices throughout.

    min  cost'x   subject to  A x + s + b = 0,  lower <= x <= upper,  -limit <= s_i <= limit

and s = 0 in the last row; b is the sum of columns held at a bound, which need no variable. As every
variable has two bounds, every basis is dual feasible once each variable outside it stands at the
bound that the sign of its reduced cost requires: there is no first phase, and a program whose
bounds or columns have changed goes on from its last basis. As the matrix is dense, so is a basis:
its inverse is kept, and a pivot is a few products with dense matrices. The method is that of
Koberstein (2005): steepest edge weights (Forrest and Goldfarb), a ratio test with bound flips,
Harris's tolerance, costs perturbed if ties stop it.

A column is the difference of two rows of a matrix R. The entries of all columns in a pivot's row
then cost one product with R, however many columns share its rows.

References
----------
Forrest, J. J. and Goldfarb, D. (1992). Steepest-edge simplex algorithms for linear programming.
Mathematical Programming 57.

Koberstein, A. (2005). The dual simplex method, techniques for a fast and stable implementation.
Dissertation, Universität Paderborn.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import blas, lapack

_FEASIBLE = 1e-9  # bounds may be missed by as much, and reduced costs have the wrong sign
_ENTRY = 1e-9  # smaller entries of a pivot's row are rounding
_PIVOT = 1e-7  # smaller pivots, and those on which two computations differ, are rejected
_RESIDUAL = 1e-9  # of A x + s = 0, from which the inverse is computed again
_AGE = 100  # pivots of an inverse
_SLOPE_LEFT = 0.2  # of the dual objective, at which a step may end; 0 takes a tenth more pivots
_STALL = 30  # pivots without gain after which costs are perturbed
_PERTURBATION = 1e-7
_GAP = 1e-8  # between the minimum and its bound, relative to the minimum
_MOST_PIVOTS, _MOST_PIVOTS_PER_ROW = 1000, 20


class NotSolvedError(ArithmeticError):
    """The method failed: another one has to solve the program."""


class InfeasibleError(NotSolvedError):
    """No variables within their bounds fulfil the equations."""


class DenseProgram:
    """The program, its columns `rows[above] - rows[below]`.

    Variables are numbered with s first, then x. `move` is 1 for one that stands at its lower
    bound, -1 at its upper, 0 for one that is basic or fixed.
    """

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = np.ascontiguousarray(rows)
        n = self.rows.shape[1]
        self.n_equations, self.n_iter = n, 0
        self.above = self.below = np.zeros(0, dtype=np.intp)
        self.cost, self.lower, self.upper = np.zeros(n), np.zeros(n), np.zeros(n)
        self.move = np.zeros(n)
        self.basis = np.arange(n)
        self.inverse = np.eye(n)
        self.weights = np.ones(n)  # squared norms of the inverse's rows
        self.age = 0
        self.held, self.held_cost = np.zeros(n), 0.0

    def add_rows(self, rows: np.ndarray) -> None:
        """Add rows for further columns to be made of."""
        self.rows = np.concatenate([self.rows, rows])

    def hold(self, total: np.ndarray, cost: float) -> None:
        """Set the sum of the columns that are held, and their cost."""
        self.held, self.held_cost = total, cost

    def add_columns(
        self,
        above: np.ndarray,
        below: np.ndarray,
        *,
        cost: np.ndarray,
        lower: np.ndarray,
        upper: np.ndarray,
    ) -> None:
        """Add variables."""
        self.above = np.append(self.above, above)
        self.below = np.append(self.below, below)
        self.cost = np.append(self.cost, cost)
        self.lower = np.append(self.lower, lower)
        self.upper = np.append(self.upper, upper)
        self.move = np.append(self.move, np.ones(len(cost)))

    def set_upper(self, upper: np.ndarray) -> None:
        """Change the upper bounds of the variables added last."""
        self.upper[len(self.upper) - len(upper) :] = upper

    def set_limit(self, limit: float) -> None:
        """Bound the absolute values of s, except its last."""
        n = self.n_equations
        self.lower[: n - 1], self.upper[: n - 1] = -limit, limit

    def solve(self) -> tuple[np.ndarray, float]:
        """Return the multipliers of the rows and the minimum.

        Raises
        ------
        InfeasibleError
            If what is held leaves no solution.
        NotSolvedError
            If rounding or ties keep the method from the optimum.
        """
        self.span = self.upper - self.lower
        self.prices = self.cost  # perturbed or not
        self._refresh()
        fresh, self.stalled = True, 0
        for _ in range(_MOST_PIVOTS + _MOST_PIVOTS_PER_ROW * self.n_equations):
            place = self._leaving()
            if place is None and fresh:
                return self._checked_optimum()
            if place is None:
                self.prices = self.cost  # an optimum for perturbed costs is nearly one
                self._refresh()
                fresh = True
                continue
            fresh = False
            if self.age >= _AGE or not self._pivot(place):
                self._invert()
                self._refresh()
            if self.stalled >= _STALL:
                self._perturb()
        raise NotSolvedError("too many pivots")

    def _checked_optimum(self) -> tuple[np.ndarray, float]:
        """Compare the minimum to the bound that weak duality gives for the multipliers."""
        multipliers, minimum = self._multipliers(), float(self.cost @ self.x)
        reduced = self.cost - self._entries(multipliers)
        bound = float(np.minimum(reduced * self.lower, reduced * self.upper).sum())
        bound -= float(multipliers @ self.held)
        if not abs(minimum - bound) <= _GAP * max(1.0, abs(minimum)):
            raise NotSolvedError("the optimum is not accurate")
        return multipliers, minimum + self.held_cost

    def _multipliers(self) -> np.ndarray:
        return self.prices[self.basis] @ self.inverse

    def _entries(self, multipliers: np.ndarray) -> np.ndarray:
        """Compute the products of all variables' columns with the multipliers."""
        values = self.rows @ multipliers
        return np.concatenate([multipliers, values[self.above] - values[self.below]])

    def _sum(self, which: np.ndarray, amounts: np.ndarray) -> np.ndarray:
        """Compute the sum of columns times their amounts."""
        n = self.n_equations
        total = np.zeros(n)
        slack = which < n
        total[which[slack]] = amounts[slack]
        columns, amounts = which[~slack] - n, amounts[~slack]
        if len(columns) < len(self.rows) // 4:
            total += amounts @ (self.rows[self.above[columns]] - self.rows[self.below[columns]])
            return total
        size = len(self.rows)
        of_rows = np.bincount(self.above[columns], amounts, minlength=size)
        of_rows -= np.bincount(self.below[columns], amounts, minlength=size)
        return total + of_rows @ self.rows

    def _invert(self) -> None:
        n, basis = self.n_equations, self.basis
        if self.age == 0:
            raise NotSolvedError("a pivot is too small")
        matrix = np.zeros((n, n))
        slack = basis < n
        matrix[basis[slack], slack] = 1.0
        columns = basis[~slack] - n
        matrix[:, ~slack] = (self.rows[self.above[columns]] - self.rows[self.below[columns]]).T
        factors, order, failed = lapack.dgetrf(matrix, overwrite_a=1)
        if failed:
            raise NotSolvedError("a basis is singular")
        inverse, _ = lapack.dgetri(factors, order, lwork=64 * n, overwrite_lu=1)
        self.inverse = np.ascontiguousarray(inverse)
        self.weights = np.einsum("ij,ij->i", self.inverse, self.inverse)
        self.age = 0

    def _refresh(self) -> None:
        """Compute reduced costs, the bounds that they ask for, and the basic variables."""
        self.reduced = self.prices - self._entries(self._multipliers())
        self.reduced[self.basis] = 0.0
        free = self.span > 0
        free[self.basis] = False
        side = np.where(self.move < 0, -1.0, 1.0)
        side = np.where(np.abs(self.reduced) > _FEASIBLE, np.sign(self.reduced), side)
        self.move = np.where(free, side, 0.0)
        self.x = np.where(self.move < 0, self.upper, self.lower)
        self.x[self.basis] = 0.0
        everything = np.arange(len(self.x))
        for _ in range(2):  # the second time refines the first
            residual = self._sum(everything, self.x) + self.held
            self.x[self.basis] -= self.inverse @ residual
        largest = max(1.0, np.abs(self.x).max(), np.abs(self.held).max())
        if self.age and np.abs(residual).max() > _RESIDUAL * largest:
            self._invert()
            self._refresh()

    def _perturb(self) -> None:
        """Move costs away from ties, each at random, so that no bound changes its side."""
        random = np.random.default_rng(self.n_iter)
        sizes = _PERTURBATION * (1.0 + np.abs(self.cost)) * random.uniform(1, 2, len(self.cost))
        self.prices = self.prices + sizes * self.move
        self.reduced += sizes * self.move
        self.stalled = 0

    def _leaving(self) -> int | None:
        """Find the basic variable that is furthest out of bounds, in steepest edge norm."""
        basis = self.basis
        x = self.x[basis]
        off = np.maximum(self.lower[basis] - x, x - self.upper[basis])
        scores = np.where(off > _FEASIBLE, off * off / self.weights, 0.0)
        place = int(np.argmax(scores))
        return place if scores[place] > 0 else None

    def _entering(self, row: np.ndarray, off: float) -> tuple[int, np.ndarray]:
        """Find the variable to enter, and those to flip to their other bound.

        Along the step the dual objective rises by `off` at first. Where a reduced cost reaches 0,
        its variable can flip, which lowers the slope: the step goes on until little or none is
        left. Of the kinks there, and those equal within a tolerance, the largest entry
        is taken: a well-conditioned basis saves more pivots than the rest of the slope is worth.
        """
        able = np.flatnonzero(row * self.move > _ENTRY)
        if not len(able):
            raise InfeasibleError("no variable can enter")
        sizes, costs = np.abs(row[able]), np.abs(self.reduced[able])
        kinks = costs / sizes
        falls = self.span[able] * sizes
        order = np.argsort(kinks)
        fallen = np.cumsum(falls[order])
        first = int(np.argmax(fallen > (1.0 - _SLOPE_LEFT) * off))
        last = int(np.argmax(fallen > off))  # 0 if rounding leaves a slope
        rest = order[last:]
        reach = ((costs[rest] + _FEASIBLE) / sizes[rest]).min()
        offered = np.concatenate([order[first:last], rest[kinks[rest] <= reach]])
        best = offered[np.argmax(sizes[offered])]
        return int(able[best]), able[order[kinks[order] < kinks[best]]]

    def _pivot(self, place: int) -> bool:
        """Exchange the basic variable of this place; False if the pivot is too inaccurate."""
        basis, leaving = self.basis, self.basis[place]
        low = self.x[leaving] < self.lower[leaving]
        bound = self.lower[leaving] if low else self.upper[leaving]
        weights = self.inverse[place].copy()
        row = self._entries(weights)
        entering, flips = self._entering(-row if low else row, abs(bound - self.x[leaving]))
        column = self.inverse @ self._sum(np.array([entering]), np.ones(1))
        pivot = column[place]
        if abs(pivot) < _PIVOT or abs(pivot - row[entering]) > _PIVOT * (1.0 + abs(pivot)):
            return False
        if len(flips):
            amounts = self.move[flips] * self.span[flips]
            self.x[flips] += amounts
            self.move[flips] *= -1.0
            self.x[basis] -= self.inverse @ self._sum(flips, amounts)
        step = self.reduced[entering] / pivot
        self.stalled = self.stalled + 1 if abs(step) < _FEASIBLE else 0
        self.reduced -= step * row
        self.reduced[entering], self.reduced[leaving] = 0.0, -step
        length = (self.x[leaving] - bound) / pivot
        self.x[basis] -= length * column
        self.x[leaving] = bound
        self.x[entering] += length
        self.move[entering] = 0.0
        self.move[leaving] = np.sign(self.span[leaving]) * (1.0 if low else -1.0)
        self._exchange(place, column, weights)
        basis[place] = entering
        return True

    def _exchange(self, place: int, column: np.ndarray, row: np.ndarray) -> None:
        """Bring the inverse and the squared norms of its rows up to date."""
        ratio = column / column[place]
        norm = self.weights[place]
        self.weights += ratio * (ratio * norm - 2.0 * (self.inverse @ row))
        self.weights[place] = norm / column[place] ** 2
        np.maximum(self.weights, 1e-8, out=self.weights)
        ratio[place] -= 1.0 / column[place]
        blas.dger(-1.0, row, ratio, a=self.inverse.T, overwrite_a=1)  # in place
        self.age += 1
        self.n_iter += 1
