"""Tables with codebooks and types, written as files of SPSS and Stata, and read again."""

from __future__ import annotations

import datetime
from random import Random
from typing import Any

import pandas as pd

from autotype.tables.table_file import read_file
from autotype.tables.table_output import write_table
from autotype.types.codebook import Codebook, CodebookEntry
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from tests.tables.golden.shown import shown, table

INF = float("inf")
CELLS: list[list[Any]] = [[1, 2, 3], [1.0, 2.5, None], ["a", "bc", None], ["", "x"], [1, ".a", 2]]
CELLS += [[".a", ".b"], [datetime.date(2024, 1, 31), None], [datetime.time(8, 30)], [True, False]]
CELLS += [[datetime.datetime(2024, 1, 31, 8), None], [pd.Timedelta(days=2)], [2**31, 1], [None]]
CELLS += [[2**31 - 1, 1], [-(2**31), 5], [1, "a"], [(1, 2)], [1e300, 1.0], ["bad", "good", "so"]]
NAMES = ["x", "X", "q1", "1a", "a b", "all", "if", "größe", "n" * 40, "n" * 70, "_n", "a.", "$v"]
NAMES += ["日本" * 30, "WITH", "é" * 33, "y", "z", "q2", "q3"]
VALUES: list[dict[Any, str]] = [{}, {1: "one", 2: "two"}, {"a": "A", "bc": "B"}, {1.5: "half"}]
VALUES += [{".a": "ref", 1: "one"}, {"x" * 9: "long"}, {1: "", 2: "z" * 130}]
MISSING = [(), (), (9,), (1, 2), (1, 2, 3, 4), (".a",), ("a",), ("x" * 9,), ("y" * 8,), (2.5,)]
RANGES = [(), (), ((-9.0, -1.0),), ((-INF, -1.0),), ((1.0, 2.0), (5.0, INF))]


def entry(random: Random) -> CodebookEntry:
    """Return what is written about a column."""
    return CodebookEntry(
        label=random.choice(["", "Mood", "L" * 80, "L" * 81, " sp "]),
        unit=random.choice(["", "", "kg"]),
        values=random.choice(VALUES),
        missing=random.choice(MISSING),
        missing_ranges=random.choice(RANGES),
        measure=random.choice(["", "nominal", "ordinal"]),
        group=random.choice(["", "", "", "g"]),
    )


def read(seed: int, folder: str) -> str:
    """Return what a table is read as after it was written, and what could not be written."""
    random = Random(f"labelled {seed}")
    n_rows = random.choice([1, 2, 4])
    columns, entries, types = {}, {}, []
    for name in random.sample(NAMES, random.choice([1, 2, 3])):
        cells = random.choices(random.choice(CELLS), k=n_rows)
        columns[name] = pd.Series(cells, dtype=object)
        if random.random() < 0.4:
            columns[name] = columns[name].infer_objects()
        present = [cell for cell in dict.fromkeys(cells) if cell]
        are_texts = bool(present) and all(isinstance(cell, str) for cell in present)
        if are_texts and random.random() < 0.3:
            columns[name] = columns[name].astype("category")
        if random.random() < 0.6:
            entries[name] = entry(random)
        if are_texts and random.random() < 0.4:
            order = tuple(sorted({*present, "bad"}))
            types.append(ColumnType(name, "ordinal", levels={}, order=order))
    path = f"{folder}/table" + random.choice([".sav", ".sav", ".dta", ".dta", ".zsav"])
    codebook, lossy = Codebook(entries), random.random() < 0.7

    def written() -> str:
        write_table(pd.DataFrame(columns), path, ColumnTypes(types), codebook=codebook, lossy=lossy)
        return table(read_file(path))

    return shown(written)
