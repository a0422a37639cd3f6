from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import autotype
from autotype.inference.frames.as_pandas import as_pandas
from tests.inference.frames.engines import EAGER, LAZY, sample_table, to_arrow

Convert = Callable[[pd.DataFrame], Any]
FRAME = sample_table(120)
TYPES = autotype.infer_types(FRAME)


@pytest.mark.parametrize("convert", EAGER)
def test_values_and_dtypes_are_those_of_pandas(convert: Convert) -> None:
    converted = as_pandas(convert(FRAME), "fit")
    texts = FRAME[["grade", "colour", "rare"]]
    expected = FRAME.assign(**texts.astype("str").where(texts.notna(), None))  # pandas 2: "None"
    assert dict(converted.dtypes) == dict(expected.dtypes)
    pd.testing.assert_frame_equal(converted, expected, check_column_type=False)


def test_a_frame_of_pandas_is_not_copied() -> None:
    assert as_pandas(FRAME, "fit") is FRAME


def test_a_frame_without_columns_keeps_its_rows() -> None:
    pl = pytest.importorskip("polars")
    assert as_pandas(pl.DataFrame(), "fit").shape == (0, 0)


@pytest.mark.parametrize("convert", LAZY)
def test_lazy_tables_are_refused_with_the_remedy(convert: Convert) -> None:
    lazy = convert(FRAME)
    with pytest.raises(
        TypeError, match=r"fit needs the rows in memory, got a lazy table of .*\.\w+"
    ):
        autotype.fit(lazy, "grade", TYPES)
    with pytest.raises(TypeError, match="to_arrow needs the rows in memory") as refused:
        TYPES.to_arrow(lazy)
    remedy = str(refused.value).split("load it with .")[1].split("()")[0]
    loaded = as_pandas(getattr(lazy, remedy)(), "fit")
    assert len(loaded) == len(FRAME)
    some = str(refused.value).rsplit("rows with ", 1)[1].replace("100_000", "5")
    head = as_pandas(eval("lazy" + some, {"lazy": lazy}), "fit")
    assert len(head) == 5


@pytest.mark.parametrize("convert", EAGER)
def test_schemas_and_arrow_tables_are_those_of_pandas(convert: Convert) -> None:
    schema, expected = autotype.to_schema(convert(FRAME), TYPES), autotype.to_schema(FRAME, TYPES)
    assert list(map(str, schema.columns.values())) == list(map(str, expected.columns.values()))
    table = TYPES.to_arrow(convert(FRAME))
    assert table.schema.field("grade").type.ordered
    assert autotype.TypeReport.from_arrow(table)["grade"].order == TYPES["grade"].order


@pytest.mark.parametrize("convert", EAGER)
def test_a_model_predicts_in_the_library_of_the_frame(convert: Convert) -> None:
    import polars as pl
    import pyarrow as pa

    expected = autotype.fit(FRAME, "grade", TYPES, model="gp", cv=None)
    model = autotype.fit(convert(FRAME), "grade", TYPES, model="gp", cv=None)
    predicted, wanted = model.predict(convert(FRAME)), expected.predict(FRAME)
    assert model.score(convert(FRAME)) == expected.score(FRAME)
    shares = model.predict_proba(convert(FRAME))
    if isinstance(predicted, pl.Series):
        assert predicted.name == "grade"
        assert predicted.dtype == pl.Enum(["poor", "fair", "good", "excellent"])
        assert predicted.to_list() == wanted.tolist()
        assert shares.columns == ["poor", "fair", "good", "excellent"]
        assert shares.sum_horizontal().to_list() == pytest.approx([1.0] * len(FRAME))
    else:
        assert isinstance(predicted, pa.Array)
        assert predicted.type.ordered
        assert predicted.to_pylist() == wanted.tolist()
        assert shares.column_names == ["poor", "fair", "good", "excellent"]


def test_predictions_of_numbers_and_of_levels_without_order_in_polars() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.from_pandas(FRAME)
    numbers = autotype.fit(frame, "score", TYPES, cv=None).predict(frame.head(3))
    assert (numbers.dtype, numbers.name, len(numbers)) == (pl.Float64, "score", 3)
    names = autotype.fit(frame, "colour", TYPES, model="logistic", cv=None).predict(frame)
    assert names.dtype == pl.Categorical
    rated = autotype.infer_types(FRAME, known={"rating": [1, 2, 3, 4, 5]})
    ratings = autotype.fit(frame, "rating", rated, cv=None).predict(frame)
    assert ratings.dtype == pl.Int64


def test_the_encoder_takes_frames_of_polars() -> None:
    pl = pytest.importorskip("polars")
    expected = TYPES.make_encoder().fit_transform(FRAME)
    frame = pl.from_pandas(FRAME)
    assert TYPES.make_encoder().fit_transform(frame).tolist() == expected.tolist()


def test_the_typer_takes_frames_of_polars() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.from_pandas(FRAME)
    typer = autotype.OrdinalTyper().fit(frame)
    assert typer.feature_names_in_.tolist() == frame.columns
    typed = typer.transform(frame)
    assert typed["grade"].to_list() == FRAME["grade"].tolist()
    assert typed["grade"].dtype == pl.Enum(typer.types_["grade"].order)
    with pytest.raises(TypeError, match="OrdinalTyper needs the rows in memory"):
        autotype.OrdinalTyper().fit(frame.lazy())


def test_the_polars_namespace_has_every_method_on_eager_frames() -> None:
    pl = pytest.importorskip("polars")
    pytest.importorskip("matplotlib")
    import autotype.polars  # noqa: F401 - registers the namespace

    frame = pl.from_pandas(FRAME)
    types = frame.ordinal.infer_types()
    schema = frame.ordinal.to_schema(types)
    assert frame.ordinal.validate(schema)["grade"].dtype == pl.Enum(types["grade"].order)
    assert types.to_arrow(frame).num_rows == len(FRAME)
    assert frame.ordinal.plot("grade").get_title(loc="left").startswith("grade: ordinal")
    assert frame.ordinal.fit("grade", types, cv=None).kind == "ordinal"


def test_a_table_of_arrow_has_no_namespace_but_the_functions() -> None:
    assert autotype.plot(to_arrow(FRAME), "grade").get_title(loc="left").startswith("grade")


def test_durations_as_objects_are_those_of_a_dtype() -> None:
    lengths = pd.Series([pd.Timedelta(hours=k).to_pytimedelta() for k in range(60)], dtype=object)
    frame = pd.DataFrame({"boxed": lengths, "plain": lengths.infer_objects()})
    types = autotype.infer_types(frame)
    assert types["boxed"].semantic_type == types["plain"].semantic_type == "continuous"
    assert types["boxed"].format == types["plain"].format == "duration"
    autotype.validate(frame, autotype.to_schema(frame, types))


def test_names_that_python_does_not_write() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["a", 10**5_000])
    with pytest.raises(ValueError, match=r"the name of column 1: Exceeds the limit .*; rename it"):
        autotype.infer_types(frame)
