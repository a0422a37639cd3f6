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
from functools import partial
from typing import Any, Protocol

import numpy as np
import pandas as pd

from autotype.inference.frames.columns import NarwhalsColumns
from autotype.inference.frames.open_frame import columns_in_memory, engine_of
from autotype.types.arrow_array import is_simple, plain_arrow, with_plain_missing
from autotype.types.codec.json_values import simplify
from autotype.types.levels import LevelSet, cast_to_levels, codes_of, join_columns, unseen_levels
from autotype.wording import format_some

# Spark and Ibis have no ordered dtype: the column of ranks is called as the column, and this.
RANK_SUFFIX = "_rank"


class RowLevels(Protocol):
    """The levels that the rows of a column hold."""

    def unseen(self, is_known: Callable[[Any], bool]) -> list[Any]:
        """Return the levels that are not known."""

    def first_row(self, level: Any) -> str | None:
        """Return the label of the first row with a level; None if rows have no labels."""


# Of the position of a column and what its rows hold, returns its levels; None to leave it.
Settle = Callable[[int, RowLevels], LevelSet | None]


class Castable(Protocol):
    """A frame whose columns can be cast."""

    names: list[Any]

    def cast(self, positions: Sequence[int], settle: Settle) -> Any:
        """Return the frame with some columns cast to the levels that are settled for them."""


def castable_frame(frame: Any) -> Castable:
    """Return a frame of any library as one that can be cast.

    Raises
    ------
    TypeError
        If it is no such frame.
    """
    if isinstance(frame, pd.DataFrame):
        return _PandasFrame(frame)
    castable_library(frame)
    return _NativeFrame(frame)


def castable_library(native: Any) -> str:
    """Return the library of a frame, pandas aside.

    Raises
    ------
    TypeError
        If its columns cannot be cast.
    """
    name = type(native).__module__.partition(".")[0]
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


class _PandasFrame:
    """A frame of pandas, of which one column is read after the other."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.names = list(frame.columns)
        self._frame = frame

    def cast(self, positions: Sequence[int], settle: Settle) -> pd.DataFrame:
        if not self.names:
            return self._frame.copy()
        columns = []
        for j in range(len(self.names)):
            column = self._frame.iloc[:, j]
            if j in positions:
                values = with_plain_missing(column)
                held = _PandasLevels(values)
                levels = settle(j, held)
                if levels is not None:
                    categories = list(levels.categories)
                    column = cast_to_levels(
                        values, categories, ordered=levels.ordered, read=held.read
                    )
            columns.append(column)
        return join_columns(columns, self._frame.columns)


class _PandasLevels:
    """The levels that a column of pandas holds."""

    def __init__(self, values: pd.Series) -> None:
        self.read = codes_of(values)
        self._index = values.index

    def unseen(self, is_known: Callable[[Any], bool]) -> list[Any]:
        return unseen_levels(self.read, is_known)

    def first_row(self, level: Any) -> str:
        codes, levels = self.read
        code = next(j for j, held in enumerate(levels) if held is level)  # of `unseen`
        at = int(np.argmax(codes == code))
        return repr(self._index[[at]].tolist()[0])


class _NativeFrame:
    """A frame of another library, whose levels are counted in one pass if it is lazy."""

    def __init__(self, native: Any) -> None:
        self._native = native
        self._table = engine_of(native) or columns_in_memory(native)
        self.names = list(self._table.names)

    def cast(self, positions: Sequence[int], settle: Settle) -> Any:
        levels: dict[str, LevelSet] = {}
        if len(set(self.names)) < len(self.names):
            repeated = next(name for name in self.names if self.names.count(name) > 1)
            raise ValueError(f"two columns have the name {repeated!r}; rename one")
        for j, held in zip(positions, self._held(positions), strict=True):
            settled = settle(j, _CountedLevels(held))
            if settled is not None:
                levels[self.names[j]] = settled
        return cast_native(self._native, levels)

    def _held(self, positions: Sequence[int]) -> list[list[Any]]:
        if isinstance(self._table, NarwhalsColumns):
            present = (self._table.column(j).dropna() for j in positions)
            return [pd.Index(values.unique()).astype(object).tolist() for values in present]
        return [list(counts) for counts in self._table.count_levels(positions)]


class _CountedLevels:
    """The levels that a column of another library holds; its dates are read as timestamps."""

    def __init__(self, levels: Sequence[Any]) -> None:
        self._levels = levels

    def unseen(self, is_known: Callable[[Any], bool]) -> list[Any]:
        return [
            level for level in self._levels if not (is_known(level) or is_known(_as_date(level)))
        ]

    def first_row(self, level: Any) -> None:
        return None


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
    cast = _strings_only(levels, "enumerations of DuckDB")
    parts = []
    for name in relation.columns:
        quoted = '"' + name.replace('"', '""') + '"'
        if name in cast:
            strings = (level.replace("'", "''") for level in cast[name].categories)
            listed = ", ".join(f"'{string}'" for string in strings)
            parts.append(f"CAST({quoted} AS ENUM({listed})) AS {quoted}")
        else:
            parts.append(quoted)
    return relation.project(", ".join(parts))


def _to_spark(frame: Any, levels: Mapping[str, LevelSet]) -> Any:
    from pyspark.sql import functions as sf

    for name, of in levels.items():
        note = {
            "type": "ordinal" if of.ordered else "categorical",
            "levels": simplify(of.on_scale),
        }
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
