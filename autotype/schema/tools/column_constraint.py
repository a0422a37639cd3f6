"""What a schema or a report demands of each column, in terms that other tools know."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from autotype.errors import UnwritableTypesError

if TYPE_CHECKING:
    from pandera.pandas import Column, DataFrameModel, DataFrameSchema

    from autotype.types.column_types import ColumnTypes

Kind = Literal["text", "integer", "number", "boolean", "datetime"]
_LEVEL = (str, int, float, datetime.date)


@dataclass(frozen=True)
class ColumnConstraint:
    """What is demanded of one column.

    Attributes
    ----------
    name : str
    kind : str or None
        ``"text"``, ``"integer"``, ``"number"``, ``"boolean"``, ``"datetime"``, or None if unknown.
    levels : tuple or None
        All values that are allowed: levels off the scale first, then lowest first; None for any.
    ordered : bool
        Whether the levels have an order.
    nullable, unique : bool
    low, high : float or None
        Limits of numbers, both allowed.
    """

    name: str
    kind: Kind | None = None
    levels: tuple | None = None
    ordered: bool = False
    nullable: bool = True
    unique: bool = False
    low: float | None = None
    high: float | None = None


def read_constraints(
    source: ColumnTypes | DataFrameSchema | type[DataFrameModel],
) -> list[ColumnConstraint]:
    """Read what a schema or a report demands of each column.

    Parameters
    ----------
    source : pandera DataFrameSchema, DataFrameModel, or TypeReport
        A report knows levels only; a schema also missing values, ranges and uniqueness.

    Raises
    ------
    TypeError
        If it is none of these.
    UnwritableTypesError
        If a level is neither a text nor a number, truth value or date.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
    >>> read_constraints(TypeReport([size]))[0].levels
    ('S', 'M')
    """
    from autotype.types.column_types import ColumnTypes

    if isinstance(source, ColumnTypes):
        return [
            _constraint(
                column.name,
                [*column.off_scale, *column.order] if column.order else list(column.levels) or None,
                ordered=column.order is not None,
            )
            for column in source.columns
        ]
    from autotype.schema.checks.rule_levels import as_schema

    return [_of_rule(name, rule) for name, rule in as_schema(source).columns.items()]


def _of_rule(name: Any, rule: Column) -> ColumnConstraint:
    from autotype.schema.checks.rule_levels import levels_of

    checks = {check.name: check.statistics for check in rule.checks}
    levels, ordered = levels_of(rule) or (None, False)
    if levels is None and "isin" in checks:
        levels = list(checks["isin"]["allowed_values"])
    limits = checks.get("in_range", {})
    low = checks.get("greater_than_or_equal_to", limits).get("min_value")
    return _constraint(
        name,
        levels,
        ordered=ordered,
        kind=_kind_of_dtype(rule.dtype),
        nullable=bool(rule.nullable),
        unique=bool(rule.unique),
        low=low,
        high=limits.get("max_value"),
    )


def _constraint(name: Any, levels: Iterable[Any] | None, **demands: Any) -> ColumnConstraint:
    values = None if levels is None else tuple(levels)
    if values is not None:
        _check_levels(name, values)
        demands["kind"] = _kind_of_levels(values)
    for limit in ("low", "high"):
        value = demands.get(limit)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isinf(value):
            demands[limit] = None  # of dates, or none
    return ColumnConstraint(str(name), levels=values, **demands)


def _check_levels(name: Any, levels: tuple) -> None:
    for level in levels:
        finite = not isinstance(level, float) or math.isfinite(level)
        if not isinstance(level, _LEVEL) or not finite:
            raise UnwritableTypesError(
                f"column {name!r} has the level {level!r}, expected texts, finite numbers, truth "
                "values or dates; cast the column to text, or leave it out of the schema"
            )


def _kind_of_levels(levels: tuple) -> Kind | None:
    if levels and all(isinstance(level, bool) for level in levels):
        return "boolean"
    if any(isinstance(level, bool) for level in levels):
        return None
    if all(isinstance(level, int) for level in levels):
        return "integer"
    if all(isinstance(level, (int, float)) for level in levels):
        return "number"
    if all(isinstance(level, str) for level in levels):
        return "text"
    return "datetime" if all(isinstance(level, datetime.date) for level in levels) else None


def _kind_of_dtype(dtype: Any) -> Kind | None:
    from pandera import dtypes

    kinds: list[tuple[Any, Kind]] = [
        (dtypes.Bool, "boolean"),
        (dtypes.Int, "integer"),
        (dtypes.UInt, "integer"),
        (dtypes.Float, "number"),
        (dtypes.Decimal, "number"),
        (dtypes.DateTime, "datetime"),
        (dtypes.Timestamp, "datetime"),
        (dtypes.String, "text"),
    ]
    return next((name for kind, name in kinds if isinstance(dtype, kind)), None)
