"""What made files, rows and cells are read as, at the limits of each rule."""

from __future__ import annotations

import json
import os

import pytest

from tests.tables.golden.renew import FOLDER, KINDS, found

NEEDED = {"sheets": "openpyxl", "labelled": "pyreadstat", "scanned": "duckdb"}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_stays(kind) -> None:
    pytest.importorskip(NEEDED.get(kind, "pandas"))
    if kind == "written" and os.linesep != "\n":
        pytest.skip("text files have other line ends")
    known = json.loads((FOLDER / f"{kind}.json").read_text("utf-8"))
    assert dict(enumerate(found(kind))) == dict(enumerate(known))
