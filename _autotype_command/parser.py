"""The commands of ``autotype`` and their options.

Neither the package nor pandas is imported here, so that the answer to ``--help``, ``--version`` and
a wrong option takes no time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from _autotype_command.arguments import (
    EPILOG,
    add_command,
    add_database,
    add_inference,
    add_limits,
    add_output,
    add_outputs,
    add_reading,
    port,
    share,
)

_WRONG_USE = 2
_OF_INFER = {
    "--json": "the types as JSON, for `apply`",
    "--html": "a report page",
    "--schema": "a schema as YAML, for `validate`; with --folder a folder, with one per table",
    "--write-known": "the types that were decided, for --known",
}

_OF_VALIDATE = {
    "--json": "all checks and their failures as JSON",
    "--html": "a page of the failures",
    "--junit": "the checks as JUnit XML, for build servers",
    "--failed-rows": "the rows that fail a check, as CSV, Parquet, JSON lines or Excel",
}

_OF_COMPARE = {"--json": "the changes as JSON", "--html": "a page of the changes"}


def run(argv: Sequence[str] | None, command: Callable[[argparse.Namespace], int]) -> int:
    """Parse arguments and run a command on them; return its exit code, or that of the parser."""
    try:
        options = make_parser().parse_args(argv)
    except SystemExit as stop:  # argparse has printed its help or an error
        return int(stop.code or 0)
    if options.command == "doctor":  # which answers where the package cannot be loaded
        from _autotype_command.doctor import doctor

        return doctor(options)
    return command(options)


class _Parser(argparse.ArgumentParser):
    """An argument parser that reports errors in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(_WRONG_USE, f"{self.prog}: error: {message}; see {self.prog} --help\n")


class _Version(argparse.Action):
    """Print the version of the installed distribution."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print("autotype", version("autotype-ordinal"))
        parser.exit()


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands, which the documentation lists too."""
    parser = _Parser(
        prog="autotype",
        description="Infer which columns are ordinal, which categorical, and the order of levels.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in _COMMANDS:
        add(commands)
    return parser


def _add_infer(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "infer",
        summary="print the type of each column of a file",
        description="Print for each column its type, the probability that it is ordinal and "
        "the order of its levels. With --folder, write a report of each of many tables.",
    )
    add_reading(command, several=True)
    add_database(command)
    group = add_outputs(command, _OF_INFER, instead="the table")
    group.add_argument(
        "--ask",
        action="store_true",
        help="ask in the terminal about uncertain columns; the answers are in all outputs",
    )
    group.add_argument(
        "--share-tolerance",
        metavar="P",
        type=share,
        help="of --schema: how far the proportion of a level may be from this file's, such as "
        "5%% (default: shares are not checked)",
    )
    group.add_argument(
        "--max-strays",
        metavar="P",
        type=share,
        help="of --schema: rows that may hold other strings among dates and amounts, in percent "
        "(default: twice the share in this file)",
    )
    job = command.add_argument_group("job: many tables, one report each")
    job.add_argument(
        "--folder",
        metavar="OUT",
        help="write reports, index.html and summary.json there; FILE may then be many files, "
        "patterns such as 'data/*.parquet', and folders. A second run skips unchanged tables.",
    )
    job.add_argument(
        "--force", action="store_true", help="infer unchanged tables again (default: skip them)"
    )
    job.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help="what is printed of each table: a line of text, or of JSON (default: text)",
    )
    add_inference(command)


def _add_validate(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "validate",
        summary="check files against schemas",
        description="Print one line for each failure of a file against a schema: column, level, "
        "row (the first is 0) and what was expected. Exit with 1 if there is any. Of many files, "
        "patterns, folders or tables each is checked; --failed-rows is for a single one.",
    )
    add_reading(command, several=True)
    add_database(command)
    command.add_argument(
        "--schema",
        metavar="FILE",
        required=True,
        help="YAML of `autotype infer --schema`; or a folder with one for each table, of the name "
        "of the table, such as day.yaml for day.csv",
    )
    command.add_argument(
        "--strict",
        action="store_true",
        help="fail for columns that the schema does not know (default: print a note)",
    )
    command.add_argument(
        "--partial",
        action="store_true",
        help="of a folder of schemas: check some of its tables (default: a schema whose table is "
        "not named fails)",
    )
    add_limits(command)
    add_outputs(command, _OF_VALIDATE, instead="the failures")


