"""Read the strings of the levels of a column: whether there is an order, and which end is low."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

from autotype.inference.labels.degrees import complete_by_degrees, read_composition
from autotype.inference.labels.evidence import NO_LABELS, NO_RULE, NOMINAL, RULES, LabelEvidence
from autotype.inference.labels.names import NAMED, name_shares, read_dates, read_hours
from autotype.inference.labels.number_rules import (
    read_anchored_numbers,
    read_numeric,
    read_quantities,
    read_sizes,
)
from autotype.inference.labels.numeral_rules import (
    read_enumerators,
    read_fractions,
    read_marks,
    read_numbered_names,
    read_numerals,
    read_signed_numbers,
)
from autotype.inference.labels.off_scale import (
    BRACKETS,
    candidates,
    denies,
    is_no_answer,
    is_off_scale,
    plain_nevers,
    total_labels,
)
from autotype.inference.labels.reading import Reading, distinct, names_of
from autotype.inference.labels.scales import (
    beside_own_scale,
    complete_by_leads,
    complete_by_zero,
    read_halves,
    read_prefixes,
    read_scale,
)
from autotype.inference.labels.topics import TITLES, topics_of
from autotype.inference.labels.unread import (
    are_phrases_apart,
    complete_cut_words,
    corrections,
    coverage,
    gap_features,
    is_other_matter,
)
from autotype.lexicon.grammar import NEGATION, NOT_AT_ALL, grammar
from autotype.lexicon.languages import ENGLISH, Language, Words, language, languages_of
from autotype.lexicon.number_words import read_quantity
from autotype.lexicon.tokens import (
    UMLAUTS,
    Label,
    plain_words,
    read_label,
    runs,
    settle_leads,
    sort_key,
)
from autotype.lexicon.toml_files import read_toml

_MOSTLY_UNDERSTOOD = 0.75
_LONGEST_NEVER = 3  # words
_LONGEST_NOTHING = 6  # words of a label that holds it
_LONGEST_NONE = 2  # words of "no knowledge", while "not yet tested" is off the scale
_SIGNED = re.compile(r"(?P<name>\w[\w\s-]*?\w)\s*[(\[]?(?P<sign>\+{1,2}|[-–−]{1,2})[)\]]?")
_SHORTEST_CUT_PHRASE = 8  # letters of a label that may be the beginning of a longer one
YES_NO = "yes no"  # the names of answers
_MIN_FIRM = 4  # labels above which a reading of all but one goes before names within phrases
_UMLAUTS = {typed: letter for letter, typed in UMLAUTS.items()}
_DIGRAPH = re.compile("|".join(_UMLAUTS), re.I)
_NORMAL = frozenset({"normal", "baseline"})  # "TARP normal" below "TARP level 1"
_SURE_LENGTH = 5  # letters of such a level; short words mean something else in another language
_MUCH_SHORTER = 4  # times that all others are longer than an abbreviation beside sentences
_MIN_REMAINING = 3  # levels that are left when others are set aside from labels that are not read
_TWO_ANSWERS = "answers of two kinds"  # yes and no alone are no scale, with maybe they are
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
    places_all = bool(evidence.order) and merit[0] and understood >= _MOSTLY_UNDERSTOOD
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
    own = []
    for label in labels:
        is_text = isinstance(label.level, str)
        own.append(read_label(label.level, words.split) if is_text else label)
    return own


def _name_language(evidence: LabelEvidence) -> LabelEvidence:
    """Add to the detail in which language the labels were read, if not in English."""
    if evidence.language in (None, ENGLISH) or evidence.rule.name not in _WORDS_READ:
        return evidence
    name = language(evidence.language).table["english"]
    return replace(evidence, detail=f"{evidence.detail} in {name}")


def _set_aside_in(evidence: LabelEvidence, tried: Iterable[Language]) -> LabelEvidence:
    """Set aside what has no place in a language that was tried: "Euro 5", "Euro 6", "unbekannt"."""
    aside: set[int] = set()  # by identity: not all levels can be compared
    is_plain = evidence.order and evidence.language in (None, ENGLISH)
    for words in tried if is_plain else ():
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
            is_word = len(label.text) > 1
            key = " ".join(label.text.casefold().split()) if is_word else label.text
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
        is_dotted = any("." in label.text for label in kept)  # "sehr zufr.", which no scale holds
        cut = _read_cut(kept, words, topics) if is_dotted else None
        reading = cut or _read_rules(kept, words, topics)
        before, inside = _bracket_parts(kept, words)
        if before and (reading is None or len(reading.ranks) < len(kept)):
            named = _read_rules(before, words, topics)
            explained = read_quantities(inside, words)
            if named is not None and len(named.ranks) == len(kept):
                reading = named
            elif explained is not None and explained.rule == "range":  # "Paris (75)" is none
                reading = explained
        if reading is None or len(reading.ranks) < len(kept):
            again = _read_signed(kept, words, topics) or _read_written_out(kept, words, topics)
            reading = again or reading
        if reading is not None:
            reading = _mend(reading, kept, words, topics)
        elif not is_dotted:
            reading = _read_cut(kept, words, topics)
        if reading is None or (
            # "99. no answer" is numbered as the others are.
            not RULES[reading.rule].decides and any(is_off_scale(k, words) for k in kept)
        ):
            continue
        reading, kept = _with_lowest(reading, kept, labels, words)
        reading, kept = _with_absence(reading, kept, labels, words)
        merit = _merit(reading, kept, words)
        if best[1] is None or merit > best[0]:
            best = (merit, reading, kept)
    return best


def _with_lowest(
    reading: Reading, kept: list[Label], labels: list[Label], words: Language
) -> tuple[Reading, list[Label]]:
    """Place a label without a place, or left out with those off the scale, if it is the lowest.

    "Never" beside "don't remember", which both deny something, and "never in the last 12 months".
    """
    if reading.rule not in ("scale", "composition", "range"):
        return reading, kept
    placed = [kept[i] for i in reading.along]
    known = set(map(id, placed))
    left = [label for i, label in enumerate(kept) if i not in reading.ranks] or labels
    if reading.rule == "range" and min(reading.ranks.values()) < (0,):
        return reading, kept  # "norm", or a negative number, is lower than nothing
    never = set(map(id, plain_nevers(labels, words)))
    for label in left if len(left) == 1 or left is labels else ():
        if never - {id(label)}:
            continue  # "never heard of it" is not lower than "never"
        if reading.rule == "range":  # "not at all" beside "less than an hour"
            if id(label) not in known and _as_nothing(label, words):
                # "I do not work" is zero times only where nothing else is.
                is_second = denies(placed[0], words) and not read_quantity(placed[0].text, words)
                placed = placed[is_second:]
                ranks = {0: (0, 0)} | {1 + k: (1, k) for k in range(len(placed))}
                return replace(reading, ranks=ranks, n_ranks=0), [label, *placed]
            continue
        for lowest in () if id(label) in known else _as_nothing(label, words):
            again = _read_words([lowest, *placed], words, frozenset())
            if again is not None and again.along == list(range(len(placed) + 1)):
                return again, [label, *placed]
    return reading, kept


def _as_nothing(label: Label, words: Language) -> list[Label]:
    """Return a label that means "never" or "not at all", and what else its words may stand for.

    "I do not use it at all" is "never" beside "once a month"; no reading if it means another thing.
    """
    body = label.body
    begins = body[:1] and body[0] in words.never_keys - words.keys("negation", "words")
    if not body or not (begins or len(body) <= _LONGEST_NOTHING or words.by_characters):
        return []
    # Of signs, a part of any word may be a denial.
    skipped = frozenset() if words.by_characters else frozenset(body)
    degree = grammar(words).place(body, skipped).degree
    keys = {key for _, _, key in runs(body, _LONGEST_NEVER)}
    is_never = begins or not keys.isdisjoint(words.never_keys - words.zero_keys)
    # "ほとんど食べない", "전혀 읽지 않았다": what opens the label denies with its end.
    opens = words.by_characters and denies(label, words) and _opens_denial(body, words)
    is_answer = grammar(words).answers.get(label.key) == -1  # "no" beside "sometimes"
    is_never |= is_answer
    if label.key in words.counted_zero_keys or is_never or opens or (degree or 0.0) <= NOT_AT_ALL:
        is_plain = opens or is_answer or not words.by_characters
        known = (words.never[:1], words.phrases("degree", "-4")[:1]) if is_plain else ()
        others = [words.split(phrase) for phrases in known for phrase in phrases]
        return [label, *(replace(label, words=w, body=w, key="".join(w)) for w in others)]
    return []


def _opens_denial(body: Words, words: Language) -> bool:
    """Check whether what opens a label makes hardly anything, or nothing, of a denial."""
    known = grammar(words).modifiers
    found = [known[key] for n in range(2, len(body)) if (key := "".join(body[:n])) in known]
    return any(m.kind in ("emphasis", "shrink") or 0 > m.value != NEGATION for m in found[-1:])


def _with_absence(
    reading: Reading, kept: list[Label], labels: list[Label], words: Language
) -> tuple[Reading, list[Label]]:
    """Place the one label that denies what the others grade below them, where they start at zero.

    "No bleaching" below "low", and "no" below "yes, a little"; but "no basement" beside "fair".
    """
    known = set(map(id, kept))
    left = [label for label in labels if id(label) not in known and not is_off_scale(label, words)]
    is_whole = len(reading.ranks) == len(kept) and reading.direction_known
    if len(left) != 1 or not is_whole:
        return reading, kept
    (label,) = left
    if reading.rule == "stage_number" and _is_unstaged(label, kept, words):
        ranks = {i: (rank,) for i, rank in reading.ranks.items()} | {len(kept): ()}
        return replace(reading, ranks=ranks), [*kept, label]
    if reading.rule not in ("scale", "composition"):
        return reading, kept
    if words.absence_keys.isdisjoint((*label.words[:1], *label.words[-1:])):
        return reading, kept
    answers = grammar(words).answers
    is_no = answers.get(label.key) == -1 and all(answers.get(k.body[0]) == 1 for k in kept)
    denied = any(not words.absence_keys.isdisjoint(each.words) for each in kept)
    is_short = len(label.words) <= _LONGEST_NONE
    zeros = _lowest_denials(reading, words) if is_short and not denied else []
    if len(label.words) > 1 and not denied:
        zeros += sorted(words.zero_keys)[:1] if reading.rule == "scale" else []
        zeros += [word for word in label.words[:1] if word in words.counted_zero_keys]
    for key in zeros:
        other = replace(label, words=(key,), body=(key,), key=key)
        again = _read_words([*kept, other], words, frozenset())
        is_no |= again is not None and again.ranks.get(len(kept)) == min(again.ranks.values())
    if not is_no:
        return reading, kept
    lowest = {i: (1, rank) for i, rank in reading.ranks.items()} | {len(kept): (0, 0)}
    return replace(reading, ranks=lowest), [*kept, label]


def _is_unstaged(label: Label, kept: list[Label], words: Language) -> bool:
    """Check for what stands below the first grade of a thing: "none", "no AKI", "normal"."""
    from_one = read_toml("numbers")["stages"]["from_one"]
    is_graded = all(any(word in from_one for word in each.words) for each in kept)
    is_zero = label.key in words.zero_keys or not _NORMAL.isdisjoint(label.words)
    return is_graded and (is_zero or not words.absence_keys.isdisjoint(label.words[:1]))


def _lowest_denials(reading: Reading, words: Language) -> list[str]:
    """Return the keys of what denies in the lowest rank of the scale that was read."""
    named = [s for s in words.lists.get("scale", ()) if f'scale "{s["name"]}"' in reading.detail]
    split = [words.split(phrase) for scale in named for phrase in scale["ranks"][0]]
    return ["".join(body) for body in split if body and body[0] in words.absence_keys][:1]


def _read_signed(kept: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Read levels of which some carry a sign: "low", "medium-", "medium", "medium (+)", "high".

    A sign moves a level less than a step. At least one level stands beside its signed ones.
    """
    parts = [_SIGNED.fullmatch(label.text) for label in kept]
    names = [part["name"] if part else label.text for part, label in zip(parts, kept, strict=True)]
    bare = {label.text.casefold() for part, label in zip(parts, kept, strict=True) if not part}
    if not any(part and part["name"].casefold() in bare for part in parts):
        return None
    own = {name.casefold(): _reworded(kept[i], name, words) for i, name in enumerate(names)}
    reading = _read_words(list(own.values()), words, topics) if len(own) > 1 else None
    if reading is None or len(reading.ranks) < len(own) or not reading.direction_known:
        return None
    rank_of = {name: reading.ranks[i] for i, name in enumerate(own)}
    signs = [part["sign"] if part else "" for part in parts]
    places = [
        (i, (rank_of[name.casefold()], sign.count("+") - sum(map(sign.count, "-–−"))))
        for i, (name, sign) in enumerate(zip(names, signs, strict=True))
    ]
    ranks = distinct(places)
    return replace(reading, ranks=ranks) if len(ranks) == len(kept) else None


