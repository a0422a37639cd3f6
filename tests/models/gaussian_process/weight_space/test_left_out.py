from __future__ import annotations

import numpy as np
import pytest

from autotype.models.gaussian_process.weight_space.left_out import (
    leave_one_out_latents,
    leave_one_out_variances,
)
from tests.reference.weight_space import left_out_latents

Posterior = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def draw(n_rows: int, n_levels: int) -> Posterior:
    """Modes, covariances, codes and weights of rows whose likelihoods are in the posterior."""
    rng = np.random.default_rng(n_rows + n_levels)
    latent = 2.0 * rng.normal(size=(n_rows, n_levels))
    weight = rng.choice([0.5, 1.0], n_rows)
    spread = np.empty((n_rows, n_levels, n_levels))
    for i in range(n_rows):
        prob = np.exp(latent[i]) / np.sum(np.exp(latent[i]))
        factor = rng.normal(size=(n_levels, n_levels))
        prior = factor @ factor.T + 0.1 * np.eye(n_levels)
        precision = weight[i] * (np.diag(prob) - np.outer(prob, prob))
        spread[i] = np.linalg.inv(np.linalg.inv(prior) + precision)
    return latent, spread, rng.integers(0, n_levels, n_rows), weight


# Blocks of eight rows, and some that are not whole.
@pytest.mark.parametrize(("n_rows", "n_levels"), [(1, 2), (8, 3), (13, 5), (30, 20)])
def test_same_mean_and_covariance_as_the_reference(n_rows: int, n_levels: int) -> None:
    latent, spread, codes, weight = draw(n_rows, n_levels)
    mean, without = leave_one_out_latents(latent, spread, codes, sample_weight=weight)
    for i in range(n_rows):
        slow_mean, slow = left_out_latents(latent[i], spread[i], codes[i], weight[i])
        np.testing.assert_allclose(mean[i], slow_mean, atol=1e-8)
        np.testing.assert_allclose(without[i], slow, atol=1e-8)


@pytest.mark.parametrize(("n_rows", "n_levels"), [(13, 2), (16, 7)])
def test_variances_alone_are_the_diagonal(n_rows: int, n_levels: int) -> None:
    latent, spread, codes, weight = draw(n_rows, n_levels)
    mean, without = leave_one_out_latents(latent, spread, codes, sample_weight=weight)
    rows, columns = np.tril_indices(n_levels)
    packed = np.ascontiguousarray(spread[:, rows, columns].T)
    same_mean, variance = leave_one_out_variances(latent, packed, codes, weight)
    np.testing.assert_array_equal(same_mean, mean)
    np.testing.assert_allclose(variance, np.einsum("ikk->ik", without), rtol=1e-13)


def test_a_row_does_not_depend_on_the_others() -> None:
    latent, spread, codes, _ = draw(13, 4)
    mean, without = leave_one_out_latents(latent, spread, codes)
    order = np.arange(13)[::-1]
    other_mean, other = leave_one_out_latents(latent[order], spread[order], codes[order])
    np.testing.assert_array_equal(other_mean[order], mean)
    np.testing.assert_array_equal(other[order], without)


def test_a_row_that_alone_holds_its_latents_stays_finite() -> None:
    latent = np.zeros((1, 3))
    precision = np.eye(3) / 3 - 1 / 9
    spread = np.linalg.inv(precision + 1e-13 * np.eye(3))[None]
    mean, without = leave_one_out_latents(latent, spread, np.array([0]))
    assert np.all(np.isfinite(mean))
    assert np.all(np.isfinite(without))


def test_impossible_classes_change_nothing() -> None:
    latent = np.array([[0.0, 1.0, -2000.0]])
    spread = 0.1 * np.eye(3)[None]
    mean, without = leave_one_out_latents(latent, spread, np.array([0]))
    two_mean, two = leave_one_out_latents(latent[:, :2], spread[:, :2, :2], np.array([0]))
    np.testing.assert_allclose(mean[:, :2], two_mean)
    np.testing.assert_allclose(without[:, :2, :2], two)
    assert mean[0, 2] == -2000.0
