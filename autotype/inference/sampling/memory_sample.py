"""Count the columns of a frame in memory, and draw rows by a hash of their content."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.frames.columns import Columns
from autotype.inference.sampling.repeats import chunks, may_repeat
from autotype.inference.sampling.row_priority import RowPriority
from autotype.inference.sampling.sampled_column import (
    MAX_LISTED,
    ROWS_PER_LEVEL,
    FrameSample,
    SampledColumn,
    are_readable,
    as_objects,
    by_frequency,
    default_max_rows,
)
from autotype.inference.sampling.stray_texts import stray_texts

# A longer column of numbers that has more levels than are listed in its first rows is counted
# without a hash table, which takes several times the memory.
_LONG = 100_000
_HEAD = 10_000
_MOST_IN_PARTS = 1000  # levels of a column that is coded in parts
_WIDEST = 1 << 16  # range of whole numbers that are coded by a table
_MAX_LONE = 4  # texts of one row whose rows are in the sample; a column with more has many such
_ROWS_OF_THREADS = 20_000  # of shorter columns too little is done outside Python's lock
_ODD = np.uint64(0x9E3779B97F4A7C15)  # the leading bits of a product with it are evenly spread
# A column's numbers for `RowPriority.add`.
_Tokens = tuple[np.ndarray, np.ndarray | None]
_MAX_WRITTEN = 200  # distinct values that must have a text: Python writes no number of 5,000 digits


def sample_columns(
    frame: Columns,
    *,
    max_levels: int,
    seed: int,
    max_rows: int | None = None,
    n_threads: int = 1,
) -> FrameSample:
    """Count the columns of a frame in memory, and draw rows by their content.

    Parameters
    ----------
    frame : Columns
        The frame.
    max_levels, seed, max_rows, n_threads
        As of `sample_frame`. Each thread needs the memory to count one column.

    Returns
    -------
    FrameSample
    """
    max_rows = default_max_rows(frame.n_rows) if max_rows is None else max_rows
    counted, priority = _count_all(
        frame,
        max_levels=max_levels,
        max_rows=max_rows,
        seed=seed,
        n_threads=n_threads if frame.n_rows >= _ROWS_OF_THREADS else 1,
    )
    base = np.arange(frame.n_rows) if priority is None else priority.first(max_rows)
    rows_of_columns = [_rows_of_column(c, base, priority) for c in counted]
    kept = np.unique(np.concatenate([base, *rows_of_columns, *(c.lone_rows for c in counted)]))
    columns = tuple(
        SampledColumn(
            name=name,
            values=values,
            n_rows=frame.n_rows,
            n_missing=c.n_missing,
            n_distinct=c.n_distinct,
            levels=c.levels,
            hashable=c.hashable,
            rows=np.searchsorted(kept, rows),
            listed=c.listed,
            stray=c.stray,
        )
        for name, values, c, rows in zip(
            frame.names, frame.take(kept), counted, rows_of_columns, strict=True
        )
    )
    return FrameSample(columns, frame.names, frame.n_rows, _origin(frame.n_rows, len(base), seed))


def _origin(n_rows: int, n_drawn: int, seed: int) -> str:
    if n_rows == n_drawn:
        return ""
    return (
        f"{n_drawn:,} of {n_rows:,} rows were drawn by a hash of their content (seed {seed}), and "
        "more of the levels rare among them."
    )


def _no_rows() -> np.ndarray:
    return np.empty(0, dtype=np.intp)


@dataclass(frozen=True)
class _Counted:
    """A column's counts over the whole frame, and a number for each cell.

    `lone_rows` hold a level of their own in a column with more levels than are searched; such rows
    may be no data, see `autotype.inference.profile.data_warnings`.

    `codes` are positions in `levels`, 0 for any value where those are not listed, -1 where missing;
    None where no value is missing and no level listed.
    """

    n_missing: int
    n_distinct: int
    levels: dict[Any, int] | None
    hashable: bool
    codes: np.ndarray | None
    listed: dict[Any, int] | None = None
    stray: dict[str, int] = field(default_factory=dict)
    lone_rows: np.ndarray = field(default_factory=_no_rows)

    def codes_at(self, rows: np.ndarray) -> np.ndarray:
        """Return the codes of some rows."""
        return np.zeros(len(rows), dtype=np.int8) if self.codes is None else self.codes[rows]


def _count_all(
    frame: Columns, *, max_levels: int, max_rows: int, seed: int, n_threads: int
) -> tuple[list[_Counted], RowPriority | None]:
    """Count all columns, one a thread at a time; long frames need the order of rows, too."""
    priority = RowPriority(frame.n_rows, seed=seed) if frame.n_rows > max_rows else None
    adding = Lock()

    def count(position: int) -> _Counted:
        column, tokens = _count(frame.column(position), max_levels)
        if priority is not None:
            with adding:
                priority.add(*tokens)
        return column

    positions = range(len(frame.names))
    if n_threads == 1:
        counted = [count(j) for j in positions]
    else:
        with ThreadPoolExecutor(n_threads) as threads:
            counted = list(threads.map(count, positions))
    if priority is not None:
        tied = (c.codes for c in counted if _has_ties(c.levels) and c.codes is not None)
        priority.finish(tied)
    return counted, priority


def _count(values: pd.Series, max_levels: int) -> tuple[_Counted, _Tokens]:
    """Count missing values and levels; level order is by count, ties by text."""
    missing = values.isna().to_numpy(dtype=bool)
    if missing.all():
        values = pd.Series(np.full(len(values), np.nan))  # pandas 2 counts None of Arrow's null
    n_missing = int(missing.sum())
    present = _codes_of_missing(missing) if n_missing else None
    if _has_many_numbers(values, max_levels):
        numbers = values.to_numpy()
        n_distinct = _count_distinct(numbers[~missing] if n_missing else numbers)
        return _Counted(n_missing, n_distinct, None, True, present), (numbers, None)
    try:
        codes, uniques = _factorize(values)
        if values.dtype == object:
            _ = [str(value) for value in uniques[:_MAX_WRITTEN]]
    except Exception:  # no hash or no text: Arrow and a cell's own methods may raise anything
        unhashed = missing.astype(np.float64)
        return _Counted(n_missing, 0, None, False, present), (unhashed, None)
    n_distinct = len(uniques)
    codes = codes.astype(np.min_scalar_type(-n_distinct - 1), copy=False)
    counts = _count_codes(codes, n_distinct)
    ordered = isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered
    if n_distinct > max_levels and not ordered:
        hashed = _value_tokens(values, codes, uniques, counts)
        listed = _list_readable(uniques, counts)
        stray = {} if listed else stray_texts(pd.Index(uniques), counts)
        odd = stray or listed or {}
        lone = [level for level, n in odd.items() if n == 1 and isinstance(level, str)]
        rows = _rows_of_levels(codes, uniques, lone) if 1 <= len(lone) <= _MAX_LONE else _no_rows()
        column = _Counted(n_missing, n_distinct, None, True, present, listed, stray, rows)
        return column, hashed
    plain = as_objects(uniques)
    by_count = sorted(range(n_distinct), key=lambda k: (-counts[k], str(plain[k])))
    levels = {plain[k]: int(counts[k]) for k in by_count}
    rank = np.empty(n_distinct + 1, dtype=codes.dtype)
    rank[by_count] = np.arange(n_distinct)
    rank[-1] = -1
    ranks = rank.take(codes)
    token_of_rank = np.append(counts[by_count], -1.0).astype(np.float64)
    return _Counted(n_missing, n_distinct, levels, True, ranks), (token_of_rank, ranks)


def _factorize(values: pd.Series) -> tuple[np.ndarray, pd.Index]:
    """Return codes by first appearance, -1 where missing, and levels, as `pandas.factorize` does.

    It needs 8 bytes a row, and 4 more for texts. A long column is coded in parts, in 2 bytes a row,
    as long as there are few levels.
    """
    is_plain = isinstance(values.dtype, np.dtype) and values.dtype.kind in "iufb"
    if len(values) < _LONG:
        return pd.factorize(values)
    coded = _factorize_by_table(values)
    if coded is not None:
        return coded
    if not (is_plain or isinstance(values.dtype, pd.StringDtype)):
        return pd.factorize(values)
    codes = np.empty(len(values), dtype=np.int16)
    _, uniques = pd.factorize(values.iloc[:0])
    for rows in chunks(len(values)):
        some, levels = pd.factorize(values.iloc[rows])
        known = uniques.get_indexer(levels)
        is_new = known < 0
        known[is_new] = len(uniques) + np.arange(is_new.sum())
        uniques = uniques.append(levels[is_new])
        if len(uniques) > _MOST_IN_PARTS:
            return pd.factorize(values)
        codes[rows] = np.append(known, -1)[some]
    return codes, uniques


def _factorize_by_table(values: pd.Series) -> tuple[np.ndarray, pd.Index] | None:
    """Code whole numbers in a short range, Booleans and Categoricals as `_factorize` does."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        coded = _code_by_table(values.cat.codes.to_numpy())
        if coded is None:
            return None
        codes, found = coded
        present = found >= 0
        code_of = np.where(present, np.cumsum(present) - 1, -1).astype(np.int16)
        levels = pd.Categorical.from_codes(found[present], dtype=values.dtype)
        return code_of[codes], pd.CategoricalIndex(levels)
    if not isinstance(values.dtype, np.dtype) or values.dtype.kind not in "iub":
        return None
    numbers = values.to_numpy()
    coded = _code_by_table(numbers.view(np.uint8) if numbers.dtype == bool else numbers)
    return None if coded is None else (coded[0], pd.Index(coded[1].astype(numbers.dtype)))


