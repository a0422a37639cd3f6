"""Rules for labels that state numbers: plain ones, anchored ones, ranges, units and sizes."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from autotype.inference.labels.numeral_rules import FEWEST_LISTED, as_stage
from autotype.inference.labels.off_scale import denies, is_off_scale
from autotype.inference.labels.reading import Reading, all_distinct, covers, distinct
from autotype.inference.labels.scales import complete_by_leads
from autotype.inference.labels.topics import NAMES_THINGS
from autotype.lexicon.languages import ENGLISH, Language, language
from autotype.lexicon.number_words import any_of, read_quantity, translate
from autotype.lexicon.quantities import (
    Quantity,
    parse_quantity,
    parse_rate,
    plain_words,
)
from autotype.lexicon.tokens import Label, read_label, split_words
from autotype.lexicon.toml_files import read_toml

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
_DOTTED = re.compile(r"\d{1,3}\. [^\W\d_]")
_PARTED = re.compile(r"\d+[a-dA-D]?")
_FEWEST_UNITS = 2
_FAR = 1e30  # words below and above all numbers stand so far out, and so far apart
_LARGEST_RATING = 5  # of a scale from disagreement to agreement, in steps from its middle
_GRADED = "graded number"  # a topic: integers by a standard, as of Apgar or ASA
_LARGEST_GRADE = 21
_POINTS = {0, 0.5, 1, 2, 3, 5, 8, 13, 20, 21, 34, 40, 55, 89, 100}  # of work, in agile planning
_FEWEST_POINTS = {3, 5, 8, 13}
_CLASS_OF_WEIGHT = re.compile(r"(?P<sign>[-–−+])\s?(?P<rest>\d+(?:[.,]\d+)?\s?(?:kg|lbs?))", re.I)
_STEM = 4  # letters that the cases and the plural of a noun share
_DENIALS = frozenset({"no", "not", "never"})
_ZERO = Quantity(0.0, 0.0, "word")
_TERM = re.compile(
    r"(?P<number>[<>≤≥]?\s?\d{1,3}(?:\s?[-–]\s?\d{1,3})?)\s?(?P<unit>[hdwmy])(?P<open>\+?)", re.I
)
# EN 13402 and the custom of trade: band and cup, waist and length, nominal pipe size (ASME B36.10).
_CUPS = ("aa", "a", "b", "c", "d", "dd", "e", "ddd", "f", "ff", "g", "gg", "h", "hh", "i", "j", "k")
_BRA = re.compile(r"(\d{2,3})\s?([a-k]{1,3})", re.I)
_TROUSERS = re.compile(r"w?\s?(\d{2})\s?[/x]\s?l?\s?(\d{2})", re.I)
_INCHES = re.compile(
    r"(?:(?P<whole>\d{1,2})(?:[\s-]+(?=\d+/))?)?(?:(?P<over>\d{1,2})/(?P<under>2|4|8|16|32|64))?"
    r"\s?(?P<unit>\"|\'\'|[”″]|in\b\.?|inch(?:es)?)?",
    re.I,
)
_FEWEST_SIZES = 2
_LETTERED_PART = re.compile(r"\d([A-Z])\b")
_SECOND_PART = re.compile(r"\s*(?:[/(,;]|\s[-–—]\s).*", re.S)  # "Just me - I am a freelancer"


def read_numeric(
    labels: Sequence[Label], words: Language, topics: frozenset[str] = frozenset()
) -> Reading | None:
    """Order levels that are plain numbers, all of them."""
    ranks = all_distinct([label.number for label in labels])
    if ranks is None or len(ranks) < 2:
        return None
    numbers = set(ranks.values())
    if _is_bipolar(numbers):
        return Reading("scale", ranks, True, "a scale of numbers to both sides of zero")
    are_halves = all((2 * number).is_integer() for number in numbers)
    is_graded = _GRADED in topics and NAMES_THINGS not in topics
    if is_graded and max(numbers) <= _LARGEST_GRADE and are_halves:
        return Reading("stage_number", ranks, True, "grades of a scale that the name says")
    if _FEWEST_POINTS <= numbers <= _POINTS:
        return Reading("stage_number", ranks, True, "points of an estimate")
    return Reading("numeric", ranks, True, "plain numbers")


def _is_bipolar(numbers: set[float]) -> bool:
    """Check whether integers lie evenly to both sides of zero, such as -2 to 2.

    -1, 0 and 1 are codes as often as a scale, and other numbers have no reason to be symmetric.
    """
    end = max(numbers)
    if not 2 <= end <= _LARGEST_RATING or not all(n.is_integer() for n in numbers):
        return False
    return numbers | {0.0} == {float(n) for n in range(-int(end), int(end) + 1)}


def read_anchored_numbers(labels: Sequence[Label], words: Language, *_: object) -> Reading | None:
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
    parts = {match for label in labels for match in _LETTERED_PART.findall(label.text)}
    if any("++" in label.text for label in labels) or parts == {"A", "B"}:
        return None  # "1++", "1+" and "1" are grades, and "1B" beside "1A" is no billion
    labels = _with_classes_of_weight(_with_units_of_time(labels))
    mangled = _mangled_ranges(labels)
    quantities = _quantities(labels, words, mangled)
    reading = as_stage(_rank_quantities(labels, words, quantities, mangled), topics)
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


def _with_classes_of_weight(labels: Sequence[Label]) -> Sequence[Label]:
    """Read "-60 kg" and "+90 kg" beside each other as bounds, as no fighter weighs less than 0."""
    matches = [_CLASS_OF_WEIGHT.fullmatch(label.text) for label in labels]
    if not all(matches) or len({match["sign"] == "+" for match in matches if match}) < 2:
        return labels
    return [
        replace(read_label(f"{'>' if m['sign'] == '+' else '<'} {m['rest']}"), level=label.level)
        for label, m in zip(labels, matches, strict=True)
        if m
    ]


def _behind_leads(labels: Sequence[Label], words: Language) -> list[Label]:
    """Return labels as what stands behind the numbers or letters that list them.

    "1. under 18", "2. 18-24", "b) 10 mg": none unless all are listed, each by its own.
    """
    matches = [_LISTED.fullmatch(label.text) for label in labels]
    leads = [match and (match["lead"] or match["enclosed"]) for match in matches]
    if None in leads or len(set(leads)) < max(len(labels), FEWEST_LISTED):
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
    is_bare = {label.text.isdigit() for label in labels}
    if is_bare == {True, False} and all(_PARTED.fullmatch(label.text) for label in labels):
        return None  # "302", "498A": the letter is a part of a number, or another thing's
    if not covers(len(quantities), len(labels)):
        return None
    stated = [q for q in quantities.values() if q.kind != "word"]
    if len(stated) < 2 or not _is_coherent(stated, words):
        return None
    ranks = distinct((i, quantity.place) for i, quantity in quantities.items())
    if len(ranks) < max(2, len(labels) - 1) or _is_nested(list(quantities.values())):
        return None
    counts_dots = all(map(_DOTTED.match, (label.text for label in labels)))  # "1. Kammer"
    rule, detail, direction = _rule(stated, words, counts_dots)
    if mangled:
        example = labels[min(mangled)].text
        detail += f", some of which a spreadsheet seems to have turned into dates ({example!r})"
    return Reading(rule, {} if rule == "nominal" else ranks, direction, detail)


@cache
def _normal_keys() -> frozenset[str]:
    """Return the keys of words for what is not outside a normal range."""
    return frozenset("".join(split_words(w)) for w in read_toml("numbers")["stages"]["whole"])


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
    counted = [q for q in found.values() if q.unit in ("", "count")]
    from_one = len(counted) == len(found) > 1 and min(q.low for q in counted) == 1
    # Not "type 1"; and beside 1, 2 and 3 alone, what denies may be "not rated".
    from_one &= not all(q.before for q in counted) and bool(nouns or n_ranges)
    # Of when it was last, "never" is farther off than all.
    is_past = {q.unit for q in found.values() if q.kind != "word"} == {"time"} and any(
        _past(words).search(label.text.casefold()) for label in labels
    )
    zero = Quantity(_FAR, _FAR, "word") if is_past else _ZERO
    denied: list[int] = []
    opened: dict[int, Quantity] = {}
    # "Norm" is below ">200" and ">300", beside which "none" is no test.
    are_open = bool(found) and all(math.isinf(q.high) for q in found.values())
    normal = _normal_keys().intersection(label.key for label in labels if are_open)
    for i, label in enumerate(labels):
        if i in found:
            found[i] = zero if found[i].kind == "word" else found[i]
            continue
        if normal:
            found |= {i: Quantity(-_FAR, -_FAR, "word")} if label.key in normal else {}
            continue
        # "No experience" is no time at all, "I do not watch it" no times a day, "no child" no
        # person; not "hardly ever".
        is_kept = n_ranges["time"] > 1 and not words.denial_keys.isdisjoint(label.words[:1])
        is_denied = (is_kept or n_ranges["rate"] > 1 or from_one) and denies(label, words)
        is_denied &= _shrinking(words).isdisjoint(label.words)
        if _means_zero(label, nouns, words):
            found[i] = zero
        elif is_denied and not is_off_scale(label, words):
            denied.append(i)
        elif (key := words.key_of(_SECOND_PART.sub("", label.text))) in ends:
            (found if key == label.key else opened)[i] = Quantity(ends[key], ends[key], "word")
    if len(found) + len(opened) == len(labels):
        found |= opened
    if len(denied) == 1 and zero not in found.values():
        found[denied[0]] = zero
    return found


@cache
def _past(words: Language) -> re.Pattern[str]:
    """Return a pattern of what places a time in the past: "ago", "in the last"."""
    keys = ("ago", "last")
    phrases = {p.casefold() for k in keys for p in words.phrases("bounds", k)}
    before, after = ("", "") if words.by_characters else (r"(?<!\w)", r"(?!\w)")
    return re.compile(rf"{before}(?:{any_of(sorted(phrases))}){after}")


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
    if not nouns:
        return False
    own = split_words(label.text)
    if len(own) == 1:  # "childless", "balkonsuz"
        cut = (own[0].removesuffix(ending) for ending in _privatives())
        bare = {word for rest in cut if rest != own[0] for word in _translated_words(rest, words)}
        stems = tuple(noun[:_STEM] for noun in nouns if len(noun) > 2)
        return any(word.startswith(stems) for word in bare)
    own, denials = _translated_words(label.text, words), _denials_of(words)
    stated = [word for word in own if word not in denials]
    rest = plain_words(stated)
    if words.code != ENGLISH:
        rest = tuple(words.token_of(word)[:_STEM] for word in rest)
    return len(stated) < len(own) and bool(rest) and nouns.issuperset(rest)


@cache
def _privatives() -> list[str]:
    """Return the endings of words for what lacks a thing."""
    return [word for ending in read_toml("numbers")["privatives"] for word in split_words(ending)]


def _translated_words(text: str, words: Language) -> tuple[str, ...]:
    """Return the words of a label with the numbers and units of a language in English."""
    return split_words(text if words.code == ENGLISH else translate(text, words))


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


def _rule(
    quantities: Sequence[Quantity], words: Language, are_ordinals: bool
) -> tuple[str, str, bool]:
    """Return the rule, its detail and whether the direction is known."""
    kinds = Counter(q.kind for q in quantities)
    if kinds["range"]:
        return "range", "ranges of numbers", True
    before = Counter(q.before for q in quantities).most_common(1)[0][0]
    after = Counter(q.after for q in quantities).most_common(1)[0][0]
    is_ordinal = are_ordinals or 2 * kinds["ordinal"] > len(quantities)
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
    return kind in nouns.get(stem, ()) or (not own and stem in _shared_nouns(words, kind))


@cache
def _shared_nouns(words: Language, kind: str) -> frozenset[str]:
    """Return the nouns of a kind that count in all languages, whole and as this one cuts them."""
    nouns = [noun for noun in read_toml("numbers")["stages"][kind] if " " not in noun]
    return frozenset(nouns) | {words.token_of(noun)[:_STEM] for noun in nouns}


@cache
def _own_nouns(words: Language) -> dict[str, set[str]]:
    """Return the stems of a language's nouns around numbers, and what kinds of nouns each is."""
    found: dict[str, set[str]] = {}
    for kind, nouns in words.table.get("stages", {}).items():
        for noun in nouns:
            found.setdefault(words.token_of(noun)[:_STEM], set()).add(kind)
    return found


