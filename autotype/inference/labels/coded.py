"""Read the codes of a column together with the labels that a codebook has for them.

The person who coded a scale numbered it along its order, nearly always, and put the answers without
a place on it at an end: below zero, behind a gap, or last. So the labels show what a column is, and
the codes show the order and what stands outside of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, takewhile
from string import ascii_uppercase
from typing import Any

from autotype.inference.labels.evidence import NO_RULE, NOMINAL, RULES, LabelEvidence
from autotype.inference.labels.off_scale import (
    is_off_scale,
    means_other,
    names_choices,
    structural_off_scale,
)
from autotype.inference.labels.rules import YES_NO, read_labels
from autotype.lexicon.languages import languages_of
from autotype.lexicon.missing import CODES_ABOVE
from autotype.lexicon.quantities import parse_quantity
from autotype.lexicon.tokens import MAX_LENGTH, plain_words, read_label
from autotype.lexicon.toml_files import read_toml

# What codebooks abbreviate, always in capitals: not applicable, not available, refused, no answer.
_ABBREVIATION = re.compile(
    r"(?:NAP|NAV|IAP|INAP|INAPP|DK|NA|N/A|RF|REF|DK/NA|NA/DK|DK/REF|NS/?NC|NS/?NR|NSP|KA|SYSMIS)\b"
)
_CONVENTIONAL = CODES_ABOVE | {7, 8, 9, 9996, 9997}
_MIN_SCALE = 3
_LONGEST_RUN = 20  # codes of a scale; ages run on
_IN_BRACKETS = re.compile(r"\s*[(\[（].*?[)\]）]|\s*[(\[（].*$")
_AFTER_SIGN = re.compile(r"\s*(?:[/;:,，、]|\s[-–—]\s).*$", re.S)
_MOST_IN_PAIRS = 10  # labels of which any two are left out to read the others
_MAX_ANCHORED = 12  # points of a scale whose ends alone are labelled
_LARGEST = 10  # of a rating whose numbers are their own labels
_ENDING = 4  # letters that "optimistic" and "pessimistic" share

# A stored value, its number if it is one, and its label if there is one.
_Code = tuple[Any, float | None, str]


def off_scale_codes(
    levels: Sequence[Any],
    labels: Mapping[Any, str],
    *,
    key: Callable[[Any], Any],
    is_missing: Callable[[Any], bool],
) -> tuple:
    """Return the stored values that stand outside of the scale, or the names, of a coded column.

    Parameters
    ----------
    levels : sequence
        The stored values that occur.
    labels : mapping
        All stored values that the codebook has labels for, whether or not they occur.
    key : callable
        Returns what two spellings of one value share; a float for a number.
    is_missing : callable
        Checks whether the codebook declares a value to mean a missing one.

    Returns
    -------
    tuple
        In the order of `levels`: what is declared missing; codes at either end whose labels are
        phrases such as "don't know"; and codes behind a gap that are conventional for these, or
        unlabelled where the others have labels.

    Examples
    --------
    >>> labels = {1: "never", 2: "often", 3: "always", 9: "refused to say", -1: "not asked"}
    >>> off_scale_codes([1, 2, 3, 9], labels, key=float, is_missing=lambda v: False)
    (9,)
    """
    by_key = {key(value): text.strip() for value, text in labels.items()}
    every = {key(v): v for v in (*labels, *levels)}
    codes = [(v, k if isinstance(k, float) else None, by_key.get(k, "")) for k, v in every.items()]
    declared = {k for k in every if is_missing(every[k])}
    phrases = {key(level) for level, _, text in _with_phrases(codes) if not means_other(text)}
    phrases -= declared
    plausible = [code for code in codes if key(code[0]) not in declared | phrases]
    run = [number for _, number, _ in plausible if number is not None]
    if run and len(run) == len(plausible):
        outer = _outside(codes, plausible, {k for k in phrases | declared if isinstance(k, float)})
        run = [number for number in run if number not in outer]
        phrases = {
            k for k in phrases if not isinstance(k, float) or not run or not min(run) < k < max(run)
        } | outer
    aside = declared | phrases
    found = tuple(level for level in levels if key(level) in aside)
    return found if len(found) < len(levels) else ()


def _with_phrases(codes: Iterable[_Code]) -> list[_Code]:
    """Return the codes whose labels have no place on a scale, by their wording."""
    labelled = [code for code in codes if code[2]]
    if not labelled:
        return []
    languages = languages_of([text for *_, text in labelled])
    found = []
    for code in labelled:
        text = code[2][: MAX_LENGTH - 1]
        read = [(read_label(text, words.split), words) for words in languages]
        if _ABBREVIATION.match(text) or any(
            label.key and is_off_scale(label, w) for label, w in read
        ):
            found.append(code)
    return found


def _outside(codes: Sequence[_Code], plausible: Sequence[_Code], known: set[float]) -> set[float]:
    """Return the numbers behind a gap that are off the scale although no phrase shows it."""
    labelled = sorted(number for _, number, text in plausible if text and number is not None)
    bare = {number for _, number, text in plausible if not text and number is not None}
    numbers = [number for _, number, _ in plausible if number is not None]
    found = {float(level) for level in structural_off_scale(numbers)}
    run = _first_run(labelled or sorted(numbers))
    if not _MIN_SCALE <= len(run) <= _LONGEST_RUN:
        return found
    last = run[-1]
    beyond = {number for number in numbers if number > last + 1}
    if not labelled and not beyond <= _CONVENTIONAL:
        return found  # ages, of which 66 is one
    has_company = any(number > last + 1 for number in known)
    for number in beyond:
        is_odd = number in bare and len(labelled) > len(run) / 2
        if is_odd or (number in _CONVENTIONAL and has_company):
            found.add(number)
    return found


def _first_run(numbers: Sequence[float]) -> list[float]:
    """Return the consecutive numbers with which ascending ones begin."""
    steps = takewhile(lambda step: step[1] == numbers[0] + step[0], enumerate(numbers))
    return [number for _, number in steps]


def read_coded(
    levels: Sequence[Any],
    texts: Mapping[Any, str],
    *,
    declared: Iterable[str] = (),
    is_graded: bool = True,
) -> LabelEvidence:
    """Read the stored values of a column by their labels and their own order.

    Parameters
    ----------
    levels : sequence
        The stored values, without those of `off_scale_codes`.
    texts : mapping
        Stored value -> its label, of those that have one, in the order of the codebook.
    declared : iterable of str
        The labels of all values, whether or not they occur: a list that offers "other", or "all of
        the above", is one of names.
    is_graded : bool
        Whether letters may be grades, since the question asks for a degree. They add nothing to
        the order of codes, so that others stand for answers: options of a test, versions of a form.

    Returns
    -------
    LabelEvidence
        In stored values. Its order is that of the codes, in the direction of the labels; unless
        the labels are all read, and place their levels otherwise.

    Examples
    --------
    >>> read_coded([1, 2, 3, 4, 5], {1: "never", 5: "always"}).order
    (1, 2, 3, 4, 5)
    >>> read_coded([1, 2, 3], {1: "high", 2: "medium", 3: "low"}).order
    (3, 2, 1)
    >>> read_coded([1, 2, 3], {1: "positive", 2: "negative", 3: "neutral"}).order
    (2, 3, 1)
    """
    by_code = _by_code(levels, texts)
    if by_code and (detail := _numbered(by_code, texts)):
        return LabelEvidence(RULES["scale"], by_code, True, (), (), detail, understood=1.0)
    values: dict[str, Any] = {}  # of two values with one label, the codes order the second
    for level in by_code or levels:
        values.setdefault(texts.get(level, str(level))[: MAX_LENGTH - 1], level)
    read = read_labels(list(values))
    letters = list(ascii_uppercase[: len(by_code or ())])  # in the order of their codes
    if by_code and not is_graded and list(values) == letters:
        read = replace(read, rule=RULES["enumerator"], detail="letters")
    if read.rule == NOMINAL and YES_NO in read.detail and len(values) > 2:
        read = replace(read, rule=NO_RULE)  # "mostly true": more than the two answers
    if by_code and read.rule == NO_RULE and (middle := _find_middle(values)) is not None:
        low, high = (level for level in by_code if level != middle)
        detail = f'two sides and "{texts[middle]}" between them'
        order = (low, middle, high)
        return replace(read, rule=RULES["scale"], order=order, unplaced=(), detail=detail)
    of_parts = next(_read_parts(values), None) if by_code and not _is_scale(read) else None
    others = [level for text, level in values.items() if means_other(text)]
    is_list = bool(others) or any(means_other(t) or names_choices(t) for t in declared)
    if of_parts is None and is_list and read.rule in (NO_RULE, NOMINAL):
        nominal = read.detail or "names, with one for all others"
        return replace(_coded(read, values), rule=NOMINAL, unplaced=(), detail=nominal)
    if by_code is None or (read.rule == NOMINAL and of_parts is None):
        return _coded(read, values)
    # "Other" at an end of the codes stands beside the scale, and what is numbered behind it.
    ends = (by_code[0], *by_code[-2:])
    aside = ends[-2:] if by_code[-2:-1] == tuple(others) else tuple(v for v in ends if v in others)
    if of_parts is not None and read.rule != NOMINAL:
        return _along_codes(of_parts, by_code, aside, is_sure=False)
    return _along_codes(_coded(read, values), by_code, aside, is_sure=True)


def _by_code(levels: Sequence[Any], texts: Mapping[Any, str]) -> tuple | None:
    """Return numbers in ascending order, and other values in that of the codebook."""
    numbers = {level: read_label(level).number for level in levels}
    if None not in numbers.values():
        return tuple(sorted(levels, key=lambda level: numbers[level] or 0.0))
    labelled = tuple(level for level in texts if level in numbers)
    return labelled if len(labelled) == len(numbers) else None


def _is_scale(read: LabelEvidence) -> bool:
    return bool(read.order) and read.rule.decides and read.rule != NOMINAL


def _find_middle(values: Mapping[str, Any]) -> Any:
    """Return the value of "neither" between two others that are sides of one thing, if it is one.

    "Neither" after two names is an answer like them. It is the middle where its code is between
    theirs, where its label repeats a word of both, or where their words end alike.
    """
    if len(values) != 3:
        return None
    opening = read_toml("stray")["neither"]["words"]
    neither = [text for text in values if (plain_words(text) or ("",))[0] in opening]
    if len(neither) != 1:
        return None
    one, other = (plain_words(text) for text in values if text != neither[0])
    own = set(plain_words(neither[0]))
    is_between = list(values)[1] == neither[0]
    repeats = bool(own & set(one) - set(other)) and bool(own & set(other) - set(one))
    ends_alike = bool(one and other) and one[0][-_ENDING:] == other[0][-_ENDING:]
    return values[neither[0]] if is_between or repeats or ends_alike else None


def _read_parts(values: Mapping[str, Any]) -> Iterator[LabelEvidence]:
    """Yield readings of the labels without their explanations, or without one or two of them."""
    for shorter in _shorter(values):
        read = read_labels(list(shorter))
        if _is_scale(read):
            yield _coded(read, shorter)


def _coded(read: LabelEvidence, values: Mapping[str, Any]) -> LabelEvidence:
    """Return a reading of labels in stored values."""
    return replace(read.translated(values), spellings=())


def _shorter(values: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the labels without what follows the first words, and without one or two of them.

    The codes order the levels that are left out.
    """
    for explained in (_IN_BRACKETS, _AFTER_SIGN):
        cut = {explained.sub("", text).strip(): value for text, value in values.items()}
        if len(cut) == len(values) and "" not in cut and cut.keys() != values.keys():
            yield cut
            values = cut
    for n_out in (1, 2) if len(values) <= _MOST_IN_PAIRS else (1,):
        if len(values) - n_out >= max(_MIN_SCALE, 2 * len(values) / 3):
            for left_out in combinations(values, n_out):
                yield {text: value for text, value in values.items() if text not in left_out}


