"""EP over latents and thresholds: sampling, differences, symmetries."""

import numpy as np
import pytest

from autotype.paper2014.search import fit_threshold_ep, threshold_grid
from tests.reference import half_spaces as reference

RANKS = np.array([0, 1, 2, 1, 2])


@pytest.fixture(scope="module", name="Z")
def features():
    return np.random.default_rng(0).normal(size=(5, 2))


def fit(Z, log_amplitude=1.0, log_noise=0.5, ranks=RANKS, **options):
    return fit_threshold_ep(
        np.exp(0.5 * log_amplitude) * Z, ranks, 3, np.exp(log_noise), tol=1e-12, **options
    )


def test_evidence_agrees_with_sampling_from_the_prior(Z):
    rng = np.random.default_rng(1)
    size = 400_000
    f = np.exp(0.5) * rng.normal(size=(size, 2)) @ Z.T
    f += np.exp(0.25) * rng.normal(size=(size, 5))
    b = threshold_grid(3) + rng.normal(size=(size, 2))
    sign = np.where(RANKS[:, None] > np.arange(2), 1.0, -1.0)
    hit = np.all(sign * (f[:, :, None] - b[:, None, :]) > 0, axis=(1, 2))
    assert fit(Z).log_evidence == pytest.approx(np.log(hit.mean()), abs=0.15)


def test_agrees_with_site_after_site(Z):
    found = fit(Z)
    K = np.exp(1.0) * Z @ Z.T + np.exp(0.5) * np.eye(5)
    prior = np.block([[K, np.zeros((5, 2))], [np.zeros((2, 5)), np.eye(2)]])
    mean, covariance, log_evidence = reference.expectation_propagation(
        np.concatenate([np.zeros(5), threshold_grid(3)]),
        prior,
        reference.threshold_directions(RANKS, 3),
    )
    assert found.log_evidence == pytest.approx(log_evidence, abs=1e-11)
    np.testing.assert_allclose(found.given_sites.mean[2:], mean[5:], atol=1e-7)
    np.testing.assert_allclose(found.given_sites.covariance[2:, 2:], covariance[5:, 5:], atol=1e-7)


def test_gradients_agree_with_differences(Z):
    found, step = fit(Z), 1e-4
    by_amplitude = fit(Z, 1.0 + step).log_evidence - fit(Z, 1.0 - step).log_evidence
    by_noise = fit(Z, 1.0, 0.5 + step).log_evidence - fit(Z, 1.0, 0.5 - step).log_evidence
    assert found.given_sites.log_noise_gradient() == pytest.approx(by_noise / 2 / step, rel=1e-5)
    kernel = np.exp(1.0) * Z @ Z.T
    contracted = np.sum(found.given_sites.kernel_gradient() * kernel)
    assert contracted == pytest.approx(by_amplitude / 2 / step, rel=1e-5)


def test_reversed_order_has_the_same_evidence(Z):
    assert fit(Z, ranks=2 - RANKS).log_evidence == pytest.approx(fit(Z).log_evidence, abs=1e-9)


def test_warm_start_ends_at_the_same_point(Z):
    again = fit(Z, start=fit(Z, 2.0))
    assert again.converged
    assert again.log_evidence == pytest.approx(fit(Z).log_evidence, abs=1e-9)


def test_probabilities_sum_to_one_and_follow_the_latent():
    x = np.linspace(-3, 3, 30)[:, None]
    found = fit_threshold_ep(2 * x, np.repeat([0, 1, 2], 10), 3, 0.2).probabilities(2 * x)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert np.all(np.diff(found @ np.arange(3)) > 0)
