"""Read a table from a Parquet file: into memory, or lazily if it is large."""

from __future__ import annotations

import glob
import io
import itertools
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import IO, Any

import pandas as pd

from autotype.errors import MissingExtraError
from autotype.tables.engines import connect_duckdb
from autotype.tables.limits import Limits, corrupt_is_unreadable

_BYTES_A_CELL = 8
_BYTES_AT_ONCE = 1 << 27  # of the longest string that a page can hold, times rows
_ROWS_AT_ONCE = 1 << 18
_INDEX = re.compile(r"__index_level_\d+__")


def read_parquet(opened: Callable[[], IO[bytes]], limits: Limits) -> pd.DataFrame:
    """Read a Parquet file as a frame.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    limits : Limits
        Name in error messages, and the sizes that the table may have.

    Returns
    -------
    pandas.DataFrame
        The index that pandas stored is columns again, except a plain count of the rows. Whole
        numbers stay whole (Int64 if some are missing).

    Raises
    ------
    UnreadableTableError
        If the content is cut off or corrupt, or beyond the limits.
    MissingExtraError
        If pyarrow is not installed.
    """
    parquet = _pyarrow_parquet(limits)
    with corrupt_is_unreadable(limits, "Parquet"):
        with opened() as file:
            metadata = parquet.ParquetFile(file).metadata
            n_groups = metadata.num_row_groups
            limits.check_cells(max(metadata.num_rows, 1), metadata.num_columns)
            limits.check_bytes(sum(metadata.row_group(g).total_byte_size for g in range(n_groups)))
            _check_values(file, list(range(n_groups)), limits)
        with opened() as file:
            schema = parquet.read_schema(file)
        with opened() as file:
            frame = pd.read_parquet(file, engine="pyarrow")

        def columns(names: list[str]) -> Any:
            with opened() as file:
                return parquet.read_table(file, columns=names)

        return with_index(with_whole_numbers(frame, schema, columns))


def first_rows_of_parquet(
    opened: Callable[[], IO[bytes]], limits: Limits, n_rows: int
) -> Callable[[], IO[bytes]]:
    """Return a function that opens a Parquet file of the first rows.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    limits : Limits
        Name in error messages.
    n_rows : int
        Rows, >= 1. Whole groups of rows are read, as many as hold them.

    Returns
    -------
    callable
        Opens a copy in memory, with the metadata of pandas.

    Raises
    ------
    UnreadableTableError, MissingExtraError
        As `read_parquet`.
    """
    parquet = _pyarrow_parquet(limits)
    with corrupt_is_unreadable(limits, "Parquet"):
        with opened() as file:
            source = parquet.ParquetFile(file)
            groups = [source.metadata.row_group(k) for k in range(source.num_row_groups)]
            ends = itertools.accumulate(group.num_rows for group in groups)
            n_groups = sum(end < n_rows for end in ends) + 1
            limits.check_bytes(sum(group.total_byte_size for group in groups[:n_groups]))
            _check_values(file, list(range(len(groups)))[:n_groups], limits)
            table = source.read_row_groups(list(range(len(groups)))[:n_groups]).slice(0, n_rows)
        copy = io.BytesIO()
        parquet.write_table(table, copy)
    return lambda: io.BytesIO(copy.getvalue())


