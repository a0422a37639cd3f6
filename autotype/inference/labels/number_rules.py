"""Rules for labels that hold numbers: plain ones, ranges, units, stages, numerals, letters."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from autotype.inference.labels.off_scale import denies, is_off_scale
from autotype.inference.labels.reading import Reading, all_distinct, covers, distinct
from autotype.inference.labels.scales import complete_by_leads, strip_shared
from autotype.inference.labels.topics import NAMES_THINGS
from autotype.lexicon.languages import ENGLISH, Language, Words, language
from autotype.lexicon.number_words import read_quantity, translate
from autotype.lexicon.quantities import (
    Quantity,
    mark_bounds,
    parse_quantity,
    parse_rate,
    plain_words,
)
from autotype.lexicon.tokens import Label, read_label, split_words
from autotype.lexicon.toml_files import read_toml

_ROMAN = re.compile(r"(?P<tens>x{0,3})(?P<ones>ix|iv|v?i{0,3})(?P<suffix>(?:[a-d]\d?)?)")
_ONES = {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MANGLED = re.compile(
    rf"(?P<day>\d{{1,2}})-(?P<month>{'|'.join(_MONTHS)})|(?P<first>{'|'.join(_MONTHS)})-(?P<second>\d{{1,2}})",
    re.I,
)
_TELLING_WORD = re.compile(r"[a-zA-Z]{4}|(?![\x00-\x7f])[^\W\d_]")
_LISTED = re.compile(
    r"(?:(?P<lead>\d{1,2}|[A-Za-z])\s*[)\].:=_–-]|[(\[](?P<enclosed>\d{1,2}|[A-Za-z])[)\]])"
    r"[\s.:=–-]*(?P<rest>\S.*)"
)
_BEFORE_A = "`"  # stage 0
_LETTERS = re.compile("[`a-z]{2,}")
_FEWEST_LISTED = 3
_FEWEST_UNITS = 2
_FAR = 1e30  # words below and above all numbers stand so far out, and so far apart
_LARGEST_RATING = 5  # of a scale from disagreement to agreement, in steps from its middle
_GRADED = "graded number"  # a topic: integers by a standard, as of Apgar or ASA
_LARGEST_GRADE = 15
_STEM = 4  # letters that the cases and the plural of a noun share
_DENIALS = frozenset({"no", "not", "never"})
_NONE_FOUND = frozenset({"negative", "neg", "nonreactive"})  # below any titre
_SIGNS = {"<": -1, "≤": -1, ">": 1, "≥": 1}
_ZERO = Quantity(0.0, 0.0, "word")
_NUMBERED_NAME = re.compile(
    r"(?P<lead>\d{1,6})\s+(?P<after>[^\d<>≤≥+%]+)|(?P<before>[^\d<>≤≥+%]+?)[\s-]+(?P<tail>\d{1,6})"
)
_FRACTION = re.compile(
    r"(?P<sign>[<≤>≥]=?)?\s*(?P<above>\d{1,6}|[IVX]{1,4})\s*(?P<mark>[/:])"
    r"\s*(?P<below>\d{1,6}|[IVX]{1,4})"
)
_TERM = re.compile(
    r"(?P<number>[<>≤≥]?\s?\d{1,3}(?:\s?[-–]\s?\d{1,3})?)\s?(?P<unit>[hdwmy])(?P<open>\+?)", re.I
)
_SHORT_CODE = re.compile(r"[A-Z]{1,2}[\s-]?(?P<number>\d{1,2})[a-d]?")
_NO_MARK = ("-", "–", "−", "0")
_HARDLY_A_MARK = ("±", "+/-", "(+)", "+-")
_REPEATED = re.compile(r"(?P<word>.*?)\s*(?P<marks>(?P<mark>[^\w\s.?<>()\[\]–−-])(?P=mark)*)")
_STAGE = re.compile(r"(?P<number>\d{1,3})(?P<suffix>(?:[a-d]\d?)?)")


def read_numeric(labels: Sequence[Label], topics: frozenset[str] = frozenset()) -> Reading | None:
    """Order levels that are plain numbers, all of them."""
    ranks = all_distinct([label.number for label in labels])
    if ranks is None or len(ranks) < 2:
        return None
    if _is_bipolar(set(ranks.values())):
        return Reading("scale", ranks, True, "a scale of numbers to both sides of zero")
    numbers = set(ranks.values())
    if _GRADED in topics and max(numbers) <= _LARGEST_GRADE and all(map(float.is_integer, numbers)):
        return Reading("stage_number", ranks, True, "grades of a scale that the name says")
    return Reading("numeric", ranks, True, "plain numbers")


def read_fractions(labels: Sequence[Label]) -> Reading | None:
    """Order "2/6" and "3/6" of one scale, and dilutions such as "1:20" and "1:40".

    All but one label are such fractions, and share what is below the line, or are parts of one.
    """
    matches = [_FRACTION.fullmatch(label.text) for label in labels]
    found = {i: match for i, match in enumerate(matches) if match}
    if len(found) < _FEWEST_LISTED or not covers(len(found), len(labels)):
        return None
    above, below = (
        {i: _whole_number(match[part]) for i, match in found.items()} for part in ("above", "below")
    )
    parts, wholes = set(above.values()), set(below.values())
    marks = {match["mark"] for match in found.values()}
    is_scale = len(wholes) == 1 and max(parts) <= min(wholes) and marks == {"/"}
    if not is_scale and not (parts == {1} and min(wholes) > 1 and marks == {":"}):
        return None
    signs = {i: _SIGNS.get((match["sign"] or "")[:1], 0) for i, match in found.items()}
    ranks = distinct((i, (above[i] if is_scale else below[i], signs[i])) for i in found)
    if len(ranks) < len(found):
        return None
    none = [i for i, label in enumerate(labels) if label.key in _NONE_FOUND]
    detail = f"points out of {min(wholes)}" if is_scale else "dilutions"
    return Reading("stage_number", {**dict.fromkeys(none, (-1, 0)), **ranks}, True, detail)


def read_marks(labels: Sequence[Label]) -> Reading | None:
    """Order labels by how often a sign is repeated: "-", "+", "++", or "none", "trace +".

    Those without it mean that there is nothing, or hardly anything, or are the word alone.
    """
    matches = [_REPEATED.fullmatch(label.text) for label in labels]
    found = [match for match in matches if match]
    kinds = {(match["word"], match["mark"]) for match in found}
    if len({match["marks"] for match in found}) < _FEWEST_LISTED - 1 or len(kinds) > 1:
        return None
    ((word, mark),) = kinds
    zeros = _NONE_FOUND | language(ENGLISH).counted_zero_keys
    places: list[float | None] = []
    for match, label in zip(matches, labels, strict=True):
        is_none = label.key in zeros or label.text in (*_NO_MARK, word)
        place = 0.0 if is_none else 0.5 if label.text in _HARDLY_A_MARK else None
        places.append(float(len(match["marks"])) if match else place)
    ranks = all_distinct(places) if None not in places and len(labels) >= _FEWEST_LISTED else None
    return None if ranks is None else Reading("stage_number", ranks, True, f'signs "{mark}"')


def _whole_number(text: str) -> int:
    """Return a number in digits or Roman numerals: "3/6" and "III/VI" are the same."""
    place = None if text.isdigit() else _roman_place(text.lower())
    return place[0] if place else int(text) if text.isdigit() else 0


def _is_bipolar(numbers: set[float]) -> bool:
    """Check whether integers lie evenly to both sides of zero, such as -2 to 2.

    -1, 0 and 1 are codes as often as a scale, and other numbers have no reason to be symmetric.
    """
    end = max(numbers)
    if not 2 <= end <= _LARGEST_RATING or not all(n.is_integer() for n in numbers):
        return False
    return numbers | {0.0} == {float(n) for n in range(-int(end), int(end) + 1)}


def read_anchored_numbers(labels: Sequence[Label], words: Language) -> Reading | None:
    """Order numbers of which some carry words ("1 - poor", "2", "3", "4 - excellent").

    None where the words of one of them have no place on a scale: "9 = refused".
    """
    plain = sum(label.number is not None for label in labels)
    if plain == len(labels) or 2 * plain < len(labels) or len(labels) < 3:
        return None
    ranks = all_distinct([label.lead if label.number is None else label.number for label in labels])
    if ranks is None or any(lab.number is None and is_off_scale(lab, words) for lab in labels):
        return None
    return Reading("scale", ranks, True, "numbers of which some carry words")


def read_quantities(
    labels: Sequence[Label], words: Language, topics: frozenset[str] = frozenset()
) -> Reading | None:
    """Order labels by the one number or range that each states.

    Parameters
    ----------
    labels : sequence of Label
        The labels that are not off any scale.
    words : Language
        The language of the words around the numbers.
    topics : frozenset of str
        What the name of the column says that its levels are, see `topics_of`.

    Returns
    -------
    Reading or None
        One of the rules "range", "ordinal_word", "number_unit", "stage_number" and
        "prefix_number"; at most one label remains without a place.
    """
    # Abbreviations of two or three letters mean something in too many languages.
    if words.code != ENGLISH and not any(_TELLING_WORD.search(label.text) for label in labels):
        return None
    if any("++" in label.text for label in labels):
        return None  # "1++", "1+" and "1" are grades
    labels = _with_units_of_time(labels)
    mangled = _mangled_ranges(labels)
    quantities = _quantities(labels, words, mangled)
    reading = _as_stage(_rank_quantities(labels, words, quantities, mangled), topics)
    if reading is not None and len(reading.ranks) == len(labels):
        return reading
    listed = _behind_leads(labels, words)
    inner = _rank_quantities(listed, words, _quantities(listed, words, {}), {}) if listed else None
    if inner is None or (reading is not None and len(inner.ranks) <= len(reading.ranks)):
        return reading
    return inner if len(inner.ranks) == len(listed) else complete_by_leads(listed, inner)


def _with_units_of_time(labels: Sequence[Label]) -> Sequence[Label]:
    """Read letters as units of time beside each other: "<24h", "1-3d", "1W", "3M", "1Y".

    "m" is a month beside weeks or years, and a minute beside hours; "O/N" is a single night.
    """
    matches = [_TERM.fullmatch(label.text) for label in labels]
    units = {match["unit"].lower() for match in matches if match}
    is_long = not units.isdisjoint("wy")
    if (
        len(units) < _FEWEST_UNITS
        or ("m" in units and is_long == ("h" in units))
        or not covers(len(list(filter(None, matches))), len(labels))
    ):
        return labels
    names = read_toml("numbers")["stages"]["terms"]
    names = names if is_long else names | {"m": "minutes"}
    texts = [
        f"{match['number']}{match['open']} {names[match['unit'].lower()]}"
        if match
        else names.get(label.text.lower())
        for match, label in zip(matches, labels, strict=True)
    ]
    return [
        replace(read_label(text), level=label.level) if text else label
        for text, label in zip(texts, labels, strict=True)
    ]


def _behind_leads(labels: Sequence[Label], words: Language) -> list[Label]:
    """Return labels as what stands behind the numbers or letters that list them.

    "1. under 18", "2. 18-24", "b) 10 mg": none unless all are listed, each by its own.
    """
    matches = [_LISTED.fullmatch(label.text) for label in labels]
    leads = [match and (match["lead"] or match["enclosed"]) for match in matches]
    if None in leads or len(set(leads)) < max(len(labels), _FEWEST_LISTED):
        return []
    bare = [match["rest"].isdecimal() for match in matches if match and match["lead"]]
    if bare and all(bare):
        return []  # "5-3", "7-2"
    places = [int(lead) if lead.isdigit() else ord(lead.lower()) for lead in leads if lead]
    if max(places) - min(places) > len(places):
        return []  # "1 - 9", "10 - 49"
    split = None if words.code == ENGLISH else words.split
    found = [read_label(match["rest"], split) for match in matches if match]
    return [
        replace(own, level=label.level, lead=place)
        for own, label, place in zip(found, labels, places, strict=True)
    ]


def _rank_quantities(
    labels: Sequence[Label],
    words: Language,
    quantities: dict[int, Quantity],
    mangled: dict[int, Quantity],
) -> Reading | None:
    """Order labels by their numbers or ranges, if these count the same thing."""
    if not covers(len(quantities), len(labels)):
        return None
    stated = [q for q in quantities.values() if q.kind != "word"]
    if len(stated) < 2 or not _is_coherent(stated, words):
        return None
    ranks = distinct((i, quantity.place) for i, quantity in quantities.items())
    if len(ranks) < max(2, len(labels) - 1) or _is_nested(list(quantities.values())):
        return None
    rule, detail, direction = _rule(stated, words)
    if mangled:
        example = labels[min(mangled)].text
        detail += f", some of which a spreadsheet seems to have turned into dates ({example!r})"
    return Reading(rule, {} if rule == "nominal" else ranks, direction, detail)


def _quantities(
    labels: Sequence[Label], words: Language, mangled: dict[int, Quantity]
) -> dict[int, Quantity]:
    stated = {}
    for i, label in enumerate(labels):
        # An answer without digits: "not to say" is no two, as in Danish; "not once" is zero.
        is_worded = label.number is None and not any(c.isdigit() for c in label.text)
        is_zero = words.code != ENGLISH and label.key in words.counted_zero_keys
        is_number = is_zero or label.key in words.ordinal_keys
        is_answer = is_worded and not is_number and is_off_scale(label, words)
        stated[i] = mangled.get(i) or (None if is_answer else _stated(label, words))
    plain_english = words.code == ENGLISH and all(label.text.isascii() for label in labels)
    if not plain_english:
        stated = {i: quantity and _stemmed(quantity, words) for i, quantity in stated.items()}
    found = _share_unit({i: q for i, q in stated.items() if q is not None})
    ends = _ends_of(language(ENGLISH)) | _ends_of(words)
    nouns = {w for q in found.values() for w in (*q.before, *q.after)}
    if any(q.unit == "rate" for q in found.values()):  # "on no day"
        found = {i: _ZERO if q.high == 0 else q for i, q in found.items()}
    n_ranges = Counter(q.unit for q in found.values() if q.kind == "range")
    denied = []
    for i, label in enumerate(labels):
        if i in found:
            continue
        # "No experience" is no time at all, "I do not watch it" no times a day; not "hardly ever".
        begins = n_ranges["time"] > 1 and label.words[0] in words.denial_keys
        is_denied = (begins or n_ranges["rate"] > 1) and denies(label, words)
        is_denied &= _shrinking(words).isdisjoint(label.words)
        if _means_zero(label, nouns, words):
            found[i] = _ZERO
        elif is_denied and not is_off_scale(label, words):
            denied.append(i)
        elif label.key in ends:
            found[i] = Quantity(ends[label.key], ends[label.key], "word")
    if len(denied) == 1 and _ZERO not in found.values():
        found[denied[0]] = _ZERO
    return found


def _stated(label: Label, words: Language) -> Quantity | None:
    """Read the number or range of one label."""
    if label.number is not None:
        return Quantity(label.number, label.number, "number")
    is_english = words.code == ENGLISH
    if not is_english and label.key in words.counted_zero_keys:
        return _ZERO  # "not once" holds the word for one
    if not label.words:
        return None
    if is_english:
        return parse_rate(label.key) or parse_quantity(label.text)
    return read_quantity(label.text, words)


@cache
def _ends_of(words: Language) -> dict[str, float]:
    """Return the keys of a language's words below or above all numbers, and their place."""
    lowest, highest = words.phrases("ends", "lowest"), words.phrases("ends", "highest")
    below = {words.key_of(word): -_FAR * (len(lowest) - k) for k, word in enumerate(lowest)}
    return below | {words.key_of(word): _FAR * (k + 1) for k, word in enumerate(highest)}


