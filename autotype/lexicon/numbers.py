"""Parse numbers written as strings: "1.5", "$1,250.00", "12,5 %", "3.5 kg", "1'000", "(1,234)"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from autotype.lexicon.missing import without_signaling_nan

# Currencies before or behind a number, in any case of letters: signs, international codes, and how
# they are written at home.
CURRENCY_SIGN = r"(?:US|CA|AU|NZ|HK|[ACRS])?\$|[€£¥₹₽₩₺₴₪₫฿₦₱₸₾₡]"
CURRENCY_CODE = (
    r"USD|EUR|GBP|CHF|JPY|INR|CNY|RMB|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|RUB|UAH|ILS|NIS|TRY|TL|BRL|"
    r"MXN|ARS|CLP|COP|AUD|NZD|CAD|HKD|SGD|KRW|TWD|NTD|THB|IDR|Rp|MYR|PHP|VND|AED|SAR|IRR|EGP|NGN|"
    r"KES|ZAR|Rs"
)
CURRENCY_AT_HOME = r"Rs\.|kr\.?|zł|Kč|р\.|руб\.?|грн\.?|лв\.?|元|円|원"
_CURRENCY = f"{CURRENCY_SIGN}|{CURRENCY_CODE}|{CURRENCY_AT_HOME}"
_UNIT = (
    r"%|‰|°\s?[CF]?|[mck]?m[²³23]?|[mkµ]?g|[mc]?l|lbs?|oz|mi|ft|in|hrs?|h|min|s|sec|ms|yrs?|"
    r"k?wh?|v|[kmgt]b|[kmg]?hz|hp|bhp|cc|mph|km/h|px|[ab]ps?"
)
_MONEY_WORDS = frozenset(
    ["euro", "dollar", "pound", "peso", "real", "рубл", "рубль", "рублей", "рубля"]
)
_GROUPED = r"\d{1,3}(?:(?P<group>[.,'’ \u00a0\u202f])\d{3})(?:(?P=group)\d{3})*(?:[.,]\d+)?"
_AMOUNT = re.compile(
    rf"\s*(?P<open>\()?(?P<minus>[-−])?\s*(?P<before>{_CURRENCY})?\s*(?P<sign>[-−])?"
    rf"(?P<number>{_GROUPED}|\d+(?:[.,]\d+)?|[.,]\d+)"
    rf"(?:\s*(?P<after>{_CURRENCY}|{_UNIT})|\s+(?P<word>[^\W\d_]{{2,12}}))?(?P<close>\))?"
    r"(?P<trailing>[-−])?\s*",
    re.I,
)

_POINT = re.compile(r"\s*[-+]?\d*\.\d*\s*")
_GROUPED_BY_POINTS = re.compile(r"\s*[-+]?[1-9]\d{0,2}(?:\.\d{3})+\s*")
_UNGROUPED = re.compile(r"\s*[-+]?(?:\d{1,3}|\d{1,3}(?:\.\d{3}){2,})\s*")

# Strings for a missing number. In a column of strings they are strings like any other.
MISSING_NUMBERS = frozenset(
    ["NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "None", "none", "#N/A", "-", "."]
)


def read_amounts(values: pd.Series) -> np.ndarray | None:
    """Read a column of strings that are all amounts in the same unit or currency.

    Parameters
    ----------
    values : pandas.Series
        Any column.

    Returns
    -------
    ndarray of float64, or None
        One number per row, NaN if missing; None unless every value is a string of a number with the
        common currency or unit, or with grouped digits.

    Examples
    --------
    >>> read_amounts(pd.Series(["$1,250.00", None, "-$3"])).tolist()
    [1250.0, nan, -3.0]
    >>> read_amounts(pd.Series(["3 kg", "4 km"])) is None
    True
    """
    present = values.dropna()
    if not len(present) or not all(isinstance(value, str) for value in present):
        return None
    matches = [_AMOUNT.fullmatch(text) for text in present]
    amounts = [match for match in matches if match is not None]
    if len(amounts) < len(matches) or len({_unit(match) for match in amounts} - {("", "")}) > 1:
        return None
    if not _are_negated(amounts) or all(_is_bare(match) for match in amounts):
        return None
    return amounts_of(values).to_numpy()


def as_floats(values: pd.Series) -> pd.Series:
    """Return a column's numbers, stored as such or as plain strings; NaN for other values."""
    if isinstance(values.dtype, pd.ArrowDtype):  # pandas 3.1 fails on missing decimals of Arrow
        values = values.astype(object)
    return pd.to_numeric(values, errors="coerce").astype("Float64").astype("float64")


def amounts_of(values: pd.Series) -> pd.Series:
    """Return a column's numbers, stored as such or as strings of amounts.

    Parameters
    ----------
    values : pandas.Series
        Any column.

    Returns
    -------
    pandas.Series of float64
        NaN for values that are missing, infinite, or not amounts.

    Examples
    --------
    >>> amounts_of(pd.Series(["1.250,50 €", "3 €", "on request"])).tolist()
    [1250.5, 3.0, nan]
    >>> amounts_of(pd.Series(["1.250", "987"])).tolist(), amounts_of(pd.Series(["1.250"])).tolist()
    ([1250.0, 987.0], [1.25])
    """
    values = without_signaling_nan(values)
    if _are_grouped_by_points(values):
        values = values.map(lambda v: v.replace(".", "") if isinstance(v, str) else v)
    numbers = as_floats(values)
    unread = numbers.isna() & values.notna()
    if unread.any() and not pd.api.types.is_numeric_dtype(values):
        matches = _amounts_in(values[unread])
        comma = any(_has_decimal_comma(match["number"]) for match in matches if match)
        numbers = numbers.mask(unread, np.nan)
        numbers[unread.to_numpy()] = [_value(match, comma) for match in matches]
    return numbers.where(np.isfinite(numbers))


