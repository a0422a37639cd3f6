r"""Check the rows of CSV: each has to have as many fields as the header.

Rows have to be checked, since pandas accepts those of other lengths than the header silently: it
fills short ones, and takes the first field of long ones for an index or drops the last. A text of
regular rows is recognised without splitting it, in a seventh of the time of `read_file`, a third if
all fields are in quotes (benchmarks/read_speed.py); the rows of any other are split one by one.
"""

from __future__ import annotations

import contextlib
import csv
import re
import sys
from collections.abc import Iterator, Sequence
from typing import IO

from autotype.errors import UnreadableTableError
from autotype.wording import format_count, join_first

_BLOCK = 1 << 20  # bytes read at a time
_MOST_QUOTED = 1 << 24  # bytes of a block whose quotes are not closed
_MAX_NAMED = 5
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
        Rows that end with an empty field.
    remarks : tuple of str
        Sentences about rows that were changed.
    """

    def __init__(self, path: str, n_columns: int, n_needed: int, ragged: str = "error") -> None:
        self.path, self.n_columns, self.n_needed = path, n_columns, n_needed
        self.ragged = ragged
        self.n_rows = self.n_open = self.n_short = self.n_long = self.n_empty = 0
        self.first: list[tuple[int, int]] = []
        self.labels: list[int] = []  # lines of labels of groups
        self.widths: set[int] = set()  # of short and long rows
        self.last_line = 0
        self.remarks: tuple[str, ...] = ()

    def add(self, line: int, row: Sequence[str]) -> bool:
        """Count a row, and return whether it stays."""
        n = len(row)
        if self.n_columns > 1 and not any(row):
            self.n_empty += 1
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
        self.widths.add(n)
        if len(self.first) < _MAX_NAMED:
            self.first.append((line, n))
        self.n_rows += self.ragged != "drop"
        return self.ragged != "drop"

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


def count_regular_rows(
    file: IO[bytes], separator: str, n_columns: int, *, n_above: int = 1, may_end_blank: bool = True
) -> tuple[int, bool] | None:
    r"""Count the rows of a text of which each line is a row of as many fields as the header.

    Parameters
    ----------
    file : binary file
        A text in UTF-8, at its start.
    separator : str
        The ASCII character between fields.
    n_columns : int
        Fields of the header.
    n_above : int
        Lines up to the header.
    may_end_blank : bool
        Whether blank lines may stand below the rows.

    Returns
    -------
    (n_rows, has_quotes) or None
        None if a line is blank, has another number of fields, holds no value or a NUL character,
        or if quotes stand elsewhere than around whole fields. Fields in quotes may hold line ends.

    Examples
    --------
    >>> import io
    >>> count_regular_rows(io.BytesIO(b"a,b\n1,2\n"), ",", 2)
    (1, False)
    >>> count_regular_rows(io.BytesIO(b"a,b\n1,2,3\n"), ",", 2) is None
    True
    """
    if any(b"\r" in file.readline().removesuffix(b"\r\n") for _ in range(n_above)):
        return None
    row = separator.encode() * (n_columns - 1) + b"\n"
    dropped = bytes(byte for byte in range(256) if byte not in separator.encode() + b"\n")
    sign = re.escape(separator).encode()
    empty = re.compile(rb'\n[%b"]+\r?(?:\n|\Z)' % sign)
    quoted = re.compile(rb'"(?<![^%b\n]")[^"]*+(?:""[^"]*+)*+"(?![^%b\n])' % (sign, sign))
    n_rows, has_quotes, is_ended = 0, False, False
    while block := _whole_rows(file):
        plain = block.replace(b"\r\n", b"\n") if b"\r" in block else block
        plain += b"" if plain.endswith(b"\n") else b"\n"
        if b'"' in plain:
            has_quotes = True
            plain = quoted.sub(b"", plain)
        if n_columns > 1 and may_end_blank and plain.endswith(b"\n\n"):
            plain, is_ended = plain.rstrip(b"\n") + b"\n", True
        elif is_ended:
            return None
        found = plain.translate(None, dropped)
        n_found = len(found) // len(row)
        if found != row * n_found or b"\r" in plain or b'"' in plain or b"\0" in block:
            return None
        # Fields in quotes are cut out, so that such a row may be one of quotes only.
        is_bare = b"\n" + row in plain or plain.startswith(row)
        if n_columns > 1 and is_bare and empty.search(b"\n" + block):
            return None
        n_rows += n_found
    return n_rows, has_quotes


def _whole_rows(file: IO[bytes]) -> bytes:
    """Read whole lines; unless they are very many, up to one where no quote is open."""
    parts = [file.read(_BLOCK), file.readline()]
    n_quotes = sum(part.count(b'"') for part in parts)
    size = 0
    while n_quotes % 2 and parts[-1] and size < _MOST_QUOTED:
        parts.append(file.readline())
        n_quotes += parts[-1].count(b'"')
        size += len(parts[-1])
    return b"".join(parts)


def check_quotes(lines: Sequence[str], path: str, line: int) -> None:
    """Raise if a quote is open at the end of a text.

    Parameters
    ----------
    lines : sequence of str
        Those of the last row.
    path : str
    line : int
        Number of the first of them.

    Raises
    ------
    UnreadableTableError
    """
    try:
        list(csv.reader(lines, strict=True))
    except csv.Error as problem:
        if "unexpected end" in str(problem):
            raise UnreadableTableError(
                f"{path}: a quote of the row in line {line} is not closed; is the file cut off?"
            ) from problem


@contextlib.contextmanager
def fields_of_any_size() -> Iterator[None]:
    """Lift csv's limit on a field, which is below the size of a long text."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
