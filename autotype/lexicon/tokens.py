"""One label as text: its words, its key, and the number or letter that stands before it."""

from __future__ import annotations

import math
import numbers
import operator
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import takewhile
from typing import Any

from autotype.lexicon.presence import is_present
from autotype.lexicon.toml_files import read_toml

MAX_LENGTH = 120  # longer strings are sentences, not labels

Split = Callable[[str], tuple[str, ...]]

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_APOSTROPHES = "'’`´ʼ׳"
_APOSTROPHE = re.compile(rf"(?<=[^\W\d_])[{_APOSTROPHES}](?=[^\W\d_])")
# Vowel signs of Devanagari, Bengali, Tamil and Thai are marks, which \w leaves out of a word.
LETTER = (
    r"(?:[^\W\d_]|[\u0900-\u0903\u093a-\u094f\u0951-\u0963\u0981-\u0983\u09be-\u09cd\u09d7\u0bbe-\u0bcd\u0bd7"
    r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])"
)
# A grade's sign belongs to its letter ("A+", "BBB-", "A*"); other signs only separate words.
_WORD = re.compile(
    r"(?:aaa|bbb|ccc|[ivx]{1,4}|[a-z]{1,2})[+-]{1,4}(?=\s|$)|(?:[adlms]|ii|distinction)\*+(?=\s|$)"
    rf"|{LETTER}+|\d+(?:\.\d+)?(?:\+|-$)?"
)
_PLAIN_LETTERS = re.compile("[a-z ]+")
_PLAIN_WORD = re.compile(rf"{LETTER}+|\d+")
_SIGNS = tuple(
    (re.compile(rf"(?:{signs})[^\S\n]*(?=[A-Za-z])"), word)
    for signs, word in (("<=|≤|=<", " le "), ("<", " lt "), (">=|≥|=>", " ge "), (">", " gt "))
)
_SILENT_WORDS = frozenset({"and", "or", "the"})
# Emoji and other signs may stand before all the rest.
_LEAD = re.compile(
    r"^(?:[^\w<>≤≥=+*?.,$€£¥%~−–-])*(?:(?P<number>\d{1,2})(?:\s*[)\].:=_–-]+\s*|\s+)[(\[]?|(?P<letter>[A-Za-z])\s*[)\].:=]+\s*(?!\w\b))"
    r"(?=[<>]?=?\s*[^\W\d_])"
)
_UNLISTED = re.compile(r"\s*|[_–-]")  # "5 m" and "3-room" list nothing, but "1 - poor" does
_STARS = re.compile(r"(?P<stars>(?P<star>[★⭐🌟*])(?P=star)*)[☆✩\s]+(?=\w)")
_TAIL = re.compile(
    r"(?<=[^\W\d_])[.!]?\s*(?:[(\[](?P<inside>\d{1,2})[)\]]|[=:–-]\s*(?P<after>\d{1,2}))$"
)
# Marks that are dropped: accents, but not of й and ї; Hebrew points, Arabic vowels,
# nukta, and the Armenian signs that stand above a vowel.
_MARKS = re.compile(
    r"(?<![иИіІ])[\u0300-\u036f]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640"
    r"\u064b-\u065f\u0670\u055b-\u055e\u093c\u09bc\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]"
)
_QUOTED = re.compile(r"b?(['\"])((?:(?!\1).)+)\1", re.S)
# Characters for the layout of a line, which no reader sees: soft hyphens, zero-width marks.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
    "\U000e0001\U000e0020-\U000e007f]"
)
# Characters that stand for others: blanks, Roman numerals, letters in circles, squared units,
# ligatures and other forms of letters, full-width and mathematical ones. Fractions, powers and
# numbers in circles keep their meaning only as they are.
_COMPATIBLE = re.compile(
    "[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2103\u2109-\u2115\u2119-\u211d\u2160-\u217f\u24b6-\u24e9"
    "\u3000\u3300-\u33ff\uf900-\ufaff\ufb00-\ufdfb\ufe30-\ufe6f\ufe70-\ufefc\uff00-\uffef"
    "\U0001d400-\U0001d7ff]+"
)
# Letters that are written alike or for each other, digits of other scripts, numbers in circles.
_DIGITS = {
    zero + i: str(i) for zero in (0x660, 0x6F0, 0x966, 0x9E6, 0xBE6, 0xE50) for i in range(10)
}
_ALIKE = _DIGITS | str.maketrans(
    {"ı": "i", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "\u20e3": ". ", "〜": "~"}
)
# Letters that are typed as two where a keyboard lacks them.
UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}
_DIGRAPHS = UMLAUTS | {"å": "aa", "ø": "oe", "æ": "ae", "ł": "l", "đ": "d"}
_AS_DIGRAPHS = str.maketrans(_DIGRAPHS | {k.upper(): v.capitalize() for k, v in _DIGRAPHS.items()})
_CIRCLED = str.maketrans({0x2460 + i: f"{i + 1}. " for i in range(20)})


