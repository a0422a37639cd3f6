from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autotype.models import Preferences
from autotype.models.preferences.solvers.path import NO_ROW


def tuples(preferences: Preferences) -> list[tuple]:
    columns = (preferences.above, preferences.below, preferences.difference, preferences.weight)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_pairs_with_differences_and_weights():
    known = Preferences([(3, 0), (5, 2)], difference=[0.5, 0.0], weight=2.0)
    assert tuples(known) == [(3, 0, 0.5, 2.0), (5, 2, 0.0, 2.0)]
    assert known.above.dtype == known.below.dtype == np.intp
    assert set(known.kind) == {"order"}


def test_what_was_stated_stays_when_the_caller_goes_on():
    pairs, difference, bound = np.array([[1, 0]]), np.array([2.0]), np.array([3.0])
    known = Preferences(pairs, difference) + Preferences.at_most(pairs[0, :1], bound)
    only = Preferences(pairs, difference)
    pairs[:], difference[:], bound[:] = 7, 7.0, 7.0
    assert tuples(only) == [(1, 0, 2.0, 1.0)]
    assert tuples(known) == [(1, 0, 2.0, 1.0), (NO_ROW, 1, -3.0, 1.0)]


@pytest.mark.parametrize("pairs", [(), [], np.zeros((0, 2), dtype=int)])
def test_no_preferences(pairs):
    nothing = Preferences(pairs)
    assert len(nothing) == 0
    assert nothing.rows.tolist() == []
    assert np.isnan(nothing.share_true([1.0]))
    assert not nothing.contradictions()
    nothing.check_rows(0)
    assert nothing.summary() == "0 preferences about 0 rows\n  no contradictions"


def test_labels_of_an_index():
    frame = pd.DataFrame({"x": [1, 2, 3]}, index=["a", "b", "c"])
    known = Preferences.from_labels(frame, [("c", "a"), ("b", "a")], difference=[1.0, 2.0])
    assert tuples(known) == [(2, 0, 1.0, 1.0), (1, 0, 2.0, 1.0)]
    assert len(Preferences.from_labels(frame, [])) == 0


def test_labels_of_an_index_of_two_levels():
    frame = pd.DataFrame({"x": [1, 2]}, index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]))
    assert Preferences.from_labels(frame, [(("b", 2), ("a", 1))]).above.tolist() == [1]


def test_labels_that_name_no_row_or_several():
    frame = pd.DataFrame({"x": [1, 2, 3]}, index=["a", "b", "b"])
    with pytest.raises(ValueError, match="'b' more than once"):
        Preferences.from_labels(frame, [("b", "a")])
    with pytest.raises(KeyError, match="no label 'z', named in pair 1"):
        Preferences.from_labels(frame[:2], [("b", "a"), ("z", "a")])
    with pytest.raises(ValueError, match="pair 0 must hold two labels"):
        Preferences.from_labels(frame[:2], [("b", "a", "b")])


def test_bounds():
    assert tuples(Preferences.at_least([1, 2], 5.0)) == [(1, NO_ROW, 5, 1), (2, NO_ROW, 5, 1)]
    assert tuples(Preferences.at_most([1, 2], [3.0, 4.0])) == [
        (NO_ROW, 1, -3, 1),
        (NO_ROW, 2, -4, 1),
    ]
    assert tuples(Preferences.equal_to([7], 2.0, weight=3.0)) == [
        (7, NO_ROW, 2, 3),
        (NO_ROW, 7, -2, 3),
    ]


@pytest.mark.parametrize("kind", ["at_least", "at_most", "equal_to"])
def test_a_bound_may_be_a_function_of_the_row(kind):
    X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    state = getattr(Preferences, kind)
    by_array = state([0, 2], lambda rows: rows.sum(axis=1), frame=X)
    by_frame = state(
        [0, 2], lambda rows: rows["a"] + rows["b"], frame=pd.DataFrame(X, columns=[*"ab"])
    )
    assert by_array == by_frame == state([0, 2], [3.0, 11.0])
    with pytest.raises(TypeError, match="needs frame="):
        state([0], lambda rows: rows["a"])
    with pytest.raises(IndexError, match="row 5, but frame has 3 rows"):
        state([5], lambda rows: rows[:, 0], frame=X)


def test_bands_equality_and_closeness():
    assert tuples(Preferences.band([(0, 1)], 2.0, 5.0)) == [(0, 1, 2, 1), (1, 0, -5, 1)]
    assert tuples(Preferences.equal([(0, 1)])) == [(0, 1, 0, 1), (1, 0, 0, 1)]
    assert tuples(Preferences.close([(0, 1), (2, 3)], [0.5, 1.0], weight=[2.0, 4.0])) == [
        (0, 1, -0.5, 2),
        (2, 3, -1.0, 4),
        (1, 0, -0.5, 2),
        (3, 2, -1.0, 4),
    ]


