"""The choice of a type: facts, vetoes, few rows, and the split between ordinal and categorical."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.column import Column
from autotype.inference.labels.rules import read_labels
from autotype.inference.profile.type_model import TYPES, load_type_model
from autotype.inference.sampling.sample import sample_frame
from autotype.inference.verdict import type_choice
from autotype.inference.verdict.type_choice import (
    LEAST_MASS,
    choose_type,
    mixed_log_odds,
    model_log_odds,
    model_speaks,
    split_by,
    weighed_probabilities,
)
from autotype.lexicon.toml_files import read_toml
from autotype.types.column_type import ColumnType

EVEN = replace(
    load_type_model(),
    intercepts=np.zeros(len(TYPES)),
    weights=np.zeros_like(load_type_model().weights),
)


def column(semantic_type=None, *, n: int = 100, levels=("a", "b", "c"), **parts) -> Column:
    found = Column(
        "x",
        levels=dict.fromkeys(levels, n // len(levels)),
        values=pd.Series(list(levels) * (n // len(levels))),
        n_distinct=len(levels),
        n_rows=n,
        reading=read_labels(levels),
        semantic_type=semantic_type,
    )
    found.type_features = {"levels": math.nan}
    for name, value in parts.items():
        setattr(found, name, value)
    return found


def weigh(column: Column) -> dict[str, float]:
    found = weighed_probabilities(column, EVEN)
    assert list(found) == list(TYPES)
    assert sum(found.values()) == pytest.approx(1.0)
    return found


def of(**named: float) -> dict[str, float]:
    rest = (1.0 - sum(named.values())) / (len(TYPES) - len(named))
    return {kind: named.get(kind, rest) for kind in TYPES}


def test_more_levels_are_neither_constant_nor_binary() -> None:
    found = weigh(column(levels=tuple("abcde")))
    assert (found["constant"], found["binary"]) == (0.0, 0.0)
    assert weigh(column(levels=tuple("abc")))["binary"] > 0  # of spellings of two


@pytest.mark.parametrize(
    ("format", "semantic_type"),
    [("email", "identifier"), ("list", "text"), ("json", "text"), ("year", "datetime")],
)
def test_a_format_settles_its_type(format: str, semantic_type: str) -> None:
    assert weigh(column(semantic_type, format=format))[semantic_type] >= 0.9 - 1e-9


def test_a_code_may_be_a_key_or_a_category() -> None:
    codes = tuple(f"A{k:03d}" for k in range(30))
    found = weigh(column("categorical", n=300, levels=codes, format="code"))
    assert found["identifier"] == pytest.approx(found["categorical"])


def test_a_type_that_a_format_does_not_settle_is_free() -> None:
    assert weigh(column("count", format="email")) == weigh(column("count"))


def test_a_scale_that_was_read_names_nothing() -> None:
    found = weigh(column(levels=("low", "medium", "high")))
    assert found["identifier"] < 0.05 * found["ordinal"]
    assert found["text"] < 0.05 * found["ordinal"]


def test_free_text_is_no_identifier() -> None:
    texts = column("text")
    texts.type_features["words"] = math.log1p(6.0)
    found = weigh(texts)
    assert found["identifier"] < 0.05 * found["text"]
    texts.type_features["words"] = math.log1p(1.0)  # long strings without blanks
    assert weigh(texts)["identifier"] == weigh(texts)["text"]


def test_the_rules_stand_for_few_rows() -> None:
    assert weigh(column("count", n=9))["count"] == pytest.approx(0.9)
    found = weigh(column(None, n=9))
    assert found["ordinal"] + found["categorical"] == pytest.approx(0.9)
    assert weigh(column("undetermined", n=9)) == weigh(column("undetermined"))


def test_the_split_keeps_the_mass() -> None:
    found = split_by(of(ordinal=0.3, categorical=0.3), 0.9)
    assert found["ordinal"] == pytest.approx(0.54)
    assert sum(found.values()) == pytest.approx(1.0)
    assert split_by({}, 0.5) == {}


def test_log_odds_are_mixed_where_labels_are_used() -> None:
    x = column(log_odds=2.0)
    assert mixed_log_odds(x) == 2.0
    x.type_probabilities = of(ordinal=0.1, categorical=0.8)
    share = load_type_model().constants["mixed"]
    assert mixed_log_odds(x) == pytest.approx(2.0 * (1 - share) + share * model_log_odds(x))
    x.reading = None
    assert mixed_log_odds(x) == 2.0


def test_the_model_speaks_only_of_levels_that_are_read() -> None:
    sure = of(ordinal=1e-9, categorical=0.9)
    assert model_speaks(column(levels=("low", "medium", "high"), type_probabilities=sure))
    unread = column(levels=("qa", "qb", "qc"), type_probabilities=sure)
    assert not model_speaks(unread)
    # What an equivalent column is read as says nothing of these levels.
    unread.reading = read_labels([1, 2, 3])
    assert not model_speaks(unread)
    few = column(n=9, levels=("low", "medium", "high"), type_probabilities=sure)
    assert not model_speaks(few)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (of(count=0.7), "count"),
        (of(count=0.35, text=0.3), "undetermined"),  # below the floor
        (of(categorical=0.9), "categorical"),
        (of(ordinal=0.9), None),  # of more levels than are ordered: as the rules say
        ({}, None),
    ],
)
def test_the_most_probable_type_is_chosen(found: dict, expected: str | None) -> None:
    assert choose_type(column(type_probabilities=found), None) == expected


def test_a_verdict_stands_where_order_is_the_question() -> None:
    verdict = ColumnType("x", "undetermined")
    found = of(ordinal=0.45, categorical=0.45)
    assert choose_type(column(type_probabilities=found), verdict) is None
    assert choose_type(column(type_probabilities=of(count=0.6)), verdict) == "count"


@pytest.mark.parametrize("label_text", [True, False])
def test_all_reported_numbers_agree(label_text: bool) -> None:
    rng = np.random.default_rng(0)
    level = rng.integers(0, 3, 200)
    frame = pd.DataFrame(
        {
            "size": np.array(["small", "medium", "large"])[level],
            "weight": level + rng.normal(size=200),
            "town": [f"Town {k}" for k in rng.integers(0, 60, 200)],
            "note": [f"some words on case {k} of many" for k in range(200)],
            "flag": rng.integers(0, 2, 200),
            "day": pd.date_range("2024-01-01", periods=200),
        }
    )
    for found in autotype.infer_types(frame, label_text=label_text).values():
        types = found.type_probabilities
        assert sum(types.values()) == pytest.approx(1.0)
        mass = types["ordinal"] + types["categorical"]
        if mass < LEAST_MASS:
            assert math.isnan(found.probability)
        else:
            assert found.probability == pytest.approx(types["ordinal"] / mass)


def test_every_feature_of_the_model_is_computed() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"size (cm)": rng.integers(0, 90, 90), "note": [f"n {k}" for k in range(90)]}
    )
    columns = sample_frame(frame, max_rows=99, max_levels=20, seed=0).columns
    for found in columns:
        found.semantic_type, found.reading = "count", read_labels(["a", "b"])
    type_choice.describe_types(columns, columns)
    computed = {name for found in columns for name in found.type_features}
    assert computed >= set(load_type_model().features)


def test_every_format_of_a_group_is_a_feature() -> None:
    groups = {f"format_{group}" for group in read_toml("formats")["groups"]}
    assert groups <= set(load_type_model().features)


@pytest.mark.parametrize("seed", range(8))
def test_noise_with_labels_that_nobody_reads_is_undetermined(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"x{j}": rng.standard_normal(200) for j in range(3)})
    levels = np.array([f"q{k:02d}z" for k in rng.permutation(90)[: 3 + seed]], dtype=object)
    frame["y"] = rng.choice(levels, 200)
    assert autotype.infer_types(frame, columns=["y"])["y"].semantic_type == "undetermined"


def test_numbers_that_are_not_whole_are_ordinal_where_the_model_says_so() -> None:
    grades = np.random.default_rng(0).choice([0.0, 0.5, 1.0], size=300)
    found = autotype.infer_types(pd.DataFrame({"risk_level": grades, "x": np.arange(300) * 0.37}))
    graded = found["risk_level"]
    assert graded.semantic_type == max(graded.type_probabilities, key=graded.type_probabilities.get)
    assert graded.order == tuple(graded.levels) == (0.0, 0.5, 1.0)
    assert graded.direction_known or graded.order_probability > 0.9
    assert found["x"].order is None


@pytest.mark.parametrize("values", [[1.5, 2.25, 3.0], [1.5, 2.5, 4.0], [0.1, 0.2, 0.3]])
def test_numbers_in_other_steps_than_halves_stay_amounts(values) -> None:
    masses = pd.DataFrame({"mass": values * 12, "plan": ["Paid", "Free", "None"] * 12})
    assert autotype.infer_types(masses)["mass"].semantic_type == "continuous"
