"""Counts and rows of an Ibis table, by the database behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.operations as ops

from autotype.inference.frames.engines.engine import row_key
from autotype.inference.frames.engines.query_engine import KEY, ROW, QueryEngine, counts_by_group

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
        backend, types = table.get_backend(), table.schema().types
        super().__init__(
            table,
            table.columns,
            title=f"{getattr(backend, 'name', 'the database')} (Ibis)",
            countable=[j for j, dtype in enumerate(types) if not dtype.is_nested()],
            n_rows=ibis._.count(),
            has_nan=backend.has_operation(ops.IsNan),
        )

    def _arrow(self, table: ir.Table) -> pa.Table:
        return table.to_pyarrow()

    def _aggregate(self, measures: Sequence[ir.Scalar]) -> pa.Table:
        named = {f"c{k}": measure for k, measure in enumerate(measures)}
        return self._arrow(self._table.aggregate(**named))

    def _measure(self, function: str, position: int) -> ir.Scalar:
        return getattr(self._table[f"c{position}"], function)()

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one query.

        The query is a union: a column for the values of each counted column, filled in the rows of
        that column only, so that the database's types are kept.
        """
        if not columns:
            return []
        parts = []
        for j in columns:
            groups, types = self._groups(j).to_native(), self._table.schema()
            cells = {
                f"c{k}": groups.level if k == j else ibis.null(types[f"c{k}"]) for k in columns
            }
            parts.append(groups.select(g=ibis.literal(j, type="int64"), n=groups.n, **cells))
        answer = self._arrow(ibis.union(*parts) if len(parts) > 1 else parts[0])
        return counts_by_group(answer, {f"c{j}": j for j in columns})

    def _keyed(self, seed: int) -> ir.Table:
        table = self._table.mutate(**{ROW: ibis.row_number().cast("int64")})
        # The remainder of some databases is that of floats.
        key = row_key(table[ROW], seed, remainder=lambda x, power: x & (power - 1))
        return table.mutate(**{KEY: key})
