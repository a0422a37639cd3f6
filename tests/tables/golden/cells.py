"""Columns of strings and of typed cells, stored dates, first bytes of files, and JSON."""

from __future__ import annotations

import datetime
import json
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from autotype.tables.columns import (
    column_of_objects,
    column_of_records,
    column_of_strings,
    frame_of_columns,
    strings_of_cells,
    strings_of_dates,
)
from autotype.tables.content import format_of
from autotype.tables.labelled.stored_dates import date_kind, stored_dates
from autotype.tables.table import ReadOptions
from autotype.tables.table_file import read_file
from autotype.tables.workbooks.workbook_file import column_of_cells
from tests.tables.golden.shown import column, parts, shown, table

CELLS = {
    "integers": ["1", "2", "-3", "+4", "0", " 5", "12 ", "007", "٣"],
    "decimals": ["1.5", "2.", ".5", "-0.25", "1e5", "1E5", "2.50", "1.10", "1.9", "1.2"],
    "commas": ["1,5", "2,25", "-,5", "1.234", "12.345", "1.204", "987"],
    "absent": ["NA", "n/a", "NaN", "null", "-", "", "None", "N/A", "#N/A"],
    "booleans": ["true", "False", "TRUE"],
    "days": ["2024-01-31", "2023-02-29", "2024-02-29", "1999-12-31"],
    "moments": ["2024-01-31T08:30", "2024-01-31T23:59"],
    "seconds": ["2024-01-31 08:30:01", "2024-01-31 08:30:00"],
    "fractions": ["2024-01-31 08:30:01.123", "2024-01-31T08:30:01.123456"],
    "limits": [
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "1" * 21,
    ],
    "infinite": ["inf", "-Infinity", "1e308", "1e309", "-1e400"],
    "words": ["a", "b c", "x1"],
    "telephones": ["+49100", "+4912"],
    "long": ["0.1234567890123456789", "1234567890.12345678", "0.1", "100000000000000000000.5"],
    "versions": ["1.0", "1.10", "2.3", "1.12.3"],
    "thousands": ["1.204", "12.000", "1.204.987"],
}
TYPED = [1, 2, -7, 2.5, 0.0, True, False, "5", "05", "a", "NA", "2.50", "1234567890123456", None]
TYPED += [datetime.date(2024, 1, 31), datetime.datetime(2024, 1, 31, 8), datetime.time(8, 30)]
TYPED += [datetime.timedelta(days=2), "2024-01-31", 2**53 + 1, 2**70, "n/a", 1e300, "1" * 17]
FORMS = {
    "sav": [
        "DATE11",
        "ADATE10",
        "DATETIME20",
        "TIME8",
        "MTIME5",
        "DTIME23.2",
        "F8.2",
        "MOYR8",
        "QYR6",
        "WKYR",
        "YMDHMS",
        "A8",
        "EDATE",
        "XDATE",
    ],
    "dta": [
        "%td",
        "%d",
        "%tc",
        "%tC",
        "%tcHH:MM",
        "%tw",
        "%tm",
        "%tq",
        "%th",
        "%ty",
        "%8.0g",
        "%-12tmCCYY",
        "%tdD_m_Y",
    ],
    "sas7bdat": [
        "DATE9",
        "MMDDYY10",
        "YYMMDDN8",
        "DATETIME20",
        "TIME8",
        "TOD",
        "HHMM",
        "YYQ6",
        "MONYY7",
        "B8601DA",
        "E8601DT",
        "IS8601TM",
        "BEST12",
        "WEEKU",
        "NLDATE20",
        "DAY2",
        "F8",
    ],
}
# Around the ends of years, weeks, days and of the calendar.
MOMENTS = [0.0, 1.0, 14.0, -1.0, 51.0, 52.0, 53.0, 103.0, 86399.0, 86400.0, 90000.5, 1e10, 13.8e9]
MOMENTS += [-1e5, 2936549.0, 2936550.0, -715510.0, -715511.0, 251e12, 253e12, 95615.0, 96480.0]
MOMENTS += [1e300, np.nan]
HEADS = [b"PAR1\x15", b"PAR1,a\n1\n", b"ARROW1\0", b"Obj\x01a", b"$FL2@(#)", b"<stata_dta><header>"]
HEADS += [bytes((114, 1, 1, 0)), bytes((107, 1, 1, 0)), b"HEADER RECORD*******LIB", b"RDX3\nX\n"]
HEADS += [b"X\n\0\0\0\3", b"A\n2\n", b"%PDF-1", b"SQLite format 3\0", b"Rar!\x1a", b"\x1f\x8b\x08"]
HEADS += [
    b"BZh9",
    b"BZh9\0",
    b"PK\x03\x04",
    b"<html><p>",
    b"<!DOCTYPE html>",
    b"7z\xbc\xaf\x27\x1c",
]
HEADS += [b"<?xml version='1.0'?><a/>", b"<!-- x --><table>", b"@relation a\n", b"[1, 2]", b""]
HEADS += [b"% c\n@RELATION a", b'{"a": 1}\n{"a": 2}\n', b'{"a": 1}', b'[{"a": 1}]', b'{"a": \n1}']
HEADS += [b"{a}\n1\n", b"a,b\n1,2\n", b" \n", "<html>".encode("utf-16"), b"\x28\xb5\x2f\xfd"]
HEADS += [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"ORC\x01", b"ORC,a\n", b'[{"a"', b'{"a": 1}\n[']
HEADS += [
    b'{"a": 1,\n"b": 2}\n{"c": 3}',
    b"{}\n{}",
    b"a" * 1023 + b"\0",
    b"PAR1" + b"a" * 1021 + b"\0",
]
FILES = ["t.csv", "t.parquet", "t.json", "t.jsonl", "", "t.csv.gz", "T.ORC", "t.ndjson.bz2"]
LEAVES = [1, 2, 2.5, "a", "b", None, True, "2024-01-31", 2**60, {"k": 1, "l": {"m": 2}}, [1, 2], {}]


