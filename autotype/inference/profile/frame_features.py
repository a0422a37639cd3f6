"""Describe a column by the others of its frame: what it determines, and which are like it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from autotype.inference.column import Column, count_alike

_MIN_LEVELS = 3  # of a column that another one determines
_MIN_ROWS = 20
_MOST_COMPARED = 24  # columns that one is compared with
_MAX_SHARE = 0.9  # distinct values per row of a key that repeats


def frame_features(
    columns: Sequence[Column], described: Sequence[Column]
) -> tuple[list[dict[str, float]], list[list[int]]]:
    """Describe some columns of a frame by the others.

    Parameters
    ----------
    columns : sequence of Column
        Those of the frame, typed by rules.
    described : sequence of Column
        Those to describe. What is returned of the others means nothing.

    Returns
    -------
    features : list of dict
        For each column of the frame ``alike``, ``determines`` and ``determined``. The order of the
        columns changes nothing, nor do columns that are no keys, and constants and texts beside
        them.
    determined : list of list of int
        For each column, the positions of those that it determines: each of its values goes with
        one value of theirs.
    """
    determined = _determined(columns, {column.position for column in described})
    n_by = np.bincount([k for found in determined for k in found], minlength=len(columns))
    features = [
        {
            "alike": math.log(alike),
            "determines": math.log1p(len(found)),
            "determined": math.log1p(n),
        }
        for alike, found, n in zip(count_alike(columns), determined, n_by, strict=True)
    ]
    return features, determined


def _determined(columns: Sequence[Column], described: set[int]) -> list[list[int]]:
    """List for each column those that it determines, of the few with the most levels.

    Pairs of columns that are not described are left out.
    """
    held: list[list[int]] = [[] for _ in columns]
    usable = [
        j
        for j, column in enumerate(columns)
        if column.hashable and column.n_distinct >= _MIN_LEVELS and column.n_present >= _MIN_ROWS
    ]
    # By levels and counts: the order and the names of the columns are nothing.
    usable.sort(key=lambda j: (-columns[j].n_distinct, columns[j].n_missing))
    more = [-columns[j].n_distinct for j in usable]
    for j in usable:
        column = columns[j]
        if column.n_distinct > _MAX_SHARE * column.n_present:
            continue
        fewer = bisect_right(more, -column.n_distinct)
        for k in usable[fewer : fewer + _MOST_COMPARED]:
            if (j in described or k in described) and _determines(column.codes, columns[k].codes):
                held[j].append(k)
    return held


def _determines(key: np.ndarray, other: np.ndarray) -> bool:
    """Check whether each value of a key goes with one value of another column."""
    both = (key >= 0) & (other >= 0)
    if both.sum() < _MIN_ROWS:
        return False
    for head in (both[:60], both):  # most pairs are refuted by a few rows
        key_, other_ = key[: len(head)][head], other[: len(head)][head]
        if not len(key_):
            continue
        lowest = np.full(key_.max() + 1, np.iinfo(np.int64).max)
        highest = np.full(key_.max() + 1, -1)
        np.minimum.at(lowest, key_, other_)
        np.maximum.at(highest, key_, other_)
        if np.any(highest > np.minimum(lowest, highest)):
            return False
    held = np.bincount(key_)
    # Levels of one row determine everything.
    return bool(held[held > 1].sum() > 0.5 * len(key_))