@cache
def _shrinking(words: Language) -> frozenset[str]:
    """Return the keys of a language's words such as "almost"."""
    return frozenset().union(*(words.keys("shrink", v) for v in words.table.get("shrink", ())))


@cache
def _denials_of(words: Language) -> frozenset[str]:
    """Return a language's words that deny what follows, and its single words that mean zero."""
    phrases = (*words.phrases("negation", "words"), *words.phrases("ends", "zero"))
    split = map(split_words, phrases)
    return _DENIALS.union(denial[0] for denial in split if len(denial) == 1)


def _stemmed(quantity: Quantity, language: Language) -> Quantity:
    """Cut the words around a number to their stems, so that cases and plurals are one word."""
    parts = (quantity.before, quantity.after)
    if language.code == ENGLISH:  # words of a language that was not recognised
        cut = [[word if word.isascii() else word[: _STEM - 1] for word in part] for part in parts]
    else:
        cut = [[language.token_of(word)[:_STEM] for word in part] for part in parts]
    return replace(quantity, before=tuple(cut[0]), after=tuple(cut[1]))


def _mangled_ranges(labels: Sequence[Label]) -> dict[int, Quantity]:
    """Read ranges that a spreadsheet turned into dates: "5-Jan" for 1-5, "Jan-05" as well.

    Only where another label states a range as such, since a column of dates is a calendar.
    """
    found = {}
    others = 0
    for i, label in enumerate(labels):
        match = _MANGLED.fullmatch(label.text)
        if match is None:
            quantity = parse_quantity(label.text) if label.number is None else None
            others += quantity is not None and quantity.kind == "range"
            continue
        month = _MONTHS.index((match["month"] or match["first"]).lower()) + 1
        day = int(match["day"] or match["second"])
        found[i] = Quantity(float(min(month, day)), float(max(month, day)), "range")
    return found if others else {}