@dataclass(frozen=True)
class Label:
    """One level and what its text is made of.

    Attributes
    ----------
    level : hashable
        The level itself, as given.
    text : str
        Its text, stripped; "" for missing values.
    words : tuple of str
        Lower-case words without accents, "and", "or" and "the".
    key : str
        The words run together: what the vocabulary is searched for.
    lead : int or None
        The number or letter that stands before the words ("2. rarely" has 2, "(b) rarely" too).
    body : tuple of str
        The words after the lead.
    number : float or None
        The value of a level that is a plain number.
    listed : bool
        Whether a sign sets the lead apart as in a list: "2. rarely", not "2 rooms".
    """

    level: Hashable
    text: str
    words: tuple[str, ...] = ()
    key: str = ""
    lead: int | None = None
    body: tuple[str, ...] = ()
    number: float | None = None
    listed: bool = False


def read_label(level: Hashable, split: Split | None = None) -> Label:
    """Parse one level; never raises, whatever the level is.

    Parameters
    ----------
    level : hashable
        The level.
    split : callable, default `split_words`
        The function that splits a string into the words of the label's language.

    Returns
    -------
    Label

    Examples
    --------
    >>> label = read_label("2. Très_bon-état")
    >>> label.words, label.lead, label.body
    (('2', 'tres', 'bon', 'etat'), 2, ('tres', 'bon', 'etat'))
    >>> read_label("1,250").number
    1250.0
    """
    number = _as_number(plain_text(level) if isinstance(level, str) else level)
    if isinstance(level, str):
        text = plain_text(level).strip()
    elif number is not None or not is_present(level):
        text = "" if number is None else f"{number:g}"
    else:
        text = _safe_text(level)
    if len(text) > MAX_LENGTH:
        return Label(level, text)
    words, lead, body, listed = _take_apart(text, split or split_words)
    return Label(level, text, words, "".join(words), lead, body, number, listed)


def plain_text(text: str) -> str:
    """Return a string without invisible characters, compatible ones as those they stand for.

    Quotation marks around it are removed, and the "b" of bytes that were printed.

    Examples
    --------
    >>> plain_text("Ｌｏｗ" + chr(0x200B)), plain_text("½"), plain_text("b'low'")
    ('Low', '½', 'low')
    """
    text = match[2] if (match := _QUOTED.fullmatch(text)) else text
    if text.isascii():
        return text
    text = _INVISIBLE.sub("", text)
    return _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)


def is_unspaced(text: str) -> bool:
    """Check for the beginning of a script that sets no blanks between words; Korean counts.

    Examples
    --------
    >>> is_unspaced("満足"), is_unspaced("ระดับ"), is_unspaced("स्तर")
    (True, True, False)
    """
    return text[0] >= "\u2e80" or "\u0e00" <= text[0] <= "\u0e7f"


