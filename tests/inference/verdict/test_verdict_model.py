"""The probability of an order, on columns that hold no information."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.column import Column
from autotype.inference.judges.label_judge import JudgeVerdict
from autotype.inference.labels.evidence import NO_LABELS
from autotype.inference.labels.rules import read_labels
from autotype.inference.learned import (
    ORDER_FEATURES,
    PLACING_FEATURES,
    TYPE_FEATURES,
)
from autotype.inference.verdict.order_choice import ChosenOrder, choose_order
from autotype.inference.verdict.verdict_model import (
    order_features,
    order_probability,
    placed_probability,
    placing_features,
    type_features,
)


def order_probabilities(n_levels: int, n_predictors: int, n_columns: int = 30) -> np.ndarray:
    """Order probabilities of columns of noise, whose levels have no meaning."""
    rng = np.random.default_rng(100 * n_levels + n_predictors)
    found = []
    for _ in range(n_columns):
        n_rows = int(rng.choice([80, 200, 500]))
        frame = pd.DataFrame({f"x{k}": rng.normal(size=n_rows) for k in range(n_predictors)})
        tokens = np.array([f"q{k:02d}z" for k in rng.permutation(90)[:n_levels]])
        frame["y"] = tokens[rng.integers(0, n_levels, n_rows)]
        found.append(autotype.infer_types(frame, "y")["y"].order_probability)
    return np.array(found)


@pytest.mark.parametrize("n_predictors", [1, 2, 4, 8])
@pytest.mark.parametrize("n_levels", [3, 5, 8])
def test_on_noise_an_order_is_as_probable_as_by_chance(n_levels: int, n_predictors: int) -> None:
    chance = 2 / math.factorial(n_levels)
    assert order_probabilities(n_levels, n_predictors).mean() == pytest.approx(chance, abs=0.05)


def test_an_order_in_strong_data_is_probable() -> None:
    rng = np.random.default_rng(0)
    rank = rng.integers(0, 4, 400)
    tokens = np.array(["zib", "wol", "kam", "tup"])
    frame = pd.DataFrame({f"x{k}": rank + 0.5 * rng.normal(size=400) for k in range(3)})
    column = autotype.infer_types(frame.assign(y=tokens[rank]), "y")["y"]
    assert column.order_probability > 0.85


def evidence(levels: tuple, *, judged: JudgeVerdict | None = None, read: bool = True):
    labels = read_labels(levels) if read else NO_LABELS
    counts = dict.fromkeys(levels, 10)
    return Column("grade", levels=counts, reading=labels, judged=judged, scale=levels)


def test_the_features_are_those_of_the_models() -> None:
    candidate = evidence(("low", "medium", "high"))
    assert tuple(type_features(candidate)) == TYPE_FEATURES
    assert tuple(order_features(candidate, choose_order(candidate))) == ORDER_FEATURES
    data = SimpleNamespace(features={"monotone_share": 0.9})
    assert tuple(placing_features(0.5, data)) == PLACING_FEATURES


def test_features_of_labels_without_data() -> None:
    features = type_features(evidence(("low", "medium", "high", "zorp")))
    assert features["label_scale"] == 1.0
    assert features["label_unplaced"] == 0.25
    assert features["inverse_levels"] == 0.25
    assert features["log_rows"] == pytest.approx(math.log(40))
    assert math.isnan(features["predictability"])


def test_what_grows_with_the_rows_is_weighed_as_of_those_of_the_fit() -> None:
    levels = ("a", "b", "c", "d")
    at_most, above = (
        type_features(evidence_of_data(levels, n_rows=n, z=z, gain=gain, weight=weight))
        for n, z, gain, weight in ((1600, 5.0, 3.0, -2.0), (6400, 10.0, 6.0, -8.0))
    )
    assert above == pytest.approx(at_most, nan_ok=True)
    fewer = type_features(evidence_of_data(levels, n_rows=400, z=5.0, gain=3.0, weight=-2.0))
    assert fewer == pytest.approx(at_most, nan_ok=True)


def evidence_of_data(levels: tuple, *, n_rows: int, z: float, gain: float, weight: float) -> Column:
    """A column whose data speak against the labels' order."""
    found = evidence(levels)
    assert found.suggested == (0, 1, 2, 3)
    found.data = SimpleNamespace(
        order=(0, 2, 1, 3),
        n_rows=n_rows,
        predictable=True,
        features={"captured": 0.0, "order_weight": 0.0, "predictability": z, "evidence_gain": gain},
        gap=lambda other: -weight if other == found.suggested else 0.0,
    )
    return found


def test_data_that_show_an_order_are_weighed_more_than_words_like_names() -> None:
    rng = np.random.default_rng(3)
    words = np.array(["Zorbel", "Kramit", "Velkor", "Staupo", "Brindal"])
    rank = rng.integers(0, 5, 500)
    by_order = {f"x{k}": rank + 1.5 * rng.normal(size=500) for k in range(4)}
    by_name = {f"x{k}": 2 * rng.normal(size=5)[rank] + rng.normal(size=500) for k in range(4)}
    shown, denied = (
        autotype.infer_types(pd.DataFrame(frame).assign(krim=words[rank]), "krim")["krim"]
        for frame in (by_order, by_name)
    )
    assert shown.order in (tuple(words), tuple(words[::-1]))
    assert denied.semantic_type == "categorical"


