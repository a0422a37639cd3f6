from __future__ import annotations

import importlib
import io
import sys

import pandas as pd
import pytest

from autotype.errors import MissingExtraError, UnreadableTableError
from autotype.tables.content import Content
from autotype.tables.formats import arrow_file
from autotype.tables.formats.arrow_file import read_arrow
from autotype.tables.table import Limits, ReadOptions
from autotype.tables.table_file import read_file

pa = pytest.importorskip("pyarrow")
LIMITS = Limits("a", 10**7)
FRAME = pd.DataFrame(
    {
        "i": pd.array([2**53 + 1, None, 3], "Int64"),
        "x": [0.5, None, 1.5],
        "text": ["a", None, "ä"],
        "day": pd.to_datetime(["2024-02-29", None, "2024-03-01"]),
        "yes": [True, False, True],
    }
)


def stream(table) -> bytes:
    file = io.BytesIO()
    with pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def feather(table, **options) -> bytes:
    from pyarrow import feather

    file = io.BytesIO()
    feather.write_feather(table, file, **options)
    return file.getvalue()


def orc(table, **options) -> bytes:
    from pyarrow import orc

    file = io.BytesIO()
    orc.write_table(table, file, **options)
    return file.getvalue()


def read(content: bytes, kind: str = "feather", limits: Limits = LIMITS, **options):
    stated = ReadOptions(**options)
    table = read_arrow(Content(kind, lambda: io.BytesIO(content)), limits, stated)
    return table.frame, table.codebook, table.reading


TABLE = pa.Table.from_pandas(FRAME)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (stream(TABLE), "feather"),
        (feather(TABLE, compression="uncompressed"), "feather"),
        (feather(TABLE, compression="lz4", chunksize=2), "feather"),
        (feather(TABLE, compression="zstd"), "feather"),
        (orc(TABLE), "orc"),
        (orc(TABLE, compression="zstd"), "orc"),
    ],
)
def test_cells_come_back(content, kind) -> None:
    frame, _, reading = read(content, kind)
    frame["day"] = frame["day"].astype(FRAME["day"].dtype)
    pd.testing.assert_frame_equal(frame, FRAME, check_dtype=False)
    assert frame["i"].tolist() == [2**53 + 1, pd.NA, 3]
    assert reading.format == kind
    assert read(content, kind, n_rows=2)[0]["text"].tolist() == frame["text"].tolist()[:2]


def test_dictionaries_and_an_index() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["x", "y"], ["y", "x"], ordered=True)}, ["u", "v"])
    found = read(stream(pa.Table.from_pandas(frame)))[0]
    assert list(found) == ["index", "c"]
    assert found["c"].cat.categories.tolist() == ["y", "x"]
    assert found["c"].cat.ordered


@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_bombs_are_refused_before_they_are_unpacked(compression) -> None:
    long = pa.table({"a": pa.array([0] * 10**6)})
    content = feather(long, compression=compression, chunksize=10**6)
    assert len(content) < 10**5
    with pytest.raises(UnreadableTableError, match=r"1,000,000 rows of 1 column.* take 8,000,000"):
        read(content, limits=Limits("a", 10**6))
    with pytest.raises(UnreadableTableError, match=r"1,000,000 rows of 1 column.* take 8,000,000"):
        read(orc(long, compression=compression), "orc", limits=Limits("a", 10**6))
    wide = pa.table({"a": ["x" * 10**6] * 5})
    with pytest.raises(UnreadableTableError, match=r"unpacks to 5,000,\d+ bytes"):
        read(feather(wide, compression=compression), limits=Limits("a", 10**6))
    with pytest.raises(UnreadableTableError, match="holds 5 columns or more"):
        read(stream(TABLE), limits=Limits("a", 10**6, 4))


@pytest.mark.parametrize("threshold", [0.0, 1.0], ids=["in full", "dictionary"])
@pytest.mark.parametrize("compression", ["uncompressed", "zlib", "snappy", "lz4", "zstd"])
def test_strings_of_orc_are_counted_before_they_are_unpacked(compression, threshold) -> None:
    columns = {"a": ["x" * 1000] * 900, "b": [b"y" * 500] * 900, "c": [["z" * 100, None]] * 900}
    content = orc(
        pa.table(columns), compression=compression, dictionary_key_size_threshold=threshold
    )
    n_bytes = 900 * (1000 + 500 + 100) + 8 * 900 * 4 + 8 * 900  # strings, cells and rows
    assert read(content, "orc", limits=Limits("a", n_bytes))[0].shape == (900, 3)
    with pytest.raises(UnreadableTableError, match=f"unpacks to {n_bytes:,} bytes"):
        read(content, "orc", limits=Limits("a", n_bytes - 1))


def message(fields) -> bytes:
    """Encode the fields of a message of protocol buffers."""

    def varint(number) -> bytes:
        groups = [number >> k & 127 for k in range(0, max(number.bit_length(), 1), 7)]
        return bytes([*(group | 128 for group in groups[:-1]), groups[-1]])

    return b"".join(
        varint(number << 3) + varint(value)
        if isinstance(value, int)
        else varint(number << 3 | 2) + varint(len(value)) + value
        for number, value in fields
    )


