"""The content of a file decides how it is read, whatever its name and however it is packed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zipfile

import pandas as pd
import pytest

from autotype.errors import MissingExtraError, UnreadableTableError
from autotype.tables.content import HEAD, UnpackedBytes, find_content, format_of, format_of_name
from autotype.tables.table import Limits
from autotype.tables.table_file import read_file

CSV = b"a,b\n1,2\n"


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def zst(content: bytes) -> bytes:
    import pyarrow

    return pyarrow.compress(content, codec="zstd", asbytes=True)


PACKERS = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zst,
    ".zip": lambda content: zipped(**{"data/a": content}),
}


def as_bytes(write, *arguments, **options) -> bytes:
    file = io.BytesIO()
    write(file, *arguments, **options)
    return file.getvalue()


FRAME = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
CONTENTS = {
    "csv": b"a,b\n1,x\n2,y\n",
    "jsonl": b'{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n',
    "json": b'[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]',
    "parquet": as_bytes(FRAME.to_parquet),
    "feather": as_bytes(FRAME.to_feather),
    "orc": as_bytes(FRAME.to_orc),
    "excel": as_bytes(FRAME.to_excel, index=False),
}


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize("name", ["a.csv", "a.xls", "a.dat", "a", "a.parquet", "a.JSON.gz"])
def test_the_name_does_not_decide(tmp_path, kind, name) -> None:
    if kind == "csv" and "JSON" in name:
        pytest.skip("text that is no JSON, under a name of JSON, gets the error of JSON")
    path = tmp_path / name
    path.write_bytes(CONTENTS[kind])
    assert format_of(CONTENTS[kind][:HEAD], name) in (kind, "zip")
    pd.testing.assert_frame_equal(read_file(str(path)).frame, FRAME, check_dtype=False)


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize("ending", PACKERS)
def test_every_format_in_every_packing(tmp_path, kind, ending) -> None:
    path = tmp_path / f"a{ending}"
    path.write_bytes(PACKERS[ending](CONTENTS[kind]))
    table = read_file(str(path))
    pd.testing.assert_frame_equal(table.frame, FRAME, check_dtype=False)
    assert table.reading.format == kind
    path.write_bytes(gzip.compress(PACKERS[ending](CONTENTS[kind])))
    pd.testing.assert_frame_equal(read_file(str(path)).frame, FRAME, check_dtype=False)


@pytest.mark.parametrize("ending", PACKERS)
def test_what_is_packed_is_limited_and_whole(tmp_path, ending) -> None:
    path = tmp_path / f"a.csv{ending}"
    content = b"a,b\n" + b"".join(b"%d,%d\n" % (k, k * k) for k in range(20_000))
    packed = PACKERS[ending](content)
    limits = Limits(str(path), 50_000)
    with pytest.raises(UnreadableTableError, match=r"limit of 50,000; .*--max-size"):
        find_content(lambda: io.BytesIO(packed), limits).opened().read()
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(UnreadableTableError, match=f"not a whole {ending.strip('.')[:2]}"):
        read_file(str(path))


def test_an_archive_that_cannot_be_opened_is_closed() -> None:
    packed = io.BytesIO(zipped(a=CSV).replace(b"PK\3\4", b"PK\3\5"))
    with pytest.raises(UnreadableTableError, match="Bad magic number"):
        UnpackedBytes(packed, Limits("a.zip", 50_000), "zip")
    assert packed.closed


def packed_thrice() -> bytes:
    content = CSV
    for _ in range(3):
        content = gzip.compress(content, mtime=0)  # the same bytes, so the same name of a test
    return content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zipped(a=CSV, b=CSV), "holds 2 files: 'a', 'b'; unpack it and name one of them"),
        (zipped(**{"a/": b""}), "holds no file; unpack it"),
        (packed_thrice(), "is packed in too many archives"),
        (b"PK\3\4 and no more", "not a whole Excel file"),
        (b"<!DOCTYPE html><html><table>", "holds an HTML page, whatever its name says; open it"),
        (b" <table><tr>", "holds an HTML page"),
        ("\ufeff<html>".encode("utf-16-le"), "holds an HTML page"),
        (b'<?xml version="1.0"?><Workbook>', "holds an XML document"),
        (b"%PDF-1.7", "holds a PDF document; extract its tables"),
        (b"% Flowers\n@RELATION iris\n", "holds ARFF; read it by scipy.io.arff.loadarff"),
        (b"SQLite format 3\0", "holds an SQLite database; give it as --url sqlite:///PATH"),
        (b"\x89HDF\r\n", "holds an HDF5 file"),
        (b"\x80\x05\x95\x1a\0", "holds a pickle of Python; write its table as"),
        (
            zipped(**{"[Content_Types].xml": b"", "word/document.xml": b""}),
            "holds a document of Word",
        ),
        (b"ARROW1\0\0 and no more", "not a whole Feather file"),
        (b"ORC\0\1 and no more", "not a whole ORC file"),
        (b"PAR1\x15\4 and no more", "not a whole Parquet file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and no more", "not a whole Excel file"),
    ],
)
def test_what_is_no_table(tmp_path, content, message) -> None:
    path = tmp_path / "a.xls"
    path.write_bytes(content)
    with pytest.raises(UnreadableTableError, match=rf"a\.xls: {message}"):
        read_file(str(path))


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"", "", "csv"),
        (b"", "a.parquet", "parquet"),
        (b"ORCID,PAR1\n", "a", "csv"),
        (b"PAR1,x\n1,2\n", "a.csv", "csv"),
        (b"BZh,x\n1,2\n", "a.csv", "csv"),
        (b"PAR1", "", "parquet"),
        (b"[a];[b]\n1;2\n", "a.csv", "csv"),
        (b"{a},{b}\n", "", "csv"),
        (b"  [ {}]", "", "json"),
        (b"[[1, 2]]", "", "json"),
        (b'{"a": 1}\n', "a.json", "json"),
        (b'{"a": 1}\n', "a.jsonl.gz", "jsonl"),
        (b'{\n"a": 1}\n', "", "json"),
        (b'{"a": 1}\n\n{"a"', "", "jsonl"),
        (b"text", "a.json", "json"),
        ("\ufeff[{}]".encode(), "", "json"),
        ("\ufeff[{}]".encode("utf-16-le"), "", "json"),
    ],
)
def test_formats(content, name, kind) -> None:
    assert format_of(content, name) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [("A.CSV.ZIP", "csv"), ("a.ods", "excel"), ("a.geojson.xz", "json"), ("a.doc", None)],
)
def test_formats_of_names(name, kind) -> None:
    assert format_of_name(name) == kind


def test_the_member_of_an_archive_names_the_format(tmp_path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped(**{"rows.jsonl": b'{"a": [1, 2]}\n', "__MACOSX/._rows": b"x"}))
    table = read_file(str(path))
    assert table.reading.format == "jsonl"
    assert table.frame["a"].tolist() == [[1, 2]]


def test_no_library_for_zst(tmp_path, monkeypatch) -> None:
    path = tmp_path / "a.csv.zst"
    path.write_bytes(zst(CSV))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"\.zst needs pyarrow; type .*\[parquet\]"):
        read_file(str(path))
