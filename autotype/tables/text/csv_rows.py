r"""Check the rows of CSV: each has to have as many fields as the header.

Rows have to be checked, since pandas accepts those of other lengths than the header silently: it
fills short ones, and takes the first field of long ones for an index or drops the last. The check
decodes and counts: a seventh of the time of `read_file`, a third if all fields are in quotes
(benchmarks/read_speed.py).
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import IO

from autotype.errors import UnreadableTableError
from autotype.tables.limits import Limits
from autotype.wording import format_count, join_first

_BLOCK = 1 << 20  # characters read at a time
_MAX_NAMED = 5
_ENOUGH = 1 << 18  # regular rows among which those with an empty last field are counted
_HABIT = 0.05  # proportion of short rows from which on leaving out empty cells is a habit


class RowLengths:
    """Which rows are longer or shorter than the header, and what becomes of them.

    Some programs leave out empty fields at the end of a row. Where many rows are short, and none
    that is complete ends with an empty field, it is such a habit, and short rows are filled; so are
    they where most rows have the same fewer fields, as beside notes in a last column. So is
    a row of a single field, the label of a group, unless the file may be cut off there. Other rows
    of a wrong length may lack a field anywhere, or hold a delimiter as part of a text. Rows without
    any value are left out.

    Parameters
    ----------
    path : str
        Name in error messages.
    n_columns : int
        Fields of the header.
    n_needed : int
        Fields that each row needs: those of the header up to its last name.
    ragged : {"error", "pad", "drop"}
        What to do with rows whose meaning is in doubt.

    Attributes
    ----------
    n_rows : int
        Rows that stay.
    n_open : int
        Rows that end with an empty field, among the first ones.
    is_strict : bool
        Whether quotes stand around whole fields only, as far as is known.
    has_quotes : bool
        Whether quotes were found.
    is_changed : bool
        Whether rows are to be cut or left out.
    remarks : tuple of str
        Sentences about rows that were changed.
    """

    def __init__(self, path: str, n_columns: int, n_needed: int, ragged: str = "error") -> None:
        self.path, self.n_columns, self.n_needed = path, n_columns, n_needed
        self.ragged = ragged
        self.n_rows = self.n_open = self.n_short = self.n_long = self.n_empty = 0
        self.first: list[tuple[int, int]] = []
        self.labels: list[int] = []  # lines of labels of groups
        self.widths: set[int] = set()  # of short rows
        self.last_line = 0
        self.is_strict = True
        self.has_quotes = False
        self.is_changed = False
        self.remarks: tuple[str, ...] = ()

    def add(self, line: int, row: Sequence[str]) -> bool:
        """Count a row, and return whether it stays."""
        n = len(row)
        if self.n_columns > 1 and not any(row):
            self.n_empty += 1
            self.is_changed = True
            return False
        self.last_line = line
        is_long = n > self.n_columns and any(row[self.n_columns :])
        if n >= self.n_needed and not is_long:
            self.n_rows += 1
            self.n_open += n >= self.n_columns and not row[self.n_columns - 1]
            return True
        if self.ragged == "error" and self.n_columns > 2 and row[0] and not any(row[1:]):
            self.labels.append(line)
            self.n_rows += 1
            return True
        self.n_long += is_long
        self.n_short += not is_long
        self.widths |= set() if is_long else {n}
        if len(self.first) < _MAX_NAMED:
            self.first.append((line, n))
        self.is_changed |= is_long or self.ragged == "drop"
        self.n_rows += self.ragged != "drop"
        return self.ragged != "drop"

    def add_regular(self, n_rows: int, count_open: Callable[[], int]) -> None:
        """Count rows of as many fields as the header."""
        self.n_rows += n_rows
        if not self.n_open and self.n_rows < _ENOUGH:
            self.n_open = count_open()
        self.last_line = 0

    def finish(self) -> None:
        """Raise if rows are in doubt; note what was changed.

        Raises
        ------
        UnreadableTableError
        """
        if self.labels and self.labels[-1] == self.last_line:
            self.first.append((self.labels.pop(), 1))
            self.n_short += 1
        remarks = []
        if self.n_empty:
            remarks.append(f"{format_count(self.n_empty, 'row')} without a value left out")
        if self.labels:
            where = join_first([*map(str, self.labels)])
            remarks.append(
                f"{format_count(len(self.labels), 'row')} of a single field filled (lines {where})"
            )
        self.remarks = tuple(remarks)
        n = self.n_short + self.n_long
        if not n:
            return
        lines = [str(line) for line, _ in self.first]
        where = f"line {lines[0]}" if n == 1 else f"lines {join_first(lines, _MAX_NAMED)}"
        if n > len(lines):
            where += f" and {n - len(lines):,} more"
        is_usual = len(self.widths) == 1 and self.n_short > self.n_rows / 2
        is_habit = not self.n_long and (
            is_usual or (not self.n_open and self.n_short >= _HABIT * self.n_rows)
        )
        if self.ragged == "error" and not (is_habit and n > 1):
            line, width = self.first[0]
            if n == 1 and width < self.n_needed and line == self.last_line:
                remedy = "it is the last one: is the file cut off?"
            else:
                remedy = "correct it, or put fields that hold the delimiter in quotes"
            others = "" if n == 1 else f" ({n:,} rows are of other lengths: {where})"
            raise UnreadableTableError(
                f"{self.path}: line {line} holds {format_count(width, 'field')}, the header "
                f"{self.n_columns}{others}; {remedy}; ragged='pad' or 'drop' (--ragged) reads the "
                "file nevertheless"
            )
        done = {"drop": "left out", "pad": "filled or cut"}.get(self.ragged, "filled")
        self.remarks += (
            f"{format_count(n, 'row')} of other lengths than the header {done} ({where})",
        )


def check_rows(
    file: IO[bytes], separator: str, limits: Limits, lengths: RowLengths, *, n_left_out: int = 0
) -> bool:
    r"""Check the rows of a CSV text, and return whether all its lines are regular rows.

    Parameters
    ----------
    file : binary file
        A text in UTF-8, at its start.
    separator : str
        The ASCII character between fields.
    limits : Limits
        The file's name.
    lengths : RowLengths
        Counts the rows.
    n_left_out : int
        Lines of the file above its first row that the text lacks, for messages.

    Returns
    -------
    bool
        Whether each line is a row of exactly as many fields as the header: none is blank, and
        none ends with further separators.

    Raises
    ------
    UnreadableTableError
        If rows are in doubt, if a quote is not closed, or if there are NUL characters.
    UnicodeError
        If an irregular row is not UTF-8.

    Notes
    -----
    Blank lines are skipped. Empty fields beyond the header's are allowed: some programs end each
    row with a separator.

    Examples
    --------
    >>> import io
    >>> lengths = RowLengths("a.csv", 2, 2)
    >>> check_rows(io.BytesIO(b"a,b\n1,2\n"), ",", Limits("a.csv", 1000), lengths), lengths.n_rows
    (True, 1)
    """
    return _Rows(file, separator, limits, lengths).check(n_left_out)


def not_text(path: str, line: int) -> UnreadableTableError:
    """Return the error for a line with NUL bytes."""
    return UnreadableTableError(
        f"{path}: not a text file: line {line} holds NUL bytes; if it is UTF-16, give the encoding"
    )


class _Rows:
    """The rows of a text, read in blocks of whole lines."""

    def __init__(
        self, file: IO[bytes], separator: str, limits: Limits, lengths: RowLengths
    ) -> None:
        self.file = file
        self.separator = separator
        self.limits = limits
        self.lengths = lengths
        self.line = 0  # lines read so far
        self.offset = 0  # lines of the file that the text lacks
        self.row_line = 1  # first line of the row that is read
        self.has_header = False
        self.are_alike = True
        self._end = separator.encode() + b"\n"
        self._row = separator.encode() * (lengths.n_columns - 1) + b"\n"
        self._dropped = bytes(byte for byte in range(256) if byte not in self._end)
        self._blank = " \t\r\n".replace(separator, "")
        sign = re.escape(separator).encode()
        self._empty = re.compile(rb'\n[%b"]+\r?(?:\n|\Z)' % sign)
        self._quoted = re.compile(rb'"(?<![^%b\n]")[^"]*+(?:""[^"]*+)*+"(?![^%b\n])' % (sign, sign))

    def check(self, n_left_out: int) -> bool:
        """Check all rows; of the lines above the first row, some were left out of the text."""
        with fields_of_any_size():
            while block := self._read(_BLOCK if self.has_header else 1):
                if not (self.has_header and self._is_regular(block)):
                    self._check_each(block)
                if self.has_header and not self.offset:
                    self.offset = n_left_out
        self.lengths.finish()
        return self.are_alike

    def _read(self, n_bytes: int) -> bytes:
        """Read whole lines, of about this many bytes."""
        block = self.file.read(n_bytes) + self.file.readline()
        if b"\0" in block:
            above = block[: block.index(b"\0")]
            n_above = above.count(b"\n") + above.count(b"\r") - above.count(b"\r\n")
            raise not_text(self.limits.path, self.line + 1 + self.offset + n_above)
        return block

    def _is_regular(self, block: bytes) -> bool:
        """Check, without splitting it, whether each line of a block is a row like the header."""
        plain = block.replace(b"\r\n", b"\n") if b"\r" in block else block
        plain += b"" if plain.endswith(b"\n") else b"\n"
        has_quotes = b'"' in plain
        n_lines = plain.count(b"\n") if has_quotes else 0
        if has_quotes:
            self.lengths.has_quotes = True
            plain = self._quoted.sub(b"", plain)
        if b"\r" in plain or b'"' in plain:
            return False
        found = plain.translate(None, self._dropped)
        n_rows = len(found) // len(self._row)
        if found != self._row * n_rows:
            return False
        # Fields in quotes are cut out, so that such a row may be one of quotes only.
        is_bare = b"\n" + self._row in plain or plain.startswith(self._row)
        if self.lengths.n_columns > 1 and is_bare and self._empty.search(b"\n" + block):
            return False
        self.lengths.add_regular(n_rows, lambda: plain.count(self._end))
        self.line += n_lines or n_rows
        return True

    def _check_each(self, block: bytes) -> None:
        pending = _lines(block)
        reader = csv.reader(self._lines_of(pending), delimiter=self.separator)
        while pending:
            self.row_line = self.line + 1
            is_blank = not pending[-1].strip(self._blank)
            row = next(reader)
            if is_blank:
                self.are_alike = False
            elif self.has_header:
                self.lengths.is_strict = False
                self.lengths.add(self.row_line + self.offset, row)
                self.are_alike &= len(row) == self.lengths.n_columns
            self.has_header |= not is_blank

    def _lines_of(self, pending: list[str]) -> Iterator[str]:
        """Yield the pending lines, and further ones if a quoted field goes on in them."""
        while True:
            if not pending:
                pending += _lines(self._read(_BLOCK))
            if not pending:
                line = self.row_line + self.offset
                raise UnreadableTableError(
                    f"{self.limits.path}: a quote of the row in line {line} is not closed; is the "
                    "file cut off?"
                )
            self.line += 1
            yield pending.pop()


def _lines(block: bytes) -> list[str]:
    """Return the lines of a block with their ends, the last one first."""
    text = block.removeprefix(codecs.BOM_UTF8).decode()
    return list(io.StringIO(text, newline=""))[::-1]


@contextlib.contextmanager
def fields_of_any_size() -> Iterator[None]:
    """Lift csv's limit on a field, which is below the size of a long text."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
