"""Write results to files, atomically, or to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable

import autotype
from autotype.cli.failures import DataFailsError, WrongUseError, os_message
from autotype.errors import MissingExtraError, UnwritableTableError

STANDARD_OUTPUT = "-"


def check_writable(outputs: Iterable[tuple[str, str | None]]) -> None:
    """Raise for an output that cannot be written, before the work rather than after.

    Parameters
    ----------
    outputs : iterable of (option, path or None)
        The options of outputs; ``"-"`` is standard output, for one of them only.

    Raises
    ------
    WrongUseError
    """
    option_of_place: dict[str, str] = {}
    for option, path in outputs:
        if path is None:
            continue
        place = path if path == STANDARD_OUTPUT else os.path.realpath(path)
        if place in option_of_place and place != os.devnull:
            raise WrongUseError(f"{option} and {option_of_place[place]} both write to {path}")
        option_of_place[place] = option
        if path != STANDARD_OUTPUT:
            _check_file(option, path)


def check_page_possible() -> None:
    """Raise if the library of the page is missing, before the work rather than after.

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
    """Write a result to a file, or print it for ``"-"``.

    Raises
    ------
    WrongUseError
        If the disk is full, permission is denied, or a library is missing.
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
    """Print a text and flush; characters missing from the terminal's encoding are escaped.

    Raises
    ------
    WrongUseError
        If standard output cannot be written to.
    """
    if sys.stdout is None:
        return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()  # raises for a closed pipe here rather than at exit
    except BrokenPipeError:
        raise
    except OSError as problem:
        silence_stdout()
        raise WrongUseError(f"standard output: {os_message(problem)}") from problem


def silence_stdout() -> None:
    """Redirect standard output to the null device, so that the flush at exit cannot fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
