"""Read a table from CSV text whose separator and encoding may be unknown."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import itertools
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import IO

import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.parsing.numbers import MISSING_NUMBERS, numbers_if_all, numbers_or_texts

SEPARATORS = (",", ";", "\t", "|")
# Rare: tried only if a file seems to have a single column.
_RARE_SEPARATORS = (":", "~", "^", "#")
# Never occurs in text: the separator of files with a single column.
_NO_SEPARATOR = "\x1f"
_HEAD_BYTES = 1 << 18
_HEAD_ROWS = 500
_CODE = r"\s*[-+]?0\d+\s*"
_WHOLE = r"\s*[-+]?\d{1,15}\s*"  # as many digits as a float holds


def read_csv(
    opened: Callable[[], IO[bytes]],
    path: str,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = (),
    texts: Collection[str] = (),
    numbers: Collection[str] = (),
) -> pd.DataFrame:
    """Read CSV text as a frame.

    Parameters
    ----------
    opened : callable
        Opens the content from its start; called once for each pass.
    path : str
        Name in error messages.
    separator : str, optional
        The character between fields; by default the one that splits most rows into as many
        fields as the header.
    encoding : str, optional
        By default UTF-8, or UTF-16 with its mark, or else Windows-1252.
    missing : sequence of str
        Texts that mean a missing value in any column, besides the empty one.
    texts : collection of str
        Columns to read as texts even if they look like numbers.
    numbers : collection of str
        Columns to read as numbers even if some cells are not numbers.

    Returns
    -------
    pandas.DataFrame
        Texts such as "None" and "NA" stay texts, except in columns that otherwise hold numbers.
        Columns of whole numbers of which one begins with 0, such as "01067", stay texts; other
        whole numbers stay whole (Int64 if some are missing).

    Raises
    ------
    UnreadableTableError
        If the content is empty, ragged, not in this encoding or not text at all, or if another
        separator than the one given splits every row.
    LookupError
        If there is no such encoding.

    Warns
    -----
    UserWarning
        If a file is read as one column although a rare separator splits every row.
    """
    encodings = _given_encoding(encoding) if encoding is not None else ()
    with opened() as file:
        head = file.read(_HEAD_BYTES)
    encodings = encodings or _encodings(head)
    text = _whole_lines(head, encodings[0])
    if "\0" in text:
        raise UnreadableTableError(
            f"{path}: not a text file: it holds NUL bytes; if it is UTF-16, give the encoding"
        )
    found = sniff_separator(text) if separator is None else separator
    _check_separator(text, found, path, given=separator is not None)
    try:
        form = _Form(found, tuple(missing), frozenset(texts), frozenset(numbers))
        frame = _parse(opened, encodings, form, path)
    except pd.errors.EmptyDataError:
        raise UnreadableTableError(f"{path}: is empty, not even a header was found") from None
    except pd.errors.ParserError as problem:
        raise UnreadableTableError(f"{path}: {first_line(problem)}") from problem
    if not isinstance(frame.index, pd.RangeIndex):
        named, wide = frame.shape[1], frame.shape[1] + frame.index.nlevels
        raise UnreadableTableError(f"{path}: rows hold {wide} fields, the header names {named}")
    return frame


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
    best, best_score = _NO_SEPARATOR, (0.0, 0)
    for separator in candidates:
        rows = _split(text, separator)
        if not rows or len(rows[0]) < 2:
            continue
        header, body = len(rows[0]), rows[1:]
        if body and sum(len(row) > 1 for row in body) < len(body) / 2:
            continue  # occurs in the header only
        agreeing = sum(len(row) == header for row in body) / len(body) if body else 1.0
        if (agreeing, header) > best_score:
            best, best_score = separator, (agreeing, header)
    return best


def _check_separator(text: str, separator: str, path: str, *, given: bool) -> None:
    """Reject a separator that leaves one column if another splits all rows into equal numbers."""
    rows = _split(text, separator)
    if not rows or any(len(row) > 1 for row in rows):
        return
    other = sniff_separator(text, (*SEPARATORS, *_RARE_SEPARATORS) if given else _RARE_SEPARATORS)
    if other == _NO_SEPARATOR or len({len(row) for row in _split(text, other)}) > 1:
        return
    name = rows[0][0] if len(rows[0][0]) <= 60 else f"{rows[0][0][:60]}..."
    if given:
        raise UnreadableTableError(
            f"{path}: with the delimiter {separator!r} it is a single column, {name!r}; "
            f"its fields seem to be separated by {other!r}"
        )
    warnings.warn(
        f"{path}: read as a single column, {name!r}; "
        f"if its fields are separated by {other!r}, give that delimiter",
        UserWarning,
        stacklevel=4,
    )


@dataclass(frozen=True)
class _Form:
    """How to parse the text."""

    separator: str
    missing: tuple[str, ...]
    texts: frozenset[str]
    numbers: frozenset[str]

    @property
    def decimal(self) -> str:
        """The decimal sign: a comma if fields are separated by semicolons."""
        return "," if self.separator == ";" else "."


def _parse(
    opened: Callable[[], IO[bytes]], encodings: tuple[str, ...], form: _Form, path: str
) -> pd.DataFrame:
    """Parse with the first encoding that fits the whole file."""
    for encoding in encodings:
        try:
            frame = _parse_as(opened, encoding, form)
            if not isinstance(frame.index, pd.RangeIndex):
                return frame  # ragged, and refused
            frame = frame.assign(**{name: _typed(frame[name], form) for name in frame.columns})
            return _read_whole_numbers(frame, opened, encoding, form)
        except UnicodeError as problem:
            wrong = problem
    named = encodings[-1].removesuffix("-sig")
    raise UnreadableTableError(f"{path}: not in the encoding {named}: {wrong}")


def _parse_as(
    opened: Callable[[], IO[bytes]],
    encoding: str,
    form: _Form,
    columns: list[int] | None = None,
) -> pd.DataFrame:
    """Parse once; with `columns`, these columns only, as texts."""
    as_texts = {"dtype": dict.fromkeys(form.texts, str)}
    with opened() as file:
        return pd.read_csv(
            file,
            sep=form.separator,
            encoding=encoding,
            keep_default_na=False,
            na_values=["", *form.missing],
            low_memory=False,  # one type a column, not one a chunk
            # In a single column, an empty line is a missing value.
            skip_blank_lines=form.separator != _NO_SEPARATOR,
            **(as_texts if columns is None else {"usecols": columns, "dtype": str}),
        )


def _typed(values: pd.Series, form: _Form) -> pd.Series:
    if values.name in form.texts:
        return values
    values = numbers_if_all(values, form.decimal)
    if values.name not in form.numbers or pd.api.types.is_numeric_dtype(values):
        return values
    return numbers_or_texts(values, form.decimal)


def _read_whole_numbers(
    frame: pd.DataFrame, opened: Callable[[], IO[bytes]], encoding: str, form: _Form
) -> pd.DataFrame:
    """Keep whole numbers whole despite missing values, and codes such as "01067" as texts."""
    whole = [j for j in range(frame.shape[1]) if _holds_whole_numbers(frame.iloc[:, j])]
    if not whole:
        return frame
    texts = _parse_as(opened, encoding, form, columns=whole)
    for k, j in enumerate(whole):
        values = texts.iloc[:, k]
        values = values.where(~values.isin(MISSING_NUMBERS))
        if values.dropna().str.fullmatch(_CODE).any():
            frame = frame.assign(**{frame.columns[j]: values})
        elif values.hasnans and values.dropna().str.fullmatch(_WHOLE).all():
            frame = frame.assign(**{frame.columns[j]: frame.iloc[:, j].astype("Int64")})
    return frame


def _holds_whole_numbers(values: pd.Series) -> bool:
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return False
    return bool((values.dropna() % 1 == 0).all())


def _split(text: str, separator: str) -> list[list[str]]:
    """Split the first rows into fields, up to one with a field beyond csv's size limit."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows: list[list[str]] = []
    with contextlib.suppress(csv.Error):
        rows.extend(row for row in itertools.islice(reader, _HEAD_ROWS) if row)
    return rows


def _given_encoding(encoding: str) -> tuple[str, ...]:
    name = codecs.lookup(encoding).name
    return ("utf-8-sig" if name == "utf-8" else name,)  # a byte order mark may precede the text


def _encodings(head: bytes) -> tuple[str, ...]:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ("utf-16",)
    return ("utf-8-sig", "cp1252", "latin-1")


def _whole_lines(head: bytes, encoding: str) -> str:
    text = head.decode(encoding, errors="replace")
    return text if len(head) < _HEAD_BYTES else text[: text.rfind("\n") + 1]


def first_line(problem: BaseException) -> str:
    """Reduce an engine's message to one line, without the engine's own prefixes."""
    line = str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
    return line.removeprefix("Error tokenizing data. C error: ").rstrip(".")
