"""Column: one column of a frame on its way from the sample to the verdict.

Each stage of `infer_types` reads what the stages before it found and adds its own findings, so that
no stage hands its results on in an object of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import nan
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.evidence.data_evidence import DataEvidence
from autotype.inference.judges.label_judge import JudgeVerdict
from autotype.inference.labels.coded import read_coded
from autotype.inference.labels.column_name import read_name
from autotype.inference.labels.evidence import NO_LABELS, LabelEvidence
from autotype.inference.labels.rules import read_labels
from autotype.types.codebook import CodebookEntry, value_key
from autotype.types.column_type import ColumnType, Provenance, SemanticType
from autotype.types.decisions.decision import Decision
from autotype.types.levels import factorize
from autotype.wording import format_level

_MAX_ANCHORED = 12  # levels of a column whose ends alone are labelled
_NO_VALUES = pd.Series(dtype=object)


@dataclass(eq=False)
class Column:
    """One column, with everything that inference has found out so far.

    Attributes
    ----------
    name : hashable
        The column's name.
    position : int
        Its position in the frame.
    n_rows, n_missing, n_distinct : int
        Counts over the whole frame; missing values are not distinct values.
    levels : mapping or None
        Level -> count over the whole frame, most frequent first; None above `max_levels`.
    listed : mapping or None
        The same for strings and integers of up to 100 levels, whose labels may be read although
        their order is not searched; None where `levels` holds them, or where there are more.
    odd : mapping
        Of a column in memory without listed levels: values that stand out, with their counts; see
        `autotype.inference.sampling.stray_texts`.
    hashable : bool
        False where cells such as lists cannot be counted.
    is_exact : bool
        Whether `n_distinct` is exact, rather than estimated by the engine of a large table.
    values : pandas.Series
        Sampled values, in the order of the frame's rows.
    rows : ndarray of int
        Positions in the sample that this column's models may use.
    label_text : bool
        Whether its name and the strings of its levels may be used as evidence.
    entry : CodebookEntry or None
        What the codebook has on it, if anything.
    markers : mapping
        Values that mean a missing one, with their counts: "n/a", "unknown", -9.
    lone : tuple of str
        Levels that one row holds each, and that the reading of the labels does not place.
    format : str or None
        What its values are written as, such as ``"url"``; see `profile.formats`.
    format_evidence : mapping
        The unit of its amounts, or the separator and the items of its lists.
    decision : Decision or None
        Its type, if the dtype or the user states it.
    provenance : str
        Where `decision` comes from: ``"dtype"``, ``"scales"``, ``"known"``, or ``"kept"`` of an
        earlier verdict.
    stated_by, stated_scale : str
        Why a user's scales state it, in a sentence; and the name of the scale that it is of.
    stated_labels : LabelEvidence or None
        What a user's scale shows of levels of which it lacks some; it is then the reading.
    declared : frozenset
        Keys of what the user declares to mean a missing value, see `spelling_key`.
    semantic_type : str or None
        Its type by rules alone; None of a discrete candidate.
    reason : str
        Why, in one sentence; empty for a candidate.
    numbers : ndarray or None
        The sampled values as float64 where all of them are numbers, as such or as strings.
    time_order : tuple or None
        The levels in time, of a column of years, dates or hours.
    reading : LabelEvidence or None
        The reading of labels that counts as evidence, perhaps that of an equivalent column; None
        where labels are not to be used.
    excluded : sequence of int
        Positions of the columns that are not predictors: itself and its equivalent columns.
    n_alike : int
        Columns of the frame with the same levels, or of its scale, this one included.
    shared : SharedScale or None
        The scale that it shares with other columns.
    judged : JudgeVerdict or None
        The answer of the user's label judge.
    is_opaque : bool
        Whether no level holds a word, or the strings were not read.
    name_score : float
        What the words of its name suggest, from -1 (categorical) to 1 (ordinal).
    name_text : float
        Learned log odds of its name, see `labels.text_model`.
    text_score : float
        Learned log odds of its levels; NaN where fewer than two hold a word.
    scale : tuple
        Levels on the scale, most frequent first: their position is their code in `data`.
    rejected : tuple
        The levels off the scale that the data, not the labels, set aside.
    data : DataEvidence or None
        The evidence of the other columns; None where they cannot predict.
    features : mapping
        The features of the model of the order, by name.
    log_odds : float
        Log odds of ordinal against categorical, by its own evidence; NaN unless it is a candidate.
    sure : float
        The probability of ordinal that its evidence, or that of its battery, supports; NaN as well.
    type_features : mapping
        The features of the model of types; empty where a fact settles the type.
    type_probabilities : mapping
        Type -> probability; empty of a column that is stated or cannot be read.
    determines : tuple
        Names of the columns of which one value goes with each value of this one.
    error : str
        Why the evidence could not be computed, if so.
    is_late : bool
        Whether the time limit had passed, so that the other columns were not examined.
    """

    name: Hashable
    position: int = 0
    n_rows: int = 0
    n_missing: int = 0
    n_distinct: int = 0
    levels: Mapping[Any, int] | None = None
    listed: Mapping[Any, int] | None = None
    odd: Mapping[Any, int] = field(default_factory=dict)
    hashable: bool = True
    is_exact: bool = True
    values: pd.Series = field(default_factory=lambda: _NO_VALUES)
    rows: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    label_text: bool = True
    markers: Mapping[Any, int] = field(default_factory=dict)
    entry: CodebookEntry | None = None
    lone: tuple[str, ...] = ()
    format: str | None = None
    format_evidence: Mapping[str, Any] = field(default_factory=dict)
    decision: Decision | None = None
    provenance: Provenance = "inferred"
    stated_by: str = ""
    stated_scale: str = ""
    stated_labels: LabelEvidence | None = None
    declared: frozenset = frozenset()
    semantic_type: SemanticType | None = None
    reason: str = ""
    numbers: np.ndarray | None = None
    time_order: tuple | None = None
    reading: LabelEvidence | None = None
    excluded: Sequence[int] = ()
    n_alike: int = 1
    shared: SharedScale | None = None
    judged: JudgeVerdict | None = None
    is_opaque: bool = False
    name_score: float = 0.0
    name_text: float = 0.0
    text_score: float = nan
    scale: tuple = ()
    rejected: tuple = ()
    data: DataEvidence | None = None
    features: Mapping[str, float] = field(default_factory=dict)
    log_odds: float = nan
    sure: float = nan
    type_features: Mapping[str, float] = field(default_factory=dict)
    type_probabilities: Mapping[str, float] = field(default_factory=dict)
    determines: tuple = ()
    error: str = ""
    is_late: bool = False

    @property
    def known_levels(self) -> Mapping[Any, int]:
        """The levels that are listed at all, with their counts."""
        return self.levels or self.listed or {}

    @property
    def n_present(self) -> int:
        """Rows of the whole frame with a value."""
        return self.n_rows - self.n_missing

    @property
    def is_candidate(self) -> bool:
        """Whether it is a discrete column whose type has to be inferred."""
        return self.decision is None and self.semantic_type is None

    @property
    def is_ordered_dtype(self) -> bool:
        """Whether its dtype is an ordered Categorical."""
        dtype = self.values.dtype
        return isinstance(dtype, pd.CategoricalDtype) and bool(dtype.ordered)

    @property
    def n_distinct_text(self) -> str:
        """The number of distinct values for a sentence; an estimate has three digits.

        Examples
        --------
        >>> Column("a", n_distinct=5_338_412).n_distinct_text
        '5,338,412'
        >>> Column("a", n_distinct=5_338_412, is_exact=False).n_distinct_text
        'about 5,340,000'
        """
        if self.is_exact:
            return f"{self.n_distinct:,}"
        place = 10 ** max(len(str(self.n_distinct)) - 3, 0)
        return f"about {round(self.n_distinct / place) * place:,}"

    @cached_property
    def coded(self) -> tuple[np.ndarray, list[Any]]:
        """A code for each sampled value, -1 where it is missing, and the values by their codes."""
        codes, uniques = factorize(self.values)
        return codes, as_objects(uniques)

    @property
    def codes(self) -> np.ndarray:
        """A code for each sampled value, by first appearance; -1 where it is missing."""
        return self.coded[0]

    @cached_property
    def labels(self) -> LabelEvidence:
        """The reading of its own levels, made when first needed."""
        levels = list(self.known_levels)
        if self.stated_labels is not None:
            return self.stated_labels
        if not self.texts:
            return read_labels(levels, self.title)
        is_graded = read_name(self.title) > 0
        return read_coded(levels, self.texts, declared=self.choices, is_graded=is_graded)

    @cached_property
    def texts(self) -> dict[Any, str]:
        """Level -> its label in the codebook, where enough levels have one to be codes of labels.

        Empty for numbers of which a few values are labelled, such as 97 for "97 or older".
        """
        levels = self.known_levels
        found = self.entry.texts(levels) if self.entry is not None else {}
        found = {level: text for level, text in found.items() if text.strip()}
        n_labelled = len(found)
        ends = len(levels) <= _MAX_ANCHORED and n_labelled >= 2
        return found if ends or 2 * n_labelled > len(levels) else {}

    @property
    def choices(self) -> tuple[str, ...]:
        """The labels of all values in the codebook, whether or not they occur."""
        return () if self.entry is None else tuple(self.entry.values.values())

    def named(self, level: Any) -> str:
        """Return a level for a sentence, with its label if it has one: 9 "refused"."""
        text = "" if self.entry is None else self.entry.texts([level]).get(level, "")
        return f'{format_level(level)} "{text}"' if text else repr(level)

    @property
    def wording(self) -> frozenset:
        """What columns with the same scale share: their levels, with the labels of these."""
        if self.texts and self.entry is not None:
            return frozenset((str(value_key(v)), text) for v, text in self.entry.values.items())
        return frozenset(map(str, self.known_levels))

    @property
    def title(self) -> str:
        """The question text of the codebook, else the name."""
        return (self.entry.label if self.entry is not None else "") or str(self.name)

    @property
    def used_labels(self) -> LabelEvidence:
        """The reading that counts as evidence, without a rule if there is none."""
        return self.reading or NO_LABELS

    @property
    def aside(self) -> dict[Any, int]:
        """The levels that inference does not see, with their counts."""
        return {**self.markers, **dict.fromkeys(self.lone, 1)}

    @property
    def off_scale(self) -> tuple:
        """The levels that are not on the scale, of those that inference sees."""
        return without(tuple(self.known_levels), self.scale)

    @property
    def suggested(self) -> tuple[int, ...] | None:
        """The labels' order in codes, if it holds every level on the scale."""
        return in_codes(self.used_labels.order, self.scale)


