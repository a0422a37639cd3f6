"""Read a table from Feather, a stream of Arrow, or ORC."""

from __future__ import annotations

import struct
import zlib
from contextlib import suppress
from typing import Any

from autotype.lazy_names import import_library
from autotype.tables.content import Content
from autotype.tables.formats.binary_reader import BinaryReader
from autotype.tables.formats.parquet_file import frame_of_arrow
from autotype.tables.table import Limits, ReadOptions, Table, corrupt_is_unreadable
from autotype.types.codebook import Codebook
from autotype.types.reading import Reading

with suppress(ImportError):
    import pyarrow as pa
    from pyarrow import ipc

_MAGIC_OF_FILES = b"ARROW1"
_LENGTH, _BUFFERS = 0, 2  # fields of a record batch in Arrow's metadata
_HEADER = 2  # of a message
_LZ4_START = bytes.fromhex("04224d18607073")  # of a frame of blocks of 4 MiB
_CODECS = ("", "zlib", "snappy", "lzo", "lz4", "zstd")  # of ORC by their numbers
_ROWS = 1024  # of ORC that are unpacked at a time
_SUMS = {4: 3, 8: 1}  # statistics of strings and of bytes in ORC: the field of their total length
_FIXED = {1: 8, 5: 4}  # bytes of other fields of protocol buffers by their kind


def read_arrow(content: Content, limits: Limits, options: ReadOptions) -> Table:
    """Read Feather, a stream of Arrow, or ORC.

    Parameters
    ----------
    content : Content
        Its format is "feather" or "orc".
    limits : Limits
        Name in error messages, and the sizes that the table may have.
    options : ReadOptions
        The number of rows.

    Returns
    -------
    Table
        As that of Parquet: a stored index is columns again, and integers stay whole.

    Raises
    ------
    UnreadableTableError
        If the content is cut off or corrupt, or beyond the limits.
    MissingExtraError
        If pyarrow is not installed.
    """
    name, read = {"feather": ("Feather", _feather), "orc": ("ORC", _orc)}[content.format]
    import_library("pyarrow", f"{limits.path}: reading {name} needs pyarrow", extra="parquet")
    with corrupt_is_unreadable(limits.path, name):
        with content.opened() as file:
            table = read(file.read(), limits).slice(0, options.n_rows)
        return Table(frame_of_arrow(table, limits.path), Codebook(), Reading(content.format))


def _orc(content: bytes, limits: Limits) -> Any:
    from pyarrow import dataset, orc  # which some builds of pyarrow lack

    footer = _orc_footer(content, limits)
    file = orc.ORCFile(pa.BufferReader(content))
    names = file.schema.names
    limits.check_cells(max(file.nrows, 1), len(names))
    limits.check_bytes(_stated_bytes(footer))
    if len(set(names)) < len(names) or any("." in name for name in names):
        return file.read()  # a dataset finds columns by name, and by the path of a nested one
    # In parts, as the statistics may be forged.
    fragment = dataset.OrcFileFormat().make_fragment(pa.BufferReader(content))
    scanner = fragment.scanner(batch_size=_ROWS, use_threads=False, batch_readahead=0)
    parts, n_bytes = [], 0
    for part in scanner.to_batches():
        n_bytes += part.nbytes
        limits.check_bytes(n_bytes)
        parts.append(part)
    return pa.Table.from_batches(parts, schema=file.schema)


def _orc_footer(content: bytes, limits: Limits) -> bytes:
    """Return the footer of an ORC file, which holds statistics of its columns, unpacked."""
    start = len(content) - 1 - content[-1]
    stated = dict(_message(content[start:-1]))  # footer's length, codec, size of a chunk
    codec, place, n_bytes = _CODECS[stated.get(2, 0)], start - stated[1], 0
    if not codec:
        return content[place:start]
    chunks = []
    while place < start:
        head = int.from_bytes(content[place : place + 3], "little")
        chunks.append((content[place + 3 : place + 3 + (head >> 1)], head & 1))
        place += 3 + (head >> 1)
        n_bytes += head >> 1 if head & 1 else stated[3]
        limits.check_bytes(n_bytes)
    return b"".join(chunk if is_plain else _unpacked(chunk, codec) for chunk, is_plain in chunks)


