"""Count the levels of every column over the whole frame, and sample rows for the models.

Rows are drawn by a hash of their content, so that the order of rows and columns, and the names of
levels, do not change which rows are drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.labels.evidence import LabelEvidence
from autotype.inference.labels.rules import read_labels
from autotype.inference.row_priority import RowPriority, Tokens

# Rows of every level of a discrete column in the sample, where the frame has as many.
ROWS_PER_LEVEL = 30
_MAX_LISTED = 100  # levels of a column whose labels are read
# A longer column of numbers that has more levels than are listed in its first rows is counted by
# sorting, which takes half the memory of a hash table.
_LONG = 100_000
_HEAD = 10_000


@dataclass(frozen=True)
class SampledColumn:
    """One column: its name, its counts over the whole frame, and its sampled values.

    Attributes
    ----------
    name : hashable
        The column's name.
    values : pandas.Series
        Sampled values, in the order of the frame's rows.
    n_rows, n_missing, n_distinct : int
        Counts over the whole frame; missing values are not distinct values.
    levels : mapping or None
        Level -> count over the whole frame, most frequent first; None above `max_levels`.
    listed : mapping or None
        The same for texts and whole numbers of up to 100 levels, whose labels may be read although
        their order is not searched; None where `levels` holds them, or where there are more.
    hashable : bool
        False where cells such as lists cannot be counted.
    rows : ndarray of int
        Positions in the sample that this column's models may use.
    """

    name: Hashable
    values: pd.Series
    n_rows: int
    n_missing: int
    n_distinct: int
    levels: Mapping[Any, int] | None
    hashable: bool
    rows: np.ndarray
    listed: Mapping[Any, int] | None = None

    @property
    def known_levels(self) -> Mapping[Any, int]:
        """The levels that are listed at all, with their counts."""
        return self.levels or self.listed or {}

    @cached_property
    def labels(self) -> LabelEvidence:
        """The reading of the levels' texts, made when first needed."""
        return read_labels(list(self.known_levels))


@dataclass(frozen=True)
class FrameSample:
    """A frame's columns, counted and sampled.

    Attributes
    ----------
    columns : tuple of SampledColumn
        In the frame's column order.
    names : pandas.Index
        The column labels.
    n_rows : int
        Rows of the whole frame.
    """

    columns: tuple[SampledColumn, ...]
    names: pd.Index
    n_rows: int


def sample_frame(frame: Any, *, max_rows: int, max_levels: int, seed: int) -> FrameSample:
    """Count the levels of every column and draw a sample of rows.

    Parameters
    ----------
    frame : pandas.DataFrame
        Any frame; it is not changed. Column names may repeat.
    max_rows : int
        Rows of the sample, before rare levels are topped up.
    max_levels : int
        Columns with more levels are counted, but their levels are not listed.
    seed : int
        The sample's seed.

    Returns
    -------
    FrameSample

    Raises
    ------
    TypeError
        If `frame` is not a pandas DataFrame.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"size": ["S", "M", None, "S"]})
    >>> column = sample_frame(frame, max_rows=100, max_levels=20, seed=0).columns[0]
    >>> dict(column.levels), column.n_missing
    ({'S': 2, 'M': 1}, 1)
    """
    if not isinstance(frame, pd.DataFrame):
        got = f"{type(frame).__module__}.{type(frame).__qualname__}"
        remedy = next(
            (f"its {name}()" for name in ("to_frame", "to_pandas") if hasattr(frame, name)),
            "pandas.DataFrame",
        )
        raise TypeError(f"expected a pandas DataFrame, got {got}; convert it first with {remedy}")
    counted, priority = _count_all(frame, max_levels=max_levels, max_rows=max_rows, seed=seed)
    base = np.arange(len(frame)) if priority is None else priority.first(max_rows)
    rows_of_columns = [_rows_of_column(c, base, priority) for c in counted]
    kept = np.unique(np.concatenate([base, *rows_of_columns]))
    columns = tuple(
        SampledColumn(
            name=name,
            values=frame.iloc[:, j].iloc[kept].reset_index(drop=True),
            n_rows=len(frame),
            n_missing=c.n_missing,
            n_distinct=c.n_distinct,
            levels=c.levels,
            hashable=c.hashable,
            rows=np.searchsorted(kept, rows),
            listed=c.listed,
        )
        for j, (name, c, rows) in enumerate(
            zip(frame.columns, counted, rows_of_columns, strict=True)
        )
    )
    return FrameSample(columns, frame.columns, len(frame))


def count_alike(columns: Sequence[SampledColumn]) -> list[int]:
    """Count for each column the columns of the frame that hold the same levels, itself included.

    Levels are compared as texts; a column whose levels are not listed stands alone.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": ["x", "y"], "b": ["y", "x"], "c": ["x", "z"]})
    >>> count_alike(sample_frame(frame, max_rows=9, max_levels=9, seed=0).columns)
    [2, 2, 1]
    """
    sets = [frozenset(map(str, column.known_levels)) for column in columns]
    counts = Counter(sets)
    return [counts[levels] if levels else 1 for levels in sets]


