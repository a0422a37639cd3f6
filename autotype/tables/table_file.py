"""Read a file as a table, or open it lazily if it is large.

DuckDB, polars or Arrow read a large file as often as needed, and never hold all of it.

A path names a file, a pipe, standard input, or an address that fsspec knows.
"""

from __future__ import annotations

import io
import math
import os
import re
import sys
import warnings
from dataclasses import replace
from typing import Any

from autotype.errors import AutotypeError, MissingExtraError, UnreadableTableError
from autotype.lazy_names import import_library
from autotype.tables.codebooks.parquet_codebook import read_stored_codebook
from autotype.tables.content import STAT_FORMATS, Content, find_content
from autotype.tables.engines import installed_engines
from autotype.tables.layout.header import find_platform
from autotype.tables.table import Limits, Opener, ReadOptions, Table, names_of
from autotype.tables.text.csv_file import table_of_text
from autotype.tables.text.csv_text import examine_csv
from autotype.types.codec.json_values import is_unicode
from autotype.types.reading import Reading
from autotype.wording import first_line

# Files of this size and larger are not loaded. As pandas frames they take 2 to 10 times as much.
LARGE = 200 << 20
_PACKED_RATIO = 5  # what compressed CSV unpacks to, about
# A file may unpack to this many bytes, or to so many times its own size if that is more: strings
# compress to a fifth, repetitive ones to a fiftieth of their size.
_FREE_BYTES = 1 << 25
_RATIO = 100
# Parquet stores a column of few values in a few bytes, whatever the number of rows.
_FREE_BYTES_OF_PARQUET = 1 << 31

_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://(?!.*::)")  # not a chain of file systems


# Name of a file in messages, what opens it as often as needed, and its size in bytes.
Source = tuple[str, Opener, int]


def read_file(path: str, options: ReadOptions | None = None) -> Table:
    """Read a file.

    Parameters
    ----------
    path : str
        A file whose content decides on its format; ``"-"`` reads standard input.
    options : ReadOptions, optional
        Delimiter, encoding and the like.

    Returns
    -------
    Table
        Strings such as "None" and "NA" stay strings, except in columns that otherwise hold numbers;
        only empty cells, JSON's null and the strings of `options` are missing everywhere.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        If there is no such file, or no permission to read it.
    UnreadableTableError
        If the content is empty, cut off, ragged or not a table at all.
    LookupError
        If there is no encoding of this name.
    MissingExtraError
        If the format needs a library that is not installed.
    """
    options = options or ReadOptions()
    content, limits, _ = _find(path, options)
    return _with_platform(_read(content, limits, options))


def open_file(path: str, options: ReadOptions | None = None, *, large: float = LARGE) -> Table:
    """Open a file: as a frame, or as a lazy table if it is large.

    Parameters
    ----------
    path : str
        As of `read_file`.
    options : ReadOptions, optional
        Delimiter, encoding and the like.
    large : float
        Bytes from which CSV, Parquet and files of SPSS, Stata and SAS are not loaded: those of the
        file, of compressed CSV five times as many, of the others at least 8 for each cell. The
        first rows are loaded in any case, if `options` has a number of rows.

    Returns
    -------
    Table
        Its frame is of pandas, or a ``duckdb.DuckDBPyRelation``, ``polars.LazyFrame`` or
        ``pyarrow.dataset.Dataset`` of the same columns.

    Raises
    ------
    Exception
        As `read_file`.

    Warns
    -----
    UserWarning
        If a large file is loaded, with the reason.
    """
    options = options or ReadOptions()
    content, limits, n_bytes = _find(path, options)
    # The libraries refuse names with lone surrogates.
    is_file = os.path.isfile(path) and is_unicode(path) and options.n_rows is None
    if content.format == "csv":
        ratio = _PACKED_RATIO if content.is_packed else 1
        if n_bytes * ratio >= large and options.n_rows is None:
            # DuckDB knows gzip by the ending.
            is_known = not content.is_packed or path.lower().endswith(".gz")
            path = path if is_file and is_known else ""
            return _with_platform(_open_csv(content, limits, options, path or None))
    if content.format == "parquet" and is_file and not content.is_packed:
        from autotype.tables.formats.parquet_file import scan_parquet

        table = scan_parquet(
            path, installed_engines(), max_columns=options.max_columns, large=large
        )
        if table is not None:
            return Table(table, read_stored_codebook(content.opened)[0], Reading("parquet"))
    if content.format in STAT_FORMATS and options.n_rows is None and large < math.inf:
        from autotype.tables.labelled.large_files import scan_stat_file

        found = scan_stat_file(content, limits, options, installed_engines(), large=large)
        if found is not None:
            return _with_platform(found)
    return _with_platform(_read(content, limits, options))


def _with_platform(table: Table) -> Table:
    """Return the table with the survey platform that wrote it, if its columns show one."""
    labels = [entry.label for entry in table.codebook.columns.values()]
    platform = find_platform(list(map(str, names_of(table.frame))), labels)
    reading = replace(table.reading, platform=platform)
    return replace(table, reading=reading) if platform else table


