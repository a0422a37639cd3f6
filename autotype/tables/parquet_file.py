"""Read a table from a Parquet file."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import pandas as pd

from autotype.errors import AutotypeError, MissingExtraError, UnreadableTableError
from autotype.tables.limits import Limits
from autotype.wording import first_line


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
    with _corrupt_is_unreadable(limits):
        with opened() as file:
            metadata = parquet.ParquetFile(file).metadata
            n_groups = metadata.num_row_groups
            limits.check_cells(max(metadata.num_rows, 1), metadata.num_columns)
            limits.check_bytes(sum(metadata.row_group(g).total_byte_size for g in range(n_groups)))
        with opened() as file:
            frame = pd.read_parquet(file, engine="pyarrow")
        return _with_index(_with_whole_numbers(frame, opened))


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
    with _corrupt_is_unreadable(limits):
        with opened() as file:
            source = parquet.ParquetFile(file)
            groups = [source.metadata.row_group(k) for k in range(source.num_row_groups)]
            ends = itertools.accumulate(group.num_rows for group in groups)
            n_groups = sum(end < n_rows for end in ends) + 1
            limits.check_bytes(sum(group.total_byte_size for group in groups[:n_groups]))
            table = source.read_row_groups(list(range(len(groups)))[:n_groups]).slice(0, n_rows)
        copy = io.BytesIO()
        parquet.write_table(table, copy)
    return lambda: io.BytesIO(copy.getvalue())


def _pyarrow_parquet(limits: Limits) -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(
            f"{limits.path}: reading Parquet needs pyarrow", extra="parquet"
        ) from None
    return parquet


@contextmanager
def _corrupt_is_unreadable(limits: Limits) -> Iterator[None]:
    try:
        yield
    except AutotypeError:
        raise
    except Exception as problem:  # what pyarrow and pandas raise on corrupt bytes is not documented
        raise UnreadableTableError(
            f"{limits.path}: not a whole Parquet file ({first_line(problem)})"
        ) from problem


def _with_whole_numbers(frame: pd.DataFrame, opened: Callable[[], IO[bytes]]) -> pd.DataFrame:
    """Read anew, as Int64, the columns of whole numbers that missing values have made floats."""
    from pyarrow import parquet, types

    with opened() as file:
        schema = parquet.read_schema(file)
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
    with opened() as file:
        table = parquet.read_table(file, columns=whole)
    frame = frame.copy(deep=False)
    for name in whole:
        dtype: Any = (
            "UInt64" if types.is_unsigned_integer(table.schema.field(name).type) else "Int64"
        )
        cells = pd.array(table.column(name).to_pylist(), dtype=dtype)
        frame[name] = pd.Series(cells, index=frame.index)
    return frame


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
