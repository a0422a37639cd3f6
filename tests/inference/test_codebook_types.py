"""Types of columns whose values a codebook explains: in stored values, with labels as evidence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autotype.inference.pipeline import infer_types
from autotype.types.codebook import Codebook, CodebookEntry
from autotype.types.column_type import ColumnType
from autotype.types.decisions.revise import revise_columns

AGREE = {1: "agree", 2: "neither agree nor disagree", 3: "disagree", 9: "don't know"}
BOOK = Codebook(
    {
        "q1": CodebookEntry("Do you agree?", values=AGREE, missing=(-9,), group="q"),
        "town": CodebookEntry(values={1: "Bern", 2: "Wien", 3: "Graz"}),
        "sex": CodebookEntry("Sex", values={1: "female", 2: "male", 9: "not stated"}),
        "income": CodebookEntry("Income in euro", missing_ranges=((-99, -1),)),
        "points": CodebookEntry("Points", values={0: "not at all", 10: "completely"}),
    }
)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    n = 300
    return pd.DataFrame(
        {
            "q1": draw.choice([1, 2, 3, 9, -9], n),
            "town": draw.choice([1, 2, 3], n),
            "sex": draw.choice([1, 2, 9], n),
            "income": np.where(draw.random(n) < 0.1, -9, draw.normal(3000, 500, n).round(1)),
            "points": draw.integers(0, 11, n),
        }
    )


@pytest.fixture(scope="module")
def types(frame: pd.DataFrame) -> dict[str, ColumnType]:
    found = infer_types(frame, codebook=BOOK, n_jobs=1)
    return {str(column.name): column for column in found.columns}


def test_a_scale_is_in_stored_values(types: dict[str, ColumnType]) -> None:
    q1 = types["q1"]
    assert q1.semantic_type == "ordinal"
    assert q1.order == (3, 2, 1)
    assert set(q1.off_scale) == {9, -9}
    assert set(q1.levels) == {1, 2, 3, 9, -9}
    assert (q1.labels, q1.title, q1.group) == (AGREE, "Do you agree?", "q")


def test_sentences_hold_the_labels(types: dict[str, ColumnType]) -> None:
    text = types["q1"].explain()
    assert '3 "disagree" < 2 "neither agree nor disagree" < 1 "agree"' in text
    assert '9 "don\'t know"' in text


def test_names_are_categorical_although_their_codes_are_numbers(
    types: dict[str, ColumnType],
) -> None:
    assert types["town"].semantic_type == "categorical"


def test_two_answers_beside_a_missing_one_are_binary(types: dict[str, ColumnType]) -> None:
    assert types["sex"].semantic_type == "binary"
    assert types["sex"].missing_markers == (9,)


def test_declared_missing_values_are_no_numbers(types: dict[str, ColumnType]) -> None:
    assert types["income"].semantic_type == "continuous"
    assert types["income"].missing_markers == (-9.0,)


def test_numbers_with_labelled_ends(types: dict[str, ColumnType]) -> None:
    assert types["points"].semantic_type == "ordinal"
    assert types["points"].order == tuple(range(11))


def test_without_label_text_the_codebook_is_no_evidence(frame: pd.DataFrame) -> None:
    q1 = infer_types(frame, codebook=BOOK, label_text=False, n_jobs=1).columns[0]
    assert q1.off_scale == ()


def test_stated_types_keep_what_the_codebook_sets_aside(frame: pd.DataFrame) -> None:
    stated = {"town": "categorical", "sex": "categorical", "income": "continuous"}
    book = Codebook({**BOOK.columns, "town": CodebookEntry(values={1: "Bern", 2: "Wien", 3: "NA"})})
    known = {c.name: c for c in infer_types(frame, codebook=book, known=stated).columns}
    assert known["town"].off_scale == (3,)
    assert (known["sex"].off_scale, known["sex"].n_levels) == ((9,), 3)
    assert set(known["sex"].levels) == {1, 2, 9}
    assert (known["income"].off_scale, known["income"].missing_markers) == ((), (-9.0,))


def test_a_binary_column_revised_to_names_sets_its_missing_answers_off(frame: pd.DataFrame) -> None:
    found = infer_types(frame, codebook=BOOK, n_jobs=1)
    revised = revise_columns(found.columns, None, {"sex": "categorical"})
    (sex,) = (column for column in revised if column.name == "sex")
    assert (sex.off_scale, sex.missing_markers, sex.n_levels) == ((9,), (), 3)
