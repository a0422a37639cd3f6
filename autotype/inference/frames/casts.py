"""Cast columns to given levels, in the dtypes of each library.

| frame | ordinal | other columns with levels |
|---|---|---|
| pandas, Dask | ordered Categorical | Categorical |
| pyarrow Table | ordered dictionary | dictionary |
| polars | Enum, of strings | Categorical, of strings |
| DuckDB | ENUM, of strings | ENUM, of strings |
| Spark, Ibis | a column of ranks beside it; in Spark also metadata | in Spark metadata |

A library is a function of a frame and the levels of its columns, and a line in `_CASTS`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from autotype.inference.frames.as_pandas import columns_in_memory, engine_of, library_of
from autotype.inference.frames.columns import NarwhalsColumns
from autotype.types.arrow_array import extension_of, is_simple, plain_arrow, with_plain_missing
from autotype.types.codec.json_values import simplify
from autotype.types.levels import (
    LevelCodes,
    LevelSet,
    cast_to_levels,
    codes_of,
    join_columns,
    mixes_equals,
    present_levels,
    unseen_levels,
)
from autotype.wording import format_some

# Spark and Ibis have no ordered dtype: the column of ranks is called as the column, and this.
RANK_SUFFIX = "_rank"


# Of the position of a column, a function that returns those of its levels that are not known, and
# one that says where the first row with a level is, returns its levels; None to leave the column.
Unseen = Callable[[Callable[[Any], bool]], list[Any] | None]  # None: the cells have no hash
_Levels = TypeVar("_Levels")
Settle = Callable[[int, Unseen, Callable[[Any], str]], LevelSet | None]


def castable_names(frame: Any) -> list[Any]:
    """Return the names of the columns of a frame of any library.

    Raises
    ------
    TypeError
        If its columns cannot be cast.
    """
    if isinstance(frame, pd.DataFrame):
        return list(frame.columns)
    castable_library(frame)
    return list(_opened(frame).names)


def castable_library(native: Any) -> str:
    """Return the library of a frame, pandas aside.

    Raises
    ------
    TypeError
        If its columns cannot be cast.
    """
    name = library_of(native)
    if name not in _CASTS:
        kinds = ", ".join(["pandas", *_CASTS])
        raise TypeError(
            f"types can be applied to frames of {kinds}, got "
            f"{type(native).__module__}.{type(native).__qualname__}; convert it to one of them"
        )
    return name


def cast_native(native: Any, levels: Mapping[str, LevelSet]) -> Any:
    """Cast columns of a frame to their levels.

    Parameters
    ----------
    native : frame
        Any frame of the table above, except those of pandas. It is not changed.
    levels : mapping
        Column -> its levels, which must hold all of its values.

    Returns
    -------
    frame
        Of the same kind; lazy ones stay lazy.
    """
    return _CASTS[castable_library(native)](native, levels)


def cast_frame(frame: Any, positions: Sequence[int], settle: Settle) -> Any:
    """Return a frame of any library with some columns cast to the levels settled for them.

    In a frame of pandas one column is read after the other; the levels of another frame are counted
    in one pass if it is lazy.
    """
    if isinstance(frame, pd.DataFrame):
        return _cast_pandas(frame, positions, settle)
    table = _opened(frame)
    names = list(table.names)
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two columns have the name {repeated!r}; rename one")
    if isinstance(table, NarwhalsColumns):
        held = [_or_none(present_levels, table.column(j).dropna()) for j in positions]
    else:
        held = [list(counts) for counts in table.count_levels(positions)]
    found = [_no_levels if levels is None else partial(_not_known, levels) for levels in held]
    settled = {
        names[j]: settle(j, find, lambda _: "") for j, find in zip(positions, found, strict=True)
    }
    return cast_native(frame, {name: of for name, of in settled.items() if of is not None})


def _opened(native: Any) -> Any:
    return engine_of(native) or columns_in_memory(native)


def _cast_pandas(frame: pd.DataFrame, positions: Sequence[int], settle: Settle) -> pd.DataFrame:
    if not len(frame.columns):
        return frame.copy()
    columns = [frame.iloc[:, j] for j in range(frame.shape[1])]
    for j in positions:
        values = with_plain_missing(columns[j])
        read = _or_none(codes_of, values)
        if read is None:
            settle(j, _no_levels, lambda _: "")  # which says so
            continue
        levels = settle(j, partial(unseen_levels, read), partial(_first_row, values.index, read))
        if levels is not None and not mixes_equals(values, read[1]):
            categories = list(levels.categories)
            columns[j] = cast_to_levels(values, categories, ordered=levels.ordered, read=read)
    return join_columns(columns, frame.columns)


def _or_none(read: Callable[[pd.Series], _Levels], values: pd.Series) -> _Levels | None:
    """Read the levels of a column; None if a cell has no hash, such as a list."""
    with suppress(TypeError):
        return read(values)
    return None


def _no_levels(_: Callable[[Any], bool]) -> None:
    """Say, as an `Unseen`, that the cells have no hash."""


def _first_row(index: pd.Index, read: LevelCodes, level: Any) -> str:
    codes, levels = read
    code = next(j for j, held in enumerate(levels) if held is level)  # of `unseen_levels`
    at = int(np.argmax(codes == code))
    return f" (first at row {index[[at]].tolist()[0]!r})"


def _not_known(levels: Sequence[Any], is_known: Callable[[Any], bool]) -> list[Any]:
    """Return the levels that are not known, also if a timestamp is read as a date."""
    return [level for level in levels if not (is_known(level) or is_known(_as_date(level)))]


def _as_date(level: Any) -> Any:
    """Return a timestamp at midnight as a date."""
    is_date = isinstance(level, pd.Timestamp) and level.tz is None and level == level.normalize()
    return level.date() if is_date else level


def _strings_only(levels: Mapping[str, LevelSet], kind: str) -> dict[str, LevelSet]:
    """Return the columns whose levels are strings; of other ordinal ones the order is lost."""
    lost = [
        name
        for name, of in levels.items()
        if of.ordered and not of.are_strings and not of.are_numbers_in_order
    ]
    if lost:
        warnings.warn(
            f"the levels of {format_some(lost)} are not strings, of which {kind} consist: the "
            "columns stay as they are, and their order is in the report only",
            UserWarning,
            stacklevel=6,
        )
    return {name: of for name, of in levels.items() if of.are_strings}


def _to_polars(frame: Any, levels: Mapping[str, LevelSet]) -> Any:
    import polars as pl

    dtypes = frame.collect_schema()
    castable = (pl.String, pl.Categorical, pl.Enum, pl.Null)  # and no extension type
    casts = {
        name: pl.Enum(of.categories) if of.ordered else pl.Categorical()
        for name, of in _strings_only(levels, "enumerations of polars").items()
        if isinstance(dtypes[name], castable)
    }
    return frame.cast(casts) if casts else frame


def _to_pyarrow(table: Any, levels: Mapping[str, LevelSet]) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not isinstance(table, pa.Table):
        raise TypeError(
            f"types can be applied to a pyarrow Table, got {type(table).__name__}; "
            "its to_table() loads one"
        )
    for name, of in levels.items():
        position = table.schema.get_field_index(name)
        if extension_of(table.schema.field(position).type) is not None:
            continue  # these have no dictionaries that other functions of Arrow know
        column = plain_arrow(table.column(position))
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if pa.types.is_null(column.type):  # of a column without values
            column = column.cast(pa.array(of.categories).type)
        if not is_simple(column.type):  # such as a union, of which a dictionary cannot consist
            continue
        known = pa.array(of.categories, type=column.type)
        codes = pc.index_in(column, value_set=known)
        cast = pa.DictionaryArray.from_arrays(codes, known, ordered=of.ordered)
        field = table.schema.field(position).with_type(cast.type)
        table = table.set_column(position, field, cast)
    return table


def _to_dask(frame: Any, levels: Mapping[str, LevelSet]) -> Any:
    cast = partial(_cast_partition, levels=levels)
    return frame.map_partitions(cast, meta=cast(frame._meta)) if levels else frame


def _cast_partition(frame: pd.DataFrame, levels: Mapping[str, LevelSet]) -> pd.DataFrame:
    cast = frame.copy(deep=False)
    for name, of in levels.items():
        values = with_plain_missing(frame[name])
        cast[name] = cast_to_levels(values, list(of.categories), ordered=of.ordered)
    return cast


def _to_duckdb(relation: Any, levels: Mapping[str, LevelSet]) -> Any:
    parts = []
    for name, of in _strings_only(levels, "enumerations of DuckDB").items():
        quoted = '"' + name.replace('"', '""') + '"'
        listed = ", ".join("'" + level.replace("'", "''") + "'" for level in of.categories)
        # By way of strings, as which UUIDs, for instance, are cast to no enumeration.
        parts.append(f"CAST({quoted}::VARCHAR AS ENUM({listed})) AS {quoted}")
    return relation.project(f"* REPLACE ({', '.join(parts)})") if parts else relation


def _to_spark(frame: Any, levels: Mapping[str, LevelSet]) -> Any:
    from pyspark.sql import functions as sf

    for name, of in levels.items():
        note = {"type": "ordinal" if of.ordered else "categorical", "levels": simplify(of.on_scale)}
        frame = frame.withMetadata(name, {"autotype": note})
        if of.ordered:
            column = frame[f"`{name}`"]
            rank = sf.lit(None).cast("int")
            for k, level in enumerate(of.on_scale):
                rank = sf.when(column == level, sf.lit(k)).otherwise(rank)
            frame = frame.withColumn(_new_name(name, frame.columns), rank)
    return frame


def _to_ibis(table: Any, levels: Mapping[str, LevelSet]) -> Any:
    import ibis

    for name, of in levels.items():
        if of.ordered:
            cases = [(table[name] == level, ibis.literal(k)) for k, level in enumerate(of.on_scale)]
            table = table.mutate(**{_new_name(name, table.columns): ibis.cases(*cases)})
    return table


def _new_name(name: str, taken: Sequence[str]) -> str:
    """Return the name of a column of ranks, different from those taken."""
    new = name + RANK_SUFFIX
    while new in taken:
        new += "_"
    return new


_CASTS = {
    "polars": _to_polars,
    "pyarrow": _to_pyarrow,
    "dask": _to_dask,
    "duckdb": _to_duckdb,
    "pyspark": _to_spark,
    "ibis": _to_ibis,
}
