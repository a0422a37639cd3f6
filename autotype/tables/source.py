"""Open what a path names: a file, a pipe, standard input, or an address that fsspec knows."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable
from typing import IO, Any

from autotype.errors import AutotypeError, MissingExtraError, UnreadableTableError
from autotype.tables.engines import import_library
from autotype.wording import first_line

_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://(?!.*::)")  # not a chain of file systems


# Name of a file in messages, what opens it as often as needed, and its size in bytes.
Source = tuple[str, Callable[[], IO[bytes]], int]


def is_address(path: str) -> bool:
    """Check for an address such as ``s3://bucket/a.csv``, rather than a file's path.

    Examples
    --------
    >>> is_address("memory://a.csv"), is_address("C:/a.csv"), is_address("simplecache::s3://a")
    (True, False, False)
    """
    return _ADDRESS.match(path) is not None


def open_source(path: str) -> Source:
    """Return what a path names; pipes are read at once.

    Parameters
    ----------
    path : str
        A file, ``"-"`` for standard input, or an address such as ``https://...``.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        If there is no such file, or no permission to read it.
    UnreadableTableError
        If an address cannot be read, or standard input is closed.
    MissingExtraError
        If an address needs fsspec, or its plugin, and it is not installed.
    """
    if path == "-":
        if sys.stdin is None:
            raise UnreadableTableError("standard input is closed")
        return _in_memory("standard input", sys.stdin.buffer.read())
    if is_address(path):
        return _address(path)
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path}: is a folder, not a file")
    with open(path, "rb") as file:  # a missing or forbidden file is not one of broken content
        if not os.path.isfile(path):
            return _in_memory(path, file.read())
    return path, lambda: open(path, "rb"), os.path.getsize(path)


def _in_memory(name: str, content: bytes) -> Source:
    return name, lambda: io.BytesIO(content), len(content)


def _address(path: str) -> Source:
    fsspec = import_library("fsspec", f"{path}: reading an address needs fsspec", extra="files")
    try:
        system, within = fsspec.core.url_to_fs(path)
        details: dict[str, Any] = system.info(within)
        if details.get("type") == "directory":
            raise IsADirectoryError(f"{path}: is a folder, not a file")
        if not details.get("size"):  # some servers do not state it
            return _in_memory(path, system.cat_file(within))
        return path, lambda: system.open(within, "rb"), int(details["size"])
    except ImportError as problem:  # of a plugin, such as s3fs
        raise MissingExtraError(f"{path}: {first_line(problem)}") from problem
    except (OSError, AutotypeError):
        raise
    except Exception as problem:  # each file system has its own
        raise UnreadableTableError(f"{path}: cannot be read ({first_line(problem)})") from problem
