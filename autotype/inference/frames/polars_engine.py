"""Counts and rows of a polars LazyFrame, by polars' streaming engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autotype.inference.frames.arrow_values import with_enum_order
from autotype.inference.frames.engine import (
    ROW,
    DrawnRows,
    TableSummary,
    drawn_rows,
    higher_thresholds,
    level_counts,
    range_values,
    row_key,
    table_summary,
)

if TYPE_CHECKING:
    import polars as pl


class PolarsEngine:
    """A polars LazyFrame.

    Parameters
    ----------
    frame : polars.LazyFrame
        It is not changed. Rows are numbered in its order.
    """

    title = "polars"

    def __init__(self, frame: pl.LazyFrame) -> None:
        self._frame = frame
        self._schema = frame.collect_schema()
        self.names = self._schema.names()

    def count_rows(self) -> int:
        """Count the rows, as cheaply as the engine can."""
        import polars as pl

        return int(self._collect(self._frame.select(pl.len())).item())

    def collect(self) -> pl.DataFrame:
        """Load the whole table."""
        return self._collect(self._frame)

    def summarise(self) -> TableSummary:
        """Count rows, and missing and distinct values of all columns, in one pass."""
        import polars as pl

        counted = [name for name in self.names if _is_countable(self._schema[name])]
        counts = [self._value(name).count().alias(f"n{j}") for j, name in enumerate(self.names)]
        distinct = [
            _physical(self._value(name), self._schema[name]).approx_n_unique().alias(f"d{j}")
            for j, name in enumerate(self.names)
            if name in set(counted)
        ]
        answer = self._collect(self._frame.select(pl.len().alias("n"), *counts, *distinct))
        (numbers,) = answer.to_dicts()
        n_present = [numbers[f"n{j}"] for j in range(len(self.names))]
        n_distinct = {
            # Missing values count as one more.
            j: max(numbers[f"d{j}"] - (n < numbers["n"]), min(n, 1))
            for j, n in enumerate(n_present)
            if f"d{j}" in numbers
        }
        return table_summary(numbers["n"], n_present, n_distinct)

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one pass."""
        import polars as pl

        queries = [
            self._frame.group_by(self._value(self.names[j]).alias("level")).len() for j in columns
        ]
        answers = pl.collect_all(queries, engine="streaming")
        return [
            level_counts(answer["level"].to_arrow(), answer["len"].to_list()) for answer in answers
        ]

    def ranges(self, columns: Sequence[int]) -> list[tuple[Any, Any]]:
        """Return the smallest and the largest value of some columns, in one pass."""
        values = [(j, self._value(self.names[j])) for j in columns]
        extremes = [
            extreme
            for j, value in values
            for extreme in (value.min().alias(f"low{j}"), value.max().alias(f"high{j}"))
        ]
        return range_values(self._collect(self._frame.select(extremes)).to_arrow())

    def repeated(self, column: int, most: int) -> dict[Any, int]:
        """Count the values of a column that occur more than once, at most `most` of them."""
        import polars as pl

        counted = self._frame.group_by(self._value(self.names[column]).alias("level")).len()
        several = counted.filter(pl.col("level").is_not_null() & (pl.col("len") > 1)).head(most)
        answer = self._collect(several)
        return level_counts(answer["level"].to_arrow(), answer["len"].to_list())

    def draw_rows(
        self,
        threshold: int,
        *,
        rare: Mapping[int, Mapping[Any, int]],
        held: Mapping[int, int],
        seed: int,
    ) -> DrawnRows:
        """Return the rows with a key below a threshold, in one pass."""
        import polars as pl

        key = row_key(pl.col(ROW).cast(pl.Int64), seed)
        drawn = key < threshold
        for j, higher in held.items():
            drawn |= self._value(self.names[j]).is_not_null() & (key < higher)
        for j, levels, higher in higher_thresholds(rare):
            dtype = self._schema[self.names[j]]
            holds = self._value(self.names[j]).is_in(pl.Series(levels, dtype=dtype).implode())
            drawn |= holds & (key < higher)
        numbered = self._frame.with_row_index(ROW).filter(drawn)
        answer = self._collect(numbered.select(*self.names, ROW))
        rows = drawn_rows(answer.to_arrow())
        values = [
            with_enum_order(v, is_enum=self._schema[name] == pl.Enum)
            for v, name in zip(rows.values, self.names, strict=True)
        ]
        return DrawnRows(values, rows.numbers)

    def _value(self, name: str) -> pl.Expr:
        """Return a column in which NaN is missing."""
        import polars as pl

        column = pl.col(name)
        return column.fill_nan(None) if self._schema[name].is_float() else column

    @staticmethod
    def _collect(frame: pl.LazyFrame) -> pl.DataFrame:
        return frame.collect(engine="streaming")


def _is_countable(dtype: pl.DataType) -> bool:
    import polars as pl

    return not (dtype.is_nested() or dtype in (pl.Object, pl.Null, pl.Unknown))


def _physical(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Return a column of a type whose distinct values polars estimates."""
    import polars as pl

    if dtype == pl.Boolean:
        return column.cast(pl.UInt8)
    if dtype.is_decimal():
        return column.cast(pl.Float64)
    return column.to_physical()
