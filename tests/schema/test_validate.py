"""Batches: plain values are cast, Categoricals are checked as is, failures are sentences."""

import pickle

import numpy as np
import pandas as pd
import pandera.pandas as pa
import pytest
from pandera.errors import SchemaError, SchemaErrors

import autotype
from autotype.errors import AutotypeError, BatchError
from autotype.schema.validate import validate
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

FRAME = pd.DataFrame(
    {
        "size": ["S", "M", "L", "M"],
        "score": [1, 2, 3, 2],
        "town": ["Ulm", "Rom", "Ulm", "Rom"],
        "price": [1.5, 2.5, 3.5, 4.5],
        "day": pd.date_range("2024-01-01", periods=4),
        "key": [1, 2, 3, 4],
        "ok": [True, False, True, True],
    }
)
TYPES = TypeReport(
    [
        ColumnType("size", "ordinal", order=("S", "M", "L"), direction_known=True),
        ColumnType("score", "ordinal", order=(1, 2, 3), direction_known=True),
        ColumnType("town", "categorical", levels={"Ulm": 2, "Rom": 2}),
        ColumnType("price", "continuous"),
        ColumnType("day", "datetime"),
        ColumnType("key", "identifier"),
        ColumnType("ok", "binary"),
    ]
)
SCHEMA = FRAME.ordinal.to_schema(TYPES, name="shop")
TYPED = FRAME.ordinal.apply_types(TYPES)


def failures(**changes) -> BatchError:
    with pytest.raises(SchemaErrors) as caught:
        validate(TYPED.assign(**changes), SCHEMA)
    assert type(caught.value) is BatchError
    return caught.value


def test_a_batch_from_csv_gets_the_dtypes(tmp_path):
    FRAME.assign(price=[1, 2, 3, 4]).to_csv(tmp_path / "batch.csv", index=False)
    batch = pd.read_csv(tmp_path / "batch.csv")
    before = batch.copy(deep=True)
    checked = validate(batch, SCHEMA)
    pd.testing.assert_frame_equal(batch, before)
    assert checked["size"].dtype == TYPED["size"].dtype
    assert checked["score"].dtype == TYPED["score"].dtype
    assert checked["price"].dtype == float
    assert pd.api.types.is_datetime64_any_dtype(checked["day"])


def test_a_new_level_fails_under_its_name():
    for values in (["XL", "M", "XL", "S"], pd.Categorical(["XL", "M", "XL", "S"])):
        error = failures(size=values)
        assert len(error.problems) == 1
        assert str(error).startswith("the batch fails the schema 'shop' in 1 way:\n- column 'size'")
        assert "level 'XL' at row 0 (2 rows), not among 'S' < 'M' < 'L'; correct" in str(error)
        cases = error.failure_cases
        assert cases["column"].tolist() == ["size", "size"]
        assert cases["failure_case"].tolist() == ["XL", "XL"]
        assert cases["index"].tolist() == [0, 2]
        assert cases["expected"].tolist() == ["'S' < 'M' < 'L'"] * 2


def test_levels_off_the_scale_are_set_aside():
    off = TypeReport([ColumnType("size", "ordinal", order=("S", "L"), off_scale=("M",))])
    schema = FRAME.ordinal.to_schema(off)
    with pytest.raises(BatchError, match=r"not among 'S' < 'L' \(off the scale: 'M'\)"):
        validate(FRAME.assign(size="XL"), schema)


def test_a_shuffled_and_a_lost_order():
    shuffled = failures(size=TYPED["size"].cat.reorder_categories(["M", "S", "L"]))
    assert shuffled.problems == [
        "column 'size' has the levels 'M' < 'S' < 'L', expected 'S' < 'M' < 'L'; "
        "set them with .cat.set_categories(['S', 'M', 'L'], ordered=True)"
    ]
    assert shuffled.failure_cases["failure_case"].tolist() == ["'M' < 'S' < 'L'"]
    lost = failures(size=TYPED["size"].cat.as_unordered())
    assert "levels 'S', 'M', 'L' (without order), expected 'S' < 'M' < 'L'" in lost.problems[0]
    ordered = failures(town=TYPED["town"].cat.as_ordered())
    assert ".cat.set_categories(['Ulm', 'Rom'], ordered=False)" in ordered.problems[0]


