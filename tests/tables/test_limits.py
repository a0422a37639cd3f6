"""Small files cannot fill the memory; the limits are stated and can be raised."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import zipfile

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from autotype.errors import UnreadableTableError
from autotype.tables import table_file
from autotype.tables.table_file import ReadOptions, read_file

LOW = 1000


@pytest.fixture(autouse=True)
def low_limits(monkeypatch):
    monkeypatch.setattr(table_file, "_FREE_BYTES", LOW)
    monkeypatch.setattr(table_file, "_FREE_BYTES_OF_PARQUET", LOW)
    monkeypatch.setattr(table_file, "_RATIO", 2)


def bomb_of_gzip(path) -> None:
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 10_000))


def bomb_of_zip(path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"a,b\n" + b"1,2\n" * 10_000)


def bomb_of_json(path) -> None:
    path.write_text(json.dumps([{f"k{i}": 1} for i in range(100)]))


def bomb_of_keys(path) -> None:
    path.write_text("".join(f'{{"k{i}": 1}}\n' for i in range(100)))


def bomb_of_members(path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * 10**6)


def bomb_of_cells(path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active["A1"] = book.active["ZZ900"] = 1
    book.save(path)


def bomb_of_runs(path) -> None:
    pd.DataFrame({"a": [1] * 100_000}).to_parquet(path)


LONG = "x" * 100_000
OF_PARQUET = {
    "dictionaries": ([LONG] * 100, {}),
    "prefixes": (
        [LONG] * 100,
        {"use_dictionary": False, "column_encoding": {"a": "DELTA_BYTE_ARRAY"}},
    ),
    "lists": ([[LONG] * 10] * 10, {}),
    "structs": ([{"k": LONG, "n": 1}] * 100, {}),
    "numbers": ([[1] * 1_000_000], {}),
}


@pytest.mark.parametrize("kind", OF_PARQUET)
def test_values_of_parquet_are_counted_before_they_are_read(tmp_path, monkeypatch, kind) -> None:
    monkeypatch.setattr(table_file, "_FREE_BYTES_OF_PARQUET", 1_000_000)
    cells, options = OF_PARQUET[kind]
    table, path = pa.table({"b": [1] * len(cells), "a": cells}), str(tmp_path / "a.parquet")
    parquet.write_table(table, path, compression="zstd", **options)
    assert os.path.getsize(path) < 20_000
    monkeypatch.setattr(pd, "read_parquet", lambda *_, **__: pytest.fail("it was read"))
    for options in (ReadOptions(), ReadOptions(n_rows=len(cells))):
        with pytest.raises(UnreadableTableError, match=r"unpacks to [\d,]+ bytes or more"):
            read_file(path, options)
    monkeypatch.undo()
    assert len(read_file(path, ReadOptions(max_size=10**8)).frame) == len(cells)


BOMBS = [
    ("a.csv.gz", bomb_of_gzip, "unpacks to [\\d,]+ bytes or more, beyond the limit of 1,000; "),
    ("a.csv.zip", bomb_of_zip, "unpacks to [\\d,]+ bytes or more, beyond the limit of 1,000; "),
    ("a.json", bomb_of_json, "rows of [\\d,]+ columns take [\\d,]+ bytes or more, beyond the "),
    ("a.jsonl", bomb_of_keys, "rows of [\\d,]+ columns take [\\d,]+ bytes or more, beyond the "),
    ("a.xlsx", bomb_of_members, "unpacks to 1,000,000 bytes or more, beyond the limit of "),
    ("a.xlsx", bomb_of_cells, "unpacks to [\\d,]+ bytes"),
    ("a.parquet", bomb_of_runs, "100,000 rows of 1 column. take 800,000 bytes or more, beyond"),
]


@pytest.mark.parametrize(("name", "make", "message"), BOMBS)
def test_bombs_are_refused(tmp_path, name, make, message) -> None:
    path = tmp_path / name
    make(path)
    with pytest.raises(UnreadableTableError, match=f"{message}.*--max-size$"):
        read_file(str(path))


def test_cells_between_two_corners_of_a_sheet(tmp_path) -> None:
    bomb_of_cells(tmp_path / "a.xlsx")
    with pytest.raises(UnreadableTableError, match="900 rows of 702 columns take 5,054,400 bytes"):
        read_file(str(tmp_path / "a.xlsx"), ReadOptions(max_size=100_000))


@pytest.mark.parametrize("name", ["a.csv.gz", "a.csv.zip", "a.json", "a.jsonl", "a.parquet"])
def test_a_raised_limit(tmp_path, name) -> None:
    make = next(make for bomb, make, _ in BOMBS if bomb == name)
    make(tmp_path / name)
    assert len(read_file(str(tmp_path / name), ReadOptions(max_size=10**6)).frame) >= 100


def test_the_limit_grows_with_the_file(tmp_path, monkeypatch) -> None:
    bomb_of_gzip(tmp_path / "a.csv.gz")
    monkeypatch.setattr(table_file, "_RATIO", 1000)
    assert len(read_file(str(tmp_path / "a.csv.gz")).frame) == 10_000


def test_standard_input(tmp_path, monkeypatch) -> None:
    bomb_of_gzip(tmp_path / "a.csv.gz")
    content = io.BytesIO((tmp_path / "a.csv.gz").read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
    with pytest.raises(UnreadableTableError, match=r"^standard input: unpacks to .* --max-size"):
        read_file("-")


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.csv", b"a,b,c\n1,2,3\n"), ("a.jsonl", b'{"a": 1, "b": 2}\n{"c": 3}\n')],
)
def test_columns(tmp_path, name, content) -> None:
    (tmp_path / name).write_bytes(content)
    message = "holds 3 columns or more, beyond the limit of 2; .* by --max-columns"
    with pytest.raises(UnreadableTableError, match=message):
        read_file(str(tmp_path / name), ReadOptions(max_columns=2))


def test_entities_of_xml_do_not_unfold(tmp_path, monkeypatch) -> None:
    monkeypatch.undo()
    pd.DataFrame({"a": ["x"]}).to_excel(tmp_path / "a.xlsx", index=False)
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    laughs = '<!DOCTYPE x [<!ENTITY l0 "' + "ha" * 50 + '">'
    laughs += "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10)) + "]>"
    sheet = members["xl/worksheets/sheet1.xml"].decode()
    place = sheet.index("<worksheet")
    sheet = sheet[:place] + laughs + sheet[place:].replace("<t>x</t>", "<t>&l9;</t>")
    members["xl/worksheets/sheet1.xml"] = sheet.encode()
    with zipfile.ZipFile(tmp_path / "b.xlsx", "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    with pytest.raises(UnreadableTableError, match="not a whole Excel file"):
        read_file(str(tmp_path / "b.xlsx"))
