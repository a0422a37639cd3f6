"""Factors of I + T^1/2 K T^1/2, also of kernel matrices that rounding made indefinite."""

from __future__ import annotations

import numpy as np
import pytest
from autotype.models.gaussian_process.solvers._interval_likelihood_fast import largest_move

from autotype.models.gaussian_process.solvers.ordinal_latent import (
    factor_sites,
    site_inverse,
    site_variance,
    solve_sites,
)


def kernel_with(smallest: float, n: int = 6) -> np.ndarray:
    """Symmetric matrix whose eigenvalues are positive but for one."""
    rng = np.random.default_rng(0)
    vectors, _ = np.linalg.qr(rng.standard_normal((n, n)))
    return (vectors * np.r_[smallest, np.linspace(0.5, 2.0, n - 1)]) @ vectors.T


def test_the_factor_is_that_of_the_definition() -> None:
    K, root = kernel_with(0.1), np.linspace(0.5, 3.0, 6)
    factor = factor_sites(K, root)
    np.testing.assert_allclose(factor @ factor.T, np.eye(6) + root[:, None] * K * root)
    vector = np.arange(6.0)
    expected = np.linalg.solve(K + np.diag(root**-2), vector)
    np.testing.assert_allclose(solve_sites(factor, root, vector), expected)


@pytest.mark.parametrize("deficit", [1e-11, 1e-8, 1e-5])
def test_rounding_below_zero_is_made_up_for(deficit: float) -> None:
    K = kernel_with(-1.0 - deficit)
    factor = factor_sites(K, np.ones(6))
    np.testing.assert_allclose(factor @ factor.T, np.eye(6) + K, atol=1e-3)


@pytest.mark.parametrize("K", [kernel_with(-1.5), np.full((6, 6), np.nan)])
def test_a_matrix_that_is_no_kernel_is_refused(K: np.ndarray) -> None:
    with pytest.raises(np.linalg.LinAlgError, match="not positive semi-definite; rescale"):
        factor_sites(K, np.ones(6))


def test_variances_are_those_of_the_dense_inverse():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((9, 9))
    K, tau = A @ A.T, rng.uniform(0.5, 2.0, 9)
    for small in ([], [3], [0, 8]):  # sites of next to no precision take another way
        tau[small] = 1e-12
        root = np.sqrt(tau)
        factor = factor_sites(K, root)
        B = np.eye(9) + root[:, None] * K * root
        np.testing.assert_allclose(factor @ factor.T, B, rtol=1e-12)
        R, variance = site_inverse(K, factor, root)
        full = root[:, None] * np.linalg.inv(B) * root
        np.testing.assert_allclose(np.tril(R), np.tril(full), atol=1e-12)
        np.testing.assert_allclose(variance, np.diag(K - K @ full @ K), rtol=1e-8)
        np.testing.assert_allclose(site_variance(K, factor, root), variance, rtol=1e-12)


def test_kernel_matrix_in_any_order_is_factored():
    K = np.array([[2.0, 0.5], [0.5, 1.0]])
    root = np.array([1.0, 2.0])
    np.testing.assert_array_equal(factor_sites(np.asfortranarray(K), root), factor_sites(K, root))


def test_largest_move_is_in_posterior_deviations():
    rng = np.random.default_rng(1)
    tau, nu, new_tau, new_nu, mean = rng.standard_normal((5, 7))
    variance, weight = rng.uniform(0.1, 2.0, (2, 7))
    change = new_tau - tau
    slide = np.abs(new_nu - nu - change * mean) * np.sqrt(variance)
    expected = ((slide + np.abs(change) * variance) * np.minimum(weight, 1.0)).max()
    arrays = [tau, nu, new_tau, new_nu, mean, variance, weight]
    assert largest_move(*arrays) == pytest.approx(expected, rel=1e-12)
    new_nu[2] = np.nan  # no site that is none may pass for one that stays
    assert np.isnan(largest_move(*arrays))