def runs(words: Sequence[str], longest: int, between: str = "") -> Iterator[tuple[int, int, str]]:
    """Yield where each run of words begins and ends, and the words joined; the longest runs first.

    Examples
    --------
    >>> list(runs(("not", "at", "all"), 2))
    [(0, 2, 'notat'), (1, 3, 'atall'), (0, 1, 'not'), (1, 2, 'at'), (2, 3, 'all')]
    """
    for size in range(min(len(words), longest), 0, -1):
        for start in range(len(words) - size + 1):
            yield start, start + size, between.join(words[start : start + size])


def n_alike(sequences: Sequence[Any]) -> int:
    """Count the items with which all of some sequences begin.

    Examples
    --------
    >>> n_alike(["semifinal", "semitone"]), n_alike([(1, 2), (1, 2, 3)])
    (4, 2)
    """
    # Of sorted sequences, all begin with what the first and the last begin with.
    return sum(takewhile(bool, map(operator.eq, min(sequences), max(sequences))))


def settle_leads(labels: list[Label]) -> list[Label]:
    """Parse a number before a word for the word's place only where it may be that.

    "1 low", "2 high" are listed, "5 m", "10 min" are not: without a sign behind them, the
    numbers must count through the labels.
    """
    counted = [label.lead if label.number is None else label.number for label in labels]
    loose = sorted({number for number in counted if number is not None})
    if not loose or loose[-1] - loose[0] == len(loose) - 1:
        return labels
    return [
        label if label.listed or label.lead is None else replace(label, lead=None, body=label.words)
        for label in labels
    ]


def sort_key(level: Hashable) -> tuple:
    """Return a key that puts any levels into one order, however they were given."""
    kind = type(level)
    return (_safe_text(level), f"{kind.__module__}.{kind.__qualname__}", id(level))


@lru_cache(maxsize=4096)
def _take_apart(
    text: str, split: Split
) -> tuple[tuple[str, ...], int | None, tuple[str, ...], bool]:
    words = split(text)
    plain = without_accents(text)
    match = _STARS.match(plain)
    if match is not None and words:
        return words, len(match["stars"]), words, True
    match = _LEAD.match(plain)
    if match is not None:
        letter = match["letter"]
        lead = ord(letter.lower()) - ord("a") + 1 if letter else int(match["number"])
        listed = bool(letter) or not _UNLISTED.fullmatch(plain[match.end("number") : match.end()])
        return words, lead, split(plain[match.end() :]), listed
    match = _TAIL.search(plain)
    if match is not None:
        return words, int(match["inside"] or match["after"]), split(plain[: match.start()]), False
    return words, None, words, False


def without_lead(text: str) -> str:
    """Return a string without the number or letter that lists it.

    Examples
    --------
    >>> without_lead("2. Rarely"), without_lead("b) at home"), without_lead("home")
    ('Rarely', 'at home', 'home')
    """
    match = _LEAD.match(text)
    return text if match is None else text[match.end() :]


def plain_words(text: str) -> tuple[str, ...]:
    """Split a string of any script into plain words; none is left out or spelled otherwise.

    Examples
    --------
    >>> plain_words("Très_bon-état"), plain_words("n'est pas")
    (('tres', 'bon', 'etat'), ('nest', 'pas'))
    """
    return tuple(_PLAIN_WORD.findall(_normalise(text)))


def split_words(text: str) -> tuple[str, ...]:
    """Split a string into plain lower-case words, as English is split.

    Examples
    --------
    >>> split_words("VeryGood"), split_words("don't know"), split_words("B+ & better")
    (('very', 'good'), ('dont', 'know'), ('b+', 'better'))
    >>> split_words("++")
    ('++',)
    """
    text = _normalise(_with_signs_in_words(text.strip().strip("\"'")))
    return _spelled(_WORD.findall(text), text)


