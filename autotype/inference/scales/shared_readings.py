"""Read each scale once, and express the reading in the levels of each of its columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from autotype.inference.column import Column, SharedScale, without
from autotype.inference.labels.coded import read_coded
from autotype.inference.labels.column_name import read_name
from autotype.inference.labels.evidence import NO_RULE, NOMINAL, LabelEvidence
from autotype.inference.labels.rules import read_labels
from autotype.inference.labels.topics import topics_of
from autotype.inference.scales.find_scales import MOST_EXPECTED, level_key
from autotype.types.codebook import value_key
from autotype.wording import format_level

MIN_LEVELS = 3  # on a scale
_MIN_ITEMS = 3  # of which a level of one is odd


def keep_common(columns: Sequence[Column], lone: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the levels of one row that no other column of the scale holds in several rows."""
    held: dict[int, set] = {}
    kept = []
    for column, alone in zip(columns, lone, strict=True):
        texts = list(alone)
        if texts and column.shared is not None:
            common = held.setdefault(id(column.shared), _common(column.shared))
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


def read_scales(
    columns: Sequence[Column], scales: Sequence[SharedScale], *, label_text: bool = True
) -> None:
    """Read the labels that several columns have in common once.

    Parameters
    ----------
    columns : sequence of Column
        Columns without the levels that were set aside; those with equal levels receive their
        `labels`.
    scales : sequence of SharedScale
        They receive `levels`, `spellings`, `aside` and `labels`, and their columns `labels`.
    label_text : bool
        Whether labels are read at all.

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
        if label_text:
            _read(scale)
    alike: dict[Any, list[Column]] = {}
    for column in columns if label_text else ():
        if column.shared is None and column.known_levels:
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
