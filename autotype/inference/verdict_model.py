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
    """Load the models that come with the package: the type's, the order's and the data's."""
    text = files("autotype.inference").joinpath("verdict.json").read_text(encoding="utf-8")
    stored = json.loads(text)
    return {name: _from_stored(stored[name]) for name in ("type", "order", "order_in_data")}


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
    features["by_labels"] = float(chosen.source == "labels")
    data = evidence.data
    if chosen.source == "labels" or data is None:
        return features
    for name in ("halves_agree", "canonical_agrees", "captured"):
        features[name] = getattr(data.features, name)
    features["predictability"] = math.log1p(max(data.features.predictability, 0.0))
    best, second, *_ = data.log_weights.values()
    features["lead"] = math.log1p(best - second)
    features["rarest_level"] = math.log(min(evidence.counts[v] for v in evidence.levels))
    return features


# What decides whether the data carry an order at all.
ORDER_IN_DATA_FEATURES: tuple[str, ...] = ("log_gain", "log_orders")


def order_in_data_features(ordinal_gain: float, n_levels: int) -> dict[str, float]:
    """Compute what shows whether the other columns carry an order.

    Parameters
    ----------
    ordinal_gain : float
        Leave-one-out gain of the ordinal model over the level shares, in nats over all rows.
    n_levels : int
        L: the best of L!/2 orders gains by chance.

    Returns
    -------
    dict
        One number for each of `ORDER_IN_DATA_FEATURES`.
    """
    return {
        "log_gain": math.log1p(max(ordinal_gain, 0.0)),
        "log_orders": math.lgamma(n_levels + 1) - math.log(2.0),
    }


def order_probability(evidence: CandidateEvidence, chosen: ChosenOrder) -> float:
    """Compute the probability that the reported order is exactly right, up to reversal.

    Parameters
    ----------
    evidence : CandidateEvidence
        Evidence on one column.
    chosen : ChosenOrder
        The order that is reported.

    Returns
    -------
    float
        NaN where there is no order.

    Notes
    -----
    Labels: the order model alone. Data: with s the probability that they carry an order at all and
    m that of the order model, p = s m + (1 - s) 2/L!, as any of the L!/2 orders is equally probable
    where they do not. Judge: the judge's capped P(ordinal) is the prior of the judge's order, the
    other orders share the rest, and the data, if any, add their weight of each order,
    s w + (1 - s) 2/L!, by Bayes' rule.
    """
    if chosen.order is None:
        return math.nan
    n_levels = len(chosen.order)
    chance = min(2.0 / math.factorial(n_levels), 1.0)
    if chosen.source == "judge":
        return _judged_order_probability(evidence, chosen.order, chance)
    modelled = shipped_models()["order"].probability(order_features(evidence, chosen))
    if chosen.source == "labels":
        return modelled
    carried = _order_in_data(chosen.ordinal_gain, n_levels)
    return carried * modelled + (1.0 - carried) * chance


def _order_in_data(ordinal_gain: float, n_levels: int) -> float:
    """Probability that the other columns carry an order at all."""
    features = order_in_data_features(ordinal_gain, n_levels)
    return shipped_models()["order_in_data"].probability(features)


def _judged_order_probability(evidence: CandidateEvidence, order: tuple, chance: float) -> float:
    """Combine the judge's confidence with the data's weight of the judge's order."""
    stated = as_probability(evidence.judged.log_odds) if evidence.judged else 0.5
    prior = stated + (1.0 - stated) * chance
    codes, data = evidence.in_codes(order), evidence.data
    if data is None or codes is None or len(order) < 3:
        return prior
    carried = _order_in_data(data.ordinal_gain, len(order))
    weight = carried * math.exp(data.log_weight(codes)) + (1.0 - carried) * chance
    # prior * P(data | order): the other orders share the rest of both evenly.
    others = (1.0 - prior) * (1.0 - weight) * chance / (1.0 - chance)
    return prior * weight / (prior * weight + others)