def mangled_ranges(levels: Sequence[str | datetime.date]) -> list[str]:
    """Return the dates and strings that a spreadsheet seems to have made of ranges, next to such.

    Parameters
    ----------
    levels : sequence of str or date
        Strings, or dates as a spreadsheet stores them.

    Returns
    -------
    list of str
        Strings such as "5-Jan".

    Examples
    --------
    >>> mangled_ranges(["5-Jan", "10-Jun", "11-20", "20+"]), mangled_ranges(["5-Jan", "6-Jan"])
    (['5-Jan', '10-Jun'], [])
    """
    texts = [
        level if isinstance(level, str) else f"{level.day}-{_MONTHS[level.month - 1].capitalize()}"
        for level in levels
    ]
    return [texts[i] for i in _mangled_ranges([read_label(text) for text in texts])]


def _share_unit(quantities: dict[int, Quantity]) -> dict[int, Quantity]:
    """Convert numbers without a unit the one that the others have: "under 18 years", "18 to 29"."""
    units = {(q.unit, q.factor) for q in quantities.values() if q.unit not in ("", "count")}
    if len(units) != 1:
        return quantities
    unit, factor = units.pop()
    return {
        i: q if q.unit else replace(q, low=q.low * factor, high=q.high * factor, unit=unit)
        for i, q in quantities.items()
    }


