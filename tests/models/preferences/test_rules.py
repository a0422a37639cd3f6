from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import UnknownColumnError
from autotype.models import Preferences
from autotype.models.preferences import rules as matched_pairs
from autotype.types.column_type import ColumnType
from tests.reference.matched_pairs import all_matched_pairs


def as_set(preferences: Preferences) -> set:
    pairs = list(zip(preferences.above.tolist(), preferences.below.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert pairs == sorted(pairs)
    return set(pairs)


def homes(seed: int, n: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "bedrooms": rng.integers(1, 6, n),
            "age": rng.integers(0, 60, n) / 10,  # tenths: sums that rounding touches
            "income": np.exp(rng.normal(size=n)),
            "latitude": rng.uniform(-90, 90, n),
            "longitude": rng.uniform(-180, 180, n),
            "town": rng.choice(["a", "b", "c"], n),
        }
    )
    gaps = rng.random((n, 6)) < 0.05
    return frame.astype(object).mask(gaps).infer_objects()


WITHIN = [
    {},
    {"age": 0.3},
    {"age": 0.0},
    {"age": 0.3, "income": 0.5},
    {"town": None},
    {"town": None, "age": 1},
    {"age": None},
    {"income": np.inf, "age": 0.2},
    {("latitude", "longitude"): 2500.0},
    {("latitude", "longitude"): 19_000.0},
    {("latitude", "longitude"): 30_000.0, "age": 0.2},
    {("latitude", "longitude"): 3000.0, "age": 2, "income": 0.8, "town": None},
]


@pytest.mark.parametrize("within", WITHIN, ids=str)
@pytest.mark.parametrize("seed", [0, 1])
def test_finds_the_pairs_that_all_pairs_hold(within, seed):
    frame = homes(seed)
    found = Preferences.from_rule(frame, increasing="bedrooms", within=within)
    assert as_set(found) == all_matched_pairs(frame, "bedrooms", within)


def test_places_near_the_poles_and_the_date_line():
    places = {"latitude": [89.9, 89.9, 0.0, 0.0, -0.1], "longitude": [10, -170, 179.9, -179.9, 540]}
    frame = pd.DataFrame({**places, "size": [1, 2, 3, 4, 5]})
    frame.loc[4, "longitude"] = 180.0
    within = {("latitude", "longitude"): 25.0}
    found = as_set(Preferences.from_rule(frame, increasing="size", within=within))
    assert found == {(1, 0), (3, 2), (4, 2), (4, 3)}
    assert found == all_matched_pairs(frame, "size", within)


def test_a_place_of_metres():
    frame = pd.DataFrame({"lat": [52.5, 52.500001, 52.50001], "lon": 13.4, "size": [1, 2, 3]})
    found = Preferences.from_rule(frame, increasing="size", within={("lat", "lon"): 0.0005})
    assert as_set(found) == {(1, 0)}


def test_the_same_in_small_chunks(monkeypatch):
    frame = homes(2)
    rules = [{}, {"age": 0.3}, {("latitude", "longitude"): 4000.0}]
    whole = [Preferences.from_rule(frame, increasing="bedrooms", within=key) for key in rules]
    monkeypatch.setattr(matched_pairs, "_CHUNK", 50)
    monkeypatch.setattr(matched_pairs, "_COUNTED_ROWS", 10)
    assert whole == [
        Preferences.from_rule(frame, increasing="bedrooms", within=key) for key in rules
    ]


def test_rounding_is_tolerated_and_no_more():
    frame = pd.DataFrame({"x": [34.1, 34.2, 34.2000001], "size": [1, 2, 3]})
    found = Preferences.from_rule(frame, increasing="size", within={"x": 0.1})
    assert as_set(found) == {(1, 0), (2, 1)}


def test_numbers_far_larger_than_their_largest_difference():
    frame = pd.DataFrame({"x": [1e12, 1e12 + 1, 1e12 + 2], "size": [1, 2, 3]})
    found = Preferences.from_rule(frame, increasing="size", within={"x": 1.0})
    assert as_set(found) == {(1, 0), (2, 1)}
    found = Preferences.from_rule(frame, increasing="size", within={"x": 1e-9})
    assert as_set(found) == set()


def test_decreasing_turns_the_pairs():
    frame = homes(3)
    up = Preferences.from_rule(frame, increasing="age", within={"town": None})
    down = Preferences.from_rule(frame, decreasing="age", within={"town": None})
    assert as_set(down) == {(below, above) for above, below in as_set(up)}


def test_two_labelled_rows_are_not_paired():
    frame = homes(4)
    labelled = np.arange(len(frame)) < 60
    found = Preferences.from_rule(
        frame, increasing="bedrooms", within={"age": 1}, labelled=labelled
    )
    every = Preferences.from_rule(frame, increasing="bedrooms", within={"age": 1})
    assert as_set(found) == {(i, j) for i, j in as_set(every) if not (labelled[i] and labelled[j])}
    assert 0 < len(found) < len(every)


def test_row_numbers_are_positions_whatever_the_index():
    frame = homes(5)
    other = frame.set_axis(np.arange(len(frame))[::-1] // 2)
    rule = {"increasing": "bedrooms", "within": {"age": 0.5}}
    assert Preferences.from_rule(other, **rule) == Preferences.from_rule(frame, **rule)


@pytest.mark.parametrize("within", [{}, {"x": 0.5}, {"g": None}], ids=str)
@pytest.mark.parametrize("most", [0, 1, 50])
def test_draws_some_of_many(within, most):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.random(400), "g": rng.integers(0, 3, 400), "z": rng.random(400)})
    every = as_set(Preferences.from_rule(frame, increasing="z", within=within))
    rule = {"increasing": "z", "within": within, "max_preferences": most}
    drawn = Preferences.from_rule(frame, **rule, random_state=1)
    assert len(drawn) == most
    assert as_set(drawn) <= every
    assert drawn == Preferences.from_rule(frame, **rule, random_state=1)
    if most == 50:
        assert drawn != Preferences.from_rule(frame, **rule, random_state=2)


