from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autotype.inference.column import Column
from autotype.inference.verdict.order_choice import ChosenOrder
from autotype.inference.verdict.reasons import write_reasons

N = 200
RNG = np.random.default_rng(0)


def test_spellings_of_one_level_are_named_and_tied() -> None:
    moods = RNG.choice(["low", "Low ", "mid", "high", "HIGH"], N)
    column = pd.DataFrame({"mood": moods}).ordinal.infer_types()["mood"]
    assert column.order == ("Low ", "low", "mid", "HIGH", "high")
    assert set(column.ties) == {("Low ", "low"), ("HIGH", "high")}
    assert "Probably spellings of one level: 'HIGH', 'high'." in column.reasons
    assert not any("do not show" in reason for reason in column.reasons)


def test_labels_that_decide_nothing_are_reported_so() -> None:
    frame = pd.DataFrame({"x": [*range(9)] * 20})
    column = frame.ordinal.infer_types()["x"]
    assert column.semantic_type == "undetermined"
    assert "Such labels may be names as well as ranks" in column.explain()


@pytest.mark.parametrize(
    ("name", "semantic_type", "what"),
    [("pain", "ordinal", "scales"), ("region", "categorical", "names")],
)
def test_a_name_is_evidence_where_the_labels_are_not_read(name, semantic_type, what) -> None:
    column = pd.DataFrame({name: [*range(9)] * 20}).ordinal.infer_types()[name]
    assert column.semantic_type == semantic_type
    assert f"The column's name is worded like those of {what}." in column.reasons


def test_one_predictor_is_no_plural() -> None:
    codes = RNG.integers(0, 4, N)
    frame = pd.DataFrame({"code": np.array(list("kxqz"))[codes], "x": codes + RNG.normal(size=N)})
    assert "from 1 predictor on" in frame.ordinal.infer_types()["code"].explain()


def test_a_name_that_contradicts_the_labels_is_reported() -> None:
    frame = pd.DataFrame(
        {"name": ["low", "mid", "high"] * 10, "level": ["red", "blue", "tan"] * 10}
    )
    types = frame.ordinal.infer_types()
    assert "The column's name suggests no order." in types["name"].reasons
    assert "The column's name suggests an order." in types["level"].reasons


def test_a_name_that_agrees_with_the_labels_is_not_reported() -> None:
    frame = pd.DataFrame(
        {"level": ["low", "mid", "high"] * 10, "name": ["red", "blue", "tan"] * 10}
    )
    types = frame.ordinal.infer_types()
    assert not any("name suggests" in r for name in types for r in types[name].reasons)


def test_a_name_beside_labels_that_decide_nothing_is_not_reported() -> None:
    column = pd.DataFrame({"name": ["zorp", "wib", "quux"] * 10}).ordinal.infer_types()["name"]
    assert not any("name suggests" in reason for reason in column.reasons)


def test_whether_the_other_columns_give_the_order_of_the_labels_is_reported() -> None:
    levels = np.array(["low", "medium", "high", "very high"])
    codes = RNG.integers(0, 4, N)
    same = pd.DataFrame({"grade": levels[codes], "x": codes + 0.1 * RNG.normal(size=N)})
    along = np.array([2, 0, 3, 1])[codes]
    other = pd.DataFrame({"grade": levels[codes], "x": along + 0.1 * RNG.normal(size=N)})
    noise = pd.DataFrame({"grade": levels[codes], "x": RNG.normal(size=N)})
    texts = [frame.ordinal.infer_types()["grade"].explain() for frame in (same, other, noise)]
    assert ["give the same order" in text for text in texts] == [True, False, False]
    assert ["alone give another order" in text for text in texts] == [False, True, False]


@pytest.mark.parametrize(("score", "kind"), [(9.0, "scales"), (-9.0, "names"), (0.0, None)])
def test_what_the_wording_resembles_is_reported(score: float, kind: str | None) -> None:
    levels = ("zib", "wol", "kam")
    column = Column("c", levels=dict.fromkeys(levels, 10), scale=levels, text_score=score)
    text = " ".join(write_reasons(column, ChosenOrder(None, False, None)))
    assert ("wording resembles" in text) is (kind is not None)
    assert kind is None or f"resembles that of {kind}" in text
    assert "Not on the scale" not in text


def test_labels_that_give_an_order_are_not_reported_to_show_none() -> None:
    levels = ["8 grades or less", "Some high school", "High school diploma", "Bachelor's degree"]
    frame = pd.DataFrame({"education": np.resize(levels, N), "x": np.resize([1.0, 2, 3, 4], N)})
    reasons = frame.ordinal.infer_types()["education"].reasons
    assert 'The levels read as the scale "education".' in reasons
    assert not any("show no order" in reason for reason in reasons)


def test_a_column_of_too_many_levels_is_reported_so() -> None:
    bands = [f"{10 * k}-{10 * k + 9}" for k in range(12)]
    frame = pd.DataFrame({"income": np.resize(bands, N), "x": np.arange(float(N))})
    column = frame.ordinal.infer_types(max_levels=10)["income"]
    assert (
        "The other columns were not examined: 12 levels are more than max_levels." in column.reasons
    )


def test_phrases_about_different_matters_are_names() -> None:
    answers = ["a leaking roof", "broken street lamps", "noise at night", "too few parking lots"]
    column = pd.DataFrame({"q7": answers * 50}).ordinal.infer_types()["q7"]
    assert column.semantic_type == "categorical"
    assert "They are phrases about different matters." in column.explain()


def test_words_that_were_not_understood_are_not_claimed() -> None:
    levels = ["big table lamp", "small wooden frub", "table of zork"]
    said = pd.DataFrame({"q7": levels * 50}).ordinal.infer_types()["q7"].explain()
    assert "Some words of 100% of the levels were understood, as English; not understood:" in said
