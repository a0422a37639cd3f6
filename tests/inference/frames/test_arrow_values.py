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


SIZES, N = ["S", "M", "L"] * 12, 36
VIEWS = {
    "strings": pa.array(SIZES, pa.string_view()),
    "bytes": pa.array([size.encode() for size in SIZES], pa.binary_view()),
    "runs": pa.RunEndEncodedArray.from_arrays(
        pa.array(range(1, N + 1), pa.int32()), pa.array(SIZES)
    ),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_and_runs_are_those_of_plain_arrays(name: str) -> None:
    """Few functions of Arrow have a kernel for them, to draw rows for instance."""
    values = VIEWS[name]
    plain = pa.table({"x": pa.array(values.to_pylist()), "y": range(N)})
    table = plain.set_column(0, "x", pa.chunked_array([values]))
    types = autotype.infer_types(table)
    assert types.columns == autotype.infer_types(plain).columns
    typed = autotype.apply_types(table, types).column("x").combine_chunks()
    assert typed.to_pylist() == values.to_pylist()
    assert types.to_arrow(table).schema == types.to_arrow(plain).schema


def test_unions_are_refused_by_name() -> None:
    kinds = pa.array([0, 1] * 9, pa.int8())
    union = pa.UnionArray.from_sparse(kinds, [pa.array(range(18)), pa.array(list("ab") * 9)])
    with pytest.raises(TypeError, match=r"column 'x' is of Arrow's type sparse_union<.*leave it"):
        autotype.infer_types(pa.table({"x": union}))


@pytest.mark.parametrize("lazy", [False, True])
def test_wide_integers_of_polars(lazy: bool) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"x": pl.Series([2**100, 5, None] * 9, dtype=pl.Int128)})
    types = autotype.infer_types(frame.lazy() if lazy else frame)
    assert types["x"].levels == {2**100: 9, 5: 9}