def strings(random: Random) -> list[str | None]:
    """Return cells of text."""
    kinds = random.sample(sorted(CELLS), random.choice([1, 1, 1, 2, 2, 3]))
    size = random.choice([1, 2, 3, 5, 8, 150])
    held = [random.choice(CELLS[random.choice(kinds)]) for _ in range(size)]
    return [cell if random.random() > 0.08 else None for cell in held]


def typed(random: Random) -> list[Any]:
    """Return cells of a sheet."""
    some = random.sample(TYPED, random.choice([1, 2, 2, 3, 4]))
    return random.choices(some, k=random.choice([1, 2, 4, 6]))


def read_strings(seed: int, _: str) -> str:
    """Return what strings are read as, and how they are written again."""
    random = Random(f"strings {seed}")
    held = pd.Series(strings(random), dtype="str")
    decimal, numbers = random.choice([".", ".", ","]), random.random() < 0.25

    def read() -> str:
        values, kind = column_of_strings(held, decimal, numbers=numbers)
        frame = frame_of_columns({"x": values}, written={"x": held})
        back = strings_of_dates(frame_of_columns({"x": values}))["x"]
        more = [column(strings_of_cells(frame)["x"]), column(back)]
        return " | ".join([column(values), parts(kind), *more])

    return shown(read)


def read_typed(seed: int, _: str) -> str:
    """Return what the cells of a sheet and of records are read as."""
    random = Random(f"typed {seed}")
    held = random.choice([typed, typed, strings])(random)
    values, note = column_of_cells(typed(random))
    return (
        " | ".join(map(column, (values, column_of_records(held), column_of_objects(held)))) + note
    )


def read_dates(seed: int, _: str) -> str:
    """Return what numbers with a format of SPSS, Stata or SAS are read as."""
    random = Random(f"dates {seed}")
    program = random.choice(sorted(FORMS))
    form = random.choice(FORMS[program])
    held = random.choices(MOMENTS, k=random.choice([0, 1, 2, 3]))
    values = pd.Series(held, dtype=float)
    if held and random.random() < 0.2:
        values = pd.Series([*held, ".a"], dtype=object)
    kind = date_kind(form, program)
    return f"{form} {kind} {column(stored_dates(values, kind, program)) if kind else ''}"


def read_head(seed: int, _: str) -> str:
    """Return the format that the first bytes of a file show."""
    random = Random(f"head {seed}")
    return shown(lambda: format_of(random.choice(HEADS), random.choice(FILES)))


def document(random: Random) -> Any:
    """Return a document."""

    def record() -> dict[str, Any]:
        return {k: random.choice(LEAVES) for k in random.sample("abcd", random.randint(0, 4))}

    records = [record() for _ in range(random.choice([0, 1, 2, 3, 5]))]
    rows = [[random.choice(["x", "y", "", 3]) for _ in range(2)], [1, 2], [3, "q"]]
    features = [{"type": "Feature", "properties": each, "geometry": None} for each in records]
    deep: Any = records
    for key in "gfedcba"[random.choice([0, 0, 1]) :]:
        deep = {key: deep}
    return random.choice(
        [
            *[records] * 4,
            rows,
            rows[1:],
            {"data": records, "meta": {"n": 1}},
            {"result": {"items": records, "other": records[:1]}, "n": 3},
            {"a": [1, 2], "b": [3, 4]},
            {"a": [1], "b": [3, 4]},
            {"a": {"0": 1, "1": 2}, "b": {"0": 3, "1": 4}},
            {"k1": record(), "k2": record()},
            {"k1": {"a": 1, "b": 2}, "k2": {"a": 3, "b": 4}},
            {"type": "FeatureCollection", "features": features},
            {"schema": {"fields": records}, "data": records},
            {"a": 1, "b": "x"},
            [1, 2],
            [record(), 5],
            [None, record()],
            deep,
            random.choice(["x", 5, {"x": [1, 2, 3]}, [[1], [2, 3]], [["a", "a"], [1, 2]]]),
            {"columns": ["a", "b"], "index": [0, 1], "data": [[1, 2], [3, 4]]},
            {"names": ["a"], "rows": [[1], [2]]},
            {"x": [{"a": 1}], "y": [{"b": 2}, {"b": 3}]},
        ]
    )


def read_document(seed: int, folder: str) -> str:
    """Return what JSON is read as."""
    random = Random(f"document {seed}")
    held = document(random)
    text, path = json.dumps(held, indent=random.choice([None, 1])), f"{folder}/t.json"
    if isinstance(held, list) and random.random() < 0.4:
        ends = random.choice(["\n", "\n", "\n\n"])
        text, path = "".join(json.dumps(each) + ends for each in held), f"{folder}/t.jsonl"
    if random.random() < 0.15:
        faults = [
            (text[-1:], ""),
            ("1", "NaN"),
            ('"a"', '"\\ud800"'),
            ('"b"', '"a"'),
            ("1", "1e400"),
        ]
        text = text.replace(*random.choice(faults), 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    stated = [*[{}] * 8, {"n_rows": 1}, {"n_rows": 2}, {"max_size": 40}, {"max_columns": 2}]
    options = ReadOptions(**random.choice(stated))
    return shown(lambda: table(read_file(path, options)))
