"""A label judge is one more piece of evidence, and its answers are checked."""

from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.judges.label_judge import JudgeVerdict, query_judge

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"grumble": RNG.choice(["zib", "wol", "kam"], 120), "x": RNG.normal(size=120)})


def test_a_verdict_moves_the_probability_and_gives_the_order():
    alone = autotype.infer_types(FRAME)["grumble"]
    order = ["wol", "zib", "kam"]
    yes = autotype.infer_types(FRAME, label_judge=lambda name, levels: (0.99, order))["grumble"]
    no = autotype.infer_types(FRAME, label_judge=lambda name, levels: (0.01, None))["grumble"]
    assert no.probability < alone.probability < yes.probability
    assert yes.best_order == tuple(order)
    assert no.semantic_type == "categorical"


def test_no_verdict_changes_nothing():
    alone = autotype.infer_types(FRAME)
    silent = autotype.infer_types(FRAME, label_judge=lambda name, levels: None)
    assert silent["grumble"] == alone["grumble"]


def test_the_judge_is_queried_once_a_discrete_column():
    queried = []
    autotype.infer_types(
        FRAME, label_judge=lambda name, levels: queried.append((name, set(levels)))
    )
    assert queried == [("grumble", {"zib", "wol", "kam"})]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("ordinal", "expected \\(probability, order\\)"),
        ((10**400, None), "expected \\(probability, order\\)"),
        ((10**5_000, None), "returned a tuple too long to be shown for column 'c'; expected"),
        ((0.5, {"a", "b", "d"}), "expected \\(probability, order\\)"),
        ((0.5, 3), "expected \\(probability, order\\)"),
        ((0.5, [[], [], []]), "expected \\(probability, order\\)"),
        ((1.5, None), "not within \\[0, 1\\]"),
        ((float("nan"), None), "not within"),
        ((0.5, ["a"]), "each of its levels once"),
        ((0.5, ["a", "b", "b"]), "each of its levels once"),
    ],
)
def test_bad_answers_are_refused(answer, message):
    with pytest.raises(ValueError, match=message):
        query_judge(lambda name, levels: answer, [("c", ("a", "b", "d"))])


def test_a_judge_whose_judge_all_is_no_method_is_a_function() -> None:
    judge = Mock(side_effect=[(0.5, None)], judge_all=None)
    assert query_judge(judge, [("c", ("a", "b"))]) == [JudgeVerdict(0.5, None)]


def test_a_judge_that_cannot_be_queried_is_refused() -> None:
    with pytest.raises(TypeError, match=r"label_judge must be a function .* got 3 \(int\)"):
        pd.DataFrame({"grade": ["A", "B", "C"]}).ordinal.infer_types(label_judge=3)


def noise_frame(n_levels: int, n_predictors: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    tokens = np.array([f"q{k:02d}z" for k in rng.permutation(90)[:n_levels]])
    frame = pd.DataFrame({f"x{k}": rng.normal(size=200) for k in range(n_predictors)})
    return frame.assign(grumble=rng.permutation(tokens[np.arange(200) % n_levels]))


def test_the_order_of_a_judge_is_not_the_labels_own():
    order = ["wol", "zib", "kam"]
    column = autotype.infer_types(FRAME, label_judge=lambda name, levels: (0.9, order))["grumble"]
    assert column.evidence["order_source"] == "judge"
    assert column.evidence["judge_probability"] == 0.9
    sentence = "The label judge orders the levels wol < zib < kam, with P(ordinal) = 0.90."
    assert column.reasons[0] == sentence
    assert sentence in column.explain()


@pytest.mark.parametrize("codes", [("kx", "qv", "zw"), ("A7", "B3", "C9", "D1")])
def test_answers_off_the_scale_do_not_make_names_of_codes(codes):
    levels = [*codes, "don't know", "refused", "not applicable"]
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"grumble": rng.choice(levels, 200), "x": rng.normal(size=200)})
    judged = autotype.infer_types(frame, label_judge=lambda name, held: (0.99, list(held)))
    alone = autotype.infer_types(frame[frame["grumble"].isin(codes)])
    assert set(judged["grumble"].off_scale) == set(levels[-3:])
    assert judged["grumble"].probability > 0.9
    assert autotype.infer_types(frame)["grumble"].semantic_type == "undetermined"
    assert alone["grumble"].semantic_type == "undetermined"


def test_a_judge_without_an_order_is_named():
    column = autotype.infer_types(FRAME, label_judge=lambda name, levels: (0.9, None))["grumble"]
    assert column.evidence["order_source"] == "data"
    assert "The label judge states P(ordinal) = 0.90." in column.reasons


@pytest.mark.parametrize("stated", [0.5, 0.7])
def test_on_noise_the_order_is_as_sure_as_its_judge(stated):
    frame = noise_frame(5, 3, seed=0)
    order = sorted(set(frame["grumble"]))
    types = autotype.infer_types(frame, "grumble", label_judge=lambda *_: (stated, order))
    assert types["grumble"].order_probability == pytest.approx(stated, abs=0.05)


