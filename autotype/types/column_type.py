"""ColumnType: the inferred type of one column and the evidence for it."""

from __future__ import annotations

import json
import math
from collections.abc import Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast, get_args

import numpy as np

from autotype.lexicon.presence import is_present
from autotype.types.codec.evidence_keys import Evidence
from autotype.types.codec.plain_state import PlainState
from autotype.types.levels import LevelSet
from autotype.types.nan_equality import NanEqual
from autotype.wording import format_order, format_pairs, format_probability, labelled, printable

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
SEMANTIC_TYPES: tuple[SemanticType, ...] = get_args(SemanticType)

# Types between which `ColumnType.probability` decides.
WITH_ODDS = ("ordinal", "categorical", "undetermined")
# Types of columns whose levels may have an order, or are two.
DISCRETE: frozenset[str] = frozenset({"ordinal", "categorical", "binary", "undetermined"})
# Types of columns whose values have a range.
NUMBERS = ("continuous", "count")

# How a type was found: by inference, now or earlier; by an ordered dtype; by `known` or a schema;
# by the user's `scales`; or by `revise`.
Provenance = Literal["inferred", "kept", "dtype", "scales", "known", "revised"]

# A verdict takes odds of two to one; anything between is undetermined.
ORDINAL_FROM = 2 / 3
CATEGORICAL_UP_TO = 1 / 3
# So does an order: below, a column is ordinal in an order that is not known.
ORDER_FROM = 2 / 3


def name_list(requested: Any, names: Container[Any]) -> list[Any]:
    """Return one column name, or several, as a list.

    Parameters
    ----------
    requested : column name, or iterable of column names
        A text is one name, and so is a tuple that is among `names`.
    names : container of column names
        The existing names.

    Examples
    --------
    >>> name_list("size", ["size"]), name_list(("a", 1), [("a", 1)]), name_list(("a", "b"), [])
    (['size'], [('a', 1)], ['a', 'b'])
    """
    if isinstance(requested, str) or not isinstance(requested, Iterable):
        return [requested]
    is_one = isinstance(requested, tuple) and requested in names
    return [requested] if is_one else list(requested)


