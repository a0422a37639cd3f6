"""Read the strings of the levels of a column: whether there is an order, and which end is low."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

from autotype.inference.labels.evidence import NO_LABELS, NO_RULE, NOMINAL, RULES, LabelEvidence
from autotype.inference.labels.lowest import with_absence, with_lowest
from autotype.inference.labels.mending import (
    mend,
    read_cut,
    read_signed,
    read_words,
    read_written_out,
    reworded,
)
from autotype.inference.labels.names import NAMED, name_shares, read_dates, read_hours
from autotype.inference.labels.numbers.numerals import (
    read_enumerators,
    read_fractions,
    read_gauges,
    read_marks,
    read_numbered_names,
    read_numerals,
    read_signed_numbers,
    settle_roman_leads,
)
from autotype.inference.labels.numbers.plain_numbers import read_anchored_numbers, read_numeric
from autotype.inference.labels.numbers.quantities import read_quantities
from autotype.inference.labels.numbers.sizes import read_parts, read_sizes
from autotype.inference.labels.off_scale import (
    BRACKETS,
    candidates,
    is_no_answer,
    is_off_scale,
    total_labels,
)
from autotype.inference.labels.reading import Reading, names_of
from autotype.inference.labels.scales import beside_own_scale, read_halves, read_prefixes
from autotype.inference.labels.topics import TITLES, topics_of
from autotype.inference.labels.unread import (
    are_phrases_apart,
    coverage,
    gap_features,
    is_other_matter,
)
from autotype.lexicon.grammar import grammar
from autotype.lexicon.languages import ENGLISH, Language, language, languages_of
from autotype.lexicon.number_words import read_quantity
from autotype.lexicon.tokens import UMLAUTS, Label, read_label, settle_leads, sort_key

_MOSTLY_UNDERSTOOD = 0.75
YES_NO = "yes no"  # the names of answers
_MIN_FIRM = 4  # labels above which a reading of all but one goes before names within phrases
_UMLAUTS = {typed: letter for letter, typed in UMLAUTS.items()}
_DIGRAPH = re.compile("|".join(_UMLAUTS), re.I)
_COLON = re.compile(r"(?P<before>[^:]+):\s+(?P<inside>[^:]+)")  # "part-time: under 16 hours"
_SURE_LENGTH = 5  # letters of such a level; short words mean something else in another language
_MUCH_SHORTER = 4  # times that all others are longer than an abbreviation beside sentences
_MIN_REMAINING = 3  # levels that are left when others are set aside from labels that are not read
_TWO_ANSWERS = "answers of two kinds"  # yes and no alone are no scale, with maybe they are
_LONGEST = 1_000  # characters of a label; longer strings are contents, and rules may square them
_WORDS_READ = frozenset({"scale", "composition", "calendar", "nominal"})


def read_labels(levels: Sequence[Hashable], name: Hashable = "") -> LabelEvidence:
    """Read the labels of a column's levels.

    Parameters
    ----------
    levels : sequence of hashable
        The distinct levels, in any order; the answer does not depend on it.
    name : hashable, default ""
        The name of the column: colours of a belt are a scale, and words that name songs are none.

    Returns
    -------
    LabelEvidence

    Notes
    -----
    Rules are tried from the most to the least specific; the first that places every level wins,
    else the one that leaves a single level unplaced. Costs O(number of levels) vocabulary look-ups.

    Examples
    --------
    >>> read_labels(["high", "low", "medium", "don't know"]).order
    ('low', 'medium', 'high')
    >>> read_labels(["18-24", "25-34", "under 18", "65+"]).rule.name
    'range'
    >>> read_labels(["red", "green", "blue"]).order is None
    True
    """
    if any(len(level) > _LONGEST for level in levels if isinstance(level, str)):
        return NO_LABELS
    labels = [read_label(level) for level in sorted(levels, key=sort_key)]
    topics = topics_of(name)
    groups = _group_spellings(labels)
    firsts = [group[0] for group in groups]
    likely, english = languages_of([label.text for label in firsts]), language(ENGLISH)
    tried: dict[Language, tuple[tuple, LabelEvidence]] = {}
    best: tuple[tuple, LabelEvidence] = ((), NO_LABELS)
    # English, whose scales count for no language, is tried first: it may read everything.
    trial = (english,) if english in likely[1:] else ()
    for at, words in enumerate((*trial, *likely)):
        if words not in tried:
            own = _in_language(firsts, words)
            tried[words] = _as_evidence(own, words, *_best_reading(own, words, topics))
        evidence = tried[words][1]
        if at < len(trial) and not (_is_whole(evidence) and evidence.understood == 1.0):
            continue
        # What the likeliest language has names for, if the column is not known to be of a scale.
        is_named = evidence.rule == NOMINAL and evidence.understood == 1.0
        is_named = is_named and not best[0] and not topics
        best = max(best, tried[words], key=lambda read: read[0])
        if is_named or (_is_whole(evidence) and evidence.understood in (0.0, 1.0)):
            break  # nothing is left for another language to read
    evidence = _set_aside_in(_name_language(best[1]), tried)
    if not _is_whole(evidence):
        evidence = _typed_without_umlauts(firsts, name) or evidence
    return evidence if len(groups) == len(labels) else _spell_out(evidence, groups)


def _as_evidence(
    labels: list[Label], words: Language, merit: tuple, reading: Reading | None, kept: list[Label]
) -> tuple[tuple, LabelEvidence]:
    """Return the merit of a reading in a language among languages, and what it says."""
    understood, unread = coverage(labels, words)
    evidence = _evidence(labels, reading, kept, words)
    aside = set(map(id, evidence.off_scale))
    answers = [label for label in labels if id(label.level) not in aside]
    evidence = replace(
        evidence,
        language=words.code if understood else None,
        understood=understood,
        unread=unread,
        apart=not evidence.rule.decides and are_phrases_apart(answers, words),
    )
    is_read = merit[2] > 0 or evidence.rule == NOMINAL
    # Among neighbours, the language that places all labels and knows most of them.
    is_plain = evidence.rule.trusted and _is_whole(evidence) and not evidence.off_scale
    is_plain &= evidence.rule.name != "stage_number"  # "1. Katze" may be an animal
    is_plain |= understood >= _MOSTLY_UNDERSTOOD
    places_all = bool(evidence.order) and merit[0] and is_plain
    return (is_read, places_all, round(4 * understood), *merit), evidence


def _is_whole(evidence: LabelEvidence) -> bool:
    """Check whether a rule that decides has placed all levels that are not set aside."""
    return bool(evidence.order) and not evidence.unplaced and evidence.rule.decides


def _typed_without_umlauts(labels: Sequence[Label], name: Hashable) -> LabelEvidence | None:
    """Read "haeufig" as "häufig" where that makes a scale, or names, of German words."""
    texts = [_DIGRAPH.sub(lambda match: _UMLAUTS[match[0].lower()], label.text) for label in labels]
    if texts == [label.text for label in labels] or language("de") not in languages_of(texts):
        return None
    levels = {text: label.level for text, label in zip(texts, labels, strict=True)}
    again = read_labels(list(levels), name) if len(levels) == len(labels) else None
    if again is None or again.language != "de" or again.unplaced or not again.rule.decides:
        return None
    return again.translated(levels)


def _in_language(labels: list[Label], words: Language) -> list[Label]:
    """Return labels in the words of a language; those of English are so already."""
    words.load()
    grammar(words)
    if words.code == ENGLISH:
        return labels
    _ = language(ENGLISH).off_scale_keys  # labels are compared with these in any language
    return [read_label(k.level, words.split) if isinstance(k.level, str) else k for k in labels]


def _name_language(evidence: LabelEvidence) -> LabelEvidence:
    """Add to the detail in which language the labels were read, if not in English."""
    if evidence.language in (None, ENGLISH) or evidence.rule.name not in _WORDS_READ:
        return evidence
    name = language(evidence.language).table["english"]
    return replace(evidence, detail=f"{evidence.detail} in {name}")


def _set_aside_in(evidence: LabelEvidence, tried: Iterable[Language]) -> LabelEvidence:
    """Set aside what has no place in a language that was tried: "Euro 5", "Euro 6", "unbekannt"."""
    aside: set[int] = set()  # by identity: not all levels can be compared
    is_plain = evidence.language in (None, ENGLISH) or evidence.rule.name not in _WORDS_READ
    for words in tried if evidence.order and is_plain else ():
        labels = _in_language([read_label(level) for level in evidence.unplaced], words)
        aside |= {id(label.level) for label in labels if is_off_scale(label, words)}
    own, rest = (
        tuple(level for level in evidence.unplaced if (id(level) in aside) is is_aside)
        for is_aside in (True, False)
    )
    return replace(evidence, off_scale=evidence.off_scale + own, unplaced=rest)


def _group_spellings(labels: list[Label]) -> list[list[Label]]:
    """Group labels that differ only in capitals and blanks ("low", "Low ")."""
    groups: dict[object, list[Label]] = {}
    for label in labels:
        # Single letters may be codes: "m" and "M" are two.
        key: object = id(label)
        if isinstance(label.level, str):
            key = " ".join(label.text.casefold().split()) if len(label.text) > 1 else label.text
        groups.setdefault(key, []).append(label)
    return list(groups.values())


def _spell_out(evidence: LabelEvidence, groups: list[list[Label]]) -> LabelEvidence:
    """Add the other spellings of a level to the one that was read."""
    # By identity: a level such as Decimal("sNaN") has no hash.
    spelled = {id(group[0].level): tuple(label.level for label in group) for group in groups}

    def all_of(levels: tuple) -> tuple:
        return tuple(spelling for level in levels for spelling in spelled[id(level)])

    gaps: list[tuple[float, ...]] = []
    for gap, level in zip(evidence.gaps, evidence.order or (), strict=False):
        gaps += [gap, *[()] * (len(spelled[id(level)]) - 1)]  # none between spellings
    return replace(
        evidence,
        gaps=(*gaps, *evidence.gaps[-1:]),
        order=None if evidence.order is None else all_of(evidence.order),
        off_scale=all_of(evidence.off_scale),
        unplaced=all_of(evidence.unplaced),
        spellings=tuple(spelling for spelling in spelled.values() if len(spelling) > 1),
    )


def _best_reading(
    labels: list[Label], words: Language, topics: frozenset[str]
) -> tuple[tuple, Reading | None, list[Label]]:
    """Return the best reading of the labels with and without those off the scale, and its merit."""
    best: tuple[tuple, Reading | None, list[Label]] = ((False, False, 0, 0, False), None, [])
    beside = beside_own_scale(labels, words, topics)
    for kept in candidates(labels, words, beside):
        # "sehr zufr.", which no scale holds; a unit may have its full stop: "30 Min."
        is_dotted = any("." in k.text and not any(map(str.isdigit, k.text)) for k in kept)
        cut = read_cut(kept, words, topics) if is_dotted else None
        reading = cut or _read_rules(kept, words, topics)
        before, inside = _bracket_parts(kept, words)
        if before and (reading is None or len(reading.ranks) < len(kept)):
            named = _read_rules(before, words, topics)
            explained = read_quantities(inside, words)
            is_range = explained is not None and explained.rule == "range"  # "Paris (75)" is none
            least = len(kept) if reading or is_range else min(len(kept), _MIN_FIRM + 1)
            if named is not None and len(named.ranks) >= least:
                reading = named
            elif is_range:
                reading = explained
        if reading is None or len(reading.ranks) < len(kept):
            again = read_signed(kept, words, topics) or read_written_out(kept, words, topics)
            reading = again or reading
        if reading is not None:
            reading = mend(reading, kept, words, topics)
        elif not is_dotted:
            reading = read_cut(kept, words, topics)
        if reading is None or (
            # "99. no answer" is numbered as the others are.
            not RULES[reading.rule].decides and any(is_off_scale(k, words) for k in kept)
        ):
            continue
        reading, kept = with_lowest(reading, kept, labels, words)
        reading, kept = with_absence(reading, kept, labels, words)
        merit = _merit(reading, kept, words)
        if best[1] is None or merit > best[0]:
            best = (merit, reading, kept)
    return best


def _merit(reading: Reading, kept: list[Label], words: Language) -> tuple:
    """Prefer a reading that places all it kept but phrases, then one that keeps more levels."""
    left = [label for i, label in enumerate(kept) if i not in reading.ranks]
    complete = reading.rule == "nominal" or all(is_off_scale(label, words) for label in left)
    decides = RULES[reading.rule].decides
    return (complete, reading.rule != "nominal", len(reading.ranks), len(kept), decides)


def _bracket_parts(labels: list[Label], words: Language) -> tuple[list[Label], list[Label]]:
    """Return what stands before and inside the brackets with which labels end, if most do.

    A label without them stands whole on both sides: "many (101-200)", "more than 200".
    """
    matches = [(BRACKETS.fullmatch(x.text) or _COLON.fullmatch(x.text)) for x in labels]
    if 3 * sum(map(bool, matches)) < 2 * len(labels):
        return [], []
    pairs = list(zip(labels, matches, strict=True))
    before = [reworded(label, m["before"], words) if m else label for label, m in pairs]
    inside = [replace(read_label(m["inside"]), level=k.level) if m else k for k, m in pairs]
    return before, inside


def _read_rules(labels: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Read the labels by the first rule that places all of them, else nearly all."""
    labels = settle_roman_leads(settle_leads(labels))
    if TITLES in topics and not _are_numbers(labels, words):
        return names_of(TITLES)
    for rule in _RULES_OF_NUMBERS:
        if (reading := rule(labels, words, topics)) is not None:
            return reading
    share, named = name_shares(labels, words)
    answers = all(label.key in grammar(words).answers for label in labels)
    if len(labels) == 2 and (answers or (share, named) == (1.0, _TWO_ANSWERS)):
        return names_of(_TWO_ANSWERS)
    partial: list[Reading] = []
    for rule in _RULES_OF_SCALES:
        reading = rule(labels, words, topics)
        if reading is None:
            continue
        if reading.rule == "nominal" or (len(reading.ranks) == len(labels) and not reading.weak):
            return reading
        partial.append(reading)
    firm = [reading for reading in partial if not reading.weak]
    # "Mostly true" grades an answer, also where one of its labels is misspelled.
    least = _MIN_FIRM - (named == YES_NO)
    if share == 1.0 and not (firm and len(labels) > least):
        return names_of(named)
    if firm:
        return firm[0]
    if share >= NAMED:
        return names_of(named)
    listed = read_halves(labels) or read_enumerators(labels, words, topics)
    return listed or (partial[0] if partial else read_numbered_names(labels))


