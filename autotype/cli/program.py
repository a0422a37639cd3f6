"""Parse the command line, run a command, and return its exit code.

To add a command, write a module with its function, from options to exit code, and an ``add_...``
that declares its arguments, and list the latter here.
"""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from autotype._version import __version__
from autotype.cli.apply import add_apply
from autotype.cli.arguments import EPILOG
from autotype.cli.compare import add_compare
from autotype.cli.failures import (
    FINE,
    INTERRUPTED,
    TERMINATED,
    WRONG_USE,
    describe,
    print_error,
    warnings_in_one_line,
)
from autotype.cli.infer import add_infer
from autotype.cli.output import silence_stdout
from autotype.cli.report import add_report
from autotype.cli.validate import add_validate


class _Terminated(BaseException):
    """SIGTERM was received."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process by default.

    Returns
    -------
    int
        0 success, 1 the data fails, 2 wrong use, 3 our own failure, 130 interrupted, 143
        terminated. Errors are printed in one line on the standard error stream; ``--debug`` adds
        the traceback.
    """
    try:
        options = make_parser().parse_args(argv)
    except SystemExit as stop:  # argparse has printed its help or an error
        return int(stop.code or 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        with warnings_in_one_line(shown=not options.quiet), _sigterm_as_exception():
            return run(options)
    except BrokenPipeError:
        silence_stdout()
        return FINE  # the reader of the pipe has closed it
    except KeyboardInterrupt:
        return INTERRUPTED
    except _Terminated:
        return TERMINATED
    except Exception as problem:
        code, text = describe(problem, debug=options.debug)
        print_error(f"error: {text}")
        return code


class _Parser(argparse.ArgumentParser):
    """An argument parser that reports errors in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USE, f"{self.prog}: error: {message}; see {self.prog} --help\n")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands, which the documentation lists too."""
    parser = _Parser(
        prog="autotype",
        description="Infer which columns are ordinal, which categorical, and the order of levels.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"autotype {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in (add_infer, add_validate, add_compare, add_apply, add_report):
        add(commands)
    return parser


@contextmanager
def _sigterm_as_exception() -> Iterator[None]:
    """Turn SIGTERM into an exception, so that unfinished files are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)
