"""The columns of a frame as inference sees them: exact counts, and the values of sampled rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.labels.evidence import LabelEvidence
from autotype.inference.labels.rules import read_labels

# Rows of every level of a discrete column in the sample, where the frame has as many.
ROWS_PER_LEVEL = 30
MAX_LISTED = 100  # levels of a column whose labels are read
# Rows of the sample by default. Two samples of a large table, such as those of two engines, decide
# otherwise on columns near a threshold; with more rows on fewer, and counting costs as much.
_LEAST_ROWS, _MOST_ROWS = 1000, 8000
_ROWS_FOR_ONE = 125


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
    stray : mapping
        Of a column in memory without listed levels: texts that stand out, with their counts; see
        `autotype.inference.profile.stray_levels`.
    is_exact : bool
        Whether `n_distinct` is exact, rather than estimated by the engine of a large table.
    hashable : bool
        False where cells such as lists cannot be counted.
    rows : ndarray of int
        Positions in the sample that this column's models may use.
    known_labels : LabelEvidence or None
        The reading of the levels' texts, where it was made before.
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
    stray: Mapping[str, int] = field(default_factory=dict)
    is_exact: bool = True
    known_labels: LabelEvidence | None = None

    @property
    def known_levels(self) -> Mapping[Any, int]:
        """The levels that are listed at all, with their counts."""
        return self.levels or self.listed or {}

    @cached_property
    def coded(self) -> tuple[np.ndarray, list[Any]]:
        """A code for each sampled value, -1 where it is missing, and the values by their codes."""
        codes, uniques = pd.factorize(self.values)
        return codes, as_objects(uniques)

    @property
    def codes(self) -> np.ndarray:
        """A code for each sampled value, by first appearance; -1 where it is missing."""
        return self.coded[0]

    @property
    def n_distinct_text(self) -> str:
        """The number of distinct values for a sentence; an estimate has three digits.

        Examples
        --------
        >>> import dataclasses
        >>> column = SampledColumn("a", pd.Series([1]), 9_000_000, 0, 5_338_412, None, True, [0])
        >>> column.n_distinct_text, dataclasses.replace(column, is_exact=False).n_distinct_text
        ('5,338,412', 'about 5,340,000')
        """
        if self.is_exact:
            return f"{self.n_distinct:,}"
        place = 10 ** max(len(str(self.n_distinct)) - 3, 0)
        return f"about {round(self.n_distinct / place) * place:,}"

    @cached_property
    def labels(self) -> LabelEvidence:
        """The reading of the levels' texts, made when first needed."""
        return self.known_labels or read_labels(list(self.known_levels))


def as_objects(levels: pd.Index) -> list[Any]:
    """Return levels that pandas found as Python's objects.

    Examples
    --------
    >>> as_objects(pd.Index([2, 3])), as_objects(pd.Index([(1, "a"), (2, "b")]))
    ([2, 3], [(1, 'a'), (2, 'b')])
    """
    return np.asarray(levels, dtype=object).tolist()


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
    origin : str
        Which rows were sampled, and how, in a sentence or two; empty if all were used.
    """

    columns: tuple[SampledColumn, ...]
    names: pd.Index
    n_rows: int
    origin: str

    @cached_property
    def codes_by_n_levels(self) -> dict[int, tuple[list[int], np.ndarray]]:
        """The columns with levels that are listed, by their number.

        Number of levels -> positions of the columns, and the codes of their sampled values, -1
        where missing, as an array of shape (n_rows of the sample, n_columns).
        """
        positions: dict[int, list[int]] = {}
        for j, column in enumerate(self.columns):
            if column.levels:  # Arrow cannot code a column of maps without a value
                positions.setdefault(column.n_distinct, []).append(j)
        return {
            n: (some, np.column_stack([self.columns[j].codes for j in some]))
            for n, some in positions.items()
        }


def default_max_rows(n_rows: int) -> int:
    """Return the rows of the sample of a frame, where the user does not state them.

    Examples
    --------
    >>> [default_max_rows(n) for n in (50_000, 500_000, 5_000_000)]
    [1000, 4000, 8000]
    """
    return min(max(n_rows // _ROWS_FOR_ONE, _LEAST_ROWS), _MOST_ROWS)


def count_alike(columns: Sequence[SampledColumn]) -> list[int]:
    """Count for each column the columns of the frame that hold the same levels, itself included.

    Levels are compared as texts; a column whose levels are not listed stands alone.

    Examples
    --------
    >>> import pandas as pd
    >>> from autotype.inference.sampling.sample import sample_frame
    >>> frame = pd.DataFrame({"a": ["x", "y"], "b": ["y", "x"], "c": ["x", "z"]})
    >>> count_alike(sample_frame(frame, max_rows=9, max_levels=9, seed=0).columns)
    [2, 2, 1]
    """
    sets = [frozenset(map(str, column.known_levels)) for column in columns]
    counts = Counter(sets)
    return [counts[levels] if levels else 1 for levels in sets]


def share_readings(columns: Sequence[SampledColumn]) -> tuple[SampledColumn, ...]:
    """Read the labels that several columns have in common, such as those of a battery, once.

    Examples
    --------
    >>> import pandas as pd
    >>> from autotype.inference.sampling.sample import sample_frame
    >>> frame = pd.DataFrame({"a": ["low", "high"], "b": ["high", "low"], "c": ["x", "z"]})
    >>> columns = sample_frame(frame, max_rows=9, max_levels=9, seed=0).columns
    >>> [column.known_labels is not None for column in share_readings(columns)]
    [True, True, False]
    """
    sets = [frozenset((type(level), level) for level in column.known_levels) for column in columns]
    counts = Counter(sets)
    readings: dict[frozenset, LabelEvidence] = {}
    shared = []
    for column, levels in zip(columns, sets, strict=True):
        if levels and counts[levels] > 1 and column.known_labels is None:
            if levels not in readings:
                readings[levels] = column.labels
            column = replace(column, known_labels=readings[levels])
        shared.append(column)
    return tuple(shared)


def by_frequency(counts: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    """Return levels with their counts, most frequent first, ties by text.

    Examples
    --------
    >>> by_frequency([("b", 1), ("a", 1), ("c", 2)])
    {'c': 2, 'a': 1, 'b': 1}
    """
    return dict(sorted(counts, key=lambda item: (-item[1], str(item[0]))))


def are_readable(levels: Sequence[Any]) -> bool:
    """Check whether the levels of a column with many are texts or whole numbers, not too many."""
    return len(levels) <= MAX_LISTED and all(
        isinstance(v, str) or (isinstance(v, Real) and abs(v) != math.inf and v == v // 1)
        for v in levels
    )
