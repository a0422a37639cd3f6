"""Read a table from CSV text whose separator and encoding may be unknown."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import itertools
import re
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.lexicon.numbers import (
    CODE,
    MISSING_NUMBERS,
    numbers_if_all,
    numbers_or_texts,
    whole_numbers,
)
from autotype.tables.csv_rows import CheckedRows, check_rows
from autotype.tables.header import warn_of_names
from autotype.tables.limits import Limits
from autotype.types.data_warning import DataWarning, FileWarning
from autotype.wording import first_line, shorten

SEPARATORS = (",", ";", "\t", "|")
# Rare: tried only if a file seems to have a single column.
_RARE_SEPARATORS = (":", "~", "^", "#")
# Never occurs in text: the separator of files with a single column.
_NO_SEPARATOR = "\x1f"
_LINE_END = re.compile(r"\r\n|\r|\n")
_HEAD_BYTES = 1 << 18
_HEAD_ROWS = 500
# pandas 3 reads a text as the nearest float; earlier versions only with this option.
_NEAREST: dict[str, Any] = {} if pd.__version__ >= "3" else {"float_precision": "round_trip"}


def read_csv(
    opened: Callable[[], IO[bytes]],
    limits: Limits,
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
    limits : Limits
        Name in error messages, and the number of columns that the file may have.
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
        Columns of whole numbers of which one begins with 0, such as "01067", or has more digits
        than 64 bits hold, stay texts; other whole numbers stay whole (Int64 if some are missing).
        Last columns without name and values are left out.

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
        If a file is read as one column although a rare separator splits every row, if columns
        have no name or the same, if UTF-8 is followed by another encoding, or if a number is
        beyond the range of floats.
    """
    path = limits.path
    text = examine_csv(opened, limits, separator=separator, encoding=encoding)
    header = text.rows.header
    form = _Form(
        text=text,
        missing=tuple(missing),
        texts=frozenset(texts),
        numbers=frozenset(numbers),
    )
    try:
        frame = _parse(opened, form, path)
    except pd.errors.ParserError as problem:
        reason = first_line(problem).removeprefix("Error tokenizing data. C error: ")
        raise UnreadableTableError(f"{path}: {reason}") from problem
    n_named = max((j for j, name in enumerate(header, start=1) if name), default=0)
    is_used = [j < n_named or frame.iloc[:, j].notna().any() for j in range(frame.shape[1])]
    if not all(is_used[n_named:]):
        frame, header = frame.loc[:, is_used], list(itertools.compress(header, is_used))
    warn_of_names(header, list(frame.columns), path)
    return frame


@dataclass(frozen=True)
class CsvText:
    """What was found out about a CSV text before it is parsed.

    Attributes
    ----------
    separator : str
        The character between fields; of a single column one that no text holds.
    encoding : str
        One that fits the whole text.
    rows : CheckedRows
        Header and number of rows.
    n_blank : int
        Blank lines above the header.
    """

    separator: str
    encoding: str
    rows: CheckedRows
    n_blank: int

    @property
    def decimal(self) -> str:
        """The decimal sign: a comma if fields are separated by semicolons."""
        return "," if self.separator == ";" else "."


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
    >>> text.separator, text.encoding, text.rows.header
    (';', 'utf-8-sig', ['a', 'b'])
    """
    path = limits.path
    encodings = _given_encoding(encoding) if encoding is not None else ()
    with opened() as file:
        head = file.read(_HEAD_BYTES)
    encodings = encodings or _encodings(head)
    text = _whole_lines(head, encodings[0])
    found = sniff_separator(text) if separator is None else separator
    _check_separator(text, found, path, given=separator is not None)
    encoding, rows = _check_rows(opened, encodings, found, limits)
    if not rows.header:
        raise UnreadableTableError(f"{path}: is empty, not even a header was found")
    n_blank = len(_LINE_END.findall(text[: len(text) - len(text.lstrip(" \t\r\n"))]))
    return CsvText(found, encoding, rows, n_blank)


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


@dataclass(frozen=True)
class _Form:
    """How to parse the text."""

    text: CsvText
    missing: tuple[str, ...]
    texts: frozenset[str]
    numbers: frozenset[str]


def _check_rows(
    opened: Callable[[], IO[bytes]], encodings: tuple[str, ...], separator: str, limits: Limits
) -> tuple[str, CheckedRows]:
    """Return the first encoding that fits the whole file, and its rows."""
    for encoding in encodings:
        try:
            with opened() as file, io.TextIOWrapper(file, encoding, newline="") as text:
                rows = check_rows(text, separator, limits)
        except UnicodeError as problem:
            wrong = problem
            continue
        if encoding != encodings[0] and _begins_in_utf8(opened):
            finding = DataWarning(
                "mixed encodings",
                f"the file begins in UTF-8 and goes on in another encoding; all is read as "
                f"{encoding}, in which some texts are garbled",
                "mend the file, or give its encoding",
            )
            warnings.warn(FileWarning(limits.path, finding), stacklevel=6)
        return encoding, rows
    named = encodings[-1].removesuffix("-sig")
    raise UnreadableTableError(f"{limits.path}: not in the encoding {named}: {wrong}")


def _begins_in_utf8(opened: Callable[[], IO[bytes]]) -> bool:
    """Check whether characters beyond ASCII in UTF-8 precede the first bytes that are not."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with opened() as file:
        while block := file.read(_HEAD_BYTES):
            try:
                if not decoder.decode(block).isascii():
                    return True
            except UnicodeDecodeError as problem:
                return not problem.object[: problem.start].isascii()
    return False


