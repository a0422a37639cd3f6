"""Choose one of nine types for each column, by one learned model over all that is known of it.

The rules that typed the columns first, and the evidence on the order of discrete ones, are features
of the model. Between ordinal and categorical the log odds of that evidence and those of the model
are mixed, so that `ColumnType.probability` and the probabilities of the types are the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from autotype.inference.column import Column
from autotype.inference.labels.evidence import RULES
from autotype.inference.learned import as_probability, load_learned
from autotype.inference.profile.formats import listed_under, type_of_format
from autotype.inference.profile.triage import is_temporal
from autotype.inference.profile.type_model import FACTS, TYPES, TypeModel, load_type_model
from autotype.inference.profile.value_features import frame_features, name_features, value_features
from autotype.inference.verdict.reasons import write_type_reasons
from autotype.lexicon.toml_files import read_toml
from autotype.types.column_type import SEMANTIC_TYPES, ColumnType, SemanticType

_MOST_ODDS = 5.0  # log odds beyond which the verdict on order is as sure as it can be
_MOST_WORDING = 4.0
_MOST_BINARY = 4  # levels of a column of two values, spelled in several ways
# Features that are 0 unless rules or evidence set them.
_FLAGS = (
    *(f"rule_{kind}" for kind in ("candidate", *SEMANTIC_TYPES)),
    *(rule.feature for rule in RULES.values() if rule.feature is not None),
    *(f"format_{group}" for group in read_toml("formats")["groups"]),
    "ordinal_odds",
    "ordinal_sure",
    "nominal_sure",
    "predicted",
    "label_wording",
)
_DISCRETE: tuple[SemanticType, ...] = ("ordinal", "categorical")
_CODES: tuple[SemanticType, ...] = ("identifier", "categorical")
_FEWEST_ROWS = 20
_FEWEST_GRADES = 3
_STANDS = 0.9  # least probability of what a format settles, or the rules say of fewer rows
_FREE_TEXT = math.log1p(3.0)  # words per value of strings that name nothing
_NAMING: tuple[SemanticType, ...] = ("identifier", "text")
_NOMINAL_NAMES = ("place", "name", "sort", "code")
_NOMINAL_SCORE = -1.0  # log odds of ordinal that the words of a name add
_DOUBT = 0.02  # weight of the other types
LEAST_MASS = 0.05  # of ordinal and categorical together; below it their odds are nothing


def settled_by_fact(column: Column) -> bool:
    """Check for a type that dtype or the number of values settle."""
    return column.n_distinct <= 2 or is_temporal(column.values.dtype)


def is_weighed(column: Column) -> bool:
    """Check for a column whose types have probabilities: neither stated nor unreadable."""
    return column.decision is None and column.hashable and not column.error


def weigh_types(columns: Sequence[Column], requested: Sequence[Column]) -> None:
    """Set the `type_probabilities`, `type_features` and `determines` of some columns.

    Parameters
    ----------
    columns : sequence of Column
        All columns of the frame, typed by rules.
    requested : sequence of Column
        Those to weigh; candidates with their evidence, `log_odds` and `sure`.
    """
    model = load_type_model()
    for column in filter(is_weighed, requested):
        if settled_by_fact(column):
            fact = column.semantic_type if column.semantic_type in FACTS else "constant"
            column.type_probabilities = model.of_fact(fact)
    for column in describe_types(columns, requested):
        column.type_probabilities = weighed_probabilities(column, model)


def describe_types(columns: Sequence[Column], requested: Sequence[Column]) -> list[Column]:
    """Set the `type_features` and `determines` of columns, and return those that have features."""
    by_frame, determined = frame_features(columns, requested)
    weighed = []
    for column in requested:
        j = column.position
        column.determines = tuple(columns[k].name for k in determined[j])
        if is_weighed(column) and not settled_by_fact(column):
            column.type_features = {
                **value_features(column, texts=column.label_text or not column.is_candidate),
                **(name_features(column.name) if column.label_text else {}),
                **by_frame[j],
                **verdict_features(column),
            }
            weighed.append(column)
    return weighed


def verdict_features(column: Column) -> dict[str, float]:
    """Return what rules and the evidence on order say of a column."""
    features = dict.fromkeys(_FLAGS, 0.0)
    features[f"rule_{column.semantic_type or 'candidate'}"] = 1.0
    if column.is_candidate and not math.isnan(column.log_odds):
        constants = load_learned()
        features["ordinal_odds"] = max(-_MOST_ODDS, min(column.log_odds, _MOST_ODDS))
        features["ordinal_sure"] = float(column.sure >= constants.ordinal_threshold)
        features["nominal_sure"] = float(column.sure <= constants.categorical_threshold)
        features["predicted"] = float(column.data is not None and column.data.predictable)
    if (group := listed_under("groups").get(column.format or "")) is not None:
        features[f"format_{group}"] = 1.0
    labels = column.used_labels
    features["label_decides"] = float(labels.rule.decides)
    if labels.rule.feature is not None:
        features[labels.rule.feature] = 1.0
    features["label_understood"] = labels.understood
    features["label_calendar"] = float(labels.rule.name == "calendar")
    if not math.isnan(column.text_score):
        features["label_wording"] = max(-_MOST_WORDING, min(column.text_score, _MOST_WORDING))
    return features


def weighed_probabilities(column: Column, model: TypeModel) -> dict[str, float]:
    """Return the probabilities of the types of one column by a model, from its features."""
    return _without_vetoed(column, model.probabilities([column.type_features])[0])


def _without_vetoed(column: Column, found: np.ndarray) -> dict[str, float]:
    """Return probabilities by type, without what levels or format rule out."""
    vetoed = {"constant", "binary"} if column.n_distinct > _MOST_BINARY else {"constant"}
    kept = {k: 0.0 if k in vetoed else p for k, p in zip(TYPES, found.tolist(), strict=True)}
    # A codebook labels codes of levels, as a judge is asked about levels.
    are_levels = column.judged is not None or column.texts
    unnamed = _NAMING if column.used_labels.rule.reads_scales else ()
    if column.semantic_type == "text" and column.type_features.get("words", 0.0) > _FREE_TEXT:
        unnamed = _NAMING[:1]
    # Numbers that are not integers are no names.
    no_names = ("categorical",) if column.semantic_type == "continuous" else ()
    for doubted in (set(TYPES).difference(_DISCRETE) if are_levels else (), no_names, unnamed):
        kept = {kind: _DOUBT * p if kind in doubted else p for kind, p in kept.items()}
    total = sum(kept.values())
    held = {kind: p / total for kind, p in kept.items()}
    left = _settled(column)
    mass = sum(held[kind] for kind in left)
    if left and mass < _STANDS:
        for kind, p in held.items():
            if kind not in left:
                held[kind] = p / (1.0 - mass) * (1.0 - _STANDS)
            else:
                held[kind] = _STANDS * (p / mass if mass > 0 else 1.0 / len(left))
    return held


def _settled(column: Column) -> tuple[SemanticType, ...]:
    """Return the types that a format leaves, or the rules where few rows show little."""
    kind = column.semantic_type
    if kind is not None and (found := type_of_format(column, 0)) is not None and found[0] == kind:
        # Whether codes are keys, the model knows better than one limit.
        return _CODES if listed_under("groups").get(column.format or "") == "code" else (kind,)
    if column.n_present >= _FEWEST_ROWS or kind == "undetermined":
        return ()
    return _DISCRETE if kind is None else (kind,)


def split_by(found: Mapping[str, float], ordinal: float) -> dict[str, float]:
    """Split what is ordinal or categorical by the probability that it is ordinal.

    Examples
    --------
    >>> split_by({"ordinal": 0.5, "categorical": 0.25, "text": 0.25}, 0.2)
    {'ordinal': 0.15..., 'categorical': 0.6..., 'text': 0.25}
    """
    if not found:
        return {}
    mass = found["ordinal"] + found["categorical"]
    return {**found, "ordinal": mass * ordinal, "categorical": mass * (1.0 - ordinal)}


def mixed_log_odds(column: Column) -> float:
    """Mix the verdict's log odds of ordinal against categorical with those of the type model."""
    if not column.type_probabilities:
        return column.log_odds
    own = model_log_odds(column)
    is_read = column.used_labels.rule.reads_scales  # of which the model knows no more
    is_mixed = column.reading is not None and column.judged is None and not column.texts
    share = load_type_model().constants["mixed"] if is_mixed and not is_read else 0.0
    return (1.0 - share) * column.log_odds + share * own