def test_all_that_is_wrong_at_once():
    batch = TYPED.drop(columns="ok").assign(
        size="XL", price=[None, 1, 2, 1e6], key=1, day=["soon"] * 4
    )
    with pytest.raises(BatchError) as caught:
        validate(batch, SCHEMA)
    text = str(caught.value)
    for part in (
        "column 'ok' is missing; add it",
        "column 'size' holds level 'XL' at row 0 (4 rows)",
        "column 'price' has missing values at row 0; fill them in",
        "column 'price' fails in_range(0.0, 10.5): 1000000.0 at row 3",
        "column 'key' repeats values: 1 at row 0, 1 at row 1, 1 at row 2, 1 at row 3",
        f"column 'day' has the dtype {batch['day'].dtype}, expected datetime64[ns]",
    ):
        assert part in text
    assert "in 6 ways" in text
    assert "ok" in caught.value.failure_cases["column"].tolist()


def test_a_string_that_is_no_date_among_dates_is_named():
    days = [str(day.date()) for day in TYPED["day"]]
    batch = TYPED.assign(day=[days[0], "2024-02-30", *days[2:]])
    with pytest.raises(BatchError, match="as '2024-02-30' at row 1 is no date; correct it"):
        validate(batch, SCHEMA)


def test_many_new_levels_are_counted():
    frame = pd.DataFrame({"size": [f"T{j}" for j in range(9)]})
    with pytest.raises(BatchError, match=r"level 'T4' at row 4 and 4 more, not among"):
        validate(frame, pa.DataFrameSchema({"size": SCHEMA.columns["size"]}))


def test_errors_are_panderas_own_and_survive_pickling():
    error = failures(size="XL")
    assert isinstance(error, AutotypeError)
    assert error.schema_errors
    assert error.error_counts == {"DATAFRAME_CHECK": 1}
    with pytest.warns(UserWarning, match="does not preserve state"):  # pandera's
        again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, SchemaErrors)
    assert "XL" in str(again)


def test_eager_validation_stops_at_the_first():
    with pytest.raises(SchemaError, match="'size'"):
        TYPED.assign(size="XL", town="Bern").ordinal.validate(SCHEMA, lazy=False)


def test_nothing_is_cast_with_a_loss():
    for values in (["1", "2", "3", "2"], [1.5, 2, 3, 2], [True, False, True, True]):
        assert "column 'score' holds level" in str(failures(score=values))
    whole = pa.DataFrameSchema({"n": pa.Column("int64")})
    assert validate(pd.DataFrame({"n": [1.0, 2.0]}), whole)["n"].dtype == "int64"
    for values in ([1.5], [np.nan], ["1"], [True], pd.Categorical([1])):
        with pytest.raises(BatchError, match="expected int64"):
            validate(pd.DataFrame({"n": values}), whole)


def test_schemas_of_others():
    class Model(pa.DataFrameModel):
        size: pa.typing.Series[pd.CategoricalDtype] = pa.Field(is_ordinal=["S", "M", "L"])

    checked = validate(FRAME, Model)
    assert checked["size"].dtype == TYPED["size"].dtype
    pattern = pa.DataFrameSchema(
        {"^s": pa.Column(pa.Category(["S", "M", "L"], ordered=True), regex=True)}
    )
    assert validate(FRAME[["size"]], pattern)["size"].cat.ordered
    plain = pa.DataFrameSchema({"town": pa.Column("category"), "price": pa.Column(None)})
    assert validate(FRAME, plain)["town"].dtype == "category"
    wide = pa.DataFrameSchema(checks=pa.Check(lambda frame: len(frame) > 10, name="long"))
    with pytest.raises(BatchError, match="long"):
        validate(FRAME, wide)


def test_odd_frames():
    twice = pd.concat([FRAME[["size"]], FRAME[["size"]]], axis=1)
    checked = validate(twice, pa.DataFrameSchema({"size": SCHEMA.columns["size"]}))
    assert [dtype.ordered for dtype in checked.dtypes] == [True, True]
    assert validate(pd.DataFrame(), pa.DataFrameSchema({})).empty
    lists = pd.DataFrame({"size": [["S"], ["M"]]})
    with pytest.raises(BatchError, match="'size'"):
        validate(lists, pa.DataFrameSchema({"size": SCHEMA.columns["size"]}))
    names = pd.MultiIndex.from_tuples([("a", "size")])
    frame = FRAME[["size"]].set_axis(names, axis=1)
    types = TypeReport([ColumnType(("a", "size"), "ordinal", order=("S", "M", "L"))])
    schema = frame.ordinal.to_schema(types)
    validate(frame, schema)
    with pytest.raises(BatchError, match="'XL' at row 0"):
        validate(frame.replace("S", "XL"), schema)
    rows = (
        FRAME[["size"]].replace("S", "XL").set_axis(pd.MultiIndex.from_arrays([[1] * 4, range(4)]))
    )
    with pytest.raises(BatchError, match="'XL' at row"):
        validate(rows, pa.DataFrameSchema({"size": SCHEMA.columns["size"]}))


def test_misuse():
    with pytest.raises(
        TypeError, match=r"a pandera DataFrameSchema.*got dict; autotype\.to_schema"
    ):
        validate(FRAME, {})


def test_types_come_back_from_the_schema():
    back = TypeReport.from_schema(SCHEMA)
    assert [c.semantic_type for c in back.columns] == [c.semantic_type for c in TYPES.columns]
    assert [c.order for c in back.columns] == [c.order for c in TYPES.columns]
    assert back["town"].levels == {"Ulm": 0, "Rom": 0}
    pd.testing.assert_frame_equal(FRAME.ordinal.apply_types(back), TYPED)
    off = TypeReport([ColumnType("size", "ordinal", order=("S", "L"), off_scale=("M",))])
    column = TypeReport.from_schema(FRAME.ordinal.to_schema(off))["size"]
    assert (column.order, column.off_scale) == (("S", "L"), ("M",))
    assert not column.direction_known


def test_types_from_schemas_of_others():
    schema = pa.DataFrameSchema(
        {
            "a": pa.Column(pa.Category(["x", "y", "z"], ordered=True)),
            "b": pa.Column(pa.Category(["x", "y"])),
            "c": pa.Column("category"),
            "d": pa.Column("category", pa.Check.is_ordinal(order=[3, 1])),
            "e": pa.Column(float),
            "f": pa.Column("Int32"),
            "g": pa.Column(bool),
            "h": pa.Column("datetime64[ns]"),
            "i": pa.Column(str, unique=True),
            "j": pa.Column(str),
            "k": pa.Column(None),
        },
        metadata={"autotype": "something else"},
    )
    types = [column.semantic_type for column in TypeReport.from_schema(schema).columns]
    assert types == [
        *("ordinal", "binary", "categorical", "ordinal", "continuous", "count", "binary"),
        *("datetime", "identifier", "text", "undetermined"),
    ]
    stated = TypeReport.from_schema(schema)
    assert stated["d"].order == stated["d"].best_order == (3, 1)
    assert (stated["d"].probability, stated["d"].order_probability) == (1.0, 1.0)
    assert {column.provenance for column in stated.columns} == {"known"}
    assert {column.reason for column in stated.columns} == {"Stated by a schema."}
    unordered = [column for column in stated.columns if column.order is None]
    assert unordered
    assert not any(column.direction_known for column in unordered)
    assert np.isnan([(c.probability, c.order_probability) for c in unordered]).all()
    assert autotype.TypeReport.from_schema(schema)["a"].direction_known


