"""What is fitted is stored by skops, which runs no code when it loads, and by pickle."""

import pickle

import numpy as np
import pandas as pd
import pytest
import skops.io as sio

import autotype
from autotype import models
from autotype.models.targets import read_ordinal_labels


def _frame(n=40) -> pd.DataFrame:
    random = np.random.default_rng(0)
    days = pd.date_range("2024-01-01", periods=n)
    return pd.DataFrame(
        {
            "size": pd.Categorical(
                random.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True
            ),
            "town": random.choice(["a", "b", "c"], n),
            "day": days[random.integers(0, 3, n)],
            "stars": random.integers(1, 6, n),
            "x": random.normal(size=n),
        }
    )


def _stored(fitted):
    text = sio.dumps(fitted)
    again = sio.loads(text, trusted=sio.get_untrusted_types(data=text))
    assert repr(pickle.loads(pickle.dumps(fitted))) == repr(fitted)
    return again


def _same(one, other) -> bool:
    return pd.DataFrame(one).equals(pd.DataFrame(other))


@pytest.mark.parametrize(
    ("make", "columns"),
    [
        (autotype.OrdinalFrameEncoder, "names"),
        (autotype.OrdinalTyper, "names"),
        (autotype.OrdinalTyper, "numbers"),
        (autotype.OrdinalTyper, "levels"),
    ],
)
def test_transformers(make, columns) -> None:
    frame = _frame()
    if columns == "numbers":
        frame.columns = range(5)
    if columns == "levels":
        frame.columns = pd.MultiIndex.from_product([["q"], frame.columns], names=["part", "item"])
    fitted = make().fit(frame)
    again = _stored(fitted)
    assert again.types_ == fitted.types_
    assert again.get_feature_names_out().tolist() == fitted.get_feature_names_out().tolist()
    assert _same(again.transform(frame), fitted.transform(frame))
    assert _same(pickle.loads(pickle.dumps(fitted)).transform(frame), fitted.transform(frame))


@pytest.mark.parametrize("kind", ["ordered", "numbers", "strings", "nullable", "unordered"])
@pytest.mark.parametrize(
    "model",
    [
        models.LinearNPSVOR(),
        models.SVOR(),
        models.CalibratedOrdinalClassifier(models.LinearNPSVOR()),
        models.GPOrdinalClassifier(),
        models.GPMulticlassClassifier(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_classifiers(model, kind) -> None:
    frame = _frame()
    X = frame[["x", "stars"]].astype(float)
    y = {
        "ordered": frame["size"],
        "numbers": frame["stars"],
        "strings": frame["town"],
        "nullable": frame["stars"].astype("Int64"),
        "unordered": frame["town"].astype("category"),
    }[kind]
    needs_order = kind in ("strings", "unordered")
    if needs_order and not isinstance(model, models.GPMulticlassClassifier):
        model = type(model)(**model.get_params(deep=False) | {"classes": ["a", "b", "c"]})
    fitted = model.fit(X, y)
    again = _stored(fitted)
    pd.testing.assert_series_equal(again.predict(X), fitted.predict(X))


def test_ensemble() -> None:
    frame = _frame()
    fitted = autotype.fit(frame, "size", features=["x", "stars", "town"]).pipeline
    again = _stored(fitted)
    pd.testing.assert_frame_equal(again[-1].scores_, fitted[-1].scores_)
    pd.testing.assert_series_equal(again.predict(frame), fitted.predict(frame))


def test_labels_keep_their_dtype() -> None:
    days = pd.Series(pd.date_range("2024-01-01", periods=3, tz="Europe/Rome")).astype("category")
    for y in (days.cat.as_ordered(), _frame()["size"], pd.Series([3, 1, 2], dtype="Int64")):
        labels, ranks = read_ordinal_labels(y)
        again = pickle.loads(pickle.dumps(labels))
        assert again.dtype == labels.dtype
        index = pd.DataFrame(index=y.index)
        pd.testing.assert_series_equal(again.decode(ranks, index), labels.decode(ranks, index))


def test_types_keep_levels_of_any_class() -> None:
    levels = {pd.Timestamp("2024-01-01"): 2, ("a", 1): 3, None: 1, float("nan"): 4}
    types = autotype.TypeReport(
        [
            autotype.ColumnType(("q", 1), "categorical", levels=levels),
            autotype.ColumnType(pd.Timestamp("2024-01-01"), "ordinal", order=((1, 2), (0, 1))),
        ],
        n_rows=10,
    )
    assert pickle.loads(pickle.dumps(types)) == types
    levels.pop(next(level for level in levels if level != level))
    plain = autotype.TypeReport([autotype.ColumnType(("q", 1), "categorical", levels=levels)])
    assert _stored(plain) == plain


@pytest.mark.parametrize(
    ("target", "model"), [("size", "gp"), ("x", "ridge"), ("town", "logistic")]
)
def test_models_of_a_column(target, model) -> None:
    frame = _frame().set_index(pd.date_range("2024-01-01", periods=40, name="at"))
    fitted = autotype.fit(frame, target, model=model, cv=None if target == "town" else 3)
    again = _stored(fitted)
    assert str(again.summary()) == str(fitted.summary())
    assert _same(again.predict(frame), fitted.predict(frame))