@dataclass(frozen=True)
class ColumnProfile:
    """What the cells of a column look like, for readers of a report.

    Attributes
    ----------
    n_missing : int
        Missing values in the whole frame.
    examples : tuple of str
        A few values, as strings; empty if the levels of the column are listed.
    common : tuple of (str, int)
        The most frequent values with their counts in the sampled rows, if values repeat and the
        levels are not listed.
    histogram : tuple of int
        Rows of the sample in bins of equal width, of numbers and dates with many values.
    low, high : str
        The ends of the histogram.
    """

    n_missing: int = 0
    examples: tuple[str, ...] = ()
    common: tuple[tuple[str, int], ...] = ()
    histogram: tuple[int, ...] = ()
    low: str = ""
    high: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class ColumnType(PlainState, NanEqual):
    """The inferred type of one column, and the evidence for it.

    Two of them are equal if all fields are, with NaN equal to NaN.

    Attributes
    ----------
    name : hashable
        The column's name in the frame.
    semantic_type : str
        One of ``SEMANTIC_TYPES``.
    probability : float
        P(ordinal) / (P(ordinal) + P(categorical)), of `type_probabilities`, in [0, 1]; NaN where
        the two together are below 0.05.
    order : tuple or None
        Levels, lowest first; None unless `semantic_type` is ``"ordinal"`` and the order is known
        with a probability of two thirds.
    best_order : tuple or None
        The best order found of any discrete column, even if it is not known or the verdict is not
        ordinal.
    order_probability : float
        P(`best_order` is exactly right, up to reversal, if the column is ordinal) in [0, 1]; NaN
        without an order.
    direction_known : bool
        Whether low and high ends are known, or only the order up to reversal.
    levels : mapping
        Level -> exact count in the whole frame, along `best_order` if there is one. Empty for
        columns that are not discrete.
    n_levels : int
        Number of distinct values, without missing ones.
    n_rows_used : int
        Rows from which the evidence of the data is computed.
    off_scale : tuple
        Levels such as "don't know" that are not on the scale.
    ties : tuple of tuple
        Runs of `best_order` whose levels the data do not distinguish; the order within a run is a
        guess.
    alternatives : tuple of (order, weight)
        The next best orders with their posterior weights.
    evidence : dict
        The numbers behind the verdict, by name, with the keys of a report's JSON Schema.
    reasons : tuple of str
        The reasons as sentences, the most important first.
    provenance : str
        ``"inferred"``; ``"kept"`` of an earlier verdict that ``known`` states, with its
        probability; ``"dtype"`` of an ordered Categorical, ``"scales"`` of the user's
        scales, ``"known"`` if it was stated before inference (``known``, a schema), ``"revised"``
        if by `TypeReport.revise`.
    note : str
        A remark of the user.
    profile : ColumnProfile or None
        Missing values, and what the other cells look like; None if no rows were read.
    type_probabilities : mapping
        Type -> its probability, of all types but ``"undetermined"``; they add to 1. Empty where
        inference did not weigh the types: of a type that is stated, or cells that cannot be read.
    format : str or None
        What the strings or numbers are written as, such as ``"url"``, ``"postcode"`` or
        ``"percent"``; None if nothing special.
    missing_markers : tuple
        Values such as ``"n/a"`` or ``-9`` that mean a missing value, in a column that is neither
        ordinal nor categorical; of those two, they are in `off_scale`.
    labels : mapping
        Stored value -> its label in the codebook, also of values that do not occur. `levels`,
        `order` and `off_scale` hold stored values.
    missing_ranges : tuple of (low, high)
        Closed ranges of numbers that the codebook declares missing; the ends may be infinite.
    title : str
        The question text, or another label of the column; empty if there is none.
    group : str
        A key that the columns of one question share, such as the choices of which several may be
        ticked; empty if the column stands alone.
    scale : str
        A key that the columns of one scale share, see `TypeReport.scales`; empty if the column
        stands alone.
    reversed : bool
        Whether it falls where the other columns of its scale rise.
    weighted_shares : mapping
        Level -> the proportion of its rows by their weights, of rows with a level; empty without
        ``weights``, or if the levels are not listed.
    n_effective : float
        Rows that a sample without weights would need to be worth as much, (sum w)^2 / sum w^2;
        NaN without ``weights``.
    partial_order : tuple of (lower, higher) or None
        Of an ordinal column without `order`, all pairs of levels whose order is known, up to
        reversal unless `direction_known`; None for other columns.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> ColumnType("size", "ordinal", 0.9, order=("S", "M", "L"), direction_known=True)
    <ColumnType: 'size' is ordinal (probability of ordinal 0.90), in the order S < M < L>
    """

    name: Hashable
    semantic_type: SemanticType
    probability: float = math.nan
    order: tuple[Any, ...] | None = None
    best_order: tuple[Any, ...] | None = None
    order_probability: float = math.nan
    direction_known: bool = False
    levels: Mapping[Any, int] = field(default_factory=dict)
    n_levels: int = 0
    n_rows_used: int = 0
    off_scale: tuple[Any, ...] = ()
    ties: tuple[tuple[Any, ...], ...] = ()
    alternatives: tuple[tuple[tuple[Any, ...], float], ...] = ()
    evidence: Evidence = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    provenance: Provenance = "inferred"
    note: str = ""
    profile: ColumnProfile | None = None
    type_probabilities: Mapping[str, float] = field(default_factory=dict)
    format: str | None = None
    missing_markers: tuple[Any, ...] = ()
    labels: Mapping[Any, str] = field(default_factory=dict)
    missing_ranges: tuple[tuple[float, float], ...] = ()
    title: str = ""
    group: str = ""
    scale: str = ""
    reversed: bool = False
    weighted_shares: Mapping[Any, float] = field(default_factory=dict)
    n_effective: float = math.nan
    partial_order: tuple[tuple[Any, Any], ...] | None = None

    def without_values(self) -> ColumnType:
        """Return the type without examples, and without levels unless the column is discrete."""
        profile = self.profile and ColumnProfile(self.profile.n_missing)
        if self.semantic_type in DISCRETE:
            return replace(self, profile=profile)
        bare = replace(self, profile=profile, levels={}, weighted_shares={})
        return replace(bare, order=None, best_order=None)

    def without_markers(self) -> ColumnType:
        """Return the type of the column once its missing markers are missing values."""
        levels = {v: n for v, n in self.levels.items() if v not in self.missing_markers}
        return replace(self, levels=levels, missing_markers=())

    @property
    def level_set(self) -> LevelSet | None:
        """The column's levels, their order, and which are off the scale; None if it has none.

        Columns with levels are ordinal, categorical, binary, constant or undetermined; of the last
        two only if the levels are listed. Those of an order that is not known are not ordered. The
        set of a categorical or binary column whose levels are not listed is empty: the rows have
        them. Missing values, which a report may list, are no levels.

        Examples
        --------
        >>> from autotype import ColumnType
        >>> ColumnType("size", "ordinal", order=("S", "M"), off_scale=("?",)).level_set
        LevelSet(on_scale=('S', 'M'), off_scale=('?',), ordered=True)
        >>> ColumnType("price", "continuous", levels={1.5: 3}).level_set is None
        True
        """
        if self.semantic_type == "ordinal" and self.order is not None:
            on_scale = tuple(filter(is_present, self.order))
            return LevelSet(on_scale, tuple(filter(is_present, self.off_scale)), ordered=True)
        listed = self.semantic_type in ("constant", "undetermined") and bool(self.levels)
        is_set = self.semantic_type in ("categorical", "binary") or self.partial_order is not None
        if listed or is_set:
            return LevelSet(tuple(filter(is_present, self.levels)))
        return None

    def is_cast(self, levels: Iterable[Any]) -> bool:
        """Check whether a column with these levels is cast to them.

        Two booleans, numbers or dates stay as they are: their own dtype says more than a
        Categorical.
        """
        if self.semantic_type == "binary":
            return any(isinstance(level, str) for level in levels)
        return self.semantic_type in DISCRETE

    def type_set(self, level: float = 0.95) -> tuple[SemanticType, ...]:
        """Return the smallest set of types that holds the true one with a probability.

        Parameters
        ----------
        level : float
            The probability, in (0, 1).

        Returns
        -------
        tuple of str
            The most probable type first. A type that is stated stands alone; of cells that cannot
            be read, all types are possible.

        Notes
        -----
        The sizes of sets were found on labelled files of families that the model had not seen.

        Examples
        --------
        >>> from autotype import ColumnType
        >>> ColumnType("n", "count", type_probabilities={"count": 0.5, "text": 0.5}).type_set()
        ('count', 'text')
        >>> ColumnType("size", "ordinal").type_set()
        ('ordinal',)
        """
        found = self.type_probabilities
        if not found and self.semantic_type == "undetermined":
            found = dict.fromkeys(SEMANTIC_TYPES[:-1], 1.0 / (len(SEMANTIC_TYPES) - 1))
        return cast(
            "tuple[SemanticType, ...]", smallest_set(found or {self.semantic_type: 1.0}, level)
        )

    @property
    def reason(self) -> str:
        """The most important reason, in one sentence."""
        return self.reasons[0] if self.reasons else ""

    def explain(self) -> str:
        """Return the verdict and its reasons as sentences with their numbers.

        Examples
        --------
        >>> from autotype import ColumnType
        >>> print(ColumnType("id", "identifier", reasons=("Every value is unique.",)).explain())
        'id' is an identifier. Every value is unique.
        """
        note = [f"Note: {self.note}"] if self.note else []
        return printable(" ".join([f"{self._headline()}.", *self.reasons, *note]))

    def named(self, level: Any) -> Any:
        """Return a level for people: with its label, if it has one.

        Examples
        --------
        >>> from autotype import ColumnType
        >>> ColumnType("mood", "ordinal", labels={1: "bad"}).named(1)
        '1 "bad"'
        """
        return labelled(level, self.labels)

    def _headline(self) -> str:
        kind = self.semantic_type
        text = f"{self.name!r} {_PREDICATES.get(kind, f'is {kind}')}"
        has_odds = self.semantic_type in WITH_ODDS and not math.isnan(self.probability)
        if has_odds:
            text += f" (probability of ordinal {format_probability(self.probability)})"
        if self.semantic_type != "ordinal" or (self.order is None and self.partial_order is None):
            return text
        guess = self.order or self.best_order or ()
        best = format_order([self.named(level) for level in guess], self.direction_known)
        sure = format_probability(self.order_probability)
        if self.order is not None:
            text += f", in the order {best}"
            return f"{text} (exactly right with probability {sure})" if sure else text
        known = self.known_order()
        text += f", in an order of which {known} is known" if known else ", in an unknown order"
        return f"{text} (best guess {best}, right with probability {sure})" if guess else text

    def known_order(self) -> str:
        """Return what is known of an order that is not known as a whole; empty if nothing is.

        Examples
        --------
        >>> from autotype import ColumnType
        >>> pairs = (("S", "M"), ("S", "L"), ("M", "L"))
        >>> ColumnType("size", "ordinal", partial_order=pairs, direction_known=True).known_order()
        'S < M < L'
        """
        named = [(self.named(low), self.named(high)) for low, high in self.partial_order or ()]
        return format_pairs(named, self.direction_known) if named else ""

    def __repr__(self) -> str:
        return printable(f"<ColumnType: {self._headline()}>")


