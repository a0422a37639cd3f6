"""Recognise the survey platform that wrote a table by the columns that it adds to the answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from autotype.lexicon.toml_files import read_toml

_SURE, _USUAL = 2, 1  # points of a column
_ENOUGH = 3
_FEWEST_QUESTIONS = 2
_WORDS_OF_QUESTION = 4
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u2e80-\ud7ff]{8}")  # scripts without blanks between words
_NO_LETTERS = re.compile(r"[\W_]+")


def find_platform(names: Sequence[str], labels: Iterable[str] = ()) -> str:
    """Return the survey platform whose export has these columns; empty if there is none.

    Parameters
    ----------
    names : sequence of str
        The column names.
    labels : iterable of str
        The texts of other header lines, which some platforms write in place of the names.

    Examples
    --------
    >>> find_platform(["StartDate", "EndDate", "ResponseId", "Q1"])
    'Qualtrics'
    >>> find_platform(["Timestamp", "How old are you?", "Where do you live?"])
    'Google Forms'
    >>> find_platform(["id", "status", "price"])
    ''
    """
    listed = read_toml("platforms")
    folded = [_fold(name) for name in names]
    texts = [*names, *labels]
    held = set(map(_fold, texts))
    scores = {}
    for platform, words in listed.items():
        patterns = [re.compile(pattern) for pattern in words.get("patterns", ())]
        n_matched = sum(any(p.fullmatch(text.strip()) for text in texts) for p in patterns)
        n_sure = len(held.intersection(words.get("sure", ()))) + n_matched
        n_usual = len(held.intersection(words.get("usual", ())))
        scores[platform] = (_SURE * n_sure + _USUAL * n_usual) if n_sure else n_usual / 2
        if folded and folded[0] in words.get("first", ()) and _are_questions(folded[1:]):
            scores[platform] = _ENOUGH
    best = max(scores, key=lambda platform: scores[platform])
    return best if scores[best] >= _ENOUGH else ""


def _fold(name: str) -> str:
    return _NO_LETTERS.sub(" ", name).strip().casefold()


def _are_questions(folded: Sequence[str]) -> bool:
    """Check whether many names are questions or statements of several words.

    Columns that were computed from the answers have short names.
    """
    n_questions = sum(
        len(name.split()) >= _WORDS_OF_QUESTION or bool(_UNSPACED.search(name)) for name in folded
    )
    return n_questions >= max(_FEWEST_QUESTIONS, len(folded) / 4)
