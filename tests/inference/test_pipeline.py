from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autotype
from autotype import infer_types
from autotype.errors import UnknownColumnError, UnwritableTypesError
from autotype.type_report import TypeReport
from autotype.types.column_type import SEMANTIC_TYPES, ColumnType

N = 60
RNG = np.random.default_rng(0)
SCALE = RNG.choice(["low", "mid", "high"], N)
DIGITS = RNG.integers(0, 5, N)
HOLES = RNG.random(N) < 0.2
REALS = RNG.normal(size=N)


def arrow(values: object, dtype: pa.DataType) -> pd.Series:
    return pd.Series(pd.array(values, dtype=pd.ArrowDtype(dtype)))


def check_report(report: TypeReport, frame: pd.DataFrame) -> None:
    """Every column has its row, and every row keeps the promises of `ColumnType`."""
    assert len(report.columns) == frame.shape[1]
    assert len(report.to_frame()) == frame.shape[1]
    for column in report.columns:
        check_column(column)
    assert report.n_rows == len(frame)
    for view in (str(report), report._repr_html_()):
        assert isinstance(view, str)
    if any(isinstance(level, type) for column in report.columns for level in column.levels):
        with pytest.raises(UnwritableTypesError, match="of the class type, cannot be written"):
            report.to_json()
    else:
        assert TypeReport.from_json(report.to_json()) == report


def check_column(column: ColumnType) -> None:
    assert column.semantic_type in SEMANTIC_TYPES
    assert column.reason.endswith(".")
    assert np.isnan(column.probability) or 0 <= column.probability <= 1
    is_ordinal = column.semantic_type == "ordinal"
    assert (column.order is not None) + (column.partial_order is not None) == is_ordinal
    assert isinstance(column.explain(), str)
    if column.best_order is not None:
        assert len(set(column.best_order)) == len(column.best_order)
        assert set(column.best_order) | set(column.off_scale) == set(column.levels)
    for order, weight in column.alternatives:
        assert sorted(map(str, order)) == sorted(map(str, column.best_order))
        assert 0 <= weight <= 1


