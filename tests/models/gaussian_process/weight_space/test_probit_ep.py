"""EP for the multinomial probit: sampling, differences, symmetries."""

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.probit_sites import MultinomialProbitSites
from autotype.models.gaussian_process.weight_space.probit_ep import fit_probit_weights

CODES = np.array([0, 1, 2, 1, 2])


@pytest.fixture(scope="module", name="Z")
def features():
    return np.random.default_rng(0).normal(size=(5, 2))


def fit(Z, log_amplitude=1.0, codes=CODES, **options):
    return fit_probit_weights(
        np.exp(0.5 * log_amplitude) * Z, MultinomialProbitSites(codes, 3), tol=1e-12, **options
    )


def test_evidence_agrees_with_sampling_from_the_prior(Z):
    rng = np.random.default_rng(1)
    f = np.exp(0.5) * rng.normal(size=(200_000, 3, 2)) @ Z.T
    f += rng.normal(size=f.shape)
    hit = np.all(f.argmax(axis=1) == CODES, axis=1)
    assert fit(Z).log_evidence == pytest.approx(np.log(hit.mean()), abs=0.08)


def test_gradients_agree_with_differences(Z):
    found, step = fit(Z), 1e-4
    slope = (fit(Z, 1.0 + step).log_evidence - fit(Z, 1.0 - step).log_evidence) / 2 / step
    assert found.log_feature_gradient.sum() == pytest.approx(slope, rel=1e-5)


def test_relabelling_permutes(Z):
    order = np.array([2, 0, 1])
    one, other = fit(Z), fit(Z, codes=order[CODES])
    assert other.log_evidence == pytest.approx(one.log_evidence, abs=1e-9)
    np.testing.assert_allclose(other.probabilities(Z)[:, order], one.probabilities(Z), atol=1e-7)


def test_probabilities_agree_with_sampling(Z):
    rng = np.random.default_rng(3)
    found = fit(Z)
    w = rng.multivariate_normal(found.weights.ravel(), found.covariance, size=100_000)
    f = w.reshape(-1, 3, 2) @ (np.exp(0.5) * Z[0]) + rng.normal(size=(100_000, 3))
    share = np.bincount(f.argmax(axis=1), minlength=3) / len(f)
    np.testing.assert_allclose(found.probabilities(np.exp(0.5) * Z)[0], share, atol=4e-3)


def test_feature_gradient_agrees_with_differences(Z):
    def scaled(log_variance):
        return fit_probit_weights(
            Z * np.exp(0.5 * log_variance), MultinomialProbitSites(CODES, 3), tol=1e-12
        )

    found = scaled(np.zeros(2)).log_feature_gradient
    for j, step in enumerate(1e-4 * np.eye(2)):
        slope = (scaled(step).log_evidence - scaled(-step).log_evidence) / 2e-4
        assert found[j] == pytest.approx(slope, rel=1e-5)
