"""Strings that are hardly levels: words for totals, and strings alone among others."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autotype.inference.sampling.stray_texts import lone_texts, odd_texts, stray_values, totals
from tests.reference.stray_texts import reference_stray_values


def test_words_for_totals_in_any_case() -> None:
    assert {"Total", "TOTAL", "grand total", "Grand Total", "Summe", "合计"} <= totals()
    assert "all" not in totals()


def test_texts_among_numbers_amounts_and_dates() -> None:
    assert odd_texts([*map(str, range(30)), "kg"]) == ["kg"]
    assert odd_texts([*(f"{k} €" for k in range(30)), "price"]) == ["price"]
    assert odd_texts([*(f"2024-01-{k:02d}" for k in range(1, 30)), "day"]) == ["day"]
    assert odd_texts(["red", "green", "blue"]) == []
    assert odd_texts([("a", 1), ("b", 2)]) == []
    assert odd_texts([*map(str, range(100)), *"abcdefghijklmnopqrstuvwxyz"]) == []


def test_texts_of_one_row() -> None:
    assert lone_texts({"a": 5, "b": 4, "c": 1}) == ["c"]
    assert lone_texts({"a": 1, "b": 1, "c": 1}) == []
    assert lone_texts({"NA": 1, "c": 1, "d": 3}) == ["c"]
    assert lone_texts({"north": 1, "south": 1, "east": 1, "Total": 1}) == ["Total"]


@pytest.mark.parametrize("seed", range(6))
def test_values_that_stand_out_agree_with_the_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pool = [
        "NA",
        "?",
        "k. A.",
        "Total",
        "kg",
        "yes",
        "999",
        "-9",
        *(f"{k / 4}" for k in range(200)),
    ]
    head = [f"{k / 8}" for k in range(120)] if seed % 2 else [f"w{k}" for k in range(120)]
    values = [*head, *rng.choice(pool, size=60).tolist()]
    codes, levels = pd.factorize(np.array(values, dtype=object))
    counts = np.bincount(codes)
    assert stray_values(pd.Index(levels), counts) == reference_stray_values(values)


def test_numbers_of_any_precision() -> None:
    for dtype in (np.longdouble, np.float32, "Int64", "uint8"):
        levels = pd.Index(pd.array(np.array([*range(50), 99]), dtype=dtype))
        assert stray_values(levels, np.ones(51, dtype=int)) == {0: 1, 99: 1}
