"""The probability of an order, on columns that hold no information."""

import math

import numpy as np
import pandas as pd
import pytest

import autotype


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
