from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from autotype.models.svm.solvers.dual_coordinate import (
    solve_linear_ranks,
    solve_linear_ranks_by_dcd1,
)
from autotype.models.svm.solvers.linear_problem import LinearRankProblem, npsvor_objectives
from autotype.models.svm.solvers.solution import relative_gap
from tests.reference.dual_bounds import dual_bounds
from tests.reference.npsvor_descent import descend
from tests.reference.npsvor_qp import solve_rank


def random_problem(n_ranks, *, n=40, m=6, squared=False, bias=1.0, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed + 17 * n_ranks)
    X = rng.standard_normal((n, m)) * (rng.random((n, m)) < 0.6)
    latent = X @ rng.standard_normal(m) + 0.5 * rng.standard_normal(n)
    ranks = np.searchsorted(np.quantile(latent, np.arange(1, n_ranks) / n_ranks), latent)
    weights = rng.uniform(0.5, 2.0, n)
    return LinearRankProblem(
        X=sparse.csr_matrix(X.astype(dtype)),
        ranks=ranks.astype(np.int32),
        ranks_of_columns=np.arange(n_ranks, dtype=np.int32),
        own_costs=0.7 * weights,
        other_costs=1.3 * weights,
        epsilon=0.1,
        squared=squared,
        bias=bias,
    )


def exactly(problem, **options):
    return solve_linear_ranks(problem, **{"tol": 1e-9, "max_iter": 20_000, "seed": 3, **options})


def gaps(problem, solution):
    return relative_gap(*npsvor_objectives(problem, solution))


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("n_ranks", range(2, 8))
def test_same_optimum_as_the_quadratic_program(n_ranks, squared):
    problem = random_problem(n_ranks, squared=squared)
    solution = exactly(problem)
    assert solution.converged.all()
    assert np.abs(gaps(problem, solution)).max() < 1e-7
    dual = npsvor_objectives(problem, solution)[1]
    X = np.hstack([problem.X.toarray(), np.full((40, 1), problem.bias)])
    for rank in range(n_ranks):
        c, minimum = solve_rank(
            X @ X.T,
            problem.ranks,
            rank,
            own=problem.own_costs,
            other=problem.other_costs,
            epsilon=problem.epsilon,
            squared=squared,
        )
        assert -dual[rank] == pytest.approx(minimum, rel=1e-7)
        plane = np.append(solution.weights[:, rank], solution.intercepts[rank])
        np.testing.assert_allclose(plane, X.T @ c, atol=2e-4)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize(("n_ranks", "n"), [(2, 41), (5, 40), (9, 60)])
def test_every_pass_is_that_of_the_plain_descent(n_ranks, n, squared):
    problem = random_problem(n_ranks, n=n, squared=squared)
    X = np.hstack([problem.X.toarray(), np.full((n, 1), problem.bias)])
    costs = {"own": problem.own_costs, "other": problem.other_costs}
    costs |= {"epsilon": problem.epsilon, "squared": squared}
    for max_iter, tol in ((3, 1e-2), (60, 1e-2), (60, 0.3)):
        solution = exactly(problem, tol=tol, max_iter=max_iter)
        for rank in range(n_ranks):
            c, n_iter = descend(
                X,
                problem.ranks,
                rank,
                **costs,
                tol=tol,
                max_iter=max_iter,
                seed=3,
            )
            assert solution.n_iter[rank] == n_iter
            np.testing.assert_allclose(solution.dual[:, rank], c, atol=1e-9)


@pytest.mark.parametrize("squared", [False, True])
def test_both_descents_agree(squared):
    problem = random_problem(4, squared=squared)
    one = solve_linear_ranks_by_dcd1(problem, tol=1e-9, max_iter=20_000, seed=1)
    two = exactly(problem)
    np.testing.assert_allclose(one.weights, two.weights, atol=1e-5)
    assert np.abs(gaps(problem, one)).max() < 1e-7


