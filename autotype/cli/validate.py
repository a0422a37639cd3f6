"""``autotype validate FILE --schema schema.yaml``: whether a batch fits its schema."""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

import autotype
from autotype.cli.arguments import add_command, add_reading
from autotype.cli.failures import DATA_FAILS, FINE
from autotype.cli.input import number_columns, read_beside, read_frame, text_columns
from autotype.cli.output import print_text

_MOST_NAMED = 5


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
    problems, n_rows = _problems(schema, options)
    if not options.quiet:
        rows = f"{n_rows:,} row" + ("" if n_rows == 1 else "s")
        fine = f"{options.file}: {rows} fit the schema {options.schema}"
        print_text("\n".join(problems) if problems else fine)
    return DATA_FAILS if problems else FINE


def _problems(schema: Any, options: argparse.Namespace) -> tuple[list[str], int]:
    """List what is wrong with the batch, and count its rows."""
    from pandera.errors import SchemaErrors

    types = autotype.TypeReport.from_schema(schema)
    numeric = [name for name, column in schema.columns.items() if _is_numeric(column.dtype)]
    frame = read_frame(
        options, texts=text_columns(types), numbers=[*number_columns(types), *numeric]
    )
    problems = []
    for name in numeric:
        if name in frame.columns and not pd.api.types.is_numeric_dtype(frame[name]):
            problems += _not_numbers(frame[name])
            frame = frame.assign(**{name: pd.to_numeric(frame[name], errors="coerce")})
            schema = schema.update_column(name, nullable=True, dtype=None)  # told of already
    try:
        frame.ordinal.validate(schema)
    except SchemaErrors as failures:
        told: list[str] = failures.problems  # type: ignore[attr-defined]
        problems += [problem.splitlines()[0] for problem in told]
    return problems, len(frame)


def _is_numeric(dtype: Any) -> bool:
    plain = getattr(dtype, "type", None)
    types = pd.api.types
    return plain is not None and types.is_numeric_dtype(plain) and not types.is_bool_dtype(plain)


def _not_numbers(values: pd.Series) -> list[str]:
    """Name the cells of a column of numbers that are none."""
    wrong = values[values.notna() & pd.to_numeric(values, errors="coerce").isna()]
    if wrong.empty:
        return []
    named = ", ".join(f"{cell!r} at row {row}" for row, cell in wrong.head(_MOST_NAMED).items())
    more = f" and {len(wrong) - _MOST_NAMED} more" if len(wrong) > _MOST_NAMED else ""
    return [f"column {values.name!r} holds {named}{more}, where numbers are expected; correct them"]
