from __future__ import annotations

import pytest

import autotype
from autotype.types.reading import Reading


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        (Reading("csv", "utf-8", ",", header=(1,)), ""),
        (Reading("excel", header=(1,)), ""),
        (Reading("csv", "cp1252", ";", ",", (1,)), "read as cp1252"),
        (Reading("csv", "utf-8", ",", header=()), "no header"),
        (
            Reading("csv", "utf-8", ",", header=(2, 3), title=(1,)),
            "header in lines 2 and 3 after 1 title line",
        ),
        (
            Reading("csv", "utf-8", ",", header=(1,), skipped=(3, 5, 7, 9)),
            "4 lines between 3 and 9 left out",
        ),
        (
            Reading("csv", "utf-8", ",", header=(1,), footer=(8,), doubts=("a", "b")),
            "1 footer line left out; a; b",
        ),
        (Reading("csv", "utf-8", "blanks", header=(1,)), "columns split at runs of blanks"),
    ],
)
def test_what_is_unusual(reading, said) -> None:
    assert reading.unusual() == said


def test_a_report_keeps_the_reading(tmp_path) -> None:
    (tmp_path / "a.csv").write_text("size;price\nS;1,5\nM;2,5\n")
    report = autotype.infer_types(autotype.read_table(tmp_path / "a.csv"))
    assert (report.reading.delimiter, report.reading.header) == (";", (1,))
    assert autotype.TypeReport.from_json(report.to_json()) == report
    assert report.revise(size=["S", "M"]).reading == report.reading
    assert report != autotype.TypeReport(report.columns, n_rows=report.n_rows)
