"""The learned scores of strings: n-grams, their weights, and how models are stored."""

import importlib.util
import json
import math
from importlib import resources

import numpy as np
import pytest

from autotype.inference.labels.text_model import (
    N_BUCKETS,
    SHAPE_FEATURES,
    TextModel,
    from_stored,
    ngram_features,
    shipped_text_models,
    standardise,
)


def small_models():
    rng = np.random.default_rng(5)
    n = len(SHAPE_FEATURES)
    levels = TextModel(
        intercept=0.25,
        ngrams=rng.integers(-127, 128, N_BUCKETS) / 127.0,
        shape=rng.normal(size=n).round(6),
        means=rng.normal(size=n).round(6),
        scales=rng.uniform(0.5, 2.0, size=n).round(6),
    )
    return levels, TextModel(-0.5, rng.integers(-127, 128, N_BUCKETS) / 254.0)


@pytest.fixture
def stored_models(repository):
    file = repository / "benchmarks" / "text_model_file.py"
    spec = importlib.util.spec_from_file_location("text_model_file", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return json.loads(json.dumps(module.to_stored(*small_models(), {"command": "a test"})))


def test_counts_of_ngrams_have_norm_one():
    buckets = ngram_features(["ab", "ab c"])
    assert sum(value**2 for value in buckets.values()) == pytest.approx(1.0)
    assert all(0 <= bucket < N_BUCKETS for bucket in buckets)


def test_hand_computed_ngrams():
    # " a ": the n-grams " a", "a " and " a ", each in one label.
    buckets = ngram_features(["a"])
    assert sorted(buckets.values()) == pytest.approx([1 / math.sqrt(3)] * 3)
    # "b" adds three n-grams; those of "a" stand in two labels and count 1 + log 2.
    norm = math.sqrt(3 * (1 + math.log(2)) ** 2 + 3)
    counted = ngram_features(["a", "a b"])
    assert sorted(counted.values()) == pytest.approx(
        [1 / norm] * 3 + [(1 + math.log(2)) / norm] * 3
    )


def test_digits_and_capitals_are_alike_and_order_does_not_count():
    assert ngram_features(["Level 1", "x"]) == ngram_features(["x", "level 9"])
    assert ngram_features(["--"]) == {}


def test_standardised_shapes_are_cut_at_three():
    values = standardise(np.array([1.0, 100.0, -100.0]), np.zeros(3), np.array([2.0, 1.0, 1.0]))
    np.testing.assert_allclose(values, [0.5, 3.0, -3.0])


def test_the_log_odds_are_the_weighted_sum_of_the_features():
    n = len(SHAPE_FEATURES)
    ngrams = np.zeros(N_BUCKETS)
    bucket, value = next(iter(ngram_features(["low", "high"]).items()))
    ngrams[bucket] = 2.0
    shape = np.zeros(n)
    shape[SHAPE_FEATURES.index("inverse_levels")] = 4.0
    model = TextModel(0.5, ngrams, shape, np.zeros(n), np.ones(n))
    assert model.log_odds(["low", "high"]) == pytest.approx(0.5 + 2.0 * value + 4.0 * 0.5)
    assert math.isnan(model.log_odds(["low"]))


def test_the_score_of_a_name_is_zero_without_words():
    bucket, value = next(iter(ngram_features(["rating"]).items()))
    ngrams = np.zeros(N_BUCKETS)
    ngrams[bucket] = 3.0
    model = TextModel(1.0, ngrams)
    assert model.log_odds_of_name("rating") == pytest.approx(1.0 + 3.0 * value)
    assert model.log_odds_of_name("") == model.log_odds_of_name("12_3") == 0.0


def test_stored_models_are_read_back(stored_models):
    for written, read in zip(small_models(), from_stored(stored_models), strict=True):
        assert read.intercept == written.intercept
        np.testing.assert_allclose(read.ngrams, written.ngrams, rtol=1e-12, atol=1e-12)
    levels, _ = from_stored(stored_models)
    np.testing.assert_array_equal(levels.shape, small_models()[0].shape)
    np.testing.assert_array_equal(levels.means, small_models()[0].means)
    np.testing.assert_array_equal(levels.scales, small_models()[0].scales)


def test_the_shipped_file_fits():
    stored = json.loads(
        resources.files("autotype.inference.labels").joinpath("text_model.json").read_text("utf-8")
    )
    assert stored["levels"]["features"] == [*SHAPE_FEATURES]
    for model in shipped_text_models():
        assert model.ngrams.shape == (N_BUCKETS,)
        assert np.isfinite(model.ngrams).all()
        assert np.isfinite(model.intercept)
    levels, _ = shipped_text_models()
    assert all(np.isfinite(part).all() for part in (levels.shape, levels.means, levels.scales))
    assert (levels.scales > 0).all()


def test_scales_score_above_names():
    levels, _ = shipped_text_models()
    scales = [["low", "medium", "high"], ["never", "sometimes", "often", "always"]]
    names = [["Paris", "London", "Rome", "Madrid"], ["Smith", "Jones", "Brown"]]
    lowest = min(map(levels.log_odds, scales))
    assert lowest > 0.0 > max(map(levels.log_odds, names))
    assert levels.log_odds(["often", "never"]) == levels.log_odds(["never", "often"])


def test_names_of_ratings_score_above_names_of_things():
    _, names = shipped_text_models()
    assert names.log_odds_of_name("satisfaction") > 0.0 > names.log_odds_of_name("country")
