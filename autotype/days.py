"""Dates, times of day and durations of any dtype as numbers of days."""

from __future__ import annotations

import datetime
import re

import numpy as np
import pandas as pd

# 12:05, 12:05:30.5, 12:05 PM
TIME_TEXT = re.compile(r"\s*\d{1,2}:\d{2}(:\d{2})?(\.\d+)?\s*([AaPp][Mm])?\s*")


def days_of(values: pd.Series) -> pd.Series:
    """Give dates as days since 1970, times as parts of a day, and durations as days.

    Parameters
    ----------
    values : pandas.Series
        Dates, times of day, periods or durations, stored as such or as texts.

    Returns
    -------
    pandas.Series of float64
        NaN where a value is missing or none of these.

    Examples
    --------
    >>> days_of(pd.Series(["1970-01-03", "12:00", "soon"])).tolist()
    [2.0, 0.5, nan]
    """
    if isinstance(values.dtype, pd.PeriodDtype):
        values = values.dt.to_timestamp()
    if isinstance(values.dtype, pd.ArrowDtype) and values.dtype.kind == "m":
        values = values.astype("timedelta64[us]")
    if pd.api.types.is_timedelta64_dtype(values.dtype):
        return values / pd.Timedelta(days=1)
    if not pd.api.types.is_datetime64_any_dtype(values.dtype):
        values = values.astype(object).map(_on_the_first_day)
    dates = pd.to_datetime(values, errors="coerce", utc=True, format="mixed")
    days = (dates - pd.Timestamp("1970-01-01", tz="UTC")) / pd.Timedelta(days=1)
    return days.astype("Float64").astype(np.float64)


def _on_the_first_day(value: object) -> object:
    """Put a time of day on the first of January 1970; by default it would be today."""
    if isinstance(value, datetime.time) or (isinstance(value, str) and TIME_TEXT.fullmatch(value)):
        return f"1970-01-01 {value}"
    return value
