"""Parse numbers written as strings: "1.5", "$1,250.00", "12,5 %", "3.5 kg", "€1.2M", "(1,234)"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

import numpy as np
import pandas as pd

from autotype.lexicon.missing import without_signaling_nan
from autotype.lexicon.tokens import is_unspaced
from autotype.lexicon.toml_files import read_toml

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
    r"k?wh?|v|[kmgt]i?b|[kmg]?hz|hp|bhp|cc|mph|km/h|px|[ab]ps?|℃|㎎|㎏|㎜|㎝|㎞|㎡|㎥|"
    r"(?:sq|square)\.?\s?(?:ft|feet|foot|m|meters?|metres?|km|mi|miles?|yd|yards?|in)\.?"
)
# Chinese, Japanese and Korean units follow without a blank: "12人", "85.5平米". What numbers
# things, as in "101号", and years and days are none.
_NUMBERING = "[年月日号號番室楼階级級级等第丁년월일호번층등]"
_EAST_ASIAN = rf"(?:(?!{_NUMBERING})[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]){{1,3}}"
_PER = r"\s?/\s?(?:[^\W\d_]{1,7}[²³23]?|[㎡㎥])"  # "12 €/m²", "80 öre/kWh", "3 µg / m3"
_BYTES = re.compile("([kmgt])i?b", re.I)  # columns mix "900 MB" and "1.5 GB"
_BYTE_FACTORS = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_MONEY_WORDS = frozenset(
    ["euro", "dollar", "pound", "peso", "real", "рубл", "рубль", "рублей", "рубля"]
)
_GROUPED = r"\d{1,3}(?:(?P<group>[.,'’ \u00a0\u202f])\d{3})(?:(?P=group)\d{3})*(?:[.,]\d+)?"
_THOUSAND, _MILLION, _BILLION = "k", "m", "b"

_HEAD = 4  # strings that mostly show that a column holds no units, or no amounts
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
    amounts = [amount for amount in _amounts_in(present) if amount is not None]
    units = {amount.unit for amount in amounts} - {("", "")}
    if len(amounts) < len(present) or len(units) > 1:
        return None
    if not _are_negated(amounts) or all(map(_is_bare, amounts)):
        return None
    return amounts_of(values).to_numpy()


def as_floats(values: pd.Series) -> pd.Series:
    """Return a column's numbers, stored as such or as plain strings; NaN for other values."""
    if isinstance(values.dtype, pd.ArrowDtype):  # pandas 3.1 fails on missing decimals of Arrow
        values = values.astype(object)
    try:
        return pd.to_numeric(values, errors="coerce").astype("Float64").astype("float64")
    except (OverflowError, TypeError):  # an integer larger than any float, a complex number
        fits = [
            value.bit_length() <= 1023 if isinstance(value, int) else not np.iscomplexobj(value)
            for value in values
        ]
        return as_floats(values.astype(object).where(fits))


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
        amounts = _amounts_in(values[unread])
        comma = any(_has_decimal_comma(amount.match["number"]) for amount in amounts if amount)
        numbers = numbers.mask(unread, np.nan)
        numbers[unread.to_numpy()] = [_value(amount, comma) for amount in amounts]
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


class _Amount:
    """A string that is an amount: its parts, what multiplies its number, and its units.

    The units are the currency before the number and the unit or currency after it, in lower case
    and in the singular.
    """

    def __init__(self, match: re.Match[str], factor: float, unit: tuple[str, str]) -> None:
        self.match, self.factor, self.unit = match, factor, unit


def _amounts_in(values: Iterable[object]) -> list[_Amount | None]:
    """Read the strings of a column as amounts; other values are none."""
    pattern = _pattern()
    matches = [pattern.fullmatch(v) if isinstance(v, str) else None for v in values]
    factors = {match["factor"].casefold() for match in matches if match and match["factor"]}
    return [None if match is None else _amount(match, _THOUSAND in factors) for match in matches]


def _amount(match: re.Match[str], beside_thousands: bool) -> _Amount | None:
    """Return an amount: "m" and "b" multiply money, and other numbers beside thousands."""
    before, after = match["before"] or "", match["after"] or match["word"] or ""
    word, factor = (match["factor"] or "").casefold(), 1.0
    if word in (_MILLION, _BILLION) and not (
        beside_thousands or is_money(before) or is_money(after)
    ):
        if word == _BILLION:  # of a house number: "12 b"
            return None
        after = word + after  # metres
    elif word:
        factor = _multipliers()[word]
    if after and (size := _BYTES.fullmatch(after)):
        factor, after = _BYTE_FACTORS[size[1].casefold()], "bytes"
    return _Amount(match, factor, (before.casefold(), after.casefold().rstrip("s")))


