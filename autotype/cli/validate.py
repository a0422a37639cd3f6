"""``autotype validate FILE --schema schema.yaml``: whether a batch fits its schema."""

from __future__ import annotations

import argparse

import autotype
from autotype.cli.arguments import add_command, add_reading
from autotype.cli.failures import DATA_FAILS, FINE
from autotype.cli.input import read_beside, read_frame
from autotype.cli.output import print_text


def add_validate(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "validate",
        validate,
        summary="tell where a file fails a schema",
        description="Print one line for each way in which a file fails a schema: column, level, "
        "row (the first is 0) and what was expected. Exit with 1 if there is any.",
    )
    add_reading(command)
    command.add_argument(
        "--schema", metavar="FILE", required=True, help="YAML of `autotype infer --schema`"
    )


def validate(options: argparse.Namespace) -> int:
    """Print what is wrong with a batch."""
    schema = read_beside("--schema", options.schema, autotype.read_schema)
    frame = read_frame(options, autotype.TypeReport.from_schema(schema))
    from pandera.errors import SchemaErrors

    try:
        frame.ordinal.validate(schema)
    except SchemaErrors as failures:
        if not options.quiet:
            problems: list[str] = failures.problems  # type: ignore[attr-defined]
            print_text("\n".join(problems))
        return DATA_FAILS
    if not options.quiet:
        rows = f"{len(frame):,} row" + ("" if len(frame) == 1 else "s")
        print_text(f"{options.file}: {rows} fit the schema {options.schema}")
    return FINE
