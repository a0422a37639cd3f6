"""Small files that would fill the memory end with an error, in a process of limited memory."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="limits the memory as Linux does"),
]

ADDRESS_SPACE = 3 << 30  # bytes: 2 GiB for a Parquet file, and the libraries
LIMITED = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({ADDRESS_SPACE}, {ADDRESS_SPACE}))
from autotype.cli.program import main
sys.exit(main(["infer", sys.argv[1], "--quiet"]))
"""
ROWS = b"size,n\n" + b"S,1\n" * (1 << 24)  # 64 MiB


def _zip(path: Path, name: str, content: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)


def _workbook(path: Path) -> None:
    import openpyxl

    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["size", "n"])
    book.save(file)
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("sheet1.xml"):
                row = b"<row><c><v>1</v></c><c><v>2</v></c></row>" * (1 << 22)
                content = content.replace(b"</sheetData>", row + b"</sheetData>")
            new.writestr(name, content)


def _parquet(path: Path, *, plain: bool = False) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    cells = pa.DictionaryArray.from_arrays(pa.array([0] * 7000, pa.int32()), ["x" * (1 << 20)])
    column = cells.slice(0, 300).cast(pa.string()) if plain else cells
    with parquet.ParquetWriter(
        path, pa.schema([("size", column.type)]), compression="zstd", use_dictionary=not plain
    ) as writer:
        for _ in range(10 if plain else 1):
            writer.write_table(pa.table({"size": column}))


def _orc(path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import orc

    table = pa.table({"size": ["x" * (1 << 20)] * 700})
    with orc.ORCWriter(path, compression="zstd", dictionary_key_size_threshold=1.0) as writer:
        for _ in range(4):
            writer.write(table)


BOMBS: dict[str, Callable[[Path], object]] = {
    "a.csv.gz": lambda path: path.write_bytes(gzip.compress(ROWS)),
    "a.csv.bz2": lambda path: path.write_bytes(bz2.compress(ROWS)),
    "a.csv.xz": lambda path: path.write_bytes(lzma.compress(ROWS, preset=0)),
    "a.csv.zip": lambda path: _zip(path, "a.csv", ROWS),
    "a.jsonl.gz": lambda path: path.write_bytes(gzip.compress(b'{"a": 1}\n' * (1 << 23))),
    "a.xlsx": _workbook,
    "dictionary.parquet": _parquet,
    "plain.parquet": lambda path: _parquet(path, plain=True),
    "dictionary.orc": _orc,
    "nested.json": lambda path: path.write_bytes(b"[" * (1 << 20)),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_ends_with_an_error(name, tmp_path) -> None:
    path = tmp_path / name
    BOMBS[name](path)
    assert path.stat().st_size < 2 << 20
    child = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        encoding="utf-8",
    )
    assert child.returncode == 1, child.stderr
    assert child.stderr.startswith(f"autotype: error: {path}: "), child.stderr
    assert "memory" not in child.stderr
