"""Counts and rows of an Ibis table, by the database behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.operations as ops

from autotype.inference.frames.engines.engine import row_key
from autotype.inference.frames.engines.query_engine import ROW, QueryEngine, counts_by_group

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa


class IbisEngine(QueryEngine):
    """An Ibis table: of PostgreSQL, SQLite, Snowflake, and the other databases of Ibis.

    Parameters
    ----------
    table : ibis.Table
        It is not changed. Rows are numbered as the database returns them.
    """

    _distinct = "approx_nunique"

    def __init__(self, table: ir.Table) -> None:
        self._schema = table.schema()
        countable = [j for j, dtype in enumerate(self._schema.types) if not dtype.is_nested()]
        title = f"{getattr(table.get_backend(), 'name', 'the database')} (Ibis)"
        super().__init__(
            table, table.columns, title=title, countable=countable, n_rows=table.count()
        )

    def _arrow(self, table: ir.Table) -> pa.Table:
        return table.to_pyarrow()

    def _aggregate(self, measures: Sequence[ir.Scalar]) -> pa.Table:
        named = {f"c{k}": measure for k, measure in enumerate(measures)}
        return self._arrow(self._table.aggregate(**named))

    def _measure(self, function: str, position: int) -> ir.Scalar:
        return getattr(self._value(position), function)()

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one query.

        The query is a union: a column for the values of each counted column, filled in the rows of
        that column only, so that the database's types are kept.
        """
        if not columns:
            return []
        parts = []
        for j in columns:
            groups = self._groups(j)
            cells = {
                f"c{k}": groups.level if k == j else ibis.null(self._schema[self.names[k]])
                for k in columns
            }
            parts.append(groups.select(g=ibis.literal(j, type="int64"), n=groups.n, **cells))
        answer = self._arrow(ibis.union(*parts) if len(parts) > 1 else parts[0])
        return counts_by_group(answer, {f"c{j}": j for j in columns})

    def _groups(self, position: int, weights: int | None = None) -> ir.Table:
        measures = {"n": self._table.count()}
        if weights is not None:
            weight = self._value(weights).cast("float64")
            measures |= {"w": weight.sum(), "w2": (weight * weight).sum()}
        return self._table.group_by(level=self._value(position)).agg(**measures)

    def _repeated(self, groups: ir.Table) -> ir.Table:
        return groups.filter(groups.n > 1)

    def _only(self, position: int, levels: list[Any]) -> ir.Value:
        missing = ibis.null(self._schema[self.names[position]])
        held = ibis.ifelse(self._holds(position, levels), self._value(position), missing)
        return held.name(f"c{position}")

    def _keyed(self, seed: int) -> tuple[ir.Table, ir.IntegerColumn]:
        table = self._table.mutate(**{ROW: ibis.row_number().cast("int64")})
        # The remainder of some databases is that of floats.
        return table, row_key(table[ROW], seed, remainder=lambda x, power: x & (power - 1))

    def _holds(self, position: int, levels: list[Any] | None) -> ir.BooleanValue:
        value = self._value(position)
        return value.notnull() if levels is None else value.isin(levels)

    def _value(self, position: int) -> Any:
        """Return a column in which NaN is missing."""
        name = self.names[position]
        column = self._table[name]
        if self._schema[name].is_floating() and self._table.get_backend().has_operation(ops.IsNan):
            return ibis.ifelse(column.isnan(), ibis.null(self._schema[name]), column)
        return column
