"""Workbooks of sheets put together from parts of tables as published."""

from __future__ import annotations

from random import Random
from typing import Any

from openpyxl import Workbook

from autotype.tables.table import ReadOptions
from autotype.tables.table_file import read_file
from tests.tables.golden.layouts import rows
from tests.tables.golden.shown import shown, table

CONTENTS = [["Contents"], ["T11", "x"], ["Data0", "y"]]


def write(path: str, random: Random) -> None:
    """Write a workbook."""
    book = Workbook()
    for k in range(random.choice([1, 1, 1, 2, 3])):
        sheet = book.create_sheet(random.choice(["Data", "Notes", "T1", "Cover"]) + str(k))
        held = CONTENTS[: random.randint(0, 3)] if random.random() < 0.2 else rows(random)
        for row in held:
            sheet.append([c.replace("\x1a", "") if isinstance(c, str) else c for c in row])
        place = random.randint(1, 6), random.randint(1, 3)
        if random.random() < 0.2:
            sheet.cell(*place).value = "=1+1"
        if random.random() < 0.4:
            row, column = place
            end = row + random.choice([0, 0, 1]), column + random.choice([0, 1, 2])
            sheet.merge_cells(start_row=row, start_column=column, end_row=end[0], end_column=end[1])
        if k and random.random() < 0.2:
            sheet.sheet_state = "hidden"
    del book["Sheet"]
    book.save(path)


def read(seed: int, folder: str) -> str:
    """Return what a workbook is read as."""
    random = Random(f"sheet {seed}")
    path = f"{folder}/table.xlsx"
    write(path, random)
    stated: list[dict[str, Any]] = [
        *[{}] * 14,
        *({"header": lines} for lines in [(1,), (2,), (), (1, 2)]),
        *({"footer": n} for n in (0, 1, 2)),
        *({"sheet": name} for name in ["Data0", "Notes1", "none"]),
        {"n_rows": 2},
        {"missing": ("red", "n/a")},
        {"keep_strings": True},
        {"max_size": 600},
    ]
    options = ReadOptions(**random.choice(stated))
    return shown(lambda: table(read_file(path, options)))
