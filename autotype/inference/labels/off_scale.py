"""Levels that stand next to a scale: "don't know", "No basement", -9, 99, blanks and dashes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from itertools import accumulate, compress, dropwhile

from autotype.lexicon.grammar import FREQUENCY, grammar
from autotype.lexicon.languages import ENGLISH, Language, Words, language
from autotype.lexicon.missing import CODES_ABOVE, CODES_BELOW, missing_phrases
from autotype.lexicon.tokens import Label, is_unspaced, plain_words, read_label, without_accents
from autotype.lexicon.toml_files import read_toml

BRACKETS = re.compile(r"(?P<before>[^()]+)\((?P<inside>[^()]*)\)")

_IN_BRACKETS = re.compile(r"\[[^\[\]]*[^\W\d_][^\[\]]*\]|<[^\W\d_][^<>]*>|\{[^\W\d_][^{}]*\}")
_FORMS = re.compile(r"(?<=[^\W\d_]{3})(?:\(-?[^\W\d_]{1,4}\)|/-?[^\W\d_]{1,2}\b)")
_CLAUSE = re.compile(r"(?<=[\w/.][\w.])(?:[,;:，、،]\s*|\s[-–—]\s)(?=[^\W\d_])")
_OUTER = re.compile(r"\s*[(\[（].*$")  # "Total (all ages)"
_LONGEST_ABSENCE = 4  # words of "No basement"
_LONGEST_DENIAL = 6  # words of "I do not go there at all"
_LONGEST_KEY = 16  # characters of one in a language without blanks
_SIGNS_ALONE = re.compile(r"[\W_]*")
_SHORTEST_RUN = 3
_STEM = 5  # letters that the forms of a word share: "basariyorum", "basaramiyorum"
_SHORT_STEM = 3  # letters that all forms of a noun share: "sāpju", "sāpes"
_FAR_ABOVE = 10  # times the largest number beside a code such as 999
_LARGE_CODE = -9  # from here on no level beside ranges of numbers
_LONGEST_ENDING = 6  # words of "severity unknown"
_CODE_BEFORE = re.compile(r"^\d*[.:)=\s-]+")  # of "99. NA", not of "2nd"
_SECOND_WORD = re.compile(r"\W*\w+\s+\w")
_SHORTEST_PHRASE = 5  # characters
_LARGEST_OF_RUN = 20
_REFUSALS = frozenset({7.0, 8.0, 9.0})
_UNKNOWN = 9.0  # the one code of registers of one digit
_FARTHEST = 5  # last code of a run beside which it stands alone
_ALL_OF = re.compile(r"(?i)(?:all|total) (?!the\b|of\b|my\b|times?\b)\w+s")
GRADES = frozenset("abcdefgh")  # letters beside which "N" is no level of them
_ODD_LETTERS = frozenset({"x", "u", "z"})
_ODD_CAPITALS = frozenset({"U", "UN", "NA", "NR", "NOS", "UNK", "NS", "NE", "NC", "NN", "NG"})
_DIGIT = re.compile(r"\d")
_DENYING_PREFIXES = ("un", "non", "not", "no")
_NOUN = 4  # letters of a noun that others share
_LETTERS = re.compile("[A-Z]{1,4}")
_LOW_NUMERAL = re.compile(r"(?:I{1,3}|I?V)[a-d]?|[^\W\d_]{0,12}[\s-]?\d{1,2}[a-d]?", re.I)
_CODE = re.compile(r"(?P<stem>[^\W\d_]+[\s-]?)(?P<number>\d{1,2})(?:[a-d]|/\d)?", re.I)


def structural_off_scale(levels: Sequence[Hashable]) -> tuple:
    """Return the levels that have no place on a scale by their form alone.

    Parameters
    ----------
    levels : sequence of hashable
        All levels of a column.

    Returns
    -------
    tuple
        Blanks, dashes and question marks next to other strings, and words in brackets next to
        others ("[Discrepancy]"); codes such as -9, -1, 97 and 999 next to at least three
        consecutive integers, in the order of the levels.

    Examples
    --------
    >>> structural_off_scale([1, 2, 3, 4, 99]), structural_off_scale(["low", "high", "?"])
    ((99,), ('?',))
    >>> structural_off_scale([-2, -1, 0, 1, 2]), structural_off_scale(["-", "+", "++"])
    ((), ())
    """
    labels = [read_label(level) for level in levels]
    empty = [bool(_SIGNS_ALONE.fullmatch(label.text)) for label in labels]
    n_signs = sum(label.text not in ("", "?") for label in compress(labels, empty))
    are_levels = empty.count(False) < 2 or n_signs > 1  # "-", "+": signs are the levels
    marked = [bool(_IN_BRACKETS.fullmatch(label.text)) for label in labels]
    marked = marked if marked.count(False) > 1 else [False] * len(labels)
    numbers = [label.number for label in labels if label.number is not None]
    leads = [label.lead if label.listed else label.number for label in labels]  # "99 - no idea"
    listed = codes_beside_run(lead for lead in leads if lead is not None)
    codes = codes_beside_run(numbers) | _codes_beside_words(numbers, labels)
    return tuple(
        label.level
        for label, lead, is_empty, is_marked in zip(labels, leads, empty, marked, strict=True)
        if is_marked
        or label.number in codes
        or (lead is not None and lead in listed)
        or (is_empty and label.text != "+" and not (are_levels and label.text))
    )


def _codes_beside_words(numbers: Sequence[float], labels: Sequence[Label]) -> set[float]:
    """Return the codes for missing values that stand beside worded levels: -99, "good", "bad"."""
    worded = [label.text for label in labels if label.number is None and label.words]
    ends = {int(n) for text in worded for n in re.findall(r"\d{1,9}", text)}
    largest = max(ends, default=0)
    are_ranges = len(worded) >= _SHORTEST_RUN and all(map(_DIGIT.search, worded))
    alone = _REFUSALS if largest == 0 and len(worded) >= _SHORTEST_RUN else set()
    if len(worded) < 2 or not set(numbers) <= CODES_BELOW | CODES_ABOVE | alone:
        return set()
    # Beside ranges 99 is a code, too, where none of them ends before it or begins behind it.
    within = {n for n in numbers if are_ranges and ends.isdisjoint((n - 1, n + 1))}
    return within | {n for n in numbers if n <= _LARGE_CODE or n > _FAR_ABOVE * largest}


def codes_beside_run(values: Iterable[float]) -> set[float]:
    """Return the codes for missing values that stand far outside a run of consecutive integers.

    Examples
    --------
    >>> codes_beside_run([1, 2, 3, 99]), codes_beside_run(range(100))
    ({99}, set())
    >>> sorted(codes_beside_run([1, 2, 3, 7, 9])), codes_beside_run([1, 2, 3, 9])
    ([7.0, 9.0], {9.0})
    >>> codes_beside_run([1, 2, 3, 4, 5, 6, 9])
    set()
    """
    values = set(values)
    codes = {v for v in values if v in CODES_BELOW or v in CODES_ABOVE} | _refusals(values)
    run = sorted(values - codes)
    if not codes or len(run) < _SHORTEST_RUN or run[-1] > _LARGEST_OF_RUN:
        return set()
    if run[0] < 0 or run[-1] - run[0] != len(run) - 1:
        return set()
    # -1 continues 0, 1, 2; and -2, -1, 1, 2 is a scale without a middle.
    if run[0] - 1 in codes or {-v for v in codes if v < 0} >= set(run):
        return set()
    return codes


def _refusals(values: set[float]) -> set[float]:
    """Return 7, 8 and 9, two of which at least, beside a run that ends two below them.

    NHANES and other code books of one digit: 7 refused, 8 not asked, 9 not known. 9 alone counts
    beside a short run.
    """
    if values - _REFUSALS == values - {_UNKNOWN} and max(values, default=0) == _UNKNOWN:
        return {_UNKNOWN} if max(values - {_UNKNOWN}, default=0) <= _FARTHEST else set()
    found = set(_REFUSALS & values)
    below = max(values - found, default=0)
    return found if len(found) > 1 and 9 in found and below + 1 < min(found) else set()


def candidates(
    labels: Sequence[Label], words: Language, beside: Sequence[Label] = ()
) -> list[list[Label]]:
    """Return the labels with and without those that may be off the scale.

    "none", "unknown" or "other" belong to some scales and stand next to others, so both readings
    are tried. Codes and blanks are left out of all.

    Parameters
    ----------
    labels : sequence of Label
        All labels of a column.
    words : Language
        Their language.
    beside : sequence of Label
        Labels that stand beside their scale by its standard.

    Returns
    -------
    list of list of Label
        At least two labels each.
    """
    structural = {id(level) for level in structural_off_scale([label.level for label in labels])}
    structural |= {  # "no data" is no level of "no", "some", nor "not rated" one of "not", "very"
        id(label.level) for label in labels if len(label.words) > 1 and _is_unjudged(label, words)
    }
    others = (*beside, *total_labels(labels), *_unknown_codes(labels, words))
    structural |= {id(label.level) for label in others}
    graded = [label for label in labels if id(label.level) not in structural]
    aside = {id(label) for label in graded if is_off_scale(label, words)}
    # "Hard" is a level beside "very hard", and "no opinion" may be the middle beside "don't know".
    bodies = [label.body for label in graded if id(label) not in aside]
    levels = {body[1:] for body in bodies if body and body[0] in words.modifiers}
    sure = [label for label in graded if id(label) not in aside or label.body in levels]
    shared = [set(x.words) - words.filler_keys for x in sure]
    common = set.intersection(*shared) if len(sure) > _SHORTEST_RUN else set()
    if common:  # "unsure" is no degree where all others are of "confident"
        graded = [x for x in graded if not words.begins_off_scale(x.words) or common & {*x.words}]
    listed = [label for label in graded if id(label) not in aside or label.key in words.scale_index]
    counts = Counter(stem for label in sure for stem in {word[:_STEM] for word in label.words})
    likely = [label for label in sure if not _is_absence(label, words, counts)]
    apart = _without_denials(likely, words)
    kinds = [graded, listed, sure, likely, apart]
    # What ended without success is beside its steps, and what became of a thing beside a scale of
    # others: "cancelled" beside "new" and "closed", "closed" beside "poor", "fair", "good".
    outcomes = words.keys("off_scale", "outcomes")
    both = outcomes | words.keys("off_scale", "states")
    for states, base in ((outcomes, sure), (outcomes, likely), (both, sure), (both, likely)):
        rest = [label for label in base if label.key not in states]
        held = [set(words.scale_index.get(label.key, ())) for label in rest]
        if len(rest) >= _SHORTEST_RUN and (states is not outcomes or set.intersection(*held)):
            kinds.append(rest)
    odd = {id(x) for x in likely[_SHORTEST_RUN:] and likely if _is_odd(x, likely, words)}
    if odd and len(likely) - len(odd) >= _SHORTEST_RUN:
        kinds.append([k for k in likely if id(k) not in odd])
    return list({tuple(map(id, kept)): kept for kept in kinds if len(kept) >= 2}.values())


def _is_odd(label: Label, labels: Sequence[Label], words: Language) -> bool:
    """Check for a letter that means unknown beside others, a denial of their noun, or one word.

    "U" beside "0-9" and "10-19", "X" beside "A", "B" and "C", "untiered" beside "Tier 1".
    """
    others = [other for other in labels if other is not label]
    is_code = label.text in _ODD_CAPITALS and all(map(_DIGIT.search, (k.text for k in others)))
    is_code |= label.key == "n" and GRADES.issuperset(other.key for other in others)
    if label.key in _ODD_LETTERS or is_code:  # "NC" beside "Cat 1A", "NN" beside "01"
        return True
    if len(label.key) >= _SHORTEST_RUN and all(len(other.key) == 1 for other in others):
        return label.key not in words.scale_index  # "PEND" beside "L", "M" and "H"
    noun = "".join(others[0].words[:1])[:_NOUN]
    denies_noun = label.key.startswith(tuple(p + noun for p in _DENYING_PREFIXES))
    return len(noun) == _NOUN and denies_noun and all(x.key.startswith(noun) for x in others)


@cache
def _abbreviation() -> re.Pattern[str]:
    """Return a pattern of what codebooks abbreviate: don't know, no answer, not applicable."""
    return re.compile("|".join(read_toml("stray")["abbreviations"]["patterns"]), re.I)


