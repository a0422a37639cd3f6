from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from autotype.models.preferences.solvers import dense_simplex
from autotype.models.preferences.solvers.dense_simplex import (
    DenseProgram,
    InfeasibleError,
    NotSolvedError,
)
from autotype.models.preferences.solvers.path import (
    HighsProgram,
    solve_preference_path,
    solve_preferences,
)
from tests.models.preferences.solvers.test_path import problem_of


def random_program(seed, n=12, n_columns=60, tie=False):
    """Rows of a matrix, and columns made of them with costs and bounds."""
    rng = np.random.default_rng(seed)
    rows = np.vstack([rng.standard_normal((30, n + 1)), np.zeros(n + 1)])
    above, below = rng.integers(0, 31, (2, n_columns))
    cost, upper = rng.standard_normal(n_columns), rng.random(n_columns)
    if tie:
        rows, cost, upper = np.round(rows), np.round(cost), np.ones(n_columns)
    columns = {"cost": cost, "lower": np.where(rng.random(n_columns) < 0.5, 0.0, -1.0)}
    return rows, above, below, {**columns, "upper": upper}


def expected_minimum(rows, above, below, columns, limit):
    A = (rows[above] - rows[below]).T
    result = linprog(
        columns["cost"],
        A_ub=np.vstack([A[:-1], -A[:-1]]),
        b_ub=np.full(2 * len(A) - 2, limit),
        A_eq=A[-1:],
        b_eq=[0.0],
        bounds=np.column_stack([columns["lower"], columns["upper"]]),
    )
    return result.fun