def _along_codes(
    evidence: LabelEvidence, by_code: tuple, aside: tuple, *, is_sure: bool
) -> LabelEvidence:
    """Return a reading with the order of the codes, unless the labels state another one."""
    is_scale = _is_scale(evidence)
    if not is_scale or len(by_code) - len(aside) < _MIN_SCALE:
        aside = ()
    by_code = tuple(level for level in by_code if level not in aside)
    if evidence.rule == NO_RULE or not evidence.order:
        detail = "codes whose labels were not read as a scale"
        coded = replace(evidence, rule=RULES["coded"], direction_known=False, detail=detail)
        return replace(coded, order=by_code, off_scale=aside, unplaced=())
    place = {level: k for k, level in enumerate(by_code)}
    places = [place[level] for level in evidence.order if level in place]
    rising = sum(b > a for k, a in enumerate(places) for b in places[k + 1 :])
    n_pairs = len(places) * (len(places) - 1) // 2
    is_whole = len(places) == len(by_code)
    if rising not in (0, n_pairs) and is_scale and is_whole and is_sure:
        detail = f"{evidence.detail}, against the order of the codes"
        return replace(evidence, off_scale=aside, unplaced=(), detail=detail)
    order = by_code if 2 * rising >= n_pairs else by_code[::-1]
    how = "" if rising in (0, n_pairs) and is_whole else ", in the order of the codes"
    detail = evidence.detail + how
    return replace(evidence, order=order, off_scale=aside, unplaced=(), detail=detail)