@dataclass(frozen=True)
class _Counted:
    """A column's counts over the whole frame, and a number for each cell.

    `codes` are positions in `levels`, 0 for any value where those are not listed, -1 where missing;
    None where no value is missing and no level listed.
    """

    n_missing: int
    n_distinct: int
    levels: dict[Any, int] | None
    hashable: bool
    codes: np.ndarray | None
    listed: dict[Any, int] | None = None

    def codes_at(self, rows: np.ndarray) -> np.ndarray:
        """Return the codes of some rows."""
        return np.zeros(len(rows), dtype=np.int8) if self.codes is None else self.codes[rows]


def _count_all(
    frame: pd.DataFrame, *, max_levels: int, max_rows: int, seed: int
) -> tuple[list[_Counted], RowPriority | None]:
    """Count all columns, one after the other; the order of rows is needed for long frames only."""
    priority = RowPriority(len(frame), seed=seed) if len(frame) > max_rows else None
    counted = []
    for j in range(frame.shape[1]):
        column, tokens = _count(frame.iloc[:, j].reset_index(drop=True), max_levels)
        counted.append(column)
        if priority is not None:
            priority.add(tokens)
    if priority is not None:
        tied = (c.codes for c in counted if _has_ties(c.levels) and c.codes is not None)
        priority.finish(tied)
    return counted, priority


def _count(values: pd.Series, max_levels: int) -> tuple[_Counted, Tokens]:
    """Count missing values and levels; level order is by count, ties by text."""
    missing = values.isna().to_numpy(dtype=bool)
    n_missing = int(missing.sum())
    present = _codes_of_missing(missing) if n_missing else None
    if _has_many_numbers(values, max_levels):
        numbers = values.to_numpy()
        n_distinct = _count_distinct(numbers[~missing] if n_missing else numbers.copy())
        tokens = numbers.astype(np.float64, copy=False)
        return _Counted(n_missing, n_distinct, None, True, present), tokens.__getitem__
    try:
        codes, uniques = pd.factorize(values)
    except Exception:  # no hash: Arrow and a cell's own __hash__ may raise anything
        unhashed = missing.astype(np.float64)
        return _Counted(n_missing, 0, None, False, present), unhashed.__getitem__
    n_distinct = len(uniques)
    codes = codes.astype(np.min_scalar_type(-n_distinct - 1), copy=False)
    counts = _count_codes(codes, n_distinct)
    ordered = isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered
    if n_distinct > max_levels and not ordered:
        hashed = _value_tokens(values, codes, uniques, counts)
        listed = _list_readable(uniques, counts)
        return _Counted(n_missing, n_distinct, None, True, present, listed), hashed.__getitem__
    plain = pd.Index(uniques).astype(object).tolist() if n_distinct else []
    by_count = sorted(range(n_distinct), key=lambda k: (-counts[k], str(plain[k])))
    levels = {plain[k]: int(counts[k]) for k in by_count}
    rank = np.empty(n_distinct + 1, dtype=codes.dtype)
    rank[by_count] = np.arange(n_distinct)
    rank[-1] = -1
    ranks = rank[codes]
    token_of_rank = np.append(counts[by_count], -1.0).astype(np.float64)
    return (
        _Counted(n_missing, n_distinct, levels, True, ranks),
        lambda rows: token_of_rank[ranks[rows]],
    )


def _count_codes(codes: np.ndarray, n_codes: int) -> np.ndarray:
    """Count the codes from 0 up; in parts, as bincount needs 8 bytes a row."""
    counts = np.zeros(n_codes + 1, dtype=np.intp)
    for start in range(0, len(codes), _LONG):
        counts += np.bincount(codes[start : start + _LONG].astype(np.intp) + 1, minlength=n_codes + 1)
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
    return values.iloc[:_HEAD].nunique() > max(max_levels, _MAX_LISTED)


def _count_distinct(numbers: np.ndarray) -> int:
    """Count the distinct numbers of an array without missing ones, which is sorted."""
    numbers.sort()
    return len(numbers) and 1 + int(np.count_nonzero(numbers[1:] != numbers[:-1]))


def _list_readable(uniques: Any, counts: np.ndarray) -> dict[Any, int] | None:
    """List the levels of a column with many if they are texts or whole numbers."""
    if len(uniques) > _MAX_LISTED:
        return None
    plain = pd.Index(uniques).astype(object).tolist()
    if not all(isinstance(v, str) or (isinstance(v, Real) and v == v // 1) for v in plain):
        return None
    by_count = sorted(range(len(plain)), key=lambda k: (-counts[k], str(plain[k])))
    return {plain[k]: int(counts[k]) for k in by_count}


def _value_tokens(
    values: pd.Series, codes: np.ndarray, uniques: Any, counts: np.ndarray
) -> np.ndarray:
    """Return a number for each cell of a column with many levels: the value, or its hash."""
    types = pd.api.types
    if types.is_numeric_dtype(values.dtype) and not types.is_complex_dtype(values.dtype):
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    try:
        hashed = pd.util.hash_array(np.asarray(pd.Index(uniques).astype(str), dtype=object))
    except (TypeError, ValueError):
        hashed = counts
    return np.append(np.asarray(hashed, dtype=np.float64), -1.0)[codes]


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
    return np.unique(np.concatenate(rows))
