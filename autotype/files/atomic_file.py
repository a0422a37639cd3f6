"""Write a file whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager


def write_text(path: str | os.PathLike, text: str) -> None:
    """Write a text file in UTF-8 beside its place, then rename it into place.

    Parameters
    ----------
    path : path
        Where to write, see `written_whole`.
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
    with written_whole(path) as beside, open(beside, "w", encoding="utf-8") as file:
        file.write(text)


@contextmanager
def written_whole(path: str | os.PathLike) -> Iterator[str]:
    """Give the name of a file to write beside a path; rename it into place at the end.

    A reader sees the old file or the new one, never half of it; a failure or an interruption
    leaves the old one and nothing beside it. What is not a regular file, such as a pipe, is
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
    ...     with written_whole(pathlib.Path(folder, "a.bin")) as beside:
    ...         _ = pathlib.Path(beside).write_bytes(b"...")
    ...     [file.name for file in pathlib.Path(folder).iterdir()]
    ['a.bin']
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        yield target
        return
    folder, name = os.path.split(target)
    if not os.path.isdir(folder):  # told here, under the name that the caller knows
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder)
    beside = os.path.join(folder, f".{name}.{secrets.token_hex(4)}.part")
    try:
        open(beside, "x").close()
        yield beside
        _reach_the_disk(beside)
        if os.path.exists(target):
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


def _reach_the_disk(path: str) -> None:
    """Wait until the file is written, lest a rename outlives its content in a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
