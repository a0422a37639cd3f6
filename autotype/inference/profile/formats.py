"""Find what the values of a column are written as: web addresses, codes of countries, durations.

A format often settles the type: a column of e-mail addresses has no order, whatever its levels are.
Most columns have none, so each format is first tried on a few values; few pass, and only those are
tried on the rest. It is decided on different values: one frequent value is no evidence.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.column import Column
from autotype.inference.profile.multi_select import find_list
from autotype.lexicon.dates import TIME_TEXT, are_packed_dates, are_years, written_dates
from autotype.lexicon.durations import read_duration
from autotype.lexicon.numbers import as_floats, common_unit, is_money
from autotype.lexicon.repeated_texts import kept_for_few
from autotype.lexicon.tokens import is_unspaced, without_accents
from autotype.lexicon.toml_files import read_toml
from autotype.types.column_names import own_name

PROPORTION = 0.95  # of the different values that have to be written so
_HEAD = 8  # different values on which a format is tried first
_MOST = 300  # different values that are examined
# What the values are written as, and its unit, or its separator and items.
Format = tuple[str, dict[str, Any]]
_FEWEST = {
    "code": 5,
    "country": 5,
    "language": 4,
    "currency code": 3,
    "quarter": 3,
}  # fewer say little


def set_format(column: Column) -> None:
    """Set the format of a column and what was found of it."""
    found = find_format(column)
    if found is not None:
        column.format, column.format_evidence = found


def find_format(column: Column) -> Format | None:
    """Find what the values of a column are written as.

    Parameters
    ----------
    column : Column
        The column, without its missing markers.

    Returns
    -------
    Format or None
        None if nothing special, or if fewer than 95% of the different values are written so.

    Examples
    --------
    >>> mails = {"a@example.org": 1, "b@example.org": 1}
    >>> find_format(Column("mail", levels=mails, n_distinct=2))[0]
    'email'
    >>> find_format(Column("lat", values=pd.Series([48.85, 41.39, 52.52]), n_distinct=3))[0]
    'latitude'
    >>> find_format(Column("size", levels={"S": 3, "M": 4}, n_distinct=2)) is None
    True
    """
    if not column.hashable or column.n_distinct == 0:
        return None
    dtype = column.values.dtype
    if dtype.kind == "m":
        return "duration", {}
    if pd.api.types.is_bool_dtype(dtype) or dtype.kind in "Mc":
        return None
    named = named_as(own_name(column.name))
    if pd.api.types.is_numeric_dtype(dtype):
        return _of_numbers(column, named)
    values = list(column.known_levels) or column.coded[1]
    texts = [v.strip() for v in values[:_MOST] if isinstance(v, str)]
    if len(texts) < PROPORTION * min(len(values), _MOST):
        return None
    found = _of_texts(texts, named)
    is_list = found is not None and found[0] == "list"
    if is_list and column.known_levels and column.labels.rule.reads_scales:
        return None  # levels of a scale share words, as "very" and "not"
    if found is None and all(map(_NUMBER.fullmatch, texts[:_HEAD])):
        return _of_numbers(column, named)
    return found


def _holds(test: Callable[[str], Any], texts: Sequence[str]) -> bool:
    """Check whether nearly all strings pass a test."""
    head = sum(map(bool, map(test, texts[:_HEAD])))
    if head < min(len(texts), _HEAD) - (len(texts) > _HEAD):
        return False
    return sum(map(bool, map(test, texts))) >= PROPORTION * len(texts)


@kept_for_few
def _of_texts(texts: Sequence[str], named: frozenset[str]) -> Format | None:
    for name, test in _FORMS.items():
        confirm = _CONFIRM.get(name)
        if _holds(test, texts) and (confirm is None or confirm(texts, named)):
            return name, {}
    if written_dates(texts):
        return "date", {}
    if _holds(_DIGITS.search, texts):
        if unit := common_unit(texts):
            if unit == "%":
                return "percent", {"unit": unit}
            if is_money(unit):
                return "currency", {"unit": unit}
        clock = "duration" in named or _beyond_a_day(texts)
        if _holds(lambda text: read_duration(text, clock=clock) is not None, texts):
            return "duration", {}
        if _holds(_is_time, texts):
            return "time", {}
        if _holds(_PHONE.fullmatch, texts) and _are_phones(texts, named):
            return "phone", {}
        if _are_postcodes(texts, named):
            return "postcode", {}
    elif code := _standard_code(texts, named):
        return code, {}
    if found := find_list(texts):
        return "list", {"separator": found[0], "items": list(found[1])}
    return ("code", {}) if _are_codes(texts) else None


# Whole values, by format: a compiled form, or a test.
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_DIGITS = re.compile(r"\d")
_FOUR_DIGITS = re.compile(r"\d{4}")
_PHONE = re.compile(
    r"(?:tel\.?:? ?)?[+(]?\d[\d\s()./-]{5,20}\d(?:\s?(?:x|ext\.?|#)\s?\d{1,6})?", re.I
)
_QUARTER = (  # or half of a year
    r"(?:Q[1-4]|[1-4]Q|[1-4]\.? ?(?:Quartal|quarter|trimestre)|T[1-4]|[1-4]T|K[1-4]|[1-4]Kv|"
    r"H[12]|[12]H)"
)
_YEAR = r"(?:1[5-9]|2[0-2])\d\d"
_COORDINATE = r"[-+]?\d{1,3}(?:\.\d+)?"
_EXTENSION = (
    r"(?:jpe?g|png|gif|tiff?|bmp|svg|webp|pdf|docx?|xlsx?|pptx?|odt|ods|csv|tsv|txt|json|xml|html?|"
    r"zip|gz|tar|7z|mp[34]|m4a|wav|ogg|avi|mov|mkv|py|r|js|css|java|c|cpp|h|sav|dta|parquet|log|"
    r"heic|amr|3gpp?|dcm|nii|fastq|bam|exe|dll)"
)
_HTML_TAG = re.compile(r"<(?:/?[a-z][a-z0-9]*)(?:\s[^<>]*)?/?>", re.I)


def _compiled(pattern: str) -> Callable[[str], Any]:
    return re.compile(pattern, re.I).fullmatch


def _is_ip(text: str) -> bool:
    if text.count(".") != 3 and text.count(":") < 2:
        return False
    try:
        ipaddress.ip_interface(text)
    except ValueError:
        return False
    return True


def _is_iban(text: str) -> bool:
    """Check length, form and check digits of an international bank account number (ISO 13616)."""
    plain = text.replace(" ", "").upper()
    if not _IBAN.fullmatch(plain):
        return False
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", re.A)


def _is_json(text: str) -> bool:
    if not (text[:1] == "{" and text[-1:] == "}") and not (text[:1] == "[" and text[-1:] == "]"):
        return False
    for written in (text, text.replace("'", '"')):  # as JSON, or as Python writes it
        try:
            json.loads(written)
        except (ValueError, RecursionError):
            continue
        return True
    return False


def _is_html(text: str) -> bool:
    return "<" in text and _HTML_TAG.search(text) is not None


def _is_pair(text: str) -> bool:
    """Check for latitude and longitude in one string, perhaps with altitude and precision."""
    if text[:5].upper() == "POINT":
        return _POINT.fullmatch(text) is not None
    match = _PAIR.fullmatch(text)
    if match is None:
        return False
    return min(abs(float(match[1])), abs(float(match[2]))) <= 90


_POINT = re.compile(rf"POINT ?Z? ?\( ?{_COORDINATE} {_COORDINATE}(?: {_COORDINATE})? ?\)", re.I)
_PAIR = re.compile(
    r"[\[(]?\s*([-+]?\d{1,3}\.\d{3,})\s*[,; ]\s*([-+]?\d{1,3}\.\d{3,})"
    r"(?:\s*[,; ]\s*-?\d+(?:\.\d+)?){0,2}\s*[\])]?"
)

_FORMS: dict[str, Callable[[str], Any]] = {
    "url": _compiled(r"(?:[a-z][a-z0-9+.-]{1,15}://|www\.)[^\s/]\S*"),
    "email": _compiled(r"(?:mailto:)?[^@\s:,;<>]+@[^@\s.]+(?:\.[^@\s.]+)+"),
    "uuid": _compiled(r"(?:uuid:|\{)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?"),
    "ip": _is_ip,
    "iban": _is_iban,
    "json": _is_json,
    "html": _is_html,
    "path": _compiled(
        rf"(?:[a-z]:[\\/]|\\\\|~?/|\.{{1,2}}/)[^<>|*?\"\n]*[\\/][^<>|*?\"\n]*|[^<>|*?\"\n:]+\.{_EXTENSION}"
    ),
    "coordinates": _is_pair,
    "quarter": _compiled(rf"{_YEAR}[-/ ]?{_QUARTER}|{_QUARTER}(?:[-/ ']*(?:{_YEAR}|\d\d))?"),
    "week": _compiled(
        rf"{_YEAR}-?W(?:[0-4]\d|5[0-3])(?:-?[1-7])?|(?:KW|W|Week|Semaine|Semana) ?\d\d?"
    ),
    "year": _compiled(_YEAR),
}


def _are_addresses(texts: Sequence[str], named: frozenset[str]) -> bool:
    """Check that four numbers are no versions, which are small and begin alike."""
    first = [text.partition(".")[0] for text in texts if ":" not in text]
    large = sum(int(part) >= 10 for part in first)
    return large >= len(first) / 2


def _are_named_years(texts: Sequence[str], named: frozenset[str]) -> bool:
    years = np.array([int(text) for text in texts if text.isdecimal()], dtype=float)
    return "year" in named or are_years(years, len(texts))


def _are_of_years(texts: Sequence[str], named: frozenset[str]) -> bool:
    """Check quarters and weeks: by the year beside them, or by the name of the column."""
    if len(texts) < _FEWEST["quarter"]:
        return False
    return bool({"quarter", "week"} & named) or _holds(_FOUR_DIGITS.search, texts)


_CONFIRM: dict[str, Callable[[Sequence[str], frozenset[str]], bool]] = {
    "ip": _are_addresses,
    "year": _are_named_years,
    "quarter": _are_of_years,
    "week": _are_of_years,
}


def _beyond_a_day(texts: Sequence[str]) -> bool:
    """Check whether a clock shows 24 hours and more, or minutes with fractions of a second."""
    clocks = [match for text in texts if (match := _CLOCK.fullmatch(text))]
    if any(int(m[1]) > 24 for m in clocks if m[3] is not None or m[4] is None):
        return True
    # "09:29.3" in all rows is what a spreadsheet shows of a time of day.
    return any(m[3] is None and m[4] is not None and len(m[1]) == 1 for m in clocks)


_CLOCK = re.compile(r"(\d{1,4}):(\d\d)(:\d\d)?([.,]\d+)?")
_HOUR = re.compile(
    r"(?:[01]?\d|2[0-4])\s?(?:h|u|Uhr|[ap]\.?m\.?)|(?:[01]?\d|2[0-4])[hH][0-5]\d", re.I
)


def _is_time(text: str) -> bool:
    """Check for a time of day: "12:05", "7:05 PM", "14h30", "8 am"."""
    if TIME_TEXT.fullmatch(text):
        return int(text.partition(":")[0]) <= 24 and int(text.split(":")[1][:2]) < 60
    return _HOUR.fullmatch(text) is not None


def _are_phones(texts: Sequence[str], named: frozenset[str]) -> bool:
    """Check numbers of telephones: by the name of the column, or by their form alone."""
    digits = [sum(map(str.isdecimal, text)) for text in texts]
    if np.mean([7 <= n <= 15 for n in digits]) < PROPORTION:
        return False
    return "phone" in named or _holds(_SURE_PHONE.fullmatch, texts)


_SURE_PHONE = re.compile(r"\+\d[\d\s()./-]+|(?:1[-. ])?\(?[2-9]\d\d\)?[-. ][2-9]\d\d[-. ]\d{4}")
# Postal codes whose form is not that of other numbers: of Britain, Canada, and ZIP+4.
_SURE_POSTCODE = re.compile(
    r"[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{5}-\d{4}"
)
_ANY_POSTCODE = re.compile(
    r"(?:[A-Z]{1,2}-)?(?=.*\d)[A-Z\d]{2,6}(?:[- ]?[A-Z\d]{2,4})?(?:\.0)?", re.I
)


def _are_postcodes(texts: Sequence[str], named: frozenset[str]) -> bool:
    if "postcode" in named:
        return _holds(_ANY_POSTCODE.fullmatch, texts)
    return len(texts) >= _FEWEST["code"] and _holds(_SURE_POSTCODE.fullmatch, texts)


_STANDARDS = {"country": "countries", "language": "languages", "currency": "currencies"}


def _standard_code(texts: Sequence[str], named: frozenset[str]) -> str | None:
    """Return which standard's codes the strings are; few of them only if the name says so."""
    if max(map(len, texts[:_HEAD])) > 5:
        return None
    for kind, standard in _STANDARDS.items():
        codes = codes_of(standard)
        name = f"{kind} code" if kind == "currency" else kind
        if kind not in named and len(texts) < _FEWEST[name]:
            continue
        if kind == "language":
            plain = [re.split("[-_]", text)[0] for text in texts]
            known = [code.islower() and code in codes for code in plain]
        else:
            known = [(t.isupper() or kind in named) and t.upper() in codes for t in texts]
        if sum(known) >= PROPORTION * len(texts) and (kind in named or _are_mixed(texts, kind)):
            return f"{kind} code"
    return None


