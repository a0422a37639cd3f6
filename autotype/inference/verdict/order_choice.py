"""Choose the order to report: of the labels, the label judge, the data, or a whole battery.

A battery is a set of columns that share their levels, such as the items of a questionnaire. It has
one scale: its columns share one order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from autotype.inference.column import Column, in_codes, places_of
from autotype.inference.evidence.order_search import order_log_weights, place_levels
from autotype.inference.labels.evidence import LabelEvidence
from autotype.types.batteries import stem

_MIN_COLUMNS = 3  # of a battery

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
        The order that the columns of a battery share; it replaces the data's.

    Returns
    -------
    ChosenOrder

    Notes
    -----
    The order of a trusted rule stands. Levels that it does not place are inserted where the data
    weigh the order highest; without data they go last. Then comes the judge's order, then the
    data's, of which enumerators and the like choose the direction.
    """
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
    order = pooled.order if pooled and pooled.order else tuple(levels[k] for k in data.order)
    ties = () if pooled else tuple(tuple(levels[k] for k in tie) for tie in data.ties)
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
    if pooled:
        return replace(pooled, order=order)
    return ChosenOrder(order, False, "data", data.ordinal_gain, ties=ties)


def _spelled(labels: LabelEvidence, order: tuple) -> tuple[tuple, ...]:
    """Return the spellings of one level that are adjacent in an order."""
    windows = {order[k : k + n] for n in map(len, labels.spellings) for k in range(len(order))}
    return tuple(spelling for spelling in labels.spellings if spelling in windows)


def find_batteries(columns: Sequence[Column]) -> list[tuple[int, ...]]:
    """Find batteries: three or more columns with the same levels.

    Levels without a word, such as 1 to 5, are too common to be a scale by themselves: the names of
    the columns have to be alike too, except for a number or letter.

    Parameters
    ----------
    columns : sequence of Column
        The candidates.

    Returns
    -------
    list of tuple of int
        Positions in the sequence, at least three a battery.
    """
    groups: dict[tuple, list[int]] = {}
    for position, column in enumerate(columns):
        name = stem(column.name) if column.is_opaque else "any"
        levels = column.wording if column.texts else frozenset(column.scale)
        key = (name, levels, column.judged is None)
        groups.setdefault(key, []).append(position)
    return [tuple(group) for key, group in groups.items() if key[0] and len(group) >= _MIN_COLUMNS]


def pooled_order(battery: Sequence[Column]) -> ChosenOrder | None:
    """Find the order of levels that fits all columns of a battery best.

    Parameters
    ----------
    battery : sequence of Column
        Columns with the same levels.

    Returns
    -------
    ChosenOrder or None
        The best of the few best orders of each column; None where labels give the order or no
        column can be predicted.
    """
    predicted = [(c, c.data) for c in battery if c.data is not None and c.data.predictable]
    if not predicted or not all(follows_data(candidate) for candidate in battery):
        return None
    candidates = {
        tuple(c.scale[k] for k in order) for c, data in predicted for order in data.log_weights
    }
    places = places_of(battery[0].scale)
    orders = sorted(candidates, key=lambda order: [places[level] for level in order])
    total = np.zeros(len(orders))
    for column, data in predicted:
        codes = np.array([in_codes(order, column.scale) for order in orders])
        total += order_log_weights(data.scatter, codes)
    gain = max(data.ordinal_gain for _, data in predicted)
    return ChosenOrder(orders[int(np.argmax(total))], False, "battery", gain)