_PREDICATES = {
    "count": "holds counts",
    "datetime": "holds dates or times",
    "identifier": "is an identifier",
    "text": "holds free text",
    "undetermined": "is undetermined: it may be ordinal or categorical",
}


def smallest_set(probabilities: Mapping[str, float], level: float) -> tuple[str, ...]:
    """Return the types of a set, the most probable first.

    Parameters
    ----------
    probabilities : mapping
        Type -> probability; they add to 1.
    level : float
        Probability with which the set holds the truth, in (0, 1).

    Notes
    -----
    A type belongs to the set if the more probable types add up to at most a mass that was found for
    its level on labelled columns, by families that the model had not seen; between the levels of
    the table the mass is interpolated.

    Examples
    --------
    >>> smallest_set({"count": 0.55, "continuous": 0.4, "ordinal": 0.05}, 0.5)
    ('count',)
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must be a number between 0 and 1, got {level!r}")
    most, held = _mass(level), 0.0
    kept: list[str] = []
    for kind, p in sorted(probabilities.items(), key=lambda item: -item[1]):
        if kept and held > most:
            break
        kept.append(kind)
        held += p
    return tuple(kept)


def _mass(level: float) -> float:
    """Return the mass for a level, on straight lines between those of the table."""
    levels, masses = zip((0.0, 0.0), *_table(), (1.0, 1.0), strict=True)
    return float(np.interp(level, levels, masses))


@cache
def _table() -> tuple[tuple[float, float], ...]:
    stored = json.loads(files("autotype.types").joinpath("type_set.json").read_text("utf-8"))
    return tuple((float(level), float(mass)) for level, mass in stored["levels"].items())
