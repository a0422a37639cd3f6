"""Read a table from a Parquet file: into memory, or lazily if it is large.

The sizes that the footer states of the columns are read here, without pyarrow (26): it decodes
statistics of sizes with them, and ends the process where these are damaged.
"""

from __future__ import annotations

import glob
import importlib.util
import itertools
import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any, NamedTuple

import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.lazy_names import import_library
from autotype.tables.codebooks.parquet_codebook import read_stored_codebook, with_tags
from autotype.tables.content import Content
from autotype.tables.engines import connect_duckdb
from autotype.tables.formats.binary_reader import BinaryReader
from autotype.tables.table import Limits, ReadOptions, Table, corrupt_is_unreadable
from autotype.types.reading import Reading
from autotype.wording import first_line

with suppress(ImportError):
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import dataset, parquet

_BYTES_A_CELL = 8
_BYTES_AT_ONCE = 1 << 27  # of the longest string that a page can hold, times rows
_ROWS_AT_ONCE = 1 << 18
_INDEX = re.compile(r"__index_level_\d+__")

_TAIL = 8  # bytes behind the footer: its length, and a mark
_DELTA_BYTE_ARRAY = 7
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12


def read_parquet(content: Content, limits: Limits, options: ReadOptions) -> Table:
    """Read a Parquet file.

    Parameters
    ----------
    content : Content
    limits : Limits
        Name in error messages, and the sizes that the table may have.
    options : ReadOptions
        The number of rows: as many groups of rows are read as hold them.

    Returns
    -------
    Table
        The index that pandas stored is columns again, except a plain count of the rows. Whole
        numbers stay whole (Int64 if some are missing).

    Raises
    ------
    UnreadableTableError
        If the content is cut off or corrupt, or beyond the limits.
    MissingExtraError
        If pyarrow is not installed.
    """
    use = f"{limits.path}: reading Parquet needs pyarrow"
    import_library("pyarrow", use, extra="parquet")
    with corrupt_is_unreadable(limits.path, "Parquet"), content.opened() as file:
        source = parquet.ParquetFile(file)
        groups = [source.metadata.row_group(k) for k in range(source.num_row_groups)]
        if options.n_rows is not None:
            ends = itertools.accumulate(group.num_rows for group in groups)
            groups = groups[: sum(end < options.n_rows for end in ends) + 1]
        limits.check_cells(max(sum(g.num_rows for g in groups), 1), source.metadata.num_columns)
        limits.check_bytes(sum(group.total_byte_size for group in groups))
        read = list(range(len(groups)))
        _check_values(file, read, limits)
        table = source.read_row_groups(read).slice(0, options.n_rows)
        frame = frame_of_arrow(table, limits.path)
    codebook, tagged = read_stored_codebook(content.opened)
    return Table(with_tags(frame, tagged), codebook, Reading("parquet"))


