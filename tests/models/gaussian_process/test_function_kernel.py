"""Kernels as functions: the same models as scikit-learn's kernel objects."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.utils import get_tags

from autotype.models.gaussian_process import multiclass as gp_multiclass
from autotype.models.gaussian_process import ordinal as gp_ordinal
from autotype.models.gaussian_process.completion import pearson_kernel
from autotype.models.gaussian_process.kernels import FunctionKernel, KernelMatrix
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
def test_a_function_is_the_kernel_object(function, kernel, inference):
    (X, y), (X_new, _) = sample(), sample(30, seed=1)
    by_object = GPOrdinalClassifier(kernel, inference=inference).fit(X, y)
    by_function = GPOrdinalClassifier(function, inference=inference).fit(X, y)
    assert by_function.log_evidence_ == pytest.approx(by_object.log_evidence_, abs=1e-8)
    probability = by_object.predict_proba(X_new)
    np.testing.assert_allclose(by_function.predict_proba(X_new), probability, atol=1e-7)
    for ours, theirs in zip(
        by_function.predict_latent(X_new, return_std=True),
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
        by_function = GPMulticlassClassifier(
            lambda A, B, factor=factor: factor * function(A, B), inference=inference
        ).fit(X, y)
        assert by_function.log_evidence_ == pytest.approx(by_object.log_evidence_, abs=1e-4)
        np.testing.assert_allclose(by_function.predict_proba(X_new), probability, atol=1e-2)


@pytest.mark.parametrize("model", [GPOrdinalClassifier, GPMulticlassClassifier])
def test_many_rows_go_through_features_of_the_kernel(model, monkeypatch):
    for module in (gp_ordinal, gp_multiclass):
        monkeypatch.setattr(module, "_EXACT_ROWS", 80)
        monkeypatch.setattr(module, "_SHAPE_ROWS", 60)
    (X, y), (X_new, y_new) = sample(100), sample(50, seed=1)
    by_function = model(rbf_kernel, n_inducing=40).fit(X, y)
    assert np.mean(by_function.predict(X_new) == y_new) > 0.6


@pytest.mark.parametrize("model", [GPOrdinalClassifier, GPMulticlassClassifier])
def test_a_row_of_weight_zero_is_no_row(model):
    X, y = sample(40)
    weight = np.where(np.arange(40) % 4 == 1, 0.0, 1.0)
    kept = weight > 0
    whole = model(linear_kernel).fit(X, y, sample_weight=weight)
    part = model(linear_kernel).fit(X[kept], y[kept])
    np.testing.assert_allclose(whole.predict_proba(X), part.predict_proba(X), atol=1e-9)


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
        np.testing.assert_allclose(fit.predict_proba(ratings[rest]).sum(axis=1), 1.0)


def test_tags():
    assert get_tags(GPMulticlassClassifier(pearson_kernel)).input_tags.allow_nan
    for kernel in ("rbf", RBF()):
        assert not get_tags(GPOrdinalClassifier(kernel)).input_tags.allow_nan


def test_a_kernel_without_hyper_parameters_is_evaluated_once():
    calls = []

    def counted(X, Y):
        calls.append(len(X))
        return linear_kernel(X, Y)

    X = sample(20)[0]
    matrix = KernelMatrix(FunctionKernel(counted), X)
    first = matrix.value(np.empty(0))
    np.testing.assert_array_equal(first, matrix.value(np.empty(0)))
    assert calls == [20]
    assert matrix.contract(np.ones((20, 20))).shape == (0,)


def test_as_a_kernel_of_scikit_learn():
    X, kernel = sample(7)[0], FunctionKernel(linear_kernel)
    K, gradient = kernel(X, eval_gradient=True)
    np.testing.assert_allclose(K, X @ X.T)
    assert gradient.shape == (7, 7, 0)
    np.testing.assert_allclose(kernel.diag(X), np.diag(K))
    np.testing.assert_allclose(kernel(X, X[2:4]), K[:, 2:4])
    assert not kernel.is_stationary()
    assert repr(kernel) == "FunctionKernel(linear_kernel)"


def test_an_indefinite_kernel_gets_noise_with_a_warning():
    X, y = sample(30)
    distance = cdist(X, X)
    model = GPOrdinalClassifier(cdist)
    with pytest.warns(
        UserWarning, match="no covariance of the training rows: the smallest"
    ) as seen:
        model.fit(X, y)
    assert seen[0].filename == __file__
    smallest = np.linalg.eigvalsh(distance)[0]
    np.testing.assert_allclose(model.kernel_.k2.noise_level, -smallest)
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("model", [GPOrdinalClassifier, GPMulticlassClassifier])
def test_wrong_kernels_are_refused(model):
    X, y = sample(20)
    with pytest.raises(ValueError, match=r"'kernel' parameter .* Got 'precomputed' instead"):
        model("precomputed").fit(X, y)
    with pytest.raises(ValueError, match=r"returned shape \(20,\) for 20 and 20 rows"):
        model(lambda A, B: (A @ B.T)[0]).fit(X, y)
    with pytest.raises(ValueError, match="has to be finite and at most 1e\\+154"):
        model(lambda A, B: 1e200 * A @ B.T).fit(X, y)
    with pytest.raises(ValueError, match="its products vanish"):
        model(lambda A, B: 1e-300 * A @ B.T).fit(X, y)
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
