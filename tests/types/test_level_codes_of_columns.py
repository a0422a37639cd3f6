"""A column is read once for a cast, and the cast agrees with one cell by cell."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autotype.types.levels import cast_to_levels, codes_of, present_levels, unseen_levels
from tests.reference.level_cast import cast_cells, present_cells

CELLS = ["b", None, "a", "c", "b", "a", None, "d"]
COLUMNS = [
    pd.Series(CELLS),
    pd.Series(CELLS, dtype=object),
    pd.Series(CELLS, dtype="string"),
    pd.Series(CELLS, dtype=pd.CategoricalDtype(["d", "z", "c", "b", "a"], ordered=True)),
    pd.Series([cell and ord(cell) for cell in CELLS], dtype="Int64"),
    pd.Series([cell and ord(cell) for cell in CELLS], dtype=float),
    pd.Series([cell and (cell, 1) for cell in CELLS], dtype=object),
]


@pytest.mark.parametrize("values", COLUMNS, ids=lambda values: str(values.dtype))
@pytest.mark.parametrize("ordered", [True, False])
def test_a_cast_agrees_with_the_reference(values, ordered):
    present = present_levels(values)
    assert present == present_cells(values)
    for levels in (present, present[::-1], present[1:]):
        cast = cast_to_levels(values, levels, ordered=ordered)
        expected = cast_cells(values, levels, ordered=ordered)
        assert cast.cat.codes.tolist() == expected.cat.codes.tolist()
        assert cast.cat.categories.tolist() == levels
        assert cast.cat.ordered == ordered


@pytest.mark.parametrize("n_levels", [1, 126, 127, 128, 129, 300])
def test_codes_of_any_number_of_levels(n_levels):
    """The codes of 127 levels fit eight bits, and one more does not."""
    levels = list(range(n_levels))
    values = pd.Series([*levels, None], dtype="Int64")
    cast = cast_to_levels(values, levels, ordered=True)
    assert cast.cat.codes.tolist() == [*levels, -1]
    assert present_levels(cast) == levels
    again = cast_to_levels(cast, levels[::-1], ordered=True)
    assert again.cat.codes.tolist() == [*levels[::-1], -1]


def test_a_column_of_the_dtype_is_returned_as_it_is():
    dtype = pd.CategoricalDtype(["a", "b", "c", "d"], ordered=False)
    values = pd.Series(CELLS, dtype=dtype)
    assert cast_to_levels(values, ["a", "b", "c", "d"], ordered=False) is values
    for levels, ordered in ((["a", "b", "c", "d"], True), (["d", "c", "b", "a"], False)):
        cast = cast_to_levels(values, levels, ordered=ordered)
        assert cast.cat.categories.tolist() == levels
        assert cast.cat.ordered == ordered
    unordered = cast_to_levels(values.cat.as_ordered(), ["a", "b", "c", "d"], ordered=False)
    assert not unordered.cat.ordered


def test_truth_values_are_not_the_numbers_equal_to_them():
    values = pd.Series(pd.Categorical([1, "a"], categories=pd.Index([1, "a"], dtype=object)))
    cast = cast_to_levels(values, [True, "a"], ordered=False)
    assert list(map(type, cast.cat.categories)) == [bool, str]


@pytest.mark.parametrize("levels", [[np.True_, 2**64, "a"], [np.float32(1.5), 10**400, "a"]])
def test_levels_that_pandas_cannot_compare(levels):
    cast = cast_to_levels(pd.Series(levels, dtype=object), levels, ordered=True)
    assert cast.tolist() == levels


def test_unseen_levels_have_a_row():
    values = pd.Series(["a", "c"], dtype=pd.CategoricalDtype(["a", "b", "c"]))
    assert unseen_levels(codes_of(values), {"a"}.__contains__) == ["c"]
    assert present_levels(values[:0]) == []


def test_a_missing_value_that_pandas_counts_as_one():
    codes, levels = codes_of(pd.Series([np.nan, "a", pd.NaT, None, pd.NA], dtype=object))
    assert (codes.tolist(), levels) == ([-1, 0, -1, -1, -1], ["a"])
