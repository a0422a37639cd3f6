"""Reading: how a file was read as a table, for messages and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autotype.wording import format_count

_USUAL_ENCODINGS = ("utf-8", "ascii")
_MAX_LINES = 3
_SPLIT = {"blanks": "columns split at runs of blanks", "positions": "columns split by position"}


@dataclass(frozen=True)
class Reading:
    """How a file was read as a table: what was found, and what is doubtful.

    Lines of text files and rows of sheets are counted from 1, blank ones included.

    Attributes
    ----------
    format : str
        Such as ``"csv"``, ``"excel"``, ``"json"`` or ``"parquet"``: that of the content, not of the
        file's name.
    encoding : str or None
        Of text; None for other formats.
    delimiter : str or None
        Between the fields of a line; ``"blanks"`` for runs of blanks, ``"positions"`` for columns
        of fixed width, None for other formats and a single column.
    decimal : str or None
        The decimal sign of numbers that are written as text.
    header : tuple of int
        The lines that name the columns; empty if there is none.
    title : tuple of int
        The lines above the header that hold titles and notes.
    footer : tuple of int
        The lines below the data that hold totals and notes.
    skipped : tuple of int
        Other lines that hold no data: comments, units, repeated headers.
    sheet : str or None
        Of a workbook, the sheet that was read.
    sheets : tuple of str
        All sheets of a workbook.
    dropped : tuple of str
        Sentences about rows and columns that were left out or changed.
    doubts : tuple of str
        Sentences about guesses that may be wrong, each with the option that overrides it.
    platform : str
        The survey platform whose export the file is, by the columns that it adds; empty if there
        is none.
    """

    format: str
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header: tuple[int, ...] = ()
    title: tuple[int, ...] = ()
    footer: tuple[int, ...] = ()
    skipped: tuple[int, ...] = ()
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    platform: str = ""

    def unusual(self) -> str:
        """Return what is unusual about the file in one line; empty if nothing is.

        Examples
        --------
        >>> Reading("csv", "cp949", ",", header=(4,), title=(1, 2, 3), footer=(90, 91)).unusual()
        'read as cp949; header in line 4 after 3 title lines; 2 footer lines left out'
        """
        parts = [f"an export of {self.platform}"] if self.platform else []
        if self.encoding is not None and self.encoding not in _USUAL_ENCODINGS:
            parts.append(f"read as {self.encoding}")
        if self.delimiter in _SPLIT:
            parts.append(_SPLIT[self.delimiter])
        if self.title or len(self.header) > 1:
            after = f" after {format_count(len(self.title), 'title line')}" if self.title else ""
            parts.append(f"header in {_lines(self.header)}{after}" if self.header else after[1:])
        elif not self.header and self.delimiter is not None and not self.doubts:
            parts.append("no header")
        if self.skipped:
            parts.append(f"{_lines(self.skipped)} left out")
        if self.footer:
            parts.append(f"{format_count(len(self.footer), 'footer line')} left out")
        return "; ".join((*parts, *self.dropped, *self.doubts))


def _lines(numbers: Sequence[int]) -> str:
    if len(numbers) > _MAX_LINES:
        return f"{len(numbers):,} lines between {numbers[0]:,} and {numbers[-1]:,}"
    listed = [f"{number:,}" for number in numbers]
    last = listed.pop()
    return f"lines {', '.join(listed)} and {last}" if listed else f"line {last}"