def test_where_there_are_fewer_all_are_taken():
    frame = homes(6)
    rule = {"increasing": "bedrooms", "within": {"age": 0.1, "town": None}}
    every = Preferences.from_rule(frame, **rule)
    assert Preferences.from_rule(frame, **rule, max_preferences=len(every) + 1) == every
    assert len(Preferences.from_rule(frame, **rule, max_preferences=len(every) - 1)) < len(every)


@pytest.mark.parametrize("drawn", [True, False])
def test_all_pairs_are_equally_likely(monkeypatch, drawn):
    frame = pd.DataFrame({"z": [0, 0, 1, 2, 2, 3]})
    every = sorted(as_set(Preferences.from_rule(frame, increasing="z", within={})))
    if drawn:  # as it would from many more rows
        monkeypatch.setattr(matched_pairs.MatchedPairs, "n_candidates", 10**9)
    else:
        monkeypatch.setattr(matched_pairs.MatchedPairs, "_draw", lambda *_: None)
    counts = dict.fromkeys(every, 0)
    for seed in range(400):
        chosen = Preferences.from_rule(
            frame, increasing="z", within={}, max_preferences=3, random_state=seed
        )
        for pair in as_set(chosen):
            counts[pair] += 1
    expected = 400 * 3 / len(every)
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 2 * len(every)


def test_drawing_gives_up_where_valid_pairs_are_rare(monkeypatch):
    frame = pd.DataFrame({"z": [0] * 300 + [1]})
    monkeypatch.setattr(matched_pairs, "_MAX_DRAWN", 10)
    found = Preferences.from_rule(frame, increasing="z", within={}, max_preferences=299)
    assert len(as_set(found)) == 299
    assert set(found.above) == {300}


def test_too_many_pairs_are_not_held(monkeypatch):
    monkeypatch.setattr(matched_pairs, "_MAX_PAIRS", 10)
    with pytest.raises(ValueError, match="more than 10 pairs of rows match; pass max_pref"):
        Preferences.from_rule(homes(7), increasing="bedrooms", within={})


