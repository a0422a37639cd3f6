from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from autotype.models.svm.solvers.red_svm import solve_red_svm
from tests.reference.dense_qp import solve_qp


def random_data(n_levels, *, n=30, m=4):
    rng = np.random.default_rng(n_levels)
    X = rng.standard_normal((n, m)) * (rng.random((n, m)) < 0.7)
    latent = X @ rng.standard_normal(m) + 0.5 * rng.standard_normal(n)
    ranks = np.searchsorted(np.quantile(latent, np.arange(1, n_levels) / n_levels), latent)
    return X, ranks.astype(np.int32), rng.uniform(0.3, 2.0, n)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("n_levels", range(2, 8))
def test_same_optimum_as_the_extended_binary_problem(n_levels, squared):
    X, ranks, costs = random_data(n_levels)
    solution = solve_red_svm(
        sparse.csr_matrix(X),
        ranks,
        costs,
        n_levels=n_levels,
        squared=squared,
        tol=1e-9,
        max_iter=50_000,
        seed=0,
    )
    assert solution.converged
    assert solution.primal == pytest.approx(solution.dual, rel=1e-6)
    rows, at = np.divmod(np.arange(len(X) * (n_levels - 1)), n_levels - 1)
    extended = np.hstack([X[rows], -np.eye(n_levels - 1)[at]])
    sides = np.where(ranks[rows] > at, 1.0, -1.0)
    P = sides[:, None] * (extended @ extended.T) * sides
    upper = costs[rows]
    if squared:
        P, upper = P + np.diag(0.5 / upper), np.full(len(rows), 1e4)
    x = solve_qp(P, -np.ones(len(rows)), np.zeros(len(rows)), upper)
    w = extended.T @ (sides * x)
    np.testing.assert_allclose(np.append(solution.coefficients, solution.offsets), w, atol=1e-4)
    assert solution.dual == pytest.approx(x.sum() - x @ P @ x / 2, rel=1e-6)


def test_too_few_passes_are_reported():
    X, ranks, costs = random_data(4)
    solution = solve_red_svm(
        sparse.csr_matrix(X),
        ranks,
        costs,
        n_levels=4,
        squared=False,
        tol=1e-9,
        max_iter=1,
        seed=0,
    )
    assert not solution.converged
    assert solution.n_iter == 1
