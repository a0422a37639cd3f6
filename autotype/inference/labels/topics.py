"""What the name of a column says that its levels are: belts, alerts, stages, or first names.

Colours are names unless the column is one of belts, and "Siempre" is a frequency unless the column
lists songs. So some scales count only where the name of the column, or a word that all of its
levels share, holds a word for them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache, lru_cache

from autotype.inference.labels.column_name import text_of, written_out
from autotype.lexicon.tokens import is_unspaced, plain_words, runs, typed_forms
from autotype.lexicon.toml_files import read_toml, stored

TITLES = "names of persons and works"  # a topic of its own
NAMES_THINGS = "names of things"  # one as well
_LONGEST_NAME = 4  # words of a name of persons or works
_MOST_WORDS = 8  # of a name that are looked up: a longer one is a question
_LONGEST_PHRASE = 3
_COMPOUND = 5  # letters of a word that another one may end with: "warnstufe"
_LONGEST_UNSPACED = 20  # letters of a phrase within a word of a script without blanks


@lru_cache(maxsize=4096)
def topics_of(name: Hashable) -> frozenset[str]:
    """Return the topics that the name of a column holds a word for.

    Parameters
    ----------
    name : hashable
        The column's name; of a tuple (MultiIndex) the last part counts.

    Examples
    --------
    >>> sorted(topics_of("karate_belt")), sorted(topics_of("first name")), topics_of("x1")
    (['belt'], ['names of persons and works'], frozenset())
    """
    words = plain_words(text_of(name))[:_MOST_WORDS]
    known, full = _phrases(), written_out(words)
    phrases = [phrase for own in {words, full} for *_, phrase in runs(own, _LONGEST_PHRASE, " ")]
    found = {topic for phrase in phrases for topic in known.get(phrase, ())}
    for word in words:
        # "drainagecl": what the class, code or group is of
        tails = [word.removesuffix(tail) for tail in _tails() if word.endswith(tail)]
        ends = [word[k:] for k in range(len(word) - _COMPOUND + 1)]
        ends += [part for part in tails if len(part) >= _COMPOUND]
        within = [] if word.isascii() else [part for *_, part in runs(word, _LONGEST_UNSPACED)]
        for part in (*ends, *filter(is_unspaced, within)):
            found.update(known.get(part, ()))
    if len(words) <= _LONGEST_NAME and (_is_title(words) or _is_title(full)):
        found.add(TITLES)
    # The last word of a name is its noun: "temperature_sensor" is no degree.
    nouns = {*(full if not found else full[-1:]), *(phrase for phrase in phrases if " " in phrase)}
    if not nouns.isdisjoint(read_toml("numbers")["stages"]["naming"]):
        found.add(NAMES_THINGS)
    return frozenset(found)


def _is_title(words: tuple[str, ...]) -> bool:
    """Check whether all words of a name say that it is one of persons or works."""
    titles, fillers = _titles()
    rest = [word for word in words if word not in fillers]
    whole = " ".join(words)
    return whole in titles or (bool(rest) and (" ".join(rest) in titles or titles.issuperset(rest)))


@cache
def _titles() -> tuple[frozenset[str], frozenset[str]]:
    table = read_toml("topics")
    return frozenset(map(_folded, typed_forms(table["titles"]))), frozenset(
        map(_folded, table["fillers"])
    )


@cache
def _tails() -> tuple[str, ...]:
    return tuple(map(_folded, read_toml("register_names")["weak"]["nouns"]))


@stored
def _phrases() -> Mapping[str, Sequence[str]]:
    """Return phrase -> the topics that it is a word for; plurals in "s" included."""
    found: dict[str, list[str]] = {}
    for topic, phrases in read_toml("topics")["topics"].items():
        for phrase in map(_folded, typed_forms((topic, *phrases))):
            found.setdefault(phrase, []).append(topic)
            found.setdefault(f"{phrase}s", []).append(topic)
    return found


def _folded(phrase: str) -> str:
    return " ".join(plain_words(phrase))
