from __future__ import annotations

import numpy as np
import pytest

from autotype.models import Preferences
from tests.reference.preference_cycles import can_all_hold


def check_example(known: Preferences, example: tuple[int, ...]) -> None:
    """The preferences of the example close a cycle, and ask for more than 0 around it."""
    cycle = known[list(example)]
    assert cycle.below.tolist() == np.roll(cycle.above, -1).tolist()
    larger = (cycle.kind == "order") & (cycle.difference == 0)
    total = cycle.difference.sum()
    assert total > 1e-9 or (total > -1e-9 and larger.any())


def random_preferences(seed: int) -> Preferences:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    truth = rng.integers(0, 4, n).astype(float)

    def pairs(count):
        drawn = rng.integers(0, n, (count, 2))
        return np.where((truth[drawn[:, 0]] >= truth[drawn[:, 1]])[:, None], drawn, drawn[:, ::-1])

    noise = rng.integers(0, 2, 3)  # integers: cycles of length 0 are frequent
    orders = pairs(int(rng.integers(0, 6)))
    bands = pairs(int(rng.integers(0, 5)))
    apart = truth[bands[:, 0]] - truth[bands[:, 1]]
    bounded = rng.integers(0, n, int(rng.integers(0, 3)))
    return Preferences.concat(
        [
            Preferences(orders[orders[:, 0] != orders[:, 1]]),
            Preferences(
                orders, difference=truth[orders[:, 0]] - truth[orders[:, 1]] + noise[0] / 2
            ),
            Preferences.band(bands, apart, apart + 1.0),
            Preferences.equal(bands[:1] if apart[:1].sum() == 0 else bands[:0]),
            Preferences.at_least(bounded, truth[bounded]),
            Preferences.at_most(bounded, truth[bounded] + noise[1]),
        ]
    )


@pytest.mark.parametrize("seed", range(150))
def test_agrees_with_the_linear_program(seed):
    known = random_preferences(seed)
    if not len(known):
        return
    found = known.contradictions()
    assert bool(found) != can_all_hold(known)
    if found:
        check_example(known, found.example)
        assert found.rows == tuple(known.above[list(found.example)].tolist())


def test_both_answers_occur_among_the_random_ones():
    answers = [bool(random_preferences(seed).contradictions()) for seed in range(150)]
    assert 20 < sum(answers) < 130


def test_a_cycle_of_larger_than():
    found = Preferences([(0, 1), (1, 2), (2, 0), (2, 9), (5, 6)]).contradictions()
    assert (found.count, found.n_preferences) == (1, 3)
    assert sorted(found.rows) == [0, 1, 2]
    assert str(found).startswith("1 group of contradictory preferences (3), such as row")


def test_groups_are_counted_apart():
    known = Preferences([(0, 1), (1, 0), (2, 3), (3, 2), (4, 5)])
    assert known.contradictions().count == 2
    assert known.contradictions().n_preferences == 4


def test_equality_and_closeness_hold_together():
    known = Preferences.equal([(0, 1), (1, 2), (2, 0)]) + Preferences.close([(0, 2)], 0.1)
    assert not known.contradictions()
    assert (known + Preferences([(0, 2)])).contradictions().count == 1
    assert (known + Preferences([(0, 2)], difference=0.05)).contradictions().count == 1


def test_small_differences_beside_a_large_one():
    known = Preferences([(0, 1)]) + Preferences([(1, 0)], -5.0) + Preferences([(8, 9)], 1e9)
    assert not known.contradictions()


def test_a_row_beside_itself():
    assert not Preferences([(3, 3)]).contradictions()
    found = Preferences([(3, 3)], difference=1.0).contradictions()
    assert (found.count, found.example, found.rows) == (1, (0,), (3,))


def test_bounds_contradict_orders():
    known = Preferences([(0, 1)], difference=2.0)
    known += Preferences.at_most([0], 5.0) + Preferences.at_least([1], 4.0)
    found = known.contradictions()
    check_example(known, found.example)
    assert "its bounds" in str(found)


def test_a_long_cycle_is_named_in_part():
    ring = np.arange(20)
    found = Preferences(np.column_stack([ring, np.roll(ring, -1)])).contradictions()
    assert len(found.example) == 20
    assert "14 more" in str(found)


def test_a_hundred_thousand_preferences():
    rng = np.random.default_rng(0)
    rows = rng.permutation(50_000)
    chain = Preferences.band(np.column_stack([rows[1:], rows[:-1]]), 1.0, 2.0)
    assert len(chain) == 99_998
    assert not chain.contradictions()
    found = (chain + Preferences([(rows[0], rows[-1])])).contradictions()
    assert found.count == 1
    assert len(found.example) == 50_000
    equal = Preferences.equal(np.column_stack([rows[1:], rows[:-1]]))
    found = (equal + Preferences([(rows[0], rows[-1])])).contradictions()
    assert len(found.example) == 50_000
    values = rng.permutation(50_000)
    pairs = rng.integers(0, 50_000, (100_000, 2))
    pairs = np.where((values[pairs[:, 0]] > values[pairs[:, 1]])[:, None], pairs, pairs[:, ::-1])
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    assert not Preferences(pairs).contradictions()
    assert Preferences(np.vstack([pairs, pairs[:1, ::-1]])).contradictions().n_preferences >= 2
