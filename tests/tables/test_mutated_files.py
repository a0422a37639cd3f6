"""Whatever a file holds, it is read, or refused by the documented error."""

from __future__ import annotations

import csv
import itertools
import warnings
from random import Random

import pandas as pd
import pytest
from hypothesis import given, settings

from autotype.errors import UnreadableTableError
from autotype.tables.table_file import read_file
from tests.strategies.files import mutated_files, tables

N_FILES = 100


def answer(path: str) -> pd.DataFrame | str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            return read_file(path).frame
        except UnreadableTableError as problem:
            return str(problem)


@pytest.mark.parametrize("seed", range(5))
def test_answers_or_refuses_and_twice_the_same(tmp_path, seed) -> None:
    kinds = set()
    for name, content in itertools.islice(mutated_files(Random(seed)), N_FILES):
        path = tmp_path / name
        path.write_bytes(content)
        first, second = answer(str(path)), answer(str(path))
        kinds.add(type(first))
        if isinstance(first, str):
            assert first.startswith(f"{path}: ")
            assert first == second
        else:
            pd.testing.assert_frame_equal(first, second)
        assert path.read_bytes() == content
    assert kinds == {str, pd.DataFrame}


def test_the_files_are_the_same_each_time() -> None:
    one, other = (list(itertools.islice(mutated_files(Random(9)), 60)) for _ in range(2))
    assert one == other


@settings(derandomize=True, max_examples=60)
@given(rows=tables)
def test_csv_gives_back_texts(tmp_path_factory, rows) -> None:
    """What pandas writes with quotes comes back, except missing values and numbers."""
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    kept = [[f"t{cell}".replace("\0", "") for cell in row] for row in rows]
    kept = [[cell.encode("utf-8", "replace").decode() for cell in row] for row in kept]
    frame = pd.DataFrame(kept, columns=["x", "y", "z"])
    # By itself pandas writes a lone carriage return without quotes, which ends the row.
    frame.to_csv(path, index=False, quoting=csv.QUOTE_ALL)
    assert read_file(str(path)).frame.astype(object).to_numpy().tolist() == kept


@settings(derandomize=True, max_examples=60)
@given(rows=tables)
def test_a_row_of_another_length_is_never_read(tmp_path_factory, rows) -> None:
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    text = "\n".join(["x,y,z", *lines, '"1","2","3","4"']).replace("\0", "")
    path.write_bytes(text.encode("utf-8", "replace"))
    with pytest.raises(UnreadableTableError, match="holds 4 fields, the header 3"):
        read_file(str(path))
