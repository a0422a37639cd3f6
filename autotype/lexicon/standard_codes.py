"""Codes of countries, languages and currencies, and the words of names that tell numbers apart."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise

from autotype.lexicon.tokens import is_unspaced, without_accents
from autotype.lexicon.toml_files import read_toml

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d?|[^\W\d_A-Za-z]+")


@cache
def codes_of(kind: str) -> frozenset[str]:
    """Return the codes of a standard: "countries", "languages" or "currencies".

    Examples
    --------
    >>> codes_of("countries") >= {"DE", "DEU"}, "xx" in codes_of("languages")
    (True, False)
    """
    return frozenset(read_toml("formats")["lists"][kind].split())


@lru_cache(maxsize=4096)
def named_as(name: str) -> frozenset[str]:
    """Return what the words of a name say of the numbers of a column.

    Examples
    --------
    >>> sorted(named_as("Geo_Latitude")), sorted(named_as("codigoPostal"))
    (['latitude'], ['postcode'])
    >>> named_as("plattform")
    frozenset()
    """
    words = [without_accents(word).casefold() for word in _WORD.findall(name)]
    held = {*words, *map("".join, pairwise(words))}
    plain = name.casefold()
    return frozenset(
        kind
        for kind, known, unspaced in _names()
        if not held.isdisjoint(known) or any(part in plain for part in unspaced)
    )


@cache
def _names() -> tuple[tuple[str, frozenset[str], tuple[str, ...]], ...]:
    names = {kind: words.split() for kind, words in read_toml("formats")["names"].items()}
    return tuple(
        (kind, frozenset(words), tuple(word for word in words if is_unspaced(word)))
        for kind, words in names.items()
    )
