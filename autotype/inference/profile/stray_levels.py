"""Set aside what is no level of a column: strings for a missing cell, and levels of a single row.

Inference sees both as missing, so that neither changes the verdict; the report lists them as levels
off the scale, with their counts. A row that holds several such levels may be a second header row.
Whether it is does not depend on the order of the rows: it holds, in two columns or more, strings
that no other row of the column holds, where the column is of numbers or of levels that repeat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.column import Column
from autotype.inference.labels.coded import off_scale_codes
from autotype.inference.labels.evidence import NOMINAL, LabelEvidence
from autotype.inference.labels.rules import read_labels
from autotype.inference.profile.answer_lists import is_combination
from autotype.inference.profile.missing_markers import find_missing_markers
from autotype.inference.sampling.stray_texts import hold_any, lone_texts, totals
from autotype.lexicon.missing import missing_marks, missing_phrases
from autotype.types.codebook import spelling_key, value_key
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


def find_stray_levels(
    column: Column, lone: Sequence[str], rows: Sequence[StrayRow] = (), *, label_text: bool = True
) -> None:
    """Find the levels that stand for no answer, and set `markers` and `lone` of a column.

    Parameters
    ----------
    column : Column
        The column, with all its levels. An ordered Categorical has no such levels, nor has a column
        whose type is stated, but those that its codebook shows where no order is. So many are not
        set that fewer than two remain, unless they are of a header, or mean a missing value in any
        column: then one may remain.
    lone : sequence of str
        Its `texts_of_one_row`.
    rows : sequence of StrayRow
        Those of the frame. The labels place no level of a row that looks like a second header.
    label_text : bool
        Whether the strings of levels may be used. If not, there are no markers, and the labels
        place no level.

    Notes
    -----
    A level of one row stays if the labels place it on a scale ("very poor" below "poor"), if all
    labels are names and it is no total, or if more than two levels have one row: then rare levels
    are the rule.

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
        column.markers = _off_scale_of_codebook(column)
        if column.texts or column.markers:
            return
    levels = column.known_levels or column.odd
    if not levels or column.is_ordered_dtype or column.decision is not None:
        return
    cells = {cell for row, is_header in rows if is_header for cell in row}
    of_header = {text for position, text in cells if position == column.position}
    missing = find_missing_markers(column) if label_text else {}
    if column.declared:
        stated = {v: n for v, n in levels.items() if spelling_key(v) in column.declared}
        missing |= stated
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
    if label_text and column.known_levels and any(text not in of_header for text in lone):
        labels = read_labels(list(others), column.title) if missing else column.labels
        unread = _without_read(column, labels, lone, n_levels=len(others))
        lone = [text for text in lone if text in of_header or text in unread]
    if column.known_levels and len(others) - len(lone) < 2:  # a rare event is a level, too
        lone = [text for text in lone if text in of_header and len(others) > len(lone)]
    column.markers, column.lone = missing, tuple(sorted(lone))


def _off_scale_of_codebook(column: Column) -> dict[Any, int]:
    """Return the levels that have no place on the scale, by their labels and codes.

    Of a column with too many levels to be listed, those that the codebook declares missing, with
    their counts in the sample.
    """
    entry, levels = column.entry, column.known_levels
    assert entry is not None
    if levels:
        labels, key = entry.values, value_key
        found = off_scale_codes(list(levels), labels, key=key, is_missing=entry.is_missing)
        return {level: levels[level] for level in found}
    if not (entry.missing or entry.missing_ranges):
        return {}
    held = column.values.value_counts()
    return {level: int(n) for level, n in held.items() if entry.is_missing(level)}


def _without_read(
    column: Column, labels: LabelEvidence, lone: Sequence[str], *, n_levels: int
) -> list[str]:
    """Return the strings of one row that the reading of all labels does not make a level."""
    n_rest = n_levels - len(lone)
    if labels.rule == NOMINAL and n_rest > 2:
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
