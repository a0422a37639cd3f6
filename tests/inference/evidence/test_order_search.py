from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import kendalltau, norm
from sklearn.datasets import load_diabetes

from autotype.inference.evidence.between_scatter import BetweenScatter, LevelSums
from autotype.inference.evidence.order_search import (
    _climbs,
    _moves,
    canonical_order,
    order_log_weights,
    order_scores,
    ranks_along,
    robinson_loss,
    search_order,
    up_to_reversal,
)
from autotype.models.gaussian_process.weight_space.ordinal_laplace import (
    OrdinalProblem,
    fit_ordinal,
)
from tests.reference.order_climb import climb

Data = tuple[np.ndarray, np.ndarray]


def generated(
    n_levels: int, *, seed: int, n: int = 300, d: int = 4, noise: float = 1.0
) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Levels along a latent direction, their codes shuffled; X, codes and the true order."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    latent = X @ rng.normal(size=d) + noise * rng.normal(size=n)
    ranks = np.digitize(latent, np.quantile(latent, np.arange(1, n_levels) / n_levels))
    true_order = rng.permutation(n_levels)
    return X - X.mean(axis=0), true_order[ranks], up_to_reversal(tuple(true_order))


def nominal(n_levels: int, *, seed: int, n: int = 300, d: int = 4) -> Data:
    """Levels that lie anywhere in the space of the predictors."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(n_levels), rng.integers(0, n_levels, n - n_levels)])
    X = rng.normal(size=(n, d)) + 0.8 * rng.normal(size=(n_levels, d))[codes]
    return X - X.mean(axis=0), codes


def graded_diabetes() -> Data:
    """Standardised predictors, and the disease's progress in five grades."""
    X, y = load_diabetes(return_X_y=True)
    grades = np.digitize(y, np.quantile(y, [0.2, 0.4, 0.6, 0.8]))
    return (X - X.mean(axis=0)) / X.std(axis=0), grades


def searched(
    X: np.ndarray, codes: np.ndarray, n_levels: int
) -> tuple[tuple[int, ...], dict[tuple[int, ...], float]]:
    """The best order, and the weights of all that are kept."""
    log_weights, _ = search_order(LevelSums(X, codes, n_levels).scatter())
    return next(iter(log_weights)), log_weights


def all_orders(n_levels: int) -> np.ndarray:
    return np.array([p for p in permutations(range(n_levels)) if p[0] < p[-1]])


def slow_score(X: np.ndarray, codes: np.ndarray, order: tuple[int, ...]) -> float:
    """R2 of the normal scores of an order in a ridge regression on X, in plain loops."""
    kept = [k for k in range(len(codes)) if codes[k] in order]
    scores, low = {}, 0.0
    for level in order:
        high = low + np.mean([codes[k] == level for k in kept])
        # The mean of a standard normal between its quantiles at low and high.
        scores[level] = (norm.pdf(norm.ppf(low)) - norm.pdf(norm.ppf(min(high, 1.0)))) / (
            high - low
        )
        low = high
    t = np.array([scores.get(code, 0.0) for code in codes])
    weights = np.linalg.solve(X.T @ X + np.eye(X.shape[1]), X.T @ t)
    return float(t @ X @ weights / np.sum(t**2))


@pytest.mark.parametrize("n_levels", [3, 4, 5])
def test_closed_form_against_a_plain_loop(n_levels: int) -> None:
    X, codes = nominal(n_levels, seed=n_levels)
    orders = list(permutations(range(n_levels)))[:12]
    fast = order_scores(LevelSums(X, codes, n_levels).scatter(), np.array(orders))
    np.testing.assert_allclose(fast, [slow_score(X, codes, o) for o in orders], rtol=1e-8)


def test_closed_form_of_a_part_of_the_levels_leaves_the_others_rows_out() -> None:
    X, codes = nominal(5, seed=1)
    parts = [(0, 3, 1), (4, 2), (1, 0, 2, 4)]
    scatter = LevelSums(X, codes, 5).scatter()
    for part in parts:
        fast = order_scores(scatter, np.array([part]))[0]
        assert fast == pytest.approx(slow_score(X, codes, part), rel=1e-8)