def _without_denials(labels: list[Label], words: Language) -> list[Label]:
    """Return the labels but those that deny something that no other label is about.

    "Ich nutze es nicht" and "I have no car" beside "good" and "bad", wherever the negation stands;
    beside numbers they may mean zero, and "never" is a level beside "often".
    """
    denying = {id(label) for label in labels if denies(label, words)}
    others = [label for label in labels if id(label) not in denying]
    if not denying or len(others) < 2 or any(c.isdigit() for x in labels for c in x.text):
        return labels
    shared = {part for label in others for part in _compared(label.words, words)}
    often = {id(x) for x in labels if FREQUENCY in grammar(words).place(x.body).places}
    if not often.isdisjoint(map(id, others)):
        never = plain_nevers(labels, words) or [x for x in labels if _holds_never(x, words)]
        denying -= often.union(map(id, never))
    aside = denying - {id(x) for x in labels if not shared.isdisjoint(_compared(x.words, words))}
    kept = [label for label in labels if id(label) not in aside]
    return kept if len(kept) >= _SHORTEST_RUN else labels


def plain_nevers(labels: Sequence[Label], words: Language) -> list[Label]:
    """Return the labels that mean "never" and nothing more, before "I don't use it" if both do."""
    found = [label for label in labels if "".join(label.body) in words.never_keys]
    return [label for label in found if not is_off_scale(label, words)] or found


