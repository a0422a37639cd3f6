"""Decide on the type: a calibrated probability, an order, and the reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from autotype.inference.evidence.column_evidence import ColumnEvidence, places_of
from autotype.inference.labels.evidence import NOMINAL
from autotype.inference.learned import as_probability, load_learned
from autotype.inference.profile.triage import Triage
from autotype.inference.sampling.sampled_column import SampledColumn
from autotype.inference.verdict.order_choice import (
    BatteryOrder,
    ChosenOrder,
    choose_order,
    find_batteries,
    pooled_order,
)
from autotype.inference.verdict.reasons import write_reasons
from autotype.inference.verdict.verdict_model import DATA_FEATURES, order_probability, type_features
from autotype.types.column_type import ColumnType, Evidence, SemanticType

_MARGIN = 0.02  # of the distance between the thresholds, by which unsupported columns stay inside


def decide_all(evidence: Sequence[ColumnEvidence]) -> list[ColumnType]:
    """Decide on all discrete columns, those of a battery together.

    A battery has the mean of its columns' log odds, and one order.

    Parameters
    ----------
    evidence : sequence of ColumnEvidence
        One a candidate.

    Returns
    -------
    list of ColumnType
        In the same order.
    """
    features = [type_features(candidate) for candidate in evidence]
    log_odds = [type_log_odds(*pair) for pair in zip(evidence, features, strict=True)]
    pairs = list(zip(evidence, features, strict=True))
    probabilities = [
        supported(as_probability(z), [pair]) for z, pair in zip(log_odds, pairs, strict=True)
    ]
    pooled: dict[int, BatteryOrder | None] = {}
    for battery in find_batteries(evidence):
        mean = as_probability(sum(log_odds[k] for k in battery) / len(battery))
        shared = supported(mean, [pairs[k] for k in battery])
        order = pooled_order([evidence[k] for k in battery])
        for k in battery:
            probabilities[k], pooled[k] = shared, order
    return [
        decide(candidate, features[k], probabilities[k], pooled.get(k))
        for k, candidate in enumerate(evidence)
    ]


def type_log_odds(evidence: ColumnEvidence, features: Mapping[str, float]) -> float:
    """Compute the log odds that one column is ordinal, by its own evidence."""
    log_odds = load_learned().type_model.log_odds(features)
    return log_odds + (evidence.judged.log_odds if evidence.judged else 0.0)


def decide(
    evidence: ColumnEvidence,
    features: Mapping[str, float],
    probability: float,
    pooled: BatteryOrder | None = None,
) -> ColumnType:
    """Decide on one discrete column.

    Parameters
    ----------
    evidence : ColumnEvidence
        Evidence on the column.
    features : mapping
        Features of the type model.
    probability : float
        Probability that it is ordinal, see `supported`.
    pooled : BatteryOrder, optional
        The order that the columns of its battery share.

    Returns
    -------
    ColumnType
        Ordinal, categorical, or undetermined: where neither labels, judge nor other columns give
        evidence, or where the probability is between the thresholds.
    """
    chosen = choose_order(evidence, pooled)
    semantic_type = _semantic_type(probability, chosen)
    ordinal = semantic_type == "ordinal"
    return ColumnType(
        name=evidence.name,
        semantic_type=semantic_type,
        probability=probability,
        order=chosen.order if ordinal else None,
        best_order=chosen.order,
        order_probability=order_probability(evidence, chosen),
        direction_known=chosen.direction_known,
        levels=_counts_along(evidence, chosen),
        n_levels=len(evidence.counts),
        n_rows_used=evidence.data.n_rows if evidence.data else 0,
        off_scale=evidence.off_scale,
        ties=chosen.ties,
        alternatives=_alternatives(evidence, chosen),
        evidence=_numbers(evidence, chosen, features),
        reasons=write_reasons(evidence, chosen, undetermined=semantic_type == "undetermined"),
    )


def type_from_triage(column: SampledColumn, triage: Triage) -> ColumnType:
    """Return the type of a column that triage typed."""
    return ColumnType(
        name=column.name,
        semantic_type=triage.semantic_type or "undetermined",
        order=triage.order,
        best_order=triage.order,
        direction_known=triage.order is not None,
        levels=dict(column.levels or {}),
        n_levels=column.n_distinct,
        n_rows_used=column.n_rows - column.n_missing,
        reasons=(triage.reason,),
    )


def _semantic_type(probability: float, chosen: ChosenOrder) -> SemanticType:
    thresholds = load_learned().constants
    if probability >= thresholds.ordinal_threshold and chosen.order is not None:
        return "ordinal"
    categorical = probability <= thresholds.categorical_threshold
    return "categorical" if categorical else "undetermined"


def supported(
    probability: float, columns: Sequence[tuple[ColumnEvidence, Mapping[str, float]]]
) -> float:
    """Return a probability, between the thresholds if nothing supports a verdict.

    A verdict needs evidence for it. Labels that are not understood are none: without names that
    are recognised, wording like that of names, a judge or other columns that deny the order, a
    column is not categorical, only unread.

    Parameters
    ----------
    probability : float
        Probability that a column, or a battery of columns, is ordinal.
    columns : sequence of (ColumnEvidence, mapping)
        Evidence and type features of the column, or of each column of the battery.

    Returns
    -------
    float
    """
    constants = load_learned().constants
    low, high = constants.categorical_threshold, constants.ordinal_threshold
    inside = _MARGIN * (high - low)
    if all(has_no_evidence(evidence) for evidence, _ in columns):
        return min(max(probability, low + inside), high - inside)
    if probability <= low and not any(denies_order(*column) for column in columns):
        return low + inside
    return probability


def has_no_evidence(evidence: ColumnEvidence) -> bool:
    """Return whether neither labels, judge nor the other columns give evidence."""
    if evidence.labels.rule.decides or evidence.judged is not None:
        return False
    if evidence.data is not None and evidence.data.predictable:
        return False
    score = evidence.text_score
    return math.isnan(score) or abs(score) < load_learned().constants.min_text_score


def denies_order(evidence: ColumnEvidence, features: Mapping[str, float]) -> bool:
    """Return whether names, their wording, a judge or the other columns deny an order.

    The other columns deny it if the features that they give, taken together, lower the log odds.
    """
    if evidence.labels.rule == NOMINAL or (evidence.judged and evidence.judged.log_odds < 0):
        return True
    if evidence.text_score <= -load_learned().constants.min_text_score:
        return True
    if evidence.data is None or not evidence.data.predictable:
        return False
    contributions = load_learned().type_model.contributions(features)
    return sum(contributions[name] for name in DATA_FEATURES) < 0


def _counts_along(evidence: ColumnEvidence, chosen: ChosenOrder) -> dict:
    order = [*(chosen.order or evidence.levels), *evidence.off_scale]
    return {level: evidence.counts[level] for level in order}


def _alternatives(
    evidence: ColumnEvidence, chosen: ChosenOrder, most: int = 3
) -> tuple[tuple[tuple, float], ...]:
    """List the data's next best orders, in levels, in the direction of the chosen one."""
    if evidence.data is None or chosen.order is None:
        return ()
    alternatives: list[tuple[tuple, float]] = []
    places = places_of(chosen.order)
    for codes, log_weight in evidence.data.log_weights.items():
        if len(alternatives) == most:
            break
        order = tuple(evidence.levels[k] for k in codes)
        along = [places[level] for level in order]
        if sorted(along) in (along, along[::-1]):
            continue
        # Their covariance with 0 .. L - 1, times L^2.
        n_levels, rising = len(along), sum(k * place for k, place in enumerate(along))
        concordant = n_levels * rising - sum(along) * (n_levels * (n_levels - 1) // 2)
        alternatives.append((order if concordant >= 0 else order[::-1], math.exp(log_weight)))
    return tuple(alternatives)


def _numbers(
    evidence: ColumnEvidence, chosen: ChosenOrder, features: Mapping[str, float]
) -> Evidence:
    """Collect the numbers behind the verdict, for `ColumnType.evidence`."""
    numbers: Any = {
        "label_rule": evidence.labels.rule.name,
        "label_detail": evidence.labels.detail,
    }
    if chosen.source is not None:
        numbers["order_source"] = chosen.source
    if evidence.judged is not None:
        numbers["judge_probability"] = evidence.judged.probability
    if (data := evidence.data) is not None:
        numbers |= {
            "loo_ordinal": data.loo_ordinal,
            "loo_multiclass": data.loo_multiclass,
            "loo_baseline": data.loo_baseline,
            "log_evidence_ordinal": data.log_evidence_ordinal,
            "log_evidence_multiclass": data.log_evidence_multiclass,
            "n_predictors": data.n_predictors,
            "data_order": [evidence.levels[k] for k in data.order],
            "thresholds": list(data.latent.thresholds),
            "level_means": list(data.latent.means),
            "level_sds": list(data.latent.deviations),
            "top_predictors": [list(pair) for pair in data.top_predictors],
        }
    return numbers | {
        name: value for name, value in features.items() if value and not math.isnan(value)
    }