@pytest.mark.parametrize("dtype", ["Int64", "int64[pyarrow]", "Float64", "float32", "object"])
def test_numbers_of_any_dtype(dtype):
    frame = pd.DataFrame({"z": pd.Series([2, 1, 3], dtype=dtype), "x": pd.Series([0, 1, 9.0])})
    found = Preferences.from_rule(frame, increasing="z", within={"x": 1})
    assert as_set(found) == {(0, 1)}
    found = Preferences.from_rule(frame, increasing="x", within={"z": 1})
    assert as_set(found) == {(1, 0), (2, 0)}


@pytest.mark.parametrize("dtype", ["Int64", "int64[pyarrow]", "object"])
def test_missing_numbers_of_any_dtype(dtype):
    frame = pd.DataFrame({"z": pd.Series([2, None, 3], dtype=dtype), "x": [0, 1, 2.0]})
    assert as_set(Preferences.from_rule(frame, increasing="z", within={})) == {(2, 0)}
    assert as_set(Preferences.from_rule(frame, increasing="x", within={"z": 1})) == {(2, 0)}
    assert as_set(Preferences.from_rule(frame, increasing="x", within={"z": None})) == set()


def test_dates_and_ordered_levels():
    sizes = pd.CategoricalDtype(["S", "M", "L"], ordered=True)
    frame = pd.DataFrame(
        {
            "size": pd.Series(["M", "S", None, "L"], dtype=sizes),
            "sold": pd.to_datetime(["2020-01-31", "2020-01-01", "2020-01-02", None]),
            "x": [4, 3, 2, 1],
        }
    )
    month = {"sold": pd.Timedelta(days=30)}
    assert as_set(Preferences.from_rule(frame, increasing="size", within=month)) == {(0, 1)}
    assert as_set(Preferences.from_rule(frame, increasing="sold", within={})) == {
        (0, 1),
        (0, 2),
        (2, 1),
    }
    assert as_set(Preferences.from_rule(frame, increasing="x", within={"size": 1})) == {
        (0, 1),
        (0, 3),
    }


def test_times_are_apart_by_spans_not_by_numbers():
    frame = pd.DataFrame({"sold": pd.to_datetime(["2020-01-31", "2020-01-01"]), "x": [1, 2]})
    assert len(Preferences.from_rule(frame, increasing="x", within={"sold": "30 days"})) == 1
    with pytest.raises(TypeError, match=r"holds times, so that within\['sold'\] must be a span"):
        Preferences.from_rule(frame, increasing="x", within={"sold": 30})


def test_an_array_has_numbered_columns():
    X = np.array([[1.0, 0.0], [2.0, 0.5], [3.0, 9.0]])
    assert as_set(Preferences.from_rule(X, increasing=0, within={1: 1})) == {(1, 0)}


def test_a_column_may_be_named_by_a_tuple():
    frame = pd.DataFrame(
        [[1.0, 2.0, 7], [1.5, 3.0, 8]],
        columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "z")]),
    )
    found = Preferences.from_rule(frame, increasing=("b", "z"), within={("a", "x"): 0.5})
    assert as_set(found) == {(1, 0)}
    assert not len(Preferences.from_rule(frame, increasing=("b", "z"), within={("a", "y"): 0.5}))


@pytest.mark.parametrize("frame", [homes(0)[:0], homes(0)[:1], homes(0).assign(bedrooms=np.nan)])
def test_no_rows_to_pair(frame):
    for within in ({}, {"age": 1.0}):
        assert not len(Preferences.from_rule(frame, increasing="bedrooms", within=within))
        some = Preferences.from_rule(
            frame, increasing="bedrooms", within=within, max_preferences=10
        )
        assert not len(some)