def _are_numbers(labels: list[Label], words: Language) -> bool:
    """Check for numbers alone, or two counts of a period: "twice a year" is no title of a book."""
    stated = [read_quantity(label.text, words) for label in labels if label.number is None]
    return not stated or sum(q is not None and q.unit == "rate" for q in stated) > 1


# All rules but the last ones, in the order in which they are tried. Each is a function of labels,
# their language and the topics of the column's name, and returns None where it does not apply.
_Rule = Callable[[list[Label], Language, frozenset[str]], Reading | None]
_RULES_OF_NUMBERS: tuple[_Rule, ...] = (  # the first that applies is taken
    read_gauges,
    read_numeric,
    read_fractions,
    read_marks,
    read_signed_numbers,
    read_dates,
    read_hours,
    read_parts,
)
_RULES_OF_SCALES: tuple[_Rule, ...] = (  # the first that places all labels is, or names them
    read_words,
    read_sizes,
    read_prefixes,
    read_numerals,
    read_quantities,
    read_anchored_numbers,
)


def _unread(labels: list[Label], words: Language) -> LabelEvidence:
    """Set aside "don't know" and the like although no rule reads the others, if enough remain."""
    totals = set(map(id, total_labels(labels)))
    lengths = sorted(len(label.text) for label in labels)
    short = lengths[1] / _MUCH_SHORTER if len(lengths) > 1 else 0
    off_scale = [
        label.level
        for label in labels
        if id(label) in totals
        or (
            (len(label.key) >= _SURE_LENGTH or not label.key.isascii() or "/" in label.text)
            and is_off_scale(label, words)
        )
        or (len(label.text) <= short and label.text.isupper() and is_off_scale(label, words))
    ]
    if len(labels) - len(off_scale) < _MIN_REMAINING:
        off_scale = []
    aside = set(map(id, off_scale))
    rest = tuple(label.level for label in labels if id(label.level) not in aside)
    return LabelEvidence(NO_RULE, None, False, tuple(off_scale), rest, "")


