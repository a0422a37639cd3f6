"""Profiles of columns: what is shown of cells whose levels are not listed."""

from __future__ import annotations

import datetime
import math

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype import TypeReport
from autotype.types.column_type import ColumnProfile


def profile_of(values, **options) -> ColumnProfile:
    return autotype.infer_types(pd.DataFrame({"x": values}), **options)["x"].profile


def test_numbers_have_a_histogram_and_examples_from_all_over_it() -> None:
    profile = profile_of(np.arange(200) / 8)
    assert profile.histogram == (10,) * 20
    assert (profile.low, profile.high) == ("0", "24.875")
    assert profile.examples == ("3.125", "9.375", "15.625", "21.875")
    assert (profile.n_missing, profile.common) == (0, ())


def test_infinities_and_missing_values_are_left_out() -> None:
    profile = profile_of([math.inf, None, -math.inf, *np.linspace(0, 1, 60)])
    assert sum(profile.histogram) == 60
    assert profile.n_missing == 1


def test_numbers_of_any_size() -> None:
    profile = profile_of(np.linspace(-1, 1, 41) * 1.7e308)
    assert sum(profile.histogram) == 41
    assert max(profile.histogram) <= 3


def test_dates_and_amounts_as_text() -> None:
    days = pd.date_range("2024-01-01", periods=50)
    for values in (days, days.strftime("%Y-%m-%d"), days.date):
        profile = profile_of(values)
        assert (profile.low, profile.high) == ("2024-01-01", "2024-02-19")
        assert sum(profile.histogram) == 50
    profile = profile_of([f"${k},000.50" for k in range(1, 60)])
    assert (profile.low, profile.high) == ("$1,000.50", "$59,000.50")


def test_texts_that_repeat_have_frequent_values() -> None:
    values = ["very often, in fact"] * 30 + [f"seldom {k} times" for k in range(200)]
    profile = profile_of(values)
    assert profile.common == (("very often, in fact", 30),)
    assert len(profile.examples) == 4
    assert profile.histogram == ()


def test_levels_that_are_listed_need_no_more() -> None:
    assert profile_of(["S", "M", "L", None] * 9) == ColumnProfile(9)


def test_long_texts_are_cut() -> None:
    profile = profile_of([f"{k:03d}" + "x" * 500 for k in range(150)])
    assert {len(text) for text in profile.examples} == {63}


def test_what_cannot_be_written_or_compared() -> None:
    class Odd:
        def __str__(self) -> str:
            raise ValueError("no text")

    assert profile_of([[1], [2]]) == ColumnProfile(0)
    assert profile_of([Odd() for _ in range(30)]) == ColumnProfile(0)
    assert profile_of([None, None]) == ColumnProfile(2)
    assert profile_of([datetime.date(1, 1, k + 1) for k in range(25)]).n_missing == 0


def test_the_order_of_rows_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"n": rng.normal(size=3000), "t": rng.integers(0, 900, 3000).astype(str)})
    frame["t"] = "R-" + frame["t"]
    shuffled = frame.sample(frac=1, random_state=1)
    one, other = (autotype.infer_types(part, max_rows=500) for part in (frame, shuffled))
    assert [c.profile for c in one.columns] == [c.profile for c in other.columns]


def test_json_keeps_it_and_earlier_reports_have_none() -> None:
    report = autotype.infer_types(pd.DataFrame({"n": np.arange(60) / 7, "t": ["x"] * 60}))
    again = TypeReport.from_json(report.to_json())
    assert again == report
    plain = report.to_dict()
    del plain["columns"][0]["profile"]
    from autotype.types.codec.report_json import types_from_dict

    assert types_from_dict(plain).columns[0].profile is None


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        (3, "profile: 3 is not an object"),
        ({}, "lacks 'n_missing'"),
        ({"n_missing": -1}, "-1 is not a number from 0 up"),
    ],
)
def test_damaged_profiles(profile, message) -> None:
    plain = TypeReport([autotype.ColumnType("x", "text")]).to_dict()
    plain["columns"][0]["profile"] = profile
    from autotype.types.codec.report_json import types_from_dict

    with pytest.raises(ValueError, match=message):
        types_from_dict(plain)
