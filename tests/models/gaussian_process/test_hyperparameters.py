"""The prior on the share explained; the objective is tested in `test_evidence_gradients.py`."""

from functools import partial

import numpy as np
import pytest

from autotype.models.gaussian_process.ordinal_exact import share_log_prior
from tests.reference.gp_ordinal import share_log_density


def matrix(seed=0, n=7):
    Z = np.random.default_rng(seed).normal(size=(n, 3))
    return Z @ Z.T + np.eye(n)


WEIGHT = np.array([1.0, 2.0, 0.4, 1.0, 3.0, 0.1, 1.0])


@pytest.mark.parametrize("strength", [0.5, 1.0, 2.0, 5.0])
@pytest.mark.parametrize("noise", [1e-3, 0.3, 1.0, 40.0])
def test_is_the_beta_distribution_of_the_share(strength, noise):
    value, _, _ = share_log_prior(matrix(), noise, WEIGHT, strength=strength)
    slow = share_log_density(matrix(), noise, WEIGHT, strength)
    assert value == pytest.approx(slow, rel=1e-8)


def test_slopes_by_finite_differences():
    prior = partial(share_log_prior, weight=WEIGHT, strength=2.0)
    K, noise, h = matrix(), 0.7, 1e-5
    _, by_log_noise, by_kernel = prior(K, noise)
    change = matrix(1)
    ends = [prior(K + k * h * change, noise)[0] for k in (-1, 1)]
    assert np.sum(by_kernel * change) == pytest.approx((ends[1] - ends[0]) / (2 * h), rel=1e-7)
    ends = [prior(K, noise * np.exp(k * h))[0] for k in (-1, 1)]
    assert by_log_noise == pytest.approx((ends[1] - ends[0]) / (2 * h), rel=1e-7)


def test_a_row_of_weight_two_is_two_rows():
    rows = np.repeat(np.arange(7), [1, 2, 1, 1, 3, 1, 1])
    weight = np.array([1.0, 2.0, 1.0, 1.0, 3.0, 1.0, 1.0])
    K = matrix()
    by_weight, *_ = share_log_prior(K, 0.5, weight, strength=2.0)
    by_rows, *_ = share_log_prior(K[np.ix_(rows, rows)], 0.5, np.ones(10), strength=2.0)
    assert by_weight == pytest.approx(by_rows, rel=1e-12)


def test_a_constant_added_to_the_function_is_no_effect_of_the_features():
    one, *_ = share_log_prior(matrix(), 0.5, WEIGHT, strength=2.0)
    other, *_ = share_log_prior(matrix() + 50.0, 0.5, WEIGHT, strength=2.0)
    assert other == pytest.approx(one, rel=1e-9)


@pytest.mark.parametrize("K", [np.zeros((7, 7)), np.ones((7, 7)), np.full((7, 7), 0.3)])
def test_is_flat_where_the_function_is_constant(K):
    assert share_log_prior(K, 0.5, WEIGHT, strength=2.0) == (0.0, 0.0, None)


def test_is_flat_without_strength():
    assert share_log_prior(matrix(), 0.5, WEIGHT, strength=0.0) == (0.0, 0.0, None)
