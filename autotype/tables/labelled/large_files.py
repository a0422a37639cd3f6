"""Read large files of SPSS, Stata and SAS in blocks of rows, by way of a Parquet file.

No engine reads these formats, and their frames take many times the size of the file. A first pass
finds the types of the columns, as the same rules find them in a whole frame; a second one writes
the blocks, which are then read as those of any large Parquet file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from autotype.tables.codebooks.parquet_codebook import tags_as_strings
from autotype.tables.content import Content
from autotype.tables.formats.parquet_file import scan_parquet
from autotype.tables.labelled.stat_files import count_cells, read_stat_file
from autotype.tables.table import Limits, ReadOptions, Table
from autotype.tables.text.csv_text import TemporaryFile
from autotype.types.codebook import Codebook, tags_of
from autotype.types.reading import Reading
from autotype.wording import format_level

_CELLS_AT_ONCE = 4_000_000
_BYTES_A_CELL = 8


def scan_stat_file(
    content: Content,
    limits: Limits,
    options: ReadOptions,
    libraries: Sequence[str],
    *,
    large: float,
) -> Table | None:
    """Return a file of SPSS, Stata or SAS as a lazy table if it is large.

    Parameters
    ----------
    content, limits, options
        As of `read_stat_file`.
    libraries : sequence of {"duckdb", "polars"}
        Those that are installed; Arrow can do without.
    large : float
        Bytes from which it is large, at 8 for each cell.

    Returns
    -------
    Table or None
        In a column with tagged missing values numbers are strings. None if the file is small or
        does not state its number of rows, if its strings are not in the encoding that it states,
        if it holds durations, if blocks of one column hold dates and others numbers, or without
        pyarrow.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet

        n_rows, n_columns = count_cells(content.opened, limits.path, content.format)
    except (ImportError, UnicodeDecodeError):
        return None
    if not n_columns or n_rows * n_columns * _BYTES_A_CELL < large:
        return None
    limits.check_cells(n_rows, n_columns)
    step = max(_CELLS_AT_ONCE // n_columns, 1)

    def blocks() -> Iterator[Table]:
        for offset in range(0, n_rows, step):
            yield read_stat_file(content, limits, replace(options, n_rows=step), offset=offset)

    found: dict[str, pa.DataType] = {}
    tagged: set[str] = set()
    book = Codebook()
    reading = Reading(content.format)
    for block in blocks():
        stated, reading = block.codebook.columns, block.reading
        if reading.doubts:  # one encoding has to fit all strings
            return None
        book = _with_more_tags(book, block.codebook)
        plain, names = tags_as_strings(block.frame)
        tagged |= {*names, *(n for n, entry in stated.items() if tags_of(entry.missing))}
        for name in plain.columns:
            array = pa.array(plain[name], from_pandas=True)
            kind_here = pa.null() if array.null_count == len(array) else array.type
            try:
                found[name] = _wider(found.get(name, pa.null()), kind_here)
            except pa.ArrowTypeError:  # times in one block, and durations in another
                return None
    schema = pa.schema(
        (n, pa.string() if n in tagged or pa.types.is_null(t) else t) for n, t in found.items()
    )
    if any(map(pa.types.is_duration, schema.types)):  # which Parquet does not have
        return None
    source = TemporaryFile("table.parquet")
    with parquet.ParquetWriter(source.path, schema) as file:
        for frame in (block.frame for block in blocks()):
            for name in tagged & set(frame.columns):
                frame[name] = frame[name].astype(object).map(format_level, na_action="ignore")
            file.write_table(pa.Table.from_pandas(frame, schema, preserve_index=False))
    table = scan_parquet(source.path, libraries, max_columns=limits.max_columns, large=0)
    return None if table is None else Table(table, book, reading, source)


def _wider(one: Any, other: Any) -> Any:
    """Return the Arrow type that holds the values of two."""
    import pyarrow as pa

    if "string" in f"{one} {other}":
        return pa.string()
    schemas = [pa.schema([("x", kind)]) for kind in (one, other)]
    return pa.unify_schemas(schemas, promote_options="permissive").field(0).type


def _with_more_tags(book: Codebook, other: Codebook) -> Codebook:
    """Return a codebook with the tagged missing values that another block of rows has."""
    columns = dict(other.columns)
    for name, entry in book.columns.items():
        missing = tuple(dict.fromkeys((*entry.missing, *columns[name].missing)))
        tags = {tag[1:]: tag for tag in tags_of(missing)}
        values = {tags.get(v, v): text for v, text in entry.values.items()}
        columns[name] = replace(entry, missing=missing, values=values)
    return Codebook(columns)
