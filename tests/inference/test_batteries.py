"""Columns of a battery share their verdict and their order."""

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.batteries import stem

WORDS = np.array(["zib", "wol", "kam", "tup", "ran"], dtype=object)


def battery(n_rows: int = 400, names=("q1", "q2", "q3", "q4")) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    latent = rng.normal(size=n_rows)
    frame = pd.DataFrame({"x": latent + 0.3 * rng.normal(size=n_rows)})
    for name in names:
        noisy = latent + 0.6 * rng.normal(size=n_rows)
        frame[name] = WORDS[np.digitize(noisy, [-1.2, -0.4, 0.4, 1.2])]
    return frame


def test_a_block_has_one_probability_and_one_order():
    types = autotype.infer_types(battery())
    columns = [types[name] for name in ("q1", "q2", "q3", "q4")]
    assert len({column.probability for column in columns}) == 1
    assert {column.best_order for column in columns} <= {tuple(WORDS), tuple(WORDS[::-1])}


def test_columns_with_unlike_names_are_no_block():
    types = autotype.infer_types(battery(names=("mood", "taste", "pace")))
    assert len({types[name].probability for name in ("mood", "taste", "pace")}) == 3


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ST25Q01", "st25q"),
        ("Q12", "q"),
        ("mood_3b", "mood"),
        ("item.a", "item"),
        ("age", "age"),
        (("wave", "q7"), "q"),
        (7, "7"),
        ("", ""),
    ],
)
def test_stem(name, expected):
    assert stem(name) == expected
