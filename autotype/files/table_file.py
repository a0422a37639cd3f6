"""Read a table from a CSV, JSON lines, Parquet or Excel file."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import sys
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

import pandas as pd

from autotype.errors import MissingExtraError, UnknownFormatError, UnreadableTableError
from autotype.files.csv_file import first_line, read_csv
from autotype.parsing.numbers import numbers_if_all

# Endings of file names by format; text formats may be compressed with gzip too.
FORMATS = {
    "csv": (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz"),
    "jsonl": (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"),
    "parquet": (".parquet", ".pq"),
    "excel": (".xlsx", ".xlsm"),
}
# First bytes of each format, for standard input.
_MAGIC = {b"PAR1": "parquet", b"PK\x03\x04": "excel", b"{": "jsonl"}


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading a file.

    Attributes
    ----------
    delimiter : str or None
        Separator of the fields of CSV; None detects it.
    encoding : str or None
        Of CSV and JSON lines; None detects it.
    missing : tuple of str
        Texts in CSV and Excel that mean a missing value, besides the empty cell.
    texts : frozenset of str
        Columns of CSV to read as texts even if they look like numbers.
    numbers : frozenset of str
        Columns of CSV to read as numbers even if some cells are not numbers.
    sheet : str or None
        Of an Excel file; None reads the first.
    """

    delimiter: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ()
    texts: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    sheet: str | None = None


def read_table(path: str, options: ReadOptions | None = None) -> pd.DataFrame:
    """Read a CSV, JSON lines, Parquet or Excel file as a frame.

    Parameters
    ----------
    path : str
        A name that ends as one of `FORMATS`. ``"-"`` reads standard input, whose format is
        detected from its first bytes.
    options : ReadOptions, optional
        Delimiter, encoding and the like.

    Returns
    -------
    pandas.DataFrame
        Texts such as "None" and "NA" stay texts, except in columns that otherwise hold numbers;
        only empty cells, JSON's null and the texts of `options` are missing everywhere.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        If there is no such file, or no permission to read it.
    UnknownFormatError
        If the name does not end in that of a known format.
    UnreadableTableError
        If the content is empty, cut off, ragged or not a table at all.
    LookupError
        If there is no encoding of this name.
    MissingExtraError
        If the format needs pyarrow or openpyxl, and it is not installed.
    """
    options = options or ReadOptions()
    if path == "-":
        content = _standard_input()
        opened: Callable[[], IO[bytes]] = lambda: io.BytesIO(content)  # noqa: E731
        return _READERS[_format_of_content(content)](opened, "standard input", options)
    kind = format_of_name(path)
    if kind is None:
        known = ", ".join(ending for endings in FORMATS.values() for ending in endings)
        raise UnknownFormatError(
            f"{path}: the name must end in one of {known}, or be '-' for standard input"
        )
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path}: is a folder, not a file")
    with open(path, "rb"):  # raises for a missing or forbidden file, rather than for broken content
        pass
    return _READERS[kind](lambda: _open_binary(path), path, options)


def format_of_name(path: str) -> str | None:
    """Return a file's format by its name, None if unknown.

    Examples
    --------
    >>> format_of_name("Data.CSV.gz"), format_of_name("data.doc")
    ('csv', None)
    """
    name = path.lower()
    return next((kind for kind, endings in FORMATS.items() if name.endswith(endings)), None)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise UnreadableTableError("standard input is closed")
    content = sys.stdin.buffer.read()
    if content.startswith(b"\x1f\x8b"):
        with _whole_gzip("standard input"):
            return gzip.decompress(content)
    return content


def _format_of_content(content: bytes) -> str:
    start = content[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), "csv")


def _open_binary(path: str) -> IO[bytes]:
    return gzip.GzipFile(path, "rb") if path.lower().endswith(".gz") else open(path, "rb")  # type: ignore[return-value]


@contextlib.contextmanager
def _whole_gzip(path: str) -> Iterator[None]:
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
        raise UnreadableTableError(
            f"{path}: not a whole gzip file ({first_line(problem)})"
        ) from problem


