"""Decision: what is stated of one column, read from the forms that `known` and `revise` accept."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any

from autotype.errors import KnownTypesError
from autotype.lexicon.presence import is_present
from autotype.types.column_type import SEMANTIC_TYPES, ColumnType, SemanticType
from autotype.types.levels import check_pairs
from autotype.types.nan_equality import has_hash
from autotype.wording import did_you_mean, format_level, format_some, format_value

# A type, the levels of an order, or a mapping of `KEYS`.
Statement = str | Sequence[Any] | Mapping[str, Any]


# Provenances of verdicts, and of statements of persons.
INFERRED = frozenset({"inferred", "kept"})
STATED = frozenset({"scales", "known", "revised"})
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?")
_DIGITS = 4  # of the probabilities that are kept


@dataclass(frozen=True)
class Decision:
    """What is stated of one column.

    Attributes
    ----------
    semantic_type : str or None
        The type; None if it stays as it is, and only a note is added.
    order : tuple or None
        Levels of an ordinal column, lowest first; None if it is ordinal in the order already known.
    off_scale : tuple
        Levels of an ordinal column that are not on the scale.
    direction_known : bool
        Whether low and high ends are known, or the order only up to reversal.
    note : str
        A remark for other readers.
    probability, order_probability : float or None
        Those of an earlier verdict that is kept; None if a person states the type.
    partial_order : tuple of (lower, higher) or None
        What such a verdict knows of an order that is not known; `order` is then its best guess.
    ties : tuple of tuple
        Runs of `order` that are spellings of one level.
    """

    semantic_type: SemanticType | None
    order: tuple[Any, ...] | None = None
    off_scale: tuple[Any, ...] = ()
    direction_known: bool = True
    note: str = ""
    probability: float | None = None
    order_probability: float | None = None
    partial_order: tuple[tuple[Any, Any], ...] | None = None
    ties: tuple[tuple[Any, ...], ...] = ()

    @property
    def is_verdict(self) -> bool:
        """Whether it is an earlier verdict of inference, and not a person's statement."""
        return self.probability is not None

    def in_order(self, order: Sequence[Any], off_scale: Sequence[Any]) -> Decision:
        """Return the decision with an order, without the levels that are off the scale.

        Parameters
        ----------
        order : sequence
            Levels, lowest first.
        off_scale : sequence
            Levels off the scale, unless the decision names its own.

        Examples
        --------
        >>> Decision("ordinal", off_scale=("M",)).in_order(["S", "M", "L"], []).order
        ('S', 'L')
        """
        off_scale = self.off_scale or tuple(off_scale)
        on_scale = tuple(level for level in order if level not in set(off_scale))
        return replace(self, order=on_scale, off_scale=off_scale)

    def statement(self) -> Statement:
        """Return the shortest form that `read_statement` reads as this decision.

        Examples
        --------
        >>> Decision("ordinal", ("S", "M")).statement(), Decision("text").statement()
        (['S', 'M'], 'text')
        >>> Decision("ordinal", ("S", "M"), off_scale=("?",)).statement()
        {'order': ['S', 'M'], 'off_scale': ['?']}
        """
        parts: dict[str, Any] = {}
        for key in KEYS[1:]:
            part = getattr(self, key)
            if part != getattr(Decision, key):
                parts[key] = list(part) if isinstance(part, tuple) else part
        if "partial_order" in parts:
            parts["partial_order"] = list(map(list, parts["partial_order"]))
        if self.order is None and self.semantic_type is not None:
            parts = {"type": self.semantic_type, **parts}
        return next(iter(parts.values())) if set(parts) in ({"type"}, {"order"}) else parts


# What a statement may hold: the fields of a decision but its ties, which are found in the column.
KEYS = ("type", *(part.name for part in fields(Decision)[1:-1]))


def read_statement(statement: Any, *, where: str) -> Decision:
    """Read what is stated of a column.

    Parameters
    ----------
    statement : str, sequence or mapping
        A semantic type; the levels of an ordinal column, lowest first; or a mapping with some of
        `KEYS`.
    where : str
        The place of the statement, for messages.

    Raises
    ------
    TypeError
        If it is not one of these.
    KnownTypesError
        If the type is unknown, or the parts contradict each other.

    Examples
    --------
    >>> read_statement({"order": ["S", "M"], "note": "as on the box"}, where="size").note
    'as on the box'
    """
    if isinstance(statement, str):
        return Decision(_semantic_type(statement, where))
    if isinstance(statement, Mapping):
        return _read_mapping(statement, where)
    if not isinstance(statement, Iterable):
        raise TypeError(
            f"{where} is {format_value(statement)}, neither a type nor a list of levels, "
            "lowest first"
        )
    return _read_mapping({"order": statement}, where)


