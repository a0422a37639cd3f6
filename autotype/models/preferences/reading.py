"""Read what a caller states about rows: numbers of rows, pairs of them, differences and bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from autotype.models.magnitudes import LARGEST


def read_rows(rows: Any) -> np.ndarray:
    """Read row numbers, shape (p,), all >= 0."""
    remedy = "np.flatnonzero(mask) turns a mask into numbers"
    return _row_numbers(rows, (), "rows must be a list of row numbers", remedy)


def read_pairs(pairs: Any) -> tuple[np.ndarray, np.ndarray]:
    """Read pairs of row numbers, shape (p, 2), as two arrays."""
    expected = "pairs must be row numbers (larger, smaller), shape (p, 2)"
    remedy = "Preferences.from_labels takes index labels"
    array = _row_numbers(pairs, (2,), expected, remedy)
    return np.ascontiguousarray(array[:, 0]), np.ascontiguousarray(array[:, 1])


def _row_numbers(rows: Any, shape: tuple[int, ...], expected: str, remedy: str) -> np.ndarray:
    array = np.asarray(rows)
    if array.size == 0:
        return np.zeros((0, *shape), dtype=np.intp)
    if array.shape[1:] != shape or not array.ndim or array.dtype.kind not in "iu":
        raise TypeError(f"{expected}, got shape {array.shape} of {array.dtype}; {remedy}")
    if array.min() < 0:
        at = int(np.argmax((array < 0).any(axis=1) if shape else array < 0))
        raise ValueError(f"rows are numbered from 0, got {array[at].tolist()} at position {at}")
    return array.astype(np.intp)


def read_label_pairs(frame: pd.DataFrame | pd.Series | pd.Index, pairs: Any) -> np.ndarray:
    """Turn pairs of index labels into pairs of row numbers, shape (p, 2)."""
    index = frame if isinstance(frame, pd.Index) else frame.index
    # pandas 2: a slice takes over from the whole whether it is unique, and its look-up.
    index = index.take(np.arange(len(index)))
    if not index.is_unique:
        repeated = index[index.duplicated()][0]
        raise ValueError(
            f"the index holds {repeated!r} more than once, so that labels do not name rows; "
            "pass row numbers to Preferences, or reset the index"
        )
    pairs = [tuple(pair) for pair in pairs]
    for at, pair in enumerate(pairs):
        if len(pair) != 2:
            raise ValueError(f"pair {at} must hold two labels (larger, smaller), got {pair!r}")
    labels = [label for pair in pairs for label in pair]
    rows = index.get_indexer(pd.Index(labels, tupleize_cols=index.nlevels > 1)) if labels else []
    rows = np.asarray(rows, dtype=np.intp).reshape(-1, 2)
    if (rows < 0).any():
        at = int(np.argmax((rows < 0).ravel()))
        raise KeyError(f"the index holds no label {labels[at]!r}, named in pair {at // 2}")
    return rows


def read_numbers(values: Any, p: int, name: str) -> np.ndarray:
    """Read one number for each of p preferences, or one for all."""
    array = np.asarray(values, dtype=float)
    if array.ndim > 1 or (array.ndim == 1 and len(array) != p):
        raise ValueError(
            f"{name} must be one number or one for each of the {p} preferences, got shape "
            f"{array.shape}"
        )
    in_range = np.abs(array) <= LARGEST
    if not in_range.all():
        at = int(np.argmin(in_range))
        what = "all weights" if name == "weight" else "targets and differences"
        raise ValueError(
            f"{name} must be finite, and at most {LARGEST:g} in magnitude so that its products do "
            f"not overflow, got {array.flat[at]} at preference {at}; divide {what} by one number"
        )
    return np.array(np.broadcast_to(array, p))  # the caller's own array may change


def read_weights(values: Any, p: int) -> np.ndarray:
    """Read weights, which are >= 0."""
    weight = read_numbers(values, p, "weight")
    if (weight < 0).any():
        at = int(np.argmax(weight < 0))
        raise ValueError(
            f"a weight must be >= 0, got {weight[at]:g} at preference {at}; swap the "
            "rows of a preference that goes the other way"
        )
    return weight


def read_bounds(bound: Any | Callable[[Any], Any], rows: np.ndarray, frame: Any) -> np.ndarray:
    """Read the bound of each row: a number, numbers, or a function of the rows of `frame`."""
    if callable(bound):
        if frame is None:
            raise TypeError("a bound that is a function needs frame=, whose rows it is called with")
        last = int(rows.max(initial=-1))
        if last >= len(frame):
            raise IndexError(f"a bound is about row {last}, but frame has {len(frame)} rows")
        bound = bound(frame.iloc[rows] if hasattr(frame, "iloc") else np.asarray(frame)[rows])
    return read_numbers(bound, len(rows), "bound")