def _means_zero(label: Label, nouns: set[str], words: Language) -> bool:
    """Check whether a label means zero: "none", or a denial of what the others count."""
    if label.key in language(ENGLISH).counted_zero_keys | words.counted_zero_keys:
        return True
    own, denials = _english_words(label, words), _denials_of(words)
    stated = [word for word in own if word not in denials]
    rest = plain_words(stated)
    if words.code != ENGLISH:
        rest = tuple(words.token_of(word)[:_STEM] for word in rest)
    return len(stated) < len(own) and bool(rest) and nouns.issuperset(rest)


def _english_words(label: Label, words: Language) -> Words:
    """Return the words of a label as English is split, whose numbers `parse_quantity` reads."""
    return label.words if words.code == ENGLISH else split_words(label.text)


def _is_coherent(quantities: Sequence[Quantity], language: Language) -> bool:
    """Check whether the numbers count the same thing: the words around them are shared."""
    if len({q.unit for q in quantities} - {"", "count"}) > 1:
        return False
    if 2 * sum(map(_is_closed, quantities)) >= len(quantities) > 2:
        # Beside ranges, what is below or above all of them is read by its number alone.
        ends = sorted(quantities, key=lambda q: q.place)
        inner = ends[not _is_closed(ends[0]) : len(ends) - (not _is_closed(ends[-1]))]
        quantities = inner if len(inner) > 1 else quantities
    for side in ("before", "after"):
        rests = [getattr(q, side) for q in quantities]
        # A title such as "Apollo 13" beside plain numbers; "4 children" beside them is read.
        odd = {word for rest in rests for word in rest} if rests.count(()) == len(rests) - 1 else ()
        if any(not _is_known(word, language) for word in odd):
            return False
        if len(set(rests) - {()}) > 1:
            counts = Counter(word for rest in rests for word in set(rest))
            if any(2 * n <= len(quantities) for n in counts.values()):
                return False
        # "1a", "1b", "2a": letters count too, so the number alone is no place.
        if len(set(rests)) > 1 and any(len(word) == 1 for rest in rests for word in rest):
            return False
    return True