@dataclass(eq=False)
class SharedScale:
    """A scale that several columns of a frame share, such as the items of a questionnaire.

    Attributes
    ----------
    columns : tuple of Column
        Its columns, in the frame's order.
    levels : mapping
        Level -> count over all columns, most frequent first; of a level that columns spell in
        several ways, the most frequent spelling.
    spellings : mapping
        Position of a column -> level -> its values for this level.
    aside : mapping
        The same for the levels that stand for no answer.
    labels : LabelEvidence
        The reading of `levels`.
    judged : JudgeVerdict or None
        The answer of the user's label judge on them.
    type_probabilities : mapping
        Type -> mean of the probabilities of its columns.
    verdict : ColumnType or None
        The verdict on all rows of all columns, in terms of `levels`.
    """

    columns: tuple[Column, ...]
    levels: Mapping[Any, int] = field(default_factory=dict)
    spellings: dict[int, Mapping[Any, tuple]] = field(default_factory=dict)
    aside: dict[int, Mapping[Any, tuple]] = field(default_factory=dict)
    labels: LabelEvidence = NO_LABELS
    judged: JudgeVerdict | None = None
    type_probabilities: Mapping[str, float] = field(default_factory=dict)
    verdict: ColumnType | None = None

    def names_of(self, column: Column) -> dict[Any, Any]:
        """Return the level that each value of one of its columns is."""
        spellings = self.spellings[column.position].items()
        return {value: level for level, values in spellings for value in values}