def _check_values(file: IO[bytes], groups: list[int], limits: Limits) -> None:
    """Raise if the values of some groups of rows take more bytes than the limit.

    Pages repeat a string by its number in a dictionary, or by the length that it shares with the
    one before, of which the stated sizes know nothing. Where these may hold too many bytes,
    dictionaries are read as such, and others a few rows at a time.
    """
    from pyarrow import parquet

    metadata = parquet.ParquetFile(file).metadata
    most = total = 0  # what may be held at most, and what was counted
    for j in range(metadata.num_columns):
        chunks = [metadata.row_group(g).column(j) for g in groups]
        encodings = {encoding for chunk in chunks for encoding in chunk.encodings}
        is_short = "DELTA_BYTE_ARRAY" in encodings
        largest = max((chunk.total_uncompressed_size for chunk in chunks), default=0)
        width = largest if is_short or any(chunk.has_dictionary_page for chunk in chunks) else 0
        is_text = metadata.schema.column(j).physical_type == "BYTE_ARRAY"
        if not is_text:
            width = max(metadata.schema.column(j).length, _BYTES_A_CELL)
        bound = width * sum(chunk.num_values for chunk in chunks)
        if most + bound <= limits.max_bytes:
            most += bound
            continue
        if not is_text:
            limits.check_bytes(most + bound)
        path = chunks[0].path_in_schema
        source = parquet.ParquetFile(file, read_dictionary=[] if is_short else [path])
        n_rows = max(_BYTES_AT_ONCE // largest, 1) if is_short else _ROWS_AT_ONCE
        for batch in source.iter_batches(n_rows, row_groups=groups, columns=[path]):
            total += sum(map(_n_bytes, batch.columns))
            limits.check_bytes(total)


def _n_bytes(array: Any) -> int:
    """Return the bytes of the strings of an array, those of a dictionary as often as they occur."""
    import pyarrow as pa
    from pyarrow import compute

    types, kind = pa.types, array.type
    if types.is_dictionary(kind):
        lengths = compute.binary_length(array.dictionary)
        return compute.sum(lengths.take(array.indices).cast("int64")).as_py() or 0
    if types.is_nested(kind):
        parts = array.flatten()
        return sum(map(_n_bytes, parts if isinstance(parts, list) else [parts]))
    return int(array.nbytes)


def _pyarrow_parquet(limits: Limits) -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(
            f"{limits.path}: reading Parquet needs pyarrow", extra="parquet"
        ) from None
    return parquet


def with_whole_numbers(
    frame: pd.DataFrame, schema: Any, columns: Callable[[list[str]], Any]
) -> pd.DataFrame:
    """Return integers as Int64 where missing values have made them floats.

    Parameters
    ----------
    frame : pandas.DataFrame
        What pandas made of an Arrow table.
    schema : pyarrow.Schema
        Of the table.
    columns : callable
        Returns a table of some of its columns.
    """
    from pyarrow import types

    whole = [
        field.name
        for field in schema
        if types.is_integer(field.type)
        and schema.names.count(field.name) == 1
        and field.name in frame.columns
        and pd.api.types.is_float_dtype(frame[field.name])
    ]
    if not whole:
        return frame
    table = columns(whole)
    frame = frame.copy(deep=False)
    for name in whole:
        dtype: Any = (
            "UInt64" if types.is_unsigned_integer(table.schema.field(name).type) else "Int64"
        )
        cells = pd.array(table.column(name).to_pylist(), dtype=dtype)
        frame[name] = pd.Series(cells, index=frame.index)
    return frame


def with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn index levels into columns, except one without a name that only counts."""
    kept = [
        level
        for level in range(frame.index.nlevels)
        if frame.index.names[level] is not None
        or not pd.api.types.is_integer_dtype(frame.index.get_level_values(level).dtype)
    ]
    if kept:
        frame = frame.reset_index(level=kept, allow_duplicates=True)
    return frame.reset_index(drop=True)


def scan_parquet(path: str, libraries: Sequence[str], *, max_columns: int, large: float) -> Any:
    """Return a Parquet file as a lazy table if it is large.

    Parameters
    ----------
    path : str
        A file.
    libraries : sequence of {"duckdb", "polars"}
        Those that are installed, the preferred one first; Arrow can do without.
    max_columns : int
        Columns that it may have.
    large : float
        Bytes from which it is large: its own, or 8 for each cell if that is more.

    Returns
    -------
    duckdb.DuckDBPyRelation, polars.LazyFrame, pyarrow.dataset.Dataset or None
        None if it is small, repeats names of columns, or cannot be read.

    Raises
    ------
    UnreadableTableError
        If it has more columns.
    """
    metadata = _metadata(path)
    if metadata is None:
        return None
    n_bytes = metadata.num_rows * metadata.num_columns * _BYTES_A_CELL
    if max(os.path.getsize(path), n_bytes) < large:
        return None
    schema = metadata.schema.to_arrow_schema()
    Limits(path, sys.maxsize, max_columns).check_cells(0, len(schema))
    if len(set(schema.names)) < len(schema):
        return None
    return _scan(path, schema, next(iter(libraries), "arrow"))


def _metadata(path: str) -> Any:
    """Return the metadata of a Parquet file; None if it has none, or there is no pyarrow."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        return None
    try:
        with open(path, "rb") as file:
            return parquet.read_metadata(file)
    except (ArrowException, OSError):
        return None  # `read_parquet` raises the error


def _scan(path: str, schema: Any, library: str) -> Any:
    """Return a Parquet file as a lazy table, without the row numbers that pandas stored."""
    import narwhals as nw
    import pyarrow as pa
    from pyarrow import dataset

    types = pa.types
    kept = [
        field.name
        for field in schema
        if not (_INDEX.fullmatch(field.name) and types.is_integer(field.type))
    ]
    # Only Arrow has ordered dictionaries, and names that differ by case only.
    is_ordered = any(types.is_dictionary(f.type) and f.type.ordered for f in schema)
    has_alike = len({name.casefold() for name in schema.names}) < len(schema)
    if is_ordered or has_alike or library == "arrow":
        return dataset.dataset(path).replace_schema(pa.schema([schema.field(k) for k in kept]))
    table: Any
    if library == "duckdb":
        table = connect_duckdb().read_parquet(glob.escape(path), hive_partitioning=False)
    else:
        import polars as pl

        table = pl.scan_parquet(path, glob=False, hive_partitioning=False)
    return nw.from_native(table).select(kept).to_native()
