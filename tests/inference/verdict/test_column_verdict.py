"""Decisions: thresholds, batteries, and types without a model."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.column import Column, SharedScale
from autotype.inference.evidence.column_evidence import weigh_data
from autotype.inference.evidence.predictors import DesignMatrix
from autotype.inference.judges.label_judge import JudgeVerdict
from autotype.inference.labels.column_name import read_name
from autotype.inference.labels.evidence import NO_LABELS, LabelEvidence
from autotype.inference.labels.rules import read_labels
from autotype.inference.profile.triage import triage
from autotype.inference.sampling.sample import sample_frame
from autotype.inference.scales.shared_scales import read_scales
from autotype.inference.verdict.column_verdict import (
    decide,
    decide_all,
    denies_order,
    has_no_evidence,
    supported,
    type_from_rules,
    type_log_odds,
    weigh_orders,
)
from autotype.inference.verdict.verdict_model import type_features
from autotype.types.codebook import CodebookEntry
from autotype.types.column_type import ColumnType

SCALE = ("low", "medium", "high")


def evidence(
    name: str = "grade", levels: tuple = SCALE, labels: LabelEvidence | None = None, judged=None
) -> Column:
    column = Column(
        name,
        levels=dict.fromkeys(levels, 10),
        reading=read_labels(levels) if labels is None else labels,
        judged=judged,
        scale=levels,
    )
    column.features = type_features(column)
    return column


@pytest.mark.parametrize(
    ("log_odds", "semantic_type"),
    [
        (math.log(2) + 1e-9, "ordinal"),
        (math.log(2) - 1e-3, "undetermined"),
        (-math.log(2) + 1e-3, "undetermined"),
        (-math.log(2) - 1e-9, "categorical"),
    ],
)
def test_the_thresholds_are_odds_of_two_to_one(log_odds: float, semantic_type: str) -> None:
    candidate = evidence()
    probability = 1 / (1 + math.exp(-log_odds))
    column = decide(candidate, probability)
    assert column.semantic_type == semantic_type
    assert column.probability == probability
    assert column.best_order == SCALE
    assert (column.order is not None) == (semantic_type == "ordinal")
    assert column.evidence["order_source"] == "labels"


def test_without_evidence_the_type_is_undetermined() -> None:
    candidate = evidence(levels=("zib", "wol", "kam"), labels=NO_LABELS)
    assert has_no_evidence(candidate, is_alone=True)
    column = decide(candidate, supported(0.99, [candidate]))
    assert column.semantic_type == "undetermined"
    assert column.best_order is None
    assert math.isnan(column.order_probability)
    assert "order_source" not in column.evidence


def test_labels_that_are_not_understood_are_not_names() -> None:
    unread = evidence(levels=("zib", "wol", "kam"), labels=NO_LABELS)
    names = evidence(levels=("red", "green", "blue"))
    weigh_orders([unread, names])
    column, other = decide_all([unread, names])
    assert column.semantic_type == "undetermined"
    assert 1 / 3 < column.probability < 2 / 3
    assert other.semantic_type == "categorical"


def test_a_judge_is_evidence_and_adds_its_capped_log_odds() -> None:
    silent = evidence(levels=("zib", "wol", "kam"), labels=NO_LABELS)
    judged = evidence(
        levels=("zib", "wol", "kam"), labels=NO_LABELS, judged=JudgeVerdict(0.999, None)
    )
    assert not has_no_evidence(judged, is_alone=True)
    gained = list(map(type_log_odds, (silent, judged)))
    assert gained[1] - gained[0] == pytest.approx(3.0)


def test_a_question_that_asks_for_a_name_denies_an_order() -> None:
    asked = evidence("Which party did you vote for?", ("zib", "wol", "kam"), NO_LABELS)
    asked.name_score = read_name(asked.title)
    assert not has_no_evidence(asked, is_alone=True)
    assert denies_order(asked, is_alone=True)
    asked.name = "party"
    assert has_no_evidence(asked, is_alone=True)


def test_the_measure_of_a_file_is_a_weak_hint_on_labelled_codes() -> None:
    gained = []
    for measure in ("", "nominal", "ordinal", "scale"):
        column = evidence(levels=(1, 2, 3), labels=NO_LABELS)
        column.entry = CodebookEntry(values={1: "zib", 2: "wol", 3: "kam"}, measure=measure)
        gained.append(type_log_odds(column))
    without, nominal, ordinal, scale = gained
    assert without - 0.5 < nominal < without < ordinal < scale < without + 0.5


def test_the_columns_of_a_battery_share_their_log_odds() -> None:
    battery = [evidence(f"q{k}") for k in (1, 2, 3)]
    battery[0] = evidence("q1", labels=NO_LABELS)
    scale = SharedScale(tuple(battery))
    for position, column in enumerate(battery):
        column.position, column.shared = position, scale
    read_scales(battery, [scale])
    columns = [*battery, evidence("grade", levels=("bad", "good", "great"))]
    weigh_orders(columns)
    decided = decide_all(columns)
    assert [column.name for column in decided] == ["q1", "q2", "q3", "grade"]
    assert len({column.probability for column in decided[:3]}) == 1
    assert decided[3].probability != decided[0].probability


def test_no_candidates() -> None:
    assert decide_all([]) == []


def test_the_type_of_triage_is_kept_with_its_reason() -> None:
    frame = pd.DataFrame({"x": [1.5, 2.5, None, 3.5]})
    column = sample_frame(frame, max_rows=10, max_levels=20, seed=0).columns[0]
    triage(column, max_levels=20)
    found = type_from_rules(column)
    assert found.semantic_type == "continuous"
    assert found.reason == "It holds numbers that are not whole."
    assert found.n_rows_used == 3
    assert math.isnan(found.probability)


@pytest.mark.parametrize(("text_score", "denies"), [(-9.0, True), (0.0, False), (9.0, False)])
def test_texts_deny_an_order_only_where_they_are_those_of_names(text_score, denies) -> None:
    candidate = evidence(levels=("zib", "wol", "kam"), labels=NO_LABELS)
    candidate.text_score = text_score
    assert denies_order(candidate, is_alone=True) is denies


def test_what_is_read_as_a_scale_but_for_a_level_is_not_worded_like_names() -> None:
    levels = ("poor", "zib", "good")
    candidate = evidence(levels=levels, labels=read_labels(levels))
    candidate.text_score, candidate.name_score = -2.0, 0.0
    candidate.features = type_features(candidate)
    assert candidate.used_labels.unplaced == ("zib",)
    assert not denies_order(candidate, is_alone=False)


@pytest.mark.parametrize(
    ("corners", "denies"),
    [
        (np.eye(3), True),  # three clusters without a line
        (np.arange(3)[:, None] * np.ones(3), False),  # a line
        (np.zeros((3, 3)), False),  # no data to speak of
    ],
)
def test_the_other_columns_deny_an_order_where_the_levels_are_on_no_line(corners, denies) -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 600)
    X = 3 * corners[codes] + rng.normal(size=(600, 3))
    design = DesignMatrix(X - X.mean(axis=0), np.ones(3, dtype=bool), tuple("abc"), p_value=1e-12)
    candidate = evidence(levels=("zib", "wol", "kam"), labels=NO_LABELS)
    candidate.data = weigh_data(design, codes, 3)
    candidate.features = type_features(candidate)
    assert denies_order(candidate, is_alone=True) is denies


def test_names_of_a_battery_name_no_things() -> None:
    rng = np.random.default_rng(3)
    levels = ["qx", "zv", "kk", "wj"]
    frame = pd.DataFrame({f"item {k}": rng.choice(levels, 120) for k in range(4)})
    found = frame.ordinal.infer_types()
    assert {column.semantic_type for column in found.values()} == {"undetermined"}


def test_a_name_of_scales_orders_no_unread_levels() -> None:
    frame = pd.DataFrame({"size": np.random.default_rng(3).choice(["qx", "zv", "kk", "wj"], 120)})
    assert frame.ordinal.infer_types()["size"].semantic_type != "ordinal"


def test_dates_have_an_order_as_a_guess_only() -> None:
    frame = pd.DataFrame({"period": [f"Q{k % 4 + 1} 201{k // 4}" for k in range(12)]})
    types = autotype.infer_types(frame)
    found = types["period"]
    assert (found.semantic_type, found.order) == ("datetime", None)
    assert found.best_order == tuple(frame["period"])
    assert autotype.TypeReport.from_json(types.to_json()) == types


@pytest.mark.parametrize(
    "form", ["{n}. {text}", "{letter}) {text}", "({n}) {text}", "{n} - {text}"]
)
def test_what_lists_phrases_about_different_matters_makes_no_scale_of_them(form: str) -> None:
    reasons = (
        "Found a better job elsewhere",
        "Moved away with my family",
        "Health problems or injury",
        "Was made redundant",
    )
    places = (
        "Au marché du village",
        "Dans une grande surface",
        "Chez le producteur à la ferme",
        "Sur un site internet",
    )
    degrees = ("Not at all satisfied", "A little satisfied", "Fairly satisfied", "Very satisfied")
    rows = np.random.default_rng(0).permutation(np.arange(200) % 4)

    def typed(texts: tuple) -> ColumnType:
        listed = [
            form.format(n=k, letter="abcd"[k - 1], text=text) for k, text in enumerate(texts, 1)
        ]
        return autotype.infer_types(pd.DataFrame({"q14": np.array(listed)[rows]}))["q14"]

    assert typed(reasons).semantic_type == typed(places).semantic_type == "categorical"
    assert typed(degrees).semantic_type == "ordinal"


@pytest.mark.parametrize(("name", "is_ordinal"), [("dose", True), ("batch", False)])
def test_letters_are_ordered_where_the_name_speaks_of_degrees_alone(name, is_ordinal):
    frame = pd.DataFrame({name: np.random.default_rng(0).choice(list("ABCDE"), 200)})
    assert (autotype.infer_types(frame)[name].semantic_type == "ordinal") is is_ordinal