def _evidence(
    labels: list[Label], reading: Reading | None, kept: list[Label], words: Language
) -> LabelEvidence:
    if reading is None:
        return _unread(labels, words)
    if reading.rule == "nominal":
        totals = set(map(id, total_labels(labels)))
        aside = tuple(
            label.level for label in labels if id(label) in totals or is_no_answer(label, words)
        )
        return LabelEvidence(NOMINAL, None, False, aside, (), reading.detail)
    placed = {id(kept[i]) for i in reading.ranks}
    read = {id(label) for label in kept}
    rest = [label for label in labels if id(label) not in placed]
    off_scale: list[Hashable] = []
    unplaced: list[Hashable] = []
    levels = [kept[i] for i in reading.along]
    for label in rest:
        is_aside = id(label) not in read or is_off_scale(label, words)
        is_aside |= len(rest) == 1 and is_other_matter(label, levels, reading.rule, words)
        (off_scale if is_aside else unplaced).append(label.level)
    rule = RULES[reading.rule]
    return LabelEvidence(
        rule,
        tuple(kept[i].level for i in reading.along),
        reading.direction_known,
        tuple(off_scale),
        tuple(unplaced),
        reading.detail,
        reading.cyclic,
        gaps=gap_features(reading, kept, words) if rule.trusted and len(unplaced) == 1 else (),
    )
