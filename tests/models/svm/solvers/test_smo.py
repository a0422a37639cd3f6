from __future__ import annotations

import numpy as np
import pytest

from autotype.models.svm.solvers.smo import solve_thresholds
from tests.reference.svor_qp import solve_svor


def random_problem(n_levels, *, n=24, seed=0, noise=1.0):
    rng = np.random.default_rng(seed + n_levels)
    X = rng.standard_normal((n, 3))
    latent = X @ rng.standard_normal(3) + noise * rng.standard_normal(n)
    ranks = np.searchsorted(np.quantile(latent, np.arange(1, n_levels) / n_levels), latent)
    distance = ((X[:, None] - X) ** 2).sum(axis=2)
    return np.exp(-distance / 3), ranks, rng.uniform(0.5, 3.0, n)


@pytest.mark.parametrize("explicit", [False, True])
@pytest.mark.parametrize("n_levels", range(2, 8))
def test_same_optimum_as_the_quadratic_program(n_levels, explicit):
    K, ranks, costs = random_problem(n_levels)
    solution = solve_thresholds(
        K, ranks, costs, n_levels=n_levels, explicit=explicit, tol=1e-7, max_iter=10**6
    )
    assert solution.converged
    assert solution.violation <= 1e-7
    minimum = solve_svor(K, ranks, costs, n_levels, explicit=explicit)
    assert solution.primal == pytest.approx(minimum, rel=1e-5)
    assert solution.dual == pytest.approx(minimum, rel=1e-5)
    assert np.all(np.diff(solution.offsets) >= 0)


def test_thresholds_that_press_on_each_other():
    """Ranks against the scale make the explicit order bind."""
    K, ranks, costs = random_problem(5, noise=5.0, seed=3)
    ranks = np.array([0, 3, 1, 4, 2])[ranks]
    solution = solve_thresholds(
        K, ranks, costs, n_levels=5, explicit=True, tol=1e-7, max_iter=10**6
    )
    minimum = solve_svor(K, ranks, costs, 5, explicit=True)
    assert np.diff(solution.offsets).min() == pytest.approx(0, abs=1e-6)
    assert solution.primal == pytest.approx(minimum, rel=1e-5)
    assert solution.dual == pytest.approx(minimum, rel=1e-5)


@pytest.mark.parametrize("explicit", [False, True])
def test_reversed_ranks_mirror_the_solution(explicit):
    K, ranks, costs = random_problem(4)
    options = {"n_levels": 4, "explicit": explicit, "tol": 1e-9, "max_iter": 10**6}
    one = solve_thresholds(K, ranks, costs, **options)
    two = solve_thresholds(K, 3 - ranks, costs, **options)
    np.testing.assert_allclose(K @ one.coefficients, -(K @ two.coefficients), atol=1e-6)


def test_too_few_steps_are_reported():
    K, ranks, costs = random_problem(4)
    solution = solve_thresholds(K, ranks, costs, n_levels=4, explicit=False, tol=1e-6, max_iter=3)
    assert not solution.converged
    assert solution.n_iter == 3
    assert solution.violation > 1e-6


def test_no_steps_at_all_are_reported():
    K, ranks, costs = random_problem(4)
    solution = solve_thresholds(K, ranks, costs, n_levels=4, explicit=False, tol=1e-6, max_iter=0)
    assert (solution.converged, solution.n_iter) == (False, 0)
