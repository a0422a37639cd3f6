"""Place one label in the families of words of a language: "not at all satisfied" = -4."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain, product
from types import MappingProxyType

import numpy as np

from autotype.lexicon.languages import Language, Words
from autotype.lexicon.tokens import plain_words, runs
from autotype.lexicon.toml_files import read_toml

_SIGNS = {"high": 1, "low": -1}  # of the ends of a family
BARE = 3.0  # where "satisfied" stands between "somewhat" (2) and "very" (4)
ANSWER_FAMILY = "permission"  # yes and no
ANSWER_FAMILIES = (ANSWER_FAMILY, "likelihood")  # "probably not, maybe, absolutely"
FREQUENCY = "frequency"  # how often
CHANGES = ("change", "comparison")
DEGREES = "degrees"  # no family
POSITION = "position"  # below and above something: "well above expectations"
_WITH_REFERENCES = ("comparison", POSITION)  # "average" is no degree of "below average"

NEGATION = -2.5
NOT_AT_ALL = -4.0
_COMPLETELY = 5.5
_RATHER = 1.0  # "more satisfied than dissatisfied"
# Degrees from the first number on become the second if negated: not completely, not very, not
# somewhat, not a bit.
_NEGATED_DEGREES = ((5.0, -0.5), (3.5, -1.5), (2.0, -1.9), (-math.inf, -4.0))
# Families of adjectives that grade a noun of another one ("great difficulty", "low risk"), and the
# degrees of their low and high words.
_OF_NOUNS = ("size", "level", "amount", "strength", "severity")
_ADJECTIVES = (*_OF_NOUNS, "priority")
_GRADING = {-1: 0.7, 0: 2.0, 1: 4.0}
_MOST_PLACED = 8192  # labels whose places are kept
_NEAR_THE_END = 5.0  # places of "always" and "certainly"
_SHORTEST_AFFIXED = 3  # letters that an affix leaves of a gradable word
_LONGEST_LABEL = 14  # words; of languages without blanks, three times as many characters
_REFLEXIVES = frozenset({"se", "sa", "sie", "се"})
# The middle of any scale with two ends: the middles of these families, and nothing more special.
_MIDDLES = ("satisfaction", "agreement")
# "several times a month" lies between two and three
RATE_COUNTS = {"once": 1.0, "twice": 2.0, "several": 2.5}
# Places of relative frequencies on the axis from never (-6) to always (6), by times a year.
_RATE_PLACES = ((0.4, -4.6), (1, -4.0), (4, -2.0), (12, -1.0), (26, 0.5), (52, 1.0), (130, 2.0),
                (300, 4.2), (365, 4.5), (2000, 5.5))  # fmt: skip
_RATE_AXIS = np.array([(math.log(times), place) for times, place in _RATE_PLACES]).T


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


@dataclass(frozen=True)
class Modifier:
    """A word that grades, shifts or shrinks a place, or that means nothing (a filler)."""

    kind: str
    value: float = 0.0


_NOT = Modifier("degree", NEGATION)


@dataclass(frozen=True)
class Placed:
    """Where one label may stand.

    Attributes
    ----------
    places : mapping
        Family -> place, of the families whose words the label holds.
    signs : mapping
        Family -> sign of the core that was found there.
    degree : float or None
        The degree of a label that consists of a degree alone ("very much").
    neutral : bool
        Whether the label is a middle of any scale ("neutral", "neither nor").
    concords : mapping
        Family -> place of a label that negates a word of the low end, read as one negation: many
        languages say "not at all not-important".
    """

    places: Mapping[str, float] = field(default_factory=dict)
    signs: Mapping[str, int] = field(default_factory=dict)
    degree: float | None = None
    neutral: bool = False
    concords: Mapping[str, float] = field(default_factory=dict)


@cache
def grammar(language: Language) -> Grammar:
    """Return the grammar of a language, built once."""
    return Grammar(language)


class Grammar:
    """The cores and modifiers of one language, and how they compose.

    Parameters
    ----------
    language : Language
        The language.
    """

    def __init__(self, language: Language):
        language.load()
        self.language = language
        self.cores: dict[str, list[Core]] = {}
        self.separable: dict[str, list[tuple[Words, Core]]] = {}
        self.modifiers: dict[str, Modifier] = {}
        self.adjectives: dict[str, Modifier] = {}
        self.middles: set[str] = set()
        self.longest = 1
        for name, end, phrases in language.family_phrases():
            sign = _SIGNS.get(end, 0)
            core = Core(name, sign, sign * BARE if sign else float(end))
            self._add_cores(phrases, core)
            if name in _OF_NOUNS and (sign or core.place == 0.0):
                degree = Modifier("degree", _GRADING[sign])
                self.adjectives |= dict.fromkeys(map(language.key_of, phrases), degree)
            if core.place == 0.0 and name in _MIDDLES:
                self.middles.update(map(language.key_of, phrases))
        for word in language.table.get("gradable", ()):
            self._add_cores([word], Core(word, 1, BARE))
        self._add_rates()
        self._add_cores(language.phrases("ends", "zero"), Core("amount", 0, -6.0))
        self._add_cores(language.phrases("bounds", "more"), Core(POSITION, 1, BARE))
        self._add_cores(language.phrases("bounds", "less"), Core(POSITION, -1, -BARE))
        self.references = {
            key: Modifier("filler") if adjective.value == _GRADING[0] else adjective
            for key, adjective in self.adjectives.items()
        }
        self._add_modifiers()
        self.prefixes = tuple(map(language.key_of, language.phrases("negation", "prefixes")))
        self.affixes = [
            (language.key_of(affix) if affix[0] == "-" else "".join(plain_words(affix)),
             affix[0] == "-", float(degree))
            for degree, affixes in language.table.get("affixes", {}).items()
            for affix in affixes
        ]  # fmt: skip
        self.neither, self.nor, self.either, self.than, self.only = (
            sorted({*map(language.split, language.phrases("balance", key))}, key=_length)[::-1]
            for key in ("neither", "nor", "or", "than", "only")
        )
        self.bounds = frozenset(
            language.split(p) for k in ("less", "more") for p in language.phrases("bounds", k)
        )
        self.comparatives = {language.split(p)[0] for p in language.phrases("bounds", "more")}
        self._add_emphases()
        self._refine_degrees()

    def _add_cores(self, phrases: Iterable[str], core: Core) -> None:
        split = [self.language.split(phrase) for phrase in phrases]
        # The pronoun of a reflexive verb may stand before it: "zhoršil se", "výrazně se zhoršil".
        verbs = [tuple(word for word in words if word not in _REFLEXIVES) for words in split]
        for words in (*split, *(verb for verb in verbs if len(verb) == 1)):
            key = "".join(words)
            own = self.cores.setdefault(key, [])
            if all(core.family != other.family for other in own):
                own.append(core)
            self.longest = max(self.longest, len(words))
            if len(words) > 1 and not self.language.by_characters:
                self.separable.setdefault(words[0], []).append((words, core))

    def _add_rates(self) -> None:
        """Add relative frequencies: "daily", and those of "once", "per" and a period."""
        phrases, split = self.language.phrases, self.language.split
        for phrase, rate in self.language.table.get("rates", {}).get("phrases", {}).items():
            self._add_cores([phrase], Core(FREQUENCY, 0, rate_place(rate)))
        links = [(), *map(split, phrases("rates", "per"))]
        for period, times in read_toml("numbers")["rates"].items():
            nouns = list(map(split, phrases("units", period)))
            for count, number in RATE_COUNTS.items():
                core = [Core(FREQUENCY, 0, rate_place(number * times))]
                for words in map(split, phrases("rates", count)):
                    for link, noun in product(links, nouns):
                        self.cores.setdefault("".join(words + link + noun), core)
                        self.cores.setdefault("".join(link + noun + words), core)
                        self.longest = max(self.longest, len(words + link + noun))

    def _add_modifiers(self) -> None:
        for phrase in self.language.phrases("negation", "words"):
            self._add_modifier(phrase, _NOT)
        for kind in ("degree", "shift", "shrink"):
            for value, phrases in self.language.table.get(kind, {}).items():
                for phrase in phrases:
                    self._add_modifier(phrase, Modifier(kind, float(value)))
        for side, shift in (("less", -0.4), ("more", 0.4)):
            for key in self.language.keys("bounds", side):  # "less than once a week"
                self.modifiers.setdefault(key, Modifier("shift", shift))
        about = self.language.phrases("bounds", "fillers")  # "about the same"
        but = self.language.phrases("balance", "but")
        for phrase in (*self.language.table.get("fillers", ()), *about, *but):
            self.modifiers.setdefault(self.language.key_of(phrase), Modifier("filler"))

    def _add_modifier(self, phrase: str, modifier: Modifier) -> None:
        words = self.language.split(phrase)
        self.modifiers["".join(words)] = modifier
        self.longest = max(self.longest, len(words))

    def _add_emphases(self) -> None:
        """Add the rest of "not at all" besides "not": it may stand apart from the negation."""
        split = self.language.split
        negations = set(map(split, self.language.phrases("negation", "words")))
        for words in map(split, self.language.phrases("degree", "-4")):
            for negation in negations:
                n = len(negation)
                for part, rest in ((words[:n], words[n:]), (words[-n:], words[:-n])):
                    if part == negation and rest:
                        self.modifiers.setdefault("".join(rest), Modifier("emphasis"))

    def _refine_degrees(self) -> None:
        """Set "very strong" just above "strong" where the table lists both at one step.

        A phrase that is built of listed degrees moves by a twentieth of the way to the place that
        its parts compose to, so that it stays at its step.
        """
        refined = {}
        for phrases in self.language.table.get("degree", {}).values():
            for phrase in phrases:
                words = self.language.split(phrase)
                parts = self._segment(words, frozenset(), whole=False)
                degrees = [m.value for m in parts or () if m.kind == "degree"]
                if len(degrees) > 1:
                    key = "".join(words)
                    value = self.modifiers[key].value
                    refined[key] = value + 0.05 * (combine(degrees) - value)
        for key, value in refined.items():
            self.modifiers[key] = Modifier("degree", value)

    @cached_property
    def grouped_words(self) -> dict[str, set[str]]:
        """Words as they are written -> the families and scales that hold them, or degrees."""
        degrees = chain(*self.language.table.get("degree", {}).values())
        denials = self.language.phrases("negation", "words")
        own = self.language.lists.get("scale", ())
        scales = ((f"scale {scale['name']}", chain(*scale["ranks"])) for scale in own)
        families = ((name, phrases) for name, _, phrases in self.language.family_phrases())
        found: dict[str, set[str]] = {}
        for name, phrases in ((DEGREES, chain(denials, degrees)), *families, *scales):
            for word in chain.from_iterable(map(plain_words, phrases)):
                found.setdefault(word, set()).add(name)
        return found

    @cached_property
    def answers(self) -> dict[str, int]:
        """Words for yes (+1) and no (-1)."""
        return {
            key: core.sign
            for key, cores in self.cores.items()
            for core in cores
            if core.family == ANSWER_FAMILY and core.sign
        }

    @cached_property
    def _placed(self) -> dict[tuple[Words, frozenset[str]], Placed]:
        return {}

    def place(self, body: Words, shared: frozenset[str] = frozenset()) -> Placed:
        """Place a label.

        Parameters
        ----------
        body : tuple of str
            Its words.
        shared : frozenset of str
            Words that many labels of the column hold; they may be skipped.

        Returns
        -------
        Placed
        """
        shared = shared.intersection(body)
        known = self._placed.get((body, shared))
        if known is not None:
            return known
        limit = _LONGEST_LABEL * (3 if self.language.by_characters else 1)
        if not body or len(body) > limit:
            return Placed()
        key = "".join(body)
        once = body[: len(body) // 2]
        if 2 * once == body and key not in self.cores and "".join(once) not in self.modifiers:
            found = self.place(once, shared)  # "bajo-bajo" is very low
            places = {f: place + found.signs[f] for f, place in found.places.items()}
            return Placed(places, found.signs)
        places = {core.family: core.place for core in self.cores.get(key, ())}
        signs = {core.family: core.sign for core in self.cores.get(key, ())}
        concords: dict[str, float] = {}
        first, second = self._split_balance(body)
        balanced: Iterable[str] = ()
        if first and second is not None:
            balanced = sorted(_families_between(self.place(first), self.place(second)))
        for family, between in chain(
            ((family, 0.0) for family in balanced),
            self._places_between(body).items(),
            self._places_compared(body).items(),
        ):
            places.setdefault(family, between)
            signs.setdefault(family, 0)
        undone: dict[str, float] = {}
        for core, rest in self._cores_in(body):
            adjectives = {} if core.family in _ADJECTIVES else self.adjectives
            if core.family in _WITH_REFERENCES:
                adjectives = self.references
            is_small = core.sign < 0 < signs.get(core.family, 0)  # "molto poco" is a kind of "poco"
            is_taken = core.family in places and not is_small
            modifiers = None if is_taken else self._segment(rest, shared, adjectives)
            place = None if modifiers is None else _modified(core, modifiers)
            if modifiers is None or place is None:
                continue
            degrees = _degrees(modifiers)
            if is_small and min(degrees, default=0.0) <= BARE:
                continue
            # "No confío mucho" denies the degree as well.
            is_denied = core.sign < 0 and self.modifiers.get(body[0]) == _NOT
            if is_denied and rest == body[len(body) - len(rest) :] and set(degrees) & {3.5, 4.0}:
                undone[core.family] = place
                continue
            places[core.family], signs[core.family] = place, core.sign
            if core.sign < 0 and degrees and combine(degrees) < 0:
                concords[core.family] = combine(degrees)
        for family, place in undone.items():
            places.setdefault(family, place)
            signs.setdefault(family, -1)
        neutral = key in self.middles or first == second == ()
        # "partly yes, partly no" is the middle of any scale.
        neutral |= bool(first and second) and places.get(ANSWER_FAMILY) == 0.0
        placed = Placed(places, signs, self._bare_degree(body, shared), neutral, concords)
        if len(self._placed) > _MOST_PLACED:
            self._placed.clear()
        self._placed[body, shared] = placed
        return placed

    def _cores_in(self, body: Words) -> Iterable[tuple[Core, Words]]:
        """Return the cores in a label and the words around each, the longest cores first."""
        for start, stop, key in runs(body, self.longest):
            rest = body[:start] + body[stop:]
            for core in self.cores.get(key, ()):
                yield core, rest
            if stop == start + 1:
                for core in self._cores_of_affixed(key):
                    yield core, rest
        # What is separated comes after what is together: "stimme ... zu".
        for start, word in enumerate(body):
            for words, core in self.separable.get(word, ()):
                taken = _positions(words, body, start)
                if taken:
                    yield core, tuple([w for i, w in enumerate(body) if i not in taken])

    def _cores_of_affixed(self, word: str) -> Iterable[Core]:
        """Return the cores in a word behind "un", which makes opposites, or an affix of degree.

        "Spottbillig", "carísimo" and "полусухой" are very cheap, very dear and half dry.
        """
        if word in self.cores or word in self.modifiers:
            return
        for prefix in self.prefixes:
            for core in self._cores_in_word(word.removeprefix(prefix), word):
                yield Core(core.family, -core.sign, -core.place)
        for affix, is_ending, degree in self.affixes:
            rest = word.removesuffix(affix) if is_ending else word.removeprefix(affix)
            for core in self._cores_in_word(rest, word):
                yield Core(core.family, core.sign, core.place + core.sign * (degree - BARE))

    def _cores_in_word(self, rest: str, word: str) -> Iterable[Core]:
        """Return the gradable cores that are left of a word without an affix."""
        if rest != word and len(rest) >= _SHORTEST_AFFIXED:
            for core in self.cores.get(rest, ()):
                if core.sign:
                    yield core

    def _split_balance(self, body: Words) -> tuple[Words | None, Words | None]:
        """Return what stands behind "neither" and behind "nor"; None where a label has neither."""
        for opening in self.neither:
            if body[: len(opening)] != opening:
                continue
            parts = split_at(self.nor, body[len(opening) :])
            if parts is not None:
                return parts
            if "".join(opening) not in self.modifiers:
                return body[len(opening) :], ()
        return None, None

    def is_neither(self, body: Words) -> bool:
        """Check for a label that names two things and is neither of them."""
        first, second = self._split_balance(body)
        return bool(first and second)

    def _places_between(self, body: Words) -> dict[str, float]:
        """Return the middle of two places on one side: "never or almost never"."""
        parts = split_at(self.either, body)
        if parts is None:
            return {}
        one, other = (self.place(part).places for part in parts)
        return {
            family: (one[family] + other[family]) / 2.0
            for family in one.keys() & other.keys()
            if one[family] * other[family] > 0
        }

    def _places_compared(self, body: Words) -> dict[str, float]:
        """Return the places of "more satisfied than not", and of "much worse than a year ago"."""
        parts = split_at(self.than, body)
        if parts is None or body[: len(parts[0]) + 1] in self.bounds:
            return {}
        one, other = map(self.place, parts)
        denied = other.degree is not None and other.degree < 0
        opposite = _families_between(one, other) if denied or any(other.places.values()) else ()
        return {
            family: math.copysign(_RATHER, place) if family in opposite else place
            for family, place in one.places.items()
            if place and (family in opposite or family in CHANGES)
        }

    def _bare_degree(self, body: Words, shared: frozenset[str]) -> float | None:
        modifiers = self._segment(body, shared)
        if modifiers is None:
            return None
        degrees = _degrees(modifiers)
        if not degrees:
            # "like me", all of whose words "very like me" and others share
            is_bare = shared and all(modifier.kind == "filler" for modifier in modifiers)
            return BARE if is_bare else None
        shrinks = (modifier.value for modifier in modifiers if modifier.kind == "shrink")
        return math.prod(shrinks, start=combine(degrees))

    def _segment(
        self,
        words: Words,
        shared: frozenset[str],
        others: Mapping[str, Modifier] = MappingProxyType({}),
        *,
        whole: bool = True,
    ) -> tuple[Modifier, ...] | None:
        """Split words into modifiers, the longest first; None where a word is none.

        Parameters
        ----------
        words : tuple of str
            The words.
        shared : frozenset of str
            Words that may be skipped.
        others : mapping
            Words that are modifiers here besides those that always are.
        whole : bool
            Whether one modifier may be all the words.
        """
        # The way that was added last is followed first: the longest modifier at each word. Where a
        # word is reached again, the ways from it have failed.
        ways: list[tuple[int, tuple[Modifier, ...]]] = [(0, ())]
        reached: set[int] = set()
        while ways:
            start, found = ways.pop()
            if start == len(words):
                return found
            if start in reached:
                continue
            reached.add(start)
            if words[start] in shared:
                ways.append((start + 1, found))
            for size in range(1, min(self.longest, len(words) - start) + 1):
                if size == len(words) and not whole:
                    continue
                key = "".join(words[start : start + size])
                modifier = self.modifiers.get(key) or (
                    None if words[start] in shared else others.get(key)
                )
                if modifier is not None:
                    ways.append((start + size, (*found, modifier)))
        return None


def _length(words: Words) -> tuple[int, int, Words]:
    """Return a key that sorts by length, the same whatever the order of a set."""
    return len(words), len("".join(words)), words


def split_at(separators: Iterable[Words], body: Words) -> tuple[Words, Words] | None:
    """Return what stands before and behind the first separator that is held; None without one."""
    for words in separators:
        for at in range(len(body) - len(words) + 1):
            if body[at : at + len(words)] == words:
                return body[:at], body[at + len(words) :]
    return None


def _families_between(first: Placed, second: Placed) -> set[str]:
    """Return the families of which two parts are opposite ends: "neither good nor bad"."""
    ends = {(family, place > 0) for family, place in first.places.items() if place}
    others = {(family, place > 0) for family, place in second.places.items() if place}
    # "partly satisfied, partly not": the second half may leave its core out, or be cut off.
    is_short = not others or second.degree == NEGATION
    return {family for family, high in ends if is_short or (family, not high) in others}


_HARDLY, _LITTLE, _LITTLE_CHANGE = -1.9, -1.5, 2.5

_NEVER = Core("frequency", 0, -6.0)


def _modified(core: Core, modifiers: Sequence[Modifier]) -> float | None:
    """Return the place of a core among modifiers, or None where they do not go together."""
    place = core.place
    degrees = _degrees(modifiers)
    if degrees and core.sign:
        degree = combine(degrees)
        if core.family in CHANGES and _HARDLY <= degree <= _LITTLE:
            degree += _LITTLE_CHANGE  # "little better" is slightly better
        # A degree replaces the bare word's own: very = 4 where bare = 3.
        place += core.sign * (degree - BARE)
    elif degrees and core.place == 0.0 and core.family in CHANGES and min(degrees) > 0:
        pass  # "exactly the same"
    elif degrees and abs(core.place) > _NEAR_THE_END and min(degrees) >= _NEAR_THE_END:
        pass  # "absolutely nothing"
    elif degrees and not (degrees == [NEGATION] and core == _NEVER):  # "никогда не читаю"
        # "not always" lies between sometimes and often, "certainly not" is the other end; other
        # places take no degree.
        if degrees != [NEGATION] or core.place < _NEAR_THE_END:
            return None
        place = -place if core.family in ANSWER_FAMILIES else 1.0
    for modifier in modifiers:
        if modifier.kind == "shift":
            place += modifier.value
        elif modifier.kind == "shrink":
            place *= modifier.value
    return place


def _degrees(modifiers: Sequence[Modifier]) -> list[float]:
    """Return the degrees of a label; "at all" makes the strongest of a negation."""
    degrees = [modifier.value for modifier in modifiers if modifier.kind == "degree"]
    if all(modifier.kind != "emphasis" for modifier in modifiers):
        return degrees
    return [NOT_AT_ALL] if min(degrees, default=0.0) < 0 else [*degrees, _COMPLETELY]


def combine(degrees: Sequence[float]) -> float:
    """Compose degrees that stand together into one; the last is graded by those before it.

    Examples
    --------
    >>> combine([4.0, 4.0]) > 4.0, combine([4.0, 1.0]) < 1.0, combine([-2.5, 4.0])
    (True, True, -1.5)
    """
    degree = degrees[-1]
    for outer in reversed(degrees[:-1]):
        if outer < 0 < degree:
            degree = next(negated for least, negated in _NEGATED_DEGREES if degree >= least)
        elif outer > 0 > degree:
            degree -= 0.3 * (outer - BARE)  # "rather not", "completely not"
        elif outer < 0:
            degree = min(outer, degree)
        else:
            # "very strong" lies beyond "strong", "very little" beyond "little".
            degree += (0.3 if degree >= BARE else -0.3) * (outer - BARE)
    return degree


def _positions(words: Words, body: Words, start: int) -> set[int]:
    """Return where words stand in a label, in order from a start; empty if not all do."""
    places = iter(range(start + 1, len(body)))
    found = [next((i for i in places if body[i] == word), -1) for word in words[1:]]
    return set() if -1 in found else {start, *found}


def rate_place(rate: float) -> float:
    """Interpolate the place of so many times a year between the known ones, on the logarithm."""
    return float(np.interp(math.log(rate), *_RATE_AXIS))
