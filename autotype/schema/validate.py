"""Validate a batch of any library against a schema."""

from __future__ import annotations

from typing import Any

import pandas as pd
from pandera.pandas import DataFrameModel, DataFrameSchema

from autotype.inference.frames.as_pandas import as_pandas, engine_of, is_small, library_of
from autotype.inference.frames.casts import cast_native, castable_library
from autotype.schema.batches.engine_batch import check_by_engine
from autotype.schema.batches.pandas_batch import cast_batch, check_batch, expand_rules, plain_values
from autotype.schema.checks.table import register_checks
from autotype.schema.levels import as_schema, levels_of, restore_levels


def validate(
    frame: Any, schema: DataFrameSchema | type[DataFrameModel], *, lazy: bool = True
) -> Any:
    """Cast a batch to the schema's levels and validate it with pandera.

    Parameters
    ----------
    frame : frame
        The batch, of any library that `autotype.infer_types` takes. It is not changed.
    schema : pandera DataFrameSchema or DataFrameModel
        From `to_schema` or `read_schema`, or any other of ``pandera.pandas``.
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
        If the schema requires of a frame of another library what only pandas can do, such as its
        parsers, or of a table that stays in its engine what counts cannot decide, such as a check
        of your own.

    Notes
    -----
    Values that state no order are cast: strings and numbers, as in a CSV file, to the schema's
    categories, integers to floats, and strings of dates to dates. A level that the schema does
    not hold stays, so that it fails under its own name rather than becoming missing. A Categorical
    states its levels and their order, and fails if these differ from the schema's. The exception
    is an unordered one in a column that was an unordered one when the schema was made: it is cast
    as plain values are, without its unused categories.

    In other libraries the verdict is that of the same rows in pandas. A polars Categorical, an
    Arrow dictionary without order, and an ENUM of DuckDB are stored strings, and are cast as plain
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
    register_checks()
    schema = restore_levels(as_schema(schema))
    if isinstance(frame, pd.DataFrame):
        return check_batch(cast_batch(frame, schema), schema, lazy=lazy)
    return _validate_native(frame, schema, lazy=lazy)


def _validate_native(frame: Any, schema: DataFrameSchema, *, lazy: bool) -> Any:
    """Validate a batch of another library than pandas: its rows, or the counts of its engine."""
    castable_library(frame)
    _refuse_changes(schema)
    engine = engine_of(frame)
    # The levels of a Categorical of Dask are as binding as those of pandas.
    states_levels = library_of(frame) == "dask"
    if engine is not None and not is_small(engine):
        check_by_engine(engine, schema, states_levels=states_levels, lazy=lazy)
        names = list(engine.names)
    else:
        batch = as_pandas(frame if engine is None else engine.collect(), "validate")
        if not states_levels:
            batch = batch.apply(plain_values)
        check_batch(cast_batch(batch, schema), schema, lazy=lazy)
        names = list(batch.columns)
    if library_of(frame) == "pyarrow" and engine is not None:  # a Dataset, which cannot be cast
        return frame
    rules = expand_rules(pd.DataFrame(columns=pd.Index(names, dtype=object)), schema)
    if schema.strict == "filter":
        import narwhals as nw

        frame = nw.from_native(frame).select([n for n in names if n in rules]).to_native()
    stated = {name: levels_of(rules[name]) for name in names if name in rules}
    return cast_native(frame, {name: of for name, of in stated.items() if of is not None})


def _refuse_changes(schema: DataFrameSchema) -> None:
    """Refuse a schema that changes a batch in ways that only pandas knows."""
    changes = {
        "parsers": schema.parsers or any(rule.parsers for rule in schema.columns.values()),
        "add_missing_columns": schema.add_missing_columns,
        "drop_invalid_rows": schema.drop_invalid_rows,
    }
    found = [name for name, stated in changes.items() if stated]
    if found:
        raise ValueError(
            f"the schema changes the batch ({', '.join(found)}), which is done to frames of pandas "
            "only; convert the batch to pandas, or leave that out of the schema"
        )
