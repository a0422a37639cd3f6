"""Proportion of columns of labelled files and survey exports that are typed right.

usage: python benchmarks/labelled_files.py FOLDER [--faults]

FOLDER holds the files, in frames/ or beside labels.csv, which states for each column what a person
read: `truth`, a type (`also`: others that are right), `order` of stored values, and `off_scale`;
frames.csv may name a codebook of each file, in codebooks/. Either direction of an order is right;
values that one of the two orders lacks do not count. "measure" is the measure of SPSS in the file:
nominal is categorical, and scale is no answer to the question which of the two a column is.
"""

from __future__ import annotations

import argparse
import csv
import json
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import autotype
from autotype.types.codebook import value_key

OF_MEASURE = {"nominal": "categorical", "ordinal": "ordinal"}
OPEN = ("undetermined", "unread")


def main() -> None:
    """Score a folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--faults", action="store_true")
    arguments = parser.parse_args()
    columns = defaultdict(list)
    for row in rows_of(arguments.folder / "labels.csv"):
        columns[row["file"]].append(row)
    books = {
        row["file"]: row.get("codebook", "") for row in rows_of(arguments.folder / "frames.csv")
    }
    results: dict[str, list[dict[str, Any]]] = {"autotype": [], "measure": []}
    for name, labels in columns.items():
        inner = arguments.folder / "frames" / name
        path = inner if inner.exists() else arguments.folder / name
        book = arguments.folder / "codebooks" / books.get(name, "").split(";")[0].strip()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = autotype.read_table(path)
            types = autotype.infer_types(table, codebook=book if book.is_file() else None)
        for row in labels:
            place = int(row.get("position") or 0) - 1
            at = types.columns[place] if 0 <= place < len(types) else None
            is_named = at is not None and row["column"].strip() in ("", str(at.name).strip())
            column = at if is_named else types.get(row["column"])
            entry = table.codebook.entry_of(row["column"])
            results["autotype"].append(compare(row, column))
            results["measure"].append(
                {"truth": row["truth"], "said": OF_MEASURE.get(entry.measure, "") if entry else ""}
            )
            last = results["autotype"][-1]
            if arguments.faults and not (last["right"] and last["exact"] is not False):
                print(name, row["column"], row["truth"], "->", last["said"], last["exact"])
    report(results["autotype"])
    measured = [each for each in results["measure"] if each["said"]]
    if measured:
        n_right = sum(each["said"] == each["truth"] for each in results["measure"])
        print(f"measure of SPSS: right {n_right / len(results['measure']):.2f}")


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table in CSV; none of a file that is not there."""
    csv.field_size_limit(1 << 40)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def compare(row: Mapping[str, str], column: autotype.ColumnType | None) -> dict[str, Any]:
    """Return how the type of a column agrees with its label."""
    said = "unread" if column is None else column.semantic_type
    if column is not None and row["truth"] == "list" == column.format:
        said = "list"
    truth = list(map(value_key, json.loads(row["order"] or "[]")))
    off = set(map(value_key, json.loads(row["off_scale"] or "[]")))
    order = () if column is None else column.order or column.best_order or ()
    aside = () if column is None else map(value_key, (*column.off_scale, *column.missing_markers))
    exact = None
    if row["truth"] == said == "ordinal":
        found = list(map(value_key, order))
        want, have = [v for v in truth if v in found], [v for v in found if v in truth]
        exact = len(have) >= min(3, len(truth)) and have in (want, want[::-1])
    set_aside = set(aside)
    return {
        "truth": row["truth"],
        "said": said,
        "right": said in {row["truth"], *(row.get("also") or "").split(";")},
        "exact": exact,
        "off": len(off),
        "off_found": len(off & set_aside),
        "off_wrong": bool(set(truth) & set_aside),
    }


def report(results: Sequence[Mapping[str, Any]]) -> None:
    """Print the proportions."""
    decided = [each for each in results if each["said"] not in OPEN]
    ordinal = [each for each in results if each["truth"] == "ordinal"]
    orders = [each["exact"] for each in results if each["exact"] is not None]
    n_right, n_off = sum(each["right"] for each in results), sum(each["off"] for each in results)
    denied = sum(each["said"] == "categorical" for each in ordinal)
    print(f"columns {len(results)}: right {n_right / len(results):.2f}")
    print(f"decided {len(decided) / len(results):.2f}, right of these {n_right / len(decided):.2f}")
    print(f"orders exact {sum(orders) / len(orders):.2f}")
    print(f"ordinal columns denied {denied / len(ordinal):.2f}")
    print(f"off the scale: found {sum(each['off_found'] for each in results)} of {n_off},", end=" ")
    print(f"ordinal columns with a wrong one {sum(each['off_wrong'] for each in results)}")


if __name__ == "__main__":
    main()
