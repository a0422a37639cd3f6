"""Strings for missing cells and levels of a single row never overturn a verdict."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype import ColumnType
from autotype.inference.profile.stray_levels import (
    find_stray_levels,
    set_aside,
    texts_of_one_row,
    with_stray_levels,
)
from autotype.inference.sampling.sample import sample_frame
from autotype.lexicon.missing import missing_marks

ANSWERS = ["Yes", "No"] * 20
SCALE = ["Very satisfied", "Satisfied", "Neutral", "Dissatisfied", "Very dissatisfied"]


def infer(values: list[Any], **options: Any) -> ColumnType:
    return autotype.infer_types(pd.DataFrame({"a": values}), **options)["a"]


def stray_of(values: Any, *, label_text: bool = True) -> dict[str, int]:
    frame = pd.DataFrame({"a": values})
    (column,) = sample_frame(frame, max_rows=1000, max_levels=20, seed=0).columns
    column.label_text = label_text
    find_stray_levels(column, texts_of_one_row(column))
    return column.aside


class TestMarkers:
    @pytest.mark.parametrize("text", sorted(missing_marks()))
    def test_one_of_them_beside_two_levels_leaves_two(self, text: str) -> None:
        column = infer(["Paid", "Free"] * 20 + [text] * 5)
        assert (column.semantic_type, column.n_levels) == ("binary", 2)
        assert (column.missing_markers, column.off_scale) == ((text,), ())
        assert column.levels == {"Free": 20, "Paid": 20, text: 5}
        assert column.n_rows_used == 40
        assert f"Missing, by what is written: {text!r}." in column.reasons

    def test_two_of_them_leave_a_scale(self) -> None:
        column = infer(["low", "mid", "high"] * 10 + ["-", "-", "?"])
        assert column.order == ("low", "mid", "high")
        assert column.off_scale == ("-", "?")

    def test_numbers_and_dates_with_one_are_numbers_and_dates(self) -> None:
        days = [f"2024-{month:02d}-{day:02d}" for month in (1, 2, 3, 4, 5) for day in range(1, 28)]
        assert infer([*map(str, np.arange(150) / 8), "n/a", "n/a"]).semantic_type == "continuous"
        assert infer([*days, "null", "null"]).semantic_type == "datetime"

    @pytest.mark.parametrize(
        "levels",
        [
            ["None", "Low", "High"],  # an answer
            ["NA", "EU", "AS", "OC"],  # North America
            ["-", "+", "++"],  # the levels are signs
        ],
    )
    def test_levels_that_only_look_like_one(self, levels: list[str]) -> None:
        assert stray_of(levels * 10) == {}

    def test_one_level_and_a_marker_are_constant(self) -> None:
        column = infer(["Yes", "NA"] * 20)
        assert (column.semantic_type, column.missing_markers) == ("constant", ("NA",))
        assert infer(["Known", "Unknown"] * 20).semantic_type == "binary"

    def test_an_ordered_categorical_is_believed(self) -> None:
        dtype = pd.CategoricalDtype(["NA", "low", "high"], ordered=True)
        column = infer(pd.Series(["low", "high", "NA"] * 9, dtype=dtype))
        assert column.order == ("NA", "low", "high")

    def test_a_stated_order_may_hold_one(self) -> None:
        known = {"a": ["NaN", "low", "high"]}
        column = infer(["low", "high", "NaN"] * 9, known=known)
        assert (column.order, column.off_scale) == (("NaN", "low", "high"), ())
        assert column.levels["NaN"] == 9

    def test_without_the_texts_there_are_none(self) -> None:
        assert stray_of(["Paid", "Free", "NaN"] * 9, label_text=False) == {}


class TestLevelsOfOneRow:
    @pytest.mark.parametrize("stray", ["Response", "Gender", "xyz", "7", "v"])
    def test_two_others_are_binary(self, stray: str) -> None:
        column = infer([*ANSWERS, stray])
        assert (column.semantic_type, column.off_scale) == ("binary", (stray,))
        assert f"Not on the scale, as one row holds it: {stray!r}." in column.reasons

    def test_a_scale_keeps_verdict_and_order(self) -> None:
        clean, column = infer(SCALE * 8), infer([*SCALE * 8, "Header"])
        assert (column.semantic_type, column.order) == ("ordinal", clean.order)
        assert column.probability == pytest.approx(clean.probability, abs=1e-9)
        assert column.off_scale == ("Header",)

    def test_one_that_the_labels_place_stays(self) -> None:
        column = infer(["poor", "fair", "good"] * 10 + ["very poor"])
        assert column.order == ("very poor", "poor", "fair", "good")
        assert infer([*ANSWERS, "Maybe"]).order == ("No", "Maybe", "Yes")

    def test_numbers_keep_their_type(self) -> None:
        prices = [f"${k}.50" for k in range(150)]
        assert infer(["USD", *prices]).semantic_type == "continuous"
        assert infer(["kg", *map(str, np.arange(60) / 7)]).semantic_type == "continuous"
        assert infer(["points", *map(str, [1, 2, 3, 4, 5] * 8)]).off_scale == ("points",)

    def test_names_keep_a_rare_one(self) -> None:
        column = infer(["red", "green", "blue"] * 10 + ["yellow"])
        assert (column.semantic_type, column.off_scale) == ("categorical", ())

    def test_unread_levels_keep_a_rare_one(self) -> None:
        assert infer(["Mestre", "Bacharel", "Auxiliar"] * 10 + ["Doutor"]).off_scale == ()
        assert infer(["zeb", "quux", "frob"] * 10 + ["Total"]).off_scale == ("Total",)

    def test_a_total_is_no_name(self) -> None:
        column = infer(["red", "green", "blue"] * 10 + ["Total"])
        assert (column.semantic_type, column.off_scale) == ("categorical", ("Total",))

    def test_few_rows_or_many_such_levels_are_no_exception(self) -> None:
        assert stray_of([*["Yes", "No"] * 9, "Response"]) == {}
        assert stray_of([*ANSWERS * 9, "a", "b", "c"]) == {}
        assert stray_of([*["Yes", "No"] * 10, "a", "b"]) == {}  # two of 22 rows are many
        assert stray_of([*["Yes", "No"] * 10, "a"]) == {"a": 1}

    def test_without_the_texts_any_of_them(self) -> None:
        assert stray_of([*ANSWERS, "Maybe"], label_text=False) == {"Maybe": 1}

    def test_a_level_that_is_no_text_stays(self) -> None:
        assert stray_of([1, 2] * 20 + [3]) == {}
        assert stray_of([True, False] * 20 + [None]) == {}

    def test_apply_types_and_schema_hold_them(self) -> None:
        frame = pd.DataFrame({"a": [*SCALE * 8, "Header"], "b": ["USD", *np.arange(40) / 8]})
        types = autotype.infer_types(frame)
        typed = autotype.apply_types(frame, types)
        assert typed["a"].tolist() == frame["a"].tolist()
        assert typed["a"].cat.categories[0] == "Header"
        autotype.validate(frame, autotype.to_schema(frame, types))
        assert np.isfinite(types.make_encoder().fit_transform(frame)).sum() > 0


class TestParts:
    def test_cleaned_and_put_back(self) -> None:
        frame = pd.DataFrame({"a": [*ANSWERS, "Response", "NA", "NA", None]})
        (column,) = sample_frame(frame, max_rows=1000, max_levels=20, seed=0).columns
        before = column.values.copy()
        find_stray_levels(column, texts_of_one_row(column))
        set_aside(column)
        assert (column.n_missing, column.n_distinct) == (4, 2)
        assert column.levels == {"No": 20, "Yes": 20}
        assert column.values.notna().sum() == len(column.rows) == 40
        assert before.notna().sum() == 43
        found = with_stray_levels(ColumnType("a", "binary", n_levels=2), column)
        assert (found.n_levels, found.levels) == (3, {})
        assert (found.off_scale, found.missing_markers) == (("Response",), ("NA",))


def test_a_text_of_a_lone_surrogate_may_be_stray() -> None:
    """Python's strings may hold half a character, which Arrow and so pandas do not look up."""
    levels = pd.Index(["Paid", "Free", "\ud800"], dtype=object)
    values = pd.Categorical.from_codes([*[0, 1] * 30, 2], categories=levels)
    column = autotype.infer_types(pd.DataFrame({"plan": values}))["plan"]
    assert column.semantic_type == "binary"
