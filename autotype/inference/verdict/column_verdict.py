"""Decide on the type: a calibrated probability, an order, and the reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from autotype.inference.column import Column, places_of
from autotype.inference.labels.column_name import is_question
from autotype.inference.labels.evidence import NOMINAL, RULES
from autotype.inference.learned import as_probability, load_learned
from autotype.inference.scales.pooled import batteries_of, own_order, pooled_column
from autotype.inference.verdict.order_choice import ChosenOrder, choose_order
from autotype.inference.verdict.reasons import reason_for, with_determined, write_reasons
from autotype.inference.verdict.type_choice import (
    mixed_log_odds,
    model_speaks,
    order_of_numbers,
    shows_wording,
    split_by,
)
from autotype.inference.verdict.verdict_model import (
    DATA_FEATURES,
    SURE_WORDING,
    order_probability,
    placed_probability,
    type_features,
    wording,
)
from autotype.types.codec.evidence_keys import Evidence
from autotype.types.column_type import ORDER_FROM, ColumnType, SemanticType

_LATE = "The other columns were not examined: the time limit (max_seconds) had passed."
# Log odds from which unread labels of a codebook are names: one to two, as of other columns.
_SURE_OF_NAMES = -math.log(2.0)
# Log odds of ordinal that the measure of SPSS adds: half of what it shows of 337 labelled columns
# of 41 files, as columns of a file share it. See docs/algorithms/verdict.md.
_OF_MEASURE = {"scale": 0.3, "ordinal": 0.15, "nominal": -0.2}
# Log odds of ordinal that phrases about different matters add: 38 of 94 columns of names have them,
# and 8 of 31 scales, of those with labels of some words that no rule reads.
_OF_PHRASES = -math.log(1.6)
_MARGIN = 0.02  # of the distance between the thresholds, by which unsupported columns stay inside


def weigh_orders(columns: Sequence[Column]) -> None:
    """Weigh the evidence on the order of all discrete columns, those of a battery together.

    Parameters
    ----------
    columns : sequence of Column
        The candidates with their evidence; they receive their `features`, `log_odds` and `sure`.
    """
    for column in columns:
        column.features = type_features(column)
        column.log_odds = type_log_odds(column)
        column.sure = supported(as_probability(column.log_odds), [column])
    for _, members, voters in batteries_of(columns):
        mean = as_probability(sum(column.log_odds for column in voters) / len(voters))
        for column in members:
            column.sure = supported(mean, voters)


def decide_all(columns: Sequence[Column]) -> list[ColumnType]:
    """Decide on the order of all discrete columns, those of a battery together.

    A battery has the mean of its columns' log odds, and one order.

    Parameters
    ----------
    columns : sequence of Column
        The candidates with their evidence and `type_probabilities`, of which they receive those of
        ordinal and categorical.

    Returns
    -------
    list of ColumnType
        In the same order.
    """
    log_odds = {column: mixed_log_odds(column) for column in columns}
    probabilities = {c: reported(as_probability(odds), [c]) for c, odds in log_odds.items()}
    pooled: dict[Column, ChosenOrder] = {}
    for scale, battery, voting in batteries_of(columns):
        members, voters = _agreeing(battery, voting, log_odds)
        mean = as_probability(sum(log_odds[column] for column in voters) / len(voters))
        shared, whole = reported(mean, voters), pooled_column(scale, voters)
        chosen, types = choose_order(whole), _mean_types(voters)
        if chosen.source == "data":
            chosen = replace(chosen, source="battery")
        scale.verdict = decide(whole, shared, chosen)
        scale.type_probabilities = split_by(types, shared)
        for column in members:
            probabilities[column], column.type_probabilities = shared, types
            pooled[column] = _in_levels_of(column, chosen)
    for column in columns:
        column.type_probabilities = split_by(column.type_probabilities, probabilities[column])
    return [decide(c, probabilities[c], pooled.get(c)) for c in columns]


def _agreeing(
    battery: Sequence[Column], voters: Sequence[Column], log_odds: Mapping[Column, float]
) -> tuple[list[Column], list[Column]]:
    """Return the columns of a battery, and the voters, that do not clearly deny its order.

    Those that do are categorical by their own evidence, and their data, where the others are
    ordinal; they share nothing.
    """
    constants, denying = load_learned(), set()
    for column in battery:
        others = [log_odds[other] for other in voters if other is not column]
        is_ordinal = as_probability(sum(others) / len(others)) >= constants.ordinal_threshold
        own = as_probability(log_odds[column])
        if is_ordinal and own <= constants.categorical_threshold and data_deny_order(column):
            denying.add(column)
    kept = [column for column in voters if column not in denying]
    if len(kept) < 2:
        return list(battery), list(voters)
    for column in denying:
        if column.shared is not None:
            column.shared.columns = tuple(c for c in column.shared.columns if c is not column)
            column.shared = None
    return [column for column in battery if column.shared is not None], kept


def _in_levels_of(column: Column, chosen: ChosenOrder) -> ChosenOrder:
    """Return the order of a battery in the levels of one of its columns."""
    held = set(column.known_levels)
    weights = chosen.place_weights or (0.0,) * len(chosen.unplaced)
    pairs = zip(chosen.unplaced, weights, strict=True)
    open_ = [(own, w) for level, w in pairs for own in own_order(column, (level,)) or ()]
    open_ = [(level, weight) for level, weight in open_ if level in held]
    return replace(
        chosen,
        order=own_order(column, chosen.order),
        placed=tuple(level for level in own_order(column, chosen.placed) or () if level in held),
        unplaced=tuple(level for level, _ in open_),
        place_weights=tuple(w for _, w in open_) if chosen.place_weights else (),
        ties=tuple(own_order(column, tie) or () for tie in chosen.ties),
    )


def _mean_types(members: Sequence[Column]) -> dict[str, float]:
    """Return the mean of the probabilities of types of the columns that have some."""
    found = [column.type_probabilities for column in members if column.type_probabilities]
    return {kind: sum(p[kind] for p in found) / len(found) for kind in found[0]} if found else {}


def reported(probability: float, columns: Sequence[Column]) -> float:
    """Return the probability of ordinal that is reported: as it is where the type model is sure."""
    if any(map(model_speaks, columns)):
        return probability
    return supported(probability, columns)


def type_log_odds(column: Column) -> float:
    """Compute the log odds that one column is ordinal, by its own evidence."""
    log_odds = load_learned().type_model.log_odds(column.features)
    if column.reading is not None and column.texts and column.entry is not None:
        log_odds += _OF_MEASURE.get(column.entry.measure, 0.0)
    if column.used_labels.apart:
        log_odds += _OF_PHRASES
    return log_odds + (column.judged.log_odds if column.judged else 0.0)


def decide(column: Column, probability: float, pooled: ChosenOrder | None = None) -> ColumnType:
    """Decide on one discrete column.

    Parameters
    ----------
    column : Column
        A candidate with its evidence and the features of the type model.
    probability : float
        Probability that it is ordinal, see `supported`.
    pooled : ChosenOrder, optional
        The order that the columns of its battery share.

    Returns
    -------
    ColumnType
        Ordinal, categorical, or undetermined: where neither labels, judge nor other columns give
        evidence, or where the probability is between the thresholds.
    """
    chosen = choose_order(column, pooled)
    semantic_type = _semantic_type(probability, chosen)
    sure = order_probability(column, chosen)
    is_known = semantic_type == "ordinal" and sure >= ORDER_FROM
    reasons = write_reasons(column, chosen, undetermined=semantic_type == "undetermined")
    along = (*(chosen.order or column.scale), *column.off_scale)
    return ColumnType(
        name=column.name,
        semantic_type=semantic_type,
        probability=probability,
        order=chosen.order if is_known else None,
        partial_order=None
        if is_known or semantic_type != "ordinal"
        else _known_pairs(column, chosen),
        best_order=chosen.order,
        order_probability=sure,
        direction_known=chosen.direction_known,
        levels={level: column.known_levels.get(level, 0) for level in along},
        n_levels=len(column.known_levels),
        n_rows_used=column.data.n_rows if column.data else 0,
        off_scale=column.off_scale,
        ties=chosen.ties,
        alternatives=_alternatives(column, chosen),
        evidence=_numbers(column, chosen),
        reasons=(*reasons, _LATE) if column.is_late else reasons,
    )


def _known_pairs(column: Column, chosen: ChosenOrder) -> tuple[tuple, ...]:
    """Return the pairs of levels that the labels place, of an order that is not known."""
    if len(chosen.placed) < 2 or placed_probability(column, chosen) < ORDER_FROM:
        return ()
    return tuple(combinations(chosen.placed, 2))


def type_from_rules(column: Column, chosen: SemanticType | None = None) -> ColumnType:
    """Return the type of a column on whose order there is no verdict.

    Parameters
    ----------
    column : Column
    chosen : str, optional
        Its type, if the model of types weighed it; by default that of the rules.
    """
    if chosen is not None and chosen != column.semantic_type:
        column.semantic_type, column.reason = chosen, reason_for(column, chosen)
        column.time_order = None
    elif column.semantic_type == "identifier":
        column.reason = with_determined(column.reason, column)
    order = None
    if column.semantic_type == "ordinal":  # numbers, whose order is theirs
        column.time_order = order = order_of_numbers(column)
    return ColumnType(
        name=column.name,
        semantic_type=column.semantic_type or "undetermined",
        order=order,
        order_probability=order_probability(column, ChosenOrder(order, True, "labels")),
        best_order=column.time_order,
        direction_known=column.time_order is not None,
        levels={v: column.known_levels[v] for v in order or column.levels or ()},
        n_levels=column.n_distinct,
        n_rows_used=column.n_present,
        reasons=(column.reason,),
    )


def _semantic_type(probability: float, chosen: ChosenOrder) -> SemanticType:
    thresholds = load_learned()
    if probability >= thresholds.ordinal_threshold and chosen.order is not None:
        return "ordinal"
    categorical = probability <= thresholds.categorical_threshold
    return "categorical" if categorical else "undetermined"


def supported(probability: float, columns: Sequence[Column]) -> float:
    """Return a probability, between the thresholds if nothing supports a verdict.

    A verdict needs evidence for it. Labels that are not understood are none: without names that
    are recognised, labels or a column's name worded like names, a judge or other columns that deny
    the order, a column is not categorical, only unread. The names of a battery's columns are no
    such evidence: "item 1" and "item 2" name no things.

    Parameters
    ----------
    probability : float
        Probability that a column, or a battery of columns, is ordinal.
    columns : sequence of Column
        The column, or each column of the battery, with its evidence and features.

    Returns
    -------
    float
    """
    constants = load_learned()
    low, high = constants.categorical_threshold, constants.ordinal_threshold
    inside = _MARGIN * (high - low)
    is_alone = len(columns) == 1
    if all(has_no_evidence(column, is_alone=is_alone) for column in columns):
        return min(max(probability, low + inside), high - inside)
    if probability <= low and not any(denies_order(c, is_alone=is_alone) for c in columns):
        return low + inside
    return probability


def has_no_evidence(column: Column, *, is_alone: bool) -> bool:
    """Return whether neither labels, judge nor the other columns give evidence."""
    if column.used_labels.rule.decides or column.judged is not None or _are_unread_names(column):
        return False
    is_predictable = column.data is not None and column.data.predictable
    if is_predictable or column.used_labels.apart or _names(column):
        return False
    is_named = (is_alone and _wording_denies(column)) or _wording_grades(column)
    return not (shows_wording(column) or is_named)


def _names(column: Column) -> bool:
    """Check for the answers to a question that asks for a name: "Which party did you vote for?"."""
    return column.name_score == -1.0 and is_question(column.title)


def _are_unread_names(column: Column) -> bool:
    """Check for labels of a codebook that no rule reads, where the model is sure of names.

    A codebook has words where other columns have codes, so that they are read in nearly all scales.
    Letters in place of words are those of answers.
    """
    rule = column.used_labels.rule
    is_coded = rule == RULES["coded"] or (rule == RULES["enumerator"] and bool(column.texts))
    return is_coded and type_log_odds(column) <= _SURE_OF_NAMES


def denies_order(column: Column, *, is_alone: bool) -> bool:
    """Return whether names, their wording, a judge or the other columns deny an order.

    The other columns deny it if the features that they give, taken together, lower the log odds.
    """
    if column.used_labels.rule == NOMINAL or _are_unread_names(column) or _names(column):
        return True
    if column.judged and column.judged.log_odds < 0:
        return True
    # What is read as a scale but for a level is not worded like names.
    is_read = column.used_labels.rule.reads_scales
    if column.text_score <= -load_learned().min_text_score and not is_read:
        return True
    if column.used_labels.apart or data_deny_order(column):
        return True
    return is_alone and _wording_denies(column)


def _wording_denies(column: Column) -> bool:
    """Check for a name and labels worded like those of names, two to one."""
    return wording(column) <= -SURE_WORDING


def _wording_grades(column: Column) -> bool:
    """Check for a name and labels worded like those of scales, beside an order of the labels.

    Codes may count anything, and a name alone orders nothing. Letters are in their order where the
    name speaks of degrees alone.
    """
    labels = column.used_labels
    is_coded = labels.rule.feature == "label_enumerator" and column.name_score < 1.0
    return labels.order is not None and not is_coded and wording(column) >= SURE_WORDING


def data_deny_order(column: Column) -> bool:
    """Return whether the features of the other columns, taken together, lower the log odds."""
    if column.data is None or not column.data.predictable:
        return False
    contributions = load_learned().type_model.contributions(column.features)
    return sum(contributions[name] for name in DATA_FEATURES) < 0


def _alternatives(
    column: Column, chosen: ChosenOrder, most: int = 3
) -> tuple[tuple[tuple, float], ...]:
    """List the data's next best orders, in levels, in the direction of the chosen one."""
    if column.data is None or chosen.order is None:
        return ()
    alternatives: list[tuple[tuple, float]] = []
    places = places_of(chosen.order)
    for codes, log_weight in column.data.log_weights.items():
        if len(alternatives) == most:
            break
        order = tuple(column.scale[k] for k in codes)
        along = [places[level] for level in order]
        if sorted(along) in (along, along[::-1]):
            continue
        # Their covariance with 0 .. L - 1, times L^2.
        n_levels, rising = len(along), sum(k * place for k, place in enumerate(along))
        concordant = n_levels * rising - sum(along) * (n_levels * (n_levels - 1) // 2)
        alternatives.append((order if concordant >= 0 else order[::-1], math.exp(log_weight)))
    return tuple(alternatives)


def _numbers(column: Column, chosen: ChosenOrder) -> Evidence:
    """Collect the numbers behind the verdict, for `ColumnType.evidence`."""
    labels, data = column.used_labels, column.data
    numbers: Evidence = {"label_rule": labels.rule.name, "label_detail": labels.detail}
    if chosen.source is not None:
        numbers["order_source"] = chosen.source
    if column.judged is not None:
        numbers["judge_probability"] = column.judged.probability
    if data is not None:
        numbers |= data.numbers
        numbers["data_order"] = [column.scale[k] for k in data.order]
    return numbers | {
        name: value for name, value in column.features.items() if value and not math.isnan(value)
    }
