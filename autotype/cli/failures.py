"""Exit codes, and what becomes one line on the standard error stream."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

FINE, DATA_FAILS, WRONG_USE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143


class WrongUseError(Exception):
    """The command line asks for what cannot be done."""


class DataFailsError(Exception):
    """The data cannot be used as they are."""


def fail(problem: Exception, code: int, *, debug: bool, unexpected: bool = False) -> int:
    """Tell a problem in one line and hand on the exit code; `debug` adds where it comes from."""
    if debug:
        traceback.print_exception(problem)
    text = " ".join(str(problem).split())
    if unexpected:
        hint = "" if debug else "; --debug shows where"
        text = f"unexpected {type(problem).__name__}: {text}{hint}"
    print(f"autotype: error: {text}", file=sys.stderr)
    return code


def os_message(problem: OSError) -> str:
    """Word what the operating system says, the file first."""
    if problem.strerror is None:
        return str(problem)
    said = f"{problem.strerror[0].lower()}{problem.strerror[1:]}"
    return said if problem.filename is None else f"{problem.filename}: {said}"


@contextmanager
def warnings_in_one_line(*, shown: bool) -> Iterator[None]:
    """Show each warning meant for users once, in one line; pass over the others."""

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        if shown and issubclass(category, UserWarning):
            print(f"autotype: warning: {' '.join(str(message).split())}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.showwarning = show  # type: ignore[assignment]
        yield
