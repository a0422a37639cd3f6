"""ColumnTypes: the types of a frame's columns as a plain mapping.

Every room of the package hands types around as this mapping. `TypeReport` is the same mapping with
the ways up: pages, plots, encoders and tables for other tools.

A `Scale` is one scale of a report, and the columns that answer in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pandas as pd

from autotype.types.codec.json_values import as_unicode
from autotype.types.codec.plain_state import PlainState
from autotype.types.column_mapping import ColumnMapping
from autotype.types.column_type import ColumnType, SemanticType
from autotype.types.data_warning import DataWarning
from autotype.types.nan_equality import nan_key
from autotype.types.reading import Reading
from autotype.wording import format_count, format_level, format_some, join_first

_SHOWN = 12  # levels


class ColumnTypes(PlainState, ColumnMapping[ColumnType]):
    """The types of a frame's columns: a mapping from column name to `ColumnType`.

    Columns are in the frame's order. Of a repeated name, ``types[name]`` is the first column;
    `columns` and `to_frame` hold all of them. Two of them are equal if all columns, the names of
    the column labels, the number of rows, the sample, the reading, the weights and the warnings
    are, with NaN equal to NaN.

    Parameters
    ----------
    columns : sequence of ColumnType, or ColumnTypes
        In the frame's column order. Of other types, everything is taken over.
    names : pandas.Index, optional
        The column labels; keeps a MultiIndex and its level names.
    n_rows : int
        Rows of the frame.
    sample : str
        Which rows the models saw, and how they were drawn; empty if all of them.
    warnings : sequence of DataWarning
        What looks wrong in the data, and what to do about it.
    reading : Reading, optional
        How the file was read; None without a file.
    weights : hashable, optional
        Name of the column of weights of the rows; None without one.
    checks : mapping, optional
        Of types that a schema states: column name -> name of a check -> its arguments, such as the
        limits of a range. Exports for other tools repeat them; comparisons and files do not.
    """

    _OWNER = "the report holds no column"

    def __init__(
        self,
        columns: Sequence[ColumnType] | ColumnTypes,
        *,
        names: pd.Index | None = None,
        n_rows: int = 0,
        sample: str = "",
        warnings: Sequence[DataWarning] = (),
        reading: Reading | None = None,
        weights: Hashable | None = None,
        checks: Mapping[Hashable, Mapping[str, Mapping[str, Any]]] | None = None,
    ) -> None:
        if isinstance(columns, ColumnTypes):
            vars(self).update(vars(columns))
            return
        super().__init__(columns)
        self.n_rows = n_rows
        self.sample = sample
        self.warnings = tuple(warnings)
        self.reading = reading
        self.weights = weights
        self.checks = dict(checks or {})
        if names is None:
            names = pd.Index([c.name for c in self.columns], dtype=object, tupleize_cols=False)
        self.names = names

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes, without the index of the columns by name."""
        return {k: value for k, value in super().__getstate__().items() if k != "_by_name"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        ColumnMapping.__init__(self, self.columns)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ColumnTypes):
            return NotImplemented
        return self._cells() == other._cells()

    def _cells(self) -> tuple[Any, ...]:
        """Return all that two of them have to share if they are equal."""
        warnings = [nan_key((w.kind, w.message, w.remedy, w.column)) for w in self.warnings]
        named = nan_key(list(self.names.names)), nan_key(self.weights)
        return (*named, self.n_rows, self.sample, self.reading, warnings, self.columns)

    def __hash__(self) -> int:
        return hash((self.n_rows, self.columns))

    @property
    def scales(self) -> tuple[Scale, ...]:
        """The scales that several columns share, with their levels and columns.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> often = pd.Series(["never", "sometimes", "often", "always"] * 9)
        >>> frame = pd.DataFrame({"work": often, "home": often.where(often != "always")})
        >>> [(scale.columns, scale.order) for scale in autotype.infer_types(frame).scales]
        [(('work', 'home'), ('never', 'sometimes', 'often', 'always'))]
        """
        return scales_of(self.columns)

    def to_frame(self) -> pd.DataFrame:
        """Return a frame with one row per column, indexed by column name.

        Returns
        -------
        pandas.DataFrame
            Columns ``semantic_type``, ``probability``, ``order``, ``best_order``,
            ``order_probability``, ``direction_known``, ``n_levels``, ``n_rows_used``,
            ``off_scale``, ``reason``, ``provenance``, ``note``, ``format``, ``missing_markers`` and
            ``partial_order``: the attributes of `ColumnType`.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"))
        >>> TypeReport([size]).to_frame()[["semantic_type", "probability", "order"]]
             semantic_type  probability   order
        size       ordinal          0.9  (S, M)
        """
        table = {key: [getattr(c, key) for c in self.columns] for key in _TABLE_COLUMNS}
        for key in ("reason", "note"):
            table[key] = [as_unicode(text) for text in table[key]]
        frame = pd.DataFrame(
            {key: pd.Series(cells, dtype=_TABLE_COLUMNS[key]) for key, cells in table.items()}
        )
        frame.index = self.names
        return frame

    def without_values(self) -> Self:
        """Return a report without values of columns that are not discrete, for sharing.

        Names, types, counts of missing and distinct values and the levels of discrete columns stay;
        examples, frequent values, histograms and levels of all other columns go.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> report = autotype.infer_types(pd.DataFrame({"id": ["R-1", "R-2", "R-3"]}))
        >>> list(report["id"].levels), list(report.without_values()["id"].levels)
        (['R-1', 'R-2', 'R-3'], [])
        """
        columns = [column.without_values() for column in self.columns]
        listed = {nan_key(column.name) for column in columns if column.levels}
        warnings = [
            warning
            for warning in self.warnings
            if not warning.quotes_levels or nan_key(warning.column) in listed
        ]
        return self._with(columns, warnings, checks={})  # they hold limits

    def _with(
        self,
        columns: Sequence[ColumnType],
        warnings: Sequence[DataWarning],
        checks: Mapping[Hashable, Mapping[str, Mapping[str, Any]]] | None = None,
    ) -> Self:
        """Return the report of the same rows and names with other columns and warnings."""
        stated = {key: getattr(self, key) for key in _OF_TABLE}
        stated |= {"warnings": warnings} | ({} if checks is None else {"checks": checks})
        return type(self)(columns, **stated)

    def __str__(self) -> str:
        kinds = Counter(column.semantic_type for column in self.columns)
        parts = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())
        return f"types of {format_count(len(self.columns), 'column')}: {parts or 'none'}"


# What is known besides the columns.
_OF_TABLE = ("names", "n_rows", "sample", "reading", "weights", "checks")
_TABLE_COLUMNS = {
    "semantic_type": "str",
    "probability": "float64",
    "order": "object",
    "best_order": "object",
    "order_probability": "float64",
    "direction_known": "bool",
    "n_levels": "int64",
    "n_rows_used": "int64",
    "off_scale": "object",
    "reason": "str",
    "provenance": "str",
    "note": "str",
    "format": "object",
    "missing_markers": "object",
    "partial_order": "object",
}


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
