"""Arguments shared by several commands."""

from __future__ import annotations

import argparse
import codecs
import csv
import math
import re
from collections.abc import Callable
from typing import Any

from autotype.cli.judge import add_judge
from autotype.files.large_file import LARGE
from autotype.files.limits import MAX_COLUMNS

EPILOG = "Exit code: 0 success, 1 the data fails, 2 wrong use, 3 our own failure."
_FILES = "CSV (.csv, .tsv, .csv.gz), JSON lines (.jsonl), Parquet or Excel (.xlsx); - is stdin"


def add_command(
    commands: argparse._SubParsersAction,
    name: str,
    run: Callable[[argparse.Namespace], int],
    *,
    summary: str,
    description: str,
) -> argparse.ArgumentParser:
    """Declare a command with the arguments common to all."""
    command = commands.add_parser(
        name, help=summary, description=description, epilog=EPILOG, allow_abbrev=False
    )
    command.add_argument(
        "--quiet", action="store_true", help="print no results, warnings or progress"
    )
    command.add_argument("--debug", action="store_true", help="print the traceback of an error")
    command.set_defaults(run=run)
    return command


def add_reading(
    command: argparse.ArgumentParser, *, file: str = _FILES, several: bool = False
) -> None:
    """Declare the file to read, or several, and the options for reading it."""
    if several:
        command.add_argument("files", metavar="FILE", nargs="*", help=file)
    else:
        command.add_argument("file", metavar="FILE", help=file)
    group = command.add_argument_group("reading")
    group.add_argument(
        "--delimiter",
        metavar="C",
        type=_delimiter,
        help='field separator of CSV; "tab" for tabs (default: detected)',
    )
    group.add_argument(
        "--encoding",
        metavar="NAME",
        type=_encoding,
        help="encoding of CSV and JSON lines (default: detected)",
    )
    group.add_argument(
        "--missing",
        metavar="A,B,...",
        type=comma_separated,
        default=[],
        help="texts that mean a missing value, besides the empty cell",
    )
    group.add_argument(
        "--sheet", metavar="NAME", help="sheet of an Excel file (default: the first)"
    )
    group.add_argument(
        "--max-size",
        metavar="SIZE",
        type=_size,
        help="what the file may unpack to, such as 500M or 8G "
        "(default: 32M, 2G for Parquet, or 100 times the file)",
    )
    group.add_argument(
        "--max-columns",
        metavar="N",
        type=_integer(least=1),
        default=MAX_COLUMNS,
        help=f"columns that the file may have (default: {MAX_COLUMNS})",
    )
    group.add_argument(
        "--nrows",
        metavar="N",
        type=_integer(least=1),
        help="read the first N rows of the file only; the others are not checked (default: all)",
    )


def add_inference(command: argparse.ArgumentParser) -> None:
    """Declare the options of `infer_types`, and from which size on a file is not loaded."""
    group = command.add_argument_group("inference")
    group.add_argument(
        "--large",
        metavar="SIZE",
        type=_size,
        default=LARGE,
        help="size from which CSV and Parquet files are not loaded but read by DuckDB or polars "
        "(default: 200M)",
    )
    group.add_argument(
        "--columns",
        metavar="A,B,...",
        type=comma_separated,
        help="infer the types of these columns only; the others still serve as predictors",
    )
    group.add_argument(
        "--known",
        metavar="FILE",
        help="JSON or TOML file of known types: column -> a type, or its levels, lowest first; "
        "of --write-known, or downloaded from a report page. Its columns are not inferred",
    )
    group.add_argument(
        "--no-values",
        action="store_true",
        help="leave values of columns that are not discrete out of all outputs",
    )
    group.add_argument(
        "--max-levels",
        metavar="N",
        type=_integer(least=3),
        default=20,
        help="maximal number of levels for an order to be searched (default: 20)",
    )
    group.add_argument(
        "--max-rows",
        "--sample",
        metavar="N",
        type=_integer(least=1),
        help="maximal number of rows for the models (default: 1,000, or one in 125 of a larger "
        "table up to 8,000); levels are counted in all rows",
    )
    group.add_argument(
        "--max-seconds",
        metavar="N",
        type=_seconds,
        help="time limit of a table, after which only labels are examined",
    )
    group.add_argument(
        "--n-jobs",
        "--jobs",
        metavar="N",
        type=_integer(least=-1),
        help="columns processed in parallel; -1 uses all cores (default: 1)",
    )
    group.add_argument(
        "--random-state",
        "--seed",
        metavar="N",
        type=_integer(least=0),
        default=0,
        help="seed of the row sample (default: 0)",
    )
    add_judge(command)


def comma_separated(text: str) -> list[str]:
    """Parse a list of comma-separated items; items with a comma are quoted as in CSV.

    Examples
    --------
    >>> comma_separated('size,"a,b"')
    ['size', 'a,b']
    """
    return next(csv.reader([text]), [])


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


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return value


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d{1,15})\s*([kmgt]?)(?:i?b)?", text.strip(), re.I)
    if match is None or int(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"expected a size such as 500M or 8G, got {text!r}")
    return int(match[1]) << 10 * " kmgt".index(match[2].lower() or " ")


def output_name(text: str) -> str:
    """Parse the name of an output; "-" is standard output, by whatever name.

    Examples
    --------
    >>> output_name("/dev/stdout"), output_name("a.json")
    ('-', 'a.json')
    """
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a file, got ''")
    # Opened anew by its name, what is printed there later would overwrite it.
    return "-" if text in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1") else text


def _delimiter(text: str) -> str:
    text = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(text) != 1 or text in '"\r\n' or not text.isascii():
        raise argparse.ArgumentTypeError(f"expected a single ASCII character or tab, got {text!r}")
    return text


def _encoding(text: str) -> Any:
    try:
        codecs.lookup(text)
        "".encode(text)
    except LookupError:
        raise argparse.ArgumentTypeError(
            f"there is no encoding {text!r}; common ones are utf-8, cp1252, latin-1, utf-16"
        ) from None
    return text