def test_the_default_stop_leaves_a_small_gap():
    problem = random_problem(5, n=2000, m=40)
    left = gaps(problem, exactly(problem, tol=0.1))
    assert np.all(left >= 0)
    assert left.max() < 0.2


@pytest.mark.parametrize("n_ranks", [2, 5, 7, 40])
def test_threads_and_grouping_change_nothing(n_ranks):
    problem = random_problem(n_ranks, n=300, m=30)
    alone = exactly(problem, tol=1e-2)
    for n_threads in (2, 3, 8):
        together = exactly(problem, tol=1e-2, n_threads=n_threads)
        np.testing.assert_array_equal(together.weights, alone.weights)
        np.testing.assert_array_equal(together.dual, alone.dual)
        np.testing.assert_array_equal(together.n_iter, alone.n_iter)


def test_shrinking_changes_no_optimum_and_restarts():
    problem = random_problem(5, n=500, m=10, seed=4)
    tight = gaps(problem, exactly(problem, tol=1e-8, max_iter=60_000))
    assert np.abs(tight).max() < 1e-6


@pytest.mark.parametrize("squared", [False, True])
def test_weight_two_is_a_row_twice(squared):
    problem = random_problem(4, squared=squared)
    rows = np.concatenate([np.arange(40), np.arange(10)])
    doubled = LinearRankProblem(
        X=problem.X[rows],
        ranks=problem.ranks[rows],
        ranks_of_columns=problem.ranks_of_columns,
        own_costs=problem.own_costs[rows],
        other_costs=problem.other_costs[rows],
        epsilon=0.1,
        squared=squared,
        bias=1.0,
    )
    factor = np.where(np.arange(40) < 10, 2.0, 1.0)
    weighted = LinearRankProblem(
        X=problem.X,
        ranks=problem.ranks,
        ranks_of_columns=problem.ranks_of_columns,
        own_costs=problem.own_costs * factor,
        other_costs=problem.other_costs * factor,
        epsilon=0.1,
        squared=squared,
        bias=1.0,
    )
    np.testing.assert_allclose(exactly(doubled).weights, exactly(weighted).weights, atol=1e-5)


def test_reversed_ranks_mirror_the_planes():
    problem = random_problem(4)
    mirrored = LinearRankProblem(
        X=problem.X,
        ranks=(3 - problem.ranks).astype(np.int32),
        ranks_of_columns=problem.ranks_of_columns,
        own_costs=problem.own_costs,
        other_costs=problem.other_costs,
        epsilon=0.1,
        squared=False,
        bias=1.0,
    )
    np.testing.assert_allclose(
        exactly(mirrored).weights, -exactly(problem).weights[:, ::-1], atol=1e-5
    )


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_and_index_width(index, dtype):
    reference = exactly(random_problem(5), tol=1e-3)
    problem = random_problem(5, dtype=dtype)
    problem.X.indices = problem.X.indices.astype(index)
    problem.X.indptr = problem.X.indptr.astype(index)
    solution = exactly(problem, tol=1e-3)
    assert solution.weights.dtype == dtype
    np.testing.assert_allclose(solution.weights, reference.weights, atol=5e-3)


def test_a_warm_start_reaches_the_same_optimum():
    problem = random_problem(5)
    first = exactly(problem, tol=1e-2)
    again = exactly(problem, start=first)
    assert again.n_iter.max() < exactly(problem).n_iter.max()
    np.testing.assert_allclose(again.weights, exactly(problem).weights, atol=1e-5)


def test_rows_without_costs_do_not_count():
    problem = random_problem(4)
    kept = np.arange(40) % 3 != 0
    part = replace(
        problem, own_costs=kept * problem.own_costs, other_costs=kept * problem.other_costs
    )
    fewer = LinearRankProblem(
        **{
            **vars(problem),
            "X": problem.X[kept],
            "ranks": problem.ranks[kept],
            "own_costs": problem.own_costs[kept],
            "other_costs": problem.other_costs[kept],
        }
    )
    solution = exactly(part)
    np.testing.assert_allclose(solution.weights, exactly(fewer).weights, atol=1e-5)
    assert np.all(solution.dual[~kept] == 0)
    lower, upper = dual_bounds(part)
    assert np.all((lower <= solution.dual) & (solution.dual <= upper))
    assert np.abs(gaps(part, solution)).max() < 1e-7


