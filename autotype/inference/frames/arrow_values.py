"""Convert Arrow columns to pandas, so that the same values give the same dtype from any engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.lexicon.missing import DICTIONARIES_OF_FLOATS, dictionary_without_nan
from autotype.types.arrow_array import plain_arrow

if TYPE_CHECKING:
    import pyarrow as pa

# pandas' dtypes of integers and booleans some of which are missing.
NULLABLE = {
    "int8": pd.Int8Dtype(),
    "int16": pd.Int16Dtype(),
    "int32": pd.Int32Dtype(),
    "int64": pd.Int64Dtype(),
    "uint8": pd.UInt8Dtype(),
    "uint16": pd.UInt16Dtype(),
    "uint32": pd.UInt32Dtype(),
    "uint64": pd.UInt64Dtype(),
    "bool": pd.BooleanDtype(),
}


def series_from_arrow(values: pa.Array | pa.ChunkedArray, name: Any = None) -> pd.Series:
    """Convert an Arrow column to a pandas Series.

    Parameters
    ----------
    values : pyarrow.Array or ChunkedArray
        A column of any type.
    name : hashable, optional
        The name of the series.

    Returns
    -------
    pandas.Series
        Integers and booleans keep their kind if some are missing, rather than becoming floats or
        objects; dates become timestamps, and intervals of days and nanoseconds timedeltas.

    Raises
    ------
    TypeError
        If pandas cannot hold the values, such as those of a union.

    Examples
    --------
    >>> import pyarrow as pa
    >>> series_from_arrow(pa.array([1, None, 3])).dtype, series_from_arrow(pa.array([1, 2])).dtype
    (Int64Dtype(), dtype('int64'))
    """
    import pyarrow as pa

    values = plain_arrow(values)
    kind = str(values.type)
    if kind == "month_day_nano_interval":
        return _durations(values).rename(name)
    if kind.startswith(DICTIONARIES_OF_FLOATS):
        values = dictionary_without_nan(values)
    elif kind.startswith("dictionary<") and "indices=uint" in kind:
        values = _with_signed_indices(values)
    mapper = NULLABLE if values.null_count else {}
    try:
        converted = values.to_pandas(
            types_mapper=lambda dtype: mapper.get(str(dtype)), date_as_object=False
        )
    except pa.ArrowNotImplementedError as problem:  # of unions
        raise TypeError(
            f"column {name!r} is of Arrow's type {kind}, which pandas cannot hold; leave it out, "
            "or store its values as strings"
        ) from problem
    return converted.rename(name)


def with_enum_order(values: pd.Series, *, is_enum: bool) -> pd.Series:
    """Return the categories of an Enum as ordered, which not every polars tells Arrow."""
    return values.cat.as_ordered() if is_enum and len(values.cat.categories) else values


def _with_signed_indices(values: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Cast the indices of a dictionary: old pyarrow refuses the unsigned ones of polars."""
    import pyarrow as pa

    kind = values.type
    return values.cast(pa.dictionary(pa.int64(), kind.value_type, ordered=kind.ordered))


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
