"""What no scale holds: unknown words, misspelled or cut ones, phrases apart, places of labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from autotype.inference.labels.degrees import read_composition
from autotype.inference.labels.reading import Reading
from autotype.lexicon.grammar import DEGREES, Grammar, grammar
from autotype.lexicon.languages import ENGLISH, Language
from autotype.lexicon.tokens import Label, is_unspaced, plain_words, runs

GAP_FEATURES: tuple[str, ...] = (
    *("word_gap", "word_lowest", "word_highest", "number_gap", "number_lowest", "number_highest"),
    *("rank_free", "end_free", "between_two", "middle", "mirror", "mirror_end", "shares_word"),
)
_MOST_UNREAD = 10
_MOST_CORRECTIONS = 6
_LONG_WORD = 7  # letters; longer words may have two typos
_SHORTEST = 4  # letters of a word that is corrected
_SHORTEST_CUT = 2  # letters of a word that was cut off; of one of degree, one
_CUT = re.compile(r"(?P<word>[^\W\d_]+)(?:\.\s*|\s*$)")
_MOST_GROUPS = 8  # scales and families by whose words cut words are completed
_FEWEST_PHRASES = 3
_WORDS_OF_PHRASE = 2.0  # on average
_WORDS_OF_STATEMENT = 3  # a middle of the scale is mostly shorter
_WHOLE_SCALE = 4  # levels
_MOST_GRADED = 0.3  # of the phrases
_MOST_SHARED = 0.1  # of the words of the shorter of two phrases, on average
_SHORT_WORD = 3  # letters of words that any phrase may hold: "the", "des"
_SIGNS_A_WORD = {"zh": 2.0, "ja": 2.5, "th": 3.5}  # of languages without blanks
_SHORTEST_SHARED = 4  # letters of a word by which labels are neighbours
_FEWEST_WITH_GAPS = 3  # places, of which one gap may be the wider
_FAR = 1e20  # between the ends of open ranges
_NO_GAP = 0.1  # mean gaps, added to each so that its logarithm is finite


def coverage(labels: Sequence[Label], language: Language) -> tuple[float, tuple[str, ...]]:
    """Compute the proportion of labels with words that the vocabulary knows, and list the others.

    Parameters
    ----------
    labels : sequence of Label
        The labels, in the words of the language.
    language : Language
        The language.

    Returns
    -------
    understood : float
        Share of labels in which a core, a degree, a word of a scale, a name or a phrase such as
        "don't know" was found; labels without letters do not count.
    unread : tuple of str
        At most ten unknown words.
    """
    worded = [label for label in labels if label.words and any(c.isalpha() for c in label.text)]
    unread: dict[str, None] = {}
    n_understood = 0
    for label in worded:
        understood = _is_understood(label, language)
        n_understood += understood
        if language.by_characters:
            if not understood:
                unread[label.text[:30]] = None
        else:
            unread |= dict.fromkeys(_unknown_words(label.text, language))
    share = n_understood / len(worded) if worded else 0.0
    return share, tuple(unread)[:_MOST_UNREAD]


def _unknown_words(text: str, language: Language) -> list[str]:
    known = language.known_words
    return [
        word
        for word in plain_words(text)
        if not word[0].isdigit()
        and len(word) > 1
        and word not in known
        and language.token_of(word) not in known
    ]


def _is_understood(label: Label, language: Language) -> bool:
    if language.is_off_scale(label.words):
        return True
    words = grammar(language)
    body = label.body
    for start, stop, key in runs(body, max(words.longest, 6)):
        # Two Latin letters inside a label may be anything: "as", "no", "SA".
        is_sign = language.by_characters and not key.isascii()
        if len(key) < 3 and stop - start < len(body) and not is_sign:
            continue
        modifier = words.modifiers.get(key)
        known = key in words.cores or key in language.scale_index or key in language.name_keys
        if known or (modifier is not None and modifier.kind == "degree"):
            return True
    return False


def are_phrases_apart(labels: Sequence[Label], language: Language) -> bool:
    """Check for phrases about different matters, which name things rather than grade one.

    Parameters
    ----------
    labels : sequence of Label
        The labels that are not off the scale, in the words of the language.
    language : Language
        The language.

    Returns
    -------
    bool
        Whether at least three labels of some words share hardly a word, hardly one of them holds
        a degree or a negation, and none a digit.

    Examples
    --------
    >>> from autotype.lexicon.languages import language
    >>> from autotype.lexicon.tokens import read_label
    >>> english = language("en")
    >>> answers = ["road repair in town", "a new school building", "better lighting of streets"]
    >>> are_phrases_apart([read_label(text) for text in answers], english)
    True
    >>> answers = ["can do it alone", "can do it with help", "cannot do it at all"]
    >>> are_phrases_apart([read_label(text) for text in answers], english)
    False
    """
    bodies = [label.body for label in labels]
    is_long = len(bodies) >= _FEWEST_PHRASES and all(bodies)
    if not is_long or any(c.isdigit() for body in bodies for word in body for c in word):
        return False
    own = grammar(language)
    if sum(_grades(label, own) for label in labels) > _MOST_GRADED * len(labels):
        return False
    texts = [" ".join(plain_words(x.text)[x.lead is not None :]) for x in labels]
    signs = _SIGNS_A_WORD.get(language.code)
    n_words = sum(len(t) / signs if signs else len(t.split()) for t in texts) / len(texts)
    is_parallel = bool(set.intersection(*(set(text.split()) for text in texts)))
    if is_parallel or n_words < _WORDS_OF_PHRASE:
        return False
    parts = [_parts(text, language) for text in texts]
    shared = [len(a & b) / max(min(len(a), len(b)), 1) for a, b in combinations(parts, 2)]
    return sum(shared) <= _MOST_SHARED * len(shared)


def is_other_matter(label: Label, placed: Sequence[Label], rule: str, language: Language) -> bool:
    """Check for a statement about another matter than the scale beside it: "Included in rent".

    Parameters
    ----------
    label : Label
        The one label without a place, in the words of the language.
    placed : sequence of Label
        The levels of the scale.
    rule : str
        The rule that read them.
    language : Language
        The language, which has blanks between words.

    Returns
    -------
    bool
        Whether at least three words without a digit share none with at least four levels that are
        ranges or degrees, and neither grade nor deny anything. Beside stages of a thing they may
        be one more.

    Examples
    --------
    >>> from autotype.lexicon.languages import language
    >>> from autotype.lexicon.tokens import read_label
    >>> levels = list(map(read_label, ["never", "rarely", "often", "always"]))
    >>> [is_other_matter(read_label(text), levels, "scale", language("en"))
    ...  for text in ("included in the rent", "when it rains often", "very much so")]
    [True, False, False]
    """
    body, own = label.body, grammar(language)
    if language.by_characters or len(body) < _WORDS_OF_STATEMENT or len(placed) < _WHOLE_SCALE:
        return False
    if any(c.isdigit() for c in label.text) or _grades(label, own) or own.place(body).places:
        return False
    if rule != "range":
        composed = read_composition(list(placed), language)
        if composed is None or len(composed.ranks) < len(placed):
            return False
    held = {word[:_SHORTEST_SHARED] for other in placed for word in other.words}
    return held.isdisjoint(word[:_SHORTEST_SHARED] for word in body)


def _grades(label: Label, own: Grammar) -> bool:
    """Check whether a label holds a degree, or denies something."""
    for _, _, key in runs(label.body, max(own.longest, 1)):
        modifier = own.modifiers.get(key)
        if key in own.language.absence_keys or (modifier and modifier.kind == "degree"):
            return True
    return False


def _parts(text: str, language: Language) -> set[str]:
    """Return the words of a text that are compared, or its pairs of signs."""
    if language.by_characters:
        return {text[k : k + 2] for k in range(len(text) - 1)}
    return {word for word in text.split() if len(word) > _SHORT_WORD or is_unspaced(word)}


def complete_cut_words(texts: Sequence[str], language: Language) -> Iterator[list[str]]:
    """Complete the words of labels that were cut or abbreviated.

    Parameters
    ----------
    texts : sequence of str
        All labels of the column.
    language : Language
        Their language.

    Yields
    ------
    list of str
        The labels, with words before a full stop, and those at the ends of the longest labels,
        completed by the shortest words of one scale or family, or else by words of degree; of the
        few that complete most of them. None where no label was cut.

    Examples
    --------
    >>> from autotype.lexicon.languages import language
    >>> next(complete_cut_words(["very satisf.", "satisfied", "very dissatisf."], language("en")))
    ['very satisfied', 'satisfied', 'very dissatisfied']
    """
    known, width = grammar(language), max(map(len, texts), default=0)

    def cut_word(match: re.Match[str]) -> str:
        word, is_long = match["word"], len(match.string) >= width - 1
        may_be = "." in match[0] or (is_long and len(word) >= _SHORTEST_CUT)
        key = language.key_of(word)
        is_known = key in known.cores or key in known.modifiers
        return "".join(plain_words(word)) if may_be and not is_known else ""

    def complete(match: re.Match[str], words: dict[str, str]) -> str:
        word = words.get(cut_word(match))
        return match[0] if word is None else f"{word} "

    if language.by_characters or any(map(str.isdigit, "".join(texts))):
        return
    cuts = {cut_word(match) for text in texts for match in _CUT.finditer(text)} - {""}
    if not cuts:
        return
    groups: dict[str, dict[str, str]] = {}
    starts = tuple(cuts)
    for word, names in known.grouped_words.items():
        if not word.startswith(starts):
            continue
        for cut in filter(word.startswith, cuts):
            for name in names if len(cut) >= _SHORTEST_CUT else names & {DEGREES}:
                own = groups.setdefault(name, {})
                own[cut] = min(own.get(cut, word), word, key=lambda word: (len(word), word))
    degrees = groups.pop(DEGREES, {})
    whole = {word for text in texts for word in plain_words(text)}
    held = Counter(name for word in whole for name in known.grouped_words.get(word, ()))
    best = sorted(groups, key=lambda name: (-len(degrees | groups[name]), -held[name], name))
    for own in (degrees | groups[name] for name in best[:_MOST_GROUPS]):
        yield [_CUT.sub(partial(complete, words=own), text).strip() for text in texts]


def corrections(text: str, language: Language, *, is_cut: bool) -> list[str]:
    """Return strings in which the one unknown word of a label is replaced by a known one.

    Parameters
    ----------
    text : str
        The label.
    language : Language
        Its language.
    is_cut : bool
        Whether the label may have been cut off at its end.

    Returns
    -------
    list of str
        The likeliest first: words that the last word begins, where it may have been cut; then
        words at edit distance one, or two if the word has more than seven letters.
    """
    if language.by_characters or (language.code == ENGLISH and not text.isascii()):
        return []
    words = list(plain_words(text))
    unknown = _unknown_words(text, language)
    candidates: list[list[str]] = []
    may_be_cut = len(words) > 1 or bool(unknown)  # "Night" alone is no "nightly"
    if is_cut and may_be_cut and words and len(words[-1]) >= _SHORTEST_CUT:
        longer = [w for w in language.known_words if w.startswith(words[-1]) and w != words[-1]]
        longer.sort(key=lambda word: (len(word), word))
        candidates += [[*words[:-1], word] for word in longer[:_MOST_CORRECTIONS]]
    if len(unknown) == 1 and len(unknown[0]) >= _SHORTEST:
        at = words.index(unknown[0])
        most = 2 if len(unknown[0]) > _LONG_WORD else 1
        near = sorted(
            (distance, word)
            for word in language.known_words
            if abs(len(word) - len(unknown[0])) <= most and len(word) >= _SHORTEST
            for distance in [edit_distance(unknown[0], word, most)]
            if distance <= most
        )
        candidates += [
            [*words[:at], word, *words[at + 1 :]] for _, word in near[:_MOST_CORRECTIONS]
        ]
    return [" ".join(candidate) for candidate in candidates]


def edit_distance(first: str, second: str, most: int) -> int:
    """Compute the edit distance of two words, swapped neighbours counting once.

    Parameters
    ----------
    first, second : str
        The words.
    most : int
        Where the distance is larger, any number larger than this is returned.

    Returns
    -------
    int

    Examples
    --------
    >>> edit_distance("neither", "niether", 2), edit_distance("good", "bad", 1)
    (1, 2)
    """
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    first, second = first[start:], second[start:]
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        previous, row, older = row, [i], before
        for j, b in enumerate(second, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == second[j - 2] and first[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        before = previous
        if min(row) > most:
            return most + 1
    return row[-1]


def gap_features(
    reading: Reading, kept: Sequence[Label], language: Language
) -> tuple[tuple[float, ...], ...]:
    """Compute what the model of gaps weighs of the places of the one label without a place.

    Parameters
    ----------
    reading : Reading
        It places all labels but one.
    kept : sequence of Label
        The labels that were read.
    language : Language
        Their language.

    Returns
    -------
    tuple of tuple of float
        Of each place among those of the others, the lowest first, one number for each of
        `GAP_FEATURES`; none for those that are not beside the label which means nearly the same.
    """
    along = reading.along
    n, ranks = len(along), [reading.ranks[i] for i in along]
    rows = [dict.fromkeys(GAP_FEATURES, 0.0) for _ in range(n + 1)]
    is_scale = reading.rule in ("scale", "composition")
    kind = "word" if is_scale else "number"
    rows[0][f"{kind}_lowest"] = rows[n][f"{kind}_highest"] = 1.0
    for row, gap in zip(rows[1:], _gaps(ranks), strict=False):
        row[f"{kind}_gap"] = gap
    if n == 2:
        rows[1]["between_two"] = 1.0
    elif reading.n_ranks and all(isinstance(rank, int) for rank in ranks):
        for row, (low, high) in zip(rows, pairwise((-1, *ranks, reading.n_ranks)), strict=True):
            row["rank_free"] = float(high - low > 1)
        for row in (rows[0], rows[n]):
            row["end_free"], row["rank_free"] = row["rank_free"], 0.0
    placed = [kept[i] for i in along]
    composed = read_composition(placed, language) if is_scale else None
    if composed is not None and len(composed.ranks) == n:
        for at, kind in _balancing([composed.ranks[i] for i in range(n)]):
            rows[at][kind] = 1.0
    own = {w for i, k in enumerate(kept) if i not in reading.ranks for w in k.words}
    held = Counter(word for label in placed for word in set(label.words))
    telling = {w for w in own if len(w) >= _SHORTEST_SHARED and held[w] <= n / 2}
    for k, label in enumerate(placed):
        if not telling.isdisjoint(label.words):
            rows[k]["shares_word"] = rows[k + 1]["shares_word"] = 1.0
    gaps = [tuple(row.values()) for row in rows]
    for j in reading.beside.values():  # it may be a little less, or a little more
        at, even = along.index(j), (0.0,) * len(GAP_FEATURES)
        gaps = [even if k in (at, at + 1) else () for k in range(n + 1)]
    return tuple(gaps)


def _gaps(ranks: Sequence[Any]) -> list[float]:
    """Return the log of the gaps between places in units of their mean; empty without a gap.

    Places are numbers, or the lower and upper ends of ranges.
    """
    ends = [rank if isinstance(rank, tuple) else (rank, rank) for rank in ranks]
    if any(len(pair) != 2 or pair[0] > pair[1] for pair in ends) or len(ends) < _FEWEST_WITH_GAPS:
        return []
    widths = np.array([max(high[0] - low[1], 0.0) for low, high in pairwise(ends)])
    widths[widths > _FAR] = 0.0
    mean = widths.mean()
    return np.log((widths / mean + _NO_GAP) / (1.0 + _NO_GAP)).tolist() if mean > 0 else []


def _balancing(places: Sequence[float]) -> list[tuple[int, str]]:
    """Find the place, if any, that one level lacks to lie evenly to both sides of a middle."""
    options = []
    is_two_ended = list(places) == sorted(places) and places[0] < 0 < places[-1]
    for place in {0.0, *(-place for place in places)} - set(places) if is_two_ended else ():
        whole = sorted([*places, place])
        if np.sign(whole).sum() == 0:
            at = whole.index(place)
            uneven = sum(abs(low + high) for low, high in zip(whole, whole[::-1], strict=True))
            kind = "middle" if place == 0 else "mirror_end" if at in (0, len(places)) else "mirror"
            options.append((uneven, at, kind))
    return [min(options)[1:]] if options else []
