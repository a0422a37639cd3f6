"""Halving of Newton steps on functions of one variable."""

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.newton import NewtonState, halve_until_decrease


def log_cosh(position):
    loss = float(np.log(np.cosh(position)).sum())
    return NewtonState(position, loss, loss)


def test_a_step_that_keeps_its_promise_is_whole():
    start = log_cosh(np.array([0.1]))
    state, length = halve_until_decrease(log_cosh, start, -start.position, 5e-3, share=0.1)
    assert length == 1.0
    assert state.position == pytest.approx(0.0)


def test_an_overshooting_step_is_halved_until_the_objective_falls():
    # Newton's step of log cosh overshoots from beyond 1.09: it diverges without damping.
    start = log_cosh(np.array([2.0]))
    step = -np.sinh(start.position) * np.cosh(start.position)
    decrement = 0.5 * float(np.sinh(2.0) ** 2)
    state, length = halve_until_decrease(log_cosh, start, step, decrement, share=0.1)
    assert 0.0 < length < 1.0
    assert state.objective < start.objective - 0.1 * length * decrement + 1e-12


def test_an_ascent_direction_is_refused():
    start = log_cosh(np.array([1.0]))
    state, length = halve_until_decrease(log_cosh, start, np.array([1.0]), 0.5, share=0.1)
    assert (state, length) == (start, 0.0)


def test_further_arguments_reach_the_objective():
    def shifted(position, centre):
        loss = float((position - centre) @ (position - centre))
        return NewtonState(position, loss, loss)

    start = shifted(np.zeros(1), 3.0)
    state, _ = halve_until_decrease(shifted, start, np.array([3.0]), 4.5, 3.0, share=0.2)
    assert state.objective == 0.0
