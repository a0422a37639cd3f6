"""The calibrated models behind the verdict: what they weigh, and how they are stored.

Two logistic models, written by ``benchmarks/fit_verdict.py``: one for the type (is the column
ordinal?), one for the order (is the reported order exactly right?).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from autotype.inference.candidate import CandidateEvidence
from autotype.inference.evidence import order_agreement
from autotype.inference.labels.evidence import RULES
from autotype.inference.order_choice import ChosenOrder

# Below this z statistic of predictability the geometry of the levels is noise.
USEFUL_FROM = 0.0
_MANY_ROWS = 1000

# The others tell of the order, not of the type.
_DATA = ("predictability", "evidence_gain", "captured", "order_weight")
VERDICT_FEATURES: tuple[str, ...] = (
    *dict.fromkeys(rule.feature for rule in RULES.values() if rule.feature),
    "label_opaque",
    "label_strangers",
    "suggested_agrees",
    "suggested_gap",
    "column_name",
    "inverse_levels",
    "log_rows",
    *_DATA,
)


@dataclass(frozen=True)
class LogisticModel:
    """A logistic model of named features.

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

    def log_odds(self, features: Mapping[str, float]) -> float:
        """Log odds that these features speak for."""
        return self.intercept + sum(self.contributions(features).values())

    def probability(self, features: Mapping[str, float]) -> float:
        """Probability that these features speak for."""
        return as_probability(self.log_odds(features))


def as_probability(log_odds: float) -> float:
    """Turn log odds into a probability strictly between 0 and 1.

    Examples
    --------
    >>> as_probability(0.0)
    0.5
    """
    return 1.0 / (1.0 + math.exp(-max(min(log_odds, 30.0), -30.0)))


@cache
def shipped_models() -> dict[str, LogisticModel]:
    """Load the models that come with the package: ``"type"`` and ``"order"``."""
    text = files("autotype.inference").joinpath("verdict.json").read_text(encoding="utf-8")
    stored = json.loads(text)
    return {name: _from_stored(stored[name]) for name in ("type", "order")}


def _from_stored(stored: Mapping[str, Any]) -> LogisticModel:
    features = stored["features"]
    return LogisticModel(
        intercept=stored["intercept"],
        weights={f["name"]: f["weight"] for f in features},
        means={f["name"]: f["mean"] for f in features},
        scales={f["name"]: f["scale"] for f in features},
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
    group = labels.rule.feature
    if group is not None:
        features[group] = 1.0
    elif evidence.opaque:
        features["label_opaque"] = 1.0
    if group in ("label_scale", "label_measure"):
        features["label_strangers"] = len(labels.unplaced) / len(evidence.levels)
    features["column_name"] = evidence.name_says
    features["inverse_levels"] = 1.0 / len(evidence.levels)
    n_rows = sum(evidence.counts.values())
    features["log_rows"] = math.log(min(max(n_rows, 1), _MANY_ROWS))
    if data is None or data.features.predictability < USEFUL_FROM:
        return features | dict.fromkeys(_DATA, math.nan)
    if suggested is not None and not labels.rule.decides:
        agreement = order_agreement(suggested, data.order)
        features["suggested_agrees"] = agreement - _chance_agreement(len(evidence.levels))
        features["suggested_gap"] = math.log1p(max(data.gap(suggested), 0.0))
    features.update({name: getattr(data.features, name) for name in _DATA})
    features["predictability"] = math.log1p(max(data.features.predictability, 0.0))
    return features


def _chance_agreement(n_levels: int) -> float:
    """Mean |Kendall tau| of two random orders, nearly."""
    variance = 2 * (2 * n_levels + 5) / (9 * n_levels * (n_levels - 1))
    return 0.8 * math.sqrt(variance)


# What the order's model weighs.
ORDER_FEATURES: tuple[str, ...] = (
    "by_labels",
    "placed_by_data",
    "halves_agree",
    "canonical_agrees",
    "captured",
    "predictability",
    "lead",
    "rarest_level",
    "inverse_levels",
)


def order_features(evidence: CandidateEvidence, chosen: ChosenOrder) -> dict[str, float]:
    """Turn the evidence for the reported order into the numbers that the model weighs.

    Parameters
    ----------
    evidence : CandidateEvidence
        Evidence on one column.
    chosen : ChosenOrder
        The order that is reported.

    Returns
    -------
    dict
        One number for each of `ORDER_FEATURES`. What speaks for the data's order is 0 where the
        labels gave the order.
    """
    features = dict.fromkeys(ORDER_FEATURES, 0.0)
    features["inverse_levels"] = 1.0 / len(evidence.levels)
    features["placed_by_data"] = len(chosen.placed_by_data) / len(evidence.levels)
    features["by_labels"] = float(chosen.by_labels)
    data = evidence.data
    if chosen.by_labels or data is None:
        return features
    for name in ("halves_agree", "canonical_agrees", "captured"):
        features[name] = getattr(data.features, name)
    features["predictability"] = math.log1p(max(data.features.predictability, 0.0))
    best, second, *_ = data.log_weights.values()
    features["lead"] = math.log1p(best - second)
    features["rarest_level"] = math.log(min(evidence.counts[v] for v in evidence.levels))
    return features
