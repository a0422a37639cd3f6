from __future__ import annotations

import pyarrow as pa
import pytest

import autotype
from autotype.inference.frames.arrow_values import series_from_arrow

FLOATS = pa.array([0.5, 1.5, float("nan"), None, 0.5] * 4)


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("ordered", [False, True])
def test_nan_in_a_dictionary_is_missing(chunked: bool, ordered: bool) -> None:
    plain = FLOATS.dictionary_encode()
    values = pa.DictionaryArray.from_arrays(plain.indices, plain.dictionary, ordered=ordered)
    series = series_from_arrow(pa.chunked_array([values, values]) if chunked else values, "x")
    assert series.cat.categories.tolist() == [0.5, 1.5]
    assert series.cat.ordered == ordered
    assert series.isna().tolist()[:5] == [False, False, True, True, False]


def test_a_table_with_nan_in_a_dictionary_has_types() -> None:
    types = autotype.infer_types(pa.table({"x": FLOATS.dictionary_encode()}))
    assert types["x"].levels == {0.5: 8, 1.5: 4}


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("ordered", [False, True])
def test_a_dictionary_with_unsigned_indices(chunked: bool, ordered: bool) -> None:
    """Those of an Enum of polars; the oldest pyarrow does not convert them."""
    indices = pa.array([1, 0, None], pa.uint8())
    values = pa.DictionaryArray.from_arrays(indices, pa.array(["z", "a"]), ordered=ordered)
    converted = series_from_arrow(pa.chunked_array([values]) if chunked else values)
    assert converted.tolist()[:2] == ["a", "z"]
    assert converted.isna().tolist() == [False, False, True]
    assert list(converted.cat.categories) == ["z", "a"]
    assert converted.cat.ordered == ordered
