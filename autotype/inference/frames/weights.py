"""Sum the weights of the rows of each level, where the table is.

A survey that drew some people more often than others states for each row how many it stands for.
Counts stay counts; the proportions of the levels are weighted beside them. What a weighted sample
is worth is Kish's effective number of rows, (sum w)^2 / sum w^2, which tests of drift count.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from autotype.errors import WeightsError
from autotype.inference.frames.columns import Columns
from autotype.inference.frames.engines.engine import Engine, Sums
from autotype.wording import format_level


def weigh_columns(table: Columns | Engine, position: int, columns: Sequence[int]) -> list[Sums]:
    """Return the sums of each level of some columns; `position` is that of the weights."""
    if not isinstance(table, Columns):
        return list(table.weigh_levels(columns, position))
    weights = _numbers(table.column(position))
    return [weigh(table.column(j), weights) for j in columns]


def weigh(values: pd.Series, weights: np.ndarray) -> Sums:
    """Return the sums of each level of one column in memory; rows without a weight count nothing.

    Examples
    --------
    >>> weigh(pd.Series(["a", "b", None, "a"]), np.array([1.0, 3.0, 1.0, np.nan]))
    {'a': (1.0, 1.0), 'b': (3.0, 9.0)}
    """
    codes, uniques = pd.factorize(values)
    counted = (codes >= 0) & ~np.isnan(weights)
    codes, weights = codes[counted], weights[counted]
    n = len(uniques)
    pairs = zip(
        np.bincount(codes, weights, n).tolist(),
        np.bincount(codes, weights**2, n).tolist(),
        strict=True,
    )
    return dict(zip(np.asarray(uniques, dtype=object).tolist(), pairs, strict=True))


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
