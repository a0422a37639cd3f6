"""Multi-class Gaussian process: labels in and out, both regimes, the learned kernel."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, WhiteKernel

from autotype.models.gaussian_process import multiclass as gp_multiclass
from autotype.models.gaussian_process.kernels import ARDDotProduct, KernelMatrix
from autotype.models.gaussian_process.multiclass import GPMulticlassClassifier
from autotype.models.gaussian_process.multiclass_models import EPProbit, class_probabilities
from autotype.models.gaussian_process.solvers.probit_ep import (
    MultinomialProbitSites,
    probit_latents,
)
from autotype.models.gaussian_process.solvers.softmax_laplace import softmax_latents


def make_blobs(seed):
    codes = np.repeat([0, 1, 2], 30)
    centres = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])
    return centres[codes] + np.random.default_rng(seed).normal(size=(90, 2)), codes


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(seed=0)


INFERENCES = ["laplace", "ep"]


@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("kernel", ["rbf", "linear", "ard-rbf", "ard-linear"])
def test_learns_blobs(blobs, kernel, inference):
    X, codes = blobs
    model = GPMulticlassClassifier(kernel, inference=inference).fit(X, codes)
    assert model.score(X, codes) > 0.85
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert (model.relevance_ is not None) == kernel.startswith("ard")
    # Leaving out costs a little, and nearly what new rows of the same blobs cost.
    fitted = np.log(model.predict_proba(X)[np.arange(90), codes]).mean()
    new, new_codes = make_blobs(seed=1)
    tested = np.log(model.predict_proba(new)[np.arange(90), new_codes]).mean()
    assert model.loo_log_likelihood_ / 90 < fitted
    assert model.loo_log_likelihood_ / 90 == pytest.approx(tested, abs=0.12)


def test_both_inferences_nearly_agree(blobs):
    X, codes = blobs
    laplace, ep = (
        GPMulticlassClassifier(inference=inference).fit(X, codes) for inference in INFERENCES
    )
    np.testing.assert_allclose(ep.predict_proba(X), laplace.predict_proba(X), atol=0.15)


@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_a_row_of_weight_two_is_two_rows(blobs, kernel, inference):
    X, codes = blobs
    weight = 1.0 + np.arange(90) % 2
    rows = np.repeat(np.arange(90), weight.astype(int))
    model = GPMulticlassClassifier(kernel, inference=inference)
    weighted = clone(model).fit(X, codes, sample_weight=weight)
    repeated = clone(model).fit(X[rows], codes[rows])
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=2e-3)
    assert weighted.log_evidence_ == pytest.approx(repeated.log_evidence_, abs=1e-2)
    assert weighted.loo_log_likelihood_ == pytest.approx(repeated.loo_log_likelihood_, abs=1e-2)


@pytest.mark.parametrize("inference", INFERENCES)
def test_rows_of_weight_zero_are_not_there(blobs, inference):
    X, codes = blobs
    weight = (np.arange(90) % 3 > 0).astype(float)
    part = GPMulticlassClassifier(inference=inference).fit(X[weight > 0], codes[weight > 0])
    whole = GPMulticlassClassifier(inference=inference).fit(X, codes, sample_weight=weight)
    np.testing.assert_allclose(whole.predict_proba(X), part.predict_proba(X), atol=1e-6)


def test_weights_that_leave_one_class(blobs):
    X, codes = blobs
    with pytest.raises(ValueError, match="rows of positive weight hold 1 class"):
        GPMulticlassClassifier().fit(X, codes, sample_weight=(codes == 1).astype(float))


@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("case", ["separable", "constant column", "all constant", "two rows"])
def test_odd_data_give_numbers(blobs, inference, case):
    X, codes = blobs
    if case == "separable":
        codes = (X[:, 0] > 0).astype(int) + (X[:, 0] > 2)
    elif case == "constant column":
        X = 1e6 * np.column_stack([X, np.full(90, 7.0), X[:, 0]])
    elif case == "all constant":
        X = np.ones((90, 2))
    else:
        X, codes = X[:2], np.array([0, 1])
    for kernel in ("rbf", "linear"):
        model = GPMulticlassClassifier(kernel, inference=inference).fit(X, codes)
        assert np.isfinite(model.predict_proba(X)).all()
        assert np.isfinite([model.log_evidence_, model.loo_log_likelihood_]).all()


@pytest.mark.parametrize("inference", INFERENCES)
def test_categorical_with_a_frame_gives_a_series_of_its_dtype(blobs, inference):
    X, codes = blobs
    frame = pd.DataFrame(X, columns=["a", "b"], index=np.arange(90) + 7)
    dtype = pd.CategoricalDtype(["x", "y", "z", "never"])
    y = pd.Series(pd.Categorical.from_codes(codes, dtype=dtype), index=frame.index, name="kind")
    model = GPMulticlassClassifier(inference=inference).fit(frame, y)
    predicted = model.predict(frame)
    assert predicted.dtype == dtype
    assert predicted.index.equals(frame.index)
    assert model.predict_proba(frame)[:, 3].max() < 0.2


@pytest.mark.parametrize("inference", INFERENCES)
def test_relabelling_permutes_probabilities(blobs, inference):
    X, codes = blobs
    one = GPMulticlassClassifier(inference=inference).fit(X, codes)
    other = GPMulticlassClassifier(inference=inference).fit(X, np.array([2, 0, 1])[codes])
    found = other.predict_proba(X)[:, [2, 0, 1]]
    np.testing.assert_allclose(found, one.predict_proba(X), atol=5e-3)
    assert one.log_evidence_ == pytest.approx(other.log_evidence_, abs=1e-4)


@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_many_rows_go_through_features(blobs, kernel, inference, monkeypatch):
    X, codes = blobs
    exact = GPMulticlassClassifier(kernel).fit(X, codes)
    monkeypatch.setattr(gp_multiclass, "_EXACT_ROWS", 80)
    monkeypatch.setattr(gp_multiclass, "_SHAPE_ROWS", 80)
    model = GPMulticlassClassifier(kernel, inference=inference, n_inducing=60).fit(X, codes)
    assert type(model._model).__name__ == "LaplaceWeights"
    np.testing.assert_allclose(model.predict_proba(X), exact.predict_proba(X), atol=0.1)
    assert model.loo_log_likelihood_ == pytest.approx(exact.loo_log_likelihood_, abs=3.0)


def test_ep_learns_from_a_part_of_the_rows(blobs, monkeypatch):
    X, codes = blobs
    exact = GPMulticlassClassifier(inference="ep").fit(X, codes)
    monkeypatch.setattr(gp_multiclass, "_SHAPE_ROWS", 60)
    model = GPMulticlassClassifier(inference="ep").fit(X, codes)
    assert len(model._model.X) == 90
    np.testing.assert_allclose(model.predict_proba(X), exact.predict_proba(X), atol=0.1)


def test_linear_amplitude_maximises_the_evidence_of_ep(blobs):
    X, codes = blobs
    model = GPMulticlassClassifier("linear", inference="ep").fit(X, codes)
    rows = EPProbit(codes, 3, np.ones(90))
    for step in (-0.7, 0.7):
        kernel = model.kernel_.clone_with_theta(model.kernel_.theta + step)
        moved = rows.posterior(kernel(X - X.mean(axis=0)))
        assert moved.log_evidence < model.log_evidence_ + 1e-3


def test_short_ascent_warns(blobs):
    X, codes = blobs
    with pytest.warns(ConvergenceWarning, match="max_iter=1 iterations; raise max_iter"):
        GPMulticlassClassifier("ard-rbf", max_iter=1).fit(X, codes)


def test_missing_label_is_named(blobs):
    X, codes = blobs
    y = codes.astype(float)
    y[4] = np.nan
    with pytest.raises(ValueError, match="rows 4"):
        GPMulticlassClassifier().fit(X, y)


@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize(
    "kernel",
    [
        ConstantKernel(2.0) * RBF([1.0, 2.0]),
        RBF(0.7),
        ConstantKernel(0.5) * DotProduct(0.0, "fixed") + ConstantKernel(25.0, "fixed"),
        ARDDotProduct(np.array([0.5, 2.0])) + WhiteKernel(0.1),
    ],
)
def test_evidence_gradient_agrees_with_differences(blobs, kernel, inference):
    X, codes = blobs[0][::2], blobs[1][::2]
    matrix = KernelMatrix(kernel, X)

    def evidence(theta):
        K = matrix.value(theta)
        if inference == "laplace":
            return softmax_latents(K, codes, 3, tol=1e-18)
        return probit_latents(K, MultinomialProbitSites(codes, 3), tol=1e-11, max_iter=2000)

    for p, unit in enumerate(1e-4 * np.eye(len(kernel.theta))):
        ends = [evidence(kernel.theta + k * unit).log_evidence for k in (-2, -1, 1, 2)]
        slope = (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / 12e-4
        gradient = matrix.contract(evidence(kernel.theta).gradient)
        assert gradient[p] == pytest.approx(slope, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_probabilities_agree_with_sampling(levels):
    rng = np.random.default_rng(2)
    mean, root = rng.normal(size=(1, levels)), rng.normal(size=(levels, levels))
    latent = np.exp(mean + rng.normal(size=(400_000, levels)) @ root.T)
    expected = (latent / latent.sum(axis=1, keepdims=True)).mean(axis=0)
    found = class_probabilities(mean, (root @ root.T)[None])
    np.testing.assert_allclose(found[0], expected, atol=3e-3)


def test_probabilities_where_rounding_left_no_covariance():
    spread = np.array([[1.0, 0.0], [0.0, -1.0 - 1e-9]])
    found = class_probabilities(np.array([[1.0, 0.0]]), spread[None])
    np.testing.assert_allclose(found[0].sum(), 1.0)
