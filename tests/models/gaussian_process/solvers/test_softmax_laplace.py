"""Laplace's softmax in function space: the dense reference, sampling, weights, symmetries."""

import numpy as np
import pytest
from scipy.special import logsumexp

from autotype.models.gaussian_process.solvers.softmax_laplace import softmax_latents
from tests.reference import half_spaces as reference

CODES = np.array([0, 1, 2, 1, 2, 0, 0, 1])


@pytest.fixture(scope="module", name="square")
def distances():
    X = np.random.default_rng(0).normal(size=(8, 2))
    return ((X[:, None] - X) ** 2).sum(axis=-1)


def kernel(square, theta=(0.7, 0.1)):
    return np.exp(theta[0] - 0.5 * np.exp(theta[1]) * square)


def test_agrees_with_the_dense_reference(square):
    K = kernel(square) + 0.1 * np.eye(8)
    weight = 1.0 + np.arange(8) % 3
    fit = softmax_latents(K, CODES, 3, weight=weight)
    mode, covariance, log_evidence = reference.softmax_laplace(K, CODES, weight, 3)
    assert fit.converged
    np.testing.assert_allclose(fit.mean, mode, atol=1e-6)
    assert fit.log_evidence == pytest.approx(log_evidence, abs=1e-6)
    blocks = covariance.reshape(8, 3, 8, 3)
    np.testing.assert_allclose(fit.spread, blocks[np.arange(8), :, np.arange(8)], atol=1e-6)


def test_evidence_agrees_with_sampling_where_the_prior_is_wide_enough(square):
    K = 0.5 * np.exp(-0.5 * square[:4, :4])
    rng = np.random.default_rng(1)
    f = rng.normal(size=(400_000, 3, 4)) @ np.linalg.cholesky(K + 1e-9 * np.eye(4)).T
    own = f[:, CODES[:4], np.arange(4)] - logsumexp(f, axis=1)
    truth = np.log(np.exp(own.sum(axis=1)).mean())
    assert softmax_latents(K, CODES[:4], 3).log_evidence == pytest.approx(truth, abs=0.05)


@pytest.mark.parametrize("weight", [None, 0.5 + np.arange(8) % 3])
def test_gradient_by_finite_differences(square, weight):
    def evidence(theta):
        return softmax_latents(kernel(square, theta), CODES, 3, weight=weight, tol=1e-20)

    at, h = np.array([0.7, 0.1]), 1e-4
    K = kernel(square, at)
    gradient = evidence(at).gradient
    found = [np.sum(gradient * K), np.sum(gradient * K * (-0.5 * np.exp(at[1]) * square))]
    for p, step in enumerate(h * np.eye(2)):
        slope = (evidence(at + step).log_evidence - evidence(at - step).log_evidence) / (2 * h)
        assert found[p] == pytest.approx(slope, rel=1e-5, abs=1e-8)


def test_a_row_of_weight_two_is_two_rows(square):
    K, weight = kernel(square), 1.0 + np.arange(8) % 2
    rows = np.repeat(np.arange(8), weight.astype(int))
    weighted = softmax_latents(K, CODES, 3, weight=weight)
    repeated = softmax_latents(K[np.ix_(rows, rows)], CODES[rows], 3)
    assert weighted.log_evidence == pytest.approx(repeated.log_evidence, abs=1e-8)
    np.testing.assert_allclose(weighted.mean[rows], repeated.mean, atol=1e-7)


def test_relabelling_permutes(square):
    order = np.array([2, 0, 1])
    one, other = (softmax_latents(kernel(square), codes, 3) for codes in (CODES, order[CODES]))
    assert other.log_evidence == pytest.approx(one.log_evidence, abs=1e-9)
    np.testing.assert_allclose(other.mean[:, order], one.mean, atol=1e-8)


def test_a_start_changes_nothing(square):
    K = kernel(square)
    cold = softmax_latents(K, CODES, 3)
    for start in (np.full((8, 3), 1e3), cold.alpha):
        warm = softmax_latents(K, CODES, 3, start=start)
        np.testing.assert_allclose(warm.mean, cold.mean, atol=1e-6)


@pytest.mark.parametrize("amplitude", [1e-8, 1e6])
def test_extremes_stay_finite(square, amplitude):
    fit = softmax_latents(amplitude * kernel(square), CODES, 3)
    assert np.isfinite(fit.log_evidence)
    assert np.isfinite(fit.gradient).all()


def test_as_many_steps_as_needed_are_enough_and_one_less_is_not(square):
    K = kernel(square)
    needed = softmax_latents(K, CODES, 3).n_iter
    enough = softmax_latents(K, CODES, 3, max_iter=needed)
    less = softmax_latents(K, CODES, 3, max_iter=needed - 1)
    assert (enough.converged, less.converged) == (True, False)
    assert less.n_iter == needed - 1
