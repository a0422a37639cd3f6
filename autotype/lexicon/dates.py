"""Convert dates, times of day and durations of any dtype to numbers of days.

Dates whose month is a word, or which lack the day, are read as well: "5. März 2018", "Aug 2018",
"08/2018". The months of one column are words of one language. So the strings are split first,
whatever the words are, and then the language is searched that knows all of them.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from functools import cache
from numbers import Real

import numpy as np
import pandas as pd

from autotype.lexicon.missing import without_signaling_nan
from autotype.lexicon.tokens import without_accents
from autotype.lexicon.toml_files import read_toml

# 2024-01-31, 31.1.24, 31 Jan 2024, January 31, 2024, and with a day of the week and a time of
# day; "Wed Jan 31 06:30:00 2024" as well, but not "15-15-15" or "0-0-60" of a fertilizer
DATE_TEXT = re.compile(
    r"\s*(?!(?:(?:1[3-9]|[2-9]\d|0)[-/.]){2}\d\d\b)"
    r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )?(?:"
    r"[A-Za-z]{3} +\d{1,2} \d\d:\d\d:\d\d (?:\S+ )?\d{4}\s*"
    r"|(\d{4}(?:[-/.]|\. )[01]?\d(?:[-/.]|\. )[0-3]?\d\.?"
    r"|(?:[0-3]?\d(?:[-/.]|\. )[01]?\d|[01]?\d(?:[-/.]|\. )[0-3]?\d|\d\d[-/][01]?\d)"
    r"(?:[-/.]|\. )(\d{4}|\d{2})"
    r"|\d{1,2}[ -][A-Za-z]{3,9}[ -]\d{2,4}|[A-Za-z]{3,9} \d{1,2},? \d{4})([T ]\d{1,2}:\d{2}.*)?\s*)"
)
# 12:05, 12:05:30.5, 12:05 PM
TIME_TEXT = re.compile(r"\s*\d{1,2}:\d{2}(:\d{2})?(\.\d+)?\s*([AaPp][Mm])?\s*")


# 3/2/2024, 3.2.24, 3. 2. 2024, 3-2-2024 10:30
_NUMBERED = re.compile(r"\s*(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})\b")
EIGHT_DIGITS = re.compile(r"\d{8}", re.ASCII)
_YEARS = (1900.0, 2100.0)
_EARLIEST_YEAR = "1900"  # of dates of eight digits
_LARGEST_PACKED = 99_999_999.0  # eight digits
_UNIX_SECONDS = (946_684_800, 4_102_444_800)  # the years 2000 to 2100
_LARGEST_TIME = 1e19  # more nanoseconds than a date holds
_UNIX_UNITS = (1_000_000_000, 1_000_000, 1000, 1)  # nanoseconds in that of a Unix time
_PACKED_CHECKED = 200  # numbers that are tried as dates
_FEWEST_MONTHS = 6  # different ones, written as six digits or "2018-03"

_NO_YEAR = 1972  # stands for the year of days of a year: with a 29 February
_NEVER = 13  # months

_LONGEST = 60  # characters
# Different months of dates whose years have two digits, since "Set 10" and "Set 11" are no dates,
# and of months that are numbers, since "1/2000" and "1/2500" are scales of maps.
_FEWEST_SHORT, _FEWEST_NUMBERED = 3, 2
_YEAR = r"(?P<year>1[5-9]\d\d|2[0-6]\d\d)"
_DAY = r"(?P<day>[0-3]?\d)"
_WORD = r"(?P<word>[^\W\d_][^\s\d.,/_'-]+)\.?"
_OF = r"(?:\.|º|er|st|nd|rd|th)?[\s.-]*(?:de |di |of |d')?"
_END = r"(?:[,.]? ?(?:г|р|r|år|m)?\.?)?(?:[ ,T]+\d{1,2}[:h.]\d\d.*)?"
_FORMS = tuple(
    re.compile(rf"(?:[^\W\d]+,? )?{form}")
    for form in (
        rf"{_WORD}\s{_DAY}(?:st|nd|rd|th)?,?\s{_YEAR}{_END}",  # March 5, 2018
        rf"{_DAY}{_OF}{_WORD}[\s,.-]*(?:de |del |di )?{_YEAR}{_END}",  # 5 de marzo de 2018
        rf"{_YEAR}\.?\s(?:m\. )?{_WORD}(?:\s{_DAY}\.?(?: d\.?)?)?{_END}",  # 2018. március 5.
        # Mar 2018, March '18
        rf"{_WORD}[\s,/_'-]*(?:de |del |di )?(?:{_YEAR}|(?<=[\s'-])(?P<short>\d\d)){_END}",
        rf"{_YEAR}[年년]\s?(?P<month>\d\d?)[月월](?:\s?{_DAY}[日일])?{_END}",  # 2018年3月5日
        rf"{_YEAR}\s?m(?P<month>\d\d?)",  # 2018M03
        rf"(?P<month>\d\d?)[/-]{_YEAR}",  # 03/2018
        # 2018-03, and of a column with days also 2018-03-05 and 2018
        rf"{_YEAR}(?:(?P<sign>[/-])(?P<month>\d\d)(?:(?P=sign){_DAY})?)?",
        rf"{_DAY}{_OF}{_WORD}",  # 29-May
    )
)


def days_of(values: pd.Series, *, day_first: bool | None = None) -> pd.Series:
    """Convert dates to days since 1970, times to fractions of a day, and durations to days.

    Parameters
    ----------
    values : pandas.Series
        Dates, times of day, periods or durations, stored as such or as strings; dates of eight
        digits (20240131, 31012024) also as numbers, years as numbers, and Unix times since the
        year 2000 in seconds, milliseconds or microseconds. Other numbers are nanoseconds since
        1970.
    day_first : bool, optional
        Whether strings such as "3/2/2024" begin with the day; by default the result of
        `is_day_first`.

    Returns
    -------
    pandas.Series of float64
        NaN for missing and other values.

    Examples
    --------
    >>> days_of(pd.Series(["1970-01-03", "12:00", "soon"])).tolist()
    [2.0, 0.5, nan]
    >>> days_of(pd.Series([1971, 19700103])).tolist()
    [365.0, 2.0]
    """
    values = without_signaling_nan(values)
    if isinstance(values.dtype, pd.PeriodDtype):
        values = values.dt.to_timestamp()
    if isinstance(values.dtype, pd.ArrowDtype) and values.dtype.kind == "m":
        values = values.astype("timedelta64[us]")
    if pd.api.types.is_timedelta64_dtype(values.dtype):
        return values / pd.Timedelta(days=1)
    if not pd.api.types.is_datetime64_any_dtype(values.dtype):
        values = _with_iso_dates(values.astype(object).map(_digits_as_date))
        first = is_day_first(values) if day_first is None else day_first
        # As objects: pandas infers bool for Booleans, which it converts to dates without a zone.
        values = values.map(lambda value: _unambiguous(value, first)).astype(object)
    dates = pd.to_datetime(values, errors="coerce", utc=True, format="mixed")
    days = (dates - pd.Timestamp("1970-01-01", tz="UTC")) / pd.Timedelta(days=1)
    return days.astype("Float64").astype(np.float64)


def are_years(values: np.ndarray, n_distinct: int) -> bool:
    """Check whether integers are years: three and more within a span of recent times.

    Examples
    --------
    >>> are_years(np.array([2019, 2020, 2022]), 3), are_years(np.array([1900, 1999, 2100]), 3)
    (True, False)
    """
    if n_distinct < 3 or not len(values):
        return False
    low, high = values.min(), values.max()
    return bool(_YEARS[0] <= low and high <= _YEARS[1] and high - low <= 3 * n_distinct)


def are_packed_dates(values: np.ndarray) -> bool:
    """Check whether integers are dates such as 20180610 or 10062018, or months such as 201806.

    Examples
    --------
    >>> are_packed_dates(np.array([20180610, 20181231, 20190101]))
    True
    >>> are_packed_dates(np.array([201811, 201812, 201813, 201814, 201815, 201816]))
    False
    """
    if values.min() < 0 or values.max() > _LARGEST_PACKED:
        return False
    distinct = np.unique(values)[:_PACKED_CHECKED].astype(np.int64).astype(str).tolist()
    widths = {*map(len, distinct)}
    if len(distinct) >= _FEWEST_MONTHS and widths == {6}:
        forms: tuple[str, ...] = ("%Y%m",)
    elif len(distinct) >= 3 and widths <= {7, 8}:
        forms = ("%Y%m%d", "%m%d%Y", "%d%m%Y")
        distinct = [text.zfill(8) for text in distinct]
    else:
        return False
    dates = (pd.to_datetime(pd.Series(distinct), format=f, errors="coerce") for f in forms)
    return any(found.between("1900-01-01", "2100-01-01").all() for found in dates)


def are_unix_times(values: np.ndarray) -> bool:
    """Check whether numbers are times since 1970 in one unit, seconds to nanoseconds.

    Examples
    --------
    >>> are_unix_times(np.array([1_709_251_231, 1_709_260_000])), are_unix_times(np.array([5, 6]))
    (True, False)
    """
    units = {_unix_unit(value) for value in (values.min(), values.max())}
    return len(units) == 1 and None not in units


def _unix_unit(value: float) -> int | None:
    """Return the nanoseconds in the unit of a Unix time since 2000, None of other numbers."""
    low, high = (second * 1_000_000_000 for second in _UNIX_SECONDS)
    return next((unit for unit in _UNIX_UNITS if low <= value * unit < high), None)


def is_day_first(values: pd.Series) -> bool:
    """Check whether strings such as "3/2/2024" begin with the day: in one it exceeds 12.

    Examples
    --------
    >>> is_day_first(pd.Series(["3/2/2024", "13/2/2024"]))
    True
    >>> is_day_first(pd.Series(["3/2/2024", "2/13/2024"]))
    False
    >>> is_day_first(pd.Series([3022024, 13022024]))
    True
    """
    matches = _numbered(map(_digits_as_date, values))
    return any(match is not None and int(match[1]) > 12 for match in matches)


def stated_day_first(values: pd.Series) -> bool | None:
    """Return whether numbered dates begin with the day, or None if no text of them tells.

    Examples
    --------
    >>> stated_day_first(pd.Series(["3/2/2024", "2/13/2024"]))
    False
    >>> stated_day_first(pd.Series(["3/2/2024"])) is None
    True
    """
    matches = _numbered(values)
    found = [(int(m[1]), int(m[3])) for m in matches if m is not None and m[2] != "."]
    days, months = any(first > 12 for first, _ in found), any(second > 12 for _, second in found)
    return None if days == months else days


def are_dates(values: pd.Series, *, day_first: bool | None = None) -> np.ndarray:
    """Check for each value that it is a date or time that exists.

    Parameters
    ----------
    values : pandas.Series
        Without missing values.
    day_first : bool, optional
        Whether strings such as "3/2/2024" have to begin with the day, or with the month; by default
        either.

    Returns
    -------
    ndarray of bool

    Examples
    --------
    >>> are_dates(pd.Series(["2/13/2024", "13/2/2024", "31/31/2024"]), day_first=False).tolist()
    [True, False, False]
    """
    exist = days_of(values, day_first=day_first).notna().to_numpy(dtype=bool)
    if day_first is None:
        return exist
    month = 3 if day_first else 1
    matches = _numbered(values)
    wrong = [m is not None and m[2] != "." and int(m[month]) > 12 for m in matches]
    return exist & ~np.array(wrong, dtype=bool)


def _numbered(values: Iterable[object]) -> list[re.Match[str] | None]:
    """Match day, month and year in the strings of dates such as "3/2/2024"."""
    return [_NUMBERED.match(value) if isinstance(value, str) else None for value in values]


def _digits_as_date(value: object) -> object:
    """Convert a year or a date of eight digits to the text of a date; return other values."""
    if isinstance(value, str):
        return _separated(value) if EIGHT_DIGITS.fullmatch(value) else value
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 1000 <= value <= _LARGEST_TIME:  # type: ignore[operator]
        return value
    number = int(value)  # type: ignore[call-overload]
    if number > _LARGEST_PACKED:
        unit = _unix_unit(number)
        return value if unit is None else number * unit
    digits = str(number)
    if number != value or len(digits) in (5, 6):
        return value
    # Of eight digits, the first may be a zero, which numbers do not hold.
    return f"{digits}-01-01" if len(digits) == 4 else _separated(digits.zfill(8))


def _with_iso_dates(values: pd.Series) -> pd.Series:
    """Convert dates whose month is a word, or which lack the day, to ISO 8601."""
    texts = list(dict.fromkeys(value for value in values if isinstance(value, str)))
    written = written_dates(texts)
    if written is None:
        return values
    iso = {t: f"{y}-{m:02d}-{d or 1:02d}" for t, (y, m, d) in zip(texts, written, strict=True)}
    return values.map(lambda value: iso.get(value, value) if isinstance(value, str) else value)


def _separated(digits: str) -> str:
    """Return the text of a date of eight digits."""
    if digits[:4] >= _EARLIEST_YEAR and digits[4:6] <= "12":
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
    return f"{digits[:2]}/{digits[2:4]}/{digits[4:]}"


def _unambiguous(value: object, day_first: bool) -> object:
    """Convert a date that begins with the day to ISO 8601, and a time of day to one of 1970.

    pandas reads a time of day as today's, "3.2.2024" as a day in March, and "now" as the time of
    the call.
    """
    if isinstance(value, datetime.time):
        return f"1970-01-01 {value}"
    if not isinstance(value, str):
        return value
    if value in ("now", "today"):
        return None
    if TIME_TEXT.fullmatch(value):
        return f"1970-01-01 {value}"
    match = _NUMBERED.match(value)
    if match is None or int(match[3]) > 12 or not (day_first or match[2] == "."):
        return value
    return f"{year_of(match[4]):04d}-{int(match[3]):02d}-{int(match[1]):02d}{value[match.end() :]}"


def year_of(digits: str) -> int:
    """Return the year that digits state, two of them by the rule of POSIX.

    Examples
    --------
    >>> year_of("1850"), year_of("69"), year_of("23")
    (1850, 1969, 2023)
    """
    century = 0 if len(digits) > 2 else 1900 if int(digits) >= 69 else 2000
    return century + int(digits)


def written_dates(texts: Sequence[str]) -> list[tuple[int, int, int]] | None:
    """Read strings as dates whose month is a word, or as months of years.

    Parameters
    ----------
    texts : sequence of str
        Different ones.

    Returns
    -------
    list of (int, int, int) or None
        Year, month and day of each, day 0 where there is none. None unless all strings are such
        dates, with the months of one language.

    Examples
    --------
    >>> written_dates(["5. März 2018", "21. Oktober 2019"])
    [(2018, 3, 5), (2019, 10, 21)]
    >>> written_dates(["août 2018", "sept. 2018"]), written_dates(["2018年3月", "2018年12月"])
    ([(2018, 8, 0), (2018, 9, 0)], [(2018, 3, 0), (2018, 12, 0)])
    >>> written_dates(["Room 2018", "March 2018"]) is None
    True
    >>> written_dates(["2018-03", "2018-05-12", "2018-04-02"]), written_dates(["29-May", "2-Jun"])
    ([(2018, 3, 0), (2018, 5, 12), (2018, 4, 2)], [(1972, 5, 29), (1972, 6, 2)])
    """
    matches = []
    for text in texts:
        match = _match(text)
        if match is None:
            return None
        matches.append(match)
    words = {match["word"] for match in matches if "word" in match}
    # Of the first language that knows all words.
    months = next((own for own in _month_tables() if words <= own.keys()), None) if words else {}
    if months is None or not matches:
        return None
    dates = [_date(match, months) for match in matches]
    n_days = sum("sign" in match and "day" in match for match in matches)
    if n_days:
        # Dates of which some lack the day, or the month as well; pandas reads those that do not.
        if n_days == len(dates) or n_days < len(dates) / 2:
            return None
        dates, fewest = [(year, month or 1, day) for year, month, day in dates], 0
    elif not all("year" in match or "short" in match for match in matches):
        fewest = 0 if any(day > 12 for _, _, day in dates) else _NEVER  # "5-Jan" may be 1-5
    elif any("sign" in match for match in matches):
        if all((year + 1 - month) % 100 == 0 for year, month, _ in dates):
            return None  # school years: "2001/02", "2002/03"
        fewest = _FEWEST_MONTHS
    elif any("short" in match for match in matches):
        fewest = _FEWEST_SHORT
    else:
        fewest = 0 if words or any("day" in match for match in matches) else _FEWEST_NUMBERED
    exist = all(0 < month <= 12 and day <= 31 for _, month, day in dates)
    return dates if exist and len({month for _, month, _ in dates}) >= fewest else None


def _match(text: str) -> dict[str, str] | None:
    """Return the parts of a date by name."""
    if len(text) > _LONGEST or not any(map(str.isdecimal, text)):
        return None
    plain = without_accents(text).casefold().strip()
    for form in _FORMS:
        if match := form.fullmatch(plain):
            return {name: part for name, part in match.groupdict().items() if part}
    return None


@cache
def _month_tables() -> list[dict[str, int]]:
    """Return a mapping from words to months, 1 to 12, for each language."""
    return [
        {
            without_accents(word).casefold(): month
            for month, forms in enumerate(names, start=1)
            for word in forms.split()
        }
        for names in read_toml("months").values()
    ]


def _date(parts: dict[str, str], months: dict[str, int]) -> tuple[int, int, int]:
    year = year_of(parts.get("short") or parts.get("year", str(_NO_YEAR)))
    month = months[parts["word"]] if "word" in parts else int(parts.get("month", 0))
    return year, month, int(parts.get("day", 0))
