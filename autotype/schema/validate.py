"""Validate a batch of any library against a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.fitting.casts import cast_native
from autotype.inference.frames.as_pandas import library_of
from autotype.schema.batches.native_batch import (
    check_native,
    is_dataset,
    levels_to_cast,
    without_others,
)
from autotype.schema.batches.pandas_batch import cast_batch, check_batch
from autotype.schema.checks.registered_checks import register_checks
from autotype.schema.checks.rule_levels import as_schema, restore_levels

if TYPE_CHECKING:
    from pandera.pandas import DataFrameModel, DataFrameSchema

# Libraries whose frames pandera validates by schemas of their own.
_PANDERA = ("polars", "pyspark", "ibis")


def validate(
    frame: Any, schema: DataFrameSchema | type[DataFrameModel], *, lazy: bool = True
) -> Any:
    """Cast a batch to the schema's levels and validate it with pandera.

    Parameters
    ----------
    frame : frame
        The batch, of any library that `autotype.infer_types` takes. It is not changed.
    schema : pandera DataFrameSchema or DataFrameModel
        From `to_schema` or `read_schema`, or any other. One of ``pandera.polars``,
        ``pandera.pyspark`` or ``pandera.ibis`` is left to pandera, with its own casts and errors.
    lazy : bool
        Whether to collect all failures before raising, rather than to stop at the first.

    Returns
    -------
    frame
        Of the same kind. In pandas with the schema's dtypes; in other libraries columns with levels
        are cast as `apply_types` does, and all others stay as they are. Lazy ones stay lazy, and an
        Arrow Dataset, which cannot be cast, stays as it is.

    Raises
    ------
    pandera.errors.SchemaErrors
        With ``lazy``: as `autotype.errors.BatchError`, whose text has a line for each failure and
        whose ``failure_cases`` name column, row, level and the expected levels.
    pandera.errors.SchemaError
        Without ``lazy``: the first failure, in pandera's words.
    TypeError
        If `schema` is neither, or `frame` is no frame.
    ValueError
        If the schema demands of a frame of another library what only pandas can do, such as its
        parsers, or of a table that stays in its engine what counts cannot decide, such as a check
        of your own.

    Notes
    -----
    Values that state no order are cast: texts and numbers, as in a CSV file, to the schema's
    categories, whole numbers to floats, and texts of dates to dates. A level that the schema does
    not hold stays, so that it fails under its own name rather than becoming missing. A Categorical
    states its levels and their order, and fails if these differ from the schema's. The exception
    is an unordered one in a column that was an unordered one when the schema was made: it is cast
    as plain values are, without its unused categories.

    In other libraries the verdict is that of the same rows in pandas. A polars Categorical, an
    Arrow dictionary without order, and an ENUM of DuckDB are stored texts, and are cast as plain
    values are. Frames in memory, and lazy tables of up to 20 million cells, are converted to
    pandas and checked there. Larger tables stay in their engine, which counts levels and missing
    values, and finds extremes and repeated values; failures then name the number of rows in place
    of the row.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> day1 = pd.DataFrame({"size": ["M", "S", "L"] * 5})
    >>> schema = day1.ordinal.to_schema(day1.ordinal.infer_types())
    >>> validate(pd.DataFrame({"size": ["L", "S"]}), schema)["size"].max()
    'L'
    """
    if (library := _library_of_schema(schema)) is not None:
        if library_of(frame) != library:
            raise TypeError(
                f"the schema is one of pandera.{library}, the frame one of {library_of(frame)}; "
                "pass a schema of autotype.to_schema, which suits all frames"
            )
        return schema.validate(frame, lazy=lazy)
    register_checks()
    schema = restore_levels(as_schema(schema))
    if isinstance(frame, pd.DataFrame):
        return check_batch(cast_batch(frame, schema), schema, lazy=lazy)
    names = check_native(frame, schema, lazy=lazy)
    if is_dataset(frame):
        return frame
    return cast_native(without_others(frame, names, schema), levels_to_cast(names, schema))


def _library_of_schema(schema: Any) -> str | None:
    """Return the library of a schema that pandera has for frames other than those of pandas."""
    kind = schema if isinstance(schema, type) else type(schema)
    modules = [base.__module__ for base in kind.__mro__]
    of = (name for name in _PANDERA if any(m.startswith(f"pandera.api.{name}.") for m in modules))
    return next(of, None)
