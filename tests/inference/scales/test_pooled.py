"""The evidence on a scale is that of its columns, weighed together."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from autotype.inference.column import in_codes
from autotype.inference.evidence.gather import gather_all
from autotype.inference.evidence.order_search import up_to_reversal
from autotype.inference.evidence.predictors import encode
from autotype.inference.profile.triage import triage
from autotype.inference.sampling.sample import sample_frame
from autotype.inference.scales.find_scales import find_scales
from autotype.inference.scales.pooled import pooled_column, settle_members, voters_of
from autotype.inference.scales.shared_scales import read_scales
from tests.reference.scales import reference_pooled_weights

WORDS = ("zib", "wol", "kam", "tup", "ran")


def gathered(frame: pd.DataFrame) -> list:
    """Return the columns of a frame with the evidence on those of its scale."""
    columns = sample_frame(frame, max_rows=999, max_levels=20, seed=0).columns
    (scale,) = find_scales(columns, [()] * len(columns))
    read_scales(columns, [scale])
    for column in columns:
        triage(column, max_levels=20)
    settle_members(scale)
    for column in scale.columns:
        column.reading, column.excluded = column.labels, (column.position,)
    gather_all(scale.columns, encode(columns))
    return list(scale.columns)


def items(n_items: int = 4, n_rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    latent = rng.normal(size=n_rows)
    frame = {"x": latent + 0.3 * rng.normal(size=n_rows)}
    for k in range(n_items):
        codes = np.digitize(latent + 0.7 * rng.normal(size=n_rows), [-1.2, -0.4, 0.4, 1.2])
        frame[f"q{k}"] = np.array(WORDS, dtype=object)[codes]
    return pd.DataFrame(frame)


def test_columns_that_test_each_other_separate_the_levels_together() -> None:
    members = gathered(items())
    parts = [column.data.features["separation"] for column in members]
    assert min(parts) > 3
    expected = sum(parts) / math.sqrt(2 * len(parts))
    assert pooled_column(members[0].shared, members).data.features["separation"] == pytest.approx(
        expected
    )


def test_orders_are_weighed_by_all_columns_on_the_levels_they_hold() -> None:
    frame = items()
    frame.loc[frame.q1 == "ran", "q1"] = None
    members = gathered(frame)
    data = pooled_column(members[0].shared, members).data
    levels = pooled_column(members[0].shared, members).scale
    expected = reference_pooled_weights(members, levels)
    found = {up_to_reversal(in_codes(order, levels)): w for order, w in expected.items()}
    for order, weight in data.log_weights.items():
        assert math.exp(weight) == pytest.approx(found[order], abs=1e-9)
    assert data.order == max(found, key=found.get)


def test_the_rows_of_all_columns_are_counted() -> None:
    frame = items()
    members = gathered(frame)
    whole = pooled_column(members[0].shared, members)
    counts = pd.Series(frame.filter(like="q").to_numpy().ravel()).value_counts()
    assert dict(whole.levels) == counts.to_dict()
    assert whole.data.scatter.counts.tolist() == [counts[level] for level in whole.scale]


def test_of_many_columns_some_decide_whatever_levels_they_hold() -> None:
    frame = items(30, 120)
    for k in range(30):
        if k != 17:
            frame.loc[frame[f"q{k}"] == "tup", f"q{k}"] = "kam"
    members = gathered(frame)
    (scale,) = {id(c.shared): c.shared for c in members}.values()
    voters = voters_of(scale)
    assert len(voters) < 20
    assert any("tup" in column.known_levels for column in voters)
    assert [c.name for c in voters_of(scale)] == [c.name for c in voters]


def test_an_item_that_looks_like_a_count_is_a_column_of_the_scale() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"q{k}": rng.integers(0, 5, 200) for k in range(5)})
    counts = [0] * 170 + [1] * 20 + [2] * 6 + [3] * 3 + [6]
    frame["q5"] = counts
    columns = sample_frame(frame, max_rows=999, max_levels=20, seed=0).columns
    triage(columns[5], max_levels=20)
    assert columns[5].semantic_type == "count"
    frame["q5"] = [min(n, 4) for n in counts]
    members = gathered(frame)
    assert [column.name for column in members] == [f"q{k}" for k in range(6)]
