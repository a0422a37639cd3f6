"""Which order to report: that of the labels, that of the data, or the two together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autotype.inference.candidate import CandidateEvidence
from autotype.inference.labels import TRUSTED_RULES
from autotype.inference.ordering import order_scores


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
    """

    order: tuple | None
    direction_known: bool
    by_labels: bool
    placed_by_data: tuple = ()


def follows_data(evidence: CandidateEvidence) -> bool:
    """Whether the data, and not the labels, give the order."""
    placed = [level for level in evidence.labels.order or () if level in evidence.levels]
    trusted = evidence.labels.rule in TRUSTED_RULES or evidence.data is None
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
    The order of a trusted rule stands. Levels that it does not know are put where the closed-form
    score of the data is best; without data they go to the end. Enumerators and the like only
    orient what the data found, unless there is no data.
    """
    labels, data, levels = evidence.labels, evidence.data, evidence.levels
    opinion = evidence.opinion
    if opinion is not None and opinion.order is not None and follows_data(evidence):
        order = tuple(level for level in opinion.order if level in levels)
        return ChosenOrder(order, True, True)
    placed = [level for level in labels.order or () if level in levels]
    if len(placed) >= 2 and not follows_data(evidence):
        strangers = [level for level in levels if level not in placed]
        order = _place(placed, strangers, evidence)
        return ChosenOrder(order, labels.direction_known, True, tuple(strangers))
    if data is None:
        return ChosenOrder(None, False, False)
    order = pooled or tuple(levels[k] for k in data.order)
    if len(placed) >= 2:
        positions = [order.index(level) for level in placed]
        if np.corrcoef(positions, np.arange(len(placed)))[0, 1] < 0:
            order = order[::-1]
        return ChosenOrder(order, False, False)
    return ChosenOrder(_orient(order, evidence), False, False)


def _place(placed: list, strangers: list, evidence: CandidateEvidence) -> tuple:
    """Insert strangers one by one where the data score is best."""
    order = list(placed)
    for stranger in strangers:
        options = [[*order[:k], stranger, *order[k:]] for k in range(len(order), -1, -1)]
        if evidence.data is None:
            order = options[0]
            continue
        # Levels not yet inserted are left out of the score: their rows do not count.
        codes = np.array([[evidence.levels.index(v) for v in option] for option in options])
        order = options[int(np.argmax(order_scores(evidence.data.between, codes)))]
    return tuple(order)


def _orient(order: tuple, evidence: CandidateEvidence) -> tuple:
    """Put the more frequent end first: an arbitrary choice, but always the same."""
    first, last = ((evidence.counts[v], str(v)) for v in (order[0], order[-1]))
    return order if first >= last else order[::-1]