def _read_mapping(statement: Mapping[str, Any], where: str) -> Decision:
    for key in statement:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS)
            raise KnownTypesError(
                f"{where} has the key {format_value(key)}, not one of {', '.join(KEYS)}{hint}"
            )
    order = statement.get("order")
    stated = statement.get("type", None if order is None else "ordinal")
    off_scale = _levels(statement.get("off_scale", ()), f"off_scale in {where}")
    if stated is None and off_scale:
        stated = "ordinal"
    decision = Decision(
        None if stated is None else _semantic_type(stated, where),
        None if order is None else _levels(order, f"the order in {where}"),
        off_scale,
        _of_kind(statement.get("direction_known", True), bool, "true or false", where),
        _of_kind(statement.get("note", ""), str, "a string", where),
        _probability(statement.get("probability"), where),
        _probability(statement.get("order_probability"), where),
        _pairs(statement.get("partial_order"), f"partial_order in {where}"),
    )
    if decision.semantic_type is None and not decision.note:
        raise KnownTypesError(f"{where} states nothing; give a type, an order, or a note")
    of_order = (*off_scale, *(decision.partial_order or ()))
    is_placed = any(part is not None for part in (decision.order, decision.order_probability))
    if decision.semantic_type != "ordinal" and (of_order or is_placed):
        raise KnownTypesError(
            f"{where} is {decision.semantic_type!r} with an order or levels off the scale, "
            "which only ordinal columns have"
        )
    if decision.order == ():
        raise KnownTypesError(f"{where} is ordinal without a level on the scale; name one, or more")
    return decision


def _semantic_type(stated: Any, where: str) -> SemanticType:
    if isinstance(stated, str) and stated in SEMANTIC_TYPES:
        return SEMANTIC_TYPES[SEMANTIC_TYPES.index(stated)]
    raise KnownTypesError(
        f"{where} is {format_value(stated)}, not one of {', '.join(SEMANTIC_TYPES)} "
        "nor a list of levels, lowest first"
    )


def _levels(stated: Any, what: str) -> tuple[Any, ...]:
    without_order = str, bytes, Mapping, Set  # or of something else than levels
    if isinstance(stated, without_order) or not isinstance(stated, Iterable):
        raise KnownTypesError(f"{what} is {format_value(stated)}, not a list of levels")
    levels = tuple(stated)
    no_level = [level for level in levels if not (has_hash(level) and is_present(level))]
    if no_level:
        raise KnownTypesError(
            f"{what} names {format_value(no_level[0])}, which no column can hold "
            "as a level; name the levels themselves, lowest first"
        )
    _check_unique(levels, f"{what} names level {{}} twice")
    return levels


def _pairs(stated: Any, what: str) -> tuple[tuple[Any, Any], ...] | None:
    if stated is None:
        return None
    pairs = [_levels(pair, what) for pair in stated] if isinstance(stated, list | tuple) else [()]
    if any(len(pair) != 2 for pair in pairs):
        raise KnownTypesError(
            f"{what} is {format_value(stated)}, not a list of pairs of a lower and a higher level"
        )
    return tuple((low, high) for low, high in pairs)


def _check_unique(levels: Iterable[Any], message: str) -> None:
    """Raise for a repeated level; it takes the place of {} in the message."""
    for level, count in Counter(levels).items():
        if count > 1:
            raise KnownTypesError(message.replace("{}", format_value(level)))


def _of_kind(value: Any, kind: type, expected: str, where: str) -> Any:
    if not isinstance(value, kind):
        raise KnownTypesError(f"{where} has {format_value(value)} where {expected} is expected")
    return value


def _probability(value: Any, where: str) -> float | None:
    if value is None:
        return None
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 1:
        raise KnownTypesError(f"{where} has {format_value(value)} where a probability is expected")
    return float(value)


class LevelsLeftOutError(KnownTypesError):
    """An order leaves out levels that the column holds."""


