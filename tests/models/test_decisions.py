from __future__ import annotations

import numpy as np
import pytest

from autotype.models.decisions import decide_ranks

LOSSES = {
    "mode": lambda error: float(error != 0),
    "median": abs,
    "mean": lambda error: error**2,
}


def draws(n_levels: int) -> np.ndarray:
    return np.random.default_rng(n_levels).dirichlet(np.full(n_levels, 0.5), 200)


@pytest.mark.parametrize("n_levels", [2, 3, 7])
@pytest.mark.parametrize("decision", LOSSES)
def test_a_decision_has_the_least_expected_loss(decision, n_levels):
    for row, rank in zip(draws(n_levels), decide_ranks(draws(n_levels), decision), strict=True):
        expected = [
            sum(p * LOSSES[decision](true - guess) for true, p in enumerate(row))
            for guess in range(n_levels)
        ]
        assert rank == np.argmin(expected)


@pytest.mark.parametrize("decision", LOSSES)
def test_reversed_levels_reverse_the_decision(decision):
    probabilities = draws(5)
    reversed_ranks = decide_ranks(probabilities[:, ::-1], decision)
    np.testing.assert_array_equal(4 - reversed_ranks, decide_ranks(probabilities, decision))


@pytest.mark.parametrize("decision", LOSSES)
def test_a_certain_rank_is_the_decision(decision):
    np.testing.assert_array_equal(decide_ranks(np.eye(4), decision), np.arange(4))
