"""What an engine computes of a table that does not come to Python: counts and a row sample.

A table of a hundred million rows has to be typed where it lies. The inference needs few things of
it: how many values each column has, the counts of the levels, and some rows. An engine computes
them in three passes over the data, whatever the number of columns: `Engine.summarise`,
`Engine.count_levels` and `Engine.draw_rows`. A row is drawn if its key is small. The key is
computed from the row's number by integer arithmetic that every engine has, so that the same table
in the same order has the same sample in all of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd

from autotype.types.levels import factorize

# Keys are uniform in 0 .. KEY_RANGE - 1; products of two of them fit 64 bits.
KEY_RANGE = 1 << 31
# Level -> the sum of the weights of its rows, and that of their squares.
Sums = dict[Any, tuple[float, float]]
# Position of a column -> level -> a higher threshold for the rows that hold this level.
Rare = Mapping[int, Mapping[Any, int]]
Held = Mapping[int, int]  # the same for the rows with any value there
# The columns of the rows that are drawn, and the numbers of these rows.
Drawn = tuple[list[pd.Series], np.ndarray]
_MULTIPLIERS = (1_664_525, 747_796_405)  # odd, so that all bits of a number are kept


@dataclass(frozen=True)
class ColumnSummary:
    """The counts of one column.

    Attributes
    ----------
    n_missing : int
        Missing values, NaN included.
    n_distinct : int
        Distinct values without missing ones; an estimate unless `is_exact`.
    is_exact : bool
        Whether `n_distinct` is exact.
    hashable : bool
        False for lists, structs and maps, which are not counted.
    """

    n_missing: int
    n_distinct: int
    is_exact: bool
    hashable: bool = True


@runtime_checkable
class Engine(Protocol):
    """A table held by an engine."""

    title: str
    names: list[str]

    def count_rows(self) -> int:
        """Count the rows, as cheaply as the engine can."""

    def collect(self) -> Any:
        """Load the whole table as an Arrow table."""

    def summarise(self) -> tuple[int, list[ColumnSummary]]:
        """Count rows, and missing and distinct values of all columns, in one pass."""

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one pass."""

    def count_some(self, wanted: Mapping[int, Sequence[Any]]) -> list[dict[Any, int]]:
        """Count the rows that hold some values of some columns, in one pass."""

    def ranges(self, columns: Sequence[int]) -> list[tuple[Any, Any]]:
        """Return the smallest and the largest value of some columns, in one pass.

        Both are missing if all values are.
        """

    def repeated(self, column: int, most: int) -> dict[Any, int]:
        """Count the values of a column that occur more than once, at most `most` of them."""

    def weigh_levels(self, columns: Sequence[int], weights: int) -> list[Sums]:
        """Sum the weights of each level of some columns, and their squares.

        Parameters
        ----------
        columns : sequence of int
            Positions of columns with few levels.
        weights : int
            Position of the column of weights; rows without one count nothing.
        """

    def draw_rows(self, threshold: int, *, rare: Rare, held: Held, seed: int) -> Drawn:
        """Return the rows with a key below a threshold, in one pass.

        Parameters
        ----------
        threshold : int
            For all rows.
        rare : mapping
            Position of a column -> level -> a higher threshold for the rows that hold this level.
        held : mapping
            Position of a column -> a higher threshold for the rows with any value there.
        seed : int
            Seed of the keys.

        Returns
        -------
        values : list of pandas.Series
            The columns of the table, in its order.
        numbers : ndarray of int
            The number of each row in the table, ascending, from which `row_key` computes its key.
        """


def weigh(values: pd.Series, weights: np.ndarray) -> Sums:
    """Return the sums of each level of one column in memory; rows without a weight count nothing.

    Examples
    --------
    >>> weigh(pd.Series(["a", "b", None, "a"]), np.array([1.0, 3.0, 1.0, np.nan]))
    {'a': (1.0, 1.0), 'b': (3.0, 9.0)}
    """
    codes, uniques = factorize(values)
    counted = (codes >= 0) & ~np.isnan(weights)
    codes, weights = codes[counted], weights[counted]
    sums = (np.bincount(codes, w, len(uniques)).tolist() for w in (weights, weights**2))
    pairs = zip(*sums, strict=True)
    return dict(zip(np.asarray(uniques, dtype=object).tolist(), pairs, strict=True))


def row_key(
    row: Any,
    seed: int,
    *,
    remainder: Callable[[Any, int], Any] = operator.mod,
    named: Callable[[Any], Any] = lambda x: x,
) -> Any:
    """Compute the key of a row from its number.

    Parameters
    ----------
    row : array or expression of int64
        Row numbers from 0 up: anything with ``+`` and ``*``.
    seed : int
        Seed of the keys.
    remainder : callable
        Computes the remainder by a power of two, where ``%`` does not.
    named : callable
        Takes each intermediate result and returns what stands for it. An expression as a string
        needs one: each step uses the one before twice, so the last would hold the first 16 times.

    Returns
    -------
    array or expression of int64
        Values in 0 .. KEY_RANGE - 1.

    Notes
    -----
    Linear steps alternate with the polynomial x (2 x + 1) modulo a power of two, which maps no two
    numbers to one, and whose high bits depend on all bits of x. All products are below 2**62.

    References
    ----------
    Rivest (1999), Permutation polynomials modulo 2^w.

    Examples
    --------
    >>> import numpy as np
    >>> keys = row_key(np.arange(100_000), seed=0)
    >>> round(float(np.mean(keys < KEY_RANGE // 10)), 2)
    0.1
    """
    x: Any = remainder(row, KEY_RANGE)
    shift = seed % KEY_RANGE
    for multiplier in (*_MULTIPLIERS, *_MULTIPLIERS[::-1]):
        x = named(remainder(x * multiplier + shift, KEY_RANGE))
        x = named(remainder(remainder(x * 2 + 1, KEY_RANGE) * x, KEY_RANGE))
    return x
