"""Scales and lists of names, built from the tables of a vocabulary file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

_Stored = TypeVar("_Stored")


@dataclass(frozen=True)
class Scale:
    """One scale of the vocabulary.

    Attributes
    ----------
    name : str
        What the scale measures.
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
        Keys of the first word of each rank; they distinguish scales that share words.
    named : frozenset of str
        It counts only for columns of one of these topics; empty: for any.
    alone : int
        It counts for any column that holds so many levels, all of them of this scale; 0: for none.
    off_scale : frozenset of str
        Keys of levels beside the scale by its standard: "NR" of a rating, "GX" of a grade.
    """

    name: str
    ranks: dict[str, int]
    n_ranks: int
    direction: bool = True
    weak: bool = False
    needs: frozenset[str] = frozenset()
    minimum: int = 2
    general: bool = False
    cyclic: bool = False
    leading: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    alone: int = 0
    off_scale: frozenset[str] = frozenset()


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
        The list counts only in columns with so many levels at most.
    """

    name: str
    keys: frozenset[str]
    codes: bool = False
    needs: frozenset[str] = frozenset()
    most: int = 10**9


def build_scale(entry: dict[str, Any], cyclic: bool, key_of: Callable[[str], str]) -> Scale:
    """Build a scale from its table.

    Parameters
    ----------
    entry : dict
        A ``[[scale]]`` table.
    cyclic : bool
        Whether the last rank comes before the first again.
    key_of : callable
        The function that turns a phrase into its key.

    Raises
    ------
    ValueError
        If a word has two ranks.
    """
    ranks: dict[str, int] = {}
    for rank, synonyms in enumerate(entry["ranks"]):
        for word in synonyms:
            key = key_of(word)
            if ranks.setdefault(key, rank) != rank:
                raise ValueError(
                    f"scale {entry['name']!r} holds {word!r} at ranks {ranks[key]} and "
                    f"{rank}; a word has one rank, so remove it from one of them"
                )
    if entry["ranks"][0] and "none" in entry["ranks"][0]:
        for word in ("nil", "absent"):
            ranks.setdefault(key_of(word), 0)
    return Scale(
        name=entry["name"],
        ranks=ranks,
        n_ranks=len(entry["ranks"]),
        direction=entry.get("direction", True) and not cyclic,
        needs=frozenset(map(key_of, entry.get("needs", ()))),
        cyclic=cyclic,
        leading=frozenset(key_of(synonyms[0]) for synonyms in entry["ranks"] if synonyms),
        named=frozenset(entry.get("named", ())),
        off_scale=frozenset(map(key_of, entry.get("off_scale", ()))),
        **{key: entry[key] for key in ("weak", "minimum", "general", "alone") if key in entry},
    )


class StoredScales(Sequence[Scale]):
    """Scales of which a build has stored each as a line, parsed when it is first asked for."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._scales: list[str | Scale] = list(lines)

    def __getitem__(self, position: Any) -> Any:
        scale = self._scales[position]
        if isinstance(scale, str):
            scale = self._scales[position] = parsed(Scale, scale)
        return scale

    def __len__(self) -> int:
        return len(self._scales)


def parsed(kind: type[_Stored], line: str) -> _Stored:
    """Return a scale, or a list of names, that a build has stored; its sets as lists."""
    entry = json.loads(line)
    sets = {key: frozenset(value) for key, value in entry.items() if isinstance(value, list)}
    return kind(**entry | sets)


def build_name_list(entry: dict[str, Any], key_of: Callable[[str], str]) -> NameList:
    """Build a list of names from its ``[[names]]`` table."""
    return NameList(
        name=entry["name"],
        keys=frozenset(entry["words"] if entry.get("codes") else map(key_of, entry["words"])),
        needs=frozenset(map(key_of, entry.get("needs", ()))),
        **{key: entry[key] for key in ("codes", "most") if key in entry},
    )