def _is_closed(quantity: Quantity) -> bool:
    """Check for a range between two numbers, without words around it."""
    is_range = math.isfinite(quantity.low) and quantity.low < quantity.high < math.inf
    return is_range and not (quantity.before or quantity.after)


def _is_known(word: str, words: Language) -> bool:
    """Check whether a word around a number, perhaps cut to its stem, is in the vocabulary."""
    if word in words.known_words or word in language(ENGLISH).known_words:
        return True
    own = (*words.known_words, *words.table.get("units", ()))
    return len(word) == _STEM and any(known.startswith(word) for known in own)


def _is_nested(quantities: Sequence[Quantity]) -> bool:
    """Check whether ranges lie inside or largely over each other: then none follows the other."""
    ends = sorted(q.place for q in quantities)
    return any(a[1] > b[1] or a[1] - b[0] > (a[1] - a[0]) / 2 for a, b in pairwise(ends))


def _rule(quantities: Sequence[Quantity], words: Language) -> tuple[str, str, bool]:
    """Return the rule, its detail and whether the direction is known."""
    kinds = Counter(q.kind for q in quantities)
    if kinds["range"]:
        return "range", "ranges of numbers", True
    before = Counter(q.before for q in quantities).most_common(1)[0][0]
    after = Counter(q.after for q in quantities).most_common(1)[0][0]
    is_ordinal = 2 * kinds["ordinal"] > len(quantities)
    noun = (before or (after if is_ordinal else ()) or ("",))[-1]
    counted = (after or ("",))[-1]
    if _is_noun(noun, "naming", words) or _is_noun(counted, "naming", words, own=True):
        return "nominal", f'numbers that name a "{noun or counted}"', False
    is_up = not _is_noun(noun or counted, "inverted", words, own=not before)
    if is_ordinal:
        return "ordinal_word", "ordinal numbers", is_up
    if before:
        if _is_noun(noun, "words", words) and len(noun) > 1:
            return "stage_number", f'numbers of a "{noun}"', is_up
        return "prefix_number", f'numbers behind "{" ".join(before)}"', True
    units = {q.unit for q in quantities} - {"", "count"}
    what = " ".join(after) or (units.pop() if units else "")
    return "number_unit", f"numbers of {what}" if what else "numbers", is_up


