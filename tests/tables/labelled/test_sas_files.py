"""Files of SAS are read with the value labels of their catalogue."""

from __future__ import annotations

import datetime
from pathlib import Path

import pandas as pd
import pytest

import autotype
from autotype.cli import main
from autotype.errors import UnreadableTableError
from tests.tables.labelled.sas_writer import write_sas7bcat, write_sas7bdat

pytest.importorskip("pyreadstat")

COLUMNS = {
    "mood": [1.0, 2.0, 3.0, ".A", None] * 12,
    "day": [0.0, 1.0, 20000.0, None, 5.0] * 12,
    "town": ["Köln", "Wien", "", "Bern", "Graz"] * 12,
}
FORMATS = {"mood": "MOODF", "day": "DATE9"}
MOOD = {1: "bad", 2: "so-so", 3: "good"}


@pytest.fixture
def survey(tmp_path: Path) -> str:
    return write_sas7bdat(tmp_path / "survey.sas7bdat", COLUMNS, FORMATS)


@pytest.mark.parametrize("name", ["survey.sas7bcat", "formats.sas7bcat"])
def test_the_labels_of_a_catalogue(tmp_path: Path, survey: str, name: str) -> None:
    catalog = write_sas7bcat(tmp_path / name, {"MOODF": MOOD, "OTHER": {1: "x"}})
    table = autotype.read_table(survey, catalog=None if name.startswith("survey") else catalog)
    assert table.frame["mood"].tolist()[:4] == [1, 2, 3, ".A"]
    assert table.frame["mood"].isna().sum() == 12
    assert table.frame["day"][0] == datetime.date(1960, 1, 1)
    assert table.frame["town"].dropna().tolist()[:3] == ["Köln", "Wien", "Bern"]
    entry = table.codebook.columns["mood"]
    assert (entry.label, entry.values, entry.missing) == ("About mood", MOOD, (".A",))
    types = autotype.infer_types(table)
    assert (types["mood"].order, types["mood"].off_scale) == ((1, 2, 3), (".A",))
    assert types["mood"].labels == MOOD


def test_without_a_catalogue_codes_have_no_labels(survey: str) -> None:
    assert autotype.read_table(survey).codebook.columns["mood"].values == {}


def test_a_catalogue_that_is_not_there_or_not_readable_is_named(
    tmp_path: Path, survey: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(FileNotFoundError, match="absent"):
        autotype.read_table(survey, catalog=tmp_path / "absent.sas7bcat")
    other = tmp_path / "other.sas7bcat"
    other.write_text("a,b\n1,2\n" * 99)
    with pytest.raises(UnreadableTableError, match=r"other\.sas7bcat: not a readable file of SAS"):
        autotype.read_table(survey, catalog=other)
    assert main(["infer", survey, "--catalog", str(tmp_path / "absent.sas7bcat")]) == 2
    assert "absent.sas7bcat" in capsys.readouterr().err


def test_the_frame_is_that_of_pandas(survey: str) -> None:
    theirs = pd.read_sas(survey, encoding="utf-8")
    ours = autotype.read_table(survey).frame
    assert pd.to_datetime(ours["day"]).tolist()[:3] == theirs["day"].tolist()[:3]
    assert ours["town"].tolist()[3:5] == theirs["town"].tolist()[3:5]


def test_rows_that_a_header_states_are_counted_before_room_is_made_for_them(survey: str) -> None:
    content = bytearray(Path(survey).read_bytes())
    place = content.index(b"\xf7\xf7\xf7\xf7") + 48  # of the number of rows in the subheader
    content[place : place + 4] = (2**29).to_bytes(4, "little")
    Path(survey).write_bytes(content)
    with pytest.raises(UnreadableTableError, match=r"536,870,912 rows of .* beyond the limit"):
        autotype.read_table(survey)
