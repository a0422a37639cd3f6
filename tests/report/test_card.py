from __future__ import annotations

import re
from html import unescape

import pytest

from autotype.report.card import make_card
from autotype.report.html import as_page
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType


def page(*args, **options) -> str:
    """The page of a column, without its tags, each blank once."""
    text = as_page(TypeReport([ColumnType(*args, **options)]))
    return " ".join(unescape(re.sub(r"<[^>]*>", "", text)).split())


def card(*args, **options) -> dict:
    column = ColumnType(*args, **options)
    return make_card(TypeReport([column]).to_dict()["columns"][0], column)


ORDER = ("S", "M", "L")


@pytest.mark.parametrize(
    ("semantic_type", "options", "verdict", "caption"),
    [
        (
            "ordinal",
            {"order": ORDER, "direction_known": True, "order_probability": 0.981},
            "3 levels with an order. The order is exactly right with probability 0.98.",
            "Levels, lowest first",
        ),
        (
            "ordinal",
            {"order": ORDER},
            "3 levels with an order, though either end may be the low one.",
            "Levels, in their order",
        ),
        ("categorical", {}, "3 levels without an order.", "Levels, along the best order found"),
        (
            "undetermined",
            {},
            "3 levels; the evidence for or against an order is weak.",
            "Levels, along the best order found",
        ),
    ],
)
def test_the_verdict_in_words(semantic_type, options, verdict, caption) -> None:
    levels = dict.fromkeys(ORDER, 3)
    text = page("size", semantic_type, 0.5, best_order=ORDER, n_levels=3, levels=levels, **options)
    assert f"size {semantic_type} {verdict}" in text
    assert f" {caption} " in text


def test_bars_are_relative_to_the_largest_level_and_shares_to_all() -> None:
    found = card("a", "categorical", 0.1, levels={"x": 30, "y": 60, "n/a": 10}, off_scale=("n/a",))
    assert [(r["bar"], r["share"]) for r in found["levels"]] == [(50.0, "30.0%"), (100.0, "60.0%")]
    assert [(r["level"], r["share"]) for r in found["off_scale"]] == [("n/a", "10.0%")]


def scores(ordinal: float, multiclass: float, baseline: float) -> list[tuple]:
    evidence = {"loo_ordinal": ordinal, "loo_multiclass": multiclass, "loo_baseline": baseline}
    models = card("a", "ordinal", 0.9, evidence=evidence)["models"]
    return [(m["start"], m["length"], m["loses"], m["best"]) for m in models]


def test_models_beside_the_baseline() -> None:
    assert scores(-1.0, -1.5, -2.0) == [
        (0.0, 100.0, False, True),
        (0.0, 50.0, False, False),
        (0.0, 0.0, False, False),
    ]


def test_a_model_that_knows_less_than_the_baseline_goes_the_other_way() -> None:
    assert scores(-1.0, -3.0, -2.0) == [
        (50.0, 50.0, False, True),
        (0.0, 50.0, True, False),
        (50.0, 0.0, False, False),
    ]


def test_models_that_know_nothing() -> None:
    assert scores(-2.0, -2.0, -2.0) == [(0.0, 0.0, False, False)] * 3


def test_levels_that_moved_are_marked() -> None:
    found = card(
        "a", "ordinal", 0.9, best_order=ORDER, order=ORDER, alternatives=((("S", "L", "M"), 0.2),)
    )
    (other,) = found["alternatives"]
    assert [item["moved"] for item in other["order"]] == [False, True, True]
    assert other["weight"] == 0.2


def test_of_a_long_alternative_only_what_moved_and_its_neighbours_are_shown() -> None:
    best = tuple("abcdefghij")
    other = tuple("abdcefghij")
    (found,) = card("a", "ordinal", best_order=best, alternatives=((other, 0.2),))["alternatives"]
    shown = ["…" if item["omitted"] else item["level"] for item in found["order"]]
    assert shown == ["…", "b", "d", "c", "e", "…"]


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ({}, ""),
        ({"label_rule": "none", "label_detail": ""}, "They state no order."),
        ({"label_rule": "numeric", "label_detail": "plain numbers"}, "They read as plain numbers."),
        ({"label_rule": "roman"}, "They read as roman."),
    ],
)
def test_the_evidence_of_the_labels(evidence, expected) -> None:
    text = page("a", "ordinal", 0.9, evidence=evidence)
    assert expected in text
    assert ("Evidence of the labels" in text) is bool(expected)


def test_predictors_without_a_share_are_left_out() -> None:
    evidence = {"top_predictors": [["x", 0.4], ["y", 0.1], ["z", 0]]}
    text = as_page(TypeReport([ColumnType("a", "ordinal", evidence=evidence)]))
    widths = re.findall(r'<span>(\w)</span><i style="width:([\d.]+)%">', text)
    assert widths == [("x", "100"), ("y", "25")]


def test_the_probability_of_a_type_is_shown_where_that_of_ordinal_is_not() -> None:
    found = {"continuous": 0.61, "count": 0.39}
    text = page("a", "continuous", type_probabilities=found)
    assert "0.61 probability of continuous" in text
    ordinal = page("a", "ordinal", 0.9, type_probabilities={"ordinal": 0.8})
    assert "0.90 probability of ordinal" in ordinal
    assert "0.80" not in ordinal
    assert "probability of continuous" not in page("a", "continuous")
