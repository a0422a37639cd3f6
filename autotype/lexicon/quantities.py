"""Read the numbers, ranges and units in a label: "5k-10k", "65 and over", "2 rooms"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from autotype.lexicon.numbers import CURRENCY_CODE, CURRENCY_SIGN
from autotype.lexicon.tokens import LETTER, split_words, without_accents
from autotype.lexicon.toml_files import read_toml

Words = tuple[str, ...]


@dataclass(frozen=True)
class Quantity:
    """The number or range that a label states.

    Attributes
    ----------
    low, high : float
        Its ends; equal for a single number, infinite for an open end.
    kind : str
        "number", "range" or "ordinal" ("3rd").
    before, after : tuple of str
        The words that stand before and after the (first) number, units aside.
    unit : str
        What the unit measures ("time", "mass", ...), or "".
    factor : float
        What the unit multiplies numbers by; 1 without a unit.
    """

    low: float
    high: float
    kind: str
    before: Words = ()
    after: Words = ()
    unit: str = ""
    factor: float = 1.0

    @property
    def place(self) -> tuple[float, float]:
        """Where the quantity stands among others: just outside the finite end of an open range."""
        tiny = 1e-9 * max(1.0, abs(self.low if math.isinf(self.high) else self.high))
        if math.isinf(self.low) and not math.isinf(self.high):
            return (self.high - tiny, self.high - tiny)
        if math.isinf(self.high) and not math.isinf(self.low):
            return (self.low + tiny, self.low + tiny)
        return (self.low, self.high)


_RATE = re.compile(
    r"(?i)(?<!\bto )(?:\b(?:per|an?|each|every|(?:in|during|over) the (?:last|past))\b|/)\s*"
    r"(day|week|month|quarter|year|wk|mo|yr)\b"
)
_BARE_NUMBERS = re.compile(r"[<>≤≥=\s]*\d[\s\d.,+–-]*[x×]?\s*")
_PERIODS = {"wk": "week", "mo": "month", "yr": "year"}
_EVERY = re.compile(r"(?:once)?every(?P<number>\d{1,2}|[a-z]+)(?P<unit>day|week|month|year)s?")
_MOST_UNITS = 12  # between two times; more of them are two numbers
_UNIT = r"(?=(?:second|minute|hour|day|week|fortnight|month|year|decade)s?\b)"
# "less than a week" holds the number one, and so does "Gigabit".
_ONE_UNIT = re.compile(
    r"(?i)(^|\b(?:than|over|under|within|to|least|most|beyond) )(?:(?=(?:mega|giga|tera)bit\b)|"
    rf"an? (?:{_UNIT}|(?=(?:mile|kilomet\w+|dozen)s?\b)))"
)
_LAST_UNIT = re.compile(rf"(?i)\b(?:within|in|during) the (?:last|past) {_UNIT}")
_LAST_UNITS = re.compile(r"\b(?:within|in|during) the (?:last|past) (?=\d)", re.I)
# "More than 6 months but within the past year", "one week to a month".
_SECOND_CLAUSE = re.compile(r"(?i) but | to an? ")
_NEXT_UNIT = re.compile(
    r"(?i)^(?:the )?(?:next|following) (?:business |working |calendar )?"
    rf"(?:{_UNIT}|(?=quarter))(?=\w+$)"
)
_PART_OF_UNIT = re.compile(
    r"(?i)\b(?:an? )?(?P<part>half|quarter)(?: of)?(?: an?)? "
    r"(?=(?:hour|day|week|month|year|mile)\b)"
)
_PARTS = {"half": "0.5 ", "quarter": "0.25 "}
# 5'4", 5 ft 4 in, 5′ 4″, 6': twelve inches and more would be minutes and seconds.
_FEET_AND_INCHES = re.compile(
    r"""(?i)(?<![\w.])(?P<feet>\d{1,2})\s*(?:['’′]|(?:ft|foot|feet)\b\.?,?)\s*"""
    r"""(?:(?P<inches>\d|1[01])(?P<part>\.\d+)?\s*(?:"|''|[”″]|(?:in|inch|inches)\b\.?)?)?(?![\w'’′"”″])"""
)
_POWER = re.compile(
    r"(?<=\d)(?P<blank>\s*)(?P<unit>[kcdm]?m|ft|in)(?P<power>\^?[23]|[²³])(?!\w)", re.I
)
_UNDERSCORE = re.compile(r"(?<=\d)_(?=\d)")
_END = r"([-+]?(?:inf|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))"
_INTERVAL = re.compile(rf"(?ia)[\[(]\s*{_END}\s*[,;]\s*{_END}\s*[\])]")
# 1,000,000 and, in India, 10,00,000; 1 000 000.
THOUSANDS = re.compile(r"(?<=\d)(?:,(?=(?:\d\d,)*\d{3}(?!\d))|[ \u00a0\u202f](?=\d{3}(?!\d)))")
_SIGNS = str.maketrans(
    {"≤": "<=", "≥": ">=", "–": "-", "—": "-", "−": "-", "‑": "-", "→": "-", "…": "-"}
)
_FRACTIONS = {"½": 0.5, "1/2": 0.5, "¼": 0.25, "1/4": 0.25, "¾": 0.75, "3/4": 0.75}
_FRACTIONS |= {"⅓": 1 / 3, "1/3": 1 / 3, "⅔": 2 / 3, "2/3": 2 / 3}
# "1½", "1 1/2 hours", "1/2 to 1 hour", but no "1/2" alone, and no "11/2".
_FRACTION = re.compile(
    r"(?:(?<![\d/.,])(?P<whole>\d{1,2})(?:\s|(?=[½¼¾⅓⅔])))?"
    r"(?P<part>[½¼¾⅓⅔]|(?<![\d/])(?:1/2|[13]/4|[12]/3)(?=\s?[^\W\d_]|\s?[-–]\s?\d)"
    r"|(?<=(?:to|an|er) )(?:1/2|[13]/4|[12]/3)$)"
)
_CURRENCY = re.compile(
    rf"(?i)(?<![^\W\d_])(?:{CURRENCY_SIGN}|{CURRENCY_CODE}|dm)(?![^\W\d_])\.?"
    r"|新臺幣|新台币|新台幣|人民币|人民幣|港币|港幣"
)
_MILLIONS = re.compile(r"(?<=\d)\s?M\b|(?:(?<=[$€£]\d)|(?<=[$€£]\d\d)|(?<=[$€£]\d{3}))m\b")
_BILLIONS = re.compile(r"(?<=\d)\s?B\b")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")
_TOKEN = re.compile(
    r"(?P<number>(?:(?<![\w.)%°])-)?(?:[0-9]+(?:\.[0-9]+)?|(?<!\w)\.[0-9]+))"
    r"(?P<ordinal>(?:st|nd|rd|th|er|do|ro)(?![a-z]))?"
    rf"|(?P<sign><=|>=|=<|=>|<|>|\+|-|~|\.{{2,}}|/|%)|(?P<word>{LETTER}+)"
)
_GROUP = 3  # digits behind a blank that groups them
_VARIABLE = "x"  # "0<=x<200"
_GLUED = {"<": "<", "<=": "<", "=<": "<", ">": ">", ">=": ">", "=>": ">"}


@lru_cache(maxsize=4096)
def parse_quantity(text: str) -> Quantity | None:
    """Read one number or one range; None where the text holds none or more than that.

    Examples
    --------
    >>> parse_quantity("$20K-$40K").low, parse_quantity("65 and over").high
    (20000.0, inf)
    >>> parse_quantity("under 20").kind, parse_quantity("2 rooms").after
    ('range', ('room',))
    """
    if any(half in text.lower() for half in _english("bounds")["and_a_half"]):  # few strings
        text = _and_a_half().sub(lambda m: f"{_whole(m['whole']) + 0.5:g}{m['unit'] or ''}", text)
    text = _PART_OF_UNIT.sub(lambda match: _PARTS[match["part"].lower()], text)
    text = _FRACTION.sub(lambda m: f"{float(m['whole'] or 0) + _FRACTIONS[m['part']]:g}", text)
    is_bare = not (any(map(str.isdigit, text)) or _number_words().keys() & set(split_words(text)))
    if is_bare or _SECOND_CLAUSE.search(text):
        text, n_open = _ONE_UNIT.subn(r"\1 1 ", text)
        text, n_last = _LAST_UNIT.subn("< 1 ", text)
        text, n_next = _NEXT_UNIT.subn("1 ", text)
        text = _LAST_UNITS.sub("< ", text)
        if is_bare and n_open + n_last + n_next == 0:
            return None
    match = _INTERVAL.fullmatch(text.strip())
    if match:
        return _range(*map(float, match.groups()))
    rate = _RATE.search(text)
    if rate and not text[: rate.start()].strip().lower().endswith(("time", "times", "day", "days")):
        before = text[: rate.start()]
        counted = _number_words().keys() & set(split_words(before))
        rate = rate if counted or _BARE_NUMBERS.fullmatch(before) else None
    if rate:
        quantity = parse_quantity(text[: rate.start()] + text[rate.end() :])
        return None if quantity is None else _per_year(quantity, rate[1].lower())
    tokens = _tokens(text)
    places = [i for i, (kind, _) in enumerate(tokens) if kind in ("number", "ordinal")]
    if len(places) == 1:
        return _single(tokens, places[0])
    if len(places) == 2:
        return _double(tokens, places[0], places[1])
    return None


@cache
def _and_a_half() -> re.Pattern[str]:
    """Return a pattern of "two and a half", "an hour and a half" and "1 hour 0.5", translated."""
    wholes = "|".join([r"\d+", "an?", *_number_words()])
    halves = "|".join(map(re.escape, _english("bounds")["and_a_half"]))
    return re.compile(rf"(?i)\b(?P<whole>{wholes})(?P<unit> {_UNIT}\w+)? (?:{halves})\b")


def _whole(word: str) -> float:
    return float(word) if word.isdecimal() else _number_words().get(word.lower(), 1)


def _per_year(quantity: Quantity, period: str) -> Quantity:
    """Convert "2 times a week" into times a year; "2 days a week" are as often."""
    table = read_toml("numbers")
    factor, day = table["rates"][_PERIODS.get(period, period)], table["time"]["day"]
    unit = day if quantity.unit == "time" and quantity.factor == day else 1.0
    low, high = quantity.low / unit * factor, quantity.high / unit * factor
    return Quantity(low, high, quantity.kind, quantity.before, ("time",), "rate", factor)


def parse_rate(key: str) -> Quantity | None:
    """Read a phrase of frequency ("weekly"), given as its key."""
    rate = _rate_phrases().get(key)
    if rate is None and (match := _EVERY.fullmatch(key)):
        number = match["number"]
        n_units = int(number) if number.isdecimal() else _number_words().get(number, 0)
        per_year = read_toml("numbers")["rates"][match["unit"]]
        rate = per_year / n_units if 0 < n_units <= _MOST_UNITS else None
    return None if rate is None else Quantity(rate, rate, "number", (), ("time",), "rate")


def mark_bounds(text: str) -> str:
    """Write the English phrases for less and more in a lower-case text as the signs < and >."""
    if _any_relation().search(text) is None:  # most strings
        return text
    for pattern, sign in _relations():
        text = pattern.sub(sign, text)
    return text


def _tokens(text: str) -> list[tuple[str, str]]:
    """Split into (kind, text) tokens; phrases for < and > become these signs."""
    text = _FEET_AND_INCHES.sub(_as_inches, text)
    text = _MILLIONS.sub(" million", _BILLIONS.sub(" billion", text.translate(_SIGNS))).lower()
    text = without_accents(text)
    text = _UNDERSCORE.sub("-", text)
    # "50 m2" holds one number, and an area is no length.
    text = _POWER.sub(
        lambda m: f"{m['blank']}{'sq' if m['power'][-1] in '2²' else 'cu'}{m['unit']}", text
    )
    text = _CURRENCY.sub(" ", THOUSANDS.sub("", text))
    text = _DECIMAL_COMMA.sub(".", text)
    text = mark_bounds(text)
    tokens = []
    words, ordinals = _number_words(), _english("ordinals")
    for match in _TOKEN.finditer(text):
        kind, token = str(match.lastgroup), match.group()
        if match["number"]:
            kind = "ordinal" if match["ordinal"] else "number"
            token = match["number"]
        elif kind == "word" and token in ordinals:
            kind, token = "ordinal", str(ordinals[token])
        elif kind == "word" and token in words:
            kind, token = "number", str(words[token])
        tokens.append((kind, token))
    return tokens


def _as_inches(match: re.Match) -> str:
    """Write feet and inches as inches: one number with one unit."""
    inches = 12 * int(match["feet"]) + float((match["inches"] or "0") + (match["part"] or ""))
    return f"{inches:g} inches"


def _single(tokens: list[tuple[str, str]], at: int) -> Quantity | None:
    value = float(tokens[at][1])
    ends = {"+": ">", ">": ">", "<": "<"}  # "85+ years", "five or more hours"
    kind, token = tokens[at + 1] if at + 1 < len(tokens) else ("", "")
    sign = ends.get(token, "") if kind == "sign" else ""
    n_sign = bool(sign)
    factor, unit, n_unit = _unit(tokens, at + 1 + n_sign)
    value *= factor
    before, after = tokens[:at], tokens[at + 1 + n_sign + n_unit :]
    for kind, token in before:
        if kind == "sign" and token in _GLUED:
            sign = _GLUED[token]
    for kind, token in after:
        if kind == "sign" and token == "+":
            sign = ">"
        elif kind == "sign" and token in ("<", ">"):
            sign = sign or token  # "5 or less" became "5 <"
    low = -math.inf if sign == "<" else value
    high = math.inf if sign == ">" else value
    kind = "range" if sign else tokens[at][0]
    words = _plain(before)
    # The A of "A1" is no article, and the word before "OR-2" joins nothing.
    is_hyphened = before[-1:] == [("sign", "-")]
    letters = before[:-1] if is_hyphened else before
    if letters and letters[-1][0] == "word" and (is_hyphened or len(letters[-1][1]) == 1):
        words = (*_plain(letters[:-1]), letters[-1][1])
    return Quantity(low, high, kind, words, _plain(after), unit, factor)


def _double(tokens: list[tuple[str, str]], first: int, second: int) -> Quantity | None:
    low, high = float(tokens[first][1]), float(tokens[second][1])
    if low > high and (len(tokens[first][1]), len(tokens[second][1])) == (4, 2):
        high += low - low % 100  # "1945-64"
    factor_low, unit_low, n_low = _unit(tokens, first + 1)
    factor_high, unit_high, n_high = _unit(tokens, second + 1)
    if not unit_low and low < high:
        factor_low, unit_low = factor_high, unit_high  # "5-10k" starts at 5k
    between = tokens[first + 1 + n_low : second]
    links = _words_around("links")
    relations = any(k == "sign" and t in _GLUED for k, t in between)
    joined = any(t in links or t in "-~/" or t.startswith("..") for _, t in between)
    words = _plain([t for t in between if t[1] not in links])
    before, after = tokens[:first], tokens[second + 1 + n_high :]
    is_repeated = words in (_plain(after), _plain(before))  # "200 yen - 400 yen"
    if not between and not before:  # "20 29 years", but no "2 500 km"
        rises = low * factor_low < high * factor_high and bool(unit_high or after)
        joined = rises and len(tokens[second][1]) < _GROUP
    if not (joined or relations) or len(words) > 1 or (words and not (relations or is_repeated)):
        return None
    quantity = _range(low * factor_low, high * factor_high)
    if quantity is None:
        return None
    return replace(
        quantity,
        before=_plain(before),
        after=_plain(after),
        unit=unit_high or unit_low,
        factor=factor_high if unit_high else factor_low,
    )


def _range(low: float, high: float) -> Quantity | None:
    return Quantity(low, high, "range") if low <= high else None


def _unit(tokens: list[tuple[str, str]], at: int) -> tuple[float, str, int]:
    """Return factor, dimension and number of tokens of the unit that starts at a token."""
    units = _units()
    factor, dimension, n_tokens = 1.0, "", 0
    while at + n_tokens < len(tokens):
        kind, token = tokens[at + n_tokens]
        if token == "in" and any(kind == "word" for kind, _ in tokens[at + n_tokens + 1 :]):
            break  # "once in the past year" holds no inch
        if token == "%":
            n_tokens += 1
        elif kind == "word" and token in units and not (dimension and units[token][1] != "count"):
            step, name = units[token]
            factor, dimension, n_tokens = factor * step, name or dimension, n_tokens + 1
            if name != "count":
                break
        else:
            break
    return factor, dimension, n_tokens


def plain_words(words: Iterable[str]) -> Words:
    """Return words in the singular and without fillers."""
    irregular = read_toml("numbers")["singular"]
    fillers = _words_around("fillers")
    plain = []
    for word in words:
        if word in fillers:
            continue
        regular = len(word) > 3 and word.endswith("s") and word[-2] not in "su"
        plain.append(irregular.get(word) or (word[:-1] if regular else word))
    return tuple(plain)


def _plain(tokens: list[tuple[str, str]]) -> Words:
    return plain_words([token for kind, token in tokens if kind == "word"])


@cache
def _relations() -> list[tuple[re.Pattern[str], str]]:
    """Return patterns for phrases that mean < or >, longest phrases first."""
    return [(re.compile(_bounded(phrase)), sign) for phrase, sign in _relation_phrases()]


@cache
def _any_relation() -> re.Pattern[str]:
    """Return a pattern that is found where any of `_relations` is."""
    return re.compile(_bounded("|".join(phrase for phrase, _ in _relation_phrases())))


def _relation_phrases() -> list[tuple[str, str]]:
    sides = (("less", " < "), ("more", " > "))
    phrases = [(phrase, sign) for side, sign in sides for phrase in _english("bounds")[side]]
    return sorted(phrases, key=lambda item: -len(item[0]))


def _bounded(phrases: str) -> str:
    phrases = phrases.replace(" ", r"[\s_-]+")
    return rf"(?<![a-z])(?:{phrases})(?:-(?=\d)|(?![a-z]))"  # "above-14" is no negative number


@cache
def _rate_phrases() -> dict[str, float]:
    rates = _english("rates")["phrases"]
    return {"".join(split_words(phrase)): float(rate) for phrase, rate in rates.items()}


@cache
def _units() -> dict[str, tuple[float, str]]:
    """Return what each word for a unit multiplies numbers by, and what it measures."""
    units: dict[str, tuple[float, str]] = {}
    table = read_toml("numbers")
    for factor, words in _english("multipliers").items():
        units |= dict.fromkeys(words, (float(factor), "count"))
    for unit, factor in table["time"].items():
        units |= dict.fromkeys(_english("units")[unit], (factor, "time"))
    for entry in table["unit"]:
        units |= dict.fromkeys(entry["words"], (float(entry["factor"]), entry["measures"]))
    return units


@cache
def _number_words() -> dict[str, int]:
    return _english("cardinals") | _english("ordinals")


@cache
def _words_around(key: str) -> frozenset[str]:
    """Return the English links or fillers, and the sign of a variable, which is both."""
    return frozenset([*_english("bounds")[key], _VARIABLE])


def _english(section: str) -> dict[str, Any]:
    return read_toml("languages/en")[section]
