from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from autotype.models.preferences.solvers import path as highs
from autotype.models.preferences.solvers.dense_simplex import DenseProgram
from autotype.models.preferences.solvers.path import (
    NO_ROW,
    HighsProgram,
    PreferenceProblem,
    solve_preference_path,
    solve_preferences,
)
from tests.reference.preference_lp import solve_printed

PROGRAMS = [DenseProgram, HighsProgram]
KINDS = ["pairs", "equality", "closeness", "bands", "at least", "at most", "equal to", "mixed"]


def rbf(A, B, gamma=0.3):
    return np.exp(-gamma * ((A[:, None] - B[None]) ** 2).sum(axis=2))


def tuples(kind, rng, truth):
    """Preferences (above, below, d, w) of one kind over the rows of `truth`."""
    n = len(truth)
    i, j = rng.integers(0, n, (2, 40))
    w = rng.random(40)
    none = np.full(40, NO_ROW)
    noisy = truth[i] + 0.3 * rng.standard_normal(40)
    zero, tube, two = np.zeros(40), np.full(40, 0.1), np.concatenate
    if kind == "pairs":
        return i, j, rng.uniform(-1, 1) * (truth[i] - truth[j]), w
    if kind in ("equality", "closeness", "bands"):
        low = {"equality": zero, "closeness": -tube, "bands": zero}[kind]
        high = {"equality": zero, "closeness": tube, "bands": 4 * tube}[kind]
        return two([i, j]), two([j, i]), two([low, -high]), two([w, w])
    if kind == "at least":
        return i, none, noisy, w
    if kind == "at most":
        return none, i, -noisy, w
    if kind == "equal to":
        return two([i, none]), two([none, i]), two([noisy, -noisy]), two([w, w])
    parts = [tuples(other, rng, truth) for other in KINDS[:-1]]
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


