from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from autotype.models.ensemble.even_scaler import EvenScaler


@parametrize_with_checks([EvenScaler()])
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def test_even_features_and_those_of_few_values_are_standardised() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random(200), rng.normal(size=200), rng.random(200) < 0.03])
    scaler = EvenScaler().fit(X)
    assert not scaler.skewed_.any()
    np.testing.assert_array_equal(scaler.transform(X), StandardScaler().fit_transform(X))


def test_of_skewed_features_ranks_alone_count() -> None:
    x = np.random.default_rng(1).lognormal(sigma=1.5, size=300)
    scaled = EvenScaler().fit_transform(np.column_stack([x, x**2]))
    assert np.abs(scaled).max() < 4
    assert scaled.std(axis=0) == pytest.approx([1.0, 1.0])
    np.testing.assert_allclose(scaled[:, 0], scaled[:, 1], atol=0.02)


def test_new_rows_beyond_the_known_ones_stay_at_the_ends() -> None:
    x = np.random.default_rng(2).lognormal(size=(100, 1))
    scaler = EvenScaler().fit(x)
    ends = scaler.transform([[x.max()], [1e9], [-1e9], [x.min()]]).ravel()
    np.testing.assert_allclose(ends[[0, 3]], ends[[1, 2]])


def test_a_constant_feature_is_nothing() -> None:
    np.testing.assert_array_equal(EvenScaler().fit_transform(np.full((20, 1), 7.0)), 0.0)
