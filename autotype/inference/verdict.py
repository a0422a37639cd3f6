"""Labels and data to a verdict: a calibrated probability, an order, and the reasons."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from autotype.column_types import ColumnType, SemanticType
from autotype.frames import SampledColumn
from autotype.inference.candidate import CandidateEvidence
from autotype.inference.evidence import DATA_FEATURES, order_agreement
from autotype.inference.labels import WEAK_RULES
from autotype.inference.order_choice import ChosenOrder, choose_order
from autotype.inference.reasons import give_reasons
from autotype.inference.triage import Triage

# Probabilities beyond these bounds are a verdict, those between are not.
ORDINAL_FROM = 0.7
CATEGORICAL_UP_TO = 0.3
# Below this z statistic the other columns do not predict the column at all.
PREDICTABLE_FROM = 3.0
# Below this one their geometry is noise as well.
USEFUL_FROM = 0.0
_MANY_ROWS = 1000

# Rules that speak alike share a weight: some are too rare to learn one each.
RULE_GROUPS: Mapping[str, str] = {
    "scale": "label_scale",
    "composition": "label_scale",
    "calendar": "label_scale",
    "range": "label_measure",
    "number_unit": "label_measure",
    "ordinal_word": "label_measure",
    "stage_number": "label_measure",
    "numeric": "label_numeric",
    "roman": "label_enumerator",
    "enumerator": "label_enumerator",
    "prefix_number": "label_enumerator",
    "nominal": "label_nominal",
}

VERDICT_FEATURES: tuple[str, ...] = (
    *dict.fromkeys(RULE_GROUPS.values()),
    "label_opaque",
    "label_strangers",
    "off_scale_share",
    "suggested_agrees",
    "suggested_gap",
    "column_name",
    "inverse_levels",
    "log_rows",
    *DATA_FEATURES,
)


@dataclass(frozen=True)
class VerdictModel:
    """A logistic model of `VERDICT_FEATURES`, written by ``benchmarks/fit_verdict.py``.

    Attributes
    ----------
    intercept : float
        Log odds where every feature is at its mean.
    weights, means, scales : mapping
        By feature; a feature counts with weight (value - mean) / scale.
    """

    intercept: float
    weights: Mapping[str, float]
    means: Mapping[str, float]
    scales: Mapping[str, float]

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """Log odds that each feature adds; none where it is not known (NaN)."""
        return {
            name: 0.0
            if math.isnan(features[name])
            else weight * (features[name] - self.means[name]) / self.scales[name]
            for name, weight in self.weights.items()
        }

    def probability(self, features: Mapping[str, float]) -> float:
        """P(ordinal | features)."""
        log_odds = self.intercept + sum(self.contributions(features).values())
        return 1.0 / (1.0 + math.exp(-max(min(log_odds, 30.0), -30.0)))


@cache
def shipped_model() -> VerdictModel:
    """Load the model that comes with the package."""
    text = files("autotype.inference").joinpath("verdict.json").read_text(encoding="utf-8")
    stored = json.loads(text)
    return VerdictModel(
        intercept=stored["intercept"],
        weights={f["name"]: f["weight"] for f in stored["features"]},
        means={f["name"]: f["mean"] for f in stored["features"]},
        scales={f["name"]: f["scale"] for f in stored["features"]},
    )


def verdict_features(evidence: CandidateEvidence) -> dict[str, float]:
    """Turn labels and data into the numbers that the model weighs.

    Parameters
    ----------
    evidence : CandidateEvidence
        Evidence on one column.

    Returns
    -------
    dict
        One number for each of `VERDICT_FEATURES`; NaN for the data's where there are none.
    """
    labels, data, suggested = evidence.labels, evidence.data, evidence.suggested
    features = dict.fromkeys(VERDICT_FEATURES, 0.0)
    group = RULE_GROUPS.get(labels.rule)
    if group is not None:
        features[group] = 1.0
    elif evidence.opaque:
        features["label_opaque"] = 1.0
    if group in ("label_scale", "label_measure"):
        features["label_strangers"] = len(labels.strangers) / len(evidence.levels)
    features["off_scale_share"] = len(evidence.off_scale) / len(evidence.counts)
    features["column_name"] = evidence.name_says
    features["inverse_levels"] = 1.0 / len(evidence.levels)
    n_rows = sum(evidence.counts.values())
    features["log_rows"] = math.log(min(max(n_rows, 1), _MANY_ROWS))
    if data is None or data.features.predictability < USEFUL_FROM:
        return features | dict.fromkeys(DATA_FEATURES, math.nan)
    if suggested is not None and labels.rule in WEAK_RULES:
        agreement = order_agreement(suggested, data.order)
        features["suggested_agrees"] = agreement - _chance_agreement(len(evidence.levels))
        features["suggested_gap"] = math.log1p(max(data.gap(suggested), 0.0))
    features.update({name: getattr(data.features, name) for name in DATA_FEATURES})
    return features


def _chance_agreement(n_levels: int) -> float:
    """Mean |Kendall tau| of two random orders, nearly."""
    variance = 2 * (2 * n_levels + 5) / (9 * n_levels * (n_levels - 1))
    return 0.8 * math.sqrt(variance)


def decide(evidence: CandidateEvidence) -> ColumnType:
    """Give the verdict on a discrete column.

    Parameters
    ----------
    evidence : CandidateEvidence
        Labels and data.

    Returns
    -------
    ColumnType
        Ordinal, categorical, or undetermined where the labels say nothing and the other columns
        do not predict this one, or where the two leave it open.
    """
    features = verdict_features(evidence)
    model = shipped_model()
    probability = model.probability(features)
    chosen = choose_order(evidence)
    semantic_type = _semantic_type(evidence, probability, chosen)
    ordinal = semantic_type == "ordinal"
    return ColumnType(
        name=evidence.name,
        semantic_type=semantic_type,
        probability=probability,
        order=chosen.order if ordinal else None,
        best_order=chosen.order,
        direction_known=chosen.direction_known,
        levels=_counts_along(evidence, chosen),
        n_levels=len(evidence.counts),
        n_rows_used=evidence.data.n_rows if evidence.data else 0,
        off_scale=evidence.off_scale,
        alternatives=_alternatives(evidence, chosen),
        evidence=_numbers(evidence, features),
        reasons=give_reasons(evidence, chosen, semantic_type),
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
    if evidence.labels.rule not in WEAK_RULES:
        return False
    return evidence.data is None or evidence.data.features.predictability < PREDICTABLE_FROM


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
    for codes, weight in evidence.data.alternatives:
        order = tuple(evidence.levels[k] for k in codes)
        if order in (chosen.order, chosen.order[::-1]):
            continue
        concordant = sum(
            (chosen.order.index(b) - chosen.order.index(a)) * (j - i)
            for i, a in enumerate(order)
            for j, b in enumerate(order)
        )
        found.append((order if concordant >= 0 else order[::-1], weight))
    return tuple(found[:most])


def _numbers(evidence: CandidateEvidence, features: Mapping[str, float]) -> dict:
    """Collect the numbers behind the verdict, for `ColumnType.evidence`."""
    numbers: dict = {"label_rule": evidence.labels.rule, "label_detail": evidence.labels.detail}
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
