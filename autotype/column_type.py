"""The words that all layers share: what one column means, and why."""

from __future__ import annotations

import math
from collections.abc import Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from autotype.wording import format_order, format_probability

SemanticType = Literal[
    "ordinal",
    "categorical",
    "binary",
    "continuous",
    "count",
    "datetime",
    "identifier",
    "text",
    "constant",
    "undetermined",
]
SEMANTIC_TYPES: tuple[str, ...] = get_args(SemanticType)

# Odds of two to one are a verdict, anything between is not.
ORDINAL_FROM = 2 / 3
CATEGORICAL_UP_TO = 1 / 3


def name_key(name: Hashable) -> Hashable:
    """Give a column's name as a key that finds it again: all NaN are one, though none is equal.

    Examples
    --------
    >>> {name_key(float("nan")): "found"}[name_key(float("nan"))]
    'found'
    """
    return math.nan if isinstance(name, float) and math.isnan(name) else name


def name_list(asked: Any, names: Container) -> list[Any]:
    """Give one column's name, or several, as a list.

    Parameters
    ----------
    asked : column name, or iterable of column names
        A text is one name, and so is a tuple that is among `names`.
    names : container of column names
        Those that there are.

    Examples
    --------
    >>> name_list("size", ["size"]), name_list(("a", 1), [("a", 1)]), name_list(("a", "b"), [])
    (['size'], [('a', 1)], ['a', 'b'])
    """
    if isinstance(asked, str) or not isinstance(asked, Iterable):
        return [asked]
    return [asked] if isinstance(asked, tuple) and asked in names else list(asked)


@dataclass(frozen=True, repr=False)
class ColumnType:
    """What one column means, and why.

    Attributes
    ----------
    name : hashable
        The column's name as the frame gives it.
    semantic_type : str
        One of ``SEMANTIC_TYPES``.
    probability : float
        P(ordinal | labels, data) in [0, 1]; NaN where the question does not arise.
    order : tuple or None
        Levels, lowest first; None unless `semantic_type` is ``"ordinal"``.
    best_order : tuple or None
        The best order found for any discrete column, also where the verdict is not ordinal.
    order_probability : float
        P(`best_order` is exactly right, up to reversal, if the column is ordinal) in [0, 1]; NaN
        where there is no order.
    direction_known : bool
        Whether low and high ends are known, or only the order up to reversal.
    levels : mapping
        Level -> exact count in the whole frame, in `best_order` where there is one. Empty for
        columns that are not discrete.
    n_levels : int
        Number of distinct values, missing ones aside.
    n_rows_used : int
        Rows that the data evidence rests on.
    off_scale : tuple
        Levels such as "don't know" that have no place on the scale.
    ties : tuple of tuple
        Stretches of `best_order` whose levels the data do not tell apart; their order among
        themselves is a guess.
    alternatives : tuple of (order, weight)
        The next best orders with their posterior weights.
    evidence : mapping
        The numbers behind the verdict, by name.
    reasons : tuple of str
        Sentences that say why, weightiest first.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> ColumnType("size", "ordinal", 0.9, order=("S", "M", "L"), direction_known=True)
    <ColumnType: 'size' is ordinal (probability of ordinal 0.90), in the order S < M < L>
    """

    name: Hashable
    semantic_type: SemanticType
    probability: float = math.nan
    order: tuple | None = None
    best_order: tuple | None = None
    order_probability: float = math.nan
    direction_known: bool = False
    levels: Mapping[Any, int] = field(default_factory=dict)
    n_levels: int = 0
    n_rows_used: int = 0
    off_scale: tuple = ()
    ties: tuple[tuple, ...] = ()
    alternatives: tuple[tuple[tuple, float], ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """The weightiest reason, in one sentence."""
        return self.reasons[0] if self.reasons else ""

    def explain(self) -> str:
        """Give the verdict and its reasons, in sentences with their numbers.

        Examples
        --------
        >>> from autotype import ColumnType
        >>> print(ColumnType("id", "identifier", reasons=("Every value is unique.",)).explain())
        'id' is an identifier. Every value is unique.
        """
        return " ".join([f"{self._headline()}.", *self.reasons])

    def _headline(self) -> str:
        text = f"{self.name!r} {_PREDICATES[self.semantic_type]}"
        if not math.isnan(self.probability):
            text += f" (probability of ordinal {format_probability(self.probability)})"
        if self.order is not None:
            text += f", in the order {format_order(self.order, self.direction_known)}"
            if not math.isnan(self.order_probability):
                sure = format_probability(self.order_probability)
                text += f" (exactly right with probability {sure})"
        return text

    def __repr__(self) -> str:
        return f"<ColumnType: {self._headline()}>"


_PREDICATES = {
    "ordinal": "is ordinal",
    "categorical": "is categorical",
    "binary": "is binary",
    "continuous": "is continuous",
    "count": "holds counts",
    "datetime": "holds dates or times",
    "identifier": "is an identifier",
    "text": "holds free text",
    "constant": "is constant",
    "undetermined": "is undetermined: it may be ordinal or categorical",
}
