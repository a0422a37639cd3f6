"""Which order to report: that of the labels, that of the data, or the two together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from autotype.inference.candidate import CandidateEvidence
from autotype.inference.labels.evidence import LabelEvidence
from autotype.inference.unplaced_levels import place_strangers

OrderSource = Literal["labels", "judge", "data", "battery"]


@dataclass(frozen=True)
class BatteryOrder:
    """The order that the columns of a battery share.

    Attributes
    ----------
    order : tuple
        Levels on the scale, up to reversal.
    ordinal_gain : float
        The largest gain of the ordinal model over the level shares among the columns, in nats.
    """

    order: tuple
    ordinal_gain: float


@dataclass(frozen=True)
class ChosenOrder:
    """The order to report.

    Attributes
    ----------
    order : tuple or None
        Levels on the scale, lowest first; None where nothing gives one.
    direction_known : bool
        Whether low and high ends are known.
    source : {"labels", "judge", "data", "battery"} or None
        What gave it: the labels, the user's label judge, the other columns, or the other columns
        of the whole battery.
    ordinal_gain : float
        Leave-one-out gain of the ordinal model over the level shares, in nats over all rows, where
        the data or a battery gave the order; else 0.
    placed_by_data : tuple
        Levels that the labels do not place and the data did.
    ties : tuple of tuple
        Stretches of the order whose levels nothing tells apart: neither the data, where these gave
        it, nor more than their spelling.
    """

    order: tuple | None
    direction_known: bool
    source: OrderSource | None
    ordinal_gain: float = 0.0
    placed_by_data: tuple = ()
    ties: tuple[tuple, ...] = ()


def follows_data(evidence: CandidateEvidence) -> bool:
    """Whether the data, and not the labels, give the order."""
    placed = [level for level in evidence.labels.order or () if level in evidence.levels]
    trusted = evidence.labels.rule.trusted or evidence.data is None
    return len(placed) < 2 or not trusted


def choose_order(evidence: CandidateEvidence, pooled: BatteryOrder | None = None) -> ChosenOrder:
    """Choose the order of a column's levels.

    Parameters
    ----------
    evidence : CandidateEvidence
        Labels and data.
    pooled : BatteryOrder, optional
        The order that the columns of a battery share; it replaces the data's.

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
    judged = evidence.judged
    if judged is not None and judged.order is not None and follows_data(evidence):
        order = tuple(level for level in judged.order if level in levels)
        return ChosenOrder(order, True, "judge")
    placed = [level for level in labels.order or () if level in levels]
    if len(placed) >= 2 and not follows_data(evidence):
        strangers = [level for level in levels if level not in placed]
        if data is None:
            order = (*placed, *strangers)
        else:
            codes = place_strangers(data.between, *_codes(evidence, placed, strangers))
            order = tuple(levels[k] for k in codes)
        return ChosenOrder(
            order,
            labels.direction_known,
            "labels",
            placed_by_data=tuple(strangers),
            ties=_spelled(labels, order),
        )
    if data is None:
        return ChosenOrder(None, False, None)
    order = pooled.order if pooled else tuple(levels[k] for k in data.order)
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
    if pooled:
        return ChosenOrder(order, False, "battery", pooled.ordinal_gain)
    return ChosenOrder(order, False, "data", data.ordinal_gain, ties=ties)


def _spelled(labels: LabelEvidence, order: tuple) -> tuple[tuple, ...]:
    """Give the spellings of one level that stand side by side in an order."""
    windows = {order[k : k + n] for n in map(len, labels.spellings) for k in range(len(order))}
    return tuple(spelling for spelling in labels.spellings if spelling in windows)


def _codes(evidence: CandidateEvidence, *groups: list) -> list[list[int]]:
    code = {level: k for k, level in enumerate(evidence.levels)}
    return [[code[level] for level in group] for group in groups]
