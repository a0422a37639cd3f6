"""What means a missing value never changes the type of a column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autotype
from autotype import ColumnType
from autotype.lexicon.languages import language
from autotype.lexicon.missing import missing_marks
from autotype.lexicon.toml_files import read_toml, toml_stems

PHRASES = read_toml("stray")["missing"]["phrases"]
NUMBERS = {
    "continuous": [f"{k / 7:.3f}" for k in range(60)],
    "count": [str(k * k) for k in range(60)],
    "datetime": [f"2024-{k % 12 + 1:02d}-{k % 28 + 1:02d}" for k in range(60)],
}


def infer(values: Any) -> ColumnType:
    return autotype.infer_types(pd.DataFrame({"a": values}))["a"]


def test_every_language_has_phrases() -> None:
    assert set(PHRASES) == set(toml_stems("languages"))


@pytest.mark.parametrize("code", PHRASES)
def test_phrases_are_off_the_scale_in_their_language(code: str) -> None:
    words = language(code)
    assert all(words.is_off_scale(words.split(phrase)) for phrase in PHRASES[code])


@pytest.mark.parametrize("code", PHRASES)
def test_phrases_of_every_language_are_missing_numbers(code: str) -> None:
    for semantic_type, values in NUMBERS.items():
        column = infer([*values, *PHRASES[code]])
        assert column.semantic_type == semantic_type
        assert set(column.missing_markers) == set(PHRASES[code])


@settings(max_examples=30)
@given(
    marker=st.sampled_from([*sorted(missing_marks()), "unknown", "k. A.", "不明"]),
    kind=st.sampled_from(sorted(NUMBERS)),
    n=st.integers(1, 20),
)
def test_a_marker_never_changes_the_type_of_numbers(marker: str, kind: str, n: int) -> None:
    column = infer([*NUMBERS[kind], *[marker] * n])
    assert (column.semantic_type, column.missing_markers) == (kind, (marker,))
    assert column.n_levels == infer(NUMBERS[kind]).n_levels


@pytest.mark.parametrize(
    ("values", "markers"),
    [
        ([*range(18, 90)] * 3 + [-9] * 5, (-9,)),
        ([*range(18, 90)] * 3 + [999] * 5, (999,)),
        ([*range(18, 90)] * 3 + [998, 999] * 5, (998, 999)),
        ([*range(18, 90)] * 3 + [99] * 5, ()),  # a person may be 99 years old
        ([*range(100)] * 3, ()),
        ([*np.arange(-300, 300) / 10.0] + [-999.0] * 9, (-999.0,)),
        ([*np.arange(-300, 300) / 10.0] + [-9.0] * 9, ()),
        ([*range(1990, 2020)] * 3 + [0] * 4, (0,)),
        ([0, 1] * 20 + [-9] * 3, (-9,)),
        ([0, 1] * 20 + [9] * 3, ()),
        ([*map(str, range(18, 90))] * 3 + ["-9"] * 5 + ["n/a"], ("n/a", "-9")),
    ],
    ids=str,
)
def test_codes_need_evidence(values: list, markers: tuple) -> None:
    column = infer(values)
    assert set(column.missing_markers) == set(markers)
    assert column.semantic_type == infer([v for v in values if v not in markers]).semantic_type


@pytest.mark.parametrize(
    ("levels", "semantic_type", "markers"),
    [
        (["Yes", "No", "unknown"], "binary", ("unknown",)),
        (["Ja", "Nein", "weiß nicht"], "binary", ("weiß nicht",)),
        (["Yes", "No", "I would prefer not to say"], "binary", ("I would prefer not to say",)),
        (["Urban", "Rural", "Don't know / refused"], "binary", ("Don't know / refused",)),
        (["Public", "Private", "Other"], "categorical", ()),
        (["AllPub", "NoSeWa", "NoSewr"], "ordinal", ()),  # "no sé" is Spanish
        (["Known", "Unknown"], "binary", ()),
        (["known", "unknown", "-"], "binary", ("-",)),
        (["Yes", "-"], "constant", ("-",)),
        (["ok", "n/a"], "constant", ("n/a",)),
        (["not known at all", "known a little", "known well"], "ordinal", ()),
        (["не могу совсем", "могу с помощью", "могу легко"], "ordinal", ()),
        (
            ["1-2 papers", "3-4 papers", "I don't know / does not apply / 0 papers"],
            "binary",
            ("I don't know / does not apply / 0 papers",),
        ),
    ],
)
def test_beside_one_or_two_levels(levels: list[str], semantic_type: str, markers: tuple) -> None:
    column = infer(levels * 12)
    assert (column.semantic_type, column.missing_markers) == (semantic_type, markers)
    assert column.n_levels == len(levels) - len(markers)


def test_beside_two_dates_that_are_no_strings() -> None:
    levels = [pd.Timestamp("2020-01-01"), pd.Timestamp("2021-01-01"), "unknown"]
    assert infer(levels * 12).missing_markers == ("unknown",)


def test_ordinal_columns_have_them_off_the_scale() -> None:
    column = infer(["low", "medium", "high", "unknown", "n/a"] * 9)
    assert column.order == ("low", "medium", "high")
    assert set(column.off_scale) == {"unknown", "n/a"}
    assert column.missing_markers == ()


def test_free_text_has_them() -> None:
    column = infer([f"a few words of row {k}" for k in range(150)] + ["unknown"] * 4)
    assert (column.semantic_type, column.missing_markers) == ("text", ("unknown",))


def test_namibia_is_a_country() -> None:
    assert infer(["NA", "DE", "FR", "ES", "IT"] * 9).off_scale == ()


def test_the_sign_of_most_rows_is_a_level_beside_a_word_for_a_missing_value() -> None:
    findings = ["."] * 60 + ["Gain"] * 20 + ["Loss"] * 15
    assert infer([*findings, "NA", "NA"]).off_scale == ("NA",)
    assert infer(findings).missing_markers == (".",)
    assert infer([*findings[40:], "NA", "NA"]).missing_markers == (".", "NA")