def _numbered(by_code: tuple, texts: Mapping[Any, str]) -> str:
    """Return what numbers show that are labelled at their ends only, or with themselves.

    Empty if they are neither. The middle may carry a label, too.
    """
    n_levels = len(by_code)
    numbers = [read_label(texts.get(level, str(level))).number for level in by_code]
    worded = [k for k, number in enumerate(numbers) if number is None]
    middle = {n_levels // 2, (n_levels - 1) // 2}
    if n_levels < _MIN_SCALE or n_levels > _MAX_ANCHORED:
        return ""
    ends = {0, n_levels - 1}
    quantities = [parse_quantity(texts[by_code[k]]) for k in worded]
    if any(quantity is not None and quantity.kind == "range" for quantity in quantities):
        return ""  # "10 or more": numbers that count
    if n_levels > len(worded) <= _MIN_SCALE < n_levels and ends <= set(worded) <= ends | middle:
        low, high = texts[by_code[0]], texts[by_code[-1]]
        return f'numbers of which the ends are labelled, "{low}" to "{high}"'
    own = [read_label(level).number for level in by_code]
    is_rating = own[0] in range(_MIN_SCALE + 1) and own[-1] in range(_MIN_SCALE, _LARGEST + 1)
    are_own = numbers == own and all(level in texts for level in by_code)
    return "numbers that are their own labels" if is_rating and are_own else ""
