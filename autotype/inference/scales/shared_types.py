"""Express the verdict on a scale in the types of its columns, and find those against it.

All columns then have one type, order and set of levels: those that a column lacks stand with a
count of 0, so that all have one dtype.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import eigh

from autotype.inference.column import Column, SharedScale, places_of
from autotype.inference.scales.shared_readings import spelled
from autotype.types.column_type import WITH_ODDS, ColumnType
from autotype.wording import format_count, format_some

_SHARED = (
    "semantic_type",
    "probability",
    "order_probability",
    "direction_known",
)  # of a verdict, as they are
_MIN_ITEMS = 3  # of two that run against each other, none is the one
_MIN_ROWS = 20
_SURE = 4.0  # z statistic of a correlation that is no accident


def share_types(columns: Sequence[Column], types: Sequence[ColumnType]) -> list[ColumnType]:
    """Return the types of columns, those of a scale as the verdict on the scale has them.

    Parameters
    ----------
    columns : sequence of Column
        With the `verdict` of the scale that they share; all columns of a scale, or none.
    types : sequence of ColumnType
        Their types, each by itself.

    Returns
    -------
    list of ColumnType
        A column of a scale whose type is not a verdict on order stays as it is; so does one of two
        levels unless the scale is ordinal.
    """
    scales: dict[int, list[int]] = {}
    stated = Counter(column.stated_scale for column in columns)
    keys = {name for name, n in stated.items() if name and n > 1}
    for place, column in enumerate(columns):
        if column.shared is not None and column.shared.verdict is not None:
            scales.setdefault(id(column.shared), []).append(place)
    found = [
        replace(kind, scale=column.stated_scale) if column.stated_scale in keys else kind
        for column, kind in zip(columns, types, strict=True)
    ]
    for places in scales.values():
        scale = columns[places[0]].shared
        assert scale is not None
        assert scale.verdict is not None
        kinds = {types[k].semantic_type for k in places if columns[k].n_distinct > 2}
        if not kinds <= set(WITH_ODDS):
            continue
        key = _new_key(columns[places[0]], keys)
        against = reversed_items(scale)
        for k in places:
            if columns[k].n_distinct > 2 or scale.verdict.semantic_type == "ordinal":
                found[k] = _with_verdict(types[k], columns[k], key, against)
    return found


def _new_key(column: Column, keys: set[str]) -> str:
    """Return the name of a scale, that of its first column, which no other scale has."""
    name, n = str(column.name), 1
    while name in keys:
        n += 1
        name = f"{column.name} ({n})"
    keys.add(name)
    return name


def _with_verdict(
    found: ColumnType, column: Column, key: str, against: frozenset[int]
) -> ColumnType:
    """Return the type of a column as the verdict on its scale has it."""
    scale = column.shared
    assert scale is not None
    verdict = scale.verdict
    assert verdict is not None
    own, aside = scale.spellings[column.position], scale.aside[column.position]
    off_scale = (*spelled(verdict.off_scale, own), *spelled(aside, aside))
    best = None if verdict.best_order is None else spelled(verdict.best_order, own)
    on_scale = spelled(verdict.levels, own) if best is None else best
    counts = {**column.known_levels, **column.aside}
    levels = dict.fromkeys((*on_scale, *off_scale), 0)
    levels = {level: counts.get(level, 0) for level in levels}
    is_reversed = column.position in against
    types = dict(found.type_probabilities)
    if found.semantic_type not in WITH_ODDS:  # two levels were ticked
        types = dict(scale.type_probabilities)
    why = _reasons(column, scale, levels, is_reversed=is_reversed)
    n_first = len(found.reasons) - column.is_late  # the last says that time was up
    return replace(
        found,
        **{name: getattr(verdict, name) for name in _SHARED},
        order=None if verdict.order is None else best,
        partial_order=_pairs(verdict, own),
        best_order=best,
        levels=levels,
        off_scale=off_scale,
        ties=tuple(spelled(tie, own) for tie in verdict.ties),
        alternatives=tuple((spelled(order, own), p) for order, p in verdict.alternatives),
        type_probabilities=types,
        reasons=(*found.reasons[:n_first], *why, *found.reasons[n_first:]),
        scale=key,
        reversed=is_reversed,
    )


def _pairs(verdict: ColumnType, own: Mapping[Any, tuple]) -> tuple[tuple, ...] | None:
    """Return the known pairs of a scale's order in the levels of one column."""
    if verdict.partial_order is None:
        return None
    return tuple(
        (lower, higher)
        for low, high in verdict.partial_order
        for lower in spelled((low,), own)
        for higher in spelled((high,), own)
    )


def _reasons(
    column: Column, scale: SharedScale, levels: Mapping, *, is_reversed: bool
) -> list[str]:
    others = [other.name for other in scale.columns if other is not column]
    n_others = format_count(len(others), "other column")
    sentences = [f"One scale with {n_others}: {format_some(others)}."]
    lacking = [level for level, n in levels.items() if not n]
    if lacking:
        sentences.append(f"It holds no {format_some(lacking)}, which others of the scale hold.")
    if is_reversed:
        sentences.append("It runs against the others of its scale.")
    return sentences


def reversed_items(scale: SharedScale) -> frozenset[int]:
    """Find the columns of an ordinal scale that fall where the others rise.

    Parameters
    ----------
    scale : SharedScale
        With its verdict.

    Returns
    -------
    frozenset of int
        Positions of the columns. The signs of the first principal component separate the columns;
        those of the smaller part are reversed if each is correlated negatively with the mean of
        the larger part, beyond chance. None of fewer than three columns, nor of halves.
    """
    verdict = scale.verdict
    if verdict is None or verdict.order is None or len(scale.columns) < _MIN_ITEMS:
        return frozenset()
    ranks = np.column_stack([_ranks(column, scale) for column in scale.columns])
    with np.errstate(invalid="ignore", divide="ignore"):
        centred = ranks - np.nanmean(ranks, axis=0, where=~np.isnan(ranks))
        scaled = np.nan_to_num(centred / np.nanstd(ranks, axis=0))
    last = len(scale.columns) - 1  # of the eigenvectors, that of the largest eigenvalue
    _, direction = eigh(scaled.T @ scaled, subset_by_index=(last, last))
    falls = direction[:, 0] < 0
    if 2 * falls.sum() > len(falls):
        falls = ~falls
    if not falls.any() or 2 * falls.sum() == len(falls):
        return frozenset()
    rest = scaled[:, ~falls].mean(axis=1)
    found = set()
    for place in np.flatnonzero(falls):
        is_held = ~np.isnan(ranks[:, place])
        if is_held.sum() >= _MIN_ROWS:
            r = np.corrcoef(rest[is_held], scaled[is_held, place])[0, 1]
            if r < 0 and abs(r) * np.sqrt(is_held.sum()) >= _SURE:
                found.add(scale.columns[place].position)
    return frozenset(found)


def _ranks(column: Column, scale: SharedScale) -> np.ndarray:
    """Return the ranks of the sampled values along the order; NaN where there is none."""
    assert scale.verdict is not None
    names, rank = scale.names_of(column), places_of(scale.verdict.order or ())
    codes, held = column.coded
    return np.array([*(rank.get(names.get(level), np.nan) for level in held), np.nan])[codes]