def test_names_of_arguments_are_names():
    names = ["self", "frame", "schema", "values", "columns", "name", "dtype", "args"]
    frame = pd.DataFrame({name: ["S", "M", "L"] * 5 for name in names})
    types = autotype.infer_types(frame)
    schema = frame.ordinal.to_schema(types)
    assert list(frame.ordinal.validate(schema).columns) == names
    strange = frame.replace("S", "XS")
    with pytest.raises(BatchError, match="column 'self' holds level 'XS' at row 0"):
        strange.ordinal.validate(schema)


@pytest.mark.parametrize("dtype", ["float16", "float32", "Float32", "int64", "Int64", "uint64"])
def test_bounds_that_the_dtype_cannot_hold(dtype):
    limits = np.finfo(dtype.lower()) if "loat" in dtype else np.iinfo(dtype.lower())
    frame = pd.DataFrame({"x": pd.array([limits.min, 0, limits.max], dtype=dtype)})
    schema = frame.ordinal.to_schema(TypeReport([ColumnType("x", "continuous")]))
    pd.testing.assert_frame_equal(frame.ordinal.validate(schema), frame)


def test_the_dtype_that_was_expected_is_among_the_failure_cases():
    whole = pa.DataFrameSchema({"n": pa.Column("int64")})
    with pytest.raises(BatchError) as caught:
        validate(pd.DataFrame({"n": [1.5]}), whole)
    assert caught.value.failure_cases["expected"].tolist() == ["int64"]


@pytest.mark.parametrize(("n_rows", "ending"), [(5, "1 at row 4"), (8, "1 at row 4 and 3 more")])
def test_five_cases_are_named_and_the_others_counted(n_rows, ending):
    unique = pa.DataFrameSchema({"key": pa.Column("int64", unique=True)})
    with pytest.raises(BatchError) as caught:
        validate(pd.DataFrame({"key": [1] * n_rows}), unique)
    assert caught.value.problems[0].endswith(ending)


def test_missing_values_do_not_keep_others_from_being_cast():
    nullable = pa.DataFrameSchema({"n": pa.Column("Int64", nullable=True)})
    checked = validate(pd.DataFrame({"n": [1.0, np.nan, 3.0]}), nullable)
    assert checked["n"].dtype == "Int64"
    assert checked["n"].isna().tolist() == [False, True, False]


def test_a_check_of_the_whole_frame_names_no_column():
    wide = pa.DataFrameSchema(checks=pa.Check(lambda frame: len(frame) > 10, name="long"))
    with pytest.raises(BatchError) as caught:
        validate(FRAME, wide)
    assert "column None" not in str(caught.value)


def test_repeated_labels_of_several_levels_pass_without_a_warning():
    labels = pd.MultiIndex.from_tuples([("b", 0), ("a", 0), ("b", 2), ("b", 2)])
    frame = pd.DataFrame([[k, k % 3, k % 2, 0.5] for k in range(12)], columns=labels)
    types = autotype.infer_types(frame)
    assert len(validate(frame, frame.ordinal.to_schema(types))) == 12
    assert len(validate(frame[:0], frame.ordinal.to_schema(types))) == 0


def test_true_beside_a_known_1_is_named_alone():
    frame = pd.DataFrame({"v": pd.Series([1, "x", 2] * 8, dtype=object)})
    schema = autotype.to_schema(frame, autotype.infer_types(frame, known={"v": "categorical"}))
    batch = pd.DataFrame({"v": pd.Series([True, 1, "x"] * 3, dtype=object)})
    with pytest.raises(BatchError, match=r"holds level True at row 0 \(3 rows\), not among"):
        autotype.validate(batch, schema)
