"""ColumnComparisons: the changes between two reports, as a table and in sentences."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import pandas as pd

from autotype._version import __version__
from autotype.types.atomic_file import as_json
from autotype.types.codec.json_values import simplify
from autotype.types.column_mapping import ColumnMapping
from autotype.types.column_type import ColumnType
from autotype.types.nan_equality import NanEqual
from autotype.wording import format_count, format_level, format_order, format_some

FORMAT_VERSION = 1


@dataclass(frozen=True, repr=False, eq=False)
class ColumnComparison(NanEqual):
    """The changes of one column.

    Two of them are equal if all fields are, with NaN equal to NaN.

    Attributes
    ----------
    name : hashable
        The column's name.
    before, after : ColumnType or None
        Its two types; None if the column is not in that report.
    changes : tuple of str
        Which of ``"new"``, ``"missing"``, ``"type"``, ``"order"``, ``"levels"`` and ``"shares"``
        apply; empty if nothing changed.
    levels_new, levels_gone : tuple
        Levels with a count above zero in one of the reports only.
    p_value : float
        Of the test that the proportions of the levels are the same; NaN without a test.
    p_adjusted : float
        The same, corrected for the number of columns tested.
    distance : float
        The least proportion of rows that would have to change level for equal shares, in [0, 1];
        NaN without a test.
    shift : float
        For a scale, P(a row after is higher than one before) - P(it is lower), in [-1, 1]; NaN
        for other columns.
    """

    name: Hashable
    before: ColumnType | None
    after: ColumnType | None
    changes: tuple[str, ...] = ()
    levels_new: tuple[Any, ...] = ()
    levels_gone: tuple[Any, ...] = ()
    p_value: float = math.nan
    p_adjusted: float = math.nan
    distance: float = math.nan
    shift: float = math.nan

    def explain(self) -> str:
        """Describe the changes in sentences.

        Examples
        --------
        >>> from autotype import ColumnType
        >>> ColumnComparison("size", None, ColumnType("size", "ordinal"), ("new",)).explain()
        "'size': It is new (ordinal)."
        """
        if not self.changes:
            return f"{self.name!r} is as before."
        return f"{self.name!r}: " + " ".join(_SENTENCES[change](self) for change in self.changes)

    def __repr__(self) -> str:
        return f"<ColumnComparison: {self.explain()}>"


class ColumnComparisons(ColumnMapping[ColumnComparison]):
    """What `TypeComparison` holds, as plain data without a page."""

    _OWNER = "neither report holds a column"

    def __init__(self, columns: Sequence[ColumnComparison]) -> None:
        super().__init__(columns)
        self.changed = tuple(column for column in self.columns if column.changes)

    def __bool__(self) -> bool:
        return bool(self.changed)

    def to_frame(self) -> pd.DataFrame:
        """Return a frame with one row per column, indexed by column name.

        Returns
        -------
        pandas.DataFrame
            Columns ``changes``, ``type_before``, ``type_after``, ``order_before``,
            ``order_after``, ``levels_new``, ``levels_gone``, ``p_value``, ``p_adjusted``,
            ``distance``, ``shift``.
        """
        names = pd.Index([c.name for c in self.columns], dtype=object, tupleize_cols=False)
        cells = {key: [read(column) for column in self.columns] for key, read in _CELLS.items()}
        return pd.DataFrame(
            {
                key: pd.Series(values, dtype="float64" if key in _STATISTICS else "object")
                for key, values in cells.items()
            }
        ).set_axis(names, axis=0)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain Python values, ready for JSON.

        Returns
        -------
        dict
            ``changed`` (whether anything has), and ``columns``: for each the columns of
            `to_frame`, ``name``, ``explanation``, and ``levels`` with their rows before and after.
            NaN is None.
        """
        frame = self.to_frame()
        columns = [
            {"name": column.name}
            | {key: frame[key].iloc[j] for key in frame.columns}
            | {"explanation": column.explain(), "levels": _level_counts(column)}
            for j, column in enumerate(self.columns)
        ]
        return {
            "format_version": FORMAT_VERSION,
            "autotype_version": __version__,
            "changed": bool(self),
            "columns": [simplify(column) for column in columns],
        }

    def to_json(self, path: str | os.PathLike[str] | None = None, *, indent: int | None = 2) -> str:
        """Return the comparison as JSON text, and write it to `path` if given.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> report = TypeReport([ColumnType("size", "ordinal", order=("S", "M"))])
        >>> report.compare(report).to_json(indent=None)
        '{"format_version": 1, "autotype_version": "...", "changed": false, "columns": [...]}'
        """
        return as_json(self.to_dict(), path, indent=indent)

    def __str__(self) -> str:
        columns = format_count(len(self.columns), "column")
        if not self.changed:
            return f"nothing changed in {columns}"
        head = f"{len(self.changed)} of {columns} changed:"
        return "\n".join([head, *(f"- {column.explain()}" for column in self.changed)])


def _level_counts(column: ColumnComparison) -> list[dict[str, Any]]:
    """Return the levels with their rows in both reports, along the order before or else after."""
    before, after = ({} if side is None else side.levels for side in (column.before, column.after))
    return [
        {"level": level, "before": before.get(level, 0), "after": after.get(level, 0)}
        for level in dict.fromkeys([*before, *after])
    ]


def _named(levels: Sequence[Any]) -> str:
    if len(levels) == 1:
        return f"level {format_level(levels[0])!r} is"
    return f"levels {format_some([format_level(level) for level in levels])} are"


def _type(column: ColumnType | None) -> str:
    return "" if column is None else column.semantic_type


def _order_sentence(column: ColumnComparison) -> str:
    def order(side: ColumnType | None) -> str:
        return "" if side is None else format_order(side.order or (), side.direction_known)

    return f"Its order was {order(column.before)} and is {order(column.after)}."


def _levels_sentence(column: ColumnComparison) -> str:
    new = f"{_named(column.levels_new)} new" if column.levels_new else ""
    gone = f"{_named(column.levels_gone)} gone" if column.levels_gone else ""
    text = ", ".join(part for part in (new, gone) if part)
    return f"{text[0].upper()}{text[1:]}."


def _shares_sentence(column: ColumnComparison) -> str:
    p = column.p_adjusted
    sure = "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"
    text = (
        f"The proportions of its levels changed: {column.distance:.0%} of the rows would "
        f"have to move back ({sure})"
    )
    if math.isnan(column.shift):
        return text + "."
    way = "up" if column.shift > 0 else "down"
    return f"{text}, and it moved {way} its scale (shift {column.shift:+.2f})."


_SENTENCES = {
    "new": lambda column: f"It is new ({_type(column.after)}).",
    "missing": lambda column: f"It is missing (it was {_type(column.before)}).",
    "type": lambda column: f"It was {_type(column.before)} and is {_type(column.after)}.",
    "order": _order_sentence,
    "levels": _levels_sentence,
    "shares": _shares_sentence,
}
_STATISTICS = ("p_value", "p_adjusted", "distance", "shift")
# The columns of `to_frame`; a column that is not in a report has neither type nor order there.
_CELLS: dict[str, Callable[[ColumnComparison], Any]] = {
    "changes": attrgetter("changes"),
    "type_before": lambda column: getattr(column.before, "semantic_type", None),
    "type_after": lambda column: getattr(column.after, "semantic_type", None),
    "order_before": lambda column: getattr(column.before, "order", None),
    "order_after": lambda column: getattr(column.after, "order", None),
    **{key: attrgetter(key) for key in ("levels_new", "levels_gone", *_STATISTICS)},
}
