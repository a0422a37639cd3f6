"""Findings about the data are shown and written wherever a report is."""

from __future__ import annotations

import json
import math
import pickle
from importlib import resources

import jsonschema
import pytest

from autotype import ColumnType, DataWarning, TypeReport
from autotype.errors import UnreadableTypesError
from autotype.report.html import as_page
from autotype.report.notebook import as_html

FINDING = DataWarning("missing marker", "'<b>' holds 'NaN'", "pass --missing NaN", "<b>")
ODD_NAME = DataWarning("blanks", "holds 'a '", "strip them", ("a", math.nan))
TYPES = [ColumnType("<b>", "binary", n_levels=2)]
CLEAN = TypeReport(TYPES, n_rows=9)
MESSY = TypeReport(TYPES, n_rows=9, warnings=[FINDING, ODD_NAME])


def test_by_default_there_are_none() -> None:
    assert CLEAN.warnings == ()
    assert CLEAN.to_dict()["warnings"] == []
    assert MESSY.warnings == (FINDING, ODD_NAME)
    assert CLEAN != MESSY


def test_text() -> None:
    assert MESSY.to_text(color=False).startswith(CLEAN.to_text(color=False) + "\n\n")
    *_, first, _, second = MESSY.to_text(color=False).splitlines()
    assert first == "missing marker: '<b>' holds 'NaN'; pass --missing NaN."
    assert second == "blanks: holds 'a '; strip them."
    assert "\x1b[1mmissing marker: \x1b[0m'<b>'" in MESSY.to_text(color=True)


def test_long_ones_are_folded_and_cut() -> None:
    long = TypeReport(TYPES, warnings=[DataWarning("blanks", "many words " * 90, "strip")])
    lines = long.to_text(color=False, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert " ".join(lines).endswith("…;   strip.")
    assert len(as_html(long)) < 3000


def test_page_and_notebook() -> None:
    for text in (as_page(MESSY), as_html(MESSY)):
        assert "missing marker" in text
        assert "&lt;b&gt;" in text
        assert "<b>&#" not in text
        assert "pass --missing NaN" in text
    assert 'id="warnings"' in as_page(MESSY)
    assert 'id="warnings"' not in as_page(CLEAN)
    assert "<ul>" not in as_html(CLEAN)


def test_json_and_pickle_keep_them() -> None:
    schema = resources.files("autotype").joinpath("types", "codec", "type_report.schema.json")
    jsonschema.validate(MESSY.to_dict(), json.loads(schema.read_text("utf-8")))
    first, second = MESSY.to_dict()["warnings"]
    assert first == {
        "kind": "missing marker",
        "message": "'<b>' holds 'NaN'",
        "remedy": "pass --missing NaN",
        "column": "<b>",
    }
    assert second["column"] == ["a", None]
    assert TypeReport.from_json(MESSY.to_json()) == MESSY
    assert TypeReport.from_json(MESSY.to_json()).warnings[0] == FINDING
    assert pickle.loads(pickle.dumps(MESSY)) == MESSY


def test_reports_of_earlier_versions_have_none() -> None:
    plain = CLEAN.to_dict()
    del plain["warnings"]
    assert TypeReport.from_json(json.dumps(plain)) == CLEAN


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (3, "warnings: 3 is not a list"),
        ([3], r"warnings\[0\]: 3 is not an object"),
        ([{"kind": "blanks"}], r"warnings\[0\] lacks 'message'"),
        (
            [{"kind": 1, "message": "", "remedy": "", "column": None}],
            r"warnings\[0\]\.kind: 1 is not a",
        ),
        (
            [{"kind": "", "message": "", "remedy": "", "column": None, "exact": 3}],
            r"warnings\[0\]\.exact: 3 is not an object",
        ),
    ],
)
def test_damaged_ones(damaged: object, message: str) -> None:
    plain = CLEAN.to_dict() | {"warnings": damaged}
    with pytest.raises(UnreadableTypesError, match=message):
        TypeReport.from_json(json.dumps(plain))


def test_corrected_reports_keep_them() -> None:
    assert MESSY.revise({"<b>": "categorical"}).warnings == MESSY.warnings


def test_reports_without_values_quote_no_levels_that_they_leave_out() -> None:
    levels = {"R-1 ": 1, "R-2": 1}
    columns = [
        ColumnType("id", "identifier", levels=levels),
        ColumnType("b", "binary", levels={"x": 9}),
    ]
    of_id, of_b = (DataWarning("blanks", "quoted", "strip", name) for name in ("id", "b"))
    report = TypeReport(columns, warnings=[FINDING, of_id, of_b])
    assert report.without_values().warnings == (FINDING, of_b)
