from __future__ import annotations

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.class_precision import (
    inverse_diagonal,
    triangular_inverse,
)


def factor(n: int) -> np.ndarray:
    """Lower Cholesky factor of a well-conditioned matrix."""
    root = np.random.default_rng(n).normal(size=(n, 2 * n))
    return np.asfortranarray(np.linalg.cholesky(root @ root.T / n))


# Below and above the order from which a matrix is halved, and halved twice.
@pytest.mark.parametrize("n", [1, 80, 81, 203])
@pytest.mark.parametrize(("dtype", "atol"), [(np.float64, 1e-12), (np.float32, 1e-4)])
def test_triangular_inverse(n: int, dtype: type, atol: float) -> None:
    lower = factor(n)
    inverse = triangular_inverse(lower.astype(dtype))
    assert inverse.dtype == dtype
    np.testing.assert_allclose(inverse, np.linalg.inv(lower), atol=atol)


@pytest.mark.parametrize("n", [3, 203])
def test_diagonal_of_the_inverse(n: int) -> None:
    lower = factor(n)
    np.testing.assert_allclose(
        inverse_diagonal(lower), np.diag(np.linalg.inv(lower @ lower.T)), rtol=1e-9
    )
