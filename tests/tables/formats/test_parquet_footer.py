"""The sizes in a footer are those that pyarrow finds, and damage ends in an error."""

from __future__ import annotations

import io
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from autotype.tables.formats.parquet_file import read_sizes

SIZES = ["S", "M", None, "L"] * 50
TABLE = pa.table(
    {
        "text": SIZES,
        "lists": [[1, 2]] * 200,
        "parts": pa.array([{"x": 1.5, "ok": True}] * 200),
        "flag": [True] * 200,
        "none": pa.nulls(200),
    }
)
# Reads a file once for each byte of its footer, with a bit of this byte changed.
DAMAGE = """
import sys, autotype, warnings
warnings.simplefilter("ignore")
whole = bytearray(open(sys.argv[1], "rb").read())
n = int.from_bytes(whole[-8:-4], "little")
refused = 0
for at in range(len(whole) - 8 - n, len(whole) - 8):
    whole[at] ^= 1
    open(sys.argv[1], "wb").write(whole)
    try:
        autotype.read_table(sys.argv[1])
    except autotype.errors.UnreadableTableError:
        refused += 1
    whole[at] ^= 1
print(refused)
"""


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"write_page_index": True, "compression": "zstd"},
        {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY"}},
        {"use_dictionary": ["text"], "write_statistics": False, "store_schema": False},
    ],
)
@pytest.mark.parametrize("group", [60, 1000])
def test_sizes_are_those_of_pyarrow(options, group) -> None:
    file = io.BytesIO()
    parquet.write_table(TABLE, file, row_group_size=group, **options)
    metadata = parquet.ParquetFile(file).metadata
    groups = [metadata.row_group(k) for k in range(metadata.num_row_groups)]
    for group_sizes, stated in zip(read_sizes(file), groups, strict=True):
        for j, sizes in enumerate(group_sizes):
            chunk = stated.column(j)
            assert sizes[:2] == (chunk.num_values, chunk.total_uncompressed_size)
            assert sizes.has_dictionary == chunk.has_dictionary_page
            assert sizes.shares_prefixes == ("DELTA_BYTE_ARRAY" in chunk.encodings)


def test_a_damaged_footer_is_refused() -> None:
    file = io.BytesIO()
    parquet.write_table(TABLE, file)
    whole = file.getvalue()
    for bad in (b"", b"\x15", b"\x1a\xfc\xff\xff\x03\x07", b"\x19\xff\xff\xff\x7f"):
        cut = whole[:-8] + bad + len(bad).to_bytes(4, "little") + whole[-4:]
        with pytest.raises(ValueError, match="the footer is damaged"):
            read_sizes(io.BytesIO(cut))


def test_no_damage_of_a_footer_ends_the_process(tmp_path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"text": SIZES}), path)
    child = subprocess.run(
        [sys.executable, "-c", DAMAGE, path], capture_output=True, text=True, check=False
    )
    assert child.returncode == 0, child.stderr[-500:]
    assert int(child.stdout) > 50
