"""Observe the columns that a schema is made of: from their rows, or from an engine's counts.

A large table stays in its engine, which counts levels, missing and repeated values, and finds the
extremes of numbers. Some drawn rows show the rest: how strings are written, and how frequent the
most frequent value is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.inference.frames.apply_types import cast_levels, match_columns
from autotype.inference.frames.as_pandas import as_pandas
from autotype.inference.frames.engines.engine import Engine
from autotype.inference.frames.open_frame import engine_of, is_small
from autotype.schema.batches.engine_batch import MAX_LEVELS, draw, with_missing
from autotype.schema.checks.column_views import Observed, Witnesses
from autotype.types.column_mapping import match_by_name
from autotype.types.column_type import DISCRETE, NUMBERS, ColumnType

if TYPE_CHECKING:
    from autotype.types.column_types import ColumnTypes

_DRAWN = 10_000  # rows
_COUNTED = {*DISCRETE, "constant"}


def observe(frame: Any, types: ColumnTypes, **allowed: Any) -> Iterator[tuple[pd.Series, Observed]]:
    """Yield the columns of a frame that have a type, before and after it is applied.

    Parameters
    ----------
    frame : frame
        Of any library, lazy ones included.
    types : ColumnTypes
    **allowed
        How much later batches may differ, as of `Observed`.
    """
    engine = engine_of(frame)
    if engine is not None and not is_small(engine):
        for values, column, held in _by_engine(engine, types):
            typed = cast_levels(values.to_frame(), [column], unseen="raise").iloc[:, 0]
            yield values, Observed(typed, column, held=held, **allowed)
        return
    rows = as_pandas(frame if engine is None else engine.collect(), "to_schema")
    typed = cast_levels(rows, types.columns, unseen="raise")
    for j, (values, stated) in enumerate(match_columns(typed, types)):
        if stated is not None:
            yield rows.iloc[:, j], Observed(values, stated, **allowed)


def _by_engine(
    engine: Engine, types: ColumnTypes
) -> Iterator[tuple[pd.Series, ColumnType, Witnesses]]:
    """Yield values of each column that has a type, and what the engine has counted of it."""
    n_all, summaries = engine.summarise()
    drawn = draw(engine, _DRAWN, n_all)
    matches, _ = match_by_name(engine.names, types.columns)
    columns = {j: column for j, column in enumerate(matches) if column is not None}
    counted = [
        j
        for j, column in columns.items()
        if column.semantic_type in _COUNTED and 0 < summaries[j].n_distinct <= MAX_LEVELS
    ]
    levels = dict(zip(counted, engine.count_levels(counted), strict=True))
    numbers = [
        j
        for j, column in columns.items()
        if column.semantic_type in NUMBERS and pd.api.types.is_numeric_dtype(drawn[j].dtype)
    ]
    extremes = dict(zip(numbers, engine.ranges(numbers), strict=True))
    for j, column in columns.items():
        n_missing = summaries[j].n_missing
        n_present = n_all - n_missing
        n_distinct = len(levels[j]) if j in levels else summaries[j].n_distinct
        if column.semantic_type == "identifier" and summaries[j].hashable:
            n_distinct = n_present - bool(engine.repeated(j, 1))
        counts = levels.get(j, {})
        seen = [] if counts else drawn[j].dropna().astype(object).tolist()
        seen += [value for value in extremes.get(j, ()) if not pd.isna(value)]
        values = with_missing([*counts, *seen], drawn[j].dtype, min(n_missing, 1))
        n_rows = [*counts.values(), *(0 for _ in seen), *([n_missing] if n_missing else [])]
        held = Witnesses(values, n_rows, n_distinct=n_distinct, n_present=n_present)
        yield values.rename(engine.names[j]), column, held
