from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from autotype.lexicon.dates import DATE_TEXT, days_of


def arrow(values: list, dtype: pa.DataType) -> pd.Series:
    return pd.Series(pd.array(values, dtype=pd.ArrowDtype(dtype)))


DAY, HALF = datetime.datetime(1970, 1, 11), datetime.timedelta(days=10)
NOON = datetime.time(12)


@pytest.mark.parametrize(
    ("values", "days"),
    [
        (pd.Series(["1970-01-11", None, "soon"]), 10),
        (pd.Series(["11 January 1970", None]), 10),
        (pd.Series(pd.to_datetime(["1970-01-11", None])), 10),
        (pd.Series(pd.to_datetime(["1970-01-11 01:00", None])).dt.tz_localize("Etc/GMT-1"), 10),
        (pd.Series(pd.PeriodIndex(["1970-01-11", None], freq="D")), 10),
        (pd.Series([DAY.date(), None]), 10),
        (pd.Series(pd.to_timedelta([10, None], "D")), 10),
        (arrow([DAY, None], pa.timestamp("us")), 10),
        (arrow([DAY.date(), None], pa.date32()), 10),
        (arrow([HALF, None], pa.duration("us")), 10),
        (pd.Series(["12:00", None]), 0.5),
        (pd.Series(["12:00:00", None, "noon"]), 0.5),
        (pd.Series(["12:00 PM", None]), 0.5),
        (pd.Series([NOON, None]), 0.5),
        (arrow([NOON, None], pa.time32("s")), 0.5),
        (pd.Series([pd.Timestamp("1970-01-11", tz="UTC"), None, DAY.date()], dtype=object), 10),
    ],
    ids=str,
)
def test_days(values: pd.Series, days: float) -> None:
    found = days_of(values)
    assert found.dtype == np.float64
    assert found[0] == days
    assert np.isnan(found[1])


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (["19700103", "19700104"], [2.0, 3.0]),
        (["03011970", "13011970"], [2.0, 12.0]),
        (["01031970", "01131970"], [2.0, 12.0]),
        (["99999999", "1970010"], [np.nan, np.nan]),
    ],
)
def test_dates_of_eight_digits_may_be_texts(texts: list[str], days: list[float]) -> None:
    np.testing.assert_array_equal(days_of(pd.Series(texts)), days)


def test_booleans_are_no_dates() -> None:
    assert days_of(pd.Series([True, False])).isna().all()


def test_words_for_the_present_are_no_dates() -> None:
    assert days_of(pd.Series(["never", "now", "today"])).isna().all()


def test_no_rows_have_no_days() -> None:
    assert days_of(pd.Series([], dtype=object)).tolist() == []
    assert days_of(pd.Series([None, None], dtype=object)).isna().all()


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (["03/02/1970", "13/02/1970"], [33, 43]),
        (["03/02/1970", "02/13/1970"], [60, 43]),
        (["3.2.1970", "03.02.70 12:00"], [33, 33.5]),
        (["1970-02-03", "13/02/1970"], [33, 43]),
        (["3-2-1970", "13-2-1970", "1970/02/03"], [33, 43, 33]),
        (["31.12.68", "31.12.69"], [36159, -1]),
    ],
    ids=str,
)
def test_one_date_shows_how_a_column_writes_them(texts: list[str], days: list[float]) -> None:
    assert days_of(pd.Series(texts)).tolist() == days


@pytest.mark.parametrize(
    ("numbers", "days"),
    [
        ([1969, 1971], [-365, 365]),
        ([1971.0, np.nan], [365, np.nan]),
        ([19700203, 19700101], [33, 0]),
        ([3021970, 13021970], [33, 43]),
        ([3021970, 2131970], [60, 43]),
        ([99999999, 19700101], [np.nan, 0]),
        ([86_400 * 10**9, 0], [1, 0]),
    ],
    ids=str,
)
def test_years_and_dates_of_eight_digits_are_no_nanoseconds(numbers: list, days: list) -> None:
    np.testing.assert_array_equal(days_of(pd.Series(numbers)), days)


def test_the_order_of_day_and_month_is_an_option() -> None:
    assert days_of(pd.Series(["03/02/1970", "1970-02-03"]), day_first=True).tolist() == [33, 33]
    assert days_of(pd.Series(["03/02/1970"])).tolist() == [60]


def test_dates_whose_month_is_a_word():
    found = days_of(pd.Series(["2. janvier 1970", None, "février 1970", "2. janvier 1970"]))
    np.testing.assert_array_equal(found, [1, np.nan, 31, 1])


@pytest.mark.parametrize("unit", [1, 1e3, 1e6, 1e9])
def test_unix_times_are_read_in_their_unit(unit: float) -> None:
    seconds = np.array([1_709_164_800, 1_709_251_200])
    days = days_of(pd.Series(seconds * int(unit)))
    assert days.tolist() == [19_782, 19_783]
    assert days_of(pd.Series(seconds * unit)).tolist() == [19_782, 19_783]


def test_three_numbers_that_are_no_date_in_any_order() -> None:
    assert not any(map(DATE_TEXT.fullmatch, ["15-15-15", "0-0-60", "20-20-20"]))
    assert all(map(DATE_TEXT.fullmatch, ["31-12-05", "12-31-05", "05-12-31", "00-00-00"]))
