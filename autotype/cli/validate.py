"""``autotype validate FILE --schema schema.yaml``: check a batch against its schema."""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

import autotype
from autotype.cli.arguments import add_command, add_reading
from autotype.cli.failures import DATA_FAILS, FINE
from autotype.cli.input import number_columns, read_argument, read_frame, text_columns
from autotype.cli.output import print_text
from autotype.wording import format_count

_MAX_LISTED = 5


def add_validate(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "validate",
        validate,
        summary="check a file against a schema",
        description="Print one line for each failure of a file against a schema: column, level, "
        "row (the first is 0) and what was expected. Exit with 1 if there is any.",
    )
    add_reading(command)
    command.add_argument(
        "--schema", metavar="FILE", required=True, help="YAML of `autotype infer --schema`"
    )


def validate(options: argparse.Namespace) -> int:
    """Print the failures of a batch."""
    schema = read_argument("--schema", options.schema, autotype.read_schema)
    problems, n_rows = _problems(schema, options)
    if not options.quiet:
        success = f"{options.file}: {format_count(n_rows, 'row')} fit the schema {options.schema}"
        print_text("\n".join(problems) if problems else success)
    return DATA_FAILS if problems else FINE


def _problems(schema: Any, options: argparse.Namespace) -> tuple[list[str], int]:
    """List the failures of the batch, and count its rows."""
    from autotype.errors import BatchError

    types = autotype.TypeReport.from_schema(schema)
    numeric = [name for name, column in schema.columns.items() if _is_numeric(column.dtype)]
    frame = read_frame(
        options, texts=text_columns(types), numbers=[*number_columns(types), *numeric]
    )
    problems = []
    for name in numeric:
        if name in frame.columns and not pd.api.types.is_numeric_dtype(frame[name]):
            problems += _not_numbers(frame[name])
            frame = frame.copy(deep=False)  # no keyword arguments: a column may be called "self"
            frame[name] = pd.to_numeric(frame[name], errors="coerce")
            schema = schema.update_column(name, nullable=True, dtype=None)  # already reported
    try:
        autotype.validate(frame, schema)
    except BatchError as failures:
        problems += [problem.splitlines()[0] for problem in failures.problems]
    return problems, len(frame)


def _is_numeric(dtype: Any) -> bool:
    plain = getattr(dtype, "type", None)
    types = pd.api.types
    return plain is not None and types.is_numeric_dtype(plain) and not types.is_bool_dtype(plain)


def _not_numbers(values: pd.Series) -> list[str]:
    """List the cells of a numeric column that are not numbers."""
    wrong = values[values.notna() & pd.to_numeric(values, errors="coerce").isna()]
    if wrong.empty:
        return []
    listed = ", ".join(f"{cell!r} at row {row}" for row, cell in wrong.head(_MAX_LISTED).items())
    more = f" and {len(wrong) - _MAX_LISTED} more" if len(wrong) > _MAX_LISTED else ""
    return [
        f"column {values.name!r} holds {listed}{more}, where numbers are expected; correct them"
    ]