def _add_compare(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "compare",
        summary="print what changed since an earlier report",
        description="Compare reports: columns, types, orders, levels and their proportions. "
        "Exit with 1 if anything changed. The types of a data file are inferred first. Of many "
        "files, patterns, folders or tables each is compared.",
    )
    command.add_argument(
        "old",
        metavar="OLD",
        help="types (.json) of `autotype infer`, or a file; or a folder of `infer --folder`, with "
        "the types of each table by its name",
    )
    add_reading(
        command, metavar="NEW", file="types (.json), or data files as for `infer`", several=True
    )
    add_database(command)
    command.add_argument(
        "--alpha",
        metavar="P",
        type=share,
        default=0.01,
        help="probability of a false alarm in the shares, over all columns (default: 0.01)",
    )
    command.add_argument(
        "--min-distance",
        metavar="P",
        type=share,
        default=0.05,
        help="proportion of the rows that has to have moved for a change in shares (default: 5%%)",
    )
    add_outputs(command, _OF_COMPARE, instead="the sentences")
    add_inference(command)


def _add_apply(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "apply",
        summary="write a table with the dtypes of its types",
        description="Write a table with ordinal columns as ordered dictionaries and categorical "
        "ones as unordered. Parquet keeps them; SPSS keeps labels and the measure of each column, "
        "Stata the labels; CSV, JSON lines and Excel keep the values.",
    )
    add_reading(command)
    command.add_argument(
        "--types", metavar="FILE", required=True, help="JSON of `autotype infer --json`"
    )
    add_output(
        command,
        "Parquet, SPSS (.sav), Stata (.dta), CSV, JSON lines or Excel, by the ending of its name; "
        "- prints CSV",
    )
    command.add_argument(
        "--lossy",
        action="store_true",
        help="write SPSS or Stata without what the format cannot keep (default: fail)",
    )
    command.add_argument(
        "--escape-formulas",
        action=argparse.BooleanOptionalAction,
        help="mark strings that begin like formulas, with = + - @, as strings: in CSV by an "
        "apostrophe, in Excel without changing them (default: in Excel only)",
    )
    command.add_argument(
        "--unseen",
        choices=("keep", "raise"),
        default="keep",
        help="levels that the types do not hold: keep them with a warning, or fail (default: keep)",
    )
    command.add_argument(
        "--blank-markers",
        action="store_true",
        help="make the missing markers of all columns missing (default: only those in columns of "
        "numbers, which become numbers)",
    )


def _add_report(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "report",
        summary="write a report page of a table, or of types",
        description="Write a self-contained HTML page of the types that `autotype infer --json` "
        "wrote, or of a data file, whose types are inferred first.",
    )
    add_reading(command, file="types (.json), or a data file as for `autotype infer`")
    add_output(command, "the page; - prints it")
    add_inference(command)


def _add_review(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "review",
        summary="correct types and orders in the browser",
        description="Open the report page in the browser, from a server on this machine, and save "
        "each decision as it is made: in the file of --known, or beside FILE as FILE.known.toml. "
        "A file that is there is continued. It ends when the page is closed, or with Ctrl-C.",
    )
    add_reading(command, file="a data file as for `infer`", optional=True)
    command.add_argument("--types", metavar="FILE", help="types (.json) of `infer`, without FILE")
    command.add_argument(
        "--no-browser", action="store_true", help="print the address and open no browser"
    )
    command.add_argument(
        "--port", metavar="N", type=port, default=0, help="of the server (default: a free one)"
    )
    add_inference(command)


def _add_doctor(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    add_command(
        commands,
        "doctor",
        summary="print what is installed and what is missing",
        description="Print the versions of all packages, which extras are missing, whether the "
        "compiled modules fit, which scripts plots can draw, and one line for a report of a "
        "problem. Exit with 3 if something that every call needs is missing.",
    )


_COMMANDS = (
    _add_infer,
    _add_validate,
    _add_compare,
    _add_apply,
    _add_report,
    _add_review,
    _add_doctor,
)
