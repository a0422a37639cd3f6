"""Write a file whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil


def write_text(path: str | os.PathLike, text: str) -> None:
    """Write a text file in UTF-8 beside its place, then rename it into place.

    A reader sees the old file or the new one, never half of it; a failure leaves the old one.
    What is not a regular file, such as a pipe, is written to directly.

    Parameters
    ----------
    path : path
        Where to write. A symbolic link is followed, and a file's permissions are kept.
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
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
        return
    beside = os.path.join(
        os.path.dirname(target), f".{os.path.basename(target)}.{secrets.token_hex(4)}.part"
    )
    try:
        with open(beside, "x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise
