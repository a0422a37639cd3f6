"""Objects come back from plain state as they were, and what is plain holds no object of pandas."""

import datetime
import pickle

import numpy as np
import pandas as pd
import pytest

from autotype.types.codec.plain_state import PlainState


class Held(PlainState):
    def __init__(self, value):
        self.value = value


DAY = datetime.date(2024, 2, 29)
SIZES = pd.CategoricalDtype(["S", "M", "L"], ordered=True)
VALUES = {
    "ordered dtype": SIZES,
    "unordered dtype": pd.CategoricalDtype(["b", "a"]),
    "dtype of numbers": pd.CategoricalDtype([2, 1, 3], ordered=True),
    "dtypes in a tuple": (SIZES, 3, pd.CategoricalDtype(["x"])),
    "mapping": {DAY: 1, ("a", 2): None, 2.5: "x"},
    "mapping of mappings": {"a": {1: 2}, "b": [DAY, None]},
    "tuple": ("a", DAY, 3.5),
    "names": pd.Index(["a", "b"], name="k"),
    "names of numbers": pd.Index([3, 1, 2]),
    "names of floats": pd.Index([0.5, 1.5], dtype="float64"),
    "names of tuples": pd.Index([("a", 1), "b"], tupleize_cols=False),
    "places": pd.RangeIndex(3, 12, 4, name="row"),
    "dates": pd.DatetimeIndex(["2024-01-01", "2024-03-01"], name="day"),
    "several levels": pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["x", None]),
    "column of numbers": pd.Series([1.5, np.nan], index=["p", "q"], name="c"),
    "column of booleans": pd.Series([True, False], name=3),
    "column of categories": pd.Series(["M", None, "S"], dtype=SIZES, name="size"),
    "column of strings": pd.Series(["a", None], dtype=object, name="t"),
    "frame": pd.DataFrame({"n": [1, 2], "size": pd.Series(["S", "L"], dtype=SIZES)}, index=[5, 7]),
    "frame of one name": pd.DataFrame([[1, "a"], [2, "b"]], columns=["k", "k"]),
    "frame without columns": pd.DataFrame(),
}
PLAIN = (str, int, float, bool, type(None), np.ndarray)


def only_plain(value):
    if isinstance(value, dict):
        return all(isinstance(key, str) and only_plain(item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(only_plain, value))
    return isinstance(value, PLAIN)


def same(first, second):
    assert type(first) is type(second)
    if isinstance(first, pd.DataFrame):
        pd.testing.assert_frame_equal(first, second)
    elif isinstance(first, pd.Series):
        pd.testing.assert_series_equal(first, second)
    elif isinstance(first, pd.Index):
        pd.testing.assert_index_equal(first, second, exact=True)
        assert list(first.names) == list(second.names)
    else:
        assert first == second
        assert getattr(first, "ordered", None) == getattr(second, "ordered", None)


@pytest.mark.parametrize("case", VALUES)
def test_what_is_stored_is_plain_and_comes_back(case):
    held = Held(VALUES[case])
    assert only_plain(held.__getstate__())
    same(pickle.loads(pickle.dumps(held)).value, VALUES[case])


@pytest.mark.parametrize(
    "value", [object, Held, {object: 1}, pd.Index([DAY, object]), {"a": object}]
)
def test_what_has_no_plain_form_stays_as_it_is(value):
    assert Held(value).__getstate__()["value"] is value


@pytest.mark.parametrize("values", [[1, True, 1.0], ["1", 1], [None, float("nan")]])
def test_levels_that_look_alike_stay_apart(values):
    back = pickle.loads(pickle.dumps(Held(pd.Index(values, dtype=object)))).value
    assert list(map(repr, back)) == list(map(repr, values))
