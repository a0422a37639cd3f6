"""Find what the values of a column are written as, and which type that settles.

Formats are web addresses, codes of countries, durations. They often settle the type: a column of
e-mail addresses has no order, whatever its levels are.

Most columns have none, so each format is first tried on a few values; few pass, and only those are
tried on the rest. It is decided on different values: one frequent value is no evidence.
"""

from __future__ import annotations

import ipaddress
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.column import Column
from autotype.inference.profile.multi_select import find_list
from autotype.lexicon.dates import (
    TIME_TEXT,
    are_packed_dates,
    are_unix_times,
    are_years,
    days_of,
    written_dates,
)
from autotype.lexicon.durations import read_duration, read_durations
from autotype.lexicon.numbers import amounts_of, are_multiplied, as_floats, common_unit, is_money
from autotype.lexicon.repeated_texts import kept_for_few
from autotype.lexicon.tokens import is_unspaced, without_accents
from autotype.lexicon.toml_files import read_toml
from autotype.types.codec.evidence_keys import Evidence
from autotype.types.column_names import own_name
from autotype.types.column_type import ColumnType, SemanticType

PROPORTION = 0.95  # of the different values that have to be written so
_HEAD = 8  # different values on which a format is tried first
_MOST = 300  # different values that are examined
# What the values are written as, and its unit, or its separator and items.
Format = tuple[str, dict[str, Any]]


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
    if found and found[0] == "list" and column.known_levels and column.labels.rule.reads_scales:
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
    for name in read_toml("formats")["tried"].split():
        confirm = _CONFIRM.get(name)
        if _holds(_TESTS.get(name) or _form(name), texts) and (
            confirm is None or confirm(texts, named)
        ):
            return name, {}
    if written_dates(texts):
        return "date", {}
    if _holds(_DIGITS.search, texts):
        unit = common_unit(texts)
        if unit == "%":
            return "percent", {"unit": unit}
        if unit and is_money(unit):
            return "currency", {"unit": unit}
        clock = "duration" in named or _beyond_a_day(texts)
        if _holds(lambda text: read_duration(text, clock=clock) is not None, texts):
            return "duration", {}
        if _holds(_is_time, texts):
            return "time", {}
        if len(texts) >= _fewest("amount") and (unit or are_multiplied(texts)):
            return "amount", {"unit": unit} if unit else {}
        if _holds(_form("phone"), texts) and _are_phones(texts, named):
            return "phone", {}
        if _are_postcodes(texts, named):
            return "postcode", {}
    elif code := _standard_code(texts, named):
        return code, {}
    if found := find_list(texts):
        return "list", {"separator": found[0], "items": list(found[1])}
    return ("code", {}) if _are_codes(texts) else None


_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_DIGITS = re.compile(r"\d")
_FOUR_DIGITS = re.compile(r"\d{4}")
_HTML_TAG = re.compile(r"<(?:/?[a-z][a-z0-9]*)(?:\s[^<>]*)?/?>", re.I)


@cache
def _form(name: str) -> Callable[[str], re.Match[str] | None]:
    """Return what matches whole values with a form of `formats.toml`."""
    form = "".join(read_toml("formats")["forms"][name].splitlines())
    return re.compile(form, re.I).fullmatch


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
        return _form("point")(text) is not None
    match = _form("pair")(text)
    return match is not None and min(abs(float(match[1])), abs(float(match[2]))) <= 90


# Formats of which no form is enough.
_TESTS: dict[str, Callable[[str], Any]] = {
    "ip": _is_ip,
    "iban": _is_iban,
    "json": _is_json,
    "html": _is_html,
    "coordinates": _is_pair,
}


def _are_addresses(texts: Sequence[str], named: frozenset[str]) -> bool:
    """Check that four numbers are no versions, which are small and begin alike."""
    first = [text.partition(".")[0] for text in texts if ":" not in text]
    return sum(int(part) >= 10 for part in first) >= len(first) / 2


def _are_named_years(texts: Sequence[str], named: frozenset[str]) -> bool:
    years = [float(text) for text in texts if text.isdecimal()]
    return "year" in named or are_years(np.array(years), len(texts))


def _are_of_years(texts: Sequence[str], named: frozenset[str]) -> bool:
    """Check quarters and weeks: by the year beside them, or by the name of the column."""
    if len(texts) < _fewest("quarter"):
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
    clocks = [match for text in texts if (match := _form("clock")(text))]
    if any(int(m[1]) > 24 for m in clocks if m[3] is not None or m[4] is None):
        return True
    # "09:29.3" in all rows is what a spreadsheet shows of a time of day.
    return any(m[3] is None and m[4] is not None and len(m[1]) == 1 for m in clocks)