def _are_mixed(texts: Sequence[str], kind: str) -> bool:
    """Check that codes of countries are not those of the states of the USA or of Brazil."""
    return (
        kind != "country"
        or len(texts[0]) > 2
        or sum(t in codes_of("states") for t in texts) < len(texts) / 2
    )


def _are_codes(texts: Sequence[str]) -> bool:
    """Check for codes of one width and one pattern of letters, digits and signs, without blanks.

    Of twelve characters and more, letters and digits may be anywhere.
    """
    width = len(texts[0])
    if len(texts) < _FEWEST["code"] or width < 4:
        return False
    if not _holds(lambda text: len(text) == width and _CODE.fullmatch(text), texts):
        return False
    patterns = {text.translate(_PATTERN) for text in texts[:50]}
    if _DATE.match(texts[0]) or "9" not in "".join(patterns):
        return False
    return len(patterns) == 1 or (width >= 12 and all(map(str.isalnum, texts[:50])))


# With two digits or more, and a letter or a leading zero; but no date.
_CODE = re.compile(r"(?=.*\d.*\d)(?=.*[A-Za-z]|0)[\w./:#-]+", re.A)
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d?[./-]\d\d?[./-]|[A-Za-z]{3}-\d\d$|\d\d?-[A-Za-z]{3}")
_PATTERN = str.maketrans(
    {**dict.fromkeys("0123456789", "9"), **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "A"),
     **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "a")}
)  # fmt: skip