def _holds_never(label: Label, words: Language) -> bool:
    """Check whether a label holds a word for "never", of languages without blanks at its start."""
    if words.by_characters:
        return label.key.startswith(tuple(words.never_keys - words.keys("negation", "words")))
    return not words.never_keys.isdisjoint(label.words)


def denies(label: Label, words: Language) -> bool:
    """Check whether a short label holds a negation, of languages without blanks at either end."""
    if _is_middle(label, words):
        return False
    if words.by_characters:
        ends = tuple(words.denial_keys)
        is_denied = label.key.startswith(ends) or label.key.endswith(ends)
        return is_denied and len(label.key) <= _LONGEST_KEY
    if len(label.words) > _LONGEST_DENIAL:
        return False
    form = words.negated_verb
    return not words.denial_keys.isdisjoint(label.words) or (
        form is not None and any(map(form.fullmatch, plain_words(label.text)))
    )


def _is_middle(label: Label, words: Language) -> bool:
    """Check whether the vocabulary lists a label as the middle of a scale: "no change"."""
    return any(core.place == 0.0 for core in grammar(words).cores.get(label.key, ()))


def _compared(own: Sequence[str], words: Language) -> set[str]:
    """Return the stems of the words of a label that are neither negations nor fillers, or pairs."""
    if words.by_characters:
        key = "".join(own)
        return {key[k : k + 2] for k in range(len(key) - 1)} - words.denial_keys
    skipped = words.denial_keys | words.filler_keys
    rest = [word for word in own if word not in skipped]
    bare = [word.removeprefix(p) for p in grammar(words).prefixes for word in rest]
    return {word[:_SHORT_STEM] for word in (*rest, *bare)}


