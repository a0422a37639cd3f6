"""The numbers that describe the form of labels, without a vocabulary."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autotype.inference.labels.text_model import (
    MAX_LABELS,
    SHAPE_FEATURES,
    fold,
    shape_features,
    words_of,
)

# Features that are shares of labels, of pairs of labels, or of a label's length.
SHARES = tuple(
    name
    for name in SHAPE_FEATURES
    if name not in ("words", "length", "columns_alike", "length_spread", "words_spread")
)


def shape_of(labels, **options):
    return dict(zip(SHAPE_FEATURES, shape_features(labels, **options), strict=True))


def test_texts_are_folded_and_split():
    assert fold("  Ärger GROß ") == "arger gross"
    assert words_of("very_good/not-so 12") == ["very", "good", "not", "so", "12"]


def test_hand_computed_overlaps():
    shape = shape_of(["low", "very low"])
    assert shape["word_overlap"] == pytest.approx(1 / 2)  # {low} and {very, low}
    assert shape["contained"] == pytest.approx(1 / 2)  # "low" does not hold "very low"
    assert shape["nested_words"] == pytest.approx(1 / 2)
    assert shape["shared_word"] == 1.0
    assert shape["commonest_word"] == 1.0
    assert shape["single_word"] == pytest.approx(1 / 2)
    assert shape["words"] == pytest.approx(math.log1p(1.5))
    assert shape["length"] == pytest.approx(math.log1p(5.5))
    assert shape["length_spread"] == pytest.approx(2.5 / 5.5)
    assert shape["words_spread"] == pytest.approx(0.5)
    assert shape["inverse_levels"] == pytest.approx(1 / 2)


def test_hand_computed_trigrams():
    # "ab" has " ab" and "ab ", "ab c" has "b c" and " c " besides: two of four are shared.
    assert shape_of(["ab", "ac"])["trigram_overlap"] == 0.0
    assert shape_of(["ab", "ab c"])["trigram_overlap"] == pytest.approx(2 / 4)
    assert shape_of(["ab", "ac"])["medoid"] == pytest.approx(1 / 2)


def test_hand_computed_forms():
    shape = shape_of(["1-2 kg", "3 Kg", "ABC", "new York/x"])
    assert shape["digit"] == pytest.approx(2 / 4)
    assert shape["leading_digit"] == pytest.approx(2 / 4)
    assert shape["range_sign"] == pytest.approx(1 / 4)
    assert shape["inner_capital"] == pytest.approx(2 / 4)
    assert shape["initial_capital"] == pytest.approx(1 / 4)
    assert shape["all_capitals"] == pytest.approx(1 / 4)
    assert shape["listing"] == pytest.approx(1 / 4)
    assert shape["short_code"] == pytest.approx(1 / 4)


def test_common_beginnings_and_ends():
    shape = shape_of(["dose low", "dose new"])
    assert shape["common_prefix"] == pytest.approx(len("dose ") / 8)
    assert shape["common_suffix"] == pytest.approx(len("w") / 8)
    assert shape["shared_stem"] == 1.0


def test_leading_numbers_that_count_through():
    assert shape_of(["1. low", "2. mid", "3. high"])["leading_run"] == 1.0
    assert shape_of(["1. low", "1. mid", "3. high"])["leading_run"] == 0.0
    assert shape_of(["1. low", "9. mid", "30. high"])["leading_run"] == 0.0


def test_columns_with_the_same_levels_count_up_to_eight():
    labels = ["low", "high"]
    assert shape_of(labels)["columns_alike"] == 0.0
    assert shape_of(labels, n_columns=4)["columns_alike"] == pytest.approx(math.log(4))
    assert shape_of(labels, n_columns=100)["columns_alike"] == pytest.approx(math.log(8))


@pytest.mark.parametrize("labels", [[], ["one"], ["", "  "], ["one", " "]])
def test_fewer_than_two_texts_have_no_shape(labels):
    shape = shape_features(labels)
    assert shape.shape == (len(SHAPE_FEATURES),)
    assert np.isnan(shape).all()


def test_labels_beyond_the_limit_are_left_out():
    labels = [f"item {chr(97 + i % 26)}{i:03d}" for i in range(3 * MAX_LABELS)]
    assert shape_of(labels)["inverse_levels"] == pytest.approx(1 / MAX_LABELS)


@given(st.lists(st.text(max_size=12), max_size=8), st.randoms(use_true_random=False))
def test_ranges_and_invariance_to_the_order_of_labels(labels, random):
    shape = shape_of(labels)
    shuffled = list(labels)
    random.shuffle(shuffled)
    np.testing.assert_array_equal(shape_features(shuffled), list(shape.values()))
    if math.isnan(shape["length"]):
        assert sum(bool(label.strip()) for label in labels) < 2
        return
    assert all(np.isfinite(list(shape.values())))
    assert all(0.0 <= shape[name] <= 1.0 + 1e-12 for name in SHARES)
