from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import kendalltau, norm
from sklearn.datasets import load_diabetes, load_iris, load_wine

from autotype.inference.ordering import (
    between_scatter,
    canonical_order,
    order_scores,
    ranks_along,
    search_order,
    shortlist,
    undirected,
)
from autotype.solvers.laplace import OrdinalProblem, fit_ordinal

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
    return X - X.mean(axis=0), true_order[ranks], undirected(tuple(true_order))


def nominal(n_levels: int, *, seed: int, n: int = 300, d: int = 4) -> Data:
    """Levels that lie anywhere in the space of the predictors."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(n_levels), rng.integers(0, n_levels, n - n_levels)])
    X = rng.normal(size=(n, d)) + 0.8 * rng.normal(size=(n_levels, d))[codes]
    return X - X.mean(axis=0), codes


def bundled(name: str) -> Data:
    """Standardised predictors and codes of a data set that comes with scikit-learn."""
    X, y = {"iris": load_iris, "wine": load_wine, "diabetes": load_diabetes}[name](return_X_y=True)
    if name == "diabetes":
        y = np.digitize(y, np.quantile(y, [0.2, 0.4, 0.6, 0.8]))
    return (X - X.mean(axis=0)) / X.std(axis=0), y.astype(int)


def exact_evidences(X: np.ndarray, codes: np.ndarray, n_levels: int) -> dict[tuple, float]:
    """Evidence of every order, each with its own hyper-parameters: the slow obvious search."""
    return {
        order: fit_ordinal(OrdinalProblem(X, ranks_along(order)[codes], n_levels)).log_evidence
        for order in permutations(range(n_levels))
        if order[0] < order[-1]
    }


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
    fast = order_scores(between_scatter(X, codes, n_levels), np.array(orders))
    np.testing.assert_allclose(fast, [slow_score(X, codes, o) for o in orders], rtol=1e-8)


def test_closed_form_of_a_part_of_the_levels_leaves_the_others_rows_out() -> None:
    X, codes = nominal(5, seed=1)
    parts = [(0, 3, 1), (4, 2), (1, 0, 2, 4)]
    between = between_scatter(X, codes, 5)
    for part in parts:
        fast = order_scores(between, np.array([part]))[0]
        assert fast == pytest.approx(slow_score(X, codes, part), rel=1e-8)


def test_closed_form_is_the_same_backwards_and_a_share() -> None:
    X, codes = nominal(6, seed=2)
    between = between_scatter(X, codes, 6)
    orders = np.array(list(permutations(range(6))))
    scores = order_scores(between, orders)
    np.testing.assert_allclose(scores, order_scores(between, orders[:, ::-1]), rtol=1e-9)
    assert scores.min() >= 0
    assert scores.max() <= between.strengths[0] + 1e-9  # the first canonical direction bounds it


def test_canonical_directions_solve_their_eigenproblem() -> None:
    X, codes = nominal(5, seed=3)
    between = between_scatter(X, codes, 5)
    for k in range(between.positions.shape[1]):
        t = between.positions[:, k]
        np.testing.assert_allclose(
            between.scatter @ t, between.strengths[k] * between.counts * t, atol=1e-9
        )
    assert np.all(np.diff(between.strengths) <= 0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n_levels", [3, 4, 5])
def test_search_finds_the_exhaustive_best(n_levels: int, seed: int) -> None:
    X, codes = (
        generated(n_levels, seed=seed, n=150)[:2]
        if seed % 2
        else nominal(n_levels, seed=seed, n=150)
    )
    evidences = exact_evidences(X, codes, n_levels)
    search = search_order(X, codes, n_levels)
    # The search compares orders at common hyper-parameters, which may settle a near tie otherwise.
    assert evidences[search.order] > max(evidences.values()) - 0.5
    assert search.fit.log_evidence == pytest.approx(evidences[search.order], abs=1e-3)


@pytest.mark.parametrize("name", ["iris", "wine", "diabetes"])
def test_search_finds_the_exhaustive_best_on_bundled_data(name: str) -> None:
    X, codes = bundled(name)
    n_levels = codes.max() + 1
    evidences = exact_evidences(X, codes, n_levels)
    search = search_order(X, codes, n_levels)
    assert evidences[search.order] > max(evidences.values()) - 0.5
    if name == "diabetes":
        assert search.order == (0, 1, 2, 3, 4)


@pytest.mark.parametrize("n_levels", [3, 5, 7, 8, 9, 12])
def test_strong_data_give_the_true_order(n_levels: int) -> None:
    X, codes, true_order = generated(n_levels, seed=n_levels, n=900, noise=0.15)
    search = search_order(X, codes, n_levels)
    assert search.order == true_order
    assert search.canonical == true_order


def test_hill_climb_reaches_the_closed_form_best() -> None:
    # L = 8 is climbed, yet 20,160 orders can still be scored one and all.
    everything = np.array([p for p in permutations(range(8)) if p[0] < p[-1]])
    for seed in range(5):
        X, codes, _ = generated(8, seed=seed, n=600, noise=0.8)
        between = between_scatter(X, codes, 8)
        found = shortlist(between)[0]
        best = order_scores(between, everything).max()
        assert order_scores(between, np.array([found]))[0] == pytest.approx(best, rel=1e-9)


def test_weak_data_still_come_close() -> None:
    X, codes, true_order = generated(9, seed=4, n=800, noise=1.0)
    found = search_order(X, codes, 9).order
    assert abs(kendalltau(ranks_along(found), ranks_along(true_order)).statistic) > 0.85


@pytest.mark.parametrize("n_levels", [4, 8])
def test_relabelled_levels_give_the_relabelled_order(n_levels: int) -> None:
    X, codes, _ = generated(n_levels, seed=1, n=400, noise=0.6)
    relabel = np.random.default_rng(3).permutation(n_levels)
    here, there = search_order(X, codes, n_levels), search_order(X, relabel[codes], n_levels)
    assert undirected(tuple(relabel[list(here.order)])) == there.order
    assert there.fit.log_evidence == pytest.approx(here.fit.log_evidence, abs=1e-5)


def test_row_and_column_order_change_nothing() -> None:
    X, codes, _ = generated(5, seed=2, noise=0.6)
    rng = np.random.default_rng(4)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    here, there = search_order(X, codes, 5), search_order(X[rows][:, columns], codes[rows], 5)
    assert there.order == here.order
    assert there.fit.log_evidence == pytest.approx(here.fit.log_evidence, abs=1e-6)


def test_orders_are_undirected_and_the_best_one_was_tried() -> None:
    X, codes = nominal(5, seed=5)
    search = search_order(X, codes, 5)
    assert all(order[0] < order[-1] for order in search.tried)
    assert max(search.tried, key=search.tried.get) == search.order
    np.testing.assert_array_equal(search.problem.ranks, ranks_along(search.order)[codes])


def test_no_adjacent_swap_gains() -> None:
    X, codes = nominal(6, seed=6)
    search = search_order(X, codes, 6)
    for i in range(5):
        swapped = list(search.order)
        swapped[i], swapped[i + 1] = swapped[i + 1], swapped[i]
        assert search.tried[undirected(tuple(swapped))] <= search.tried[search.order]


def test_a_suggested_order_is_scored_exactly() -> None:
    X, codes = nominal(6, seed=7)
    suggested = (5, 0, 4, 1, 3, 2)
    search = search_order(X, codes, 6, candidates=(suggested,))
    assert undirected(suggested) in search.tried


@pytest.mark.parametrize("n_levels", [3, 7, 9])
def test_one_constant_or_lone_column(n_levels: int) -> None:
    codes = np.arange(40) % n_levels
    for X in (np.zeros((40, 1)), np.linspace(-1, 1, 40)[:, None]):
        search = search_order(X, codes, n_levels)
        assert sorted(search.order) == list(range(n_levels))
        assert np.isfinite(search.fit.log_evidence)


def test_helpers_on_orders() -> None:
    assert undirected((2, 0, 1)) == (1, 0, 2)
    assert undirected(tuple(np.array([0, 2, 1]))) == (0, 2, 1)
    np.testing.assert_array_equal(ranks_along((2, 0, 1)), [1, 2, 0])
    X, codes, true_order = generated(5, seed=8, noise=0.1)
    assert canonical_order(between_scatter(X, codes, 5), 0) == true_order
