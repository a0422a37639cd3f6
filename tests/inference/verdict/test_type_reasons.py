"""Reasons of a type: its probabilities, what counted for it, and what a key determines."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.column import Column
from autotype.inference.profile.type_model import TYPES, load_type_model
from autotype.inference.verdict.reasons import (
    reason_for,
    type_phrases,
    with_determined,
    write_type_reasons,
)


def column(**found: float) -> Column:
    x = Column("x", n_distinct=9)
    x.type_probabilities = {kind: found.get(kind, 0.0) for kind in TYPES}
    x.type_features = dict(
        zip(load_type_model().features, load_type_model().means.tolist(), strict=True)
    )
    return x


def test_phrases_are_of_features() -> None:
    said = type_phrases()
    assert set(said["features"]) <= set(load_type_model().features)
    assert set(said["ends"].values()) <= set(said["features"])
    assert set(said["types"]) == set(TYPES)


def test_probable_types_are_named_the_most_probable_first() -> None:
    (sentence,) = write_type_reasons(column(count=0.3, text=0.66, ordinal=0.04), "text")
    assert sentence == "Probable types: text 0.66, count 0.30."


def test_what_counted_most_is_named() -> None:
    x = column(datetime=1.0)
    x.type_features["dates"] = 1.0
    assert any("100% of its values look like dates" in s for s in write_type_reasons(x, "datetime"))


def test_a_fact_needs_no_reasons() -> None:
    x = column(binary=1.0)
    x.type_features = {}
    assert write_type_reasons(x, "binary") == ()


@pytest.mark.parametrize("kind", TYPES)
def test_another_type_than_that_of_the_rules_has_a_reason(kind: str) -> None:
    noun = type_phrases()["types"][kind]
    assert reason_for(column(**{kind: 0.75}), kind).endswith(f"{noun} (P = 0.75).")


def test_no_type_names_the_remedy() -> None:
    assert "known={'x': type}" in reason_for(column(), "undetermined")


def test_a_key_that_repeats_says_of_what() -> None:
    x = column(identifier=0.9)
    assert with_determined("It is a key.", x) == "It is a key."
    x.determines = ("town", "region")
    expected = "It is a key, and each determines one value of 'town', 'region'."
    assert with_determined("It is a key.", x) == expected
    assert "determines one value of 'town'" in reason_for(x, "identifier")
    assert "Each value goes with one value of 'town', 'region'." in write_type_reasons(
        x, "categorical"
    )


def test_so_it_does_where_rules_and_model_agree() -> None:
    person = np.random.default_rng(0).integers(0, 60, 400)
    frame = pd.DataFrame(
        {
            "mail": [f"p{k}@example.org" for k in person],
            "town": [f"town {k % 25}" for k in person],
        }
    )
    mail = autotype.infer_types(frame)["mail"]
    assert mail.semantic_type == "identifier"
    assert mail.reason.endswith("format email, and each determines one value of 'town'.")
