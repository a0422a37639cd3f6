"""Read each scale once, and express reading and verdict in the levels of each of its columns.

All columns of a scale then have one type, order and set of levels: those that a column lacks stand
with a count of 0, so that all have one dtype. Columns that run against the others are found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from scipy.linalg import eigh

from autotype.inference.column import Column, SharedScale, places_of, without
from autotype.inference.labels.coded import read_coded
from autotype.inference.labels.column_name import read_name
from autotype.inference.labels.evidence import NO_RULE, NOMINAL, LabelEvidence
from autotype.inference.labels.rules import read_labels
from autotype.inference.labels.topics import topics_of
from autotype.inference.scales.find_scales import MOST_EXPECTED, level_key
from autotype.types.codebook import value_key
from autotype.types.column_type import WITH_ODDS, ColumnType
from autotype.wording import format_count, format_level, format_some

MIN_LEVELS = 3  # on a scale
# Of which a level of one is odd; of two that run against each other, none is the one.
_MIN_ITEMS = 3
_MIN_ROWS = 20
_SURE = 4.0  # z statistic of a correlation that is no accident
# What the verdict on a scale and that on each of its columns have in common, as it is.
_SHARED = ("semantic_type", "probability", "order_probability", "direction_known")


def keep_common(columns: Sequence[Column], lone: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the levels of one row that no other column of the scale holds in several rows."""
    held: dict[SharedScale, set] = {}
    kept = []
    for column, alone in zip(columns, lone, strict=True):
        texts = list(alone)
        if texts and column.shared is not None:
            common = held.setdefault(column.shared, _common(column.shared))
            texts = [text for text in texts if level_key(column, text) not in common]
        kept.append(texts)
    return kept


def _common(scale: SharedScale) -> set:
    return {
        level_key(column, level)
        for column in scale.columns
        for level, n in column.known_levels.items()
        if n > 1
    }


def read_scales(columns: Sequence[Column], scales: Sequence[SharedScale]) -> None:
    """Read the labels that several columns have in common once.

    Parameters
    ----------
    columns : sequence of Column
        Columns without the levels that were set aside; those with equal levels receive their
        `labels`.
    scales : sequence of SharedScale
        They receive `levels`, `spellings`, `aside` and `labels`, and their columns `labels`; the
        labels only where they may be used.

    Examples
    --------
    >>> one = Column("a", position=0, levels={"low": 1, "medium": 1, "high": 2})
    >>> other = Column("b", position=1, levels={"High": 1})
    >>> scale = SharedScale((one, other))
    >>> read_scales([one, other], [scale])
    >>> scale.labels.order, other.labels.order
    (('low', 'medium', 'high'), ('High',))
    """
    for scale in scales:
        _unite(scale)
        if scale.columns and scale.columns[0].label_text:
            _read(scale)
    alike: dict[Any, list[Column]] = {}
    for column in columns:
        if column.label_text and column.shared is None and column.known_levels:
            levels = frozenset((type(v), v, column.texts.get(v)) for v in column.known_levels)
            alike.setdefault((levels, topics_of(column.title)), []).append(column)
    for group in alike.values():
        for column in group[1:]:
            column.labels = group[0].labels


def _unite(scale: SharedScale) -> None:
    """Set the levels of a scale, and how its columns spell them."""
    counts: dict[Any, Counter] = {}
    stray: dict[Any, Counter] = {}
    for column in scale.columns:
        for levels, found in ((column.known_levels, counts), (column.aside, stray)):
            for level, n in levels.items():
                found.setdefault(level_key(column, level), Counter())[level] += n
    names = {key: _first(spelled) for key, spelled in (stray | counts).items()}
    sizes = {names[key]: spelled.total() for key, spelled in counts.items()}
    scale.levels = dict(sorted(sizes.items(), key=lambda item: (-item[1], str(item[0]))))
    on_scale = {names[key] for key in counts}
    for column in scale.columns:
        own: dict[Any, tuple] = {}
        for level in (*column.known_levels, *column.aside):
            name = names[level_key(column, level)]
            own[name] = (*own.get(name, ()), level)
        every = {name: own.get(name) or (in_kind(name, column),) for name in names.values()}
        scale.spellings[column.position] = {k: v for k, v in every.items() if k in on_scale}
        scale.aside[column.position] = {k: v for k, v in every.items() if k not in on_scale}


def _first(spelled: Counter) -> Any:
    """Return the most frequent spelling of a level, whatever the order of the columns."""
    return min(spelled, key=lambda level: (-spelled[level], str(level)))


def in_kind(level: Any, column: Column) -> Any:
    """Return a level that a column lacks, as a string or number like its own."""
    own = list(column.known_levels)
    if not isinstance(level, str) and all(isinstance(v, str) for v in own):
        return format_level(level)
    if isinstance(level, str) and all(isinstance(v, Real) for v in own):
        number = value_key(level)
        if isinstance(number, float):
            return int(number) if number.is_integer() else number
    return level


