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
from autotype.cli import main
sys.exit(main([*sys.argv[1:], "--quiet"]))
"""
ROWS = b"size,n\n" + b"S,1\n" * (1 << 24)  # 64 MiB


def _zip(path: Path, name: str, content: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)


def _bz2() -> bytes:
    """Return the rows in streams of 1 MiB: repeated bytes cost its compressor a long sort."""
    start, part = ROWS[:7], ROWS[7 : 7 + (1 << 20)]
    return bz2.compress(start) + bz2.compress(part) * ((len(ROWS) - len(start)) // len(part))


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


def _arrow(path: Path, cells: list[object], n_batches: int) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import ipc

    batch = pa.record_batch([pa.array(cells)], names=["size"])
    options = ipc.IpcWriteOptions(compression="zstd")
    with ipc.new_file(path, batch.schema, options=options) as writer:
        for _ in range(n_batches):
            writer.write_batch(batch)


def _avro(path: Path) -> None:
    fastavro = pytest.importorskip("fastavro")
    schema = {"type": "record", "name": "r", "fields": [{"name": "size", "type": "string"}]}
    with path.open("wb") as file:
        fastavro.writer(file, schema, ({"size": "x" * (1 << 20)} for _ in range(600)), "deflate")


def _repeated(path: Path) -> None:
    from tests.tables.workbooks.test_workbook import ods, ods_cell

    row = f'<table:table-row table:number-rows-repeated="100000000">{ods_cell("S")}'
    path.write_bytes(ods(f"{row}</table:table-row>"))


def _orc(path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import orc

    table = pa.table({"size": ["x" * (1 << 20)] * 700})
    with orc.ORCWriter(path, compression="zstd", dictionary_key_size_threshold=1.0) as writer:
        for _ in range(4):
            writer.write(table)


BOMBS: dict[str, Callable[[Path], object]] = {
    "a.csv.gz": lambda path: path.write_bytes(gzip.compress(ROWS)),
    "a.csv.bz2": lambda path: path.write_bytes(_bz2()),
    "a.csv.xz": lambda path: path.write_bytes(lzma.compress(ROWS, preset=0)),
    "a.csv.zip": lambda path: _zip(path, "a.csv", ROWS),
    "a.jsonl.gz": lambda path: path.write_bytes(gzip.compress(b'{"a": 1}\n' * (1 << 23))),
    "a.xlsx": _workbook,
    "dictionary.parquet": _parquet,
    "plain.parquet": lambda path: _parquet(path, plain=True),
    "dictionary.orc": _orc,
    "plain.arrow": lambda path: _arrow(path, ["x" * (1 << 20)] * 100, 25),
    "deflated.avro": _avro,
    "repeated.ods": _repeated,
    "nested.json": lambda path: path.write_bytes(b"[" * (1 << 20)),
}


def read(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of limited memory."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED, *map(str, arguments)],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_ends_with_an_error(name, tmp_path) -> None:
    path = tmp_path / name
    BOMBS[name](path)
    assert path.stat().st_size < 2 << 20
    child = read("infer", path)
    assert child.returncode == 1, child.stderr
    assert child.stderr.startswith(f"autotype: error: {path}: "), child.stderr
    assert "memory" not in child.stderr


ALIASES = "a0: &a0 [x, x]\n" + "".join(
    f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 12)
)
BESIDE = {
    "--known": ("a.toml", ".".join("a" * 100_000) + " = 1\n"),
    "--scales": ("a.toml", "a = " + "[" * 200_000),
    "--codebook": ("a.xml", "<codeBook>" + "<a>" * 300_000),
    "--types": ("a.json", '{"columns": ' + "[" * 1_000_000),
    "--schema": ("a.yaml", f"{ALIASES}...\n"),
}


@pytest.mark.parametrize("option", BESIDE)
def test_a_small_file_beside_a_table_ends_with_an_error(option, tmp_path) -> None:
    table, path = tmp_path / "t.csv", tmp_path / BESIDE[option][0]
    table.write_text("size,n\n" + "S,1\n" * 9, encoding="utf-8")
    path.write_text(BESIDE[option][1], encoding="utf-8")
    command = {"--types": "apply", "--schema": "validate"}.get(option, "infer")
    output = ["-o", tmp_path / "o.csv"] if command == "apply" else []
    child = read(command, table, option, path, *output)
    assert child.returncode in (1, 2), child.stderr
    assert child.stderr.startswith("autotype: error: "), child.stderr
    assert "memory" not in child.stderr
