r"""Find how a text is read as a table, and reduce it to regular rows in UTF-8.

pandas, DuckDB and polars read a header with rows of equally many fields below. A text as published
has titles above its header, notes below its rows, or letters that are not UTF-8. Such a text is
written once more without all of that, and every library reads the copy: so a small file and a large
one are the same table.
"""

from __future__ import annotations

import csv
import io
import itertools
import os
import re
import shutil
import tempfile
import weakref
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import IO, Any

from autotype.errors import UnreadableTableError
from autotype.tables.columns import distinct_names
from autotype.tables.layout.grid import Row
from autotype.tables.layout.layout import Layout, find_layout
from autotype.tables.table import Limits, Opener, ReadOptions
from autotype.tables.text.csv_rows import (
    RowLengths,
    check_quotes,
    count_regular_rows,
    fields_of_any_size,
)
from autotype.tables.text.dialect import BLANKS, NO_SEPARATOR, find_dialect, split_rows
from autotype.tables.text.encoding import detect_encoding
from autotype.types.codebook import Codebook
from autotype.types.reading import Reading
from autotype.wording import format_some, shorten

# What opens a text, its path if it is a file that engines can read, and what removes a copy.
Source = tuple[Opener, str | None, Any]
# Delimiters that are given by a word.
WORDS = {"tab": "\t", "blanks": BLANKS, "none": NO_SEPARATOR}
_HEAD = 1 << 18  # characters
_SINGLE_QUOTES = ("single quotes around values left out",)
_TAIL_LINES = 200
_TAIL_BYTES = 1 << 16
_FAR = 1 << 40  # numbers the lines of the tail, before the lines above them are counted
_MANY = 10  # rows longer than the header, from which on they make a column
_SEPARATORS = ",;\t|"
_RARE = "~^#"  # separators only if all lines hold as many of them
_UTF_8 = ("utf-8", "utf-8-sig", "ascii")
_WIDE = ("utf-16", "utf-32", "utf-7", "iso2022", "hz")  # a byte of them may look like a line end
_WHITE = "\ufeff \t\r\n"


@dataclass(frozen=True)
class CsvText:
    """A text of regular rows in UTF-8.

    Attributes
    ----------
    opened : callable
        Opens it from its start.
    path : str or None
        A file that holds it; None if DuckDB and polars can read none.
    source : object
        Removes a temporary file at its end.
    separator : str
        The character between fields; of a single column one that no text holds.
    names : tuple of str
        Of the columns, each once.
    n_rows : int
        Rows below the header.
    has_quotes : bool
        Whether there are quotes: around whole fields only, which may hold line breaks.
    n_blank : int
        Blank lines above the header.
    reading : Reading
        How the file was read.
    codebook : Codebook
        Labels and units from other lines of the header.
    """

    opened: Opener
    path: str | None
    source: Any
    separator: str
    names: tuple[str, ...]
    n_rows: int
    has_quotes: bool
    n_blank: int
    reading: Reading
    codebook: Codebook


def examine_csv(
    opened: Opener,
    limits: Limits,
    options: ReadOptions,
    *,
    path: str | None = None,
    for_engine: bool = False,
) -> CsvText:
    r"""Find how a text is read as a table, and write a copy if it is not regular.

    Parameters
    ----------
    opened : callable
        Opens the content from its start; called once for each pass.
    limits : Limits
        Name in error messages, and the sizes that the table may have.
    options : ReadOptions
        What is stated, and not to be found.
    path : str, optional
        The file of the content, if DuckDB and polars can read it.
    for_engine : bool
        Whether they are to read it. Then each line of the text is a row of exactly as many fields
        as the header, and a copy is a file.

    Raises
    ------
    UnreadableTableError
        If the content is empty, ragged, not in the encoding or not text at all, or if its rows
        are not split although they seem to hold a separator.
    LookupError
        If there is no such encoding.
    """
    text = _Text(opened, limits, options)
    found: CsvText | None = None
    if text.is_plain and options.n_rows is None:
        found = text.plain_copy(path, for_engine=for_engine)
    return text.copy_of_rows(for_engine=for_engine) if found is None else found