def split_phrases(phrases: Sequence[str], *, english: bool) -> dict[str, tuple[str, ...]]:
    """Split many phrases at once, by `split_words` or `plain_words`, several times as fast.

    Parameters
    ----------
    phrases : sequence of str
        The phrases.
    english : bool
        Whether to split them by `split_words`.

    Returns
    -------
    dict
        Phrase -> its words; phrases of several lines are left out.
    """
    words: dict[str, tuple[str, ...]] = {}
    others = []  # those that must be normalised: together, as the cost is mostly that of the calls
    for phrase in dict.fromkeys(phrases):
        if _PLAIN_LETTERS.fullmatch(phrase):
            words[phrase] = tuple(phrase.split())
            if english:
                words[phrase] = _spelled(words[phrase], phrase)
        elif "\n" not in phrase:
            others.append(phrase)
    if not others:
        return words
    text = "\n".join([phrase.strip().strip("\"'") for phrase in others])
    lines = _normalise(_with_signs_in_words(text) if english else text).split("\n")
    for phrase, line in zip(others, lines, strict=True):
        if english:
            words[phrase] = _spelled(_WORD.findall(line), line)
        else:
            words[phrase] = tuple(_PLAIN_WORD.findall(line))
    return words


def _normalise(text: str) -> str:
    """Return a string in small letters without accents and apostrophes, camelCase separated."""
    if not text.isascii():
        text = without_accents(text)
    if any(map(text.__contains__, _APOSTROPHES)):
        text = _APOSTROPHE.sub("", text)
    if not text.islower():
        text = _CAMEL.sub(" ", text)
    return text.casefold()


def _with_signs_in_words(text: str) -> str:
    if "<" in text or ">" in text or "≤" in text or "≥" in text:
        for pattern, word in _SIGNS:
            text = pattern.sub(word, text)
    return text


def _spelled(words: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the words of a string in one spelling, without silent ones; signs alone are a word."""
    if words and _respelled_words().isdisjoint(words):  # nearly all
        return tuple(words)
    spelling = read_toml("spelling")["spelling"]
    spelled = [spelling.get(word, word) for word in words if word not in _SILENT_WORDS]
    if not spelled and text:
        return (text,)  # "+", "++", "***", "?"
    return tuple(spelled)


@cache
def _respelled_words() -> frozenset[str]:
    return _SILENT_WORDS.union(read_toml("spelling")["spelling"])


def without_accents(text: str) -> str:
    """Remove accents and points; letters of other scripts stay, their digits become ASCII.

    Examples
    --------
    >>> without_accents("más")
    'mas'
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_CIRCLED))
    return unicodedata.normalize("NFC", _MARKS.sub("", decomposed)).translate(_ALIKE)


def typed_forms(phrases: Iterable[str]) -> Iterator[str]:
    """Yield phrases, and those with umlauts also as they are typed without them.

    Examples
    --------
    >>> list(typed_forms(["Gürtel", "low"]))
    ['Gürtel', 'Guertel', 'low']
    """
    for phrase in phrases:
        yield phrase
        if not phrase.isascii() and (typed := phrase.translate(_AS_DIGRAPHS)) != phrase:
            yield typed


def _as_number(level: Hashable) -> float | None:
    """Return the value of a plain number or of a string that holds nothing else."""
    if isinstance(level, bool) or type(level).__name__ in ("bool_", "bool"):
        return None
    try:
        if isinstance(level, str):
            return _text_number(level)
        if isinstance(level, numbers.Real) or type(level).__name__ == "Decimal":
            value = float(level)  # type: ignore[arg-type]
            return None if math.isnan(value) else value
    except (ArithmeticError, ValueError, TypeError):
        return None
    return None


_NUMBER_TEXT = re.compile(
    r"\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+|\d{1,3}(?:,\d{3})+(?:\.\d*)?)(?:e[-+]?\d+)?\s*", re.I | re.A
)


def _text_number(text: str) -> float | None:
    text = text if text.isascii() else text.translate(_DIGITS)
    if len(text) > 40 or _NUMBER_TEXT.fullmatch(text) is None:
        return None
    return float(text.replace(",", ""))


def _safe_text(level: Hashable) -> str:
    try:
        return str(level)
    except Exception:  # foreign objects may fail to print; their type still distinguishes them
        return type(level).__qualname__
