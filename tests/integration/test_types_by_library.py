"""Every semantic type, cast in every library: the same levels, in the same order.

`describe` says what a cast column is, from its `ColumnType` and its values alone. What each library
gives is compared with that, or with the second best that the row of the library states.
"""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import pytest

import autotype
from autotype import ColumnType, TypeReport
from tests.inference.frames.engines import (
    engine,
    to_arrow,
    to_dask,
    to_duckdb,
    to_ibis,
    to_polars,
    to_spark,
)
from tests.integration.decided_columns import (
    CLASSES,
    OFF_SCALE,
    Example,
    codes,
    decided_examples,
    examples_of_classes,
)


@dataclass(frozen=True)
class Described:
    """A cast column in plain Python; None where the library does not say.

    Attributes
    ----------
    values : list
        One per row; None where missing.
    levels : list or None
        In the order of the dtype.
    ordered : bool or None
        Whether the order of the levels counts.
    scale : list or None
        The levels without those that have no place on the scale.
    ranks : list or None
        Place on the scale, one per row, from 0 up; None where missing or not on the scale.
    warned : frozenset of str
        "unseen" of levels absent from the report, "order lost" where the dtype holds no order.
    """

    values: list
    levels: list | None = None
    ordered: bool | None = None
    scale: list | None = None
    ranks: list | None = None
    warned: frozenset[str] = frozenset()


def describe(column: ColumnType, values: Sequence[Any]) -> Described:
    """Describe a column of a type once it is cast, in a library that has all it takes.

    An ordinal column is ordered: levels off the scale first, then the scale, lowest first. A
    categorical one is unordered, and so are an undetermined one whose levels are listed and a
    binary one of strings. All others stay as they are. Levels absent from the report go below the
    scale, or behind the others.
    """
    cells = list(values)
    present = [level for level in dict.fromkeys(cells) if level is not None]
    if column.semantic_type == "ordinal" and column.order is not None:
        scale, known = list(column.order), [*column.off_scale, *column.order]
        new = [level for level in present if level not in known]
        ranks = [scale.index(cell) if cell in scale else None for cell in cells]
        return Described(cells, [*new, *known], True, scale, ranks, _warned(new))
    has_levels = {
        "categorical": True,
        "undetermined": bool(column.levels),
        "binary": any(isinstance(level, str) for level in column.levels),
    }
    if not has_levels.get(column.semantic_type, False):
        return Described(cells)
    known = list(column.levels)
    new = [level for level in present if level not in known]
    levels = [*known, *new]
    return Described(cells, levels, False, levels, None, _warned(new if known else []))


def _warned(new: list) -> frozenset[str]:
    return frozenset({"unseen"} if new else ())


# What a library gives, of what is described: all of it, or its second best.


def in_full(full: Described) -> Described:
    """An ordered or unordered dtype with levels of any class; the ranks are the places in it."""
    return replace(full, scale=None, ranks=None)


def of_strings(full: Described) -> Described:
    """An enumeration of strings; of other levels the column stays as it is.

    Numbers along their scale need no dtype. Of any other order a warning says that it is lost.
    """
    levels = full.levels or []
    if all(isinstance(level, str) for level in levels):
        return in_full(full)
    sorts_alike = all(isinstance(v, int | float) for v in levels) and sorted(levels) == levels
    lost = {"order lost"} if full.ordered and not sorts_alike else set()
    return Described(full.values, warned=full.warned | lost)


def in_polars(full: Described) -> Described:
    """``Enum`` if ordered, else ``Categorical``, which does not hold the levels of one column."""
    given = of_strings(full)
    return given if given.ordered else replace(given, levels=None)


def in_duckdb(full: Described) -> Described:
    """``ENUM``, ordered or not: its levels always sort in their order."""
    return replace(of_strings(full), ordered=None)


def in_spark(full: Described) -> Described:
    """A column of ranks, and metadata of the type and the levels on the scale, as JSON has them."""
    scale = None if full.scale is None else [_as_json(level) for level in full.scale]
    return replace(full, levels=None, scale=scale)


def in_ibis(full: Described) -> Described:
    """A column of ranks, for ordinal columns only."""
    return Described(full.values, ranks=full.ranks, warned=full.warned)


def _as_json(level: Any) -> Any:
    return level.isoformat() if isinstance(level, datetime.date) else level


# How a library's cast column is read: its rows are in the order of the column `row`.


def read_pandas(cast: pd.DataFrame) -> Described:
    values = cast["x"]
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return Described(_plain(values))
    return Described(_plain(values), _plain(values.cat.categories), bool(values.cat.ordered))


def read_polars(cast: Any) -> Described:
    import polars as pl

    values = cast.lazy().collect()["x"]
    if isinstance(values.dtype, pl.Enum):
        return Described(values.to_list(), values.dtype.categories.to_list(), True)
    is_categorical = isinstance(values.dtype, pl.Categorical)
    return Described(values.to_list(), ordered=False if is_categorical else None)


