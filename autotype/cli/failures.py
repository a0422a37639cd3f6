"""Exit codes, and errors and warnings in one line on the standard error stream."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

FINE, DATA_FAILS, WRONG_USE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143


class WrongUseError(Exception):
    """The command line is invalid."""


class DataFailsError(Exception):
    """The data cannot be used."""


def fail(problem: Exception, code: int, *, debug: bool, unexpected: bool = False) -> int:
    """Print an error in one line and return the exit code; `debug` adds the traceback."""
    if debug:
        traceback.print_exception(problem)
    text = " ".join(str(problem).split())
    if unexpected:
        hint = "" if debug else "; --debug shows the traceback"
        text = f"unexpected {type(problem).__name__}: {text}{hint}"
    print(f"autotype: error: {text}", file=sys.stderr)
    return code


def os_message(problem: OSError) -> str:
    """Format an error of the operating system, the file first."""
    if problem.strerror is None:
        return str(problem)
    reason = f"{problem.strerror[0].lower()}{problem.strerror[1:]}"
    return reason if problem.filename is None else f"{problem.filename}: {reason}"


@contextmanager
def warnings_in_one_line(*, shown: bool) -> Iterator[None]:
    """Print each UserWarning once, in one line; ignore other warnings."""

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        if shown and issubclass(category, UserWarning):
            print(f"autotype: warning: {' '.join(str(message).split())}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.showwarning = show  # type: ignore[assignment]
        yield
