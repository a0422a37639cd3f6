"""ColumnType: the inferred type of one column and the evidence for it."""

from __future__ import annotations

import math
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypedDict, get_args

from autotype.types.column_profile import ColumnProfile
from autotype.types.level_set import LevelSet
from autotype.types.nan_equality import NanEqual
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

# Types of columns whose levels may have an order, or are two.
DISCRETE: frozenset[str] = frozenset({"ordinal", "categorical", "binary", "undetermined"})

# How a type was found: by inference, now or earlier; by an ordered dtype; by `known` or a schema;
# or by `revise`.
Provenance = Literal["inferred", "kept", "dtype", "known", "revised"]
PROVENANCES: tuple[str, ...] = get_args(Provenance)

# A verdict takes odds of two to one; anything between is undetermined.
ORDINAL_FROM = 2 / 3
CATEGORICAL_UP_TO = 1 / 3


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


class Evidence(TypedDict, total=False):
    """The numbers behind a verdict, as `ColumnType.evidence` and the JSON of a report hold them.

    All keys are optional: those of the data are absent if no other column can predict this one,
    and features of the verdict that are zero or unknown are omitted. The weights of the features
    are explained in ``docs/algorithms/verdict.md``.

    Attributes
    ----------
    label_rule : str
        The rule that reads the labels, such as "scale" or "numeric"; "none" if no rule does.
    label_detail : str
        What the rule read, for instance the name of the scale.
    order_source : str
        The source of the reported order: "labels", "judge", "data" or "battery".
    judge_probability : float
        Probability that the label judge gave for an ordinal column.
    loo_ordinal : float
        Mean leave-one-out log probability a row of the model with ordered levels.
    loo_multiclass : float
        The same of the model with unordered levels.
    loo_baseline : float
        The same of the shares of the levels, without predictors.
    log_evidence_ordinal : float
        Laplace approximation of the ordinal model's log marginal likelihood.
    log_evidence_multiclass : float
        The same of the multi-class model.
    n_predictors : int
        Columns of the design matrix that predict this column.
    data_order : list
        The best order by the data alone, lowest first, up to reversal.
    thresholds : list[float]
        Thresholds of the ordinal model between the levels of `data_order`, increasing.
    level_means : list[float]
        Mean of the latent function over the rows of each level of `data_order`.
    level_sds : list[float]
        Its standard deviation over these rows.
    top_predictors : list
        Pairs of a column name and its share of the latent function's variance, largest first.
    label_scale : float
        Feature: 1 if the labels are a known scale, calendar or composition.
    label_measure : float
        Feature: 1 if the labels are ranges, measures, ordinal words or numbered stages.
    label_numeric : float
        Feature: 1 if the labels are plain numbers.
    label_enumerator : float
        Feature: 1 if the labels are enumerators, such as Roman numerals or A, B, C.
    label_nominal : float
        Feature: 1 if the labels are known names without an order.
    label_opaque : float
        Feature: 1 if no rule reads the labels.
    label_unplaced : float
        Feature: share of the levels that such a rule cannot place.
    label_text : float
        Feature: learned log odds of the level texts, without a vocabulary, at most 6.
    understood : float
        Feature: share of the levels in which words were recognised.
    columns_alike : float
        Feature: logarithm of the number of columns with the same levels, at most 8.
    numbers_alike : float
        Feature: the same for levels that are numbers.
    numbers_signed : float
        Feature: 1 if the levels are numbers of which some are negative.
    suggested_agrees : float
        Feature: Kendall's tau of the labels' order and the data's, without its sign, minus its
        mean by chance.
    suggested_gap : float
        Feature: log(1 + g), g the log evidence of the data's best order over the labels' order.
    name_words : float
        Feature: words of the column's name for (+) or against (-) an order, if no rule read the
        labels.
    name_text : float
        Feature: learned log odds of the column's name, if no rule read the labels.
    name_words_read : float
        Feature: words of the column's name, if a rule read the labels.
    name_text_read : float
        Feature: learned log odds of the column's name, if a rule read the labels.
    inverse_levels : float
        Feature: inverse of the number of levels.
    log_rows : float
        Feature: logarithm of the number of rows, at most that of 1,000.
    predictability : float
        Feature: log(1 + z), z the statistic of how well the other columns predict this one.
    evidence_gain : float
        Feature: signed root of the ordinal model's gain in log evidence over the multi-class one.
    captured : float
        Feature: share of the multi-class leave-one-out gain that the ordinal model reaches.
    order_weight : float
        Feature: posterior weight of the best order.
    tll_ordinal : float
        `autotype.paper2014` only: test log likelihood of the ordinal model.
    tll_multiclass : float
        The same of the multi-class model.
    """

    label_rule: str
    label_detail: str
    order_source: str
    judge_probability: float
    loo_ordinal: float
    loo_multiclass: float
    loo_baseline: float
    log_evidence_ordinal: float
    log_evidence_multiclass: float
    n_predictors: int
    data_order: list[Any]
    thresholds: list[float]
    level_means: list[float]
    level_sds: list[float]
    top_predictors: list[Any]
    label_scale: float
    label_measure: float
    label_numeric: float
    label_enumerator: float
    label_nominal: float
    label_opaque: float
    label_unplaced: float
    label_text: float
    understood: float
    columns_alike: float
    numbers_alike: float
    numbers_signed: float
    suggested_agrees: float
    suggested_gap: float
    name_words: float
    name_text: float
    name_words_read: float
    name_text_read: float
    inverse_levels: float
    log_rows: float
    predictability: float
    evidence_gain: float
    captured: float
    order_weight: float
    tll_ordinal: float
    tll_multiclass: float


