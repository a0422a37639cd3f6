"""Prevent two jobs from writing into one folder at the same time."""

from __future__ import annotations

import json
import os
import platform
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass

from autotype.cli.failures import WrongUseError, os_message

_LOCK = "job.lock"
_TOKEN = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class _Holder:
    """The job that created a lock file.

    Attributes
    ----------
    pid : int
        Its process.
    host : str
        The name of its computer.
    token : str
        A random number in hexadecimal digits: a process number may come again.
    """

    pid: int
    host: str
    token: str


@contextmanager
def folder_lock(folder: str) -> Iterator[None]:
    """Hold the lock of a folder, which is a file in it, until the end of the context.

    Parameters
    ----------
    folder : str
        An existing folder that can be written to.

    Raises
    ------
    WrongUseError
        If another job holds the lock. That of a job that was killed on this computer is removed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with folder_lock(folder):
    ...         print(os.listdir(folder))
    ...     os.listdir(folder)
    ['job.lock']
    []
    """
    path = os.path.join(folder, _LOCK)
    _remove_if_stale(path, folder)
    try:
        # It stays open, since Windows removes no open file: no other job can take it for stale.
        file = open(path, "x", encoding="utf-8")  # noqa: SIM115
    except FileExistsError:
        raise _held(path, folder) from None
    except OSError as problem:
        raise WrongUseError(f"--folder {os_message(problem)}") from problem
    try:
        holder = _Holder(os.getpid(), platform.node(), secrets.token_hex(8))
        json.dump(asdict(holder), file)
        file.flush()
        yield
    finally:
        file.close()
        with suppress(OSError):
            os.unlink(path)


def _remove_if_stale(path: str, folder: str) -> None:
    """Remove the lock of a job that no longer runs.

    Of several jobs that find it, one may remove it: the one that creates a file named after its
    token. Else the second would remove the new lock of the first.
    """
    holder = _read(path)
    if holder is None or not _is_stale(holder):
        return
    claim = f"{path}.{holder.token}"
    try:
        open(claim, "x").close()
    except FileExistsError:
        raise _held(path, folder) from None
    try:
        if _read(path) == holder:
            with suppress(PermissionError):  # of Windows: the job runs
                os.unlink(path)
    finally:
        os.unlink(claim)


def _read(path: str) -> _Holder | None:
    """Return the holder of a lock; None if there is no lock, or its content is no holder."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        holder = _Holder(int(content["pid"]), str(content["host"]), str(content["token"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return holder if holder.pid > 0 and _TOKEN.fullmatch(holder.token) else None


def _is_stale(holder: _Holder) -> bool:
    """Check whether a lock was left behind by a job of this computer that no longer runs."""
    if holder.host != platform.node():
        return False  # nothing shows whether it runs
    if holder.pid == os.getpid():
        return True  # a container gives its first process the same number at each start
    if os.name == "nt":
        return True  # its file can be removed only if it does not run
    try:
        os.kill(holder.pid, 0)  # 0 is no signal: it checks that the process exists
    except PermissionError:
        return False  # it exists, and is another user's
    except (ProcessLookupError, OverflowError):
        return True
    return False


def _held(path: str, folder: str) -> WrongUseError:
    holder = _read(path)
    name = "" if holder is None else f" (process {holder.pid} on {holder.host})"
    return WrongUseError(
        f"--folder {folder}: another job{name} is writing there; wait for its end, or give another "
        f"--folder; if no such job runs, delete {path}"
    )
