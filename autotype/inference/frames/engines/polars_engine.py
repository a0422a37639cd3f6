"""Counts and rows of a polars LazyFrame, by polars' streaming engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl

from autotype.inference.frames.columns import with_enum_order
from autotype.inference.frames.engines.engine import row_key
from autotype.inference.frames.engines.query_engine import KEY, ROW, QueryEngine, level_counts

if TYPE_CHECKING:
    import pyarrow as pa


class PolarsEngine(QueryEngine):
    """A polars LazyFrame.

    Parameters
    ----------
    frame : polars.LazyFrame
        It is not changed. Rows are numbered in its order.
    """

    _distinct = "approx_n_unique"

    def __init__(self, frame: pl.LazyFrame) -> None:
        schema = frame.collect_schema()
        self._types = schema.dtypes()
        countable = [j for j, dtype in enumerate(self._types) if _is_countable(dtype)]
        super().__init__(
            frame, schema.names(), title="polars", countable=countable, n_rows=pl.len()
        )

    def collect(self) -> pl.DataFrame:
        """Load the whole table."""
        return self._whole.collect(engine="streaming")

    def _arrow(self, table: pl.LazyFrame) -> pa.Table:
        return table.collect(engine="streaming").to_arrow()

    def _aggregate(self, measures: Sequence[pl.Expr]) -> pa.Table:
        named = [measure.alias(f"c{k}") for k, measure in enumerate(measures)]
        return self._arrow(self._table.select(named))

    def _measure(self, function: str, position: int) -> pl.Expr:
        value = pl.col(f"c{position}")
        if function == self._distinct:  # missing values count as one more
            estimate = _physical(value, self._types[position]).approx_n_unique().cast(pl.Int64)
            return estimate - (value.null_count() > 0).cast(pl.Int64)
        return getattr(value, function)()

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one pass."""
        groups = [self._groups(j).to_native() for j in columns]
        answers = pl.collect_all(groups, engine="streaming")
        return [level_counts(some["level"].to_arrow(), some["n"].to_arrow()) for some in answers]

    def _keyed(self, seed: int) -> pl.LazyFrame:
        key = row_key(pl.col(ROW).cast(pl.Int64), seed)
        return self._table.with_row_index(ROW).with_columns(key.alias(KEY))

    def _to_pandas(self, position: int, values: pa.ChunkedArray) -> pd.Series:
        is_enum = self._types[position] == pl.Enum
        return with_enum_order(super()._to_pandas(position, values), is_enum=is_enum)


def _is_countable(dtype: pl.DataType) -> bool:
    return not (dtype.is_nested() or dtype in (pl.Object, pl.Null, pl.Unknown))


def _physical(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Return a column of a type whose distinct values polars estimates."""
    if dtype == pl.Boolean:
        return column.cast(pl.UInt8)
    if dtype.is_decimal():
        return column.cast(pl.Float64)
    return column.to_physical()