def test_the_frame_is_not_changed():
    frame = homes(8)
    before = frame.copy()
    Preferences.from_rule(
        frame, increasing="bedrooms", within={("latitude", "longitude"): 500, "town": None}
    )
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("rule", "error", "message"),
    [
        ({"within": {}}, TypeError, "either as increasing= or as decreasing="),
        ({"increasing": "age", "decreasing": "age", "within": {}}, TypeError, "pass one column"),
        ({"increasing": "rooms", "within": {}}, UnknownColumnError, "no column 'rooms'"),
        ({"increasing": "age", "within": {"rooms": 1}}, UnknownColumnError, "no column 'rooms'"),
        ({"increasing": "town", "within": {}}, TypeError, "'town' holds string, which gives no"),
        ({"increasing": "age", "within": {"town": 1}}, TypeError, "None for equal values"),
        ({"increasing": "age", "within": {"age": -1}}, ValueError, r"within\['age'\] must be >= 0"),
        ({"increasing": "age", "within": {"age": np.nan}}, ValueError, "must be >= 0, or None"),
        (
            {"increasing": "age", "within": {"age": pd.Timedelta(days=1)}},
            TypeError,
            r"within\['age'\] must be a number",
        ),
        (
            {"increasing": "age", "within": {("latitude", "longitude"): None}},
            TypeError,
            "must be a number",
        ),
        (
            {"increasing": "age", "within": {("longitude", "latitude"): 1}},
            ValueError,
            r"\(latitude, longitude\) in degrees, but column 'longitude' holds",
        ),
        ({"increasing": "age", "within": {}, "max_preferences": -1}, ValueError, "must be >= 0"),
        ({"increasing": "age", "within": {}, "labelled": [True]}, ValueError, "mask of the 120"),
    ],
)
def test_rules_that_cannot_be_read(rule, error, message):
    with pytest.raises(error, match=message):
        Preferences.from_rule(homes(0), **rule)


def test_frames_that_cannot_be_read():
    with pytest.raises(TypeError, match="pandas DataFrame or an array of two dimensions, got dict"):
        Preferences.from_rule({"a": [1]}, increasing="a", within={})
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(UnknownColumnError, match="2 columns 'a'"):
        Preferences.from_rule(twice, increasing="a", within={})


SIZES = ColumnType("size", "ordinal", order=("S", "M", "L"), direction_known=True)


@pytest.mark.parametrize("dtype", ["object", "string", "string[pyarrow]", "category"])
def test_levels_of_an_ordinal_column(dtype):
    values = pd.Series(["L", "S", None, "M", "unknown"], dtype=dtype)
    frame = pd.DataFrame({"size": values, "x": [1, 1, 1, 2, 1]})
    found = Preferences.from_ordinal(SIZES, "size", frame)
    assert as_set(found) == {(0, 1), (0, 3), (3, 1)}
    adjacent = Preferences.from_ordinal(SIZES, "size", frame, adjacent=True)
    assert as_set(adjacent) == {(0, 3), (3, 1)}
    down = Preferences.from_ordinal(SIZES, "size", frame, decreasing=True)
    assert as_set(down) == {(1, 0), (3, 0), (1, 3)}
    alike = Preferences.from_ordinal(SIZES, "size", frame, within={"x": 0})
    assert as_set(alike) == {(0, 1)}


def test_levels_of_a_report():
    frame = pd.DataFrame({"size": ["M", "S", "L", None] * 5, "grade": [1, 2, 3, 4] * 5})
    types = autotype.infer_types(frame, known={"grade": [4, 3, 2, 1]})
    found = Preferences.from_ordinal(types, "size", frame[:4], difference=2.0, weight=0.5)
    assert as_set(found) == {(0, 1), (2, 0), (2, 1)}
    assert set(found.difference) == {2.0}
    assert set(found.weight) == {0.5}
    assert as_set(Preferences.from_ordinal(types, "grade", frame[:2])) == {(0, 1)}


def test_a_thousand_pairs_are_drawn_by_default():
    frame = pd.DataFrame({"size": ["S", "M", "L"] * 40})
    assert len(Preferences.from_ordinal(SIZES, "size", frame)) == 1000
    assert len(Preferences.from_ordinal(SIZES, "size", frame, max_preferences=None)) == 3 * 40**2


def test_a_direction_that_is_not_known():
    frame = pd.DataFrame({"size": ["S", "L"]})
    either = ColumnType("size", "ordinal", order=("S", "L"))
    with pytest.raises(ValueError, match="which end is the low one is not known"):
        Preferences.from_ordinal(either, "size", frame)
    found = Preferences.from_ordinal({"size": either}, "size", frame, decreasing=False)
    assert as_set(found) == {(1, 0)}


def test_a_column_that_is_not_ordinal():
    with pytest.raises(ValueError, match="'town' is not ordinal in these types, but categorical"):
        Preferences.from_ordinal(ColumnType("town", "categorical"), "town", homes(0))
