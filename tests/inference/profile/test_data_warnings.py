"""What looks wrong in a table is found, whatever the order of its rows, and nothing else is."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype import DataWarning
from autotype.inference.profile.data_warnings import is_garbled

KINDS = (
    *("header row", "total row", "stray level", "missing marker", "spreadsheet damage"),
    *("garbled text", "spellings", "blanks", "merged cells", "column without a name"),
    *("codebook", "ordered dtype", "unknown level", "weights"),
)

ANSWERS = ["Yes", "No"] * 30


def warnings_of(frame: Any, **options: Any) -> tuple[DataWarning, ...]:
    if isinstance(frame, dict):
        frame = pd.DataFrame(frame)
    report = autotype.infer_types(frame, **options)
    assert all(warning.kind in KINDS for warning in report.warnings)
    return report.warnings


def kinds(frame: Any, **options: Any) -> list[str]:
    return [warning.kind for warning in warnings_of(frame, **options)]


def test_clean_data_have_none() -> None:
    rng = np.random.default_rng(0)
    frame = {
        "answer": ANSWERS,
        "grade": ["poor", "fair", "good"] * 20,
        "rare": [*["red", "green", "blue"] * 19, "pink", "red", "red"],
        "price": rng.normal(size=60),
        "name": [f"person {k}" for k in range(60)],
        "city": ["Zürich", "Genève", "São Paulo"] * 20,
    }
    assert warnings_of(frame) == ()
    assert warnings_of(pd.DataFrame()) == ()


class TestRows:
    def test_a_second_header(self) -> None:
        frame = pd.DataFrame({"q": ["Response", *ANSWERS], "mass": ["kg", *range(60)]})
        (warning,) = warnings_of(frame)
        assert warning.kind == "header row"
        assert "a second header row ('q': 'Response', 'mass': 'kg')" in warning.message
        assert warning.remedy.startswith("remove the row")
        assert warning.column is None

    def test_under_a_second_header_a_column_may_be_constant(self) -> None:
        answers = ["Response", *ANSWERS]
        frame = pd.DataFrame({"q": answers, "seen": ["Film I", *["Film I: yes"] * 60]})
        types = autotype.infer_types(frame)
        assert types["seen"].semantic_type == "constant"
        assert types["seen"].off_scale == ("Film I",)
        assert [warning.kind for warning in types.warnings] == ["header row"]
        alone = pd.DataFrame({"event": [*["no"] * 60, "yes"]})
        assert autotype.infer_types(alone)["event"].semantic_type == "binary"

    @pytest.mark.parametrize("seed", [0, 1, 2])
    def test_the_order_of_rows_and_columns_changes_nothing(self, seed: int) -> None:
        columns = {
            "q": ["Response", *ANSWERS],
            "mass": ["kg", *range(60)],
            "plan": ["NA", *["Paid", "Free"] * 30],
            "total": [*["x", "y", "z"] * 20, "Total"],
        }
        frame = pd.DataFrame(columns)
        expected = warnings_of(frame)
        assert [w.kind for w in expected] == ["header row", "total row", "missing marker"]
        assert warnings_of(frame.sample(frac=1, random_state=seed)) == expected

    def test_in_a_long_table_it_is_in_the_sample(self) -> None:
        numbers = [str(k / 7) for k in range(3000)]
        frame = pd.DataFrame({"mass": [*numbers, "kg"], "time": [*numbers[::-1], "s"]})
        report = autotype.infer_types(frame, max_rows=50)
        assert [warning.kind for warning in report.warnings] == ["header row"]
        assert {column.semantic_type for column in report.columns} == {"continuous"}

    def test_in_a_table_that_an_engine_holds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pl = pytest.importorskip("polars")
        monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)
        frame = pl.DataFrame({"q": [*ANSWERS * 9, "Response"], "r": [*ANSWERS * 9, "Answer"]})
        report = autotype.infer_types(frame.lazy(), max_rows=50)
        assert [warning.kind for warning in report.warnings] == ["header row"]
        assert report["q"].semantic_type == "binary"

    def test_two_rare_levels_in_a_row_are_no_header(self) -> None:
        frame = {"a": ["xyz", *ANSWERS], "b": ["qrs", *ANSWERS]}
        frame |= {f"n{k}": list(range(61)) for k in range(3)}
        assert kinds(frame) == ["stray level", "stray level"]

    def test_a_total(self) -> None:
        sales = list(np.arange(60) / 2)
        frame = {
            "shop": [*(f"shop {k}" for k in range(60)), "Total"],
            "sales": [*sales, sum(sales)],
        }
        (warning,) = warnings_of(frame)
        assert warning.kind == "total row"
        assert "one row looks like a total ('shop': 'Total')" in warning.message

    def test_a_total_that_is_a_level_of_a_scale(self) -> None:
        assert kinds({"loss": [*["none", "partial"] * 15, "total"]}) == []
        assert kinds({"loss": [*["none", "partial", "complete"] * 9, "total"]}) == ["total row"]

    def test_many_columns_are_counted(self) -> None:
        frame = {f"q{k}": [f"text {k}", *ANSWERS] for k in range(8)}
        (warning,) = warnings_of(frame)
        assert "'q4': 'text 4' and 3 more)" in warning.message


class TestColumns:
    def test_a_stray_level(self) -> None:
        (warning,) = warnings_of({"q": ["Response", *ANSWERS], "n": range(61)})
        assert (warning.kind, warning.column) == ("stray level", "q")
        assert "a single row of 'q' holds 'Response'" in warning.message
        assert "known=" in warning.remedy

    def test_markers_of_several_columns_are_one_finding(self) -> None:
        plan = ["Paid", "Free"] * 20 + ["NaN"] * 5
        one, both = {"plan": plan}, {"plan": plan, "fee": plan}
        (warning,) = warnings_of(one)
        assert (warning.kind, warning.column) == ("missing marker", "plan")
        assert "--missing NaN" in warning.remedy
        (warning,) = warnings_of(both)
        assert warning.column is None
        assert warning.message.startswith("'plan', 'fee' hold 'NaN'")

    def test_ranges_that_became_dates(self) -> None:
        texts = ["5-Jan", "10-Jun", "11-20", "20+"] * 9
        (warning,) = warnings_of({"n": texts})
        assert warning.kind == "spreadsheet damage"
        assert "'5-Jan', '10-Jun'" in warning.message or "'10-Jun', '5-Jan'" in warning.message
        dates = [datetime.date(2024, 1, 5), "6-10", "11-20", "20+"] * 9
        (warning,) = warnings_of({"n": dates})
        assert "'5-Jan'" in warning.message

    @pytest.mark.parametrize("text", ["CafÃ©", "donâ€™t", "Caf\N{REPLACEMENT CHARACTER}"])
    def test_garbled_texts(self, text: str) -> None:
        (warning,) = warnings_of({"place": [text, "Bar", "Shop"] * 9})
        assert (warning.kind, warning.column) == ("garbled text", "place")
        assert repr(text) in warning.message
        assert "--encoding" in warning.remedy
        assert kinds({text: [1.5, 2.5] * 20}) == ["garbled text"]
        (warning,) = warnings_of({"name": [f"{text} {k}" for k in range(200)]})
        assert warning.kind == "garbled text"
        assert text not in warning.message  # cells of a column without levels are not quoted

    @pytest.mark.parametrize("text", ["Café", "ÄÖÜ", "naïve", "Ωmega", "日本", "£5", "plain"])
    def test_texts_that_are_not_garbled(self, text: str) -> None:
        assert not is_garbled(text)

    @pytest.mark.parametrize(
        ("cells", "listed"),
        [
            ([False, 0, "a"], "0, False"),
            ([False, 0, 0.0], "0, 0.0, False"),
            ([True, 1, 2], "1, True"),
            ([True, False, "a"], ""),
            ([0, 0.0, "a"], ""),
        ],
    )
    def test_booleans_that_equal_numbers(self, cells, listed) -> None:
        frame = pd.DataFrame({"q": pd.Series(cells * 9, dtype=object)})
        found = [w for w in warnings_of(frame) if w.kind == "spellings"]
        assert [w.message.partition("one level: ")[2] for w in found] == (
            [listed] if listed else []
        )

    def test_spellings(self) -> None:
        (warning,) = warnings_of({"q": ["Yes", "yes ", "YES", "No"] * 9})
        assert (warning.kind, warning.column) == ("spellings", "q")
        assert "'YES', 'Yes', 'yes '" in warning.message
        assert kinds({"q": ["New York", "NewYork", "Rome"] * 9}) == ["spellings"]
        assert kinds({"q": ["low", "low\u200b", "Ｌｏｗ", "high"] * 9}) == ["spellings"]
        assert kinds({"q": ["m", "M", "s"] * 9}) == []  # codes

    def test_a_spelling_of_one_row_is_no_stray_level(self) -> None:
        frame = {"q": [*ANSWERS, "yes "]}
        assert kinds(frame) == ["spellings"]
        assert autotype.infer_types(pd.DataFrame(frame))["q"].semantic_type == "binary"

    def test_blanks_at_an_end(self) -> None:
        (warning,) = warnings_of({"q": ["Yes ", "No"] * 9})
        assert (warning.kind, warning.column) == ("blanks", "q")
        assert kinds({"q ": ["Yes", "No"] * 9}) == ["blanks"]

    def test_columns_without_a_name(self) -> None:
        frame = {"q": ANSWERS, "Unnamed: 1": ANSWERS, "Unnamed: 2": range(60)}
        (warning,) = warnings_of(frame)
        assert warning.kind == "column without a name"
        assert "'Unnamed: 1', 'Unnamed: 2'" in warning.message
        assert kinds({"Unnamed: 0": range(60), "q": ANSWERS}) == []  # an index

    def test_of_the_requested_columns_only(self) -> None:
        frame = {"a": ["x", "y", "NA"] * 9, "b": ["u", "v", "NULL"] * 9}
        (warning,) = warnings_of(frame, columns=["b"])
        assert warning.column == "b"

    def test_none_of_what_is_known(self) -> None:
        known = {"a": ["NA", "x", "y"]}
        assert warnings_of({"a": ["x", "y", "NA"] * 9}, known=known) == ()

    def test_none_without_the_texts(self) -> None:
        frame = {"a": ["x", "y", "NA"] * 9, "b": ["CafÃ©", "Bar", "bar"] * 9}
        assert warnings_of(frame, label_text=False) == ()
