"""Rules for sizes of clothes and pipes, which state two numbers or fractions of inches."""

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
    r"(?:(?P<whole>\d{1,2})(?:[\s-]+(?=\d+/))?)?(?:(?P<over>\d{1,2})/(?P<under>2|4|8|16|32|64))?"
    r"\s?(?P<unit>\"|\'\'|[”″]|in\b\.?|inch(?:es)?)?",
    re.I,
)
_FEWEST_SIZES = 2


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
        match
        and int(match["whole"] or 0)
        + (int(match["over"]) / int(match["under"]) if match["over"] else 0)
        for match in matches
    ]
