"""Rules for labels of several numbers: sizes of clothes and pipes, versions, days of a cycle."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autotype.inference.labels.reading import Reading, all_distinct
from autotype.lexicon.tokens import Label

# EN 13402 and the custom of trade: band and cup, waist and length, nominal pipe size (ASME B36.10).
_CUPS = ("aa", "a", "b", "c", "d", "dd", "e", "ddd", "f", "ff", "g", "gg", "h", "hh", "i", "j", "k")
_BRA = re.compile(r"(\d{2,3})\s?([a-k]{1,3})", re.I)
_PAIRS = (
    re.compile(r"w\s?(\d{2})\s?[/x]\s?l?\s?(\d{2})", re.I),  # "32/34" alone may be anything
    re.compile(r"(?:sae\s?)?(\d{1,2})w[\s-]?(\d{2})", re.I),  # multigrade oil (SAE J300)
    re.compile(r"c(\d{1,2})\s?d(\d{1,2})", re.I),  # cycle and day of a treatment
)
_INCHES = re.compile(
    r"(?i)(?:(?P<whole>\d{1,2})(?:[\s-]+(?=\d+/))?)?(?:(?P<over>\d{1,2})/(?P<under>2|4|8|16|32|64))?"
    r"\s?(?P<unit>\"|\'\'|[”″]|in\b\.?|inch(?:es)?)?"
)
_FEWEST_SIZES = 2
_VERSION = re.compile(r"(?P<before>[^\W\d_]*)[\s.-]?(?P<number>\d{1,4}(?:\.\d{1,4})+)")
_FROM_EVENT = re.compile(r"(?P<before>[^\W\d_]+)\s?(?P<number>[+-]?\d{1,4})")
_VERSIONED = {"v", "ver", "version", "rev", "rel", "release", "sec", "section"}


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
    for places in (_of_bras, _of_pairs, _of_inches):
        ranks = all_distinct(places([label.text for label in labels]))
        if ranks is not None:
            return Reading("number_unit", ranks, True, "sizes")
    return None


def read_parts(labels: Sequence[Label], *_: object) -> Reading | None:
    """Order versions by their parts, "1.9" before "1.10", and days around one: "D-7", "D+1".

    Two numbers around a point are a decimal, unless two are equal as such, or versions.
    """
    pattern = _VERSION if "." in labels[0].text else _FROM_EVENT
    matches = [pattern.fullmatch(label.text) for label in labels]
    before = {match["before"].casefold() for match in matches if match}
    texts = [match["number"] for match in matches if match]
    ranks = all_distinct([tuple(map(int, text.split("."))) for text in texts])
    if ranks is None or len(texts) < len(labels) or len(before) > 1:
        return None
    if pattern is _FROM_EVENT:
        signs = {text[0] for text in texts}  # "A-1" has a hyphen, unless "A0" is another
        is_signed = "+" in signs or {"-", "0"} <= signs
        return Reading("stage_number", ranks, True, "times of an event") if is_signed else None
    is_parted = before <= _VERSIONED or max(map(len, ranks.values())) > _FEWEST_SIZES
    if not is_parted and len(set(map(float, texts))) == len(texts):
        return None
    return Reading("prefix_number", ranks, True, "numbers and their parts")


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


def _of_pairs(texts: Sequence[str]) -> list[tuple[int, ...] | None]:
    pattern = next((p for p in _PAIRS if p.fullmatch(texts[0])), _PAIRS[0])
    return [m and (int(m[1]), int(m[2])) for m in map(pattern.fullmatch, texts)]


def _of_inches(texts: Sequence[str]) -> list[float | None]:
    matches = [_INCHES.fullmatch(text) for text in texts]
    stated = [match for match in matches if match and match["unit"]]
    fractions = [match for match in matches if match and match["over"]]
    if not fractions or 2 * len(stated) < len(texts):
        return []
    return [
        m and int(m["whole"] or 0) + int(m["over"] or 0) / int(m["under"] or 1) for m in matches
    ]
