"""Choose the order to report: of the labels, the label judge, the data, or a whole battery.

A battery is a set of columns that share a scale, such as the items of a questionnaire, and so one
order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy.special import softmax

from autotype.inference.column import Column, places_of
from autotype.inference.evidence.order_search import place_levels
from autotype.inference.labels.evidence import LabelEvidence
from autotype.inference.labels.unread import GAP_FEATURES
from autotype.inference.learned import load_learned
from autotype.types.column_type import ORDER_FROM

_NUMBER = re.compile(r"\d+")
OrderSource = Literal["labels", "judge", "data", "battery", "dtype"]
PlacedBy = Literal["judge", "dtype", "data", "labels"]


@dataclass(frozen=True)
class ChosenOrder:
    """The order to report.

    Attributes
    ----------
    order : tuple or None
        Levels on the scale, lowest first; None where nothing gives one.
    direction_known : bool
        Whether low and high ends are known.
    source : {"labels", "judge", "data", "battery", "dtype"} or None
        What gave it: the labels, the user's label judge, the other columns, the other columns of
        the whole battery, or the order of the levels in the file.
    placed : tuple
        Levels on the scale that the labels place, lowest first, where they gave the order.
    unplaced : tuple
        Levels on the scale that the labels do not place.
    placed_by : {"judge", "dtype", "data", "labels"} or None
        What placed them: the judge, the order of the levels in the file, the data, or the gap that
        the others leave; None if nothing did, so that their places are arbitrary.
    place_weights : tuple of float
        Of each such level, the weight of its place among all places, by the data and the labels.
    ties : tuple of tuple
        Stretches of the order whose levels are not ordered among themselves: the data, where they
        gave it, leave them open, or they are spellings of one level.
    """

    order: tuple | None
    direction_known: bool
    source: OrderSource | None
    placed: tuple = ()
    unplaced: tuple = ()
    placed_by: PlacedBy | None = None
    place_weights: tuple[float, ...] = ()
    ties: tuple[tuple, ...] = ()


def follows_data(column: Column) -> bool:
    """Return whether the data, and not the labels, give the order."""
    labels, placed = column.used_labels, _placed(column)
    is_given = labels.rule.trusted or _count_up(labels) or column.data is None
    return len(placed) < 2 or not is_given


def _placed(column: Column) -> tuple:
    """Return the levels on the scale that the labels place, lowest first."""
    known = set(column.scale)
    return tuple(level for level in column.used_labels.order or () if level in known)


def _count_up(labels: LabelEvidence) -> bool:
    """Check for codes such as A1, A2, A3: counted along their order, if they have one."""
    numbers = [int(found[0]) for v in labels.order or () if (found := _NUMBER.search(str(v)))]
    n_codes = len(labels.order or ())
    is_run = numbers in (list(range(n_codes)), list(range(1, n_codes + 1)))
    return labels.rule.name == "prefix_number" and is_run


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
    The order of a trusted rule stands. Levels that it does not place are inserted where the judge
    has them, if the judge agrees with the rule on the others; or else where the data weigh the
    order highest, or last without data. Then comes the judge's order, then the data's, of which
    enumerators and the like choose the direction. Where the data show none, these are the best
    order, of a probability no higher than chance; or else the order of the file is.
    """
    if pooled is not None:
        return pooled
    data, levels, judged, placed = column.data, column.scale, column.judged, _placed(column)
    if judged is not None and judged.order is not None and follows_data(column):
        known = set(levels)
        order = tuple(level for level in judged.order if level in known)
        return ChosenOrder(order, True, "judge")
    if not follows_data(column):
        return _placed_order(column, placed)
    held = _order_of_dtype(column) if len(placed) < 2 else ()
    if held and not (data is not None and data.predictable):
        return ChosenOrder(held, False, "dtype")
    if data is None:
        return ChosenOrder(None, False, None)
    if len(placed) == len(levels) and not data.predictable:  # codes count along the levels
        return ChosenOrder(placed, False, "data")
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
    return ChosenOrder(order, False, "data", ties=ties)


