"""Table: a frame, what is written about its columns, and how the file was read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autotype.types.codebook import Codebook
from autotype.types.reading import Reading


@dataclass(frozen=True)
class Table:
    """A frame that was read from a file.

    Attributes
    ----------
    frame : pandas.DataFrame
        Of a large file on the command line a lazy table of DuckDB, polars or pyarrow.
    codebook : Codebook
        Labels and units of the columns that the file states; it may be empty.
    reading : Reading
        How the file was read: encoding, delimiter, lines of the header and the like.
    """

    frame: Any
    codebook: Codebook
    reading: Reading
    source: Any = field(default=None, repr=False, compare=False)  # keeps a temporary file


def names_of(table: Any) -> list[Any]:
    """Return the names of the columns of a frame or lazy table."""
    if hasattr(table, "collect_schema"):  # polars: columns warns that it costs
        return list(table.collect_schema().names())
    return list(table.columns) if hasattr(table, "columns") else list(table.schema.names)