def _unknown_codes(labels: Sequence[Label], words: Language) -> list[Label]:
    """Return the code that means unknown beside codes that end in numbers or are numerals.

    One that ends in X or U, of tumours, tornadoes and the like: "TX", "EFU". "X" beside "3" or
    "II", 9 beside letters, and "G9" beside "G1", "G2" and "G3".
    """
    codes = [label for label in labels if not is_off_scale(label, words) or label.key == "x"]
    if len(codes) < _SHORTEST_RUN:
        return []
    found = [x for x in codes if _is_unknown(x.text, [k.text for k in codes if k is not x])]
    return found if len(found) == 1 else []


def _is_unknown(code: str, others: Sequence[str]) -> bool:
    if code.casefold() == "x":
        return all(map(_LOW_NUMERAL.fullmatch, others))
    if code == "9":
        return len(others) >= _SHORTEST_RUN and all(map(_LETTERS.fullmatch, others))
    before = code[:-1].casefold()
    if code[-1:] in "xXuU" and before:
        rests = [k.casefold().removeprefix(before) for k in others]
        is_same = all(k.casefold().startswith(before) for k in others)
        return (
            len(others) > 1 and is_same and all(r[:1].isdigit() or r in ("a", "is") for r in rests)
        )
    noun, _, rest = code.rpartition(" ")  # "Stage NK"
    if noun and rest.isupper() and all(other.startswith(f"{noun} ") for other in others):
        return bool(_abbreviation().fullmatch(rest)) or rest in _ODD_CAPITALS
    match = _CODE.fullmatch(code)
    beside = [_CODE.fullmatch(other) for other in others] if match else [None]
    if match is None or any(k is None or k["stem"] != match["stem"] for k in beside):
        return False
    numbers = [float(k["number"]) for k in (match, *beside) if k]
    return numbers[0] in codes_beside_run(numbers)


def _is_absence(label: Label, words: Language, counts: Counter[str]) -> bool:
    """Check whether a label means that there is nothing to grade ("No basement", "none").

    "Not so comfortable" next to "very comfortable" is a level: its words are those of the others.
    """
    if label.key in words.zero_keys:
        return True
    if _is_middle(label, words):
        return False
    body = label.words
    if not body or len(body) > _LONGEST_ABSENCE or body[0] not in words.absence_keys:
        return False
    return all(counts[word[:_STEM]] == 1 for word in body[1:])