def _order_of_dtype(column: Column) -> tuple:
    """Return the levels as a file that was read has them, if it sorts them by no alphabet.

    That of an ordered dtype that was doubted, or of a factor of R. In memory, dictionaries of Arrow
    and polars list their levels as they appear.
    """
    dtype = column.values.dtype
    if not isinstance(dtype, pd.CategoricalDtype) or not (dtype.ordered or column.entry):
        return ()
    known = set(column.scale)
    order = tuple(level for level in dtype.categories if level in known)
    return order if order != tuple(sorted(order, key=str)) and len(order) == len(known) else ()


def _placed_order(column: Column, placed: tuple) -> ChosenOrder:
    """Return the order of the labels, with the levels that they do not place inserted."""
    labels, data, stated = column.used_labels, column.data, set(placed)
    unplaced = tuple(level for level in column.scale if level not in stated)
    is_one = len(unplaced) == 1 and len(labels.gaps) == len(placed) + 1
    prior = weigh_places(labels) if is_one else ()
    order: tuple = (*placed, *unplaced)
    placed_by: PlacedBy | None = None
    weights: tuple[float, ...] = ()
    judged = column.judged.order if column.judged is not None else None
    by_judge, by_dtype = (
        _agreeing(column, levels, placed, labels.direction_known) if unplaced and levels else None
        for levels in (judged, _order_of_dtype(column))
    )
    if by_judge or by_dtype:
        order, placed_by = by_judge or by_dtype or (), "judge" if by_judge else "dtype"
    elif data is not None and (data.predictable or max(prior, default=0.0) < ORDER_FROM):
        code = places_of(column.scale)
        given, open_ = ([code[level] for level in some] for some in (placed, unplaced))
        codes, weights = place_levels(data.scatter, given, open_, prior)
        order = tuple(column.scale[k] for k in codes)
        placed_by = "data" if unplaced and data.predictable else None
        if prior and placed_by is None:  # how probable a place is, the labels know
            placed_by, weights = "labels", (prior[codes.index(open_[0])],)
    elif prior:
        at = prior.index(max(prior))
        order, weights, placed_by = (*placed[:at], *unplaced, *placed[at:]), (prior[at],), "labels"
    return ChosenOrder(
        order,
        labels.direction_known,
        "labels",
        placed=placed,
        unplaced=unplaced,
        placed_by=placed_by,
        place_weights=weights,
        ties=_spelled(labels, order),
    )


def weigh_places(labels: LabelEvidence) -> tuple[float, ...]:
    """Weigh the places of the one level that labels do not place, by the gaps between the others.

    Examples
    --------
    >>> from autotype.inference.labels.rules import read_labels
    >>> labels = read_labels(["never", "rarely", "zorp", "often", "always"])
    >>> [round(p, 1) for p in weigh_places(labels)]
    [0.0, 0.0, 0.9, 0.1, 0.0]
    """
    model = load_learned().gap_model
    rows = [dict(zip(GAP_FEATURES, gap, strict=False)) for gap in labels.gaps]
    return tuple(softmax([model.log_odds(row) if row else -np.inf for row in rows]).tolist())


def _agreeing(column: Column, levels: tuple, placed: tuple, direction_known: bool) -> tuple | None:
    """Return another order of the levels if it has those that labels place in their order."""
    known = set(column.scale)
    order = tuple(level for level in levels if level in known)
    along = tuple(level for level in order if level in set(placed))
    if along == placed[::-1] and not direction_known:
        return order[::-1]
    return order if along == placed else None


def _spelled(labels: LabelEvidence, order: tuple) -> tuple[tuple, ...]:
    """Return the spellings of one level that are adjacent in an order."""
    windows = {order[k : k + n] for n in map(len, labels.spellings) for k in range(len(order))}
    return tuple(spelling for spelling in labels.spellings if spelling in windows)
