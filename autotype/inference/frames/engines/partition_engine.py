"""Counts and rows of a table in partitions, such as a Dask frame or an Arrow dataset.

Such a table has no query language, and no process can hold all of it. So each question is split
into a function of one partition, which is a pandas frame while it is processed, and a merge of the
answers. The function runs where the data are: on a worker of the cluster, or here, one partition
after the other. What comes back is small: counts, drawn rows, and sketches (the smallest hashes of
a column's values, from which the number of distinct values follows).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from autotype.inference.frames.engines.engine import (
    ColumnSummary,
    Drawn,
    Held,
    Rare,
    Sums,
    row_key,
    weigh,
)
from autotype.types.arrow_array import series_from_arrow

if TYPE_CHECKING:
    import dask.dataframe as dd
    import pyarrow.dataset

# Smallest hashes of values that are kept: numbers of distinct values up to this are exact, and
# estimates above it have a relative standard error of 1 / sqrt(_KEPT).
_KEPT = 4096
_HASH_RANGE = 2.0**64
_SPARE = 10  # hashes that are looked up for each repeated value asked for

# Applies a function to each partition, a frame, and its position; the answers in their order.
ForEach = Callable[[Callable[[pd.DataFrame, int], Any]], list[Any]]
# Of one column in a partition: missing values, and the smallest hashes of the others, or None.
_Sketch = tuple[int, np.ndarray | None]


class PartitionEngine:
    """A table in partitions.

    Parameters
    ----------
    empty : pandas.DataFrame
        The table without its rows.
    for_each : callable
        Applies a function to each partition and its position, where the partitions are, and returns
        the answers.
    title : str
        The engine's name, for the report.
    """

    def __init__(self, empty: pd.DataFrame, for_each: ForEach, *, title: str) -> None:
        self.names = list(empty.columns)
        self._empty = empty
        self.title = title
        self._for_each = for_each
        self._starts: np.ndarray | None = None

    def count_rows(self) -> int:
        """Count the rows, as cheaply as the engine can."""
        return int(self._row_numbers()[-1])

    def _row_numbers(self) -> np.ndarray:
        """Return the number of each partition's first row, and the number of rows."""
        if self._starts is None:
            lengths = self._for_each(lambda part, _: len(part))
            self._starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        return self._starts

    def collect(self) -> pd.DataFrame:
        """Load the whole table."""
        whole = pd.concat(self._for_each(lambda part, _: part) or [self._empty], ignore_index=True)
        whole.columns = pd.Index(self.names, dtype=object)
        return whole

    def summarise(self) -> tuple[int, list[ColumnSummary]]:
        """Count rows, and missing and distinct values of all columns, in one pass."""
        n_rows, every = self.count_rows(), range(len(self.names))
        parts = self._for_each(lambda part, _: [_sketch(part.iloc[:, j]) for j in every])
        return n_rows, [_summary([part[j] for part in parts], n_rows) for j in every]

    def count_levels(self, columns: Sequence[int]) -> list[dict[Any, int]]:
        """Count the levels of some columns with few of them, in one pass."""
        return self._added(lambda part, _: [_counts(part.iloc[:, j]) for j in columns])

    def count_some(self, wanted: Mapping[int, Sequence[Any]]) -> list[dict[Any, int]]:
        """Count the rows that hold some values of some columns, in one pass."""

        def count(part: pd.DataFrame, _: int) -> list[dict[Any, int]]:
            columns = ((part.iloc[:, j], values) for j, values in wanted.items())
            return [_counts(column[column.isin(values)]) for column, values in columns]

        return self._added(count) if wanted else []

    def _added(self, count: Callable[[pd.DataFrame, int], list[dict]]) -> list[dict[Any, int]]:
        """Add the counts of the levels of columns that the partitions hold."""
        totals = [Counter(counts) for counts in count(self._empty, 0)]
        for part in self._for_each(count):
            for total, counts in zip(totals, part, strict=True):
                total.update(counts)
        return [dict(total) for total in totals]

    def weigh_levels(self, columns: Sequence[int], weights: int) -> list[Sums]:
        """Sum the weights of each level of some columns, and their squares, in one pass."""

        def weighed(part: pd.DataFrame, _: int) -> list[Sums]:
            weight = part.iloc[:, weights].to_numpy(dtype=np.float64, na_value=np.nan)
            return [weigh(part.iloc[:, j], weight) for j in columns]

        totals: list[Sums] = [{} for _ in columns]
        for part in self._for_each(weighed):
            for total, sums in zip(totals, part, strict=True):
                for level, (w, w2) in sums.items():
                    before = total.get(level, (0.0, 0.0))
                    total[level] = (before[0] + w, before[1] + w2)
        return totals

    def ranges(self, columns: Sequence[int]) -> list[tuple[Any, Any]]:
        """Return the smallest and the largest value of some columns, in one pass."""
        parts = self._for_each(lambda part, _: [_extremes(part.iloc[:, j]) for j in columns])
        none = [pd.Series(dtype=np.float64)]
        joined = (pd.concat([part[k] for part in parts] or none) for k in range(len(columns)))
        return [(both.min(), both.max()) for both in joined]

    def repeated(self, column: int, most: int) -> dict[Any, int]:
        """Count the values of a column that occur more than once, at most `most` of them.

        Eight bytes per row come to this process: hashes of the values.
        """
        hashes = self._for_each(lambda part, _: _hashes(part.iloc[:, column].dropna()))
        hashed, counts = np.unique(
            np.concatenate([np.empty(0, dtype=np.uint64), *hashes]), return_counts=True
        )
        several = hashed[counts > 1][: _SPARE * most]  # different values may have the same hash

        def held(part: pd.DataFrame, _: int) -> list[dict[Any, int]]:
            present = part.iloc[:, column].dropna()
            # The other kind, a table, overflows in NumPy 2.0.
            return [_counts(present[np.isin(_hashes(present), several, kind="sort")])]

        (totals,) = self._added(held) if len(several) else ({},)
        return dict([(value, n) for value, n in totals.items() if n > 1][:most])

    def draw_rows(self, threshold: int, *, rare: Rare, held: Held, seed: int) -> Drawn:
        """Return the rows with a key below a threshold, in one pass."""
        starts = self._row_numbers()

        def draw(part: pd.DataFrame, position: int) -> tuple[pd.DataFrame, np.ndarray]:
            numbers = starts[position] + np.arange(len(part), dtype=np.int64)
            keys = row_key(numbers, seed)
            drawn = keys < threshold
            for j, higher in held.items():
                drawn |= part.iloc[:, j].notna().to_numpy(dtype=bool) & (keys < higher)
            for j, higher_of in rare.items():
                thresholds = part.iloc[:, j].astype(object).map(higher_of).astype(np.float64)
                drawn |= keys < thresholds.fillna(0).to_numpy()
            return part.iloc[np.flatnonzero(drawn)], numbers[drawn]

        parts = self._for_each(draw) or [(self._empty, np.empty(0, dtype=np.int64))]
        values = [
            pd.concat([rows.iloc[:, j] for rows, _ in parts], ignore_index=True)
            for j in range(len(self.names))
        ]
        return values, np.concatenate([numbers for _, numbers in parts])


