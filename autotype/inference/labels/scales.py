"""Find the vocabulary's scale that the labels of a column belong to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, takewhile

from autotype.inference.labels.off_scale import GRADES, is_off_scale
from autotype.inference.labels.reading import Reading, all_distinct, covers, distinct
from autotype.inference.labels.topics import NAMES_THINGS, topics_of
from autotype.lexicon.grammar import grammar
from autotype.lexicon.languages import Language, Words
from autotype.lexicon.tokens import Label, n_alike, runs, without_lead
from autotype.lexicon.toml_files import read_toml
from autotype.lexicon.vocabulary import Scale

_SHORTEST_ENDING = 4  # letters that words of one kind share
_FEWEST_ALONG = 3  # levels of a scale whose numbers place labels before or behind them
_BRACKET = re.compile(r"\s\([^()]*[^\W\d_]{2}[^()]*\)$|\s\([^()]*\d[^()]*\)$")
_JOINED = re.compile(r"\s*[/–-]\s*")  # "primary/secondary"
_MOST_IN_BRACKETS = 2  # words
_CODE = re.compile(r"[a-z]\d{0,2}|[a-z]{2}\d{1,2}")
_NEGATED = -2.5  # degree from which a word denies what others grade
_NUMBERS_OF_A_GRADE = "graded number"  # a topic
_OPEN_ENDS = frozenset({"higher", "above", "more", "beyond", "lower", "below", "less", "up"})


def read_scale(
    labels: Sequence[Label], language: Language, topics: frozenset[str] = frozenset()
) -> Reading | None:
    """Return the scale that places most labels, or None where no scale fits.

    Labels are compared whole first, then without a leading enumerator, then without the words
    that all of them share, and last by the one scale word that each embeds ("dose_low").

    Parameters
    ----------
    labels : sequence of Label
        The labels that are not off any scale, in the words of the language.
    language : Language
        The language.
    topics : frozenset of str
        What the name of the column says that its levels are, see `topics_of`.

    Returns
    -------
    Reading or None
        Ranks for at least two labels, and for all but one.
    """
    if len(labels) < 2:
        return None
    if NAMES_THINGS in topics and all(_CODE.fullmatch(label.key) for label in labels):
        return None  # schools "S1", "S2", "S3"
    best = None
    shared = set(labels[0].words).intersection(*(label.words for label in labels))
    topics = topics | topics_of(" ".join(sorted(shared))) if shared else topics
    for variant in _variants(labels, language):
        held = _held(variant, language)
        if shared and "grade" not in topics and GRADES.issuperset(variant):  # "Class A" of fires
            held = Counter({p: n for p, n in held.items() if language.scales[p].named})
        best = _better(best, _match_whole(labels, variant, held, language, topics))
        if best is not None and len(best.ranks) == len(labels):
            return best
    embedded = _match_embedded(labels, language, topics)
    return _better(best, embedded)


def read_prefixes(labels: Sequence[Label], *_: object) -> Reading | None:
    """Order words of one ending by what they begin with: "hypotonic", "isotonic", "hypertonic".

    Greek and Latin prefixes mean the same in most languages.
    """
    keys = [label.key for label in labels]
    n_shared = n_alike([key[::-1] for key in keys])
    if len(keys) < _FEWEST_ALONG or n_shared < _SHORTEST_ENDING:
        return None
    ending = keys[0][-n_shared:]
    bare = [key.removesuffix(ending) for key in keys]
    joined = [prefix + ending[0] for prefix in bare]  # "micro" and "macro" share their "o" with it
    for name, ladder in read_toml("prefixes")["prefixes"].items():
        rank_of = {prefix: rank for rank, prefixes in enumerate(ladder) for prefix in prefixes}
        for prefixes in (bare, joined):
            if rank_of.keys() >= set(prefixes):
                ranks = distinct((i, rank_of[prefix]) for i, prefix in enumerate(prefixes))
                if len(ranks) == len(keys):
                    return Reading("scale", ranks, True, f'prefixes of "{name}"')
    return None


def read_halves(labels: Sequence[Label]) -> Reading | None:
    """Order two words and the halves between them: "extensive, semi-intensive, intensive".

    Which end is low is not known. Where both words have halves, one more may be in the middle.
    """
    keys = [label.key for label in labels]
    at = {key: i for i, key in enumerate(keys)}
    found = {
        at[key.removeprefix(prefix)]: i
        for i, key in enumerate(keys)
        for prefix in read_toml("prefixes")["halves"]["words"]
        if key.startswith(prefix) and key.removeprefix(prefix) in at
    }
    rest = [i for i in range(len(keys)) if i not in found and i not in found.values()]
    if (len(found), len(rest)) not in ((1, 1), (2, 0), (2, 1)) or len(at) < len(keys):
        return None
    (end, half), *other = sorted(found.items())
    order = [end, half, *rest, *(i for pair in other for i in pair[::-1])]
    return Reading("scale", {i: k for k, i in enumerate(order)}, False, "halves of words")


def beside_own_scale(
    labels: Sequence[Label], language: Language, topics: frozenset[str] = frozenset()
) -> list[Label]:
    """Return the labels beside a scale by its standard, where it places all others.

    "NR" is no rating beside "AAA" and "BB+", and no level of anything else. So are letters beside
    the numbers of a grade: "P" beside "1", "2" and "3".
    """
    if _NUMBERS_OF_A_GRADE in topics:
        letters = [x for x in labels if len(x.text) == 1 and x.text.isupper()]
        numbers = [label for label in labels if label.text.isdigit()]
        if letters and len(numbers) >= _FEWEST_ALONG:
            return letters if len(letters) + len(numbers) == len(labels) else []
    keys = [label.key for label in labels]
    for scale in map(language.scales.__getitem__, _held(keys, language)):
        own = scale.off_scale.intersection(keys)
        if not own:
            continue
        aside = {label.key for label in labels if is_off_scale(label, language)}
        rest = [key for key in keys if key not in own and key not in aside - scale.ranks.keys()]
        is_known = scale.ranks.keys() >= set(rest) and _is_meant(scale, rest, topics)
        if is_known and len(rest) >= max(scale.minimum, _FEWEST_ALONG):
            return [label for label in labels if label.key in own]
    return []


def _held(keys: Iterable[str], language: Language) -> Counter[int]:
    """Count how many of the keys each scale holds, by its position."""
    return Counter(position for key in keys for position in language.scale_index.get(key, ()))


def _is_meant(scale: Scale, keys: Sequence[str], topics: frozenset[str]) -> bool:
    """Check whether a scale counts for a column of these topics that holds these keys."""
    if scale.needs and scale.needs.isdisjoint(keys):
        return False
    if not scale.named or not scale.named.isdisjoint(topics):
        return True
    # Without a name that says so, where it holds them all.
    return 0 < scale.alone <= len(keys) and scale.ranks.keys() >= set(keys)


def complete_by_leads(labels: Sequence[Label], reading: Reading) -> Reading:
    """Place unknown labels by the leading numbers, where these agree with the scale.

    "1. never", "2. on holidays", "3. often": the numbers follow the scale, so the second label
    has its place although no scale knows it.
    """
    leads = all_distinct([label.lead for label in labels])
    if leads is None:
        return reading
    by_rank = [leads[i] for i in reading.along]
    ascending = sorted(by_rank)
    if by_rank not in (ascending, ascending[::-1]):
        return reading
    beyond = any(not ascending[0] <= lead <= ascending[-1] for lead in leads.values())
    if beyond and len(by_rank) < _FEWEST_ALONG:  # any two are in some order
        return reading
    sign = 1 if by_rank == ascending else -1
    ranks = {i: sign * lead for i, lead in leads.items()}
    detail = f"{reading.detail}, in the order of the leading numbers"
    return replace(reading, ranks=ranks, detail=detail, n_ranks=0)


def complete_by_zero(labels: Sequence[Label], reading: Reading, language: Language) -> Reading:
    """Place the label that means that there is nothing to grade below all others.

    "no pain" next to "slight pain": besides the negation, its words are those of the others. What
    is whole stands beside the slightest of what takes from it.
    """
    missing = [i for i in range(len(labels)) if i not in reading.ranks]
    if len(missing) != 1 or not reading.direction_known or len(labels) < 3:
        return reading
    label, others = labels[missing[0]], [labels[i].body for i in reading.ranks]
    # "Full" beside "slightly limited" and "severely limited": the whole of what they take from.
    wholes = read_toml("numbers")["stages"]["whole"]
    is_whole = reading.rule == "composition" and not {*label.body[-1:]}.isdisjoint(wholes)
    is_whole = is_whole and bool(set(others[0]).intersection(*others[1:]))
    if is_off_scale(label, language) or not (is_whole or _is_denied(label.body, others, language)):
        return reading
    place = min(reading.ranks.values()) - 1
    if is_whole:  # beside the slightest of them: above "slightly reduced" where that is high
        places = [grammar(language).place(labels[i].body).places for i in reading.along]
        first, *_, last = (max(map(abs, own.values()), default=0.0) for own in places)
        place = max(reading.ranks.values()) + 1 if last < first else place
    return replace(reading, ranks={**reading.ranks, missing[0]: place})


def _is_denied(own: Words, others: Sequence[Words], language: Language) -> bool:
    """Check whether a label consists of a negation and of words that others hold.

    Characters that it shares with another one are at one end of it: "소음 없음", "ไม่เข้าร่วม".
    """
    if language.by_characters:
        keys = ["".join(body) for body in others]
        parts = [
            zero
            for n in range(1, len(own))
            for rest, zero in ((own[:n], own[n:]), (own[n:], own[:n]))
            if any("".join(rest) in key for key in keys)
        ]
    else:
        shared = set().union(*others)
        zero = tuple(word for word in own if word not in shared)
        parts = [zero] if zero and len(zero) < len(own) else []
        # "I do not have any": a negation, and what may stand beside it.
        absent = language.absence_keys.intersection(zero)
        if parts and absent and (absent | language.filler_keys).issuperset(zero):
            return True
    words = grammar(language)
    degrees = [words.place(part).degree for part in parts]
    negated = any(degree is not None and degree <= _NEGATED for degree in degrees)
    return negated or any("".join(part) in language.absence_keys for part in parts)


def strip_shared(bodies: Sequence[Words]) -> list[Words]:
    """Remove the words with which all labels begin and those with which all end.

    Examples
    --------
    >>> strip_shared([("low", "income"), ("very", "high", "income")])
    [('low',), ('very', 'high')]
    """
    if len(bodies) < 2 or not all(bodies):
        return list(bodies)
    head = sum(takewhile(bool, (len(set(words)) == 1 for words in zip(*bodies, strict=False))))
    ends = zip(*(body[head:][::-1] for body in bodies), strict=False)
    tail = sum(takewhile(bool, (len(set(words)) == 1 for words in ends)))
    return [b[head : len(b) - tail] for b in bodies]


def strip_common(bodies: Sequence[Words]) -> list[Words]:
    """Remove the words that all labels hold, wherever they stand.

    Examples
    --------
    >>> strip_common([("never", "drinks"), ("drinks", "daily")])
    [('never',), ('daily',)]
    """
    common = set(bodies[0]).intersection(*bodies[1:])
    return [tuple(word for word in body if word not in common) for body in bodies]


def _variants(labels: Sequence[Label], language: Language) -> Iterable[list[str]]:
    whole = [label.key for label in labels]
    yield whole
    bodies = ["".join(label.body) for label in labels]
    if bodies != whole:
        yield bodies
    for strip in (strip_shared, strip_common):
        stripped = ["".join(words) for words in strip([label.body for label in labels])]
        if stripped != bodies and sum(map(bool, stripped)) >= 2:
            yield stripped
    index = language.scale_index
    known = [body in index for body in bodies]
    pairs = [(label.body, is_known) for label, is_known in zip(labels, known, strict=True)]
    closed = ["".join(body if is_known else _without_open_end(body)) for body, is_known in pairs]
    if closed != bodies:
        yield closed
    links = language.links
    first = ["".join(body if is_known else _first_of(body, links)) for body, is_known in pairs]
    for i, label in enumerate(labels):
        bracket = _BRACKET.search(label.text)
        # "Sarjana (S1)", but neither "low (A)" nor a sentence in brackets.
        is_short = bracket and len(bracket[0].split()) <= _MOST_IN_BRACKETS
        if bracket and is_short and not known[i]:
            first[i] = "".join(language.split(without_lead(label.text[: bracket.start()])))
        joined = _JOINED.split(label.text)
        if len(joined) > 1 and not known[i]:
            parts = ["".join(language.split(part)) for part in joined]
            first[i] = parts[0] if all(part in index for part in parts) else first[i]
    if first != bodies:
        yield first


def _without_open_end(body: Words) -> Words:
    """Return the words of a label without its "or higher"."""
    return body[:-1] if len(body) > 1 and body[-1] in _OPEN_ENDS else body


def _first_of(body: Words, links: Container[str]) -> Words:
    """Return the words before the first "or" of a label."""
    return body[: next((i for i, word in enumerate(body) if i and word in links), len(body))]


def _better(first: Reading | None, second: Reading | None) -> Reading | None:
    found = (reading for reading in (first, second) if reading is not None)
    return max(found, key=lambda reading: len(reading.ranks), default=None)


def _match_whole(
    labels: Sequence[Label],
    keys: Sequence[str],
    held: Mapping[int, int],
    language: Language,
    topics: frozenset[str],
) -> Reading | None:
    found: list[tuple[tuple, Scale, dict[int, int]]] = []
    for position, count in held.items():
        scale = language.scales[position]
        if count < 2 or not _is_meant(scale, keys, topics):
            continue
        ranks = distinct((i, scale.ranks.get(key)) for i, key in enumerate(keys))
        placed = [keys[i] for i in ranks]
        if _suffices(scale, labels, placed, all_but_one=covers(len(placed), len(labels))):
            found.append((_merit(scale, placed), scale, ranks))
    return _best(found, keys)


def _suffices(
    scale: Scale, labels: Sequence[Label], placed: Sequence[str], *, all_but_one: bool
) -> bool:
    n_labels, n_placed = len(labels), len(placed)
    if n_placed < scale.minimum:
        return False
    # Single letters stand for anything: three of them are required, no unplaced label, and of
    # grades no gap of two, unless the name says what they are. "E" beside "F" lists letters.
    if max(map(len, placed)) == 1 and placed[0].isalpha() and placed[0].isascii():
        has_gaps = ord(max(placed)) - ord(min(placed)) > n_placed or {"e", "f"} <= set(placed)
        is_list = GRADES.issuperset(placed) and has_gaps and not scale.named
        if n_placed < max(3, n_labels) or is_list:
            return False
    if scale.weak or scale.cyclic:
        return n_placed == n_labels
    # Numbers before all labels are a second witness, so half of the words will do.
    numbered = 2 * n_placed >= n_labels > 3 and all(label.lead is not None for label in labels)
    return numbered or all_but_one


def _merit(scale: Scale, placed: Sequence[str]) -> tuple:
    """Prefer coverage, then scales that are no mere names, then the scale with just these words."""
    n_placed, n_leading = len(placed), sum(key in scale.leading for key in placed)
    share = n_placed / scale.n_ranks
    own = (n_leading, scale.general, share, scale.direction, scale.name)
    return (n_placed, not scale.weak, *own)


def _best(
    found: Sequence[tuple[tuple, Scale, dict[int, int]]], keys: Sequence[str] = ()
) -> Reading | None:
    """Return the reading of the scale of most merit, and what means the same by its key."""
    if not found:
        return None
    _, scale, ranks = max(found, key=lambda item: item[0])
    at = {rank: i for i, rank in ranks.items()}
    same = ((i, at.get(scale.ranks.get(key, -1))) for i, key in enumerate(keys))
    beside = {i: j for i, j in same if j is not None and i not in ranks}
    rule = "calendar" if scale.cyclic else "scale"
    detail = f'the scale "{scale.name}"'
    if scale.weak:
        detail += ", whose words are often mere names"
    own = (scale.direction, detail, scale.cyclic, scale.weak, scale.n_ranks)
    return Reading(rule, ranks, *own, beside)


def _match_embedded(
    labels: Sequence[Label], language: Language, topics: frozenset[str]
) -> Reading | None:
    """Match by the one scale word that each label embeds; all labels must have one."""
    bodies = [label.body for label in labels]
    most, longest = (20, 8) if language.by_characters else (5, 4)
    if max(map(len, bodies)) > most:
        return None
    index = language.scale_index
    known = [[part for part in runs(body, longest) if part[2] in index] for body in bodies]
    spans = list(map(_spans, known))
    shared: set[int] | None = None
    for found in spans:
        positions = {p for key in found for p in index.get(key, ())}
        shared = positions if shared is None else shared & positions
        if not shared:
            return None
    candidates = []
    for position in sorted(shared or ()):
        scale = language.scales[position]
        lacks = scale.needs and all(scale.needs.isdisjoint(f) for f in spans)
        if scale.weak or lacks or (scale.named and scale.named.isdisjoint(topics)):
            continue
        ranks, rests = _embedded_ranks(scale, spans, bodies, language.modifiers)
        if sum(map(bool, rests)) == 1 and not language.known_words.issuperset(chain(*rests)):
            continue  # "off the charts" beside "low", "medium" and "high"
        complete = len(ranks) == len(labels) and len(set(ranks.values())) == len(labels)
        # Where the other words differ, the labels name different things: more of them are required.
        if complete and len(ranks) >= max(scale.minimum, 2 if len(set(rests) - {()}) <= 1 else 3):
            placed = [key for found in spans for key in found if key in scale.ranks]
            candidates.append((_merit(scale, placed), scale, ranks))
    return _best(candidates)


def _spans(parts: Sequence[tuple[int, int, str]]) -> dict[str, tuple[int, int]]:
    """Return the known words of a label, each with its place; longer ones hide shorter."""
    spans: dict[str, tuple[int, int]] = {}
    covered: set[int] = set()
    for start, stop, key in parts:
        # A single letter is no word: "a" in "a house" is no grade.
        if len(key) > 1 and covered.isdisjoint(range(start, stop)):
            spans[key] = (start, stop)
            covered.update(range(start, stop))
    return spans


def _embedded_ranks(
    scale: Scale,
    spans: Sequence[dict[str, tuple[int, int]]],
    bodies: Sequence[Words],
    modifiers: frozenset[str],
) -> tuple[dict[int, int], list[Words]]:
    """Place each label by its one scale word; negated and graded words mean something else.

    The other words of each such label are returned as well.
    """
    ranks: dict[int, int] = {}
    rests: list[Words] = []
    for i, (found, body) in enumerate(zip(spans, bodies, strict=True)):
        own = [key for key in found if key in scale.ranks]
        if len(own) != 1:
            continue
        start, stop = found[own[0]]
        rest = body[:start] + body[stop:]
        if not modifiers.isdisjoint(rest):
            continue
        ranks[i] = scale.ranks[own[0]]
        rests.append(rest)
    return ranks, rests