@pytest.mark.parametrize("tie", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_minimum_is_that_of_linprog_as_limits_and_columns_change(seed, tie):
    rows, above, below, columns = random_program(seed, tie=tie)
    program = DenseProgram(rows)
    for n, limit in [(40, 1.0), (40, 0.1), (60, 0.1), (60, 3.0), (60, 0.0), (60, 0.5)]:
        new = slice(len(program.above), n)
        part = {name: values[new] for name, values in columns.items()}
        program.add_columns(above[new], below[new], **part)
        program.set_limit(limit)
        multipliers, minimum = program.solve()
        known = {name: values[:n] for name, values in columns.items()}
        expected = expected_minimum(rows, above[:n], below[:n], known, limit)
        assert minimum == pytest.approx(expected, abs=1e-8)
        # Weak duality: the bound that the multipliers give is the minimum.
        reduced = known["cost"] - (rows[above[:n]] - rows[below[:n]]) @ multipliers
        bound = np.minimum(reduced * known["lower"], reduced * known["upper"]).sum()
        bound -= limit * np.abs(multipliers[:-1]).sum()
        assert bound == pytest.approx(expected, abs=1e-8)


def test_the_inverse_is_computed_anew(monkeypatch):
    monkeypatch.setattr(dense_simplex, "_AGE", 3)
    rows, above, below, columns = random_program(9)
    program = DenseProgram(rows)
    program.add_columns(above, below, **columns)
    program.set_limit(0.2)
    expected = expected_minimum(rows, above, below, columns, 0.2)
    assert program.solve()[1] == pytest.approx(expected, abs=1e-9)
    assert program.age <= 3 < program.n_iter


def test_costs_are_perturbed_where_ties_stop_the_method(monkeypatch):
    # Without costs every step is of length 0.
    rows, above, below, columns = random_program(3)
    columns |= {"cost": np.zeros(60), "lower": np.full(60, 0.5), "upper": np.full(60, 2.0)}
    monkeypatch.setattr(dense_simplex, "_STALL", 2)
    sizes = []
    monkeypatch.setattr(
        DenseProgram,
        "_perturb",
        lambda self, original=DenseProgram._perturb: (sizes.append(self.n_iter), original(self)),
    )
    program = DenseProgram(rows)
    program.add_columns(above, below, **columns)
    program.set_limit(5.0)
    assert program.solve()[1] == 0.0
    assert sizes


def test_what_it_gives_up_goes_to_highs(monkeypatch):
    problem = problem_of("mixed", seed=4)
    lambda1s = [0.1, 0.01, 0.001]
    expected = [
        solve_preferences(problem, lambda1=each, lambda2=1.0).objective for each in lambda1s
    ]
    original = DenseProgram.solve

    def give_up_later(self):
        if self.n_iter:
            raise NotSolvedError("as asked")
        return original(self)

    monkeypatch.setattr(DenseProgram, "solve", give_up_later)
    path = list(solve_preference_path(problem, lambda1s=lambda1s, lambda2=1.0))
    np.testing.assert_allclose([each.objective for each in path], expected, rtol=1e-8)
    pivots = [each.n_iter for each in path]
    assert pivots == sorted(pivots)


@pytest.mark.parametrize("name", ["_GAP", "_MOST_PIVOTS_PER_ROW"])
def test_it_gives_up_what_is_not_accurate_or_takes_too_long(monkeypatch, name):
    monkeypatch.setattr(dense_simplex, "_MOST_PIVOTS", 3)
    monkeypatch.setattr(dense_simplex, name, -1.0 if name == "_GAP" else 0)
    if name == "_GAP":
        monkeypatch.setattr(dense_simplex, "_MOST_PIVOTS", 1000)
    handed = []
    original = HighsProgram.continuing
    monkeypatch.setattr(
        HighsProgram, "continuing", lambda dense: handed.append(dense) or original(dense)
    )
    problem = replace(problem_of("pairs", seed=2))
    assert solve_preferences(problem, lambda1=0.01, lambda2=1.0).objective > 0
    assert len(handed) == 1


@pytest.mark.parametrize("seed", range(3))
def test_an_inverse_that_rounding_has_spoilt_is_computed_anew(seed):
    rows, above, below, columns = random_program(seed)
    program = DenseProgram(rows)
    program.add_columns(above, below, **columns)
    program.set_limit(1.0)
    program.solve()
    assert program.age
    noise = np.random.default_rng(seed).standard_normal(program.inverse.shape)
    program.inverse += 0.05 * noise
    program.set_limit(0.9)
    expected = expected_minimum(rows, above, below, columns, 0.9)
    assert program.solve()[1] == pytest.approx(expected, abs=1e-9)


def test_a_program_without_a_solution_is_given_up():
    rows, above, _, columns = random_program(0)
    rows = np.vstack([np.abs(rows[:-1]), rows[-1]])  # sums of positive columns are not 0
    above = above % 30
    program = DenseProgram(rows)
    columns |= {"lower": np.full(60, 0.5), "upper": np.ones(60)}
    program.add_columns(above, np.full(60, 30), **columns)
    program.set_limit(0.1)
    with pytest.raises(NotSolvedError, match="no variable can enter"):
        program.solve()


@pytest.mark.parametrize("seed", range(3))
def test_a_pivot_that_does_not_fit_its_row_has_the_inverse_computed_anew(seed, monkeypatch):
    """Rounding that spoils the inverse between two pivots is noticed at the next one."""
    rows, above, below, columns = random_program(seed)
    program = DenseProgram(rows)
    program.add_columns(above, below, **columns)
    program.set_limit(0.2)
    exchange = DenseProgram._exchange

    def spoil(self, place, column, row):
        exchange(self, place, column, row)
        if self.n_iter == 3:
            noise = np.random.default_rng(seed).standard_normal(self.inverse.shape)
            self.inverse += 0.01 * noise

    monkeypatch.setattr(DenseProgram, "_exchange", spoil)
    expected = expected_minimum(rows, above, below, columns, 0.2)
    assert program.solve()[1] == pytest.approx(expected, abs=1e-9)
    assert program.n_iter > 3


def test_the_pivots_are_counted(monkeypatch):
    pivots = []
    exchange = DenseProgram._exchange

    def counted(self, *args):
        pivots.append(args)
        exchange(self, *args)

    monkeypatch.setattr(DenseProgram, "_exchange", counted)
    rows, above, below, columns = random_program(2)
    program = DenseProgram(rows)
    program.add_columns(above, below, **columns)
    program.set_limit(0.5)
    program.solve()
    assert program.n_iter == len(pivots) > 0


@pytest.mark.parametrize("program", [DenseProgram, HighsProgram])
def test_what_is_held_counts_without_a_variable(program):
    """A column held at its bound is one whose variable has no other value."""
    rng = np.random.default_rng(5)
    rows = np.vstack([rng.standard_normal((30, 6)), np.zeros(6)])
    rows[:-1, -1] = 1.0
    above, below = rng.integers(0, 31, (2, 40))
    cost, upper = rng.standard_normal(40), rng.random(40)
    lower = -upper
    lower[30:] = upper[30:] = 0.5 * upper[30:]  # no choice
    whole, part = program(rows), program(rows[:1])
    part.add_rows(rows[1:])
    for problem, which in ((whole, slice(None)), (part, slice(30))):
        problem.add_columns(
            above[which], below[which], cost=cost[which], lower=lower[which], upper=upper[which]
        )
        problem.set_limit(0.5)
    total = upper[30:] @ (rows[above[30:]] - rows[below[30:]])
    part.set_upper(np.zeros(30))
    part.set_upper(upper[:30])
    part.hold(total, float(cost[30:] @ upper[30:]))
    multipliers, minimum = part.solve()
    expected, expected_minimum = whole.solve()
    assert minimum == pytest.approx(expected_minimum, abs=1e-9)
    np.testing.assert_allclose(multipliers, expected, atol=1e-7)


@pytest.mark.parametrize("program", [DenseProgram, HighsProgram])
def test_more_held_than_can_be_balanced(program):
    problem = program(np.vstack([np.eye(3), np.zeros(3)]))
    problem.add_columns(
        np.array([0, 1, 2]), np.full(3, 3), cost=np.ones(3), lower=-np.ones(3), upper=np.ones(3)
    )
    problem.set_limit(0.1)
    problem.hold(np.array([5.0, 0.0, 0.0]), 0.0)
    with pytest.raises(InfeasibleError, match=r"no variable can enter|infeasible"):
        problem.solve()
