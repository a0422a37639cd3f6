"""A codebook that is written is read again: its labels as a codebook, its types as known."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
import pytest

import autotype
from autotype import ColumnType, TypeReport
from autotype.errors import KnownTypesError, UnknownFormatError, UnreadableTypesError

FRAME = pd.DataFrame(
    {
        "mood": [1, 2, 3, -9] * 6,
        "plan": ["gold", "free, cheap", "a|b \\ c", "free, cheap"] * 6,
        "age": [20.5 + k for k in range(24)],
        "odd": ["u", "v", "w", "w"] * 6,
    }
)
MOOD = {1: "bad; worse", 2: "so-so", 3: "<good> = 1", 4: "best", -9: "don't know"}
TYPES = TypeReport(
    [
        ColumnType(
            "mood",
            "ordinal",
            order=(1, 2, 3),
            off_scale=(-9,),
            levels=dict.fromkeys((1, 2, 3, -9), 6),
            labels=MOOD,
            title="How, if at all | do you feel?",
        ),
        ColumnType(
            "plan",
            "ordinal",
            order=("a|b \\ c", "free, cheap", "gold"),
            levels={"a|b \\ c": 6, "free, cheap": 12, "gold": 6},
        ),
        ColumnType("age", "continuous"),
        ColumnType("odd", "undetermined", levels={"u": 6, "v": 6, "w": 12}),
    ]
)
ENDINGS = [".xlsx", ".csv", ".json", ".md", ".html"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_codebook_is_read_again(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"codebook{ending}"
    TYPES.to_codebook(path)
    assert os.listdir(tmp_path) == [path.name]
    book = autotype.Codebook.read(path)
    entry = book.columns["mood"]
    assert (entry.label, entry.values) == ("How, if at all | do you feel?", MOOD)
    assert (entry.missing, entry.measure) == ((-9,), "ordinal")
    assert book.columns["age"].measure == "scale"
    types = autotype.infer_types(FRAME, known=path, codebook=path)
    for name in ("mood", "plan"):
        assert (types[name].order, types[name].off_scale) == (
            TYPES[name].order,
            TYPES[name].off_scale,
        )
    assert types["age"].semantic_type == "continuous"
    assert [column.provenance for column in types.columns] == ["known"] * 3 + ["inferred"]


def test_what_a_person_corrects_counts(tmp_path: Path) -> None:
    path = tmp_path / "codebook.csv"
    TYPES.to_codebook(path)
    path.write_text(path.read_text().replace('feel?",ordinal', 'feel?",categorical'))
    assert autotype.infer_types(FRAME, known=path)["mood"].semantic_type == "categorical"


def test_other_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormatError, match=r"must end in one of \.xlsx, \.csv"):
        TYPES.to_codebook(tmp_path / "codebook.doc")
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(UnreadableTypesError, match=r"a\.csv: is no codebook of TypeReport"):
        autotype.infer_types(FRAME, known=tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("variable,type,value,count,off scale\nodd,ordinal,u,1,\n")
    with pytest.raises(KnownTypesError, match="leaves out"):
        autotype.infer_types(FRAME, known=tmp_path / "b.csv")
