"""Counts and rows of a DuckDB relation, by DuckDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autotype.inference.frames.engine import (
    KEY,
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
    import duckdb
    import pyarrow as pa

_NESTED = ("list", "struct", "map", "array", "union", "variant")
_FLOATS = ("float", "double")


class DuckDBEngine:
    """A DuckDB relation: a table, a query, or a file that DuckDB reads.

    Parameters
    ----------
    relation : duckdb.DuckDBPyRelation
        It is not changed. Rows are numbered in its order, which DuckDB keeps for tables and files.
    """

    title = "DuckDB"

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._relation = relation
        self.names = list(relation.columns)
        self._kinds = [dtype.id for dtype in relation.types]

    def count_rows(self) -> int:
        """Count the rows, as cheaply as the engine can."""
        return int(self._select("count(*)").column(0)[0].as_py())

    def collect(self) -> pa.Table:
        """Load the whole table as an Arrow table."""
        return self._relation.to_arrow_table()

    def summarise(self) -> TableSummary:
        """Count rows, and missing and distinct values of all columns, in one pass."""
        counted = [j for j, kind in enumerate(self._kinds) if kind not in _NESTED]
        parts = ["count(*)", *(f"count({self._value(j)})" for j in range(len(self.names)))]
        parts += [f"approx_count_distinct({self._value(j)})" for j in counted]
        n_rows, *numbers = (column[0].as_py() for column in self._select(*parts).columns)
        n_distinct = dict(zip(counted, numbers[len(self.names) :], strict=True))
        return table_summary(n_rows, numbers[: len(self.names)], n_distinct)

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one pass."""
        if not columns:
            return []
        counted = [f"histogram({self._value(j)})" for j in columns]
        parts = [f"{of}({part})" for part in counted for of in ("map_keys", "map_values")]
        answer = [column.combine_chunks()[0].values for column in self._select(*parts).columns]
        return [
            {} if levels is None else level_counts(levels, counts.to_pylist())
            for levels, counts in zip(answer[::2], answer[1::2], strict=True)
        ]

    def ranges(self, columns: Sequence[int]) -> list[tuple[Any, Any]]:
        """Return the smallest and the largest value of some columns, in one pass."""
        if not columns:
            return []
        parts = [f"{of}({self._value(j)})" for j in columns for of in ("min", "max")]
        return range_values(self._select(*parts))

    def repeated(self, column: int, most: int) -> dict[Any, int]:
        """Count the values of a column that occur more than once, at most `most` of them."""
        value = self._value(column)
        counted = self._relation.aggregate(f"{value} AS level, count(*) AS n", value)
        table = counted.filter("n > 1 AND level IS NOT NULL").limit(most).to_arrow_table()
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
        from duckdb import ConstantExpression, SQLExpression

        drawn = SQLExpression(f"{KEY} < {threshold}")
        for j, higher in held.items():
            drawn |= SQLExpression(f"{self._value(j)} IS NOT NULL AND {KEY} < {higher}")
        for j, levels, higher in higher_thresholds(rare):
            holds = SQLExpression(self._value(j)).isin(*map(ConstantExpression, levels))
            drawn |= holds & SQLExpression(f"{KEY} < {higher}")
        chosen = self._keyed(seed).filter(drawn).select(f"* EXCLUDE ({KEY})")
        return drawn_rows(chosen.to_arrow_table())

    def _keyed(self, seed: int) -> duckdb.DuckDBPyRelation:
        """Return the table with the columns `ROW` and `KEY`; each step of the key is a projection.

        DuckDB computes a projection once, but an expression as often as it is used.
        """
        relation = self._relation.select(f"*, row_number() OVER () - 1 AS {ROW}")
        relation = relation.select(f"*, {ROW} AS {KEY}")

        def named(step: _Integer) -> _Integer:
            nonlocal relation
            relation = relation.select(f"* REPLACE ({step.text} AS {KEY})")
            return _Integer(KEY)

        row_key(_Integer(KEY), seed, remainder=lambda x, power: x & (power - 1), named=named)
        return relation

    def _select(self, *parts: str) -> pa.Table:
        """Compute some aggregates; each gets a name, as Arrow's columns need different ones."""
        named = ", ".join(f"{part} AS c{k}" for k, part in enumerate(parts))
        return self._relation.aggregate(named).to_arrow_table()

    def _value(self, position: int) -> str:
        """Return the SQL of a column in which NaN is missing."""
        name = '"' + self.names[position].replace('"', '""') + '"'
        if self._kinds[position] in _FLOATS:
            return f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END"
        return name


class _Integer:
    """An SQL expression with the operators that `row_key` needs."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _with(self, operator: str, other: _Integer | int) -> _Integer:
        right = other.text if isinstance(other, _Integer) else other
        return _Integer(f"({self.text} {operator} {right})")

    def __add__(self, other: _Integer | int) -> _Integer:
        return self._with("+", other)

    def __mul__(self, other: _Integer | int) -> _Integer:
        return self._with("*", other)

    def __and__(self, other: int) -> _Integer:
        return self._with("&", other)