def visible_sheets(path: str) -> tuple[str, ...]:
    """Return the visible sheets of a workbook that hold cells; none of another file.

    Raises
    ------
    Exception
        As `read_file`.
    """
    content, limits, _ = _find(path, ReadOptions())
    if content.format != "excel":
        return ()
    from autotype.tables.workbooks.workbook import open_workbook

    book = open_workbook(content.opened, limits)
    return tuple(name for name in book.visible if book.read(name).holds_cells)


def _find(path: str, options: ReadOptions) -> tuple[Content, Limits, int]:
    """Return what a path names, its limits by its format, and its size in bytes."""
    name, opened, n_bytes = open_source(path)
    content = find_content(opened, _limits(name, n_bytes, options))
    return content, _limits(name, n_bytes, options, content.format), n_bytes


def _limits(name: str, n_bytes: int, options: ReadOptions, kind: str = "") -> Limits:
    free = _FREE_BYTES_OF_PARQUET if kind in ("parquet", "feather", "orc") else _FREE_BYTES
    most = max(free, _RATIO * n_bytes) if options.max_size is None else options.max_size
    return Limits(name, most, options.max_columns)


def _open_csv(content: Content, limits: Limits, options: ReadOptions, path: str | None) -> Table:
    # Most files are not large, and start sooner without it.
    from autotype.tables.text.large_csv import OtherReaderError, scan_csv

    libraries = installed_engines()
    reasons: list[Exception] = []
    if not libraries:
        reasons.append(
            MissingExtraError("to read it piece by piece needs DuckDB or polars", extra="duckdb")
        )
    text = examine_csv(content.opened, limits, options, path=path, for_engine=bool(libraries))
    for library in libraries:
        try:
            frame = scan_csv(text, limits.path, library=library, missing=options.missing)
            return Table(frame, text.codebook, text.reading, text.source)
        except OtherReaderError as problem:
            reasons.append(problem)
    warnings.warn(
        f"{limits.path}: is loaded, which takes 2 to 10 times its size in memory: {reasons[0]}",
        stacklevel=3,
    )
    return table_of_text(text, limits.path, options)


def _read(content: Content, limits: Limits, options: ReadOptions) -> Table:
    """Read content of any format; the readers of those but text load when they are needed."""
    kind = content.format
    if kind == "csv":
        return table_of_text(examine_csv(content.opened, limits, options), limits.path, options)
    if kind == "excel":
        from autotype.tables.workbooks.workbook_file import read_workbook as read
    elif kind == "parquet":
        from autotype.tables.formats.parquet_file import read_parquet as read
    elif kind in ("json", "jsonl"):
        from autotype.tables.formats.json_file import read_json as read
    elif kind == "avro":
        from autotype.tables.formats.avro_file import read_avro as read
    elif kind == "r":
        from autotype.tables.labelled.r_files import read_r_file as read
    elif kind in STAT_FORMATS:
        from autotype.tables.labelled.stat_files import read_stat_file as read
    else:
        from autotype.tables.formats.arrow_file import read_arrow as read
    return read(content, limits, options)


def is_address(path: str) -> bool:
    """Check for an address such as ``s3://bucket/a.csv``, rather than a file's path.

    Examples
    --------
    >>> is_address("memory://a.csv"), is_address("C:/a.csv"), is_address("simplecache::s3://a")
    (True, False, False)
    """
    return _ADDRESS.match(path) is not None


def open_source(path: str) -> Source:
    """Return what a path names; pipes are read at once.

    Parameters
    ----------
    path : str
        A file, ``"-"`` for standard input, or an address such as ``https://...``.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        If there is no such file, or no permission to read it.
    UnreadableTableError
        If an address cannot be read, or standard input is closed.
    MissingExtraError
        If an address needs fsspec, or its plugin, and it is not installed.
    """
    if path == "-":
        if sys.stdin is None:
            raise UnreadableTableError("standard input is closed")
        return _in_memory("standard input", sys.stdin.buffer.read())
    if is_address(path):
        return _address(path)
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path}: is a folder, not a file")
    with open(path, "rb") as file:  # a missing or forbidden file is not one of broken content
        if not os.path.isfile(path):
            return _in_memory(path, file.read())
    return path, lambda: open(path, "rb"), os.path.getsize(path)


def _in_memory(name: str, content: bytes) -> Source:
    return name, lambda: io.BytesIO(content), len(content)


def _address(path: str) -> Source:
    fsspec = import_library("fsspec", f"{path}: reading an address needs fsspec", extra="files")
    try:
        system, within = fsspec.core.url_to_fs(path)
        details: dict[str, Any] = system.info(within)
        if details.get("type") == "directory":
            raise IsADirectoryError(f"{path}: is a folder, not a file")
        if not details.get("size"):  # some servers do not state it
            return _in_memory(path, system.cat_file(within))
        return path, lambda: system.open(within, "rb"), int(details["size"])
    except ImportError as problem:  # of a plugin, such as s3fs
        raise MissingExtraError(f"{path}: {first_line(problem)}") from problem
    except (OSError, AutotypeError):
        raise
    except Exception as problem:  # each file system has its own
        raise UnreadableTableError(f"{path}: cannot be read ({first_line(problem)})") from problem
