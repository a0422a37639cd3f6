"""Which order to report: that of the labels, that of the data, or the two together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autotype.inference.candidate import CandidateEvidence
from autotype.inference.labels.evidence import LabelEvidence
from autotype.inference.unplaced_levels import place_strangers


@dataclass(frozen=True)
class ChosenOrder:
    """The order to report.

    Attributes
    ----------
    order : tuple or None
        Levels on the scale, lowest first; None where nothing gives one.
    direction_known : bool
        Whether low and high ends are known.
    by_labels : bool
        Whether the labels gave it.
    placed_by_data : tuple
        Levels that the labels do not place and the data did.
    ties : tuple of tuple
        Stretches of the order whose levels nothing tells apart: neither the data, where these gave
        it, nor more than their spelling.
    """

    order: tuple | None
    direction_known: bool
    by_labels: bool
    placed_by_data: tuple = ()
    ties: tuple[tuple, ...] = ()


def follows_data(evidence: CandidateEvidence) -> bool:
    """Whether the data, and not the labels, give the order."""
    placed = [level for level in evidence.labels.order or () if level in evidence.levels]
    trusted = evidence.labels.rule.trusted or evidence.data is None
    return len(placed) < 2 or not trusted


def choose_order(evidence: CandidateEvidence, pooled: tuple | None = None) -> ChosenOrder:
    """Choose the order of a column's levels.

    Parameters
    ----------
    evidence : CandidateEvidence
        Labels and data.
    pooled : tuple, optional
        The order that a block of columns has in common; stands in for the data's.

    Returns
    -------
    ChosenOrder

    Notes
    -----
    The order of a trusted rule stands. Levels that it does not know are put where the data weigh
    the order highest; without data they go to the end. Enumerators and the like only orient what
    the data found, unless there is no data.
    """
    labels, data, levels = evidence.labels, evidence.data, evidence.levels
    opinion = evidence.opinion
    if opinion is not None and opinion.order is not None and follows_data(evidence):
        order = tuple(level for level in opinion.order if level in levels)
        return ChosenOrder(order, True, True)
    placed = [level for level in labels.order or () if level in levels]
    if len(placed) >= 2 and not follows_data(evidence):
        strangers = [level for level in levels if level not in placed]
        if data is None:
            order = (*placed, *strangers)
        else:
            codes = place_strangers(data.between, *_codes(evidence, placed, strangers))
            order = tuple(levels[k] for k in codes)
        return ChosenOrder(
            order, labels.direction_known, True, tuple(strangers), _spelled(labels, order)
        )
    if data is None:
        return ChosenOrder(None, False, False)
    order = pooled or tuple(levels[k] for k in data.order)
    ties = () if pooled else tuple(tuple(levels[k] for k in tie) for tie in data.ties)
    if len(placed) >= 2:
        positions = [order.index(level) for level in placed]
        backwards = np.corrcoef(positions, np.arange(len(placed)))[0, 1] < 0
    else:
        # Start with the more frequent end: an arbitrary choice, but always the same.
        first, last = ((evidence.counts[v], str(v)) for v in (order[0], order[-1]))
        backwards = first < last
    if backwards:
        order, ties = order[::-1], tuple(tie[::-1] for tie in reversed(ties))
    return ChosenOrder(order, False, False, ties=ties)


def _spelled(labels: LabelEvidence, order: tuple) -> tuple[tuple, ...]:
    """Give the spellings of one level that stand side by side in an order."""
    windows = {order[k : k + n] for n in map(len, labels.spellings) for k in range(len(order))}
    return tuple(spelling for spelling in labels.spellings if spelling in windows)


def _codes(evidence: CandidateEvidence, *groups: list) -> list[list[int]]:
    code = {level: k for k, level in enumerate(evidence.levels)}
    return [[code[level] for level in group] for group in groups]
