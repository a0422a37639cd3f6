"""Read a table from CSV text whose separator and encoding may be unknown."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import IO

import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.tables.columns import column_of_strings, names_of, warn_of_beyond
from autotype.tables.limits import Limits
from autotype.tables.table import Table
from autotype.tables.text.csv_rows import (
    NO_SEPARATOR,
    SEPARATORS,
    CheckedRows,
    check_rows,
    sniff_separator,
    split_head,
)
from autotype.tables.text.encoding import Encoding, detect_encoding
from autotype.types.codebook import Codebook
from autotype.types.data_warning import DataWarning, FileWarning
from autotype.types.reading import Reading
from autotype.wording import first_line, shorten

# Rare: tried only if a file seems to have a single column.
_RARE_SEPARATORS = (":", "~", "^", "#")
_LINE_END = re.compile(r"\r\n|\r|\n")
_HEAD_BYTES = 1 << 18


def read_csv(
    opened: Callable[[], IO[bytes]],
    limits: Limits,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = (),
    texts: Collection[str] = (),
    numbers: Collection[str] = (),
) -> Table:
    """Read CSV text.

    Parameters
    ----------
    opened : callable
        Opens the content from its start; called once for each pass.
    limits : Limits
        Name in error messages, and the number of columns that the file may have.
    separator : str, optional
        The character between fields; by default the one that splits most rows into as many
        fields as the header.
    encoding : str, optional
        By default that of `detect_encoding`.
    missing : sequence of str
        Strings that mean a missing value in any column, besides the empty one.
    texts : collection of str
        Columns to read as strings even if they look like numbers.
    numbers : collection of str
        Columns to read as numbers even if some cells are not numbers.

    Returns
    -------
    Table
        Strings such as "None" and "NA" stay strings, except in columns that otherwise hold numbers.
        Columns of integers of which one begins with 0, such as "01067", or has more digits
        than 64 bits hold, stay strings; other integers stay whole (Int64 if some are missing).
        Last columns without name and values are left out.

    Raises
    ------
    UnreadableTableError
        If the content is empty, ragged, not in the encoding given or not text at all, or if
        another separator than the one given splits every row.
    LookupError
        If there is no such encoding.

    Warns
    -----
    UserWarning
        If a file is read as one column although a rare separator splits every row, if columns
        have no name or the same, if the encoding is in doubt, or if a number is beyond the range
        of floats.
    """
    path = limits.path
    text = examine_csv(opened, limits, separator=separator, encoding=encoding)
    try:
        strings = _parse(opened, text, missing)
    except pd.errors.ParserError as problem:
        reason = first_line(problem).removeprefix("Error tokenizing data. C error: ")
        raise UnreadableTableError(f"{path}: {reason}") from problem
    names = names_of(text.rows.header, strings.notna().any().to_list(), path)
    index, columns = strings.index, {}
    strings = dict(strings.items())  # a frame takes long to drop a column of many
    for j, name in names.items():
        column = strings.pop(j)
        if name not in texts:
            column, kind = column_of_strings(column, text.decimal, numbers=name in numbers)
            warn_of_beyond(name, kind, path)
        columns[name] = column
    return Table(pd.DataFrame(columns, index=index), Codebook(), text.reading)


@dataclass(frozen=True)
class CsvText:
    """What was found out about a CSV text before it is parsed.

    Attributes
    ----------
    separator : str
        The character between fields; of a single column one that no text holds.
    encoding : Encoding
        How bytes become text.
    rows : CheckedRows
        Header and number of rows.
    n_blank : int
        Blank lines above the header.
    """

    separator: str
    encoding: Encoding
    rows: CheckedRows
    n_blank: int

    @property
    def decimal(self) -> str:
        """The decimal sign: a comma if fields are separated by semicolons."""
        return "," if self.separator == ";" else "."

    @property
    def reading(self) -> Reading:
        """How the text is read, for reports."""
        return Reading(
            "csv",
            encoding=self.encoding.name.removesuffix("-sig"),
            delimiter=None if self.separator == NO_SEPARATOR else self.separator,
            decimal=self.decimal,
            header=(self.n_blank + 1,),
        )


def examine_csv(
    opened: Callable[[], IO[bytes]],
    limits: Limits,
    *,
    separator: str | None = None,
    encoding: str | None = None,
) -> CsvText:
    r"""Detect separator and encoding of a CSV text and check its rows, whatever its size.

    The arguments, errors and warnings are those of `read_csv`.

    Examples
    --------
    >>> text = examine_csv(lambda: io.BytesIO(b"a;b\n1;2\n"), Limits("a.csv", 1000))
    >>> text.separator, text.encoding.name, text.rows.header
    (';', 'utf-8', ['a', 'b'])
    """
    path = limits.path
    found_encoding = detect_encoding(opened, given=encoding)
    for doubt in found_encoding.doubts:
        finding = DataWarning("encoding", *doubt.rsplit("; ", 1))
        warnings.warn(FileWarning(path, finding), stacklevel=4)
    with opened() as file:
        head = file.read(_HEAD_BYTES)
    text = _whole_lines(head, found_encoding)
    found = sniff_separator(text) if separator is None else separator
    _check_separator(text, found, path, given=separator is not None)
    rows = _check_rows(opened, found_encoding, found, limits)
    if not rows.header:
        raise UnreadableTableError(f"{path}: is empty, not even a header was found")
    n_blank = len(_LINE_END.findall(text[: len(text) - len(text.lstrip(" \t\r\n"))]))
    return CsvText(found, found_encoding, rows, n_blank)


def _check_separator(text: str, separator: str, path: str, *, given: bool) -> None:
    """Reject a separator that leaves one column if another splits all rows into equal numbers."""
    rows = split_head(text, separator)
    if not rows or any(len(row) > 1 for row in rows):
        return
    other = sniff_separator(text, (*SEPARATORS, *_RARE_SEPARATORS) if given else _RARE_SEPARATORS)
    if other == NO_SEPARATOR or len({len(row) for row in split_head(text, other)}) > 1:
        return
    name = shorten(rows[0][0])
    if given:
        raise UnreadableTableError(
            f"{path}: with the delimiter {separator!r} it is a single column, {name!r}; "
            f"its fields seem to be separated by {other!r}"
        )
    warnings.warn(
        f"{path}: read as a single column, {name!r}; "
        f"if its fields are separated by {other!r}, give that delimiter",
        UserWarning,
        stacklevel=5,
    )


def _check_rows(
    opened: Callable[[], IO[bytes]], encoding: Encoding, separator: str, limits: Limits
) -> CheckedRows:
    """Return the rows of the whole file; raise if they are not in the encoding given."""
    try:
        with (
            opened() as file,
            io.TextIOWrapper(file, encoding.name, encoding.errors, newline="") as text,
        ):
            return check_rows(text, separator, limits)
    except UnicodeError as problem:
        named = encoding.name.removesuffix("-sig")
        raise UnreadableTableError(
            f"{limits.path}: not in the encoding {named}: {problem}"
        ) from problem


def _parse(opened: Callable[[], IO[bytes]], text: CsvText, missing: Sequence[str]) -> pd.DataFrame:
    """Return the fields as strings, by the positions of their columns."""
    positions = list(range(len(text.rows.header)))
    is_single = text.separator == NO_SEPARATOR
    with opened() as file:
        return pd.read_csv(
            file,
            sep=text.separator,
            encoding=text.encoding.name,
            encoding_errors=text.encoding.errors,
            dtype=str,
            keep_default_na=False,
            na_values=["", *missing],
            low_memory=False,  # a column at once, not in chunks
            # In a single column, an empty line is a missing value.
            skip_blank_lines=not is_single,
            skiprows=text.n_blank if is_single else 0,
            index_col=False,  # further fields are empty, see check_rows, and no index
            header=0,
            names=positions,
            usecols=positions,
        )


def _whole_lines(head: bytes, encoding: Encoding) -> str:
    errors = "replace" if encoding.errors == "strict" else encoding.errors
    text = head.decode(encoding.name, errors)
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text if len(head) < _HEAD_BYTES or end < 0 else text[: end + 1]
