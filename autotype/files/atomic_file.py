"""Write a file atomically: completely or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager


def write_text(path: str | os.PathLike, text: str) -> None:
    """Write a text file in UTF-8 atomically.

    Parameters
    ----------
    path : path
        File to write, see `atomic_path`.
    text : str

    Raises
    ------
    OSError
        If the folder does not exist or cannot be written to.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "types.json")
    ...     write_text(path, "{}")
    ...     path.read_text(), len(list(path.parent.iterdir()))
    ('{}', 1)
    """
    with atomic_path(path) as part, open(part, "w", encoding="utf-8") as file:
        file.write(text)


@contextmanager
def atomic_path(path: str | os.PathLike) -> Iterator[str]:
    """Yield a temporary name in the folder of a path, and rename it to the path at the end.

    A reader sees the old file or the new one, never half of it; a failure or an interruption
    leaves the old one and no temporary file. What is not a regular file, such as a pipe, is
    written to directly.

    Parameters
    ----------
    path : path
        A symbolic link is followed, and a file's permissions are kept.

    Yields
    ------
    str
        A name in the same folder.

    Raises
    ------
    OSError
        If the folder does not exist or cannot be written to.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_path(pathlib.Path(folder, "a.bin")) as part:
    ...         _ = pathlib.Path(part).write_bytes(b"...")
    ...     [file.name for file in pathlib.Path(folder).iterdir()]
    ['a.bin']
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        yield target
        return
    folder, name = os.path.split(target)
    if not os.path.isdir(folder):  # raise here, with the name that the caller knows
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder)
    part = os.path.join(folder, f".{name}.{secrets.token_hex(4)}.part")
    try:
        open(part, "x").close()
        yield part
        _fsync(part)
        if os.path.exists(target):
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


def _fsync(path: str) -> None:
    """Flush the file to disk, so that a crash cannot leave a renamed but empty file."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
