r"""Split a string into rows: find the separator of CSV, check the rows, and cut to the first ones.

Rows have to be checked, since pandas accepts those of other lengths than the header silently: it
fills short ones, and takes the first field of long ones for an index or drops the last. The check
decodes and counts: a seventh of the time of `read_table`, a third if all fields are in quotes
(benchmarks/read_speed.py).
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, Any, NamedTuple, TextIO

from autotype.errors import UnreadableTableError
from autotype.tables.limits import Limits
from autotype.wording import format_count

SEPARATORS = (",", ";", "\t", "|")
# Never occurs in text: the separator of files with a single column.
NO_SEPARATOR = "\x1f"
_HEAD_ROWS = 500
_HEAD_CHARACTERS = 1 << 18
_BLOCK = 1 << 20  # characters read at a time

Opener = Callable[[], IO[bytes]]


def sniff_separator(text: str, candidates: Sequence[str] = SEPARATORS) -> str:
    r"""Detect the character that separates the fields of a CSV text.

    Parameters
    ----------
    text : str
        The header and some rows.
    candidates : sequence of str
        The characters to choose from.

    Returns
    -------
    str
        The separator by which most rows have as many fields as the header. If the header or most
        rows have one field, a character that no text holds: the table has a single column.

    Examples
    --------
    >>> sniff_separator('name;price\n"nut; bolt";1,50\n')
    ';'
    """
    best, best_score = NO_SEPARATOR, (0.0, 0)
    for separator in candidates:
        rows = split_head(text, separator)
        if not rows or len(rows[0]) < 2:
            continue
        header, body = len(rows[0]), rows[1:]
        if body and sum(len(row) > 1 for row in body) < len(body) / 2:
            continue  # occurs in the header only
        agreeing = sum(len(row) == header for row in body) / len(body) if body else 1.0
        if (agreeing, header) > best_score:
            best, best_score = separator, (agreeing, header)
    return best


def split_head(text: str, separator: str) -> list[list[str]]:
    """Split the first rows into fields, up to one with a field beyond csv's size limit."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows: list[list[str]] = []
    with contextlib.suppress(csv.Error):
        rows.extend(row for row in itertools.islice(reader, _HEAD_ROWS) if row)
    return rows


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
    """The rows of a string, read in blocks of whole lines."""

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
    """Split a string into lines with their ends, the last one first."""
    return list(io.StringIO(text, newline=""))[::-1]


def _n_line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


@contextlib.contextmanager
def fields_of_any_size() -> Iterator[None]:
    """Lift csv's limit on a field, which is below the size of a long text."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def first_csv_rows(
    opened: Opener, n_rows: int, *, separator: str | None = None, encoding: str | None = None
) -> Opener:
    r"""Return a function that opens the header and the first rows of a CSV text.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    n_rows : int
        Rows below the header, >= 1; blank lines do not count.
    separator : str, optional
        The character between fields; detected by default.
    encoding : str, optional
        The encoding, if it is given.

    Returns
    -------
    callable
        Opens a copy in memory, in the same encoding.

    Examples
    --------
    >>> first_csv_rows(lambda: io.BytesIO(b'a,b\n1,"x\ny"\n2,z\n'), 1)().read()
    b'a,b\n1,"x\ny"\n'
    """
    decoding = encoding or _transparent_encoding(opened)
    if separator is None:
        with opened() as file, io.TextIOWrapper(file, decoding, newline="") as text:
            separator = sniff_separator(text.read(_HEAD_CHARACTERS) + text.readline())
    rows = partial(csv.reader, delimiter=separator)
    return _first(opened, decoding, n_rows + 1, lambda lines: filter(None, rows(lines)))


def first_lines(opened: Opener, n_rows: int, *, encoding: str | None = None) -> Opener:
    r"""Return a function that opens the first lines of a string that are not blank.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    n_rows : int
        Lines, >= 1.
    encoding : str, optional
        The encoding, if it is given.

    Returns
    -------
    callable
        Opens a copy in memory, in the same encoding.

    Examples
    --------
    >>> first_lines(lambda: io.BytesIO(b'{"a": 1}\n\n{"a": 2}\n{"a": 3}\n'), 2)().read()
    b'{"a": 1}\n\n{"a": 2}\n'
    """
    decoding = encoding or _transparent_encoding(opened)
    return _first(opened, decoding, n_rows, lambda lines: filter(str.strip, lines))


def _first(
    opened: Opener, encoding: str, n: int, split: Callable[[Iterator[str]], Iterable[Any]]
) -> Opener:
    """Return a function that opens the lines of the first n parts of a string."""
    kept: list[str] = []
    with (
        opened() as file,
        io.TextIOWrapper(file, encoding, newline="") as text,
        fields_of_any_size(),
    ):
        for _ in itertools.islice(split(_recorded(text, kept)), n):
            pass
    content = "".join(kept).encode(encoding)
    return lambda: io.BytesIO(content)


def _recorded(lines: Iterable[str], kept: list[str]) -> Iterator[str]:
    """Yield lines, and append each of them to `kept`."""
    for line in lines:
        kept.append(line)
        yield line


def _transparent_encoding(opened: Opener) -> str:
    """Return an encoding in which any bytes stay the same: line ends and quotes are ASCII."""
    with opened() as file:
        head = file.read(2)
    return "utf-16" if head in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "latin-1"
