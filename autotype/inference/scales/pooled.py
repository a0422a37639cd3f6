"""Pool the columns of a scale into one: the levels of all, and what all other columns show of them.

An order of the scale is weighed by each column on the levels that it holds, and the weights are
added, so that no model has to be fitted again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autotype.inference.column import Column, SharedScale, in_codes, places_of, without
from autotype.inference.evidence.between_scatter import BetweenScatter
from autotype.inference.evidence.data_evidence import DataEvidence
from autotype.inference.evidence.order_search import order_log_weights, search_order
from autotype.inference.judges.label_judge import JudgeVerdict, LabelJudge, query_judge
from autotype.inference.scales.find_scales import level_key
from autotype.inference.scales.shared_scales import MIN_LEVELS, spelled

_MOST_VOTERS = 8  # each costs as much as a column that is requested
_MOST_WHERE_READ = 3  # of a scale whose labels settle its type
_MOST_RULED = 0.5  # proportion of the columns of a scale that rules may type
_RULED = ("count", "categorical", "identifier", "continuous")


def settle_members(scale: SharedScale) -> bool:
    """Keep the columns of a scale that are candidates, or like these.

    Rules take an item for a count whose lowest answer is the most frequent. Where most columns of
    the scale are candidates, so is that one; where most are not, it shares nothing.

    Parameters
    ----------
    scale : SharedScale
        Its columns are typed by rules.

    Returns
    -------
    bool
        Whether it has other columns now.
    """
    full = [column for column in scale.columns if column.n_distinct >= MIN_LEVELS]
    ruled = [column for column in full if column.semantic_type in _RULED and column.levels]
    if len(ruled) < _MOST_RULED * len(full):
        for column in ruled:
            column.semantic_type, column.reason = None, ""
    n_full = sum(column.is_candidate for column in full)
    kept = [c for c in scale.columns if n_full > 1 and (c.is_candidate or c.n_distinct == 2)]
    for column in scale.columns:
        column.shared = scale if column in kept else None
    is_changed = len(kept) < len(scale.columns)
    scale.columns = tuple(kept)
    return is_changed


def judged_once(
    columns: Sequence[Column], judge: LabelJudge | None, *, progress: bool | None = None
) -> list[JudgeVerdict | None]:
    """Query the judge about columns, once about those of a scale."""
    if judge is None:
        return [None] * len(columns)
    first: dict[Column | SharedScale, tuple[Any, tuple]] = {}
    for column in columns:
        scale = column.shared
        levels = tuple(column.known_levels if scale is None else scale.levels)
        first.setdefault(scale or column, (column.name, levels))
    answers = query_judge(judge, list(first.values()), progress=progress)
    found = dict(zip(first, answers, strict=True))
    for column in columns:
        if column.shared is not None:
            column.shared.judged = found[column.shared]
    return [_in_levels_of(column, found[column.shared or column]) for column in columns]


def measure_judge(columns: Sequence[Column]) -> None:
    """Count how often the judge gives the order that labels give, each scale once.

    Parameters
    ----------
    columns : sequence of Column
        With what judge and labels say of them; both counts are added to each answer of the judge.
    """
    right: dict[Column | SharedScale, bool] = {}
    for column in columns:
        labels, judged = column.used_labels, column.judged
        order = labels.order if labels.rule.reads_scales else None
        if order is not None and len(order) >= MIN_LEVELS and judged and judged.order:
            placed = tuple(level for level in judged.order if level in set(order))
            is_right = placed == order or (not labels.direction_known and placed == order[::-1])
            right[column.shared or column] = is_right
    for one in {one for column in columns for one in (column, column.shared)}:
        if one is not None and one.judged is not None:
            one.judged = replace(one.judged, n_compared=len(right), n_right=sum(right.values()))


def _in_levels_of(column: Column, judged: JudgeVerdict | None) -> JudgeVerdict | None:
    if judged is None or judged.order is None or column.shared is None:
        return judged
    order = own_order(column, judged.order) or ()
    held = column.known_levels
    return replace(judged, order=tuple(level for level in order if level in held))


def voters_of(scale: SharedScale) -> list[Column]:
    """Return the columns whose evidence decides on a scale, whichever columns are requested.

    They are candidates with three levels of the scale or more; of many, some are enough, fewer if
    the labels settle the type. The order of the columns changes nothing.
    """
    full = []
    for column in scale.columns:
        off_scale = spelled(scale.labels.off_scale, scale.spellings[column.position])
        n_levels = len(without(tuple(column.known_levels), off_scale))
        if column.is_candidate and n_levels >= MIN_LEVELS:
            full.append(column)
    is_read = scale.labels.rule.decides and not scale.labels.unplaced
    most = _MOST_WHERE_READ if is_read else _MOST_VOTERS
    if len(full) <= most:
        return full
    full.sort(key=lambda c: (sorted(c.known_levels.values()), str(c.name)))
    voters = {k * len(full) // most for k in range(most)}
    held = {level_key(full[k], level) for k in voters for level in full[k].known_levels}
    for k, column in enumerate(full):  # each level has to be seen
        own = {level_key(column, level) for level in column.known_levels}
        if not own <= held:
            voters.add(k)
            held |= own
    return sorted((full[k] for k in voters), key=lambda column: column.position)


def batteries_of(columns: Sequence[Column]) -> list[tuple[SharedScale, list[Column], list[Column]]]:
    """Return the scales of columns, each with its columns among them, and the voters of these.

    Scales without two voters are left out.
    """
    scales: dict[SharedScale, list[Column]] = {}
    for column in columns:
        if column.shared is not None:
            scales.setdefault(column.shared, []).append(column)
    voting = {column for scale in scales for column in voters_of(scale)}
    found = [(scale, own, [c for c in own if c in voting]) for scale, own in scales.items()]
    return [battery for battery in found if len(battery[2]) > 1]


def pooled_column(scale: SharedScale, members: Sequence[Column]) -> Column:
    """Return a column that stands for a scale.

    Parameters
    ----------
    scale : SharedScale
    members : sequence of Column
        Some of its columns, with their evidence.

    Returns
    -------
    Column
        With the levels of the scale and their counts over all columns, the reading of all labels,
        and the data of all columns that the other columns predict, if some are. The levels that
        the data of most columns reject are off the scale.
    """
    lead = max(members, key=lambda c: (_gain(c), len(c.scale), -c.position))
    readings = [c.reading for c in members if c.reading is not None]
    labels = scale.labels if any(c.reading is not None for c in members) else None
    # A column may be read by an equivalent one.
    if labels is not None and readings and all(r.rule != labels.rule for r in readings):
        own = max(members, key=lambda c: len(c.scale))
        names = {**dict.fromkeys(own.known_levels), **scale.names_of(own)}
        labels = own.used_labels.translated(names)
    rejected = _rejected(scale, members)
    off_scale = () if labels is None else labels.off_scale
    on_scale = without(tuple(scale.levels), (*off_scale, *rejected))
    return Column(
        lead.name,
        position=lead.position,
        n_rows=sum(column.n_rows for column in members),
        levels=scale.levels,
        n_distinct=len(scale.levels),
        entry=lead.entry,
        reading=labels,
        judged=scale.judged,
        is_opaque=lead.is_opaque,
        text_score=lead.text_score,
        scale=on_scale,
        rejected=rejected,
        data=_pooled_data(scale, members, on_scale, labels.order if labels else None),
        features=lead.features,
    )


def _gain(column: Column) -> float:
    return -math.inf if column.data is None else column.data.ordinal_gain


def _rejected(scale: SharedScale, members: Sequence[Column]) -> tuple:
    """Return the levels that the data of most columns that hold them reject."""
    found = []
    for name in scale.levels:
        votes = []
        for column in members:
            own = set(scale.spellings[column.position][name]) & column.known_levels.keys()
            if own and column.data is not None and column.data.predictable:
                votes.append(bool(own & set(column.rejected)))
        if sum(votes) > len(votes) / 2:
            found.append(name)
    return tuple(found)


def _pooled_data(
    scale: SharedScale, members: Sequence[Column], levels: tuple, stated: tuple | None
) -> DataEvidence | None:
    """Return the evidence on the levels of a scale of the rows of all its columns."""
    every = [(c.data, _places(c, scale, levels)) for c in members if c.data is not None]
    parts = [(data, places) for data, places in every if data.predictable]
    if len(_held(parts)) < len(levels):
        parts = every
    if len(levels) < MIN_LEVELS or len(_held(parts)) < len(levels):
        return None
    scatter = _summed(parts, len(levels))

    def weigh(orders: np.ndarray) -> np.ndarray:
        # The columns answer to the same rows: roots of log likelihoods add up as squares do.
        weights = np.sum([_log_weights(*part, orders) for part in parts], axis=0)
        return weights / math.sqrt(len(parts))

    log_weights, ties = search_order(scatter, in_codes(stated, levels), weigh=weigh)
    lead = max((data for data, _ in parts), key=lambda data: data.ordinal_gain)
    order = next(iter(log_weights))
    # Two columns test each other in both directions, so that their z statistics say the same.
    separation = sum(data.features["separation"] for data, _ in parts) / math.sqrt(2 * len(parts))
    return replace(
        lead,
        order=order,
        log_weights=log_weights,
        ties=ties,
        scatter=scatter,
        features={
            **lead.features,
            "order_weight": math.exp(log_weights[order]),
            "separation": separation,
        },
    )


# The evidence of one column, and the places of its levels on the scale, -1 for none.
_Part = tuple[DataEvidence, np.ndarray]


def _places(column: Column, scale: SharedScale, levels: tuple) -> np.ndarray:
    names, place = scale.names_of(column), places_of(levels)
    return np.array([place.get(names[v], -1) for v in column.scale])


def _log_weights(data: DataEvidence, places: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """Return the log weights of orders of the scale, by the levels that a column holds."""
    code = np.full(orders.shape[1] + 1, -1)
    code[places] = np.arange(len(places))  # the last is that of levels off the scale
    codes = code[:-1][orders]
    return order_log_weights(data.scatter, codes[codes >= 0].reshape(len(orders), -1))


def _held(parts: Sequence[_Part]) -> set[int]:
    """Return the places of the levels that some columns hold."""
    return {place for _, places in parts for place in places.tolist() if place >= 0}


def _summed(parts: Sequence[_Part], n_levels: int) -> BetweenScatter:
    """Return the scatter of the levels over the stacked rows of columns."""
    matrix, counts = np.zeros((n_levels, n_levels)), np.zeros(n_levels, dtype=np.int64)
    for data, places in parts:
        own = np.flatnonzero(places >= 0)
        held = places[own]
        np.add.at(matrix, np.ix_(held, held), data.scatter.matrix[np.ix_(own, own)])
        np.add.at(counts, held, data.scatter.counts[own])
    return BetweenScatter(matrix, counts)


def own_order(column: Column, order: Sequence[Any] | None) -> tuple | None:
    """Return an order of the scale in the levels of one of its columns."""
    if order is None or column.shared is None:
        return None
    return spelled(order, column.shared.spellings[column.position])
