"""Proportion of messy files in which the layout of the table is found, by kind of oddity.

usage: python benchmarks/table_layout.py FOLDER [--faults]

FOLDER holds frames/ and tables.csv, which states for each file what a person read: encoding or
sheet, header lines, first and last line of the data, number of rows and columns, and the names.
A file is right where rows and columns are as many, each stated name is in the name that was found,
and the header lines are the same. With --faults each other file is listed with what differs.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from autotype.tables.layout.grid import Row, is_empty
from autotype.tables.layout.layout import Layout, find_layout
from autotype.tables.text.dialect import find_dialect, split_rows

HEAD_CHARACTERS = 1 << 18
HEAD_ROWS, TAIL_ROWS = 500, 300


def main() -> None:
    """Score a folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--faults", action="store_true")
    arguments = parser.parse_args()
    csv.field_size_limit(1 << 40)
    right = defaultdict(list)
    with (arguments.folder / "tables.csv").open(encoding="utf-8", newline="") as file:
        for stated in csv.DictReader(file):
            fault = fault_of(arguments.folder / "frames" / stated["file"], stated)
            if fault and arguments.faults:
                print(f"{stated['file']}: {fault}")
            for kind in ("all", *map(str.strip, stated["kinds"].split(";"))):
                right[kind].append(not fault)
    for kind, found in sorted(right.items(), key=lambda item: -len(item[1])):
        print(f"{kind:16} {sum(found):4} of {len(found):4}  {sum(found) / len(found):.3f}")


def fault_of(path: Path, stated: Mapping[str, str]) -> str:
    """Return what differs from the table that is stated; empty if nothing does."""
    rows, comment = rows_of(path, stated)
    tail = rows[max(HEAD_ROWS, len(rows) - TAIL_ROWS) :]
    is_large = len(rows) > HEAD_ROWS
    layout = find_layout(rows[:HEAD_ROWS], tail if is_large else None, comment=comment)
    data = data_of(rows, layout)
    n_rows, n_columns = int(stated["n_rows"]), int(stated["n_columns"])
    if abs(len(data) - n_rows) > max(1, 0.005 * n_rows):
        return f"{len(data)} rows, not {n_rows}"
    filled = {j for cells in data for j, cell in enumerate(cells) if not is_empty(cell)}
    names = [name for j, name in enumerate(layout.names) if j in filled or layout.given[j]]
    if n_columns not in (len(names), len(layout.columns)):
        return f"{len(names)} columns, not {n_columns}"
    wanted = json.loads(stated["names"])
    names = names if len(names) == n_columns else [layout.names[j] for j in layout.columns]
    n_named = sum(plain(want) in plain(name) for want, name in zip(wanted, names, strict=False))
    if n_named < 0.95 * len(wanted):
        return f"{n_named} of {len(wanted)} names"
    # A line break in quotes makes one header of several lines.
    lines = [line for line in json.loads(stated["header_lines"]) if line in {r.line for r in rows}]
    return "" if list(layout.header) == lines else f"header lines {layout.header}, not {lines}"


def rows_of(path: Path, stated: Mapping[str, str]) -> tuple[list[Row], str]:
    """Return the rows of a text or of a sheet, and the sign of comments."""
    if not stated["encoding"]:
        import python_calamine

        book = python_calamine.CalamineWorkbook.from_path(str(path))
        cells = book.get_sheet_by_name(stated["sheet"]).to_python(skip_empty_area=False)
        return [Row(line, row) for line, row in enumerate(cells, start=1)], ""
    with path.open(encoding=stated["encoding"], errors="replace", newline="") as file:
        text = file.read().removeprefix("\ufeff")
    head = text[:HEAD_CHARACTERS]
    if len(head) < len(text):
        head = head[: head.rfind("\n") + 1]
    dialect = find_dialect(head)
    return [*split_rows(text, dialect)], dialect.comment


def data_of(rows: Sequence[Row], layout: Layout) -> list[Sequence[object]]:
    """Return the cells of the data."""
    apart = {*layout.header, *layout.skipped}
    return [
        row.cells
        for row in rows
        if layout.first is not None
        and row.line >= layout.first
        and (layout.end is None or row.line < layout.end)
        and row.line not in apart
        and not all(map(is_empty, row.cells))
    ]


def plain(text: str) -> str:
    """Return a name without white space and in lower case."""
    return re.sub(r"\s+", "", text).casefold()


if __name__ == "__main__":
    main()
