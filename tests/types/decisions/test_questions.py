"""Questions: one a battery, the most useful first, and answers that are decisions."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from autotype import ColumnType, TypeReport
from autotype.errors import KnownTypesError

CODES = ("qx", "zv", "kk", "wj")


def column(name, semantic_type="undetermined", probability=0.5, levels=CODES, **fields):
    counts = dict.fromkeys(levels, 5)
    return ColumnType(
        name, semantic_type, probability, levels=counts, n_levels=len(counts), **fields
    )


def sure(name, order=CODES, **fields):
    options = {"order_probability": 0.99, "direction_known": True, **fields}
    return column(
        name, "ordinal", 0.99, levels=order, order=tuple(order), best_order=tuple(order), **options
    )


def test_a_battery_of_thirty_is_one_question() -> None:
    words = ("hatchling", "glider", "soarer")
    items = [column(f"item {k}", levels=words) for k in range(30)]
    (question,) = TypeReport(items).questions()
    assert question.columns == tuple(f"item {k}" for k in range(30))
    assert (question.n_open, question.weight) == (30, 30.0)
    revised = TypeReport(items).revise(question.answer(["glider", "hatchling", "soarer"]))
    assert {c.order for c in revised.columns} == {("glider", "hatchling", "soarer")}
    assert revised.questions() == []


def test_an_item_that_lacks_a_level_belongs_to_its_battery() -> None:
    words = ("hatchling", "glider", "soarer", "eagle")
    items = [
        column("a", levels=words[:3]),
        column("b", levels=words),
        column("c", levels=words[1:]),
    ]
    (question,) = TypeReport(items).questions()
    assert set(question.columns) == {"a", "b", "c"}
    assert set(question.levels) == set(words)
    revised = TypeReport(items).revise(question.answer(list(words)))
    assert revised["a"].order == words
    assert revised["a"].levels["eagle"] == 0


def test_numbers_need_names_alike() -> None:
    numbers = range(1, 6)
    report = TypeReport([column(name, levels=numbers) for name in ("q1", "q2", "channel")])
    assert [question.columns for question in report.questions()] == [("q1", "q2"), ("channel",)]


def test_the_most_useful_question_comes_first() -> None:
    report = TypeReport(
        [
            column("one", levels=("uno", "due", "tre")),
            sure("unsure order", ("eins", "zwei", "drei"), order_probability=0.4),
            *(column(name, levels=("rouge", "vert", "bleu")) for name in "abc"),
            sure("sure", ("low", "mid", "high")),
        ]
    )
    questions = report.questions()
    assert [q.columns for q in questions] == [("a", "b", "c"), ("one",), ("unsure order",)]
    weights = [q.weight for q in questions]
    assert weights == sorted(weights, reverse=True)
    assert weights[2] == pytest.approx(1 - 0.99 * 0.4)


def test_no_column_is_asked_for_twice_and_each_open_one_once() -> None:
    rng = np.random.default_rng(3)
    words = ("rouge", "vert", "bleu", "jaune", "noir")
    columns = [
        column(f"c{k}", levels=rng.permutation(words)[: rng.integers(3, 6)]) for k in range(40)
    ]
    questions = TypeReport(columns).questions()
    for one, other in combinations(questions, 2):
        assert not set(one.columns) & set(other.columns)
    assert sum(q.n_open for q in questions) == 40


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (sure("x"), 0),
        (sure("x", direction_known=False), 1),
        (column("x", "categorical", 0.1), 0),
        (column("x", "categorical", 0.3), 1),
        (column("x", "categorical", math.nan), 0),
        (column("x", "undetermined", math.nan), 1),
        (column("x", "undetermined", levels=()), 0),
        (column("x", "binary", levels=("a", "b")), 0),
        (column("x", provenance="known"), 0),
    ],
)
def test_which_columns_are_open(asked, expected) -> None:
    assert len(TypeReport([asked]).questions()) == expected


def test_a_repeated_name_is_not_asked_for() -> None:
    twice = [column("x"), column("x", levels=("rouge", "vert", "bleu")), column("y")]
    (question,) = TypeReport(twice).questions()
    assert question.columns == ("y",)


def test_certainty_sets_the_limit() -> None:
    report = TypeReport([sure("x")])
    assert report.questions(certainty=0.98) == []
    assert len(report.questions(certainty=0.99)) == 1
    for certainty in (0, 1.5):
        with pytest.raises(ValueError, match=r"certainty must be in \(0, 1\], got"):
            report.questions(certainty=certainty)


def test_the_proposal_is_the_more_probable_answer() -> None:
    unsure = column(
        "x",
        probability=0.6,
        best_order=CODES[:3],
        order_probability=0.9,
        direction_known=True,
        off_scale=("wj",),
    )
    (question,) = TypeReport([unsure]).questions()
    assert question.probability == pytest.approx(0.54)
    assert question.proposal == "qx < zv < kk (off the scale: wj)"
    assert question.answer() == {"x": {"order": ["qx", "zv", "kk"], "off_scale": ["wj"]}}
    (question,) = TypeReport([unsure]).revise().questions()
    doubtful = ColumnType(**{**vars(unsure), "order_probability": 0.3})
    (question,) = TypeReport([doubtful]).questions()
    assert (question.proposal, question.probability) == ("no order", pytest.approx(0.4))
    assert question.answer("ordinal") == {"x": {"order": ["qx", "zv", "kk"], "off_scale": ["wj"]}}
    either_end = question.answer({"type": "ordinal", "direction_known": False})
    assert either_end["x"]["direction_known"] is False


def test_a_column_without_probability_counts_as_even() -> None:
    known = {"best_order": CODES, "order_probability": 0.9, "direction_known": True}
    group = [column("item 1", probability=0.9, **known), column("item 2", probability=math.nan)]
    (question,) = TypeReport(group).questions()
    assert question.probability == pytest.approx((0.9 + 0.5) / 2 * 0.9)


def test_answers() -> None:
    (question,) = TypeReport([column("x"), column("y")]).questions()[:1]
    assert question.answer("text") == {"x": "text"}
    assert question.answer({"type": "text", "note": "free"}) == {
        "x": {"type": "text", "note": "free"}
    }
    with pytest.raises(KnownTypesError, match="the answer is 'nominal', not one of"):
        question.answer("nominal")


def test_answers_are_known_types_too() -> None:
    frame = pd.DataFrame({f"q{k}": np.resize(["qx", "zv", "kkk"], 30) for k in range(3)})
    (question,) = frame.ordinal.infer_types().questions()
    again = frame.ordinal.infer_types(known=question.answer(["kkk", "qx", "zv"]))
    assert {c.order for c in again.columns} == {("kkk", "qx", "zv")}


def test_the_text_names_three_columns_and_twelve_levels() -> None:
    words = tuple(f"word{'abcdefghijklmnop'[k] * 3}" for k in range(15))
    (question,) = TypeReport([column(f"c{k}", levels=words) for k in range(5)]).questions()
    assert "'c0', 'c1', 'c2' and 2 more columns" in question.text
    assert "wordlll and 3 more)" in question.text
    assert question.text.endswith("Proposed: no order (probability 0.50).")


def test_codes_with_other_labels_are_asked_for_apart_and_shown_with_them() -> None:
    def coded(name: str, *labels: str) -> ColumnType:
        codes = range(1, 1 + len(labels))
        texts = dict(zip(codes, labels, strict=True))
        return ColumnType(name, "undetermined", levels=dict.fromkeys(codes, 9), labels=texts)

    columns = [coded("q1", "north", "south", "west"), coded("q2", "bus", "train", "car")]
    first, second = TypeReport(columns, n_rows=27).questions()
    assert (first.columns, second.columns) == (("q1",), ("q2",))
    assert '1 "north"' in first.text
    assert '2 "train"' in second.text


def test_an_order_of_which_the_direction_is_open_is_right_half_as_often() -> None:
    levels = {"qx": 5, "zv": 4, "kk": 3}
    order = tuple(levels)
    sure = {"order": order, "best_order": order, "levels": levels, "order_probability": 0.9}
    columns = [
        ColumnType("a", "ordinal", 0.9, direction_known=False, **sure),
        ColumnType("b", "undetermined", 0.5, levels={"u": 5, "v": 4, "w": 3}),
    ]
    certain = 0.9 * 0.9 / 2
    for certainty, asked in ((certain - 0.01, ["b"]), (certain + 0.01, ["b", "a"])):
        questions = TypeReport(columns).questions(certainty=certainty)
        assert [question.columns[0] for question in questions] == asked


def test_nothing_is_less_sure_than_no_verdict() -> None:
    open_column = column("open", levels=("ux", "vy", "wz"))
    without = sure("without", order_probability=math.nan)
    asked = TypeReport([without, open_column]).questions(certainty=1.0)
    weights = {question.columns: question.weight for question in asked}
    assert weights["open",] == 1.0
    assert weights["without",] == pytest.approx(1 - 0.99 * 0.5)
