"""Pair steps with descents on a face between them."""

from __future__ import annotations

import numpy as np
import pytest

from autotype.models.svm.solvers import smo as pair_descent
from autotype.models.svm.solvers.smo import (
    DualState,
    KernelDual,
    active_set_step,
    minimise_by_pairs,
)

KERNELS = {
    "rbf": lambda X: np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 3),
    "nearly constant": lambda X: np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 300),
    "of low rank": lambda X: X @ X.T,
    "of rows often repeated": lambda X: np.exp(
        -((np.round(X)[:, None] - np.round(X)) ** 2).sum(axis=2) / 3
    ),
}


def random_problem(K, *, n_levels=4, linked=False, cost=100.0, noise=0.3):
    """Build the dual of SVOR with the rows of a kernel along its main direction."""
    rng = np.random.default_rng(n_levels)
    n = len(K)
    latent = np.linalg.eigh(K)[1][:, -2] * np.sqrt(n) + noise * rng.standard_normal(n)
    ranks = np.searchsorted(np.quantile(latent, np.arange(1, n_levels) / n_levels), latent)
    rows, at = np.divmod(np.arange(n * (n_levels - 1)), n_levels - 1)
    signs = np.where(ranks[rows] > at, 1.0, -1.0)
    if linked:
        near = (ranks[rows] == at) | (ranks[rows] == at + 1)
        rows, at, signs = rows[near], at[near], signs[near]
    return KernelDual(
        K=np.ascontiguousarray(K),
        rows=rows.astype(np.int32),
        thresholds=at.astype(np.int32),
        signs=signs,
        targets=signs,
        bounds=np.full(len(rows), cost),
        n_thresholds=n_levels - 1,
        linked=linked,
    )


def objective(problem, state):
    c = state.coefficients(problem)
    return c @ problem.K @ c / 2 - problem.targets @ (problem.signs * state.dual)


def is_feasible(problem, state):
    sums = np.bincount(problem.thresholds, weights=problem.signs * state.dual)
    # What thresholds 0 .. j have in excess flows on to the next, where they are linked.
    return (
        np.all((state.dual >= 0) & (state.dual <= problem.bounds))
        and np.all(state.flow >= 0)
        and np.allclose(np.cumsum(sums), np.append(-state.flow, 0), atol=1e-7)
        and np.allclose(state.latent, problem.K @ state.coefficients(problem), atol=1e-7)
    )


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_descent_lowers_the_objective_and_stays_feasible(kernel, linked, monkeypatch):
    X = np.random.default_rng(0).standard_normal((90, 3))
    problem = random_problem(KERNELS[kernel](X), linked=linked, cost=1e3)
    fell = []

    def watched(problem, state, free):
        before = objective(problem, state)
        assert active_set_step(problem, state, free)
        fell.append(before - objective(problem, state))
        assert is_feasible(problem, state)
        return True

    monkeypatch.setattr(pair_descent, "active_set_step", watched)
    state = minimise_by_pairs(problem, tol=1e-8, max_iter=10**5)
    assert state.converged
    assert is_feasible(problem, state)
    assert fell
    assert min(fell) > -1e-8
    assert max(fell) > 0
    assert (state.highest - state.lowest).max() <= 1e-8


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_same_minimum_as_pair_steps_alone(kernel, linked, monkeypatch):
    X = np.random.default_rng(1).standard_normal((50, 3))
    problem = random_problem(KERNELS[kernel](X), linked=linked, cost=10.0)
    with_descents = minimise_by_pairs(problem, tol=1e-6, max_iter=10**6)
    monkeypatch.setattr(pair_descent, "active_set_step", lambda *_: False)
    alone = minimise_by_pairs(problem, tol=1e-6, max_iter=10**6)
    assert with_descents.converged
    assert alone.converged
    assert objective(problem, with_descents) == pytest.approx(objective(problem, alone), rel=1e-6)
    np.testing.assert_allclose(
        with_descents.latent - with_descents.latent.mean(),
        alone.latent - alone.latent.mean(),
        atol=1e-4,
    )


def test_descents_save_most_pair_steps(monkeypatch):
    X = np.random.default_rng(2).standard_normal((150, 3))
    problem = random_problem(KERNELS["nearly constant"](X), cost=1e4)
    with_descents = minimise_by_pairs(problem, tol=1e-4, max_iter=10**6)
    monkeypatch.setattr(pair_descent, "active_set_step", lambda *_: False)
    alone = minimise_by_pairs(problem, tol=1e-4, max_iter=10**6)
    assert with_descents.n_steps * 10 < alone.n_steps


def test_a_kernel_that_is_not_positive_definite_is_left_to_pair_steps():
    X = np.random.default_rng(3).standard_normal((200, 3))
    problem = random_problem(np.tanh(X @ X.T - 1), cost=1.0, noise=2.0)
    state = DualState(problem)
    state.dual[:] = 0.5
    before = state.dual.copy()
    assert not active_set_step(problem, state, np.arange(len(problem.rows)))
    np.testing.assert_array_equal(state.dual, before)
    state = minimise_by_pairs(problem, tol=1e-6, max_iter=10**6)
    assert state.converged
    assert is_feasible(problem, state)


def test_all_rows_count_in_what_too_few_steps_leave(monkeypatch):
    """Variables that were set aside are part of the state, too."""
    X = np.random.default_rng(4).standard_normal((150, 3))
    problem = random_problem(KERNELS["of low rank"](X), noise=0.0)
    monkeypatch.setattr(pair_descent, "active_set_step", lambda *_: False)
    state = minimise_by_pairs(problem, tol=1e-10, max_iter=1_100)
    assert not state.converged
    assert state.n_steps == 1_100
    assert is_feasible(problem, state)
    values = state.latent[problem.rows] - problem.targets
    falls = np.where(problem.signs > 0, state.dual > 0, state.dual < problem.bounds)
    for threshold in range(problem.n_thresholds):
        at = falls & (problem.thresholds == threshold)
        assert state.highest[threshold] == pytest.approx(values[at].max())
