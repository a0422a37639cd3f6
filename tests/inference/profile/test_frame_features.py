"""What the other columns of a frame show of a column."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from autotype.inference.profile.value_features import (
    _MIN_ROWS,
    _determines,
    frame_features,
)
from autotype.inference.sampling.sample import sample_frame
from tests.reference.determined_columns import determines

RNG = np.random.default_rng(0)
STATION = RNG.integers(0, 40, 600)
FRAME = pd.DataFrame(
    {
        "station": STATION + 7000,
        "town": [f"town {k // 2}" for k in STATION],
        "region": [f"region {k // 8}" for k in STATION],
        "value": RNG.normal(size=600),
    }
)


def describe(frame: pd.DataFrame):
    columns = sample_frame(frame, max_rows=5000, max_levels=20, seed=0).columns
    features, determined = frame_features(columns, columns)
    names = [column.name for column in columns]
    assert all(list(row) == ["alike", "determines", "determined"] for row in features)
    return dict(zip(names, features, strict=True)), {
        name: {names[k] for k in found} for name, found in zip(names, determined, strict=True)
    }


def test_a_key_determines_what_goes_with_it() -> None:
    features, determined = describe(FRAME)
    assert determined == {
        "station": {"town", "region"},
        "town": {"region"},
        "region": set(),
        "value": set(),
    }
    assert features["station"]["determines"] == pytest.approx(math.log(3))
    assert features["region"]["determined"] == pytest.approx(math.log(3))


def test_one_exception_refutes_it() -> None:
    frame = FRAME.copy()
    frame.loc[599, "region"] = "elsewhere"
    _, determined = describe(frame)
    assert determined["station"] == {"town"}


def test_neither_order_nor_constants_count() -> None:
    features, determined = describe(FRAME)
    more = FRAME.assign(constant="x", empty=None)[
        ["value", "empty", "region", "constant", "town", "station"]
    ]
    found, found_determined = describe(more.sample(frac=1, random_state=1))
    assert {name: found[name] for name in FRAME} == features
    assert {name: found_determined[name] for name in FRAME} == determined


@pytest.mark.parametrize("seed", range(40))
def test_it_agrees_with_plain_dictionaries(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_keys = int(rng.integers(15, 200)), int(rng.integers(2, 60))
    key = rng.integers(-1, n_keys, n)
    other = np.where(rng.random(n) < 0.1, -1, key // 2)
    other[rng.integers(0, n, int(rng.integers(0, 2)))] = 0
    assert _determines(key, other) == determines(key, other, min_rows=_MIN_ROWS)
