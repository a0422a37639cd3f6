"""Read the name of a column: whether it suggests a scale, names or a count."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache

from autotype.inference.labels.tokens import without_accents
from autotype.inference.labels.wording.text_model import shipped_text_models
from autotype.inference.labels.toml_files import read_toml

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_PLURAL = re.compile(r"(?<=[a-z]{3})s$")
_QUESTION_FROM = 6  # words; a name as long as that is a question, whose nouns are its topic


def read_name(name: Hashable) -> float:
    """Compute which kind of column a name suggests.

    Parameters
    ----------
    name : hashable
        The column's name; of a tuple (MultiIndex) the last part counts.

    Returns
    -------
    float
        In [-1, 1]: the share of known words that are usually ordinal less the share that are
        usually categorical. The last known word counts double, as in "job satisfaction". Of a
        question only the words that ask count: "how often", "which".

    Examples
    --------
    >>> read_name("pain_severity"), read_name("BloodType"), read_name("x1")
    (1.0, -1.0, 0.0)
    >>> read_name("How often do you drive to your place of work?")
    1.0
    """
    words = [word.lower() for word in _WORD.findall(_text(name))]
    known = _question_words() if len(words) >= _QUESTION_FROM else _known_words()
    votes = [vote for word in words if (vote := _vote(word, known))]
    if not votes:
        return 0.0
    return (sum(votes) + votes[-1]) / (len(votes) + 1)


def score_name(name: Hashable) -> float:
    """Return the learned log odds that a column of this name is ordinal; 0 without a word."""
    _, model = shipped_text_models()
    return model.log_odds(plain_name(name))


def plain_name(name: Hashable) -> str:
    """Return the words of a name, those in camel case and under scores apart.

    Examples
    --------
    >>> plain_name("jobSatisfaction_2")
    'job Satisfaction'
    """
    return " ".join(_WORD.findall(_text(name)))


def names_a_count(name: Hashable) -> bool:
    """Check whether a name says that a column counts things or measures a time.

    Parameters
    ----------
    name : hashable
        The column's name; of a tuple (MultiIndex) the last part counts.

    Examples
    --------
    >>> names_a_count("Number of Policies"), names_a_count("juv_fel_count")
    (True, True)
    >>> names_a_count("Anzahl Kinder"), names_a_count("phone number")
    (True, False)
    """
    words = without_accents(plain_name(name)).casefold()
    return _count_pattern().search(words) is not None


def _text(name: Hashable) -> str:
    if isinstance(name, tuple):
        name = name[-1] if name else ""
    return str(name)


def _vote(word: str, known: dict[str, int]) -> int:
    return known.get(word) or known.get(_PLURAL.sub("", word), 0)


@cache
def _known_words() -> dict[str, int]:
    """Known words with their sign."""
    lists = read_toml("column_names")
    votes = dict.fromkeys(lists["ordinal"]["words"], 1)
    return votes | dict.fromkeys(lists["nominal"]["words"], -1)


@cache
def _question_words() -> dict[str, int]:
    """Words with which questions ask for a degree or for a name."""
    lists = read_toml("column_names")["question"]
    return dict.fromkeys(lists["degree"], 1) | dict.fromkeys(lists["name"], -1)


@cache
def _count_pattern() -> re.Pattern[str]:
    phrases = [
        without_accents(phrase).casefold()
        for words in read_toml("column_names")["count"].values()
        for phrase in words
    ]
    latin = [re.escape(p) for p in phrases if ord(p[0]) < 0x2E80]
    # Scripts without blanks: the phrase may be a part of the name.
    unspaced = [re.escape(p) for p in phrases if ord(p[0]) >= 0x2E80]
    return re.compile(rf"(?<!\w)(?:{'|'.join(latin)})(?!\w)|{'|'.join(unspaced)}")
