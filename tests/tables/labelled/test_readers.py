"""Labelled files are recognised by their content, and read by read_table with their codebook."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest

import autotype
from autotype.tables.content import format_of

MOOD = {1: "bad", 2: "good"}


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"$FL2@(#) SPSS DATA FILE\0\0", "sav"),
        (b"$FL3@(#) SPSS DATA FILE\0\0", "sav"),
        (b"<stata_dta><header><release>118</release>\0", "dta"),
        (b"\x72\x02\x01\x00\x05\x00", "dta"),
        (b"\0" * 12 + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92", "sas7bdat"),
        (b"X\n\0\0\0\x03\0\x04\x02\0", "r"),
        (b"RDX3\nX\n\0\0\0\x03", "r"),
        (b"B\n\x03\0\0\0", "r"),
    ],
)
def test_content_decides(head: bytes, kind: str) -> None:
    assert format_of(head, "table.csv") == kind


@pytest.mark.parametrize("name", ["a.sav", "a.csv", "a.sav.gz"])
def test_read_table(tmp_path: Path, name: str) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "written.sav"
    frame = pd.DataFrame({"mood": [1.0, 2.0] * 20})
    pyreadstat.write_sav(frame, str(path), variable_value_labels={"mood": MOOD})
    content = path.read_bytes()
    named = tmp_path / name
    named.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    table = autotype.read_table(named)
    assert table.reading.format == "sav"
    assert table.codebook.columns["mood"].values == MOOD
    types = autotype.infer_types(table)
    assert types["mood"].labels == MOOD
    assert types["mood"].semantic_type == "binary"


def test_a_codebook_that_does_not_fit_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("variable,label,values\nmood,Mood?,1=bad; 2=so-so; 3=good\nage,Age,\n")
    frame = pd.DataFrame({"mood": [1, 2, 3, 7] * 10})
    types = autotype.infer_types(frame, codebook=path)
    assert types["mood"].title == "Mood?"
    found = [warning.message for warning in types.warnings if warning.kind == "codebook"]
    assert found == [
        "the codebook describes columns that the table does not hold: 'age'",
        "column 'mood': values without an entry in the codebook: 7",
    ]


def test_what_pandas_leaves_of_an_spss_file_is_found() -> None:
    frame = pd.DataFrame({"mood": ["best", "bad", "so-so"] * 20})
    frame.attrs = {
        "column_names": ["mood"],
        "column_names_to_labels": {"mood": "Mood?"},
        "variable_value_labels": {"mood": {1.0: "bad", 2.0: "so-so", 3.0: "best"}},
    }
    mood = autotype.infer_types(frame)["mood"]
    assert mood.title == "Mood?"
    assert mood.best_order in (("bad", "so-so", "best"), ("best", "so-so", "bad"))


def test_a_reader_that_fails_within(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(pd.DataFrame({"mood": [1.0, 2.0]}), str(path))

    def fail(*_: object, **options: object) -> None:
        raise IndexError("index 30 is out of bounds")

    monkeypatch.setattr(pyreadstat, "read_sav", fail)
    with pytest.raises(autotype.errors.UnreadableTableError, match="of SPSS: index 30"):
        autotype.read_table(path)