def _is_time(text: str) -> bool:
    """Check for a time of day: "12:05", "7:05 PM", "14h30", "8 am"."""
    if TIME_TEXT.fullmatch(text):
        return int(text.partition(":")[0]) <= 24 and int(text.split(":")[1][:2]) < 60
    return _form("hour")(text) is not None


def _are_phones(texts: Sequence[str], named: frozenset[str]) -> bool:
    """Check numbers of telephones: by the name of the column, or by their form alone."""
    digits = [sum(map(str.isdecimal, text)) for text in texts]
    if np.mean([7 <= n <= 15 for n in digits]) < PROPORTION:
        return False
    return "phone" in named or _holds(_form("sure phone"), texts)


def _are_postcodes(texts: Sequence[str], named: frozenset[str]) -> bool:
    if "postcode" in named:
        return _holds(_form("postcode"), texts)
    return len(texts) >= _fewest("code") and _holds(_form("sure postcode"), texts)


_STANDARDS = {"country": "countries", "language": "languages", "currency": "currencies"}


def _standard_code(texts: Sequence[str], named: frozenset[str]) -> str | None:
    """Return which standard's codes the strings are; few of them only if the name says so."""
    if max(map(len, texts[:_HEAD])) > 5:
        return None
    for kind, standard in _STANDARDS.items():
        codes = codes_of(standard)
        if kind not in named and len(texts) < _fewest(f"{kind} code"):
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
    if len(texts) < _fewest("code") or width < 4:
        return False
    if not _holds(lambda text: len(text) == width and _CODE.fullmatch(text), texts):
        return False
    patterns = {text.translate(_PATTERN) for text in texts[:50]}
    if sum(map(bool, map(_DATE.match, texts))) > len(texts) / 2 or "9" not in "".join(patterns):
        return False
    return len(patterns) == 1 or (width >= 12 and all(map(str.isalnum, texts[:50])))


# With two digits or more, and a letter, a leading zero or three groups of digits; but no date.
_CODE = re.compile(r"(?=.*\d.*\d)(?=.*[A-Za-z]|0|(?:\d+[./-]){2}\d)[\w./:#-]+", re.A)
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d|(?:[0-3]?\d[./-][01]?\d|[01]?\d[./-][0-3]?\d)[./-]"
    r"|[A-Za-z]{3}-\d\d$|\d\d?-[A-Za-z]{3}"
)
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
    if "timestamp" in named and are_unix_times(numbers):
        return "timestamp", {}
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


def _fewest(name: str) -> int:
    """Return how many different values a format needs; fewer say little."""
    return read_toml("formats")["fewest"][name]


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


def type_of_format(column: Column, max_levels: int) -> tuple[SemanticType, str] | None:
    """Return the type that the format of a column settles, with the reason, if it settles one.

    Parameters
    ----------
    column : Column
        With its format.
    max_levels : int
        Most levels of a column whose order is searched: amounts of so few are left to that.
    """
    name = column.format
    if name is None:
        return None
    reason = f"Its values have the format {described_format(column)}."
    proportion = column.n_distinct / column.n_present
    limit = read_toml("formats")["unique"].get(name, math.inf)
    kind: Any = "identifier" if proportion >= limit else listed_under("types").get(name)
    if kind is None and (limit < math.inf or name.endswith(" code")):
        kind = "identifier" if proportion >= PROPORTION else "categorical"
    elif kind not in (None, "continuous"):
        return kind, reason
    if kind is None or column.n_distinct <= max_levels:
        return None
    if kind == "continuous" and column.numbers is None:
        column.numbers = _amounts(column)
    return kind, reason


@cache
def listed_under(section: str) -> dict[str, Any]:
    """Return of each format under which key of a section of `formats.toml` it is listed."""
    return {name: key for key, names in read_toml("formats")[section].items() for name in names}


def _amounts(column: Column) -> np.ndarray:
    """Return the numbers of amounts or durations, NaN for what is none."""
    if column.format != "duration":
        return amounts_of(column.values).to_numpy()
    if column.values.dtype.kind == "m":
        return days_of(column.values).to_numpy() * 86_400.0
    return read_durations(column.values.astype(object), clock=True)


def with_format(found: ColumnType, column: Column) -> ColumnType:
    """Add the format of a column, with its unit or items, to its type; a reason names it."""
    if column.format is None:
        return found
    reason = f"Its values have the format {described_format(column)}."
    reasons = found.reasons if reason in found.reasons else (*found.reasons, reason)
    evidence: Evidence = {**found.evidence, **column.format_evidence}
    return replace(found, format=column.format, evidence=evidence, reasons=reasons)


def described_format(column: Column) -> str:
    """Return the format of a column for a sentence, with its unit or separator."""
    found = column.format_evidence
    unit = found.get("unit", "")
    if "separator" in found:
        return f"list ({len(found['items'])} items, separated by {found['separator']!r})"
    return f"{column.format} ({unit})" if unit and unit != "%" else str(column.format)
