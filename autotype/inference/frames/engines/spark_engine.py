"""Counts and rows of a PySpark frame, by Spark."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.inference.frames.engines.engine import row_key
from autotype.inference.frames.engines.query_engine import KEY, ROW, QueryEngine, counts_by_group

with suppress(ImportError):  # a frame of Spark is there where this is used
    from pyspark.sql import functions as sf

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

_NESTED = ("array", "map", "struct", "variant", "interval")
_ERROR = 0.02  # relative standard error of estimated numbers of distinct values


class SparkEngine(QueryEngine):
    """A PySpark frame, classic or Connect.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        It is not changed. Rows are numbered by `monotonically_increasing_id`, that is along its
        partitions.
    """

    _distinct = "approx_count_distinct"

    def __init__(self, frame: DataFrame) -> None:
        kinds = [dtype for _, dtype in frame.dtypes]
        super().__init__(
            # Names may repeat, or hold dots: columns are referred to by position.
            frame.toDF(*(f"c{j}" for j in range(len(frame.columns)))),
            frame.columns,
            title="Spark",
            countable=[j for j, kind in enumerate(kinds) if not kind.startswith(_NESTED)],
            n_rows=sf.count(sf.lit(1)),
        )

    def collect(self) -> pa.Table:
        """Load the whole table as an Arrow table."""
        return super().collect().rename_columns(self.names)

    def _arrow(self, table: DataFrame) -> pa.Table:
        """Load a table; timestamps become local ones of the session, as by `toPandas`."""
        import pyarrow.compute as pc

        loaded = table.toArrow()
        for k, field in enumerate(loaded.schema):
            if getattr(field.type, "tz", None) is not None:
                loaded = loaded.set_column(k, field.name, pc.local_timestamp(loaded.column(k)))
        return loaded

    def _aggregate(self, measures: Sequence[Column]) -> pa.Table:
        named = (measure.alias(f"c{k}") for k, measure in enumerate(measures))
        return self._arrow(self._table.agg(*named))

    def _measure(self, function: str, position: int) -> Column:
        options = [_ERROR] if function == self._distinct else []
        return getattr(sf, function)(sf.col(f"c{position}"), *options)

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one pass."""
        if not columns:
            return []
        names = [f"c{j}" for j in columns]
        values = self._table.select(*names)
        sets = values.groupingSets([[values[name]] for name in names], *names)
        table = self._arrow(sets.agg(sf.grouping_id().alias("g"), self._n_rows.alias("n")))
        # Of L columns, the k-th is grouped by in the rows whose identifier lacks the k-th bit.
        bits = [(1 << len(names)) - 1 - (1 << (len(names) - 1 - k)) for k in range(len(names))]
        return counts_by_group(table, dict(zip(names, bits, strict=True)))

    def _keyed(self, seed: int) -> DataFrame:
        numbered = self._table.withColumn(ROW, sf.monotonically_increasing_id())
        return numbered.withColumn(KEY, row_key(sf.col(ROW), seed))

    def _holds(self, position: int, levels: list[Any] | None) -> nw.Expr:
        return super()._holds(position, levels and list(map(_literal, levels)))


def _literal(level: Any) -> Any:
    return level.to_pydatetime() if isinstance(level, pd.Timestamp) else level
