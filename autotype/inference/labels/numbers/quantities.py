"""Rules for labels that state numbers: ranges, amounts with units, and numbered things."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from autotype.inference.labels.numbers.mangled_ranges import read_mangled
from autotype.inference.labels.numbers.numerals import FEWEST_LISTED, as_stage
from autotype.inference.labels.numbers.worded_ends import STEM, stated_quantities
from autotype.inference.labels.reading import Reading, covers, distinct
from autotype.inference.labels.scales import complete_by_leads
from autotype.lexicon.languages import ENGLISH, Language, language
from autotype.lexicon.quantities import Quantity
from autotype.lexicon.tokens import Label, read_label
from autotype.lexicon.toml_files import read_toml

_TELLING_WORD = re.compile(r"[a-zA-Z]{4}|(?![\x00-\x7f])[^\W\d_]")
_LISTED = re.compile(
    r"(?:(?P<lead>\d{1,2}|[A-Za-z])\s*[)\].:=_–-]|[(\[](?P<enclosed>\d{1,2}|[A-Za-z])[)\]])"
    r"[\s.:=–-]*(?P<rest>\S.*)"
)
_DOTTED = re.compile(r"\d{1,3}\. [^\W\d_]")
_PARTED = re.compile(r"\d+[a-dA-D]?")
_FEWEST_UNITS = 2
_CLASS_OF_WEIGHT = re.compile(r"(?P<sign>[-–−+])\s?(?P<rest>\d+(?:[.,]\d+)?\s?(?:kg|lbs?))", re.I)
_TERM = re.compile(
    r"(?P<number>[<>≤≥]?\s?\d{1,3}(?:\s?[-–]\s?\d{1,3})?)\s?(?P<unit>[hdwmy])(?P<open>\+?)", re.I
)
_K_OR_BN = re.compile(r"\d\s?(?:k|bn)\b", re.I)
_M_OR_MM = re.compile(r"(?<=\d)\s?mm?\b")
_METRES = re.compile(r"\d{3}\s?m\b|\d\s?[ck]m\b")
_LARGE = 100
_SPARSE = 3  # numbers from the first to the last for each level
_LETTERED_PART = re.compile(r"\d([A-Z])\b")


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
    # Several of them around ranges do not: "do 18", "od 19 do 30", "nad 50".
    around = {word for label in labels for word in label.words if word.isalpha()}
    is_told = words.code == ENGLISH or len(around) > 1
    if not is_told and not any(_TELLING_WORD.search(label.text) for label in labels):
        return None
    parts = {match for label in labels for match in _LETTERED_PART.findall(label.text)}
    if any("++" in label.text for label in labels) or parts == {"A", "B"}:
        return None  # "1++", "1+" and "1" are grades, and "1B" beside "1A" is no billion
    labels = _with_millions(_with_classes_of_weight(_with_units_of_time(labels)))
    mangled = read_mangled(labels)
    quantities = stated_quantities(labels, words, mangled)
    reading = as_stage(_rank_quantities(labels, words, quantities, mangled), topics)
    if reading is not None and len(reading.ranks) == len(labels):
        return reading
    listed = _behind_leads(labels, words)
    if not listed:
        return reading
    inner = _rank_quantities(listed, words, stated_quantities(listed, words, {}), {})
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
        else names.get(label.text.lower(), label.text)
        for match, label in zip(matches, labels, strict=True)
    ]
    return _reread(labels, texts)


def _with_millions(labels: Sequence[Label]) -> Sequence[Label]:
    """Read "1m" and "1mm" beside "250k" or "1bn" as millions; 800 m beside 5 k are run."""
    texts = [label.text for label in labels]
    if not any(map(_K_OR_BN.search, texts)) or any(map(_METRES.search, texts)):
        return labels
    return _reread(labels, [_M_OR_MM.sub(" million", text) for text in texts])


def _reread(labels: Sequence[Label], texts: Sequence[str]) -> Sequence[Label]:
    """Return the labels of levels whose texts are others."""
    return [
        label if text == label.text else replace(read_label(text), level=label.level)
        for label, text in zip(labels, texts, strict=True)
    ]


def _with_classes_of_weight(labels: Sequence[Label]) -> Sequence[Label]:
    """Read "-60 kg" and "+90 kg" beside each other as bounds, as no fighter weighs less than 0."""
    matches = [_CLASS_OF_WEIGHT.fullmatch(label.text) for label in labels]
    if not all(matches) or len({match["sign"] == "+" for match in matches if match}) < 2:
        return labels
    signs = {"+": ">"}
    return _reread(labels, [f"{signs.get(m['sign'], '<')} {m['rest']}" for m in matches if m])


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
    places = [int(lead) if lead.isdecimal() else ord(lead.lower()) for lead in leads if lead]
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
    return len(word) == STEM and any(known.startswith(word) for known in own)


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
    units = {q.unit for q in quantities} - {"", "count"}
    is_staged = noun != "class" and _is_noun(noun, "words", words)  # "Class 158" of a train
    if before and not (units or is_staged) and _are_catalogued([q.low for q in quantities]):
        return "nominal", f'numbers in a catalogue of "{" ".join(before)}"', False
    # "Every 6 h" is a time, while "Line 6 h" is a name.
    if before and not (units and "".join(before) in words.keys("rates", "per")):
        if _is_noun(noun, "words", words) and len(noun) > 1:
            return "stage_number", f'numbers of a "{noun}"', is_up
        return "prefix_number", f'numbers behind "{" ".join(before)}"', True
    what = " ".join(after) or (units.pop() if units else "")
    return "number_unit", f"numbers of {what}" if what else "numbers", is_up


def _are_catalogued(numbers: Sequence[float]) -> bool:
    """Check for large numbers that are neither dense nor round: "BWV 846", "BWV 1007"."""
    is_sparse = max(numbers) - min(numbers) > _SPARSE * len(numbers)
    return is_sparse and min(numbers) >= _LARGE and any(n % 5 and n % 8 for n in numbers)


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
    return frozenset(nouns) | {words.token_of(noun)[:STEM] for noun in nouns}


@cache
def _own_nouns(words: Language) -> dict[str, set[str]]:
    """Return the stems of a language's nouns around numbers, and what kinds of nouns each is."""
    found: dict[str, set[str]] = {}
    for kind, nouns in words.table.get("stages", {}).items():
        for noun in nouns:
            found.setdefault(words.token_of(noun)[:STEM], set()).add(kind)
    return found
