"""What DuckDB, Ibis, polars and Spark have in common: a table is asked by queries.

Their libraries write the same few questions differently. What is asked, and what the answers mean,
stands here once; a subclass only writes an aggregate, a grouping and a condition in its library.
Every answer comes back as a small Arrow table.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from autotype.inference.frames.engines.engine import ColumnSummary, Drawn, Engine, Held, Rare, Sums
from autotype.types.arrow_array import series_from_arrow

if TYPE_CHECKING:
    import pyarrow as pa

# The names of the columns that are added while rows are drawn: row numbers, and their keys.
ROW, KEY = "__autotype_row__", "__autotype_key__"


class QueryEngine(Engine):
    """A table that is asked by queries.

    Parameters
    ----------
    table : table
        Of the library, with the methods ``filter`` and ``limit``.
    names : sequence
        The names of its columns.
    title : str
        The engine's name, for the report.
    countable : sequence of int
        Positions of the columns whose distinct values can be counted: no lists or structs.
    n_rows : expression
        Counts the rows.
    """

    _distinct: str  # the library's function that estimates the number of distinct values

    def __init__(
        self, table: Any, names: Sequence[Any], *, title: str, countable: Sequence[int], n_rows: Any
    ) -> None:
        self.names, self.title = list(names), title
        self._table, self._countable, self._n_rows = table, countable, n_rows

    @abstractmethod
    def _arrow(self, table: Any) -> pa.Table:
        """Load a table of the library as an Arrow table."""

    @abstractmethod
    def _aggregate(self, measures: Sequence[Any]) -> pa.Table:
        """Compute aggregates of the whole table: one row, a column for each."""

    @abstractmethod
    def _measure(self, function: str, position: int) -> Any:
        """Return the aggregate ``count``, ``min``, ``max`` or `_distinct` of a column."""

    @abstractmethod
    def _groups(self, position: int, weights: int | None = None) -> Any:
        """Return the table of a column's values, ``level``, with their counts, ``n``.

        With the position of a column of weights, it also has their sums, ``w``, and those of their
        squares, ``w2``.
        """

    def _repeated(self, groups: Any) -> Any:
        """Return the groups of more than one row."""
        return groups.filter("n > 1")

    @abstractmethod
    def _only(self, position: int, levels: list[Any]) -> Any:
        """Return a column, missing where it holds none of some levels, named ``c`` and position."""

    @abstractmethod
    def _keyed(self, seed: int) -> tuple[Any, Any]:
        """Return the table with the row numbers `ROW`, and the expression of their keys."""

    @abstractmethod
    def _holds(self, position: int, levels: list[Any] | None) -> Any:
        """Return the condition that a column holds one of some levels, or any value for None."""

    def _to_pandas(self, position: int, values: pa.ChunkedArray) -> pd.Series:
        """Convert drawn values of a column."""
        return series_from_arrow(values)

    def count_rows(self) -> int:
        """Count the rows, as cheaply as the engine can."""
        return int(self._aggregate([self._n_rows]).column(0)[0].as_py())

    def collect(self) -> Any:
        """Load the whole table as an Arrow table."""
        return self._arrow(self._table)

    def summarise(self) -> tuple[int, list[ColumnSummary]]:
        """Count rows, and missing and distinct values of all columns, in one pass."""
        present = [self._measure("count", j) for j in range(len(self.names))]
        distinct = [self._measure(self._distinct, j) for j in self._countable]
        answer = self._aggregate([self._n_rows, *present, *distinct])
        n_rows, *numbers = (column[0].as_py() for column in answer.columns)
        n_distinct = dict(zip(self._countable, numbers[len(present) :], strict=True))
        columns = [
            # An estimate is at least 1, and at most the number of values.
            ColumnSummary(n_rows - n, min(max(n_distinct[j], 1), n), is_exact=False)
            if j in n_distinct
            else ColumnSummary(n_rows - n, 0, is_exact=False, hashable=False)
            for j, n in enumerate(numbers[: len(present)])
        ]
        return n_rows, columns

    def count_some(self, wanted: Mapping[int, Sequence[Any]]) -> list[dict[Any, int]]:
        """Count the rows that hold some values of some columns, in one pass."""
        if not wanted:
            return []
        columns = [self._only(position, list(levels)) for position, levels in wanted.items()]
        of_table: Any = type(self)
        return of_table(self._table.select(*columns)).count_levels(range(len(columns)))

    def ranges(self, columns: Sequence[int]) -> list[tuple[Any, Any]]:
        """Return the smallest and the largest value of some columns, in one pass."""
        if not columns:
            return []
        answer = self._aggregate([self._measure(of, j) for j in columns for of in ("min", "max")])
        extremes = [series_from_arrow(column).astype(object).iloc[0] for column in answer.columns]
        return list(zip(extremes[::2], extremes[1::2], strict=True))

    def repeated(self, column: int, most: int) -> dict[Any, int]:
        """Count the values of a column that occur more than once, at most `most` of them."""
        # One more than asked for: missing values may be among them.
        groups = self._arrow(self._repeated(self._groups(column)).limit(most + 1))
        counts = level_counts(groups.column("level"), groups.column("n"))
        return dict(islice(counts.items(), most))

    def weigh_levels(self, columns: Sequence[int], weights: int) -> list[Sums]:
        """Sum the weights of each level of some columns, and their squares; one query each."""
        sums = []
        for j in columns:
            groups = self._arrow(self._groups(j, weights))
            values = series_from_arrow(groups.column("level")).astype(object)
            parts = (groups.column(name).to_pylist() for name in ("w", "w2"))
            pairs = zip(values, values.isna(), *parts, strict=True)
            sums.append(
                {v: (float(w or 0), float(w2 or 0)) for v, missing, w, w2 in pairs if not missing}
            )
        return sums

    def draw_rows(self, threshold: int, *, rare: Rare, held: Held, seed: int) -> Drawn:
        """Return the rows with a key below a threshold, in one pass."""
        numbered, key = self._keyed(seed)
        drawn = key < threshold
        with_values = ((position, None, higher) for position, higher in held.items())
        for position, levels, higher in chain(with_values, _higher_thresholds(rare)):
            drawn |= self._holds(position, levels) & (key < higher)
        rows = self._arrow(numbered.filter(drawn)).sort_by(ROW)
        columns = [
            column
            for name, column in zip(rows.column_names, rows.columns, strict=True)
            if name not in (ROW, KEY)
        ]
        values = [self._to_pandas(j, column) for j, column in enumerate(columns)]
        return values, rows.column(ROW).to_numpy().astype(np.int64)


def _higher_thresholds(rare: Rare) -> Iterator[tuple[int, list[Any], int]]:
    """Yield position, levels and threshold: rare levels of one threshold are compared at once."""
    for position, threshold_of in rare.items():
        for threshold in sorted(set(threshold_of.values())):
            levels = [level for level, value in threshold_of.items() if value == threshold]
            yield position, levels, threshold


def level_counts(
    levels: pa.Array | pa.ChunkedArray, counts: pa.Array | pa.ChunkedArray
) -> dict[Any, int]:
    """Return the levels of an engine's answer as pandas has them, with their counts."""
    values = series_from_arrow(levels).astype(object)
    cells = zip(values, counts.to_pylist(), values.isna(), strict=True)
    return {level: int(count) for level, count, missing in cells if not missing}


def counts_by_group(answer: pa.Table, groups: Mapping[str, int]) -> list[dict[Any, int]]:
    """Return the levels of several columns, which an engine has counted in one query.

    Parameters
    ----------
    answer : pyarrow.Table
        A column for each counted one; ``n``, the counts; and ``g``, which column a row is about.
    groups : mapping
        Name of a column -> its value of ``g``.
    """
    group = answer.column("g").to_pandas()
    parts = {name: answer.filter((group == g).to_numpy()) for name, g in groups.items()}
    return [level_counts(part.column(name), part.column("n")) for name, part in parts.items()]
