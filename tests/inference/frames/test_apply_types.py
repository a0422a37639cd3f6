"""Types as dtypes: orders are kept, nothing is lost, unseen levels are listed."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import autotype
from autotype.errors import UnknownColumnError, UnseenLevelError, UnwritableTableError
from autotype.inference.frames.apply_types import apply_types
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

FRAME = pd.DataFrame(
    {
        "mood": ["low", "high", None, "don't know", "mid", "high"],
        "town": ["Ulm", "Rom", "Ulm", "Bern", None, "Rom"],
        "score": [1, 3, 2, 1, 2, 3],
        "yes": ["y", "n", "y", "y", None, "n"],
        "flag": [True, False, True, True, False, False],
        "x": [0.1, 0.2, 0.3, 0.4, 0.5, np.nan],
        "mixed": ["a", "b", "c", "a", "b", "c"],
    }
)
TYPES = TypeReport(
    [
        ColumnType("mood", "ordinal", 0.9, order=("low", "mid", "high"), off_scale=("don't know",)),
        ColumnType("town", "categorical", 0.1, levels={"Ulm": 2, "Rom": 2, "Bern": 1}),
        ColumnType("score", "ordinal", 0.9, order=(1, 2, 3)),
        ColumnType("yes", "binary", levels={"y": 3, "n": 2}),
        ColumnType("flag", "binary", levels={True: 3, False: 3}),
        ColumnType("x", "continuous"),
        ColumnType("mixed", "undetermined", 0.5, levels={"a": 2, "b": 2, "c": 2}),
    ]
)


def test_each_type_becomes_its_dtype():
    typed = apply_types(FRAME, TYPES)
    assert typed["mood"].cat.categories.tolist() == ["don't know", "low", "mid", "high"]
    assert typed["mood"].cat.ordered
    assert typed["score"].cat.ordered
    assert not typed["town"].cat.ordered
    assert not typed["mixed"].cat.ordered
    assert not typed["yes"].cat.ordered
    assert typed["flag"].dtype == bool
    assert typed["x"].dtype == float


def test_nothing_is_lost_and_the_way_back():
    before = FRAME.copy(deep=True)
    typed = apply_types(FRAME, TYPES)
    pd.testing.assert_frame_equal(FRAME, before)
    with_nan = FRAME.where(FRAME.notna(), np.nan)  # in pandas 2, strings may hold None instead
    pd.testing.assert_frame_equal(typed.astype(FRAME.dtypes), with_nan)
    assert typed.isna().equals(FRAME.isna())


def test_off_scale_levels_lie_below_every_level():
    mood = apply_types(FRAME, TYPES)["mood"]
    assert mood[mood >= "low"].tolist() == ["low", "high", "mid", "high"]


def test_unseen_levels_are_kept_with_a_warning_or_refused():
    batch = FRAME.assign(mood=["low", "huge", "mid", "mid", "low", "high"])
    with pytest.warns(UserWarning, match=r"'mood' holds levels not in the report: 'huge'.*row 1"):
        typed = apply_types(batch, TYPES)
    assert typed["mood"].cat.categories.tolist() == ["huge", "don't know", "low", "mid", "high"]
    with pytest.raises(ValueError, match=r"'huge'.*unseen='keep'"):
        apply_types(batch, TYPES, unseen="raise")


def test_other_columns_and_repeated_names():
    frame = pd.concat([FRAME[["mood"]], FRAME[["mood"]], FRAME[["x"]].add(1)], axis=1)
    report = TypeReport([TYPES["mood"], ColumnType("mood", "categorical", levels={"low": 1})])
    with pytest.warns(UserWarning, match="not in the report"):
        typed = apply_types(frame, report)
    assert list(typed.columns) == ["mood", "mood", "x"]
    assert [typed.iloc[:, j].dtype.ordered for j in range(2)] == [True, False]


def test_misuse():
    with pytest.raises(ValueError, match="unseen must be 'keep' or 'raise', got 'drop'"):
        apply_types(FRAME, TYPES, unseen="drop")
    with pytest.raises(UnknownColumnError, match="none of the report's 7 columns"):
        apply_types(pd.DataFrame({"z": [1]}), TYPES)


def test_inferred_types_of_an_odd_frame_apply():
    frame = pd.DataFrame(
        {
            "ints": pd.array([1, 2, 3, None] * 10, dtype="Int64"),
            "words": pd.Series(["low", "mid", "high", None] * 10, dtype="string[pyarrow]"),
            "lists": [[1], [2], [3], None] * 10,
            "known": pd.Categorical(["b", "a"] * 20, categories=["b", "a", "c"], ordered=True),
        }
    )
    typed = frame.ordinal.apply_types(autotype.infer_types(frame))
    assert typed["words"].cat.categories.tolist() == ["low", "mid", "high"]
    assert typed["known"].cat.categories.tolist() == ["b", "a", "c"]
    assert typed["lists"].equals(frame["lists"])
    assert typed.isna().equals(frame.isna())
    assert apply_types(frame[:0], autotype.infer_types(frame)).shape == (0, 4)


def test_levels_of_any_kind():
    for levels in ([(1, 2), (2, 3), (3, 4)], ["a", "\ud800", "b"], [b"a", b"b", b"c"]):
        frame = pd.DataFrame({"x": pd.Series([*levels, None], dtype=object)})
        typed = apply_types(frame, TypeReport([ColumnType("x", "ordinal", order=tuple(levels))]))
        assert typed["x"].cat.categories.tolist() == levels
        assert typed["x"].isna().tolist() == [False, False, False, True]


DAYS = [datetime.date(2024, 1, j) for j in (1, 2, 3)]
KINDS = {
    "int64": pd.Series([1, 2, 3, 1]),
    "float": pd.Series([1.0, 2.0, 3.0, None]),
    "Int64": pd.Series([1, 2, 3, None], dtype="Int64"),
    "arrow": pd.Series([1, 2, 3, None], dtype="int64[pyarrow]"),
    "categories": pd.Series(pd.Categorical([1, 2, 3, None])),
    "decimals": pd.Series([*map(decimal.Decimal, "123"), None], dtype=object),
    "texts": pd.Series(["1", "2", "3", None]),
    "objects": pd.Series(["1", "2", "3", None], dtype=object),
    "times": pd.Series(pd.to_datetime([*DAYS, None])),
    "dates": pd.Series([*DAYS, None], dtype=object),
    "arrow dates": pd.Series([*DAYS, None], dtype="date32[pyarrow]"),
    "truths": pd.Series([True, False, True, None], dtype="boolean"),
    "mixed": pd.Series([1, "1", 2.5, None], dtype=object),
    "tuples": pd.Series([(1,), (2,), (3,), None], dtype=object),
}


@pytest.mark.filterwarnings("ignore:column 'x' holds levels not in the report")
@pytest.mark.parametrize("typed", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_nothing_is_lost_of_another_frame_whatever_its_dtype(typed, other):
    levels = tuple(KINDS[typed].dropna().astype(object).unique())
    values = KINDS[other]
    for column in (
        ColumnType("x", "ordinal", order=levels),
        ColumnType("x", "categorical", levels=dict.fromkeys(levels, 1)),
    ):
        cast = apply_types(values.to_frame("x"), TypeReport([column]))["x"]
        assert isinstance(cast.dtype, pd.CategoricalDtype)
        assert cast.isna().tolist() == values.isna().tolist()
        assert cast.dropna().tolist() == values.dropna().tolist()


def test_names_that_are_missing_values():
    frame = FRAME[["mood", "score"]].set_axis([np.nan, 1.0], axis=1)
    report = TypeReport([ColumnType(np.nan, "ordinal", order=("low", "mid", "high"))])
    with pytest.warns(UserWarning, match="don't know"):
        assert apply_types(frame, report).iloc[:, 0].cat.ordered


def test_short_floats_are_levels_too():
    frame = pd.DataFrame({"x": np.array([1, 2, 3, np.nan] * 9, dtype=np.float16)})
    typed = frame.ordinal.apply_types(frame.ordinal.infer_types(known={"x": [1.0, 2.0, 3.0]}))
    assert typed["x"].cat.categories.tolist() == [1.0, 2.0, 3.0]
    assert typed["x"].isna().sum() == 9


def test_a_column_called_none_is_not_one_called_nan():
    frame = pd.DataFrame([["low"], ["high"]], columns=pd.Index([None], dtype=object))
    report = TypeReport(
        [ColumnType(np.nan, "text"), ColumnType(None, "ordinal", order=("low", "high"))]
    )
    assert apply_types(frame, report).iloc[:, 0].cat.ordered


def test_nan_inside_a_level_is_found_again():
    frame = pd.DataFrame({"x": pd.Series([("a", float("nan")), ("b", 1), ("c", 2)] * 5)})
    levels = {("a", float("nan")): 5, ("b", 1): 5, ("c", 2): 5}
    types = TypeReport([ColumnType("x", "categorical", levels=levels)])
    typed = apply_types(frame, types, unseen="raise")["x"]
    assert typed.cat.codes.tolist() == [0, 1, 2] * 5


def test_the_row_of_an_unseen_level_of_any_class():
    frame = pd.DataFrame({"x": pd.Series([(1, 2), (3, 4), None, (5, (6,))])})
    types = TypeReport([ColumnType("x", "categorical", levels={(1, 2): 1, (3, 4): 1})])
    with pytest.raises(UnseenLevelError, match=r"\(5, \(6,\)\) \(first at row 3\)"):
        apply_types(frame, types, unseen="raise")


def test_a_report_that_repeats_a_level():
    column = ColumnType("x", "ordinal", order=("a", "b", "a"), off_scale=("b", "c"))
    typed = apply_types(pd.DataFrame({"x": ["a", "b", "c"]}), TypeReport([column]))["x"]
    assert typed.cat.categories.tolist() == ["b", "c", "a"]


def test_signaling_nan_become_missing():
    cells = [decimal.Decimal("sNaN"), decimal.Decimal(1), decimal.Decimal(2), decimal.Decimal(3)]
    frame = pd.DataFrame({"x": pd.Series(cells * 5)})
    types = autotype.infer_types(frame)
    assert types["x"].n_levels == 3
    assert apply_types(frame, types)["x"].isna().tolist() == [True, False, False, False] * 5


def arrow_floats(*, dictionary):
    values = pa.array([0.5, 1.5, float("nan"), 2.25] * 9)
    return pd.Series(
        pd.arrays.ArrowExtensionArray(values.dictionary_encode() if dictionary else values)
    )


@pytest.mark.parametrize("dictionary", [False, True])
def test_nan_of_arrow_is_no_level(dictionary):
    frame = pd.DataFrame({"x": arrow_floats(dictionary=dictionary)})
    types = autotype.infer_types(frame, known={"x": [0.5, 1.5, 2.25]})
    typed = frame.ordinal.apply_types(types)
    assert typed["x"].cat.categories.tolist() == [0.5, 1.5, 2.25]
    assert typed["x"].isna().sum() == 9


def test_zoned_timestamps_in_a_dictionary_of_arrow_stay():
    moments = [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 7, 1)] * 9
    values = pa.array(moments, type=pa.timestamp("s", tz="Europe/Rome")).dictionary_encode()
    frame = pd.DataFrame({"x": pd.Series(pd.arrays.ArrowExtensionArray(values))})
    typed = frame.ordinal.apply_types(frame.ordinal.infer_types())
    assert typed["x"].notna().all()
    assert frame.ordinal.infer_types().to_arrow(frame)["x"].null_count == 0


def test_names_that_hold_a_lone_surrogate():
    frame = pd.DataFrame([["a", 1], ["b", 2], ["c", 3]] * 5)
    frame.columns = pd.Index(["\ud800", "b"], dtype=object)
    types = autotype.infer_types(frame)
    typed = apply_types(frame, types)
    assert typed.columns.tolist() == ["\ud800", "b"]
    assert autotype.validate(frame, frame.ordinal.to_schema(types)).columns.equals(frame.columns)
    with pytest.raises(UnwritableTableError, match=r"cannot hold the name .*'\\ud800' holds half"):
        types.to_arrow(frame)


def test_a_typed_frame_is_typed_again_without_a_change():
    typed = apply_types(FRAME, TYPES)
    again = apply_types(typed, TYPES)
    pd.testing.assert_frame_equal(again, typed)
    again.loc[0, "mood"] = "mid"
    assert typed.loc[0, "mood"] == "low"


def test_labels_take_the_place_of_stored_values() -> None:
    frame = pd.DataFrame({"mood": [1, 2, 3, -9] * 3, "sex": [0, 1] * 6, "town": ["a", "b"] * 6})
    mood = ColumnType(
        "mood",
        "ordinal",
        order=(1, 2, 3),
        off_scale=(-9,),
        labels={1: "bad", 2: "fair", 3: "good", -9: "bad"},
    )
    sex = ColumnType("sex", "binary", levels={0: 6, 1: 6}, labels={0: "m", 1: "f"})
    typed = autotype.apply_types(frame, autotype.TypeReport([mood, sex]), labels=True)
    assert typed["mood"].cat.categories.tolist() == ["bad (-9)", "bad (1)", "fair", "good"]
    assert typed["sex"].tolist() == ["m", "f"] * 6
    assert (typed["mood"].cat.ordered, typed["sex"].cat.ordered) == (True, False)
    assert typed["town"].tolist() == frame["town"].tolist()
    assert typed.attrs == {"autotype": {"mood": ["bad (-9)"]}}
    with pytest.raises(ValueError, match=r"labels=True needs a pandas frame"):
        autotype.apply_types(
            pytest.importorskip("polars").from_pandas(frame),
            autotype.TypeReport([mood]),
            labels=True,
        )


@pytest.mark.parametrize(
    "cells",
    [[1, True, "x"], [True, 1, 2, 3], ["a", np.True_, np.int64(1)], ["a", 0.0, False]],
)
def test_true_beside_1_stays_as_it_is(cells) -> None:
    frame = pd.DataFrame({"v": pd.Series(cells * 8, dtype=object)})
    types = autotype.infer_types(frame)
    typed = autotype.apply_types(frame, types)
    schema = autotype.to_schema(frame, types)
    for changed in (typed, autotype.validate(frame, schema), autotype.validate(typed, schema)):
        assert list(map(type, changed["v"])) == list(map(type, frame["v"]))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_cells_without_a_hash_are_no_levels(library):
    tuples = pd.DataFrame({"a": [(1, 2), (1, 3), (0, 9)] * 5})
    types = autotype.infer_types(tuples, known={"a": "categorical"})
    frame = {"a": [[1, 2], [1, 3], [0, 9]]}
    make = {"pandas": pd.DataFrame, "pyarrow": pa.table}.get(library)
    native = make(frame) if make else pytest.importorskip("polars").DataFrame(frame)
    with pytest.warns(UserWarning, match="'a' holds cells that are no levels.*stays as it is"):
        typed = autotype.apply_types(native, types)
    cells = typed["a"].to_pylist() if library == "pyarrow" else typed["a"].to_list()
    assert cells == frame["a"]
    with pytest.raises(UnseenLevelError, match="'a' holds cells that are no levels"):
        autotype.apply_types(native, types, unseen="raise")
