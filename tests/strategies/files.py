"""Files as they come in: whole ones of every format, and mutated ones that may be anything.

`mutated_files` knows the structure of what it mutates: it moves separators and quotes, repeats
keys, changes the XML inside a workbook, and damages the bytes of the rest.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from random import Random

import pandas as pd
from hypothesis import strategies as st

CELLS = [
    "S",
    "M",
    "L",
    "",
    "None",
    "NA",
    "0",
    "1",
    "-5",
    "01067",
    "1.5",
    "1,5",
    "1e400",
    "inf",
    "nan",
]
CELLS += ["9007199254740993", "12345678901234567890123", "=1+1", "@x", "+49 30", "a b", " x ", "é"]
CELLS += [
    "true",
    "True",
    "2024-02-29",
    "12:30",
    "x" * 300,
    'say "no"',
    "two\nlines",
    "cr\rlf\r\n",
    "你",
]
NAMES = ["a", "b", "size", "self", "", "a", "a.1", "Unnamed: 0", "größe", "x,y", "=n", "0", " b"]
_SEPARATORS = ",;\t|"
_TOKENS = ["NaN", "Infinity", "-1e999", "1" * 400, '"\\ud800"', '{"a": {"b": [1, null]}}', "[" * 50]
_TOKENS += ["true", "null", "1.0", "9007199254740993", '"', "}", "{", ",", ":", "\\u00e9", "0x1"]
_XML_VALUES = [
    "",
    "-1",
    "0",
    "1",
    "99999999999",
    "XFD1048576",
    "A0",
    "1e400",
    "n",
    "s",
    "inlineStr",
]
_XML_VALUES += ["b", "e", "str", "d", "../../x", "&amp;", "&lol;", "1900-01-00", "xl/none.xml"]

# Cells and tables of strings, for tests of a single property.
cells = st.sampled_from(CELLS) | st.text(max_size=8)
tables = st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=8)


def mutated_files(random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of files without end; the same for the same state of `random`.

    Parameters
    ----------
    random : random.Random
    """
    makers = [_csv, _json_lines, _json, _excel, _old_excel, _open_document, _parquet, _packed]
    while True:
        yield random.choice(makers)(random)


def _csv(random: Random) -> tuple[str, bytes]:
    separator = random.choice(_SEPARATORS)
    n_columns = random.choice([1, 2, 3, 5, 40])
    rows = [[random.choice(NAMES) for _ in range(n_columns)]]
    rows += [[random.choice(CELLS) for _ in range(n_columns)] for _ in range(random.randrange(30))]
    end = random.choice(["\n", "\r\n", "\r"])
    quoted = random.random() < 0.3
    text = end.join(separator.join(_quote(cell, separator, quoted) for cell in row) for row in rows)
    text += end * random.randrange(3)
    for _ in range(random.choice([0, 0, 1, 3])):
        text = _with_insertion(random, text, [separator, '"', '""', end, "\0", "\ufeff", " ", ","])
    encoding = random.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252"])
    content = text.encode(encoding, "replace")
    return random.choice(["a.csv", "a.tsv", "a.txt"]), damaged_content(random, content, 0.4)


def _quote(cell: str, separator: str, always: bool) -> str:
    if always or any(c in cell for c in (separator, '"', "\n", "\r")):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _json_lines(random: Random) -> tuple[str, bytes]:
    lines = []
    for _ in range(random.randrange(1, 20)):
        row = {
            name: random.choice([*CELLS, 1, 2.5, None, True, [1, 2], {"x": 1}]) for name in NAMES
        }
        names = random.sample(list(row), random.randrange(len(row) + 1))
        lines.append(json.dumps({name: row[name] for name in names}, ensure_ascii=bool(names)))
    text = "\n".join(lines)
    for _ in range(random.choice([0, 1, 1, 3])):
        text = _with_insertion(random, text, [*_TOKENS, "\n", "\ufeff", '"a": 1, "a": 2'])
    return "a.jsonl", damaged_content(random, text.encode("utf-8", "surrogatepass"), 0.3)


def _json(random: Random) -> tuple[str, bytes]:
    rows = [
        {name: random.choice([*CELLS, 1, 2.5, None, True, [1, 2], {"x": 1}]) for name in NAMES[:3]}
        for _ in range(random.randrange(6))
    ]
    columns = {name: [row[name] for row in rows] for name in NAMES[:3]}
    feature = {"type": "FeatureCollection", "features": [{"properties": row} for row in rows]}
    values = [rows, columns, feature, {"data": rows}, {"a": {"b": rows}, "c": rows[:2]}]
    values += [dict(enumerate(rows)), {"columns": NAMES[:3], "data": [[*r.values()] for r in rows]}]
    text = json.dumps(random.choice(values), indent=random.choice([None, 1]))
    for _ in range(random.choice([0, 0, 1, 3])):
        text = _with_insertion(random, text, [*_TOKENS, "[", "]", "\n"])
    return "a.json", damaged_content(random, text.encode("utf-8", "surrogatepass"), 0.3)


