"""Return the dates and times that SPSS, Stata and SAS store as numbers with a format.

pyreadstat knows some of the formats, ends on dates that Python does not have, and takes the days of
a duration for midnight.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pandas as pd

from autotype.lexicon.toml_files import read_toml

_DAY = 86_400.0
_WEEKS_A_YEAR = 52  # of Stata, whose last week has eight or nine days
_MILLI, _MICRO = 1e3, 1e6
WIDTH = re.compile(r"\d*\.?\d*$")  # of a format, behind its name

_PROGRAMS = {"sav": "spss", "por": "spss", "dta": "stata", "sas7bdat": "sas", "xpt": "sas"}
_FIRST_DAY = {"sav": "1582-10-14", "por": "1582-10-14"}  # of the others:
_FIRST_OF_OTHERS = "1960-01-01"
_YEARS = np.array(["0001-01-01", "10000-01-01"], "datetime64[us]")
_MOST_MONTHS = 1e5  # beyond year 9999
_MONTHS = {"month": 1, "quarter": 3, "half": 6}


def date_kind(form: str, program: str) -> str:
    """Return what a column of a format holds, such as "date" or "month"; empty if numbers.

    Parameters
    ----------
    form : str
        Such as "DATETIME20" or "%tm".
    program : str
        The ending of the file's name, such as ``"sav"``.

    Examples
    --------
    >>> date_kind("ADATE10", "sav"), date_kind("%tmCCYY", "dta"), date_kind("F8.2", "sav")
    ('date', 'month', '')
    """
    bare = form if program == "dta" else WIDTH.sub("", form.upper())
    return next((kind for kind, known in _formats(program).items() if known.fullmatch(bare)), "")


@cache
def _formats(program: str) -> dict[str, re.Pattern[str]]:
    dates = read_toml("files")["dates"][_PROGRAMS[program]]
    return {kind: re.compile("|".join(patterns)) for kind, patterns in dates.items()}


def stored_dates(values: pd.Series, kind: str, program: str) -> pd.Series:
    """Return numbers as the dates that they are.

    Parameters
    ----------
    values : pandas.Series
        Of numbers, and tagged missing values as strings, which stay.
    kind : str
        Of `date_kind`.
    program : str
        The ending of the file's name.

    Returns
    -------
    pandas.Series
        Days are of `datetime.date`, as are the first days of weeks and months; times of day of
        `datetime.time`. Times that are no time of a day are durations. Numbers that mean no date
        from year 1 to 9999 stay.

    Examples
    --------
    >>> stored_dates(pd.Series([0.0, 14.0]), "month", "dta").tolist()
    [datetime.date(1960, 1, 1), datetime.date(1961, 3, 1)]
    >>> stored_dates(pd.Series([90_000.0]), "time", "sav").tolist()
    [Timedelta('1 days 01:00:00')]
    """
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(float)
    with np.errstate(over="ignore"):
        seconds = _seconds(numbers, kind, program)
    is_span = kind in ("time", "duration")
    start = np.datetime64(
        "1970-01-01" if is_span else _FIRST_DAY.get(program, _FIRST_OF_OTHERS), "us"
    )
    low, high = (_YEARS - start) / np.timedelta64(1, "s")
    if not len(values) or np.nanmin(seconds, initial=0) < low:
        return values
    if np.nanmax(seconds, initial=0) >= high:
        return values
    spans = np.round(seconds * _MICRO)
    moments = start + np.where(np.isnan(spans), 0, spans).astype("timedelta64[us]")
    moments[np.isnan(spans)] = np.datetime64("NaT")
    if kind == "moment":
        found = pd.Series(moments)
    elif not is_span:
        found = pd.Series(moments.astype("datetime64[D]").astype(object), dtype=object)
    elif kind == "time" and not np.any((seconds < 0) | (seconds >= _DAY)):
        times = [None if m is None else m.time() for m in moments.astype(object)]
        found = pd.Series(times, dtype=object)
    else:
        found = pd.Series(moments - start)
    found = found.set_axis(values.index).rename(values.name)
    tags = values[values.notna() & np.isnan(numbers)]
    return (
        found if tags.empty else found.astype(object).where(~values.index.isin(tags.index), values)
    )


def _seconds(numbers: np.ndarray, kind: str, program: str) -> np.ndarray:
    """Return the seconds since the first day of a program's calendar, or of a duration."""
    if program in ("sav", "por"):
        return numbers
    if kind == "date":
        return numbers * _DAY
    if program != "dta":
        return numbers
    if kind in ("time", "moment"):
        return numbers / _MILLI
    years, weeks = np.divmod(numbers, _WEEKS_A_YEAR)
    months, days = (years * 12, weeks * 7) if kind == "week" else (numbers * _MONTHS[kind], 0)
    start = np.datetime64(_FIRST_OF_OTHERS, "M")
    counted = np.nan_to_num(np.clip(months, -_MOST_MONTHS, _MOST_MONTHS)).astype(int)
    from_start = (start + counted).astype("datetime64[s]") - start.astype("datetime64[s]")
    return np.where(np.isnan(numbers), np.nan, from_start.astype(float) + days * _DAY)
