from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import autotype
from autotype.types.arrow_array import series_from_arrow, to_arrow_array

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


def _union() -> pa.Array:
    kinds = pa.array([0, 1] * 18, pa.int8())
    return pa.UnionArray.from_sparse(kinds, [pa.array(range(N)), pa.array(SIZES)])


def _dictionary(values: pa.Array, indices: list[int | None]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(indices * 12, pa.int8()), values)


def _of_type(kind: pa.DataType, storage: pa.Array) -> pa.Array:
    return pa.ExtensionArray.from_storage(kind, storage)


ODD = {
    "union": _union(),
    "bytes for strings": pa.Array.from_buffers(
        pa.string(),
        N,
        [None, pa.py_buffer(np.arange(N + 1, dtype=np.int32)), pa.py_buffer(b"\xff\xfe" * N)],
    ),
    "interval": pa.array([pa.MonthDayNano([k % 3, 1, 0]) for k in range(N)]),
    "half float": pa.array([np.float16(k % 3) for k in range(N)], pa.float16()),
    "decimal": pa.array([Decimal("1.10"), None, Decimal("2.50")] * 12, pa.decimal256(60, 2)),
    "thousands": pa.array([Decimal("1E5"), None, Decimal("2E5")] * 12, pa.decimal128(5, -3)),
    "runs of a dictionary": pa.RunEndEncodedArray.from_arrays(
        pa.array([12, 24, N], pa.int16()), pa.array(["S", None, "M"]).dictionary_encode()
    ),
    "repeated": _dictionary(pa.array(["S", "S", "M"]), [0, 1, 2]),
    "missing": _dictionary(pa.array(["S", None, "M"]), [0, 1, 2]),
    "structures": _dictionary(pa.array([{"a": 1}, {"a": 2}]), [0, 1, None]),
    "dictionaries": _dictionary(_dictionary(pa.array(SIZES[:2]), [1, 0, 0]), [0, 1, None]),
    "uuid": _of_type(pa.uuid(), pa.array([bytes(16), b"0" * 16, None] * 12, pa.binary(16))),
    "opaque": _of_type(pa.opaque(pa.string(), "t", "v"), pa.array(SIZES)),
    "far": pa.array([-(2**61), 2**61, 0] * 12, pa.timestamp("us")),
    "largest": pa.array([2**64 - 1, 0, 5] * 12, pa.uint64()),
    "list view": pa.array([[1], [1, 2], None] * 12, pa.list_view(pa.int64())),
}


@pytest.mark.parametrize("library", ["pyarrow", "pandas"])
@pytest.mark.parametrize("name", ODD)
def test_columns_of_every_type_have_types_and_a_schema_that_they_fit(name, library) -> None:
    table = pa.table({"x": ODD[name], "y": SIZES})
    columns = {n: pd.Series(pd.arrays.ArrowExtensionArray(table.column(n))) for n in "xy"}
    frame = table if library == "pyarrow" else pd.DataFrame(columns)
    types = autotype.infer_types(frame)
    assert types["y"].order == ("S", "M", "L")
    assert autotype.TypeReport.from_json(types.to_json()) == types
    typed = autotype.apply_types(frame, types)
    assert list(typed["y"].to_pylist() if library == "pyarrow" else typed["y"]) == SIZES
    schema = autotype.to_schema(frame, types)
    for batch in (frame, typed):
        autotype.validate(batch, schema)


def test_two_columns_of_one_name() -> None:
    table = pa.Table.from_arrays([pa.array(SIZES), pa.array(range(N))], ["x", "x"])
    types = autotype.infer_types(table)
    assert [column.semantic_type for column in types.columns] == ["ordinal", "identifier"]
    with pytest.raises(ValueError, match="two columns have the name 'x'; rename one"):
        autotype.apply_types(table, types)


def test_a_name_of_polars_that_c_cannot_hold() -> None:
    pl = pytest.importorskip("polars")
    assert autotype.infer_types(pl.DataFrame({"\0": SIZES}))["\0"].order == ("S", "M", "L")


@pytest.mark.parametrize("lazy", [False, True])
def test_wide_integers_of_polars(lazy: bool) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"x": pl.Series([2**100, 5, None] * 9, dtype=pl.Int128)})
    types = autotype.infer_types(frame.lazy() if lazy else frame)
    assert types["x"].levels == {2**100: 9, 5: 9}


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC)], "with and without a time zone"),
        ([time(8, tzinfo=UTC), time(9)], "times of day with a time zone"),
    ],
)
def test_time_zones_that_arrow_would_drop_or_add(cells, said) -> None:
    with pytest.raises(TypeError, match=said):
        to_arrow_array(pd.Series(cells, dtype=object))


def test_dates_beside_moments_are_refused() -> None:
    cells = [date(2024, 1, 1), datetime(2024, 1, 1, 5)]
    with pytest.raises(TypeError, match="mixes dates with moments"):
        to_arrow_array(pd.Series(cells, dtype=object))


MONTHS = pd.PeriodIndex(["2024-01", "2024-02", "2024-02"] * 12, freq="M")
MOMENTS = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-02"] * 12).tz_localize("Asia/Tokyo")
OF_PANDAS = {
    "uuid": pd.Series([UUID(int=k % 3) for k in range(N)]),
    "periods": pd.Series(MONTHS),
    "days": pd.Series(pd.period_range("2024-01-01", periods=N)),
    "intervals": pd.Series(pd.cut(np.arange(N), 3)),
    "categories of periods": pd.Series(pd.Categorical(MONTHS)),
    "categories of moments": pd.Series(pd.Categorical(MOMENTS)),
}


@pytest.mark.parametrize("has_missing", [False, True])
@pytest.mark.parametrize("name", OF_PANDAS)
def test_what_to_arrow_writes_fits_the_schema_of_its_frame(name, has_missing) -> None:
    values = OF_PANDAS[name]
    frame = pd.DataFrame(
        {"x": values.mask(values.index == 3) if has_missing else values, "y": SIZES}
    )
    types = autotype.infer_types(frame)
    schema = frame.ordinal.to_schema(types)
    table = types.to_arrow(frame)
    autotype.validate(table, schema)
    again = autotype.infer_types(table)
    autotype.validate(autotype.apply_types(table, again), schema)
    assert autotype.infer_types(table, columns=["x"])["x"].semantic_type == again["x"].semantic_type


def test_bytes_beside_strings_are_not_made_bytes() -> None:
    with pytest.raises(TypeError, match="mixes bytes with strings"):
        to_arrow_array(pd.Series([b"a", "n/a"], dtype=object))


def test_booleans_in_bytes_are_booleans() -> None:
    values = pa.array([True, False, None]).cast(pa.bool8())
    assert series_from_arrow(values).tolist() == [True, False, pd.NA]