def test_the_confidence_of_a_judge_is_capped():
    frame = noise_frame(5, 3, seed=0)
    order = sorted(set(frame["grumble"]))
    types = autotype.infer_types(frame, "grumble", label_judge=lambda *_: (1.0, order))
    assert types["grumble"].order_probability == pytest.approx(0.8, abs=0.01)


def test_the_order_of_a_judge_weighs_as_often_as_labels_confirm_it():
    rng = np.random.default_rng(1)
    scales = (("low", "medium", "high"), ("never", "rarely", "often"), ("poor", "fair", "good"))
    frame = pd.DataFrame({f"s{k}": rng.choice(scale, 90) for k, scale in enumerate(scales)})
    frame["again"] = rng.permutation(frame["s0"])  # one scale with s0
    frame["grumble"] = rng.choice(["zib", "wol", "kam"], 90)
    known = dict(zip(("s0", "s1", "s2"), map(list, scales), strict=True))

    def judged(right: bool):
        def judge(name, levels):
            order = known.get(name, ["zib", "wol", "kam"])
            return 0.95, order if right or name == "grumble" else [order[k] for k in (1, 0, 2)]

        return autotype.infer_types(frame, label_judge=judge)["grumble"]

    trusted, doubted = judged(True), judged(False)
    assert "Of 3 scales that labels order it orders 3 alike." in trusted.reasons
    assert "Of 3 scales that labels order it orders 0 alike." in doubted.reasons
    assert trusted.order == ("zib", "wol", "kam")
    assert doubted.order is None
    assert 1 / 3 < doubted.order_probability < 0.7


def test_predictive_columns_confirm_or_contradict_the_order_of_a_judge():
    rng = np.random.default_rng(0)
    rank = rng.integers(0, 4, 400)
    tokens = np.array(["zib", "wol", "kam", "tup"])
    frame = pd.DataFrame({"x": rank + 0.4 * rng.normal(size=400), "grumble": tokens[rank]})

    def sure(order) -> float:
        types = autotype.infer_types(frame, "grumble", label_judge=lambda *_: (0.8, order))
        return types["grumble"].order_probability

    assert sure(list(tokens)) > 0.95
    assert sure(list(tokens[[1, 3, 0, 2]])) < 0.3


class AllAtOnce:
    """A judge of all columns: its answers stand in a list, or come one after the other."""

    def __init__(self, answer, *, as_list: bool = False) -> None:
        self.answer, self.as_list, self.asked = answer, as_list, []

    def __call__(self, name, levels):
        raise AssertionError("judge_all is called instead")

    def judge_all(self, columns):
        self.asked.append(columns)
        answers = (self.answer(name, levels) for name, levels in columns)
        return list(answers) if self.as_list else answers


@pytest.mark.parametrize("as_list", [True, False])
def test_a_judge_of_all_columns_is_queried_once_and_answers_as_one_of_each(as_list):
    frame = FRAME.assign(grouse="not " + FRAME["grumble"], stated="kept")

    def each(name, levels):
        return (0.9, sorted(levels)) if name == "grouse" else None

    judge = AllAtOnce(each, as_list=as_list)
    one_by_one = autotype.infer_types(frame, ["grumble", "grouse"], label_judge=each)
    at_once = autotype.infer_types(frame, ["grumble", "grouse"], label_judge=judge)
    assert list(at_once.columns) == list(one_by_one.columns)
    ((first, second),) = judge.asked
    assert (first[0], second[0]) == ("grumble", "grouse")
    assert set(second[1]) == {"not zib", "not wol", "not kam"}


def test_a_judge_is_queried_once_about_a_scale() -> None:
    frame = FRAME.assign(grouse=FRAME["grumble"].str.upper())
    asked = []

    def judge(name, levels):
        asked.append((name, set(levels)))
        return 0.9, sorted(levels)

    found = autotype.infer_types(frame, ["grouse"], label_judge=judge)["grouse"]
    assert [levels for _, levels in asked] == [{"ZIB", "WOL", "KAM"}]
    assert found.best_order == ("KAM", "WOL", "ZIB")


def test_a_judge_of_all_columns_is_not_queried_about_none():
    judge = AllAtOnce(lambda name, levels: None)
    autotype.infer_types(pd.DataFrame({"x": [1.5, 2.5, 3.75]}), label_judge=judge)
    assert judge.asked == []


@pytest.mark.parametrize(("n_answers", "message"), [(0, "0 answers for 1 col"), (2, "2 answers")])
def test_as_many_answers_as_columns_are_needed(n_answers, message):
    judge = AllAtOnce(None)
    judge.judge_all = lambda columns: [None] * n_answers
    with pytest.raises(ValueError, match=f"judge_all returned {message}.*one a column, None where"):
        autotype.infer_types(FRAME, label_judge=judge)


def test_answers_that_are_none_at_all():
    judge = AllAtOnce(None)
    judge.judge_all = lambda columns: None
    with pytest.raises(TypeError, match=r"judge_all must return or yield .* got None \(NoneType\)"):
        autotype.infer_types(FRAME, label_judge=judge)
