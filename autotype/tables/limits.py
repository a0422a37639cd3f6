"""Limits on what a file may unpack to, so that a small file cannot fill the memory."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from autotype.errors import AutotypeError, UnreadableTableError
from autotype.wording import first_line

MAX_COLUMNS = 100_000
_BYTES_A_CELL = 8


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
            raise UnreadableTableError(
                f"{self.path}: unpacks to {n_bytes:,} bytes or more, beyond the limit of "
                f"{self.max_bytes:,}; if you trust it, raise the limit by --max-size"
            )

    def check_cells(self, n_rows: int, n_columns: int) -> None:
        """Raise if a table has more columns or cells than the limits.

        Raises
        ------
        UnreadableTableError
        """
        if n_columns > self.max_columns:
            raise UnreadableTableError(
                f"{self.path}: holds {n_columns:,} columns or more, beyond the limit of "
                f"{self.max_columns:,}; if you trust it, raise the limit by --max-columns"
            )
        n_bytes = n_rows * n_columns * _BYTES_A_CELL
        if n_bytes > self.max_bytes:
            raise UnreadableTableError(
                f"{self.path}: {n_rows:,} rows of {n_columns:,} columns take {n_bytes:,} bytes or "
                f"more, beyond the limit of {self.max_bytes:,}; if you trust it, raise the limit "
                "by --max-size"
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