def _code_by_table(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Code whole numbers by first appearance; None for too many, or in too long a range."""
    low, high = int(numbers.min()), int(numbers.max())
    if high - low >= _WIDEST:
        return None
    least = np.uint64(low % 2**64)  # differences and sums wrap, and back again
    code_of = np.full(high - low + 1, -1, dtype=np.int16)
    codes = np.empty(len(numbers), dtype=np.int16)
    places = np.empty(0, dtype=np.uint64)
    for rows in chunks(len(numbers)):
        part = numbers[rows].astype(np.uint64) - least
        some = code_of[part]
        if some.min() < 0:
            new = pd.unique(part[some < 0])
            places = np.append(places, new)
            if len(places) > _MOST_IN_PARTS:
                return None
            code_of[new] = np.arange(len(places) - len(new), len(places))
            some = code_of[part]
        codes[rows] = some
    return codes, (places + least).astype(numbers.dtype)


def _rows_of_levels(codes: np.ndarray, uniques: Any, levels: list[str]) -> np.ndarray:
    wanted = np.flatnonzero(np.asarray(pd.Index(uniques).isin(levels), dtype=bool))
    return np.flatnonzero(np.isin(codes, wanted))


def _count_codes(codes: np.ndarray, n_codes: int) -> np.ndarray:
    """Count the codes from 0 up; in parts, as bincount needs 8 bytes a row."""
    counts = np.zeros(n_codes + 1, dtype=np.intp)
    for rows in chunks(len(codes)):
        from_0 = np.add(codes[rows], 1, dtype=np.intp)
        counts += np.bincount(from_0, minlength=n_codes + 1)
    return counts[1:]


def _codes_of_missing(missing: np.ndarray) -> np.ndarray:
    return -missing.astype(np.int8)


def _has_many_numbers(values: pd.Series, max_levels: int) -> bool:
    """Check whether a long column of plain numbers has more levels than are listed."""
    if (
        len(values) < _LONG
        or not isinstance(values.dtype, np.dtype)
        or values.dtype.kind not in "iuf"
    ):
        return False
    return values.iloc[:_HEAD].nunique() > max(max_levels, MAX_LISTED)


def _count_distinct(numbers: np.ndarray) -> int:
    """Count the distinct numbers of an array without missing ones.

    Whole numbers within a range no longer than the array are marked in a table. Of others those
    that may repeat are sorted.
    """
    if not len(numbers):
        return 0
    if numbers.dtype.kind in "iu":
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < len(numbers):
            seen = np.zeros(high - low + 1, dtype=bool)
            for rows in chunks(len(numbers)):
                part = numbers[rows].astype(np.uint64)  # wraps, and back again
                seen[part - np.uint64(low % 2**64)] = True
            return int(np.count_nonzero(seen))

    def keys_of(rows: slice) -> np.ndarray:
        with np.errstate(over="ignore"):  # of long doubles
            rounded = numbers[rows].astype(np.float64) + 0.0  # -0.0 becomes 0.0
        return rounded.view(np.uint64) * _ODD

    repeat = may_repeat(keys_of, len(numbers))
    some = np.sort(numbers[repeat])
    n_groups = int(np.count_nonzero(some[1:] != some[:-1])) + (len(some) > 0)
    return len(numbers) - len(some) + n_groups


def _list_readable(uniques: Any, counts: np.ndarray) -> dict[Any, int] | None:
    """List the levels of a column with many if their labels can be read."""
    if len(uniques) > MAX_LISTED:
        return None
    plain = as_objects(uniques)
    if not are_readable(plain):
        return None
    return by_frequency(zip(plain, counts.tolist(), strict=True))


def _value_tokens(
    values: pd.Series, codes: np.ndarray, uniques: Any, counts: np.ndarray
) -> _Tokens:
    """Return the numbers of the cells of a column with many levels: the values, or their hashes."""
    types = pd.api.types
    if types.is_numeric_dtype(values.dtype) and not types.is_complex_dtype(values.dtype):
        return values.to_numpy(dtype=np.float64, na_value=np.nan), None
    try:
        hashed = pd.util.hash_array(np.asarray(pd.Index(uniques).astype(str), dtype=object))
    except (TypeError, ValueError):
        hashed = counts
    return np.append(np.asarray(hashed, dtype=np.float64), -1.0), codes


def _has_ties(levels: Mapping[Any, int] | None) -> bool:
    """Return whether two levels have the same count."""
    return levels is not None and len(set(levels.values())) < len(levels)


def _rows_of_column(column: _Counted, base: np.ndarray, priority: RowPriority | None) -> np.ndarray:
    """Return the rows with a value in the base sample, and more of the levels rare in it."""
    in_base = column.codes_at(base)
    rows = [base[in_base >= 0]]
    if priority is None:
        return rows[0]
    n_levels = 1 if column.levels is None else len(column.levels)
    counts = np.bincount(in_base[in_base >= 0], minlength=n_levels)
    for level in np.flatnonzero(counts < ROWS_PER_LEVEL):
        holders = None if column.codes is None else np.flatnonzero(column.codes == level)
        rows.append(priority.first(ROWS_PER_LEVEL, among=holders))
    return np.unique(np.concatenate(rows)) if len(rows) > 1 else rows[0]
