"""Find columns in bijection with a column, such as class and pclass, and read their labels.

An equivalent column predicts the other perfectly, which is no evidence of an order, so it is not a
predictor. But the labels of one hold for the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autotype.inference.column import Column, FrameSample
from autotype.inference.labels.evidence import LabelEvidence

# On fewer rows a bijection may be an accident.
_MIN_ROWS = 30
_MIN_ROWS_PER_LEVEL = 2
_HEAD_ROWS = 25, 200  # first rows on which nearly all columns prove different, and most others
# Rules whose order counts less than that of an equivalent column's numbers.
_WEAKER_THAN_NUMERIC = frozenset({"none", "enumerator", "prefix_number"})


# A column in bijection with another, and its level -> level of the other column.
Equivalent = tuple[Column, Mapping[Any, Any]]


def find_equivalents(sample: FrameSample, position: int) -> list[Equivalent]:
    """Find the columns in bijection with one column.

    Parameters
    ----------
    sample : FrameSample
        The sampled frame.
    position : int
        The column; its levels are listed.

    Returns
    -------
    list of (Column, mapping)
        Columns with as many levels where each level goes with exactly one level of the other, on
        at least 30 rows that hold both and two rows per level; and the levels that theirs stand
        for.
    """
    column = sample.columns[position]
    others = [sample.columns[j] for j in _possible(sample, position)]
    pairs = ((other, _bijection(other, column)) for other in others)
    return [(other, translation) for other, translation in pairs if translation is not None]


def _possible(sample: FrameSample, position: int) -> list[int]:
    """Return the columns with as many levels of which each level has one in the first rows."""
    column = sample.columns[position]
    others, codes = sample.codes_by_n_levels.get(column.n_distinct, ([], np.empty((0, 0))))
    own = column.codes
    rows = np.flatnonzero(own >= 0)
    if not others or not len(rows):
        return []
    possible = np.arange(len(others))
    for n_rows in _HEAD_ROWS:
        head = rows[:n_rows]
        head = head[np.argsort(own[head], kind="stable")]
        starts = np.flatnonzero(np.diff(own[head], prepend=-1))
        held = codes[np.ix_(head, possible)]
        largest = np.maximum.reduceat(held, starts, axis=0)
        held[held < 0] = np.iinfo(np.int32).max
        smallest = np.minimum.reduceat(held, starts, axis=0)
        # Where a level meets missing values only, they are -1 and the largest integer.
        possible = possible[np.all(largest <= smallest, axis=0)]
    return [others[k] for k in possible if others[k] != position]


def _bijection(one: Column, other: Column) -> dict | None:
    """Return level of one -> level of the other, if that is a bijection with enough rows."""
    (left, levels), (right, others) = one.coded, other.coded
    both = (left >= 0) & (right >= 0)
    if both.sum() < _MIN_ROWS:
        return None
    pairs, counts = np.unique(left[both] * len(others) + right[both], return_counts=True)
    if len(pairs) != one.n_distinct or counts.min() < _MIN_ROWS_PER_LEVEL:
        return None
    left, right = np.divmod(pairs, len(others))
    if len(np.unique(left)) != len(pairs) or len(np.unique(right)) != len(pairs):
        return None
    return {levels[a]: others[b] for a, b in zip(left.tolist(), right.tolist(), strict=True)}


def read_with_equivalents(column: Column, equivalents: Sequence[Equivalent]) -> LabelEvidence:
    """Read the labels of a column, or those of an equivalent column with stronger labels.

    Parameters
    ----------
    column : Column
        The column; its levels are listed.
    equivalents : sequence of (Column, mapping)
        Columns in bijection with it.

    Returns
    -------
    LabelEvidence
        In terms of the column's own levels.
    """
    labels = column.labels
    if labels.rule.decides:
        return labels
    for other, translation in equivalents:
        if other.labels.rule.decides:
            return _translate(other, translation)
    if labels.rule.name in _WEAKER_THAN_NUMERIC:
        for other, translation in equivalents:
            if other.labels.rule.name == "numeric":
                return _translate(other, translation)
    return labels


def _translate(other: Column, translation: Mapping[Any, Any]) -> LabelEvidence:
    """Express the labels of an equivalent column in the levels that its own stand for."""
    detail = f"{other.labels.detail} (by the equivalent column {other.name!r})"
    return replace(other.labels.translated(translation), detail=detail)
