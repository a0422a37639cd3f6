"""Find the columns of a user's own scales, whose levels then are as the user states them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autotype.inference.column import Column
from autotype.inference.labels.evidence import NO_RULE, NOMINAL, RULES, LabelEvidence
from autotype.inference.labels.reading import covers
from autotype.inference.scales.shared_scales import in_kind
from autotype.lexicon.missing import missing_marks, missing_phrases
from autotype.types.codebook import spelling_key
from autotype.types.data_warning import DataWarning
from autotype.types.decisions.decision import Decision
from autotype.types.decisions.scales_file import UserScale, UserScales, is_named
from autotype.wording import format_some

_MIN_HELD = 2  # levels of a scale in a column that it does not name
_MIN_NUMBERS = 3  # the same of numbers, which many columns hold
_CERTAIN = 12.0  # log odds of a type that the user states
_REMEDY = "add it to the levels, synonyms or off_scale of that scale"


@dataclass(frozen=True)
class _Fit:
    """How the levels of one column stand on a scale.

    Attributes
    ----------
    ranks : dict
        Level -> place.
    aside : tuple
        Levels without a place.
    unknown : tuple
        Levels that the scale lacks.
    """

    scale: UserScale
    ranks: dict[Any, int]
    aside: tuple[Any, ...]
    unknown: tuple[Any, ...]
    is_named: bool

    @property
    def suffices(self) -> bool:
        """Whether the column is one of the scale."""
        if self.is_named:
            return bool(self.ranks)
        are_numbers = all(isinstance(spelling_key(v), float) for v in self.scale.levels)
        is_enough = len(self.ranks) >= (_MIN_NUMBERS if are_numbers else _MIN_HELD)
        n_levels = len(self.ranks) + len(self.unknown)
        return is_enough and (not self.unknown or covers(len(self.ranks), n_levels))

    @property
    def merit(self) -> tuple:
        """Prefer scales that name the column, that hold all levels, and that hold few others."""
        return self.is_named, not self.unknown, len(self.ranks), -len(self.scale.levels)

    def decision(self, column: Column) -> Decision:
        """Return the statement on a column all of whose levels are known."""
        if not self.scale.is_ordered:
            return Decision("categorical")
        spelled: dict[int, list[Any]] = {}
        for level, rank in self.ranks.items():
            spelled.setdefault(rank, []).append(level)
        own = [
            tuple(spelled.get(rank, ())) or (in_kind(level, column),)
            for rank, level in enumerate(self.scale.levels)
        ]
        held = set(map(spelling_key, self.aside))
        absent = [v for v in self.scale.off_scale if spelling_key(v) not in held]
        return Decision(
            "ordinal",
            tuple(level for spellings in own for level in spellings),
            (*self.aside, *(in_kind(level, column) for level in absent)),
            ties=tuple(spellings for spellings in own if len(spellings) > 1),
        )

    def reading(self, where: str) -> LabelEvidence:
        """Return what is known of a column of which some levels are unknown."""
        is_ordered = self.scale.is_ordered
        order = tuple(sorted(self.ranks, key=lambda level: self.ranks[level]))
        rule = RULES["scale"] if len(order) > 1 else NO_RULE
        return LabelEvidence(
            rule if is_ordered else NOMINAL,
            order if is_ordered and len(order) > 1 else None,
            is_ordered,
            self.aside,
            self.unknown if is_ordered else (),
            f"{_kind(self.scale)} of {where}, which lacks {format_some(self.unknown)}",
            understood=len(self.ranks) / (len(self.ranks) + len(self.unknown)),
        )


def _kind(scale: UserScale) -> str:
    return f'the {"scale" if scale.is_ordered else "set"} "{scale.name}"'


def state_scales(columns: Sequence[Column], scales: UserScales) -> list[tuple[Column, DataWarning]]:
    """Set the types of the columns that a user's scales hold, and what is known of others.

    Parameters
    ----------
    columns : sequence of Column
        Columns of a frame whose types nobody has stated, with all their levels. They receive
        their `decision`, with `provenance` and `stated_by`; their `stated_labels` where a level is
        unknown; and what means a missing value, `declared`.
    scales : UserScales

    Returns
    -------
    list of (Column, DataWarning)
        Each column of which a level is unknown.
    """
    found = []
    missing = frozenset(map(spelling_key, scales.missing))
    for column in columns:
        column.declared = missing
        if is_named(column.name, scales.ids):
            _state(column, Decision("identifier"), f"Its name is one of the ids of {scales.where}.")
            continue
        fits = [_fit(column, scale) for scale in scales.scales] if column.known_levels else []
        fit = max((f for f in fits if f and f.suffices), key=lambda f: f.merit, default=None)
        if fit is None:
            continue
        if not fit.unknown:
            reason = f"Its levels are those of {_kind(fit.scale)} of {scales.where}."
            _state(column, fit.decision(column), reason)
            column.stated_scale = fit.scale.name if fit.scale.is_ordered else ""
            continue
        column.stated_labels = fit.reading(scales.where)
        column.__dict__.pop("labels", None)
        lacks = f"{column.name!r} holds {format_some(fit.unknown)}, which {_kind(fit.scale)} lacks"
        found.append((column, DataWarning("unknown level", lacks, _REMEDY, column.name)))
    return found


def weigh_stated(columns: Sequence[Column], types: Sequence[str]) -> None:
    """Set the type of columns on a user's scale that lacks a level, so that only its place is open.

    Parameters
    ----------
    columns : sequence of Column
        Candidates with `log_odds` and `type_probabilities`.
    types : sequence of str
        All types that have probabilities.
    """
    for column in columns:
        if column.stated_labels is not None:
            is_ordinal = column.stated_labels.rule != NOMINAL
            column.log_odds = _CERTAIN if is_ordinal else -_CERTAIN
            column.sure = float(is_ordinal)
            kind = "ordinal" if is_ordinal else "categorical"
            column.type_features = {}  # the model of types has no part in it
            column.type_probabilities = {**dict.fromkeys(types, 0.0), kind: 1.0}


def _state(column: Column, decision: Decision, reason: str) -> None:
    column.decision, column.provenance, column.stated_by = decision, "scales", reason


def _fit(column: Column, scale: UserScale) -> _Fit | None:
    """Return how a column fits to a scale; None if the scale is for other columns."""
    named = is_named(column.name, scale.columns)
    if scale.columns and not named:
        return None
    ranks, off_scale = scale.ranks, set(map(spelling_key, scale.off_scale)) | column.declared
    places, aside, unknown = {}, [], []
    for level in column.known_levels:
        key = spelling_key(column.texts.get(level, level))
        rank = ranks.get(key, ranks.get(spelling_key(level)))
        if rank is not None:
            places[level] = rank
        elif key in off_scale or spelling_key(level) in off_scale or _means_missing(level):
            aside.append(level)
        else:
            unknown.append(level)
    if unknown and places:  # "don't know" is known in any language
        no_place = set(column.labels.off_scale)
        aside += [level for level in unknown if level in no_place]
        unknown = [level for level in unknown if level not in no_place]
    return _Fit(scale, places, tuple(aside), tuple(unknown), named)


def _means_missing(level: Any) -> bool:
    return isinstance(level, str) and level.strip() in missing_marks() | missing_phrases()
