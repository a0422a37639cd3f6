from __future__ import annotations

import json
import math
from collections.abc import Mapping

import pandas as pd
import pytest

from autotype.errors import UnknownColumnError
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

SIZE = ColumnType(
    "size",
    "ordinal",
    0.98,
    order=("S", "M", "L"),
    best_order=("S", "M", "L"),
    direction_known=True,
    levels={"S": 3, "M": 4, "L": 2},
    n_levels=3,
    n_rows_used=9,
    reasons=("The labels are sizes.", "The data agree."),
)
ID = ColumnType("id", "identifier", n_levels=9)


@pytest.fixture
def report() -> TypeReport:
    return TypeReport([SIZE, ID], n_rows=9)


class TestMapping:
    def test_is_a_mapping_in_the_frame_s_order(self, report) -> None:
        assert isinstance(report, Mapping)
        assert list(report.items()) == [("size", SIZE), ("id", ID)]
        assert "size" in report
        assert "colour" not in report
        assert report.get("colour") is None

    def test_unknown_name_hints_at_the_nearest(self, report) -> None:
        with pytest.raises(UnknownColumnError, match=r"no column 'sise'; did you mean 'size'\?"):
            report["sise"]

    def test_duplicate_names_keep_all_columns(self) -> None:
        report = TypeReport([SIZE, ColumnType("size", "text")])
        assert report["size"] is SIZE
        assert len(report.columns) == 2
        assert list(report.to_frame().index) == ["size", "size"]

    def test_names_that_are_not_texts(self) -> None:
        report = TypeReport([ColumnType(0, "text"), ColumnType(None, "text")])
        assert report[0].name == 0
        assert report[None].name is None


class TestToFrame:
    def test_cells(self, report) -> None:
        frame = report.to_frame()
        assert list(frame.index) == ["size", "id"]
        assert frame.loc["size", "order"] == ("S", "M", "L")
        assert frame.loc["size", "probability"] == 0.98
        assert frame.loc["size", "reason"] == "The labels are sizes."
        assert frame.loc["id", "order"] is None
        assert math.isnan(frame.loc["id", "probability"])

    def test_dtypes_do_not_depend_on_the_columns(self, report) -> None:
        empty = TypeReport([]).to_frame()
        assert len(empty) == 0
        pd.testing.assert_series_equal(empty.dtypes, report.to_frame().dtypes)

    def test_multi_index_names_survive(self) -> None:
        names = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")], names=["group", "item"])
        report = TypeReport([ColumnType(name, "text") for name in names], names=names)
        pd.testing.assert_index_equal(report.to_frame().index, names)
        assert report["a", "y"].name == ("a", "y")

    def test_tuples_as_names_stay_tuples(self) -> None:
        report = TypeReport([ColumnType(("a", "x"), "text")])
        assert list(report.to_frame().index) == [("a", "x")]


class TestJson:
    def test_text_and_file_agree(self, report, tmp_path) -> None:
        text = report.to_json(tmp_path / "types.json")
        assert (tmp_path / "types.json").read_text(encoding="utf-8") == text + "\n"
        assert json.loads(text) == report.to_dict()

    def test_missing_probability_is_null(self, report) -> None:
        assert json.loads(report.to_json(indent=None))["columns"][1]["probability"] is None


class TestDisplay:
    def test_text(self, report) -> None:
        assert str(report) == repr(report)
        assert "S < M < L" in str(report)

    def test_html(self, report) -> None:
        assert "S &lt; M &lt; L" in report._repr_html_()
