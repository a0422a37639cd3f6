"""Read rules about the columns of a frame: the ranks of the rows, and which of them match."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnknownColumnError
from autotype.models.preferences.matched_pairs import (
    UNRANKED,
    Condition,
    MatchedRows,
    OrderedPairs,
    Pairs,
    place_condition,
)
from autotype.models.targets import ranks_among
from autotype.wording import format_some


def pairs_of_ranks(
    frame: pd.DataFrame,
    ranks: np.ndarray,
    within: Mapping[Any, Any] | None,
    labelled: Any,
    adjacent: bool,
    max_preferences: int | None,
    random_state: Any,
) -> Pairs:
    """Pair rows (above, below) by rank among those that match; see `Preferences.from_rule`."""
    if max_preferences is not None and max_preferences < 0:
        raise ValueError(f"max_preferences must be >= 0 or None, got {max_preferences}")
    if labelled is not None:
        labelled = np.asarray(labelled)
        if labelled.shape != (len(frame),) or labelled.dtype.kind != "b":
            raise ValueError(
                f"labelled must be a mask of the {len(frame)} rows, such as frame[target].notna(), "
                f"got shape {labelled.shape} of {labelled.dtype}"
            )
    conditions = [_condition(frame, key, limit) for key, limit in (within or {}).items()]
    usable = ranks != UNRANKED
    for values, _ in conditions:
        usable &= np.isfinite(values).all(axis=1)
    rows = np.flatnonzero(usable)
    matched = [(values[rows], limit) for values, limit in conditions]
    pairs = OrderedPairs(
        ranks[rows],
        MatchedRows(matched, len(rows)),
        None if labelled is None else labelled[rows],
        adjacent,
    )
    above, below = pairs.sample(max_preferences, random_state)
    return rows[above], rows[below]


def read_frame(frame: Any) -> pd.DataFrame:
    """Return a pandas frame as it is, and an array as a frame with columns numbered from 0."""
    if isinstance(frame, pd.DataFrame):
        return frame
    if isinstance(frame, np.ndarray) and frame.ndim == 2:
        return pd.DataFrame(frame)
    raise TypeError(
        "frame must be a pandas DataFrame or an array of two dimensions, got "
        f"{type(frame).__name__}; other dataframes have to_pandas()"
    )


def ranks_of_rule(frame: pd.DataFrame, increasing: Any, decreasing: Any) -> np.ndarray:
    """Rank the rows by the column with which the target increases or decreases."""
    if (increasing is None) == (decreasing is None):
        raise TypeError("pass one column, either as increasing= or as decreasing=")
    name = decreasing if increasing is None else increasing
    values = _numbers(_column(frame, name), "the ranks of rows")
    return _ranks_of_numbers(values if decreasing is None else -values)


def ranks_of_levels(
    types: Any, column: Any, frame: pd.DataFrame, decreasing: bool | None
) -> np.ndarray:
    """Rank the rows by the levels of an ordinal column; other values are unranked."""
    typed = types[column] if isinstance(types, Mapping) else types
    order = typed.order
    if order is None:
        raise ValueError(
            f"column {column!r} is not ordinal in these types, but {typed.semantic_type}; where "
            f"you know its order, type it again with infer_types(known={{{column!r}: [...]}})"
        )
    if decreasing is None and not typed.direction_known:
        raise ValueError(
            f"column {column!r} has the order {order!r}, but which end is the low one is not "
            "known; pass decreasing=False if the target increases in this order, else True"
        )
    levels = list(reversed(order) if decreasing else order)
    return ranks_among(levels, _column(frame, column))  # UNRANKED for other values


def _ranks_of_numbers(values: np.ndarray) -> np.ndarray:
    """Rank numbers from 0, equal numbers the same; NaN is unranked."""
    known = ~np.isnan(values)
    ranks = np.full(len(values), UNRANKED)
    ranks[known] = np.unique(values[known], return_inverse=True)[1]
    return ranks


def _condition(frame: pd.DataFrame, key: Any, limit: Any) -> Condition:
    """Read one entry of within=; values are NaN or infinite if a row does not match any other."""
    if isinstance(key, tuple) and len(key) == 2 and key not in list(frame.columns):
        return _place(frame, key, limit)
    column = _column(frame, key)
    if limit is None:
        codes = pd.factorize(column)[0].astype(float)
        return np.where(codes < 0, np.nan, codes)[:, None], 0.0
    if column.dtype.kind in "mM":
        if isinstance(limit, Real):
            raise TypeError(
                f"column {key!r} holds times, so that within[{key!r}] must be a span such as "
                f"pd.Timedelta(days=30), got {limit!r}"
            )
        limit = pd.Timedelta(limit).total_seconds()
    return _numbers(column, "a largest difference")[:, None], _limit(key, limit)


def _place(frame: pd.DataFrame, key: tuple[Any, Any], kilometres: Any) -> Condition:
    latitude, longitude = (_numbers(_column(frame, name), "degrees") for name in key)
    for name, degrees, most in zip(key, (latitude, longitude), (90, 360), strict=True):
        beyond = np.abs(degrees) > most
        if beyond.any():
            at = int(np.argmax(beyond))
            raise ValueError(
                f"a place is (latitude, longitude) in degrees, but column {name!r} holds "
                f"{degrees[at]:g} at row {at}, beyond {most}"
            )
    return place_condition(latitude, longitude, _limit(key, kilometres))


def _limit(key: Any, limit: Any) -> float:
    if not isinstance(limit, Real):
        raise TypeError(
            f"within[{key!r}] must be a number, or None for equal values, got {limit!r}"
        )
    number = float(limit)
    if not number >= 0:
        raise ValueError(f"within[{key!r}] must be >= 0, or None for equal values, got {limit!r}")
    return number


def _column(frame: pd.DataFrame, name: Any) -> pd.Series:
    places = [j for j, other in enumerate(frame.columns) if other == name]
    if len(places) != 1:
        raise UnknownColumnError(
            f"the frame has no column {name!r}; its own are {format_some(list(frame.columns))}"
            if not places
            else f"the frame has {len(places)} columns {name!r}; give them names of their own"
        )
    return frame.iloc[:, places[0]]


def _numbers(column: pd.Series, purpose: str) -> np.ndarray:
    """Return a column as numbers, NaN if missing: codes of ordered levels, seconds of dates."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
        codes = column.cat.codes.to_numpy(dtype=float)
        return np.where(codes < 0, np.nan, codes)
    if dtype.kind == "M":
        column = column - column.min()
    if column.dtype.kind == "m":
        return column.dt.total_seconds().to_numpy(dtype=float, na_value=np.nan)
    kind = pd.api.types.infer_dtype(column, skipna=True)
    if kind not in ("integer", "floating", "mixed-integer-float", "decimal", "boolean", "empty"):
        raise TypeError(
            f"column {column.name!r} holds {kind}, which gives no numbers for {purpose}; use "
            "numbers, dates or an ordered Categorical, in within= None for equal values, and "
            "Preferences.from_ordinal for levels with an inferred order"
        )
    return column.to_numpy(dtype=float, na_value=np.nan)