def _of_numbers(column: Column, named: frozenset[str]) -> Format | None:
    """Find the format of numbers, which mostly the name of their column tells."""
    numbers = as_floats(column.values).to_numpy()
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return None
    low, high = float(numbers.min()), float(numbers.max())
    if not (numbers == np.round(numbers)).all():
        for name, limit in (("latitude", 90), ("longitude", 180)):
            if name in named and -limit <= low and high <= limit:
                return name, {}
        return None
    if ("year" in named and low >= 1500 and high <= 2200) or are_years(numbers, column.n_distinct):
        return "year", {}
    if are_packed_dates(numbers):
        return "date", {}
    if "phone" in named and low >= 1e6 and high < 1e15:
        return "phone", {}
    return ("postcode", {}) if "postcode" in named and low >= 100 and high < 1e8 else None


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d?|[^\W\d_A-Za-z]+")


@cache
def codes_of(kind: str) -> frozenset[str]:
    """Return the codes of a standard: "countries", "languages" or "currencies".

    Examples
    --------
    >>> codes_of("countries") >= {"DE", "DEU"}, "xx" in codes_of("languages")
    (True, False)
    """
    return frozenset(read_toml("formats")["lists"][kind].split())


@lru_cache(maxsize=4096)
def named_as(name: str) -> frozenset[str]:
    """Return what the words of a name say of the numbers of a column.

    Examples
    --------
    >>> sorted(named_as("Geo_Latitude")), sorted(named_as("codigoPostal"))
    (['latitude'], ['postcode'])
    >>> named_as("plattform")
    frozenset()
    """
    words = [without_accents(word).casefold() for word in _WORD.findall(name)]
    held = {*words, *map("".join, pairwise(words))}
    plain = name.casefold()
    return frozenset(
        kind
        for kind, known, unspaced in _names()
        if not held.isdisjoint(known) or any(part in plain for part in unspaced)
    )


@cache
def _names() -> tuple[tuple[str, frozenset[str], tuple[str, ...]], ...]:
    names = {kind: words.split() for kind, words in read_toml("formats")["names"].items()}
    return tuple(
        (kind, frozenset(words), tuple(word for word in words if is_unspaced(word)))
        for kind, words in names.items()
    )