def dask_engine(frame: dd.DataFrame) -> PartitionEngine:
    """Return the engine of a Dask frame: partitions are processed by its scheduler.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        It is not changed. Only answers come to this process.
    """
    import dask

    def for_each(function: Callable[[pd.DataFrame, int], Any]) -> list[Any]:
        task = dask.delayed(function, pure=False)
        return list(dask.compute(*(task(part, k) for k, part in enumerate(frame.to_delayed()))))

    return PartitionEngine(frame._meta, for_each, title="Dask")


def dataset_engine(dataset: pyarrow.dataset.Dataset) -> PartitionEngine:
    """Return the engine of an Arrow dataset: its batches are read one after the other.

    Parameters
    ----------
    dataset : pyarrow.dataset.Dataset
        Any dataset, for instance of many Parquet files.
    """

    def batches() -> Iterator[pd.DataFrame]:
        for batch in dataset.to_batches(use_threads=False):
            columns = map(series_from_arrow, batch.columns)
            yield pd.DataFrame(dict(enumerate(columns)), index=range(batch.num_rows))

    def for_each(function: Callable[[pd.DataFrame, int], Any]) -> list[Any]:
        return [function(batch, k) for k, batch in enumerate(batches())]

    return PartitionEngine(dataset.schema.empty_table().to_pandas(), for_each, title="Arrow")


def _sketch(values: pd.Series) -> _Sketch:
    """Keep the smallest hashes of a column's distinct values."""
    present = values.dropna()
    n_missing = len(values) - len(present)
    try:
        hashes = _hashes(present.unique())
    except Exception:  # an object's own __hash__ may raise anything
        return n_missing, None
    return n_missing, np.unique(hashes)[:_KEPT]


def _hashes(present: Any) -> np.ndarray:
    """Return a hash of each value."""
    try:
        return pd.util.hash_array(np.asarray(present), categorize=False)
    except TypeError:  # mixed objects, or no hash
        return pd.util.hash_array(np.asarray([str(value) for value in present], dtype=object))


def _extremes(values: pd.Series) -> pd.Series:
    """Return the smallest and the largest value of a column, none of one without values."""
    present = values.dropna()
    return present.iloc[[present.argmin(), present.argmax()] if len(present) else []]


def _summary(parts: Sequence[_Sketch], n_rows: int) -> ColumnSummary:
    n_missing = sum(missing for missing, _ in parts)
    sketches = [hashes for _, hashes in parts if hashes is not None]
    if len(sketches) < len(parts):
        return ColumnSummary(n_missing, 0, is_exact=True, hashable=False)
    smallest = np.unique(np.concatenate([np.empty(0, dtype=np.uint64), *sketches]))[:_KEPT]
    if len(smallest) < _KEPT:
        return ColumnSummary(n_missing, len(smallest), is_exact=True)
    # The k-th smallest of d uniform hashes is near k / d of their range.
    estimate = round((_KEPT - 1) / (float(smallest[-1]) / _HASH_RANGE))
    return ColumnSummary(n_missing, min(estimate, n_rows - n_missing), is_exact=False)


def _counts(values: pd.Series) -> dict[Any, int]:
    counts = values.value_counts()
    plain = counts.index.astype(object)
    return {k: int(n) for k, n in zip(plain, counts, strict=True) if n}
