"""Mark the columns of a frame whose dtypes autotype made: ordered ones, and dates."""

from __future__ import annotations

from typing import Any

# Key of a pandas frame's attrs for the names of the ordered columns that `apply_types` made.
MARK = "autotype"
# Key for how the dates of columns were written in their file: a unit, with T before a time of day.
WRITTEN_DATES = "autotype dates"
_FIELD_KEY = b"autotype"  # of the metadata that `types.codec.arrow` writes


def marked_columns(frame: Any) -> frozenset[str]:
    """Return the names of columns whose ordered dtype `apply_types` or `to_arrow` made."""
    is_arrow = type(frame).__module__.startswith("pyarrow")
    fields = getattr(frame, "schema", ()) if is_arrow else ()
    typed = [field.name for field in fields if _FIELD_KEY in (field.metadata or {})]
    return frozenset([*(getattr(frame, "attrs", None) or {}).get(MARK, ()), *typed])
