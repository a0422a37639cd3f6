"""Translate the words around numbers of any language into the English that `quantities` parses.

"От 18 до 24 лет", "20歳以上30歳未満" and "unter 1.000 €" become "> 18 < 24 years",
"20 years > 30 years <" and "< 1000": one parser of numbers, ranges, units and rates serves all
languages, and a language adds words only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import groupby, product

from autotype.lexicon.grammar import RATE_COUNTS
from autotype.lexicon.languages import Language
from autotype.lexicon.quantities import THOUSANDS, Quantity, parse_quantity
from autotype.lexicon.tokens import is_unspaced, without_accents
from autotype.lexicon.toml_files import read_toml

# Units that the parser of English knows by their plurals; others by their own names.
_COUNTED = frozenset(
    ["second", "minute", "hour", "day", "week", "month", "quarter", "year", "time"]
)
# "less than a year" holds the number one, "less than an hour a day" too.
_LONE_UNIT = re.compile(
    r"(?:(?P<bound>(?<!\d\s)(?<!\d)[<>])|^)\s*\b"
    r"(?P<unit>(?:second|minute|hour|day|week|month|quarter|year)s)\b"
    r"(?:(?=\s*(?:$|[<>]|to\b|and a half\b))|(?(bound)(?!\D*\d)|(?!)))"
)
# Phrases around numbers: "in the last 12 months" is at most so long ago.
_BOUNDS = {"less": "<", "last": "<", "more": ">", "links": "to", "fillers": ""}
# Tables of units that hold their number: "half an hour", Arabic "two years".
MULTIPLES = {"duals": 2.0, "halves": 0.5, "quarters": 0.25}
_ENDING_VOWELS = frozenset("aeiouyаеиоуыэюяьіїєõäöüąęıë")
_LONG_WORD = 4  # letters from which a word may carry an ending
_MOST_ENDING = 3  # letters of it
_LETTERS = re.compile(r"[^\W\d_]+")
_GROUPED_BY_BLANK = re.compile(r"(?<=\d)[\u0020\u00a0\u202f'’](?=\d{3}(?!\d))")
_GROUPED_BY_POINT = re.compile(r"(?<=[1-9])\.(?=\d{3}(?!\d))|(?<=[1-9]\d)\.(?=\d{3}(?!\d))")
_MORE_GROUPED = re.compile(r"(?<=\d{3})\.(?=\d{3}(?!\d))")
_DASH = re.compile(r"(?<=[^\W\d_])[-–—](?=\d)")  # no minus: "30分钟-1小时"
_ELISION = re.compile(r"\s['’](?=\s)")  # of "un'ora", both of whose words were translated
_MARK = "\ue000"  # of a rate, a sign for private use that no label holds
_RATE = re.compile(rf"{_MARK}([\d.]+){_MARK}")
_ONE_MORE = re.compile(r"(?<=\d)\s+1 times")  # "1 time" where the word for "time" is "once"
# The case of a noun or a sign may stand for "per": "2-4 reizes nedēļā", "2-4 veces/semana".
_TIMES_PERIOD = re.compile(r"\btimes\s*[\s/]\s*(day|week|month|quarter|year)s\b")
_PER = re.compile(r"\bper (?:day|week|month|quarter|year)\b")
_BOUND_LAST = re.compile(r"^(.*\d.*?)\s*([<>])\s*$")
_ONE_PER = re.compile(r"^1 (?=per )")
# "一年内": one year in one word, and no rate
_BOUND_PERIOD = re.compile(r"(<|)\s*per (day|week|month|quarter|year)\s*(<|)")
# The period may stand before the count alone: "months 1-3 times" are as many a month.
_PERIOD_FIRST = re.compile(r"^(?:in )?(day|week|month|quarter|year)s (?=\D*\d.*\b(?:times|days)\b)")


@lru_cache(maxsize=4096)
def translate(text: str, words: Language) -> str:
    """Rewrite a label with the numbers, bounds, units and rates of a language in English.

    Parameters
    ----------
    text : str
        The label.
    words : Language
        Its language.

    Returns
    -------
    str
        Words that stand for no number, bound or unit are left as they are, in lower case and
        without accents.

    Examples
    --------
    >>> from autotype.lexicon.languages import language
    >>> translate("bis zu 1.000 Euro", language("de")).split()
    ['<', '1000', 'euro']
    """
    text = _fold(text)
    text = THOUSANDS.sub("", text)
    if words.code not in read_toml("writing")["decimal_point"]:
        text = _MORE_GROUPED.sub("", _GROUPED_BY_POINT.sub("", text))
        text = _GROUPED_BY_BLANK.sub("", text)
    text = _DASH.sub(" - ", _multiply(text, words))
    text = _glued(words).sub(r"\g<0> ", text)
    pattern, units = _units_behind(words)
    text = pattern.sub(lambda match: f" {units[match.group().strip()]}", text)
    if _may_hold_phrase(text, words):
        meanings = _meanings(words)
        text = _pattern(words).sub(lambda match: f" {_meaning(match, meanings)} ", text)
    return _LONE_UNIT.sub(
        r"\g<bound> 1 \g<unit>", " ".join(_ELISION.sub("", _rate_last(text)).split())
    )


@lru_cache(maxsize=4096)
def read_quantity(text: str, words: Language) -> Quantity | None:
    """Read the number or range that a label of any language states, see `parse_quantity`.

    Of two clauses about how often, what both allow counts: "less than monthly, but at least once a
    year"; one that denies ("but not every week") says nothing more.
    """
    first, *others = _clauses(words).split(_fold(text))
    stated = parse_quantity(translate(first, words)) if others else None
    if stated is None or stated.unit != "rate":
        return parse_quantity(translate(text, words))
    for clause in others:
        is_denied = not words.absence_keys.isdisjoint(words.split(clause))
        other = None if is_denied else parse_quantity(translate(clause, words))
        if other is None or other.unit != "rate":
            continue
        low, high = max(stated.low, other.low), min(stated.high, other.high)
        if low <= high:
            stated = replace(stated, low=low, high=high)
    return stated


@cache
def _clauses(words: Language) -> re.Pattern[str]:
    """Return a pattern of what parts two clauses: a comma before a word, "but"."""
    but = any_of(map(_fold, words.phrases("balance", "but")))
    around = r"\s*" if words.by_characters else r"\s+"
    return re.compile(rf"[,;،、]\s*(?=[^\W\d])|{around}(?:{but}){around}")


def any_of(phrases: Iterable[str]) -> str:
    """Return the pattern of any of some phrases, in their order; without one nothing fits it."""
    return "|".join(map(re.escape, phrases)) or "(?!)"


def _rate_last(text: str) -> str:
    """Write a rate as a count and a period: "per month 2 times" as "2 times per month"."""
    marked = _RATE.search(text)
    text = _TIMES_PERIOD.sub(r"times per \1", _RATE.sub(" ", text))
    if marked:
        per_year = float(marked[1])
        counted = any(c.isdigit() for c in text)
        if not counted:
            return f"{text} {per_year:g} times per year"
        periods = read_toml("numbers")["rates"].items()
        own = [period for period, times in periods if times == per_year]
        if not own:
            return text
        text += f" per {own[0]}"
    text = _PERIOD_FIRST.sub(r"per \1 ", text.lstrip())
    match = _PER.search(text)
    if match and _ONE_PER.search(text) and sum(map(str.isdigit, text)) > 1:
        text = _ONE_PER.sub("", text)  # "in 1 day 2 times"
        match = _PER.search(text)
    if match is None:
        return text
    count = _ONE_MORE.sub("times", text[: match.start()] + text[match.end() :])
    count = _BOUND_LAST.sub(r"\2 \1", count)
    if not any(c.isdigit() for c in count):
        bound = _BOUND_PERIOD.fullmatch(text.strip())
        return f"< 1 {bound[2]}s" if bound and bound[1] != bound[3] else text
    is_counted = "times" in count or "days" in count
    return f"{count} {'' if is_counted else 'times '}{match.group()}"


def _fold(text: str) -> str:
    """Fold full-width signs, accents and capitals."""
    text = unicodedata.normalize("NFKC", text).replace("ß", "ss").replace(_MARK, " ")
    return without_accents(text).casefold()


def _meaning(match: re.Match[str], meanings: Mapping[str, str]) -> str:
    """Return what a match means, whose last word may carry an ending."""
    found = re.sub(r"[\s_-]+", " ", match.group()).rstrip(".")
    while found and found not in meanings:
        found = found[:-1]
    return meanings.get(found, match.group())


def _multiply(text: str, words: Language) -> str:
    """Multiply numbers by the words behind them: "3 млн", "300万"."""
    pattern, factors = _multipliers(words)

    def multiplied(match: re.Match[str]) -> str:
        factor = factors[match["word"]]
        first, number = match["first"] or "", match["number"]
        if first and _number(first) < _number(number):
            first = f"{_number(first) * factor:.12g}"  # "10-20 thousand"
        after = " " if match.string[match.end() : match.end() + 1].isalnum() else ""
        return f"{first}{match['link'] or ''}{_number(number) * factor:.12g}{after}"

    return pattern.sub(multiplied, text)


def _number(text: str) -> float:
    return float(text.replace(",", "."))


@cache
def _multipliers(words: Language) -> tuple[re.Pattern[str], dict[str, float]]:
    factors: dict[str, float] = {}
    for factor, phrases in words.table.get("multipliers", {}).items():
        factors |= dict.fromkeys(map(_fold, phrases), float(factor))
    alternatives = any_of(sorted(factors, key=len, reverse=True))
    end = "" if words.by_characters else r"(?!\w)"
    number = r"\d+(?:[.,]\d+)?"
    links = any_of(map(_fold, words.phrases("bounds", "links")))
    pattern = (
        rf"(?:(?P<first>{number})(?P<link>\s?(?:[-–—~]|{links})\s?))?"
        rf"(?P<number>{number})\s?(?P<word>{alternatives})\.?{end}"
    )
    return re.compile(pattern), factors


@cache
def _units_behind(words: Language) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of units that are other words elsewhere, behind a number: "30 min"."""
    others = map(_fold, [*words.table.get("cardinals", ()), *words.phrases("bounds", "more")])
    counted = sorted(_COUNTED)
    units = {_fold(p): f"{unit}s" for unit in counted for p in words.phrases("units", unit)}
    units = {phrase: units[phrase] for phrase in others if phrase in units}
    return re.compile(rf"(?<=\d)\s?(?:{any_of(units)})(?![^\W\d_])"), units


