"""Convert columns between Arrow and pandas, those of types that few functions know included."""

from __future__ import annotations

import datetime
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from autotype.lexicon.missing import without_signaling_nan

with suppress(ImportError):  # pandas imports both where they are installed
    import pyarrow as pa
    import pyarrow.compute as pc

# pandas' dtypes of integers and booleans some of which are missing.
_NULLABLE = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
NULLABLE: dict[str, Any] = {name.lower(): pd.api.types.pandas_dtype(name) for name in _NULLABLE}
NULLABLE["bool"] = pd.BooleanDtype()
_EXTENSIONS = ("pandas.period", "pandas.interval", "arrow.uuid")
_FLOATS = ("halffloat", "float", "double")


def to_arrow_array(values: pd.Series) -> pa.Array:
    """Return a column as an Arrow array.

    Parameters
    ----------
    values : pandas.Series
        Any column.

    Returns
    -------
    pyarrow.Array

    Raises
    ------
    pyarrow.ArrowException, ArithmeticError, TypeError, ValueError
        If Arrow cannot hold the values.

    Examples
    --------
    >>> to_arrow_array(pd.Series(["a", None])).to_pylist()
    ['a', None]
    """
    is_categorical = isinstance(values.dtype, pd.CategoricalDtype)
    cells = values.cat.categories if is_categorical else values
    if cells.dtype == object:
        every = set(map(type, cells.array))
        if {bytes, str} <= every:  # of which Arrow would make bytes
            raise TypeError("it mixes bytes with strings")
        kinds = {kind for kind in every if issubclass(kind, np.generic)}
        if np.datetime64 in kinds and len(kinds) > 1:
            # pyarrow 26 ends the process where one of them comes first.
            names = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise TypeError(f"it mixes NumPy's dates with other scalars of NumPy: {names}")
        held = [cell for cell in cells if isinstance(cell, datetime.datetime | datetime.time)]
        zoned = [cell for cell in held if cell.tzinfo is not None]
        if any(isinstance(cell, datetime.time) for cell in zoned):
            raise TypeError("it holds times of day with a time zone")
        if zoned and len(zoned) < len(held):  # which Arrow takes to be in UTC
            raise TypeError("it mixes moments with and without a time zone")
        if any(type(cell) is datetime.date for cell in cells) and any(
            isinstance(cell, datetime.datetime) for cell in held
        ):  # of which Arrow would keep the day
            raise TypeError("it mixes dates with moments")
    return pa.Array.from_pandas(values)


def plain_arrow(values: pa.Array | pa.ChunkedArray) -> Any:
    """Return the same values as an array of a type that other functions of Arrow and pandas know.

    Views of strings and bytes, runs of values, extension types, half floats and decimals of whole
    tens become plain ones, and so do dictionaries which repeat a value, hold a missing one, or
    consist of other than simple values.

    Examples
    --------
    >>> import pyarrow as pa
    >>> str(plain_arrow(pa.array(["a", None], pa.string_view())).type)
    'large_string'
    """
    kind = values.type
    if isinstance(kind, pa.BaseExtensionType):
        chunks = values.chunks if isinstance(values, pa.ChunkedArray) else [values]
        storage = pa.chunked_array([c.storage for c in chunks], type=kind.storage_type)
        is_boolean = kind.extension_name == "arrow.bool8"  # of bytes, of which any but 0 are true
        return plain_arrow(storage.cast(pa.bool_()) if is_boolean else storage)
    if pa.types.is_run_end_encoded(kind):
        try:
            decoded = pc.run_end_decode(values)
        except pa.ArrowNotImplementedError:  # of dictionaries and nested values
            decoded = pa.array(values.to_pylist(), kind.value_type)
        return plain_arrow(decoded)
    if str(kind) in ("string_view", "binary_view"):
        return values.cast(f"large_{str(kind).removesuffix('_view')}")
    if pa.types.is_float16(kind):
        return values.cast(pa.float32())
    if pa.types.is_dictionary(kind):
        return _plain_dictionary(values)
    if pa.types.is_decimal(kind) and kind.scale < 0:  # of thousands, for instance
        return values.cast(pa.decimal256(min(kind.precision - kind.scale, 76), 0))
    return values


def _plain_dictionary(values: pa.Array | pa.ChunkedArray) -> Any:
    """Return a dictionary of different values, NaN aside, or its values in full."""
    array = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if isinstance(array, pa.ChunkedArray):  # of chunks that cannot be combined
        return values
    levels = plain_arrow(array.dictionary)
    if levels is array.dictionary and is_simple(levels.type):
        if str(levels.type) in _FLOATS:
            return _dictionary_without_nan(array)
        if not levels.null_count and len(levels.unique()) == len(levels):
            return values
    return plain_arrow(levels.take(array.indices))


def extension_of(kind: pa.DataType | None) -> Any:
    """Return the type of periods, intervals or UUIDs of a column, or of its dictionary, or None."""
    held = getattr(kind, "value_type", kind)
    return held if getattr(held, "extension_name", "") in _EXTENSIONS else None


def is_simple(kind: pa.DataType) -> bool:
    """Check for a type of single values that pandas' arrays of Arrow handle."""
    of = pa.types
    is_text = of.is_string(kind) or of.is_large_string(kind)
    is_bytes = of.is_binary(kind) or of.is_large_binary(kind)
    is_primitive = of.is_primitive(kind) and not (of.is_interval(kind) or of.is_float16(kind))
    return is_text or is_bytes or is_primitive or of.is_null(kind) or of.is_decimal128(kind)


