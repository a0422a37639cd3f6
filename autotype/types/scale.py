"""Scale: one scale of a report, and the columns that answer in it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from autotype.types.column_type import ColumnType, SemanticType
from autotype.wording import format_count, format_level, format_some, join_first

_SHOWN = 12  # levels


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
    direction_known : bool
        Whether the low end is known, or only the order up to reversal.
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
    direction_known: bool = False
    off_scale: tuple[Any, ...] = ()
    reversed: tuple[Hashable, ...] = ()

    @property
    def text(self) -> str:
        """The scale and its columns in a sentence.

        Examples
        --------
        >>> Scale(("S", "M"), ("a", "b"), "ordinal", ("S", "M"), True, reversed=("b",)).text
        "One scale, S < M, of 2 columns: 'a', 'b'; reversed: 'b'"
        """
        mark = ", " if self.order is None else " < " if self.direction_known else " - "
        levels = join_first([format_level(v) for v in self.levels], _SHOWN, mark)
        reverse = f"; reversed: {format_some(self.reversed)}" if self.reversed else ""
        n_columns = format_count(len(self.columns), "column")
        return f"One scale, {levels}, of {n_columns}: {format_some(self.columns)}{reverse}"


def scales_of(columns: Iterable[ColumnType]) -> tuple[Scale, ...]:
    """Return the scales that columns name, in the order of their first columns.

    Columns that were given another type or order since then are a scale of their own, unless they
    are alone in it.
    """
    members: dict[str, dict[Any, list[ColumnType]]] = {}
    for column in columns:
        if column.scale:
            order = tuple(format_level(v).casefold().strip() for v in column.order or ())
            parts = members.setdefault(column.scale, {})
            parts.setdefault((column.semantic_type, order), []).append(column)
    return tuple(
        _scale(some)
        for parts in members.values()
        for some in parts.values()
        if len(some) > 1 or len(parts) == 1
    )


def _scale(members: list[ColumnType]) -> Scale:
    first = members[0]
    off_scale = set(first.off_scale)
    return Scale(
        levels=first.best_order or tuple(v for v in first.levels if v not in off_scale),
        columns=tuple(column.name for column in members),
        type=first.semantic_type,
        order=first.order,
        direction_known=first.direction_known,
        off_scale=first.off_scale,
        reversed=tuple(column.name for column in members if column.reversed),
    )
