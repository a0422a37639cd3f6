from __future__ import annotations

import numpy as np
import pytest

from autotype.models.ensemble.ranges import coverage_limit, outside_masses, ranges_within
from tests.reference.average_weights import nested_range


def draws(n: int, n_levels: int = 5, seed: int = 0):
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.full(n_levels, 0.7), n)
    ranks = (rng.random(n)[:, None] > probabilities.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return probabilities, ranks


@pytest.mark.parametrize("limit", [0.0, 0.3, 0.6, 0.9, 2.0])
def test_ranges_grow_as_in_the_slow_twin(limit):
    probabilities, _ = draws(200)
    low, high = ranges_within(probabilities, limit)
    slow = [nested_range(row, limit) for row in probabilities]
    np.testing.assert_array_equal(np.column_stack([low, high]), slow)


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.95])
def test_new_rows_are_covered_whatever_the_probabilities(coverage):
    probabilities, ranks = draws(4000)
    blurred = probabilities**3 + 0.05  # wrong, in the same way for all rows
    blurred /= blurred.sum(axis=1, keepdims=True)
    limit = coverage_limit(blurred[:2000], ranks[:2000], np.ones(2000), coverage)
    low, high = ranges_within(blurred[2000:], limit)
    held = (low <= ranks[2000:]) & (ranks[2000:] <= high)
    assert held.mean() >= coverage - 0.03
    exact = (outside_masses(blurred)[np.arange(2000), ranks[:2000]] > 0).any()
    assert exact


def test_too_few_rows_for_the_coverage_have_all_levels():
    probabilities, ranks = draws(5)
    assert coverage_limit(probabilities, ranks, np.ones(5), 0.9) == np.inf
    low, high = ranges_within(probabilities, np.inf)
    assert (low == 0).all()
    assert (high == 4).all()


def test_a_weight_of_two_is_a_row_twice():
    probabilities, ranks = draws(50)
    twice = np.r_[np.arange(50), np.arange(50)]
    for coverage in (0.3, 0.7, 0.9):
        assert coverage_limit(probabilities, ranks, np.full(50, 2.0), coverage) == pytest.approx(
            coverage_limit(probabilities[twice], ranks[twice], np.ones(100), coverage), abs=0.1
        )
