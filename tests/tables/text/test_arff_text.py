"""Files of Weka and OpenML are read with their missing values, levels and quotes."""

from __future__ import annotations

from pathlib import Path

import pytest

import autotype
from autotype.errors import UnreadableTableError
from autotype.tables.table import Table

FLOWERS = """% Flowers
@RELATION flowers

@ATTRIBUTE 'petal length'  NUMERIC
@attribute size {small,'very large', large}
@attribute note string
@attribute day date "yyyy-MM-dd"
@DATA
5.1, small ,'it\\'s, well',2020-01-02
% a comment
4.9,'very large',"a, b",2020-01-03
?,large,?,?
"""


def read(path: Path, text: str, **options) -> Table:
    path.write_text(text, encoding="utf-8")
    return autotype.read_table(path, **options)


@pytest.mark.parametrize("name", ["a.arff", "a.txt"])
def test_attributes_and_rows(tmp_path: Path, name: str) -> None:
    table = read(tmp_path / name, FLOWERS)
    frame = table.frame
    assert table.reading.format == "arff"
    assert list(frame) == ["petal length", "size", "note", "day"]
    assert frame["petal length"].tolist()[:2] == [5.1, 4.9]
    assert list(frame["size"]) == ["small", "very large", "large"]
    assert list(frame["size"].cat.categories) == ["small", "very large", "large"]
    assert not frame["size"].cat.ordered
    assert frame["note"].tolist()[:2] == ["it's, well", "a, b"]
    assert frame["day"].dt.year.tolist()[:2] == [2020, 2020]
    assert frame.iloc[2].isna().tolist() == [True, False, True, True]


def test_sparse_rows(tmp_path: Path) -> None:
    text = "@relation x\n@attribute a numeric\n@attribute b {x,'y z'}\n@data\n{0 3, 1 'y z'}\n{}\n"
    frame = read(tmp_path / "a.arff", text).frame
    assert frame.values.tolist() == [[3, "y z"], [0, "x"]]


def test_levels_that_are_numbers_stay_levels_and_rows_are_limited(tmp_path: Path) -> None:
    text = "@relation x\n@attribute a {1,2,3}\n@data\n" + "1\n2\n" * 9
    frame = read(tmp_path / "a.arff", text, nrows=3).frame
    assert frame["a"].tolist() == ["1", "2", "1"]
    assert list(frame["a"].cat.categories) == ["1", "2", "3"]


def test_errors_name_the_line_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableTableError, match="line 13 holds 2 fields"):
        read(tmp_path / "a.arff", FLOWERS + "1,small\n")
    with pytest.raises(UnreadableTableError, match="holds no @attribute"):
        read(tmp_path / "b.arff", "@relation x\n@data\n1\n")
