"""Arrow and Parquet: levels and order come back to pyarrow, pandas and polars."""

import math
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import autotype
from autotype.errors import MissingExtraError, UnreadableTypesError, UnwritableTableError
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

FRAME = pd.DataFrame(
    {
        "mood": ["low", "high", None, "don't know", "süß", "high"],
        "score": [1, 3, None, 1, 2, 3],
        "town": ["Ulm", "Rom", "Ulm", "Bern", None, "Rom"],
        "x": [0.1, 0.2, 0.3, 0.4, 0.5, np.nan],
    }
)
TYPES = TypeReport(
    [
        ColumnType(
            "mood",
            "ordinal",
            0.9,
            order=("low", "süß", "mid", "high"),
            off_scale=("don't know",),
            direction_known=True,
        ),
        ColumnType("score", "ordinal", 0.8, order=(1, 2, 3)),
        ColumnType("town", "categorical", 0.1, levels={"Ulm": 2, "Rom": 2, "Bern": 1}),
        ColumnType("x", "continuous"),
    ]
)
TYPED = FRAME.ordinal.apply_types(TYPES)
LEVELS = ["don't know", "low", "süß", "mid", "high"]


@pytest.fixture
def path(tmp_path):
    pq.write_table(TYPES.to_arrow(FRAME), tmp_path / "typed.parquet")
    return tmp_path / "typed.parquet"


def test_pyarrow_reads_ordered_dictionaries(path):
    table = pq.read_table(path)
    mood = table.schema.field("mood").type
    assert pa.types.is_dictionary(mood)
    assert mood.ordered
    assert not table.schema.field("town").type.ordered
    assert table.column("mood").combine_chunks().dictionary.to_pylist() == LEVELS
    assert (
        table.column("mood").to_pylist()
        == FRAME["mood"].astype(object).where(FRAME["mood"].notna(), None).tolist()
    )


def test_pandas_reads_the_order(path):
    for frame in (pd.read_parquet(path), TYPES.to_arrow(FRAME).to_pandas()):
        assert frame["mood"].dtype == TYPED["mood"].dtype
        assert not frame["town"].cat.ordered


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("semantic_type", ["ordinal", "categorical"])
def test_durations_come_back_from_parquet(tmp_path, semantic_type, unit):
    levels = tuple(pd.to_timedelta([2, 1, 3], "h"))
    column = ColumnType(
        "wait",
        semantic_type,
        order=levels if semantic_type == "ordinal" else None,
        levels=dict.fromkeys(levels, 2),
    )
    frame = pd.DataFrame({"wait": pd.to_timedelta([1, None, 2, 3, 1], "h").as_unit(unit)})
    types = TypeReport([column])
    pq.write_table(types.to_arrow(frame), tmp_path / "wait.parquet")
    table = pq.read_table(tmp_path / "wait.parquet")
    again = table.to_pandas().ordinal.apply_types(TypeReport.from_arrow(table))
    assert again["wait"].cat.ordered == (semantic_type == "ordinal")
    assert again["wait"].cat.categories.tolist() == list(levels)
    assert again["wait"].astype(frame["wait"].dtype).equals(frame["wait"])


def test_polars_reads_an_enum(path):
    polars = pytest.importorskip("polars")
    for frame in (polars.read_parquet(path), polars.from_arrow(TYPES.to_arrow(FRAME))):
        assert frame.schema["mood"] == polars.Enum(LEVELS)
        assert isinstance(frame.schema["town"], polars.Categorical)
        assert frame.schema["score"].is_numeric()
        assert frame["mood"].to_list()[4] == "süß"


def test_types_come_back_from_parquet(path):
    for source in (pq.read_table(path), pq.read_schema(path)):
        types = TypeReport.from_arrow(source)
        assert [c.semantic_type for c in types.columns] == [c.semantic_type for c in TYPES.columns]
        assert types["mood"].order == TYPES["mood"].order
        assert types["mood"].off_scale == ("don't know",)
        assert (types["mood"].direction_known, types["score"].direction_known) == (True, False)
        assert types["score"].probability == 0.8
        assert types["town"].levels == {"Ulm": 2, "Rom": 2, "Bern": 1}
        pd.testing.assert_frame_equal(pd.read_parquet(path).ordinal.apply_types(types), TYPED)


def test_empty_frames_and_repeated_names(tmp_path):
    pq.write_table(TYPES.to_arrow(FRAME[:0]), tmp_path / "empty.parquet")
    types = TypeReport.from_arrow(pq.read_schema(tmp_path / "empty.parquet"))
    empty = pd.read_parquet(tmp_path / "empty.parquet").ordinal.apply_types(types)
    assert empty["mood"].cat.categories.tolist() == LEVELS
    twice = pd.concat([FRAME[["mood"]], FRAME[["mood"]]], axis=1)
    table = TypeReport([TYPES["mood"], ColumnType("mood", "undetermined")]).to_arrow(twice)
    assert table.schema.names == ["mood", "mood"]
    assert table.schema.field(0).type.ordered
    assert TypeReport([]).to_arrow(pd.DataFrame()).num_columns == 0
    names = pd.MultiIndex.from_tuples([("a", 1)])
    frame = FRAME[["x"]].set_axis(names, axis=1)
    table = TypeReport([ColumnType(("a", 1), "continuous")]).to_arrow(frame)
    assert TypeReport.from_arrow(table).columns[0].name == ("a", 1)


