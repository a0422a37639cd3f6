"""What docs/how-to/apply-types.md says of ordered dtypes in other libraries."""

import numpy as np
import pandas as pd
import pytest

LEVELS = ["low", "mid", "high", "top"]


def frame(*, ordered: bool) -> pd.DataFrame:
    values = np.random.default_rng(0).choice(LEVELS, 400)
    return pd.DataFrame({"x": pd.Categorical(values, categories=LEVELS, ordered=ordered)})


@pytest.mark.filterwarnings("ignore")  # LightGBM's own
@pytest.mark.parametrize(("ordered", "split"), [(True, "<="), (False, "==")])
def test_lightgbm_treats_an_ordered_dtype_as_a_number(ordered, split):
    lightgbm = pytest.importorskip("lightgbm")
    data = frame(ordered=ordered)
    target = data["x"].cat.codes.to_numpy(dtype=float)
    options = {"verbose": -1, "min_data_in_leaf": 5, "num_threads": 1}
    trees = lightgbm.train(options, lightgbm.Dataset(data, target), 3).trees_to_dataframe()
    assert set(trees["decision_type"].dropna()) == {split}


def test_ordinal_encoder_ignores_the_order_of_the_dtype():
    from sklearn.preprocessing import OrdinalEncoder

    data = frame(ordered=True)
    assert OrdinalEncoder().fit(data).categories_[0].tolist() == sorted(LEVELS)
    encoded = OrdinalEncoder(categories=[list(data["x"].cat.categories)]).fit_transform(data)
    assert encoded[:, 0].tolist() == data["x"].cat.codes.tolist()
