"""Bins of equal frequency."""

from __future__ import annotations

import numpy as np
from ordinal_partitions import frequency_bins


def test_equal_values_share_a_bin_whatever_the_order_of_the_rows():
    rng = np.random.default_rng(0)
    target = np.concatenate([np.zeros(50), np.round(rng.exponential(size=60), 1)])
    bins = frequency_bins(target, 3)
    for value in np.unique(target):
        assert len(set(bins[target == value])) == 1
    order = rng.permutation(len(target))
    np.testing.assert_array_equal(frequency_bins(target[order], 3), bins[order])
    assert set(bins) == {0, 1, 2}
    assert np.all(np.diff(bins[np.argsort(target, kind="stable")]) >= 0)


def test_bins_without_ties_are_equal():
    target = np.random.default_rng(1).normal(size=100)
    counts = np.bincount(frequency_bins(target, 5))
    np.testing.assert_array_equal(counts, 20)


def test_a_value_that_fills_two_bins_leaves_no_gap():
    target = np.array([0.0] * 7 + [1.0, 2.0, 3.0])
    assert set(frequency_bins(target, 5)) == {0, 1, 2}
