"""Write results to files, atomically, or to standard output."""

from __future__ import annotations

import argparse
import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import Any

import pandas as pd

from autotype._version import __version__
from autotype.cli.failures import (
    DataFailsError,
    WrongUseError,
    describe,
    in_one_line,
    os_errors_as_wrong_use,
    os_message,
)
from autotype.errors import UnknownFormatError
from autotype.type_report import TypeReport
from autotype.types.atomic_file import as_json, is_stream, write_text

STANDARD_OUTPUT = STANDARD_INPUT = "-"


# Writes a result to a file; without one, returns it as a string without its last line break.
Write = Callable[[str | None], Any]


def of_text(make: Callable[[], str]) -> Write:
    """Return how to write a string, which a file ends with a line break."""
    return lambda path: make() if path is None else write_text(path, make() + "\n")


def of_json(plain: Mapping[str, Any]) -> Write:
    """Return how to write plain values as JSON."""
    return of_text(lambda: as_json(plain))


def of_table(
    make: Callable[[], pd.DataFrame], types: TypeReport, *, escape: bool | None = None, **more: Any
) -> Write:
    """Return how to write a table: as CSV on standard output, else by the file's name.

    Options are those of `write_table`.
    """

    def write(path: str | None) -> str | None:
        # Most commands write no table, and start sooner without the writers.
        from autotype.tables.table_output import table_as_csv, write_table

        if path is None:
            return table_as_csv(make(), escape=bool(escape)).removesuffix("\n")
        write_table(make(), path, types, escape=escape, **more)
        return None

    return write


def schema_text(frame: Any, report: TypeReport, options: argparse.Namespace) -> str:
    """Return the schema of a table, as YAML without the last line break."""
    from autotype.schema.build import to_schema
    from autotype.schema.yaml_io import schema_to_yaml

    schema = to_schema(
        frame, report, share_tolerance=options.share_tolerance, max_strays=options.max_strays
    )
    return schema_to_yaml(schema).rstrip("\n")


def requested_outputs(options: argparse.Namespace) -> dict[str, str | None]:
    """Return the file that each option of the command's outputs names, or None.

    Examples
    --------
    >>> requested_outputs(argparse.Namespace(outputs=["--failed-rows"], failed_rows="a.csv"))
    {'--failed-rows': 'a.csv'}
    """
    return {name: getattr(options, name[2:].replace("-", "_")) for name in options.outputs}


def check_outputs(
    outputs: Mapping[str, str | None],
    *,
    inputs: Mapping[str, str | None],
    renewed: Mapping[str, str] = MappingProxyType({}),
    formats: Mapping[str, Callable[[str], object]] = MappingProxyType({}),
    page: str = "--html",
) -> None:
    """Raise for an output that cannot be written, before the work rather than after.

    Parameters
    ----------
    outputs : mapping
        Option -> the file that it names, or None; ``"-"`` is standard output, for one of them only.
    inputs : mapping
        Option -> the file that is read, or None; no output may overwrite it. ``"-"`` is standard
        input.
    renewed : mapping
        Option of an output -> the option of the one input that it may overwrite.
    formats : mapping
        Option of an output -> function that raises `UnknownFormatError` for a file whose name is
        of no format that can be written.
    page : str
        The option whose output is an HTML page, which needs a library.

    Raises
    ------
    WrongUseError
    """
    read = {option: path for option, path in inputs.items() if path is not None}
    written: dict[str, str] = {}
    for option, path in outputs.items():
        if path is None:
            continue
        for other, place in written.items():
            if path == place or (
                STANDARD_OUTPUT not in (path, place) and _is_same_file(path, place)
            ):
                raise WrongUseError(f"{option} and {other} both write to {path}")
        if path != STANDARD_OUTPUT:
            _check_file(option, path)
            for other, place in read.items():
                if other != renewed.get(option) and _is_same_file(path, place):
                    raise WrongUseError(f"{option} {path}: would overwrite {other}, which is read")
            try:
                formats.get(option, str)(path)
            except UnknownFormatError as problem:
                raise WrongUseError(f"{option} {problem}") from problem
        if path != os.devnull:
            written[option] = path
    if outputs.get(page) is not None:
        TypeReport([]).to_html()


def table_format(path: str) -> str:
    """Return the format of the table to write by a file's name; `UnknownFormatError` if none."""
    from autotype.tables.table_output import check_output_name  # most commands write no table

    return check_output_name(path)


def _status(path: str) -> os.stat_result | None:
    """Return the status of a file or of standard input; None if there is none."""
    try:
        return os.fstat(sys.stdin.fileno()) if path == STANDARD_INPUT else os.stat(path)
    except (AttributeError, OSError, ValueError):  # standard input may be closed, or no file at all
        return None


