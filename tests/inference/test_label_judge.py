"""A label judge is one more piece of evidence, and its answers are checked."""

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.label_judge import ask

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"grumble": RNG.choice(["zib", "wol", "kam"], 120), "x": RNG.normal(size=120)})


def test_an_opinion_moves_the_probability_and_gives_the_order():
    alone = autotype.infer_types(FRAME)["grumble"]
    order = ["wol", "zib", "kam"]
    yes = autotype.infer_types(FRAME, label_judge=lambda name, levels: (0.99, order))["grumble"]
    no = autotype.infer_types(FRAME, label_judge=lambda name, levels: (0.01, None))["grumble"]
    assert no.probability < alone.probability < yes.probability
    assert yes.best_order == tuple(order)
    assert no.semantic_type == "categorical"


def test_no_opinion_changes_nothing():
    alone = autotype.infer_types(FRAME)
    silent = autotype.infer_types(FRAME, label_judge=lambda name, levels: None)
    assert silent["grumble"] == alone["grumble"]


def test_the_judge_is_asked_once_a_discrete_column():
    asked = []
    autotype.infer_types(FRAME, label_judge=lambda name, levels: asked.append((name, set(levels))))
    assert asked == [("grumble", {"zib", "wol", "kam"})]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("ordinal", "expected \\(probability, order\\)"),
        ((1.5, None), "not within \\[0, 1\\]"),
        ((float("nan"), None), "not within"),
        ((0.5, ["a"]), "each of its levels once"),
        ((0.5, ["a", "b", "b"]), "each of its levels once"),
    ],
)
def test_bad_answers_are_refused(answer, message):
    with pytest.raises(ValueError, match=message):
        ask(lambda name, levels: answer, "c", ("a", "b", "d"))


def test_a_judge_that_cannot_be_asked_is_refused() -> None:
    with pytest.raises(TypeError, match=r"label_judge must be a function .* got 3 \(int\)"):
        pd.DataFrame({"grade": ["A", "B", "C"]}).ordinal.infer_types(label_judge=3)