@cache
def _meanings(words: Language) -> dict[str, str]:
    """Return the phrases of a language and what each means."""
    meanings: dict[str, str] = {}
    for phrase, meaning in _entries(words):
        parts = re.split(r"[\s_-]+", _fold(phrase).strip(" ."))
        if any(c.isalnum() for c in phrase):  # signs are the same in all languages
            meanings.setdefault(" ".join(parts).strip(), meaning)
    return meanings


@cache
def _pattern(words: Language) -> re.Pattern[str]:
    """Compile the phrases of a language, the longest first."""
    phrases = sorted(_meanings(words), key=lambda phrase: (-len(phrase), phrase))
    # Bounds are written once for a run of phrases: most of the cost is the compiling.
    runs = []
    for (before, after), run in groupby(phrases, lambda phrase: _word_bounds(phrase, words)):
        bodies = [_alternative(phrase, bounded=bool(after)) for phrase in run]
        runs.append(f"{before}(?:{'|'.join(bodies)}){after}")
    return re.compile("|".join(runs))


def _may_hold_phrase(text: str, words: Language) -> bool:
    """Check whether the first word of any phrase is in a string.

    Most labels hold none, and the pattern of a language takes longer to compile than to read all
    labels of a column.
    """
    firsts, parts = _first_words(words)
    return any(part in text for part in parts) or any(
        word[:size] in firsts
        for word in _LETTERS.findall(text)
        for size in range(max(len(word) - _MOST_ENDING, 1), len(word) + 1)
    )


