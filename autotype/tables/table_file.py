"""Read a table from a CSV, JSON lines, Parquet or Excel file, or open it lazily if it is large.

DuckDB, polars or Arrow read a large file as often as needed, and never hold all of it.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO

from autotype.errors import MissingExtraError
from autotype.tables.arrow_file import read_arrow
from autotype.tables.content import find_content, format_of_name
from autotype.tables.engines import installed_engines
from autotype.tables.json_file import read_json, read_json_lines
from autotype.tables.limits import MAX_COLUMNS, Limits
from autotype.tables.parquet_file import first_rows_of_parquet, read_parquet, scan_parquet
from autotype.tables.source import open_source
from autotype.tables.table import Table
from autotype.tables.text.csv_file import CsvText, examine_csv, read_csv
from autotype.tables.text.csv_rows import first_csv_rows, first_lines
from autotype.tables.workbooks.workbook_file import read_workbook
from autotype.types.codebook import Codebook
from autotype.types.reading import Reading

# Files of this size and larger are not loaded. As pandas frames they take 2 to 10 times as much.
LARGE = 200 << 20
_GZIP_RATIO = 5  # what compressed CSV unpacks to, about


def read_table(
    path: str | os.PathLike[str],
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: int | Sequence[int] | None = None,
    footer: int | None = None,
    sheet: str | None = None,
    ragged: str = "error",
    missing: Sequence[str] = (),
    nrows: int | None = None,
) -> Table:
    r"""Read a file as it was published: find its encoding, its delimiter and where its table is.

    Parameters
    ----------
    path : str or path
        A file; its content decides on the format, not its name.
    encoding : str, optional
        Of text; detected by default.
    delimiter : str, optional
        The character between the fields of text; detected by default.
    decimal : {".", ","}, optional
        The decimal sign of text; detected by default.
    header : int or sequence of int, optional
        The lines, counted from 1, that name the columns; 0 if there is none. Found by default.
    footer : int, optional
        Lines below the data to leave out; found by default.
    sheet : str, optional
        Of a workbook; by default the first visible one that holds a table.
    ragged : {"error", "pad", "drop"}, default="error"
        What to do with rows that are longer or shorter than the header: raise where their meaning
        is in doubt, fill short rows and cut long ones, or leave both out.
    missing : sequence of str
        Strings that mean a missing value, besides the empty cell.
    nrows : int, optional
        Rows to read, >= 1; all by default.

    Returns
    -------
    Table
        ``frame``, a pandas DataFrame; ``codebook``, labels and units of the columns that the file
        states; and ``reading``, how the file was read: ``encoding``, ``delimiter``, ``decimal``,
        the lines of ``header``, ``title`` and ``footer``, ``sheet``, what was ``dropped``, and
        ``doubts``.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        If there is no such file, or no permission to read it.
    UnreadableTableError
        If the content is empty, cut off or ragged, or holds no table.
    MissingExtraError
        If the format needs a library that is not installed.
    LookupError
        If there is no encoding of this name.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("grades.csv").write_text("name;grade\nAda;1,5\nBob;2,0\n")
    >>> table = autotype.read_table("grades.csv")
    >>> table.frame["grade"].tolist(), table.reading.delimiter, table.reading.decimal
    ([1.5, 2.0], ';', ',')
    """
    options = ReadOptions(
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        header=_header_lines(header),
        footer=footer,
        sheet=sheet,
        ragged=ragged,
        missing=tuple(missing),
        n_rows=nrows,
    )
    return read_file(os.fspath(path), options)


def _header_lines(header: int | Sequence[int] | None) -> tuple[int, ...] | None:
    """Return the lines of a header: empty if there is none, None if it is to be found."""
    if header is None or (isinstance(header, int) and header == 0):
        return None if header is None else ()
    return (header,) if isinstance(header, int) else tuple(header)


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading a file.

    Attributes
    ----------
    delimiter : str or None
        Separator of the fields of CSV; None detects it.
    encoding : str or None
        Of CSV and JSON lines; None detects it.
    decimal : {".", ",", None}
        The decimal sign of CSV; None detects it.
    header : tuple of int or None
        Lines that name the columns; empty if there are none, None finds them.
    footer : int or None
        Lines below the data to leave out; None finds them.
    ragged : {"error", "pad", "drop"}
        What to do with rows of other lengths than the header.
    missing : tuple of str
        Strings in CSV and Excel that mean a missing value, besides the empty cell.
    texts : frozenset of str
        Columns of CSV to read as strings even if they look like numbers.
    numbers : frozenset of str
        Columns of CSV to read as numbers even if some cells are not numbers.
    sheet : str or None
        Of an Excel file; None reads the first.
    max_size : int or None
        Bytes that the file may unpack to, and its cells at 8 bytes each; None allows 32 MiB
        (2 GiB for Parquet), or 100 times the file's own size if that is more.
    max_columns : int
        Columns that the file may have.
    n_rows : int or None
        Rows to read, the first ones of the file, >= 1; the others are not checked either. None
        reads all of them.
    """

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    header: tuple[int, ...] | None = None
    footer: int | None = None
    ragged: str = "error"
    missing: tuple[str, ...] = ()
    texts: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    sheet: str | None = None
    max_size: int | None = None
    max_columns: int = MAX_COLUMNS
    n_rows: int | None = None


