"""What DuckDB, Ibis, polars and Spark have in common: a table is asked by queries.

What is asked, and what the answers mean, stands here once, in the words of narwhals. A subclass
writes what narwhals has no word for: estimates of distinct values, the levels of several columns in
one pass, and the keys of rows. Every answer comes back as a small Arrow table.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import narwhals as nw
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
        Of a library that narwhals knows.
    names : sequence
        The names of its columns.
    title : str
        The engine's name, for the report.
    countable : sequence of int
        Positions of the columns whose distinct values can be counted: no lists or structs.
    n_rows : expression
        Counts the rows.
    has_nan : bool
        Whether the engine tells NaN from other numbers.

    Attributes
    ----------
    _table : table
        Its columns are called ``c0``, ``c1`` and so on, and NaN is missing in them.
    """

    _distinct: str  # the library's function that estimates the number of distinct values

    def __init__(
        self,
        table: Any,
        names: Sequence[Any],
        *,
        title: str,
        countable: Sequence[int],
        n_rows: Any,
        has_nan: bool = True,
    ) -> None:
        self.names, self.title = list(names), title
        self._whole, self._countable, self._n_rows = table, countable, n_rows
        frame = nw.from_native(table)
        schema = frame.collect_schema()
        self._dtypes = schema.dtypes()
        columns = (
            nw.col(name).fill_nan(None) if dtype.is_float() and has_nan else nw.col(name)
            for name, dtype in schema.items()
        )
        self._frame = frame.select(*(column.alias(f"c{j}") for j, column in enumerate(columns)))
        self._table: Any = self._frame.to_native()

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
    def _keyed(self, seed: int) -> Any:
        """Return the table with the numbers of its rows, `ROW`, and their keys, `KEY`."""

    def _groups(self, position: int, weights: int | None = None) -> nw.LazyFrame[Any]:
        """Return the table of a column's values, ``level``, with their counts, ``n``.

        With the position of a column of weights, it also has their sums, ``w``, and those of their
        squares, ``w2``.
        """
        level, measures = nw.col(f"c{position}").alias("level"), [nw.len().alias("n")]
        if weights is None:
            return self._frame.select(level).group_by("level").agg(*measures)
        weight = nw.col(f"c{weights}").cast(nw.Float64)
        sums = (nw.col(name).sum() for name in ("w", "w2"))
        columns = level, weight.alias("w"), (weight * weight).alias("w2")
        return self._frame.select(*columns).group_by("level").agg(*measures, *sums)

    def _holds(self, position: int, levels: list[Any] | None) -> nw.Expr:
        """Return the condition that a column holds one of some levels, or any value for None."""
        value = nw.col(f"c{position}")
        if levels and self._dtypes[position] == nw.Date:  # of which Arrow makes timestamps
            levels = [pd.Timestamp(level).date() for level in levels]
        return ~value.is_null() if levels is None else value.is_in(levels)

    def _to_pandas(self, position: int, values: pa.ChunkedArray) -> pd.Series:
        """Convert drawn values of a column."""
        return series_from_arrow(values)

    def count_rows(self) -> int:
        """Count the rows, as cheaply as the engine can."""
        return int(self._aggregate([self._n_rows]).column(0)[0].as_py())

    def collect(self) -> Any:
        """Load the whole table as an Arrow table."""
        return self._arrow(self._whole)

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
        held = (
            nw.when(self._holds(j, list(levels))).then(nw.col(f"c{j}")).alias(f"c{j}")
            for j, levels in wanted.items()
        )
        of_table: Any = type(self)
        return of_table(self._frame.select(*held).to_native()).count_levels(range(len(wanted)))

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
        several = self._groups(column).filter(nw.col("n") > 1).head(most + 1)
        groups = self._arrow(several.to_native())
        counts = level_counts(groups.column("level"), groups.column("n"))
        return dict(islice(counts.items(), most))

    def weigh_levels(self, columns: Sequence[int], weights: int) -> list[Sums]:
        """Sum the weights of each level of some columns, and their squares; one query each."""
        sums = []
        for j in columns:
            groups = self._arrow(self._groups(j, weights).to_native())
            values = series_from_arrow(groups.column("level")).astype(object)
            parts = (groups.column(name).to_pylist() for name in ("w", "w2"))
            pairs = zip(values, values.isna(), *parts, strict=True)
            sums.append(
                {v: (float(w or 0), float(w2 or 0)) for v, missing, w, w2 in pairs if not missing}
            )
        return sums

    def draw_rows(self, threshold: int, *, rare: Rare, held: Held, seed: int) -> Drawn:
        """Return the rows with a key below a threshold, in one pass."""
        key = nw.col(KEY)
        drawn = key < threshold
        with_values = ((position, None, higher) for position, higher in held.items())
        for position, levels, higher in chain(with_values, _higher_thresholds(rare)):
            drawn |= self._holds(position, levels) & (key < higher)
        found = nw.from_native(self._keyed(seed)).filter(drawn)
        rows = self._arrow(found.to_native()).sort_by(ROW)
        values = [self._to_pandas(j, rows.column(f"c{j}")) for j in range(len(self.names))]
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
