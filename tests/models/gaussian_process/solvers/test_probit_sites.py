"""Which of several joint normals is the largest: sampling, closed forms, far tails."""

import numpy as np
import pytest
from scipy.special import log_ndtr
from scipy.stats import multivariate_normal

from autotype.models.gaussian_process.solvers.probit_ep import (
    largest_probabilities,
    log_largest_probability,
)


def problem(levels, seed=0):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(levels, levels))
    return rng.normal(size=levels), A @ A.T + 0.2 * np.eye(levels)


def test_two_are_a_normal_distribution_function():
    mean, covariance = problem(2)
    spread = np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    found = log_largest_probability(mean[None], covariance[None], np.array([1]))
    assert found[0] == pytest.approx(log_ndtr((mean[1] - mean[0]) / spread), rel=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_three_agree_with_the_bivariate_distribution_function(seed):
    mean, covariance = problem(3, seed)
    D = np.array([[1.0, -1.0, 0.0], [1.0, 0.0, -1.0]])  # the first less each other
    reference = multivariate_normal(np.zeros(2), D @ covariance @ D.T).cdf(D @ mean)
    found = largest_probabilities(mean[None], covariance[None])
    assert found[0, 0] == pytest.approx(reference, abs=1e-5)


@pytest.mark.parametrize("levels", [4, 6])
def test_more_agree_with_sampling(levels):
    mean, covariance = problem(levels)
    draws = np.random.default_rng(1).multivariate_normal(mean, covariance, size=500_000)
    share = np.bincount(draws.argmax(axis=1), minlength=levels) / len(draws)
    np.testing.assert_allclose(
        largest_probabilities(mean[None], covariance[None])[0], share, atol=3e-3
    )


def test_a_row_does_not_depend_on_the_rows_beside_it():
    pairs = [problem(4, seed) for seed in range(3)]
    mean, covariance = (np.stack(part) for part in zip(*pairs, strict=True))
    alone = largest_probabilities(mean[1:2], covariance[1:2])
    np.testing.assert_array_equal(largest_probabilities(mean, covariance)[1:2], alone)


def test_far_tails_stay_finite():
    found = log_largest_probability(
        np.array([[-200.0, 0.0, 0.0, 0.0]]), np.eye(4)[None], np.array([0])
    )
    assert -4e4 < found[0] < -1e4
