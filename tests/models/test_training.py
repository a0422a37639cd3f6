from __future__ import annotations

import numpy as np
import pytest

from autotype.models.training import LevelClassifier, read_training


def read(X, y, **options):
    estimator = LevelClassifier()
    estimator.classes = [1, 2, 3, 4]
    return read_training(estimator, X, y, **options)


X = np.arange(10.0).reshape(5, 2)
Y = [1, 3, 4, 3, 1]


def test_rows_of_weight_zero_are_dropped_and_their_levels_are_not_observed():
    training = read(X, Y, sample_weight=[1, 2, 0, 1, 0])
    np.testing.assert_array_equal(training.X, X[[0, 1, 3]])
    assert training.rows.tolist() == [0, 1, 3]
    assert training.weights.tolist() == [1, 2, 1]
    assert training.ranks.tolist() == [0, 1, 1]
    assert training.observed.tolist() == [0, 2]
    assert training.classes.tolist() == [1, 3]
    assert training.n_ranks == 2


def test_all_rows_are_kept_if_their_numbers_matter():
    training = read(X, Y, sample_weight=[1, 2, 0, 1, 0], keep_all_rows=True)
    assert training.rows.tolist() == [0, 1, 2, 3, 4]
    assert training.weights.tolist() == [1, 2, 0, 1, 0]
    assert training.ranks.max() == 1


def test_class_weights_multiply_sample_weights():
    training = read(X, Y, sample_weight=[1, 2, 3, 4, 5], class_weight={3: 10.0})
    assert training.weights.tolist() == [1, 20, 3, 40, 5]
    balanced = read(X, Y, class_weight="balanced").weights
    np.testing.assert_allclose(balanced, [5 / 6, 5 / 6, 5 / 3, 5 / 6, 5 / 6])


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        (None, {}, "requires y"),
        (Y[:4], {}, "X has 5 rows and y 4 labels"),
        (Y, {"sample_weight": [1, 0, 0, 0, 1]}, r"hold 1 class\(es\), at least 2"),
        (Y, {"class_weight": {7: 1.0}}, r"class_weight names \[7\]"),
        (Y, {"min_samples": 6}, "minimum of 6 is required"),
    ],
)
def test_what_cannot_be_read(y, options, message):
    with pytest.raises(ValueError, match=message):
        read(X, y, **options)
