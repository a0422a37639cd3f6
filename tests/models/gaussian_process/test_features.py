"""Features against their kernels, and the rows that stand for all."""

import numpy as np
from sklearn.gaussian_process.kernels import RBF

from autotype.models.gaussian_process.features import (
    LinearFeatures,
    NystromFeatures,
    spread_sample,
    well_spread,
)

X = np.random.default_rng(0).normal(size=(40, 2))


def test_linear_features_multiply_to_the_kernel():
    Z, residual_variance = LinearFeatures(np.array([2.0, 0.5])).transform(X)
    np.testing.assert_allclose(Z @ Z.T, (X * [4.0, 0.25]) @ X.T)
    np.testing.assert_array_equal(residual_variance, 0.0)


def test_nystrom_features_are_exact_on_the_inducing_rows():
    kernel = RBF(0.5)
    Z, residual_variance = NystromFeatures(kernel, X[:15]).transform(X)
    np.testing.assert_allclose(Z[:15] @ Z.T, kernel(X[:15], X), atol=1e-6)
    np.testing.assert_allclose(residual_variance[:15], 0.0, atol=1e-6)
    assert np.all(residual_variance >= 0.0)


def test_equal_inducing_rows_do_no_harm():
    Z, _ = NystromFeatures(RBF(1.5), np.repeat(X[:5], 2, axis=0)).transform(X)
    assert np.isfinite(Z).all()


def test_the_sample_holds_every_rank_and_not_the_order_of_the_rows():
    ranks = np.array([0] * 30 + [1] * 9 + [2])
    rows = spread_sample(X, ranks, 10)
    assert set(ranks[rows]) == {0, 1, 2}
    assert len(rows) <= 10 + 2 * 3
    order = np.random.default_rng(1).permutation(40)
    shuffled = order[spread_sample(X[order], ranks[order], 10)]
    np.testing.assert_array_equal(np.sort(shuffled), rows)


def test_rows_are_chosen_until_they_explain_the_others() -> None:
    X = np.random.default_rng(3).normal(size=(200, 2))
    kernel = RBF(3.0)
    for unexplained in (1e-2, 1e-4):
        rows = well_spread(kernel, X, unexplained)
        _, residual = NystromFeatures(kernel, X[rows]).transform(X)
        assert len(rows) < 60
        assert residual.max() < unexplained + 1e-6
    assert len(well_spread(RBF(1e-3), X, 1e-3)) == 200
    assert len(well_spread(kernel, np.zeros((5, 2)), 1e-3)) == 1


def test_weights_of_a_function_give_its_values() -> None:
    X = np.random.default_rng(4).normal(size=(30, 2))
    features = NystromFeatures(RBF(1.0), X[:10])
    Z, _ = features.transform(X[:10])
    weights = np.arange(10.0)
    np.testing.assert_allclose(features.weights_of(Z @ weights), weights, atol=1e-5)
