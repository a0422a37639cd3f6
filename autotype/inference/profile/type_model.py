"""Load the learned model of semantic types, and compute the probabilities of nine types with it.

A multinomial logistic model of what the values, the name, the rest of the frame and the verdict on
order show. Its weights are in `type_model.json`, with their provenance.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from autotype.types.column_type import SEMANTIC_TYPES

TYPES: tuple[str, ...] = tuple(kind for kind in SEMANTIC_TYPES if kind != "undetermined")
# Types that dtype or the number of values settle.
FACTS: tuple[str, ...] = ("constant", "binary", "datetime")
_CLIP = 4.0  # standard deviations


@dataclass(frozen=True)
class TypeModel:
    """A multinomial logistic model of features of values, name, frame and verdict.

    Attributes
    ----------
    features : tuple of str
        Their names. Others that are computed count nothing.
    intercepts : ndarray of shape (9,)
        By type, in the order of `TYPES`.
    weights : ndarray of shape (n_features, 9)
        A feature counts with weight (value - mean) / scale, at most 4 either way.
    means, scales : ndarray of shape (n_features,)
        The scales are positive.
    sharpness : float
        Exponent of the probabilities before they are made to add to 1, above 0: what makes the most
        probable type as often right as its probability says.
    facts : mapping
        Type of `FACTS` -> probabilities of the nine types where a fact settles that type.
    constants : mapping
        `floor`: a type below that probability is not named. `mixed`: weight of the model's log odds
        of ordinal against categorical; the verdict's log odds have the rest. `speaks_ordinal`,
        `speaks_categorical`: probability of ordinal from which, and up to which, the model is
        evidence on its own.
    """

    features: tuple[str, ...]
    intercepts: np.ndarray
    weights: np.ndarray
    means: np.ndarray
    scales: np.ndarray
    sharpness: float
    facts: Mapping[str, np.ndarray]
    constants: Mapping[str, float]

    def probabilities(self, features: Sequence[Mapping[str, float]]) -> np.ndarray:
        """Compute the probabilities of the nine types of some columns, shape (n_columns, 9).

        A feature that is absent or unknown (NaN) counts nothing.
        """
        if not features:
            return np.empty((0, len(TYPES)))
        # Row by row: in one product, the last digits of a row would depend on the number of rows.
        rows = self.standardised(features)
        log_odds = np.array([self.intercepts + row @ self.weights for row in rows])
        log_odds = (log_odds - log_odds.max(axis=1, keepdims=True)) * self.sharpness
        weights = np.exp(log_odds)
        return weights / weights.sum(axis=1, keepdims=True)

    def standardised(self, features: Sequence[Mapping[str, float]]) -> np.ndarray:
        """Return features as the weights expect them, shape (n_columns, n_features)."""
        known = [[row.get(name, math.nan) for name in self.features] for row in features]
        values = np.array(known, dtype=float)
        return np.clip(np.nan_to_num((values - self.means) / self.scales), -_CLIP, _CLIP)

    def contributions(
        self, features: Mapping[str, float], kind: str, rival: str
    ) -> dict[str, float]:
        """Return what each feature adds to the log odds of a type against another one."""
        own = self.weights[:, TYPES.index(kind)] - self.weights[:, TYPES.index(rival)]
        return dict(zip(self.features, self.standardised([features])[0] * own, strict=True))

    def of_fact(self, kind: str) -> dict[str, float]:
        """Return the probabilities of the types of a column of which a fact settles the type."""
        return dict(zip(TYPES, self.facts[kind].tolist(), strict=True))

    def mean_of(self, feature: str) -> float:
        """Return the mean of a feature over the columns of the fit."""
        return float(self.means[self.features.index(feature)])


@cache
def load_type_model() -> TypeModel:
    """Load the model that comes with the package."""
    file = files("autotype.inference.profile").joinpath("type_model.json")
    return read_type_model(json.loads(file.read_text(encoding="utf-8")))


def read_type_model(stored: Mapping[str, Any]) -> TypeModel:
    """Convert the content of `type_model.json`, whose rows of features are mean, scale, weights."""
    table = np.array(list(stored["features"].values()), dtype=float)
    facts = {name: np.array(row, dtype=float) for name, row in stored["facts"].items()}
    return TypeModel(
        features=tuple(stored["features"]),
        intercepts=np.array(stored["intercepts"], dtype=float),
        weights=table[:, 2:],
        means=table[:, 0],
        scales=table[:, 1],
        sharpness=stored["sharpness"],
        facts={name: row / row.sum() for name, row in facts.items()},  # they are rounded
        constants=stored["constants"],
    )
