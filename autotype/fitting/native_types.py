"""Apply a report's types to frames of other libraries than pandas, in their own dtypes.

| frame | ordinal | categorical, undetermined, binary texts |
|---|---|---|
| polars | Enum | Categorical |
| pyarrow Table | ordered dictionary | dictionary |
| Dask | ordered Categorical | Categorical |
| DuckDB | ENUM | ENUM |
| Spark, Ibis | a column of ranks beside it; in Spark also metadata | in Spark metadata |
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.errors import UnknownColumnError, UnseenLevelError
from autotype.inference.frames.engine import Engine
from autotype.inference.frames.open_frame import engine_of, narwhals_frame
from autotype.types.codec.json_values import simplify
from autotype.types.column_mapping import check_report, match_by_name
from autotype.wording import format_some

if TYPE_CHECKING:
    from autotype.types.column_type import ColumnType
    from autotype.types.column_types import ColumnTypes

# Spark and Ibis have no ordered dtype: the column of ranks is called as the column, and this.
RANK_SUFFIX = "_rank"


@dataclass(frozen=True)
class Levels:
    """The levels of a column to be cast.

    Attributes
    ----------
    levels : tuple
        Unseen ones and those off the scale first, then the scale, lowest first.
    n_below : int
        How many of them have no place on the scale.
    ordered : bool
        Whether the column is ordinal.
    """

    levels: tuple
    n_below: int
    ordered: bool

    @property
    def are_texts(self) -> bool:
        """Whether all levels are texts, as enumerations need."""
        return all(isinstance(level, str) for level in self.levels)

    @property
    def is_natural(self) -> bool:
        """Whether the levels are numbers along their scale, which need no ordered dtype."""
        scale = self.levels[self.n_below :]
        if not all(isinstance(level, Real) for level in scale):
            return False
        return all(low < high for low, high in pairwise(scale))

    @property
    def ranks(self) -> dict[Any, int]:
        """The levels on the scale, with their rank from 0 up."""
        return {level: k for k, level in enumerate(self.levels[self.n_below :])}


def apply_native(native: Any, types: ColumnTypes, *, unseen: str) -> Any:
    """Apply types to a frame of another library; see `apply_types`.

    Parameters
    ----------
    native : frame
        Any frame of the table above. It is not changed; lazy ones stay lazy.
    types : TypeReport
        The types.
    unseen : {"keep", "raise"}
        What to do with levels absent from the report. Of lazy frames they are counted first, in one
        pass.

    Returns
    -------
    frame
        Of the same kind.
    """
    check_report(types)
    engine = engine_of(native)
    names = list(engine.names) if engine else list(narwhals_frame(native).columns)
    matches, _ = match_by_name(names, types.columns)
    if types.columns and not any(matches):
        raise UnknownColumnError(
            f"the frame holds none of the report's {len(types.columns)} columns; "
            f"its own are {format_some(names)}"
        )
    discrete = {
        j: column for j, column in enumerate(matches) if column is not None and _has_levels(column)
    }
    present = _present_levels(native, engine, list(discrete))
    levels = {
        names[j]: _levels(column, seen, unseen)
        for (j, column), seen in zip(discrete.items(), present, strict=True)
    }
    return _CASTS[castable_library(native)](native, levels)


def cast_native(native: Any, levels: Mapping[str, Levels]) -> Any:
    """Cast columns of a frame to their levels.

    Parameters
    ----------
    native : frame
        Any frame of the table above. It is not changed.
    levels : mapping
        Column -> its levels, which must hold all of its values.

    Returns
    -------
    frame
        Of the same kind; lazy ones stay lazy.
    """
    return _CASTS[castable_library(native)](native, levels)


def castable_library(native: Any) -> str:
    """Return the library of a frame.

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


def _has_levels(column: ColumnType) -> bool:
    if column.semantic_type == "ordinal":
        return column.order is not None
    if column.semantic_type == "binary":
        return any(isinstance(level, str) for level in column.levels)
    return column.semantic_type in ("categorical", "undetermined") and bool(column.levels)


def _present_levels(native: Any, engine: Engine | None, positions: Sequence[int]) -> list[list]:
    """Return the levels that some columns hold."""
    if engine is not None:
        return [list(counts) for counts in engine.count_levels(positions)]
    from autotype.inference.frames.columns import NarwhalsColumns

    columns = NarwhalsColumns(narwhals_frame(native))
    return [
        pd.Index(columns.column(j).dropna().unique()).astype(object).tolist() for j in positions
    ]


