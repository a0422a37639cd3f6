"""Check a batch of another library than pandas: its rows, or the counts of its engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.fitting.casts import castable_library
from autotype.inference.frames.as_pandas import as_pandas, library_of
from autotype.inference.frames.open_frame import engine_of, is_small
from autotype.schema.batches.engine_batch import check_by_engine
from autotype.schema.batches.pandas_batch import cast_batch, check_batch, expand_rules, plain_values
from autotype.schema.checks.level_checks import ORDINAL
from autotype.schema.checks.rule_levels import level_statistics, levels_of
from autotype.types.level_set import LevelSet

if TYPE_CHECKING:
    from pandera.pandas import Column, DataFrameSchema


def check_native(frame: Any, schema: DataFrameSchema, *, lazy: bool) -> list[str]:
    """Check a batch; see `autotype.validate`.

    Parameters
    ----------
    frame : frame
        Of another library than pandas.
    schema : pandera.pandas.DataFrameSchema
        Whose dtypes hold the levels of its checks.
    lazy : bool
        Whether to collect all failures before raising.

    Returns
    -------
    list of str
        The frame's columns.

    Raises
    ------
    BatchError, SchemaError, TypeError, ValueError
        As of `autotype.validate`.
    """
    castable_library(frame)
    _refuse_changes(schema)
    engine = engine_of(frame)
    # The levels of a Categorical of Dask are as binding as those of pandas.
    states_levels = library_of(frame) == "dask"
    if engine is not None and not is_small(engine):
        check_by_engine(engine, schema, states_levels=states_levels, lazy=lazy)
        return list(engine.names)
    batch = as_pandas(frame if engine is None else engine.collect(), "validate")
    if not states_levels:
        batch = batch.apply(plain_values)
    check_batch(cast_batch(batch, schema), schema, lazy=lazy)
    return list(batch.columns)


def levels_to_cast(names: Sequence[str], schema: DataFrameSchema) -> dict[str, LevelSet]:
    """Return the levels of the columns for which a schema states some."""
    rules = expand_rules(pd.DataFrame(columns=pd.Index(names, dtype=object)), schema)
    levels = {}
    for name in names:
        stated = levels_of(rules[name]) if name in rules else None
        if stated is not None:
            n = _n_off_scale(rules[name])
            levels[name] = LevelSet(tuple(stated[0][n:]), tuple(stated[0][:n]), ordered=stated[1])
    return levels


def without_others(frame: Any, names: Sequence[str], schema: DataFrameSchema) -> Any:
    """Return a frame without the columns that a schema with ``strict="filter"`` removes."""
    if schema.strict != "filter":
        return frame
    import narwhals as nw

    rules = expand_rules(pd.DataFrame(columns=pd.Index(names, dtype=object)), schema)
    return nw.from_native(frame).select([name for name in names if name in rules]).to_native()


def is_dataset(frame: Any) -> bool:
    """Check whether a frame is an Arrow Dataset, whose columns cannot be cast."""
    return library_of(frame) == "pyarrow" and engine_of(frame) is not None


def _n_off_scale(rule: Column) -> int:
    for check, statistics in level_statistics(rule):
        if check == ORDINAL:
            return len(statistics["off_scale"])
    return 0


def _refuse_changes(schema: DataFrameSchema) -> None:
    """Refuse a schema that changes a batch in ways that only pandas knows."""
    demands = {
        "parsers": schema.parsers or any(rule.parsers for rule in schema.columns.values()),
        "add_missing_columns": schema.add_missing_columns,
        "drop_invalid_rows": schema.drop_invalid_rows,
    }
    found = [name for name, demanded in demands.items() if demanded]
    if found:
        raise ValueError(
            f"the schema changes the batch ({', '.join(found)}), which is done to frames of pandas "
            "only; convert the batch to pandas, or leave that out of the schema"
        )