def _is_same_file(one: str, other: str) -> bool:
    """Check whether two names are of one regular file, also by way of links, or of none yet."""
    first, second = _status(one), _status(other)
    if first is None or second is None:
        return first is second and os.path.realpath(one) == os.path.realpath(other)
    return stat.S_ISREG(first.st_mode) and os.path.samestat(first, second)


def _check_file(option: str, path: str) -> None:
    folder = os.path.dirname(os.path.realpath(path))
    if is_stream(path):
        if os.path.isdir(path):
            raise WrongUseError(f"{option} {path}: is a folder, not a file")
        return  # a pipe or a device: its folder does not matter
    if not os.path.isdir(folder):
        raise WrongUseError(f"{option} {path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise WrongUseError(f"{option} {path}: the folder {folder} cannot be written to")
    with os_errors_as_wrong_use(f"{option} "), suppress(FileNotFoundError):
        os.stat(path)  # the name may be too long


def deliver_outputs(
    outputs: Mapping[str, str | None],
    ways: Mapping[str, Write],
    *,
    printed: Callable[[], str] | None = None,
) -> None:
    """Write the outputs that are requested, see `deliver`.

    Parameters
    ----------
    outputs : mapping
        Option -> the file that it names, or None.
    ways : mapping
        Option -> how its result is written.
    printed : callable, optional
        Makes the text that is printed unless an output is standard output.
    """
    requested = [(path, ways[option]) for option, path in outputs.items() if path is not None]
    if printed is not None and STANDARD_OUTPUT not in outputs.values():
        requested.append((STANDARD_OUTPUT, of_text(printed)))
    deliver(*requested)


@contextmanager
def failure_delivered(
    outputs: Mapping[str, str | None], ways: Callable[[str], Mapping[str, Write]]
) -> Iterator[None]:
    """Write an error to files in place of earlier results, which would look like today's.

    Parameters
    ----------
    outputs : mapping
        Option -> the file that it names, or None.
    ways : callable
        Returns for the error's text how each output is written that states a failure. The others
        stay as they are: a schema and the types that a person decided hold until they are replaced.
    """
    try:
        yield
    except Exception as problem:
        stated = ways(describe(problem, debug=False)[1])
        files = {o: None if outputs[o] == STANDARD_OUTPUT else outputs[o] for o in stated}
        with suppress(Exception):  # an output that fails, too, does not hide the problem
            deliver_outputs(files, stated)
        raise


def findings() -> Any:
    """Return the module that writes findings, which takes long to load."""
    from autotype.report import findings

    return findings


def failure_ways(title: str) -> Callable[[str], dict[str, Write]]:
    """Return how ``--json`` and ``--html`` state that nothing could be inferred or compared."""
    return lambda message: {
        "--json": of_json({"autotype_version": __version__, "error": message}),
        "--html": of_text(lambda: findings().as_failure_page(message, title=title)),
    }


def deliver(*requested: tuple[str, Write]) -> None:
    """Write results: files first, then pipes and devices, and standard output last.

    One that fails, or whose reader has closed the pipe, does not keep the others from being
    written.

    Raises
    ------
    WrongUseError, MissingExtraError
        If the disk is full, permission is denied, or a library is missing.
    DataFailsError, UnwritableTableError
        If the format cannot hold the result.
    """
    failed: list[Exception] = []

    def place(output: tuple[str, Write]) -> int:
        return 2 if output[0] == STANDARD_OUTPUT else int(is_stream(output[0]))

    for path, write in sorted(requested, key=place):
        try:
            _deliver(path, write)
        except BrokenPipeError:  # the reader has closed the pipe
            if path == STANDARD_OUTPUT:
                silence_stdout()
        except Exception as problem:
            failed.append(problem)
    if failed:
        raise failed[0]


def _deliver(path: str, write: Write) -> None:
    try:
        if path == STANDARD_OUTPUT:
            print_text(write(None))
        else:
            write(path)
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise WrongUseError(f"{path}: {os_message(problem).removeprefix(f'{path}: ')}") from problem
    except UnicodeEncodeError as problem:
        raise DataFailsError(f"{path}: {problem}; correct the text") from problem


def print_note(text: str, options: argparse.Namespace) -> None:
    """Print what was written to the file of `add_output`, unless that is standard output."""
    if not options.quiet and options.output != STANDARD_OUTPUT:
        print_text(in_one_line(f"{options.output}: {text}"))


def print_text(text: str) -> None:
    """Print a string and flush; characters missing from the terminal's encoding are escaped.

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
        if os.name == "nt" and problem.errno == errno.EINVAL:  # how Windows reports a closed pipe
            raise BrokenPipeError from problem
        silence_stdout()
        raise WrongUseError(f"standard output: {os_message(problem)}") from problem


def silence_stdout() -> None:
    """Redirect standard output to the null device, so that the flush at exit cannot fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
