"""Place the label that denies below what the others grade: never, nothing, no answer of theirs."""

from __future__ import annotations

from dataclasses import replace

from autotype.inference.labels.mending import read_words
from autotype.inference.labels.off_scale import denies, is_off_scale, names_choices, plain_nevers
from autotype.inference.labels.reading import Reading
from autotype.lexicon.grammar import NEGATION, NOT_AT_ALL, grammar
from autotype.lexicon.languages import Language, Words
from autotype.lexicon.number_words import read_quantity
from autotype.lexicon.tokens import Label, runs
from autotype.lexicon.toml_files import read_toml

_LONGEST_NEVER = 3  # words
_LONGEST_NOTHING = 6  # words of a label that holds it
_LONGEST_NONE = 2  # words of "no knowledge", while "not yet tested" is off the scale
_NORMAL = frozenset({"normal", "baseline"})  # "TARP normal" below "TARP level 1"


def with_lowest(
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
            again = read_words([lowest, *placed], words, frozenset())
            if again is not None and again.along == list(range(len(placed) + 1)):
                return again, [label, *placed]
    return reading, kept


def _as_nothing(label: Label, words: Language) -> list[Label]:
    """Return a label that means "never" or "not at all", and what else its words may stand for.

    "I do not use it at all" is "never" beside "once a month"; no reading if it means another thing.
    """
    body = label.body
    begins = body[:1] and body[0] in words.never_keys - words.keys("negation", "words")
    is_short = begins or len(body) <= _LONGEST_NOTHING or words.by_characters
    if not (body and is_short) or names_choices(label.text):
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


def with_absence(
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
        again = read_words([*kept, other], words, frozenset())
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