def test_closed_form_is_the_same_backwards_and_a_share() -> None:
    X, codes = nominal(6, seed=2)
    scatter = LevelSums(X, codes, 6).scatter()
    orders = np.array(list(permutations(range(6))))
    scores = order_scores(scatter, orders)
    np.testing.assert_allclose(scores, order_scores(scatter, orders[:, ::-1]), rtol=1e-9)
    assert scores.min() >= 0
    assert scores.max() <= scatter.strengths[0] + 1e-9  # the first canonical direction bounds it


def test_canonical_directions_solve_their_eigenproblem() -> None:
    X, codes = nominal(5, seed=3)
    scatter = LevelSums(X, codes, 5).scatter()
    for k in range(scatter.positions.shape[1]):
        t = scatter.positions[:, k]
        np.testing.assert_allclose(
            scatter.matrix @ t, scatter.strengths[k] * scatter.counts * t, atol=1e-9
        )
    assert np.all(np.diff(scatter.strengths) <= 0)


def slow_robinson_loss(X: np.ndarray, codes: np.ndarray, order: tuple[int, ...]) -> float:
    """What has to be taken off the closeness of levels to make it rise, then fall; by loops."""
    gram = X.T @ X + np.eye(X.shape[1])
    means = np.array([X[codes == k].mean(axis=0) for k in range(codes.max() + 1)])
    distance = np.array(
        [[(one - other) @ np.linalg.solve(gram, one - other) for one in means] for other in means]
    )
    taken_off = []
    for k in order:
        seen = [-distance[k, j] for j in order]
        taken_off.append(
            sum(
                min(max(seen[: i + 1]) - value, max(seen[i:]) - value)
                for i, value in enumerate(seen)
            )
        )
    return float(np.mean(taken_off) / distance.mean())


@pytest.mark.parametrize("n_levels", [3, 4, 6])
def test_robinson_loss_against_plain_loops(n_levels: int) -> None:
    X, codes = nominal(n_levels, seed=n_levels)
    orders = list(permutations(range(n_levels)))[:12]
    fast = robinson_loss(LevelSums(X, codes, n_levels).scatter(), np.array(orders))
    np.testing.assert_allclose(fast, [slow_robinson_loss(X, codes, o) for o in orders], rtol=1e-8)
    part = orders[0][:3]
    fast_part = robinson_loss(LevelSums(X, codes, n_levels).scatter(), np.array([part]))[0]
    assert fast_part == pytest.approx(slow_robinson_loss(X, codes, part), rel=1e-8)


def test_levels_on_a_line_have_no_robinson_loss_along_it() -> None:
    codes = np.repeat(np.arange(6), 20)
    X = (codes - codes.mean())[:, None] * np.array([[1.0, 2.0]])
    scatter = LevelSums(X, codes, 6).scatter()
    scores = robinson_loss(scatter, all_orders(6))
    assert scores[0] == pytest.approx(0.0, abs=1e-9)  # 0 < 1 < ... < 5
    assert np.all(scores[1:] > 1e-3)


def log_evidence(X: np.ndarray, codes: np.ndarray, order: tuple[int, ...]) -> float:
    """That of the ordinal model along an order."""
    problem = OrdinalProblem(X, ranks_along(order)[codes], len(order))
    return fit_ordinal(problem).log_evidence


@pytest.mark.parametrize("n_levels", [3, 5, 7])
def test_search_gives_the_order_of_the_highest_weight(n_levels: int) -> None:
    X, codes = nominal(n_levels, seed=n_levels, n=150)
    best, log_weights = searched(X, codes, n_levels)
    orders = all_orders(n_levels)
    weights = order_log_weights(LevelSums(X, codes, n_levels).scatter(), orders)
    assert best == tuple(orders[np.argmax(weights)])
    by_hand = np.exp(weights - weights.max())
    by_hand /= by_hand.sum()
    for order, log_weight in log_weights.items():
        at = np.flatnonzero((orders == order).all(axis=1))[0]
        assert np.exp(log_weight) == pytest.approx(by_hand[at])


