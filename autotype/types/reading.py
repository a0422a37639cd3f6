"""Reading: how a file was read as a table, for messages and reports."""

from __future__ import annotations

from dataclasses import dataclass


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
