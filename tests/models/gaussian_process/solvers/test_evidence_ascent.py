"""Ascents on a known evidence: starts, failures, bounds."""

from types import SimpleNamespace

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.evidence_ascent import (
    Evidence,
    _bfgs_update,
    ascend,
)

BOUNDS = np.array([[-5.0, 5.0], [-5.0, 5.0]])
HESSIAN = np.array([[2.0, 0.5], [0.5, 1.0]])


class Quadratic(Evidence):
    """An evidence with its maximum 0 at (1, -2); none where the first parameter exceeds 4."""

    def __init__(self):
        super().__init__(self.infer_at)
        self.starts = []

    def infer_at(self, parameters, start):
        if parameters[0] > 4.0:
            raise np.linalg.LinAlgError
        self.starts.append(start)
        offset = parameters - [1.0, -2.0]
        value = -0.5 * offset @ HESSIAN @ offset
        return SimpleNamespace(log_evidence=value, converged=True), value, -HESSIAN @ offset


def test_an_ascent_with_the_true_curvature_needs_one_step():
    evidence = Quadratic()
    ascent = ascend(evidence, np.array([0.5, -1.0]), BOUNDS, hessian=HESSIAN, max_iter=10)
    assert (ascent.n_iter, ascent.converged) == (1, True)
    np.testing.assert_allclose(ascent.parameters, [1.0, -2.0], atol=1e-5)


def test_an_ascent_stops_at_a_bound():
    bounds = np.array([[-5.0, 0.0], [-5.0, 5.0]])
    ascent = ascend(Quadratic(), np.zeros(2), bounds, hessian=HESSIAN, max_iter=20)
    assert ascent.converged
    np.testing.assert_allclose(ascent.parameters, [0.0, -1.5], atol=1e-2)


def test_evaluations_start_from_the_last_posterior_and_anew_after_a_failure():
    evidence = Quadratic()
    evidence(np.zeros(2))
    value, slope = evidence(np.array([4.5, 0.0]))
    assert value > 1e90
    np.testing.assert_array_equal(slope, 0.0)
    evidence(np.zeros(2))
    evidence(np.ones(2))
    assert [start is None for start in evidence.starts] == [True, True, False]


def rosenbrock(x):
    """A curved valley: concave here and there, and its minimum is at (1, 1)."""
    value = (1 - x[0]) ** 2 + 20 * (x[1] - x[0] ** 2) ** 2
    slope = np.array([-2 * (1 - x[0]) - 80 * x[0] * (x[1] - x[0] ** 2), 40 * (x[1] - x[0] ** 2)])
    return value, slope


@pytest.mark.parametrize("start", [(-1.2, 1.0), (0.0, 2.0), (2.0, -1.0)])
def test_an_ascent_finds_a_minimum_from_afar_and_with_a_wrong_curvature(start):
    ascent = ascend(rosenbrock, np.array(start), BOUNDS, hessian=np.eye(2), max_iter=200, tol=1e-10)
    assert ascent.converged
    np.testing.assert_allclose(ascent.parameters, [1.0, 1.0], atol=1e-3)
    assert ascent.value == rosenbrock(ascent.parameters)[0]


def test_an_ascent_moves_no_parameter_by_more_than_a_factor_of_e_squared():
    seen = []

    def cliff(x):
        seen.append(x)
        return 1e3 * x.sum(), np.full(2, 1e3)

    ascend(cliff, np.array([4.0, 4.5]), BOUNDS, hessian=np.diag([1.0, 2.0]), max_iter=1)
    np.testing.assert_allclose(seen[1], [2.0, 3.5])


@pytest.mark.parametrize(("slope", "converged"), [(5e-4, True), (10.0, False)])
def test_an_ascent_without_progress_has_converged_only_if_little_was_promised(slope, converged):
    """The gradient is wrong, so that no length of the step lowers the value."""

    def misleading(x):
        return float(np.abs(x).sum()), np.full(2, slope)

    ascent = ascend(misleading, np.zeros(2), BOUNDS, hessian=1e-4 * np.eye(2), max_iter=5)
    assert (ascent.converged, ascent.n_iter) == (converged, 0)
    np.testing.assert_array_equal(ascent.parameters, 0.0)


def test_an_ascent_out_of_iterations_has_not_converged():
    ascent = ascend(rosenbrock, np.array([-1.2, 1.0]), BOUNDS, hessian=np.eye(2), max_iter=2)
    assert (ascent.converged, ascent.n_iter) == (False, 2)


@pytest.mark.parametrize("seed", range(5))
def test_the_updated_curvature_is_that_of_the_step_and_stays_positive(seed):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((4, 4))
    H, step = root @ root.T + np.eye(4), rng.standard_normal(4)
    change = (H + np.diag([1.0, 2.0, 3.0, 4.0])) @ step
    updated = _bfgs_update(H, step, change)
    np.testing.assert_allclose(updated, updated.T)
    np.testing.assert_allclose(updated @ step, change)  # the secant equation
    across = np.linalg.svd(np.array([H @ step, change]))[2][2:].T
    np.testing.assert_allclose(across.T @ updated @ across, across.T @ H @ across)
    assert np.linalg.eigvalsh(updated).min() > 0

    damped = _bfgs_update(H, step, -change)  # as if concave along the step
    assert np.linalg.eigvalsh(damped).min() > 0
    # Powell (1978): a tenth of the curvature that was expected is kept.
    assert step @ damped @ step == pytest.approx(0.1 * step @ H @ step)


def test_an_evidence_that_is_no_number_counts_as_the_worst():
    class Broken(Quadratic):
        def infer_at(self, parameters, start):
            return *super().infer_at(parameters, start)[:2], np.full(2, np.nan)

    evidence = Broken()
    value, slope = evidence(np.zeros(2))
    assert value > 1e90
    np.testing.assert_array_equal(slope, 0.0)


def test_an_ascent_hands_its_curvature_on():
    first = ascend(rosenbrock, np.zeros(2), BOUNDS, hessian=np.eye(2), max_iter=8)
    shared = {"max_iter": 50, "tol": 1e-10}
    ascent = ascend(rosenbrock, first.parameters, BOUNDS, hessian=first.hessian, **shared)
    again = ascend(rosenbrock, first.parameters, BOUNDS, hessian=np.eye(2), **shared)
    np.testing.assert_allclose(ascent.parameters, [1.0, 1.0], atol=1e-4)
    assert ascent.n_iter < again.n_iter
