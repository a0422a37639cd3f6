"""The model of types by plain loops, one column at a time: the slow twin of `TypeModel`."""

from __future__ import annotations

import math
from collections.abc import Mapping

from autotype.inference.profile.type_model import TYPES, TypeModel


def probabilities(model: TypeModel, features: Mapping[str, float]) -> dict[str, float]:
    """Compute the probability of each type of a column."""
    log_odds = []
    for k in range(len(TYPES)):
        total = float(model.intercepts[k])
        for j, name in enumerate(model.features):
            if math.isnan(features[name]):
                continue
            value = (features[name] - model.means[j]) / model.scales[j]
            total += max(-4.0, min(4.0, value)) * model.weights[j][k]
        log_odds.append(total * model.sharpness)
    most = max(log_odds)
    weights = [math.exp(value - most) for value in log_odds]
    return {kind: weight / sum(weights) for kind, weight in zip(TYPES, weights, strict=True)}