def _excel(random: Random) -> tuple[str, bytes]:
    return "a.xlsx", _mutated_archive(random, _whole_excel())


def _open_document(random: Random) -> tuple[str, bytes]:
    return "a.ods", _mutated_archive(random, _whole_open_document())


def _old_excel(random: Random) -> tuple[str, bytes]:
    return "a.xls", damaged_content(random, _whole_old_excel(), 0.95)


def _mutated_archive(random: Random, content: bytes) -> bytes:
    if random.random() < 0.3:
        return damaged_content(random, content, 1.0)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(random.choice([1, 1, 2, 4])):
        name = random.choice(sorted(members))
        if random.random() < 0.1:
            del members[name]
            break
        members[name] = _mutated_xml(random, members[name])
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in members.items():
            archive.writestr(zipfile.ZipInfo(name), member)
    return changed.getvalue()


def _mutated_xml(random: Random, content: bytes) -> bytes:
    text = content.decode("utf-8", "replace")
    kind = random.randrange(5)
    pattern = [r'(?<==")[^"]*', r"<[^>]*>", r"(?<=>)[^<]+"][kind % 3]
    places = [match.span() for match in re.finditer(pattern, text)]
    if kind < 3 and places:
        start, end = random.choice(places)
        value = (
            random.choice(_XML_VALUES) if kind != 1 else random.choice(["", text[start:end] * 2])
        )
        return (text[:start] + value + text[end:]).encode()
    if kind == 3:
        entities = '<!DOCTYPE x [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>'
        return text.replace("?>", "?>" + entities, 1).encode()
    return damaged_content(random, content, 1.0)


def _parquet(random: Random) -> tuple[str, bytes]:
    return "a.parquet", damaged_content(random, _whole_parquet(), 0.95)


def _packed(random: Random) -> tuple[str, bytes]:
    name, content = random.choice([_csv, _json_lines, _json, _excel])(random)
    ending, pack = random.choice([(".gz", _gzip), (".bz2", bz2.compress), (".zip", _zip)])
    packed = pack(content)
    if random.random() < 0.2:
        packed += random.choice([packed, b"\0" * 20, b"garbage"])
    return name + ending, damaged_content(random, packed, 0.5)


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _zip(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("a"), content)
    return file.getvalue()


def _with_insertion(random: Random, text: str, pieces: list[str]) -> str:
    place = random.randrange(len(text) + 1)
    dropped = random.choice([0, 0, 1, 5])
    return text[:place] + random.choice(pieces) + text[place + dropped :]


def damaged_content(random: Random, content: bytes, proportion: float = 1.0) -> bytes:
    """Cut off, flip, repeat or drop bytes of a proportion of the files."""
    if random.random() >= proportion or not content:
        return content
    damaged = bytearray(content)
    kind = random.randrange(4)
    start = random.randrange(len(damaged))
    if kind == 0:
        return bytes(damaged[:start])
    for _ in range(random.choice([1, 1, 3, 30]) if kind == 1 else 0):
        damaged[random.randrange(len(damaged))] = random.randrange(256)
    if kind == 2:
        damaged[start:start] = damaged[start : start + random.randrange(1, 50)]
    if kind == 3:
        del damaged[start : start + random.randrange(1, 50)]
    return bytes(damaged)


def _whole_table() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "size": ["S", "M", "L", None] * 5,
            "n": [1, 2, 3, 4] * 5,
            "price": [1.5, None, -2.25, 1e9] * 5,
            "day": pd.to_datetime(["2024-02-29", None, "2023-01-01", "2020-06-30"] * 5),
            "yes": [True, False, True, True] * 5,
        }
    )


@cache
def _whole_excel() -> bytes:
    file = io.BytesIO()
    with pd.ExcelWriter(file, engine="openpyxl") as book:
        _whole_table().to_excel(book, sheet_name="data", index=False)
        pd.DataFrame({"a": ["=1+1", "x"]}).to_excel(book, sheet_name="more", index=False)
    return file.getvalue()


@cache
def _whole_open_document() -> bytes:
    file = io.BytesIO()
    _whole_table().to_excel(file, engine="odf", index=False)
    return file.getvalue()


@cache
def _whole_old_excel() -> bytes:
    import xlwt

    book = xlwt.Workbook()
    for name in ("data", "more"):
        sheet = book.add_sheet(name)
        for i, row in enumerate(_whole_table().astype(object).itertuples(index=False)):
            for j, value in enumerate(row[:3]):
                if not pd.isna(value):
                    sheet.write(i, j, value)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@cache
def _whole_parquet() -> bytes:
    file = io.BytesIO()
    table = _whole_table().astype({"size": "category"})
    table.index = pd.Index(range(5, 25), name="key")
    table.to_parquet(file)
    return file.getvalue()