def _levels(column: ColumnType, present: Sequence[Any], unseen: str) -> Levels:
    ordered = column.semantic_type == "ordinal"
    known = [*column.off_scale, *(column.order or ())] if ordered else list(column.levels)
    new = [level for level in present if level not in set(known)]
    if new:
        finding = f"column {column.name!r} holds levels not in the report: {format_some(new)}"
        if unseen == "raise":
            remedy = "correct them, infer the types of this frame, or pass unseen='keep'"
            raise UnseenLevelError(finding, remedy)
        warnings.warn(f"{finding}; kept as levels", UserWarning, stacklevel=5)
    if ordered:
        return Levels((*new, *known), len(new) + len(column.off_scale), ordered=True)
    return Levels((*known, *new), 0, ordered=False)


def _texts_only(levels: Mapping[str, Levels], kind: str) -> dict[str, Levels]:
    """Return the columns whose levels are texts; of other ordinal ones the order is lost."""
    lost = [
        name for name, of in levels.items() if of.ordered and not of.are_texts and not of.is_natural
    ]
    if lost:
        warnings.warn(
            f"the levels of {format_some(lost)} are not texts, of which {kind} consist: the "
            "columns stay as they are, and their order is in the report only",
            UserWarning,
            stacklevel=5,
        )
    return {name: of for name, of in levels.items() if of.are_texts}


def _to_polars(frame: Any, levels: Mapping[str, Levels]) -> Any:
    import polars as pl

    casts = {
        name: pl.Enum(of.levels) if of.ordered else pl.Categorical()
        for name, of in _texts_only(levels, "enumerations of polars").items()
    }
    return frame.cast(casts) if casts else frame


def _to_pyarrow(table: Any, levels: Mapping[str, Levels]) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not isinstance(table, pa.Table):
        raise TypeError(
            f"types can be applied to a pyarrow Table, got {type(table).__name__}; "
            "its to_table() loads one"
        )
    for name, of in levels.items():
        position = table.schema.get_field_index(name)
        column = table.column(position).combine_chunks()
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if pa.types.is_null(column.type):  # of a column without values
            column = column.cast(pa.array(of.levels).type)
        known = pa.array(of.levels, type=column.type)
        codes = pc.index_in(column, value_set=known)
        cast = pa.DictionaryArray.from_arrays(codes, known, ordered=of.ordered)
        field = table.schema.field(position).with_type(cast.type)
        table = table.set_column(position, field, cast)
    return table


def _to_dask(frame: Any, levels: Mapping[str, Levels]) -> Any:
    dtypes = {
        name: pd.CategoricalDtype(pd.Index(of.levels, tupleize_cols=False), ordered=of.ordered)
        for name, of in levels.items()
    }
    return frame.astype(dtypes) if dtypes else frame


def _to_duckdb(relation: Any, levels: Mapping[str, Levels]) -> Any:
    cast = _texts_only(levels, "enumerations of DuckDB")
    parts = []
    for name in relation.columns:
        quoted = '"' + name.replace('"', '""') + '"'
        if name in cast:
            listed = ", ".join("'" + level.replace("'", "''") + "'" for level in cast[name].levels)
            parts.append(f"CAST({quoted} AS ENUM({listed})) AS {quoted}")
        else:
            parts.append(quoted)
    return relation.project(", ".join(parts))


def _to_spark(frame: Any, levels: Mapping[str, Levels]) -> Any:
    from pyspark.sql import functions as sf

    for name, of in levels.items():
        scale = list(of.levels[of.n_below :])
        note = {"type": "ordinal" if of.ordered else "categorical", "levels": simplify(scale)}
        frame = frame.withMetadata(name, {"autotype": note})
        if of.ordered:
            column = frame[f"`{name}`"]
            rank = sf.lit(None).cast("int")
            for level, k in of.ranks.items():
                rank = sf.when(column == level, sf.lit(k)).otherwise(rank)
            frame = frame.withColumn(_new_name(name, frame.columns), rank)
    return frame


def _to_ibis(table: Any, levels: Mapping[str, Levels]) -> Any:
    import ibis

    for name, of in levels.items():
        if of.ordered:
            cases = [(table[name] == level, ibis.literal(k)) for level, k in of.ranks.items()]
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