def _read(scale: SharedScale) -> None:
    """Read the labels of a scale, and set the part of each column."""
    texts: dict[Any, str] = {}
    for column in scale.columns:
        for name, own in scale.spellings[column.position].items():
            if own[0] in column.texts:
                texts[name] = column.texts[own[0]]
    if all(isinstance(value_key(name), float) for name in texts):
        texts = dict(sorted(texts.items(), key=lambda item: value_key(item[0])))
    levels = list(scale.levels)
    if texts:
        is_graded = any(read_name(column.title) > 0 for column in scale.columns)
        declared = scale.columns[0].choices
        labels = read_coded(levels, texts, declared=declared, is_graded=is_graded)
    else:
        named = next((column.title for column in scale.columns if topics_of(column.title)), "")
        labels = read_labels(levels, named)
    if len(levels) - len(labels.off_scale) < MIN_LEVELS:  # "yes", "no", "don't know" is none
        rule = NO_RULE if labels.rule.trusted else labels.rule
        labels = replace(labels, rule=rule, order=None, off_scale=())
    scale.labels = labels = _without_odd(labels, scale)
    for column in scale.columns:
        held = column.known_levels
        part = {
            name: tuple(level for level in values if level in held)
            for name, values in scale.spellings[column.position].items()
        }
        column.labels = _part(scale.labels, part)


def _without_odd(labels: LabelEvidence, scale: SharedScale) -> LabelEvidence:
    """Set the levels off the scale that one column alone holds, and that labels do not place.

    The others would hold them, too, if they were offered: some rows are expected to.
    """
    n_full = sum(len(column.known_levels) >= MIN_LEVELS for column in scale.columns)
    if n_full < _MIN_ITEMS or labels.rule == NOMINAL:
        return labels
    odd = []
    for level in without(tuple(scale.levels), (*(labels.order or ()), *labels.off_scale)):
        own = scale.spellings
        holders = [c for c in scale.columns if set(own[c.position][level]) & c.known_levels.keys()]
        if len(holders) == 1:
            n_others = sum(c.n_present for c in scale.columns) - holders[0].n_present
            if scale.levels[level] * n_others > MOST_EXPECTED * holders[0].n_present:
                odd.append(level)
    n_left = len(scale.levels) - len(labels.off_scale) - len(odd)
    if not odd or len(odd) > 1 or n_left < MIN_LEVELS:
        return labels
    unplaced = without(labels.unplaced, tuple(odd))
    return replace(labels, off_scale=(*labels.off_scale, *odd), unplaced=unplaced)


def _part(labels: LabelEvidence, own: Mapping[Any, tuple]) -> LabelEvidence:
    """Return the reading of a scale in the levels that one column holds."""
    spellings = (*(spelled(tie, own) for tie in labels.spellings), *own.values())
    return replace(
        labels,
        order=None if labels.order is None else spelled(labels.order, own),
        off_scale=spelled(labels.off_scale, own),
        unplaced=spelled(labels.unplaced, own),
        spellings=tuple(tie for tie in spellings if len(tie) > 1),
    )


def spelled(levels: Iterable[Any], own: Mapping[Any, tuple]) -> tuple:
    """Return levels of a scale as one column spells them."""
    return tuple(level for name in levels for level in own.get(name, ()))


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
    scales: dict[SharedScale, list[int]] = {}
    stated = Counter(column.stated_scale for column in columns)
    keys = {name for name, n in stated.items() if name and n > 1}
    for place, column in enumerate(columns):
        if column.shared is not None:
            scales.setdefault(column.shared, []).append(place)
    found = [
        replace(kind, scale=column.stated_scale) if column.stated_scale in keys else kind
        for column, kind in zip(columns, types, strict=True)
    ]
    for scale, places in scales.items():
        kinds = {types[k].semantic_type for k in places if columns[k].n_distinct > 2}
        if scale.verdict is None or not kinds <= set(WITH_ODDS):
            continue
        key = _new_key(columns[places[0]], keys)
        against = reversed_items(scale)
        for k in places:
            if columns[k].n_distinct > 2 or scale.verdict.semantic_type == "ordinal":
                is_reversed = columns[k].position in against
                found[k] = replace(
                    _with_verdict(types[k], columns[k], scale, scale.verdict, is_reversed),
                    scale=key,
                    reversed=is_reversed,
                )
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
    found: ColumnType, column: Column, scale: SharedScale, verdict: ColumnType, is_reversed: bool
) -> ColumnType:
    """Return the type of a column as the verdict on its scale has it."""
    own, aside = scale.spellings[column.position], scale.aside[column.position]
    off_scale = (*spelled(verdict.off_scale, own), *spelled(aside, aside))
    best = None if verdict.best_order is None else spelled(verdict.best_order, own)
    on_scale = spelled(verdict.levels, own) if best is None else best
    counts = {**column.known_levels, **column.aside}
    levels = dict.fromkeys((*on_scale, *off_scale), 0)
    levels = {level: counts.get(level, 0) for level in levels}
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
    ranks = np.column_stack([_ranks(c, scale, verdict.order) for c in scale.columns])
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


def _ranks(column: Column, scale: SharedScale, order: tuple) -> np.ndarray:
    """Return the ranks of the sampled values along the order; NaN where there is none."""
    names, rank = scale.names_of(column), places_of(order)
    codes, held = column.coded
    return np.array([*(rank.get(names.get(level), np.nan) for level in held), np.nan])[codes]
