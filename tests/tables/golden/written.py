"""Frames of odd columns, written in each format and read again, and tables of Arrow."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import feather, ipc, orc, parquet

from autotype.tables.table import ReadOptions
from autotype.tables.table_file import read_file
from autotype.tables.table_output import write_table
from autotype.types.codebook import Codebook, CodebookEntry
from tests.tables.golden.shown import shown, table

DAY = datetime.date(2024, 2, 29)
NOON = datetime.datetime(2024, 2, 29, 12)
CELLS: dict[str, list[Any]] = {
    "integers": [1, 2, -3, None],
    "large": [10**15 - 1, 10**15, -(10**15), 2**62],
    "decimals": [1.5, 0.1 + 0.2, 1e300, None],
    "infinite": [float("inf"), 1.0],
    "exact": [Decimal("1.50"), Decimal("-0.1234567890123456"), None],
    "words": ["a", 'say "b"', "c,d", "", None],
    "formulas": ["=1+1", "+x", "-5", "@a", "\t=1", "-1e5", "-a", "=", "+.5", "x"],
    "returns": ["a\rb", "c\r\nd", "e"],
    "control": ["a\x01", "b"],
    "halves": ["\ud800", "b"],
    "long": ["x" * 32767, "x" * 32768],
    "booleans": [True, False, None],
    "days": [DAY, datetime.date(1900, 1, 1), None],
    "moments": [NOON, NOON.replace(year=1896), NOON.replace(microsecond=1500), None],
    "zones": [NOON.replace(tzinfo=datetime.UTC)],
    "times": [datetime.time(8, 30), None],
    "durations": [datetime.timedelta(days=2, seconds=1)],
    "lists": [[1, 2], np.array([1.5]), None],
    "objects": [{"a": 1}, {1, 2}, (1, 2)],
    "tags": [1, ".a", 2.5, ".b"],
    "mixed": [1, "a", None],
}
ENDINGS = [
    ".csv",
    ".csv",
    ".tsv",
    ".jsonl",
    ".jsonl",
    ".xlsx",
    ".xlsx",
    ".parquet",
    ".csv.gz",
    ".doc",
]
NAMES = ["x", "y", "=z", "a,b", "x ", "größe"]
ARROW: list[Any] = [
    pa.array([1, None, 3], pa.int8()),
    pa.array([1, 2**53 + 1, None], pa.int64()),
    pa.array([1, 2**64 - 1, 0], pa.uint64()),
    pa.array([0.5, None, 2.0], pa.float32()),
    pa.array(["a", None, "b"], pa.large_string()),
    pa.array(["a", "b", "a"]).dictionary_encode(),
    pa.array([[1], None, [2, 3]]),
    pa.array([{"k": 1}, {"k": 2}, None]),
    pa.array([DAY, None, DAY], pa.date32()),
    pa.array([NOON, None, NOON], pa.timestamp("ns", "Europe/Berlin")),
    pa.array([NOON, None, NOON], pa.timestamp("s")),
    pa.array([1, None, 3], pa.duration("s")),
    pa.array([datetime.time(8), None, None], pa.time64("us")),
    pa.array([b"a", None, b"\xff"]),
    pa.array([True, None, False]),
    pa.nulls(3),
    pa.array([Decimal("1.5"), None, Decimal("2.25")]),
]


def frame(random: Random) -> pd.DataFrame:
    """Return a frame."""
    n_rows = random.choice([0, 1, 3])
    names = random.sample(NAMES, random.choice([1, 2, 3]))
    columns = {}
    for name in names:
        kind = random.choice(sorted(CELLS))
        cells = random.choices(CELLS[kind], k=n_rows)
        values = pd.Series(cells, dtype=object)
        columns[name] = values
        if kind == "halves":  # which no other dtype holds
            continue
        if random.random() < 0.5:
            columns[name] = values.infer_objects()
        if n_rows and all(isinstance(cell, str) for cell in cells) and random.random() < 0.4:
            dtype = pd.CategoricalDtype(sorted(set(cells)), ordered=random.random() < 0.5)
            columns[name] = values.astype(dtype)
    found = pd.DataFrame(columns)
    if random.random() < 0.05:
        found.columns = [names[0]] * len(names)
    return found


def read(seed: int, folder: str) -> str:
    """Return what a frame is read as after it was written."""
    random = Random(f"written {seed}")
    held, path = frame(random), f"{folder}/table{random.choice(ENDINGS)}"
    described = CodebookEntry("Mood", values={1: "bad"}, missing_ranges=((-1.0, float("inf")),))
    book = random.choice([None, Codebook({str(held.columns[0]): described})])
    escape = random.choice([None, None, True, False])

    def work() -> str:
        write_table(held, path, codebook=book, escape=escape)
        text = Path(path).read_bytes().decode() if path.endswith((".csv", ".jsonl")) else ""
        return f"{text[:200]!r} {table(read_file(path))}"

    return re.sub(r" in position \d+", "", shown(work))  # which depends on pandas


def read_arrow(seed: int, folder: str) -> str:
    """Return what a table of Arrow is read as, from each of its formats."""
    random = Random(f"arrow {seed}")
    arrays = random.sample(ARROW, random.choice([1, 2, 3]))
    held = pa.table(arrays, names=random.choices(["a", "b", "c", "d"], k=len(arrays)))
    held = held.slice(0, random.choice([0, 1, 3, 3, 3]))
    path = f"{folder}/table.data"
    kind = random.choice(["parquet", "parquet", "feather", "stream", "orc"])
    stated = [*[{}] * 6, {"n_rows": 1}, {"max_size": 50}, {"max_columns": 1}]
    options = ReadOptions(**random.choice(stated))

    def work() -> str:
        if kind == "parquet":
            parquet.write_table(held, path)
        elif kind == "feather":
            feather.write_feather(held, path, compression=random.choice(["lz4", "uncompressed"]))
        elif kind == "orc":
            orc.write_table(
                held, path, compression=random.choice(["uncompressed", "zlib", "snappy"])
            )
        else:
            with ipc.new_stream(path, held.schema) as file:
                file.write_table(held)
        return table(read_file(path, options))

    try:
        return f"{kind}: {shown(work)}"
    except (pa.ArrowNotImplementedError, pa.ArrowTypeError):  # what the writer does not know
        return kind
