"""Factors of I + T^1/2 K T^1/2, also of kernel matrices that rounding made indefinite."""

from __future__ import annotations

import numpy as np
import pytest

from autotype.gaussian_process.solvers.ordinal_latent import factor_sites, solve_sites


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
