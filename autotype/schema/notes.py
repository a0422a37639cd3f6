"""What `to_schema` stores in a schema's metadata, since dtypes and checks cannot hold it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.errors import UnreadableTypesError, UnwritableTypesError
from autotype.types.codec.json_values import decode_hashable, encode
from autotype.types.column_type import SEMANTIC_TYPES, ColumnType

if TYPE_CHECKING:
    from pandera.pandas import DataFrameSchema

# Key of a schema's metadata.
METADATA_KEY = "autotype"


def make_note(column: ColumnType, values: pd.Series) -> dict[str, Any]:
    """Return what is stored of a column, as plain values.

    Parameters
    ----------
    column : ColumnType
    values : pandas.Series
        The column before its type was applied.
    """
    try:
        name = encode(column.name)
    except UnwritableTypesError:
        name = column.name  # a schema that is not written may hold it
    note = {
        "name": name,
        "semantic_type": column.semantic_type,
        "direction_known": bool(column.direction_known),
    }
    if isinstance(values.dtype, pd.CategoricalDtype) and not values.cat.ordered:
        note["unordered"] = True
    return note


def notes_of(schema: DataFrameSchema) -> dict[Hashable, Mapping[str, Any]]:
    """Return what `to_schema` stored of each column, by name; nothing for schemas of others.

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
    except (TypeError, ValueError, KeyError) as problem:
        raise UnreadableTypesError(
            f"the schema's metadata {METADATA_KEY!r} are damaged ({problem!r}); remove them, or "
            "write the schema again"
        ) from problem


def _read_note(note: Mapping[str, Any]) -> tuple[Hashable, Mapping[str, Any]]:
    if note["semantic_type"] not in SEMANTIC_TYPES:
        raise ValueError(f"{note['semantic_type']!r} is no semantic type")
    if not isinstance(note["direction_known"], bool):
        raise TypeError(f"{note['direction_known']!r} is neither true nor false")
    return decode_hashable(note["name"]), note
