"""The vocabulary: scales, names and modifiers read from the TOML files beside this module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from autotype.inference.labels.tokens import key_of
from autotype.inference.labels.toml_files import read_toml, toml_stems


@dataclass(frozen=True)
class Scale:
    """One scale of the vocabulary.

    Attributes
    ----------
    name, language : str
        What the scale measures, and the language of its words.
    ranks : dict
        Key of a word -> its rank, 0 = lowest.
    n_ranks : int
        Number of ranks.
    direction : bool
        Whether low and high ends are known.
    weak : bool
        Whether the same words are often mere names.
    needs : frozenset of str
        A column must hold one of these keys; empty: no such condition.
    minimum : int
        So many levels must be placed.
    general : bool
        Whether its words grade anything; then it goes before scales of special things.
    cyclic : bool
        Whether the last rank comes before the first again.
    leading : frozenset of str
        Keys of the first word of each rank; they tell between scales that share words.
    """

    name: str
    language: str
    ranks: dict[str, int]
    n_ranks: int
    direction: bool = True
    weak: bool = False
    needs: frozenset[str] = frozenset()
    minimum: int = 2
    general: bool = False
    cyclic: bool = False
    leading: frozenset[str] = frozenset()


@dataclass(frozen=True)
class NameList:
    """Words that are names of things and have no order.

    Attributes
    ----------
    name : str
        What the words name.
    keys : frozenset of str
        Their keys; for a list of codes the codes themselves.
    codes : bool
        Codes count only in the given capitals, and only where nearly all levels are such codes.
    needs : frozenset of str
        As for `Scale`.
    most : int
        The list speaks only of columns with so many levels at most.
    """

    name: str
    keys: frozenset[str]
    codes: bool = False
    needs: frozenset[str] = frozenset()
    most: int = 10**9


def _files(prefix: str) -> Iterator[dict[str, Any]]:
    return map(read_toml, toml_stems(prefix))


@cache
def scales() -> tuple[Scale, ...]:
    """Give the scales of all ``scales_*.toml`` files and of ``calendar.toml``."""
    entries = [(e, False) for table in _files("scales_") for e in table["scale"]]
    entries += [(e, True) for e in read_toml("calendar")["scale"]]
    return tuple(_scale(entry, cyclic) for entry, cyclic in entries)


def _scale(entry: dict[str, Any], cyclic: bool) -> Scale:
    ranks: dict[str, int] = {}
    for rank, synonyms in enumerate(entry["ranks"]):
        for word in synonyms:
            if ranks.setdefault(key_of(word), rank) != rank:
                raise ValueError(
                    f"scale {entry['name']!r} holds {word!r} at ranks {ranks[key_of(word)]} and "
                    f"{rank}; a word has one rank, so remove it from one of them"
                )
    return Scale(
        name=entry["name"],
        language=entry["language"],
        ranks=ranks,
        n_ranks=len(entry["ranks"]),
        direction=entry.get("direction", True) and not cyclic,
        weak=entry.get("weak", False),
        needs=frozenset(map(key_of, entry.get("needs", ()))),
        minimum=entry.get("minimum", 2),
        general=entry.get("general", False),
        cyclic=cyclic,
        leading=frozenset(key_of(synonyms[0]) for synonyms in entry["ranks"]),
    )


@cache
def scale_index() -> dict[str, tuple[int, ...]]:
    """Give, for each key, the positions in `scales` of the scales that hold it."""
    index: dict[str, list[int]] = {}
    for position, scale in enumerate(scales()):
        for key in scale.ranks:
            index.setdefault(key, []).append(position)
    return {key: tuple(positions) for key, positions in index.items()}


@cache
def name_lists() -> tuple[NameList, ...]:
    """Give the lists of names of all ``names_*.toml`` files."""
    return tuple(
        NameList(
            name=entry["name"],
            keys=frozenset(entry["words"] if entry.get("codes") else map(key_of, entry["words"])),
            codes=entry.get("codes", False),
            needs=frozenset(map(key_of, entry.get("needs", ()))),
            most=entry.get("most", 10**9),
        )
        for table in _files("names_")
        for entry in table["names"]
    )


@cache
def off_scale_keys() -> frozenset[str]:
    """Give the keys of words that have no place on a scale ("don't know")."""
    return frozenset(key_of(w) for w in read_toml("off_scale")["words"])


def is_off_scale(words: tuple[str, ...]) -> bool:
    """Tell whether the words of a label have no place on a scale ("don't know").

    Examples
    --------
    >>> is_off_scale(("dont", "know", "not", "relevant", "to", "me"))
    True
    >>> is_off_scale(("dont", "agree"))
    False
    """
    starts = _off_scale_starts()
    beginnings = {"".join(words[: n + 1]) for n in range(min(len(words), 5))}
    return "".join(words) in off_scale_keys() or not starts.isdisjoint(beginnings)


@cache
def _off_scale_starts() -> frozenset[str]:
    return frozenset(key_of(w) for w in read_toml("off_scale")["starts"])


@cache
def end_places() -> dict[str, float]:
    """Give the keys of words that stand below or above all numbers beside them, and their place.

    Places lie beyond +-1e30, as far apart.
    """
    table = read_toml("off_scale")
    lowest, highest = table["lowest"], table["highest"]
    return {key_of(word): -1e30 * (len(lowest) - k) for k, word in enumerate(lowest)} | {
        key_of(word): 1e30 * (k + 1) for k, word in enumerate(highest)
    }


@cache
def zero_keys() -> frozenset[str]:
    """Give the keys of words that mean zero beside numbers ("none")."""
    return frozenset(key_of(w) for w in read_toml("off_scale")["zero"])
