from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from matplotlib import pyplot
from sklearn.linear_model import LogisticRegression

import autotype
from autotype import ColumnType
from autotype.errors import UnknownColumnError
from autotype.fitting.choose import choose_model
from autotype.fitting.member_encoders import (
    TypedColumns,
    make_ensemble,
    with_repeated_identifiers,
)
from autotype.models import LinearNPSVOR, OrdinalEnsemble, Preferences
from autotype.types.column_types import ColumnTypes


def shop(n: int = 120, *, seed: int = 0) -> pd.DataFrame:
    """Shirts whose size, colour and price follow from weight and length."""
    rng = np.random.default_rng(seed)
    weight, length = rng.normal(size=n), rng.normal(size=n)
    size = np.digitize(weight + length + 0.3 * rng.normal(size=n), [-1.0, 0.3, 1.5])
    return pd.DataFrame(
        {
            "weight": weight,
            "length": length,
            "shade": rng.choice(["light", "dark"], n),
            "size": np.array(["S", "M", "L", "XL"])[size],
            "colour": np.where(weight > 0, "red", np.where(length > 0, "green", "blue")),
            "price": 10 + 3 * weight + rng.normal(size=n),
        },
        index=pd.RangeIndex(1000, 1000 + n),
    )


@pytest.fixture(scope="module")
def shop_model() -> autotype.fitting.column_model.ColumnModel:
    """The model of the sizes of the shop, which takes long."""
    return shop().ordinal.fit("size")


def test_an_ordinal_target(shop_model) -> None:
    frame, model = shop(), shop_model
    assert isinstance(model.pipeline[-1], OrdinalEnsemble)
    assert model.kind == "ordinal"
    assert model.levels == ("S", "M", "L", "XL")
    predicted = model.predict(frame)
    assert predicted.dtype == pd.CategoricalDtype(["S", "M", "L", "XL"], ordered=True)
    assert predicted.index.equals(frame.index)
    assert predicted.name == "size"
    proba = model.predict_proba(frame)
    assert proba.columns.tolist() == ["S", "M", "L", "XL"]
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert model.score(frame) == pytest.approx((predicted.astype(str) == frame["size"]).mean())
    for score in ("mae", "rps"):
        at_best, at_worst = model.scores.loc[["ensemble", "median level"], score]
        assert at_best < 0.7 * at_worst
    assert {"majority", "logistic"} <= set(model.scores.index)
    assert "Model: OrdinalEnsemble, because the target is ordinal" in model.summary()
    assert "\nMembers: gp-linear " in model.summary()
    assert str(model) == model.summary()


def test_features_in_which_the_target_is_monotone() -> None:
    frame = shop(300).drop(columns=["colour", "price"])
    types = frame.ordinal.infer_types()
    options = {"effort": "fast", "cv": None}
    model = frame.ordinal.fit("size", types, monotone={"weight": 1, "length": -1}, **options)
    assert {name for name, _ in model.pipeline[-1].members_} <= {"boosting", "deep-boosting"}
    grid = pd.DataFrame({"weight": np.linspace(-2, 2, 50), "length": 0.5, "shade": "dark"})
    rising = model.predict_proba(grid).cumsum(axis=1).to_numpy()
    assert np.diff(rising, axis=0).max() < 1e-9  # lower levels become less probable
    assert np.ptp(rising) > 0.1
    falling = grid.assign(weight=0.5, length=grid["weight"])
    assert np.diff(model.predict_proba(falling).cumsum(axis=1).to_numpy(), axis=0).min() > -1e-9
    for wrong in ({"shade": 1}, {"weight": 2}, {"none": 1}):
        with pytest.raises(ValueError, match=r"features with an order to 1 .*'weight', 'length'"):
            frame.ordinal.fit("size", types, monotone=wrong, **options)
    with pytest.raises(ValueError, match="monotone needs an ordinal target and model='ensemble'"):
        frame.ordinal.fit("size", types, model="gp", monotone={"weight": 1}, cv=None)


def test_a_categorical_target() -> None:
    frame = shop()
    model = frame.ordinal.fit("colour", frame.ordinal.infer_types(known={"colour": "categorical"}))
    assert model.choice.name == "gp-multiclass"
    assert not model.predict(frame).cat.ordered
    assert set(model.predict_proba(frame).columns) == {"red", "green", "blue"}
    assert model.scores.loc["gp-multiclass", "accuracy"] > model.scores.loc["majority", "accuracy"]


def test_a_numeric_target() -> None:
    frame = shop()
    model = frame.ordinal.fit("price")
    assert model.choice.name == "ridge"
    assert model.predict(frame).dtype == float
    assert 0.5 < model.score(frame) < 1
    assert model.scores.loc["ridge", "mae"] < model.scores.loc["median", "mae"]
    with pytest.raises(TypeError, match="has no probabilities"):
        model.predict_proba(frame)


