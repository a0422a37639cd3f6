"""Texts put together from parts, with faults, in many encodings and with many options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import narwhals as nw

from autotype.tables.table import ReadOptions
from autotype.tables.table_file import open_file, read_file
from tests.tables.golden.shown import shown, table

PLACES = ["Kiel", "Ulm", "Bern", "Zürich", "Łódź", "Genève", "New York", "Москва", "Αθήνα", "東京"]
NAMES = ["town", "amount", "size of it", "when", "x", "x", "", "2019", "kg", "Größe", "a/b", "id"]
UNITS = ["mm", "kg", "%", "(m)", "in %", "1000", "[s]", "°C", "mm/day"]
TITLES = [
    [],
    [],
    [],
    ["Rain by town"],
    ["Table 3; rain, snow and hail", ""],
    ["# made by hand", "# in spring"],
    ["", "", "Report of 2020"],
    ["Station,north", "Height,12", ""],
    ["sep=;"],
    ["Rain by town, provisional", "Source: office", ""],
    ["% comment", "% more"],
    ["// c", "// d"],
]
FOOTERS = [
    [],
    [],
    [],
    ["Source: office of statistics"],
    ["", "* estimated", "1) without islands"],
    ["Total;100;200", ""],
    ["", "Total,12,30"],
    ["-----", "(c) office"],
    ["\x1a"],
    ["Figures are provisional and will be revised in spring."],
    ["", "a,b,c", "1,2,3", "4,5,6"],
    ["Average,5,6"],
    [",,"],
]
VALUES: dict[str, Callable[[int, Random], Any]] = {
    "integers": lambda _, r: r.choice([r.randint(0, 9), r.randint(0, 5000), -r.randint(0, 30)]),
    "decimals": lambda _, r: f"{r.uniform(0, 5000):.{r.choice([1, 2, 2, 3])}f}",
    "commas": lambda _, r: f"{r.uniform(0, 5000):.2f}".replace(".", ","),
    "grouped": lambda _, r: f"{r.uniform(0, 500000):,.1f}",
    "thousands": lambda _, r: f"{r.randint(1, 900)}.{r.randint(0, 999):03d}",
    "words": lambda _, r: r.choice(["red", "light blue", "a; b", "x, y", 'say "A"', "O'Neil"]),
    "places": lambda _, r: r.choice(PLACES),
    "days": lambda _, r: f"20{r.randint(10, 29)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}",
    "moments": lambda _, r: (
        f"2021-03-{r.randint(1, 28):02d} {r.randint(10, 23)}:05" + ":07" * (r.random() < 0.3)
    ),
    "times": lambda _, r: f"{r.randint(0, 23)}:{r.randint(0, 59):02d}",
    "booleans": lambda _, r: r.choice(["true", "False", "TRUE"]),
    "codes": lambda _, r: f"{r.randint(0, 99999):05d}",
    "with marks": lambda _, r: r.choice(["NA", "n/a", "-", "12", "3.5", "", "."]),
    "years": lambda k, _: 1990 + k,
    "counts": lambda k, _: k + 1,
    "versions": lambda _, r: f"{r.randint(0, 3)}.{r.randint(0, 12)}",
    "limits": lambda _, r: r.choice(
        [
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551616",
            "1e400",
            "+5",
            "12",
            "1E5",
            "inf",
            "5.",
            "1e308",
            "-9223372036854775809",
        ]
    ),
    "nothing": lambda _, r: "",
}
SEPARATORS = [",", ",", ",", ";", ";", "\t", "|", " ", ":", "~", "left", "right", "framed", "ruled"]
QUOTES = ["needed", "needed", "needed", "all", "single", "escaped", "none"]
ENCODINGS = [*["utf-8"] * 9, "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "cp1250"]
ENCODINGS += ["cp1251", "koi8-r", "shift_jis", "cp437", "mixed", "broken"]
SIGNS = ["\0", "\r", "\t", "\ufeff", "\u202e", "'", "\\", "#"]


def header(width: int, random: Random) -> list[list[str]]:
    """Return the lines of a header."""
    names = [random.choice(NAMES) + str(j) * (random.random() < 0.7) for j in range(width)]
    half = (width + 1) // 2
    questions = [f"Question {j} of the town?" for j in range(width)]
    kinds: list[list[list[str]]] = [
        *[[names]] * 7,
        [names, ["", *(random.choice(UNITS) for _ in range(width - 1))]],
        [["north" if j == 1 else "south" if j == half else "" for j in range(width)], names],
        [questions, names],
        [names, questions],
        [["town", *(str(2010 + j) for j in range(1, width))]],
        [],
        [names, [str(j + 1) for j in range(width)]],
        [names, questions, [f'{{"ImportId":"Q{j}"}}' for j in range(width)]],
        [[f"# {names[0]}", *names[1:]]],
        [names[1:]],
    ]  # fmt: skip
    return random.choice(kinds)


def quoted(text: str, separator: str, how: str) -> str:
    """Return a cell as a writer puts it into a line."""
    is_needed = any(sign in text for sign in (separator, '"', "\n"))
    if how == "all" or (how == "needed" and is_needed):
        return '"' + text.replace('"', '""') + '"'
    if how == "single":
        return "'" + text.replace("'", "''") + "'"
    if how == "escaped" and is_needed:
        return '"' + text.replace('"', '\\"') + '"'
    return text


def lines_of(rows: list[list[str]], way: str, random: Random) -> list[str]:
    """Return rows as lines, separated or drawn as a table."""
    if way not in ("left", "right", "framed", "ruled"):
        how = random.choice(QUOTES)
        return [way.join(quoted(cell, way, how) for cell in row) for row in rows]
    rows = [[cell.replace("\n", " ") for cell in row] for row in rows]
    if way == "framed":
        return [f"| {' | '.join(row)} |" for row in rows]
    sizes = [max([1, *map(len, cells)]) for cells in zip(*rows, strict=False)]
    adjust = str.rjust if way == "right" else str.ljust
    lines = ["  ".join(map(adjust, row, sizes)).rstrip() for row in rows]
    return (
        [*lines[:1], "  ".join("-" * size for size in sizes), *lines[1:]]
        if way == "ruled"
        else lines
    )


def with_fault(lines: list[str], separator: str, width: int, random: Random) -> list[str]:
    """Return lines with a fault in one of them."""
    k = random.randrange(len(lines))
    line = lines[k]
    at = random.randrange(len(line) + 1)
    faults = [
        ["", line],
        [line, line],
        [line + separator],
        [line.rpartition(separator)[0]],
        [f'{line[:at]}"{line[at:]}'],
        [line[:at] + random.choice([*SIGNS, separator]) + line[at:]],
        ["North", line],
        ["North" + separator * (width - 1), line],
        [lines[0], line],
        [f"# {line}", line],
        [separator * (width - 1), line],
        [separator + line],
    ]
    lines[k : k + 1] = random.choice(faults)
    return lines


def text(random: Random) -> str:
    """Return a text."""
    width, n_rows = (
        random.choice([1, 2, 3, 3, 4, 5, 7]),
        random.choice([0, 1, 2, 3, 4, 6, 9, 14, 25, 45]),
    )
    kinds = random.choices(list(VALUES), k=width)
    kinds[0] = random.choice([kinds[0], "places"])
    rows = [[str(VALUES[kind](k, random)) for kind in kinds] for k in range(n_rows)]
    if rows and random.random() < 0.1:
        random.choice(rows)[random.randrange(width)] += "\nmore"
    way = random.choice(SEPARATORS)
    lines = lines_of([*header(width, random), *rows], way, random)
    lines = [*random.choice(TITLES), *lines, *random.choice(FOOTERS)]
    for _ in range(random.choice([0, 0, 0, 1, 1, 2])):
        if lines:
            lines = with_fault(lines, way if len(way) == 1 else " ", width, random)
    if random.random() < 0.05:
        lines = [line.rstrip(way) for line in lines]
    end = random.choice(["\n", "\n", "\n", "\r\n", "\r"])
    return end.join(lines) + random.choice([end, end, "", end * 3])


def encoded(content: str, random: Random) -> bytes:
    """Return a text as bytes, some of which are not in its encoding."""
    name = random.choice(ENCODINGS)
    if name == "mixed":
        lines = content.splitlines(keepends=True)
        return b"".join(x.encode(random.choice(["utf-8", "cp1252"]), "replace") for x in lines)
    if name != "broken":
        return content.encode(name, "replace")
    broken = bytearray(content.encode())
    if broken:
        broken[random.randrange(len(broken))] = 0xFF
    return bytes(broken)


def options(random: Random) -> ReadOptions:
    """Return options, most of which say nothing."""
    if random.random() < 0.6:
        return ReadOptions()
    columns = frozenset(["x", "x1", "amount", "amount1", "kg", "kg1", "town0", "2019"])
    stated: list[dict[str, Any]] = [
        *({"ragged": how} for how in ("pad", "drop")),
        *({"header": lines} for lines in [(), (1,), (2,), (1, 2), (90,)]),
        *({"footer": n} for n in (0, 1, 2)),
        *({"n_rows": n} for n in (0, 1, 3)),
        *({"delimiter": sign} for sign in (",", ";", "tab", "blanks", "none", "|")),
        *({"decimal": sign} for sign in (",", ".")),
        *({"encoding": name} for name in ("utf-8", "cp1252", "ascii", "nope")),
        {"missing": ("-", "12", "red")},
        {"texts": columns},
        {"numbers": columns},
        {"keep_strings": True},
        {"max_columns": 3},
        {"max_size": 300},
    ]
    return ReadOptions(**random.choice(stated))


def read(seed: int, folder: str) -> str:
    """Return what a text is read as."""
    random = Random(f"text {seed}")
    path = f"{folder}/table" + random.choice([*[".csv"] * 9, ".txt", ".tsv", ".xls", ".json"])
    with open(path, "wb") as file:
        file.write(encoded(text(random), random))
    return shown(lambda: table(read_file(path, options(random))))


def read_large(seed: int, folder: str) -> str:
    """Return what a text of many rows is read as, whose end is far from its head."""
    random = Random(f"large {seed}")
    width, n_rows = random.choice([1, 2, 4]), random.choice([9000, 12000, 40000])
    kinds = random.choices(["integers", "places", "days", "codes", "words", "decimals"], k=width)
    block = [[str(VALUES[kind](k, random)) for kind in kinds] for k in range(50)]
    body = lines_of(block, ",", random) * (n_rows // 50)
    for _ in range(random.choice([0, 0, 1, 2])):
        k = random.randrange(len(body))
        body[k] = random.choice(
            ["", body[k] + ",", body[k].rpartition(",")[0], f'"{body[k]}', "North"]
        )
    head = [*random.choice(TITLES[:7]), *lines_of(header(width, random), ",", random)]
    lines = [*head, *body, *random.choice(FOOTERS)]
    path, end = f"{folder}/large.csv", random.choice(["\n", "\n", "\r\n"])
    with open(path, "wb") as file:
        file.write(
            end.join([*lines, ""]).encode(
                random.choice(["utf-8", "utf-8", "cp1252", "utf-16"]), "replace"
            )
        )
    return shown(lambda: table(read_file(path, options(random))))


def read_scanned(seed: int, folder: str) -> str:
    """Return what a text is read as by an engine."""
    random = Random(f"scanned {seed}")
    path = f"{folder}/table.csv"
    with open(path, "wb") as file:
        file.write(text(random).encode())

    def work() -> str:
        found = open_file(path, large=0)
        frame = nw.from_native(found.frame).lazy().collect("pandas").to_native()
        return table(replace(found, frame=frame))

    return shown(work)
