"""Write a file atomically: completely or not at all."""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autotype.errors import UnwritableTypesError

_DESCRIPTORS = re.compile(r"/proc/\d+(/task/\d+)?/fd|/dev/fd")  # of Linux; of macOS and BSD


def write_text(path: str | os.PathLike[str], text: str) -> None:
    r"""Write a text file in UTF-8 atomically, with "\n" at the ends of lines on every system.

    Parameters
    ----------
    path : path
        File to write, see `atomic_path`.
    text : str

    Raises
    ------
    OSError
        If the folder does not exist or cannot be written to.
    UnwritableTypesError
        If the text holds half of a character.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "types.json")
    ...     write_text(path, "{}")
    ...     path.read_text(), len(list(path.parent.iterdir()))
    ('{}', 1)
    """
    with atomic_path(path) as part, open(part, "w", encoding="utf-8", newline="\n") as file:
        try:
            file.write(text)
        except UnicodeEncodeError as problem:
            raise UnwritableTypesError(f"{path}: {problem}; correct the text") from problem


def as_json(
    plain: Any, path: str | os.PathLike[str] | None = None, *, indent: int | None = 2
) -> str:
    """Return plain values as JSON text, and write it to `path` if given.

    Examples
    --------
    >>> as_json({"size": ["S", "M"]}, indent=None)
    '{"size": ["S", "M"]}'
    """
    text = json.dumps(plain, indent=indent, ensure_ascii=False, allow_nan=False)
    if path is not None:
        write_text(path, text + "\n")
    return text


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield a temporary name in the folder of a path, and rename it to the path at the end.

    A reader sees the old file or the new one, never half of it; a failure or an interruption
    leaves the old one and no temporary file. A stream, see `is_stream`, is written to directly.

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
    if is_stream(path):
        yield os.fspath(path)  # its real path may be no path: "/proc/1/fd/pipe:[2]"
        return
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):  # raise here, with the name of the folder
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder)
    # Not made of the target's name, which may be as long as a name can be.
    part = os.path.join(folder, f".{secrets.token_hex(8)}.part")
    try:
        open(part, "x").close()
        yield part
        # So that a crash leaves no renamed but empty file; Windows flushes none open for reading.
        with open(part, "r+b") as file:
            os.fsync(file.fileno())
        if os.path.exists(target):
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException:
        if os.path.exists(part):
            os.chmod(part, 0o600)  # Windows removes no read-only file
            os.unlink(part)
        raise


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Check for a pipe, a device, or a descriptor that the process holds, such as /dev/fd/3.

    Examples
    --------
    >>> is_stream("/dev/null"), is_stream("README.md")
    (True, False)
    """
    if not os.path.isfile(path):
        return os.path.exists(path)
    # A descriptor of a regular file: replacing the file would leave the descriptor behind.
    place = str(os.fspath(path))
    while not _DESCRIPTORS.fullmatch(os.path.realpath(os.path.dirname(place))):
        if not os.path.islink(place):
            return False
        place = os.path.join(os.path.dirname(place), os.readlink(place))
    return True
