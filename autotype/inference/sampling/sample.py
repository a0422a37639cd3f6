"""Count the levels of every column over the whole frame, and sample rows for the models.

In memory, pandas' own `factorize` counts every column, whatever its length; only a column of many
numbers is sorted instead, since a hash table of all its values takes several times its memory. Rows
are drawn by a hash of their content.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.column import Column, FrameSample, as_objects
from autotype.inference.frames.as_pandas import open_frame
from autotype.inference.frames.columns import Columns
from autotype.inference.frames.engines.engine import Engine
from autotype.inference.sampling.engine_sample import sample_by_engine
from autotype.inference.sampling.row_priority import (
    default_max_rows,
    enough_rows,
    first_rows,
    hash_cells,
    row_keys,
)
from autotype.inference.sampling.stray_texts import (
    MAX_LISTED,
    are_readable,
    by_frequency,
    code_of,
    codes_among,
    stray_values,
)
from autotype.types.levels import factorize


def sample_frame(
    frame: Any, *, max_levels: int, seed: int, max_rows: int | None = None
) -> FrameSample:
    """Count the levels of every column and draw a sample of rows.

    Parameters
    ----------
    frame : frame
        Any frame that `open_frame` reads; it is not changed. Column names may repeat.
    max_levels : int
        Columns with more levels are counted, but their levels are not listed.
    seed : int
        The sample's seed.
    max_rows : int, optional
        Rows of the sample, before rare levels are topped up; `default_max_rows` of the frame's rows
        if it is left out.

    Returns
    -------
    FrameSample
        Of a frame in memory, rows are drawn by a hash of their content; of a large table that an
        engine holds, by their number.

    Raises
    ------
    TypeError
        If `frame` is no frame.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"size": ["S", "M", None, "S"]})
    >>> column = sample_frame(frame, max_rows=100, max_levels=20, seed=0).columns[0]
    >>> dict(column.levels), column.n_missing
    ({'S': 2, 'M': 1}, 1)
    """
    opened = open_frame(frame)
    if isinstance(opened, Engine):
        return sample_by_engine(opened, max_rows=max_rows, max_levels=max_levels, seed=seed)
    most = default_max_rows(opened.n_rows) if max_rows is None else max_rows
    return _sample_in_memory(opened, max_rows=most, max_levels=max_levels, seed=seed)


_HEAD = 10_000
_MAX_LONE = 4  # strings of one row whose rows are in the sample; a column with more has many such
_MAX_WRITTEN = (
    200  # distinct values that must have a string: Python writes no number of 5,000 digits
)


def _sample_in_memory(frame: Columns, *, max_levels: int, seed: int, max_rows: int) -> FrameSample:
    """Count the columns of a frame in memory, and draw rows by their content."""
    n_rows = frame.n_rows
    keys = np.zeros(n_rows, dtype=np.uint64)
    columns: list[Column] = []
    coded: list[np.ndarray] = []  # a code for each row of the frame, in as few bytes as it needs
    lone_rows: list[np.ndarray] = []
    for position, name in enumerate(frame.names):
        column, values = Column(name, position, n_rows), frame.column(position)
        codes, tokens, of_codes = _count(column, values, max_levels, lone_rows)
        if n_rows > max_rows:
            keys += hash_cells(tokens, codes if of_codes else None, seed=seed)
            column.__dict__.pop("coded", None)  # which are those of all rows
        else:
            column.values = values
        if column.levels is None:
            codes = np.minimum(codes, 0)
        columns.append(column)
        coded.append(codes.astype(np.min_scalar_type(-len(column.levels or ()) - 1), copy=False))
    if n_rows <= max_rows:
        for column, codes in zip(columns, coded, strict=True):
            column.rows = np.flatnonzero(codes >= 0)
        return FrameSample(columns, frame.names, n_rows, "")
    pairs = zip(columns, coded, strict=True)
    keys = row_keys(keys, (codes for column, codes in pairs if _has_ties(column)))
    base = first_rows(keys, max_rows)
    rows = [enough_rows(codes, base, keys) for codes in coded]
    kept = np.unique(np.concatenate([base, *rows, *lone_rows]))
    for column, values, own in zip(columns, frame.take(kept), rows, strict=True):
        column.values, column.rows = values, np.searchsorted(kept, own)
    origin = (
        f"{len(base):,} of {n_rows:,} rows were drawn by a hash of their content (seed {seed}), "
        "and more of the levels rare among them."
    )
    return FrameSample(columns, frame.names, n_rows, origin)


def rows_by_content(
    frame: Columns, positions: Iterable[int], count: int, *, max_levels: int, seed: int
) -> np.ndarray:
    """Return the positions, ascending, of rows that are drawn by a hash of some columns."""
    if frame.n_rows <= count:
        return np.arange(frame.n_rows)
    keys, ties = np.zeros(frame.n_rows, dtype=np.uint64), []
    for position in positions:
        column = Column(frame.names[position], position, frame.n_rows)
        codes, tokens, of_codes = _count(column, frame.column(position), max_levels, [])
        keys += hash_cells(tokens, codes if of_codes else None, seed=seed)
        if _has_ties(column):
            ties.append(codes)
    return first_rows(row_keys(keys, ties), count)


def _count(
    column: Column, values: pd.Series, max_levels: int, lone_rows: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, bool]:
    """Count missing values and levels of a column.

    Returns
    -------
    codes : ndarray of int, shape (n_rows,)
        Positions in the levels, where they are listed for a search; -1 where missing.
    tokens : ndarray
        As of `hash_cells`.
    of_codes : bool
        Whether there is a token for each code, and not for each row.

    Notes
    -----
    `lone_rows` receives the rows that hold a level of their own in a column with more levels than
    are searched; such rows may be no data, see `autotype.inference.profile.data_warnings`.
    """
    missing = values.isna().to_numpy(dtype=bool)
    column.n_missing = int(missing.sum())
    if missing.all():
        values = pd.Series(np.full(len(values), np.nan))  # pandas 2 counts None of Arrow's null
    try:
        if _holds_many_numbers(values, max_levels):
            numbers = np.sort(values.to_numpy()[~missing])
            column.n_distinct = 1 + int(np.count_nonzero(numbers[1:] != numbers[:-1]))
            column.odd = codes_among(numbers)
            return -missing.astype(np.int8), values.to_numpy(), False
        codes, uniques = factorize(values)
        if values.dtype == object:
            _ = [str(value) for value in uniques[:_MAX_WRITTEN]]
    except Exception:  # no hash or no text: Arrow and a cell's own methods may raise anything
        column.hashable = False
        return -missing.astype(np.int8), missing.astype(np.float64), False
    column.n_distinct = len(uniques)
    counts = np.bincount(codes[~missing], minlength=len(uniques))
    ordered = isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered
    if len(uniques) <= max_levels or ordered:
        plain = as_objects(uniques)
        column.coded = codes, plain
        by_count = sorted(range(len(plain)), key=lambda k: (-counts[k], str(plain[k])))
        column.levels = {plain[k]: int(counts[k]) for k in by_count}
        rank = np.empty(len(plain) + 1, dtype=np.min_scalar_type(-len(plain) - 1))
        rank[by_count] = np.arange(len(plain))
        rank[-1] = -1
        return rank[codes], np.append(counts[by_count], -1.0), True
    index = pd.Index(uniques, dtype=uniques.dtype)  # pandas finds none for half a surrogate pair
    if are_readable(plain := as_objects(uniques[: MAX_LISTED + 1])):
        column.listed = by_frequency(zip(plain, counts.tolist(), strict=True))
    else:
        column.odd = stray_values(index, counts)
    levels = column.listed or column.odd
    lone = [v for v, n in levels.items() if n == 1 and isinstance(v, str) and code_of(v) is None]
    if 1 <= len(lone) <= _MAX_LONE:
        lone_rows.append(np.flatnonzero(np.asarray(index.isin(lone))[codes] & ~missing))
    types = pd.api.types
    if types.is_numeric_dtype(values.dtype) and not types.is_complex_dtype(values.dtype):
        return codes, values.to_numpy(dtype=np.float64, na_value=np.nan), False
    try:
        hashed = pd.util.hash_array(np.asarray(pd.Index(uniques).astype(str), dtype=object))
    except (TypeError, ValueError):
        hashed = counts
    return codes, np.append(hashed.astype(np.float64), -1.0), True


def _holds_many_numbers(values: pd.Series, max_levels: int) -> bool:
    """Check for plain numbers of which the first rows hold more than are listed."""
    is_plain = isinstance(values.dtype, np.dtype) and values.dtype.kind in "iuf"
    if not is_plain:
        return False
    distinct = np.unique(values.to_numpy()[:_HEAD])
    return int(np.count_nonzero(distinct == distinct)) > max(max_levels, MAX_LISTED)  # no NaN


def _has_ties(column: Column) -> bool:
    """Return whether two levels have the same count."""
    return column.levels is not None and len(set(column.levels.values())) < len(column.levels)
