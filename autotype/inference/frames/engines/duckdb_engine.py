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
_FLOATS = ("float", "double")


class DuckDBEngine(QueryEngine):
    """A DuckDB relation: a table, a query, or a file that DuckDB reads.

    Parameters
    ----------
    relation : duckdb.DuckDBPyRelation
        It is not changed. Rows are numbered in its order, which DuckDB keeps for tables and files.
    """

    _distinct = "approx_count_distinct"

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._kinds = [dtype.id for dtype in relation.types]
        countable = [j for j, kind in enumerate(self._kinds) if kind not in _NESTED]
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
        return f"{function}({self._value(position)})"

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

    def _groups(self, position: int, weights: int | None = None) -> duckdb.DuckDBPyRelation:
        value, measures = self._value(position), "count(*) AS n"
        if weights is not None:
            weight = f"CAST({self._value(weights)} AS DOUBLE)"
            measures += f", sum({weight}) AS w, sum({weight} * {weight}) AS w2"
        return self._table.aggregate(f"{value} AS level, {measures}", value)

    def _only(self, position: int, levels: list[Any]) -> duckdb.Expression:
        from duckdb import CaseExpression, SQLExpression

        value = SQLExpression(self._value(position))
        return CaseExpression(self._holds(position, levels), value).alias(f"c{position}")

    def _keyed(self, seed: int) -> tuple[duckdb.DuckDBPyRelation, duckdb.Expression]:
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
        return relation, key

    def _holds(self, position: int, levels: list[Any] | None) -> duckdb.Expression:
        from duckdb import ConstantExpression, SQLExpression

        value = SQLExpression(self._value(position))
        return value.isnotnull() if levels is None else value.isin(*map(ConstantExpression, levels))

    def _value(self, position: int) -> str:
        """Return the SQL of a column in which NaN is missing."""
        name = '"' + self.names[position].replace('"', '""') + '"'
        if self._kinds[position] in _FLOATS:
            return f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END"
        return name
