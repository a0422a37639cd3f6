"""Read a table from a CSV or Parquet file, as the command line is given them."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import itertools
import os
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pandas as pd

from autotype.exceptions import AutotypeError, MissingExtraError

SEPARATORS = (",", ";", "\t", "|")
# Separates nothing that people write: for files with a single column.
_NO_SEPARATOR = "\x1f"
_HEAD_BYTES = 1 << 18
_HEAD_ROWS = 500
_CSV_NAMES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt")
_PARQUET_NAMES = (".parquet", ".pq")
# What programs write for a missing number. In a column of texts they are texts like any other.
_MISSING_NUMBERS = frozenset(
    ["NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "None", "none", "#N/A", "-", "."]
)


class UnreadableTableError(AutotypeError, ValueError):
    """A file is there, but its content is not a table that can be read."""


class UnknownFormatError(AutotypeError, ValueError):
    """A file's name does not tell a format that can be read."""


def read_table(path: str) -> pd.DataFrame:
    """Read a CSV or Parquet file as a frame.

    Parameters
    ----------
    path : str
        A name that ends in .csv, .tsv, .txt, .csv.gz, .tsv.gz, .parquet or .pq; ``"-"`` reads
        CSV from standard input.

    Returns
    -------
    pandas.DataFrame
        Texts such as "None" and "NA" stay texts, except in columns that otherwise hold numbers;
        only empty CSV cells are missing everywhere.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        If there is no such file, or none that may be read.
    UnknownFormatError
        If the name tells no format.
    UnreadableTableError
        If the content is empty, cut off, ragged or not a table at all.
    MissingExtraError
        If Parquet is to be read and pyarrow is not installed.
    """
    if path == "-":
        content = sys.stdin.buffer.read()
        return _read_csv(lambda: io.BytesIO(content), "standard input", separator=None)
    name = path.lower()
    if not name.endswith((*_CSV_NAMES, *_PARQUET_NAMES)):
        known = ", ".join((*_CSV_NAMES, *_PARQUET_NAMES))
        raise UnknownFormatError(f"{path}: the name must end in one of {known}, or be '-' for CSV")
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path}: is a folder, not a file")
    with open(path, "rb"):  # a missing or forbidden file is told from a broken one here
        pass
    if name.endswith(_PARQUET_NAMES):
        return _read_parquet(path)
    separator = "\t" if ".tsv" in Path(name).suffixes else None
    return _read_csv(lambda: _open_binary(path), path, separator=separator)


def _read_parquet(path: str) -> pd.DataFrame:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            f'{path}: reading Parquet needs pyarrow; type pip install "autotype[parquet]"'
        ) from None
    try:
        return pd.read_parquet(path, engine="pyarrow")
    except (OSError, ValueError, NotImplementedError) as problem:
        raise UnreadableTableError(
            f"{path}: not a whole Parquet file ({_first_line(problem)})"
        ) from problem


def _read_csv(opened: Callable[[], IO[bytes]], path: str, *, separator: str | None) -> pd.DataFrame:
    try:
        with opened() as file:
            head = file.read(_HEAD_BYTES)
        encodings = _encodings(head)
        if "\0" in head.decode(encodings[0], errors="replace"):
            raise UnreadableTableError(f"{path}: not a text file: it holds NUL bytes")
        if separator is None:
            separator = sniff_separator(_whole_lines(head, encodings[0]))
        frame = _parse(opened, encodings, separator)
    except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
        raise UnreadableTableError(
            f"{path}: not a whole gzip file ({_first_line(problem)})"
        ) from problem
    except pd.errors.EmptyDataError:
        raise UnreadableTableError(f"{path}: is empty, not even a header was found") from None
    except pd.errors.ParserError as problem:
        raise UnreadableTableError(f"{path}: {_first_line(problem)}") from problem
    if not isinstance(frame.index, pd.RangeIndex):
        named, found = frame.shape[1], frame.shape[1] + frame.index.nlevels
        raise UnreadableTableError(f"{path}: rows hold {found} fields, the header names {named}")
    return frame.apply(_numbers_where_possible, decimal="," if separator == ";" else ".")


def _parse(
    opened: Callable[[], IO[bytes]], encodings: tuple[str, ...], separator: str
) -> pd.DataFrame:
    """Parse with the first encoding that fits the whole file."""
    for encoding in encodings:
        try:
            with opened() as file:
                return pd.read_csv(
                    file,
                    sep=separator,
                    encoding=encoding,
                    keep_default_na=False,
                    na_values=[""],
                    low_memory=False,  # one type a column, not one a chunk
                    # In a single column, an empty line is a missing value.
                    skip_blank_lines=separator != _NO_SEPARATOR,
                )
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 decodes any bytes")


def sniff_separator(text: str) -> str:
    r"""Tell which character separates the fields of a CSV text.

    Parameters
    ----------
    text : str
        The header and some rows.

    Returns
    -------
    str
        The separator by which most rows have as many fields as the header. A character that no
        text holds where the header or most rows have one field: a single column is a table too.

    Examples
    --------
    >>> sniff_separator('name;price\n"nut; bolt";1,50\n')
    ';'
    """
    best, best_score = _NO_SEPARATOR, (0.0, 0)
    for separator in SEPARATORS:
        rows = _split(text, separator)
        if not rows or len(rows[0]) < 2:
            continue
        header, body = len(rows[0]), rows[1:]
        if body and sum(len(row) > 1 for row in body) < len(body) / 2:
            continue  # stands in the header's text only
        agreeing = sum(len(row) == header for row in body) / len(body) if body else 1.0
        if (agreeing, header) > best_score:
            best, best_score = separator, (agreeing, header)
    return best


def _split(text: str, separator: str) -> list[list[str]]:
    """Split the first rows into fields, up to one that holds a field beyond csv's size limit."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows: list[list[str]] = []
    with contextlib.suppress(csv.Error):
        rows.extend(row for row in itertools.islice(reader, _HEAD_ROWS) if row)
    return rows


def _open_binary(path: str) -> IO[bytes]:
    return gzip.GzipFile(path, "rb") if path.lower().endswith(".gz") else open(path, "rb")  # type: ignore[return-value]


def _encodings(head: bytes) -> tuple[str, ...]:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ("utf-16",)
    return ("utf-8-sig", "cp1252", "latin-1")


def _whole_lines(head: bytes, encoding: str) -> str:
    text = head.decode(encoding, errors="replace")
    return text if len(head) < _HEAD_BYTES else text[: text.rfind("\n") + 1]


def _numbers_where_possible(values: pd.Series, decimal: str) -> pd.Series:
    """Turn a column of texts into numbers where all but signs for a missing number are."""
    if pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return values
    texts = pd.Series(values.dropna().unique(), dtype=object)
    if not all(isinstance(text, str) for text in texts):
        return values
    texts = texts[~texts.isin(_MISSING_NUMBERS)]
    if texts.empty or not texts.str.fullmatch(_NUMBER.format(decimal="\\" + decimal)).all():
        return values
    digits = values.astype(object).where(~values.isin(_MISSING_NUMBERS)).str.replace(decimal, ".")
    return pd.to_numeric(digits)


_NUMBER = r"\s*[-+]?(\d+({decimal}\d*)?|{decimal}\d+)([eE][-+]?\d+)?\s*"


def _first_line(problem: BaseException) -> str:
    """Reduce an engine's message to one line, without the engine's own prefixes."""
    line = str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
    return line.removeprefix("Error tokenizing data. C error: ").rstrip(".")
