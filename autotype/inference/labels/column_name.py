"""Read the name of a column: weak evidence of its type."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache

from autotype.inference.labels.toml_files import read_toml

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PLURAL = re.compile(r"(?<=[a-z]{3})s$")


def read_name(name: Hashable) -> float:
    """Estimate which kind of column a name suggests.

    Parameters
    ----------
    name : hashable
        The column's name; of a tuple (MultiIndex) the last part counts.

    Returns
    -------
    float
        In [-1, 1]: the share of known words that are usually ordinal less the share that are
        usually categorical. The last known word counts double, as in "job satisfaction".

    Examples
    --------
    >>> read_name("pain_severity"), read_name("BloodType"), read_name("x1")
    (1.0, -1.0, 0.0)
    """
    if isinstance(name, tuple):
        name = name[-1] if name else ""
    words = [word.lower() for word in _WORD.findall(str(name))]
    votes = [vote for vote in map(_vote, words) if vote]
    if not votes:
        return 0.0
    return (sum(votes) + votes[-1]) / (len(votes) + 1)


def _vote(word: str) -> int:
    known = _known_words()
    return known.get(word) or known.get(_PLURAL.sub("", word), 0)


@cache
def _known_words() -> dict[str, int]:
    """Known words with their sign."""
    lists = read_toml("column_names")
    votes = dict.fromkeys(lists["ordinal"]["words"], 1)
    return votes | dict.fromkeys(lists["nominal"]["words"], -1)
