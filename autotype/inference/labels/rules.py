"""What the texts of a column's levels say: ordinal or not, in which order, which end is low."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace

from autotype.inference.labels.degrees import read_composition
from autotype.inference.labels.evidence import NO_RULE, NOMINAL, RULES, LabelEvidence
from autotype.inference.labels.names import name_shares, read_dates, read_hours, read_names
from autotype.inference.labels.numbers import (
    read_anchored_numbers,
    read_enumerators,
    read_numerals,
    read_numeric,
    read_quantities,
)
from autotype.inference.labels.scales import complete_by_leads, read_scale
from autotype.inference.labels.tokens import Label, Reading, read_label, settle_leads, sort_key
from autotype.inference.labels.vocabulary import is_off_scale, zero_keys


def read_labels(levels: Sequence[Hashable]) -> LabelEvidence:
    """Read the labels of a column's levels.

    Parameters
    ----------
    levels : sequence of hashable
        The distinct levels, in any order; the answer does not depend on it.

    Returns
    -------
    LabelEvidence

    Notes
    -----
    Rules are asked from the most to the least specific; the first that places every level wins,
    else the one that leaves a single level unplaced. Costs O(number of levels) vocabulary look-ups.

    Examples
    --------
    >>> read_labels(["high", "low", "medium", "don't know"]).order
    ('low', 'medium', 'high')
    >>> read_labels(["18-24", "25-34", "under 18", "65+"]).rule.name
    'range'
    >>> read_labels(["red", "green", "blue"]).order is None
    True
    """
    labels = [read_label(level) for level in sorted(levels, key=sort_key)]
    groups = _group_spellings(labels)
    evidence = _read_all([group[0] for group in groups])
    return evidence if len(groups) == len(labels) else _spell_out(evidence, groups)


def _group_spellings(labels: list[Label]) -> list[list[Label]]:
    """Put labels together that differ only in capitals and blanks ("low", "Low ")."""
    groups: dict[object, list[Label]] = {}
    for label in labels:
        # Single letters may be codes: "m" and "M" are two.
        is_word = isinstance(label.level, str) and len(label.text) > 1
        key = " ".join(label.text.casefold().split()) if is_word else id(label)
        groups.setdefault(key, []).append(label)
    return list(groups.values())


def _spell_out(evidence: LabelEvidence, groups: list[list[Label]]) -> LabelEvidence:
    """Put the other spellings of a level beside the one that was read."""
    # By identity: a level such as Decimal("sNaN") has no hash.
    spelled = {id(group[0].level): tuple(label.level for label in group) for group in groups}

    def all_of(levels: tuple) -> tuple:
        return tuple(spelling for level in levels for spelling in spelled[id(level)])

    return replace(
        evidence,
        order=None if evidence.order is None else all_of(evidence.order),
        off_scale=all_of(evidence.off_scale),
        unplaced=all_of(evidence.unplaced),
        spellings=tuple(spelling for spelling in spelled.values() if len(spelling) > 1),
    )


def _read_all(labels: list[Label]) -> LabelEvidence:
    readings = [(reading, kept) for kept in _candidates(labels) for reading in [_read(kept)]]
    best: tuple[Reading, list[Label]] | None = None
    for reading, kept in readings:
        if reading is None:
            continue
        if best is None or _merit(reading, kept) > _merit(*best):
            best = (reading, kept)
    if best is None:
        return _silent(labels)
    return _evidence(labels, *best)


def _candidates(labels: list[Label]) -> list[list[Label]]:
    """Give the labels with and without those that may be off the scale.

    "none", "unknown" or "other" belong to some scales and stand beside others, so both readings
    are tried.
    """
    candidates = [labels]
    sure = [label for label in labels if not _is_off_scale(label)]
    if len(sure) < len(labels):
        candidates.append(sure)
    likely = [label for label in sure if not _looks_absent(label)]
    if len(likely) < len(sure):
        candidates.append(likely)
    return [kept for kept in candidates if len(kept) >= 2]


def _looks_absent(label: Label) -> bool:
    """Tell whether a label says that there is nothing to grade ("No basement", "none")."""
    return label.key in zero_keys() or (len(label.words) <= 4 and label.words[0] in _ABSENCE)


_BRACKETS = re.compile(r"(?P<before>[^()]+)\((?P<inside>[^()]*)\)")
_TWO_ANSWERS = "answers of two kinds"  # yes and no alone are no scale, with maybe they are
_ABSENCE = frozenset({"no", "without", "never", "not", "non", "did", "keine", "kein", "sin"})


def _merit(reading: Reading, kept: list[Label]) -> tuple:
    """Prefer a reading that places all it kept, then one that keeps more levels."""
    n_placed = len(reading.ranks)
    complete = n_placed == len(kept) or reading.rule == "nominal"
    return (complete, reading.rule != "nominal", n_placed, len(kept))


def _read(labels: list[Label]) -> Reading | None:
    """Read the labels, or what stands before or inside the brackets with which all of them end."""
    reading = _read_rules(labels)
    if reading is not None and len(reading.ranks) == len(labels):
        return reading
    parts = [_BRACKETS.fullmatch(label.text) for label in labels]
    if None in parts:
        return reading
    named = _read_rules([read_label(part["before"]) for part in parts if part])
    if named is not None and len(named.ranks) == len(labels):
        return named
    explained = read_quantities([read_label(part["inside"]) for part in parts if part])
    is_range = explained is not None and explained.rule == "range"  # "Paris (75)" is none
    return explained if is_range else reading


def _read_rules(labels: list[Label]) -> Reading | None:
    """Read the labels by the first rule that places all of them, else nearly all."""
    labels = settle_leads(labels)
    numeric = read_numeric(labels) or read_dates(labels) or read_hours(labels)
    if numeric is not None:
        return numeric
    names = name_shares(labels)
    if len(labels) == 2 and names == (1.0, _TWO_ANSWERS):
        return read_names(labels)
    partial: list[Reading] = []
    scale = _read_words(labels)
    if scale is not None:
        if len(scale.ranks) == len(labels) and not scale.weak:
            return scale
        partial.append(scale)
    for rule in (read_numerals, read_quantities, read_anchored_numbers):
        reading = rule(labels)
        if reading is not None:
            if len(reading.ranks) == len(labels):
                return reading
            partial.append(reading)
    if names is not None and names[0] == 1.0:
        return read_names(labels)
    firm = [reading for reading in partial if not reading.weak]
    if firm:
        return firm[0]
    return read_names(labels) or read_enumerators(labels) or (partial[0] if partial else None)


def _read_words(labels: list[Label]) -> Reading | None:
    """Give the better of a vocabulary scale and a composition."""
    scale, composed = read_scale(labels), read_composition(labels)
    if scale is None or (composed is not None and len(composed.ranks) > len(scale.ranks)):
        scale = composed
    if scale is not None and len(scale.ranks) < len(labels):
        scale = complete_by_leads(labels, scale)
    return scale


def _evidence(labels: list[Label], reading: Reading, kept: list[Label]) -> LabelEvidence:
    if reading.rule == "nominal":
        return LabelEvidence(NOMINAL, None, False, (), (), reading.detail)
    order = tuple(kept[i].level for i in sorted(reading.ranks, key=lambda i: reading.ranks[i]))
    placed = {id(kept[i]) for i in reading.ranks}
    beside = {id(label) for label in kept}
    rest = [label for label in labels if id(label) not in placed]
    off_scale = tuple(
        label.level for label in rest if id(label) not in beside or _is_off_scale(label)
    )
    unplaced = tuple(
        label.level for label in rest if id(label) in beside and not _is_off_scale(label)
    )
    return LabelEvidence(
        rule=RULES[reading.rule],
        order=order,
        direction_known=reading.direction_known,
        off_scale=off_scale,
        unplaced=unplaced,
        detail=reading.detail,
        cyclic=reading.cyclic,
    )


def _is_off_scale(label: Label) -> bool:
    return not label.key or is_off_scale(label.words)


def _silent(labels: list[Label]) -> LabelEvidence:
    return LabelEvidence(NO_RULE, None, False, (), tuple(label.level for label in labels), "")