def _check_values(file: IO[bytes], groups: list[int], limits: Limits) -> None:
    """Raise if the values of some groups of rows take more bytes than the limit.

    Pages repeat a string by its number in a dictionary, or by the length that it shares with the
    one before, of which the stated sizes know nothing. Where these may hold too many bytes,
    dictionaries are read as such, and others a few rows at a time.
    """
    schema, sizes = parquet.ParquetFile(file).schema, read_sizes(file)
    most = total = 0  # what may be held at most, and what was counted
    for j in range(len(schema.names)):
        column, chunks = schema.column(j), [sizes[g][j] for g in groups]
        is_short = any(chunk.shares_prefixes for chunk in chunks)
        largest = max((chunk.n_bytes for chunk in chunks), default=0)
        width = largest if is_short or any(chunk.has_dictionary for chunk in chunks) else 0
        is_text = column.physical_type == "BYTE_ARRAY"
        if not is_text:
            width = max(column.length, _BYTES_A_CELL)
        bound = width * sum(chunk.n_values for chunk in chunks)
        if most + bound <= limits.max_bytes:
            most += bound
            continue
        if not is_text:
            limits.check_bytes(most + bound)
        path = column.path
        source = parquet.ParquetFile(file, read_dictionary=[] if is_short else [path])
        n_rows = max(_BYTES_AT_ONCE // largest, 1) if is_short else _ROWS_AT_ONCE
        for batch in source.iter_batches(n_rows, row_groups=groups, columns=[path]):
            total += sum(map(_n_bytes, batch.columns))
            limits.check_bytes(total)


def _n_bytes(array: Any) -> int:
    """Return the bytes of the strings of an array, those of a dictionary as often as they occur."""
    types, kind = pa.types, array.type
    if types.is_dictionary(kind):
        lengths = pc.binary_length(array.dictionary)
        return pc.sum(lengths.take(array.indices).cast("int64")).as_py() or 0
    if types.is_nested(kind):
        parts = array.flatten()
        return sum(map(_n_bytes, parts if isinstance(parts, list) else [parts]))
    return int(array.nbytes)


def frame_of_arrow(table: Any, path: str) -> pd.DataFrame:
    """Return a table of Arrow as a frame, as `read_parquet` does; strings are valid UTF-8.

    Raises
    ------
    UnreadableTableError
        If the table is whole, but pandas has no values for those of a column.
    """
    names = table.schema.names
    if len(set(names)) < len(names):  # pandas would convert all columns of a name alike
        keys = list(map(str, range(len(names))))
        frame = frame_of_arrow(table.rename_columns(keys).replace_schema_metadata(), path)
        return frame.set_axis(names, axis=1)
    table.validate(full=True)
    try:
        for field in table.schema:
            if pa.types.is_dictionary(field.type) and pa.types.is_nested(field.type.value_type):
                raise TypeError(f"{field.name!r}: {field.type} has no hashes")
        frame = _with_known_dtypes(table).to_pandas()
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as problem:
        # Unions, for instance, nanoseconds in times of day, and years beyond 9999 in dates.
        raise UnreadableTableError(
            f"{path}: pandas cannot hold a column ({first_line(problem)}); leave it out, or store "
            "its values as strings"
        ) from problem
    if attrs := (table.schema.metadata or {}).get(b"PANDAS_ATTRS"):
        frame.attrs = json.loads(attrs)
    for field in table.schema:
        if not pa.types.is_integer(field.type) or field.name not in frame.columns:
            continue
        if pd.api.types.is_float_dtype(frame[field.name]):  # as some are missing
            dtype: Any = "UInt64" if pa.types.is_unsigned_integer(field.type) else "Int64"
            cells = pd.array(table.column(field.name).to_pylist(), dtype=dtype)
            frame[field.name] = pd.Series(cells, index=frame.index)
    return _with_index(frame)


def _with_known_dtypes(table: Any) -> Any:
    """Leave out of what pandas stored the dtypes that it cannot read, such as nested ones."""
    stored = table.schema.metadata or {}
    if b"pandas" not in stored:
        return table
    notes = json.loads(stored[b"pandas"])
    for note in notes["columns"]:
        try:
            pd.api.types.pandas_dtype(note["numpy_type"])
        except (TypeError, NotImplementedError):
            note["numpy_type"] = "object"
    return table.replace_schema_metadata(stored | {b"pandas": json.dumps(notes)})


def _with_index(frame: pd.DataFrame) -> pd.DataFrame:
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
    if importlib.util.find_spec("pyarrow") is None:
        return None
    try:
        with open(path, "rb") as file:
            return parquet.read_metadata(file)
    except (pa.ArrowException, OSError):
        return None  # `read_parquet` raises the error


def _scan(path: str, schema: Any, library: str) -> Any:
    """Return a Parquet file as a lazy table, without the row numbers that pandas stored."""
    import narwhals as nw

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


class ChunkSizes(NamedTuple):
    """What is stated of a column in a group of rows.

    Attributes
    ----------
    n_values, n_bytes : int
        Its values, and the bytes that its pages unpack to.
    has_dictionary, shares_prefixes : bool
        Whether pages repeat strings by their number in a dictionary, or by the length that they
        share with the one before.
    """

    n_values: int
    n_bytes: int
    has_dictionary: bool
    shares_prefixes: bool


def read_sizes(file: IO[bytes]) -> list[list[ChunkSizes]]:
    """Return the sizes of each column of each group of rows.

    Raises
    ------
    ValueError
        If the footer is damaged.
    """
    file.seek(-_TAIL, os.SEEK_END)
    n_bytes = int.from_bytes(file.read(4), "little")
    file.seek(-_TAIL - n_bytes, os.SEEK_END)
    try:
        groups = _struct(BinaryReader(file.read(n_bytes)))[4]
        # By the numbers of the fields: row groups, columns and their metadata.
        return [[_sizes(chunk[3]) for chunk in group[1]] for group in groups]
    except (IndexError, KeyError, TypeError, RecursionError) as problem:
        raise ValueError("the footer is damaged") from problem


def _sizes(stated: dict[int, Any]) -> ChunkSizes:
    n_values, n_bytes, encodings = stated[5], stated[6], stated[2]
    return ChunkSizes(n_values, n_bytes, 11 in stated, _DELTA_BYTE_ARRAY in encodings)


def _struct(reader: BinaryReader) -> dict[int, Any]:
    """Return a structure in the compact protocol of Thrift: number of a field -> value."""
    fields, number = {}, 0
    while head := reader.byte():
        number = number + (head >> 4) if head >> 4 else reader.signed()
        kind = head & 15
        fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else _value(reader, kind)
    return fields


def _value(reader: BinaryReader, kind: int) -> Any:
    if kind == _STRUCT:
        return _struct(reader)
    if kind in (_LIST, _SET):
        head = reader.byte()
        n = head >> 4 if head >> 4 < 15 else reader.unsigned()
        return [_value(reader, head & 15) for _ in range(n)]
    if kind == _MAP:
        n = reader.unsigned()
        kinds = reader.byte() if n else 0
        return [(_value(reader, kinds >> 4), _value(reader, kinds & 15)) for _ in range(n)]
    if kind in (_BINARY, _DOUBLE):
        return reader.take(reader.unsigned() if kind == _BINARY else 8)
    return reader.byte() if kind in (_TRUE, _FALSE, _BYTE) else reader.signed()
