"""``autotype apply FILE --types types.json -o typed.parquet``: write a table with its dtypes."""

from __future__ import annotations

import argparse
import warnings

from autotype.cli.failures import FINE, DataFailsError, WrongUseError
from autotype.cli.input import files_read, read_typed, read_types
from autotype.cli.output import check_outputs, deliver, of_table, print_note, table_format
from autotype.cli.tables import requested_table, rows_of
from autotype.errors import UnknownColumnError, UnseenLevelError
from autotype.wording import format_some


def apply(options: argparse.Namespace) -> int:
    """Write the typed table."""
    table = requested_table(options)
    inputs = {"FILE": table.path} | files_read(options)
    check_outputs({"--output": options.output}, inputs=inputs, formats={"--output": table_format})
    if options.escape_formulas and table_format(options.output) not in ("csv", "excel"):
        raise WrongUseError(f"--escape-formulas is for CSV and Excel, not for {options.output}")
    if options.lossy and table_format(options.output) != "labelled":
        raise WrongUseError(f"--lossy is for SPSS and Stata, not for {options.output}")
    types = read_types(options.types)
    if table.path is None:
        with table.open(options) as opened:
            frame, codebook = rows_of(opened), None
    else:
        read = read_typed(table.path, options, types, output=options.output)
        frame, codebook = read.frame, read.codebook
    from autotype.inference.frames.apply_types import apply_types

    try:
        typed = apply_types(
            frame, types, unseen=options.unseen, blank_markers=options.blank_markers
        )
    except UnseenLevelError as problem:
        remedy = "correct them, infer the types of this file, or pass --unseen keep"
        raise DataFailsError(f"{table.label}: {problem.finding}; {remedy}") from problem
    except (UnknownColumnError, ValueError) as problem:
        raise DataFailsError(f"{table.label}: {problem}") from problem
    absent = [column.name for column in types.columns if column.name not in frame.columns]
    if absent:
        warnings.warn(
            f"{table.label}: lacks {format_some(absent)}, which the types hold", stacklevel=2
        )
    way = of_table(
        lambda: typed, types, codebook=codebook, lossy=options.lossy, escape=options.escape_formulas
    )
    deliver((options.output, way))
    n_cast = sum(a != b for a, b in zip(typed.dtypes, frame.dtypes, strict=True))
    print_note(f"{len(typed):,} rows, {n_cast} of {typed.shape[1]} columns typed", options)
    return FINE
