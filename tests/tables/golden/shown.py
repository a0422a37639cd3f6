"""What is read, in one line: short, alike on pandas 2 and 3, and with a checksum of all cells."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any
from zlib import crc32

import pandas as pd

from autotype.tables.table import Table
from autotype.types.codebook import Codebook

N_SHOWN = 3
N_CHARACTERS = 60


def cell(value: Any) -> str:
    """Return a cell as text; a dot for a missing one."""
    if not isinstance(value, str) and pd.api.types.is_scalar(value) and pd.isna(value):
        return "·"
    text = repr(value)
    return text if len(text) < N_CHARACTERS else f"{text[:20]}… {crc32(text.encode()):x}"


def column(values: pd.Series) -> str:
    """Return the kind of a column, its first cells, and a checksum of the others."""
    cells = list(map(cell, values.astype(object).tolist()))
    kind = str(values.dtype).partition("[")[0]
    present = [v for v in values.astype(object).tolist() if cell(v) != "·"]
    if kind == "object" and all(isinstance(v, str) for v in present):
        kind = "str"
    rest = f"… {len(cells)} {crc32(' '.join(cells).encode('utf-8', 'replace')):x}"
    listed = ", ".join(cells[:N_SHOWN])
    return f"{kind}({listed}{rest if len(cells) > N_SHOWN else ''})"


def parts(held: Any) -> str:
    """Return the fields of a data class that are not empty."""
    pairs = ((field.name, getattr(held, field.name)) for field in fields(held))
    return "; ".join(
        f"{name} {value!r}" for name, value in pairs if value not in (None, (), "", {})
    )


def codebook(book: Codebook) -> str:
    """Return what a codebook describes."""
    listed = [f"{name}: {parts(entry)}" for name, entry in book.columns.items()]
    return " | ".join([*listed, *book.doubts, *(f"{k}={v}" for k, v in book.lists.items())])


def table(read: Table) -> str:
    """Return the columns of a table, how it was read, and its codebook."""
    # Which encodings are hardly less likely depends on the vocabulary of the languages.
    doubts = tuple(doubt for doubt in read.reading.doubts if "hardly less" not in doubt)
    frame, reading = read.frame, replace(read.reading, doubts=doubts)
    columns = [f"{name}: {column(frame.iloc[:, j])}" for j, name in enumerate(frame.columns)]
    return " | ".join([*columns, parts(reading), codebook(read.codebook)])


def shown(work: Callable[..., str], *arguments: Any) -> str:
    """Return what a call returns or raises, and of what it warns."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            found = work(*arguments)
        except (ValueError, LookupError) as problem:  # those of the package are among them
            found = f"{type(problem).__name__}: {problem}"
    return " | ".join([found, *(f"{type(w.message).__name__}: {w.message}" for w in said)])