def test_missing_and_off_scale_targets_are_left_out_and_counted() -> None:
    frame = shop()
    frame.loc[frame.index[:7], "size"] = None
    frame.loc[frame.index[7:12], "size"] = "don't know"
    before = frame.copy()
    model = frame.ordinal.fit("size", cv=None, effort="fast")
    assert (model.n_rows, model.n_dropped) == (108, 12)
    assert model.scores is None
    assert model.predict(frame.head(12)).notna().all()
    pd.testing.assert_frame_equal(frame, before)


def test_preferences_name_rows_of_the_frame() -> None:
    frame = shop(60)
    price = frame["price"].copy()
    frame.loc[frame.index[20:], "price"] = None
    by_price = np.argsort(price.to_numpy())
    known = Preferences(list(zip(by_price[5:], by_price[:-5], strict=True)))
    model = frame.ordinal.fit("price", preferences=known, cv=3)
    assert model.choice.name == "preferences"
    assert (model.n_rows, model.n_dropped) == (20, 40)
    error = (model.predict(frame) - price).abs().mean()
    assert error < (price - price[:20].median()).abs().mean()
    assert np.isfinite(model.scores["mae"]).all()


def test_preferences_for_levels_are_an_error() -> None:
    with pytest.raises(ValueError, match="preferences need a numeric target"):
        shop().ordinal.fit("size", preferences=Preferences([(1, 0)]))


def test_new_frames_with_missing_values_other_columns_and_another_order(shop_model) -> None:
    frame, model = shop(), shop_model
    new = frame.drop(columns="size").assign(extra=1)
    new.loc[new.index[0], "weight"] = np.nan
    assert model.predict(new).notna().all()
    pd.testing.assert_series_equal(model.predict(new[new.columns[::-1]]), model.predict(new))


def test_choice_can_be_overridden() -> None:
    frame = shop()
    assert frame.ordinal.fit("size", model="npsvor", cv=None).choice.name == "npsvor"
    own = frame.ordinal.fit("size", model=LogisticRegression(), cv=3)
    assert own.predict(frame).cat.ordered
    assert own.predict_proba(frame).columns.tolist() == ["S", "M", "L", "XL"]
    assert "a LogisticRegression was given" in own.summary()
    encoder = frame.ordinal.fit("size", features=["weight"], cv=None, effort="fast").pipeline[0]
    assert encoder.get_feature_names_out().tolist() == ["weight"]


def test_the_decision_is_that_of_predictions_and_scores() -> None:
    frame = shop()
    options = {"types": frame.ordinal.infer_types(), "features": "weight", "model": "gp"}
    mode, median = (frame.ordinal.fit("size", **options, decision=d) for d in (None, "median"))
    assert median.pipeline["model"].decision == "median"
    assert "it predicts the median of its probabilities" in median.summary()
    pd.testing.assert_frame_equal(mode.predict_proba(frame), median.predict_proba(frame))
    middle = (median.predict_proba(frame).to_numpy().cumsum(axis=1) < 0.5).sum(axis=1)
    np.testing.assert_array_equal(median.predict(frame).cat.codes, middle)
    assert not median.predict(frame).equals(mode.predict(frame))
    assert median.scores.loc["gp", "mae"] != mode.scores.loc["gp", "mae"]


def test_rare_levels_and_levels_without_rows_do_no_harm() -> None:
    frame = shop()
    frame["size"] = pd.Categorical(
        frame["size"], categories=["XS", "S", "M", "L", "XL"], ordered=True
    )
    frame.loc[frame.index[0], "size"] = "XL"
    frame = frame[(frame["size"] != "XL") | (frame.index == 1000)]
    model = frame.ordinal.fit("size")
    assert model.levels == ("XS", "S", "M", "L", "XL")
    assert model.predict_proba(frame).shape[1] == 5


@pytest.mark.parametrize(
    ("kind", "n_rows", "facts", "name"),
    [
        ("ordinal", 200, {}, "ensemble"),
        ("ordinal", 2_000_000, {"has_text": True}, "ensemble"),
        ("categorical", 600, {}, "gp-multiclass"),
        ("categorical", 601, {}, "logistic"),
        ("number", 100, {}, "ridge"),
        ("number", 40, {"n_missing": 60}, "preferences"),
        ("number", 100, {"has_preferences": True}, "preferences"),
    ],
)
def test_the_choice(kind: str, n_rows: int, facts: dict, name: str) -> None:
    assert choose_model(kind, n_rows, **facts)[0] == name


