"""Open files too large to be loaded: DuckDB, polars or Arrow read them as often as needed."""

from __future__ import annotations

import glob
import os
import re
import sys
import warnings
from typing import Any

from autotype.errors import MissingExtraError
from autotype.tables.engines import connect_duckdb, installed_engines
from autotype.tables.limits import Limits
from autotype.tables.table_file import (
    ReadOptions,
    examine_csv_file,
    format_of_name,
    is_gzip_name,
    read_table,
)

# Files of this size and larger are not loaded. As pandas frames they take 2 to 10 times as much.
LARGE = 200 << 20
_GZIP_RATIO = 5  # what compressed CSV unpacks to, about
_BYTES_A_CELL = 8
_INDEX = re.compile(r"__index_level_\d+__")


def open_table(path: str, options: ReadOptions | None = None, *, large: float = LARGE) -> Any:
    """Open a table: as a frame, or as a lazy table if it is large.

    Parameters
    ----------
    path : str
        As of `read_table`.
    options : ReadOptions, optional
        Delimiter, encoding and the like.
    large : float
        Bytes from which CSV and Parquet are not loaded: those of the file, of compressed CSV five
        times as many, of Parquet at least 8 for each cell. The first rows are loaded in any case,
        if `options` has a number of rows.

    Returns
    -------
    pandas.DataFrame, duckdb.DuckDBPyRelation, polars.LazyFrame or pyarrow.dataset.Dataset
        The same columns, whatever it is.

    Raises
    ------
    Exception
        As `read_table`.

    Warns
    -----
    UserWarning
        If a large file is loaded, with the reason.
    """
    options = options or ReadOptions()
    if options.n_rows is not None:
        return read_table(path, options)
    kind = format_of_name(path) if os.path.isfile(path) and _is_unicode(path) else None
    if kind == "csv":
        unpacked = _GZIP_RATIO if is_gzip_name(path) else 1
        if os.path.getsize(path) * unpacked >= large:
            return _open_csv(path, options)
    if kind == "parquet":
        metadata = _parquet_metadata(path)
        if metadata is not None and _parquet_size(path, metadata) >= large:
            schema = metadata.schema.to_arrow_schema()
            Limits(path, sys.maxsize, options.max_columns).check_cells(0, len(schema))
            if len(set(schema.names)) == len(schema):
                return _open_parquet(path, schema)
    return read_table(path, options)


def _is_unicode(path: str) -> bool:
    """Check that a name has no lone surrogates, which the libraries refuse."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _open_csv(path: str, options: ReadOptions) -> Any:
    # Most files are not large, and start sooner without it.
    from autotype.tables.large_csv import OtherReaderError, scan_csv

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
            return scan_csv(path, text, library=library, missing=options.missing)
        except OtherReaderError as problem:
            reasons.append(problem)
    reason = reasons[0]
    warnings.warn(
        f"{path}: is loaded, which takes 2 to 10 times its size in memory: {reason}",
        UserWarning,
        stacklevel=3,
    )
    return read_table(path, options)


def _parquet_size(path: str, metadata: Any) -> int:
    """Return the size of a Parquet file, at least 8 bytes a cell."""
    n_cells = metadata.num_rows * metadata.num_columns
    return max(os.path.getsize(path), n_cells * _BYTES_A_CELL)


def _parquet_metadata(path: str) -> Any:
    """Return the metadata of a Parquet file; None if it has none, or there is no pyarrow."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        return None
    try:
        with open(path, "rb") as file:
            return parquet.read_metadata(file)
    except (ArrowException, OSError):
        return None  # `read_table` raises the error


def _open_parquet(path: str, schema: Any) -> Any:
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
    library = next(iter(installed_engines()), "arrow")
    if is_ordered or has_alike or library == "arrow":
        return dataset.dataset(path).replace_schema(pa.schema([schema.field(k) for k in kept]))
    table: Any
    if library == "duckdb":
        table = connect_duckdb().read_parquet(glob.escape(path), hive_partitioning=False)
    else:
        import polars as pl

        table = pl.scan_parquet(path, glob=False, hive_partitioning=False)
    return nw.from_native(table).select(kept).to_native()
