"""Files of SPSS, Stata and SAS that pyreadstat writes are read with all that stands in them."""

from __future__ import annotations

import datetime
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import UnreadableTableError
from autotype.tables.content import Content
from autotype.tables.labelled import stat_files
from autotype.tables.labelled.stat_files import count_cells
from autotype.tables.labelled.stat_files import read_stat_file as read_opened
from autotype.tables.table import Limits, ReadOptions

pyreadstat = pytest.importorskip("pyreadstat")

LIMITS = Limits("survey", 10**6)


def read_stat_file(source: str | bytes, limits: Limits, *, kind: str, **options: Any) -> Any:
    """Read the file of a path, or content."""
    content = source if isinstance(source, bytes) else Path(source).read_bytes()
    table = read_opened(Content(kind, lambda: io.BytesIO(content)), limits, ReadOptions(**options))
    return table.frame, table.codebook, table.reading


FRAME = pd.DataFrame(
    {
        "mood": [1.0, 2.0, 3.0, -9.0, np.nan],
        "size": [0.5, 1.0, np.nan, 2.0, 3.0],
        "town": ["Köln", "Wien", "", "Bern", "Graz"],
        "day": [datetime.date(2024, 2, k) for k in (1, 2, 3, 4, 5)],
    }
)
LABELS = {"mood": {1: "bad", 2: "so-so", 3: "good", 4: "good", -9: "refused"}}


def write_sav(path: Path, **options: Any) -> str:
    defaults: dict[str, Any] = {
        "column_labels": {"mood": "How do you feel?"},
        "variable_value_labels": LABELS,
        "missing_ranges": {"mood": [{"lo": -99, "hi": -1}, 7]},
        "variable_measure": {"mood": "ordinal", "size": "scale", "town": "nominal"},
    }
    pyreadstat.write_sav(FRAME, str(path), **(defaults | options))
    return str(path)


@pytest.mark.parametrize("kind", ["sav", "zsav"])
def test_spss(tmp_path: Path, kind: str) -> None:
    path = write_sav(tmp_path / f"a.{kind}", compress=kind == "zsav")
    frame, book, reading = read_stat_file(path, LIMITS, kind="sav")
    assert frame["mood"].tolist() == [1, 2, 3, -9, pd.NA]
    assert frame["mood"].dtype == "Int64"
    assert frame["size"].dtype == np.float64
    assert frame["day"].tolist() == FRAME["day"].tolist()
    entry = book.columns["mood"]
    assert entry.label == "How do you feel?"
    assert entry.values == LABELS["mood"]
    assert entry.missing == (7,)
    assert entry.missing_ranges == ((-99, -1),)
    assert [book.columns[name].measure for name in ("mood", "size", "town")] == [
        "ordinal",
        "scale",
        "nominal",
    ]
    assert (reading.format, reading.encoding, reading.doubts) == ("sav", "utf-8", ())


def test_first_rows(tmp_path: Path) -> None:
    path = write_sav(tmp_path / "a.sav")
    for n_rows in (0, 2):
        frame, book, _ = read_stat_file(path, LIMITS, kind="sav", n_rows=n_rows)
        assert len(frame) == n_rows
        assert book.columns["mood"].label == "How do you feel?"


