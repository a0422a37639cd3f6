"""Arguments shared by several commands."""

from __future__ import annotations

import argparse
import codecs
import csv
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

EPILOG = "Exit code: 0 success, 1 the data fails, 2 wrong use, 3 our own failure."
NO_CACHE = "off"
SEPARATOR_WORDS = ("tab", "blanks", "none")
ALL_SHEETS = "all"
_FILES = "text such as CSV, JSON, Parquet, a workbook ...; - is stdin"


def add_command(
    commands: argparse._SubParsersAction,
    name: str,
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
    command.set_defaults(command=name)
    return command


def add_reading(
    command: argparse.ArgumentParser,
    *,
    file: str = _FILES,
    metavar: str = "FILE",
    several: bool = False,
    optional: bool = False,
) -> None:
    """Declare the file to read, or several, and the options for reading it."""
    if optional:
        command.add_argument("file", metavar=metavar, nargs="?", help=file)
    elif several:
        command.add_argument("files", metavar=metavar, nargs="*", help=file)
    else:
        command.add_argument("file", metavar=metavar, help=file)
    group = command.add_argument_group("reading")
    group.add_argument(
        "--delimiter",
        metavar="C",
        type=_delimiter,
        help='separator of the fields of text; "tab", "blanks" for runs of them, or "none" for a '
        "single column (default: detected)",
    )
    group.add_argument(
        "--encoding",
        metavar="NAME",
        type=_encoding,
        help="encoding of CSV and JSON lines (default: detected)",
    )
    group.add_argument(
        "--decimal", choices=(".", ","), help="decimal sign of text (default: detected)"
    )
    group.add_argument(
        "--header",
        metavar="N,...",
        type=_header,
        help="lines, counted from 1, that name the columns; 0 for none (default: detected)",
    )
    group.add_argument(
        "--footer",
        metavar="N",
        type=_integer(least=0),
        help="lines below the data to leave out (default: detected)",
    )
    group.add_argument(
        "--ragged",
        choices=("error", "pad", "drop"),
        default="error",
        help="what to do with rows of other lengths than the header: fail where their meaning is "
        "in doubt, fill or cut them, or leave them out (default: error)",
    )
    group.add_argument(
        "--missing",
        metavar="A,B,...",
        type=comma_separated,
        default=[],
        help="strings that mean a missing value, besides the empty cell",
    )
    group.add_argument(
        "--sheet",
        metavar="NAME",
        help='sheet of a workbook; "all" with --folder: a report of each (default: the first '
        "visible one with a table)",
    )
    group.add_argument(
        "--catalog",
        metavar="FILE",
        help=".sas7bcat file with the value labels of a .sas7bdat file (default: the one of the "
        "same stem beside it)",
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
        help="columns that the file may have (default: 100000)",
    )
    group.add_argument(
        "--nrows",
        metavar="N",
        type=_integer(least=1),
        help="read the first N rows of the file only; the others are not checked (default: all)",
    )


def add_database(command: argparse.ArgumentParser) -> None:
    """Declare the tables of a database, which may stand in place of files."""
    group = command.add_argument_group("database, instead of FILE")
    group.add_argument("--url", help="of a database, such as sqlite:///file.db (through Ibis)")
    group.add_argument("--table", metavar="NAME", action="append", help="may be repeated")


def add_inference(command: argparse.ArgumentParser) -> None:
    """Declare the options of `infer_types`, and from which size on a file is not loaded."""
    group = command.add_argument_group("inference")
    group.add_argument(
        "--large",
        metavar="SIZE",
        type=_size,
        help="size from which files of text, Parquet, SPSS, Stata and SAS are not loaded but read "
        "by DuckDB or polars (default: 200M)",
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
        help="JSON or TOML file of known types: column -> a type, or its levels, lowest first; or "
        "a codebook of TypeReport.to_codebook; of --write-known, or downloaded from a report page. "
        "Its columns are not inferred; with --folder, each table takes those of its columns",
    )
    group.add_argument(
        "--scales",
        metavar="FILE",
        help="TOML or JSON file of your own scales, sets of names, ids and missing values, for all "
        "tables, as TypeReport.to_scales writes (default: the one that [tool.autotype] scales of "
        "pyproject.toml in this folder names)",
    )
    group.add_argument(
        "--codebook",
        metavar="FILE",
        help="what is written about the columns: a data dictionary (CSV, Excel, REDCap, "
        "Frictionless, DDI, LimeSurvey), or syntax of SPSS or Stata with value labels",
    )
    group.add_argument(
        "--weights",
        metavar="COLUMN",
        help="column of survey weights: proportions of levels are weighted, counts stay counts",
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
    judge = command.add_argument_group(
        "second opinion",
        "The names and levels of discrete columns, and no rows, are sent to a server. Its key is "
        "AUTOTYPE_JUDGE_KEY of the environment, or for https://api.openai.com OPENAI_API_KEY.",
    )
    judge.add_argument(
        "--judge",
        metavar="URL",
        help="base address of a server with the interface of OpenAI's chat completions, such as "
        "http://localhost:11434/v1",
    )
    judge.add_argument("--judge-model", metavar="NAME", help="the language model to ask there")
    judge.add_argument(
        "--judge-cache",
        metavar="FOLDER",
        help=f"where answers are kept, {NO_CACHE} for nowhere (default: the user's cache folder)",
    )


def add_outputs(
    command: argparse.ArgumentParser, outputs: Mapping[str, str], *, instead: str
) -> argparse._ArgumentGroup:
    """Declare the options that name the files to write, and return their group.

    Parameters
    ----------
    command : ArgumentParser
    outputs : mapping
        Option -> what is written.
    instead : str
        What is printed if none of them is standard output.
    """
    group = command.add_argument_group(f"output, - for standard output instead of {instead}")
    for option, result in outputs.items():
        group.add_argument(option, metavar="OUT", type=output_name, help=f"write {result}")
    command.set_defaults(outputs=tuple(outputs))
    return group


def add_output(command: argparse.ArgumentParser, result: str) -> None:
    """Declare the one file to write."""
    command.add_argument(
        "-o", "--output", metavar="OUT", required=True, type=output_name, help=result
    )


def add_limits(command: argparse.ArgumentParser) -> None:
    """Declare how many rows a batch has to have, and how many of them may fail."""
    command.add_argument(
        "--max-failures",
        metavar="N",
        type=failure_limit,
        default=(0.0, False),
        help="rows that may fail each check: a number, or a share such as 1%% (default: 0)",
    )
    command.add_argument(
        "--min-rows",
        metavar="N",
        type=_integer(least=0),
        default=1,
        help="rows that the file has to have (default: 1)",
    )


def comma_separated(text: str) -> list[str]:
    """Parse a list of comma-separated items; items with a comma are quoted as in CSV.

    Examples
    --------
    >>> comma_separated('size,"a,b"')
    ['size', 'a,b']
    """
    return next(csv.reader([text]), [])


def _header(text: str) -> tuple[int, ...]:
    lines = tuple(map(_integer(least=0), text.split(",")))
    if lines == (0,):
        return ()
    if 0 in lines or list(lines) != sorted(set(lines)):
        raise argparse.ArgumentTypeError(
            f"expected line numbers from 1 up in their order, or 0, got {text!r}"
        )
    return lines


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


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def port(text: str) -> int:
    """Parse the number of a port."""
    number = _integer(least=0)(text)
    if number >= 1 << 16:
        raise argparse.ArgumentTypeError(f"expected a port below 65536, got {number}")
    return number


def _seconds(text: str) -> float:
    if not 0 < (value := _number(text)) < math.inf:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return value


def share(text: str) -> float:
    """Parse a share, as a number from 0 to 1 or in percent.

    Examples
    --------
    >>> share("2.5%"), share("0.5")
    (0.025, 0.5)
    """
    value = _number(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a share such as 1% or 0.01, got {text!r}")
    return value


def failure_limit(text: str) -> tuple[float, bool]:
    """Parse a number of rows or a percentage; return it and whether it is a percentage.

    Examples
    --------
    >>> failure_limit("25"), failure_limit("1%")
    ((25, False), (0.01, True))
    """
    if text.endswith("%"):
        return share(text), True
    try:
        return _integer(least=0)(text), False
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"expected a number of rows such as 10, or a share such as 1%, got {text!r}"
        ) from None


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d{1,15})\s*([kmgt]?)(?:i?b)?", text.strip(), re.I)
    if match is None or int(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"expected a size such as 500M or 8G, got {text!r}")
    return int(match[1]) << 10 * " kmgt".index(match[2].lower() or " ")


def output_name(text: str) -> str:
    """Parse the name of an output; every name of standard output becomes "-".

    Examples
    --------
    >>> output_name("/dev/stdout"), output_name("a.json")
    ('-', 'a.json')
    """
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a file, got ''")
    # Opened again by its name, what is printed there later would overwrite it.
    return "-" if text in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1") else text


def _delimiter(text: str) -> str:
    text = {"\\t": "\t"}.get(text, text)
    if text in SEPARATOR_WORDS:
        return text
    if len(text) != 1 or text in '"\r\n' or not text.isascii():
        raise argparse.ArgumentTypeError(
            f"expected a single ASCII character, tab, blanks or none, got {text!r}"
        )
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
