"""What `to_schema` stores in a schema's metadata, since dtypes and checks cannot hold it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
from pandera.pandas import DataFrameSchema

from autotype.errors import UnreadableTypesError, UnwritableTypesError
from autotype.types.codec.plain_column import as_plain, from_plain
from autotype.types.column_type import ColumnType

# Key of a schema's metadata.
METADATA_KEY = "autotype"
# What is left out: the checks hold levels and order, and the rest is about the rows of one frame.
_LEFT_OUT = (
    *("order", "best_order", "levels", "n_levels", "ties", "alternatives"),
    *("n_rows_used", "evidence", "reasons", "profile"),
)


def make_note(column: ColumnType, values: pd.Series) -> dict[str, Any]:
    """Return what is stored of a column, as plain values unless it holds other objects.

    Parameters
    ----------
    column : ColumnType
    values : pandas.Series
        The column before its type was applied.
    """
    try:
        note = as_plain(column, without=_LEFT_OUT)
    except UnwritableTypesError:  # a schema that is not written may hold it as it is
        held = {key: part for key, part in vars(column).items() if key not in _LEFT_OUT}
        note = {"column": ColumnType(**held)}
    if isinstance(values.dtype, pd.CategoricalDtype) and not values.cat.ordered:
        note["unordered"] = True
    return note


def notes_of(schema: DataFrameSchema) -> dict[Hashable, Mapping[str, Any]]:
    """Return what `to_schema` stored of each column, by name; nothing for schemas of others.

    The column type that a note states is its ``column``, without levels.

    Raises
    ------
    UnreadableTypesError
        If the notes are damaged.
    """
    metadata = schema.metadata
    notes = metadata.get(METADATA_KEY) if isinstance(metadata, Mapping) else None
    if not isinstance(notes, list):
        return {}
    try:
        return dict(map(_read_note, notes))
    except ValueError as problem:
        raise UnreadableTypesError(
            f"the schema's metadata {METADATA_KEY!r} are damaged ({problem}); remove them, or "
            "write the schema again"
        ) from problem


def _read_note(note: Mapping[str, Any]) -> tuple[Hashable, Mapping[str, Any]]:
    plain = {key: part for key, part in note.items() if key != "unordered"}
    held = note.get("column")
    column = held if isinstance(held, ColumnType) else from_plain(plain, without=_LEFT_OUT)
    return column.name, {**note, "column": column}
