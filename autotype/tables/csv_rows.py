r"""Check that the rows of a CSV text have as many fields as its header, before it is parsed.

pandas accepts other rows silently: it fills short ones, and takes the first field of long ones for
an index or drops the last. The check decodes and counts: a seventh of the time of `read_table`, a
third if all fields are in quotes (benchmarks/read_speed.py).
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TextIO

from autotype.errors import UnreadableTableError
from autotype.tables.limits import Limits
from autotype.wording import format_count

_BLOCK = 1 << 20  # characters read at a time


class CheckedRows(NamedTuple):
    """The rows of a CSV text that have been checked.

    Attributes
    ----------
    header : list of str
        The fields of the first row; empty if there is none.
    n_rows : int
        Rows below the header, without blank lines.
    are_alike : bool
        Whether each line is a row of exactly as many fields as the header: none is blank, and
        none ends with further separators.
    """

    header: list[str]
    n_rows: int
    are_alike: bool


def check_rows(text: TextIO, separator: str, limits: Limits) -> CheckedRows:
    r"""Check the rows of a CSV text.

    Parameters
    ----------
    text : text file
        Opened with ``newline=""``, at its start.
    separator : str
        The character between fields.
    limits : Limits
        The file's name, and the number of columns that it may have.

    Returns
    -------
    CheckedRows
        Header and number of rows.

    Raises
    ------
    UnreadableTableError
        If a row has fewer fields than the header, or more and they are not empty, if a quote is
        not closed, if there are NUL characters, or too many columns.
    UnicodeError
        If the text is not in its encoding.

    Notes
    -----
    Blank lines are skipped. Empty fields beyond the header's are allowed: some programs end each
    row with a separator.

    Examples
    --------
    >>> import io
    >>> check_rows(io.StringIO("a,b\n1,2\n"), ",", Limits("a.csv", 1000))
    CheckedRows(header=['a', 'b'], n_rows=1, are_alike=True)
    """
    return _Rows(text, separator, limits).check()


class _Rows:
    """The rows of a text, read in blocks of whole lines."""

    def __init__(self, text: TextIO, separator: str, limits: Limits) -> None:
        self.text = text
        self.separator = separator
        self.limits = limits
        self.header: list[str] = []
        self.n_needed = 0  # fields of a row: those of the header up to its last name
        self.line = 0  # lines read so far
        self.row_line = 1  # first line of the row that is read
        self.n_rows = 0
        self.are_alike = True
        kept = f"{separator}\n".encode()
        self._dropped = bytes(byte for byte in range(256) if byte not in kept)
        self._blank = " \t\r\n".replace(separator, "")
        around = re.escape(separator) + r"\n"
        self._quoted = re.compile(rf'"(?<![^{around}]")[^"]*+(?:""[^"]*+)*+"(?![^{around}])')

    def check(self) -> CheckedRows:
        """Check all rows."""
        with fields_of_any_size():
            while block := self._read(_BLOCK if self.header else 1):
                if not (self.header and self._is_regular(block)):
                    self._check_each(block)
        return CheckedRows(self.header, self.n_rows, self.are_alike)

    def _read(self, n_characters: int) -> str:
        """Read whole lines, of about this many characters."""
        block = self.text.read(n_characters) + self.text.readline()
        if "\0" in block:
            line = self.line + 1 + _n_line_ends(block[: block.index("\0")])
            raise UnreadableTableError(
                f"{self.limits.path}: not a text file: line {line} holds NUL bytes; "
                "if it is UTF-16, give the encoding"
            )
        return block

    def _is_regular(self, block: str) -> bool:
        """Check, without splitting it, whether each line of a block is a row like the header."""
        plain = block.replace("\r\n", "\n")
        n_lines = plain.count("\n") + (not plain.endswith("\n"))
        if '"' in plain:
            plain = self._quoted.sub("", plain)
        if "\r" in plain or '"' in plain or not self.separator.isascii():
            return False
        if not plain.endswith("\n"):
            plain += "\n"
        found = plain.encode("utf-8", "surrogatepass").translate(None, self._dropped)
        row = (self.separator * (len(self.header) - 1) + "\n").encode()
        n_rows = found.count(b"\n")
        if found != row * n_rows:
            return False
        self.n_rows += n_rows
        self.line += n_lines
        return True

    def _check_each(self, block: str) -> None:
        pending = _lines(block)
        reader = csv.reader(self._lines_of(pending), delimiter=self.separator)
        while pending:
            self.row_line = self.line + 1
            is_blank = not pending[-1].strip(self._blank)
            row = next(reader)
            if is_blank:
                self.are_alike = False
            else:
                self._check_row(row, is_last=not pending)

    def _lines_of(self, pending: list[str]) -> Iterator[str]:
        """Yield the pending lines, and further ones if a quoted field goes on in them."""
        while True:
            if not pending:
                pending += _lines(self._read(_BLOCK))
            if not pending:
                raise UnreadableTableError(
                    f"{self.limits.path}: a quote of the row in line {self.row_line} is not "
                    "closed; is the file cut off?"
                )
            self.line += 1
            yield pending.pop()

    def _check_row(self, row: list[str], *, is_last: bool) -> None:
        if not self.header:
            self.limits.check_cells(0, len(row))
            self.header = row
            self.n_needed = max((j for j, name in enumerate(row, start=1) if name), default=0)
            return
        if self.n_needed <= len(row) and not any(row[len(self.header) :]):
            self.n_rows += 1
            self.are_alike &= len(row) == len(self.header)
            return
        if len(row) < self.n_needed and is_last and not self.text.read(1):
            remedy = "it is the last one: is the file cut off?"
        else:
            remedy = "correct it, or put fields that hold the delimiter in quotes"
        raise UnreadableTableError(
            f"{self.limits.path}: line {self.row_line} holds {format_count(len(row), 'field')}, "
            f"the header {len(self.header)}; {remedy}"
        )


def _lines(text: str) -> list[str]:
    """Split a text into lines with their ends, the last one first."""
    return list(io.StringIO(text, newline=""))[::-1]


def _n_line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


@contextmanager
def fields_of_any_size() -> Iterator[None]:
    """Lift csv's limit on a field, which is below the size of a long text."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