def read_file(path: str, options: ReadOptions | None = None) -> Table:
    """Read a CSV, JSON lines, Parquet or Excel file.

    Parameters
    ----------
    path : str
        A name that ends as one of `FORMATS`. ``"-"`` reads standard input, whose format is
        detected from its first bytes.
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
    source = open_source(path)
    limits = _limits(source.name, source.n_bytes, options, parquet=False)
    content = find_content(source.opened, limits)
    if content.format in ("parquet", "feather", "orc"):
        limits = _limits(source.name, source.n_bytes, options, parquet=True)
    return _read(content.format, content.opened, limits, options)


def open_file(path: str, options: ReadOptions | None = None, *, large: float = LARGE) -> Table:
    """Open a file: as a frame, or as a lazy table if it is large.

    Parameters
    ----------
    path : str
        As of `read_file`.
    options : ReadOptions, optional
        Delimiter, encoding and the like.
    large : float
        Bytes from which CSV and Parquet are not loaded: those of the file, of compressed CSV five
        times as many, of Parquet at least 8 for each cell. The first rows are loaded in any case,
        if `options` has a number of rows.

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
    if options.n_rows is not None:
        return read_file(path, options)
    kind = format_of_name(path) if os.path.isfile(path) and _is_unicode(path) else None
    if kind == "csv":
        unpacked = _GZIP_RATIO if is_gzip_name(path) else 1
        if os.path.getsize(path) * unpacked >= large:
            return _open_csv(path, options)
    if kind == "parquet":
        table = scan_parquet(
            path, installed_engines(), max_columns=options.max_columns, large=large
        )
        if table is not None:
            return Table(table, Codebook(), Reading("parquet"))
    return read_file(path, options)


def _is_unicode(path: str) -> bool:
    """Check that a name has no lone surrogates, which the libraries refuse."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _open_csv(path: str, options: ReadOptions) -> Table:
    # Most files are not large, and start sooner without it.
    from autotype.tables.text.large_csv import OtherReaderError, scan_csv

    libraries = installed_engines()
    reasons: list[Exception] = []
    if libraries:
        text = examine_csv_file(path, options)
    else:
        reasons.append(
            MissingExtraError("to read it piece by piece needs DuckDB or polars", extra="duckdb")
        )
    for library in libraries:
        try:
            frame = scan_csv(path, text, library=library, missing=options.missing)
            return Table(frame, Codebook(), text.reading)
        except OtherReaderError as problem:
            reasons.append(problem)
    reason = reasons[0]
    warnings.warn(
        f"{path}: is loaded, which takes 2 to 10 times its size in memory: {reason}",
        UserWarning,
        stacklevel=3,
    )
    return read_file(path, options)


def examine_csv_file(path: str, options: ReadOptions) -> CsvText:
    """Detect the form of a CSV file and check its rows as `read_file` does, without loading it.

    Parameters
    ----------
    path : str
        A file whose format is CSV.
    options : ReadOptions

    Returns
    -------
    CsvText
        Separator, encoding, header and number of rows.

    Raises
    ------
    UnreadableTableError, LookupError
        As `read_file`.
    """
    limits = _limits(path, os.path.getsize(path), options, parquet=False)

    def opened_raw() -> IO[bytes]:
        return open(path, "rb")

    opened = find_content(opened_raw, limits).opened
    separator = _separator(path, options)
    return examine_csv(opened, limits, separator=separator, encoding=options.encoding)


def is_gzip_name(path: str) -> bool:
    """Check by its name for a file compressed with gzip.

    Examples
    --------
    >>> is_gzip_name("a.csv.GZ")
    True
    """
    return path.lower().endswith(".gz")


def _limits(path: str, n_bytes: int, options: ReadOptions, *, parquet: bool) -> Limits:
    return Limits.of(
        path,
        n_bytes,
        max_size=options.max_size,
        max_columns=options.max_columns,
        parquet=parquet,
    )


def _read(
    kind: str, opened: Callable[[], IO[bytes]], limits: Limits, options: ReadOptions
) -> Table:
    if kind == "excel":
        return Table(
            *read_workbook(
                opened,
                limits,
                sheet=options.sheet,
                header=options.header,
                footer=options.footer,
                missing=options.missing,
                n_rows=options.n_rows,
            )
        )
    if kind in ("feather", "orc"):
        return Table(*read_arrow(opened, limits, kind, n_rows=options.n_rows))
    if kind == "json":
        return Table(*read_json(opened, limits, encoding=options.encoding, n_rows=options.n_rows))
    if options.n_rows is not None:
        opened = _first_rows(kind, opened, limits, options, n_rows=options.n_rows)
    if kind == "parquet":
        return Table(read_parquet(opened, limits), Codebook(), Reading(kind))
    if kind == "jsonl":
        return Table(*read_json_lines(opened, limits, encoding=options.encoding))
    return read_csv(
        opened,
        limits,
        separator=_separator(limits.path, options),
        encoding=options.encoding,
        missing=options.missing,
        texts=options.texts,
        numbers=options.numbers,
    )


def _first_rows(
    kind: str,
    opened: Callable[[], IO[bytes]],
    limits: Limits,
    options: ReadOptions,
    *,
    n_rows: int,
) -> Callable[[], IO[bytes]]:
    """Return a function that opens a copy of the first rows."""
    if kind == "parquet":
        return first_rows_of_parquet(opened, limits, n_rows)
    if kind == "jsonl":
        return first_lines(opened, n_rows, encoding=options.encoding)
    separator = _separator(limits.path, options)
    return first_csv_rows(opened, n_rows, separator=separator, encoding=options.encoding)


def _separator(path: str, options: ReadOptions) -> str | None:
    tabs = path.lower().endswith((".tsv", ".tsv.gz")) and options.delimiter is None
    return "\t" if tabs else options.delimiter
