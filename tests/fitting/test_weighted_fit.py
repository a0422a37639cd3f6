"""A report with weights weights the rows of a fit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import autotype


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    sizes = np.array(["S", "M", "L"])[np.digitize(x + rng.normal(size=300), [-0.5, 0.5])]
    w = np.where(sizes == "L", 5.0, 0.5)
    w[:20] = np.nan
    return pd.DataFrame({"x": x, "size": sizes, "w": w})


def test_rows_are_weighted_and_weights_are_no_feature(frame) -> None:
    types = autotype.infer_types(frame, weights="w")
    model = autotype.fit(frame, "size", types, model=LogisticRegression(), cv=2)
    assert list(model.pipeline["encode"].get_feature_names_out()) == ["x"]
    assert (model.n_rows, model.n_dropped) == (280, 20)
    held = frame[20:]
    x = model.pipeline[:-1].transform(held[["x"]])
    twin = LogisticRegression().fit(x, held["size"], sample_weight=held["w"])
    assert model.pipeline["model"].coef_ == pytest.approx(twin.coef_, abs=1e-6)
    plain = autotype.fit(frame, "size", autotype.infer_types(frame), features="x", cv=None)
    weighted = autotype.fit(frame, "size", types, cv=None, model="npsvor")
    share = (weighted.predict(frame) == "L").mean()
    assert share > (plain.predict(frame) == "L").mean()
