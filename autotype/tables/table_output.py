"""Write a typed table as SPSS, Stata, Parquet, CSV, JSON lines or Excel, atomically."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import os
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import IO, Any, TextIO

import numpy as np
import pandas as pd

from autotype.errors import AutotypeError, UnknownFormatError, UnwritableTableError
from autotype.lazy_names import import_library
from autotype.lexicon.missing import without_signaling_nan
from autotype.lexicon.toml_files import read_toml
from autotype.tables import columns
from autotype.tables.codebooks.parquet_codebook import tags_as_strings, with_stored_codebook
from autotype.tables.table import Table
from autotype.tables.workbooks.excel_output import escape_formulas, excel_bytes, holds_text
from autotype.types.arrow_array import with_plain_missing
from autotype.types.atomic_file import atomic_path
from autotype.types.codebook import Codebook, entry_of_type
from autotype.types.column_types import ColumnTypes
from autotype.wording import first_line, format_some, format_value


def check_output_name(path: str) -> str:
    """Return the format to write by a file's name; CSV for standard output, ``"-"``.

    Raises
    ------
    UnknownFormatError
        If the name does not end in that of a format that can be written.

    Examples
    --------
    >>> check_output_name("typed.parquet"), check_output_name("-")
    ('parquet', 'csv')
    """
    if path == "-":
        return "csv"
    written = read_toml("files")["written"]
    kinds = {ending: kind for kind, endings in written.items() for ending in endings}
    kind = next((kinds[ending] for ending in kinds if path.lower().endswith(ending)), None)
    if kind is None:
        raise UnknownFormatError(f"{path}: the name must end in one of {', '.join(kinds)}")
    return kind


def write_table(
    frame: pd.DataFrame | Table,
    path: str | os.PathLike[str],
    types: ColumnTypes | None = None,
    *,
    codebook: Codebook | None = None,
    lossy: bool = False,
    escape: bool | None = None,
) -> None:
    r"""Write a typed frame to a file in the format of its name.

    Parameters
    ----------
    frame : pandas.DataFrame or Table
        As `apply_types` returns it; or what `read_table` returns, with its codebook.
    path : str or path
        Its name ends in ``.sav``, ``.zsav``, ``.dta``, ``.parquet``, ``.csv``, ``.jsonl``,
        ``.xlsx`` or the like. Written under a temporary name and renamed, so that no reader sees
        half of it.
    types : TypeReport, optional
        Its types, which Parquet keeps as metadata, with their labels; they set the measure of
        SPSS.
    codebook : Codebook, optional
        Value labels, question texts and missing values, for files of SPSS and Stata, and for the
        metadata of Parquet, from which `read_table` reads them; by default that of a `Table`.
        Labels of `types` are used where it has none.
    lossy : bool
        Whether a file of SPSS or Stata is written without what it cannot keep, with a warning.
    escape : bool, optional
        Whether strings that begin like formulas are escaped in CSV and Excel; by default in Excel
        only, where that does not change them.

    Raises
    ------
    TypeError
        If `frame` is neither of pandas nor a Table.
    UnknownFormatError
        If the name does not end in that of a format that can be written.
    UnwritableTableError
        If the format cannot hold a column; nothing is written.
    MissingExtraError
        If pyarrow, which Parquet needs, or pyreadstat, for SPSS and Stata, is not installed.
    OSError
        If the file cannot be written.

    Warns
    -----
    UserWarning
        If readers do not see the levels' order: in text formats, and in Parquet if levels are not
        strings. With `lossy`, for what is left out.

    Notes
    -----
    In files of SPSS and Stata codes keep their labels. The strings of an ordinal column that no
    codebook describes become codes from 1 up, labelled by them, so that their order is kept. In
    Stata numbers that mean a missing value stay values.

    Examples
    --------
    >>> import autotype, os, pandas as pd, tempfile
    >>> frame = pd.DataFrame({"mood": ["bad", "good", "so-so"] * 9})
    >>> types = autotype.infer_types(frame, known={"mood": ["bad", "so-so", "good"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "mood.sav")
    ...     autotype.write_table(frame, path, types)
    ...     autotype.read_table(path).codebook.columns["mood"].values
    {1.0: 'bad', 2.0: 'so-so', 3.0: 'good'}
    """
    path = os.fspath(path)
    kind = check_output_name(path)
    if isinstance(frame, Table):
        codebook, frame = codebook or frame.codebook, frame.frame
    if not isinstance(frame, pd.DataFrame):
        got = f"{type(frame).__module__}.{type(frame).__qualname__}"
        raise TypeError(
            f"expected a pandas frame, got {got}; convert it first with its to_pandas()"
        )
    types = ColumnTypes([]) if types is None else types
    # A missing decimal that signals raises an error wherever it is looked at, and Arrow's views of
    # strings most functions of pandas.
    plain = without_signaling_nan if kind == "parquet" else with_plain_missing
    frame = columns.with_changed(frame, lambda _, values: plain(values))
    if kind != "csv":
        _warn_of_rewritten_cells(frame, path)
    if kind == "labelled":
        from autotype.tables.labelled.stat_output import write_stat_file

        with atomic_path(path) as part, _unwritable(path):
            write_stat_file(frame, types, codebook or Codebook(), part, path, lossy=lossy)
        return
    tagged: list[str] = []
    if kind == "parquet":
        frame, tagged = tags_as_strings(frame)
    _warn_of_lost_orders(frame, path, kind)
    with atomic_path(path) as part, open(part, "wb") as file, _unwritable(path):
        if kind == "excel":
            file.write(excel_bytes(frame, path, escape=escape is not False))
        elif kind == "parquet":
            _write_parquet(frame, types, path, file, codebook or Codebook(), tagged)
        else:
            frame = columns.strings_of_dates(frame)
            with _text_file(file, packed=path.lower().endswith(".gz")) as text:
                if kind == "csv":
                    tabs = path.lower().endswith((".tsv", ".tsv.gz"))
                    _write_csv(frame, path, text, "\t" if tabs else ",", escape=bool(escape))
                else:
                    _write_jsonl(frame, path, text)


@contextlib.contextmanager
def _unwritable(path: str) -> Iterator[None]:
    """Raise an UnwritableTableError for what a library raises of a value that it cannot write."""
    try:
        yield
    except AutotypeError:
        raise
    except (ArithmeticError, NotImplementedError, TypeError, ValueError) as problem:
        raise UnwritableTableError(
            f"{path}: a value cannot be written ({first_line(problem)}); leave its column out, or "
            "cast it to text"
        ) from problem


def table_as_csv(frame: pd.DataFrame, *, escape: bool = False) -> str:
    """Return a frame as CSV text, for standard output.

    Warns
    -----
    UserWarning
        If dtypes are lost, or strings are escaped.
    """
    _warn_of_lost_orders(frame, "standard output", "csv")
    text = io.StringIO()
    _write_csv(columns.strings_of_dates(frame), "standard output", text, ",", escape=escape)
    return text.getvalue()


@contextlib.contextmanager
def _text_file(file: IO[bytes], *, packed: bool) -> Iterator[TextIO]:
    """Open a text file in UTF-8 on a binary one; the same text makes the same bytes."""
    binary: Any = gzip.GzipFile("", "wb", fileobj=file, mtime=0) if packed else file
    with binary, io.TextIOWrapper(binary, encoding="utf-8", newline="") as text:
        yield text


def _write_csv(
    frame: pd.DataFrame, path: str, text: TextIO, separator: str, *, escape: bool
) -> None:
    if holds_text(frame, "\0"):
        raise UnwritableTableError(
            f"{path}: its text holds NUL characters, which no reader of text files takes for text; "
            "correct it, or write .jsonl or .parquet"
        )
    if escape:
        frame, changed = escape_formulas(frame)
        if changed:
            warnings.warn(
                f"{path}: an apostrophe was put before strings of {format_some(changed)} "
                "that begin like formulas",
                stacklevel=4,
            )
    frame = columns.strings_of_cells(frame)
    try:
        frame = columns.with_changed(frame, _with_lists)
        # The writer quotes the characters of its line ends only, of which "\r" may be in a cell.
        end = "\r\n" if holds_text(frame, "\r") else os.linesep
        # In a single column without quotes, readers take a semicolon for the delimiter.
        splits = frame.shape[1] == 1 and any(holds_text(frame, sign) for sign in ";|")
        quoting = csv.QUOTE_NONNUMERIC if splits else csv.QUOTE_MINIMAL
        frame.to_csv(text, index=False, sep=separator, lineterminator=end, quoting=quoting)
        text.flush()
    except UnicodeEncodeError as problem:
        raise UnwritableTableError(f"{path}: {problem}; correct the text") from problem


def _with_lists(_: Any, values: pd.Series) -> pd.Series:
    """Replace arrays in cells by lists, since the text of a long array leaves elements out."""
    if not pd.api.types.is_object_dtype(values):
        return values
    return values.map(lambda cell: cell.tolist() if isinstance(cell, np.ndarray) else cell)


def _write_parquet(
    frame: pd.DataFrame,
    types: ColumnTypes,
    path: str,
    file: IO[bytes],
    codebook: Codebook,
    tagged: list[str],
) -> None:
    use = f"{path}: writing Parquet needs pyarrow"
    pyarrow = import_library("pyarrow", use, extra="parquet")
    from pyarrow import parquet

    from autotype.types.codec.arrow import as_arrow

    try:
        # Of unseen levels `apply_types` has warned.
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            stored = _with_types(codebook, types, frame)
            table = with_stored_codebook(as_arrow(frame, types), stored, tagged)
        content = io.BytesIO()  # Parquet is not written to a pipe as it comes
        parquet.write_table(table, file if file.seekable() else content)
        file.write(content.getbuffer())
    except (pyarrow.ArrowException, ValueError, TypeError, OSError) as problem:
        if isinstance(problem, OSError) and problem.errno is not None:  # not of Arrow, as a pipe's
            raise
        raise UnwritableTableError(f"{path}: {problem}; or write .jsonl") from problem


def _with_types(codebook: Codebook, types: ColumnTypes, frame: pd.DataFrame) -> Codebook:
    """Return a codebook with the labels of types, where it does not describe the column."""
    stated = {
        column.name: entry_of_type(column)
        for column in types.columns
        if (column.labels or column.title) and column.name in frame.columns
    }
    stated = {k: entry for k, entry in stated.items() if codebook.entry_of(k) is None}
    return replace(codebook, columns={**codebook.columns, **stated})


def _write_jsonl(frame: pd.DataFrame, path: str, text: TextIO) -> None:
    names = pd.Index(map(str, frame.columns), dtype=object)
    if not names.is_unique:
        repeated = names[names.duplicated()][0]
        raise UnwritableTableError(
            f"{path}: a JSON object cannot have two keys {repeated!r}; rename one"
        )
    plain = frame.astype(object).where(frame.notna(), None).set_axis(names, axis=1)
    for i, row in enumerate(plain.to_dict("records")):
        try:
            text.write(_as_json(row) + "\n")
        except (ValueError, TypeError, RecursionError) as problem:
            name = next(name for name in row if not _is_json(row[name]))
            raise UnwritableTableError(
                f"{path}: column {name!r} at row {i}: JSON cannot hold {format_value(row[name])} "
                f"({first_line(problem)}); correct it, or write .csv or .parquet"
            ) from problem


def _as_json(value: Any) -> str:
    line = json.dumps(value, ensure_ascii=False, default=_as_text, allow_nan=False)
    line.encode()  # raises for half of a surrogate pair
    return line


def _is_json(value: Any) -> bool:
    try:
        _as_json(value)
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _as_text(value: Any) -> Any:
    """Convert what JSON cannot hold: arrays to lists, dates to ISO 8601, others to their text."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _warn_of_rewritten_cells(frame: pd.DataFrame, path: str) -> None:
    cells = columns.rewritten_cells(frame)
    if cells:
        text, value = next(iter(cells.values()))
        warnings.warn(
            f"{path}: numbers and booleans of {format_some(list(cells))} are not written as they "
            f"were ({text!r} as {value}); .csv keeps the cells, and so does the type text",
            stacklevel=3,
        )


def _warn_of_lost_orders(frame: pd.DataFrame, path: str, kind: str) -> None:
    ordered = [
        (name, dtype.categories)
        for name, dtype in zip(frame.columns, frame.dtypes, strict=True)
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered
    ]
    lost = [
        name
        for name, levels in ordered
        if kind != "parquet" or not all(isinstance(level, str) for level in levels)
    ]
    if not lost:
        return
    listed = format_some([str(name) for name in lost])
    if kind == "parquet":
        loss = f"the levels of {listed} are not strings: readers see plain values; the order"
        loss += " is in the file's metadata only"
    else:
        loss = f"{listed} keep their values, but neither dtype nor order; Parquet keeps them"
    warnings.warn(f"{path}: {loss}", stacklevel=3)