def _is_noun(stem: str, kind: str, words: Language, *, own: bool = False) -> bool:
    """Check for a noun whose number grades it, "inverted" or not, or is its name.

    What stands behind a number is counted in English, so `own` leaves out the English nouns.
    """
    nouns = _own_nouns(words)
    if words.by_characters:
        stem = max(filter(stem.endswith, nouns), key=len, default=stem)
    return kind in nouns.get(stem, ()) or (not own and stem in read_toml("numbers")["stages"][kind])


@cache
def _own_nouns(words: Language) -> dict[str, set[str]]:
    """Return the stems of a language's nouns around numbers, and what kinds of nouns each is."""
    found: dict[str, set[str]] = {}
    for kind, nouns in words.table.get("stages", {}).items():
        for noun in nouns:
            found.setdefault(words.token_of(noun)[:_STEM], set()).add(kind)
    return found


def read_numerals(
    labels: Sequence[Label], words: Language, topics: frozenset[str] = frozenset()
) -> Reading | None:
    """Order Roman numerals and stages such as "Stage IIIA", "T1b" or "V and higher"."""
    reading = _as_stage(_read_numerals(labels, topics), topics)
    if reading is not None or not all(label.words for label in labels):
        return reading
    bounded = [_without_bound(label.text, words) for label in labels]
    if bounded == [label.text for label in labels]:
        return None
    return _as_stage(_read_numerals([read_label(text) for text in bounded], topics), topics)


def _as_stage(reading: Reading | None, topics: frozenset[str]) -> Reading | None:
    """Return numerals as stages where the name of the column says that they are."""
    if reading is None or NAMES_THINGS in topics:
        return reading
    stages = read_toml("numbers")["stages"]
    noun = min(topics.intersection(stages["topics"]), default="")
    if reading.rule not in ("roman", "prefix_number") or not noun:
        return reading
    detail = f'{reading.detail} of a "{noun}"'
    is_up = noun not in stages["inverted"]
    return replace(reading, rule="stage_number", direction_known=is_up, detail=detail)


