"""The model of types: its file, and its evaluation against plain loops."""

from __future__ import annotations

import copy
import json
import math
from importlib.resources import files

import numpy as np
import pytest

from autotype.inference.profile.type_model import (
    FACTS,
    TYPES,
    load_type_model,
    read_type_model,
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


def changed(**parts) -> dict:
    return {**copy.deepcopy(STORED), **parts}


@pytest.mark.parametrize(
    ("stored", "problem"),
    [
        (changed(format=0), "its format is 0, expected 1"),
        (changed(types=["ordinal"]), "its types are"),
        (changed(features={"rows": [0, 1]}), "'rows' holds .*not 11 finite numbers"),
        (changed(intercepts=[0.0] * 8), "'intercepts' holds .*not 9 finite numbers"),
        (changed(sharpness=math.inf), "'sharpness' holds"),
        (changed(constants={"floor": 0.4}), "its constants are \\['floor'\\]"),
        (changed(facts={}), "its facts are \\[\\]"),
        (
            changed(features={**STORED["features"], "rows": [0.0, 0.0, *[0.0] * 9]}),
            "the scale of 'rows' is not positive",
        ),
        (
            changed(features={**STORED["features"], "rows": [0.0, None, *[0.0] * 9]}),
            "'rows' holds",
        ),
    ],
)
def test_a_file_that_does_not_fit_is_refused(stored: dict, problem: str) -> None:
    with pytest.raises(ValueError, match=f"type_model.json does not fit .*{problem}"):
        read_type_model(stored)
