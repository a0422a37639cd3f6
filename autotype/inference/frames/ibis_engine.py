"""Counts and rows of an Ibis table, by the database behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
    import ibis.expr.types as ir
    import pyarrow as pa


class IbisEngine:
    """An Ibis table: of PostgreSQL, SQLite, Snowflake, and the other databases of Ibis.

    Parameters
    ----------
    table : ibis.Table
        It is not changed. Rows are numbered as the database returns them.
    """

    def __init__(self, table: ir.Table) -> None:
        self._table = table
        self._schema = table.schema()
        self.names = list(table.columns)
        backend = getattr(table.get_backend(), "name", "the database")
        self.title = f"{backend} (Ibis)"

    def count_rows(self) -> int:
        """Count the rows, as cheaply as the engine can."""
        return int(self._table.count().to_pyarrow().as_py())

    def collect(self) -> pa.Table:
        """Load the whole table as an Arrow table."""
        return self._table.to_pyarrow()

    def summarise(self) -> TableSummary:
        """Count rows, and missing and distinct values of all columns, in one pass."""
        counted = [j for j, name in enumerate(self.names) if not self._schema[name].is_nested()]
        measures = {"n": self._table.count()}
        measures |= {f"n{j}": self._value(j).count() for j in range(len(self.names))}
        measures |= {f"d{j}": self._value(j).approx_nunique() for j in counted}
        (numbers,) = self._table.aggregate(**measures).to_pyarrow().to_pylist()
        n_present = [numbers[f"n{j}"] for j in range(len(self.names))]
        return table_summary(numbers["n"], n_present, {j: numbers[f"d{j}"] for j in counted})

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one query.

        The query is a union: a column for the values of each counted column, filled in the rows of
        that column only, so that the database's types are kept.
        """
        import ibis

        if not columns:
            return []
        parts = []
        for j in columns:
            grouped = self._table.group_by(level=self._value(j)).agg(n=self._table.count())
            cells = {
                f"c{k}": grouped.level if k == j else ibis.null(self._schema[self.names[k]])
                for k in columns
            }
            parts.append(grouped.select(j=ibis.literal(j, type="int64"), n=grouped.n, **cells))
        answer = ibis.union(*parts).to_pyarrow() if len(parts) > 1 else parts[0].to_pyarrow()
        groups = answer.column("j").to_pandas()
        counted = []
        for j in columns:
            some = answer.filter((groups == j).to_numpy())
            counted.append(level_counts(some.column(f"c{j}"), some.column("n").to_pylist()))
        return counted

    def ranges(self, columns: Sequence[int]) -> list[tuple[Any, Any]]:
        """Return the smallest and the largest value of some columns, in one pass."""
        if not columns:
            return []
        measures: dict[str, Any] = {}
        for j in columns:
            value = self._value(j)
            measures |= {f"low{j}": value.min(), f"high{j}": value.max()}
        return range_values(self._table.aggregate(**measures).to_pyarrow())

    def repeated(self, column: int, most: int) -> dict[Any, int]:
        """Count the values of a column that occur more than once, at most `most` of them."""
        counted = self._table.group_by(level=self._value(column)).agg(n=self._table.count())
        several = counted.filter(counted.level.notnull() & (counted.n > 1)).limit(most)
        table = several.to_pyarrow()
        return level_counts(table.column("level"), table.column("n").to_pylist())

    def draw_rows(
        self,
        threshold: int,
        *,
        rare: Mapping[int, Mapping[Any, int]],
        held: Mapping[int, int],
        seed: int,
    ) -> DrawnRows:
        """Return the rows with a key below a threshold, in one pass."""
        import ibis

        table = self._table.mutate(**{ROW: ibis.row_number().cast("int64")})
        # The remainder of some databases is that of floats.
        key = row_key(table[ROW], seed, remainder=lambda x, power: x & (power - 1))
        drawn = key < threshold
        for j, higher in held.items():
            drawn |= self._value(j, table).notnull() & (key < higher)
        for j, levels, higher in higher_thresholds(rare):
            drawn |= self._value(j, table).isin(levels) & (key < higher)
        return drawn_rows(table.filter(drawn).to_pyarrow())

    def _value(self, position: int, table: ir.Table | None = None) -> Any:
        """Return a column in which NaN is missing."""
        import ibis

        name = self.names[position]
        column = (self._table if table is None else table)[name]
        if self._schema[name].is_floating() and self._knows_nan():
            return ibis.ifelse(column.isnan(), ibis.null(self._schema[name]), column)
        return column

    def _knows_nan(self) -> bool:
        import ibis.expr.operations as ops

        return bool(self._table.get_backend().has_operation(ops.IsNan))
