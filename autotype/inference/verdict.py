"""Labels and data to a verdict: a calibrated probability, an order, and the reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping

from autotype.column_type import (
    CATEGORICAL_UP_TO,
    ORDINAL_FROM,
    ColumnType,
    SemanticType,
)
from autotype.inference.batteries import find_blocks, pooled_order
from autotype.inference.candidate import CandidateEvidence
from autotype.inference.order_choice import BatteryOrder, ChosenOrder, choose_order
from autotype.inference.reasons import give_reasons
from autotype.inference.sample import SampledColumn
from autotype.inference.triage import Triage
from autotype.inference.verdict_model import (
    as_probability,
    order_probability,
    shipped_models,
    verdict_features,
)


def decide_all(evidence: Mapping[int, CandidateEvidence]) -> dict[int, ColumnType]:
    """Give the verdicts on all discrete columns, blocks of columns together.

    Parameters
    ----------
    evidence : mapping
        Position -> evidence of each candidate.

    Returns
    -------
    dict
        Position -> type.
    """
    log_odds = {position: type_log_odds(candidate) for position, candidate in evidence.items()}
    pooled: dict[int, BatteryOrder | None] = {}
    for block in find_blocks(evidence):
        mean = sum(log_odds[position] for position in block) / len(block)
        order = pooled_order([evidence[position] for position in block])
        log_odds |= dict.fromkeys(block, mean)
        pooled |= dict.fromkeys(block, order)
    return {
        position: decide(candidate, log_odds[position], pooled.get(position))
        for position, candidate in evidence.items()
    }


def type_log_odds(evidence: CandidateEvidence) -> float:
    """Log odds that one column is ordinal, by its own evidence."""
    log_odds = shipped_models()["type"].log_odds(verdict_features(evidence))
    return log_odds + (evidence.judged.log_odds if evidence.judged else 0.0)


def decide(
    evidence: CandidateEvidence, log_odds: float, pooled: BatteryOrder | None = None
) -> ColumnType:
    """Give the verdict on a discrete column.

    Parameters
    ----------
    evidence : CandidateEvidence
        Labels and data.
    log_odds : float
        Log odds that it is ordinal.
    pooled : BatteryOrder, optional
        The order that the columns of its battery share.

    Returns
    -------
    ColumnType
        Ordinal, categorical, or undetermined where the labels say nothing and the other columns
        do not predict this one, or where the two leave it open.
    """
    probability = as_probability(log_odds)
    chosen = choose_order(evidence, pooled)
    semantic_type = _semantic_type(evidence, probability, chosen)
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
        evidence=_numbers(evidence, chosen),
        reasons=give_reasons(evidence, chosen),
    )


def settle(column: SampledColumn, triage: Triage) -> ColumnType:
    """Make the type of a column that triage settled."""
    return ColumnType(
        name=column.name,
        semantic_type=triage.semantic_type or "undetermined",
        levels=dict(column.levels or {}),
        n_levels=column.n_distinct,
        n_rows_used=column.n_rows - column.n_missing,
        reasons=(triage.reason,),
    )


def _semantic_type(
    evidence: CandidateEvidence, probability: float, chosen: ChosenOrder
) -> SemanticType:
    if nothing_speaks(evidence):
        return "undetermined"
    if probability >= ORDINAL_FROM and chosen.order is not None:
        return "ordinal"
    return "categorical" if probability <= CATEGORICAL_UP_TO else "undetermined"


def nothing_speaks(evidence: CandidateEvidence) -> bool:
    """Whether the labels are silent and the other columns do not predict this one."""
    if evidence.labels.rule.decides or evidence.judged is not None:
        return False
    return evidence.data is None or not evidence.data.predictable


def _counts_along(evidence: CandidateEvidence, chosen: ChosenOrder) -> dict:
    order = [*(chosen.order or evidence.levels), *evidence.off_scale]
    return {level: evidence.counts[level] for level in order}


def _alternatives(
    evidence: CandidateEvidence, chosen: ChosenOrder, most: int = 3
) -> tuple[tuple[tuple, float], ...]:
    """List the data's next best orders, in levels, turned the way of the chosen one."""
    if evidence.data is None or chosen.order is None:
        return ()
    found = []
    for codes, log_weight in evidence.data.log_weights.items():
        order = tuple(evidence.levels[k] for k in codes)
        if order in (chosen.order, chosen.order[::-1]):
            continue
        concordant = sum(
            (chosen.order.index(b) - chosen.order.index(a)) * (j - i)
            for i, a in enumerate(order)
            for j, b in enumerate(order)
        )
        found.append((order if concordant >= 0 else order[::-1], math.exp(log_weight)))
    return tuple(found[:most])


def _numbers(evidence: CandidateEvidence, chosen: ChosenOrder) -> dict:
    """Collect the numbers behind the verdict, for `ColumnType.evidence`."""
    numbers: dict = {
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
        name: value
        for name, value in verdict_features(evidence).items()
        if value and not math.isnan(value)
    }