def test_tagged_missing_values_of_stata_and_missing_integers(tmp_path: Path) -> None:
    frame = pd.DataFrame({"mood": [1, 2, "a", np.nan, "z"], "n": pd.array([1, 2, None, 4, 5])})
    path = str(tmp_path / "a.dta")
    pyreadstat.write_dta(
        frame,
        path,
        missing_user_values={"mood": ["a", "z"]},
        variable_value_labels={"mood": {1: "bad", 2: "good", "a": "refused"}},
    )
    read, book, _ = read_stat_file(path, LIMITS, kind="dta")
    assert read["mood"].iloc[[0, 1, 2, 4]].tolist() == [1, 2, ".a", ".z"]
    assert pd.isna(read["mood"].iloc[3])
    assert read["n"].tolist() == [1, 2, pd.NA, 4, 5]
    entry = book.columns["mood"]
    assert entry.missing == (".a", ".z")
    assert entry.values == {1: "bad", 2: "good", ".a": "refused"}


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Größe", "cp1252"),
        ("Hiç hoşnut değil, bıktım", "cp1254"),
        ("никогда не соглашаюсь", "cp1251"),
    ],
)
def test_strings_in_an_encoding_that_the_file_misstates(
    tmp_path: Path, text: str, encoding: str
) -> None:
    path = tmp_path / "a.dta"
    data = text.encode(encoding)
    mark = "x" * len(data)
    pyreadstat.write_dta(FRAME[["mood"]], str(path), variable_value_labels={"mood": {1: mark}})
    path.write_bytes(path.read_bytes().replace(mark.encode(), data))
    _, book, reading = read_stat_file(str(path), LIMITS, kind="dta")
    assert book.columns["mood"].values == {1: text}
    assert reading.encoding == encoding
    assert "not in the encoding that the file states" in reading.doubts[0]
    _, book, reading = read_stat_file(str(path), LIMITS, kind="dta", encoding=encoding)
    assert book.columns["mood"].values == {1: text}
    assert reading.doubts == ()
    with pytest.raises(UnreadableTableError, match="not in UTF-8"):
        read_stat_file(str(path), LIMITS, kind="dta", encoding="UTF-8")


@pytest.mark.parametrize(
    "encoding", ["cp1250", "cp1251", "cp1253", "cp1254", "cp1256", "gb18030", "cp949", "utf-8"]
)
def test_strings_of_old_stata_whose_encoding_no_file_states(tmp_path: Path, encoding: str) -> None:
    words = {
        "cp1250": ["źle", "dobrze", "świetnie"],
        "cp1251": ["плохо", "хорошо", "отлично"],
        "cp1253": ["κακή", "μέτρια", "πολύ καλή"],
        "cp1254": ["çok kötü", "değil", "güzel"],
        "cp1256": ["سيئ", "متوسط", "ممتاز"],
        "gb18030": ["不满意", "一般", "非常满意"],
        "cp949": ["나쁨", "보통", "매우 좋음"],
        "utf-8": ["schön", "übel", "naïve"],
    }[encoding]
    labels = {k: word.encode(encoding).decode("latin-1") for k, word in enumerate(words, 1)}
    path = tmp_path / "a.dta"
    frame = pd.DataFrame({"q": [1, 2, 3]})
    frame.to_stata(path, version=114, write_index=False, value_labels={"q": labels})
    _, book, reading = read_stat_file(str(path), LIMITS, kind="dta")
    assert list(book.columns["q"].values.values()) == words
    assert "in an encoding that it does not state" in reading.doubts[0]


def test_letters_that_windows_has_for_western_europe_are_no_doubt(tmp_path: Path) -> None:
    for version in (114, 118):
        path = tmp_path / f"{version}.dta"
        frame = pd.DataFrame({"q": ["schön", "übel", "naïve"]})
        frame.to_stata(path, version=version, write_index=False)
        table = autotype.read_table(path)
        assert (table.frame["q"].tolist(), table.reading.doubts) == (frame["q"].tolist(), ())


def test_western_letters_of_old_stata_need_one_reading_of_all_rows(tmp_path, monkeypatch) -> None:
    path, calls = tmp_path / "a.dta", []
    frame = pd.DataFrame({"q": ["schön", "übel", "naïve"]})
    frame.to_stata(path, version=114, write_index=False)
    read = stat_files._call
    monkeypatch.setattr(stat_files, "_call", lambda *a, **k: calls.append(k) or read(*a, **k))
    table = read_stat_file(str(path), LIMITS, kind="dta")[0]
    assert table["q"].tolist() == frame["q"].tolist()
    assert ["row_limit" in call for call in calls] == [False, True]