class _Text:
    """A text whose encoding, dialect and layout are found."""

    def __init__(self, opened: Opener, limits: Limits, options: ReadOptions) -> None:
        self.opened, self.limits, self.options = opened, limits, options
        begin = opened if options.n_rows is None else lambda: _first_bytes(opened)
        self.encoding = detect_encoding(begin, given=options.encoding)
        self.n_tail = 0
        self.ended: list[Row] = []  # rows of the end without a value, the last one first
        with self.readable(), fields_of_any_size():
            with self.decoded() as text:
                self.head = text.read(_HEAD + 2 * _TAIL_BYTES)
                if is_whole := len(self.head) < _HEAD + 2 * _TAIL_BYTES:
                    self.head += text.read()
                else:  # no line is both in the head and in the tail
                    line_end = max(self.head.rfind(end, 0, _HEAD) for end in "\r\n")
                    self.head = self.head[: line_end + 1] or self.head + text.readline()
            if not self.head.strip(_WHITE):
                raise UnreadableTableError(f"{limits.path}: is empty, not even a header was found")
            given = options.delimiter
            self.dialect = find_dialect(self.head, delimiter=WORDS.get(given or "", given))
            lines = [*io.StringIO(self.head, newline="")]
            if options.n_rows is None:
                lines = [*self.lines(lines, [])]
            self.rows = [*split_rows(lines, self.dialect)]
            limits.check_cells(0, max(len(row.cells) for row in self.rows))
            self.check_single_column()
            is_whole |= options.n_rows is not None
            self.layout = self.find_layout(None if is_whole else self.tail_rows())
        self.names = self.layout.names
        if not self.names:
            raise UnreadableTableError(f"{limits.path}: no table was found")
        self.first = self.layout.first or _FAR  # line of data

    @contextmanager
    def readable(self) -> Iterator[None]:
        """Raise what is wrong with bytes or quotes as `UnreadableTableError`."""
        path, name = self.limits.path, self.encoding.name.removesuffix("-sig")
        try:
            yield
        except UnicodeError as problem:
            raise UnreadableTableError(
                f"{path}: not in the encoding {name}: {problem}"
            ) from problem
        except csv.Error as problem:
            raise UnreadableTableError(f"{path}: {problem}") from problem

    def decoded(self) -> io.TextIOWrapper:
        encoding = self.encoding
        return io.TextIOWrapper(self.opened(), encoding.name, encoding.errors, newline="")

    def lines(self, text: Iterable[str], read: list[str]) -> Iterator[str]:
        """Yield lines, none of which holds NUL, and add them to those that were read."""
        for number, line in enumerate(text, start=1):
            if "\0" in line:
                raise UnreadableTableError(
                    f"{self.limits.path}: not a text file: line {number} holds NUL bytes; if it is "
                    "UTF-16, give the encoding"
                )
            read.append(line)
            yield line

    def check_single_column(self) -> None:
        """Raise if the rows are not split although a separator seems to split them."""
        given = self.options.delimiter
        if given == "none" or any(len(row.cells) > 1 for row in self.rows):
            return
        lines = [line for line in io.StringIO(self.head) if line.strip(_WHITE)]
        path, held = self.limits.path, f"a single column, {shorten(lines[0].strip(_WHITE))!r}"
        if given is not None:
            other = find_dialect(self.head).delimiter
            if other not in (NO_SEPARATOR, BLANKS):
                raise UnreadableTableError(
                    f"{path}: with the delimiter {given!r} it is {held}; its fields seem to be "
                    f"separated by {other!r}"
                )
            return
        body = [line for line in lines[1:] if not line.startswith('"')]
        rare = (sign for sign in _RARE if len({line.count(sign) for line in lines}) == 1)
        for sign in (*_SEPARATORS, *rare):
            n = sum(re.search(rf"{re.escape(sign)}(?=\S)", line) is not None for line in body)
            if n > len(body) / 2:
                raise UnreadableTableError(
                    f"{path}: seems to be {held}, but {n:,} of its first {len(body):,} rows hold "
                    f"{sign!r}; give the separator of its fields as delimiter={sign!r} "
                    "(--delimiter), or 'none' if there is none"
                )

    def tail_rows(self) -> list[Row]:
        """Return the last rows; their lines are counted from `_FAR`."""
        encoding = self.encoding.name
        with self.opened() as file:
            if file.seekable() and not encoding.startswith(_WIDE):
                file.seek(-_TAIL_BYTES, os.SEEK_END)
                end = file.read().decode(encoding, "replace")
                lines = [*io.StringIO(end, newline="")][1:]
            else:
                with self.decoded() as text:
                    lines = [*deque(text, maxlen=_TAIL_LINES)]
        self.n_tail = len(lines)
        ((width, _),) = Counter(len(row.cells) for row in self.rows if row.cells).most_common(1)
        for begin in range(min(len(lines), _TAIL_LINES)):  # the first may lie within quotes
            rows = [*split_rows(lines[begin:], self.dialect, _FAR + begin)]
            if len(rows[0].cells) == width:
                return rows
        return []

    def find_layout(self, tail: list[Row] | None) -> Layout:
        """Return the layout of the rows, with lines below that are stated to be a footer."""
        options, last = self.options, self.rows if tail is None else tail
        while last and not any(map(str.strip, last[-1].cells)):
            self.ended.append(last.pop())
        for line in options.header or ():
            if not any(map(str.strip, self.row_of(line))):
                raise UnreadableTableError(
                    f"{self.limits.path}: line {line}, stated as the header, holds nothing or is "
                    f"not among the first {len(self.rows):,} rows; correct header= (--header)"
                )
        layout = find_layout(
            self.rows,
            tail,
            header=options.header,
            footer=options.footer,
            comment=self.dialect.comment,
        )
        if options.header is not None:  # what is stated is in no doubt
            doubts = tuple(doubt for doubt in layout.doubts if "repeats" in doubt)
            layout = replace(layout, doubts=doubts)
        if options.footer:
            lines = tuple(row.line for row in last[-options.footer :])
            layout = replace(layout, footer=lines, end=lines[0])
        if layout.header and self.dialect.delimiter != BLANKS:
            layout = self.with_header_width(layout)
        return self.numbered(layout)

    def with_header_width(self, layout: Layout) -> Layout:
        """Return a layout with as many names as the header has cells.

        A column with a place in the rows stays, even if it is empty, and a longer row makes none.
        """
        given, n = layout.given, max(len(self.row_of(line)) for line in layout.header)
        below = [row.cells for row in self.rows if row.line >= (layout.first or _FAR)]
        if len(given) > n and not any(given[n:]):
            n_long = sum(any(cells[n:]) for cells in below)
            if n_long < _MANY or n_long < len(below) / 2:
                given = given[:n]
            else:
                doubt = (
                    f"most rows hold more cells than the header's {n}; header= (--header) states "
                    "its line"
                )
                layout = replace(layout, doubts=(*layout.doubts, doubt))
        if sum(len(cells) >= n for cells in below) > len(below) / 2:
            given += ("",) * (n - len(given))
        return replace(layout, given=given, names=tuple(distinct_names(given)))

    def row_of(self, line: int) -> Sequence[str]:
        """Return the cells of the row that begins in a line."""
        return next((row.cells for row in self.rows if row.line == line), ())

    def numbered(self, layout: Layout) -> Layout:
        """Return a layout with the numbers of its last lines, counted if needed."""
        if max((*layout.footer, *layout.skipped, layout.end or 0)) < _FAR:
            return layout
        with self.decoded() as text:
            n_above = sum(1 for _ in text) - self.n_tail

        def here(lines: Sequence[int]) -> tuple[int, ...]:
            return tuple(n - _FAR + n_above + 1 if n >= _FAR else n for n in lines)

        (end,) = here((layout.end,)) if layout.end else (None,)
        footer, skipped = here(layout.footer), here(layout.skipped)
        return replace(layout, footer=footer, skipped=skipped, end=end)

    @property
    def is_plain(self) -> bool:
        """Whether its lines are lines of CSV, as pandas, DuckDB and polars know it."""
        dialect = self.dialect
        is_padded = dialect.delimiter == "|" and re.search(r" \||\| ", self.head) is not None
        return (
            len(dialect.delimiter) == 1
            and dialect.delimiter.isascii()
            and dialect.quote == '"'
            and not (dialect.escape or dialect.positions or dialect.comment or is_padded)
            and not dialect.is_framed
            and not self.layout.skipped
        )

    def plain_copy(self, path: str | None, *, for_engine: bool) -> CsvText | None:
        """Return the text itself, or a copy of its lines from the first to the last row.

        None if these are not regular.
        """
        layout, separator = self.layout, self.dialect.delimiter
        first = next(row for row in self.rows if row.cells and any(row.cells))
        source: Source = self.opened, path, None
        n_blank = first.line - 1
        if (
            layout.header != (first.line,)
            or self.first != first.line + 1
            or len(first.cells) != len(self.names)
            or layout.end
            or self.encoding.name not in _UTF_8
            or self.encoding.errors != "strict"
            or (for_engine and path is None)
        ):
            source, n_blank = self.copied(self.write_lines, for_engine=for_engine), 0
        elif self.options.encoding is not None:  # which the text may not be in
            with self.readable(), self.decoded() as text:
                while text.read(_HEAD):
                    pass
        with self.readable(), source[0]() as file:
            n_above, n_columns = n_blank + 1, len(self.names)
            counted = count_regular_rows(
                file, separator, n_columns, n_above=n_above, may_end_blank=not for_engine
            )
        if counted is None:
            return None
        n_rows, has_quotes = counted
        return self.found(source, separator, n_rows, has_quotes=has_quotes, n_blank=n_blank)

    def write_lines(self, file: IO[bytes]) -> None:
        """Write the names, and the lines from the first to the last row as they are."""
        out = io.TextIOWrapper(file, "utf-8", newline="")
        end = next((end for end in ("\r\n", "\n", "\r") if end in self.head), "\n")
        self.write_names(csv.writer(out, delimiter=self.dialect.delimiter, lineterminator=end))
        with self.readable(), self.decoded() as text:
            last = None if self.layout.end is None else self.layout.end - 1
            out.writelines(itertools.islice(text, self.first - 1, last))
        out.detach()

    def write_names(self, writer: Any) -> None:
        writer.writerow([re.sub(r"\s*[\r\n]+\s*", " ", name) for name in self.names])

    def copy_of_rows(self, *, for_engine: bool) -> CsvText:
        """Return a copy of the rows, split and written one by one."""
        n_named = max((j for j, name in enumerate(self.layout.given, 1) if name), default=0)
        n_needed = n_named if self.layout.header else len(self.names)
        lengths = RowLengths(self.limits.path, len(self.names), n_needed, self.options.ragged)
        source = self.copied(lambda file: self.write_rows(file, lengths), for_engine=for_engine)
        return self.found(source, ",", lengths.n_rows, dropped=lengths.remarks)

    def write_rows(self, file: IO[bytes], lengths: RowLengths) -> None:
        """Write the names, and the rows with as many fields each."""
        out = io.TextIOWrapper(file, "utf-8", newline="")
        writer = csv.writer(out, lineterminator="\r\n")  # a field with either is quoted
        self.write_names(writer)
        n_columns, layout = len(self.names), self.layout
        left_out = set(layout.skipped)
        headers = [row.cells for row in self.rows if row.line in layout.header]
        begun: list[str] = []  # the lines of a row
        with self.readable(), fields_of_any_size(), self.decoded() as text:
            for line, cells in split_rows(self.lines(text, begun), self.dialect):
                last, begun[:] = begun[:], ()
                if line == layout.end:
                    break
                if line < self.first or line in left_out or cells in headers:
                    continue
                is_blank = len(cells) < 2 and not any(map(str.strip, cells))
                if (is_blank and n_columns > 1) or not lengths.add(line, cells):
                    continue
                writer.writerow([*cells[:n_columns], *[""] * (n_columns - len(cells))])
                if lengths.n_rows == self.options.n_rows:
                    break
            else:
                check_quotes(last, self.limits.path, line)
        lengths.finish()
        out.detach()

    def copied(self, write: Callable[[IO[bytes]], None], *, for_engine: bool) -> Source:
        """Return a copy; in memory without a path."""
        if not for_engine:
            buffer = io.BytesIO()
            write(buffer)
            content = buffer.getvalue()
            return lambda: io.BytesIO(content), None, None
        copy = TemporaryFile("table.csv")
        with open(copy.path, "wb") as file:
            write(file)
        return lambda: open(copy.path, "rb"), copy.path, copy

    def found(
        self,
        source: Source,
        separator: str,
        n_rows: int,
        *,
        dropped: tuple[str, ...] = (),
        has_quotes: bool = True,
        n_blank: int = 0,
    ) -> CsvText:
        layout, dialect = self.layout, self.dialect
        above = range(max(layout.header, default=0) + 1, self.first)
        ended = [row for row in self.ended[::-1] if row.cells]
        no_values = [
            row.line
            for row in (*self.rows, *(() if layout.first else ended))
            if row.line in above
            and (len(row.cells) > 1 or len(self.names) == 1)
            and not any(map(str.strip, row.cells))
        ]
        if no_values:
            dropped += (f"lines without a value below the header: {format_some(no_values)}",)
        shown = {NO_SEPARATOR: None, BLANKS: "positions" if dialect.positions else "blanks"}
        reading = Reading(
            "csv",
            encoding=self.encoding.name.removesuffix("-sig"),
            delimiter=shown.get(dialect.delimiter, dialect.delimiter),
            decimal=self.options.decimal or dialect.decimal,
            dropped=(*dropped, *(_SINGLE_QUOTES if dialect.quote == "'" else ())),
            doubts=(*self.encoding.doubts, *layout.doubts),
            **layout.lines(),
        )
        codebook = layout.codebook(dict(enumerate(self.names)))
        return CsvText(
            *source, separator, self.names, n_rows, has_quotes, n_blank, reading, codebook
        )


class TemporaryFile:
    """A file in a folder of its own, both removed with this object or at the end of the process."""

    def __init__(self, name: str) -> None:
        folder = tempfile.mkdtemp(prefix="autotype-")
        self.path = os.path.join(folder, name)
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)


def _first_bytes(opened: Opener) -> IO[bytes]:
    """Open the first lines only: of what follows, nothing is checked."""
    with opened() as file:
        head = file.read(_HEAD)
        return io.BytesIO(head + file.readline() if len(head) == _HEAD else head)
