"""Read a table from Avro: records in blocks, each of which may be compressed."""

from __future__ import annotations

import io
import itertools
import zlib
from typing import Any

from autotype.errors import UnreadableTableError
from autotype.lazy_names import import_library
from autotype.tables.content import Content
from autotype.tables.formats.binary_reader import BinaryReader
from autotype.tables.formats.json_file import frame_of_records
from autotype.tables.table import Limits, ReadOptions, Table, corrupt_is_unreadable
from autotype.types.codebook import Codebook
from autotype.types.reading import Reading

_MAGIC = 4  # bytes
_SYNC = 16  # bytes that end the header and each block


def read_avro(content: Content, limits: Limits, options: ReadOptions) -> Table:
    """Read Avro.

    Parameters
    ----------
    content : Content
    limits : Limits
        Name in error messages, and the sizes that the table may have.
    options : ReadOptions
        The number of rows.

    Returns
    -------
    Table
        Nested records are columns whose names are joined by dots.

    Raises
    ------
    UnreadableTableError
        If the content is cut off or corrupt, compressed otherwise than by deflate, or beyond the
        limits.
    MissingExtraError
        If fastavro is not installed.
    """
    fastavro = import_library(
        "fastavro", f"{limits.path}: reading Avro needs fastavro", extra="files"
    )
    with corrupt_is_unreadable(limits.path, "Avro"):
        with content.opened() as file:
            data = file.read()
        _check_blocks(data, limits)
        records: Any = itertools.islice(fastavro.reader(io.BytesIO(data)), options.n_rows)
        frame = frame_of_records(records, limits)
    if frame is None:
        raise UnreadableTableError(f"{limits.path}: holds an empty table")
    return Table(frame, Codebook(), Reading("avro"))


def _check_blocks(content: bytes, limits: Limits) -> None:
    """Raise if the blocks unpack to more than the limits; the library unpacks without any."""
    reader, codec = BinaryReader(content), b"null"
    reader.take(_MAGIC)
    while count := reader.signed():
        if count < 0:
            reader.signed()  # bytes of the block
        for _ in range(abs(count)):
            key, value = (reader.take(reader.signed()) for _ in range(2))
            codec = value if key == b"avro.codec" else codec
    if codec not in (b"null", b"deflate"):
        raise UnreadableTableError(
            f"{limits.path}: is compressed by {codec.decode('ascii', 'replace')}; write it with "
            "the codec deflate"
        )
    reader.take(_SYNC)
    n_rows = n_bytes = 0
    while not reader.is_at_end:
        n_rows += reader.signed()
        block = reader.take(reader.signed())
        reader.take(_SYNC)
        if codec == b"deflate":
            unpacked = zlib.decompressobj(-15).decompress(block, limits.max_bytes - n_bytes + 1)
            n_bytes += len(unpacked)
            limits.check_bytes(n_bytes)
        limits.check_cells(n_rows, 1)
