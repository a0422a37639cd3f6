from __future__ import annotations

import numpy as np
import pytest

from autotype.metrics import ranked_probability_score
from autotype.models.ensemble.weights import (
    best_sharpness,
    best_weights,
    ranked_probability_scores,
    sharpened,
)
from tests.reference import average_weights as slow


def draws(seed: int, k: int = 4, n: int = 60, n_levels: int = 4):
    rng = np.random.default_rng(seed)
    ranks = rng.integers(n_levels, size=n)
    distributions = [
        (1 - hint) * rng.dirichlet(np.ones(n_levels), n) + hint * np.eye(n_levels)[ranks]
        for hint in rng.uniform(0, 0.6, k)
    ]
    return distributions, ranks, rng.uniform(0.5, 2, n)


@pytest.mark.parametrize("seed", range(8))
def test_weights_are_those_of_a_general_solver(seed):
    distributions, ranks, weights = draws(seed)
    slow_weights, _ = slow.best_weights(distributions, ranks, weights)
    if slow_weights.min() < 0.03 and slow_weights[slow_weights < 0.03].max() > 1e-6:
        slow_weights[slow_weights < 0.03] = 0.0  # left out: compare which, not how much
        assert set(np.flatnonzero(best_weights(distributions, ranks, weights))) <= set(
            np.flatnonzero(slow_weights)
        )
        return
    np.testing.assert_allclose(best_weights(distributions, ranks, weights), slow_weights, atol=1e-4)


def test_weights_do_not_depend_on_the_order_of_rows_nor_members():
    distributions, ranks, weights = draws(0)
    order, rows = [2, 0, 3, 1], np.random.default_rng(0).permutation(60)
    found = best_weights(distributions, ranks, weights)
    moved = best_weights([distributions[k][rows] for k in order], ranks[rows], weights[rows])
    np.testing.assert_allclose(moved, found[order], atol=1e-9)


def test_equal_members_share_their_weight_and_a_perfect_one_has_all():
    distributions, ranks, weights = draws(1)
    same = best_weights([distributions[0]] * 2, ranks, weights)
    np.testing.assert_allclose(same, 0.5, atol=1e-6)
    perfect = np.eye(4)[ranks]
    np.testing.assert_array_equal(best_weights([distributions[0], perfect], ranks, weights), [0, 1])
    np.testing.assert_array_equal(best_weights([perfect, perfect], ranks, weights), [0.5, 0.5])


def test_a_weight_of_two_is_a_row_twice():
    distributions, ranks, _ = draws(2)
    twice = np.r_[np.arange(60), np.arange(20)]
    weights = np.r_[np.full(20, 2.0), np.ones(40)]
    np.testing.assert_allclose(
        best_weights(distributions, ranks, weights),
        best_weights([p[twice] for p in distributions], ranks[twice], np.ones(80)),
        atol=1e-9,
    )


def test_the_score_of_a_row_is_that_of_the_metric():
    (distribution, *_), ranks, _ = draws(3)
    scores = ranked_probability_scores(distribution, ranks)
    assert scores.mean() == pytest.approx(
        ranked_probability_score(ranks, distribution, labels=range(4))
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_sharpness_is_that_of_a_search(seed: int) -> None:
    distributions, ranks, weights = draws(seed)
    average = sum(distributions) / 4
    found = best_sharpness(average, ranks, weights)
    assert found == pytest.approx(slow.best_sharpness(average, ranks, weights), abs=2e-3)
    blunt, sharp = (best_sharpness(sharpened(average, f), ranks, weights) for f in (0.5, 2.0))
    assert blunt > sharp


def test_sharpening_keeps_order_certainty_and_reverses() -> None:
    certain = np.array([[0.0, 1.0, 0.0], [0.3, 0.0, 0.7], [1 / 3, 1 / 3, 1 / 3]])
    for factor in (0.5, 1.0, 1.9):
        sharper = sharpened(certain, factor)
        assert (sharper >= 0).all()
        np.testing.assert_allclose(sharper.sum(axis=1), 1.0)
        np.testing.assert_allclose(sharper[0], certain[0])
        assert sharper[1, 1] == pytest.approx(0.0)
        np.testing.assert_allclose(sharpened(sharper, 1 / factor), certain, atol=1e-12)
    assert best_sharpness(np.eye(3), np.arange(3), np.ones(3)) == 1.0