def _without_bound(text: str, words: Language) -> str:
    """Remove the words that open a range upwards or downwards: "V and higher" is the last level."""
    is_english = words.code == ENGLISH
    signed = mark_bounds(text.lower()) if is_english else translate(text, words)
    if "<" not in signed and ">" not in signed:
        return text
    return signed.replace("<", " ").replace(">", " ").strip().upper()


def _read_numerals(labels: Sequence[Label], topics: frozenset[str]) -> Reading | None:
    if len(labels) < 2 or not all(label.words for label in labels):
        return None
    table = read_toml("numbers")["stages"]
    moves: list[int] = []
    bodies = []
    for label in labels:
        words = ("t", "is") if label.key == "tis" else label.words
        moves.append(sum(table["moved"].get(word, 0) for word in words))
        bodies.append(tuple(word for word in words if word not in table["moved"]))
    if not all(bodies):
        return None
    prefix = bodies[0][0] if len({body[0] for body in bodies}) == 1 else ""
    stripped = strip_shared(bodies)
    # "Phase 1/2" holds two numbers: that is a range.
    if not all(stripped) or any(sum(w[0].isdigit() for w in rest) > 1 for rest in stripped):
        return None
    halves = list(map(_halfway, stripped))
    rests = [
        rest[-1] if half else "".join(rest) for rest, half in zip(stripped, halves, strict=True)
    ]
    noun = _noun_before(bodies) or prefix
    staged = _is_staged(noun, rests)
    is_thing = NAMES_THINGS in topics
    if not staged and not is_thing and any(map(_STAGE.fullmatch, rests)):  # "G3a", "E9b"
        noun = min(topics.intersection(table["topics"]), default="")
        staged = bool(noun)
    from_zero = not (staged or is_thing) and _count_from_zero(labels)
    if staged and any(
        rest == "x" and is_off_scale(label, language(ENGLISH))
        for rest, label in zip(rests, labels, strict=True)
    ):
        return None  # stage X of a tumour cannot be assessed
    parts = Counter(match["number"] for match in map(_STAGE.fullmatch, rests) if match)
    is_parted = prefix.isalpha() and parts.total() == len(rests) > len(parts)  # "E 9a", "E 10"
    places: list = list(
        map(_stage_place if staged or from_zero or is_parted else _roman_place, rests)
    )
    places = [half or place for half, place in zip(halves, places, strict=True)]
    if any(moves):
        places = [place and (*place, move) for place, move in zip(places, moves, strict=True)]
    ranks = all_distinct(places)
    if ranks is None:
        return None
    if staged:
        return Reading(
            "stage_number", ranks, noun not in table["inverted"], f'numbers of a "{noun}"'
        )
    if from_zero:
        return Reading("stage_number", ranks, True, "numerals that count from zero")
    if is_parted:
        return Reading("prefix_number", ranks, True, "numbers and their parts")
    one_case = _same_case([label.text for label in labels], rests)
    long_enough = any(len(rest) > 1 for rest in rests) and (
        any(rest in ("i", "ii") for rest in rests)
        or {1, 2} <= {place[0] for place in ranks.values()}
    )
    if not (one_case and long_enough):
        return None
    if "0" in rests and not is_thing:
        return Reading("stage_number", ranks, True, "numerals that count from zero")
    return Reading("roman", ranks, True, "Roman numerals")


def _count_from_zero(labels: Sequence[Label]) -> bool:
    """Check for codes such as "F0", "F1", "F2a": zero is the grade of nothing.

    Things are counted from one, but for those that programs number, in small letters or words.
    """
    codes = [_SHORT_CODE.fullmatch(label.text) for label in labels]
    numbers = {int(code["number"]) for code in codes if code}
    return all(codes) and len(numbers) >= _FEWEST_LISTED and max(numbers) == len(numbers) - 1


def _is_staged(noun: str, numbers: Sequence[str]) -> bool:
    """Check for a noun that is graded by its number; a letter alone is one beside "1b" or "is".

    "T1", "T2" are terminals and trials as often as stages of a tumour.
    """
    known = noun in read_toml("numbers")["stages"]["words"]
    return known and (len(noun) > 1 or not all(map(str.isdigit, numbers)))


