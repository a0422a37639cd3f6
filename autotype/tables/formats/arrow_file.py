"""Read a table from Feather, a stream of Arrow, or ORC."""

from __future__ import annotations

import contextlib
import struct
from typing import Any

from autotype.errors import UnreadableTableError
from autotype.tables.content import Content
from autotype.tables.engines import import_library
from autotype.tables.formats.parquet_file import frame_of_arrow
from autotype.tables.table import Limits, ReadOptions, Table, corrupt_is_unreadable
from autotype.types.codebook import Codebook
from autotype.types.reading import Reading
from autotype.wording import first_line

_MAGIC_OF_FILES = b"ARROW1"
_LENGTH, _BUFFERS = 0, 2  # fields of a record batch in Arrow's metadata
_HEADER = 2  # of a message


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
    pyarrow = import_library(
        "pyarrow", f"{limits.path}: reading {name} needs pyarrow", extra="parquet"
    )
    with corrupt_is_unreadable(limits.path, name):
        with content.opened() as file:
            table = read(file.read(), limits).slice(0, options.n_rows)
        try:
            return Table(frame_of_arrow(table), Codebook(), Reading(content.format))
        except pyarrow.ArrowNotImplementedError as problem:  # of unions
            raise UnreadableTableError(
                f"{limits.path}: pandas cannot hold a column ({first_line(problem)}); leave it "
                "out, or store its values as strings"
            ) from problem


def _orc(content: bytes, limits: Limits) -> Any:
    import pyarrow as pa
    from pyarrow import orc

    file = orc.ORCFile(pa.BufferReader(content))
    limits.check_cells(max(file.nrows, 1), len(file.schema))
    limits.check_bytes(file.content_length)
    return file.read()


def _feather(content: bytes, limits: Limits) -> Any:
    import pyarrow as pa
    from pyarrow import ipc

    is_file = content.startswith(_MAGIC_OF_FILES)
    # A file is a stream after eight bytes, and a directory of it.
    stream = pa.BufferReader(pa.py_buffer(content).slice(8 if is_file else 0))
    n_rows = n_bytes = n_columns = 0
    with contextlib.suppress(EOFError):
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
