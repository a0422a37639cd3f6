from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import autotype
from autotype.inference.column import Column, FrameSample
from autotype.inference.sampling.row_priority import ROWS_PER_LEVEL
from autotype.inference.sampling.sample import sample_frame

N = 120
RNG = np.random.default_rng(0)
LEVELS = RNG.choice(["low", "mid", "high"], N, p=[0.5, 0.3, 0.2])
NUMBERS = RNG.integers(0, 5, N)
HOLES = RNG.random(N) < 0.2


class Unhashable:
    def __hash__(self) -> int:
        raise ValueError("not this one")


def sample(
    frame: pd.DataFrame, *, rows: int = 1000, levels: int = 20, seed: int = 0
) -> FrameSample:
    return sample_frame(frame, max_rows=rows, max_levels=levels, seed=seed)


def column_of(values: pd.Series, **options: int) -> Column:
    return sample(pd.DataFrame({"c": values}), **options).columns[0]


def arrow(values: object, dtype: pa.DataType) -> pd.Series:
    return pd.Series(pd.array(values, dtype=pd.ArrowDtype(dtype)))


COUNTABLE = {
    "int64": pd.Series(NUMBERS),
    "uint8": pd.Series(NUMBERS.astype("uint8")),
    "float": pd.Series(np.where(HOLES, np.nan, NUMBERS / 2)),
    "infinities": pd.Series([np.inf, -np.inf, np.nan, 0.0] * (N // 4)),
    "bool": pd.Series(NUMBERS > 2),
    "Int64": pd.Series(NUMBERS).astype("Int64").mask(HOLES),
    "Float64": pd.Series(NUMBERS / 2).astype("Float64").mask(HOLES),
    "boolean": pd.Series(NUMBERS > 2).astype("boolean").mask(HOLES),
    "str": pd.Series(LEVELS, dtype="str").mask(HOLES),
    "string[python]": pd.Series(LEVELS, dtype="string[python]").mask(HOLES),
    "string[pyarrow]": pd.Series(LEVELS, dtype="string[pyarrow]").mask(HOLES),
    "arrow string": arrow(LEVELS, pa.string()).mask(HOLES),
    "arrow int": arrow(NUMBERS, pa.int16()).mask(HOLES),
    "arrow bool": arrow(NUMBERS > 2, pa.bool_()).mask(HOLES),
    "arrow decimal": arrow([Decimal(int(k)) for k in NUMBERS], pa.decimal128(9, 2)),
    "arrow timestamp": arrow(
        [datetime.datetime(2020, 1, 1 + k) for k in NUMBERS], pa.timestamp("us")
    ),
    "arrow dictionary": arrow(
        pa.array(list(LEVELS)).dictionary_encode(), pa.dictionary(pa.int32(), pa.string())
    ),
    "arrow null": arrow([None] * N, pa.null()),
    "unused categories": pd.Series(
        pd.Categorical(LEVELS, categories=["none", "low", "mid", "high", "full"])
    ).mask(HOLES),
    "ordered": pd.Series(pd.Categorical(LEVELS, categories=["low", "mid", "high"], ordered=True)),
    "categories of integers": pd.Series(pd.Categorical(NUMBERS)),
    "no categories": pd.Series(pd.Categorical([None] * N, categories=[])),
    "intervals": pd.cut(pd.Series(NUMBERS), 3).cat.as_unordered(),
    "datetime": pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(NUMBERS, "D")).mask(HOLES),
    "datetime with zone": pd.Series(
        pd.Timestamp("2020-01-01", tz="Europe/Berlin") + pd.to_timedelta(NUMBERS, "D")
    ),
    "timedelta": pd.Series(pd.to_timedelta(NUMBERS, "D")).mask(HOLES),
    "period": pd.Series(pd.PeriodIndex([f"200{k}" for k in NUMBERS], freq="Y")).mask(HOLES),
    "complex": pd.Series(NUMBERS * 1j),
    "sparse": pd.Series(pd.arrays.SparseArray(NUMBERS)),
    "decimals": pd.Series([Decimal(int(k)) for k in NUMBERS], dtype=object),
    "bytes": pd.Series([b"a", b"b", b"c"] * (N // 3)),
    "mixed types": pd.Series([1, "1", 2.5, None, (1, 2), b"x"] * (N // 6), dtype=object),
    "all missing": pd.Series([np.nan] * N),
    "many kinds of missing": pd.Series([None, np.nan, pd.NA, pd.NaT] * (N // 4), dtype=object),
}

UNHASHABLE = {
    "lists": pd.Series([[1], [2], None] * (N // 3)),
    "some lists": pd.Series(["a", ["b"], "c"] * (N // 3)),
    "dicts": pd.Series([{"a": 1}, {"b": 2}, {}] * (N // 3)),
    "arrays": pd.Series([np.arange(2)] * N),
    "tuples that hold lists": pd.Series([(1, [2])] * N),
    "raising hash": pd.Series([Unhashable()] * N),
    "arrow list": arrow([[1], [2, 3], None] * (N // 3), pa.list_(pa.int64())),
    "arrow struct": arrow([{"a": 1}, {"a": 2}] * (N // 2), pa.struct([("a", pa.int64())])),
}


@pytest.mark.parametrize("kind", COUNTABLE)
def test_counts_are_those_of_pandas(kind: str) -> None:
    values = COUNTABLE[kind]
    column = column_of(values)
    expected = values.value_counts()
    expected = expected[expected > 0]
    assert column.hashable
    assert column.n_rows == N
    assert column.n_missing == values.isna().sum()
    assert column.n_distinct == len(expected)
    assert column.levels == dict(zip(expected.index.astype(object), expected, strict=True))
    assert all(type(count) is int for count in column.levels.values())


@pytest.mark.parametrize("kind", COUNTABLE)
def test_counts_are_exact_though_rows_are_sampled(kind: str) -> None:
    values = pd.concat([COUNTABLE[kind]] * 30, ignore_index=True)
    few, all_rows = column_of(values, rows=40), column_of(values, rows=10**6)
    assert few.levels == all_rows.levels
    assert (few.n_missing, few.n_distinct) == (all_rows.n_missing, all_rows.n_distinct)
    assert len(few.values) < len(all_rows.values) == len(values)
    assert few.values.dtype == values.dtype


@pytest.mark.parametrize("kind", UNHASHABLE)
def test_unhashable_cells_are_not_counted_but_missing_ones_are(kind: str) -> None:
    column = column_of(UNHASHABLE[kind])
    assert not column.hashable
    assert column.levels is None
    assert column.n_distinct == 0
    assert column.n_missing == UNHASHABLE[kind].isna().sum()
    assert len(column.values) == N


def test_levels_come_most_frequent_first_and_ties_by_text() -> None:
    column = column_of(pd.Series(["b", "a", "c", "c", "d", "b", "c"]))
    assert list(column.levels.items()) == [("c", 3), ("b", 2), ("a", 1), ("d", 1)]


def test_numbers_equal_to_pandas_are_one_level() -> None:
    column = column_of(pd.Series([1, 1.0, True, 2], dtype=object))
    assert sum(column.levels.values()) == 4
    assert column.n_distinct == len(pd.Series([1, 1.0, True, 2], dtype=object).value_counts())


@pytest.mark.parametrize("n_levels", [20, 21])
def test_long_lists_of_levels_are_counted_but_not_listed(n_levels: int) -> None:
    column = column_of(pd.Series(np.arange(3 * n_levels) % n_levels))
    assert column.n_distinct == n_levels
    assert (column.levels is not None) == (n_levels == 20)


def test_an_ordered_dtype_is_listed_whatever_its_length() -> None:
    values = pd.Series(pd.Categorical(np.arange(50), ordered=True))
    assert len(column_of(values).levels) == 50


def test_a_hundred_thousand_levels() -> None:
    column = column_of(pd.Series([f"k{i}" for i in range(100_000)]), rows=200)
    assert column.n_distinct == 100_000
    assert column.levels is None
    assert len(column.values) == 200


def test_rare_levels_are_topped_up() -> None:
    rare = np.array(["common"] * 20_000, dtype=object)
    rare[100:150], rare[300:310] = "rare", "rarest"
    frame = pd.DataFrame({"c": rare, "x": np.random.default_rng(0).normal(size=20_000)})
    drawn = sample(frame, rows=500)
    column = drawn.columns[0]
    counts = column.values.iloc[column.rows].value_counts()
    assert counts["rare"] == ROWS_PER_LEVEL
    assert counts["rarest"] == 10  # all there are
    assert 490 <= counts["common"] <= 500
    # The other column's models do not see the rows added for this one.
    other = drawn.columns[1]
    assert len(other.rows) == 500
    assert len(other.values) == len(column.values) > 500


@pytest.mark.parametrize("n_values", [5, 40, 2000])
def test_a_column_of_many_levels_shows_some_of_its_few_values(n_values: int) -> None:
    values = np.full(20_000, None, dtype=object)
    where = np.random.default_rng(1).permutation(20_000)[:n_values]
    values[where] = [f"value {k}" for k in range(n_values)]
    column = column_of(pd.Series(values), rows=10, levels=3)
    assert column.n_distinct == n_values
    assert column.values.notna().sum() >= min(n_values, ROWS_PER_LEVEL)
    assert column.values.iloc[column.rows].notna().all()


def test_rows_with_a_missing_value_are_not_for_the_models() -> None:
    column = column_of(COUNTABLE["str"])
    np.testing.assert_array_equal(column.rows, np.flatnonzero(~HOLES))


def survey(n: int = 3000) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "level": rng.choice(["a", "b", "c", "d"], n, p=[0.6, 0.3, 0.095, 0.005]),
            "other": rng.choice(["x", "y"], n, p=[0.7, 0.3]),
            "number": rng.normal(size=n),
            "row": np.arange(n),
        }
    )


def drawn_rows(frame: pd.DataFrame, key: str = "row") -> tuple[set, set]:
    """Rows in the sample, and rows that the models of `level` may use."""
    by_name = {column.name: column for column in sample(frame, rows=200).columns}
    rows = by_name[key].values
    return set(rows), set(rows.iloc[by_name["level"].rows])


def test_row_order_changes_no_row_of_the_sample() -> None:
    frame = survey()
    assert drawn_rows(frame.sample(frac=1, random_state=1)) == drawn_rows(frame)


def test_column_order_changes_no_row_of_the_sample() -> None:
    frame = survey()
    assert drawn_rows(frame[["row", "number", "level", "other"]]) == drawn_rows(frame)


def test_level_names_change_no_row_of_the_sample() -> None:
    frame = survey()
    renamed = frame.assign(level=frame["level"].map({"a": "q", "b": "p", "c": "zz", "d": "0"}))
    assert drawn_rows(renamed) == drawn_rows(frame)


def test_the_dtype_of_levels_changes_no_row_of_the_sample() -> None:
    frame = survey()
    for dtype in ("category", "string[pyarrow]", object):
        assert drawn_rows(frame.astype({"level": dtype})) == drawn_rows(frame)


def test_row_order_of_a_balanced_design_changes_no_row_of_the_sample() -> None:
    # All levels of a factor have the same count, and no number distinguishes the rows.
    frame = pd.MultiIndex.from_product([list("abcd"), list("efgh"), list("ijk")] * 2).to_frame()
    frame.columns = [f"factor {k}" for k in range(6)]
    noise = np.random.default_rng(0).normal(size=len(frame))
    score = frame["factor 0"].map(ord) + 0.6 * frame["factor 1"].map(ord) + noise
    frame["outcome"] = np.digitize(score, [160, 162])

    def drawn(frame: pd.DataFrame) -> set:
        columns = sample(frame, rows=400).columns
        return set(zip(*(column.values for column in columns), strict=True))

    assert drawn(frame.sample(frac=1, random_state=1)) == drawn(frame)


def test_index_and_seed() -> None:
    frame = survey()
    odd_index = frame.set_axis(pd.Index(["same"] * len(frame)))
    assert drawn_rows(odd_index) == drawn_rows(frame)
    one, other = (sample(frame, rows=200, seed=s).columns[3].values for s in (0, 1))
    assert set(one) != set(other)


@pytest.mark.parametrize("kind", [*COUNTABLE, *UNHASHABLE])
def test_the_frame_is_unchanged(kind: str) -> None:
    values = {**COUNTABLE, **UNHASHABLE}[kind]
    frame = pd.DataFrame({"c": values, "x": np.arange(float(N))}, index=np.arange(N)[::-1])
    before = frame.copy(deep=True)
    sample(frame, rows=30)
    pd.testing.assert_frame_equal(frame, before)


def test_duplicate_and_odd_column_names() -> None:
    frame = pd.DataFrame([[1, 2, 3, 4]] * 3, columns=["a", "a", ("t", 1), np.nan])
    columns = sample(frame).columns
    assert [list(column.levels) for column in columns] == [[1], [2], [3], [4]]
    assert [column.name for column in columns[:3]] == ["a", "a", ("t", 1)]


def test_multiindex_columns() -> None:
    names = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["group", "item"])
    drawn = sample(pd.DataFrame([[1, 2, 3]] * 4, columns=names))
    assert [column.name for column in drawn.columns] == [("a", 1), ("a", 2), ("b", 1)]
    assert drawn.names.equals(names)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (4, 0), (1, 2)])
def test_small_shapes(shape: tuple[int, int]) -> None:
    drawn = sample(pd.DataFrame(np.ones(shape)))
    assert drawn.n_rows == shape[0]
    assert len(drawn.columns) == shape[1]
    assert all(column.n_distinct == min(shape[0], 1) for column in drawn.columns)


@pytest.mark.parametrize(
    "levels",
    [
        list(pd.date_range("2024", periods=3)),
        [True, False, None],
        [1, 2.5, 3],
        [("a", 1), ("b", 2), ("c", 3)],
        list(pd.period_range("2024", periods=3, freq="M")),
    ],
    ids=str,
)
def test_objects_stay_what_they_are_as_levels(levels) -> None:
    cells = np.empty(12, dtype=object)
    cells[:] = [levels[k % 3] for k in range(12)]
    column = sample_frame(pd.DataFrame({"c": cells}), max_rows=9, max_levels=9, seed=0).columns[0]
    present = [level for level in levels if level is not None]
    assert dict(column.levels) == dict.fromkeys(present, 4)
    assert sorted(map(repr, column.levels)) == sorted(map(repr, present))


def test_infinities_of_numpy_among_many_levels() -> None:
    floats = pd.Series([*np.arange(40, dtype=np.float32), np.float32(np.inf)] * 3, dtype=object)
    assert column_of(floats, levels=20).n_distinct == 41
    assert column_of(floats.astype(np.float32), levels=20).n_distinct == 41
    assert column_of(arrow(floats.tolist(), pa.float32()), levels=20).n_distinct == 41


@pytest.mark.parametrize(
    "numbers",
    [
        np.array([-128, 127, 0, -128] * 100, dtype=np.int8),  # a range that int8 does not hold
        np.array([2**64 - 1, 2**64 - 3, 2**64 - 1, 2**64 - 2] * 100, dtype=np.uint64),
        np.array([-(2**63), 2**63 - 1, 5], dtype=np.int64),
        np.arange(1000)[::-1],
        np.array([], dtype=np.int64),
        np.array([0.5, -0.0, 0.0, np.inf, 0.5]),
        RNG.normal(size=200_000).astype(np.float32),  # some of them equal
        RNG.integers(0, 2**62, 1000, dtype=np.int64).repeat(2),
        np.arange(1000.0).reshape(500, 2)[:, 0],
    ],
)
def test_distinct_numbers_are_counted_as_by_a_set(numbers: np.ndarray) -> None:
    assert column_of(pd.Series(numbers.copy())).n_distinct == len(set(numbers.tolist()))


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64()])
def test_zeros_of_both_signs_are_one_level_of_arrow(kind) -> None:
    cells = pa.array(np.array([0.0, -0.0, 1.5] * 8, dtype=np.float16)).cast(kind)
    frame = pd.DataFrame({"x": pd.arrays.ArrowExtensionArray(cells), "n": range(24)})
    types = autotype.infer_types(frame)
    assert types["x"].levels == {0.0: 16, 1.5: 8}
    assert autotype.TypeReport.from_json(types.to_json()) == types
    assert frame.ordinal.apply_types(types)["x"].tolist() == frame["x"].tolist()
