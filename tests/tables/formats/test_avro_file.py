from __future__ import annotations

import datetime
import io
import sys

import pandas as pd
import pytest

from autotype.errors import MissingExtraError, UnreadableTableError
from autotype.tables.content import Content
from autotype.tables.formats.avro_file import read_avro
from autotype.tables.table import Limits, ReadOptions
from autotype.tables.table_file import read_file

fastavro = pytest.importorskip("fastavro")
LIMITS = Limits("a.avro", 10**6)
SCHEMA = {
    "type": "record",
    "name": "row",
    "fields": [
        {"name": "i", "type": ["null", "long"]},
        {"name": "text", "type": "string"},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {
            "name": "town",
            "type": {"type": "record", "name": "t", "fields": [{"name": "x", "type": "double"}]},
        },
    ],
}
DAY = datetime.date(2024, 2, 29)
ROWS = [
    {"i": 2**53 + 1, "text": "ä", "day": DAY, "town": {"x": 0.5}},
    {"i": None, "text": "b", "day": DAY, "town": {"x": 1.5}},
]


def written(rows=ROWS, **options) -> bytes:
    file = io.BytesIO()
    fastavro.writer(file, SCHEMA, rows, **options)
    return file.getvalue()


def read(content: bytes, limits: Limits = LIMITS, **options):
    stated = ReadOptions(**options)
    table = read_avro(Content("avro", lambda: io.BytesIO(content)), limits, stated)
    return table.frame, table.codebook, table.reading


@pytest.mark.parametrize("codec", ["null", "deflate"])
def test_records(codec, tmp_path) -> None:
    frame, _, reading = read(written(codec=codec, sync_interval=1))
    assert list(frame) == ["i", "text", "day", "town.x"]
    assert frame["i"].tolist() == [2**53 + 1, pd.NA]
    assert frame["town.x"].tolist() == [0.5, 1.5]
    assert frame["day"].tolist() == [DAY, DAY]
    assert reading.format == "avro"
    assert len(read(written(codec=codec), n_rows=1)[0]) == 1
    (tmp_path / "a.csv").write_bytes(written(codec=codec))
    assert read_file(str(tmp_path / "a.csv")).frame.shape == (2, 4)


@pytest.mark.parametrize(
    ("content", "limits", "message"),
    [
        (
            written([ROWS[0] | {"text": "x" * 10**6}] * 3, codec="deflate", sync_interval=10**9),
            LIMITS,
            "unpacks to 1,000,001 bytes or more",
        ),
        (written(ROWS * 9), Limits("a.avro", 100), "18 rows of 1 columns take 144 bytes"),
        (written(codec="bzip2"), LIMITS, "is compressed by bzip2; write it with the codec deflate"),
        (written([]), LIMITS, "holds an empty table"),
        (written()[:-20], LIMITS, r"not a whole Avro file \(a part is cut off\)"),
        (b"Obj\x01", LIMITS, "not a whole Avro file"),
    ],
)
def test_errors(content, limits, message) -> None:
    with pytest.raises(UnreadableTableError, match=f"^a.avro: {message}"):
        read(content, limits)


def test_a_header_in_blocks_that_state_their_size(tmp_path) -> None:
    content = written(codec="deflate")
    start = len(b"Obj\x01")
    n_entries = content[start] // 2  # zigzag; negative: the size in bytes follows
    stated = bytes([2 * n_entries - 1, 2])
    frame = read(content[:start] + stated + content[start + 1 :])[0]
    assert frame["i"].tolist() == [2**53 + 1, pd.NA]


def test_no_fastavro(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "fastavro", None)
    with pytest.raises(MissingExtraError, match=r"reading Avro needs fastavro; type .*\[files\]"):
        read(written())
