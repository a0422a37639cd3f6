"""Columns that say the same in other words: class and pclass, education and education-num.

A twin must not feed its own column's evidence: it would predict it perfectly and prove nothing.
But what is known of one holds for the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autotype.inference.labels.evidence import LabelEvidence
from autotype.inference.labels.rules import read_labels
from autotype.inference.sample import FrameSample, SampledColumn

# An accident on few rows is no twin.
_LEAST_ROWS = 30
_LEAST_ROWS_PER_LEVEL = 2
# Rules whose order is worth less than that of a twin's numbers.
_EMPTY_RULES = frozenset({"none", "enumerator", "prefix_number"})


@dataclass(frozen=True)
class Twin:
    """A column in bijection with another.

    Attributes
    ----------
    position : int
        Its position in the frame.
    name : object
        Its name.
    translation : mapping
        Its level -> level of the other column.
    """

    position: int
    name: Any
    translation: Mapping[Any, Any]


def find_twins(sample: FrameSample, position: int) -> tuple[Twin, ...]:
    """Find the columns in bijection with one column.

    Parameters
    ----------
    sample : FrameSample
        The sampled frame.
    position : int
        The column; its levels are listed.

    Returns
    -------
    tuple of Twin
        Columns with as many levels where each level goes with exactly one level of the other, on
        at least 30 rows that hold both and two rows a level.
    """
    column = sample.columns[position]
    found = []
    for j, other in enumerate(sample.columns):
        if j == position or other.levels is None or other.n_distinct != column.n_distinct:
            continue
        translation = _bijection(other, column)
        if translation is not None:
            found.append(Twin(j, other.name, translation))
    return tuple(found)


def _bijection(one: SampledColumn, other: SampledColumn) -> dict | None:
    """Level of one -> level of the other, where that is a bijection with support."""
    both = (one.values.notna() & other.values.notna()).to_numpy(dtype=bool)
    if both.sum() < _LEAST_ROWS:
        return None
    left, right = one.values.array[both], other.values.array[both]
    pairs: dict[tuple, int] = {}
    for pair in zip(left.tolist(), right.tolist(), strict=True):
        pairs[pair] = pairs.get(pair, 0) + 1
        if len(pairs) > one.n_distinct:
            return None
    if len({a for a, _ in pairs}) != len(pairs) or len({b for _, b in pairs}) != len(pairs):
        return None
    if len(pairs) != one.n_distinct or min(pairs.values()) < _LEAST_ROWS_PER_LEVEL:
        return None
    return dict(pairs.keys())


def read_with_twins(levels: Sequence[Any], twins: Sequence[Twin]) -> LabelEvidence:
    """Read the labels of a column, or those of a twin that says more.

    Parameters
    ----------
    levels : sequence
        The column's levels.
    twins : sequence of Twin
        Its twins.

    Returns
    -------
    LabelEvidence
        In terms of the column's own levels.
    """
    own = read_labels(levels)
    if own.rule.decides:
        return own
    readings = [(twin, read_labels(list(twin.translation))) for twin in twins]
    strong = [(twin, labels) for twin, labels in readings if labels.rule.decides]
    if strong:
        return _translate(*strong[0])
    numbered = [(twin, labels) for twin, labels in readings if labels.rule.name == "numeric"]
    return _translate(*numbered[0]) if own.rule.name in _EMPTY_RULES and numbered else own


def _translate(twin: Twin, labels: LabelEvidence) -> LabelEvidence:
    """Put the labels of a twin in terms of the column's own levels."""

    def own(levels: tuple) -> tuple:
        return tuple(twin.translation[level] for level in levels)

    return replace(
        labels,
        order=None if labels.order is None else own(labels.order),
        off_scale=own(labels.off_scale),
        unplaced=own(labels.unplaced),
        spellings=tuple(map(own, labels.spellings)),
        detail=f"{labels.detail} (column {twin.name!r} holds the same in other words)",
    )
