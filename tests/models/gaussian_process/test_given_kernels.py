"""Kernels as functions and as matrices: the same models as scikit-learn's kernel objects."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.utils import get_tags

from autotype.models.gaussian_process import multiclass as gp_multiclass
from autotype.models.gaussian_process import ordinal as gp_ordinal
from autotype.models.gaussian_process.completion import pearson_kernel
from autotype.models.gaussian_process.given_kernels import (
    FunctionKernel,
    NewRows,
    PrecomputedKernel,
    training_rows,
)
from autotype.models.gaussian_process.kernels import kernel_matrix
from autotype.models.gaussian_process.multiclass import GPMulticlassClassifier
from autotype.models.gaussian_process.ordinal import GPOrdinalClassifier

KERNELS = [
    (linear_kernel, DotProduct(0.0, "fixed")),
    (rbf_kernel, RBF(np.sqrt(1.5), "fixed")),  # gamma = 1 / n_features
]


def sample(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    f = X[:, 0] + 0.5 * X[:, 1] + 0.3 * rng.normal(size=n)
    return X, np.digitize(f, [-0.8, 0.0, 0.8])


@pytest.mark.parametrize("inference", ["laplace", "ep"])
@pytest.mark.parametrize(("function", "kernel"), KERNELS)
def test_function_and_matrix_are_the_kernel_object(function, kernel, inference):
    (X, y), (X_new, _) = sample(), sample(30, seed=1)
    by_object = GPOrdinalClassifier(kernel, inference=inference).fit(X, y)
    by_function = GPOrdinalClassifier(function, inference=inference).fit(X, y)
    by_matrix = GPOrdinalClassifier("precomputed", inference=inference).fit(function(X, X), y)
    assert by_function.log_evidence_ == pytest.approx(by_object.log_evidence_, abs=1e-8)
    assert by_matrix.log_evidence_ == pytest.approx(by_object.log_evidence_, abs=1e-8)
    probability = by_object.predict_proba(X_new)
    np.testing.assert_allclose(by_function.predict_proba(X_new), probability, atol=1e-7)
    K_new = function(X_new, X)
    np.testing.assert_allclose(by_matrix.predict_proba(K_new), probability, atol=1e-6)
    for ours, theirs in zip(
        by_matrix.predict_latent(K_new, return_std=True),
        by_object.predict_latent(X_new, return_std=True),
        strict=True,
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)


@pytest.mark.parametrize("inference", ["laplace", "ep"])
@pytest.mark.parametrize(("function", "kernel"), KERNELS)
def test_classes_learn_the_amplitude_of_a_given_kernel(function, kernel, inference):
    (X, y), (X_new, _) = sample(40), sample(20, seed=1)
    scaled = ConstantKernel(1.0, (1e-3, 1e3)) * kernel
    by_object = GPMulticlassClassifier(scaled, inference=inference).fit(X, y)
    probability = by_object.predict_proba(X_new)
    for factor in (1.0, 1e4):  # the scale of the kernel does not matter
        by_matrix = GPMulticlassClassifier("precomputed", inference=inference)
        by_matrix.fit(factor * function(X, X), y)
        assert by_matrix.log_evidence_ == pytest.approx(by_object.log_evidence_, abs=1e-4)
        K_new = factor * function(X_new, X)
        np.testing.assert_allclose(by_matrix.predict_proba(K_new), probability, atol=1e-2)
    by_function = GPMulticlassClassifier(function, inference=inference).fit(X, y)
    np.testing.assert_allclose(by_function.predict_proba(X_new), probability, atol=1e-2)


@pytest.mark.parametrize("model", [GPOrdinalClassifier, GPMulticlassClassifier])
def test_many_rows_go_through_features_of_the_kernel(model, monkeypatch):
    for module in (gp_ordinal, gp_multiclass):
        monkeypatch.setattr(module, "_EXACT_ROWS", 80)
        monkeypatch.setattr(module, "_SHAPE_ROWS", 60)
    (X, y), (X_new, y_new) = sample(100), sample(50, seed=1)
    by_matrix = model("precomputed", n_inducing=40).fit(rbf_kernel(X), y)
    assert np.mean(by_matrix.predict(rbf_kernel(X_new, X)) == y_new) > 0.6
    by_function = model(rbf_kernel, n_inducing=40).fit(X, y)
    assert np.mean(by_function.predict(X_new) == y_new) > 0.6


@pytest.mark.parametrize("model", [GPOrdinalClassifier, GPMulticlassClassifier])
def test_a_row_of_weight_zero_is_no_row(model):
    X, y = sample(40)
    weight = np.where(np.arange(40) % 4 == 1, 0.0, 1.0)
    kept = weight > 0
    K = linear_kernel(X)
    whole = model("precomputed").fit(K, y, sample_weight=weight)
    part = model("precomputed").fit(K[np.ix_(kept, kept)], y[kept])
    np.testing.assert_allclose(whole.predict_proba(K), part.predict_proba(K[:, kept]), atol=1e-9)


def test_correlations_of_incomplete_rows():
    rng = np.random.default_rng(0)
    taste = rng.normal(size=(120, 2))
    ratings = taste @ rng.normal(size=(2, 25)) + 0.3 * rng.normal(size=(120, 25))
    ratings[rng.random(ratings.shape) < 0.4] = np.nan
    mine = np.digitize(taste @ [1.0, 0.5], [-1.0, 0.0, 1.0])
    known, rest = np.arange(80), np.arange(80, 120)
    for model, bound in ((GPOrdinalClassifier, 0.5), (GPMulticlassClassifier, 0.6)):
        fit = model(pearson_kernel).fit(ratings[known], mine[known])
        assert np.mean(np.abs(fit.predict(ratings[rest]) - mine[rest])) < bound
        matrix = model("precomputed").fit(pearson_kernel(ratings[known]), mine[known])
        across = pearson_kernel(ratings[rest], ratings[known])
        np.testing.assert_allclose(fit.predict_proba(ratings[rest]).sum(axis=1), 1.0)
        # A matrix does not hold how much of a new row is observed: variances differ a little.
        difference = fit.predict_proba(ratings[rest]) - matrix.predict_proba(across)
        assert np.abs(difference).max() < 0.05


def test_tags_and_cross_validation():
    X, y = sample(45)
    assert get_tags(GPOrdinalClassifier("precomputed")).input_tags.pairwise
    assert get_tags(GPMulticlassClassifier(pearson_kernel)).input_tags.allow_nan
    for kernel in ("rbf", RBF()):
        tags = get_tags(GPOrdinalClassifier(kernel)).input_tags
        assert not tags.pairwise
        assert not tags.allow_nan
    by_matrix = cross_val_score(GPOrdinalClassifier("precomputed"), rbf_kernel(X), y, cv=3)
    by_function = cross_val_score(GPOrdinalClassifier(lambda A, B: rbf_kernel(A, B)), X, y, cv=3)
    np.testing.assert_allclose(by_matrix, by_function)


def test_new_rows_get_their_prior_variance():
    X, X_new = sample(20)[0], sample(10, seed=1)[0]
    every = np.arange(20)
    linear = NewRows(linear_kernel(X), every)(linear_kernel(X_new, X))
    np.testing.assert_allclose(linear[:, -1], (X_new**2).sum(axis=1), rtol=1e-6)
    smooth = NewRows(rbf_kernel(X), every)(rbf_kernel(X_new, X))
    np.testing.assert_array_equal(smooth[:, -1], 1.0)
    uneven = rbf_kernel(X) * np.outer(X[:, 0], X[:, 0])  # sizes that the rows do not explain
    own = NewRows(uneven, every)(uneven)[:, -1]
    assert np.all(own >= np.diag(uneven) * (1 - 1e-6))
    indefinite = uneven - 0.1
    assert NewRows(indefinite, every)(indefinite)[:, -1].max() < 2 * indefinite.max()


def test_a_kernel_without_hyper_parameters_is_evaluated_once():
    calls = []

    def counted(X, Y):
        calls.append(len(X))
        return linear_kernel(X, Y)

    X = sample(20)[0]
    matrix = kernel_matrix(FunctionKernel(counted), X)
    first = matrix.value(np.empty(0))
    np.testing.assert_array_equal(first, matrix.value(np.empty(0)))
    assert calls == [20]
    assert matrix.contract(np.ones((20, 20))).shape == (0,)


def test_as_kernels_of_scikit_learn():
    X = sample(7)[0]
    function, rows = FunctionKernel(linear_kernel), training_rows(linear_kernel(X))
    for kernel, features in ((function, X), (PrecomputedKernel(), rows)):
        K, gradient = kernel(features, eval_gradient=True)
        np.testing.assert_allclose(K, X @ X.T)
        assert gradient.shape == (7, 7, 0)
        np.testing.assert_allclose(kernel.diag(features), np.diag(K))
        np.testing.assert_allclose(kernel(features, features[2:4]), K[:, 2:4])
        assert not kernel.is_stationary()
    assert repr(function) == "FunctionKernel(linear_kernel)"
    assert repr(PrecomputedKernel()) == "PrecomputedKernel()"


def test_an_indefinite_kernel_gets_noise_with_a_warning():
    X, y = sample(30)
    distance = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    model = GPOrdinalClassifier("precomputed")
    with pytest.warns(
        UserWarning, match="no covariance of the training rows: the smallest"
    ) as seen:
        model.fit(distance, y)
    assert seen[0].filename == __file__
    smallest = np.linalg.eigvalsh(distance)[0]
    np.testing.assert_allclose(model.kernel_.k2.noise_level, -smallest)
    assert np.isfinite(model.predict_proba(distance)).all()


@pytest.mark.parametrize("model", [GPOrdinalClassifier, GPMulticlassClassifier])
def test_wrong_kernels_are_refused(model):
    X, y = sample(20)
    K = linear_kernel(X)
    with pytest.raises(ValueError, match=r"must be square, rows by rows, got shape \(20, 3\)"):
        model("precomputed").fit(X, y)
    lopsided = K.copy()
    lopsided[3, 5] += 1.0
    with pytest.raises(ValueError, match=r"must be symmetric, got .* between rows 3 and 5"):
        model("precomputed").fit(lopsided, y)
    with pytest.raises(ValueError, match=r"returned shape \(20,\) for 20 and 20 rows"):
        model(lambda A, B: (A @ B.T)[0]).fit(X, y)
    with pytest.raises(ValueError, match="has to be finite and at most 1e\\+154"):
        model(lambda A, B: 1e200 * A @ B.T).fit(X, y)
    with pytest.raises(ValueError, match="its products vanish"):
        model("precomputed").fit(1e-300 * K, y)
    with pytest.raises(ValueError, match="NaN"):
        model("precomputed").fit(np.where(K[0, 0] == K, np.nan, K), y)
    fitted = model("precomputed").fit(K, y)
    with pytest.raises(ValueError, match="X has 19 features"):
        fitted.predict(K[:, :19])
    holed = X.copy()
    holed[2, 1] = np.nan
    with pytest.raises(ValueError, match=r"entry 1 is missing \(NaN\).*pearson_kernel"):
        model(lambda A, B: A @ B.T).fit(holed, y)
    with pytest.raises(ValueError, match="infinity"):
        model(linear_kernel).fit(np.where(X[0, 0] == X, np.inf, X), y)


def test_missing_entries_do_not_hide_large_ones():
    X, y = sample(20)
    X[0, 0], X[1, 0] = np.nan, 1e100
    with pytest.raises(ValueError, match="column 0 of X is 1e\\+100"):
        GPOrdinalClassifier(pearson_kernel).fit(X, y)
