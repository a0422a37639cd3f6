"""Unpack a compressed file as it is read, up to the limit of what it may unpack to."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Iterable
from typing import IO, Any

from autotype.errors import AutotypeError, UnreadableTableError
from autotype.tables.engines import import_library
from autotype.tables.limits import Limits, corrupt_is_unreadable
from autotype.wording import format_some

# By name: the first bytes, and the ending of the file's name.
PACKINGS = {
    "gzip": (b"\x1f\x8b", ".gz"),
    "bz2": (b"BZh", ".bz2"),
    "xz": (b"\xfd7zXZ\0", ".xz"),
    "zst": (b"\x28\xb5\x2f\xfd", ".zst"),
    "zip": (b"PK\x03\x04", ".zip"),
}
_BLOCK = 1 << 10  # bytes, which unpack to 32 MiB at most
_ASIDE = ("__MACOSX/", ".DS_Store")  # what archivers add


def members_of_zip(names: Iterable[str], path: str) -> str:
    """Return the name of the only file of an archive.

    Raises
    ------
    UnreadableTableError
        If it holds none or several.

    Examples
    --------
    >>> members_of_zip(["data/", "data/a.csv", "__MACOSX/._a.csv"], "a.zip")
    'data/a.csv'
    """
    files = sorted(n for n in names if not n.endswith(("/", _ASIDE[1])) and _ASIDE[0] not in n)
    if len(files) != 1:
        held = f"{len(files)} files: {format_some(files)}" if files else "no file"
        raise UnreadableTableError(f"{path}: holds {held}; unpack it and name one of them")
    return files[0]


class UnpackedBytes(io.RawIOBase):
    """The content of a compressed file, which ends with an error at the limit.

    Parameters
    ----------
    packed : binary file
        It is closed with this one.
    limits : Limits
    packing : str
        One of `PACKINGS`. A zip archive has to hold a single file.
    """

    def __init__(self, packed: IO[bytes], limits: Limits, packing: str = "gzip") -> None:
        self._packed = packed
        self._limits = limits
        self._n_read = 0
        self._file: Any = io.BytesIO()  # closed if it cannot be opened
        self._checked = corrupt_is_unreadable(limits.path, packing)
        try:
            self._file = self._checked(_unpacked)(packed, packing, limits.path)
        except AutotypeError:
            self.close()
            raise

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer.

        Raises
        ------
        UnreadableTableError
            If more has been read than the limit, or if the file is cut off or damaged.
        """
        n_read = self._checked(self._file.readinto)(buffer)
        self._n_read += n_read
        self._limits.check_bytes(self._n_read)
        return n_read

    def close(self) -> None:
        """Close both files."""
        self._file.close()
        self._packed.close()
        super().close()


def _unpacked(packed: IO[bytes], packing: str, path: str) -> Any:
    if packing == "gzip":
        return gzip.GzipFile(fileobj=packed)
    if packing == "bz2":
        return bz2.BZ2File(packed)
    if packing == "xz":
        return lzma.LZMAFile(packed)
    if packing == "zip":
        archive = zipfile.ZipFile(packed)
        return archive.open(members_of_zip(archive.namelist(), path))
    use = f"{path}: reading .zst needs zstandard"
    zstandard = import_library("zstandard", use, extra="files")
    return _ZstFile(packed, zstandard.ZstdDecompressor())


class _ZstFile(io.RawIOBase):
    """The content of a .zst file; unlike the library's reader it notices an end that is cut off."""

    def __init__(self, packed: IO[bytes], library: Any) -> None:
        self._packed = packed
        self._library = library
        self._frame: Any = None
        self._left = b""  # packed, of the next frame
        self._ready = io.BytesIO()

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer."""
        while not (n_read := self._ready.readinto(buffer)):
            packed = self._left or self._packed.read(_BLOCK)
            self._left = b""
            if not packed:
                if self._frame is not None:
                    raise EOFError("the end is missing")
                return 0
            self._frame = self._frame or self._library.decompressobj()
            self._ready = io.BytesIO(self._frame.decompress(packed))
            if self._frame.eof:
                self._left, self._frame = self._frame.unused_data, None
        return n_read
