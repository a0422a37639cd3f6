"""Find the questions whose answers settle the most columns of a report.

A person who knows the data can decide in seconds what no statistics can, but will not look at two
hundred columns. Columns with the same levels get the same answer, so they share one question, and
the questions are sorted by the number of wrong verdicts that an answer is expected to correct.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autotype import wording
from autotype.types.column_names import stem
from autotype.types.column_type import WITH_ODDS, ColumnType, SemanticType
from autotype.types.decisions.decision import INFERRED, Decision, Statement, read_statement
from autotype.types.levels import hold_word
from autotype.types.nan_equality import nan_key

_MIN_LEVELS = 3  # two levels have no order
_NAMES_SHOWN, _LEVELS_SHOWN = 3, 12


@dataclass(frozen=True)
class Question:
    """A question about columns that share their levels.

    Attributes
    ----------
    columns : tuple of hashable
        Names of the columns that the answer holds for.
    n_open : int
        How many of them are undecided, or decided with little certainty.
    weight : float
        How many decisions the answer is expected to settle: 1 for an undetermined column, else the
        probability that the verdict is wrong.
    levels : tuple
        Of all columns together, along `order` if there is one.
    semantic_type : str
        The proposed answer, ``"ordinal"`` or ``"categorical"``.
    order : tuple or None
        The best order found, lowest first; the proposed one if the proposal is ordinal.
    off_scale : tuple
        Levels that are not on the scale.
    probability : float
        Probability that the proposed answer is right, its order included.
    labels : mapping
        Level -> its label, which all of these columns share.
    """

    columns: tuple[Hashable, ...]
    n_open: int
    weight: float
    levels: tuple[Any, ...]
    semantic_type: SemanticType
    order: tuple[Any, ...] | None
    off_scale: tuple[Any, ...]
    probability: float
    labels: Mapping[Any, str] = field(default_factory=dict)

    def named(self, levels: Sequence[Any]) -> list[Any]:
        """Return levels for people: with their labels, if they have some.

        Examples
        --------
        >>> labels = {1: "bad"}
        >>> Question(("a",), 1, 1.0, (1, 2), "categorical", None, (), 0.6, labels).named([1, 2])
        ['1 "bad"', 2]
        """
        return [wording.labelled(level, self.labels) for level in levels]

    @property
    def proposal(self) -> str:
        """The proposed answer as text.

        Examples
        --------
        >>> Question(("a",), 1, 1.0, ("x", "y", "z"), "categorical", None, (), 0.6).proposal
        'no order'
        """
        if self.semantic_type != "ordinal" or self.order is None:
            return "no order"
        text = wording.format_order(self.named(self.order), direction_known=True)
        if self.off_scale:
            off = ", ".join(map(wording.format_level, self.named(self.off_scale)))
            text += f" (off the scale: {off})"
        return text

    @property
    def text(self) -> str:
        """The question in a sentence or two.

        Examples
        --------
        >>> print(Question(("a", "b"), 2, 1.5, (1, 2, 3), "ordinal", (1, 2, 3), (), 0.6).text)
        Do the levels of 'a', 'b' have an order? Proposed: 1 < 2 < 3 (probability 0.60).
        """
        named = wording.format_some(self.columns, _NAMES_SHOWN)
        if len(self.columns) > _NAMES_SHOWN:
            named += " columns"
        listed = ""
        if self.proposal == "no order":
            levels = list(map(wording.format_level, self.named(self.levels)))
            listed = f" ({wording.join_first(levels, _LEVELS_SHOWN)})"
        sure = wording.format_probability(self.probability)
        return (
            f"Do the levels of {named}{listed} have an order? "
            f"Proposed: {self.proposal} (probability {sure})."
        )

    def answer(self, statement: Statement | None = None) -> dict[Hashable, Statement]:
        """Return the decisions that an answer makes, for `TypeReport.revise` or ``known``.

        Parameters
        ----------
        statement : str, sequence or mapping, optional
            A type, the levels from the lowest up, or a mapping as `revise` takes; ``"ordinal"``
            alone means the best order found. By default the proposed answer.

        Returns
        -------
        dict
            Column name -> the same statement.

        Examples
        --------
        >>> question = Question(("a", "b"), 2, 1.5, (1, 2, 3), "ordinal", (1, 2, 3), (), 0.6)
        >>> question.answer(), question.answer("categorical")
        ({'a': [1, 2, 3], 'b': [1, 2, 3]}, {'a': 'categorical', 'b': 'categorical'})
        """
        decision = Decision(self.semantic_type)
        if statement is not None:
            decision = read_statement(statement, where="the answer")
        if decision.semantic_type == "ordinal" and decision.order is None and self.order:
            decision = decision.in_order(self.order, self.off_scale)
        return {name: decision.statement() for name in self.columns}


def find_questions(columns: Sequence[ColumnType], *, certainty: float = 0.8) -> list[Question]:
    """Find the questions to ask, those that settle the most first.

    Parameters
    ----------
    columns : sequence of ColumnType
    certainty : float
        Verdicts that are right with this probability, order included, are not asked for, in (0, 1].

    Returns
    -------
    list of Question
        One for all columns with the same levels and labels, or with some of them; columns whose
        levels hold no word need names alike too. Each column is in one question at most; columns
        that are stated already, or of which the name is repeated, in none.

    Raises
    ------
    ValueError
        If `certainty` is out of range.
    """
    if not 0 < certainty <= 1:
        raise ValueError(f"certainty must be in (0, 1], got {certainty!r}")
    questions = (_question(group, certainty) for group in _groups(columns))
    asked = [question for question in questions if question.n_open]
    return sorted(asked, key=lambda question: -question.weight)


def _groups(columns: Sequence[ColumnType]) -> list[list[ColumnType]]:
    """Group columns that one answer settles; those with the most levels come first in each."""
    names = Counter(nan_key(column.name) for column in columns)
    asked = [
        column
        for column in columns
        if names[nan_key(column.name)] == 1  # else an answer by name would hold for others too
        and column.provenance in INFERRED
        and column.semantic_type in WITH_ODDS
        and len(column.levels) >= _MIN_LEVELS
    ]
    groups: list[tuple[str, frozenset[Any], list[ColumnType]]] = []
    for column in sorted(asked, key=lambda column: -len(column.levels)):
        texts = [column.labels.get(level, str(level)) for level in column.levels]
        levels = frozenset(zip(map(nan_key, column.levels), texts, strict=True))
        name = "" if hold_word(texts) else f"named {stem(column.name)}"
        name = f"of {column.scale}" if column.scale else name
        alike = (held for other, wider, held in groups if name == other and levels <= wider)
        if (members := next(alike, None)) is None:
            groups.append((name, levels, members := []))
        members.append(column)
    places = {id(column): place for place, column in enumerate(columns)}
    found = [members for _, _, members in groups]
    return sorted(found, key=lambda members: min(places[id(column)] for column in members))


def _question(group: Sequence[ColumnType], certainty: float) -> Question:
    weights = [_weight(column) for column in group]
    full = [column for column in group if len(column.levels) == len(group[0].levels)]
    model = max(full, key=_order_probability)
    ordinal = [0.5 if math.isnan(c.probability) else c.probability for c in group]
    mean = sum(ordinal) / len(ordinal)
    with_order = 0.0 if model.best_order is None else mean * _order_probability(model)
    is_ordinal = with_order > 1 - mean
    on_scale = model.best_order or ()
    return Question(
        columns=tuple(dict.fromkeys(column.name for column in group)),
        n_open=sum(weight > 1 - certainty for weight in weights),
        weight=sum(weights),
        levels=(*on_scale, *(level for level in model.levels if level not in set(on_scale))),
        semantic_type="ordinal" if is_ordinal else "categorical",
        order=model.best_order,
        off_scale=model.off_scale,
        probability=with_order if is_ordinal else 1 - mean,
        labels=model.labels,
    )


def _weight(column: ColumnType) -> float:
    """Compute the probability that a verdict is wrong; none counts as wrong."""
    if column.semantic_type == "undetermined":
        return 1.0
    if math.isnan(column.probability):
        return 0.0
    if column.semantic_type == "categorical":
        return column.probability
    return 1 - column.probability * _order_probability(column)


def _order_probability(column: ColumnType) -> float:
    """Compute the probability of the best order, in its direction."""
    known = 0.5 if math.isnan(column.order_probability) else column.order_probability
    return known if column.direction_known else known / 2