def problem_of(kind, seed=0, n=20, epsilon=0.0, offset=0.0, gamma=0.3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n + 40, 3))
    truth = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + offset
    above, below, difference, weight = tuples(kind, rng, truth[n:])
    costs = rng.random(n) + 0.1
    return PreferenceProblem(
        K=rbf(X[:n], X[:n], gamma),
        y=truth[:n] + 0.1 * rng.standard_normal(n),
        costs=costs / costs.sum(),
        K_rows=rbf(X[n:], X[:n], gamma),
        above=above,
        below=below,
        difference=difference,
        weight=weight,
        epsilon=epsilon,
    )


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_the_optimum_is_that_of_eq_7_as_printed(kind, epsilon, program):
    for seed, lambda1, lambda2 in [(0, 1e-3, 1.0), (1, 0.03, 0.3), (2, 0.0, 5.0), (3, 3.0, 1.0)]:
        problem = problem_of(kind, seed, epsilon=epsilon, offset=10.0 * seed)
        expected, _, _ = solve_printed(problem, lambda1, lambda2)
        solution = solve_preferences(problem, lambda1=lambda1, lambda2=lambda2, program=program)
        assert solution.objective == pytest.approx(expected, rel=1e-8, abs=1e-8)
        assert solution.dual_objective == pytest.approx(expected, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("program", PROGRAMS)
def test_many_preferences_come_in_by_columns(program):
    parts = [problem_of("mixed", seed=7, n=12)]
    rng = np.random.default_rng(8)
    above, below = rng.integers(0, 40, (2, 900))
    problem = replace(
        parts[0], above=above, below=below, difference=rng.normal(size=900), weight=rng.random(900)
    )
    solution = solve_preferences(problem, lambda1=1e-3, lambda2=1.0, program=program)
    expected, _, _ = solve_printed(problem, 1e-3, 1.0)
    assert solution.objective == pytest.approx(expected, rel=1e-8)
    assert solution.n_columns < 900


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_path_finds_what_single_solves_find(program):
    problem = problem_of("mixed", seed=4)
    lambda1s = np.logspace(1, -5, 13)
    path = list(solve_preference_path(problem, lambda1s=lambda1s, lambda2=1.0, program=program))
    for lambda1, solution in zip(lambda1s, path, strict=True):
        alone = solve_preferences(problem, lambda1=lambda1, lambda2=1.0, program=program)
        assert solution.objective == pytest.approx(alone.objective, rel=1e-8)
    assert np.all(np.diff([s.objective for s in path]) <= 1e-10)


@pytest.mark.parametrize("program", PROGRAMS)
def test_without_preferences_it_is_the_1_norm_svr(program):
    problem = problem_of("pairs", epsilon=0.1)
    alone = replace(problem, above=problem.above[:0], below=problem.below[:0])
    alone = replace(alone, difference=problem.difference[:0], weight=problem.weight[:0])
    off = solve_preferences(problem, lambda1=0.01, lambda2=0.0, program=program)
    none = solve_preferences(alone, lambda1=0.01, lambda2=1.0, program=program)
    assert off.objective == pytest.approx(none.objective, rel=1e-10)
    assert none.objective == pytest.approx(solve_printed(alone, 0.01, 1.0)[0], rel=1e-8)


@pytest.mark.parametrize("scale", [1e-6, 1e5])
def test_units_of_the_target_change_nothing(scale):
    problem = problem_of("mixed", seed=5)
    larger = replace(problem, y=scale * problem.y, difference=scale * problem.difference)
    first = solve_preferences(problem, lambda1=0.01, lambda2=1.0)
    second = solve_preferences(larger, lambda1=0.01, lambda2=1.0)
    assert second.objective == pytest.approx(scale * first.objective, rel=1e-9)
    np.testing.assert_allclose(second.coefficients, scale * first.coefficients, atol=1e-7 * scale)


@pytest.mark.parametrize("factor", [1e-4, 1e4])
def test_units_of_the_kernel_are_those_of_lambda1(factor):
    problem = problem_of("mixed", seed=6)
    larger = replace(problem, K=factor * problem.K, K_rows=factor * problem.K_rows)
    first = solve_preferences(problem, lambda1=0.01, lambda2=1.0)
    second = solve_preferences(larger, lambda1=factor * 0.01, lambda2=1.0)
    assert second.objective == pytest.approx(first.objective, rel=1e-9)


def test_wide_kernels_are_solved_too():
    # All entries are 1 up to 1e-4: the program sees what distinguishes the rows.
    problem = problem_of("pairs", gamma=1e-5)
    solution = solve_preferences(problem, lambda1=1e-6, lambda2=1.0)
    assert solution.dual_objective == pytest.approx(solution.objective, rel=1e-7)


@pytest.mark.parametrize("program", PROGRAMS)
def test_one_row_and_a_constant_target(program):
    problem = PreferenceProblem(
        K=np.ones((1, 1)),
        y=np.array([3.0]),
        costs=np.ones(1),
        K_rows=np.zeros((0, 1)),
        above=np.zeros(0, int),
        below=np.zeros(0, int),
        difference=np.zeros(0),
        weight=np.zeros(0),
    )
    solution = solve_preferences(problem, lambda1=1.0, lambda2=1.0, program=program)
    assert solution.intercept == pytest.approx(3.0)
    assert solution.objective == pytest.approx(0.0, abs=1e-12)


def test_highs_giving_up_is_an_error(monkeypatch):
    def give_up(*args, **kwargs):
        return OptimizeResult(status=4, message="numerical difficulties")

    monkeypatch.setattr(highs, "linprog", give_up)
    with pytest.raises(RuntimeError, match=r"not solved \(numerical difficulties\); scale"):
        solve_preferences(problem_of("pairs"), lambda1=1.0, lambda2=1.0, program=HighsProgram)


def test_a_tiny_constant_kernel_leaves_the_constant():
    """Its differences are rounding, next to which lambda1 is beyond what can be squared."""
    X = np.full((5, 30), 1e-75)
    y = np.array([0.1, -0.04, -1.2, 0.3, 0.7])
    nothing = np.zeros(0, dtype=int)
    problem = PreferenceProblem(
        K=X @ X.T,
        y=y,
        costs=np.array([0.1, 0.2, 0.3, 0.1, 0.3]),
        K_rows=np.zeros((0, 5)),
        above=nothing,
        below=nothing,
        difference=np.zeros(0),
        weight=np.zeros(0),
    )
    solution = solve_preferences(problem, lambda1=1e6, lambda2=1.0)
    assert not solution.coefficients.any()
    assert solution.intercept == pytest.approx(0.1)
