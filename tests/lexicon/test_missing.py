"""NaN is missing in every dtype, also where pandas takes it for a number."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from autotype.lexicon.dates import days_of
from autotype.lexicon.numbers import amounts_of
from autotype.types.arrow_array import with_plain_missing

FLOATS = [0.5, float("nan"), None, 2.0]


def arrow(values: pa.Array) -> pd.Series:
    return pd.Series(pd.arrays.ArrowExtensionArray(values))


@pytest.mark.parametrize(
    "values",
    [
        arrow(pa.array(FLOATS)),
        arrow(pa.array(FLOATS, type=pa.float32())),
        arrow(pa.array(FLOATS).dictionary_encode()),
        pd.Series(pd.arrays.FloatingArray(np.array([0.5, np.nan, 9, 2]), np.arange(4) == 2)),
        pd.Series(FLOATS, dtype=object),
        pd.Series([Decimal("0.5"), Decimal("sNaN"), None, Decimal(2)]),
    ],
    ids=["Arrow", "Arrow float", "Arrow dictionary", "mask", "objects", "decimals"],
)
def test_nan_is_missing(values: pd.Series) -> None:
    plain = with_plain_missing(values)
    assert plain.dtype == values.dtype
    assert plain.isna().tolist() == [False, True, True, False]
    assert list(map(float, plain.dropna())) == [0.5, 2.0]


def test_other_columns_stay_the_same_object() -> None:
    for values in (pd.Series(["a"]), pd.Series([1.0, np.nan]), arrow(pa.array([0.5, None]))):
        assert with_plain_missing(values) is values


def test_numbers_and_dates_of_signaling_nan_are_missing() -> None:
    values = pd.Series([Decimal("sNaN"), Decimal("1.5")])
    np.testing.assert_array_equal(amounts_of(values), [np.nan, 1.5])
    assert days_of(pd.Series([Decimal("sNaN"), "1970-01-03"])).tolist()[1:] == [2.0]


def test_signaling_nan_of_a_class_of_its_own() -> None:
    class Amount(Decimal):
        """A class of a library's user."""

    plain = with_plain_missing(pd.Series([Amount("sNaN"), "a", 1.5], dtype=object))
    assert plain.isna().tolist() == [True, False, False]