@dataclass(frozen=True, repr=False, eq=False)
class ColumnType(NanEqual):
    """The inferred type of one column, and the evidence for it.

    Two of them are equal if all fields are, with NaN equal to NaN.

    Attributes
    ----------
    name : hashable
        The column's name in the frame.
    semantic_type : str
        One of ``SEMANTIC_TYPES``.
    probability : float
        P(ordinal | labels, data) in [0, 1]; NaN for columns that are not discrete.
    order : tuple or None
        Levels, lowest first; None unless `semantic_type` is ``"ordinal"``.
    best_order : tuple or None
        The best order found of any discrete column, even if the verdict is not ordinal.
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
    evidence : Evidence
        The numbers behind the verdict, by name; a dictionary with the keys of `Evidence`.
    reasons : tuple of str
        The reasons as sentences, the most important first.
    provenance : str
        ``"inferred"``; ``"kept"`` of an earlier verdict that ``known`` states, with its
        probability; ``"dtype"`` of an ordered Categorical, ``"known"`` if it was stated before
        inference (``known``, a schema), ``"revised"`` if by `TypeReport.revise`.
    note : str
        A remark of the user.
    profile : ColumnProfile or None
        Missing values, and what the other cells look like; None if no rows were read.

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
    evidence: Evidence = field(default_factory=Evidence)
    reasons: tuple[str, ...] = ()
    provenance: Provenance = "inferred"
    note: str = ""
    profile: ColumnProfile | None = None

    @classmethod
    def stated(
        cls,
        name: Hashable,
        semantic_type: SemanticType,
        *,
        order: Sequence[Any] | None,
        direction_known: bool = True,
        order_probability: float = 1.0,
        levels: Mapping[Any, int],
        n_levels: int | None = None,
        n_rows_used: int = 0,
        off_scale: Sequence[Any] = (),
        reason: str,
    ) -> ColumnType:
        """Return a type that is stated rather than inferred: by a dtype, a schema or the user.

        Parameters
        ----------
        name, semantic_type, levels, n_rows_used, off_scale
            See the attributes.
        order : sequence or None
            Levels, lowest first; with an order, the column is ordinal with probability 1.
        direction_known : bool
            Whether the low end of the order is known.
        order_probability : float
            Of the order, if there is one.
        n_levels : int, optional
            By default the number of `levels`.
        reason : str
            The source of the statement.

        Examples
        --------
        >>> ColumnType.stated("size", "ordinal", order="SML", levels={}, reason="Known.").explain()
        "'size' is ordinal (probability of ordinal >0.99), in the order S < M < L ... Known."
        """
        stated = None if order is None else tuple(order)
        return cls(
            name=name,
            semantic_type=semantic_type,
            probability=math.nan if stated is None else 1.0,
            order=stated,
            best_order=stated,
            order_probability=math.nan if stated is None else order_probability,
            direction_known=stated is not None and direction_known,
            levels=dict(levels),
            n_levels=len(levels) if n_levels is None else n_levels,
            n_rows_used=n_rows_used,
            off_scale=tuple(off_scale),
            reasons=(reason,),
            provenance="known",
        )

    def without_values(self) -> ColumnType:
        """Return the type without examples, and without levels unless the column is discrete."""
        profile = self.profile and ColumnProfile(self.profile.n_missing)
        if self.semantic_type in DISCRETE:
            return replace(self, profile=profile)
        return replace(self, profile=profile, levels={}, order=None, best_order=None)

    @property
    def level_set(self) -> LevelSet | None:
        """The column's levels, their order, and which are off the scale; None if it has none.

        Columns with levels are ordinal with an order, categorical, binary, constant or
        undetermined; of the last two only if the levels are listed. The set of a categorical or
        binary column whose levels are not listed is empty: the rows have them.

        Examples
        --------
        >>> from autotype import ColumnType
        >>> ColumnType("size", "ordinal", order=("S", "M"), off_scale=("?",)).level_set
        LevelSet(on_scale=('S', 'M'), off_scale=('?',), ordered=True)
        >>> ColumnType("price", "continuous", levels={1.5: 3}).level_set is None
        True
        """
        if self.semantic_type == "ordinal" and self.order is not None:
            return LevelSet(tuple(self.order), tuple(self.off_scale), ordered=True)
        listed = self.semantic_type in ("constant", "undetermined") and bool(self.levels)
        if listed or self.semantic_type in ("categorical", "binary"):
            return LevelSet(tuple(self.levels))
        return None

    def is_cast(self, levels: Iterable[Any]) -> bool:
        """Check whether a column with these levels is cast to them.

        Two booleans, numbers or dates stay as they are: their own dtype says more than a
        Categorical.
        """
        if self.semantic_type == "binary":
            return any(isinstance(level, str) for level in levels)
        return self.semantic_type in DISCRETE

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
        return " ".join([f"{self._headline()}.", *self.reasons, *note])

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
