"""Tests on counts against slow references on rows, against SciPy, and on their false alarms."""

import itertools

import numpy as np
import pytest
from scipy import stats

from autotype.types.drift import compare as share_tests
from autotype.types.drift.compare import (
    MAX_SAMPLED,
    _normal_shift_p_value,
    adjust,
    largest_share_moved,
    shares_p_value,
    shift_along_scale,
    shift_p_value,
)


def rows(counts):
    return np.repeat(np.arange(len(counts)), counts)


def permutation_p_value(before, after):
    """The obvious way: every choice of rows for the first sample."""
    ranks = stats.rankdata(np.concatenate([rows(before), rows(after)]))
    n = int(before.sum())
    mean = ranks.mean() * n
    observed = abs(ranks[:n].sum() - mean)
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, n)]
    return np.mean(np.abs(np.array(sums) - mean) >= observed - 1e-9)


TABLES = [
    ([3, 2, 1], [1, 2, 4]),
    ([0, 5, 1], [3, 0, 3]),
    ([4, 0, 0, 0], [0, 0, 0, 5]),
    ([1, 1, 1, 1], [1, 1, 1, 1]),
    ([6], [4]),
    ([2, 0, 3], [7, 0, 1]),
]


@pytest.mark.parametrize(("before", "after"), TABLES)
def test_few_rows_against_every_permutation(before, after):
    before, after = np.array(before), np.array(after)
    expected = permutation_p_value(before, after)
    assert shift_p_value(before, after) == pytest.approx(expected, abs=1e-12)


def test_many_rows_against_scipy():
    random = np.random.default_rng(1)
    for _ in range(5):
        before = random.multinomial(3000, [0.1, 0.2, 0.3, 0.4])
        after = random.multinomial(2000, [0.12, 0.2, 0.3, 0.38])
        result = stats.mannwhitneyu(
            rows(after), rows(before), method="asymptotic", use_continuity=False
        )
        assert shift_p_value(before, after) == pytest.approx(result.pvalue, rel=0.01)
        table = np.array([before, after])
        expected = stats.chi2_contingency(table, correction=False).pvalue
        assert shares_p_value(before, after) == pytest.approx(expected, rel=1e-9)


def test_exact_and_sampled_agree_at_the_border(monkeypatch):
    random = np.random.default_rng(4)
    for _ in range(5):
        before, after = random.multinomial([10, 40], [0.5, 0.3, 0.15, 0.05])
        exact = shift_p_value(before, after)
        monkeypatch.setattr(share_tests, "MAX_EXACT", 0)
        assert shift_p_value(before, after) == pytest.approx(exact, abs=0.02)
        monkeypatch.undo()


def test_sampled_and_normal_agree_at_the_border():
    random = np.random.default_rng(5)
    for _ in range(3):
        before, after = random.multinomial([800, 1200], [0.5, 0.3, 0.15, 0.05])
        assert before.sum() + after.sum() == MAX_SAMPLED
        normal = _normal_shift_p_value(before, after)
        assert shift_p_value(before, after) == pytest.approx(normal, abs=0.02)


def test_differences_beyond_doubt_are_not_bounded_by_the_number_of_tables():
    before, after = np.array([300, 2, 1]), np.array([1, 2, 300])
    assert shift_p_value(before, after) < 1e-30
    assert shares_p_value(before, after) < 1e-30


def test_few_rows_of_chi_squared_against_fisher():
    before, after = np.array([8, 2]), np.array([1, 5])
    _, expected = stats.fisher_exact([before, after])
    assert shares_p_value(before, after) == pytest.approx(expected, abs=0.01)
    assert shares_p_value(before, after) == shares_p_value(before, after)


def test_false_alarms_are_as_rare_as_stated():
    random = np.random.default_rng(2)
    shares = [0.55, 0.25, 0.1, 0.06, 0.04]
    for n, m in ((12, 9), (40, 200)):
        draws = [(random.multinomial(n, shares), random.multinomial(m, shares)) for _ in range(150)]
        for test in (shift_p_value, shares_p_value):
            assert np.mean([test(a, b) <= 0.05 for a, b in draws]) <= 0.10


