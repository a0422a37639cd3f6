"""Load what inference has learned, models and constants, from `learned.json`, and check it.

The file says for each part which command writes it, and on which data sets it was fitted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from autotype.types.evidence_keys import FEATURES

FORMAT = 2

TYPE_FEATURES: tuple[str, ...] = tuple(FEATURES)
ORDER_FEATURES: tuple[str, ...] = (
    "by_labels",
    "halves_agree",
    "canonical_agrees",
    "captured",
    "predictability",
    "lead",
    "rarest_level",
    "inverse_levels",
)
PLACING_FEATURES: tuple[str, ...] = (
    "place_log_odds",
    "log_places",
    "predictability",
    "monotone_share",
)
# The features of each stored model, in the order of its weights.
MODEL_FEATURES: dict[str, tuple[str, ...]] = {
    "type": TYPE_FEATURES,
    "order": ORDER_FEATURES,
    "placing": PLACING_FEATURES,
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
class Constants:
    """Constants of inference that were fitted or measured.

    Attributes
    ----------
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


@dataclass(frozen=True)
class Learned:
    """The learned part of inference.

    Attributes
    ----------
    type_model : LogisticModel
        Is the column ordinal?
    order_model : LogisticModel
        Is the reported order exactly right?
    placing_model : LogisticModel
        Is a level that the labels do not place inserted in its place by the other columns?
    constants : Constants
        Weights and thresholds.
    fitted : mapping
        Provenance: package version, date, command, penalty, number of columns, data sets.
    """

    type_model: LogisticModel
    order_model: LogisticModel
    placing_model: LogisticModel
    constants: Constants
    fitted: Mapping[str, Any]


@cache
def load_learned() -> Learned:
    """Load and check what comes with the package."""
    text = files("autotype.inference").joinpath("learned.json").read_text(encoding="utf-8")
    return read_learned(json.loads(text))


def read_learned(stored: Mapping[str, Any]) -> Learned:
    """Check stored models and constants, and convert them.

    Parameters
    ----------
    stored : mapping
        The content of `learned.json`.

    Returns
    -------
    Learned

    Raises
    ------
    ValueError
        If the format is not 2, if a part, a feature or a constant is missing, unknown or out of
        order, or if a number is not finite.
    """
    if stored.get("format") != FORMAT:
        raise _refusal(f"its format is {stored.get('format')!r}, expected {FORMAT}")
    for part in ("fitted", "models", "constants"):
        if not isinstance(stored.get(part), Mapping):
            raise _refusal(f"it holds no {part!r}")
    _check_names("models", list(stored["models"]), list(MODEL_FEATURES))
    models = {f"{name}_model": _read_model(name, stored["models"][name]) for name in MODEL_FEATURES}
    constants = stored["constants"]
    _check_names("constants", list(constants), [field.name for field in fields(Constants)])
    values = {name: _number(f"constant {name!r}", constants[name]) for name in constants}
    return Learned(**models, constants=Constants(**values), fitted=stored["fitted"])


def _read_model(name: str, stored: Mapping[str, Any]) -> LogisticModel:
    features = stored["features"]
    names = [feature["name"] for feature in features]
    _check_names(f"the features of model {name!r}", names, list(MODEL_FEATURES[name]))
    numbers = {
        key: {f["name"]: _number(f"{key} of {f['name']!r}", f, key) for f in features}
        for key in ("weight", "mean", "scale")
    }
    if zero := [feature for feature, scale in numbers["scale"].items() if scale <= 0]:
        raise _refusal(f"the scale of {zero[0]!r} is not positive")
    intercept = _number(f"intercept of model {name!r}", stored, "intercept")
    return LogisticModel(intercept, numbers["weight"], numbers["mean"], numbers["scale"])


def _check_names(what: str, names: Sequence[str], expected: Sequence[str]) -> None:
    missing = [name for name in expected if name not in names]
    unknown = [name for name in names if name not in expected]
    if missing or unknown:
        raise _refusal(f"{what}: missing {missing}, unknown {unknown}")
    if list(names) != list(expected):
        raise _refusal(f"{what} are in the order {list(names)}, expected {list(expected)}")


def _number(what: str, stored: Mapping[str, Any], key: str = "value") -> float:
    number = stored.get(key)
    if not isinstance(number, (int, float)) or not math.isfinite(number):
        raise _refusal(f"the {what} is {number!r}, not a finite number")
    return float(number)


def _refusal(problem: str) -> ValueError:
    return ValueError(
        f"learned.json does not fit this version of autotype: {problem}; "
        "write it again with benchmarks/fit_verdict.py --write, or reinstall the package"
    )