def _parse(opened: Callable[[], IO[bytes]], form: _Form, path: str) -> pd.DataFrame:
    frame = _parse_as(opened, form)
    columns = [_typed(frame.iloc[:, j], form) for j in range(frame.shape[1])]
    checked = [j for j, values in enumerate(columns) if _may_differ_from_text(values)]
    if checked:
        texts = _parse_as(opened, form, columns=checked)
        for k, j in enumerate(checked):
            columns[j] = _as_written(columns[j], texts.iloc[:, k], path)
    typed = pd.DataFrame(dict(enumerate(columns)), index=frame.index)
    typed.columns = frame.columns
    return typed


def _parse_as(
    opened: Callable[[], IO[bytes]], form: _Form, columns: list[int] | None = None
) -> pd.DataFrame:
    """Parse once; with `columns`, these columns only, as texts."""
    as_texts = {"dtype": dict.fromkeys(form.texts, str)}
    with opened() as file:
        return pd.read_csv(
            file,
            sep=form.text.separator,
            encoding=form.text.encoding,
            keep_default_na=False,
            na_values=["", *form.missing],
            low_memory=False,  # one type a column, not one a chunk
            # In a single column, an empty line is a missing value.
            skip_blank_lines=form.text.separator != _NO_SEPARATOR,
            skiprows=form.text.n_blank if form.text.separator == _NO_SEPARATOR else 0,
            index_col=False,  # further fields are empty, see check_rows, and no index
            usecols=list(range(len(form.text.rows.header))) if columns is None else columns,
            **_NEAREST,
            **(as_texts if columns is None else {"dtype": str}),
        )


def _typed(values: pd.Series, form: _Form) -> pd.Series:
    if not pd.api.types.is_numeric_dtype(values):
        # pandas leaves them be beside an integer beyond int64.
        is_missing = values.isin(["", *form.missing])
        values = values.mask(is_missing) if is_missing.any() else values
    if values.name in form.texts:
        return values
    values = numbers_if_all(values, form.text.decimal)
    if values.name not in form.numbers or pd.api.types.is_numeric_dtype(values):
        return values
    return numbers_or_texts(values, form.text.decimal)


def _may_differ_from_text(values: pd.Series) -> bool:
    """Check for numbers that may lose part of their text: codes, many digits, beyond all floats."""
    if pd.api.types.infer_dtype(values, skipna=True) == "integer":
        return True
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return False
    present = values.dropna()
    return bool((present % 1 == 0).all() or np.isinf(present).any())


def _as_written(values: pd.Series, texts: pd.Series, path: str) -> pd.Series:
    """Keep whole numbers whole despite missing values, and codes such as "01067" as texts."""
    is_missing = texts.isin(MISSING_NUMBERS)
    texts = texts.mask(is_missing) if is_missing.any() else texts
    present = texts.dropna()
    if present.str.fullmatch(CODE).any():
        return texts
    if not pd.api.types.is_integer_dtype(values):
        whole = whole_numbers(texts)
        if whole is not None:
            return whole
        beyond = present[np.isinf(values[present.index]) & present.str.contains(r"\d")]
        if len(beyond):
            warnings.warn(
                f"{path}: column {values.name!r} stays text, since {beyond.iloc[0]!r} is beyond "
                "the range of floats",
                UserWarning,
                stacklevel=6,
            )
            return texts
    return values


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
    if head.startswith(codecs.BOM_UTF8):
        return ("utf-8-sig",)
    return ("utf-8-sig", "cp1252", "latin-1")


def _whole_lines(head: bytes, encoding: str) -> str:
    text = head.decode(encoding, errors="replace")
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text if len(head) < _HEAD_BYTES or end < 0 else text[: end + 1]
