from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from autotype.inference.sampling.row_priority import (
    ROWS_PER_LEVEL,
    enough_rows,
    first_rows,
    hash_cells,
    row_keys,
)
from tests.reference import row_priority as reference


def keys_of(
    tokens: list[np.ndarray], *, seed: int = 0, ties: Sequence[np.ndarray] = ()
) -> np.ndarray:
    return row_keys(sum(hash_cells(token, seed=seed) for token in tokens), ties)


def draw(tokens: list[np.ndarray], count: int, *, seed: int = 0) -> np.ndarray:
    return first_rows(keys_of(tokens, seed=seed), count)


@pytest.fixture
def numbers() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.normal(size=5000), rng.integers(0, 3, size=5000).astype(float)]


def test_positions_are_distinct_ascending_and_as_many_as_requested(numbers) -> None:
    drawn = draw(numbers, 700)
    assert len(drawn) == 700
    assert np.all(np.diff(drawn) > 0)
    assert drawn[0] >= 0
    assert drawn[-1] < 5000


@pytest.mark.parametrize("count", [5000, 5001, 10**9])
def test_all_rows_where_there_are_no_more(numbers, count: int) -> None:
    np.testing.assert_array_equal(draw(numbers, count), np.arange(5000))


@pytest.mark.parametrize("n_rows", [0, 100])
def test_no_rows_and_no_columns(n_rows: int) -> None:
    keys = row_keys(np.zeros(n_rows, dtype=np.uint64))
    assert len(first_rows(keys, 10)) == min(n_rows, 10)


@pytest.mark.parametrize("n_rows", [1, 50, 5000])
def test_keys_are_those_of_the_reference(n_rows: int) -> None:
    rng = np.random.default_rng(0)
    tokens = [rng.integers(0, k, n_rows).astype(float) for k in (2, 5, 40)]  # many equal rows
    ties = [rng.integers(-1, 3, n_rows), rng.integers(0, 2, n_rows).astype(np.int8)]
    expected = reference.row_keys(tokens, seed=3, n_rows=n_rows, ties=ties)
    np.testing.assert_array_equal(keys_of(tokens, seed=3, ties=ties), expected)
    in_order = np.argsort(expected)
    for count in {1, n_rows // 3, n_rows}:
        np.testing.assert_array_equal(first_rows(expected, count), np.sort(in_order[:count]))


def test_tokens_of_levels_are_those_of_their_cells() -> None:
    rng = np.random.default_rng(0)
    of_codes, codes = np.array([8.0, 3.0, 3.0, -1.0]), rng.integers(-1, 3, 5000).astype(np.int8)
    np.testing.assert_array_equal(
        hash_cells(of_codes, codes, seed=1), hash_cells(of_codes[codes], seed=1)
    )


def test_rows_of_levels_that_the_sample_lacks() -> None:
    rng = np.random.default_rng(0)
    keys = rng.permutation(5000)
    codes = np.where(np.arange(5000) < 40, 1, np.where(np.arange(5000) % 7 == 0, -1, 0))
    base = first_rows(keys, 500)
    rows = enough_rows(codes, base, keys)
    held = codes[rows]
    assert np.all(np.diff(rows) > 0)
    assert np.bincount(held).tolist() == [(codes[base] == 0).sum(), ROWS_PER_LEVEL]
    assert set(rows[held == 1]) == set(first_rows(keys, ROWS_PER_LEVEL, among=np.arange(40)))


def test_larger_samples_hold_the_smaller_ones(numbers) -> None:
    assert set(draw(numbers, 100)) <= set(draw(numbers, 300))


def test_among_some_rows_only(numbers) -> None:
    some = np.arange(0, 5000, 7)
    keys = keys_of(numbers)
    drawn = first_rows(keys, 50, among=some)
    assert len(drawn) == 50
    assert np.all(drawn % 7 == 0)
    # The same order of rows, cut to those among: no row outranks a drawn one and is left out.
    assert keys[drawn].max() < keys[np.setdiff1d(some, drawn)].min()
    np.testing.assert_array_equal(first_rows(keys, 50, among=some[::-1]), drawn)


def test_row_order_changes_nothing(numbers) -> None:
    shuffled = np.random.default_rng(1).permutation(5000)
    drawn = draw([token[shuffled] for token in numbers], 400)
    np.testing.assert_array_equal(np.sort(shuffled[drawn]), draw(numbers, 400))


def test_column_order_changes_nothing(numbers) -> None:
    np.testing.assert_array_equal(draw(numbers[::-1], 400), draw(numbers, 400))


def test_two_equal_columns_do_not_cancel() -> None:
    x = np.random.default_rng(2).normal(size=1000)
    shuffled = np.random.default_rng(3).permutation(1000)
    drawn, other = draw([x, x], 100), draw([x[shuffled], x[shuffled]], 100)
    np.testing.assert_array_equal(np.sort(shuffled[other]), drawn)


def test_seeds_differ(numbers) -> None:
    overlap = len(set(draw(numbers, 500)) & set(draw(numbers, 500, seed=1)))
    assert 20 < overlap < 90  # 50 expected of two independent tenths


def test_equal_rows_are_drawn_in_proportion() -> None:
    token = np.repeat([1.0, 2.0, 3.0], [8000, 1500, 500])
    shares = np.bincount(token[draw([token], 1000)].astype(int))[1:]
    np.testing.assert_allclose(shares, [800, 150, 50], atol=45)


def test_the_sample_is_uniform(numbers) -> None:
    total = np.zeros(5000)
    for seed in range(60):
        total[draw(numbers, 500, seed=seed)] += 1
    # Binomial(60, 0.1): mean 6, standard deviation 2.3; values neither avoided nor preferred.
    assert total.mean() == 6
    assert total.std() == pytest.approx(2.32, abs=0.15)
    assert abs(np.corrcoef(total, numbers[0])[0, 1]) < 0.05
    assert abs(np.corrcoef(total, np.arange(5000))[0, 1]) < 0.05


@pytest.mark.parametrize("seed", [0, 2**31, 2**63 - 1, 2**70])
def test_any_seed(numbers, seed: int) -> None:
    assert len(draw(numbers, 100, seed=seed)) == 100


def test_missing_and_infinite_tokens(numbers) -> None:
    odd = np.where(np.arange(5000) % 5 == 0, np.nan, numbers[0])
    odd[7] = np.inf
    assert len(draw([odd, numbers[1]], 321)) == 321
