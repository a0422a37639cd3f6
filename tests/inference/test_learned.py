"""The learned models and constants are complete and finite."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from importlib.resources import files

import pytest

from autotype.inference.learned import (
    MODEL_FEATURES,
    Learned,
    LogisticModel,
    as_probability,
    load_learned,
)
from autotype.types import column_type

STORED = json.loads(files("autotype.inference").joinpath("learned.json").read_text("utf-8"))


def test_the_shipped_file_is_in_order() -> None:
    learned = load_learned()
    for name, features in MODEL_FEATURES.items():
        model = getattr(learned, f"{name}_model")
        assert tuple(model.weights) == tuple(model.means) == tuple(model.scales) == features
        numbers = [model.intercept, *model.weights.values(), *model.means.values()]
        assert all(map(math.isfinite, numbers))
        assert all(0 < scale < math.inf for scale in model.scales.values())
    constants = [field.name for field in fields(Learned) if field.type == "float"]
    assert all(math.isfinite(getattr(learned, name)) for name in constants)
    assert learned.ordinal_threshold == column_type.ORDINAL_FROM
    assert learned.categorical_threshold == column_type.CATEGORICAL_UP_TO


def test_provenance_is_recorded() -> None:
    fitted = load_learned().fitted
    assert {"package_version", "date", "command", "penalty", "n_columns", "data"} <= set(fitted)
    for corpus in fitted["data"].values():
        assert len(corpus["labels_sha256"]) == 64
        assert corpus["n_columns"] > 0


def test_every_constant_names_its_source() -> None:
    assert all(constant["source"] for constant in STORED["constants"].values())


def test_log_odds_are_the_sum_of_the_contributions() -> None:
    model = LogisticModel(0.5, {"a": 2.0, "b": 3.0}, {"a": 1.0, "b": 0.0}, {"a": 4.0, "b": 1.0})
    assert model.log_odds({"a": 3.0, "b": -1.0}) == pytest.approx(0.5 + 1.0 - 3.0)
    assert model.contributions({"a": 3.0, "b": math.nan}) == {"a": 1.0, "b": 0.0}
    assert model.probability({"a": 1.0, "b": 0.0}) == pytest.approx(1 / (1 + math.exp(-0.5)))


@pytest.mark.parametrize("log_odds", [-1e9, -3.0, 0.0, 3.0, 1e9])
def test_probabilities_are_within_the_open_unit_interval(log_odds: float) -> None:
    assert 0.0 < as_probability(log_odds) < 1.0
