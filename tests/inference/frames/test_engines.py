from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.frames.as_pandas import open_frame
from autotype.inference.frames.engines.engine import KEY_RANGE, row_key, weigh
from autotype.inference.sampling.sample import sample_frame
from tests.inference.frames.engines import EAGER, LAZY, sample_table, to_ibis

Convert = Callable[[pd.DataFrame], Any]


@pytest.fixture
def by_engine(monkeypatch) -> None:
    """Have engines count and draw however small the table is."""
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)


@pytest.mark.parametrize("convert", [*EAGER, *LAZY])
def test_the_same_rows_give_the_same_report(convert: Convert) -> None:
    frame = sample_table()
    expected = autotype.infer_types(frame, max_rows=300).to_json()
    assert autotype.infer_types(convert(frame), max_rows=300).to_json() == expected


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_an_engine_counts_exactly(convert: Convert) -> None:
    frame = sample_table(3000)
    expected = sample_frame(frame, max_rows=500, max_levels=20, seed=0)
    drawn = sample_frame(convert(frame), max_rows=500, max_levels=20, seed=0)
    assert drawn.n_rows == 3000
    assert "500 of 3,000 rows were drawn by" in drawn.origin
    for one, other in zip(expected.columns, drawn.columns, strict=True):
        assert one.name == other.name
        assert one.n_missing == other.n_missing
        assert one.levels == other.levels
        assert one.listed == other.listed
        if other.is_exact:
            assert one.n_distinct == other.n_distinct
        else:
            assert other.n_distinct == pytest.approx(one.n_distinct, rel=0.15)
    assert drawn.columns[6].n_distinct == 3000  # near to one a row, and none repeated


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_an_engine_finds_extremes_and_repeated_values(convert: Convert) -> None:
    frame = sample_table(300)
    frame["number"] = frame["number"].where(frame.index != 7, 1290)
    engine = open_frame(convert(frame))
    places = {name: list(frame.columns).index(name) for name in frame}
    asked = ["rating", "score", "share", "day"]
    for name, (low, high) in zip(asked, engine.ranges([places[n] for n in asked]), strict=True):
        assert (low, high) == (frame[name].min(), frame[name].max())
    assert engine.ranges([]) == []
    assert engine.repeated(places["number"], 5) == {1290: 2}
    assert engine.repeated(places["score"], 5) == {}
    repeated = engine.repeated(places["grade"], 2)
    assert len(repeated) == 2
    assert repeated.items() <= frame["grade"].value_counts().to_dict().items()


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_extremes_of_a_table_without_values_are_missing(convert: Convert) -> None:
    engine = open_frame(convert(sample_table(9).iloc[:0].astype({"rating": "Int64"})))
    assert all(map(pd.isna, engine.ranges([3])[0]))
    assert engine.repeated(0, 5) == {}


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_an_engine_draws_by_row_number_and_tops_up_rare_levels(convert: Convert) -> None:
    frame = sample_table(3000)
    drawn = sample_frame(convert(frame), max_rows=200, max_levels=20, seed=3)
    number, rare = drawn.columns[6], drawn.columns[8]
    keys = row_key(np.arange(3000), seed=3)
    base = set(np.argsort(keys)[:200] + 1000)
    # Spark numbers the rows along its partitions, here those of the table.
    assert set(number.values.iloc[number.rows]) == base
    counts = rare.values.iloc[rare.rows].value_counts()
    assert counts["always"] == min((frame["rare"] == "always").sum(), 30)
    holders = np.flatnonzero(frame["rare"] == "always")
    topped = holders[np.argsort(keys[holders])[:30]] + 1000
    held = number.values[rare.rows[(rare.values.iloc[rare.rows] == "always").to_numpy()]]
    assert set(held) == set(topped)


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_verdicts_of_an_engine_are_those_of_pandas(convert: Convert) -> None:
    frame = sample_table(3000)
    types, expected = autotype.infer_types(convert(frame)), autotype.infer_types(frame)
    for one, other in zip(types.columns, expected.columns, strict=True):
        assert (one.name, one.semantic_type) == (other.name, other.semantic_type)
        assert one.order == other.order
    assert autotype.infer_types(convert(frame)).to_json() == types.to_json()


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_missing_markers_among_many_values_are_those_of_pandas(convert: Convert) -> None:
    chance = np.random.default_rng(0)
    whole, parts = chance.integers(0, 900, 3000), chance.normal(50, 10, 3000).round(2)
    marked = chance.random(3000) < 0.02
    frame = pd.DataFrame(
        {
            "text": np.where(marked, "n/a", whole.astype(str)),
            "phrase": np.where(marked, "unknown", parts.astype(str)),
            "code": np.where(marked, -999, whole),
            "float": np.where(marked, 9999.0, parts),
            "plain": whole,
            "key": [f"k{k}" for k in range(3000)],
        }
    )
    expected = autotype.infer_types(frame)
    assert expected["phrase"].missing_markers == ("unknown",)
    for column in autotype.infer_types(convert(frame)).columns:
        alike = expected[column.name]
        assert column.missing_markers == alike.missing_markers
        assert column.profile.n_missing == alike.profile.n_missing


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_more_rows_of_rare_days_are_drawn(convert: Convert) -> None:
    days = pd.Series(pd.to_datetime(["2024-01-01"] * 2960 + ["2024-01-09"] * 40)).dt.date
    frame = pd.DataFrame({"day": days, "number": np.arange(3000)})
    drawn = sample_frame(convert(frame), max_rows=100, max_levels=20, seed=0).columns[0]
    assert drawn.values.iloc[drawn.rows].astype(str).str.startswith("2024-01-09").sum() >= 30