@cache
def _multipliers() -> dict[str, float]:
    """Return the words behind numbers that multiply them, and their factors."""
    table = read_toml("numbers")["multipliers"]
    return {word: float(factor) for factor, words in table.items() for word in words}


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern of an amount."""
    words = sorted(_multipliers(), key=len, reverse=True)
    # "5 km" is no thousand metres, but in East Asia units follow: "300万円".
    joined = "|".join(word for word in words if is_unspaced(word))
    apart = "|".join(word for word in words if not is_unspaced(word))
    factor = rf"(?:{joined})|(?:{apart})(?![^\W_]|[²³/])"
    return re.compile(
        rf"\s*(?P<open>\()?(?P<about>[~≈])?(?P<minus>[-−])?\s*(?P<before>{_CURRENCY})?\s*"
        rf"(?P<sign>[-−])?(?P<number>{_GROUPED}|\d+(?:[.,]\d+)?|[.,]\d+)"
        rf"(?:\s*(?P<factor>{factor})\.?)?"
        rf"(?:\s*(?P<after>(?:{_CURRENCY}|{_UNIT}|{_EAST_ASIAN})(?:{_PER})?"
        rf"|%\s?[^\W\d_]{{2,12}}|[^\W\d_]{{1,6}}{_PER}|/\s?[^\W\d_]{{2,7}})"
        r"|\s+(?P<word>[^\W\d_]{2,12}))?"
        r"(?P<more>\+)?(?P<close>\))?(?P<trailing>[-−])?\s*",
        re.I,
    )


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
    amounts = _amounts_in(values)
    units = np.empty(len(amounts), dtype=object)
    units[:] = list(map(_named_unit, amounts))
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
    head = list(map(_named_unit, _amounts_in(texts[:_HEAD])))
    if head.count("") > 1:
        return None
    units = Counter(map(_named_unit, _amounts_in(texts)))
    unit, n_held = units.most_common(1)[0] if units else ("", 0)
    return unit if unit and n_held >= 0.95 * len(texts) else None


def are_multiplied(texts: Sequence[str]) -> bool:
    """Check for amounts of which at least one has its number multiplied: "569K", "300万".

    Examples
    --------
    >>> are_multiplied(["569K", "1.2M", "800"]), are_multiplied(["3 kg", "4 kg"])
    (True, False)
    """
    if None in _amounts_in(texts[:_HEAD]):
        return False  # without reading them all
    amounts = _amounts_in(texts)
    return None not in amounts and any(a.match["factor"] and a.factor > 1 for a in amounts if a)


@lru_cache(maxsize=256)
def is_money(unit: str) -> bool:
    """Check whether a unit is a currency.

    Examples
    --------
    >>> is_money("$"), is_money("eur"), is_money("kg")
    (True, True, False)
    """
    return unit in _MONEY_WORDS or re.fullmatch(_CURRENCY, unit, re.I) is not None


def _named_unit(amount: _Amount | None) -> str:
    return "" if amount is None else " ".join(amount.unit).strip()


def _is_bare(amount: _Amount) -> bool:
    """Check that a number has neither unit nor grouped digits; integers with spaces are codes."""
    match = amount.match
    by_spaces = (match["group"] or "").isspace() and not re.search("[.,]", match["number"])
    marked = match["factor"] or match["about"] or match["more"]
    plain = amount.unit == ("", "") and not marked and (not match["group"] or by_spaces)
    return plain and not _is_negated(amount)


def _is_negated(amount: _Amount) -> bool:
    """Check for a negative number as accountants write it: "(1,234)", or "1,234-"."""
    match = amount.match
    return bool((match["open"] and match["close"]) or match["trailing"])


def _are_negated(amounts: Sequence[_Amount]) -> bool:
    """Check that amounts in parentheses may be negative: not all, as "(1)" and "(2)" are places."""
    n_negated = sum(map(_is_negated, amounts))
    return n_negated == 0 or n_negated < len(amounts)


def _has_decimal_comma(number: str) -> bool:
    """Check whether a comma can only be the decimal sign: "12,5", "0,125", "1.250,500"."""
    whole, comma, decimals = number.rpartition(",")
    return bool(comma) and (len(decimals) != 3 or whole in ("", "0") or "." in whole)


def _value(amount: _Amount | None, comma: bool) -> float:
    if amount is None:
        return np.nan
    match = amount.match
    number, group = match["number"], match["group"]
    # "1.250" is 1250 in a column with decimal commas or with a currency, and 1.25 otherwise.
    money = is_money(amount.unit[0] or amount.unit[1])
    if group == "." and number.count(".") == 1 and "," not in number and not (comma or money):
        group = None
    if group == "," and comma and number.count(",") == 1 and "." not in number:
        group = None
    if group is not None:
        number = number.replace(group, "")
    value = float(number.replace(",", ".")) * amount.factor
    return -value if match["minus"] or match["sign"] or _is_negated(amount) else value
