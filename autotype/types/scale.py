"""Scale: one scale of a report, and the columns that answer in it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from autotype.types.column_type import ColumnType, SemanticType


@dataclass(frozen=True)
class Scale:
    """A scale that several columns share.

    Attributes
    ----------
    levels : tuple
        On the scale, lowest first where there is an order; as the first column spells them.
    columns : tuple of hashable
        Names of its columns.
    type : str
        Their semantic type.
    order : tuple or None
        The levels, lowest first; None unless they are ordinal and the order is known.
    off_scale : tuple
        Levels such as "don't know".
    reversed : tuple of hashable
        Names of the columns that fall where the others rise. The order of their levels is that of
        the scale.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("a", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5}, scale="a")
    >>> TypeReport([size]).scales[0].levels
    ('S', 'M')
    """

    levels: tuple[Any, ...]
    columns: tuple[Hashable, ...]
    type: SemanticType
    order: tuple[Any, ...] | None = None
    off_scale: tuple[Any, ...] = ()
    reversed: tuple[Hashable, ...] = ()


def scales_of(columns: Iterable[ColumnType]) -> tuple[Scale, ...]:
    """Return the scales that columns name, in the order of their first columns."""
    members: dict[str, list[ColumnType]] = {}
    for column in columns:
        if column.scale:
            members.setdefault(column.scale, []).append(column)
    return tuple(map(_scale, members.values()))


def _scale(members: list[ColumnType]) -> Scale:
    first = members[0]
    off_scale = set(first.off_scale)
    return Scale(
        levels=first.best_order or tuple(v for v in first.levels if v not in off_scale),
        columns=tuple(column.name for column in members),
        type=first.semantic_type,
        order=first.order,
        off_scale=first.off_scale,
        reversed=tuple(column.name for column in members if column.reversed),
    )
