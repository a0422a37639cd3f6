from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import check_grad

from autotype.models.svm.calibrated import (
    _objective,
    adjacent_probabilities,
    fit_adjacent_logits,
)
from tests.reference import adjacent_logits as reference


def sample(n=60, n_ranks=4, seed=0):
    """Rows whose ranks follow the model with slope 1.5 and offsets 0.5, 0, -0.5, ..."""
    rng = np.random.default_rng(seed)
    differences = rng.normal(size=(n, 1)) - np.arange(n_ranks - 1) + (n_ranks - 2) / 2
    offsets = 0.5 - 0.5 * np.arange(n_ranks - 1)
    probability = reference.probabilities(1.5, offsets, differences)
    ranks = (rng.random((n, 1)) > probability.cumsum(axis=1)).sum(axis=1)
    return differences, ranks, rng.uniform(0.5, 2.0, n)


@pytest.mark.parametrize("n_ranks", [2, 3, 4])
def test_agrees_with_the_reference(n_ranks):
    differences, ranks, weights = sample(n_ranks=n_ranks)
    logits = fit_adjacent_logits(differences, ranks, weights)
    expected = reference.fit(differences, ranks, weights)
    np.testing.assert_allclose(np.r_[logits[0], logits[1]], expected, atol=1e-5)
    np.testing.assert_allclose(
        adjacent_probabilities(*logits, differences),
        reference.probabilities(*logits, differences),
        atol=1e-12,
    )


def test_many_rows_give_the_parameters_that_they_were_drawn_with():
    differences, ranks, _ = sample(n=40_000)
    logits = fit_adjacent_logits(differences, ranks, np.ones(len(ranks)))
    assert logits[0] == pytest.approx(1.5, abs=0.04)
    np.testing.assert_allclose(logits[1], [0.5, 0.0, -0.5], atol=0.04)


def test_the_gradient_is_that_of_finite_differences():
    differences, ranks, weights = sample()
    arguments = (
        differences,
        ranks[:, None] > np.arange(3),
        weights / weights.sum(),
        np.array([0.1, 0.2, 0.3, 0.4]),
    )
    for seed in range(3):
        point = np.random.default_rng(seed).normal(size=4)
        error = check_grad(
            lambda x: _objective(x, *arguments)[0], lambda x: _objective(x, *arguments)[1], point
        )
        assert error < 1e-6


def test_rows_in_another_order_and_doubled_rows_are_weights():
    differences, ranks, _ = sample()
    counts = np.random.default_rng(1).integers(0, 3, len(ranks))
    order = np.random.default_rng(2).permutation(np.repeat(np.arange(len(ranks)), counts))
    once = fit_adjacent_logits(differences, ranks, counts.astype(float))
    repeated = fit_adjacent_logits(differences[order], ranks[order], np.ones(len(order)))
    assert repeated[0] == pytest.approx(once[0], rel=1e-6)
    np.testing.assert_allclose(repeated[1], once[1], atol=1e-6)


def test_reversed_ranks_reverse_the_probabilities():
    differences, ranks, weights = sample()
    there = fit_adjacent_logits(differences, ranks, weights)
    back = fit_adjacent_logits(-differences[:, ::-1], 3 - ranks, weights)
    np.testing.assert_allclose(
        adjacent_probabilities(*back, -differences[:, ::-1])[:, ::-1],
        adjacent_probabilities(*there, differences),
        atol=1e-6,
    )


@pytest.mark.parametrize("factor", [1e-150, 1e-3, 1e3, 1e150])
def test_the_unit_of_the_scores_does_not_matter(factor):
    differences, ranks, weights = sample()
    probability = adjacent_probabilities(
        *fit_adjacent_logits(differences, ranks, weights), differences
    )
    scaled = fit_adjacent_logits(factor * differences, ranks, weights)
    np.testing.assert_allclose(
        adjacent_probabilities(*scaled, factor * differences), probability, atol=1e-6
    )


def test_separable_rows_leave_room_for_errors():
    differences = np.linspace(-1, 1, 50)[:, None]
    ranks = (differences[:, 0] > 0).astype(int)
    logits = fit_adjacent_logits(differences, ranks, np.ones(50))
    assert 5 < logits[0] < 50
    assert adjacent_probabilities(*logits, differences).min() > 0


def test_scores_against_the_order_are_ignored():
    differences, ranks, weights = sample()
    logits = fit_adjacent_logits(-differences, ranks, weights)
    assert logits[0] == 0


def test_scores_that_say_nothing_leave_the_shares_of_the_ranks():
    ranks = np.repeat([0, 1, 2], [600, 1000, 2400])
    logits = fit_adjacent_logits(np.zeros((4000, 2)), ranks, np.ones(4000))
    expected = [[0.15, 0.25, 0.6]]
    np.testing.assert_allclose(
        adjacent_probabilities(*logits, np.zeros((1, 2))), expected, atol=1e-3
    )


def test_without_offsets_the_largest_score_is_most_probable():
    scores = np.random.default_rng(0).normal(size=(50, 5))
    probability = adjacent_probabilities(2.0, np.zeros(4), np.diff(scores, axis=1))
    np.testing.assert_array_equal(probability.argmax(axis=1), scores.argmax(axis=1))
