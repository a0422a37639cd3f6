"""Table, which a file is read as, and ReadOptions, which state how.

Limits state what a file may unpack to, so that a small file cannot fill the memory.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from autotype.errors import AutotypeError, UnreadableTableError
from autotype.types.codebook import Codebook
from autotype.types.data_warning import DataWarning
from autotype.types.reading import Reading
from autotype.wording import first_line

MAX_COLUMNS = 100_000
Opener = Callable[[], IO[bytes]]  # opens content from its start, as often as needed
_BYTES_A_CELL = 8


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
    findings : tuple of DataWarning
        What looked wrong in the file, for a report.
    """

    frame: Any
    codebook: Codebook
    reading: Reading
    source: Any = field(default=None, repr=False, compare=False)  # keeps a temporary file
    findings: tuple[DataWarning, ...] = field(default=(), repr=False)


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


@dataclass(frozen=True)
class Limits:
    """Limits of one file.

    Attributes
    ----------
    path : str
        Name in error messages.
    max_bytes : int
        Of the unpacked content, and of its cells at 8 bytes each.
    max_columns : int
    """

    path: str
    max_bytes: int
    max_columns: int = MAX_COLUMNS

    def check_bytes(self, n_bytes: int) -> None:
        """Raise if the content unpacks to more bytes than the limit.

        Raises
        ------
        UnreadableTableError
        """
        if n_bytes > self.max_bytes:
            raise self._beyond(f"unpacks to {n_bytes:,} bytes", self.max_bytes, "--max-size")

    def check_cells(self, n_rows: int, n_columns: int) -> None:
        """Raise if a table has more columns or cells than the limits.

        Raises
        ------
        UnreadableTableError
        """
        if n_columns > self.max_columns:
            raise self._beyond(f"holds {n_columns:,} columns", self.max_columns, "--max-columns")
        n_bytes = n_rows * n_columns * _BYTES_A_CELL
        if n_bytes > self.max_bytes:
            found = f"{n_rows:,} rows of {n_columns:,} columns take {n_bytes:,} bytes"
            raise self._beyond(found, self.max_bytes, "--max-size")

    def _beyond(self, found: str, limit: int, option: str) -> UnreadableTableError:
        return UnreadableTableError(
            f"{self.path}: {found} or more, beyond the limit of {limit:,}; if you trust it, raise "
            f"the limit by {option}"
        )


@contextlib.contextmanager
def corrupt_is_unreadable(path: str, what: str) -> Iterator[None]:
    """Raise an UnreadableTableError for anything that a library raises on corrupt bytes.

    Which errors these are, no library documents; a panic of compiled code is no Exception.
    """
    try:
        yield
    except (AutotypeError, KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException as problem:
        raise UnreadableTableError(
            f"{path}: not a whole {what} file ({first_line(problem)})"
        ) from problem
