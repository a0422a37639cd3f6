"""Mark the columns of a frame whose dtypes autotype made: ordered ones, and dates.

An ordered dtype has to place every level, so it does not show which ones have no place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from autotype.types.column_mapping import match_by_name
from autotype.types.column_type import ColumnType
from autotype.types.nan_equality import has_hash
from autotype.wording import format_level

_MARK = "autotype"  # key of a pandas frame's attrs
# Key of attrs for how the dates of columns were written in their file: a unit, with T before a time
# of day.
WRITTEN_DATES = "autotype dates"
WRITTEN_CELLS = "autotype cells"  # key of attrs for the cells of a text file
_FIELD_KEY = b"autotype"  # of the metadata that `types.codec.arrow` writes


def mark_columns(typed: pd.DataFrame, types: Iterable[ColumnType], labelled: pd.DataFrame) -> None:
    """Mark the ordered columns that `apply_types` made, in ``attrs``.

    Parameters
    ----------
    typed : pandas.DataFrame
        Its categories are stored values.
    types : iterable of ColumnType
    labelled : pandas.DataFrame
        The frame to mark, whose categories may be labels of these.
    """
    matches, _ = match_by_name(typed.columns, list(types))
    marks = {}
    for j, column in enumerate(matches):
        dtype, shown = typed.dtypes.iloc[j], labelled.dtypes.iloc[j]
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
            off = set() if column is None else set(column.off_scale)
            pairs = zip(dtype.categories, shown.categories, strict=True)
            marks[str(typed.columns[j])] = [format_level(text) for v, text in pairs if v in off]
    labelled.attrs = {**labelled.attrs, **({_MARK: marks} if marks else {})}


def marked_columns(frame: Any) -> Mapping[str, frozenset[str]]:
    """Return column -> its levels off the scale, of ordered dtypes of `apply_types` or `to_arrow`.

    The levels are strings, as `format_level` returns them.
    """
    is_arrow = type(frame).__module__.startswith("pyarrow")
    fields = getattr(frame, "schema", ()) if is_arrow else ()
    marks = (getattr(frame, "attrs", None) or {}).get(_MARK)  # pandas reads attrs from Parquet
    if isinstance(marks, list):
        marks = dict.fromkeys(filter(has_hash, marks), ())
    notes = {f.name: (f.metadata or {}).get(_FIELD_KEY) for f in fields}
    held = {name: _off_scale(note) for name, note in notes.items() if note}
    held = {**(marks if isinstance(marks, Mapping) else {}), **held}
    return {
        name: frozenset(format_level(v) for v in levels if isinstance(v, str | int | float))
        for name, levels in held.items()
        if isinstance(levels, list | tuple)
    }


def _off_scale(note: bytes) -> Any:
    try:
        return json.loads(note).get("off_scale", ())
    except (ValueError, AttributeError, RecursionError):
        return ()  # is no note of ours