@pytest.mark.parametrize("n_levels", [3, 4, 5])
def test_the_highest_weight_comes_close_to_the_best_evidence_on_a_line(n_levels: int) -> None:
    X, codes, _ = generated(n_levels, seed=n_levels, n=150)
    evidence = {
        tuple(order): log_evidence(X, codes, tuple(order)) for order in all_orders(n_levels)
    }
    best, _ = searched(X, codes, n_levels)
    assert evidence[best] > max(evidence.values()) - 0.5


def test_graded_bundled_data_give_their_order() -> None:
    X, codes = graded_diabetes()
    assert searched(X, codes, 5)[0] == (0, 1, 2, 3, 4)


@pytest.mark.parametrize("n_levels", [3, 5, 7, 8, 9, 12])
def test_strong_data_give_the_true_order(n_levels: int) -> None:
    X, codes, true_order = generated(n_levels, seed=n_levels, n=900, noise=0.15)
    assert searched(X, codes, n_levels)[0] == true_order
    assert canonical_order(LevelSums(X, codes, n_levels).scatter(), 0) == true_order


def test_hill_climb_reaches_the_highest_weight() -> None:
    # L = 8 is climbed, yet 20,160 orders can still be weighed one and all.
    everything = all_orders(8)
    for seed in range(5):
        X, codes, _ = generated(8, seed=seed, n=600, noise=0.8)
        scatter = LevelSums(X, codes, 8).scatter()
        highest = order_log_weights(scatter, everything).max()
        found = order_log_weights(scatter, np.array([searched(X, codes, 8)[0]]))[0]
        assert found == pytest.approx(highest, rel=1e-9)


@pytest.mark.parametrize("n_levels", [8, 12, 20])
@pytest.mark.parametrize("seed", range(4))
def test_climbs_end_where_weighing_all_neighbours_anew_ends(n_levels: int, seed: int) -> None:
    if seed % 2:
        X, codes = nominal(n_levels, seed=seed, n=400, d=8)
    else:
        X, codes, _ = generated(n_levels, seed=seed, n=400, d=8, noise=2.0)
    scatter = LevelSums(X, codes, n_levels).scatter()
    orders, weights = _climbs(scatter)
    for k, (order, weight) in enumerate(zip(orders, weights, strict=True)):
        start = list(canonical_order(scatter, k))
        slow, highest = climb(start, lambda some: order_log_weights(scatter, some))
        # Two moves that differ by a reversal of all levels weigh the same.
        assert up_to_reversal(tuple(order)) == up_to_reversal(tuple(slow))
        assert weight == pytest.approx(highest, rel=1e-9)


def test_climb_stays_where_no_order_explains_anything() -> None:
    counts = np.full(9, 20)
    scatter = BetweenScatter(np.zeros((9, 9)), counts)
    orders, weights = _climbs(scatter)
    for k, order in enumerate(orders):
        assert up_to_reversal(tuple(order)) == canonical_order(scatter, k)
    np.testing.assert_array_equal(weights, 0.0)


def test_climb_of_many_levels_moves_them_over_a_few_places() -> None:
    X, codes, _ = generated(48, seed=0, n=1500, d=8, noise=0.3)
    scatter = LevelSums(X, codes, 48).scatter()
    orders, weights = _climbs(scatter)
    start = list(canonical_order(scatter, 0))
    slow, highest = climb(start, lambda some: order_log_weights(scatter, some), reach=3)
    assert up_to_reversal(tuple(orders[0])) == up_to_reversal(tuple(slow))
    assert weights[0] == pytest.approx(highest, rel=1e-9)


@pytest.mark.parametrize("n_levels", [3, 8, 48])
def test_insertions_come_first_and_are_numbered(n_levels: int) -> None:
    moves, numbers = _moves(n_levels)
    for i, j in np.argwhere(numbers >= 0):
        rest = [place for place in range(n_levels) if place != i]
        rest.insert(j, i)
        assert moves[numbers[i, j]].tolist() == rest
    held = np.unique(numbers[numbers >= 0])
    np.testing.assert_array_equal(held, np.arange(len(held)))
    assert len(held) == (n_levels - 1) ** 2 or n_levels == 48