@pytest.mark.parametrize(
    ("target", "options", "error", "message"),
    [
        ("sise", {}, UnknownColumnError, "did you mean 'size'"),
        ("id", {}, ValueError, "has the type identifier, which no model here predicts"),
        ("size", {"model": "forest"}, ValueError, "model must be 'auto', one of"),
        ("size", {"model": 3}, TypeError, "an estimator with fit and predict"),
        ("size", {"cv": 1}, ValueError, "folds >= 2"),
        ("size", {"decision": "last"}, ValueError, "'decision' parameter of OrdinalEnsemble"),
        ("size", {"decision": "mode", "model": LinearNPSVOR()}, ValueError, "leave model or"),
        ("price", {"model": "boosting"}, ValueError, "needs a target of the kind 'ordinal', got"),
        ("price", {"model": "logistic"}, ValueError, "'ordinal' or 'categorical', got 'price'"),
        ("size", {"model": "ridge"}, ValueError, r"known={'size': 'continuous'}\)"),
        ("size", {"model": "preferences"}, ValueError, "needs a target of the kind 'number', got"),
        ("size", {"effort": "much"}, ValueError, "effort must be one of"),
        ("price", {"decision": "mean"}, ValueError, "for a target of the kind 'number'"),
        ("size", {"features": ["id"]}, ValueError, "no column of the frame can be a feature"),
        ("size", {"features": ["weigth"]}, UnknownColumnError, "did you mean 'weight'"),
    ],
)
def test_misuse_is_a_clear_error(target, options, error, message) -> None:
    frame = shop()
    frame["id"] = [f"k{i:04d}x" for i in np.random.default_rng(0).permutation(len(frame))]
    with pytest.raises(error, match=message):
        frame.ordinal.fit(target, **options)


def test_one_name_is_a_feature() -> None:
    model = shop().ordinal.fit("size", features="weight", model="gp", cv=None)
    assert list(model.pipeline["encode"].get_feature_names_out()) == ["weight"]


def test_one_known_level_is_an_error() -> None:
    frame = shop()
    frame["size"] = pd.Categorical(["S"] * len(frame), categories=["S", "M", "L"], ordered=True)
    types = autotype.infer_types(frame, known={"size": ["S", "M", "L"]})
    with pytest.raises(ValueError, match="holds 1 known values; a model needs two"):
        frame.ordinal.fit("size", types)