def test_tables_of_others():
    ordered = pa.array(["b", "a"]).dictionary_encode().cast(pa.dictionary(pa.int32(), pa.string()))
    ordered = pa.DictionaryArray.from_arrays(ordered.indices, ordered.dictionary, ordered=True)
    table = pa.table({"o": ordered, "c": pa.array(["x", None]).dictionary_encode(), "n": [1, 2]})
    types = TypeReport.from_arrow(table)
    assert [(c.name, c.semantic_type) for c in types.columns] == [
        ("o", "ordinal"),
        ("c", "categorical"),
    ]
    assert types["o"].order == ("b", "a")
    assert types["c"].levels == {"x": 1}
    assert types.n_rows == 2
    assert TypeReport.from_arrow(table.schema).columns == ()


def test_misuse(monkeypatch):
    with pytest.raises(TypeError, match=r"expected a pyarrow Table or Schema, got str; pyarrow"):
        TypeReport.from_arrow("typed.parquet")
    mixed = pd.DataFrame({"m": [1, "a", [2]]})
    with pytest.raises(UnwritableTableError, match="Arrow cannot hold a column as it is: 'm'"):
        autotype.infer_types(mixed).to_arrow(mixed)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r'pip install "autotype-ordinal\[parquet\]"'):
        TypeReport.from_arrow(None)


@pytest.mark.parametrize(
    "values",
    [
        [2**64, 2, 3],
        [2**70, -(2**70)],
        [1, (2,)],
        ["\ud800", "a"],
        np.ones(2, dtype=np.longdouble),
        [np.datetime64("2020-01-01", "s"), np.False_],  # pyarrow 26 crashes
        [np.datetime64("NaT", "s"), np.int64(1), np.int64(1)],
    ],
    ids=str,
)
def test_the_column_that_arrow_cannot_hold_is_named(values):
    frame = pd.DataFrame(
        {"fine": range(len(values)), ("odd", 1): pd.Series(list(values), dtype=object)}
    )
    if isinstance(values, np.ndarray):
        frame[("odd", 1)] = values
    types = TypeReport([ColumnType("fine", "count"), ColumnType(("odd", 1), "text")])
    with pytest.raises(UnwritableTableError, match=r"as it is: \('odd', 1\): .*cast it"):
        types.to_arrow(frame)


def test_a_name_that_the_metadata_cannot_hold():
    frame = pd.DataFrame({range(3): ["a", "b"]})
    with pytest.raises(UnwritableTableError, match=r"cannot hold the type of column range\(0, 3\)"):
        TypeReport([ColumnType(range(3), "text")]).to_arrow(frame)


@pytest.mark.parametrize(
    "note",
    [
        b"{",
        b"\xff",
        b"[]",
        b"{}",
        b"5",
        b'{"name": {"a": 1}, "semantic_type": "text", "probability": 0.5}',
        b'{"name": "a", "semantic_type": "colour", "probability": 0.5}',
        b'{"name": "a", "semantic_type": "text", "probability": "high"}',
        b'{"name": "a", "semantic_type": "text", "probability": 0.5, "order": 5}',
        b'{"name": "a", "semantic_type": "text", "probability": 0.5, "levels": [[[], 1]]}',
        b'{"name": "a", "semantic_type": "text", "probability": 0.5, "levels": [["x", "many"]]}',
        b"[" * 50_000,
    ],
    ids=lambda note: note[-40:].decode("latin-1"),
)
def test_damaged_metadata_are_refused(note):
    schema = pa.schema([pa.field("size", pa.string(), metadata={"autotype": note})])
    with pytest.raises(UnreadableTypesError, match=r"of the field 'size' are damaged: .*remove"):
        TypeReport.from_arrow(schema)


@pytest.mark.parametrize("ordered", [True, False])
def test_a_dictionary_without_a_note_is_certain_and_says_who_states_it(ordered) -> None:
    levels = pd.CategoricalDtype(["S", "M", "L"], ordered=ordered)
    frame = pd.DataFrame({"size": pd.Series(["M", "S", "M"], dtype=levels)})
    column = autotype.TypeReport.from_arrow(pa.Table.from_pandas(frame))["size"]
    assert (column.provenance, column.reason) == ("known", "Stated by its Arrow type.")
    assert (column.levels, column.n_levels) == ({"S": 1, "M": 2, "L": 0}, 3)
    assert column.direction_known is ordered
    assert column.order == column.best_order == (("S", "M", "L") if ordered else None)
    assert column.probability == 1 if ordered else math.isnan(column.probability)
    assert math.isnan(column.order_probability)


def test_a_level_off_the_scale_stays_so_from_csv_to_parquet(tmp_path):
    (tmp_path / "a.csv").write_text("a,x\n" + "low,1\nhigh,2\ndon't know,3\n" * 9)
    frame = autotype.read_table(tmp_path / "a.csv").frame
    frame.attrs["mine"] = object()  # for which Arrow leaves out all attrs
    known = {"a": {"order": ["high", "low"], "off_scale": ["don't know"]}}
    typed = autotype.apply_types(frame, types := autotype.infer_types(frame, known=known))
    autotype.write_table(typed[["a"]], tmp_path / "a.parquet", types)
    column = autotype.infer_types(autotype.read_table(tmp_path / "a.parquet"))["a"]
    assert (column.order, column.off_scale) == (("high", "low"), ("don't know",))
