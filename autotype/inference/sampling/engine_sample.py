"""Sample a large table that stays in its engine: three passes, and a few thousand rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.column import Column, FrameSample
from autotype.inference.frames.engines.engine import KEY_RANGE, ColumnSummary, Engine, row_key
from autotype.inference.sampling.row_priority import (
    ROWS_PER_LEVEL,
    default_max_rows,
    enough_rows,
    first_rows,
)
from autotype.inference.sampling.stray_texts import (
    MAX_LISTED,
    are_readable,
    by_frequency,
    code_of,
    stray_values,
)

# Columns whose estimated number of levels is at most this are counted exactly.
_MAX_COUNTED = 2 * MAX_LISTED
# Estimates are a few per cent off: a column this near to one value per row is taken for unique if
# the drawn rows repeat none.
_UNIQUE_SHARE = 0.9
# Standard deviations of the number of drawn rows by which more are asked for than are needed.
_SPARE = 6.0


def sample_by_engine(
    engine: Engine, *, max_levels: int, seed: int, max_rows: int | None = None
) -> FrameSample:
    """Have an engine count the columns of a table and draw a sample of rows.

    Parameters
    ----------
    engine : Engine
        Holds the table.
    max_levels, seed, max_rows
        As of `sample_frame`.

    Returns
    -------
    FrameSample
        Missing values and levels are counted exactly. Numbers of distinct values above 200 are the
        engine's estimate.
    """
    n_rows, summaries = engine.summarise()
    max_rows = default_max_rows(n_rows) if max_rows is None else max_rows
    few = [j for j, s in enumerate(summaries) if s.hashable and s.n_distinct <= _MAX_COUNTED]
    counted = dict(zip(few, map(dict.items, engine.count_levels(few)), strict=True))
    levels = {
        j: by_frequency(_whole(items) if summaries[j].n_missing else items)
        for j, items in counted.items()
    }
    searched = {j: counts for j, counts in levels.items() if len(counts) <= max_levels}
    held = {j: n_rows - s.n_missing for j, s in enumerate(summaries) if j not in searched}
    drawn, numbers = engine.draw_rows(
        _threshold(max_rows, n_rows),
        rare={j: rare for j, c in searched.items() if (rare := _rare(c, max_rows, n_rows))},
        held={j: t for j, t in _rare(held, max_rows, n_rows).items() if summaries[j].hashable},
        seed=seed,
    )
    for j, counts in levels.items():
        if drawn[j].dtype == np.float64 and any(isinstance(level, int) for level in counts):
            drawn[j] = drawn[j].astype("Int64")
    keys = row_key(numbers, seed)
    base = first_rows(keys, max_rows)
    rows = [
        enough_rows(_codes(values, is_searched=j in searched), base, keys)
        for j, values in enumerate(drawn)
    ]
    kept = np.unique(np.concatenate([base, *rows]))
    columns = []
    for j, name in enumerate(engine.names):
        column = Column(name, j, n_rows, summaries[j].n_missing, hashable=summaries[j].hashable)
        column.values = drawn[j].iloc[kept].reset_index(drop=True)
        column.rows = np.searchsorted(kept, rows[j])
        _set_levels(column, summaries[j], levels.get(j), max_levels)
        columns.append(column)
    _set_odd(engine, columns, levels)
    origin = (
        f"{len(base):,} of {n_rows:,} rows were drawn by {engine.title} by their number (seed "
        f"{seed}), and more of the levels rare among them. Numbers of distinct values above "
        f"{_MAX_COUNTED} are estimates."
    )
    return FrameSample(columns, pd.Index(engine.names, dtype=object), n_rows, origin)


def _whole(items: Iterable[tuple[Any, int]]) -> list[tuple[Any, int]]:
    """Return integers as such, as `holds_whole_numbers` has it, if all levels are."""
    items = list(items)
    if all(isinstance(level, float) and level.is_integer() for level, _ in items):
        return [(int(level), count) for level, count in items]
    return items


def _threshold(wanted: int, among: int) -> int:
    """Return the key below which enough rows are, but with negligible probability."""
    asked = wanted + _SPARE * np.sqrt(wanted) + _SPARE**2
    return KEY_RANGE if asked >= among else int(np.ceil(asked / among * KEY_RANGE))


def _rare(counts: Mapping[Any, int], max_rows: int, n_rows: int) -> dict[Any, int]:
    """Return higher thresholds for the values that a sample may hold too few rows of."""
    base = _threshold(max_rows, n_rows)
    thresholds = {value: _threshold(ROWS_PER_LEVEL, n) for value, n in counts.items() if n}
    return {value: threshold for value, threshold in thresholds.items() if threshold > base}


def _codes(values: pd.Series, *, is_searched: bool) -> np.ndarray:
    """Return a code for each level, or 0 for any value; -1 where missing."""
    return pd.factorize(values)[0] if is_searched else -values.isna().to_numpy(dtype=np.intp)


def _set_levels(
    column: Column, summary: ColumnSummary, levels: dict[Any, int] | None, max_levels: int
) -> None:
    """Set the number of distinct values of a sampled column, and its levels where they are few."""
    column.n_distinct, column.is_exact = summary.n_distinct, summary.is_exact
    if levels is None:
        is_estimate = summary.hashable and not summary.is_exact
        may_be_unique = is_estimate and summary.n_distinct >= _UNIQUE_SHARE * column.n_present
        if may_be_unique and column.values.dropna().is_unique:
            column.n_distinct = column.n_present
        return
    column.n_distinct, column.is_exact = len(levels), True
    if len(levels) <= max_levels or column.is_ordered_dtype:
        column.levels = levels
    elif are_readable(list(levels)):
        column.listed = levels


def _set_odd(
    engine: Engine, columns: Sequence[Column], levels: Mapping[int, Mapping[Any, int]]
) -> None:
    """Set the values that stand out in columns without listed levels, with their counts.

    Those of the drawn rows decide which columns have some; the engine counts these.
    """
    wanted: dict[int, list[Any]] = {}
    for column in columns:
        if column.known_levels or not column.hashable or not column.n_distinct:
            continue
        if (counted := levels.get(column.position)) is not None:
            column.odd = stray_values(_index(counted), np.array([*counted.values()]))
            continue
        distinct = _index(column.values.dropna().unique())
        stray = stray_values(distinct, np.ones(len(distinct), dtype=np.intp))
        if not pd.api.types.is_any_real_numeric_dtype(distinct.dtype):
            if not all(code_of(value) is not None for value in stray):
                wanted[column.position] = list(stray)
        elif {distinct.min(), distinct.max()} & stray.keys():
            wanted[column.position] = list(stray)
    for j, counts in zip(wanted, engine.count_some(wanted), strict=True):
        columns[j].odd = by_frequency(counts.items())


def _index(levels: Iterable[Any]) -> pd.Index:
    """Return levels as an index of numbers, or of objects."""
    return pd.Index(pd.Series(list(levels), dtype=object).infer_objects(), tupleize_cols=False)
