"""Rules for labels that are numbers, or numbers of which some carry words."""

from __future__ import annotations

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
    is_rating = 2 <= end <= _LARGEST_RATING
    return is_rating and numbers | {0} == set(range(-int(end), int(end) + 1))


def read_anchored_numbers(labels: Sequence[Label], words: Language, *_: object) -> Reading | None:
    """Order numbers of which some carry words ("1 - poor", "2", "3", "4 - excellent").

    None where the words of one of them have no place on a scale: "9 = refused".
    """
    plain = sum(label.number is not None for label in labels)
    if plain == len(labels) or 2 * plain < len(labels) - 1 or len(labels) < 3:
        return None
    ranks = all_distinct([label.lead if label.number is None else label.number for label in labels])
    if ranks is None or any(lab.number is None and is_off_scale(lab, words) for lab in labels):
        return None
    return Reading("scale", ranks, True, "numbers of which some carry words")
