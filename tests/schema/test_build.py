"""Schemas of typed frames: what each type becomes, and what the schema then refuses."""

import numpy as np
import pandas as pd
import pandera.pandas as pa
import pyarrow as arrow
import pytest
from pandera.errors import SchemaErrors

import autotype
from autotype.errors import UnknownColumnError
from autotype.schema.build import to_schema
from autotype.schema.levels import category_dtype
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

FRAME = pd.DataFrame(
    {
        "mood": ["low", "high", None, "don't know", "mid", "high"],
        "town": ["Ulm", "Rom", "Ulm", "Bern", "Rom", "Rom"],
        "score": [1, 3, 2, 1, 2, 3],
        "yes": ["y", "n", "y", "y", None, "n"],
        "flag": [True, False, True, True, False, False],
        "bit": [0, 1, 1, 0, 0, 1],
        "x": [1.0, 2.0, 3.0, 4.0, 5.0, np.nan],
        "visits": [3, 0, 10, 2, 7, 1],
        "id": ["a1", "a2", "a3", "a4", "a5", "a6"],
        "since": pd.date_range("2024-01-01", periods=6),
        "euro": ["EUR"] * 6,
        "none": [None] * 6,
        "note": ["some words"] * 5 + ["other words"],
        "many": list("abcdef"),
    }
)
TYPES = TypeReport(
    [
        ColumnType("mood", "ordinal", 0.9, order=("low", "mid", "high"), off_scale=("don't know",)),
        ColumnType("town", "categorical", 0.1, levels={"Ulm": 2, "Rom": 3, "Bern": 1}),
        ColumnType("score", "ordinal", 0.9, order=(1, 2, 3), direction_known=True),
        ColumnType("yes", "binary", levels={"y": 3, "n": 2}),
        ColumnType("flag", "binary", levels={True: 3, False: 3}),
        ColumnType("bit", "binary", levels={0: 3, 1: 3}),
        ColumnType("x", "continuous"),
        ColumnType("visits", "count"),
        ColumnType("id", "identifier"),
        ColumnType("since", "datetime"),
        ColumnType("euro", "constant", levels={"EUR": 6}),
        ColumnType("none", "constant"),
        ColumnType("note", "text"),
        ColumnType("many", "categorical"),
    ]
)
TYPED = FRAME.ordinal.apply_types(TYPES)
SCHEMA = to_schema(FRAME, TYPES, name="panel")


def test_dtypes_carry_levels_and_order():
    columns = SCHEMA.columns
    mood = pd.CategoricalDtype(["don't know", "low", "mid", "high"], ordered=True)
    assert columns["mood"].dtype.type == mood
    assert columns["score"].dtype.type == pd.CategoricalDtype([1, 2, 3], ordered=True)
    assert columns["town"].dtype.type == pd.CategoricalDtype(["Ulm", "Rom", "Bern"])
    assert columns["many"].dtype.categories is None
    assert columns["since"].dtype.check(FRAME["since"].dtype)
    assert columns["none"].dtype is None


def checks(schema, name) -> list[str]:
    """Checks of values as strings: pandera's comparison depends on which others have run before."""
    return [str(check) for check in schema.columns[name].checks if check.name != "varies"]


def test_nulls_uniqueness_ranges_and_constants():
    nullable = {name for name, column in SCHEMA.columns.items() if column.nullable}
    assert nullable == {"mood", "yes", "x", "none"}
    assert [name for name, column in SCHEMA.columns.items() if column.unique] == ["id"]
    assert checks(SCHEMA, "x") == [str(pa.Check.in_range(0.0, 13.0))]
    assert checks(SCHEMA, "visits") == [str(pa.Check.in_range(0, 30))]
    assert checks(SCHEMA, "euro") == [str(pa.Check.isin(["EUR"]))]
    assert checks(SCHEMA, "bit") == [str(pa.Check.isin([0, 1]))]
    assert checks(to_schema(FRAME, TYPES, margin=None), "x") == []
    negative = to_schema(pd.DataFrame({"x": [-1.0, 1.0]}), TypeReport([TYPES["x"]]), margin=0)
    assert checks(negative, "x") == [str(pa.Check.in_range(-1.0, 1.0))]


def test_infinities_set_no_bound():
    frame = pd.DataFrame({"x": [0.5, np.inf]})
    schema = to_schema(frame, TypeReport([TYPES["x"]]))
    schema.validate(frame)
    assert checks(schema, "x") == [str(pa.Check.ge(0))]


@pytest.mark.filterwarnings("ignore:The behavior of DataFrame concat:FutureWarning")  # pandas 2
def test_the_typed_frame_passes_and_the_raw_one_is_cast():
    SCHEMA.validate(TYPED)
    pd.testing.assert_frame_equal(FRAME.ordinal.validate(SCHEMA), TYPED)
    with pytest.raises(SchemaErrors):
        SCHEMA.validate(FRAME, lazy=True)