def model_log_odds(column: Column) -> float:
    """Return the log odds of ordinal against categorical of the type model alone."""
    model, found = load_type_model(), column.type_probabilities
    ordinal, categorical = max(found["ordinal"], 1e-12), max(found["categorical"], 1e-12)
    return math.log(ordinal / categorical) / model.sharpness


def model_speaks(column: Column) -> bool:
    """Check whether the type model is sure enough of the order, or of none, to be evidence."""
    if column.reading is None or column.judged or column.texts or not column.type_probabilities:
        return False
    if column.n_present < _FEWEST_ROWS:
        return False
    constants, p = load_type_model().constants, as_probability(model_log_odds(column))
    # What an equivalent column is read as says little of these levels.
    is_read = column.labels.rule.decides or column.labels.rule.trusted or shows_wording(column)
    if column.levels and not is_read:  # of few levels without meaning only the name says something
        return p <= constants["speaks_categorical"] and _is_named_as_nominal(column)
    return p >= constants["speaks_ordinal"] or p <= constants["speaks_categorical"]


def shows_wording(column: Column) -> bool:
    """Check whether the levels are worded clearly like scales, or like names."""
    return abs(column.text_score) >= load_learned().min_text_score  # NaN is unknown


def _is_named_as_nominal(column: Column) -> bool:
    kinds = any(column.type_features.get(f"name_{kind}") == 1.0 for kind in _NOMINAL_NAMES)
    return kinds or column.type_features.get("name_learned", 0.0) <= _NOMINAL_SCORE