def test_utf8_that_the_file_states_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(pd.DataFrame({"q": ["schön", "übel", "naïve"]}), str(path))
    path.write_bytes(path.read_bytes().replace(b"UTF-8", b"ascii"))
    frame, _, reading = read_stat_file(str(path), LIMITS, kind="sav")
    assert frame["q"].tolist() == ["schön", "übel", "naïve"]
    assert "not in the encoding that the file states" in reading.doubts[0]


def test_a_letter_that_spss_declares_missing_is_no_tag(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    labels = {"q": {"a": "yes", "z": "no answer"}}
    pyreadstat.write_sav(
        pd.DataFrame({"q": ["a", "b", "z"]}),
        str(path),
        variable_value_labels=labels,
        missing_ranges={"q": ["z"]},
    )
    table = autotype.read_table(path)
    assert table.frame["q"].tolist() == ["a", "b", "z"]
    assert table.codebook.columns["q"].values == labels["q"]
    assert table.codebook.columns["q"].missing == ("z",)


def test_transport_files_of_sas(tmp_path: Path) -> None:
    path = str(tmp_path / "a.xpt")
    pyreadstat.write_xport(FRAME[["mood"]], path, column_labels={"mood": "Mood"})
    frame, book, _ = read_stat_file(path, LIMITS, kind="xpt")
    assert frame["mood"].tolist() == [1, 2, 3, -9, pd.NA]
    assert book.columns["mood"].label == "Mood"


def test_portable_files_of_spss(tmp_path: Path) -> None:
    path = str(tmp_path / "a.por")
    pyreadstat.write_por(FRAME[["mood"]].rename(columns=str.upper), path)
    frame, _, reading = read_stat_file(path, LIMITS, kind="por")
    assert frame["MOOD"].iloc[0] == 1
    assert reading.format == "por"


@pytest.mark.parametrize("kind", ["sav", "por", "dta", "sas7bdat", "xpt"])
def test_other_content_is_an_error(kind: str) -> None:
    with pytest.raises(UnreadableTableError, match="survey: not a readable file of"):
        read_stat_file(b"a,b\n1,2\n", LIMITS, kind=kind)


def test_damaged_content_is_an_error(tmp_path: Path) -> None:
    content = Path(write_sav(tmp_path / "a.sav")).read_bytes()
    with pytest.raises(UnreadableTableError):
        read_stat_file(content[: len(content) // 2], LIMITS, kind="sav")


def test_the_name_of_a_format_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.xpt"
    pyreadstat.write_xport(FRAME[["mood"]], path, column_labels={"mood": "Mood of the day"})
    content = bytearray(path.read_bytes())
    content[content.index(b"Mood of the day") + 40] = 0xFF
    with pytest.raises(UnreadableTableError, match="not a readable file of SAS"):
        read_stat_file(bytes(content), LIMITS, kind="xpt")


def test_limits(tmp_path: Path) -> None:
    path = write_sav(tmp_path / "a.sav")
    with pytest.raises(UnreadableTableError, match="beyond the limit"):
        read_stat_file(path, Limits("a", 10**6, max_columns=2), kind="sav")


def test_an_empty_string_is_missing_unless_it_has_a_label(tmp_path: Path) -> None:
    for labels, empty in (({}, True), ({"": "no answer", "a": "yes"}, False)):
        path = str(tmp_path / "a.sav")
        frame = pd.DataFrame({"q": ["a", "", "b"]})
        pyreadstat.write_sav(frame, path, variable_value_labels={"q": labels} if labels else {})
        read, _, _ = read_stat_file(path, LIMITS, kind="sav")
        assert read["q"].isna().tolist() == [False, empty, False]


def test_the_numbers_of_rows_and_columns_that_a_file_states(tmp_path) -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]})
    pyreadstat.write_dta(frame, str(tmp_path / "t.dta"))
    pyreadstat.write_xport(frame, str(tmp_path / "t.xpt"))
    for ending, n_rows in (("dta", 3), ("xpt", 0)):  # transport files state no number of rows
        content = (tmp_path / f"t.{ending}").read_bytes()
        assert count_cells(lambda: io.BytesIO(content), "t", ending) == (n_rows, 2)  # noqa: B023
