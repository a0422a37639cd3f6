"""Find the values of a column that mean a missing value: "n/a", "unknown", "..", -9, 999.

Published tables write missing values in many ways. A column of numbers is one of strings if one of
its cells says "n/a", and its mean is wrong if -999 is counted. What such a value is, its column has
to show: "-" among signs is a sign, and 99 among the numbers up to 120 is a number.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.column import Column
from autotype.inference.labels.off_scale import codes_beside_run, is_no_answer
from autotype.inference.profile.triage import as_numbers
from autotype.inference.sampling.stray_texts import are_amounts_or_dates, code_of
from autotype.lexicon.languages import languages_of
from autotype.lexicon.missing import missing_marks, missing_phrases, missing_signs
from autotype.lexicon.repeated_texts import kept_for_few
from autotype.lexicon.tokens import plain_words, read_label

_CODES = frozenset({"NA"})
_NO_NUMBERS = frozenset({"None", "N/a", "Na", "na", "Nan", "NAN"})
_MOST = 0.8  # of the strings
_SHORTEST_PHRASE = 5  # characters; "unk" may be a code among others
_SHORTEST_OPPOSITE = 4  # characters
_FEWEST_NUMBERS = 3  # different ones, beside which a code stands out
_MIN_SHARE = 0.01  # of the rows: from there a code counts as frequent
_MOST_BESIDE_TWO = 3  # levels that are no answers
_TWO_VALUES = ({0.0, 1.0}, {1.0, 2.0})
_YEARS = (1500.0, 2200.0)
_REPEATED = 2  # rows that hold a code
_LEAST_BY_SIGN = 7.0  # -7 and below are codes if no other number is negative
_MIN_STEPS = 10.0  # largest steps between the other numbers, by which a code is beyond them


def find_missing_markers(column: Column) -> dict[Any, int]:
    """Find the values of a column that mean a missing value.

    Parameters
    ----------
    column : Column
        The column, with all its values.

    Returns
    -------
    dict
        The values with their counts. Phrases such as "unknown" are among them where the others are
        numbers, dates or two levels, or where no levels are listed. Beside other levels they may be
        levels off the scale, which the reading of the labels decides.

    Examples
    --------
    >>> find_missing_markers(Column("kg", levels={"1.5": 4, "2": 4, "3.25": 1, "k. A.": 2}))
    {'k. A.': 2}
    >>> find_missing_markers(Column("answer", levels={"Yes": 4, "No": 4, "unknown": 2}))
    {'unknown': 2}
    >>> find_missing_markers(Column("sign", levels={"+": 4, "++": 4, "-": 2}))
    {}
    """
    levels = column.known_levels or column.odd
    texts = _missing_texts(column, levels)
    if all(level in texts or code_of(level) is None for level in levels):
        return texts
    return texts | _missing_codes(column, levels, texts)


def _missing_texts(column: Column, levels: Mapping[Any, int]) -> dict[Any, int]:
    """Find the strings for a missing value among levels, or among values that stand out."""
    is_listed = bool(column.known_levels)
    texts = [level for level in levels if isinstance(level, str)]
    marks = _without_levels([t for t in texts if t.strip() in missing_marks()], levels)
    phrases = [text for text in texts if text.strip() in missing_phrases() and text not in marks]
    if is_listed and 2 < len(levels) <= _MOST_BESIDE_TWO + 2:
        phrases = list(dict.fromkeys((*phrases, *_no_answers(texts))))
    rest = [level for level in levels if level not in marks and level not in phrases]
    others = [level for level in rest if isinstance(level, str)]
    signs = [text for text in others if _is_no_number(text)]
    if any(text in _CODES for text in marks) and _are_codes(column):
        marks = [text for text in marks if text not in _CODES]
    if not is_listed:
        found = [*marks, *(text for text in phrases if len(text) >= _SHORTEST_PHRASE)]
    elif len(signs) == len(others) > 0:
        found = [text for text in marks if text.strip() not in missing_signs()]
    elif (phrases or signs) and rest and are_amounts_or_dates(rest):
        found = [*marks, *phrases, *signs]
    elif len(rest) == 2:
        found = [*marks, *(text for text in phrases if not _opposes(text, rest))]
    else:
        found = marks
    return {text: levels[text] for text in found}


def _without_levels(marks: list[str], levels: Mapping[Any, int]) -> list[str]:
    """Return marks without the sign of most rows, if a word for a missing value is beside it.

    Tables of findings hold "." where nothing was found, and "NA" where nobody looked.
    """
    worded = [mark for mark in marks if mark.strip() not in missing_signs()]
    most = sum(levels.values()) / 2
    return [mark for mark in marks if not worded or mark in worded or levels[mark] <= most]


@kept_for_few
def _no_answers(texts: Sequence[str]) -> list[str]:
    """Return the strings that are no answers, as "I would prefer not to say", beside two others.

    A code such as "NoSeWa" is none, although its parts are words of a language.
    """
    languages = languages_of(texts)
    found = [
        text
        for text in texts
        if (" " in text or "/" in text or not text.isascii())
        and any(is_no_answer(read_label(text, words.split), words) for words in languages)
    ]
    return found if len(texts) - len(found) == 2 else []


def _are_codes(column: Column) -> bool:
    """Check whether most strings are codes of two capitals: "NA" is Namibia or North America."""
    values = column.known_levels or column.values.dropna().unique()
    texts = [v for v in values if isinstance(v, str) and v not in _CODES]
    n_codes = sum(len(text) == 2 and text.isalnum() and text.isupper() for text in texts)
    return n_codes >= _MOST * max(len(texts), 1)


def _is_no_number(text: str) -> bool:
    """Check for a string that is no number, whatever it means: of signs alone, or a mark."""
    return text in _NO_NUMBERS or not any(c.isalnum() for c in text)


def _opposes(phrase: str, levels: Sequence[Any]) -> bool:
    """Check whether a phrase is the opposite of a level, or denies what all of them hold.

    "Unknown" beside "known" or "hardly known", "don't know at all" beside "know some", "know all".
    """
    words = [plain_words(v) for v in levels if isinstance(v, str)]
    text, own = "".join(plain_words(phrase)), set(plain_words(phrase))
    ends = [other[-1] for other in words if other and len(other[-1]) >= _SHORTEST_OPPOSITE]
    return any(map(text.endswith, ends)) or len(own.intersection(*words)) > 0


def _missing_codes(
    column: Column, levels: Mapping[Any, int], texts: Mapping[Any, int]
) -> dict[Any, int]:
    """Find the numbers that mean a missing value in a column of numbers."""
    rest = [level for level in levels if level not in texts]
    values = rest if column.known_levels else column.values.dropna()
    numbers = _distinct_numbers(values, texts)
    if numbers is None:
        return {}
    counts: dict[float, int] = {}
    for level in rest:
        code = code_of(level)
        if code is not None:
            counts[code] = counts.get(code, 0) + levels[level]
    found = codes_beside_run(numbers.tolist()) if column.known_levels else set()
    if not found:
        n_rows = column.n_present - sum(texts.values())
        below = _isolated(-numbers[::-1], {-code: n for code, n in counts.items()}, n_rows)
        found = {*_isolated(numbers, counts, n_rows), *(-c for c in below), *_zeros(numbers)}
    return {level: levels[level] for level in rest if code_of(level) in found}


def _distinct_numbers(values: Sequence[Any] | pd.Series, texts: Mapping[Any, int]) -> Any:
    """Return the different numbers in increasing order, or None if one value is none."""
    cells = pd.Series(values)
    if not pd.api.types.is_numeric_dtype(cells.dtype):
        kept = [v for v in cells if not (isinstance(v, Hashable) and v in texts)]
        cells = pd.Series(kept, dtype=object)
    numbers = as_numbers(cells)
    if numbers is None:
        return None
    numbers = np.unique(numbers)
    return numbers[np.isfinite(numbers)]


def _isolated(numbers: np.ndarray, counts: Mapping[float, int], n_rows: int) -> set[float]:
    """Find the codes beyond the largest of increasing numbers; the negative ones are mirrored.

    All codes of as many digits as the largest number are taken together, for instance 997 to 999.
    """
    if not len(numbers) or numbers[-1] not in counts or numbers[-1] <= 0:
        return set()
    last = float(numbers[-1])
    digits = len(str(int(last)))
    codes = {c for c in counts if c > 0 and len(str(int(c))) == digits and c in numbers}
    first, n_codes = min(codes), sum(counts[code] for code in codes)
    body = numbers[numbers < first]
    if np.count_nonzero(numbers >= first) > len(codes) or n_codes < _REPEATED or not len(body):
        return set()
    high = float(body[-1])
    is_sign = high <= 0 and first >= _LEAST_BY_SIGN  # mirrored: all others are from 0 up
    if len(body) < _FEWEST_NUMBERS:
        are_two = set(np.abs(body).tolist()) in _TWO_VALUES
        return codes if are_two and (is_sign or digits > 1) else set()
    span, steps, gap = high - float(body[0]), float(np.diff(body).max()), first - high
    is_frequent = n_codes >= _MIN_SHARE * n_rows
    far = (0.0 if is_frequent else 1.0) if high <= 0 else (1.0 if is_frequent else 5.0)
    is_far = gap > far * span and gap > _MIN_STEPS * steps
    return codes if is_sign or (is_far and (high <= 0 or "9" in f"{last:g}")) else set()


def _zeros(numbers: np.ndarray) -> set[float]:
    """Find a zero below years."""
    if len(numbers) <= _FEWEST_NUMBERS or numbers[0] != 0:
        return set()
    years = numbers[1:]
    are_years = _YEARS[0] <= years[0] and years[-1] <= _YEARS[1] and (years == years.round()).all()
    return {0.0} if are_years else set()