def reordered(values):
    return values.cat.set_categories(values.cat.categories[::-1], ordered=True)


REFUSED = {
    "new level": (lambda f: f.assign(mood=f["mood"].cat.add_categories("huge"))),
    "reordered": (lambda f: f.assign(mood=reordered(f["mood"]))),
    "unordered": (lambda f: f.assign(mood=f["mood"].cat.as_unordered())),
    "ordered": (lambda f: f.assign(town=f["town"].cat.as_ordered())),
    "new town": (lambda f: f.assign(town=f["town"].cat.rename_categories({"Ulm": "Oslo"}))),
    "wrong type": (lambda f: f.assign(x=f["x"].astype(str))),
    "strings for numbers": (lambda f: f.assign(score=f["score"].cat.rename_categories(str))),
    "missing column": (lambda f: f.drop(columns="town")),
    "missing value": (lambda f: f.assign(visits=[None, 1, 2, 3, 4, 5])),
    "twice": (lambda f: f.assign(id="a1")),
    "unit": (lambda f: f.assign(visits=f["visits"] * 1000)),
    "another constant": (lambda f: f.assign(euro="USD")),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_what_the_schema_refuses(change):
    with pytest.raises(SchemaErrors):
        SCHEMA.validate(change(TYPED), lazy=True)
    with pytest.raises(SchemaErrors):
        change(TYPED).ordinal.validate(SCHEMA)


def test_any_level_of_a_column_with_many():
    SCHEMA.validate(TYPED.assign(many=pd.Categorical(list("uvwxyz"))))


def test_strict_and_pandera_coercion():
    strict = to_schema(FRAME, TYPES, strict=True)
    with pytest.raises(SchemaErrors):
        strict.validate(TYPED.assign(extra=1), lazy=True)
    coerced = to_schema(FRAME, TYPES, coerce=True)
    assert coerced.validate(FRAME)["mood"].dtype == TYPED["mood"].dtype
    with pytest.raises(SchemaErrors, match="huge"):
        coerced.validate(FRAME.assign(mood="huge"), lazy=True)


def test_repeated_names_share_what_they_have_in_common():
    frame = pd.concat([FRAME[["x"]], FRAME[["x"]].add(1), FRAME[["mood"]], FRAME[["mood"]]], axis=1)
    report = TypeReport([TYPES["x"], TYPES["x"], TYPES["mood"], TYPES["mood"]])
    schema = to_schema(frame, report)
    assert schema.columns["mood"].dtype.ordered
    assert checks(schema, "x") == []
    frame.ordinal.validate(schema)


def types_named(names):
    return TypeReport([ColumnType(name, "count") for name in names])


def test_odd_names():
    names = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")])
    frame = FRAME[["x", "visits"]].set_axis(names, axis=1)
    schema = to_schema(frame, autotype.infer_types(frame))
    assert list(schema.columns) == list(names)
    frame.ordinal.validate(schema)
    frame = FRAME[["x", "visits"]].set_axis([1, np.nan], axis=1)
    with pytest.warns(UserWarning, match=r"column nan is not in the schema.*rename it"):
        schema = to_schema(frame, autotype.infer_types(frame))
    assert list(schema.columns) == [1]
    names = pd.MultiIndex.from_tuples([("a", "x"), ("a", np.nan)])
    with pytest.warns(UserWarning, match="its name is a missing value"):
        part = to_schema(FRAME[["x", "visits"]].set_axis(names, axis=1), types_named(names))
    assert list(part.columns) == [("a", "x")]
    frame.ordinal.validate(schema)


def test_odd_values_pass():
    frame = pd.DataFrame(
        {
            "ints": pd.array([1, 2, 3, None] * 10, dtype="Int64"),
            "words": pd.Series(["low", "mid", "high", None] * 10, dtype="string[pyarrow]"),
            "python": pd.Series(["low", "mid", "high", None] * 10, dtype="string[python]"),
            "objects": pd.Series(["x y z", "u", "v w", None] * 10, dtype=object),
            "lists": [[1], [2], [3], None] * 10,
            "tuples": [(1, 2), (2, 3), (3, 4), None] * 10,
            "dates": pd.date_range("2024-01-01", periods=40, tz="Europe/Berlin"),
            "big": [10**30 + j for j in range(40)],
            "complex": np.arange(40) * 1j,
            "arrow": pd.Series(range(40), dtype="int32[pyarrow]"),
            "sparse": pd.arrays.SparseArray([0, 1, 2, 0] * 10),
            "spans": pd.timedelta_range("1D", periods=40),
            "periods": pd.period_range("2024-01", periods=40, freq="M"),
            "mixed": [1, "a", 2.5, None] * 10,
            "known": pd.Categorical(["b", "a"] * 20, categories=["b", "a", "c"], ordered=True),
        }
    )
    types = autotype.infer_types(frame)
    schema = to_schema(frame, types)
    schema.validate(frame.ordinal.apply_types(types))
    pd.testing.assert_frame_equal(frame.ordinal.validate(schema), frame.ordinal.apply_types(types))
    assert schema.columns["known"].dtype.categories == ("b", "a", "c")


def test_empty_frames():
    schema = to_schema(FRAME[:0], TYPES)
    assert schema.columns["mood"].dtype.ordered
    TYPED[:0].ordinal.validate(SCHEMA)
    assert to_schema(pd.DataFrame(), TypeReport([])).columns == {}


def test_misuse():
    with pytest.raises(ValueError, match="margin must be None or a number from 0 up, got -1"):
        to_schema(FRAME, TYPES, margin=-1)
    with pytest.raises(ValueError, match=r"not in the report: 'huge'"):
        to_schema(FRAME.assign(mood="huge"), TYPES)
    with pytest.raises(UnknownColumnError, match="none of the report's"):
        to_schema(pd.DataFrame({"z": [1]}), TYPES)


def test_a_category_without_rows_is_not_a_level():
    moods = pd.Categorical(["low", "high", "mid"] * 5, categories=["high", "huge", "low", "mid"])
    frame = pd.DataFrame({"mood": moods})
    types = frame.ordinal.infer_types()
    schema = to_schema(frame, types)
    assert schema.columns["mood"].dtype.categories == ("low", "mid", "high")
    typed = frame.ordinal.apply_types(types)
    pd.testing.assert_frame_equal(schema.validate(typed), typed)
    pd.testing.assert_frame_equal(typed.astype(frame.dtypes), frame)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1, 0], [str(pa.Check.isin([0, 1]))]),
        ([0, 1, 2], []),  # types of another batch: a third level binds nothing
        (list(pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-01"])), []),  # plain in no YAML
    ],
)
def test_only_two_plain_levels_bind_a_binary_column(values, expected):
    schema = to_schema(pd.DataFrame({"x": values}), TypeReport([ColumnType("x", "binary")]))
    assert checks(schema, "x") == expected