def _read_written_out(kept: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Read levels with the words that registers abbreviate written out: "mild", "mod", "sev"."""
    table = read_toml("register_names")["levels"].get(words.code)
    if table is None:
        return None
    labels = []
    for label in kept:
        own = label.words if words.code == ENGLISH else plain_words(label.text)
        full = [table.get(word, word) for word in own]
        is_short = full != list(own) and not any(map(str.isdigit, label.text))
        labels.append(_reworded(label, " ".join(full), words) if is_short else label)
    if labels == kept or len({label.key for label in labels}) < len(kept):
        return None
    reading = _read_words(labels, words, topics)
    return reading if reading is not None and len(reading.ranks) == len(kept) else None


def _read_cut(kept: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Read labels of which some hold words that were cut off or abbreviated."""
    for texts in complete_cut_words([label.text for label in kept], words):
        labels = [_reworded(*pair, words) for pair in zip(kept, texts, strict=True)]
        reading = _read_words(labels, words, topics)
        if reading is not None and len(reading.ranks) == len(kept):
            return replace(reading, detail=f"{reading.detail}, cut words completed")
    return None


def _reworded(label: Label, text: str, words: Language) -> Label:
    """Return the label of a level whose text is another one."""
    return replace(read_label(text, words.split), level=label.level)


def _mend(reading: Reading, kept: list[Label], words: Language, topics: frozenset[str]) -> Reading:
    """Read the one label without a place once more, its typo or cut end mended."""
    n_kept = len(kept)
    if reading.rule not in ("scale", "composition") or len(reading.ranks) != n_kept - 1:
        return reading
    at = next(i for i in range(n_kept) if i not in reading.ranks)
    label = kept[at]
    if is_off_scale(label, words):
        return reading
    width = max(len(str(each.level)) for each in kept)
    is_cut = len(str(label.level)) == width
    texts = corrections(label.text, words, is_cut=is_cut)
    found = []
    if is_cut and len(label.key) >= _SHORTEST_CUT_PHRASE:
        keys = sorted(key for key in words.scale_index if key.startswith(label.key))
        found = [replace(label, words=(key,), body=(key,), key=key) for key in keys]
    found += [_reworded(label, text, words) for text in texts]
    for other in found:
        mended = _read_words([*kept[:at], other, *kept[at + 1 :]], words, topics)
        if mended is not None and len(mended.ranks) == n_kept and not mended.weak:
            text = other.text if other.text != label.text else other.key
            return replace(mended, detail=f'{mended.detail}, "{label.text}" read as "{text}"')
    return reading


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
    matches = [BRACKETS.fullmatch(label.text) for label in labels]
    if 3 * sum(map(bool, matches)) < 2 * len(labels):
        return [], []
    pairs = list(zip(labels, matches, strict=True))
    before = [_reworded(label, m["before"], words) if m else label for label, m in pairs]
    inside = [replace(read_label(m["inside"]), level=k.level) if m else k for k, m in pairs]
    return before, inside


def _read_rules(labels: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Read the labels by the first rule that places all of them, else nearly all."""
    labels = settle_leads(labels)
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


def _read_words(labels: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Return the better of a vocabulary scale and a composition."""
    scale, composed = read_scale(labels, words, topics), read_composition(labels, words)
    if composed is not None:
        composed = complete_by_zero(labels, composed, words)
    if scale is None or (composed is not None and len(composed.ranks) > len(scale.ranks)):
        scale = composed
    elif composed is not None and words.code != ENGLISH and scale.along[::-1] == composed.along:
        scale = composed  # "bad" is low, whatever the special scale that lists it runs from
    if scale is not None and len(scale.ranks) < len(labels):
        scale = complete_by_zero(labels, scale, words)
        scale = complete_by_degrees(labels, scale, words)
        left = [label for i, label in enumerate(labels) if i not in scale.ranks]
        if not any(is_off_scale(label, words) for label in left):
            scale = complete_by_leads(labels, scale)
    return scale


# All rules but the last ones, in the order in which they are tried. Each is a function of labels,
# their language and the topics of the column's name, and returns None where it does not apply.
_Rule = Callable[[list[Label], Language, frozenset[str]], Reading | None]
_RULES_OF_NUMBERS: tuple[_Rule, ...] = (  # the first that applies is taken
    read_numeric,
    read_fractions,
    read_marks,
    read_signed_numbers,
    read_dates,
    read_hours,
)
_RULES_OF_SCALES: tuple[_Rule, ...] = (  # the first that places all labels is, or names them
    _read_words,
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
