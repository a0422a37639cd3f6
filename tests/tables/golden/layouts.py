"""Rows put together from parts of tables as published, with faults."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from autotype.tables.layout.grid import Row
from autotype.tables.layout.layout import find_layout
from tests.tables.golden.shown import parts
from tests.tables.golden.texts import FOOTERS, TITLES, VALUES, header

KINDS = ["integers", "integers", "decimals", "words", "places", "days", "with marks", "years"]
KINDS += ["counts", "grouped", "nothing", "booleans"]
LABELS = ["North", "South of the river", "All ages", "Note: provisional", "Source: x", "All", "* a"]
LABELS += ["1) b", "2021", "in 1000", "Table 2"]
ODD = ["", None, "x", "12", 7, "2015", "n/a", "note", "*", "Notes", "kg", "North"]
ODD += ["a much longer remark about this row of data"]
TOTALS = ["Total", "Sum", "All", "Average", "Overall total", ""]


def typed(text: str) -> Any:
    """Return a cell as a workbook holds it."""
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text or None


def total(body: list[list[str]], width: int, random: Random) -> list[str]:
    """Return a row of the sums of columns."""
    sums = []
    for j in range(1, width):
        try:
            sums.append(f"{sum(float(row[j] or 0) for row in body):.2f}")
        except ValueError:
            sums.append("")
    return [random.choice(TOTALS), *sums]


def rows(random: Random) -> list[list[Any]]:
    """Return the rows of a text or a sheet."""
    width = random.choice([1, 2, 2, 3, 3, 4, 5, 7, 9])
    n_rows = random.choice([0, 1, 2, 3, 4, 5, 6, 9, 9, 12, 14, 25, 45])
    kinds = random.choices(KINDS, k=width)
    kinds = random.choice(
        [
            kinds,
            kinds,
            ["places", *kinds[1:]],
            ["places", *["integers"] * (width - 1)],
            ["words"] * width,
        ]
    )
    body = [[str(VALUES[kind](k, random)) for kind in kinds] for k in range(n_rows)]
    head = [list(line) for line in header(width, random)]
    if width > 3 and random.random() < 0.1:
        head = [["", "Men", "", "Women", *[""] * (width - 4)], *head]
    foot = [line.split(";" if ";" in line else ",") for line in random.choice(FOOTERS)]
    if body and width > 1 and random.random() < 0.25:
        foot = [total(body, width, random), *foot]
    if body and random.random() < 0.15:
        for label in random.sample(LABELS, random.choice([1, 2])):
            body.insert(random.randrange(len(body)), [label])
    if random.random() < 0.15:
        foot += [[], *map(list, head), *map(list, body[: random.randint(0, 4)])]
    if random.random() < 0.1:
        more = [[f"n{k}", k, k * k, 7] for k in range(random.choice([3, 20]))]
        foot += [[], ["Table 2"], *more]
    found: list[list[Any]] = [
        *(line.split(",") for line in random.choice(TITLES)),
        *head,
        *body,
        *foot,
    ]
    found = [[] if row == [""] else row for row in found]
    style = random.choice(["text", "padded", "sheet", "short"])
    if style == "padded":
        found = [[*row, *[""] * (width - len(row))] for row in found]
    elif style == "sheet":
        found = [[*(typed(str(c)) for c in row), *[None] * (width - len(row))] for row in found]
    elif style == "short":
        found = [row[: max((j for j, c in enumerate(row, 1) if c), default=0)] for row in found]
    for _ in range(random.choice([0, 0, 1, 1, 2, 3])):
        if found:
            add_fault(found, width, random)
    return found


def add_fault(found: list[list[Any]], width: int, random: Random) -> None:
    """Change one of the rows, or its neighbours, in place."""
    k = random.randrange(len(found))
    row = found[k] or [""]
    j = random.randrange(len(row))
    units = ["", *(random.choice(["kg", "2019", "x", "", 5]) for _ in range(width - 1))]
    found[k : k + 1] = random.choice(
        [
            [[], row],
            [row, list(row)],
            [[*row[:j], random.choice(ODD), *row[j + 1 :]]],
            [[*row[:j], random.choice(ODD), *row[j + 1 :]]],
            [row[:-1]],
            [[*row, random.choice(["", "1", "see note"])]],
            [["---"] * random.choice([1, width]), row],
            [[f"# {row[0]}", *row[1:]], row],
            [[random.choice(LABELS)], row],
            [],
            [[random.choice(["", "1", "q"]), *row]],
            [units, row],
        ]
    )


def read(seed: int, _: str) -> str:
    """Return the layout that is found in rows."""
    random = Random(f"layout {seed}")
    head = [Row(k, cells) for k, cells in enumerate(rows(random), 1)]
    tail = None
    if len(head) > 8 and random.random() < 0.25:  # of a large file
        cut = random.randrange(5, len(head))
        tail, head = head[cut - random.randint(0, 2) :], head[:cut]
        tail = [row._replace(line=row.line + 1000 * (row.line > cut)) for row in tail]
    stated: list[dict[str, Any]] = [
        *[{}] * 8,
        *({"header": lines} for lines in [(), (1,), (1, 2), (3,)]),
        *({"footer": n} for n in (0, 1, 3)),
        *[{"comment": "#"}] * 3,
    ]
    layout = find_layout(head, tail, **random.choice(stated))
    return parts(replace(layout, names=()) if layout.names == layout.given else layout)
