"""A codebook beside a table is found by its name and its columns, and it is said which."""

from __future__ import annotations

from pathlib import Path

import pytest

import autotype

TABLE = "mood,town,age\n" + "1,a,30\n2,b,41\n3,c,52\n" * 9
BOOK = "variable,question,values\nmood,Mood?,1=bad; 2=so-so; 3=good\ntown,Town?,\n"


@pytest.mark.parametrize(
    "name",
    [
        "survey_codebook.csv",
        "survey.codebook.csv",
        "Codebook-survey.csv",
        "survey data dictionary.csv",
    ],
)
def test_a_codebook_of_the_same_stem_is_found_and_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "survey.csv").write_text(TABLE)
    (tmp_path / name).write_text(BOOK)
    with pytest.warns(UserWarning, match=rf"labels are read from {name} beside it"):
        table = autotype.read_table(tmp_path / "survey.csv")
    assert any(name in doubt for doubt in table.reading.doubts)
    assert autotype.infer_types(table)["mood"].labels == {1: "bad", 2: "so-so", 3: "good"}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("survey_codebook.csv", BOOK.replace("mood", "joy")),  # describes other columns
        ("survey2_codebook.csv", BOOK),
        ("survey_codebook.csv", "no,table\n"),
        ("survey_codebook.json", "{"),
        ("survey.txt", BOOK),
    ],
)
def test_an_unrelated_file_is_not_taken(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / "survey.csv").write_text(TABLE)
    (tmp_path / name).write_text(content)
    table = autotype.read_table(tmp_path / "survey.csv")
    assert table.codebook.columns == {}
    assert table.reading.doubts == ()