def _are_grouped_by_points(values: pd.Series) -> bool:
    """Check whether all points separate thousands, as integers without one or with two show."""
    texts = {v for v in values.dropna() if isinstance(v, str)}
    with_point = [text for text in texts if _POINT.fullmatch(text)]
    return (
        bool(with_point)
        and all(map(_GROUPED_BY_POINTS.fullmatch, with_point))
        and any(map(_UNGROUPED.fullmatch, texts))
    )


def _amounts_in(values: pd.Series) -> list[re.Match | None]:
    """Match the strings of a column as amounts; other values are none."""
    return [_AMOUNT.fullmatch(v) if isinstance(v, str) else None for v in values]


def units_of(values: pd.Series) -> np.ndarray:
    """Return the unit or currency of each amount of a column.

    Parameters
    ----------
    values : pandas.Series
        Any column.

    Returns
    -------
    ndarray of object
        Strings in lower case, ``""`` for numbers without a unit and for values that are no amounts.

    Examples
    --------
    >>> units_of(pd.Series(["$1,250.00", "3 kg", "7", "on request"])).tolist()
    ['$', 'kg', '', '']
    """
    matches = _amounts_in(values)
    units = np.empty(len(matches), dtype=object)
    units[:] = list(map(_named_unit, matches))
    return units


def common_unit(texts: Sequence[str]) -> str | None:
    """Return the unit or currency that all amounts of some strings have in common.

    Parameters
    ----------
    texts : sequence of str
        Of which 95% have to be amounts with the same unit, signs aside.

    Returns
    -------
    str or None
        In lower case and in the singular.

    Examples
    --------
    >>> common_unit(["$1,250.00", "-$3"]), common_unit(["12,5 %", "3 %"])
    ('$', '%')
    >>> common_unit(["3 kg", "4"]) is None
    True
    """
    units: Counter[str] = Counter()
    for k, text in enumerate(texts):
        units[_named_unit(_AMOUNT.fullmatch(text))] += 1
        if k == 3 and units[""] > 1:
            return None
    unit, n_held = units.most_common(1)[0] if units else ("", 0)
    return unit if unit and n_held >= 0.95 * len(texts) else None


def is_money(unit: str) -> bool:
    """Check whether a unit is a currency.

    Examples
    --------
    >>> is_money("$"), is_money("eur"), is_money("kg")
    (True, True, False)
    """
    return unit in _MONEY_WORDS or re.fullmatch(_CURRENCY, unit, re.I) is not None


def _unit(match: re.Match) -> tuple[str, str]:
    """Return the currency before an amount, and the unit or currency after it, in the singular."""
    after = match["after"] or match["word"] or ""
    return (match["before"] or "").casefold(), after.casefold().rstrip("s")


def _named_unit(match: re.Match | None) -> str:
    return "" if match is None else " ".join(_unit(match)).strip()


def _is_bare(match: re.Match) -> bool:
    """Check that a number has neither unit nor grouped digits; integers with spaces are codes."""
    by_spaces = (match["group"] or "").isspace() and not re.search("[.,]", match["number"])
    plain = _unit(match) == ("", "") and (not match["group"] or by_spaces)
    return plain and not _is_negated(match)


def _is_negated(match: re.Match) -> bool:
    """Check for a negative number as accountants write it: "(1,234)", or "1,234-"."""
    return bool((match["open"] and match["close"]) or match["trailing"])


def _are_negated(amounts: Sequence[re.Match]) -> bool:
    """Check that amounts in parentheses may be negative: not all, as "(1)" and "(2)" are places."""
    n_negated = sum(map(_is_negated, amounts))
    return n_negated == 0 or n_negated < len(amounts)


def _has_decimal_comma(number: str) -> bool:
    """Check whether a comma can only be the decimal sign: "12,5", "0,125", "1.250,500"."""
    whole, comma, decimals = number.rpartition(",")
    return bool(comma) and (len(decimals) != 3 or whole in ("", "0") or "." in whole)


def _value(match: re.Match | None, comma: bool) -> float:
    if match is None:
        return np.nan
    number, group = match["number"], match["group"]
    # "1.250" is 1250 in a column with decimal commas or with a currency, and 1.25 otherwise.
    money = re.fullmatch(_CURRENCY, match["before"] or match["after"] or "", re.I)
    if group == "." and number.count(".") == 1 and "," not in number and not (comma or money):
        group = None
    if group == "," and comma and number.count(",") == 1 and "." not in number:
        group = None
    if group is not None:
        number = number.replace(group, "")
    value = float(number.replace(",", "."))
    return -value if match["minus"] or match["sign"] or _is_negated(match) else value
