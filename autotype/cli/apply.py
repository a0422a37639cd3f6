"""``autotype apply FILE --types types.json -o typed.parquet``: write a table with its dtypes."""

from __future__ import annotations

import argparse
import warnings

from autotype.cli.arguments import add_command, add_output, add_reading
from autotype.cli.failures import FINE, DataFailsError, WrongUseError
from autotype.cli.input import read_typed, read_types
from autotype.cli.output import check_outputs, deliver, of_table, print_note, table_format
from autotype.errors import UnknownColumnError, UnseenLevelError
from autotype.wording import format_some


def add_apply(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "apply",
        apply,
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


def apply(options: argparse.Namespace) -> int:
    """Write the typed table."""
    inputs = {"FILE": options.file, "--types": options.types}
    check_outputs({"--output": options.output}, inputs=inputs, formats={"--output": table_format})
    if options.escape_formulas and table_format(options.output) not in ("csv", "excel"):
        raise WrongUseError(f"--escape-formulas is for CSV and Excel, not for {options.output}")
    if options.lossy and table_format(options.output) != "labelled":
        raise WrongUseError(f"--lossy is for SPSS and Stata, not for {options.output}")
    types = read_types(options.types)
    read = read_typed(options, types)
    frame = read.frame
    from autotype.inference.frames.apply_types import apply_types

    try:
        typed = apply_types(
            frame, types, unseen=options.unseen, blank_markers=options.blank_markers
        )
    except UnseenLevelError as problem:
        remedy = "correct them, infer the types of this file, or pass --unseen keep"
        raise DataFailsError(f"{options.file}: {problem.finding}; {remedy}") from problem
    except (UnknownColumnError, ValueError) as problem:
        raise DataFailsError(f"{options.file}: {problem}") from problem
    absent = [column.name for column in types.columns if column.name not in frame.columns]
    if absent:
        warnings.warn(
            f"{options.file}: lacks {format_some(absent)}, which the types hold", stacklevel=2
        )
    table = of_table(
        lambda: typed,
        types,
        codebook=read.codebook,
        lossy=options.lossy,
        escape=options.escape_formulas,
    )
    deliver(table(options.output))
    n_cast = sum(a != b for a, b in zip(typed.dtypes, frame.dtypes, strict=True))
    print_note(f"{len(typed):,} rows, {n_cast} of {typed.shape[1]} columns typed", options)
    return FINE
