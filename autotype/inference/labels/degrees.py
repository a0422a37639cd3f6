"""Labels built from a gradable word and modifiers: "very good", "not at all satisfied"."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from autotype.inference.labels.off_scale import denies, is_off_scale
from autotype.inference.labels.reading import Reading, covers, distinct
from autotype.inference.labels.scales import strip_common, strip_shared
from autotype.lexicon.grammar import (
    ANSWER_FAMILIES,
    BARE,
    CHANGES,
    FREQUENCY,
    NEGATION,
    NOT_AT_ALL,
    POSITION,
    Grammar,
    Placed,
    grammar,
    rate_place,
    split_at,
)
from autotype.lexicon.languages import Language, Words
from autotype.lexicon.number_words import read_quantity
from autotype.lexicon.tokens import Label, runs

_ANSWER = re.compile(r"(?P<answer>[^,;:،、，–—]+?)\s*[,;:،、，–—]\s*(?P<rest>\w.*)")
_FEWEST_DEGREES = 3
_ALWAYS, _ONLY, _MORE_THAN = 12.0, 13.0, 1.0  # on the scale that begins with never, 0
_FEWEST_SIDE = 2  # amounts of a rise, and of a fall
_STEM = 5  # letters that the forms of a word share
_LADDER = "degree"  # degrees without a word that they grade
_MAGNITUDE = "magnitude"  # "none, slight, medium, strong": families that share an axis
_MAGNITUDES = ("strength", "level", "amount", "severity", "size", "importance")
# Changes and comparisons: their middle ("as expected") has more wordings than can be listed.
_WITH_PLAIN_MIDDLE = (*CHANGES, POSITION)
# Degrees that name the middle where they stand alone: "moderate", and "it had none" between
# what was good and what was bad.
_MODERATE = (2.0, 2.2, NEGATION)
# Where degrees stand on the axis from none (-6) to the most (6).
DEGREE_PLACES = ((-4.5, -6.0), (-4.0, -6.0), (-2.5, -5.6), (-1.8, -4.8), (-1.5, -4.5), (0.5, -3.5),
                  (1.0, -3.0), (2.0, -1.0), (2.2, 0.0), (2.5, 1.0), (3.5, 2.6), (4.0, 3.2),
                  (5.0, 5.0), (5.5, 6.0), (6.0, 6.2))  # fmt: skip
_DEGREE_AXIS = np.array(DEGREE_PLACES).T


def read_composition(labels: Sequence[Label], language: Language) -> Reading | None:
    """Rank labels by polarity of the core times intensity of its modifiers.

    Parameters
    ----------
    labels : sequence of Label
        The labels that are not off any scale, in the words of the language.
    language : Language
        The language.

    Returns
    -------
    Reading or None
        Ranks of all labels but at most one; None where no family of words covers as many.
    """
    if len(labels) < 2:
        return None
    best: Reading | None = None
    words = grammar(language)
    off_scale = {i for i, label in enumerate(labels) if language.is_off_scale(label.words)}

    def n_graded(reading: Reading) -> int:
        return len(reading.ranks.keys() - off_scale)

    for bodies, signs, shared in _variants(labels, words):
        placed = []
        for body, sign in zip(bodies, signs, strict=True):
            place = words.place(body, shared)
            # "No, very": the degree is one of the answer.
            if sign < 0 and place.degree is not None and place.degree > 0:
                place = replace(place, degree=-place.degree)
            placed.append(place)
        if any(place.degree is None for place in placed):
            # A word that is not graded is a degree where all others are.
            placed = [replace(p, degree=None) if p.degree == BARE else p for p in placed]
        amounts = _with_amounts(_with_rates(placed, labels, language), labels, language)
        reading = _rank(amounts, off_scale)
        if reading is not None and (best is None or n_graded(reading) > n_graded(best)):
            best = reading
        if best is not None and len(best.ranks) == len(labels):
            return best
    apart = _with_negations_apart(labels, words)
    whole = None if apart == labels else read_composition(apart, language)
    if whole is not None and len(whole.ranks) == len(labels):
        return whole
    reading = _read_unknown_core(labels, words)
    graded = [] if reading else [_graded(label.body, words) for label in labels]
    return reading or _read_opposites(labels, graded, words) or best


def complete_by_degrees(labels: Sequence[Label], reading: Reading, language: Language) -> Reading:
    """Place the one label left over beside the label that it grades: "very mild" beside "mild".

    The family of the two says on which side, if it reads another label. At an end of the scale,
    less of a word is inside: "slightly abnormal" beside "abnormal".
    """
    left = [i for i in range(len(labels)) if i not in reading.ranks]
    if len(left) != 1 or language.is_off_scale(labels[left[0]].words):
        return reading
    own, along = labels[left[0]].body, reading.along
    bodies = [labels[i].body for i in along]
    graded = [
        at for at, body in enumerate(bodies) if len(body) < len(own) and own[-len(body) :] == body
    ]
    if len(graded) != 1:
        return reading
    at, words = graded[0], grammar(language)
    found = words.place(own)
    for family in sorted(found.places):
        places = [words.place(body).places.get(family) for body in bodies]
        known = [place for place in places if place is not None]
        base, step = places[at], found.places[family]
        if base in (None, step) or known not in (sorted(known), sorted(known)[::-1]):
            continue
        if len(known) > 1:
            is_up = (step > base) == (known[-1] > known[0])
            return _insert(reading, along, left[0], at + is_up)
    degree = words.place(own, frozenset(bodies[at])).degree
    is_read = bool(words.place(bodies[at]).places)  # a word with one place has no degrees
    if degree is None or degree == BARE or is_read or at not in (0, len(along) - 1):
        return reading
    return _insert(reading, along, left[0], at + ((degree > BARE) == (at > 0)))


def _insert(reading: Reading, along: list[int], own: int, at: int) -> Reading:
    """Return a reading with one more label at a place among those of the others."""
    order = [*along[:at], own, *along[at:]]
    return replace(reading, ranks={i: rank for rank, i in enumerate(order)}, n_ranks=0)


def _read_unknown_core(labels: Sequence[Label], words: Grammar) -> Reading | None:
    """Rank degrees of a word that no family holds: "uncontained, partly contained, contained".

    One label is that word alone; of three labels at least one other is a degree of it.
    """
    alone = {label.body[0] for label in labels if len(label.body) == 1}
    known = (words.cores, words.modifiers)
    for core in sorted(word for word in alone if not any(word in own for own in known)):
        negated = {prefix + core for prefix in words.prefixes}
        negated |= {core.removeprefix(prefix) for prefix in words.prefixes} - {core}
        forms = {core, *negated}
        if any(forms.isdisjoint(label.body) for label in labels):
            continue
        places: list[tuple[int, float | None]] = []
        for i, label in enumerate(labels):
            held = next(word for word in label.body if word in forms)
            degree = words.place(label.body, frozenset({held})).degree
            place = BARE if label.body == (held,) else degree
            places.append((i, -place if place and held in negated else place))
        ranks = distinct(places)
        is_graded = any(place not in (BARE, -BARE) for place in ranks.values())
        if len(ranks) == len(labels) >= _FEWEST_DEGREES and is_graded:
            return Reading("composition", ranks, True, f'degrees of "{core}"')
    return None


def _read_opposites(
    labels: Sequence[Label], graded: Sequence[tuple[Words, tuple[bool, float]]], words: Grammar
) -> Reading | None:
    """Rank degrees of two things that no family holds: "much too strict, too strict, right, lax".

    Each has two degrees at least, the strongest of which they share: "always late, sometimes late,
    always on time". One label may lie between them. Which of the two is low is not known.
    """
    ends = [rest for rest, n in Counter(rest for rest, _ in graded).items() if rest and n > 1]
    degrees = [[(d, i) for i, (rest, d) in enumerate(graded) if rest == end] for end in ends]
    between = [i for i, (rest, _) in enumerate(graded) if rest not in ends]
    is_known = any(len(end) == 1 and end[0] in words.cores for end in ends)
    is_known &= not any(_is_middle(words.place(labels[i].body)) for i in between)
    if len(ends) != 2 or is_known or len(between) > 1 or words.language.by_characters:
        return None
    rates = {is_rate for rest, (is_rate, _) in graded if rest in ends}
    if True in rates:
        degrees = [[(_as_rate(d), i) for d, i in side] for side in degrees]
    for label in (labels[i] for i in between):
        own = [set(end).difference(*(e for e in ends if e != end)) for end in ends]
        holds = any(part.issubset(label.body) for part in own)
        is_named = len(label.body) > 1 and (not holds or words.is_neither(label.body))
        is_middle = rates == {True} or is_named or _is_middle(words.place(label.body))
        is_beside = is_off_scale(label, words.language) or denies(label, words.language)
        if is_beside or not is_middle:
            return None
    low, high = map(sorted, degrees)
    values = [[degree for degree, _ in side] for side in (low, high)]
    if any(len(set(side)) < len(side) or side[0][1] <= 0 for side in values):
        return None
    if values[0][-1] != values[1][-1]:
        return None
    order = [*(i for _, i in low[::-1]), *between, *(i for _, i in high)]
    names = " and ".join(f'"{" ".join(end)}"' for end in ends)
    return Reading("composition", {i: k for k, i in enumerate(order)}, False, f"degrees of {names}")


def _as_rate(graded: tuple[bool, float]) -> tuple[bool, float]:
    """Return a degree among frequencies: "online" and "entirely online" are more than "mostly"."""
    is_rate, degree = graded
    return True, degree if is_rate else _ALWAYS + degree / 10 if degree >= BARE else 2 * degree


def _graded(body: Words, words: Grammar) -> tuple[Words, tuple[bool, float]]:
    """Return what a label grades, and whether by a frequency, with its degree (0 to 13).

    "Only" is more than always, and "more of one than of the other" less than often.
    """
    for only in words.only:
        if body[: len(only)] == only:
            return _graded(body[len(only) :], words)[0], (True, _ONLY)
        if body[-len(only) :] == only:
            return _graded(body[: -len(only)], words)[0], (True, _ONLY)
    parts = split_at(words.than, body)
    if parts is not None and all(parts) and parts[0][0] in words.comparatives:
        return _graded(parts[0][1:], words)[0], (True, _MORE_THAN)
    grading: set[int] = set()
    for start, stop, key in runs(body, words.longest):
        is_rate = any(core.family == FREQUENCY for core in words.cores.get(key, ()))
        if (is_rate or key in words.modifiers) and grading.isdisjoint(range(start, stop)):
            grading.update(range(start, stop))
    rest = tuple(word for i, word in enumerate(body) if i not in grading)
    own = words.place(tuple(word for i, word in enumerate(body) if i in grading))
    if FREQUENCY in own.places:
        return rest, (True, own.places[FREQUENCY] + 6.0)
    return rest, (False, BARE if not grading else own.degree if own.degree is not None else BARE)


def _with_negations_apart(labels: Sequence[Label], words: Grammar) -> Sequence[Label]:
    """Write the negation that a prefix makes of another label's word as a word of its own.

    "Nieprzekonujący" beside "raczej przekonujący", which no family holds.
    """
    negation = next(map(words.language.split, words.language.phrases("negation", "words")), ())
    held = {word for label in labels for word in label.body}
    apart = {
        prefix + word: (*negation, word)
        for prefix in words.prefixes
        for word in held
        if word not in words.cores and prefix + word in held
    }
    if not apart or not negation:
        return labels
    bodies = [tuple(p for word in label.body for p in apart.get(word, (word,))) for label in labels]
    return [replace(label, body=body) for label, body in zip(labels, bodies, strict=True)]


def _with_rates(
    placed: Sequence[Placed], labels: Sequence[Label], language: Language
) -> Sequence[Placed]:
    """Place counts and ranges of a period among other frequencies: "1-3 times a month"."""
    often = [FREQUENCY in place.places for place in placed]
    if not any(place.places.get(FREQUENCY, -6.0) > -6.0 for place in placed):
        return placed
    found = []
    for place, label, is_placed in zip(placed, labels, often, strict=True):
        # The number counts more than the "often" of "4 times a week or more often".
        is_read = is_placed and not any(c.isdigit() for c in label.text)
        stated = None if is_read else read_quantity(label.text, language)
        if stated is not None and stated.unit == "rate":
            rate = math.sqrt(math.prod(stated.place))
            place = replace(place, places={**place.places, FREQUENCY: rate_place(rate)})
        found.append(place)
    return found


def _with_amounts(
    placed: Sequence[Placed], labels: Sequence[Label], language: Language
) -> Sequence[Placed]:
    """Place rises and falls by their amounts: "fell by more than 5%" below "fell by less"."""
    for family in CHANGES:
        sides = {i: p.places[family] for i, p in enumerate(placed) if p.places.get(family)}
        n_falls = sum(place < 0 for place in sides.values())
        if min(n_falls, len(sides) - n_falls) < _FEWEST_SIDE:
            continue
        own = {i: read_quantity(labels[i].text, language) for i in sides if labels[i].lead is None}
        if len(own) == len(sides) and None not in own.values():
            amounts = {i: sum(q.place) for i, q in own.items() if q}
            moved = {i: {family: math.copysign(1.0 + amounts[i], sides[i])} for i in sides}
            placed = [replace(p, places=moved.get(i, p.places)) for i, p in enumerate(placed)]
    return placed


def _variants(
    labels: Sequence[Label], words: Grammar
) -> Iterable[tuple[Sequence[Words], Sequence[int], frozenset[str]]]:
    """Return the words of labels without their "yes," or "no,", whole, and without shared words.

    With each variant come the sign of the answer that was removed from each label, 0 without one,
    and the words that may be skipped.
    """
    whole, plain = [label.body for label in labels], [0] * len(labels)
    bodies, signs = _split_answers(labels, words)
    nothing: frozenset[str] = frozenset()
    if any(signs):
        yield bodies, signs, nothing
        yield whole, plain, nothing
    yield bodies, plain, nothing
    for stripped in (strip_shared(bodies), strip_common(bodies)):
        if stripped != bodies:
            yield stripped, plain, nothing
    for each in [bodies] if whole == bodies else [bodies, whole]:
        shared = _shared_words(each)
        if shared:
            yield each, plain, shared


def _shared_words(bodies: Sequence[Words]) -> frozenset[str]:
    """Return words that two labels hold, and two of five at least: what they are about.

    With other forms of them: many languages deny a verb by its ending, beside "never". One number
    may be shared, "less than 5 a day", "5 or more a day"; several bound ranges.
    """
    counts = Counter(word for body in bodies for word in set(body))
    numbers = set(filter(str.isdigit, counts))
    least = max(2, (2 * len(bodies) + 4) // 5)
    shared = {word for word, n in counts.items() if n >= least}
    shared -= numbers if len(numbers) > 1 else set()
    stems = {word[:_STEM] for word in shared if len(word) >= _STEM}
    return frozenset(shared.union(word for word in counts if word[:_STEM] in stems))


def _split_answers(labels: Sequence[Label], words: Grammar) -> tuple[list[Words], list[int]]:
    """Return the words of each label behind its "Yes, " or "No, ", and the sign of that, or 0."""
    bodies, signs = [label.body for label in labels], [0] * len(labels)
    for i, label in enumerate(labels):
        match = _ANSWER.fullmatch(label.text)
        key = "".join(words.language.split(match["answer"])) if match else ""
        if match and key in words.answers:
            bodies[i], signs[i] = words.language.split(match["rest"]), words.answers[key]
    return bodies, signs


def _rank(placed: Sequence[Placed], off_scale: set[int]) -> Reading | None:
    """Rank labels in the family that places most of them."""
    best: tuple[tuple, str, dict[int, float]] | None = None
    # "Unsure" alone does not make the degrees beside it those of confidence.
    answers = [found for i, found in enumerate(placed) if i not in off_scale]
    families = sorted({family for found in answers for family in found.places})
    candidates = [(family, _family_places(placed, family)) for family in families]
    candidates.append((_LADDER, _ladder_places(placed, off_scale)))
    candidates.append((_MAGNITUDE, _magnitude_places(placed)))
    for family, places in candidates:
        ranks = distinct(sorted(places.items()))
        read = ranks
        if family not in (_LADDER, _MAGNITUDE):
            read = _with_middle(ranks, placed, off_scale, any_word=False)
            any_word = family in _WITH_PLAIN_MIDDLE
            ranks = _with_middle(ranks, placed, off_scale, any_word=any_word)
        n, least = len(ranks), 3 if family in (_LADDER, _MAGNITUDE) else 2
        enough = n >= least and covers(n, len(placed))
        # "anxious" grades worry upwards before it grades safety downwards.
        ends = {p.signs.get(family, 1) for p in placed}
        n_direct = sum(family in p.places for p in placed)
        # "a bit too much" is a change before it is a small amount.
        is_direct = family == _LADDER or 2 * n_direct >= n
        merit = (n, ends != {-1}, is_direct, family in CHANGES and len(read) == n)
        if enough and (best is None or merit > best[0]):
            best = (merit, family, ranks)
    if best is None:
        return None
    name = "degrees" if best[1] == _LADDER else f'degrees of "{best[1]}"'
    return Reading("composition", best[2], True, name)


def _with_middle(
    ranks: dict[int, float], placed: Sequence[Placed], off_scale: set[int], *, any_word: bool
) -> dict[int, float]:
    """Place the one level left over in the middle of a scale that lacks just this.

    "much worse, worse, as expected, better, much better": as many below as above, two at least.
    Unless it may be any word, it is the middle of another family or a moderate degree.
    """
    n_below = sum(place < 0 for place in ranks.values())
    n_above = sum(place > 0 for place in ranks.values())
    missing = set(range(len(placed))) - set(ranks) - off_scale
    if len(missing) != 1 or len(ranks) != len(placed) - 1 or n_below < 2:
        return ranks
    if n_below != n_above or 2 * n_below != len(ranks):
        return ranks
    middle = missing.pop()
    return {**ranks, middle: 0.0} if any_word or _is_middle(placed[middle]) else ranks


def _is_middle(place: Placed) -> bool:
    return 0.0 in place.places.values() or place.degree in _MODERATE


def _family_places(placed: Sequence[Placed], family: str) -> dict[int, float]:
    """Return the places of labels in a family, and of those that need no core of it."""
    places = {i: p.places[family] for i, p in enumerate(placed) if family in p.places}
    signs = {p.signs[family] for p in placed if family in p.signs}
    if family == POSITION and not signs >= {-1, 1}:
        return {}
    if 1 in signs:
        places |= {i: p.concords[family] for i, p in enumerate(placed) if family in p.concords}
    two_ended = min(places.values()) < 0 < max(places.values())
    implied = {
        i: p.degree for i, p in enumerate(placed) if p.degree is not None and i not in places
    }
    is_one_ended = 1 in signs and min(places.values()) > 0
    if family in ANSWER_FAMILIES or (is_one_ended and len(implied) <= len(places)):
        # "not at all, slightly useful, very useful, indispensable"
        places |= implied
    elif family in _MAGNITUDES:  # "not at all, very little, little, much"
        zero = (i for i, degree in implied.items() if round(degree) <= NOT_AT_ALL)
        places |= {i: float(np.interp(implied[i], *_DEGREE_AXIS)) for i in zero}
    if two_ended:
        # "No change" lies between "worse" and "better".
        kin = CHANGES if family in CHANGES else ()
        neutral = [p.neutral or any(p.places.get(f) == 0.0 for f in kin) for p in placed]
        places |= {i: 0.0 for i, is_middle in enumerate(neutral) if is_middle and i not in places}
    return places


def _ladder_places(placed: Sequence[Placed], off_scale: set[int]) -> dict[int, float]:
    """Return places of bare degrees; "unsure" is the middle of as many on either side alone."""
    stated = [(i, p.degree) for i, p in enumerate(placed) if i not in off_scale]
    places = {i: degree for i, degree in stated if degree is not None}
    n_below, n_above = (sum(s * degree > 0 for degree in places.values()) for s in (-1, 1))
    if n_below and n_above:
        aside = set() if n_below == n_above else off_scale
        left = set(range(len(placed))) - places.keys() - aside
        places |= {i: 0.0 for i in left if placed[i].neutral}
    return places


def _magnitude_places(placed: Sequence[Placed]) -> dict[int, float]:
    """Return places on one axis of the families that words such as "strong, slight" belong to."""
    places: dict[int, float] = {}
    for i, p in enumerate(placed):
        family = next((f for f in _MAGNITUDES if f in p.places), None)
        if family is not None:
            places[i] = p.places[family]
        elif p.degree is not None:
            places[i] = float(np.interp(p.degree, *_DEGREE_AXIS))
    return places