@pytest.mark.parametrize(
    ("state", "error", "message"),
    [
        (lambda: Preferences([(0.5, 1.0)]), TypeError, "from_labels takes index labels"),
        (lambda: Preferences([("a", "b")]), TypeError, "must be row numbers"),
        (lambda: Preferences([(1, 2, 3)]), TypeError, r"shape \(p, 2\), got shape \(1, 3\)"),
        (lambda: Preferences([(0, 1), (2, -1)]), ValueError, r"got \[2, -1\] at position 1"),
        (lambda: Preferences([(0, 1)], weight=-1.0), ValueError, "weight must be >= 0"),
        (
            lambda: Preferences([(0, 1)], difference=np.nan),
            ValueError,
            "must be finite.* got nan",
        ),
        (
            lambda: Preferences([(0, 1)], weight=1e80),
            ValueError,
            "at most 1e.75 in .* got 1e.80 at preference 0; divide all weights by one number",
        ),
        (
            lambda: Preferences([(0, 1), (1, 2)], difference=[0.5, -1e300]),
            ValueError,
            "got -1e.300 at preference 1; divide targets and differences by one number",
        ),
        (lambda: Preferences([(0, 1)], difference=[1, 2]), ValueError, "each of the 1 preferences"),
        (lambda: Preferences.at_least([True, False], 1.0), TypeError, "np.flatnonzero"),
        (lambda: Preferences.at_least([-1], 1.0), ValueError, "got -1 at position 0"),
        (lambda: Preferences.at_most([0, 1], [1.0, np.inf]), ValueError, "inf at preference 1"),
        (lambda: Preferences.band([(0, 1)], 2.0, 1.0), ValueError, "got 2 and 1 at pair 0"),
        (lambda: Preferences.close([(0, 1)], -1.0), ValueError, "within must be >= 0, got -1.0"),
        (lambda: Preferences.concat([Preferences(), [(0, 1)]]), TypeError, "got list"),
        (lambda: Preferences([(0, 1)]) + 1, TypeError, "unsupported operand"),
        (lambda: Preferences([(0, 1)]).sample(-1), ValueError, "n must be >= 0, got -1"),
        (lambda: Preferences([(0, 1)]).share_true([[1.0]]), ValueError, "one dimension"),
    ],
)
def test_what_cannot_be_read(state, error, message):
    with pytest.raises(error, match=message):
        state()


def test_rows_that_are_not_there():
    known = Preferences([(0, 1), (2, 7)]) + Preferences.at_most([3], 1.0)
    known.check_rows(8)
    with pytest.raises(IndexError, match="preference 1 is about row 7, but there are 7 rows"):
        known.check_rows(7)
    with pytest.raises(IndexError, match="row 7, but there are 3 rows"):
        known.share_true([1.0, 2.0, 3.0])


def test_concatenation_and_choice():
    first, second = Preferences([(0, 1), (2, 3)], [1.0, 2.0]), Preferences.at_least([4], 9.0)
    both = first + second
    assert tuples(both) == tuples(first) + tuples(second)
    assert both == Preferences.concat([first, second])
    assert both.kind.tolist() == ["order", "order", "at least"]
    assert both.rows.tolist() == [0, 1, 2, 3, 4]
    assert both[2] == second
    assert both[:2] == first
    assert both[np.array([False, False, True])] == second
    assert first != second
    assert Preferences.concat([]) == Preferences()
    assert first != "first"


def test_a_sample_keeps_the_order_and_is_drawn_by_its_seed():
    known = Preferences(np.column_stack([np.arange(1, 101), np.zeros(100, dtype=int)]))
    drawn = known.sample(10, random_state=1)
    assert len(drawn) == 10
    assert (np.diff(drawn.above) > 0).all()
    assert drawn == known.sample(10, random_state=1)
    assert drawn != known.sample(10, random_state=2)
    assert known.sample(1000) is known


def test_violations_and_share_true():
    known = Preferences([(1, 0), (0, 1), (2, 0)], difference=[0.5, 0.0, 1.0])
    known += Preferences.at_most([1], 1.5) + Preferences.at_least([3], 0.0)
    values = [0.0, 1.0, np.nan, -2.0]
    np.testing.assert_array_equal(known.violations(values), [0.0, 1.0, np.nan, 0.0, 2.0])
    assert known.share_true(values) == 0.5


def test_rounding_violates_nothing():
    assert Preferences([(1, 0)], difference=0.2).share_true([0.1, 0.3]) == 1.0
    assert Preferences([(1, 0)], difference=0.2).share_true([0.1, 0.2999]) == 0.0


def test_the_frame_shows_each_tuple():
    frame = Preferences.band([(0, 1)], 1.0, 2.0, weight=3.0).to_frame()
    assert frame.columns.tolist() == ["above", "below", "difference", "weight", "kind"]
    assert frame["kind"].tolist() == ["band", "band"]


def test_the_summary_counts_by_kind():
    known = Preferences([(0, 1), (1, 2)], weight=[0.5, 1.0]) + Preferences.at_most([5, 6], [1, 2])
    known += Preferences([(2, 0)])
    cycle = "row 0 over row 1 over row 2 over row 0"
    assert known.summary().splitlines() == [
        "5 preferences about 5 rows",
        "  order: 3, difference 0, weight 0.5 to 1",
        "  at most: 2, bound 1 to 2",
        f"  1 group of contradictory preferences (3), such as {cycle}",
    ]
    assert repr(known) == "<Preferences: 5 about 5 rows>"
