"""Set aside what is no level of a column: strings for a missing cell, and levels of a single row.

Inference sees both as missing, so that neither changes the verdict; the report lists them as levels
off the scale, with their counts. A row that holds several such levels may be a second header row.
Whether it is does not depend on the order of the rows: it holds, in two columns or more, strings
that no other row of the column holds, where the column is of numbers or of levels that repeat.

Values that mean a missing one in a whole column are found as well: "n/a", "unknown", "..", -9, 999.
Published tables write missing values in many ways. A column of numbers is one of strings if one of
its cells says "n/a", and its mean is wrong if -999 is counted. What such a value is, its column has
to show: "-" among signs is a sign, and 99 among the numbers up to 120 is a number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.column import Column
from autotype.inference.labels.coded import off_scale_codes
from autotype.inference.labels.evidence import NO_RULE, NOMINAL, LabelEvidence
from autotype.inference.labels.off_scale import codes_beside_run, is_no_answer
from autotype.inference.labels.rules import read_labels
from autotype.inference.profile.multi_select import is_combination
from autotype.inference.profile.triage import as_numbers
from autotype.inference.sampling.stray_texts import (
    are_amounts_or_dates,
    code_of,
    hold_any,
    lone_texts,
    totals,
)
from autotype.lexicon.languages import languages_of
from autotype.lexicon.missing import missing_marks, missing_phrases, missing_signs
from autotype.lexicon.repeated_texts import kept_for_few
from autotype.lexicon.tokens import plain_words, read_label
from autotype.types.codebook import CodebookEntry, spelling_key, value_key
from autotype.types.column_type import WITH_ODDS, ColumnType
from autotype.wording import format_some, join_first

MIN_ROWS = 20  # with a value: in fewer rows, a level of one row is no exception
_MIN_CELLS = 2  # of a header row, that no other row of their columns holds
_MAX_SHARE = 0.05  # of the rows with a value
_BESIDE_PHRASES = ("text", "identifier")
_SHORT = 2  # characters of a string that may be anything


# Of a row: positions of columns with strings that no other row of them holds; and whether these
# make the row look like a second header row.
StrayRow = tuple[tuple[tuple[int, str], ...], bool]

_CODES = frozenset({"NA"})
_NO_NUMBERS = frozenset({"None", "N/a", "Na", "na", "Nan", "NAN"})
_MOST = 0.8  # of the strings
_SHORTEST_PHRASE = 5  # characters; "unk" may be a code among others
_LONGEST_DENIAL = 5  # words of "don't know at all"
_SHORTEST_OPPOSITE = 4  # characters
_FEWEST_NUMBERS = 3  # different ones, beside which a code stands out
_MIN_SHARE = 0.01  # of the rows: from there a code counts as frequent
_MOST_BESIDE_TWO = 3  # levels that are no answers
_TWO_VALUES = ({0.0, 1.0}, {1.0, 2.0})
_YEARS = (1500.0, 2200.0)
_REPEATED = 2  # rows that hold a code
_LEAST_BY_SIGN = 7.0  # -7 and below are codes if no other number is negative
_MIN_STEPS = 10.0  # largest steps between the other numbers, by which a code is beyond them


def find_stray_levels(column: Column, lone: Sequence[str], rows: Sequence[StrayRow] = ()) -> None:
    """Find the levels that stand for no answer, and set `markers` and `lone` of a column.

    Parameters
    ----------
    column : Column
        The column, with all its levels. An ordered Categorical has no such levels, nor has a column
        whose type is stated, but those that its codebook shows where no order is. So many are not
        set that fewer than two remain, unless they are of a header, or mean a missing value in any
        column: then one may remain. Where strings of levels may not be used, there are no markers,
        and the labels place no level.
    lone : sequence of str
        Its `texts_of_one_row`.
    rows : sequence of StrayRow
        Those of the frame. The labels place no level of a row that looks like a second header.

    Notes
    -----
    A level of one row stays if the labels place it on a scale ("very poor" below "poor"), if the
    others are names, or neither a rule reads them nor other columns share them, and it is no total,
    or if more than two levels have one row: then rare levels are the rule.

    Examples
    --------
    >>> import pandas as pd
    >>> from autotype.inference.sampling.sample import sample_frame
    >>> answers = pd.DataFrame({"plan": ["Paid", "Free"] * 30 + ["NaN", "NaN", "Response"]})
    >>> column = sample_frame(answers, max_rows=99, max_levels=9, seed=0).columns[0]
    >>> find_stray_levels(column, texts_of_one_row(column))
    >>> column.aside
    {'NaN': 2, 'Response': 1}
    """
    is_open = column.decision is None or column.decision.order is None
    if column.entry is not None and is_open and column.hashable:
        column.markers = off_scale_of_codebook(column, column.entry)
        if column.texts or column.markers:
            return
    levels = column.known_levels or column.odd
    if not levels or column.is_ordered_dtype or column.decision is not None:
        return
    cells = {cell for row, is_header in rows if is_header for cell in row}
    of_header = {text for position, text in cells if position == column.position}
    missing = find_missing_markers(column) if column.label_text else {}
    if column.declared:
        missing |= {v: n for v, n in levels.items() if spelling_key(v) in column.declared}
    if column.n_distinct == 1:
        return
    if column.n_distinct - len(missing) < 2:  # "yes" beside "unknown" are two levels
        missing = {v: n for v, n in missing.items() if str(v).strip() in missing_marks()}
    others = {level: n for level, n in levels.items() if level not in missing}
    n_rows = column.n_present - sum(missing.values())
    texts = [level for level in others if isinstance(level, str)]
    if missing:  # among the others more may stand out
        lone = lone_texts(others, is_listed=bool(column.known_levels))
    if column.known_levels and len(others) - len(lone) > 2:
        lone = [text for text in lone if not is_combination(text, texts)]
    if n_rows < MIN_ROWS or len(lone) > _MAX_SHARE * n_rows:
        lone = []
    if column.label_text and column.known_levels and any(text not in of_header for text in lone):
        labels = read_labels(list(others), column.title) if missing else column.labels
        unread = _without_read(column, labels, lone, list(others))
        lone = [text for text in lone if text in of_header or text in unread]
    if column.known_levels and len(others) - len(lone) < 2:  # a rare event is a level, too
        lone = [text for text in lone if text in of_header and len(others) > len(lone)]
    column.markers, column.lone = missing, tuple(sorted(lone))


def off_scale_of_codebook(column: Column, entry: CodebookEntry) -> dict[Any, int]:
    """Return the levels that have no place on the scale, by their labels and codes.

    Of a column with too many levels to be listed, those that the codebook declares missing, with
    their counts in the sample.
    """
    levels, is_missing = column.known_levels, entry.is_missing
    if levels:
        found = off_scale_codes(list(levels), entry.values, key=value_key, is_missing=is_missing)
        return {level: levels[level] for level in found}
    if not (entry.missing or entry.missing_ranges):
        return {}
    held = column.values.value_counts()
    return {level: int(n) for level, n in held.items() if is_missing(level)}


def _without_read(
    column: Column, labels: LabelEvidence, lone: Sequence[str], levels: Sequence[Any]
) -> list[str]:
    """Return the strings of one row that the reading of all labels does not make a level."""
    rest = [level for level in levels if level not in lone]
    n_rest = len(rest)
    if labels.rule == NO_RULE and n_rest > 2:  # perhaps they stand beside a scale
        labels = read_labels(rest, column.title)
    is_odd = column.shared is not None and labels.rule == NO_RULE  # the siblings lack them
    if labels.rule in (NOMINAL, NO_RULE) and n_rest > 2 and not is_odd:
        return [text for text in lone if text in totals()]
    # Of many levels, a unit such as "kg" may be read as the word for a kindergarten.
    placed = set(labels.order or ()) if column.levels else set()
    if n_rest == 2:  # beside two levels, a letter such as "v" is read as some degree too easily
        placed -= {text for text in lone if len(text) <= _SHORT and text.isascii()}
    return [text for text in lone if text not in placed]


def texts_of_one_row(column: Column) -> list[str]:
    """Find the strings that one row of a column holds, where these are exceptions."""
    if column.n_present < MIN_ROWS:
        return []
    levels = column.known_levels or column.odd
    return lone_texts(levels, is_listed=bool(column.known_levels))


def find_stray_rows(columns: Sequence[Column], lone: Sequence[Sequence[str]]) -> list[StrayRow]:
    """Find the rows of which cells stand out.

    Parameters
    ----------
    columns : sequence of Column
        All columns, with all their levels.
    lone : sequence of sequence of str
        The `texts_of_one_row` of each.

    Returns
    -------
    list of StrayRow
        A header row has at least two such cells, more of them than cells of other columns of
        numbers or of levels that repeat, at least one that the labels do not read as a level, and
        no word for a total.

    Examples
    --------
    >>> import pandas as pd
    >>> from autotype.inference.sampling.sample import sample_frame
    >>> survey = pd.DataFrame({"q": ["Response", *["Yes", "No"] * 20], "kg": ["unit", *range(40)]})
    >>> columns = sample_frame(survey, max_rows=99, max_levels=20, seed=0).columns
    >>> find_stray_rows(columns, list(map(texts_of_one_row, columns)))
    [(((0, 'Response'), (1, 'unit')), True)]
    """
    held: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for j, column in enumerate(columns):
        if lone[j]:
            for row in np.flatnonzero(hold_any(column.values, lone[j])).tolist():
                held[row].append((j, str(column.values.iloc[row])))
    regular = [column for column in columns if _is_regular(column)] if held else []
    rows = []
    for row, cells in held.items():
        n_others = sum(bool(column.values.iloc[[row]].notna().all()) for column in regular)
        is_header = (
            len(cells) >= max(_MIN_CELLS, n_others + 1)
            and not any(text in totals() for _, text in cells)
            and not all(_is_read(columns[j], text) for j, text in cells)
        )
        rows.append((tuple(cells), is_header))
    return sorted(rows)


def _is_regular(column: Column) -> bool:
    """Check for a column of numbers, or of levels that are in several rows each."""
    if pd.api.types.is_numeric_dtype(column.values.dtype):
        return True
    counts = column.known_levels.values()
    return bool(counts) and min(counts) > 1


def _is_read(column: Column, text: str) -> bool:
    """Check whether the labels of a column read a string as one of its levels."""
    if not column.levels:
        return False
    return column.labels.rule == NOMINAL or text in (column.labels.order or ())


def set_aside(column: Column) -> None:
    """Make the stray levels of a column missing, in its counts and its sampled values."""
    aside = column.aside
    if not aside:
        return
    is_aside = hold_any(column.values, aside)
    column.values = column.values.mask(is_aside)
    column.rows = column.rows[~is_aside[column.rows]]
    column.n_missing += sum(aside.values())
    column.n_distinct -= len(aside)
    column.levels = _without(column.levels, aside)
    column.listed = _without(column.listed, aside)
    for cached in ("coded", "labels", "texts"):  # of all levels
        column.__dict__.pop(cached, None)


def _without(levels: Mapping[Any, int] | None, aside: Mapping[Any, int]) -> dict[Any, int] | None:
    return None if levels is None else {v: n for v, n in levels.items() if v not in aside}


def with_stray_levels(found: ColumnType, column: Column) -> ColumnType:
    """Add the stray levels of a column to its type.

    Parameters
    ----------
    found : ColumnType
        The type of the column after `set_aside`.
    column : Column

    Returns
    -------
    ColumnType
        Of a column that may have an order, the stray levels are off the scale. Of any other, those
        that mean a missing value are its missing markers. A reason names them.
    """
    if found.semantic_type in WITH_ODDS:
        return _with_off_scale(found, column, column.markers)
    later = {v: n for v, n in column.known_levels.items() if v in missing_phrases()}
    is_found = found.semantic_type in _BESIDE_PHRASES and column.decision is None
    if not is_found or len(later) == len(column.known_levels):
        later = {}
    markers = {**column.markers, **later}
    found = _with_off_scale(found, column, {})
    if not markers:
        return found
    named = join_first(list(map(column.named, markers)))
    return replace(
        found,
        levels={**found.levels, **column.markers} if found.levels else found.levels,
        n_levels=found.n_levels - len(later),
        missing_markers=tuple(markers),
        reasons=(*found.reasons, f"Missing, by what is written: {named}."),
    )


def _with_off_scale(found: ColumnType, column: Column, markers: Mapping[Any, int]) -> ColumnType:
    """Add stray levels to the levels of a column and to those off its scale."""
    aside = {**markers, **dict.fromkeys(column.lone, 1)}
    if not aside:
        return found
    reasons = found.reasons
    if markers:
        named = join_first(list(map(column.named, markers)))
        reasons = (*reasons, f"Not on the scale, as missing: {named}.")
    if column.lone:
        held = f"Not on the scale, as one row holds it: {format_some(column.lone)}."
        reasons = (*reasons, held)
    return replace(
        found,
        levels={**found.levels, **aside} if found.levels else found.levels,
        off_scale=(*found.off_scale, *aside),
        n_levels=found.n_levels + len(aside),
        reasons=reasons,
    )


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
    # No numbers, whatever they mean.
    signs = [t for t in others if t in _NO_NUMBERS or not any(map(str.isalnum, t))]
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


def _opposes(phrase: str, levels: Sequence[Any]) -> bool:
    """Check whether a phrase is the opposite of a level, or denies what all of them hold.

    "Unknown" beside "known" or "hardly known", "don't know at all" beside "know some", "know all".
    """
    words = [plain_words(v) for v in levels if isinstance(v, str)]
    own = plain_words(phrase)
    ends = [other[-1] for other in words if other and len(other[-1]) >= _SHORTEST_OPPOSITE]
    if not words or len(own) > _LONGEST_DENIAL:
        return False
    return bool(set(own).intersection(*words)) or any(map("".join(own).endswith, ends))


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
