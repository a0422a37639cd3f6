"""The command line: ``autotype infer FILE``.

Exit code 0 means fine, 1 that the data fails, 2 wrong use. To add a command, write its function
(arguments in, exit code out) and an ``_add_...`` that declares its arguments.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import pandas as pd

import autotype
from autotype.exceptions import MissingExtraError
from autotype.table_file import UnknownFormatError, UnreadableTableError, read_table

FINE, DATA_FAILS, WRONG_USE, INTERRUPTED = 0, 1, 2, 130


class _WrongUseError(Exception):
    """The command line asks for what cannot be done."""


class _DataFailsError(Exception):
    """The data cannot be typed as they are."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process by default.

    Returns
    -------
    int
        0 fine, 1 the data fails, 2 wrong use, 130 interrupted. Errors take one line on the
        standard error stream; ``--debug`` adds where they come from.
    """
    try:
        options = _parser().parse_args(argv)
    except SystemExit as stop:  # argparse has printed its help, or what is wrong
        return int(stop.code or 0)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        with _warnings_in_one_line(shown=not options.quiet):
            return run(options)
    except BrokenPipeError:
        _abandon_stdout()
        return FINE  # whoever read our output has seen enough
    except KeyboardInterrupt:
        return INTERRUPTED
    except _WrongUseError as problem:
        return _fail(problem, WRONG_USE, debug=options.debug)
    except _DataFailsError as problem:
        return _fail(problem, DATA_FAILS, debug=options.debug)
    except Exception as problem:
        return _fail(problem, DATA_FAILS, debug=options.debug, unexpected=True)


def infer(options: argparse.Namespace) -> int:
    """Type the columns of a file; print the table, write the JSON."""
    if options.json not in (None, "-"):
        _check_writable(options.json)
    frame = _read(options.file)
    columns = _known_columns(options.columns, frame.columns) if options.columns else None
    report = autotype.infer_types(
        frame,
        columns,
        max_levels=options.max_levels,
        n_jobs=options.jobs,
        random_state=options.seed,
        progress=False if options.quiet else None,
        **({} if options.sample is None else {"max_rows": options.sample}),
    )
    if options.json == "-":
        _print(report.to_json())
        return FINE
    if options.json is not None:
        _write(options.json, report.to_json)
    if not options.quiet:
        _print(report.to_text())
    return FINE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autotype",
        description="Tell ordinal columns from categorical ones, and in which order levels go.",
        epilog="Exit code: 0 fine, 1 the data fails, 2 wrong use.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"autotype {autotype.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_infer(commands)
    return parser


def _add_infer(commands: argparse._SubParsersAction) -> None:
    command = commands.add_parser(
        "infer",
        help="print the type of each column of a file",
        description="Print for each column its type, the probability that it is ordinal and "
        "the order of its levels.",
        epilog="Exit code: 0 fine, 1 the data fails, 2 wrong use.",
        allow_abbrev=False,
    )
    command.add_argument(
        "file", metavar="FILE", help="CSV (.csv, .tsv, .csv.gz) or Parquet; - reads CSV from stdin"
    )
    command.add_argument(
        "--json", metavar="OUT", help="write the types as JSON too; - prints JSON, not the table"
    )
    command.add_argument(
        "--columns", metavar="A,B,...", help="type these columns only; the others still inform"
    )
    command.add_argument(
        "--max-levels",
        metavar="N",
        type=_integer(least=3),
        default=20,
        help="most levels of a column whose order is searched (default: 20)",
    )
    command.add_argument(
        "--sample",
        metavar="N",
        type=_integer(least=1),
        help="rows that the models see; levels are counted in all rows",
    )
    command.add_argument(
        "--jobs",
        metavar="N",
        type=_integer(least=-1),
        help="columns typed at the same time; -1 takes all cores (default: 1)",
    )
    command.add_argument(
        "--seed", metavar="N", type=_integer(least=0), default=0, help="seed of the row sample"
    )
    command.add_argument("--quiet", action="store_true", help="print no table and no progress")
    command.add_argument("--debug", action="store_true", help="show where an error comes from")
    command.set_defaults(run=infer)


def _integer(*, least: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected an integer, got {text!r}") from None
        if value < least or (least < 0 and value == 0):
            bound = f"at least {least}" if least >= 0 else "positive, or -1"
            raise argparse.ArgumentTypeError(f"expected an integer {bound}, got {value}")
        return value

    return parse


def _read(path: str) -> pd.DataFrame:
    try:
        return read_table(path)
    except UnreadableTableError as problem:
        raise _DataFailsError(problem) from problem
    except (UnknownFormatError, MissingExtraError) as problem:
        raise _WrongUseError(problem) from problem
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as problem:
        raise _WrongUseError(_os_message(problem)) from problem
    except OSError as problem:
        raise _DataFailsError(_os_message(problem)) from problem


def _write(path: str, write_to: Callable[[str], object]) -> None:
    try:
        write_to(path)
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise _WrongUseError(_os_message(problem)) from problem


def _known_columns(text: str, names: Iterable[object]) -> list[object]:
    """Read the names of columns, quoted as in CSV where they hold a comma."""
    by_text = {str(name): name for name in names}
    asked = next(csv.reader([text]))
    for name in asked:
        if name not in by_text:
            close = difflib.get_close_matches(name, by_text, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise _WrongUseError(
                f"--columns: the file holds no column {name!r} among its {len(by_text)}{hint}"
            )
    return [by_text[name] for name in asked]


def _check_writable(path: str) -> None:
    """Refuse a place that cannot be written to, before the work rather than after."""
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise _WrongUseError(f"--json {path}: there is no folder {folder}")
    if os.path.isdir(path):
        raise _WrongUseError(f"--json {path}: is a folder, not a file")
    if not os.access(folder, os.W_OK):
        raise _WrongUseError(f"--json {path}: the folder {folder} cannot be written to")


def _print(text: str) -> None:
    """Print at once, with what the terminal's encoding lacks escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()  # a closed pipe shows here, where it is expected, not at exit


def _abandon_stdout() -> None:
    """Point standard output nowhere, so that Python's flush at exit does not complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _fail(problem: Exception, code: int, *, debug: bool, unexpected: bool = False) -> int:
    if debug:
        traceback.print_exception(problem)
    text = " ".join(str(problem).split())
    if unexpected:
        hint = "" if debug else "; --debug shows where"
        text = f"unexpected {type(problem).__name__}: {text}{hint}"
    print(f"autotype: error: {text}", file=sys.stderr)
    return code


def _os_message(problem: OSError) -> str:
    if problem.filename is None or problem.strerror is None:
        return str(problem)
    return f"{problem.filename}: {problem.strerror[0].lower()}{problem.strerror[1:]}"


@contextmanager
def _warnings_in_one_line(*, shown: bool) -> Iterator[None]:
    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        if shown and issubclass(category, UserWarning):
            print(f"autotype: warning: {' '.join(str(message).split())}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.showwarning = show  # type: ignore[assignment]
        yield


if __name__ == "__main__":
    sys.exit(main())