def read_sizes(labels: Sequence[Label], *_: object) -> Reading | None:
    """Order sizes by their numbers, the first one first.

    Examples
    --------
    >>> from autotype.lexicon.tokens import read_label
    >>> read_sizes(list(map(read_label, ["36A", "34B", "34A"]))).ranks
    {0: (36, 1), 1: (34, 2), 2: (34, 1)}
    """
    if len(labels) < _FEWEST_SIZES or not all(label.text[:1].isalnum() for label in labels):
        return None
    for places in (_of_bras, _of_trousers, _of_inches):
        ranks = all_distinct(places([label.text for label in labels]))
        if ranks is not None:
            return Reading("number_unit", ranks, True, "sizes")
    return None


def _of_bras(texts: Sequence[str]) -> list[tuple[int, int] | None]:
    matches = [_BRA.fullmatch(text) for text in texts]
    cups = [match[2].lower() if match else "" for match in matches]
    if len(set(cups)) < _FEWEST_SIZES or not set(_CUPS).issuperset(cups):
        return []
    numbers = [int(match[1]) for match in matches if match]
    # Bands count in steps of two inches or five centimetres; seats such as "30A" in ones.
    steps = all(n % 2 == 0 and 28 <= n <= 56 for n in numbers) or all(
        n % 5 == 0 and 60 <= n <= 120 for n in numbers
    )
    if not steps or len(set(numbers)) < _FEWEST_SIZES:
        return []
    return [(n, _CUPS.index(cup)) for n, cup in zip(numbers, cups, strict=True)]


def _of_trousers(texts: Sequence[str]) -> list[tuple[int, ...] | None]:
    if not all(text[:1] in "wW" for text in texts):
        return []  # "32/34" may be anything
    return [m and (int(m[1]), int(m[2])) for m in map(_TROUSERS.fullmatch, texts)]


def _of_inches(texts: Sequence[str]) -> list[float | None]:
    matches = [_INCHES.fullmatch(text) for text in texts]
    stated = [match for match in matches if match and match["unit"]]
    fractions = [match for match in matches if match and match["over"]]
    if not fractions or 2 * len(stated) < len(texts):
        return []
    return [
        match
        and int(match["whole"] or 0)
        + (int(match["over"]) / int(match["under"]) if match["over"] else 0)
        for match in matches
    ]
