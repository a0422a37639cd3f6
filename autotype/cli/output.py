"""Where results go: files that are written whole, and standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable

import autotype
from autotype.cli.failures import DataFailsError, WrongUseError, os_message
from autotype.errors import MissingExtraError
from autotype.files.table_output import UnwritableTableError

STANDARD_OUTPUT = "-"


def check_writable(outputs: Iterable[tuple[str, str | None]]) -> None:
    """Refuse a place that cannot be written to, before the work rather than after.

    Parameters
    ----------
    outputs : iterable of (option, path or None)
        The options that name outputs; ``"-"`` is standard output, which takes only one.

    Raises
    ------
    WrongUseError
    """
    taken: dict[str, str] = {}
    for option, path in outputs:
        if path is None:
            continue
        place = path if path == STANDARD_OUTPUT else os.path.realpath(path)
        if place in taken and place != os.devnull:
            raise WrongUseError(f"{option} and {taken[place]} both write to {path}")
        taken[place] = option
        if path != STANDARD_OUTPUT:
            _check_file(option, path)


def check_page_possible() -> None:
    """Refuse a page where its library is missing, before the work rather than after.

    Raises
    ------
    WrongUseError
    """
    try:
        autotype.TypeReport([]).to_html()
    except MissingExtraError as problem:
        raise WrongUseError(problem) from problem


def _check_file(option: str, path: str) -> None:
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise WrongUseError(f"{option} {path}: there is no folder {folder}")
    if os.path.isdir(path):
        raise WrongUseError(f"{option} {path}: is a folder, not a file")
    if os.path.exists(path) and not os.path.isfile(path):
        return  # a pipe or a device: its folder does not matter
    if not os.access(folder, os.W_OK):
        raise WrongUseError(f"{option} {path}: the folder {folder} cannot be written to")


def deliver(path: str, as_text: Callable[[], str], write_to: Callable[[str], object]) -> None:
    """Print a result on standard output for ``"-"``, else write it to its file.

    Raises
    ------
    WrongUseError
        If there is no room, no permission, or a library missing.
    DataFailsError
        If the format cannot hold the result.
    """
    try:
        if path == STANDARD_OUTPUT:
            print_text(as_text())
        else:
            write_to(path)
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise WrongUseError(f"{path}: {os_message(problem).removeprefix(f'{path}: ')}") from problem
    except MissingExtraError as problem:
        raise WrongUseError(problem) from problem
    except UnwritableTableError as problem:
        raise DataFailsError(problem) from problem


def print_text(text: str) -> None:
    """Print at once, with what the terminal's encoding lacks escaped.

    Raises
    ------
    WrongUseError
        If standard output takes no more.
    """
    if sys.stdout is None:
        return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()  # a closed pipe shows here, where it is expected, not at exit
    except BrokenPipeError:
        raise
    except OSError as problem:
        abandon_stdout()
        raise WrongUseError(f"standard output: {os_message(problem)}") from problem


def abandon_stdout() -> None:
    """Point standard output nowhere, so that Python's flush at exit does not complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