@pytest.mark.parametrize("squared", [False, True])
def test_objectives_are_those_of_the_paper(squared):
    problem = random_problem(5, squared=squared)
    counts = np.random.default_rng(1).random((2, 40)) < 0.8
    problem = replace(
        problem,
        own_costs=problem.own_costs * counts[0],
        other_costs=problem.other_costs * counts[1],
    )
    solution = exactly(problem, tol=0.2)
    ranks, power = problem.ranks[:, None], 2 if squared else 1
    side = np.sign(ranks - problem.ranks_of_columns)
    f = problem.X @ solution.weights + solution.intercepts
    error = np.where(side == 0, np.abs(f) - problem.epsilon, 1 - side * f)
    cost = np.where(side == 0, problem.own_costs[:, None], problem.other_costs[:, None])
    norm = (solution.weights**2).sum(axis=0) + (solution.intercepts / problem.bias) ** 2
    primal = norm / 2 + (cost * np.maximum(error, 0) ** power).sum(axis=0)
    c = solution.dual
    dual = (side * c - problem.epsilon * np.abs(c) * (side == 0)).sum(axis=0) - norm / 2
    if squared:
        dual -= np.where(cost > 0, c**2 / np.where(cost > 0, 4 * cost, 1), 0).sum(axis=0)
    objectives = npsvor_objectives(problem, solution)
    np.testing.assert_allclose(objectives[0], primal, rtol=1e-12)
    np.testing.assert_allclose(objectives[1], dual, rtol=1e-12)
    threaded = npsvor_objectives(problem, solution, n_threads=2)
    np.testing.assert_array_equal(threaded, objectives)


def test_empty_rows_end_at_their_bound():
    problem = random_problem(3, bias=0.0)
    dense = problem.X.toarray()
    dense[:5] = 0
    empty = LinearRankProblem(**{**vars(problem), "X": sparse.csr_matrix(dense)})
    solution = exactly(empty)
    assert np.abs(gaps(empty, solution)).max() < 1e-7


def test_too_few_passes_are_reported():
    solution = exactly(random_problem(4), max_iter=1)
    assert not solution.converged.any()
    assert solution.n_iter.tolist() == [1, 1, 1, 1]


def test_finished_columns_leave_the_visits_and_come_back_in_order():
    problem = random_problem(6, n=400, m=30, seed=2)
    solution = exactly(problem, tol=1e-3)
    assert len(set(solution.n_iter.tolist())) > 2  # columns end at different passes
    for column in range(6):
        alone = exactly(
            replace(problem, ranks_of_columns=np.array([column], dtype=np.int32)), tol=1e-3
        )
        np.testing.assert_array_equal(alone.weights[:, 0], solution.weights[:, column])
        np.testing.assert_array_equal(alone.dual[:, 0], solution.dual[:, column])
        assert alone.n_iter[0] == solution.n_iter[column]


def test_dcd1_counts_its_passes_and_stops_at_the_tolerance():
    problem = random_problem(4)
    short = solve_linear_ranks_by_dcd1(problem, tol=1e-9, max_iter=3, seed=1)
    assert short.n_iter.tolist() == [3] * 4
    assert not short.converged.any()
    loose = solve_linear_ranks_by_dcd1(problem, tol=0.1, max_iter=20_000, seed=1)
    tight = solve_linear_ranks_by_dcd1(problem, tol=1e-6, max_iter=20_000, seed=1)
    assert loose.converged.all()
    assert tight.converged.all()
    assert np.all(loose.n_iter < tight.n_iter)
