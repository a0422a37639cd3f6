"""Rewrite the golden file of texts whose cells are not split as they were joined.

    python tests/tables/text/golden/renew.py && git diff tests/tables/text/golden

Rows of many kinds are written in many ways, so that their cells are known. The golden file holds
the texts whose rows or decimal sign are found to be others, with what is found; a new line in it
is a text that was read rightly before.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from autotype.tables.text.dialect import find_dialect, split_rows

FILE = Path(__file__).resolve().parent / "texts.json"
N_TEXTS = 1500
NAMES = ["place", "amount", "size of it", "when", "note"]
TOPS = {
    "none": [],
    "title": ["Rain by town"],
    "titles": ["Rain by town, district and year", "Table 3; provisional", ""],
    "comments": ["# made by hand", "# in spring: 3, 4 or 5"],
}
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "blank": " "}
WAYS = (*SEPARATORS, "framed", "left", "right", "ruled")
QUOTES = ("needed", "all", "single", "escaped")
BODIES = ("integers", "points", "commas", "grouped", "words", "awkward", "times", "with gaps")
WIDTHS = (1, 2, 3, 5)
SIZES = (1, 3, 8, 30)
ENDS = ("\n", "\r\n")


def cell(kind: str, j: int, random: Random) -> str:
    """Return a cell of a column."""
    town = random.choice(["Kiel", "Ulm", "Bern", "Oslo", "Rom", "Turin"])
    if kind == "words":
        return random.choice(["red", "green", "light blue", "grey"])
    if kind == "awkward":
        return random.choice([town, f"{town}, north", f"{town}; old", f'{town} "A"', f"O'{town}"])
    if kind == "times":
        return town if j % 2 == 0 else f"{random.randint(0, 23):02d}:{random.randint(0, 59):02d}"
    if kind == "with gaps" and j and random.random() < 0.3:
        return ""
    if j == 0:
        return town
    number = random.uniform(1, 5000)
    if kind == "points":
        return f"{number:.2f}"
    if kind == "commas":
        return f"{number:.2f}".replace(".", ",")
    return f"{number:,.1f}" if kind == "grouped" else f"{number:.0f}"


def quoted(text: str, separator: str, quotes: str) -> str:
    """Return a cell as a writer puts it into a line."""
    mark = "'" if quotes == "single" else '"'
    if quotes in ("needed", "escaped") and not any(s in text for s in (separator, mark, "\n")):
        return text
    inner = text.replace(mark, "\\" + mark if quotes == "escaped" else 2 * mark)
    return f"{mark}{inner}{mark}"


def write(rows: list[list[str]], way: str, quotes: str) -> list[str]:
    """Return the lines of a table."""
    if way in SEPARATORS:
        sign = SEPARATORS[way]
        return [sign.join(quoted(text, sign, quotes) for text in row) for row in rows]
    if way == "framed":
        return [f"| {' | '.join(row)} |" for row in rows]
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    adjust = str.rjust if way == "right" else str.ljust
    lines = ["  ".join(map(adjust, row, sizes)).rstrip() for row in rows]
    return (
        [lines[0], "  ".join("-" * size for size in sizes), *lines[1:]] if way == "ruled" else lines
    )


def is_told_apart(drawn: tuple[Any, ...]) -> bool:
    """Check that a person could tell the cells of a line."""
    _, way, quotes, kind, width, n_rows, _ = drawn
    if way in ("framed", "left", "right", "ruled") and (quotes != "needed" or width == 1):
        return False
    if way in ("left", "right", "blank", "ruled") and (kind in ("with gaps", "awkward")):
        return False
    if way == "blank" and (kind in ("words", "times") or quotes == "single" or width < 3):
        return False
    if way in ("left", "right") and (kind == "times" or n_rows < 3):
        return False
    if way == "framed" and kind == "awkward":
        return False
    return width > 1 or (way == "comma" and kind not in ("with gaps", "awkward"))


def texts() -> Iterator[tuple[str, str, list[list[str]], str]]:
    """Yield name, text, rows and decimal sign of each text, drawn from all combinations."""
    every = itertools.product(TOPS, WAYS, QUOTES, BODIES, WIDTHS, SIZES, ENDS)
    for drawn in Random(21).sample([*filter(is_told_apart, every)], N_TEXTS):
        top, way, quotes, kind, width, n_rows, end = drawn
        random = Random(str(drawn))
        rows = [[cell(kind, j, random) for j in range(width)] for _ in range(n_rows)]
        names = [name.replace(" ", "_") for name in NAMES] if way == "blank" else NAMES
        rows = [names[:width], *rows]
        lines = [*TOPS[top], *write(rows, way, quotes)]
        is_comma = width > 1 and (kind == "commas" or (way == "semicolon" and kind != "points"))
        decimal = "," if is_comma and kind != "grouped" else "."
        yield ", ".join(map(str, drawn[:-1])) + f", {end!r}", end.join([*lines, ""]), rows, decimal


def misread() -> dict[str, Any]:
    """Return the texts that are split in another way, with that way."""
    found = {}
    for name, text, rows, decimal in texts():
        dialect = find_dialect(text)
        read = [row.cells for row in split_rows(text, dialect) if any(row.cells)]
        read = [row for row in read if not all(set(c) <= {"-"} for c in row)][-len(rows) :]
        wrong = next(([k, row] for k, row in enumerate(read) if row != rows[k]), None)
        if wrong is not None or dialect.decimal != decimal:
            found[name] = [dialect.delimiter, dialect.quote, dialect.escape, dialect.decimal, wrong]
    return found


if __name__ == "__main__":
    items = [f"{json.dumps(name)}: {json.dumps(what)}" for name, what in misread().items()]
    FILE.write_text("{\n" + ",\n".join(items) + "\n}\n", encoding="utf-8")