@pytest.mark.parametrize("convert", LAZY)
@pytest.mark.usefixtures("by_engine")
def test_a_table_without_rows(convert: Convert) -> None:
    types = autotype.infer_types(convert(sample_table(3).iloc[:0].astype({"rating": "Int64"})))
    assert {column.semantic_type for column in types.columns} == {"constant"}


@pytest.mark.parametrize("convert", [LAZY[0], LAZY[1], LAZY[3]])
@pytest.mark.usefixtures("by_engine")
def test_nested_cells_and_odd_names(convert: Convert) -> None:
    frame = pd.DataFrame({'a "b".c': [[1], [2, 3], None] * 40, "self": ["x", "y", "z"] * 40})
    types = autotype.infer_types(convert(frame))
    assert types['a "b".c'].semantic_type == "undetermined"
    assert types["self"].levels == {"x": 40, "y": 40, "z": 40}


def test_keys_are_uniform_and_do_not_follow_the_order_of_rows() -> None:
    keys = row_key(np.arange(200_000), seed=5) / KEY_RANGE
    assert np.histogram(keys, bins=20, range=(0, 1))[0] == pytest.approx(10_000, rel=0.05)
    assert abs(np.corrcoef(keys[1:], keys[:-1])[0, 1]) < 0.01
    drawn = np.flatnonzero(keys < 0.01)
    for period in (2, 7, 10, 24):  # rows of a table often repeat with a period
        shares = np.bincount(drawn % period, minlength=period) / len(drawn)
        assert shares == pytest.approx(1 / period, abs=0.03)


@pytest.mark.parametrize("thing", [None, 3, np.ones((2, 2)), {"a": [1]}, pd.Series([1])])
def test_other_things_are_refused(thing: object) -> None:
    with pytest.raises(TypeError, match=r"expected a frame of pandas, polars, .* convert it first"):
        open_frame(thing)


def test_an_enum_is_an_order_that_the_frame_states() -> None:
    pl = pytest.importorskip("polars")
    levels = pl.Enum(["zeta", "alpha", "mid"])
    frame = pl.DataFrame({"a": pl.Series(["alpha", "zeta", None], dtype=levels)})
    assert autotype.infer_types(frame)["a"].order == ("zeta", "alpha", "mid")


@pytest.mark.filterwarnings("ignore")  # Ibis calls what pandas deprecates
@pytest.mark.parametrize("database", ["BigQuery", "Snowflake", "Postgres", "MySQL"])
def test_queries_are_valid_sql_of_other_databases(database: str) -> None:
    pytest.importorskip("ibis")
    import sqlglot
    from ibis.backends.sql import compilers

    from autotype.inference.frames.engines.ibis_engine import IbisEngine

    compiler = getattr(compilers, f"{database}Compiler")()
    queries = []

    class Compiled(IbisEngine):
        def _arrow(self, table: Any) -> Any:
            queries.append(compiler.to_sqlglot(table).sql(compiler.dialect))
            return super()._arrow(table)

    table = Compiled(to_ibis(sample_table(50)))
    columns = range(len(table.names))
    table.summarise()
    table.count_levels(columns)
    table.ranges(columns)
    table.repeated(0, 3)
    table.weigh_levels([0], 3)
    half = KEY_RANGE // 2
    table.draw_rows(half, rare={0: {"poor": KEY_RANGE}}, held={4: KEY_RANGE}, seed=0)
    assert len(queries) == 6
    for query in queries:
        assert sqlglot.parse_one(query, read=compiler.dialect).key in ("select", "union")


def test_both_zeros_of_arrow_have_the_weights_of_one_level() -> None:
    pytest.importorskip("pyarrow")
    values = pd.Series([0.0, -0.0, 1.0], dtype="double[pyarrow]")
    assert weigh(values, np.array([1.0, 2.0, 3.0])) == {0.0: (3.0, 5.0), 1.0: (3.0, 9.0)}
