"""Rules for labels that are numbers, or numbers of which some carry words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autotype.inference.labels.off_scale import is_off_scale
from autotype.inference.labels.reading import Reading, all_distinct
from autotype.inference.labels.topics import NAMES_THINGS
from autotype.lexicon.languages import Language
from autotype.lexicon.tokens import Label

_LARGEST_RATING = 5  # of a scale from disagreement to agreement, in steps from its middle
_GRADED = "graded number"  # a topic: integers by a standard, as of Apgar or ASA
_LARGEST_GRADE = 21
_POINTS = {0, 0.5, 1, 2, 3, 5, 8, 13, 20, 21, 34, 40, 55, 89, 100}  # of work, in agile planning
_FEWEST_POINTS = {3, 5, 8, 13}
_PARTED = re.compile(r"(?P<before>[^\W\d_]*)[\s.-]?(?P<number>\d{1,4}(?:\.\d{1,4})+)")
_FROM_EVENT = re.compile(r"(?P<before>[^\W\d_]+)\s?(?P<number>[+-]?\d{1,4})")
_VERSIONED = {"v", "ver", "version", "rev", "rel", "release", "sec", "section"}


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


def read_parts(labels: Sequence[Label], *_: object) -> Reading | None:
    """Order versions by their parts, "1.9" before "1.10", and days around one: "D-7", "D+1"."""
    pattern = _PARTED if "." in labels[0].text else _FROM_EVENT
    matches = [pattern.fullmatch(label.text) for label in labels]
    before = {match["before"].casefold() for match in matches if match}
    if not all(matches) or len(before) > 1:
        return None
    texts = [match["number"] for match in matches if match]
    if pattern is _FROM_EVENT:
        ranks = all_distinct(list(map(int, texts)))
        signs = {text[0] for text in texts}  # "A-1" has a hyphen, unless "A0" is another
        is_signed = "+" in signs or {"-", "0"} <= signs
        return (
            Reading("stage_number", ranks, True, "times around an event")
            if ranks and is_signed
            else None
        )
    ranks = all_distinct([tuple(map(int, text.split("."))) for text in texts])
    is_decimal = max(text.count(".") for text in texts) == 1 and before.isdisjoint(_VERSIONED)
    if ranks is None or (is_decimal and len(set(map(float, texts))) == len(texts)):
        return None
    return Reading("prefix_number", ranks, True, "numbers and their parts")


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