@pytest.mark.parametrize("model", ["gp", "boosting", "npsvor", "logistic"])
def test_each_named_model_has_probabilities(model: str) -> None:
    frame = shop()
    fitted = frame.ordinal.fit("size", model=model, cv=None)
    proba = fitted.predict_proba(frame.head(9))
    assert proba.columns.tolist() == ["S", "M", "L", "XL"]
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    with pytest.raises(TypeError, match="has no ranges; fit model='ensemble'"):
        fitted.predict_interval(frame)
    nominal = frame.assign(kind=["b", "a"] * (len(frame) // 2)).ordinal.fit("kind", cv=None)
    with pytest.raises(TypeError, match="need an ordinal target, got the kind 'categorical'"):
        nominal.predict_interval(frame)


def test_costs_decide_on_the_level_of_the_least_expected_cost() -> None:
    frame = shop()
    costs = np.abs(np.subtract.outer(np.arange(4), np.arange(4))) * [[1.0], [1.0], [1.0], [50.0]]
    options = {"types": frame.ordinal.infer_types(), "features": "weight", "cv": None}
    model = frame.ordinal.fit("size", **options, decision=costs, effort="fast")
    expected = (model.predict_proba(frame).to_numpy() @ costs).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(frame).cat.codes, expected)
    assert "it predicts the least expected cost" in model.summary()


def test_ranges_hold_the_level_as_often_as_stated() -> None:
    frame, new = shop(300), shop(1000, seed=1)
    model = frame.ordinal.fit("size", cv=None, effort="fast")
    ranges = model.predict_interval(new, coverage=0.8)
    assert ranges.index.equals(new.index)
    assert ranges["lower"].dtype == model.predict(new).dtype
    true = new["size"].astype(ranges["lower"].dtype)
    held = (ranges["lower"] <= true) & (true <= ranges["upper"])
    assert held.mean() == pytest.approx(0.8, abs=0.06)
    assert (ranges["lower"] <= model.predict(new)).all()
    assert model.predict_interval(new.iloc[:0]).columns.tolist() == ["lower", "upper"]


def test_trees_find_what_lines_do_not() -> None:
    bent = shop(300)
    bent["size"] = np.where(bent["weight"].abs() < 0.7, "M", "L")
    bent.loc[bent["length"].abs() < 0.3, "size"] = "S"
    model = bent.ordinal.fit("size")
    assert model.scores.loc["ensemble", "rps"] < 0.5 * model.scores.loc["logistic", "rps"]


def test_an_empty_frame_has_no_predictions(shop_model) -> None:
    frame, model = shop(), shop_model
    assert model.predict(frame.iloc[:0]).dtype == model.predict(frame).dtype
    assert model.predict_proba(frame.iloc[:0]).columns.tolist() == ["S", "M", "L", "XL"]
    assert frame.ordinal.fit("price", cv=None).predict(frame.iloc[:0]).dtype == float


def test_prices_written_as_texts_are_a_numeric_target() -> None:
    frame = shop()
    written = frame.assign(price=[f"{price:.2f} €" for price in frame["price"]])
    model = written.ordinal.fit("price")
    assert model.kind == "number"
    np.testing.assert_allclose(
        model.predict(frame), frame.ordinal.fit("price").predict(frame), atol=0.01
    )


@pytest.mark.parametrize(
    "levels", [[1.5, 2.5, 4.0], [1, "a", 2.5], [10, 20, 30], [True, "b", None]]
)
def test_levels_that_are_not_texts_are_a_categorical_target(levels: list) -> None:
    frame = shop()
    code = pd.Series((frame["weight"] > 0).astype(int) + (frame["length"] > 0), dtype=object)
    frame["code"] = code.map(dict(enumerate(levels)))
    types = frame.ordinal.infer_types(known={"code": "categorical"})
    model = frame.ordinal.fit("code", types)
    assert set(model.predict(frame)) == {v for v in levels if v is not None}
    assert set(model.predict_proba(frame).columns) == {v for v in levels if v is not None}
    assert model.score(frame) > 0.7
    assert model.scores.loc[model.choice.name, "accuracy"] > 0.5


def test_a_level_of_one_row_does_no_harm_to_the_scores() -> None:
    frame = shop(40).assign(size=["S"] * 39 + ["M"])
    model = frame.ordinal.fit("size")
    assert model.scores.loc["majority", "accuracy"] == pytest.approx(39 / 40)


def test_numbers_too_large_to_square_are_missing() -> None:
    frame = shop().assign(huge=[1e300, -1e300, 1.0, 2.0] * 30)
    assert frame.ordinal.fit("size", cv=None).predict(frame).notna().all()


@pytest.mark.parametrize("scale", [1e-100, 1e38, 1e75, 1e145])
def test_numbers_beyond_single_precision_are_features_of_every_member(scale: float) -> None:
    frame = shop()[["weight", "size"]]
    frame["weight"] *= scale  # a member that is left out would warn
    model = frame.ordinal.fit("size", cv=None)
    assert {"boosting", "deep-boosting", "forest"} < set(model.pipeline["model"].scores_.index)
    assert model.predict(frame).notna().all()


def test_a_feature_that_the_frame_holds_twice_is_refused() -> None:
    frame = pd.DataFrame([[1, 2, "a"], [2, 1, "b"]] * 20, columns=["x", "x", "t"])
    types = autotype.infer_types(frame)
    with pytest.raises(ValueError, match="the frame holds several columns 'x'; rename them"):
        autotype.fit(frame, "t", types)
    with pytest.raises(ValueError, match="the frame holds several columns 'x'; rename them"):
        autotype.fit(frame, "t", types, features="x")
    with pytest.raises(UnknownColumnError, match="the frame holds no column 'x'"):
        autotype.fit(frame[["t"]], "t", types, features="x")


def test_columns_that_are_no_features_may_have_any_names() -> None:
    frame = shop()[["weight", "size", "shade", "shade", "length"]]
    frame.columns = pd.Index(["weight", "size", "x", "x", "\ud800"], dtype=object)
    options = {"cv": None, "effort": "fast"}
    model = autotype.fit(frame, "size", features="weight", **options)
    assert model.pipeline.feature_names_in_.tolist() == ["weight"]
    alone = autotype.fit(frame[["weight", "size"]], "size", **options)
    assert model.predict(frame).equals(alone.predict(frame[["weight", "size"]]))
    assert model.score(frame) == alone.score(frame[["weight", "size"]])


@pytest.mark.parametrize("name", [pd.NA, np.nan, "\ud800", ("a", 1)])
def test_targets_of_any_name(name: object) -> None:
    frame = shop()[["weight", "size"]]
    frame.columns = pd.Index(["weight", name], dtype=object, tupleize_cols=False)
    assert autotype.fit(frame, name, model="gp", cv=None).predict(frame).name is name


def test_a_feature_named_na_is_refused() -> None:
    frame = shop()[["weight", "size"]]
    frame.columns = pd.Index([pd.NA, "size"], dtype=object)
    with pytest.raises(ValueError, match="<NA> is not text"):
        autotype.fit(frame, "size")


@pytest.mark.parametrize("kind", ["ordinal", "categorical"])
@pytest.mark.parametrize(
    "levels",
    [
        [(0, (0, ())), (1, (1, ())), (2, (2, ()))],
        list(pd.interval_range(0, 3)),
        list(pd.period_range("2020-01", periods=3, freq="M")),
        ["\ud800", "b", "c"],
        ["a", 1, 2.5],
        [0.5, 1.5, 2.5],
        [-6e149, -8e148, 1e150],
    ],
    ids=["tuples", "intervals", "periods", "lone surrogate", "mixed", "fractions", "vast"],
)
def test_levels_of_any_class_are_targets(kind: str, levels: list) -> None:
    ranks = np.arange(60) % 3
    index = pd.Index(levels, tupleize_cols=False, dtype=object)
    values = pd.Categorical.from_codes(ranks, categories=index)
    frame = pd.DataFrame({"t": pd.Series(values).astype(object), "x": ranks + 0.1})
    types = autotype.infer_types(frame, known={"t": levels if kind == "ordinal" else kind})
    # The ensemble for mixed ones only: its members code levels alike, and take long.
    asked = "auto" if kind == "categorical" or "a" in levels else "gp"
    model = autotype.fit(frame, "t", types, model=asked, cv=2)
    assert model.kind == kind
    assert model.scores.loc[model.choice.name, "accuracy"] == 1
    assert model.predict(frame).tolist() == frame["t"].tolist()
    assert set(model.predict_proba(frame).columns) == set(levels)
    assert model.score(frame) == 1


@pytest.mark.parametrize("cells", [[["a"], ["b"]], [{"a": 1}, {"a": 2}]])
def test_cells_without_hash_are_no_target(cells: list) -> None:
    lists = pa.array([["a"], [], ["b", None]] * 20, type=pa.large_list(pa.string()))
    for values in (
        pd.Series(cells * 30, dtype=object),
        pd.Series(pd.arrays.ArrowExtensionArray(lists)),
    ):
        frame = pd.DataFrame({"t": values, "x": np.arange(60) % 3 + 0.1})
        with pytest.raises(ValueError, match=r"^the target 't' holds 0 known"):
            autotype.fit(frame, "t")


def test_a_target_among_repeated_labels_of_several_levels() -> None:
    frame = shop()[["weight", "size", "length", "length"]]
    frame.columns = pd.MultiIndex.from_tuples([("b", 0), ("a", 0), ("b", 2), ("b", 2)])
    with pytest.raises(ValueError, match=r"selects columns by name, and \('b', 0\) is not text"):
        autotype.fit(frame, ("a", 0))
    with pytest.raises(ValueError, match=r"holds several columns \('b', 2\); rename"):
        autotype.fit(frame, ("b", 2))


def test_an_ordinal_target_may_have_an_infinite_level():
    x = np.arange(60.0)
    frame = pd.DataFrame({"x": np.sin(x), "limit": np.where(np.sin(x) > 0.5, np.inf, 1 + x % 2)})
    types = autotype.infer_types(
        frame, known={"limit": {"type": "ordinal", "order": [1, 2, np.inf]}}
    )
    model = autotype.fit(frame, "limit", types=types, cv=None)
    predicted = model.predict(frame[["x"]])
    assert set(predicted.cat.categories) == {1.0, 2.0, np.inf}
    assert (predicted[frame["limit"] == np.inf] == np.inf).mean() > 0.8


@pytest.fixture(scope="module")
def fitted() -> tuple[pd.DataFrame, autotype.fitting.column_model.ColumnModel]:
    frame = shop(200)
    return frame, frame.ordinal.fit("size", cv=None, effort="fast")


def test_what_moves_a_model(fitted) -> None:
    frame, model = fitted
    table = model.explain(shop(200, seed=1), n_repeats=2)
    assert set(table.index[:2]) == {"weight", "length"}
    assert table.loc["weight", "importance"] > 5 * table.loc["weight", "error"]
    assert abs(table.loc["shade", "importance"]) < 0.01
    with pytest.raises(ValueError, match="n_repeats must be a number of permutations >= 1"):
        model.explain(frame, n_repeats=0)


@pytest.mark.parametrize("target", ["colour", "price"])
def test_what_moves_models_without_an_order(target: str) -> None:
    frame = shop()
    types = frame.ordinal.infer_types(known={"colour": "categorical"})
    model = frame.ordinal.fit(target, types, cv=None)
    table = model.explain(shop(seed=1), n_repeats=1)
    assert table.loc["weight", "importance"] > 0.1


def test_plots_of_a_model(fitted) -> None:
    frame, model = fitted
    ax = model.plot()
    assert ax.get_title(loc="left") == "size"
    x, y = ax.lines[1].get_data()
    assert np.abs(x - y).mean() < 0.1
    assert model.plot(shop(200, seed=1)).get_ylabel() == "proportion of rows"
    legend = model.plot(frame, "weight").get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["XL", "L", "M", "S"]
    labels = [text.get_text() for text in model.plot(frame, "shade").get_xticklabels()]
    assert sorted(labels) == ["dark", "light"]
    with pytest.raises(ValueError, match="needs rows and one of the features"):
        model.plot(frame, "size")
    with pytest.raises(ValueError, match="kind must be 'reliability' or 'latent' here, or None"):
        model.plot(kind="levels")
    gp = frame.ordinal.fit("size", cv=None, model="gp")
    with pytest.raises(ValueError, match="model 'gp' held no rows out; pass rows"):
        gp.plot()
    pyplot.close("all")


def test_plots_of_the_latent_scale(fitted) -> None:
    frame, model = fitted
    levels = model.plot(kind="latent")
    named = [label.get_text().split(" (")[0] for label in levels.get_yticklabels()]
    assert named == ["S", "M", "L", "XL"]
    along = model.plot(frame, "weight", kind="latent")
    positions = along.lines[0].get_ydata()
    thresholds = [line.get_ydata()[0] for line in along.lines[1:]]
    assert np.all(np.diff(thresholds) > 0)
    assert positions[-1] - positions[0] > 1
    assert [note.get_text() for note in along.texts] == ["S", "M", "L", "XL"]
    shades = model.plot(frame, "shade", kind="latent")
    assert np.ptp(shades.lines[0].get_ydata()) < 0.1
    number = frame.ordinal.fit("price", cv=None)
    with pytest.raises(ValueError, match="a latent scale needs an ordinal target, got the kind 'n"):
        number.plot(frame, "weight", kind="latent")
    for feature in (None, "weight"):
        with pytest.raises(TypeError, match="'ridge' has no probabilities; fit with"):
            number.plot(frame, feature)
    pyplot.close("all")


def test_identifiers_that_repeat_dates_and_texts_are_features() -> None:
    rng = np.random.default_rng(0)
    person, day = rng.integers(60, size=600), rng.integers(0, 700, 600)
    kindness = rng.normal(size=60)
    latent = 2 * kindness[person] + (day % 7 >= 5) + rng.normal(size=600)
    grade = np.digitize(latent, [-1.5, 0, 1.5])
    word = np.array(["awful", "plain", "fine", "superb"])[grade]
    frame = pd.DataFrame(
        {
            "person": [f"k{number:03d}x" for number in person],
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(day, unit="D"),
            "grade": np.array(["D", "C", "B", "A"])[grade],
        }
    )
    known = {"grade": ["D", "C", "B", "A"], "person": "identifier", "comment": "text"}
    losses = {}
    for columns in (["day"], ["person", "day"], ["person", "day", "comment"]):
        frame["comment"] = [f"a {w} day by the sea" if rng.random() < 0.5 else None for w in word]
        part = frame[[*columns, "grade"]]
        types = autotype.infer_types(part, known={c: t for c, t in known.items() if c in part})
        model = part.ordinal.fit("grade", types, effort="fast", cv=None)
        losses[len(columns)] = model.pipeline[-1].scores_.loc["ensemble", "rps"]
        if "person" in part:
            with pytest.warns(UserWarning, match="feature 'person' holds levels that the fit did"):
                assert model.predict(part.assign(person="new")).notna().all()
    assert losses[3] < 0.8 * losses[2] < 0.8 * 0.8 * losses[1]


def test_what_a_person_does_in_each_condition_is_learned() -> None:
    rng = np.random.default_rng(0)
    person, mode = rng.integers(40, size=800), rng.integers(2, size=800)
    latent = 2 * rng.normal(size=(40, 2))[person, mode] + rng.normal(size=800)
    frame = pd.DataFrame(
        {
            "person": [f"k{number:03d}x" for number in person],
            "sex": np.array(["f", "m"])[person % 2],
            "mode": np.array(["do", "want"])[mode],
            "grade": np.digitize(latent, [-1.5, 0, 1.5]),
        }
    )
    known = {"person": "categorical", "mode": "categorical", "sex": "categorical"}
    types = autotype.infer_types(frame, known=known | {"grade": [0, 1, 2, 3]})
    columns = [types[name] for name in ("person", "sex", "mode")]
    typed = TypedColumns.of(frame, columns, frame["grade"].to_numpy())
    assert typed.pairs == [("person", "mode")]
    model = frame.ordinal.fit("grade", types, model="ensemble", cv=None)
    scores = model.pipeline[-1].scores_["rps"]
    assert scores[["boosting", "deep-boosting", "forest"]].max() < 0.85 * scores["gp-linear"]
    trees = dict(model.pipeline[-1].members_)["boosting"][0]
    assert trees.get_feature_names_out()[-1] == "mean of person and mode"


@pytest.mark.parametrize(("n_persons", "costly"), [(60, False), (1100, True)])
def test_linear_members_have_a_mean_of_a_level_only_without_its_indicator(n_persons, costly):
    person = np.repeat(np.arange(n_persons), 3)
    frame = pd.DataFrame({"person": [f"k{number}x" for number in person], "grade": person % 3})
    columns = [ColumnType("person", "categorical")]
    grades = frame["grade"].to_numpy()
    typed = TypedColumns.of(frame, columns, grades)
    assert typed.means == (["person"] if costly else [])
    linear, smooth, *_ = make_ensemble(frame, columns, grades)[-1].members
    names = linear[1][0].fit(frame[["person"]], grades).get_feature_names_out()
    assert sum(name.startswith("person_") for name in names) == (300 if costly else 60)
    assert ("mean of person" in names) == costly
    names = smooth[1][0].fit(frame[["person"]], grades).get_feature_names_out()
    assert names.tolist() == ["mean of person"]


def test_codes_of_persons_are_levels_and_numbers() -> None:
    rng = np.random.default_rng(0)
    person = rng.integers(60, size=400)
    latent = 2 * rng.normal(size=60)[person] + rng.normal(size=400)
    frame = pd.DataFrame({"person": 7 * person, "grade": np.digitize(latent, [-1.5, 0, 1.5])})
    known = {"grade": [0, 1, 2, 3]}
    losses = []
    for kind in ("count", "identifier"):
        types = autotype.infer_types(frame, known=known | {"person": kind})
        model = frame.ordinal.fit("grade", types, effort="fast", cv=None)
        losses.append(model.pipeline[-1].scores_.loc["ensemble", "rps"])
        trees = (
            model.pipeline[-1]
            .members[1][1][0]
            .fit(pd.DataFrame({"person": 7.0 * person}), frame["grade"])
        )
        assert trees.get_feature_names_out().tolist() == ["person", "mean of person"]
    assert losses[0] == losses[1]
    by_day = frame.assign(person=rng.permutation(400))
    types = autotype.infer_types(by_day, known=known | {"person": "count"})
    chance = by_day.ordinal.fit("grade", types, effort="fast", cv=None)
    assert losses[0] < 0.7 * chance.pipeline[-1].scores_.loc["ensemble", "rps"]
    odd = pd.DataFrame({"code": [*range(50), 3, 4, 5], "grade": [0, 1, 2] * 17 + [0, 1]})
    columns = [autotype.infer_types(odd, known={"code": "identifier"})["code"]]
    assert with_repeated_identifiers(odd, columns)[0].semantic_type == "identifier"


def test_lists_choices_and_scales_without_an_order_are_features() -> None:
    rng = np.random.default_rng(0)
    bus, bike, odd = rng.random((3, 200)) < 0.5
    frame = pd.DataFrame(
        {
            "ways": np.char.add(np.where(bus, "Bus;", ""), np.where(bike, "Bike", "")),
            "tick": np.where(odd, "yes", None),
            "mood": np.where(bus, "blip", np.where(bike, "blap", "blup")),
            "grade": np.array(["low", "mid", "high", "top"])[bus.astype(int) + bike + odd],
        }
    )
    levels = ["low", "mid", "high", "top"]
    types = ColumnTypes(
        [
            ColumnType(
                "ways", "text", format="list", evidence={"separator": ";", "items": ("Bus", "Bike")}
            ),
            ColumnType("tick", "constant", group="ticks", levels={"yes": 1}, n_levels=1),
            ColumnType("mood", "ordinal", levels={"blip": 1, "blap": 1, "blup": 1}, n_levels=3),
            ColumnType("grade", "ordinal", order=tuple(levels), levels=dict.fromkeys(levels, 1)),
        ]
    )
    model = frame.ordinal.fit("grade", types, effort="fast", cv=None)
    assert (model.predict(frame).astype(str) == frame["grade"]).all()
    assert model.predict(frame.assign(ways="Car;Bus", tick=None)).notna().all()


def test_levels_that_a_fold_lacks_are_no_warning() -> None:
    frame = pd.DataFrame({"grade": ["low", "mid", "high"] * 50, "x": np.arange(150) % 3 + 0.1})
    frame["town"] = [f"town {k if k < 120 else 0}" for k in range(150)]
    frame["list"] = [[k] for k in range(150)]
    types = autotype.infer_types(frame, known={"town": "categorical"})
    model = autotype.fit(frame, "grade", types, cv=2)
    with pytest.warns(UserWarning, match="feature 'town' holds levels that the fit did not"):
        model.predict(frame.assign(town="elsewhere"))


@pytest.mark.skipif(
    pd.Series(["a"]).dtype == object, reason="pandas 2 converts distinct objects to floats"
)
@pytest.mark.parametrize("base", [10**308, 10**400, -(10**400)])
def test_whole_numbers_beyond_floats_are_levels(base: int) -> None:
    levels = sorted(base * k for k in range(1, 5))
    x = np.random.default_rng(0).normal(size=60)
    y = [levels[k] for k in np.digitize(x, [-1, 0, 1])]
    frame = pd.DataFrame({"x": x, "y": pd.Series(y, dtype=object)})
    types = autotype.infer_types(frame, known={"y": levels})
    model = autotype.fit(frame, "y", types, model="gp" if base == 10**308 else "auto", cv=None)
    assert model.levels == tuple(levels)
    assert model.predict_proba(frame).columns.tolist() == levels
    assert (model.predict(frame) == frame["y"]).mean() > 0.5


def test_a_name_that_is_a_number_of_numpy_beside_a_tuple():
    x = np.arange(40) % 7
    frame = pd.DataFrame({"a": x, "size": np.array(["S", "M", "L"])[x % 3]})
    frame.columns = pd.Index([("a", 1), np.int64(3)], dtype=object, tupleize_cols=False)
    types = autotype.infer_types(frame, known={np.int64(3): ["S", "M", "L"]})
    with pytest.raises(ValueError, match=r"\('a', 1\) is not text; rename the columns"):
        autotype.fit(frame, np.int64(3), types, model=LogisticRegression(), cv=None)


def test_views_of_bytes_may_be_features():
    x = np.random.default_rng(0).normal(size=60)
    views = pa.chunked_array([pa.array([b"a", b"b"] * 30).cast(pa.binary_view())])
    kind = pd.Series(views, dtype=pd.ArrowDtype(pa.binary_view()))
    frame = pd.DataFrame({"kind": kind, "x": x, "grade": np.where(x < 0, "low", "high")})
    frame.loc[x > 1, "grade"] = "very high"
    model = autotype.fit(frame, "grade", model="gp")
    assert model.predict(frame).notna().all()


@pytest.mark.parametrize("dtype", [float, np.longdouble])
def test_targets_whose_squares_overflow_are_refused_before_any_model(dtype: type) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=60), "y": rng.normal(size=60) * 1e307})
    frame["y"] = frame["y"].astype(dtype)
    types = autotype.infer_types(frame, known={"y": "continuous"})
    with pytest.raises(ValueError, match=r"the largest target in y, .* has a magnitude"):
        autotype.fit(frame, "y", types)