def test_the_warning_about_a_name_points_to_the_call():
    frame = pd.DataFrame([[1.5, 2.5], [3.5, 4.5]], columns=["x", np.nan])
    types = TypeReport([ColumnType("x", "continuous"), ColumnType(np.nan, "continuous")])
    with pytest.warns(UserWarning, match="its name is a missing value") as caught:
        frame.ordinal.to_schema(types)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("levels", [[1, 1], [None, 1]])
def test_levels_that_pandas_cannot_hold_have_no_dtype(levels):
    assert category_dtype(levels, ordered=True) is None


@pytest.mark.parametrize(
    "values",
    [
        pd.arrays.FloatingArray(np.array([0.5, 1.5, np.nan, 2.5] * 8), np.zeros(32, bool)),
        pd.arrays.ArrowExtensionArray(arrow.array([0.5, 1.5, float("nan"), 2.5] * 8)),
    ],
    ids=["mask", "Arrow"],
)
def test_nan_is_outside_no_range(values):
    frame = pd.DataFrame({"x": values})
    schema = to_schema(frame, TypeReport([ColumnType("x", "continuous")]), margin=0)
    assert checks(schema, "x") == [str(pa.Check.in_range(0.5, 2.5))]
    assert autotype.validate(frame, schema)["x"].isna().sum() == 8


def test_a_constant_that_pandas_cannot_look_up_has_no_check():
    huge = arrow.array([2**64 - 1] * 9, type=arrow.uint64())
    frame = pd.DataFrame({"x": pd.arrays.ArrowExtensionArray(huge)})
    schema = to_schema(frame, autotype.infer_types(frame))
    assert len(autotype.validate(frame, schema)) == 9


@pytest.mark.parametrize(
    "names",
    [[("a", 1), ("a", 1), np.int64(3)], [np.int64(3), 3.0, ("a",)], [np.float32(0.5), "a", "b"]],
)
def test_names_that_are_numbers_of_numpy(names, tmp_path):
    frame = pd.DataFrame([[1, "x", 3.5], [2, "y", 4.5]] * 6)
    frame.columns = pd.Index(names, dtype=object, tupleize_cols=False)
    schema = autotype.to_schema(frame, autotype.infer_types(frame))
    autotype.write_schema(schema, tmp_path / "schema.yaml")
    for rules in (schema, autotype.read_schema(tmp_path / "schema.yaml")):
        assert list(autotype.validate(frame, rules).columns) == names


def test_levels_that_pandas_hashes_with_a_warning_have_a_schema() -> None:
    levels = [((), ()), "\ud800"]  # pandas sorts them by a frame of rows of different lengths
    frame = pd.DataFrame({"k": pd.Series(levels * 9, dtype=object)})
    types = TypeReport([ColumnType("k", "categorical", levels=dict.fromkeys(levels, 9))])
    validated = autotype.validate(frame, to_schema(frame, types))
    assert validated["k"].tolist() == levels * 9
