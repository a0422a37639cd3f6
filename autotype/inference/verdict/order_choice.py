"""Choose the order to report: of the labels, the label judge, the data, or a whole battery.

A battery is a set of columns that share a scale, such as the items of a questionnaire, and so one
order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from autotype.inference.column import Column, places_of
from autotype.inference.evidence.order_search import place_levels
from autotype.inference.labels.evidence import LabelEvidence

OrderSource = Literal["labels", "judge", "data", "battery"]


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
        Leave-one-out gain of the ordinal model over the proportions of the levels, in nats over
        all rows, where the data or a battery gave the order; else 0. The largest of a battery.
    placed_by_data : tuple
        Levels that the labels do not place and the data did.
    ties : tuple of tuple
        Stretches of the order whose levels are not ordered among themselves: the data, where they
        gave it, leave them open, or they are spellings of one level.
    """

    order: tuple | None
    direction_known: bool
    source: OrderSource | None
    ordinal_gain: float = 0.0
    placed_by_data: tuple = ()
    ties: tuple[tuple, ...] = ()


def follows_data(column: Column) -> bool:
    """Return whether the data, and not the labels, give the order."""
    labels = column.used_labels
    placed = set(labels.order or ()) & set(column.scale)
    return len(placed) < 2 or not (labels.rule.trusted or column.data is None)


def choose_order(column: Column, pooled: ChosenOrder | None = None) -> ChosenOrder:
    """Choose the order of a column's levels.

    Parameters
    ----------
    column : Column
        Labels and data.
    pooled : ChosenOrder, optional
        The order that the columns of a battery share; it stands.

    Returns
    -------
    ChosenOrder

    Notes
    -----
    The order of a trusted rule stands. Levels that it does not place are inserted where the data
    weigh the order highest; without data they go last. Then comes the judge's order, then the
    data's, of which enumerators and the like choose the direction.
    """
    if pooled is not None:
        return pooled
    labels, data, levels = column.used_labels, column.data, column.scale
    judged, known = column.judged, set(levels)
    if judged is not None and judged.order is not None and follows_data(column):
        order = tuple(level for level in judged.order if level in known)
        return ChosenOrder(order, True, "judge")
    placed = [level for level in labels.order or () if level in known]
    if len(placed) >= 2 and not follows_data(column):
        stated = set(placed)
        unplaced = [level for level in levels if level not in stated]
        if data is None:
            order = (*placed, *unplaced)
        else:
            code = places_of(levels)
            given, open_ = ([code[level] for level in some] for some in (placed, unplaced))
            order = tuple(levels[k] for k in place_levels(data.scatter, given, open_))
        return ChosenOrder(
            order,
            labels.direction_known,
            "labels",
            placed_by_data=tuple(unplaced),
            ties=_spelled(labels, order),
        )
    if data is None:
        return ChosenOrder(None, False, None)
    order = tuple(levels[k] for k in data.order)
    ties = tuple(tuple(levels[k] for k in tie) for tie in data.ties)
    if len(placed) >= 2:
        places = places_of(order)
        backwards = (
            np.corrcoef([places[level] for level in placed], np.arange(len(placed)))[0, 1] < 0
        )
    else:
        # Start with the more frequent end: an arbitrary choice, but always the same.
        first, last = ((column.known_levels[v], str(v)) for v in (order[0], order[-1]))
        backwards = first < last
    if backwards:
        order, ties = order[::-1], tuple(tie[::-1] for tie in reversed(ties))
    return ChosenOrder(order, False, "data", data.ordinal_gain, ties=ties)


def _spelled(labels: LabelEvidence, order: tuple) -> tuple[tuple, ...]:
    """Return the spellings of one level that are adjacent in an order."""
    windows = {order[k : k + n] for n in map(len, labels.spellings) for k in range(len(order))}
    return tuple(spelling for spelling in labels.spellings if spelling in windows)
