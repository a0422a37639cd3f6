"""Load what inference has learned, models and constants, from `learned.json`.

The file says for each part which command writes it, and on which data sets it was fitted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from autotype.inference.labels.unread import GAP_FEATURES
from autotype.types.codec.evidence_keys import FEATURES

TYPE_FEATURES: tuple[str, ...] = tuple(FEATURES)
ORDER_FEATURES: tuple[str, ...] = ("by_labels", "canonical_agrees", "lead")
PLACING_FEATURES: tuple[str, ...] = ("place_log_odds", "monotone_share")
# The features of each stored model, in the order of its weights.
MODEL_FEATURES: dict[str, tuple[str, ...]] = {
    "type": TYPE_FEATURES,
    "order": ORDER_FEATURES,
    "placing": PLACING_FEATURES,
    "gap": GAP_FEATURES,
}


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
        """Return the log odds that each feature adds; 0 where it is unknown (NaN)."""
        return {
            name: 0.0
            if math.isnan(features[name])
            else weight * (features[name] - self.means[name]) / self.scales[name]
            for name, weight in self.weights.items()
        }

    def log_odds(self, features: Mapping[str, float]) -> float:
        """Return the log odds, given the features."""
        return self.intercept + sum(self.contributions(features).values())

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability, given the features."""
        return as_probability(self.log_odds(features))


def as_probability(log_odds: float) -> float:
    """Convert log odds to a probability strictly between 0 and 1.

    Examples
    --------
    >>> as_probability(0.0)
    0.5
    """
    return 1.0 / (1.0 + math.exp(-max(min(log_odds, 30.0), -30.0)))


@dataclass(frozen=True)
class Learned:
    """The learned part of inference: models, where they come from, and constants.

    Attributes
    ----------
    type_model : LogisticModel
        Is the column ordinal?
    order_model : LogisticModel
        Is the reported order exactly right?
    placing_model : LogisticModel
        Is a level that the labels do not place inserted in its place by the other columns?
    gap_model : LogisticModel
        Where among the others is the one level that the labels do not place? Its log odds are
        compared between the places.
    fitted : mapping
        Provenance: package version, date, command, penalty, number of columns, data sets.
    order_fit_weight, order_line_weight : float
        Weights of the fit and of Robinson's loss in the log weight of an order.
    min_pair_probability : float
        Neighbours along an order are tied below this probability that one is the lower.
    min_placement_gain : float
        A level whose best place changes the order's log weight by less is off the scale.
    min_predictability_z : float
        A column is predictable from this z statistic.
    max_predictor_p : float
        P-value up to which the strongest predictor of a column shows anything.
    judge_max_log_odds : float
        Cap on a label judge's contribution to the log odds.
    chance_agreement : float
        Mean |tau| of two random orders, in standard deviations of tau.
    min_text_score : float
        Score of the level strings, in log odds either way, from which it is evidence.
    ordinal_threshold, categorical_threshold : float
        P(ordinal) from which, and up to which, a verdict is given.
    """

    type_model: LogisticModel
    order_model: LogisticModel
    placing_model: LogisticModel
    gap_model: LogisticModel
    fitted: Mapping[str, Any]
    order_fit_weight: float
    order_line_weight: float
    min_pair_probability: float
    min_placement_gain: float
    min_predictability_z: float
    max_predictor_p: float
    judge_max_log_odds: float
    chance_agreement: float
    min_text_score: float
    ordinal_threshold: float
    categorical_threshold: float


@cache
def load_learned() -> Learned:
    """Load what comes with the package."""
    text = files("autotype.inference").joinpath("learned.json").read_text(encoding="utf-8")
    return read_learned(json.loads(text))


def read_learned(stored: Mapping[str, Any]) -> Learned:
    """Convert the content of `learned.json`; its models have the features of `MODEL_FEATURES`."""
    read: dict[str, Any] = {
        f"{name}_model": _read_model(model) for name, model in stored["models"].items()
    }
    read |= {name: own["value"] for name, own in stored["constants"].items()}
    return Learned(**read, fitted=stored["fitted"])


def _read_model(stored: Mapping[str, Any]) -> LogisticModel:
    numbers = (
        {feature["name"]: feature[key] for feature in stored["features"]}
        for key in ("weight", "mean", "scale")
    )
    return LogisticModel(stored["intercept"], *numbers)