def test_features_whose_squares_vanish_are_zero():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=60), "tiny": rng.uniform(size=60) * 1e-300})
    frame["grade"] = np.where(frame["x"] < 0, "low", "high")
    frame.loc[frame["x"] > 1, "grade"] = "very high"
    types = autotype.infer_types(frame, known={"tiny": "continuous"})
    model = autotype.fit(frame, "grade", types, model="gp", cv=None)
    pd.testing.assert_frame_equal(
        model.predict_proba(frame), model.predict_proba(frame.assign(tiny=0.0))
    )


@pytest.mark.parametrize("model", ["auto", "gp", "logistic"])
def test_many_levels_on_few_rows_fit_without_a_warning(model):
    x = np.arange(24.0)
    frame = pd.DataFrame({"x": x, "y": x // 1.8})
    levels = sorted(frame["y"].unique())
    types = autotype.infer_types(frame, known={"y": levels})
    assert 2 * len(levels) > len(frame)
    assert autotype.fit(frame, "y", types, model=model).levels == tuple(levels)


def test_levels_that_end_with_nul_are_predicted():
    x = np.random.default_rng(0).normal(size=60)
    levels = ["\0", "a", "a\0"]
    frame = pd.DataFrame({"x": x, "y": np.array(levels, dtype=object)[np.digitize(x, [-0.5, 0.5])]})
    types = autotype.infer_types(frame, known={"y": "categorical"})
    model = autotype.fit(frame, "y", types, model="logistic")
    assert set(model.predict(frame)) == set(levels)


@pytest.mark.parametrize("cv", [np.array([1, 2]), [2], "2", 2.0, np.nan, True, 1])
def test_folds_are_a_number(cv) -> None:
    frame = pd.DataFrame({"a": ["low", "mid", "high"] * 9, "x": np.arange(27) % 7 * 1.5})
    with pytest.raises(ValueError, match="cv must be a number of folds >= 2, or None, got"):
        autotype.fit(frame, "a", cv=cv)