def test_weak_data_still_come_close() -> None:
    X, codes, true_order = generated(9, seed=4, n=800, noise=1.0)
    found, _ = searched(X, codes, 9)
    assert abs(kendalltau(ranks_along(found), ranks_along(true_order)).statistic) > 0.85


@pytest.mark.parametrize("n_levels", [4, 8])
def test_relabelled_levels_give_the_relabelled_order(n_levels: int) -> None:
    X, codes, _ = generated(n_levels, seed=1, n=400, noise=0.6)
    relabel = np.random.default_rng(3).permutation(n_levels)
    (here, _), (there, _) = searched(X, codes, n_levels), searched(X, relabel[codes], n_levels)
    assert up_to_reversal(tuple(relabel[list(here)])) == there
    expected = log_evidence(X, codes, here)
    assert log_evidence(X, relabel[codes], there) == pytest.approx(expected, abs=1e-5)


def test_row_and_column_order_change_nothing() -> None:
    X, codes, _ = generated(5, seed=2, noise=0.6)
    rng = np.random.default_rng(4)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    (here, _), (there, _) = searched(X, codes, 5), searched(X[rows][:, columns], codes[rows], 5)
    assert there == here
    expected = log_evidence(X, codes, here)
    found = log_evidence(X[rows][:, columns], codes[rows], there)
    assert found == pytest.approx(expected, abs=1e-6)


def test_orders_are_up_to_reversal_and_the_best_comes_first() -> None:
    X, codes = nominal(5, seed=5)
    _, log_weights = searched(X, codes, 5)
    assert all(order[0] < order[-1] for order in log_weights)
    weights = list(log_weights.values())
    assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize("n_levels", [6, 9])
def test_a_suggested_order_is_weighed_too(n_levels: int) -> None:
    X, codes = nominal(n_levels, seed=7)
    suggested = tuple(np.random.default_rng(0).permutation(n_levels))
    log_weights, _ = search_order(LevelSums(X, codes, n_levels).scatter(), suggested)
    assert up_to_reversal(suggested) in log_weights


@pytest.mark.parametrize("n_levels", [3, 7, 9])
def test_one_constant_or_lone_column(n_levels: int) -> None:
    codes = np.arange(40) % n_levels
    for X in (np.zeros((40, 1)), np.linspace(-1, 1, 40)[:, None]):
        best, _ = searched(X, codes, n_levels)
        assert sorted(best) == list(range(n_levels))
        assert np.isfinite(log_evidence(X, codes, best))


def test_helpers_on_orders() -> None:
    assert up_to_reversal((2, 0, 1)) == (1, 0, 2)
    assert up_to_reversal(tuple(np.array([0, 2, 1]))) == (0, 2, 1)
    np.testing.assert_array_equal(ranks_along((2, 0, 1)), [1, 2, 0])
    X, codes, true_order = generated(5, seed=8, noise=0.1)
    assert canonical_order(LevelSums(X, codes, 5).scatter(), 0) == true_order


def test_up_to_twenty_levels_every_move_is_tried() -> None:
    insertions, swaps = 20 * 19 - 19, 190 - 19  # those of neighbours count once
    reversals = 190 - 19 - 18  # of two or three levels they are swaps
    assert len(_moves(20)[0]) == insertions + swaps + reversals


def test_a_hundred_levels_are_ordered_within_bounds() -> None:
    """All moves of 100 levels would look at 150 million closenesses, in gigabytes, at each step."""
    assert len(_moves(100)[0]) * 100**2 < 5_000_000
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(100), 8)
    X = np.column_stack([codes / 20 + 0.1 * rng.normal(size=800), rng.normal(size=800)])
    X = X - X.mean(axis=0)
    found = np.array(searched(X, codes, 100)[0])
    assert abs(np.corrcoef(found, np.arange(100))[0, 1]) > 0.99
