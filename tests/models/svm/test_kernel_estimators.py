"""What the kernel estimators and RedSVM share: labels, kernels, warnings, known solutions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel

from autotype.models.svm.kernel_svm import NPSVOR, SVOR
from autotype.models.svm.linear_npsvor import LinearNPSVOR
from autotype.models.svm.linear_red_svm import LinearRedSVM
from tests.reference.npsvor_qp import solve_rank

LEVELS = ["low", "middle", "high"]
ALL = [SVOR(), SVOR(constraints="explicit"), NPSVOR(), LinearRedSVM()]
KERNEL = [SVOR(), NPSVOR()]


def name(model):
    return f"{type(model).__name__}-{getattr(model, 'constraints', '')}"


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 3))
    latent = X @ np.array([1.0, -1.0, 0.5]) + 0.1 * rng.standard_normal(120)
    return X, np.searchsorted(np.quantile(latent, [1 / 3, 2 / 3]), latent)


@pytest.mark.parametrize("model", ALL, ids=name)
def test_labels_come_back_in_their_kind(model, data):
    X, ranks = data
    expected = model.fit(X, ranks).predict(X)
    assert np.mean(expected == ranks) > 0.85
    series = pd.Series(pd.Categorical.from_codes(ranks, LEVELS, ordered=True)).set_axis(
        np.arange(120) + 5
    )
    frame = pd.DataFrame(X, index=series.index, columns=["a", "b", "c"])
    predicted = model.fit(frame, series).predict(frame)
    assert predicted.dtype == series.dtype
    assert predicted.index.equals(series.index)
    assert predicted.cat.codes.tolist() == expected.tolist()
    with pytest.raises(ValueError, match="pass classes="):
        model.fit(X, np.array(LEVELS)[ranks])


@pytest.mark.parametrize("model", ALL, ids=name)
def test_the_decision_agrees_with_the_prediction(model, data):
    X, ranks = data
    model.fit(X, ranks)
    np.testing.assert_array_equal(model.decision_function(X).argmax(axis=1), model.predict(X))


@pytest.mark.parametrize("model", KERNEL, ids=name)
def test_a_precomputed_or_callable_kernel_is_the_named_one(model, data):
    X, ranks = data
    values = model.set_params(kernel="rbf", gamma=0.5).fit(X, ranks).decision_function(X)
    model.set_params(kernel=lambda A, B: rbf_kernel(A, B, gamma=0.5)).fit(X, ranks)
    np.testing.assert_allclose(model.decision_function(X), values, atol=1e-6)
    K = rbf_kernel(X, gamma=0.5)
    model.set_params(kernel="precomputed").fit(K, ranks)
    np.testing.assert_allclose(model.decision_function(K), values, atol=1e-6)
    with pytest.raises(ValueError, match="precomputed kernel must be square"):
        model.fit(K[:, :50], ranks)
    model.set_params(kernel="rbf", gamma="scale")


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
@pytest.mark.parametrize("model", KERNEL, ids=name)
def test_sparse_features(model, kernel, data):
    X, ranks = data
    model = clone(model).set_params(kernel=kernel, tol=1e-6)
    dense = model.fit(X, ranks).decision_function(X)
    model.fit(sparse.csr_matrix(X), ranks)
    np.testing.assert_allclose(model.decision_function(sparse.csr_matrix(X)), dense, atol=1e-4)


@pytest.mark.parametrize(
    "model",
    [
        SVOR(max_iter=2),
        NPSVOR(max_iter=1, tol=1e-9),
        LinearRedSVM(max_iter=1, tol=1e-9),
    ],
    ids=name,
)
def test_no_convergence_is_reported_with_the_gap(model, data):
    with pytest.warns(ConvergenceWarning, match="relative duality gap of"):
        model.fit(*data)


def test_two_ranks_are_a_nonparallel_svm(data):
    """Each of the two planes is near its own class and at distance 1 from the other."""
    X, ranks = data
    y = (ranks > 0).astype(int)
    K = rbf_kernel(X, gamma=0.5)
    costs = np.full(120, 2.0)
    model = NPSVOR(C=2.0, gamma=0.5, tol=1e-8).fit(X, y)
    for rank in (0, 1):
        c, _ = solve_rank(K, y, rank, own=costs, other=costs, epsilon=0.1, balanced=True)
        own = model.decision_values(X)[:, rank] - model.intercept_[rank]
        np.testing.assert_allclose(own, K @ c, atol=1e-3)
    values = model.decision_values(X)
    nearest = np.abs(values).argmin(axis=1)
    np.testing.assert_array_equal(nearest, model.predict(X))


def test_two_ranks_linear(data):
    X, ranks = data
    y = (ranks > 0).astype(int)
    model = LinearNPSVOR(tol=1e-8, max_iter=50_000).fit(X, y)
    augmented = np.hstack([X, np.ones((120, 1))])
    for rank in (0, 1):
        c, _ = solve_rank(
            augmented @ augmented.T, y, rank, own=np.ones(120), other=np.ones(120), epsilon=0.1
        )
        np.testing.assert_allclose(model.coef_[rank], X.T @ c, atol=1e-3)


def test_gamma(data):
    X, ranks = data
    scale = SVOR().fit(X, ranks)
    same = SVOR(gamma=1 / (3 * X.var())).fit(X, ranks)
    np.testing.assert_allclose(scale.decision_function(X), same.decision_function(X))
    assert SVOR(gamma="auto").fit(X, ranks).predict(X).shape == (120,)


@pytest.mark.parametrize("model", KERNEL, ids=name)
def test_kernels_without_a_width_cost_no_pass_for_it(model, data, monkeypatch):
    X, ranks = data

    def fail(*args):
        raise AssertionError("gamma is of no use here")

    monkeypatch.setattr("autotype.models.kernel_expansion.gamma_of", fail)
    for kernel, given in (("precomputed", X @ X.T), ("linear", X), (np.inner, X)):
        clone(model).set_params(kernel=kernel).fit(given, ranks).predict(given)
    with pytest.raises(AssertionError, match="of no use"):
        clone(model).set_params(kernel="rbf").fit(X, ranks)


@pytest.mark.parametrize("constraints", ["implicit", "explicit"])
def test_svor_reaches_its_tolerance(constraints, data):
    model = SVOR(constraints=constraints, tol=1e-6).fit(*data)
    assert model.violation_ <= 1e-6
    assert abs(model.dual_gap_) < 1e-5
    assert np.all(np.diff(model.thresholds_) >= 0)


@pytest.mark.parametrize("estimator", [NPSVOR(), SVOR()])
def test_support_numbers_rows_of_the_x_that_was_given(estimator) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    weight = np.where(np.arange(60) < 20, 0.0, 1.0)
    estimator.fit(X, y, sample_weight=weight)
    assert estimator.support_.min() >= 20
    rows = X[estimator.support_]
    np.testing.assert_array_equal(rows, estimator._rows)