def series_from_arrow(
    values: pa.Array | pa.ChunkedArray, name: Any = None, of: pa.DataType | None = None
) -> pd.Series:
    """Convert an Arrow column to a pandas Series.

    Parameters
    ----------
    values : pyarrow.Array or ChunkedArray
        A column of any type.
    name : hashable, optional
        The name of the series.
    of : pyarrow.DataType, optional
        The type that they had before `plain_arrow`: periods, intervals and UUIDs are made again.

    Returns
    -------
    pandas.Series
        Integers and booleans keep their kind if some are missing, rather than becoming floats or
        objects; dates become timestamps, and intervals of days and nanoseconds timedeltas. Values
        of a union are objects, and strings of which one is no UTF-8 are bytes.

    Examples
    --------
    >>> import pyarrow as pa
    >>> series_from_arrow(pa.array([1, None, 3])).dtype, series_from_arrow(pa.array([1, 2])).dtype
    (Int64Dtype(), dtype('int64'))
    """
    values = plain_arrow(values)
    kind = values.type
    if (of := extension_of(of)) is not None and kind == of.storage_type:
        chunks = values.chunks if isinstance(values, pa.ChunkedArray) else [values]
        extended = pa.chunked_array([of.wrap_array(chunk) for chunk in chunks], type=of)
        is_known = str(of.extension_name).startswith("pandas.")
        return (extended.to_pandas() if is_known else pd.Series(extended.to_pylist())).rename(name)
    if pa.types.is_dictionary(kind) and getattr(kind.value_type, "tz", None):
        levels = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
        categories = pd.Index(series_from_arrow(levels.dictionary))  # which pandas moves to UTC
        dtype = pd.CategoricalDtype(categories, ordered=kind.ordered)
        return series_from_arrow(levels.dictionary_decode(), name).astype(dtype)
    if str(kind) == "month_day_nano_interval":
        return _durations(values).rename(name)
    if pa.types.is_dictionary(kind) and pa.types.is_unsigned_integer(kind.index_type):
        # Old pyarrow refuses the unsigned indices of polars.
        values = values.cast(pa.dictionary(pa.int64(), kind.value_type, ordered=kind.ordered))
    mapper = NULLABLE if values.null_count else {}
    try:
        converted = values.to_pandas(
            types_mapper=lambda dtype: mapper.get(str(dtype)), date_as_object=False
        )
    except pa.ArrowException:
        converted = pd.Series(_cells(values), dtype=object)
    return converted.rename(name)


def _cells(values: pa.Array | pa.ChunkedArray) -> list[Any]:
    """Return values as objects of Python."""
    try:
        return values.to_pylist()
    except UnicodeDecodeError:
        return values.cast(pa.binary()).to_pylist()


def _durations(values: pa.Array | pa.ChunkedArray) -> pd.Series:
    """Convert DuckDB's intervals; those with months have no length, and stay objects."""
    cells = values.to_pylist()
    if any(cell is not None and cell.months for cell in cells):
        return pd.Series(cells, dtype=object)
    lengths = [
        pd.NaT if cell is None else pd.Timedelta(days=cell.days) + pd.Timedelta(cell.nanoseconds)
        for cell in cells
    ]
    return pd.Series(lengths, dtype="timedelta64[ns]").dt.as_unit("us")


def with_plain_missing(values: pd.Series) -> pd.Series:
    """Return a column in which NaN is missing, also in objects and in floats with a mask.

    pandas takes NaN for a number in the floats of Arrow, and in those with a mask. Values of Arrow
    that pandas handles badly, such as nested ones and wide decimals, become objects.

    Examples
    --------
    >>> floats = pd.arrays.FloatingArray(np.array([0.5, np.nan]), np.array([False, False]))
    >>> with_plain_missing(pd.Series(floats)).tolist()
    [0.5, <NA>]
    """
    values = without_signaling_nan(values)
    if isinstance(values.dtype, pd.ArrowDtype):
        values = _of_known_type(values)
    if isinstance(values.dtype, np.dtype) or getattr(values.dtype, "kind", "") != "f":
        return values
    nan = np.isnan(values.to_numpy(dtype=np.float64, na_value=0.0))
    return values.mask(nan) if nan.any() else values


def _of_known_type(values: pd.Series) -> pd.Series:
    """Return a column of Arrow in pandas with a type that pandas handles."""
    array = values.array.__arrow_array__()
    plain = plain_arrow(array)
    try:
        plain.validate(full=True)
    except pa.ArrowInvalid:  # strings that are no UTF-8
        plain = plain.cast(pa.binary())
    if is_simple(plain.type) or pa.types.is_dictionary(plain.type):
        if plain is array:
            return values
        plain = pd.arrays.ArrowExtensionArray(plain)
        return pd.Series(plain, index=values.index, name=values.name)
    return series_from_arrow(plain, values.name).set_axis(values.index)


def _dictionary_without_nan(array: pa.DictionaryArray) -> pa.DictionaryArray:
    """Return a dictionary of Arrow with floats in which NaN is missing, and no value."""
    levels = array.dictionary.filter(pc.invert(pc.is_nan(array.dictionary)))
    codes = pc.index_in(array.dictionary_decode(), value_set=levels).cast(array.type.index_type)
    return pa.DictionaryArray.from_arrays(codes, levels, ordered=array.type.ordered)
