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
from autotype.parsing.missing import without_signaling_nan

# Rows of every level of a discrete column in the sample, where the frame has as many.
ROWS_PER_LEVEL = 30
_MAX_LISTED = 100  # levels of a column whose labels are read
_MAX_WRITTEN = 200  # distinct values that must have a text: Python writes no number of 5,000 digits
_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, near 2**64 divided by the golden ratio


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
    series = [
        without_signaling_nan(frame.iloc[:, j].reset_index(drop=True))
        for j in range(frame.shape[1])
    ]
    counted = [_count(s, max_levels) for s in series]
    priority = RowPriority(
        [c.tokens for c in counted],
        seed=seed,
        n_rows=len(frame),
        ties=[c.codes for c in counted if _has_ties(c.levels)],
    )
    base = priority.first(max_rows)
    rows_of_columns = [_rows_of_column(c, base, priority) for c in counted]
    kept = np.unique(np.concatenate([base, *rows_of_columns]))
    columns = tuple(
        SampledColumn(
            name=name,
            values=s.iloc[kept].reset_index(drop=True),
            n_rows=len(frame),
            n_missing=c.n_missing,
            n_distinct=c.n_distinct,
            levels=c.levels,
            hashable=c.hashable,
            rows=np.searchsorted(kept, rows),
            listed=c.listed,
        )
        for name, s, c, rows in zip(frame.columns, series, counted, rows_of_columns, strict=True)
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

    `codes` are positions in `levels`, 0 for any value where those are not listed, -1 where missing.
    """

    n_missing: int
    n_distinct: int
    levels: dict[Any, int] | None
    hashable: bool
    codes: np.ndarray
    tokens: np.ndarray
    listed: dict[Any, int] | None = None


def _count(values: pd.Series, max_levels: int) -> _Counted:
    """Count missing values and levels; level order is by count, ties by text."""
    missing = values.isna().to_numpy(dtype=bool)
    if missing.all():
        values = pd.Series(np.full(len(values), np.nan))  # pandas 2 counts None of Arrow's null
    try:
        codes, uniques = pd.factorize(values)
        _ = [str(value) for value in uniques[:_MAX_WRITTEN]]
    except Exception:  # no hash or no text: Arrow and a cell's own methods may raise anything
        tokens = missing.astype(np.float64)
        return _Counted(int(missing.sum()), 0, None, False, -missing.astype(np.intp), tokens)
    n_distinct = len(uniques)
    counts = np.bincount(codes[codes >= 0], minlength=n_distinct)
    ordered = isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered
    if n_distinct > max_levels and not ordered:
        tokens = _value_tokens(values, codes, uniques, counts)
        listed = _list_readable(uniques, counts)
        codes = np.minimum(codes, 0)
        return _Counted(int(missing.sum()), n_distinct, None, True, codes, tokens, listed)
    plain = pd.Index(uniques, dtype=object, tupleize_cols=False).tolist() if n_distinct else []
    by_count = sorted(range(n_distinct), key=lambda k: (-counts[k], str(plain[k])))
    levels = {plain[k]: int(counts[k]) for k in by_count}
    rank = np.empty(n_distinct + 1, dtype=np.intp)
    rank[by_count] = np.arange(n_distinct)
    rank[-1] = -1
    tokens = np.append(counts, -1.0)[codes].astype(np.float64)
    return _Counted(int(missing.sum()), n_distinct, levels, True, rank[codes], tokens)


def _list_readable(uniques: Any, counts: np.ndarray) -> dict[Any, int] | None:
    """List the levels of a column with many if they are texts or whole numbers."""
    if len(uniques) > _MAX_LISTED:
        return None
    plain = pd.Index(uniques, dtype=object, tupleize_cols=False).tolist()
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


def _rows_of_column(column: _Counted, base: np.ndarray, priority: RowPriority) -> np.ndarray:
    """Return the rows with a value in the base sample, and more of the levels rare in it."""
    rows = [base[column.codes[base] >= 0]]
    n_levels = 1 if column.levels is None else len(column.levels)
    in_base = np.bincount(column.codes[rows[0]], minlength=n_levels)
    for level in np.flatnonzero(in_base < ROWS_PER_LEVEL):
        holders = np.flatnonzero(column.codes == level)
        rows.append(priority.first(ROWS_PER_LEVEL, among=holders))
    return np.unique(np.concatenate(rows))


class RowPriority:
    """A random order of a frame's rows.

    Parameters
    ----------
    tokens : sequence of ndarray of shape (n_rows,)
        A number for each cell, column after column: the value, or for a level its count (which
        does not depend on its name).
    seed : int
        Seed of the order.
    n_rows : int
        Rows of the frame.
    ties : sequence of ndarray of int, shape (n_rows,)
        Codes, -1 where missing, of the columns in which two levels have the same count: their
        tokens are equal, so the rows that hold them distinguish them.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(100.0)
    >>> drawn = x[RowPriority([x], seed=1, n_rows=100).first(5)]
    >>> y = x[::-1]
    >>> bool(set(drawn) == set(y[RowPriority([y], seed=1, n_rows=100).first(5)]))
    True
    """

    def __init__(
        self,
        tokens: Sequence[np.ndarray],
        *,
        seed: int,
        n_rows: int,
        ties: Sequence[np.ndarray] = (),
    ) -> None:
        self._n_rows = n_rows
        self._tokens = tokens
        self._ties = ties
        self._seed = np.uint64(seed % 2**63)
        self._keys: np.ndarray | None = None

    def first(self, count: int, *, among: np.ndarray | None = None) -> np.ndarray:
        """Return the positions, ascending, of the first `count` rows (among some, if given)."""
        if among is None:
            among = np.arange(self._n_rows)
        if len(among) <= count:
            return among
        drawn = np.argpartition(self.keys[among], count)[:count]
        return np.sort(among[drawn])

    @property
    def keys(self) -> np.ndarray:
        """The rows' hashes; made when first needed, as small frames are not sampled."""
        if self._keys is None:
            self._keys = self._hash_rows()
        return self._keys

    def _hash_rows(self) -> np.ndarray:
        total = np.zeros(self._n_rows, dtype=np.uint64)
        with np.errstate(over="ignore"):
            for token in self._tokens:  # a sum of hashes does not depend on the columns' order
                total += _scramble(token.view(np.uint64) ^ self._seed)
            total += sum(_sums_by_level(total, codes) for codes in self._ties)
            # Equal rows have equal hashes; their occurrence number separates them.
            return _scramble(total + _occurrence(total) * _MIX)


def _sums_by_level(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Hash for each row all rows that hold its level, whatever the level's name."""
    sums = np.zeros(codes.max(initial=-1) + 2, dtype=np.uint64)  # the last one: missing
    np.add.at(sums, codes, _scramble(values))
    return _scramble(sums)[codes]


def _scramble(bits: np.ndarray) -> np.ndarray:
    """Mix 64-bit integers (the finaliser of splitmix64)."""
    bits = (bits + _MIX).astype(np.uint64)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _occurrence(values: np.ndarray) -> np.ndarray:
    """Count the equal values that precede each value."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    lengths = np.diff(np.append(starts, len(values)))
    occurrence = np.empty(len(values), dtype=np.uint64)
    occurrence[order] = np.arange(len(values)) - np.repeat(starts, lengths)
    return occurrence
