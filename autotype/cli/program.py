"""Run a command, and return its exit code.

To add a command, write a module of its name with a function of its name, from options to exit code,
and list its options in `_autotype_command/options.toml`.
"""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from autotype.cli import failures
from autotype.cli.output import silence_stdout


class _Terminated(BaseException):
    """SIGTERM was received."""


def run_command(options: argparse.Namespace) -> int:
    """Run the command of parsed options, and return its exit code.

    Errors are printed in one line on the standard error stream; ``--debug`` adds the traceback.
    """
    try:
        with (
            failures.warnings_in_one_line(shown=not options.quiet),
            _sigterm_as_exception(),
            worker_thread_unseen(),
        ):
            command = getattr(import_module(f"autotype.cli.{options.command}"), options.command)
            code: int = command(options)
            return code
    except BrokenPipeError:
        silence_stdout()
        return failures.FINE  # the reader of the pipe has closed it
    except KeyboardInterrupt:
        return failures.INTERRUPTED
    except _Terminated:
        return failures.TERMINATED
    except Exception as problem:
        code, text = failures.describe(problem, debug=options.debug)
        failures.print_error(f"error: {text}")
        return code


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


@contextmanager
def worker_thread_unseen() -> Iterator[None]:
    """Print no traceback of joblib's thread that hands out tasks, which may fail at Ctrl-C.

    What else fails there reaches the command as an exception of the pool. After an exception the
    hook stays, since that thread may fail while the process ends.
    """
    before = threading.excepthook

    def show(failure: threading.ExceptHookArgs) -> None:
        if failure.thread is None or failure.thread.name != "ExecutorManagerThread":
            before(failure)

    threading.excepthook = show
    yield
    threading.excepthook = before
