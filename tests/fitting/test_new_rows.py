"""New rows whose values are not of the kind of the fit are refused, or warned of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

import autotype
from autotype.errors import UnknownColumnError
from autotype.fitting.column_model import ColumnModel


def frame_of(n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    weight = rng.normal(size=n)
    return pd.DataFrame(
        {
            "weight": weight,
            "price": [f"${10 + x:.2f}" for x in weight],
            "member": weight > 0,
            "shade": rng.choice(["light", "dark"], n),
            "day": pd.date_range("2024-01-01", periods=n),
            "size": np.array(["S", "M", "L"])[np.digitize(weight, [-0.5, 0.5])],
        },
        index=[f"r{k}" for k in range(n)],
    )


FRAME = frame_of()
NEW = FRAME.head(3).drop(columns="size")


@pytest.fixture(scope="module")
def model() -> ColumnModel:
    return FRAME.ordinal.fit("size", cv=None)


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("weight", [1, "heavy", 2], r"'weight' holds 'heavy' at row 'r1', but has to be a number"),
        ("weight", ["a", "b", 1], r"holds 'a' at row 'r0' \(and 1 more rows\).*or make it missing"),
        ("weight", [[1], 1, 2], r"holds \[1\] at row 'r0'"),
        ("weight", [1.0, 2.0, np.inf], r"holds inf at row 'r2', .* below 1e150 in magnitude"),
        ("weight", [1e300, 2.0, 3.0], r"holds 1e\+300 at row 'r0'"),
        ("weight", [1, "1", 1j], r"holds 1j at row 'r2'"),
        ("weight", [1j, 2j, 3j], r"holds 1j at row 'r0'"),
        ("weight", pd.date_range("2024-01-01", periods=3), r"holds Timestamp\('2024-01-01"),
        ("price", ["$9", "on request", "$8"], r"'price' holds 'on request' at row 'r1'"),
        ("day", ["2024-01-01", "whenever", None], r"'day' holds 'whenever' .* has to be a date"),
        ("day", ["2024-01-01", [1], None], r"'day' holds \[1\] .* has to be a date"),
        ("day", [1, 2, 3], r"'day' has the dtype int64, but the fit read its dates from dates"),
    ],
)
def test_values_of_another_kind_are_refused(model, column: str, values: Any, message: str) -> None:
    new = NEW.assign(**{column: values})
    with pytest.raises(ValueError, match=message):
        model.predict(new)
    with pytest.raises(ValueError, match=message):
        model.predict_proba(new)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("weight", [None, "", "NA"]),
        ("weight", ["0.5", " 1.5 ", "2"]),
        ("weight", pd.array([1, None, 2], dtype="Int64")),
        ("weight", [True, False, True]),
        ("price", [9.5, 10.5, np.nan]),
        ("day", ["2024-01-01", None, "2024-03-01"]),
        ("day", pd.date_range("2024-01-01", periods=3, tz="UTC")),
        ("member", ["True", "False", None]),
        ("shade", pd.Categorical(["dark", None, "light"])),
    ],
)
def test_values_of_the_same_kind_in_another_form_are_read(model, column: str, values: Any) -> None:
    assert model.predict(NEW.assign(**{column: values})).notna().all()


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("shade", ["dark", "neon", "pink"], r"'shade' .* first at row 'r1': 'neon', 'pink'; they"),
        ("member", [0, 1, 1], r"'0', '1'; they are treated as missing, .* are 'False', 'True'"),
    ],
)
def test_levels_that_the_fit_did_not_hold_are_warned_of(model, column, values, message) -> None:
    with pytest.warns(UserWarning, match=message) as caught:
        predicted = model.predict(NEW.assign(**{column: values}))
    assert predicted.notna().all()
    assert caught[0].filename == __file__


def test_what_the_fit_could_not_read_is_missing_in_new_rows_too() -> None:
    frame = FRAME.assign(weight=FRAME["weight"].astype(object))
    frame.loc[["r5", "r9"], "weight"] = "lost"
    types = FRAME.ordinal.infer_types()
    model = frame.ordinal.fit("size", types, cv=None)
    assert model.predict(NEW.assign(weight=["heavy", 1, 2])).notna().all()


def test_frames_that_lack_or_repeat_a_feature(model) -> None:
    with pytest.raises(UnknownColumnError, match=r"1 of the model's 5 features: 'weight'; did you"):
        model.predict(NEW.rename(columns={"weight": "weigth"}))
    with pytest.raises(ValueError, match=r"several columns 'weight'; rename them"):
        model.predict(pd.concat([NEW, NEW[["weight"]]], axis=1))
    with pytest.raises(TypeError, match=r"DataFrame with the columns 'weight'.*got ndarray"):
        model.predict(NEW.to_numpy())


@pytest.mark.parametrize("call", ["explain", "plot"])
def test_what_compares_with_the_target_needs_it_once(model, call: str) -> None:
    with pytest.raises(UnknownColumnError, match="the frame holds no column 'size'"):
        getattr(model, call)(NEW)
    twice = pd.concat([FRAME, FRAME[["size"]]], axis=1)
    with pytest.raises(ValueError, match="the frame holds several columns 'size'"):
        getattr(model, call)(twice)


def test_an_integer_beyond_floats_is_no_number_of_a_model(model) -> None:
    price = pd.Series([10**5000, 10, 12], dtype=object, index=NEW.index)
    with pytest.raises(ValueError, match="'price' holds the integer of 16610 bits at row 'r0'"):
        model.predict(NEW.assign(price=price))


def test_dates_stored_as_years_have_to_stay_numbers() -> None:
    years = np.random.default_rng(0).integers(1950, 2020, 60)
    frame = pd.DataFrame(
        {"year": years, "size": np.array(["S", "M", "L"])[np.digitize(years, [1975, 2000])]}
    )
    model = frame.ordinal.fit("size", cv=None)
    assert model.types["year"].semantic_type == "datetime"
    assert (model.predict(frame).astype(str) == frame["size"]).mean() > 0.9
    with pytest.raises(ValueError, match=r"fit read its dates from numbers"):
        model.predict(frame.assign(year=frame["year"].astype(str)))


def test_dates_of_arrow_are_a_feature_as_others_are() -> None:
    frame = FRAME.assign(day=FRAME["day"].astype("date32[day][pyarrow]"))
    model = frame.ordinal.fit("size", cv=None)
    predicted = model.predict(frame.head(3).drop(columns="size"))
    expected = FRAME.ordinal.fit("size", cv=None).predict(NEW)
    pd.testing.assert_series_equal(predicted, expected)


def test_a_model_warns_of_unseen_levels_once() -> None:
    """The encoder in its pipeline would warn again, at a line of scikit-learn."""
    frame = pd.DataFrame({"size": ["S", "M", "L"] * 12, "y": [1.5, 2.5, 3.6] * 12})
    types = autotype.infer_types(frame, known={"size": ["S", "M", "L"], "y": "continuous"})
    model = autotype.fit(frame, "y", types=types, model=LinearRegression())
    with pytest.warns(UserWarning, match="feature 'size' holds levels") as found:
        model.predict(pd.DataFrame({"size": ["S", "XXL"]}))
    assert [warning.filename for warning in found] == [__file__]
