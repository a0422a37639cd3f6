"""A discrete column to judge, and all that is known of it before the verdict."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.equivalent_columns import Twin, read_with_twins
from autotype.inference.evidence import DataEvidence, weigh_data
from autotype.inference.label_judge import JudgeVerdict
from autotype.inference.labels.column_name import read_name
from autotype.inference.labels.evidence import NO_LABELS, LabelEvidence
from autotype.inference.predictors import DesignMatrix, predictors_for
from autotype.inference.sample import SampledColumn
from autotype.inference.unplaced_levels import off_the_line

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])")
_MIN_LEVELS = 3  # on the scale: any order of two is as good as the other


@dataclass(frozen=True)
class CandidateEvidence:
    """Labels and data of one discrete column.

    Attributes
    ----------
    name : hashable
        The column's name.
    levels : tuple
        Levels on the scale, most frequent first: their position is their code in `data`.
    off_scale : tuple
        Levels set aside.
    off_line : tuple
        Those of them that the data, not the labels, set aside.
    counts : mapping
        Level -> count in the whole frame, `off_scale` included.
    labels : LabelEvidence
        What the texts say.
    data : DataEvidence or None
        What the other columns say; None where they can say nothing.
    opaque : bool
        Whether no level holds a word that could say anything, or none was read.
    name_says : float
        What the column's name suggests, from -1 (categorical) to 1 (ordinal).
    judged : JudgeVerdict or None
        The answer of the user's label judge.
    """

    name: Hashable
    levels: tuple
    off_scale: tuple
    counts: Mapping[Any, int]
    labels: LabelEvidence
    data: DataEvidence | None
    opaque: bool = False
    name_says: float = 0.0
    judged: JudgeVerdict | None = None
    off_line: tuple = ()

    @property
    def suggested(self) -> tuple[int, ...] | None:
        """The labels' order in codes, where it places every level on the scale."""
        return self.in_codes(self.labels.order)

    def in_codes(self, order: tuple | None) -> tuple[int, ...] | None:
        """Return an order of the levels in codes; None unless it holds each level on the scale."""
        return _in_codes(order, self.levels)


def judge_candidate(
    column: SampledColumn,
    position: int,
    design: DesignMatrix,
    *,
    label_text: bool,
    twins: Sequence[Twin] = (),
    judged: JudgeVerdict | None = None,
) -> CandidateEvidence:
    """Gather the evidence on one column.

    Parameters
    ----------
    column : SampledColumn
        The column; its levels are listed.
    position : int
        Its position in the frame.
    design : DesignMatrix
        Predictors of the whole frame.
    label_text : bool
        Whether the texts of the levels may speak.
    twins : sequence of Twin
        Columns that hold the same; they are no predictors, but their labels may speak.
    judged : JudgeVerdict, optional
        The answer of the user's label judge.

    Returns
    -------
    CandidateEvidence
    """
    counts = dict(column.levels or {})
    labels = read_with_twins(list(counts), twins) if label_text else NO_LABELS
    levels = tuple(level for level in counts if level not in labels.off_scale)
    if len(levels) < _MIN_LEVELS:
        levels = tuple(counts)
    left_out = [position, *(twin.position for twin in twins)]
    data = _weigh(column, levels, labels, design, left_out)
    off_line = _off_the_line(labels, levels, data)
    if off_line:
        levels = tuple(level for level in levels if level not in off_line)
        data = _weigh(column, levels, labels, design, left_out)
    off_scale = tuple(level for level in counts if level not in levels)
    opaque = not label_text or not any(_WORD.search(str(level)) for level in counts)
    return CandidateEvidence(
        name=column.name,
        levels=levels,
        off_scale=off_scale,
        off_line=off_line,
        counts=counts,
        labels=labels,
        data=data,
        opaque=opaque,
        name_says=read_name(column.name),
        judged=judged,
    )


def _weigh(
    column: SampledColumn,
    levels: tuple,
    labels: LabelEvidence,
    design: DesignMatrix,
    left_out: list[int],
) -> DataEvidence | None:
    """Ask the other columns, on the rows whose level is one of `levels`."""
    codes = level_codes(column, levels)
    on_scale = codes >= 0
    codes, rows = codes[on_scale], column.rows[on_scale]
    predictors = predictors_for(design, left_out, codes, rows)
    return weigh_data(predictors, codes, len(levels), suggested=_in_codes(labels.order, levels))


def _off_the_line(labels: LabelEvidence, levels: tuple, data: DataEvidence | None) -> tuple:
    """Find the levels that a trusted scale does not know and the data place nowhere on it."""
    if data is None or not data.predictable or not labels.rule.trusted:
        return ()
    code = {level: k for k, level in enumerate(levels)}
    placed = [code.pop(level) for level in labels.order or () if level in code]
    if len(placed) < _MIN_LEVELS or not code:
        return ()
    return tuple(levels[k] for k in off_the_line(data.between, placed, list(code.values())))


def level_codes(column: SampledColumn, levels: tuple) -> np.ndarray:
    """Positions in `levels` of a column's values at its rows; -1 for all other values."""
    code = {level: k for k, level in enumerate(levels)}
    found, uniques = pd.factorize(column.values.iloc[column.rows])
    plain = pd.Index(uniques).astype(object).tolist()
    lookup = np.array([*(code.get(level, -1) for level in plain), -1], dtype=np.intp)
    return lookup[found]


def _in_codes(order: tuple | None, levels: tuple) -> tuple[int, ...] | None:
    if order is None or set(order) != set(levels):
        return None
    return tuple(levels.index(level) for level in order)
