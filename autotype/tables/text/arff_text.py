"""Read ARFF, the format of Weka and OpenML: attributes with their kinds above rows of CSV.

Its rows are quoted in another way than those of CSV, mark missing values by "?", and may be sparse.
So they are written once more as CSV below a header, in the same lines, and read as any other.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.tables.content import Content
from autotype.tables.limits import Limits
from autotype.tables.table import ReadOptions, Table
from autotype.tables.text.csv_file import table_of_text
from autotype.tables.text.csv_text import examine_csv
from autotype.tables.text.encoding import detect_encoding

_ATTRIBUTE = re.compile(r"""@attribute\s+('(?:\\.|[^'\\])*'|"[^"]*"|[^\s{]+)\s*(.+)""", re.I)
_CELL = re.compile(r"""\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^,]*?)\s*,""")
_MISSING = "?"


def read_arff(content: Content, limits: Limits, options: ReadOptions) -> Table:
    """Read ARFF.

    Parameters
    ----------
    content : Content
    limits : Limits
        Name in error messages, and the sizes that the table may have.
    options : ReadOptions
        The encoding, the number of rows, and strings that mean a missing value besides "?".

    Returns
    -------
    Table
        Nominal attributes are Categoricals without an order, of the levels that are declared;
        others are read as columns of CSV.

    Raises
    ------
    UnreadableTableError
        If it declares no attributes, or rows have other lengths.
    """
    encoding = detect_encoding(content.opened, given=options.encoding)
    names: list[str] = []
    levels: dict[str, list[str]] = {}
    with content.opened() as file:
        lines = io.TextIOWrapper(file, encoding.name, encoding.errors)
        n_above = 0
        for line in lines:
            if found := _ATTRIBUTE.match(line.strip()):
                names += _cells(found[1])
                if found[2].startswith("{"):
                    levels[names[-1]] = _cells(found[2].strip("{} \t"))
            if line.lstrip().lower().startswith("@data"):
                break
            n_above += 1
        if not names:
            raise UnreadableTableError(f"{limits.path}: holds no @attribute above its @data")
        text = io.StringIO("\n" * n_above, newline="")
        text.seek(0, io.SEEK_END)
        first = [levels[name][0] if levels.get(name) else "0" for name in names]
        rows = (_row(line.strip(), first) for line in lines)
        csv.writer(text).writerows([names, *rows])
    stated = replace(
        options,
        delimiter=",",
        encoding="utf-8",
        header=(n_above + 1,),
        footer=0,
        missing=(*options.missing, _MISSING),
        texts=options.texts | frozenset(levels),
    )
    plain = text.getvalue().encode()
    regular = examine_csv(lambda: io.BytesIO(plain), limits, stated)
    table = table_of_text(regular, limits.path, stated)
    for name in levels.keys() & set(table.frame.columns):
        held = table.frame[name].dropna().unique()
        kinds = list(dict.fromkeys((*levels[name], *held)))
        table.frame[name] = pd.Categorical(table.frame[name], categories=kinds)
    reading = replace(
        table.reading, format="arff", encoding=encoding.name, header=(), doubts=encoding.doubts
    )
    return replace(table, reading=reading)


def _cells(line: str) -> list[str]:
    r"""Return the cells of a row without their quotes.

    Examples
    --------
    >>> _cells(r"5.1, 'it\'s, well',?")
    ['5.1', "it's, well", '?']
    """
    cells = _CELL.findall(f"{line},")
    return [re.sub(r"\\(.)", r"\1", c[1:-1]) if c[:1] in ("'", '"') else c for c in cells]


def _row(line: str, first: list[str]) -> list[str]:
    """Return the cells of a line; what a sparse one does not state is 0, or the first level.

    Examples
    --------
    >>> _row("{1 b, 2 'c d'}", ["0", "a", "a"]), _row("% none", ["0"])
    (['0', 'b', 'c d'], [])
    """
    if line.startswith("%"):
        return []
    if not line.startswith("{"):
        return _cells(line)
    row = list(first)
    for pair in re.split(r",(?=\s*\d+\s)", line.strip("{}")):
        place, _, value = pair.strip().partition(" ")
        if place:
            row[int(place)] = next(iter(_cells(value)), "")
    return row