@cache
def _first_words(words: Language) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the letters that begin phrases of whole words, and the beginnings of all others."""
    firsts, parts = set(), set()
    for phrase in _meanings(words):
        _, after = _word_bounds(phrase, words)
        # Korean phrases also stand behind Latin letters: "10km에서".
        first = _LETTERS.match(phrase) if after and words.code != "ko" else None
        if first:
            firsts.add(first.group())
        else:
            parts.add(phrase.split(" ")[0])
    return frozenset(firsts), tuple(parts)


def _word_bounds(phrase: str, words: Language) -> tuple[str, str]:
    """Return the patterns before and after a phrase that must be whole words."""
    unspaced = read_toml("writing")["numbers_without_blanks"]
    if words.code in unspaced or not phrase[0].isalpha():
        return "", ""
    if words.code == "ko":
        before = r"(?<![\uac00-\ud7af_])"  # particles also follow Latin letters
    else:
        before = r"(?<![^\W\d_])" if phrase[0].isascii() else r"(?<![^\W\d])"
    return before, r"(?![^\W_])"


@cache
def _glued(words: Language) -> re.Pattern[str]:
    """Return a pattern of the bounds that are written as one word with the next: "יותר מ-"."""
    phrases = [*words.phrases("bounds", "less"), *words.phrases("bounds", "more")]
    glued = [_fold(phrase).rstrip("-") for phrase in phrases if phrase.endswith("-")]
    return re.compile(rf"(?<![^\W\d_])(?:{any_of(glued)})(?=[^\W\d_])")


def _alternative(phrase: str, *, bounded: bool) -> str:
    """Write the pattern of one phrase; its last word may have an ending where it is long."""
    words = phrase.split(" ")
    body = r"[\s_-]+".join(map(re.escape, words))
    if not bounded:
        return body
    return body + (rf"[^\W\d_]{{0,{_MOST_ENDING}}}" if len(words[-1]) >= _LONG_WORD else r"\.?")


def _entries(words: Language) -> Iterator[tuple[str, str]]:
    """List the phrases of a language's tables with their English; earlier ones win."""
    yield from _rates(words)
    # "from 18 to 24" in one word each: a word that both bounds and links is a bound.
    for key, meaning in _BOUNDS.items():
        for phrase in sorted(words.phrases("bounds", key)):
            yield phrase, meaning
    for section, ending in (("cardinals", ""), ("ordinals", "th")):
        for phrase, value in words.table.get(section, {}).items():
            yield phrase, f"{value:g}{ending}"
    for section, count in MULTIPLES.items():
        for unit, phrases in words.table.get(section, {}).items():
            for phrase in phrases:
                yield phrase, f"{count:g} {unit}" + "s" * (unit in _COUNTED)
    for unit, phrases in words.table.get("units", {}).items():
        for phrase in phrases:
            yield phrase, "%" if unit == "percent" else unit + "s" * (unit in _COUNTED)
    for key, meaning in {"ago": "", "and_a_half": "and a half"}.items():
        for phrase in words.phrases("bounds", key):
            yield phrase, meaning


def _rates(words: Language) -> Iterator[tuple[str, str]]:
    """List the phrases of relative frequency: "weekly", "once a month"."""
    for phrase, per_year in words.table.get("rates", {}).get("phrases", {}).items():
        yield phrase, f"{_MARK}{per_year:g}{_MARK}"
    for period in read_toml("numbers")["rates"]:
        for word, per in product(words.phrases("units", period), words.phrases("rates", "per")):
            yield f"{per} {_stem(word)}", f"per {period}"
            if is_unspaced(per) or is_unspaced(word):
                yield f"{per}{word}", f"per {period}"
                yield f"{word}{per}", f"per {period}"
    cardinals = words.table.get("cardinals", {})
    for key, times in RATE_COUNTS.items():
        for phrase in words.phrases("rates", key):
            if phrase not in cardinals:
                yield phrase, f"{times:g} times"
    for word, value in cardinals.items():
        for unit in words.phrases("units", "time") if 2 <= value <= 12 else ():
            yield f"{word}{unit}", f"{value:g} times"


def _stem(word: str) -> str:
    """Cut the last vowel of a longer word, which changes with its case."""
    return word[:-1] if len(word) > _LONG_WORD and word[-1] in _ENDING_VOWELS else word
