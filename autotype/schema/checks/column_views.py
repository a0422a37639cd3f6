"""What a check sees of a column: the values that it is made from, or the counts of an engine."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from autotype.schema.levels import as_statistic, level_key, membership
from autotype.types.arrow_array import NULLABLE
from autotype.types.codec.json_values import decode
from autotype.types.column_type import DISCRETE, NUMBERS, ColumnType
from autotype.types.levels import LevelSet

# Rows, evenly spaced, in which the values of a column without levels are counted.
_MAX_COUNTED = 10_000


class Observed:
    """A column of the frame that a schema is made of, and how much later batches may differ.

    Parameters
    ----------
    values : pandas.Series
        The column, with its type applied.
    column : ColumnType
    margin : float or None
        Of numbers outside the range, by its width; None sets no range.
    share_tolerance : float or None
        Of the proportions of levels; None does not check them.
    max_strays : float or None
        Proportion of strings that are neither dates nor amounts; None allows twice the observed
        one.
    held : Witnesses, optional
        What an engine counted of a column whose `values` are witnesses only.
    """

    def __init__(
        self,
        values: pd.Series,
        column: ColumnType,
        *,
        margin: float | None,
        share_tolerance: float | None,
        max_strays: float | None,
        held: Witnesses | None = None,
    ) -> None:
        self.values, self.column, self._held = values, column, held
        self.margin, self.share_tolerance, self.max_strays = margin, share_tolerance, max_strays
        self.is_categorical = isinstance(values.dtype, pd.CategoricalDtype)
        # Whether there are values that are not categories.
        self.is_plain = not self.is_categorical and bool(values.notna().any())

    @cached_property
    def levels(self) -> LevelSet | None:
        """The categories, if the type says which there are; pandera copies them, so equality."""
        stated = self.column.level_set
        if not self.is_categorical or stated is None or not (stated.ordered or stated.categories):
            return None
        levels = tuple(self.values.cat.categories.tolist())
        if not _equal_their_copies(levels):
            return None
        is_off_scale = membership(stated.off_scale)
        return LevelSet(
            tuple(level for level in levels if not is_off_scale(level)),
            tuple(level for level in levels if is_off_scale(level)),
            ordered=bool(self.values.cat.ordered),
        )

    @cached_property
    def counts(self) -> dict[Any, int]:
        """The values with their numbers of rows; in a part of the rows if there are no levels."""
        if self._held is not None and self._held.counts:
            return self._held.counts
        if self.is_categorical or self.column.semantic_type in DISCRETE:
            return value_counts(self.values)
        return value_counts(self.values.iloc[:: len(self.values) // _MAX_COUNTED + 1])

    @property
    def required(self) -> bool:
        """Whether later batches hold the column."""
        return True

    @property
    def nullable(self) -> bool:
        """Whether values are missing or may be, or nothing is known of the column."""
        is_empty = not self.is_plain and not self.is_categorical
        return is_empty or self.becomes_numbers or bool(self.values.isna().any())

    @cached_property
    def becomes_numbers(self) -> bool:
        """Whether `apply_types` stores its cells as numbers, its markers as missing."""
        is_number = self.column.semantic_type in NUMBERS and bool(self.column.missing_markers)
        return is_number and self.is_plain and not pd.api.types.is_numeric_dtype(self.values.dtype)

    @cached_property
    def unique(self) -> bool:
        """Whether the column identifies rows."""
        if self.column.semantic_type != "identifier" or not self.is_plain:
            return False
        if self._held is not None:
            return self._held.n_distinct == self._held.n_present
        try:
            return bool(self.values.is_unique)
        except TypeError:  # cells without hash
            return False

    @cached_property
    def holds_strings(self) -> bool:
        """Whether all values are strings that are not categories."""
        return self.is_plain and pd.api.types.infer_dtype(self.values.dropna()) == "string"


@dataclass(frozen=True)
class Witnesses:
    """Values of a column, counted by an engine, that decide whether it fails its rule.

    Attributes
    ----------
    values : pandas.Series
        Indexed from 0.
    n_rows : list of int
        The number of rows that hold each value: 0 where they were not counted, and negative where
        the value stands for rows that have been counted at its first place.
    n_distinct, n_present : int
        Different values of the column, and rows that hold one.
    """

    values: pd.Series
    n_rows: list[int]
    n_distinct: int
    n_present: int

    @classmethod
    def of(
        cls, pairs: Sequence[tuple[Any, int]], dtype: Any, n_distinct: int, n_present: int
    ) -> Witnesses:
        """Return the witnesses of values, None where missing, each with its number of rows."""
        values = [value for value, _ in pairs]
        if any(value is None for value in values):
            dtype = NULLABLE.get(str(dtype), dtype)
        return cls(pd.Series(values, dtype=dtype), [n for _, n in pairs], n_distinct, n_present)

    @property
    def counts(self) -> dict[Any, int] | None:
        """The rows of each value, or None if only some rows were drawn."""
        present = self.values.notna().to_numpy(dtype=bool)
        values = self.values.astype(object)[present].tolist()
        if self.n_distinct == 1 and values:
            return {values[0]: self.n_present}
        n_rows = np.maximum(np.asarray(self.n_rows)[present], 0).tolist()
        return dict(zip(values, n_rows, strict=True)) if sum(n_rows) == self.n_present else None


def value_counts(values: pd.Series) -> dict[Any, int]:
    """Return the values that occur, the most frequent first, with their numbers of rows.

    Nothing if there are cells without hash, such as lists.
    """
    try:
        with warnings.catch_warnings():  # pandas 2, of objects such as dates: they remain the same
            warnings.filterwarnings("ignore", "The behavior of value_counts", FutureWarning)
            observed = values.value_counts()
        counts = zip(observed.index.tolist(), observed.tolist(), strict=True)
        return {value: int(n) for value, n in counts if n}
    except (TypeError, NotImplementedError, OverflowError):  # Arrow's raise the latter two
        return {}


def _equal_their_copies(levels: tuple) -> bool:
    """Check whether levels are equal to their copies, and remain as many when they are decoded.

    pandera copies the rules of a schema. A date of NumPy is read back as one that another level may
    be equal to.
    """
    try:
        copies = copy.deepcopy(levels)
        equal = all(level_key(a) == level_key(b) for a, b in zip(copies, levels, strict=True))
        return equal and len({level_key(decode(as_statistic(v))) for v in levels}) == len(levels)
    except Exception:  # whatever a class of the user raises
        return False
