"""Kernel NPSVOR by sequential minimal optimisation, beside the paper's ADMM, its slow twin."""

from __future__ import annotations

import numpy as np
import pytest

from autotype.models.svm.solvers.smo import solve_kernel_ranks
from tests.reference.npsvor_admm import (
    RankProblem,
    RankTerms,
    distance_from_optimum,
    solve_kernel_ranks_by_admm,
)
from tests.reference.npsvor_qp import solve_rank


def solve_by_pair_steps(problem, *, tol, max_iter):
    return solve_kernel_ranks(**vars(problem), tol=tol, max_iter=max_iter)


SOLVERS = [solve_kernel_ranks_by_admm, solve_by_pair_steps]


def random_problem(n_ranks, *, n=40, seed=0, epsilon=0.1):
    rng = np.random.default_rng(seed + n_ranks)
    X = rng.standard_normal((n, 3))
    latent = X @ rng.standard_normal(3) + rng.standard_normal(n)
    ranks = np.searchsorted(np.quantile(latent, np.arange(1, n_ranks) / n_ranks), latent)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 3)
    weights = rng.uniform(0.5, 3.0, n)
    return RankProblem(K, ranks, n_ranks, 0.7 * weights, 1.3 * weights, epsilon)


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("epsilon", [0.0, 0.1])
@pytest.mark.parametrize("n_ranks", range(2, 8))
def test_same_optimum_as_the_quadratic_program(n_ranks, epsilon, solve):
    problem = random_problem(n_ranks, epsilon=epsilon)
    solution = solve(problem, tol=1e-7, max_iter=20_000)
    assert solution.violation.max() <= 1e-7
    values = problem.K @ solution.coefficients + solution.offsets
    off = distance_from_optimum(problem.terms(), solution.coefficients, values)
    assert off.max() <= 2e-7
    np.testing.assert_allclose(solution.primal, solution.dual, rtol=1e-5)
    np.testing.assert_allclose(solution.coefficients.sum(axis=0), 0, atol=1e-6)
    for rank in range(n_ranks):
        c, minimum = solve_rank(
            problem.K,
            problem.ranks,
            rank,
            own=problem.own_costs,
            other=problem.other_costs,
            epsilon=epsilon,
            balanced=True,
        )
        assert -solution.dual[rank] == pytest.approx(minimum, rel=1e-6)
        np.testing.assert_allclose(
            problem.K @ solution.coefficients[:, rank], problem.K @ c, atol=1e-4
        )


@pytest.mark.parametrize("solve", SOLVERS)
def test_reversed_ranks_mirror_the_functions(solve):
    problem = random_problem(4)
    mirrored = RankProblem(**{**vars(problem), "ranks": 3 - problem.ranks})
    one = solve(problem, tol=1e-6, max_iter=20_000)
    two = solve(mirrored, tol=1e-6, max_iter=20_000)
    np.testing.assert_allclose(
        problem.K @ one.coefficients, -(problem.K @ two.coefficients)[:, ::-1], atol=1e-4
    )
    np.testing.assert_allclose(one.offsets, -two.offsets[::-1], atol=1e-4)


@pytest.mark.parametrize("solve", SOLVERS)
def test_too_few_iterations_are_reported(solve):
    assert solve(random_problem(4), tol=1e-9, max_iter=2).violation.max() > 1e-9


@pytest.mark.parametrize("solve", SOLVERS)
def test_rows_many_times_over(solve):
    """The free variables of equal rows are not unique; their function is."""
    once = random_problem(3, n=30)
    rows = np.repeat(np.arange(30), 8)
    many = RankProblem(
        once.K[np.ix_(rows, rows)],
        once.ranks[rows],
        3,
        once.own_costs[rows] / 8,
        once.other_costs[rows] / 8,
        once.epsilon,
    )
    one = solve(once, tol=1e-7, max_iter=20_000)
    two = solve(many, tol=1e-7, max_iter=20_000)
    np.testing.assert_allclose(two.primal, one.primal, rtol=1e-6)
    np.testing.assert_allclose(
        (many.K @ two.coefficients)[::8], once.K @ one.coefficients, atol=1e-4
    )


