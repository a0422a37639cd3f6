"""Multi-class Gaussian process: labels in and out, both regimes, the learnt kernel."""

import numpy as np
import pandas as pd
import pytest
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from autotype.models.averaged_softmax import class_probabilities
from autotype.models.gp_multiclass import GPMulticlassClassifier
from autotype.models.gp_multiclass_model import evidence_matrix
from autotype.solvers.gp_softmax import softmax_latents


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1, 2], 30)
    centres = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])
    return centres[codes] + rng.normal(size=(90, 2)), codes


@pytest.mark.parametrize("kernel", ["rbf", "linear", "ard-rbf", "ard-linear"])
def test_learns_blobs(blobs, kernel):
    X, codes = blobs
    model = GPMulticlassClassifier(kernel).fit(X, codes)
    assert model.score(X, codes) > 0.85
    assert model.loo_log_likelihood_ < 0.0
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_categorical_with_a_frame_gives_a_series_of_its_dtype(blobs):
    X, codes = blobs
    frame = pd.DataFrame(X, columns=["a", "b"], index=np.arange(90) + 7)
    dtype = pd.CategoricalDtype(["x", "y", "z", "never"])
    y = pd.Series(pd.Categorical.from_codes(codes, dtype=dtype), index=frame.index, name="kind")
    model = GPMulticlassClassifier().fit(frame, y)
    predicted = model.predict(frame)
    assert predicted.dtype == dtype
    assert predicted.index.equals(frame.index)
    assert model.predict_proba(frame)[:, 3].max() < 0.2


def test_relabelling_permutes_probabilities(blobs):
    X, codes = blobs
    one = GPMulticlassClassifier().fit(X, codes)
    other = GPMulticlassClassifier().fit(X, np.array([2, 0, 1])[codes])
    assert one.log_evidence_ == pytest.approx(other.log_evidence_, abs=1e-4)


def test_many_rows_go_through_features(blobs):
    X, codes = blobs
    rng = np.random.default_rng(1)
    many = np.tile(X, (10, 1)) + 0.1 * rng.normal(size=(900, 2))
    model = GPMulticlassClassifier(n_inducing=30).fit(many, np.tile(codes, 10))
    assert model.score(X, codes) > 0.85


def test_missing_label_is_named(blobs):
    X, codes = blobs
    y = codes.astype(float)
    y[4] = np.nan
    with pytest.raises(ValueError, match="rows 4"):
        GPMulticlassClassifier().fit(X, y)


@pytest.mark.parametrize("kernel", [ConstantKernel(2.0) * RBF([1.0, 2.0]), RBF(0.7)])
def test_evidence_gradient_agrees_with_differences(blobs, kernel):
    X, codes = blobs[0][::2], blobs[1][::2]
    matrix = evidence_matrix(kernel, X)

    def evidence(theta):
        return softmax_latents(matrix.value(theta), codes, 3, tol=1e-18)

    gradient = None
    for p, unit in enumerate(1e-5 * np.eye(len(kernel.theta))):
        slope = (
            evidence(kernel.theta + unit).log_evidence - evidence(kernel.theta - unit).log_evidence
        ) / 2e-5
        gradient = matrix.contract(evidence(kernel.theta).gradient)
        assert gradient[p] == pytest.approx(slope, rel=1e-5, abs=1e-7)


def test_probabilities_agree_with_sampling():
    rng = np.random.default_rng(2)
    mean, root = rng.normal(size=(1, 3)), rng.normal(size=(3, 3))
    latent = mean + rng.normal(size=(200_000, 3)) @ root.T
    latent = np.exp(latent)
    expected = (latent / latent.sum(axis=1, keepdims=True)).mean(axis=0)
    found = class_probabilities(mean, (root @ root.T)[None])
    np.testing.assert_allclose(found[0], expected, atol=0.01)