def _unpacked(chunk: bytes, codec: str) -> bytes:
    """Return a chunk of a footer of ORC, which states no length, unpacked."""
    if codec == "zlib":
        return zlib.decompress(chunk, wbits=-zlib.MAX_WBITS)
    if codec == "snappy":
        return pa.decompress(chunk, BinaryReader(chunk).unsigned(), codec=codec, asbytes=True)
    if codec == "lz4":
        chunk = _LZ4_START + struct.pack("<I", len(chunk)) + chunk + bytes(4)
    return pa.CompressedInputStream(pa.BufferReader(chunk), codec).read()


def _stated_bytes(footer: bytes) -> int:
    """Return the bytes of all cells, those of nested columns and of strings included.

    A dictionary or a compressed chunk makes many long strings of few bytes; their total length is
    in the statistics only.
    """
    n_bytes = 0
    for statistics in (_message(value) for number, value in _message(footer) if number == 7):
        for number, value in statistics:
            if number == 1:
                n_bytes += 8 * value
            elif number in _SUMS:
                zigzag = dict(_message(value)).get(_SUMS[number], 0)
                n_bytes += zigzag >> 1  # of a number that is not negative
    return n_bytes


def _message(data: bytes) -> list[tuple[int, Any]]:
    """Return numbers and values of the fields of a message of protocol buffers."""
    fields: list[tuple[int, Any]] = []
    reader = BinaryReader(data)
    while not reader.is_at_end:
        tag = reader.unsigned()
        kind = tag & 7
        if kind == 0:
            fields.append((tag >> 3, reader.unsigned()))
        else:
            n_bytes = reader.unsigned() if kind == 2 else _FIXED[kind]
            fields.append((tag >> 3, reader.take(n_bytes)))
    return fields


def _feather(content: bytes, limits: Limits) -> Any:
    is_file = content.startswith(_MAGIC_OF_FILES)
    # A file is a stream after eight bytes, and a directory of it.
    stream = pa.BufferReader(pa.py_buffer(content).slice(8 if is_file else 0))
    n_rows = n_bytes = n_columns = 0
    with suppress(EOFError):
        while message := ipc.read_message(stream):
            if message.type == "schema":
                n_columns = len(ipc.read_schema(message))
            elif message.type in ("record batch", "dictionary"):
                rows, size = _sizes_of_batch(message)
                n_rows, n_bytes = n_rows + rows, n_bytes + size
            limits.check_cells(max(n_rows, 1), n_columns)
            limits.check_bytes(n_bytes)
    source = pa.BufferReader(content)
    reader = ipc.open_file(source) if is_file else ipc.open_stream(source)
    return reader.read_all()


def _sizes_of_batch(message: Any) -> tuple[int, int]:
    """Return the rows of a message, and the bytes that its buffers unpack to.

    Nothing is unpacked: the message's metadata, a FlatBuffers table, has the number of rows and the
    places of the buffers, and a compressed buffer begins with its unpacked size.
    """
    data, body = memoryview(message.metadata), message.body
    header = _table_at(data, _table_at(data, 0), _HEADER)
    if message.type == "dictionary":
        header = _table_at(data, header, 1)
    place = _field(data, header, _LENGTH)
    n_rows = struct.unpack_from("<q", data, place)[0] if place else 0
    place = _field(data, header, _BUFFERS)
    if not place:
        return n_rows, 0
    place += struct.unpack_from("<I", data, place)[0]
    count = struct.unpack_from("<I", data, place)[0]
    is_packed = _field(data, header, 3) > 0
    n_bytes = 0
    for k in range(count):
        start, length = struct.unpack_from("<qq", data, place + 4 + 16 * k)
        stated = struct.unpack_from("<q", body, start)[0] if is_packed and length >= 8 else length
        n_bytes += max(stated, length)
    return n_rows, n_bytes


def _field(data: memoryview, table: int, number: int) -> int:
    """Return the place of a field of a FlatBuffers table, 0 if it is absent."""
    fields = table - struct.unpack_from("<i", data, table)[0]
    at = 4 + 2 * number
    if at + 2 > struct.unpack_from("<H", data, fields)[0]:
        return 0
    offset = struct.unpack_from("<H", data, fields + at)[0]
    return table + offset if offset else 0


def _table_at(data: memoryview, table: int, number: int | None = None) -> int:
    """Return the place of the table that a field, or the start of the data, refers to."""
    place = table if number is None else _field(data, table, number)
    return place + struct.unpack_from("<I", data, place)[0]
