from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Matern

from autotype.models.gaussian_process.kernels import (
    ARDDotProduct,
    KernelMatrix,
    cross_kernel,
    feature_relevance,
    learns_amplitude,
    named_kernel,
    scale_lengths,
)

KERNELS = [
    RBF(1.3),
    RBF([0.7, 1.1, 2.0]),
    ARDDotProduct([0.5, 1.0, 2.0]),
    ConstantKernel(2.0) * RBF([0.7, 1.1, 2.0]),
    ConstantKernel(2.0) * Matern(1.5, nu=1.5),
    ConstantKernel(0.5, "fixed") * DotProduct(0.0, "fixed"),
]


@pytest.fixture(name="X")
def points():
    return np.random.default_rng(0).normal(size=(12, 3))


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_matrix_and_contraction_are_the_kernels_own(kernel, X):
    weights = np.tril(np.random.default_rng(1).normal(size=(12, 12)))
    matrix = KernelMatrix(kernel, X)
    K, tensor = kernel(X, eval_gradient=True)
    np.testing.assert_allclose(matrix.value(kernel.theta), K, atol=1e-12)
    np.testing.assert_allclose(
        matrix.contract(np.asfortranarray(weights)),
        np.einsum("ij,ijp->p", weights, tensor),
        atol=1e-10,
    )


def test_ard_dot_product_is_a_kernel_of_scikit_learn(X):
    kernel = ARDDotProduct([0.5, 1.0, 2.0])
    K, gradient = kernel(X, eval_gradient=True)
    np.testing.assert_allclose(K, X @ np.diag([0.5, 1.0, 2.0]) @ X.T)
    np.testing.assert_allclose(kernel.diag(X), np.diag(K))
    np.testing.assert_allclose(kernel(X, X[:4]), K[:, :4])
    assert not kernel.is_stationary()
    h = 1e-6
    for p in range(3):
        up = kernel.clone_with_theta(kernel.theta + h * np.eye(3)[p])(X)
        down = kernel.clone_with_theta(kernel.theta - h * np.eye(3)[p])(X)
        np.testing.assert_allclose(gradient[:, :, p], (up - down) / (2 * h), atol=1e-8)
    fixed = ARDDotProduct([0.5, 1.0, 2.0], "fixed")
    assert fixed(X, eval_gradient=True)[1].shape == (12, 12, 0)


@pytest.mark.parametrize("name", ["rbf", "linear", "ard-rbf", "ard-linear"])
def test_named_kernels_start_on_the_scale_of_the_features(name, X):
    X = X - X.mean(axis=0)
    weight = np.ones(12)
    near, far = named_kernel(name, X, weight), named_kernel(name, 1e5 * X, weight)
    np.testing.assert_allclose(near(X), far(1e5 * X), rtol=1e-8)
    assert np.mean(near.diag(X)) == pytest.approx(1.0, abs=1e-6)


def test_constant_features_do_no_harm(X):
    X = np.column_stack([X - X.mean(axis=0), np.zeros(12)])
    for name in ("ard-rbf", "ard-linear"):
        assert np.isfinite(named_kernel(name, X, np.ones(12)).theta).all()


def test_what_a_kernel_learns():
    assert learns_amplitude(ConstantKernel() * RBF())
    assert not learns_amplitude(ConstantKernel(1.0, "fixed") * RBF())
    assert feature_relevance(RBF(1.0)) is None
    np.testing.assert_allclose(feature_relevance(ConstantKernel() * RBF([1.0, 2.0])), [1, 0.25])
    np.testing.assert_allclose(feature_relevance(ARDDotProduct([3.0, 4.0])), [3, 4])


def test_free_length_scales_are_multiplied_and_nothing_else() -> None:
    kernel = ConstantKernel(2.0) * RBF([1.0, 3.0]) + Matern(4.0, "fixed") + RBF(5.0, (2.0, 9.0))
    scaled = scale_lengths(kernel, 0.25)
    expected = ConstantKernel(2.0) * RBF([0.25, 0.75]) + Matern(4.0, "fixed") + RBF(2.0, (2, 9))
    np.testing.assert_allclose(scaled.theta, expected.theta)
    assert repr(scaled) == repr(expected)


def test_a_kernel_without_length_scales_stays_as_it_is() -> None:
    kernel = ConstantKernel(2.0) * DotProduct(1.0)
    assert scale_lengths(kernel, 0.25) == kernel


@pytest.mark.parametrize("far", [0.0, 1e7])
@pytest.mark.parametrize("kernel", [RBF(0.7), RBF([0.5, 2.0]), Matern(1.0)], ids=repr)
def test_kernels_between_two_sets_of_rows_are_the_kernels_own(kernel, far) -> None:
    X, Z = np.random.default_rng(2).normal(size=(2, 20, 2))
    X[0] = Z[0] = far
    np.testing.assert_allclose(cross_kernel(kernel, X, Z), kernel(X, Z), atol=1e-12)
