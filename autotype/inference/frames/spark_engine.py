"""Counts and rows of a PySpark frame, by Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

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
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

_NESTED = ("array", "map", "struct", "variant", "interval")
_ERROR = 0.02  # relative standard error of estimated numbers of distinct values


class SparkEngine:
    """A PySpark frame, classic or Connect.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        It is not changed. Rows are numbered by `monotonically_increasing_id`, that is along its
        partitions.
    """

    title = "Spark"

    def __init__(self, frame: DataFrame) -> None:
        # Names may repeat, or hold dots: columns are referred to by position.
        self.names = list(frame.columns)
        self._kinds = [dtype for _, dtype in frame.dtypes]
        self._frame = frame.toDF(*(f"c{j}" for j in range(len(self.names))))

    def count_rows(self) -> int:
        """Count the rows, as cheaply as the engine can."""
        return int(self._frame.count())

    def collect(self) -> pa.Table:
        """Load the whole table as an Arrow table."""
        return self._to_arrow(self._frame).rename_columns(self.names)

    def summarise(self) -> TableSummary:
        """Count rows, and missing and distinct values of all columns, in one pass."""
        from pyspark.sql import functions as sf

        counted = [j for j, kind in enumerate(self._kinds) if not kind.startswith(_NESTED)]
        everything = range(len(self.names))
        answer = self._frame.agg(
            sf.count(sf.lit(1)).alias("n"),
            *(sf.count(self._value(j)).alias(f"n{j}") for j in everything),
            *(sf.approx_count_distinct(self._value(j), _ERROR).alias(f"d{j}") for j in counted),
        ).first()
        assert answer is not None  # an aggregate without groups has one row
        numbers = answer.asDict()
        n_present = [numbers[f"n{j}"] for j in everything]
        return table_summary(numbers["n"], n_present, {j: numbers[f"d{j}"] for j in counted})

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one pass."""
        from pyspark.sql import functions as sf

        if not columns:
            return []
        values = self._frame.select(*(self._value(j).alias(f"c{j}") for j in columns))
        names = [f"c{j}" for j in columns]
        sets = values.groupingSets([[values[name]] for name in names], *names)
        table = self._to_arrow(
            sets.agg(sf.grouping_id().alias("g"), sf.count(sf.lit(1)).alias("n"))
        )
        # Of L columns, the k-th is grouped by in the rows whose identifier lacks the k-th bit.
        bits = [(1 << len(names)) - 1 - (1 << (len(names) - 1 - k)) for k in range(len(names))]
        groups = table.column("g").to_pandas()
        counted = []
        for name, bit in zip(names, bits, strict=True):
            some = table.filter((groups == bit).to_numpy())
            counted.append(level_counts(some.column(name), some.column("n").to_pylist()))
        return counted

    def ranges(self, columns: Sequence[int]) -> list[tuple[Any, Any]]:
        """Return the smallest and the largest value of some columns, in one pass."""
        from pyspark.sql import functions as sf

        if not columns:
            return []
        extremes = [
            extreme
            for j in columns
            for extreme in (
                sf.min(self._value(j)).alias(f"low{j}"),
                sf.max(self._value(j)).alias(f"high{j}"),
            )
        ]
        return range_values(self._to_arrow(self._frame.agg(*extremes)))

    def repeated(self, column: int, most: int) -> dict[Any, int]:
        """Count the values of a column that occur more than once, at most `most` of them."""
        counted = self._frame.groupBy(self._value(column).alias("level")).count()
        several = counted.filter("level IS NOT NULL AND count > 1").limit(most)
        table = self._to_arrow(several)
        return level_counts(table.column("level"), table.column("count").to_pylist())

    def draw_rows(
        self,
        threshold: int,
        *,
        rare: Mapping[int, Mapping[Any, int]],
        held: Mapping[int, int],
        seed: int,
    ) -> DrawnRows:
        """Return the rows with a key below a threshold, in one pass."""
        from pyspark.sql import functions as sf

        numbered = self._frame.withColumn(ROW, sf.monotonically_increasing_id())
        key = row_key(sf.col(ROW), seed)
        drawn = key < threshold
        for j, higher in held.items():
            drawn |= self._value(j).isNotNull() & (key < higher)
        for j, levels, higher in higher_thresholds(rare):
            drawn |= self._value(j).isin(*map(_literal, levels)) & (key < higher)
        return drawn_rows(self._to_arrow(numbered.filter(drawn)))

    def _value(self, position: int) -> Column:
        """Return a column in which NaN is missing."""
        from pyspark.sql import functions as sf

        column = sf.col(f"c{position}")
        if self._kinds[position] in ("float", "double"):
            return sf.nanvl(column, sf.lit(None).cast("double"))
        return column

    @staticmethod
    def _to_arrow(frame: DataFrame) -> pa.Table:
        """Convert an answer; timestamps become local ones of the session, as by `toPandas`."""
        import pyarrow.compute as pc

        table = frame.toArrow()
        for k, field in enumerate(table.schema):
            if getattr(field.type, "tz", None) is not None:
                table = table.set_column(k, field.name, pc.local_timestamp(table.column(k)))
        return table


def _literal(level: Any) -> Any:
    return level.to_pydatetime() if isinstance(level, pd.Timestamp) else level