def is_off_scale(label: Label, words: Language) -> bool:
    """Check whether a label has no place on a scale, by the phrases of its language or English.

    Parameters
    ----------
    label : Label
        The label, in the words of its language.
    words : Language
        Its language.

    Returns
    -------
    bool
    """
    if not label.key or words.is_off_scale(label.words) or is_not_judged(label, words):
        return True
    # "99. refused": the number in front is its code.
    stated = label.body if label.lead is not None and label.body else label.words
    opened = _without_opening(label.body, words)
    if any(map(words.is_off_scale, (stated, opened))) or _ends_unknown(label.words, words):
        return True
    # "Omitted or invalid", "refused/unknown"
    halves = ((stated[:i], stated[i + (stated[i] in words.links) :]) for i in range(1, len(stated)))
    if not words.by_characters and any(all(map(words.is_off_scale, half)) for half in halves):
        return True
    english = language(ENGLISH)
    foreign = words is not english and label.text.isascii()
    said = english.split(label.text) if foreign else ()
    is_short = _abbreviation().fullmatch(_CODE_BEFORE.sub("", label.text, count=1))
    if is_short or (said and (english.is_off_scale(said) or _ends_unknown(said, english))):
        return True
    plain = _FORMS.sub("", label.text)  # "Odmietol(a) odpovedať"
    if plain != label.text and len(own := words.split(plain)) > 1 and words.is_off_scale(own):
        return True
    # "Not applicable, no children" and "N/A - retired", while "not working, retired" is a kind of
    # not working, and "DK - Denmark" a country.
    first = _CLAUSE.search(label.text)
    opening = label.text[: first.start()] if first else ""
    if _abbreviation().fullmatch(opening) and not opening.isalpha():
        return True
    if len(clause := words.split(opening)) > 1 and "".join(clause) in words.missing_keys:
        return True
    # "Unfamiliar (N/A)" and "other (please specify)"; "medium (-)" and "egal (gut)" are levels
    match = BRACKETS.fullmatch(label.text)
    if match is None or not any(map(str.isalnum, match["inside"])):
        return False
    inside = match.groups() if " " in match["inside"].strip() else (match["inside"],)
    parts = [(own, own.split(part)) for own in (words, english) for part in inside]
    return any(own.is_off_scale(part) for own, part in parts)


def is_not_judged(label: Label, words: Language) -> bool:
    """Check for what registers enter where nothing was judged yet, or can be.

    "Not yet assessed", "ungraded", "rating pending", "awaiting inspection", "unable to score".

    Examples
    --------
    >>> english = language("en")
    >>> [is_not_judged(read_label(t), english) for t in ("Not Set", "Untriaged", "not known")]
    [True, True, False]
    """
    known, own = words.judging, set(words.judging_parts(label.body))
    if not frozenset().union(*known.values()).issuperset(own):
        return False
    is_act = not known["acts"].isdisjoint(own) and not known["denials"].isdisjoint(own)
    return is_act or not known["denied"].isdisjoint(own)


def _is_unjudged(label: Label, words: Language) -> bool:
    """Check for what is not judged, but "under review", which is a step of some scale.

    So is a phrase such as "no opinion", whose first word alone would be the lowest of many scales.
    """
    keys = (label.key, "".join(label.body))
    is_known = any(key in words.scale_index or key in grammar(words).cores for key in keys)
    is_phrase = label.key in words.off_scale_keys[0] and not _holds_never(label, words)
    # "N/A (less than 16 years old)" is no age.
    before = words.key_of(label.text.split(" (")[0])
    is_missing = before == "na" or before in words.missing_keys or names_choices(label.text)
    return is_missing or (not is_known and (is_phrase or is_not_judged(label, words)))


def _without_opening(body: Words, own: Language) -> Words:
    """Return the words of a label behind those that open a sentence: "I am", "ich".

    No word of languages without blanks, in which any sign may be one.
    """
    if own.by_characters or not body or body[0] not in own.filler_keys:
        return ()
    return tuple(dropwhile(own.filler_keys.__contains__, body))