def _read_csv(opened: Callable[[], IO[bytes]], path: str, options: ReadOptions) -> pd.DataFrame:
    tabs = path.lower().endswith((".tsv", ".tsv.gz")) and options.delimiter is None
    with _whole_gzip(path):
        return read_csv(
            opened,
            path,
            separator="\t" if tabs else options.delimiter,
            encoding=options.encoding,
            missing=options.missing,
            texts=options.texts,
            numbers=options.numbers,
        )


def _read_jsonl(opened: Callable[[], IO[bytes]], path: str, options: ReadOptions) -> pd.DataFrame:
    """Read one JSON object a line; its keys are the columns."""
    rows: list[dict[str, Any]] = []
    with _whole_gzip(path), opened() as file:
        lines = io.TextIOWrapper(file, encoding=options.encoding or "utf-8-sig")
        try:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    rows.append(_json_object(line, f"{path}: line {number}"))
        except UnicodeError as problem:
            raise UnreadableTableError(f"{path}: {problem}; give its encoding") from problem
    if not rows:
        raise UnreadableTableError(f"{path}: is empty, it holds no JSON object")
    return pd.DataFrame(rows)


def _json_object(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line.strip())
    except json.JSONDecodeError as problem:
        reason = f"{problem.msg} at column {problem.colno}"
        raise UnreadableTableError(f"{where} is not a JSON object ({reason})") from problem
    except (ValueError, RecursionError) as problem:  # too many digits or nested brackets
        raise UnreadableTableError(f"{where} cannot be read ({first_line(problem)})") from problem
    if not isinstance(row, dict):
        raise UnreadableTableError(
            f"{where} holds a JSON {type(row).__name__}, not an object: one row a line is expected"
        )
    return row


def _read_parquet(opened: Callable[[], IO[bytes]], path: str, _: ReadOptions) -> pd.DataFrame:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise MissingExtraError(f"{path}: reading Parquet needs pyarrow", extra="parquet") from None
    try:
        with opened() as file:
            return pd.read_parquet(file, engine="pyarrow")
    except (OSError, ValueError, NotImplementedError) as problem:
        raise UnreadableTableError(
            f"{path}: not a whole Parquet file ({first_line(problem)})"
        ) from problem


def _read_excel(opened: Callable[[], IO[bytes]], path: str, options: ReadOptions) -> pd.DataFrame:
    try:
        import openpyxl  # noqa: F401
    except ImportError:
        raise MissingExtraError(f"{path}: reading Excel needs openpyxl", extra="excel") from None
    try:
        with opened() as file, pd.ExcelFile(file, engine="openpyxl") as book:
            sheet = _sheet(book.sheet_names, path, options.sheet)
            missing = ["", *options.missing]
            frame = pd.read_excel(book, sheet, keep_default_na=False, na_values=missing)
    except UnreadableTableError:
        raise
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as problem:
        raise UnreadableTableError(
            f"{path}: not a whole Excel file ({first_line(problem)})"
        ) from problem
    if frame.shape[1] == 0:
        raise UnreadableTableError(f"{path}: sheet {sheet!r} is empty")
    frame.columns = frame.columns.map(str)
    return frame.apply(numbers_if_all)


def _sheet(names: Sequence[Any], path: str, requested: str | None) -> str:
    if requested is None:
        if len(names) > 1:
            warnings.warn(
                f"{path}: reads {names[0]!r}, the first of {len(names)} sheets; "
                "--sheet selects another",
                UserWarning,
                stacklevel=5,
            )
        return names[0]
    if requested not in names:
        known = ", ".join(map(repr, names[:5]))
        raise UnreadableTableError(f"{path}: holds no sheet {requested!r} among {known}")
    return requested


_READERS = {
    "csv": _read_csv,
    "jsonl": _read_jsonl,
    "parquet": _read_parquet,
    "excel": _read_excel,
}
