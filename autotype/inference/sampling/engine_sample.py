"""Sample a large table that stays in its engine: three passes, and a few thousand rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.frames.engine import KEY_RANGE, ColumnSummary, Engine, row_key
from autotype.inference.sampling.sampled_column import (
    MAX_LISTED,
    ROWS_PER_LEVEL,
    FrameSample,
    SampledColumn,
    are_readable,
    by_frequency,
    default_max_rows,
)

# Columns whose estimated number of levels is at most this are counted exactly.
_MAX_COUNTED = 2 * MAX_LISTED
# Estimates are a few per cent off: a column this near to one value a row is taken for unique if the
# drawn rows repeat none.
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
    summary = engine.summarise()
    n_rows, summaries = summary.n_rows, summary.columns
    max_rows = default_max_rows(n_rows) if max_rows is None else max_rows
    few = [j for j, s in enumerate(summaries) if s.hashable and s.n_distinct <= _MAX_COUNTED]
    counted = dict(zip(few, map(dict.items, engine.count_levels(few)), strict=True))
    levels = {
        j: by_frequency(_whole(items) if summaries[j].n_missing else items)
        for j, items in counted.items()
    }
    searched = {j: counts for j, counts in levels.items() if len(counts) <= max_levels}
    held = {j: n_rows - s.n_missing for j, s in enumerate(summaries) if j not in searched}
    drawn = engine.draw_rows(
        _threshold(max_rows, n_rows),
        rare={j: rare for j, c in searched.items() if (rare := _rare(c, max_rows, n_rows))},
        held={j: t for j, t in _rare(held, max_rows, n_rows).items() if summaries[j].hashable},
        seed=seed,
    )
    for j, counts in levels.items():
        if drawn.values[j].dtype == np.float64 and any(isinstance(level, int) for level in counts):
            drawn.values[j] = drawn.values[j].astype("Int64")
    keys = row_key(drawn.numbers, seed)
    base = np.sort(np.argsort(keys, kind="stable")[:max_rows])
    columns, kept = [], base
    for j, values in enumerate(drawn.values):
        rows = _rows_of_column(values, searched.get(j), base, keys)
        kept = np.union1d(kept, rows)
        columns.append(rows)
    sampled = tuple(
        _sampled_column(
            name,
            drawn.values[j].iloc[kept].reset_index(drop=True),
            summaries[j],
            n_rows=n_rows,
            levels=levels.get(j),
            max_levels=max_levels,
            rows=np.searchsorted(kept, columns[j]),
        )
        for j, name in enumerate(engine.names)
    )
    origin = (
        f"{len(base):,} of {n_rows:,} rows were drawn by {engine.title} by their number (seed "
        f"{seed}), and more of the levels rare among them. Numbers of distinct values above "
        f"{_MAX_COUNTED} are estimates."
    )
    return FrameSample(sampled, pd.Index(engine.names, dtype=object), n_rows, origin)


def _whole(items: Iterable[tuple[Any, int]]) -> list[tuple[Any, int]]:
    """Return whole numbers as such, as `holds_whole_numbers` has it, if all levels are."""
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


def _rows_of_column(
    values: pd.Series, levels: Mapping[Any, int] | None, base: np.ndarray, keys: np.ndarray
) -> np.ndarray:
    """Return the rows with a value in the base sample, and more of the levels rare in it."""
    missing = values.isna().to_numpy(dtype=bool)
    codes, n_levels = -missing.astype(np.intp), 1
    if levels is not None:
        codes, uniques = pd.factorize(values)
        n_levels = len(uniques)
    rows = [base[codes[base] >= 0]]
    in_base = np.bincount(codes[rows[0]], minlength=n_levels)
    for level in np.flatnonzero(in_base < ROWS_PER_LEVEL):
        holders = np.flatnonzero(codes == level)
        rows.append(holders[np.argsort(keys[holders], kind="stable")[:ROWS_PER_LEVEL]])
    return np.unique(np.concatenate(rows))


def _sampled_column(
    name: str,
    values: pd.Series,
    summary: ColumnSummary,
    *,
    n_rows: int,
    levels: Mapping[Any, int] | None,
    max_levels: int,
    rows: np.ndarray,
) -> SampledColumn:
    n_present = n_rows - summary.n_missing
    n_distinct, is_exact = summary.n_distinct, summary.is_exact
    if levels is not None:
        n_distinct, is_exact = len(levels), True
    elif _may_be_unique(summary, n_present) and values.dropna().is_unique:
        n_distinct = n_present
    ordered = isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered
    searched = levels is not None and (n_distinct <= max_levels or ordered)
    listed = levels if not searched and levels and are_readable(list(levels)) else None
    return SampledColumn(
        name=name,
        values=values,
        n_rows=n_rows,
        n_missing=summary.n_missing,
        n_distinct=n_distinct,
        levels=levels if searched else None,
        hashable=summary.hashable,
        rows=rows,
        listed=listed,
        is_exact=is_exact,
    )


def _may_be_unique(summary: ColumnSummary, n_present: int) -> bool:
    """Check whether an estimate is near to one value a row."""
    inexact = summary.hashable and not summary.is_exact
    return inexact and summary.n_distinct >= _UNIQUE_SHARE * n_present
