"""Find the codebook that lies beside a table: ``survey_codebook.csv`` beside ``survey.csv``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from autotype.errors import AutotypeError
from autotype.lexicon.toml_files import read_toml
from autotype.tables.table import Table

_PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
_MOST_READ = 4  # files with a fitting name
_SEP = "[._ -]?"


def with_codebook_beside(path: str, table: Table, names: Sequence[object]) -> Table:
    """Return a table with the codebook beside its file, and a doubt that says which it is.

    Parameters
    ----------
    path : str
        The file of the table. A codebook has its stem and a word such as "codebook", "dictionary",
        "labels" or "schema" in its name.
    table : Table
    names : sequence
        Of its columns; the codebook has to describe more than half of them.

    Returns
    -------
    Table
        The same table if there is none. What the file itself states wins.
    """
    if not names or not os.path.isfile(path):
        return table
    for beside in _candidates(path):
        try:
            # Most tables have none beside them, and are read sooner without its readers.
            from autotype.tables.codebooks.read import read_codebook

            book = read_codebook(beside)
        except (AutotypeError, OSError, ValueError):
            continue
        if 2 * sum(book.entry_of(name) is not None for name in names) > len(names):
            said = f"labels are read from {os.path.basename(beside)} beside it, which codebook="
            said += " (--codebook) overrides"
            reading = replace(table.reading, doubts=(*table.reading.doubts, said))
            return replace(table, codebook=table.codebook.over(book), reading=reading)
    return table


def _candidates(path: str) -> Iterator[str]:
    """Yield the files beside a table whose names are those of its codebook."""
    folder, name = os.path.split(path)
    stem, ending = os.path.splitext(name)
    if ending.lower() in _PACKED:
        stem = os.path.splitext(stem)[0]
    known = read_toml("files")["codebooks"]
    own, words = re.escape(stem), f"({'|'.join(known['names'])})"
    fits = re.compile(f"({own}{_SEP}{words}|{words}{_SEP}{own})", re.I)
    try:
        held = sorted(os.listdir(folder or "."))
    except OSError:
        return
    found = [
        other for other in held if other != name and other.lower().endswith(tuple(known["endings"]))
    ]
    found = [other for other in found if fits.fullmatch(os.path.splitext(other)[0])]
    yield from (os.path.join(folder, other) for other in found[:_MOST_READ])