def read_arrow(cast: Any) -> Described:
    import pyarrow as pa

    kind, values = cast.schema.field("x").type, cast.column("x")
    if not pa.types.is_dictionary(kind):
        return Described(values.to_pylist())
    levels = values.combine_chunks().dictionary.to_pylist()
    return Described(values.to_pylist(), levels, kind.ordered)


def read_dask(cast: Any) -> Described:
    dtype = cast.dtypes["x"]
    given = read_pandas(cast.compute().sort_values("row"))
    if isinstance(dtype, pd.CategoricalDtype):
        assert cast["x"].cat.known
        assert _plain(dtype.categories) == given.levels
    return given


def read_duckdb(cast: Any) -> Described:
    values = [row[0] for row in cast.order("row").select("x").fetchall()]
    kind = dict(zip(cast.columns, cast.types, strict=True))["x"]
    return Described(values, list(dict(kind.children)["values"]) if kind.id == "enum" else None)


def read_spark(cast: Any) -> Described:
    rows = [row.asDict() for row in cast.orderBy("row").collect()]
    note = cast.schema["x"].metadata.get("autotype", {})
    return Described(
        [row["x"] for row in rows],
        ordered=note["type"] == "ordinal" if note else None,
        scale=note.get("levels"),
        ranks=[row["x_rank"] for row in rows] if "x_rank" in cast.columns else None,
    )


def read_ibis(cast: Any) -> Described:
    table = cast.order_by("row").to_pyarrow()
    ranks = table.column("x_rank").to_pylist() if "x_rank" in cast.columns else None
    return Described(table.column("x").to_pylist(), ranks=ranks)


def _plain(values: Any) -> list:
    """Return Python's values, with None for a missing one."""
    return [None if pd.isna(value) else value for value in values.astype(object).tolist()]


@dataclass(frozen=True)
class Library:
    """A library: how its frames are made and read, and what they give of what is described.

    `lacks` are the classes that its engine in the tests does not have.
    """

    name: str
    needs: tuple[str, ...]
    make: Callable[[pd.DataFrame], Any]
    read: Callable[[Any], Described]
    give: Callable[[Described], Described] = in_full
    lacks: tuple[type, ...] = ()

    def holds(self, values: Sequence[Any]) -> bool:
        return not any(isinstance(value, self.lacks) for value in values)


def with_arrow_dtypes(frame: pd.DataFrame) -> pd.DataFrame:
    return to_arrow(frame).to_pandas(types_mapper=pd.ArrowDtype)


LIBRARIES = [
    Library("pandas", (), lambda frame: frame, read_pandas),
    Library("pandas with Arrow dtypes", ("pyarrow",), with_arrow_dtypes, read_pandas),
    Library(
        "pandas with nullable dtypes",
        (),
        lambda frame: frame.convert_dtypes(dtype_backend="numpy_nullable"),
        read_pandas,
    ),
    Library("pyarrow", ("pyarrow",), to_arrow, read_arrow),
    Library("polars", ("polars",), to_polars, read_polars, in_polars),
    Library(
        "polars lazy", ("polars",), lambda frame: to_polars(frame).lazy(), read_polars, in_polars
    ),
    Library("duckdb", ("duckdb",), to_duckdb, read_duckdb, in_duckdb),
    Library("dask", ("dask",), lambda frame: to_dask(with_arrow_dtypes(frame)), read_dask),
    Library("spark", ("pyspark",), to_spark, read_spark, in_spark),
    # SQLite stores dates as strings, which compare with no date.
    Library("ibis", ("ibis",), to_ibis, read_ibis, in_ibis, lacks=(datetime.date,)),
]


@dataclass(frozen=True)
class Batch:
    """Rows to be cast by a report that other rows gave."""

    name: str
    of: Example | ColumnType
    values: Sequence[Any]

    def __str__(self) -> str:
        return self.name

    @property
    def report(self) -> TypeReport:
        return self.of.report if isinstance(self.of, Example) else TypeReport([self.of])


SCALE = Example("ordinal", "known", codes(20), OFF_SCALE, max_levels=200)
FLAG = ColumnType("x", "binary", levels={False: 2, True: 2})
DATES = CLASSES["dates"]
BATCHES = [
    Batch("a scale, no rows", SCALE, []),
    Batch("a scale, all missing", SCALE, [None, None, None]),
    Batch("a scale, few of its levels", SCALE, [codes(20)[7], None, OFF_SCALE[1], codes(20)[3]]),
    Batch("a scale, an unseen level", SCALE, [codes(20)[7], "?!", None]),
    Batch("names, an unseen level", Example("categorical", "known", codes(3)), ["kk", None, "qx"]),
    Batch("a scale without an order", ColumnType("x", "ordinal", levels={"a": 1}), ["a", None]),
    Batch("undetermined, not listed", ColumnType("x", "undetermined"), ["a", None, "b"]),
    Batch("booleans", FLAG, [True, False, False]),
    Batch("booleans, some missing", FLAG, [True, None, False, False]),
    Batch("0 and 1", ColumnType("x", "binary", levels={0: 2, 1: 2}), [1, 0, None, 1]),
    Batch("two dates", ColumnType("x", "binary", levels=dict.fromkeys(DATES[:2], 1)), DATES[:2]),
]
CASES = [*decided_examples(), *examples_of_classes(CLASSES), *BATCHES]


