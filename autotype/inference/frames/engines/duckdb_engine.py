"""Counts and rows of a DuckDB relation, by DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autotype.inference.frames.engines.engine import row_key
from autotype.inference.frames.engines.query_engine import KEY, ROW, QueryEngine, level_counts

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_NESTED = ("list", "struct", "map", "array", "union", "variant")


class DuckDBEngine(QueryEngine):
    """A DuckDB relation: a table, a query, or a file that DuckDB reads.

    Parameters
    ----------
    relation : duckdb.DuckDBPyRelation
        It is not changed. Rows are numbered in its order, which DuckDB keeps for tables and files.
    """

    _distinct = "approx_count_distinct"

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        countable = [j for j, dtype in enumerate(relation.types) if dtype.id not in _NESTED]
        super().__init__(
            relation, relation.columns, title="DuckDB", countable=countable, n_rows="count(*)"
        )

    def _arrow(self, table: duckdb.DuckDBPyRelation) -> pa.Table:
        return table.to_arrow_table()

    def _aggregate(self, measures: Sequence[str]) -> pa.Table:
        # Arrow's columns need different names.
        named = ", ".join(f"{measure} AS c{k}" for k, measure in enumerate(measures))
        return self._arrow(self._table.aggregate(named))

    def _measure(self, function: str, position: int) -> str:
        return f"{function}(c{position})"

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one pass."""
        if not columns:
            return []
        counted = [self._measure("histogram", j) for j in columns]
        parts = [f"{of}({part})" for part in counted for of in ("map_keys", "map_values")]
        answer = [column.combine_chunks()[0].values for column in self._aggregate(parts).columns]
        return [
            {} if levels is None else level_counts(levels, counts)
            for levels, counts in zip(answer[::2], answer[1::2], strict=True)
        ]

    def _keyed(self, seed: int) -> duckdb.DuckDBPyRelation:
        """Return the table with the columns `ROW` and `KEY`; each step of the key is a projection.

        DuckDB computes a projection once, but an expression as often as it is used.
        """
        from duckdb import ColumnExpression, ConstantExpression, FunctionExpression, StarExpression

        relation = self._table.select(f"*, row_number() OVER () - 1 AS {ROW}")
        relation = relation.select(f"*, {ROW} AS {KEY}")
        key = ColumnExpression(KEY)

        def named(step: duckdb.Expression) -> duckdb.Expression:
            nonlocal relation
            relation = relation.select(StarExpression(exclude=[KEY]), step.alias(KEY))
            return key

        def remainder(number: duckdb.Expression, power: int) -> duckdb.Expression:
            return FunctionExpression("&", number, ConstantExpression(power - 1))

        row_key(key, seed, remainder=remainder, named=named)
        return relation
