"""What an engine computes of a table that does not come to Python: counts and a row sample.

Three passes over the data, whatever the number of columns: `Engine.summarise`,
`Engine.count_levels` and `Engine.draw_rows`. A row is drawn if its key is small. The key is
computed from the row's number by integer arithmetic that every engine has, so that the same table
in the same order has the same sample in all of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd

from autotype.inference.frames.arrow_values import series_from_arrow

if TYPE_CHECKING:
    import pyarrow as pa

# Keys are uniform in 0 .. KEY_RANGE - 1; products of two of them fit 64 bits.
KEY_RANGE = 1 << 31
_MULTIPLIERS = (1_664_525, 747_796_405)  # odd, so that all bits of a number are kept
# The name of the column of row numbers that an engine adds while it draws rows.
ROW = "__autotype_row__"
# The name of the column of their keys.
KEY = "__autotype_key__"


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


@dataclass(frozen=True)
class TableSummary:
    """The counts of a table.

    Attributes
    ----------
    n_rows : int
        Its rows.
    columns : tuple of ColumnSummary
        One for each column.
    """

    n_rows: int
    columns: tuple[ColumnSummary, ...]


@dataclass(frozen=True)
class DrawnRows:
    """Rows drawn by an engine.

    Attributes
    ----------
    values : list of pandas.Series
        The columns of the table, in its order.
    numbers : ndarray of int
        The number of each row in the table, ascending, from which `row_key` computes its key.
    """

    values: list[pd.Series]
    numbers: np.ndarray


@runtime_checkable
class Engine(Protocol):
    """A table held by an engine."""

    title: str
    names: list[str]

    def count_rows(self) -> int:
        """Count the rows, as cheaply as the engine can."""

    def collect(self) -> Any:
        """Load the whole table as an Arrow table."""

    def summarise(self) -> TableSummary:
        """Count rows, and missing and distinct values of all columns, in one pass."""

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one pass."""

    def ranges(self, columns: Sequence[int]) -> list[tuple[Any, Any]]:
        """Return the smallest and the largest value of some columns, in one pass.

        Both are missing if all values are.
        """

    def repeated(self, column: int, most: int) -> dict[Any, int]:
        """Count the values of a column that occur more than once, at most `most` of them."""

    def draw_rows(
        self,
        threshold: int,
        *,
        rare: Mapping[int, Mapping[Any, int]],
        held: Mapping[int, int],
        seed: int,
    ) -> DrawnRows:
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
        """


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
        Takes each intermediate result and returns what stands for it. An expression as a text needs
        one: each step uses the one before twice, so the last would hold the first 16 times.

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


def higher_thresholds(
    rare: Mapping[int, Mapping[Any, int]],
) -> Iterator[tuple[int, list[Any], int]]:
    """Yield the rare levels that share a threshold together, as engines compare them at once.

    Yields
    ------
    position : int
        Of a column.
    levels : list
        Some of its levels.
    threshold : int
        That of `Engine.draw_rows` for the rows that hold one of them.

    Examples
    --------
    >>> list(higher_thresholds({2: {"a": 5, "b": 9, "c": 5}}))
    [(2, ['a', 'c'], 5), (2, ['b'], 9)]
    """
    for position, threshold_of in rare.items():
        for threshold in sorted(set(threshold_of.values())):
            levels = [level for level, value in threshold_of.items() if value == threshold]
            yield position, levels, threshold


def table_summary(
    n_rows: int, n_present: Sequence[int], n_distinct: Mapping[int, int]
) -> TableSummary:
    """Return the summary of a table from an engine's counts.

    Parameters
    ----------
    n_rows : int
        Rows of the table.
    n_present : sequence of int
        Values of each column that are not missing.
    n_distinct : mapping
        Position of a column -> estimate of its distinct values; without those that cannot be
        counted, such as lists.
    """
    columns = (
        ColumnSummary(
            n_missing=n_rows - n,
            n_distinct=min(n_distinct.get(j, 0), n),
            is_exact=False,
            hashable=j in n_distinct,
        )
        for j, n in enumerate(n_present)
    )
    return TableSummary(n_rows, tuple(columns))


def drawn_rows(table: pa.Table) -> DrawnRows:
    """Convert an engine's answer, in which `ROW` is the last column, to rows in their order."""
    table = table.sort_by(ROW)
    values = [series_from_arrow(column) for column in table.columns[:-1]]
    return DrawnRows(values, table.column(ROW).to_numpy().astype(np.int64))


def range_values(table: pa.Table) -> list[tuple[Any, Any]]:
    """Convert an engine's answer of one row, the extremes of one column after the other, to pairs.

    Examples
    --------
    >>> import pyarrow as pa
    >>> range_values(pa.table({"low": [1], "high": [9]}))
    [(1, 9)]
    """
    extremes = [series_from_arrow(column).astype(object).iloc[0] for column in table.columns]
    return list(zip(extremes[::2], extremes[1::2], strict=True))


def level_counts(levels: pa.Array | pa.ChunkedArray, counts: Iterable[int]) -> dict[Any, int]:
    """Return the levels of an engine's answer as pandas has them, with their counts."""
    values = series_from_arrow(levels).astype(object)
    return {
        level: int(count)
        for level, count, missing in zip(values, counts, values.isna(), strict=True)
        if not missing
    }
