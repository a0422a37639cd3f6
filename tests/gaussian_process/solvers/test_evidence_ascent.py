"""Ascents on a known evidence: both algorithms, starts, failures, bounds."""

from types import SimpleNamespace

import numpy as np
import pytest

from autotype.gaussian_process.solvers.evidence_ascent import (
    Evidence,
    Tolerance,
    ascend,
    curvature_at,
    polish,
)

BOUNDS = np.array([[-5.0, 5.0], [-5.0, 5.0]])
FINE = Tolerance(ftol=1e-13, gtol=1e-8, max_line_search=20)
HESSIAN = np.array([[2.0, 0.5], [0.5, 1.0]])


class Quadratic(Evidence):
    """An evidence with its maximum 0 at (1, -2); none where the first parameter exceeds 4."""

    def __init__(self):
        super().__init__(self.infer_at)
        self.starts = []

    def infer_at(self, parameters, *, start):
        if parameters[0] > 4.0:
            raise np.linalg.LinAlgError
        self.starts.append(start)
        offset = parameters - [1.0, -2.0]
        value = -0.5 * offset @ HESSIAN @ offset
        return SimpleNamespace(log_evidence=value, gradient=-HESSIAN @ offset, converged=True)

    def arguments(self, parameters):
        return (parameters,)

    def slope(self, parameters, posterior):
        return posterior.gradient


def test_lbfgs_reaches_the_maximum_from_the_best_start():
    ascent = ascend(
        Quadratic(),
        [np.array([-4.0, 4.0]), np.array([0.0, 0.0])],
        BOUNDS,
        tolerance=FINE,
        max_iter=50,
        n_best=1,
    )
    assert ascent.converged
    np.testing.assert_allclose(ascent.parameters, [1.0, -2.0], atol=1e-5)
    assert ascent.value == pytest.approx(0.0, abs=1e-9)


def test_polishing_with_the_true_curvature_needs_one_step():
    evidence = Quadratic()
    start = np.array([0.5, -1.0])
    hessian = curvature_at(evidence, start)
    np.testing.assert_allclose(hessian, HESSIAN, atol=1e-6)
    ascent = polish(evidence, start, BOUNDS, hessian=hessian, max_iter=10)
    assert (ascent.n_iter, ascent.converged) == (1, True)
    np.testing.assert_allclose(ascent.parameters, [1.0, -2.0], atol=1e-5)


def test_polishing_stops_at_a_bound():
    bounds = np.array([[-5.0, 0.0], [-5.0, 5.0]])
    ascent = polish(Quadratic(), np.zeros(2), bounds, hessian=HESSIAN, max_iter=20)
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
