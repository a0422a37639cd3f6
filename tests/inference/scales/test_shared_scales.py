from __future__ import annotations

import pandas as pd

from autotype.inference.labels.rules import read_labels
from autotype.inference.sampling.sample import sample_frame
from autotype.inference.scales.shared_scales import read_scales

ANSWERS = ["never", "sometimes", "always"]


def test_columns_with_the_same_levels_share_one_reading(monkeypatch) -> None:
    frame = pd.DataFrame(
        {"a": ANSWERS, "b": ANSWERS[::-1], "c": ["x", "y", "z"], "d": [1, 2, 3], "e": [1.0, 2, 3]}
    )
    read = []
    monkeypatch.setattr(
        "autotype.inference.column.read_labels",
        lambda levels, name: read.append(sorted(map(str, levels))) or read_labels(levels),
    )
    columns = sample_frame(frame, max_levels=9, seed=0).columns
    read_scales(columns, [])
    a, b, _, d, e = columns
    assert a.labels is b.labels
    assert a.labels == read_labels(ANSWERS)
    assert read == [sorted(ANSWERS)]  # of the others, none is read before it is needed
    assert {type(level) for level in d.labels.order} == {int}  # 1 and 1.0 are two levels
    assert {type(level) for level in e.labels.order} == {float}


def test_columns_without_listed_levels_share_nothing() -> None:
    frame = pd.DataFrame({"a": range(300), "b": range(300)})
    columns = sample_frame(frame, max_levels=9, seed=0).columns
    read_scales(columns, [])
    assert not any("labels" in vars(column) for column in columns)
