"""Exit codes, and errors and warnings in one line on the standard error stream."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from autotype import errors
from autotype.wording import printable

FINE, DATA_FAILS, WRONG_USE, OUR_FAILURE, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 130, 143


class WrongUseError(Exception):
    """The command line is invalid."""


class DataFailsError(Exception):
    """The data cannot be used."""


_WRONG_USE = (WrongUseError, errors.MissingExtraError, errors.UnknownFormatError)
_DATA_FAILS = (DataFailsError, errors.UnreadableTableError, errors.UnwritableTableError)
EXPECTED = (*_WRONG_USE, *_DATA_FAILS)


def describe(problem: Exception, *, debug: bool) -> tuple[int, str]:
    """Return the exit code of an error and its text in one line; `debug` prints its traceback."""
    if debug:
        traceback.print_exception(problem)
    if isinstance(problem, EXPECTED):
        return WRONG_USE if isinstance(problem, _WRONG_USE) else DATA_FAILS, in_one_line(problem)
    if isinstance(problem, MemoryError) or "failed to map segment" in str(problem):  # of a library
        return OUR_FAILURE, "there is not enough memory for this table and these options"
    traced = "the traceback above" if debug else "the traceback that --debug prints"
    return OUR_FAILURE, (
        f"unexpected {type(problem).__name__}: {in_one_line(problem)}; this is a fault of "
        f"autotype: please report it on the project's issue tracker, with {traced}"
    )


def describe_one_of_many(problem: Exception, label: str, *, debug: bool) -> tuple[int, str]:
    """Return exit code and text, without the table, of an error that stops no other table."""
    code, reason = describe(problem, debug=debug)
    code = code if code == OUR_FAILURE else DATA_FAILS
    return code, reason.removeprefix(f"{label}: ")


def in_one_line(problem: object) -> str:
    """Return a text, such as that of an error, in one line, without commands to a terminal."""
    return printable(" ".join(str(problem).split()))


def print_error(text: str) -> None:
    """Print to the standard error stream."""
    print(f"autotype: {in_one_line(text)}", file=sys.stderr)


def os_message(problem: OSError) -> str:
    """Format an error of the operating system, the file first."""
    if problem.strerror is None:
        return str(problem)
    reason = f"{problem.strerror[0].lower()}{problem.strerror[1:]}"
    return reason if problem.filename is None else f"{problem.filename}: {reason}"


@contextmanager
def os_errors_as_wrong_use(where: str = "") -> Iterator[None]:
    """Raise an error of the operating system as `WrongUseError`, `where` first."""
    try:
        yield
    except OSError as problem:
        raise WrongUseError(f"{where}{os_message(problem)}") from problem


@contextmanager
def warnings_in_one_line(*, shown: bool) -> Iterator[None]:
    """Print each UserWarning once, in one line; ignore other warnings."""

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        if shown and issubclass(category, UserWarning):
            print_error(f"warning: {in_one_line(message)}")

    with warnings.catch_warnings():
        warnings.showwarning = show  # type: ignore[assignment]
        yield
