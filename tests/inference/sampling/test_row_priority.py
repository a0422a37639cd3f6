from __future__ import annotations

import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
from autotype.inference.sampling._row_priority_fast import add_by_code, sum_by_code

from autotype.inference.sampling import row_priority
from autotype.inference.sampling.row_priority import RowPriority
from tests.reference.row_priority import occurrence_of, row_keys


def priority_of(
    tokens: list[np.ndarray], *, seed: int = 0, ties: Sequence[np.ndarray] = ()
) -> RowPriority:
    priority = RowPriority(len(tokens[0]), seed=seed)
    for token in tokens:
        priority.add(token)
    priority.finish(ties)
    return priority


def draw(tokens: list[np.ndarray], count: int, *, seed: int = 0) -> np.ndarray:
    return priority_of(tokens, seed=seed).first(count)


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


def test_no_rows_and_no_columns() -> None:
    for n_rows in (0, 100):
        priority = RowPriority(n_rows, seed=0)
        priority.finish()
        assert len(priority.first(10)) == min(n_rows, 10)


@pytest.mark.parametrize("chunk", [7, 1000, 1 << 16])
@pytest.mark.parametrize("n_rows", [1, 50, 5000])
def test_keys_are_those_of_all_columns_at_once(monkeypatch, chunk: int, n_rows: int) -> None:
    monkeypatch.setattr("autotype.inference.sampling.repeats.CHUNK", chunk)
    rng = np.random.default_rng(0)
    tokens = [rng.integers(0, k, n_rows).astype(float) for k in (2, 5, 40)]  # many equal rows
    ties = [rng.integers(-1, 3, n_rows), rng.integers(0, 2, n_rows)]
    expected = np.argsort(row_keys(tokens, seed=3, n_rows=n_rows, ties=ties))
    priority = priority_of(tokens, seed=3, ties=ties)
    for count in {1, n_rows // 3, n_rows}:
        np.testing.assert_array_equal(priority.first(count), np.sort(expected[:count]))


def test_tokens_of_levels_are_those_of_their_cells() -> None:
    rng = np.random.default_rng(0)
    of_codes, codes = np.array([8.0, 3.0, 3.0, -1.0]), rng.integers(-1, 3, 5000).astype(np.int8)
    priority = RowPriority(5000, seed=1)
    priority.add(of_codes, codes)
    priority.finish()
    expected = priority_of([of_codes[codes]], seed=1)
    np.testing.assert_array_equal(priority.first(500), expected.first(500))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
def test_sums_by_code_are_those_of_numpy(dtype) -> None:
    rng = np.random.default_rng(0)
    n_codes = 100
    codes = rng.integers(-1, n_codes, 5000).astype(dtype)
    values = rng.integers(0, 2**64, 5000, dtype=np.uint64)  # sums wrap
    expected = np.zeros(n_codes + 1, dtype=np.uint64)
    np.add.at(expected, codes, values)
    sums = np.zeros_like(expected)
    sum_by_code(values, codes, sums)
    np.testing.assert_array_equal(sums, expected)
    keys = values.copy()
    add_by_code(keys, codes, sums)
    np.testing.assert_array_equal(keys, values + expected[codes])


@pytest.mark.parametrize("bits", [1, 2, 14])
@pytest.mark.parametrize("n_distinct", [1, 3, 4000, 10**6])
def test_equal_values_are_numbered_as_by_sorting(monkeypatch, n_distinct: int, bits: int) -> None:
    monkeypatch.setattr(row_priority, "_TABLE_BITS", bits)
    rng = np.random.default_rng(0)
    distinct = np.append(rng.integers(0, 2**64, n_distinct - 1, dtype=np.uint64), np.uint64(0))
    values = distinct[rng.integers(0, n_distinct, 5000)]
    np.testing.assert_array_equal(row_priority._count_previous(values), occurrence_of(values))
    assert len(row_priority._count_previous(values[:0])) == 0


def test_larger_samples_hold_the_smaller_ones(numbers) -> None:
    assert set(draw(numbers, 100)) <= set(draw(numbers, 300))


def test_among_some_rows_only(numbers) -> None:
    some = np.arange(0, 5000, 7)
    priority = priority_of(numbers)
    drawn = priority.first(50, among=some)
    assert len(drawn) == 50
    assert np.all(drawn % 7 == 0)
    # The same order of rows, cut to those among: no row outranks a drawn one and is left out.
    keys = row_keys(numbers, seed=0, n_rows=5000)
    assert keys[drawn].max() < keys[np.setdiff1d(some, drawn)].min()
    np.testing.assert_array_equal(priority.first(50, among=some[::-1]), drawn)


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


def test_the_order_is_completed_in_less_than_a_number_a_row() -> None:
    n = 400_000
    priority = RowPriority(n, seed=0)
    priority.add(np.arange(float(n)))
    tracemalloc.start()
    try:
        priority.finish()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 7 * n  # bytes