ODD_FRAMES = {
    "0 x 0": pd.DataFrame(),
    "no columns": pd.DataFrame(index=range(5)),
    "no rows": pd.DataFrame({"a": pd.Series(dtype="str"), "b": pd.Series(dtype="float64"),
                             "c": pd.Series(dtype="category"), "d": pd.Series(dtype=object),
                             "e": pd.Series(dtype="datetime64[us]")}),
    "one row": pd.DataFrame({"a": ["x"], "b": [1.0], "c": [[1]], "d": [None]}),
    "two rows": pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]}),
    "three rows": pd.DataFrame({"a": ["low", "mid", "high"], "b": [1.0, 3.0, 2.0], "c": [0, 1, 2]}),
    "four rows": pd.DataFrame({"a": ["low", "mid", "high", "low"], "b": [1.0, 3.0, 2.0, 5.5]}),
    "all missing": pd.DataFrame({"a": [None] * 9, "b": [np.nan] * 9, "c": [pd.NaT] * 9}),
    "duplicate names": pd.DataFrame(np.c_[SCALE, SCALE, SCALE], columns=["a", "a", "b"]),
    "MultiIndex columns": pd.DataFrame({("a", 1): SCALE, ("a", 2): REALS, ("b", 1): SCALE}),
    "names of all kinds": pd.DataFrame({1: SCALE, (1, 2): SCALE, np.nan: SCALE, None: REALS,
                                        "x": DIGITS, 1.5: DIGITS, b"y": SCALE}),
    "NaN names": pd.DataFrame(np.c_[SCALE, SCALE], columns=[np.nan, np.nan]),
    "repeated index": pd.DataFrame({"a": SCALE, "x": REALS}, index=["i"] * N),
    "MultiIndex rows": pd.DataFrame(
        {"a": SCALE, "x": REALS}, index=pd.MultiIndex.from_product([["i"], range(N)])
    ),
    "named index": pd.DataFrame({"a": SCALE, "x": REALS}, index=pd.Index(range(N), name="a")),
    "a column twice": pd.DataFrame({"a": SCALE, "b": SCALE}),
    "fully determined": pd.DataFrame(
        {"a": SCALE, "x": pd.Series(SCALE).map({"low": 0.5, "mid": 1.5, "high": 2.5})}
    ),
    "levels seen once": pd.DataFrame({"a": ["p"] * (N - 2) + ["q", "r"], "x": REALS}),
    "only levels off the scale": pd.DataFrame(
        {"a": ["don't know", "refused", "n/a"] * (N // 3), "x": REALS}
    ),
    "wide": pd.DataFrame(RNG.integers(0, 4, (20, 30))),
}  # fmt: skip

ODD_COLUMNS = {
    "Int64": pd.Series(DIGITS).astype("Int64").mask(HOLES),
    "Float64": pd.Series(REALS).astype("Float64").mask(HOLES),
    "boolean": pd.Series(DIGITS > 2).astype("boolean").mask(HOLES),
    "float16": pd.Series(REALS.astype("float16")),
    "string[pyarrow]": pd.Series(SCALE, dtype="string[pyarrow]").mask(HOLES),
    "string[python]": pd.Series(SCALE, dtype="string[python]").mask(HOLES),
    "arrow string": arrow(SCALE, pa.string()).mask(HOLES),
    "arrow dictionary": arrow(
        pa.array(list(SCALE)).dictionary_encode(), pa.dictionary(pa.int32(), pa.string())
    ),
    "arrow int": arrow(DIGITS, pa.int32()).mask(HOLES),
    "arrow decimal": arrow([Decimal(int(k)) for k in DIGITS], pa.decimal128(9, 2)),
    "arrow decimal, missing": arrow([Decimal(int(k)) for k in DIGITS], pa.decimal128(9, 2)).mask(
        HOLES
    ),
    "arrow timestamp": arrow(pd.date_range("2020", periods=N), pa.timestamp("us")).mask(HOLES),
    "arrow date": arrow([datetime.date(2020, 1, 1 + k) for k in DIGITS], pa.date32()),
    "arrow time": arrow([datetime.time(int(k)) for k in DIGITS], pa.time64("us")),
    "arrow list": arrow([[1], [2, 3]] * (N // 2), pa.list_(pa.int64())),
    "arrow struct": arrow([{"a": 1}, {"a": 2}] * (N // 2), pa.struct([("a", pa.int64())])),
    "arrow binary": arrow([b"a", b"b", b"c"] * (N // 3), pa.binary()),
    "arrow null": arrow([None] * N, pa.null()),
    "unused categories": pd.Series(pd.Categorical(SCALE, ["none", "low", "mid", "high", "full"])),
    "ordered": pd.Series(pd.Categorical(SCALE, ["none", "low", "mid", "high"], ordered=True)),
    "ordered, all missing": pd.Series(pd.Categorical([None] * N, ["low", "high"], ordered=True)),
    "no categories": pd.Series(pd.Categorical([None] * N, categories=[])),
    "ordered intervals": pd.cut(pd.Series(REALS), 4),
    "intervals": pd.cut(pd.Series(REALS), 4).cat.as_unordered(),
    "periods": pd.Series(pd.period_range("2020-01", periods=N, freq="M")),
    "durations": pd.Series(pd.to_timedelta(DIGITS, "D")),
    "dates with a zone": pd.Series(pd.date_range("2020", periods=N, tz="Asia/Tokyo")).mask(HOLES),
    "dates as objects": pd.Series([datetime.date(2020, 1, 1 + k) for k in DIGITS], dtype=object),
    "far dates": pd.Series(
        [datetime.datetime(1, 1, 1), datetime.datetime(9999, 1, 1), datetime.datetime(2020, 1, 1)]
        * (N // 3), dtype=object,
    ),
    "dates that are none": pd.Series([f"2020-13-{k % 40}" for k in range(N)]),
    "mixed types": pd.Series([1, "a", 2.5, None, (1, 2), b"x"] * (N // 6), dtype=object),
    "numbers and strings alike": pd.Series([1, "1", 1.0, "2", 2] * (N // 5), dtype=object),
    "bools and numbers": pd.Series([True, False, 2, 3] * (N // 4), dtype=object),
    "lists": pd.Series([[1], [2], [3]] * (N // 3)),
    "some lists": pd.Series(["a", ["b"], "c"] * (N // 3)),
    "dicts": pd.Series([{"a": 1}, {}] * (N // 2)),
    "arrays": pd.Series([np.arange(2)] * N),
    "complex": pd.Series(DIGITS * 1j),
    "decimals": pd.Series([Decimal(int(k)) for k in DIGITS], dtype=object),
    "decimal NaN": pd.Series([Decimal("NaN"), Decimal(1), Decimal(2)] * (N // 3), dtype=object),
    "infinities": pd.Series([np.inf, -np.inf, 1.0, 2.0, np.nan] * (N // 5)),
    "only infinities": pd.Series([np.inf] * N),
    "huge integers": pd.Series([10**400, 10**401, 10**402, 5] * (N // 4), dtype=object),
    "tiny numbers": pd.Series([5e-324, 1e-323, 0.0, 1e-322] * (N // 4)),
    "all kinds of missing": pd.Series([None, np.nan, pd.NA, pd.NaT] * (N // 4), dtype=object),
    "sparse": pd.Series(pd.arrays.SparseArray(DIGITS)),
    "empty text": pd.Series(["", " ", "b"] * (N // 3)),
    "lone surrogate": pd.Series(["\ud800", "a", "b"] * (N // 3), dtype=object),
    "control characters": pd.Series(["\0", "\n", "\x1b[31m"] * (N // 3)),
    "long numbers as text": pd.Series(["1" * 400, "2" * 400, "3"] * (N // 3)),
    "types": pd.Series([int, str, float] * (N // 3)),
    # numpy compares them with tuples and huge integers by an array, or not at all
    "arrays and durations": pd.Series(
        [(), np.timedelta64(1, "D"), 2**64, datetime.timedelta(1)] * (N // 4), dtype=object
    ),
    "names and arrays": pd.Series(
        ["1", np.timedelta64(1, "D"), (1, 2), "low", "high"] * (N // 5), dtype=object
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ODD_FRAMES)
@pytest.mark.parametrize("label_text", [True, False])
def test_odd_frames_get_a_row_for_every_column(kind: str, label_text: bool) -> None:
    frame = ODD_FRAMES[kind]
    before = frame.copy(deep=True)
    check_report(infer_types(frame, label_text=label_text), frame)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("kind", ODD_COLUMNS)
@pytest.mark.parametrize("label_text", [True, False])
def test_odd_columns_get_a_row_and_serve_the_others(kind: str, label_text: bool) -> None:
    frame = pd.DataFrame({"scale": SCALE, "odd": ODD_COLUMNS[kind], "x": REALS})
    before = frame.copy(deep=True)
    for max_rows in (None, N // 2):
        check_report(infer_types(frame, label_text=label_text, max_rows=max_rows), frame)
    pd.testing.assert_frame_equal(frame, before)


def test_views_of_strings_are_sampled() -> None:
    views = pd.arrays.ArrowExtensionArray(pa.array(list(SCALE), pa.string_view()))
    report = infer_types(pd.DataFrame({"scale": views, "x": REALS}), max_rows=N // 2)
    plain = infer_types(pd.DataFrame({"scale": SCALE, "x": REALS}), max_rows=N // 2)
    assert report["scale"].levels == plain["scale"].levels


@pytest.mark.parametrize("n", [30, 3000], ids=["levels that are listed", "more of them"])
def test_a_lone_surrogate_among_many_texts(n: int) -> None:
    texts = [f"text {k}" for k in range(n)] * 2
    key = pd.Series(["\ud800", "lone", *texts], dtype=object)
    report = infer_types(pd.DataFrame({"key": key}))
    assert report["key"].n_levels == n + 2


def test_a_hundred_thousand_levels() -> None:
    frame = pd.DataFrame({"key": [f"k{i}" for i in range(100_000)], "x": np.arange(100_000) % 7})
    report = infer_types(frame)
    check_report(report, frame)
    assert report["key"].n_levels == 100_000
    assert report["x"].levels == dict.fromkeys(range(7), 14286) | {5: 14285, 6: 14285}


def survey(n: int = 1500, *, seed: int = 0) -> pd.DataFrame:
    """One scale, one nominal and one number-coded column that the numbers beside them predict."""
    rng = np.random.default_rng(seed)
    mood, taste = rng.normal(size=(2, n))
    levels = np.array(["poor", "fair", "good", "excellent"])
    cut = np.digitize(mood + 0.5 * rng.normal(size=n), [-0.9, 0.1, 1.1])
    town = np.argmax([mood, taste, -mood - taste] + 0.7 * rng.gumbel(size=(3, n)), axis=0)
    frame = pd.DataFrame(
        {
            "rating": levels[cut],
            "town": np.array(["Bern", "Oslo", "Rome"])[town],
            "stars": np.digitize(mood + taste + 0.5 * rng.normal(size=n), [-1.2, -0.2, 0.7]),
        }
    )
    for k in range(4):
        frame[f"mood_{k}"] = mood + (0.3 + 0.2 * k) * rng.normal(size=n)
        frame[f"taste_{k}"] = taste + (0.3 + 0.2 * k) * rng.normal(size=n)
    return frame


def verdicts(report: TypeReport) -> dict:
    return {c.name: (c.semantic_type, c.order, c.best_order) for c in report.columns}


def assert_same(one: TypeReport, other: TypeReport) -> None:
    """The same verdicts and orders, and probabilities but for rounding."""
    assert verdicts(one) == verdicts(other)
    for column in one.columns:
        assert other[column.name].probability == pytest.approx(
            column.probability, abs=1e-4, nan_ok=True
        )


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return survey()


@pytest.fixture(scope="module")
def report(frame: pd.DataFrame) -> TypeReport:
    return infer_types(frame)


def test_a_plain_frame_is_read_as_a_person_would(report: TypeReport) -> None:
    assert report["rating"].semantic_type == "ordinal"
    assert report["rating"].order == ("poor", "fair", "good", "excellent")
    assert report["rating"].direction_known
    assert report["town"].semantic_type == "categorical"
    assert report["town"].order is None
    assert report["stars"].best_order == (0, 1, 2, 3)
    assert report["mood_0"].semantic_type == "continuous"
    assert np.isnan(report["mood_0"].probability)


def test_counts_are_exact_over_the_whole_frame(frame: pd.DataFrame, report: TypeReport) -> None:
    assert report["rating"].levels == frame["rating"].value_counts().to_dict()
    assert report["rating"].n_rows_used <= 1000 + 4 * 30


def test_without_label_texts_the_data_find_the_order(frame: pd.DataFrame) -> None:
    order = infer_types(frame, "rating", label_text=False)["rating"].best_order
    assert order in [
        ("poor", "fair", "good", "excellent"), ("excellent", "good", "fair", "poor")
    ]  # fmt: skip


def test_repeated_calls_agree_exactly(frame: pd.DataFrame, report: TypeReport) -> None:
    assert infer_types(frame).to_json() == report.to_json()


def test_requesting_some_columns_gives_the_same_answer(frame, report) -> None:
    some = infer_types(frame, ["town", "rating"])
    assert list(some) == ["rating", "town"]  # the frame's order
    assert verdicts(some) == {name: verdicts(report)[name] for name in some}
    assert infer_types(frame, "stars")["stars"] == report["stars"]


def test_features_limit_the_predictors(frame: pd.DataFrame) -> None:
    none = infer_types(frame, "stars", features=[], label_text=False)["stars"]
    assert none.semantic_type == "undetermined"
    assert none.n_rows_used == 0
    one = infer_types(frame, "stars", features=["mood_0"])["stars"]
    assert one.evidence["n_predictors"] == 1


def test_the_order_of_levels_that_cannot_be_compared() -> None:
    levels = [(), np.timedelta64(1, "D"), 2**64]
    cells = pd.Series(levels * 20 + [np.timedelta64(1, "D")], dtype=object)
    frame = pd.DataFrame({"odd": cells, "x": np.arange(61) % 3})
    assert infer_types(frame, known={"odd": levels})["odd"].order == tuple(levels)
    judge = lambda name, shown: (0.9, sorted(shown, key=repr))  # noqa: E731
    report = infer_types(frame, "odd", label_judge=judge)
    assert report["odd"].best_order == tuple(sorted(levels, key=repr))


def test_known_wins(frame: pd.DataFrame) -> None:
    known = {"town": ["Oslo", "Rome", "Bern"], "rating": "categorical"}
    report = infer_types(frame, known=known)
    assert report["town"].order == ("Oslo", "Rome", "Bern")
    assert report["rating"].semantic_type == "categorical"


def test_the_accessor_and_the_function_agree(frame, report) -> None:
    assert frame.ordinal.infer_types().to_json() == report.to_json()
    assert autotype.infer_types is infer_types


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"columns": "ratings"}, UnknownColumnError, r"columns names 'ratings'.*'rating'"),
        ({"features": ["moods"]}, UnknownColumnError, r"features names 'moods'"),
        ({"known": {"towns": "binary"}}, UnknownColumnError, r"known names 'towns'"),
        ({"known": {"town": "city"}}, ValueError, r"known\['town'\] is 'city'"),
        ({"max_levels": 2}, ValueError, "max_levels must be at least 3"),
        ({"max_rows": 0}, ValueError, "max_rows must be at least 1"),
        ({"random_state": None}, TypeError, "random_state must be an integer"),
        ({"codebook": {"a": {}}}, TypeError, "a Codebook, or the path of one, got dict"),
    ],
)
def test_misuse_is_named(frame, options: dict, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        infer_types(frame, **options)


def test_other_things_than_frames_are_refused() -> None:
    with pytest.raises(TypeError, match=r"expected a frame of pandas, .* got builtins\.list"):
        infer_types([1, 2, 3])
    for path in ("survey.csv", Path("survey.csv")):
        with pytest.raises(TypeError, match=r"; autotype\.read_table\(path\) reads a file"):
            infer_types(path)


# Floats up to the square root of the largest one: the standard deviation of others overflows.
REAL = st.floats(-1e150, 1e150) | st.sampled_from([np.nan, np.inf, -np.inf])
CELLS = {
    "levels": st.sampled_from(["low", "mid", "high", "don't know", "", None]),
    "digits": st.one_of(st.integers(-3, 3), st.none()),
    "reals": REAL,
    "anything": st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        REAL,
        st.text(max_size=4),
        st.dates(),
        st.binary(max_size=2),
        st.tuples(st.integers(0, 2)),
        st.decimals(-1000, 1000),
        st.complex_numbers(max_magnitude=1e150),
    ),
    "unhashable": st.one_of(st.lists(st.integers(), max_size=2), st.none(), st.text(max_size=1)),
    "times": st.one_of(st.datetimes(), st.timedeltas(), st.none()),
}


@st.composite
def small_frames(draw: st.DrawFn) -> pd.DataFrame:
    n_rows = draw(st.integers(0, 12))
    kinds = draw(st.lists(st.sampled_from(sorted(CELLS)), max_size=5))
    repeat = draw(st.integers(1, 4))
    columns = [
        pd.Series(draw(st.lists(CELLS[kind], min_size=n_rows, max_size=n_rows)) * repeat,
                  dtype=object if kind in ("anything", "unhashable", "times") else None)
        for kind in kinds
    ]  # fmt: skip
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(n_rows))
    names = draw(st.lists(st.sampled_from(["a", "b", 1, None, ("t", 1)]), min_size=len(kinds),
                          max_size=len(kinds)))  # fmt: skip
    return frame.set_axis(pd.Index(names, dtype=object, tupleize_cols=False), axis=1)


@settings(max_examples=120, derandomize=True)
@given(small_frames(), st.booleans())
def test_small_random_frames_never_raise(frame: pd.DataFrame, label_text: bool) -> None:
    before = frame.copy(deep=True)
    check_report(infer_types(frame, label_text=label_text, max_rows=20), frame)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("scale", [1.7e308, 1e300, 1e-300, 5e-322])
def test_predictors_of_any_magnitude_raise_no_warning(scale) -> None:
    random = np.random.default_rng(1)
    x = random.uniform(-1, 1, N)
    frame = pd.DataFrame({"size": np.array(["S", "M", "L"])[np.digitize(x, [-0.3, 0.3])]})
    frame["x"] = x * scale
    frame["wide"] = np.where(x > 0, np.finfo(float).max, -np.finfo(float).max)
    types = infer_types(frame)
    assert types["size"].order == ("S", "M", "L")
    assert types["x"].semantic_type == "continuous"


def test_a_scale_of_more_than_max_levels_is_read_by_its_labels_alone() -> None:
    incomes = [f"${low},000-${low + 4},999" for low in range(10, 130, 5)]
    rng = np.random.default_rng(0)
    rank = np.sort(rng.integers(len(incomes), size=600))
    frame = pd.DataFrame({"x": rank + rng.normal(size=600), "income": np.array(incomes)[rank]})
    income = infer_types(frame)["income"]
    assert (income.semantic_type, income.order) == ("ordinal", tuple(incomes))
    assert "24 levels are more than max_levels" in income.explain()
