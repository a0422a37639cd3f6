from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autotype.models.targets import ranks_among, read_ordinal_labels

SIZES = pd.CategoricalDtype(["S", "M", "L"], ordered=True)


@pytest.mark.parametrize(
    ("y", "classes", "expected"),
    [
        ([5, 25, 15], None, [5, 15, 25]),
        ([1.0, -2.0, 1.0], None, [-2.0, 1.0]),
        ([True, False], None, [False, True]),
        (np.array([3, 1], dtype=object), None, [1, 3]),
        (["b", "a"], ["b", "a"], ["b", "a"]),
        (["b", "a"], "sorted", ["a", "b"]),
        (np.array([3, 1], dtype=object), "sorted", [1, 3]),
        ([0.5, 1.0], [0.5, 1.0, 1.5], [0.5, 1.0, 1.5]),
        ([2, 1, 3], [3, 2, 1], [3, 2, 1]),
        (np.array([7, 250], dtype=np.uint8), None, [7, 250]),
        (pd.Series([2, 1], dtype="Int64"), None, [1, 2]),
        (pd.Categorical(["M", "S"], dtype=SIZES), None, ["S", "M", "L"]),
        (pd.Categorical(["M", "S"]), ["S", "M"], ["S", "M"]),
        (pd.Categorical([3, 10]), None, [3, 10]),
    ],
)
def test_levels_and_back(y, classes, expected):
    labels, ranks = read_ordinal_labels(y, classes)
    assert list(labels.classes) == expected
    assert list(labels.classes[ranks]) == list(y)
    assert list(labels.decode(ranks)) == list(y)


@pytest.mark.parametrize(
    ("y", "classes", "kind", "dtype"),
    [
        (np.array([1, 2]), None, np.ndarray, "int64"),
        (np.array(["a", "b"]), ["b", "a"], np.ndarray, "<U1"),
        (pd.Categorical(["M", "S"], dtype=SIZES), None, pd.Categorical, SIZES),
        (pd.Series(["M", "S"], dtype=SIZES), None, pd.Series, SIZES),
        (
            pd.Series(["M", "S"], dtype="str"),
            ["S", "M"],
            pd.Series,
            pd.Series(["M"], dtype="str").dtype,
        ),
        (pd.Series([2, 1], dtype="Int64"), None, pd.Series, "Int64"),
        (pd.Series([2, 1]), None, pd.Series, "int64"),
        (
            pd.Series(["M", "S"], dtype="category"),
            ["S", "M"],
            pd.Series,
            pd.CategoricalDtype(["S", "M"], ordered=True),
        ),
    ],
)
def test_the_kind_given_comes_back(y, classes, kind, dtype):
    labels, ranks = read_ordinal_labels(y, classes)
    out = labels.decode(ranks, pd.DataFrame(index=[7, 3]) if kind is pd.Series else None)
    assert isinstance(out, kind)
    if kind is pd.Series:
        assert out.index.tolist() == [7, 3]
    assert out.dtype == dtype
    assert list(out) == list(y)


def test_the_callers_index_and_name_come_back():
    labels, _ = read_ordinal_labels(pd.Series([1, 2], name="grade", index=["a", "b"]))
    out = labels.decode(np.array([1]), pd.DataFrame({"x": [0.0]}, index=["z"]))
    pd.testing.assert_series_equal(out, pd.Series([2], index=["z"], name="grade"))
    categorical, _ = read_ordinal_labels(pd.Categorical(["M", "S"], dtype=SIZES))
    out = categorical.decode(np.array([2]), pd.DataFrame({"x": [0.0]}, index=["z"]))
    pd.testing.assert_series_equal(out, pd.Series(["L"], index=["z"], dtype=SIZES))


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (pd.Series(["M", "S"], dtype=SIZES, index=[7, 3]), pd.Categorical),
        (pd.Series([2, 1], dtype="Int64", index=[7, 3]), np.ndarray),
        (pd.Series([2, 1], index=[7, 3]), np.ndarray),
    ],
)
def test_without_an_index_no_series_comes_back_that_would_be_aligned_wrongly(y, kind):
    labels, ranks = read_ordinal_labels(y)
    out = labels.decode(ranks, np.zeros((2, 1)))
    assert isinstance(out, kind)
    assert list(out) == list(y)


@pytest.mark.parametrize(
    ("y", "classes", "message"),
    [
        (["low", "high"], None, r"'low', 'high' have no order of their own; pass classes="),
        (pd.Categorical(["low", "high"]), None, "no order of their own"),
        (pd.Series(["low", "high"]), None, "make y an ordered Categorical"),
        ([1, "high"], None, "no order of their own"),
        (["low", "high"], "alphabet", "must list the levels, lowest first, or be 'sorted'"),
        (["low", "high"], ["low"], "y holds 'high' at row 1"),
        ([1, 9, 0], [1, 2], "y holds 9 at row 1 .and unknown labels at 1 more"),
        ([1, 0], [], "y holds 1 at row 0"),
        (["low", "high"], ["low", "high", "low"], "each level once"),
        ([1, 1], None, "one class only, 1"),
        ([0.5, 1.0, 1.7], None, "continuous"),
        ([1.0, np.inf], None, "infinite label at row 1"),
        (pd.Series(["S", None], dtype=SIZES), None, "1 missing labels"),
        (pd.Series([1, None], dtype="Int64"), None, "1 missing labels"),
        (None, None, "target y is None"),
    ],
)
def test_misuse(y, classes, message):
    with pytest.raises(ValueError, match=message):
        read_ordinal_labels(y, classes)


@pytest.mark.parametrize(
    ("order", "values", "ranks"),
    [
        (["S", "M"], ["M", "S", "XL", None], [1, 0, -1, -1]),
        ([2, "a", None], ["a", None, 2.0, "b"], [1, 2, 0, -1]),
        (np.array([1, 5]), np.array([5, 3, 1, 9]), [1, -1, 0, -1]),
        (np.array([5, 1]), np.array([5, 3, 1]), [0, -1, 1]),
        (["S", "M"], pd.Series(["M", pd.NA, "S"], dtype="string"), [1, -1, 0]),
        (["S", "M"], pd.Categorical(["M", None, "L"]), [1, -1, -1]),
    ],
)
def test_ranks_of_values_among_levels(order, values, ranks):
    assert ranks_among(order, values).tolist() == ranks
