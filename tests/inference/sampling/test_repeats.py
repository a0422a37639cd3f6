"""Keys that may repeat are found by their leading bits."""

from __future__ import annotations

import numpy as np
import pytest

from autotype.inference.sampling import repeats
from autotype.inference.sampling.repeats import may_repeat

RNG = np.random.default_rng(0)


def random_keys(n_rows: int, n_distinct: int) -> np.ndarray:
    distinct = RNG.integers(0, 2**64, n_distinct, dtype=np.uint64)
    return distinct[RNG.integers(0, n_distinct, n_rows)]


@pytest.mark.parametrize("chunk", [7, 1 << 16])
@pytest.mark.parametrize("n_distinct", [1, 3, 4000, 10**6])
def test_no_repeated_key_is_overlooked(monkeypatch, n_distinct: int, chunk: int) -> None:
    monkeypatch.setattr(repeats, "CHUNK", chunk)
    keys = random_keys(5000, n_distinct)
    marked = may_repeat(lambda rows: keys[rows], len(keys))
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    np.testing.assert_array_equal(marked | (counts[inverse] == 1), True)


@pytest.mark.parametrize("n_rows", [1000, 60_000, 70_000])
def test_few_different_keys_are_marked(n_rows: int) -> None:
    keys = RNG.permutation(2**63 + np.arange(n_rows, dtype=np.uint64) * np.uint64(2**45 + 1))
    keys *= np.uint64(0x9E3779B97F4A7C15)
    assert may_repeat(lambda rows: keys[rows], n_rows).mean() < 0.15


@pytest.mark.parametrize("n_rows", [0, 1, 2, 7, 8, 9])
def test_short_lists_of_keys(n_rows: int) -> None:
    keys = np.full(n_rows, 2**64 - 1, dtype=np.uint64)
    marked = may_repeat(lambda rows: keys[rows], n_rows)
    np.testing.assert_array_equal(marked, np.full(n_rows, n_rows > 1))