def place_levels(decision: Decision, levels: Iterable[Any], *, where: str) -> Decision:
    """Match the levels of a decision with those that the column holds.

    Parameters
    ----------
    decision : Decision
        With an order, if it is ordinal.
    levels : iterable
        The column's levels. A stated level stands for the equal one of the column, as 1 for True.
        One that the column does not hold stands for the one of the same text, if there is one, as
        the date for its text in JSON; else it is a level of the scale that no row holds, and a
        number among numbers.
    where : str
        The place of the statement, for messages.

    Returns
    -------
    Decision

    Raises
    ------
    LevelsLeftOutError
        If a level is neither in the order nor off the scale.
    KnownTypesError
        If a level is both.
    """
    if decision.order is None:
        return decision
    held = list(levels)
    by_text = _by_text(held)
    known = {level: level for level in held}
    of_numbers = bool(held) and all(isinstance(level, Real) for level in held)

    def own(level: Any) -> Any:
        if level in known:
            return known[level]
        text = format_level(level)
        is_number = of_numbers and isinstance(level, str) and _NUMBER.fullmatch(text)
        return by_text.get(text, json.loads(text) if is_number else level)

    order = tuple(map(own, decision.order))
    off_scale = tuple(map(own, decision.off_scale))
    what = f"the order in {where}"
    _check_unique(order, f"{what} names level {{}} twice")
    _check_unique(off_scale, f"off_scale in {where} names level {{}} twice")
    _check_unique((*order, *off_scale), f"{where} names level {{}} on the scale and off it")
    stated = {*order, *off_scale}
    omitted = [level for level in held if level not in stated]
    if omitted:
        raise LevelsLeftOutError(
            _left_out(what, omitted, sorted(stated - known.keys(), key=format_level))
        )
    pairs = decision.partial_order
    if pairs is not None:
        pairs = tuple((own(low), own(high)) for low, high in pairs)
        try:
            check_pairs(pairs, order)
        except ValueError as problem:
            raise KnownTypesError(f"partial_order in {where}: {problem}") from None
    return replace(decision, order=order, off_scale=off_scale, partial_order=pairs)


def _by_text(levels: Sequence[Any]) -> dict[str, Any]:
    """Return levels by their strings, without strings that two levels share."""
    texts = Counter(map(format_level, levels))
    return {text: level for level in levels if texts[text := format_level(level)] == 1}


def _left_out(what: str, omitted: list[Any], foreign: list[Any]) -> str:
    message = f"{what} leaves out {format_some(omitted)}; "
    if foreign:
        hint = did_you_mean(foreign[0], omitted)
        message += f"it names {format_some(foreign)}, which the column does not hold{hint}; "
    return message + "name every level that the column holds, lowest first, or set it off the scale"


def decided_fields(decision: Decision, counts: Mapping[Any, int]) -> dict[str, Any]:
    """Return the fields of a `ColumnType` that a decision sets.

    Parameters
    ----------
    decision : Decision
        Of which the levels are placed.
    counts : mapping
        Level -> count of the column.
    """
    levels = dict(counts)
    if decision.order is not None:
        levels = {level: counts.get(level, 0) for level in (*decision.order, *decision.off_scale)}
    is_ordinal = decision.order is not None
    certain = 1.0 if is_ordinal else math.nan
    return {
        "semantic_type": decision.semantic_type,
        "probability": certain if decision.probability is None else decision.probability,
        "order": decision.order if decision.partial_order is None else None,
        "partial_order": decision.partial_order,
        "best_order": decision.order,
        "order_probability": (
            certain if decision.order_probability is None else decision.order_probability
        ),
        "direction_known": is_ordinal and decision.direction_known,
        "levels": levels,
        "off_scale": decision.off_scale,
        "ties": decision.ties,
        "note": decision.note,
    }


def decision_of(column: ColumnType) -> Decision:
    """Return the decision that states a column's type; of a verdict, with its probabilities."""
    inferred = column.provenance in INFERRED

    def carried(probability: float) -> float | None:
        return None if not inferred or math.isnan(probability) else round(probability, _DIGITS)

    is_guess = column.order is None and column.partial_order is not None
    order = column.best_order if is_guess else column.order
    is_ordinal = order is not None and column.semantic_type == "ordinal"
    return Decision(
        column.semantic_type,
        order if is_ordinal else None,
        column.off_scale if is_ordinal else (),
        column.direction_known or not is_ordinal,
        column.note,
        carried(column.probability),
        carried(column.order_probability) if is_ordinal else None,
        column.partial_order if is_guess else None,
    )
