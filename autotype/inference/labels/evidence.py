"""LabelEvidence: what the strings of a column's levels show, and the rule that read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Rule:
    """A way of reading labels, and how much its reading counts.

    Attributes
    ----------
    name : str
        Its name in reports.
    trusted : bool
        Whether its order stands against the order found in the data.
    decides : bool
        Whether its reading alone may settle the type.
    keeps_unique : bool
        Whether it makes a scale even of a column without repeated values.
    feature : str or None
        The feature of the verdict model that it sets; rules that mean alike share one, as some are
        too rare to learn a weight each.
    """

    name: str
    trusted: bool = False
    decides: bool = True
    keeps_unique: bool = False
    feature: str | None = None

    @property
    def reads_scales(self) -> bool:
        """Whether its reading alone makes a scale, in an order that stands."""
        return self.trusted and self.decides

    def __str__(self) -> str:
        return self.name


# One line a rule: all that other modules use of it is here.
_TABLE = (
    Rule("scale", trusted=True, keeps_unique=True, feature="label_scale"),
    Rule("composition", trusted=True, keeps_unique=True, feature="label_scale"),
    Rule("range", trusted=True, keeps_unique=True, feature="label_measure"),
    Rule("ordinal_word", trusted=True, keeps_unique=True, feature="label_measure"),
    Rule("number_unit", trusted=True, feature="label_measure"),
    Rule("stage_number", trusted=True, keeps_unique=True, feature="label_measure"),
    Rule("numeric", trusted=True, decides=False, feature="label_numeric"),
    Rule("roman", trusted=True, decides=False, feature="label_enumerator"),
    Rule("enumerator", decides=False, feature="label_enumerator"),
    Rule("prefix_number", decides=False, feature="label_enumerator"),
    Rule("coded", trusted=True, decides=False),
    Rule("calendar", trusted=True, feature="label_scale"),
    Rule("nominal", feature="label_nominal"),
    Rule("none", decides=False),
)
RULES: dict[str, Rule] = {rule.name: rule for rule in _TABLE}
NO_RULE = RULES["none"]
NOMINAL = RULES["nominal"]


@dataclass(frozen=True)
class LabelEvidence:
    """What the labels of one column show.

    Attributes
    ----------
    rule : Rule
        The rule that read the labels, one of `RULES`; `NO_RULE` where none could.
    order : tuple or None
        The levels that the rule can place, lowest first, as they were given.
    direction_known : bool
        Whether low and high ends are known, or only the order up to reversal.
    off_scale : tuple
        Levels such as "don't know" that have no place on the scale.
    unplaced : tuple
        Levels that are neither placed nor off the scale.
    detail : str
        What the rule recognised, for a sentence to the user.
    cyclic : bool
        Whether the last level is followed by the first (months, weekdays).
    spellings : tuple of tuple
        Levels that differ only in capitals and blanks; they are adjacent in `order`.
    language : str or None
        Code of the language whose words were recognised, such as ``"de"``; None where no words
        were.
    understood : float
        Share of the levels in which words were recognised, in [0, 1], whether or not they form a
        scale.
    unread : tuple of str
        Words that no vocabulary knows, at most ten.
    apart : bool
        Whether the labels are phrases about different matters, of which hardly one grades anything.
    gaps : tuple of tuple of float
        Of a trusted rule that leaves one level unplaced: what the model of gaps weighs of each
        place among those of `order`, the lowest first; empty of impossible places, and of others.
    """

    rule: Rule
    order: tuple | None
    direction_known: bool
    off_scale: tuple
    unplaced: tuple
    detail: str
    cyclic: bool = False
    spellings: tuple[tuple, ...] = ()
    language: str | None = None
    understood: float = 0.0
    unread: tuple[str, ...] = ()
    apart: bool = False
    gaps: tuple[tuple[float, ...], ...] = ()

    def translated(self, translation: Mapping[Any, Any]) -> LabelEvidence:
        """Return the same evidence in other levels, those that the old ones stand for."""

        def other(levels: tuple) -> tuple:
            return tuple(translation[level] for level in levels)

        return replace(
            self,
            order=None if self.order is None else other(self.order),
            off_scale=other(self.off_scale),
            unplaced=other(self.unplaced),
            spellings=tuple(map(other, self.spellings)),
        )


NO_LABELS = LabelEvidence(NO_RULE, None, False, (), (), "")