def _same_case(texts: Sequence[str], numerals: Sequence[str]) -> bool:
    """Check whether all numerals are capitals; in small letters they may be words, unless many."""
    ends = [(text[-len(n) :], n) for text, n in zip(texts, numerals, strict=True)]
    capitals = [n.rstrip("abcd0123456789").upper() for n in numerals]  # "IIa" as well as "IIA"
    if all(end in (n.upper(), c + n[len(c) :]) for (end, n), c in zip(ends, capitals, strict=True)):
        return True
    return len(texts) > 2 and all(end == n for end, n in ends)


def _noun_before(bodies: Sequence[tuple[str, ...]]) -> str:
    """Return the last of the words with which all labels begin."""
    noun = ""
    for words in zip(*bodies, strict=False):
        if len(set(words)) > 1:
            break
        noun = words[0]
    return noun


def _halfway(numerals: Words) -> tuple[int, str] | None:
    """Return the place of "I-II", behind "I" and its parts and before "II"."""
    found = [place[0] if place else 0 for place in map(_roman_place, numerals)]
    return (found[0], "~") if len(found) == 2 and 0 < found[0] == found[1] - 1 else None


def _stage_place(rest: str) -> tuple[int, str] | None:
    if rest == "is":  # "Tis": carcinoma in situ comes before T1
        return (0, "is")
    match = _STAGE.fullmatch(rest)
    return (int(match["number"]), match["suffix"]) if match else _roman_place(rest)


def _roman_place(rest: str) -> tuple[int, str] | None:
    if rest == "0":  # below stage I
        return (0, "")
    match = _ROMAN.fullmatch(rest)
    if match is None:
        return None
    value = 10 * len(match["tens"]) + _ONES[match["ones"]]
    return (value, match["suffix"]) if value else None


def read_enumerators(
    labels: Sequence[Label], topics: frozenset[str] = frozenset()
) -> Reading | None:
    """Order letters ("0", "A", "B", "C"), and labels by the numbers or letters before them."""
    if len(labels) < 2:
        return None
    bodies = strip_shared([label.words for label in labels])
    letters = [body[0] for body in bodies if len(body) == 1 and len(body[0]) == 1]
    letters = [_BEFORE_A if letter == "0" else letter for letter in letters]
    if len(letters) == len(labels) and _LETTERS.fullmatch("".join(letters)):
        codes = all_distinct(list(map(ord, letters)))
        one_case = len({label.text[-1:].isupper() for label in labels if label.text != "0"}) == 1
        dense = ord(max(letters)) - ord(min(letters)) <= len(letters) + 1
        if codes is None or not (dense and one_case):
            return None
        table = read_toml("numbers")["stages"]
        noun = _noun_before([label.words for label in labels])
        if NAMES_THINGS not in topics:
            noun = min(topics.intersection(table["lettered_topics"]), default=noun)
        if noun in (*table["lettered"], *table["lettered_topics"]):
            return Reading("stage_number", codes, False, f'letters of a "{noun}"')
        return Reading("enumerator", codes, False, "letters")
    leads = all_distinct([label.lead for label in labels])
    if leads is None or len(labels) < 3:
        return None
    # "1 cat", "2 dog": without a sign, numbers list where they count from the beginning.
    if not all(label.listed for label in labels) and min(leads.values()) > 1:
        return None
    listed = topics.intersection(read_toml("numbers")["stages"]["listed"])
    if listed and all(label.text[0].isdigit() for label in labels):
        return Reading("stage_number", leads, True, f'labels behind numbers of a "{min(listed)}"')
    return Reading("enumerator", leads, False, "labels behind numbers or letters")


def read_numbered_names(labels: Sequence[Label]) -> Reading | None:
    """Recognise names beside a number each, of which no two share a word: "Tu-154", "86 cats"."""
    matches = [_NUMBERED_NAME.fullmatch(label.text) for label in labels]
    names = [split_words(m["before"] or m["after"]) for m in matches if m]
    if len(names) < max(3, len(labels)):
        return None
    words = [word for name in names for word in set(name)]
    if len(set(words)) < len(words) or max(map(len, words), default=0) < 2:
        return None
    if any((quantity := parse_quantity(label.text)) and quantity.unit for label in labels):
        return None  # "7 years" are no name
    numbers = sorted(int(match["lead"] or match["tail"]) for match in matches if match)
    if numbers[-1] - numbers[0] < len(numbers):  # they may count
        return None
    return Reading("nominal", {}, False, "names beside numbers")