def test_admm_refuses_a_kernel_that_is_none():
    problem = RankProblem(**{**vars(random_problem(3)), "K": -1e9 * np.eye(40)})
    with pytest.raises(ValueError, match="negative eigenvalues"):
        solve_kernel_ranks_by_admm(problem, tol=1e-3, max_iter=100)


def one_sided(objective, c, step):
    """Slopes of a step of every variable alone, from finite differences."""
    return np.array([
        (objective(c + step * unit) - objective(c)) / abs(step) for unit in np.eye(len(c))
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_the_distance_from_the_optimum_is_the_steepest_step_down_that_the_bounds_allow(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(3, n=12, seed=seed, epsilon=0.3)
    terms = RankTerms(*(part[:, 1] for part in problem.terms()))
    kind = rng.integers(0, 3, 12)  # at 0, at a bound, between
    bound = np.where(rng.random(12) < 0.5, terms.lower, terms.upper)
    c = np.choose(kind, [np.zeros(12), bound, rng.uniform(0.2, 0.8, 12) * bound])
    # A constant makes the gap large, so that the optimality conditions decide.
    f = problem.K @ c + rng.standard_normal()

    def objective(at):
        """Linear in the function, exact in the terms h_i, whose kinks are at 0."""
        return f @ at + (terms.tube * np.abs(at) - terms.target * at).sum()

    up, down = one_sided(objective, c, 1e-6), one_sided(objective, c, -1e-6)
    steepest = max(
        0.0, np.max(np.where(c < terms.upper, -up, 0)), np.max(np.where(c > terms.lower, -down, 0))
    )
    lost = terms.costs * np.where(
        terms.target == 0,
        np.maximum(np.abs(f) - 0.3, 0),
        np.maximum(1 - terms.target * f, 0),
    )
    primal = f @ c / 2 + lost.sum()
    dual = -f @ c / 2 - (terms.tube * np.abs(c) - terms.target * c).sum()
    off_balance = abs(c.sum()) / max(np.abs(c).sum(), 1e-300)
    expected = max(min(steepest, abs((primal - dual) / primal)), off_balance)
    whole = type(terms)(*(part[:, None] for part in terms))
    assert distance_from_optimum(whole, c[:, None], f[:, None]) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("f", "c", "expected"),
    [
        # One row of the rank (tube 0.5), one below, one above. With small errors against large
        # costs the optimality conditions are what counts, and 1'c = 0 holds.
        ([0.0, -1.0, 1.0], [0.0, 0.0, 0.0], 0.0),
        ([0.6, -1.0, 1.0], [0.0, 0.0, 0.0], 0.1),  # a step down of the first
        ([-0.7, -1.0, 1.0], [0.0, 0.0, 0.0], 0.2),  # a step up of the first
        ([0.0, -1.0, 0.7], [0.0, 0.0, 0.0], 0.3),
        ([0.0, -0.6, 1.0], [0.0, 0.0, 0.0], 0.4),
        ([0.0, -3.0, 3.0], [0.0, 0.0, 0.0], 0.0),  # on the right side: the bounds hold them
        ([-0.5, -0.9, 1.0], [2.0, -2.0, 0.0], 0.1),
        ([0.5, -1.0, 0.8], [-2.0, 0.0, 2.0], 0.2),
    ],
)
def test_the_distance_from_the_optimum_by_hand(f, c, expected):
    lower, upper = np.array([[-10.0], [-10.0], [0.0]]), np.array([[10.0], [0.0], [10.0]])
    terms = RankTerms(lower, upper, np.array([[0.0], [-1.0], [1.0]]), np.array([[0.5], [0], [0]]))
    found = distance_from_optimum(terms, np.array(c)[:, None], np.array(f)[:, None])
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("solve", SOLVERS)
def test_it_stops_where_the_tolerance_is_reached(solve):
    loose = solve(random_problem(4), tol=1e-2, max_iter=20_000)
    tight = solve(random_problem(4), tol=1e-6, max_iter=20_000)
    assert loose.violation.max() <= 1e-2
    assert loose.n_iter <= tight.n_iter < 20_000
