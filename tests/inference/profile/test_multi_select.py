"""Columns that are the choices of one question share its key."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype import ColumnType
from autotype.inference.profile.multi_select import question_keys, with_questions
from autotype.types.column_type import ColumnProfile


def _binary(name: str, levels=("No", "Yes"), **fields) -> ColumnType:
    return ColumnType(name, "binary", levels=dict.fromkeys(levels, 5), n_levels=2, **fields)


def _ticked(name: str, level: object, n: int = 5, **fields) -> ColumnType:
    profile = ColumnProfile(9 - n)
    return ColumnType(name, "constant", levels={level: n}, n_levels=1, profile=profile, **fields)


@pytest.mark.parametrize(
    ("names", "key"),
    [
        (("race___1", "race___2"), "race"),
        (("Race (choice=White)", "Race (choice=Black)"), "Race"),
        (("Which do you use? [Bus]", "Which do you use? [Bike]"), "Which do you use?"),
        (("needs/water", "needs/food"), "needs"),
        (("What helps?/more time", "What helps?/better tools"), "What helps?"),
        (("Q5_1", "Q5_2", "Q5_3"), "Q5"),
    ],
)
def test_choices_by_their_names(names, key) -> None:
    columns = [_binary("member"), *map(_binary, names), ColumnType("age", "count")]
    assert question_keys(columns) == ["", *[key] * len(names), ""]


def test_two_numbers_or_other_answers_are_no_question() -> None:
    assert question_keys([_binary("q1"), _binary("q2")]) == ["", ""]
    sexes = _binary("v2", ("male", "female"))
    assert question_keys([_binary("v1"), sexes, _binary("v3")]) == ["", "", ""]
    assert question_keys([_binary("v1"), _binary("v4"), _binary("v9")]) == ["", "", ""]


def test_a_name_with_a_dot_needs_the_column_of_its_lists() -> None:
    choices = [_binary("needs.water", (0, 1)), _binary("needs.food", (0, 1))]
    assert question_keys(choices) == ["", ""]
    whole = ColumnType("needs", "text", format="list")
    assert question_keys([whole, *choices]) == ["", "needs", "needs"]


def test_choices_that_hold_their_own_text() -> None:
    first = _ticked("Which mode did you use?", "Car", title="Car")
    columns = [first, _ticked("Plane", "Plane", 4), _ticked("Train", "Train", 5), _binary("member")]
    assert question_keys(columns) == ["Which mode did you use?"] * 3 + [""]


def test_choices_with_one_question_text() -> None:
    title = "Which of these do you own?"
    columns = [_binary("Car", title=title), _binary("Bike", title=title)]
    assert question_keys(columns) == [title, title]
    columns = [_binary("Car", title="Response"), _binary("Bike", title="Response")]
    assert question_keys(columns) == ["", ""]


def test_columns_that_are_blank_together_are_no_choices() -> None:
    title = "What the register says of it"
    columns = [_ticked(name, name * 2, title=title) for name in ("year", "term", "code")]
    assert question_keys(columns) == ["", "", ""]


def test_rows_show_what_is_blank_together() -> None:
    title = "Which of these do you own?"
    columns = [_ticked(name, name * 2, title=title) for name in ("car", "bike", "boat")]
    ticked = pd.Series(["x", None, "x", None])
    assert question_keys(columns, [ticked, ticked, ticked]) == ["", "", ""]
    assert question_keys(columns, [ticked, ticked[::-1], ticked]) == [title] * 3


def test_choices_that_a_codebook_groups_are_binary_and_columns_of_a_section_are_not() -> None:
    ticked = [_ticked(f"a{k}", 1, 4 + k % 2, group="set") for k in range(3)]
    assert {column.semantic_type for column in with_questions(ticked)} == {"binary"}
    section = [
        *ticked,
        ColumnType("age", "count", group="set"),
        ColumnType("t", "text", group="set"),
    ]
    assert [column.semantic_type for column in with_questions(section)][:3] == ["constant"] * 3


def test_the_key_of_the_codebook_stays() -> None:
    columns = [_binary("a___1", group="set1"), _binary("a___2", group="set1")]
    assert question_keys(columns) == ["set1", "set1"]


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"use___{k}": rng.integers(0, 2, 60) for k in range(3)})
    frame["read___1"] = np.where(rng.random(60) < 0.5, "paper", None)
    frame["read___2"] = np.where(rng.random(60) < 0.5, "radio", None)
    ways = ["Bus", "Bike", "Train"]
    frame["ways"] = ["; ".join(rng.permutation(ways)[: rng.integers(1, 4)]) for _ in range(60)]
    return frame


def test_groups_are_in_the_report(frame) -> None:
    report = autotype.infer_types(frame)
    assert [report[name].group for name in frame] == ["use"] * 3 + ["read"] * 2 + [""]
    assert {report[name].semantic_type for name in frame.columns[:5]} == {"binary"}
    assert "ticked or blank" in report["read___1"].explain()
    assert autotype.TypeReport.from_json(report.to_json()) == report
    assert "question: use" in str(report)
    assert "Question: use</p>" in report.to_html()


def test_a_choice_without_a_tick_or_stated_to_be_constant_stays_constant(frame) -> None:
    report = autotype.infer_types(frame.assign(read___3=None), known={"read___1": "constant"})
    types = [report[f"read___{k}"].semantic_type for k in (1, 2, 3)]
    assert types == ["constant", "binary", "constant"]


def test_the_encoder_makes_an_indicator_per_item(frame) -> None:
    report = autotype.infer_types(frame)
    encoder = report.make_encoder().set_output(transform="pandas").fit(frame)
    encoded = encoder.transform(frame)
    for item in ("Bus", "Bike", "Train"):
        expected = frame["ways"].str.contains(item).astype(float).tolist()
        assert encoded[f"ways: {item}"].tolist() == expected
    assert encoded["read___1"].tolist() == frame["read___1"].notna().astype(float).tolist()
    new = pd.DataFrame({**frame.iloc[:1], "ways": ["Plane; Bus"]})
    assert encoder.transform(new).filter(like="ways").to_numpy().sum() == 1


def test_columns_without_names_are_choices_of_no_question():
    columns = [_ticked(f"Unnamed: {k}", 1, 4 + k) for k in range(8, 12)]
    assert {column.semantic_type for column in with_questions(columns)} == {"constant"}
    assert question_keys(columns) == [""] * 4