def _ends_unknown(words: Sequence[str], own: Language) -> bool:
    """Check for what is unknown of a thing: "severity unknown", not "largely unknown".

    What is linked to something else is stated of it: "offered and never used".
    """
    scale = 3 if own.by_characters else 1
    if not 1 < len(words) <= scale * _LONGEST_ENDING:
        return False
    for n in range(1, min(len(words), 3 * scale + 1)):
        key, above = "".join(words[-n:]), words[:-n]
        if key in own.off_scale_endings:
            is_linked = above[-1:] and above[-1] in own.links and key not in own.missing_keys
            return bool(above) and not is_linked and own.modifiers.isdisjoint(above)
    return False


def total_labels(labels: Sequence[Label]) -> list[Label]:
    """Return the labels of what sums up the others: "Total", "All ages", "Всего".

    None where one beside them is a part: "none, some, all" is a scale, and "half of them, all".

    Examples
    --------
    >>> [label.level for label in total_labels(list(map(read_label, ["low", "high", "All"])))]
    ['All']
    >>> total_labels(list(map(read_label, ["none", "some", "all"])))
    []
    """
    totals, parts, all_words, halves = _total_words()
    split = [plain_words(_OUTER.sub("", label.text)) for label in labels]
    keys = list(map(" ".join, split))  # "to do" is no "todo"
    found = [label for label, key in zip(labels, keys, strict=True) if key in totals]
    if not found:  # "All sizes" beside ranges, not "all my life" or "all day"
        worded = [label for label in labels if not _DIGIT.search(label.text)]
        found = [x for x in worded if len(labels) > len(worded) + 2 and _ALL_OF.fullmatch(x.text)]
    is_share = not all_words.isdisjoint(keys) and any(h in key for key in keys for h in halves)
    is_part = any(k in parts for key in keys for k in accumulate(key.split(), "{} {}".format))
    is_scale = is_share or len(labels) - len(found) < 2 or is_part
    return [] if is_scale else found


@cache
def _total_words() -> tuple[frozenset[str], ...]:
    table = read_toml("stray")["totals"]
    totals, *others = (
        frozenset(" ".join(plain_words(word)) for word in words)
        for words in (table["words"], table["parts"], table["all"], table["halves"])
    )
    return totals | others[1], *others


def is_no_answer(label: Label, words: Language) -> bool:
    """Check whether a label is no answer to the question, so that it is no name beside names.

    "Unemployed", "mixed" and "other" have no place on a scale, but are answers.
    """
    if label.text in missing_phrases():
        return len(label.text) >= _SHORTEST_PHRASE
    if means_other(label.text):
        return False
    english = language(ENGLISH)
    said = english.split(label.text) if label.text.isascii() else ()
    return words.begins_off_scale(label.words) or english.begins_off_scale(said)


def means_other(text: str) -> bool:
    """Check whether a label means that none of the named answers fits.

    Examples
    --------
    >>> means_other("Other (please specify)"), means_other("Sonstiges"), means_other("Oslo")
    (True, True, False)
    >>> means_other("Más de 200 libros"), means_other("más, éspedig")
    (False, True)
    """
    whole, beginnings, alone = _other_words()
    first, *more = plain_words(text) or ("",)
    if first in alone:
        return not more or not _SECOND_WORD.match(text)
    return first in whole or first.startswith(beginnings)


def names_choices(text: str) -> bool:
    """Check whether a label names all choices before it, or none: "all of the above".

    Examples
    --------
    >>> names_choices("All of the above"), names_choices("Ninguna de las anteriores")
    (True, True)
    >>> names_choices("above average"), names_choices("all of them")
    (False, False)
    """
    words = f" {' '.join(plain_words(text))} "
    return any(phrase in words for phrase in _above_phrases())


@cache
def _above_phrases() -> tuple[str, ...]:
    """Phrases for the choices above, between blanks where their script has some."""
    folded = (" ".join(plain_words(phrase)) for phrase in read_toml("stray")["above"]["phrases"])
    return tuple(phrase if is_unspaced(phrase) else f" {phrase} " for phrase in folded)


@cache
def _other_words() -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    """Words for "other" that count whole, beginnings of labels, and words that count alone."""
    listed = [word for words in read_toml("other").values() for word in words]
    own = {without_accents(word).casefold() for word in listed}
    alone = {word for word in own if word.endswith(".")}
    beginnings = {word for word in own if word.endswith("-") or is_unspaced(word)}
    return (
        frozenset(own - beginnings - alone),
        tuple(sorted(word.removesuffix("-") for word in beginnings)),
        frozenset(word.removesuffix(".") for word in alone),
    )