@pytest.mark.parametrize(
    ("n_levels", "gain", "shown"), [(3, 3, 0), (4, 3, 1), (4, 1, 0), (4, -3, 0), (4, 9, 1.5)]
)
def test_an_order_is_shown_by_its_gain_and_its_weight(n_levels, gain, shown) -> None:
    found = evidence(("low", "medium", "high", "very high")[:n_levels])
    data = evidence_of_data(
        ("low", "medium", "high", "very high"), n_rows=400, z=5, gain=gain, weight=0
    ).data
    data.features["order_weight"] = 0.5
    found.data = data
    assert type_features(found)["order_shown"] == 0  # the labels give the order
    found.reading = NO_LABELS
    assert type_features(found)["order_shown"] == shown


@pytest.mark.parametrize(
    ("z", "separation", "share"), [(1, 0, 1), (0, 9, 1), (0, 1.5, 0.5), (-1, -2, 0)]
)
def test_an_order_is_surer_the_more_the_level_means_differ(z, separation, share) -> None:
    levels = ("zib", "wol", "kam", "tup")
    candidate = evidence(levels, read=False)
    features = {"predictability": z, "separation": separation, "canonical_agrees": 1.0}
    weights = {(0, 1, 2, 3): -0.1, (0, 2, 1, 3): -2.0}
    candidate.data = SimpleNamespace(order=(0, 1, 2, 3), features=features, log_weights=weights)
    chosen = ChosenOrder(levels, False, "data")
    whole = placed_probability(candidate, chosen)
    found = order_probability(candidate, chosen)
    assert found == pytest.approx(1 / 12 + share * (whole - 1 / 12))
    other = ChosenOrder(("wol", "zib", "kam", "tup"), False, "battery")
    assert order_probability(candidate, other) == pytest.approx(1 / 12)


def test_levels_placed_by_nothing_are_right_by_chance() -> None:
    read, chance = ("very low", "low", "medium", "high", "very high"), 1 / 6 / 7
    whole, candidate = evidence(read), evidence((*read, "zorp", "blim"))
    candidate.reading = replace(read_labels(read), unplaced=("zorp", "blim"))
    sure = order_probability(whole, choose_order(whole))
    chosen = choose_order(candidate)
    assert chosen.placed_by is None
    assert order_probability(candidate, chosen) == pytest.approx(sure * chance, rel=0.2)


def test_a_level_in_the_gap_of_a_scale_is_as_sure_as_its_place() -> None:
    for levels, least, most in (
        (("never", "rarely", "zorp", "often", "always"), 0.9, 1.0),
        (("very low", "low", "medium", "high", "very high", "zorp"), 0.0, 0.5),  # no gap
    ):
        candidate = evidence(levels)
        chosen = choose_order(candidate)
        assert (chosen.unplaced, chosen.placed_by) == (("zorp",), "labels")
        assert least < order_probability(candidate, chosen) < most
        assert (chosen.order == levels) is (least > 0)


def test_the_order_of_a_file_places_a_level_if_the_others_agree() -> None:
    levels = ("low", "zorp", "medium", "high")
    for held, source in ((levels, "dtype"), (("zorp", "high", "low", "medium"), "labels")):
        candidate = evidence(levels)
        candidate.values = pd.Series(pd.Categorical(levels, categories=held, ordered=True))
        chosen = choose_order(candidate)
        assert chosen.placed_by == source
        assert (chosen.order == levels) is (source == "dtype")
        assert (order_probability(candidate, chosen) > 0.9) is (source == "dtype")


def test_a_judge_who_agrees_with_the_labels_places_the_others() -> None:
    levels = ("low", "zorp", "medium", "high")
    judged = JudgeVerdict(0.9, levels)
    chosen = choose_order(evidence(levels, judged=judged))
    assert (chosen.order, chosen.placed_by) == (levels, "judge")
    alone = order_probability(evidence(levels), choose_order(evidence(levels)))
    assert order_probability(evidence(levels, judged=judged), chosen) > max(0.8, 2 * alone)
    opposed = JudgeVerdict(0.9, ("medium", "zorp", "low", "high"))
    assert choose_order(evidence(levels, judged=opposed)).placed_by == "labels"


def test_without_an_order_there_is_no_probability() -> None:
    candidate = evidence(("zib", "wol", "kam"), read=False)
    assert math.isnan(order_probability(candidate, ChosenOrder(None, False, None)))


def test_an_order_of_columns_that_do_not_predict_is_as_probable_as_by_chance() -> None:
    levels = ("zib", "wol", "kam", "tup")
    candidate = evidence(levels, read=False)
    assert order_probability(candidate, ChosenOrder(levels, False, "data")) == 1 / 12


@pytest.mark.parametrize("n_levels", [3, 4, 6])
def test_without_data_the_order_of_a_judge_has_its_stated_probability(n_levels: int) -> None:
    levels = ("zib", "wol", "kam", "tup", "ran", "hox")[:n_levels]
    candidate = evidence(levels, judged=JudgeVerdict(0.8, levels), read=False)
    chosen = choose_order(candidate)
    assert chosen.source == "judge"
    chance = 2 / math.factorial(n_levels)
    assert order_probability(candidate, chosen) == pytest.approx(0.8 + 0.2 * chance)
