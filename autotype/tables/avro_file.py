"""Read a table from Avro: records in blocks, each of which may be compressed."""

from __future__ import annotations

import io
import itertools
import zlib
from collections.abc import Callable
from typing import IO, Any

import pandas as pd

from autotype.errors import MissingExtraError, UnreadableTableError
from autotype.tables.json_file import frame_of_records
from autotype.tables.limits import Limits, corrupt_is_unreadable
from autotype.types.codebook import Codebook
from autotype.types.reading import Reading

_MAGIC = 4  # bytes
_SYNC = 16  # bytes that end the header and each block


def read_avro(
    opened: Callable[[], IO[bytes]], limits: Limits, *, n_rows: int | None = None
) -> tuple[pd.DataFrame, Codebook, Reading]:
    """Read Avro as a frame.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    limits : Limits
        Name in error messages, and the sizes that the table may have.
    n_rows : int, optional
        Rows to return, the first ones.

    Returns
    -------
    frame : pandas.DataFrame
        Nested records are columns whose names are joined by dots.
    codebook : Codebook
    reading : Reading

    Raises
    ------
    UnreadableTableError
        If the content is cut off or corrupt, compressed otherwise than by deflate, or beyond the
        limits.
    MissingExtraError
        If fastavro is not installed.
    """
    try:
        import fastavro
    except ImportError:
        raise MissingExtraError(
            f"{limits.path}: reading Avro needs fastavro", extra="files"
        ) from None
    with corrupt_is_unreadable(limits, "Avro"):
        with opened() as file:
            content = file.read()
        _check_blocks(content, limits)
        records: Any = itertools.islice(fastavro.reader(io.BytesIO(content)), n_rows)
        frame = frame_of_records(records, limits)
    if frame is None:
        raise UnreadableTableError(f"{limits.path}: holds an empty table")
    return frame, Codebook(), Reading("avro")


def _check_blocks(content: bytes, limits: Limits) -> None:
    """Raise if the blocks unpack to more than the limits; the library unpacks without any."""
    at = _MAGIC
    codec = b"null"

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = content[at]
            at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return (value >> 1) ^ -(value & 1)

    def string() -> bytes:
        nonlocal at
        size = number()
        if size < 0 or at + size > len(content):
            raise EOFError("a block is cut off")
        at += size
        return content[at - size : at]

    while count := number():
        if count < 0:
            number()  # bytes of the block
        for _ in range(abs(count)):
            key, value = string(), string()
            codec = value if key == b"avro.codec" else codec
    if codec not in (b"null", b"deflate"):
        raise UnreadableTableError(
            f"{limits.path}: is compressed by {codec.decode('ascii', 'replace')}; write it with "
            "the codec deflate"
        )
    at += _SYNC
    n_rows = n_bytes = 0
    while at < len(content):
        n_rows += number()
        block = string()
        at += _SYNC
        if codec == b"deflate":
            unpacked = zlib.decompressobj(-15).decompress(block, limits.max_bytes - n_bytes + 1)
            n_bytes += len(unpacked)
            limits.check_bytes(n_bytes)
        limits.check_cells(n_rows, 1)