def test_effect_sizes():
    before, after = np.array([10, 0, 10]), np.array([0, 20, 0])
    assert largest_share_moved(before, after) == 1
    assert shift_along_scale(before, after) == 0
    assert shift_p_value(before, after) == pytest.approx(1)
    assert shares_p_value(before, after) < 0.001
    up = shift_along_scale(np.array([5, 3, 2]), np.array([1, 4, 5]))
    assert up == pytest.approx(-shift_along_scale(np.array([1, 4, 5]), np.array([5, 3, 2])))
    assert up == pytest.approx(
        np.mean(np.sign(np.subtract.outer(rows([1, 4, 5]), rows([5, 3, 2]))))
    )


def test_levels_relabelled_and_swapped_samples():
    before, after = np.array([5, 3, 2, 9]), np.array([1, 4, 5, 0])
    shuffled = [2, 0, 3, 1]
    assert largest_share_moved(before, after) == pytest.approx(
        largest_share_moved(before[shuffled], after[shuffled])
    )
    assert shift_p_value(before, after) == pytest.approx(shift_p_value(after, before))
    assert shift_p_value(before, after) == pytest.approx(shift_p_value(before[::-1], after[::-1]))


def test_large_counts():
    before, after = np.array([10**9, 10**9]), np.array([10**9, 10**9 + 10**6])
    assert 0 < shares_p_value(before, after) < 1e-6
    assert 0 < shift_p_value(before, after) < 1e-6
    assert shares_p_value(np.array([10**9, 1]), np.array([10**9, 0])) > 0.1


def test_one_level():
    one = np.array([5])
    assert shift_p_value(one, one) == shares_p_value(one, one) == 1
    assert shares_p_value(np.array([5, 0]), np.array([3, 0])) == 1


def test_holm():
    assert adjust(np.array([])).tolist() == []
    adjusted = adjust(np.array([0.04, np.nan, 0.01, 0.03]))
    assert adjusted[[0, 2, 3]] == pytest.approx([0.06, 0.03, 0.06])
    assert np.isnan(adjusted[1])


def normal_reference(before, after):
    """Mann-Whitney from the midranks of all rows, with half a step of the rank sum."""
    ranks = stats.rankdata(np.concatenate([rows(before), rows(after)]))
    n, size = int(np.sum(before)), len(ranks)
    variance = n * (size - n) * np.sum((ranks - ranks.mean()) ** 2) / size / (size - 1)
    excess = abs(ranks[:n].sum() - n * ranks.mean())
    step = np.gcd.reduce(np.round(2 * np.diff(np.unique(ranks))).astype(int)) / 2
    return min(1.0, 2 * stats.norm.sf((excess - step / 2) / np.sqrt(variance)))


@pytest.mark.parametrize(
    ("before", "after"), [*TABLES[:4], ([2, 4, 6], [4, 2, 0]), ([0, 1, 0, 2], [3, 0, 0, 1])]
)
def test_the_normal_approximation_against_its_definition(before, after):
    before, after = np.array(before), np.array(after)
    expected = normal_reference(before, after)
    assert _normal_shift_p_value(before, after) == pytest.approx(expected, rel=1e-12)


def test_how_many_rows_are_exact_sampled_and_approximated():
    def shift(n):
        before = np.array([n // 2, n // 4, n - n // 2 - n // 4])
        after = before + np.array([-2, 1, 1])
        exact = share_tests._exact_shift_p_value(before, before + after) if n < 100 else None
        return shift_p_value(before, after), exact, _normal_shift_p_value(before, after)

    found, exact, _ = shift(25)  # 50 rows
    assert found == exact
    found, exact, normal = shift(26)
    assert found not in (exact, normal)
    assert round(found * 10_000) == pytest.approx(found * 10_000, abs=1e-6)
    found, _, normal = shift(1000)  # 2,000 rows
    assert found != normal
    found, _, normal = shift(1001)
    assert found == normal


def test_how_few_rows_are_expected_where_tables_are_drawn():
    for before, after, is_drawn in (([9, 1], [1, 9], False), ([8, 1], [1, 9], True)):
        table = np.array([before, after])
        usual = stats.chi2_contingency(table, correction=False).pvalue
        found = shares_p_value(*table)
        assert (found != pytest.approx(usual, rel=1e-9)) == is_drawn


def test_fewer_tables_are_drawn_of_many_levels():
    one, other = np.random.default_rng(0).poisson(2, (2, 2_000))
    n_tables = 2_000_000 // np.count_nonzero(one + other)
    assert shares_p_value(one, other) * (n_tables + 1) % 1 == pytest.approx(0, abs=1e-9)
