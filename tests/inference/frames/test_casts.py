from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import autotype
from autotype import ColumnType, TypeReport
from autotype.errors import UnknownColumnError, UnseenLevelError
from tests.inference.frames.engines import (
    EAGER,
    LAZY,
    engine,
    sample_table,
    to_dask,
    to_duckdb,
    to_ibis,
    to_polars,
    to_spark,
)

GRADES = ("poor", "fair", "good", "excellent")
RANKS = {level: k for k, level in enumerate(GRADES)}
FRAME = sample_table(200)
TYPES = TypeReport(
    [
        ColumnType("grade", "ordinal", order=GRADES),
        ColumnType("colour", "categorical", levels=dict.fromkeys(["red", "green", "blue", "grey"])),
        ColumnType("rating", "ordinal", order=(5, 4, 3, 2, 1)),
        ColumnType("score", "continuous"),
    ]
)


def typed(convert: Any, types: TypeReport = TYPES, **options: Any) -> Any:
    return autotype.apply_types(convert(FRAME), types, **options)


polars = engine(lambda frame: to_polars(frame), "polars", "polars")
lazy_polars = engine(lambda frame: to_polars(frame).lazy(), "polars lazy", "polars")


@pytest.mark.parametrize("convert", [polars, lazy_polars])
def test_polars_gets_enumerations(convert: Any) -> None:
    import polars as pl

    with pytest.warns(UserWarning, match="levels of 'rating' are not strings.*polars"):
        cast = typed(convert)
    assert type(cast) is type(convert(FRAME))
    cast = cast.lazy().collect()
    assert cast.schema["grade"] == pl.Enum(GRADES)
    assert cast.schema["colour"] == pl.Categorical()
    assert cast.schema["rating"] == pl.Int64
    assert (cast["grade"] >= "good").sum() == FRAME["grade"].isin(["good", "excellent"]).sum()
    for name in FRAME:
        assert cast[name].cast(to_polars(FRAME).schema[name]).equals(to_polars(FRAME)[name])


def test_arrow_gets_dictionaries_of_any_level() -> None:
    table = pa.Table.from_pandas(FRAME, preserve_index=False)
    cast = autotype.apply_types(table, TYPES)
    for name in ("grade", "colour", "rating"):
        kind = cast.schema.field(name).type
        assert pa.types.is_dictionary(kind)
        assert kind.ordered == (name != "colour")
        assert cast.column(name).to_pylist() == table.column(name).to_pylist()
    assert cast.column("rating").combine_chunks().dictionary.to_pylist() == [5, 4, 3, 2, 1]
    assert cast.schema.field("score") == table.schema.field("score")
    again = autotype.apply_types(cast, TYPES)
    assert again.schema == cast.schema


@pytest.mark.parametrize("convert", [engine(to_dask, "dask", "dask")])
def test_dask_gets_known_categories(convert: Any) -> None:
    cast = typed(convert)
    assert cast["grade"].cat.known
    assert cast.dtypes["grade"] == pd.CategoricalDtype(GRADES, ordered=True)
    assert cast["rating"].compute().cat.categories.tolist() == [5, 4, 3, 2, 1]
    assert cast["grade"].compute().astype(object).tolist() == FRAME["grade"].tolist()


@pytest.mark.parametrize("convert", [engine(to_duckdb, "duckdb", "duckdb")])
def test_duckdb_gets_enumerations(convert: Any) -> None:
    with pytest.warns(UserWarning, match="levels of 'rating' are not strings.*DuckDB"):
        cast = typed(convert)
    types = dict(zip(cast.columns, map(str, cast.types), strict=True))
    assert types["grade"] == "ENUM('poor', 'fair', 'good', 'excellent')"
    assert types["rating"] == "BIGINT"
    levels = [row[0] for row in cast.select("grade").distinct().order("grade").fetchall()]
    assert levels == list(GRADES)


@pytest.mark.parametrize("convert", [engine(to_spark, "spark", "pyspark")])
def test_spark_gets_ranks_and_metadata(convert: Any) -> None:
    cast = typed(convert)
    note = cast.schema["grade"].metadata["autotype"]
    assert note == {"type": "ordinal", "levels": list(GRADES)}
    ranks = cast.select("grade", "grade_rank").distinct().collect()
    assert {row["grade"]: row["grade_rank"] for row in ranks} == {
        g: k for k, g in enumerate(GRADES)
    }
    assert [row["rating_rank"] for row in cast.filter("rating = 5").take(1)] == [0]


@pytest.mark.parametrize("convert", [engine(to_ibis, "ibis", "ibis")])
def test_ibis_gets_ranks(convert: Any) -> None:
    cast = typed(convert).select("grade", "grade_rank").distinct().to_pyarrow().to_pylist()
    assert {row["grade"]: row["grade_rank"] for row in cast} == RANKS


@pytest.mark.parametrize("convert", [*EAGER, *LAZY[:4]])
def test_unseen_levels_are_kept_below_the_scale_or_refused(convert: Any) -> None:
    if convert(FRAME).__class__.__name__.endswith("Dataset"):
        pytest.skip("a dataset has no columns to be cast")
    some = TypeReport([ColumnType("grade", "ordinal", order=GRADES[1:], off_scale=("none",))])
    with pytest.warns(UserWarning, match="'grade' holds levels not in the report: 'poor'; kept"):
        cast = typed(convert, types=some)
    if isinstance(cast, pa.Table):
        kept = cast.column("grade").combine_chunks().dictionary.to_pylist()
        assert kept == ["poor", "none", *GRADES[1:]]
    with pytest.raises(UnseenLevelError, match="'grade' holds levels not in the report: 'poor'"):
        typed(convert, types=some, unseen="raise")


@pytest.mark.parametrize("convert", [EAGER[0], LAZY[1]])
def test_a_report_of_another_frame_is_refused(convert: Any) -> None:
    other = TypeReport([ColumnType("size", "ordinal", order=("S", "M"))])
    with pytest.raises(UnknownColumnError, match="holds none of the report's 1 columns"):
        typed(convert, types=other)


def test_a_dataset_has_a_remedy() -> None:
    import pyarrow.dataset

    data = pyarrow.dataset.dataset(pa.Table.from_pandas(FRAME, preserve_index=False))
    with pytest.raises(TypeError, match=r"pyarrow Table, got InMemoryDataset; its to_table\(\)"):
        autotype.apply_types(data, TYPES)


@pytest.mark.parametrize("convert", [engine(to_polars, "polars", "polars")])
def test_the_namespace_of_polars(convert: Any) -> None:
    import autotype.polars  # noqa: F401

    frame = convert(FRAME)
    types = frame.ordinal.infer_types()
    assert types["grade"].order == GRADES
    assert frame.lazy().ordinal.infer_types().to_json() == types.to_json()
    assert frame.ordinal.apply_types(types)["grade"].dtype.categories.to_list() == list(GRADES)


@pytest.mark.parametrize("convert", [EAGER[0], LAZY[1]])
def test_numbers_along_their_scale_need_no_enumeration(convert: Any) -> None:
    types = TypeReport([ColumnType("rating", "ordinal", order=(1, 2, 3, 4, 5))])
    cast = typed(convert, types)  # without a warning
    levels = autotype.infer_types(FRAME)["rating"].levels
    assert autotype.infer_types(cast)["rating"].levels == levels