def forged(content: bytes) -> bytes:
    """Return ORC whose statistics state strings without a character."""

    def without_lengths(statistics):
        fields = arrow_file._message(statistics)
        return message([(n, b"" if n == 4 else value) for n, value in fields])

    start = len(content) - 1 - content[-1]
    script = arrow_file._message(content[start:-1])
    place = start - dict(script)[1]
    fields = arrow_file._message(content[place:start])
    footer = message([(n, without_lengths(v) if n == 7 else v) for n, v in fields])
    script = message([(n, len(footer) if n == 1 else value) for n, value in script])
    return content[:place] + footer + script + bytes([len(script)])


def test_forged_statistics_of_orc_are_noticed_while_it_is_unpacked() -> None:
    content = forged(orc(pa.table({"a": ["x" * 1000] * 9000, "b": [1] * 9000})))
    with pytest.raises(UnreadableTableError, match=r"unpacks to [\d,]+ bytes or more"):
        read(content, "orc", limits=Limits("a", 10**6))
    assert read(content, "orc", limits=Limits("a", 10**7))[0].shape == (9000, 2)


@pytest.mark.parametrize("names", [["a", "a"], ["a.b", "a"], ["", "a"]])
def test_names_of_orc(names) -> None:
    found = read(orc(pa.table([[1, 2], [{"b": 3}, None]], names=names)), "orc")[0]
    assert found.columns.tolist() == names
    assert found.iloc[:, 0].tolist() == [1, 2]


@pytest.mark.parametrize("kind", ["feather", "orc"])
@pytest.mark.parametrize("part", [0.2, 0.6, 0.95])
def test_what_is_cut_off(kind, part) -> None:
    content = feather(TABLE) if kind == "feather" else orc(TABLE)
    name = {"feather": "Feather", "orc": "ORC"}[kind]
    with pytest.raises(UnreadableTableError, match=f"^a: not a whole {name} file"):
        read(content[: int(len(content) * part)], kind)


def test_no_pyarrow(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"reading ORC needs pyarrow; type .*\[parquet\]"):
        read(b"ORC", "orc")


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_strings_that_are_no_utf_8(tmp_path, ending) -> None:
    from pyarrow import feather, parquet

    buffers = pa.array([b"ab", b"\xfe\xff"], pa.binary()).buffers()
    table = pa.table({"x": pa.Array.from_buffers(pa.string(), 2, buffers)})
    write = {"parquet": parquet.write_table, "feather": feather.write_feather}[ending]
    write(table, str(tmp_path / f"a.{ending}"))
    with pytest.raises(UnreadableTableError, match="UTF8"):
        read_file(str(tmp_path / f"a.{ending}"))


def test_columns_of_one_name_keep_their_own_types(tmp_path) -> None:
    arrays = [pa.array(["x", "y"]), pa.array([7, None]), pa.array([2**53 + 1, 1])]
    table = pa.table(arrays, names=["a", "a", "b"])
    importlib.import_module("pyarrow.parquet").write_table(table, tmp_path / "t.parquet")
    frame = read_file(str(tmp_path / "t.parquet")).frame
    assert frame.columns.tolist() == ["a", "a", "b"]
    assert [frame.iloc[0, j] for j in range(3)] == ["x", 7, 2**53 + 1]
    assert frame.dtypes.iloc[1] == "Int64"


@pytest.mark.parametrize("levels", [[["a"], ["b", "c"]], [{"a": 1}, {"a": 2}]])
def test_levels_without_a_hash_are_refused(levels) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int8()), pa.array(levels))
    stored = feather(pa.table({"parts": column}))
    with pytest.raises(UnreadableTableError, match="pandas cannot hold a column"):
        read_arrow(Content("feather", lambda: io.BytesIO(stored)), LIMITS, ReadOptions())


@pytest.mark.parametrize("ending", ["parquet", "feather"])
@pytest.mark.parametrize(
    "column",
    [pa.array([10**12 + 1, None], pa.time64("ns")), pa.array([10**8, None], pa.date32())],
    ids=["nanoseconds", "years"],
)
def test_a_whole_file_with_values_that_pandas_lacks_is_refused_as_such(
    tmp_path, column, ending
) -> None:
    name = {"parquet": "parquet.write_table", "feather": "feather.write_feather"}[ending]
    module, write = name.split(".")
    path = str(tmp_path / f"a.{ending}")
    getattr(importlib.import_module(f"pyarrow.{module}"), write)(pa.table({"x": column}), path)
    with pytest.raises(UnreadableTableError, match=r"pandas cannot hold a column .*as strings"):
        read_file(path)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int8())),
        pa.array([{"a": 1}, None]),
        pa.array([b"ab", None], pa.binary(2)),
        pa.array(["a", None]).dictionary_encode(),
    ],
    ids=lambda column: str(column.type),
)
def test_dtypes_that_pandas_writes_and_does_not_read(tmp_path, column) -> None:
    path = str(tmp_path / "a.parquet")
    pd.DataFrame({"x": pd.Series(pd.arrays.ArrowExtensionArray(column))}).to_parquet(path)
    assert read_file(path).frame["x"].isna().tolist() == [False, True]
