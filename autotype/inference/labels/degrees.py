"""Labels built from a gradable word and modifiers: "very good", "not at all satisfied"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from autotype.inference.labels.scales import strip_common, strip_shared
from autotype.inference.labels.tokens import Label, Reading, key_of, split_words
from autotype.inference.labels.toml_files import read_toml

_ANSWER = re.compile(r"(?:yes|no)\s*[,;:]\s*(?=\w)", re.I)
_MAX_PHRASE = 4  # words in the longest core or modifier
_BARE = 3.0  # where "satisfied" stands between "somewhat" (2) and "very" (4)


@dataclass(frozen=True)
class Core:
    """A word that can be graded, or one that stands at a fixed place of its family.

    Attributes
    ----------
    family : str
        Words of one family are compared with each other.
    sign : int
        +1 at the high end, -1 at the low end, 0 for a word with a fixed place.
    place : float
        Place of the bare word, about -6 to 6.
    """

    family: str
    sign: int
    place: float


def read_composition(labels: Sequence[Label]) -> Reading | None:
    """Rank labels by polarity of the core times intensity of its modifiers.

    Returns
    -------
    Reading or None
        Ranks of all labels but at most one; None where no family of words covers as many.
    """
    if len(labels) < 2:
        return None
    bodies = [_without_answer(label) for label in labels]
    best = _rank(bodies)
    for stripped in (strip_shared(bodies), strip_common(bodies)):
        if stripped != bodies and (best is None or len(best.ranks) < len(labels)):
            other = _rank(stripped)
            if other is not None and (best is None or len(other.ranks) > len(best.ranks)):
                best = other
    return best


def _without_answer(label: Label) -> tuple[str, ...]:
    """Give the words of a label without the "Yes, " or "No, " before them."""
    match = _ANSWER.match(label.text)
    return split_words(label.text[match.end() :]) if match else label.body


def _rank(bodies: Sequence[tuple[str, ...]]) -> Reading | None:
    places = [_places(body) for body in bodies]
    best: tuple[int, str, dict[int, float]] | None = None
    for family in sorted({family for found in places for family in found}):
        ranks: dict[int, float] = {}
        for i, found in enumerate(places):
            if family in found and found[family] not in ranks.values():
                ranks[i] = found[family]
        n, n_all = len(ranks), len(bodies)
        enough = n >= 2 and n >= n_all - 1 and 3 * n >= 2 * n_all
        if enough and (best is None or n > best[0]):
            best = (n, family, ranks)
    if best is None:
        return None
    return Reading("composition", best[2], True, f'degrees of "{best[1]}"')


def _places(body: tuple[str, ...]) -> dict[str, float]:
    """Give the place of a label in each family of words that it may belong to."""
    cores, _ = _vocabulary()
    found: dict[str, float] = {}
    if len(body) > 9:
        return found
    for core in cores.get("".join(body), ()):
        found.setdefault(core.family, core.place)
    for family in _balanced(body):
        found.setdefault(family, 0.0)
    for size in range(min(len(body), _MAX_PHRASE), 0, -1):
        for start in range(len(body) - size + 1):
            for core in cores.get("".join(body[start : start + size]), ()):
                rest = body[:start] + body[start + size :]
                place = _modified(core, rest)
                if place is not None:
                    found.setdefault(core.family, place)  # the longest core comes first
    return found


def _balanced(body: tuple[str, ...]) -> set[str]:
    """Give the families between whose two ends a label stands: "neither good nor bad"."""
    if body[:1] != ("neither",) or "nor" not in body:
        return set()
    cores, _ = _vocabulary()
    at = body.index("nor")
    first, second = (
        {(c.family, c.sign) for c in cores.get("".join(part), ())}
        for part in (body[1:at], body[at + 1 :])
    )
    return {family for family, sign in first if sign and (family, -sign) in second}


def _modified(core: Core, rest: tuple[str, ...]) -> float | None:
    if not rest:
        return core.place
    modifiers = _split(rest)
    if modifiers is None:
        return None
    place = core.place
    intensity: float | None = None
    for modifier in modifiers:
        if "shift" in modifier:
            place += modifier["shift"]
        elif "shrink" in modifier:
            place *= modifier["shrink"]
        elif intensity is not None:
            return None  # two degrees at once: not a label of this kind
        else:
            intensity = modifier["degree"]
    if intensity is None:
        return place
    if core.sign == 0:
        return None
    # A degree replaces the bare word's own: very = 4 where bare = 3.
    return place + core.sign * (intensity - _BARE)


def _split(rest: tuple[str, ...]) -> list[dict[str, float]] | None:
    """Split words into modifiers; None where a word is none."""
    _, modifiers = _vocabulary()
    found = []
    start = 0
    while start < len(rest):
        for size in range(min(_MAX_PHRASE, len(rest) - start), 0, -1):
            modifier = modifiers.get("".join(rest[start : start + size]))
            if modifier is not None:
                if modifier:
                    found.append(modifier)
                start += size
                break
        else:
            return None
    return found


@cache
def _vocabulary() -> tuple[dict[str, list[Core]], dict[str, dict[str, float]]]:
    table = read_toml("composition")
    cores: dict[str, list[Core]] = {}
    for name, family in table["family"].items():
        for sign, entry in ((1, "high"), (-1, "low")):
            for word in family.get(entry, ()):
                cores.setdefault(key_of(word), []).append(Core(name, sign, sign * _BARE))
        for place, words in family.get("fixed", {}).items():
            for word in words:
                cores.setdefault(key_of(word), []).append(Core(name, 0, float(place)))
    for word in table["gradable"]:
        cores.setdefault(key_of(word), []).append(Core(word, 1, _BARE))
    modifiers: dict[str, dict[str, float]] = {key_of(w): {} for w in table["fillers"]}
    for kind in ("degree", "shift", "shrink"):
        for value, words in table[kind].items():
            for word in words:
                modifiers[key_of(word)] = {kind: float(value)}
    return cores, modifiers
