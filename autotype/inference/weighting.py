"""Weight the proportions of the levels where the table is, and suggest a column of survey weights.

A survey that drew some people more often than others states for each row how many it stands for.
Counts stay counts; the proportions of the levels are weighted beside them. What a weighted sample
is worth is Kish's effective number of rows, (sum w)^2 / sum w^2, which tests of drift count.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from copy import copy
from dataclasses import replace

import numpy as np
import pandas as pd

from autotype.errors import WeightsError
from autotype.inference.column import Column, FrameSample
from autotype.inference.frames.columns import Columns
from autotype.inference.frames.engines.engine import Engine, Sums, weigh
from autotype.inference.options import positions_of
from autotype.lexicon.toml_files import read_toml
from autotype.types.column_type import ColumnType
from autotype.types.data_warning import DataWarning
from autotype.wording import format_count, format_level

_NEAR_ONE = (0.5, 2.0)  # the mean of survey weights that are scaled to the rows
_NO_LETTERS = re.compile(r"[\W_]+")


def read_weights(table: Columns | Engine, sample: FrameSample, name: Hashable) -> Column:
    """Find and check a column of weights.

    Raises
    ------
    UnknownColumnError
        If the table does not hold it.
    WeightsError
        If several columns have the name, or it holds something else than numbers from 0 up.
    """
    places = positions_of(sample.names, (name,), option="weights")
    if len(places) > 1:
        raise WeightsError(f"weights: {len(places)} columns are called {name!r}; rename them")
    column = sample.columns[places[0]]
    check_weights(table, column.position, column.values)
    return copy(column)  # values of the column itself may be set aside as missing


def with_weights(
    found: Sequence[ColumnType],
    columns: Sequence[Column],
    table: Columns | Engine,
    weights: Column | None,
    *,
    suggest: bool,
) -> tuple[list[ColumnType], list[DataWarning]]:
    """Return the types with weighted proportions, and warnings on the weights.

    Parameters
    ----------
    found : sequence of ColumnType
        The types of the columns.
    columns : sequence of Column
        The columns.
    table : Columns or Engine
        The table.
    weights : Column or None
        The weights of its rows; None if the user gave none.
    suggest : bool
        Whether to name a column that looks like weights if there are none.
    """
    if weights is None:
        return list(found), list(_suggestions(columns)) if suggest else []
    listed = [k for k, column in enumerate(found) if column.levels]
    weighed = list(found)
    every = weigh_columns(table, weights.position, [columns[k].position for k in listed])
    for k, sums in zip(listed, every, strict=True):
        shares, n_effective = weighted_shares(sums, list(found[k].levels))
        weighed[k] = replace(found[k], weighted_shares=shares, n_effective=n_effective)
    if not weights.n_missing:
        return weighed, []
    rows = format_count(weights.n_missing, "row")
    message = f"{rows} without a weight in {weights.name!r} count nothing in weighted proportions"
    return weighed, [DataWarning("weights", message, "fill them, or remove the rows", weights.name)]


def _suggestions(columns: Sequence[Column]) -> Iterator[DataWarning]:
    """Yield a hint for the first column that looks like survey weights."""
    for column in columns:
        if _looks_like_weights(column):
            yield DataWarning(
                "weights",
                f"{column.name!r} looks like survey weights, and the proportions are not weighted",
                f"pass weights={column.name!r} (--weights) to weight them",
                column.name,
            )
            return


def _looks_like_weights(column: Column) -> bool:
    """Check for positive numbers with fractions, called weights."""
    label = "" if column.entry is None else column.entry.label
    folded = [_NO_LETTERS.sub(" ", str(t)).strip().casefold() for t in (column.name, label)]
    texts = [re.sub(r" ?\d+$", "", text) for text in folded]
    words = read_toml("weights")
    is_sure = any(f" {word} " in f" {text} " for text in texts for word in words["sure"])
    if not is_sure and texts[0] not in words["usual"] and texts[1] not in words["usual"]:
        return False
    numbers = column.numbers
    if numbers is None and column.values.dtype.kind == "f":
        numbers = column.values.to_numpy()
    present = np.empty(0) if numbers is None else numbers[np.isfinite(numbers)]
    if not len(present) or present.min() < 0 or np.all(present == np.floor(present)):
        return False
    return is_sure or _NEAR_ONE[0] <= present.mean() <= _NEAR_ONE[1]


def weigh_columns(table: Columns | Engine, position: int, columns: Sequence[int]) -> list[Sums]:
    """Return the sums of each level of some columns; `position` is that of the weights."""
    if not isinstance(table, Columns):
        return list(table.weigh_levels(columns, position))
    weights = _numbers(table.column(position))
    return [weigh(table.column(j), weights) for j in columns]


def check_weights(table: Columns | Engine, position: int, sample: pd.Series) -> None:
    """Check a column of weights.

    Parameters
    ----------
    table : Columns or Engine
        The table.
    position : int
        Of the column.
    sample : pandas.Series
        Some of its values.

    Raises
    ------
    WeightsError
        If it holds something else than numbers, one of them is negative or infinite, or none of
        them is above zero.
    """
    name = table.names[position]
    types = pd.api.types
    if not types.is_numeric_dtype(sample.dtype) or types.is_bool_dtype(sample.dtype):
        shown = next((format_level(v) for v in sample.dropna()), "")
        got = f"{shown!r} (dtype {sample.dtype})" if shown else "no values"
        raise WeightsError(f"weights: expected numbers in column {name!r}, got {got}; convert them")
    if isinstance(table, Columns):
        weights = pd.Series(_numbers(table.column(position)))
        low, high = weights.min(), weights.max()
    else:
        low, high = table.ranges([position])[0]
    low, high = (0.0, 0.0) if pd.isna(high) else (float(low), float(high))
    if low < 0 or not np.isfinite(high):
        raise WeightsError(
            f"weights: expected numbers from 0 up in column {name!r}, got "
            f"{low if low < 0 else high:g}; correct them, or make them missing"
        )
    if not high > 0:
        raise WeightsError(f"weights: no number in column {name!r} is above 0")


def _numbers(values: pd.Series) -> np.ndarray:
    return values.to_numpy(dtype=np.float64, na_value=np.nan)


def weighted_shares(sums: Sums, levels: Sequence[Hashable]) -> tuple[dict[Hashable, float], float]:
    """Return level -> its weighted proportion, and the effective number of rows.

    References
    ----------
    Kish, "Survey Sampling", 1965, sec. 11.7.

    Examples
    --------
    >>> weighted_shares({"a": (1.0, 1.0), "b": (3.0, 9.0)}, ["a", "b"])
    ({'a': 0.25, 'b': 0.75}, 1.6)
    """
    held = {level: sums.get(level, (0.0, 0.0)) for level in levels}
    total, squares = (float(sum(part)) for part in zip(*held.values(), strict=True))
    if not total > 0:
        return {}, 0.0
    return {level: w / total for level, (w, _) in held.items()}, total**2 / squares