def _pairs() -> Iterator[Any]:
    for library in LIBRARIES:
        marks = engine(library, library.name, *library.needs).marks
        for case in CASES:
            if library.holds(case.values):
                yield pytest.param(library, case, id=f"{library.name}: {case}", marks=marks)


@pytest.mark.parametrize(("library", "case"), list(_pairs()))
def test_a_cast_column_is_what_its_type_says(library: Library, case: Example | Batch) -> None:
    values = list(case.values)
    column = case.report["x"]
    frame = pd.DataFrame({"x": _series(values), "row": range(len(values))})
    cast, warned = _cast(library.make(frame), case.report)
    given = replace(library.read(cast), warned=warned)
    expected = library.give(describe(column, values))
    if not column.levels:  # the report does not order what it does not list
        given, expected = _without_order(given), _without_order(expected)
    assert given == expected


def _series(values: list) -> pd.Series:
    """Return values as pandas holds them by default: integers beside missing values are floats."""
    only_strings = all(value is None or isinstance(value, str) for value in values)
    return pd.Series(values, dtype="str" if only_strings else None)


def _cast(frame: Any, types: TypeReport) -> tuple[Any, frozenset[str]]:
    """Cast a frame; return it with the kinds of warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cast = autotype.apply_types(frame, types)
    messages = [str(warning.message) for warning in caught]
    kinds = {"unseen": "levels not in the report", "order lost": "order is in the report only"}
    found = {kind for kind, text in kinds.items() if any(text in message for message in messages)}
    return cast, frozenset(found)


def _without_order(described: Described) -> Described:
    if described.ordered:
        return described
    levels, scale = (
        None if listed is None else sorted(listed, key=str)
        for listed in (described.levels, described.scale)
    )
    return replace(described, levels=levels, scale=scale)


MARKED = {
    "numbers with a string": (
        ColumnType("x", "continuous", missing_markers=("n/a", "k. A.")),
        ["1.5", "n/a", None, "-2", "k. A.", "1e3"],
        [1.5, None, None, -2.0, None, 1000.0],
        [1.5, None, None, -2.0, None, 1000.0],
    ),
    "numbers with a code": (
        ColumnType("x", "count", missing_markers=(-9,)),
        [4, -9, 7],
        [4, -9, 7],
        [4, None, 7],
    ),
    "numbers and an unforeseen string": (
        ColumnType("x", "count", missing_markers=("n/a",)),
        ["4", "n/a", "soon"],
        ["4", "n/a", "soon"],
        ["4", None, "soon"],
    ),
    "two levels": (
        ColumnType(
            "x",
            "binary",
            levels={"no": 2, "yes": 1, "unknown": 1},
            missing_markers=("unknown",),
        ),
        ["no", "yes", "unknown", "no"],
        ["no", "yes", "unknown", "no"],
        ["no", "yes", None, "no"],
    ),
    "free text": (
        ColumnType("x", "text", missing_markers=("unknown",)),
        ["some words", "unknown", None],
        ["some words", "unknown", None],
        ["some words", None, None],
    ),
}


def _marked_pairs() -> Iterator[Any]:
    for library in LIBRARIES:
        marks = engine(library, library.name, *library.needs).marks
        for name, case in MARKED.items():
            yield pytest.param(library, *case, id=f"{library.name}: {name}", marks=marks)


@pytest.mark.parametrize(
    ("library", "column", "cells", "applied", "blanked"), list(_marked_pairs())
)
def test_missing_markers_are_blanked(
    library: Library, column: ColumnType, cells: list, applied: list, blanked: list
) -> None:
    """Where numbers cannot hold them always, elsewhere on request; nothing else is lost."""
    frame = library.make(pd.DataFrame({"x": _series(cells), "row": range(len(cells))}))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cast = autotype.apply_types(frame, TypeReport([column]))
        on_request = autotype.apply_types(frame, TypeReport([column]), blank_markers=True)
    assert library.read(cast).values == applied
    given = library.read(on_request)
    assert given.values == blanked
    assert given.levels is None or "unknown" not in given.levels
    n_told = sum("are stored as such" in str(warning.message) for warning in caught)
    assert n_told == (2 if applied[0] == 1.5 else 0)
