"""What labels without a number mean beside those that state one: none, never, or the ends."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from autotype.inference.labels.off_scale import denies, is_off_scale
from autotype.lexicon.languages import ENGLISH, Language, language, languages_of
from autotype.lexicon.number_words import any_of, read_quantity, translate
from autotype.lexicon.quantities import Quantity, parse_quantity, parse_rate, plain_words
from autotype.lexicon.tokens import Label, split_words
from autotype.lexicon.toml_files import read_toml

_FAR = 1e30  # words below and above all numbers stand so far out, and so far apart
STEM = 4  # letters that the cases and the plural of a noun share
_DENIALS = frozenset({"no", "not", "never"})
_ZERO = Quantity(0.0, 0.0, "word")
_SECOND_PART = re.compile(r"\s*(?:[/(,;]|\s[-–—]\s).*", re.S)  # "Just me - I am a freelancer"


def stated_quantities(
    labels: Sequence[Label], words: Language, mangled: dict[int, Quantity]
) -> dict[int, Quantity]:
    """Return the numbers and ranges of labels, and what the words of others mean beside them.

    Parameters
    ----------
    labels : sequence of Label
        The labels that are not off any scale.
    words : Language
        The language of the words around the numbers.
    mangled : dict
        Place among the labels -> range, of those that a spreadsheet turned into dates.

    Returns
    -------
    dict
        Place among the labels -> quantity, of the labels that have one.
    """
    found = _share_unit(_read_each(labels, words, mangled))
    nouns = {w for q in found.values() for w in (*q.before, *q.after)}
    if any(q.unit == "rate" for q in found.values()):  # "on no day"
        found = {i: _ZERO if q.high == 0 else q for i, q in found.items()}
    # "Norm" is below ">200" and ">300", beside which "none" is no test.
    if found and all(math.isinf(q.high) for q in found.values()):
        normal = [i for i, label in enumerate(labels) if label.key in _keys_of("whole")]
        if normal:
            return dict.fromkeys(normal, Quantity(-_FAR, -_FAR, "word")) | found
    zero, denying = _zero_of(labels, found, words), _denying(found, words, nouns)
    found = {i: zero if q.kind == "word" else q for i, q in found.items()}
    ends = _ends_of(language(ENGLISH)) | _ends_of(words)
    denied: list[int] = []
    opened: dict[int, Quantity] = {}
    for i, label in enumerate(labels):
        if i in found:
            continue
        if _means_zero(label, nouns, words):
            found[i] = zero
        elif denying(label):
            denied.append(i)
        elif (key := words.key_of(_SECOND_PART.sub("", label.text))) in ends:
            (found if key == label.key else opened)[i] = Quantity(ends[key], ends[key], "word")
    if len(found) + len(opened) == len(labels):
        found |= opened
    if len(denied) == 1 and zero not in found.values():
        found[denied[0]] = zero
    return found


def _read_each(
    labels: Sequence[Label], words: Language, mangled: dict[int, Quantity]
) -> dict[int, Quantity]:
    """Return the number or range that each label states by itself."""
    is_english = words.code == ENGLISH
    stated: dict[int, Quantity | None] = {}
    for i, label in enumerate(labels):
        is_worded = label.number is None and not any(c.isdigit() for c in label.text)
        is_zero = not is_english and label.key in words.counted_zero_keys
        is_number = is_zero or label.key in words.ordinal_keys
        if i in mangled:
            stated[i] = mangled[i]
        elif is_worded and not is_number and is_off_scale(label, words):
            continue  # "not to say" is no two, as in Danish
        elif words.denial_keys.intersection(label.words[:1]) and _is_past(label, words):
            continue  # "not in the last 12 months" is no year
        elif label.number is not None:
            stated[i] = Quantity(label.number, label.number, "number")
        elif is_zero:
            stated[i] = _ZERO  # "not once" holds the word for one
        elif label.words and is_english:
            stated[i] = parse_rate(label.key) or parse_quantity(label.text)
        elif label.words:
            stated[i] = read_quantity(label.text, words)
    found = {i: quantity for i, quantity in stated.items() if quantity is not None}
    if is_english and all(label.text.isascii() for label in labels):
        return found
    return {i: _stemmed(quantity, words) for i, quantity in found.items()}


def _zero_of(labels: Sequence[Label], found: dict[int, Quantity], words: Language) -> Quantity:
    """Return where "none" and "never" stand: of when it was last, farther off than all."""
    kinds = {q.unit for q in found.values() if q.kind != "word"}
    is_past = kinds == {"time"} and any(
        label.key in _keys_of("now") or _is_past(label, words) for label in labels
    )
    return Quantity(_FAR**2, _FAR**2, "word") if is_past else _ZERO


def _denying(
    found: dict[int, Quantity], words: Language, nouns: set[str]
) -> Callable[[Label], bool]:
    """Return a check for labels that deny what the others count.

    "No experience" is no time at all, "I do not watch it" no times a day, "no child" no person;
    not "hardly ever".
    """
    n_ranges = Counter(q.unit for q in found.values() if q.kind == "range")
    counted = [q for q in found.values() if q.unit in ("", "count")]
    from_one = len(counted) == len(found) > 1 and min(q.low for q in counted) == 1
    # Not "type 1"; and beside 1, 2 and 3 alone, what denies may be "not rated".
    from_one &= not all(q.before for q in counted) and bool(nouns or n_ranges)
    are_counts = n_ranges["rate"] > 1 or from_one

    def check(label: Label) -> bool:
        opens = n_ranges["time"] > 1 and not words.denial_keys.isdisjoint(label.words[:1])
        is_denied = (opens or are_counts) and denies(label, words)
        is_denied &= _shrinking(words).isdisjoint(label.words)
        # Beside bare numbers the phrase alone tells its language: "ved ikke", "不知道".
        likely = languages_of((label.text,)) if is_denied and not is_off_scale(label, words) else ()
        return bool(likely) and not any(own.is_off_scale(own.split(label.text)) for own in likely)

    return check


@cache
def _keys_of(kind: str) -> frozenset[str]:
    """Return the keys of words for what is not outside a normal range, or for what goes on."""
    return frozenset("".join(split_words(w)) for w in read_toml("numbers")["stages"][kind])


def _is_past(label: Label, words: Language) -> bool:
    return bool(_past(words).search(label.text.casefold()))


@cache
def _past(words: Language) -> re.Pattern[str]:
    """Return a pattern of what places a time in the past: "ago", "in the last"."""
    keys = ("ago", "last")
    phrases = {p.casefold() for k in keys for p in words.phrases("bounds", k)}
    before, after = ("", "") if words.by_characters else (r"(?<!\w)", r"(?!\w)")
    return re.compile(rf"{before}(?:{any_of(sorted(phrases))}){after}")


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
        cut = [[word if word.isascii() else word[: STEM - 1] for word in part] for part in parts]
    else:
        cut = [[language.token_of(word)[:STEM] for word in part] for part in parts]
    return replace(quantity, before=tuple(cut[0]), after=tuple(cut[1]))


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
        stems = tuple(noun[:STEM] for noun in nouns if len(noun) > 2)
        return any(word.startswith(stems) for word in bare)
    own, denials = _translated_words(label.text, words), _denials_of(words)
    stated = [word for word in own if word not in denials]
    rest = plain_words(stated)
    if words.code != ENGLISH:
        rest = tuple(words.token_of(word)[:STEM] for word in rest)
    return len(stated) < len(own) and bool(rest) and nouns.issuperset(rest)


@cache
def _privatives() -> list[str]:
    """Return the endings of words for what lacks a thing."""
    return [word for ending in read_toml("numbers")["privatives"] for word in split_words(ending)]


def _translated_words(text: str, words: Language) -> tuple[str, ...]:
    """Return the words of a label with the numbers and units of a language in English."""
    return split_words(text if words.code == ENGLISH else translate(text, words))
