from __future__ import annotations

import numpy as np
import pytest

from autotype.metrics import ranked_probability_score
from autotype.models.ensemble.weights import (
    best_recalibration,
    best_weights,
    fall_monotonically,
    ranked_probability_scores,
    recalibrated,
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
def test_sharpness_and_offsets_are_those_of_a_search(seed: int) -> None:
    distributions, ranks, weights = draws(seed)
    average = sum(distributions) / 4
    sharpness, offsets = best_recalibration(average, ranks, weights)
    slow_sharpness, slow_offsets = slow.best_recalibration(average, ranks, weights)
    assert sharpness == pytest.approx(slow_sharpness, abs=1e-4)
    np.testing.assert_allclose(offsets, slow_offsets, atol=1e-4)
    moved = [recalibrated(average, f, np.zeros(3)) for f in (0.5, 2.0)]
    blunt, sharp = (best_recalibration(p, ranks, weights)[0] for p in moved)
    assert blunt > sharp


def test_offsets_mend_cuts_that_are_too_probable() -> None:
    rng = np.random.default_rng(0)
    right = rng.dirichlet(np.ones(4), 4000)
    ranks = (right.cumsum(axis=1) < rng.random((4000, 1))).sum(axis=1)
    wrong = recalibrated(right, 1.0, np.array([0.5, 0.0, -0.5]))
    sharpness, offsets = best_recalibration(wrong, ranks, np.ones(4000))
    assert sharpness == pytest.approx(1.0, abs=0.1)
    np.testing.assert_allclose(offsets, [-0.5, 0.0, 0.5], atol=0.15)
    mended = recalibrated(wrong, sharpness, offsets)
    assert ranked_probability_scores(mended, ranks).mean() < (
        ranked_probability_scores(wrong, ranks).mean()
    )


def test_few_rows_move_no_probability_far() -> None:
    average, ranks = np.array([[0.3, 0.4, 0.3]] * 4), np.zeros(4, dtype=int)
    sharpness, offsets = best_recalibration(average, ranks, np.ones(4))
    assert sharpness == pytest.approx(1.0, abs=0.03)
    assert (np.abs(offsets) < 0.1).all()


def test_cuts_out_of_order_meet_between() -> None:
    found = recalibrated(np.array([[0.4, 0.1, 0.5]]), 1.0, np.array([0.6, -0.6]))
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert found[0, 1] == 0.0
    assert 0.4 < found[0, 0] < 0.6


def test_sharpening_keeps_order_certainty_and_reverses() -> None:
    certain = np.array([[0.0, 1.0, 0.0], [0.3, 0.0, 0.7], [1 / 3, 1 / 3, 1 / 3]])
    for factor in (0.5, 1.0, 1.9):
        sharper = recalibrated(certain, factor, np.zeros(2))
        assert (sharper >= 0).all()
        np.testing.assert_allclose(sharper.sum(axis=1), 1.0)
        np.testing.assert_allclose(sharper[0], certain[0])
        assert sharper[1, 1] == pytest.approx(0.0)
        back = recalibrated(sharper, 1 / factor, np.zeros(2))
        np.testing.assert_allclose(back, certain, atol=1e-12)
    sharpness, offsets = best_recalibration(np.eye(3), np.arange(3), np.ones(3))
    assert (sharpness, offsets.tolist()) == (1.0, [0.0, 0.0])


def test_probabilities_are_made_to_fall_and_falling_ones_stay():
    above = np.sort(np.random.default_rng(0).random((50, 4)), axis=1)[:, ::-1]
    np.testing.assert_array_equal(fall_monotonically(above), above)
    mixed = np.random.default_rng(1).random((50, 4))
    assert (np.diff(fall_monotonically(mixed), axis=1) <= 0).all()
