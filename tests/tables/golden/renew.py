"""Rewrite the golden files of what made files, rows and cells are read as.

    python -m tests.tables.golden.renew && git diff tests/tables/golden

Each line is one that a generator of this folder makes from its number, and what is read. They
hold each rule at its limits, so that a change of a rule shows here: read the difference.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests.tables.golden import cells, codebooks, labelled, layouts, sheets, texts, words, written

FOLDER = Path(__file__).resolve().parent
KINDS = {
    "texts": (texts.read, 400),
    "layouts": (layouts.read, 900),
    "codebooks": (codebooks.read, 500),
    "strings": (cells.read_strings, 300),
    "typed": (cells.read_typed, 200),
    "dates": (cells.read_dates, 200),
    "heads": (cells.read_head, 250),
    "documents": (cells.read_document, 250),
    "sheets": (sheets.read, 100),
    "labelled": (labelled.read, 200),
    "large": (texts.read_large, 16),
    "scanned": (texts.read_scanned, 60),
    "kinds": (words.read_kinds, 150),
    "sequences": (words.read_sequence, 200),
    "signs": (words.read_signs, 150),
    "platforms": (words.read_platform, 250),
    "written": (written.read, 250),
    "arrow": (written.read_arrow, 150),
}


def found(kind: str) -> list[str]:
    """Return what is read of each file, row or cell of a kind."""
    read, n = KINDS[kind]
    with tempfile.TemporaryDirectory() as folder:
        return [read(seed, folder).replace(folder, "") for seed in range(n)]


def write(kind: str) -> None:
    """Write the golden file of a kind."""
    lines = ",\n".join(json.dumps(line, ensure_ascii=True) for line in found(kind))
    (FOLDER / f"{kind}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    for each in KINDS:
        write(each)
