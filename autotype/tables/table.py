"""Table, which a file is read as, and ReadOptions, which state how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autotype.tables.limits import MAX_COLUMNS
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


@dataclass(frozen=True)
class ReadOptions:
    """What is stated about a file, and not to be found.

    Attributes
    ----------
    delimiter : str or None
        Separator of the fields of a text, or one of `WORDS`.
    encoding : str or None
    decimal : {".", ",", None}
        The decimal sign.
    header : tuple of int or None
        Lines, counted from 1, that name the columns; empty if there are none.
    footer : int or None
        Lines below the data to leave out.
    ragged : {"error", "pad", "drop"}
        What to do with rows of other lengths than the header.
    n_rows : int or None
        Rows to read, the first ones of the file; the others are not checked either. None reads all
        of them.
    missing : tuple of str
        Strings in text and workbooks that mean a missing value, besides the empty cell.
    texts : frozenset of str
        Columns of text to read as strings even if they look like numbers.
    numbers : frozenset of str
        Columns of text to read as numbers even if some cells are not numbers.
    keep_strings : bool
        Whether a frame of text, or of cells that are strings, keeps them for another text file.
    sheet : str or None
        Of a workbook; None reads the first visible one that holds a table. Of a file of R with
        several objects the data frame; None reads the one with most cells.
    catalog : str or None
        Path of the .sas7bcat file with the value labels of a .sas7bdat file; None takes the one of
        the same stem beside it.
    max_size : int or None
        Bytes that the file may unpack to, and its cells at 8 bytes each; None allows 32 MiB
        (2 GiB for Parquet), or 100 times the file's own size if that is more.
    max_columns : int
        Columns that the file may have.
    """

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    header: tuple[int, ...] | None = None
    footer: int | None = None
    ragged: str = "error"
    n_rows: int | None = None
    missing: tuple[str, ...] = ()
    texts: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    keep_strings: bool = False
    sheet: str | None = None
    catalog: str | None = None
    max_size: int | None = None
    max_columns: int = MAX_COLUMNS
