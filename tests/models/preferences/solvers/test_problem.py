from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from autotype.models.preferences.solvers.path import (
    NO_ROW,
    PreferenceProblem,
    best_constant,
    solve_preferences,
)


def problem_of(seed, n=15, epsilon=0.0, kind="all"):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n + 20, 2))
    gram = np.exp(-0.5 * ((X[:, None] - X[None, :n]) ** 2).sum(axis=2))
    above, below = rng.integers(0, 20, (2, 60))
    if kind != "pairs":
        above[20:40] = NO_ROW
        below[40:] = NO_ROW
    costs = rng.random(n) + 0.1
    return PreferenceProblem(
        K=gram[:n],
        y=rng.standard_normal(n),
        costs=costs / costs.sum(),
        K_rows=gram[n:],
        above=above,
        below=below,
        difference=rng.standard_normal(60),
        weight=rng.random(60),
        epsilon=epsilon,
    )


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
@pytest.mark.parametrize("kind", ["all", "pairs"])
@pytest.mark.parametrize("seed", range(4))
def test_no_constant_and_no_function_is_better(seed, kind, epsilon):
    problem = problem_of(seed, epsilon=epsilon, kind=kind)
    _, objective, lambda1 = best_constant(problem, lambda2=0.7)
    none = np.zeros(15)
    by_search = minimize_scalar(
        lambda a: problem.objective(none, a, lambda1=0.0, lambda2=0.7),
        bounds=(-4, 4),
        method="bounded",
        options={"xatol": 1e-10},
    )
    assert objective == pytest.approx(by_search.fun, abs=1e-8)
    at = solve_preferences(problem, lambda1=lambda1 * 1.0001, lambda2=0.7)
    assert at.objective == pytest.approx(objective, rel=1e-9)
    assert not at.coefficients.any()
    under = solve_preferences(problem, lambda1=lambda1 * 0.98, lambda2=0.7)
    assert under.objective < objective
    assert under.coefficients.any()


def test_ties_and_an_even_number():
    # Two rows each at 0 and at 1: every constant between them is as good, the middle is taken.
    nothing = np.zeros(0, dtype=int)
    problem = PreferenceProblem(
        K=np.eye(4),
        y=np.array([0.0, 1.0, 0.0, 1.0]),
        costs=np.full(4, 0.25),
        K_rows=np.zeros((0, 4)),
        above=nothing,
        below=nothing,
        difference=np.zeros(0),
        weight=np.zeros(0),
    )
    assert best_constant(problem, lambda2=1.0) == (0.5, 0.5, 0.25)
    same = best_constant(replace(problem, y=np.ones(4)), lambda2=1.0)
    assert same == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("n", [3, 5, 6, 7])
def test_rounding_does_not_hide_that_a_whole_interval_is_as_good(n):
    nothing = np.zeros(0, dtype=int)
    problem = PreferenceProblem(
        K=np.eye(2 * n),
        y=np.repeat([0.0, 1.0], n),
        costs=np.full(2 * n, 0.1),  # no sum of tenths is exact
        K_rows=np.zeros((0, 2 * n)),
        above=nothing,
        below=nothing,
        difference=np.zeros(0),
        weight=np.zeros(0),
    )
    assert best_constant(problem, lambda2=1.0)[0] == 0.5


def test_rounding_is_no_slope():
    """Equal targets need no function, though tenths do not add up exactly."""
    nothing = np.zeros(0, dtype=int)
    x = np.random.default_rng(0).standard_normal(10)
    problem = PreferenceProblem(
        K=np.exp(-((x[:, None] - x) ** 2)),
        y=np.full(10, 1.5),
        costs=np.full(10, 0.1),
        K_rows=np.zeros((0, 10)),
        above=nothing,
        below=nothing,
        difference=np.zeros(0),
        weight=np.zeros(0),
    )
    assert best_constant(problem, lambda2=1.0)[2] == 0.0
