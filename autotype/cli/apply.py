"""``autotype apply FILE --types types.json -o typed.parquet``: a table with its dtypes."""

from __future__ import annotations

import argparse
import warnings

from autotype.cli.arguments import add_command, add_reading
from autotype.cli.failures import FINE, DataFailsError, WrongUseError
from autotype.cli.input import number_columns, read_frame, read_types, text_columns
from autotype.cli.output import STANDARD_OUTPUT, check_writable, deliver, print_text
from autotype.errors import UnknownColumnError
from autotype.files.table_file import UnknownFormatError
from autotype.files.table_output import check_output_name, table_as_csv, write_table


def add_apply(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "apply",
        apply,
        summary="write a file with the dtypes that its types call for",
        description="Write a table with ordinal columns as ordered dictionaries and categorical "
        "ones as unordered. Only Parquet keeps them; CSV and JSON lines keep the values.",
    )
    add_reading(command)
    command.add_argument(
        "--types", metavar="FILE", required=True, help="JSON of `autotype infer --json`"
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="Parquet, CSV or JSON lines, by its name; - prints CSV",
    )
    command.add_argument(
        "--unseen",
        choices=("keep", "raise"),
        default="keep",
        help="levels that the types do not hold: keep them with a warning, or fail (default: keep)",
    )


def apply(options: argparse.Namespace) -> int:
    """Write the typed table."""
    check_writable([("--output", options.output)])
    try:
        check_output_name(options.output)
    except UnknownFormatError as problem:
        raise WrongUseError(f"--output {problem}") from problem
    types = read_types(options.types)
    frame = read_frame(options, texts=text_columns(types), numbers=number_columns(types))
    try:
        typed = frame.ordinal.apply_types(types, unseen=options.unseen)
    except (UnknownColumnError, ValueError) as problem:
        said = str(problem).replace("pass unseen='keep'", "give --unseen keep")
        raise DataFailsError(f"{options.file}: {said}") from problem
    absent = [column.name for column in types.columns if column.name not in frame.columns]
    if absent:
        named = ", ".join(map(repr, absent[:5])) + (" ..." if len(absent) > 5 else "")
        warnings.warn(f"{options.file}: lacks {named}, which the types hold", stacklevel=2)
    deliver(
        options.output,
        lambda: table_as_csv(typed).rstrip("\n"),
        lambda path: write_table(typed, types, path),
    )
    if not options.quiet and options.output != STANDARD_OUTPUT:
        n_cast = sum(a != b for a, b in zip(typed.dtypes, frame.dtypes, strict=True))
        print_text(
            f"{options.output}: {len(typed):,} rows, {n_cast} of {typed.shape[1]} columns typed"
        )
    return FINE
