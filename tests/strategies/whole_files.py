"""Whole files of known cells: what is read has to be what was written, or a warning says why not.

A grammar draws tables column by column, each of one kind of cell, and writes them in every format.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pandas as pd

_WORDS = [
    "low",
    "high",
    "Łódź",
    "naïve",
    "a b",
    "x;y",
    "a,b",
    'say "no"',
    "it's",
    "tab\tin",
    "北京",
]
_WORDS += [
    "two\nlines",
    "<b>",
    "=1+1",
    "@home",
    "'quoted'",
    "1990s",
    "v1.2.3",
    "N-1",
    "ß",
    "O’Neil",
]


class WholeFile(NamedTuple):
    """A file, and the columns that were written to it: name -> cells, None where missing."""

    name: str
    content: bytes
    columns: dict[str, list[Any]]


def whole_files(random: Random) -> Iterator[WholeFile]:
    """Yield files without end; the same for the same state of `random`."""
    while True:
        name = random.choice(sorted(_WRITERS))
        typed = name not in ("a.csv", "a.tsv")
        n_rows = random.choice([3, 8, 30, 60])
        kinds = _TYPED if typed else _TEXTUAL
        names = random.sample(["id", "größe", "q1", "Name", "x y", "date", "price", "q2"], 4)
        columns = {
            column: _with_gaps(random, _one_kind(random, kinds, n_rows))
            for column in names[: random.randrange(2, 5)]
        }
        if name in ("a.sav", "a.dta"):  # names and cells as SPSS and Stata can hold them
            columns = {f"v{k}": cells for k, cells in enumerate(columns.values())}
        if name == "a.xlsx":  # openpyxl writes 16 digits
            columns = {
                column: [float(f"{c:.16g}") if isinstance(c, float) else c for c in cells]
                for column, cells in columns.items()
            }
        yield WholeFile(name, _WRITERS[name](random, columns), columns)


def _one_kind(random: Random, kinds: list[Callable[[Random], Any]], n_rows: int) -> list[Any]:
    kind = random.choice(kinds)
    levels = [kind(random) for _ in range(random.choice([2, 3, 5, n_rows]))]
    return [random.choice(levels) for _ in range(n_rows)]


def _with_gaps(random: Random, cells: list[Any]) -> list[Any]:
    share = random.choice([0, 0, 0.2])
    gaps = [None if random.random() < share else cell for cell in cells]
    return gaps if any(cell is not None for cell in gaps) else cells


def _code(random: Random) -> str:
    digits = str(random.randrange(10**5)).zfill(5)
    return random.choice(["0", "A", "+49"]) + digits


def _decimal(random: Random) -> str:
    return f"{random.uniform(-1e3, 1e3):.{random.choice([1, 2, 3])}f}"


def _large(random: Random) -> str:
    return str(
        random.choice([2**53 + 1, 2**63 - 1, 2**64 - 1, 10**30, -(2**63)]) - random.randrange(2)
    )


_TEXTUAL: list[Callable[[Random], Any]] = [
    lambda random: random.choice(_WORDS),
    lambda random: str(random.randrange(-50, 50)),
    lambda random: f"2024-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}",
    lambda random: random.choice(["true", "false"]),
    lambda random: f"{random.uniform(0, 1):.17g}",
    lambda random: f"{random.randrange(1, 99)}%",
    _code,
    _decimal,
    _large,
]
_TYPED: list[Callable[[Random], Any]] = [
    lambda random: random.choice(_WORDS),
    lambda random: random.randrange(-50, 50),
    lambda random: random.uniform(-1e6, 1e6),
    lambda random: random.choice([0.1 + 0.2, 1e-300, 1.7e300, 1 / 3, 2.0**53]),
    lambda random: str(random.randrange(10**5)).zfill(6),
]


def _as_csv(random: Random, columns: dict[str, list[Any]], separator: str | None = None) -> bytes:
    file = io.StringIO(newline="")
    quoting = random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    end = random.choice(["\n", "\r\n"])
    writer = csv.writer(file, delimiter=separator or ",", quoting=quoting, lineterminator=end)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(["" if cell is None else cell for cell in row])
    return file.getvalue().encode(random.choice(["utf-8", "utf-8-sig", "utf-16"]))


def _as_workbook(_: Random, columns: dict[str, list[Any]]) -> bytes:
    file = io.BytesIO()
    frame = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})
    frame = frame.map(
        lambda cell: "'" + cell if isinstance(cell, str) and cell[:1] == "=" else cell
    )
    with pd.ExcelWriter(file, engine="openpyxl") as book:
        frame.to_excel(book, index=False)
    return file.getvalue()


def _as_json(random: Random, columns: dict[str, list[Any]]) -> bytes:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return json.dumps(rows, ensure_ascii=random.random() < 0.5).encode()


def _as_lines(random: Random, columns: dict[str, list[Any]]) -> bytes:
    return b"\n".join(
        _as_json(random, {n: [c] for n, c in zip(columns, row, strict=True)})[1:-1]
        for row in zip(*columns.values(), strict=True)
    )


def _as_parquet(_: Random, columns: dict[str, list[Any]]) -> bytes:
    file = io.BytesIO()
    pd.DataFrame({n: pd.Series(cells).convert_dtypes() for n, cells in columns.items()}).to_parquet(
        file
    )
    return file.getvalue()


def _as_labelled(columns: dict[str, list[Any]], write: str) -> bytes:
    import pyreadstat

    frame = pd.DataFrame(
        {
            name: pd.Series(
                cells
                if not any(isinstance(cell, str) for cell in cells)
                else [c or "" for c in cells]
            )
            for name, cells in columns.items()
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a")
        getattr(pyreadstat, write)(frame, str(path))
        return path.read_bytes()


_WRITERS: dict[str, Callable[[Random, dict[str, list[Any]]], bytes]] = {
    "a.csv": _as_csv,
    "a.tsv": lambda random, columns: _as_csv(random, columns, "\t"),
    "a.xlsx": _as_workbook,
    "a.json": _as_json,
    "a.jsonl": _as_lines,
    "a.parquet": _as_parquet,
    "a.sav": lambda random, columns: _as_labelled(columns, "write_sav"),
    "a.dta": lambda random, columns: _as_labelled(columns, "write_dta"),
}


def changed_cell(written: WholeFile, frame: pd.DataFrame) -> str:
    """Return a sentence on the first cell that is not read as it was written; empty if none is."""
    if list(map(str, frame.columns)) != list(written.columns):
        return f"columns {list(frame.columns)} of {list(written.columns)}"
    rows = list(zip(*written.columns.values(), strict=True))
    while written.name.endswith(".xlsx") and rows and not any(c is not None for c in rows[-1]):
        rows.pop()  # a row without a cell at the end of a sheet is no row
    for name, cells in zip(written.columns, zip(*rows, strict=True), strict=False):
        if len(frame) != len(cells):
            return f"{len(frame)} rows of {len(cells)}"
        for row, (cell, read) in enumerate(zip(cells, frame[name], strict=True)):
            if not _is_same(cell, read):
                return f"column {name!r}, row {row}: {cell!r} is read as {read!r}"
    return ""


def _is_same(cell: Any, read: Any) -> bool:
    """Check whether a cell is read as the same string, number, boolean or date."""
    if cell is None or cell == "":
        return read == "" if isinstance(read, str) else bool(pd.isna(read))
    if isinstance(cell, str) and cell.startswith("=") and read == "'" + cell:
        return True
    if isinstance(read, bool) or type(read).__name__ == "bool_":
        return str(cell).lower() == str(read).lower()
    if isinstance(read, datetime.date):
        return str(cell) == pd.Timestamp(read).strftime("%Y-%m-%d")
    if isinstance(read, str):
        return str(cell) == read
    if pd.isna(read):
        return False
    if isinstance(cell, str) and not _is_plain_number(cell):
        return False
    if float(cell) == int(float(cell)) if math.isfinite(float(cell)) else False:
        return int(read) == int(float(cell)) if "." in str(cell) else int(read) == int(cell)
    return float(cell) == float(read)


def _is_plain_number(cell: str) -> bool:
    """Check for a number that a column of numbers writes, so that no character is lost."""
    digits = cell.removeprefix("-")
    return digits[:1] != "+" and (digits in ("0",) or digits[:1] != "0" or digits[1:2] == ".")