@dataclass(frozen=True)
class FrameSample:
    """A frame's columns, counted and sampled.

    Attributes
    ----------
    columns : list of Column
        In the frame's column order.
    names : pandas.Index
        The column labels.
    n_rows : int
        Rows of the whole frame.
    origin : str
        Which rows were sampled, and how, in a sentence or two; empty if all were used.
    """

    columns: list[Column]
    names: pd.Index
    n_rows: int
    origin: str

    @cached_property
    def codes_by_n_levels(self) -> dict[int, tuple[list[int], np.ndarray]]:
        """The columns with levels that are listed, by their number.

        Number of levels -> positions of the columns, and the codes of their sampled values, -1
        where missing, as an array of shape (n_rows of the sample, n_columns).
        """
        positions: dict[int, list[int]] = {}
        for j, column in enumerate(self.columns):
            if column.levels:  # Arrow cannot code a column of maps without a value
                positions.setdefault(column.n_distinct, []).append(j)
        return {
            n: (some, np.column_stack([self.columns[j].codes for j in some]))
            for n, some in positions.items()
        }


def count_alike(columns: Sequence[Column]) -> list[int]:
    """Count for each column those of its scale, or with the same levels, itself included.

    Levels are compared as strings; a column whose levels are not listed stands alone.

    Examples
    --------
    >>> count_alike([Column("a", levels={"x": 9}), Column("b", levels={"x": 8}), Column("c")])
    [2, 2, 1]
    """
    sets = [column.wording if column.known_levels else frozenset() for column in columns]
    counts = Counter(sets)
    scales = [1 if column.shared is None else len(column.shared.columns) for column in columns]
    return [max(counts[own] if own else 1, n) for own, n in zip(sets, scales, strict=True)]


def as_objects(levels: pd.Index) -> list[Any]:
    """Return levels that pandas found as Python's objects.

    Examples
    --------
    >>> as_objects(pd.Index([2, 3])), as_objects(pd.Index([(1, "a"), (2, "b")]))
    ([2, 3], [(1, 'a'), (2, 'b')])
    """
    return np.asarray(levels, dtype=object).tolist()


def places_of(levels: Sequence[Any]) -> dict[Any, int]:
    """Return the place of each level; unlike `list.index` this compares no level with another.

    Examples
    --------
    >>> places_of(("low", "high"))
    {'low': 0, 'high': 1}
    """
    return {level: place for place, level in enumerate(levels)}


def in_codes(order: tuple | None, levels: tuple) -> tuple[int, ...] | None:
    """Return an order as positions in `levels`; None unless it holds each of them."""
    if order is None or set(order) != set(levels):
        return None
    places = places_of(levels)
    return tuple(places[level] for level in order)


def without(levels: tuple, others: tuple) -> tuple:
    """Leave some levels out, by their hash: () and a numpy.timedelta64 cannot be compared."""
    left_out = set(others)
    return tuple(level for level in levels if level not in left_out)