def choose_type(column: Column, verdict: ColumnType | None) -> SemanticType | None:
    """Choose the type of a column.

    Parameters
    ----------
    column : Column
        With its `type_probabilities`, ordinal and categorical as reported.
    verdict : ColumnType or None
        The verdict on the order of a candidate.

    Returns
    -------
    str or None
        None where the verdict on order stands: ordinal and categorical together are the most
        probable.
    """
    found = column.type_probabilities
    if not found:
        return None
    if settled_by_fact(column):
        return column.semantic_type
    others = [kind for kind in TYPES if kind not in _DISCRETE]
    best = max(others, key=lambda kind: found[kind])
    constants = load_learned()
    mass = found["ordinal"] + found["categorical"]
    if mass < found[best]:
        named = found[best] >= load_type_model().constants["floor"]
        return best if named else "undetermined"  # type: ignore[return-value]
    if verdict is not None:
        return None
    ordinal = found["ordinal"] / mass
    if ordinal <= constants.categorical_threshold:
        return "categorical"
    is_graded = column.semantic_type == "continuous" and bool(order_of_numbers(column))
    if is_graded and found["ordinal"] >= constants.ordinal_threshold:
        return "ordinal"
    return column.semantic_type  # perhaps ranks, but nobody searched their order


def order_of_numbers(column: Column) -> tuple:
    """Return the levels of a column of grades in whole and half steps, the lowest first."""
    levels = column.known_levels if column.numbers is not None else {}
    if len(levels) != column.n_distinct or len(levels) < _FEWEST_GRADES:
        return ()
    try:
        order = tuple(sorted(levels, key=float))
    except (TypeError, ValueError):  # amounts such as "1,5"
        return ()
    halves = np.array([2 * float(level) for level in order])
    is_graded = np.isfinite(halves).all() and np.isin(np.diff(halves), (1.0, 2.0)).all()
    return order if is_graded else ()


def with_type(column: Column, verdict: ColumnType, chosen: SemanticType | None) -> ColumnType:
    """Return the report on a column with its probabilities and the reasons for its type.

    Parameters
    ----------
    column : Column
    verdict : ColumnType
        Of a candidate whose type is `chosen` by its order, or by rules.
    chosen : str or None
        See `choose_type`.
    """
    found = column.type_probabilities
    if not found:
        return verdict
    mass = found["ordinal"] + found["categorical"]
    ordinal = verdict.probability  # as the columns of a battery share it, to the last digit
    if math.isnan(ordinal) and mass > 0:
        ordinal = found["ordinal"] / mass
    why = write_type_reasons(column, chosen or verdict.semantic_type)
    first = verdict.reasons[:-1] if column.is_late else verdict.reasons
    return replace(
        verdict,
        probability=math.nan if mass < LEAST_MASS else ordinal,
        type_probabilities=found,
        reasons=(*first, *why, *verdict.reasons[len(first) :]),
    )
