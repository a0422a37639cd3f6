"""The learned models and constants are complete, finite, and checked when loaded."""

from __future__ import annotations

import copy
import json
import math
from importlib.resources import files

import pytest

from autotype.inference.learned import (
    MODEL_FEATURES,
    LogisticModel,
    as_probability,
    load_learned,
    read_learned,
)
from autotype.types import column_type

STORED = json.loads(files("autotype.inference").joinpath("learned.json").read_text("utf-8"))


@pytest.fixture
def stored() -> dict:
    return copy.deepcopy(STORED)


def test_the_shipped_file_is_in_order() -> None:
    learned = load_learned()
    for model, name in (
        (learned.type_model, "type"),
        (learned.order_model, "order"),
        (learned.placing_model, "placing"),
    ):
        assert tuple(model.weights) == MODEL_FEATURES[name]
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


@pytest.mark.parametrize("version", [1, 3, "2", None])
def test_another_format_is_refused(stored: dict, version: object) -> None:
    stored["format"] = version
    with pytest.raises(ValueError, match=r"learned\.json .* its format is .*, expected 2"):
        read_learned(stored)


@pytest.mark.parametrize("part", ["fitted", "models", "constants"])
def test_a_missing_part_is_refused(stored: dict, part: str) -> None:
    del stored[part]
    with pytest.raises(ValueError, match=rf"parts: missing \['{part}'\]"):
        read_learned(stored)


@pytest.mark.parametrize("name", MODEL_FEATURES)
def test_a_missing_model_is_refused(stored: dict, name: str) -> None:
    del stored["models"][name]
    with pytest.raises(ValueError, match=f"features of '{name}': missing"):
        read_learned(stored)


@pytest.mark.parametrize("name", MODEL_FEATURES)
def test_a_renamed_feature_is_refused(stored: dict, name: str) -> None:
    first = stored["models"][name]["features"][0]
    old, first["name"] = first["name"], "renamed"
    message = rf"features of '{name}': missing \['{old}'\], unknown \['renamed'\]"
    with pytest.raises(ValueError, match=message):
        read_learned(stored)


@pytest.mark.parametrize("name", MODEL_FEATURES)
def test_a_missing_feature_is_refused(stored: dict, name: str) -> None:
    stored["models"][name]["features"].pop()
    with pytest.raises(ValueError, match=f"features of '{name}': missing"):
        read_learned(stored)


def test_features_in_another_order_are_refused(stored: dict) -> None:
    stored["models"]["order"]["features"].reverse()
    with pytest.raises(ValueError, match=r"features of 'order': .* in another order"):
        read_learned(stored)


@pytest.mark.parametrize("value", [math.nan, math.inf, None, "1"])
@pytest.mark.parametrize("key", ["weight", "mean", "scale"])
def test_a_number_that_is_not_finite_is_refused(stored: dict, key: str, value: object) -> None:
    stored["models"]["type"]["features"][3][key] = value
    with pytest.raises(ValueError, match=f"the {key} of 'label_enumerator' is .*, not a finite"):
        read_learned(stored)


def test_a_scale_of_zero_is_refused(stored: dict) -> None:
    stored["models"]["type"]["features"][0]["scale"] = 0.0
    with pytest.raises(ValueError, match="the scale of 'label_scale' is not positive"):
        read_learned(stored)


def test_unknown_and_missing_constants_are_refused(stored: dict) -> None:
    stored["constants"]["fit"] = stored["constants"].pop("order_fit_weight")
    with pytest.raises(ValueError, match=r"missing \['order_fit_weight'\], unknown \['fit'\]"):
        read_learned(stored)


def test_a_constant_that_is_not_finite_is_refused(stored: dict) -> None:
    stored["constants"]["chance_agreement"]["value"] = math.inf
    with pytest.raises(ValueError, match="the value of 'chance_agreement' is inf"):
        read_learned(stored)


def test_log_odds_are_the_sum_of_the_contributions() -> None:
    model = LogisticModel(0.5, {"a": 2.0, "b": 3.0}, {"a": 1.0, "b": 0.0}, {"a": 4.0, "b": 1.0})
    assert model.log_odds({"a": 3.0, "b": -1.0}) == pytest.approx(0.5 + 1.0 - 3.0)
    assert model.contributions({"a": 3.0, "b": math.nan}) == {"a": 1.0, "b": 0.0}
    assert model.probability({"a": 1.0, "b": 0.0}) == pytest.approx(1 / (1 + math.exp(-0.5)))


@pytest.mark.parametrize("log_odds", [-1e9, -3.0, 0.0, 3.0, 1e9])
def test_probabilities_are_within_the_open_unit_interval(log_odds: float) -> None:
    assert 0.0 < as_probability(log_odds) < 1.0
