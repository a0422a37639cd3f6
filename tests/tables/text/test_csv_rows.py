"""Rows that are counted without splitting them are those that the module csv splits."""

from __future__ import annotations

import csv
import io
import random

import pytest

from autotype.errors import UnreadableTableError
from autotype.tables.table_file import read_file
from autotype.tables.text import csv_rows
from autotype.tables.text.csv_rows import check_quotes, count_regular_rows

PARTS = ["1", "a b", '"x"', '"x,y"', '"a""b"', '"1\n2"', "", '""', 'a"b', "\r", "\n", ",", "\0"]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_regular_is_split_alike(seed, monkeypatch) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(csv_rows, "_BLOCK", chance.choice([1, 7, 1 << 20]))
    n_regular = 0
    for _ in range(200):
        few = chance.choice([PARTS, PARTS[:6], PARTS[:8]])
        end = chance.choice(["\n", "\r\n"])
        lines = [",".join(chance.choices(few, k=2)) for _ in range(chance.randint(0, 4))]
        text = end.join(["h,i", *lines]) + chance.choice(["", end, end * 2])
        found = count_regular_rows(io.BytesIO(text.encode()), ",", 2)
        if found is not None:
            rows = list(csv.reader(io.StringIO(text, newline="")))
            while rows and not rows[-1]:
                rows.pop()
            assert (len(rows) - 1, '"' in text) == found, text
            assert all(len(row) == 2 and any(row) for row in rows), text
            n_regular += 1
    assert n_regular > 20


def test_blank_lines_below_the_rows() -> None:
    text = b"a,b\n1,2\n\n\n"
    assert count_regular_rows(io.BytesIO(text), ",", 2) == (1, False)
    assert count_regular_rows(io.BytesIO(text), ",", 2, may_end_blank=False) is None
    assert count_regular_rows(io.BytesIO(b"a,b\n1,2\n\n3,4\n"), ",", 2) is None


def test_an_open_quote_is_an_error() -> None:
    with pytest.raises(UnreadableTableError, match="the row in line 7 is not closed"):
        check_quotes(['1,"a\n', "2,b\n"], "a.csv", 7)
    check_quotes(['1,"a" b\n'], "a.csv", 7)


def test_most_rows_without_notes_in_the_last_column_are_filled(tmp_path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c,note\n" + "1,2,3\n" * 6 + "1,2,3,\n" * 2 + "1,2,3,x\n")
    table = read_file(str(path))
    assert table.frame["note"].tolist()[-1] == "x"
    assert table.frame["c"].tolist() == [3] * 9
    path.write_text("a,b,c,note\n" + "1,2,3\n" * 4 + "1,2\n" * 2 + "1,2,3,\n" * 2 + "1,2,3,x\n")
    with pytest.raises(UnreadableTableError, match="line 2 holds 3 fields, the header 4"):
        read_file(str(path))
