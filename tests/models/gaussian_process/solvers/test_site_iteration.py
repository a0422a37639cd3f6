"""The fixed-point iteration of sites: plain, oscillating and short runs."""

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.site_iteration import SiteIteration


def iterate(slope, *, start=1.0, tol=1e-10, max_iter=100):
    """Precisions with the fixed point 1, approached with a given slope; shifts stay at 0."""
    iteration = SiteIteration(np.full(3, start), np.zeros(3), tol=tol, max_iter=max_iter)
    for tau, nu in iteration:
        change = float(np.max(np.abs(1.0 - tau)))
        iteration.update(1.0 + slope * (tau - 1.0), nu, variance=np.ones(3), change=change)
    return iteration, tau


@pytest.mark.parametrize("slope", [0.0, 0.9, -0.5, -1.5])
def test_reaches_the_fixed_point_even_where_plain_updates_creep_or_oscillate(slope):
    iteration, tau = iterate(slope, start=3.0)
    assert iteration.converged
    assert iteration.n_iter < 60
    np.testing.assert_allclose(tau, 1.0, atol=1e-9)


def test_converged_sites_are_left_alone():
    iteration, tau = iterate(0.5, start=1.0)
    assert (iteration.n_iter, iteration.converged) == (1, True)
    np.testing.assert_array_equal(tau, 1.0)


def test_reports_when_it_has_not_converged():
    iteration, _ = iterate(0.9, start=3.0, max_iter=2)
    assert (iteration.n_iter, iteration.converged) == (2, False)


def test_precisions_stay_non_negative():
    iteration = SiteIteration(np.ones(1), np.ones(1), tol=1e-9, max_iter=2)
    for tau, nu in iteration:
        iteration.update(tau - 5.0, nu - 5.0, variance=np.ones(1), change=1.0)
    assert tau[0] == 0.0
    assert nu[0] < 0.0
