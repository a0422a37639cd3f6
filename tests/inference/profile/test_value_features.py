"""What the values of hand-made columns show."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from autotype.inference.column import Column
from autotype.inference.profile.type_model import load_type_model
from autotype.inference.profile.value_features import value_features
from autotype.inference.sampling.sample import sample_frame


def column(values, **options) -> Column:
    frame = pd.DataFrame({"x": pd.Series(values, **options)})
    return sample_frame(frame, max_rows=5000, max_levels=20, seed=0).columns[0]


def features(values, **options) -> dict[str, float]:
    found = value_features(column(values, **options))
    assert set(found) <= set(load_type_model().features)
    return found


def test_counts() -> None:
    found = features(["a", "a", "a", "b", None], dtype=object)
    assert found["missing"] == 0.2
    assert found["distinct_share"] == 0.5
    assert found["top_share"] == 0.75
    assert found["single_levels"] == 0.5
    assert found["single_rows"] == 0.25
    assert found["unique"] == 0.0


def test_strings() -> None:
    found = features(["AB-01", "AB-02", "AB-03"])
    assert found["one_length"] == found["code_like"] == found["capitals"] == 1.0
    assert found["common_start"] == pytest.approx(0.8)
    assert found["numbers"] == 0.0
    assert "whole" not in found
    assert features(["2024-01-05", "2024-02-06"])["dates"] == 1.0
    assert features(["https://a.org", "www.b.org"])["addresses"] == 1.0
    assert features(["007", "012", "100"])["leading_zeros"] == pytest.approx(2 / 3)
    assert features(["It rains.", "It is dry!"])["sentences"] == 1.0


def test_numbers() -> None:
    found = features([0, 1, 1, 2, 3, 3])
    assert (found["whole"], found["consecutive"], found["dense"]) == (1.0, 1.0, 1.0)
    assert found["starts_at"] == 0.0
    found = features([10.25, 20.5, -30.0])
    assert (found["negative"], found["decimals"]) == (1.0, 1.0)
    assert "dense" not in found
    assert features([1990, 2005, 2020])["years"] == 1.0
    assert features([100, 250, 300])["tens"] == 1.0


@pytest.mark.parametrize("values", [[1, 2, 2, 5], [0.5, 1.5, 1.5, 4.25], [10, 200, 3000]])
def test_numbers_as_strings_are_described_alike(values: list) -> None:
    for written in ([str(v) for v in values], [str(v).replace(".", ",") for v in values]):
        expected, found = features(values), features(written)
        numbers = list(found)[list(found).index("numbers") :]
        assert {"numbers", "whole", "years"} <= set(numbers)
        for name in numbers:
            assert found[name] == pytest.approx(expected[name], nan_ok=True), name


@pytest.mark.parametrize("kind", ["words", "numbers"])
def test_the_order_of_rows_changes_nothing(kind: str) -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 1000, 800)
    series = pd.Series(values if kind == "numbers" else [f"town {v}" for v in values])
    expected = features(series)
    found = features(series.sample(frac=1, random_state=2).reset_index(drop=True))
    assert found == pytest.approx(expected, nan_ok=True)


def test_without_texts_only_counts_are_used() -> None:
    found = value_features(column(["a", "b", "b"]), texts=False)
    assert found.keys() == value_features(column([]), texts=False).keys()
    assert not {"length", "whole"} & set(found)
    assert value_features(column([1, 2, 2]), texts=False)["whole"] == 1.0


@pytest.mark.parametrize(
    "values",
    [
        [math.inf, 1.0, 2.0, -math.inf],
        [1e308, -1e308, 0.5],
        [True, False, True],
        [10**30, 5, 7],
        ["", " ", "\n"],
        [(1, 2), "a", 3.5],
        [1e-300, 2e-300, 1.0],
    ],
)
def test_odd_values_raise_nothing(values: list) -> None:
    for value in features(values, dtype=object).values():
        assert math.isnan(value) or math.isfinite(value)


def test_longer_floats_are_numbers_without_a_warning() -> None:
    levels = [np.longdouble("1e400"), np.longdouble(2), np.longdouble(3)]
    assert "whole" in features([*levels, *levels], dtype=object)
