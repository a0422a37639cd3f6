"""Rewrite the golden file of tables as published that are not read as they were made.

    python tests/tables/layout/golden/renew.py && git diff tests/tables/layout/golden

Titles, headers, rows and footers of many kinds are put together, so that it is known which lines
are what. The golden file holds the tables whose layout is found to be another one, with it: most
of them can be read in both ways. A new line in it is a table that was read rightly before.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from autotype.tables.layout.grid import Row
from autotype.tables.layout.layout import find_layout

FILE = Path(__file__).resolve().parent / "layouts.json"
N_TABLES = 1500
Lines = list[list[Any]]
PLACES = ["Kiel", "Ulm", "Bern", "Graz", "Linz", "Oslo", "Rom", "Turin", "Nantes", "Lyon", "Bath"]
WORDS = ["red", "green", "blue"]
TITLES: dict[str, Lines] = {
    "none": [],
    "one": [["Rain by town"]],
    "one, gap": [["Rain by town, provisional figures"], []],
    "two": [["Table 3"], ["Rain by town, 2021-12-31"]],
    "pairs": [["Station", "north"], ["Height", "12"], []],
    "comment": [["# made by hand"]],
}
FOOTERS: dict[str, Lines] = {
    "none": [],
    "source": [["Source: office of statistics"]],
    "gap, source": [[], ["Source: office of statistics"]],
    "gap, notes": [[], ["* estimated"], ["1) without islands"]],
    "note": [["Figures are provisional and will be revised in spring."]],
    "ruler": [["-----"], ["(c) office"]],
    "end of file": [["\x1a"]],
}
BODIES = ("numbers", "words", "mixed", "with gaps", "dates", "years")
HEADERS = ("names", "groups", "units", "labels", "years", "none")
SIZES = (2, 3, 4, 6, 12, 40)
WIDTHS = (2, 3, 4, 7)
SHEETS = ("text", "padded", "sheet")


def body(kind: str, n_rows: int, width: int, random: Random) -> Lines:
    """Return rows of data."""
    rows = []
    for k in range(n_rows):
        if kind == "numbers":
            row: list[Any] = [k + 1, *(round(random.uniform(1, 99), 1) for _ in range(width - 1))]
        elif kind == "words":
            row = [f"n{k}", *(random.choice(WORDS) for _ in range(width - 1))]
        elif kind == "dates":
            row = [f"2021-{k % 12 + 1:02d}-05", *(random.randint(1, 900) for _ in range(width - 1))]
        elif kind == "years":
            row = [1990 + k, *(random.randint(1, 900) for _ in range(width - 1))]
        else:
            row = [PLACES[k % len(PLACES)], *(random.randint(1, 900) for _ in range(width - 1))]
        if kind == "with gaps" and k % 3 == 1:
            row[-1] = ""
        rows.append(row)
    return rows


def header(kind: str, width: int) -> Lines:
    """Return the lines of a header."""
    names = ["town", *(f"rain {j}" for j in range(1, width))]
    if kind == "groups":
        half = (width + 1) // 2
        above = ["north" if j == 1 else "south" if j == half else "" for j in range(1, width)]
        return [["", *above], names]
    if kind == "units":
        return [names, ["", *["mm"] * (width - 1)]]
    if kind == "labels":
        return [["Name of the town", *(f"Rain of month {j}" for j in range(1, width))], names]
    if kind == "years":
        return [["town", *(2010 + j for j in range(1, width))]]
    return [] if kind == "none" else [names]


def is_told_apart(drawn: tuple[Any, ...]) -> bool:
    """Check that a person could tell which lines are what."""
    title, head, kind, n_rows, width, _, _ = drawn
    if kind == "words" and head in ("none", "units", "labels", "groups"):
        return False
    return (width > 3 or head != "groups") and ((width > 2 and n_rows > 3) or title != "pairs")


def tables() -> Iterator[tuple[str, Lines, dict[str, list[int]]]]:
    """Yield name, rows and lines of each table, drawn from all combinations."""
    every = [*itertools.product(TITLES, HEADERS, BODIES, SIZES, WIDTHS, FOOTERS, SHEETS)]
    for drawn in Random(20).sample([*filter(is_told_apart, every)], N_TABLES):
        title, head, kind, n_rows, width, foot, sheet = drawn
        random = Random(str(drawn))
        parts = [TITLES[title], header(head, width), body(kind, n_rows, width, random)]
        rows = [*itertools.chain(*parts, FOOTERS[foot])]
        if sheet != "sheet":
            rows = [[str(cell) for cell in row] for row in rows]
        if sheet != "text":
            rows = [[*row, *[""] * (width - len(row))] for row in rows]
        first = 1 + len(parts[0])
        lines = {
            "title": list(range(1, first)),
            "header": list(range(first, first + len(parts[1]))),
        }
        end = first + len(parts[1]) + n_rows
        lines["footer"] = list(range(end, len(rows) + 1))
        lines["skipped"] = [lines["footer"].pop(0)] if foot == "ruler" else []
        filled = {k for k, row in enumerate(rows, 1) if any(str(cell).strip() for cell in row)}
        truth = {part: [k for k in found if k in filled] for part, found in lines.items()}
        yield ", ".join(map(str, drawn)), rows, truth


def misread() -> dict[str, dict[str, list[int]]]:
    """Return the tables that are read in another way than they were made, with that way."""
    found = {}
    for name, rows, truth in tables():
        numbered = [Row(k, cells) for k, cells in enumerate(rows, 1)]
        comment = "#" if name.startswith("comment") else ""
        lines = find_layout(numbered, comment=comment).lines()
        lines = {part: list(of_part) for part, of_part in lines.items()}
        if lines != truth:
            found[name] = {part: of for part, of in lines.items() if of != truth[part]}
    return found


if __name__ == "__main__":
    rows = [f"{json.dumps(name)}: {json.dumps(lines)}" for name, lines in misread().items()]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
