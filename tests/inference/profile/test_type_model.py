"""The model of types: its file, and its evaluation against plain loops."""

from __future__ import annotations

import json
import math
from importlib.resources import files

import numpy as np
import pytest

from autotype.inference.profile.type_model import (
    FACTS,
    TYPES,
    load_type_model,
)
from autotype.types.column_type import SEMANTIC_TYPES
from tests.reference.type_model import probabilities

STORED = json.loads(
    files("autotype.inference.profile").joinpath("type_model.json").read_text("utf-8")
)


FEATURES = load_type_model().features


def random_features(seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    values = 3.0 * rng.normal(size=len(FEATURES))
    values[rng.random(len(values)) < 0.2] = math.nan
    return dict(zip(FEATURES, values.tolist(), strict=True))


def test_it_has_all_types_that_can_be_named() -> None:
    assert set(TYPES) == set(SEMANTIC_TYPES) - {"undetermined"}


@pytest.mark.parametrize("seed", range(5))
def test_it_agrees_with_plain_loops(seed: int) -> None:
    model, features = load_type_model(), random_features(seed)
    (found,) = model.probabilities([features])
    assert found.sum() == pytest.approx(1.0)
    expected = probabilities(model, features)
    assert dict(zip(TYPES, found, strict=True)) == pytest.approx(expected, abs=1e-12)


def test_the_answer_on_a_column_does_not_depend_on_the_others() -> None:
    model, rows = load_type_model(), [random_features(seed) for seed in range(40)]
    together = model.probabilities(rows)
    for row, found in zip(rows, together, strict=True):
        assert np.array_equal(model.probabilities([row])[0], found)
    assert model.probabilities([]).shape == (0, len(TYPES))


def test_unknown_features_count_nothing() -> None:
    model = load_type_model()
    features = dict.fromkeys(FEATURES, math.nan)
    assert model.contributions(features, "count", "text") == dict.fromkeys(FEATURES, 0.0)


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_is_most_probable_and_leaves_little_to_order(fact: str) -> None:
    found = dict(zip(TYPES, load_type_model().facts[fact], strict=True))
    assert max(found, key=found.__getitem__) == fact
    assert sum(found.values()) == pytest.approx(1.0)
    assert found["ordinal"] + found["categorical"] < 0.05


def test_the_shipped_file_fits() -> None:
    model = load_type_model()
    assert model.weights.shape == (len(FEATURES), len(TYPES))
    assert model.intercepts.shape == (len(TYPES),)
    numbers = (model.weights, model.intercepts, model.means, model.sharpness)
    assert all(np.isfinite(part).all() for part in numbers)
    assert (model.scales > 0).all()
    assert tuple(model.facts) == FACTS
    assert STORED["types"] == list(TYPES)
    assert set(model.constants) == {"floor", "mixed", "speaks_ordinal", "speaks_categorical"}
