"""Set aside what is no level of a column: texts for a missing cell, and levels of a single row.

Inference sees both as missing, so that neither changes the verdict; the report lists them as levels
off the scale, with their counts.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from autotype.inference.labels.evidence import NOMINAL, LabelEvidence
from autotype.inference.sampling.sampled_column import SampledColumn
from autotype.inference.sampling.stray_texts import hold_any, lone_texts, markers, totals
from autotype.lexicon.toml_files import read_toml
from autotype.types.column_type import ColumnType
from autotype.wording import format_some

MIN_ROWS = 20  # with a value: in fewer rows, a level of one row is no exception
_MAX_SHARE = 0.05  # of the rows with a value
_SHORT = 2  # characters of a text that may be anything


@dataclass(frozen=True)
class StrayLevels:
    """The levels of a column that inference does not see.

    Attributes
    ----------
    markers : mapping
        Texts that mean a missing cell, with their counts.
    lone : tuple
        Levels that one row holds each, and that the reading of the labels does not place.
    labels : LabelEvidence or None
        The reading of all levels but `markers`, if there was a lone one among them.
    """

    markers: Mapping[str, int]
    lone: tuple[str, ...] = ()
    labels: LabelEvidence | None = field(default=None, compare=False, repr=False)

    @property
    def counts(self) -> dict[str, int]:
        """All of these levels, with their counts."""
        return {**self.markers, **dict.fromkeys(self.lone, 1)}


NONE_STRAY = StrayLevels({})


def find_stray_levels(
    column: SampledColumn,
    lone: Sequence[str],
    *,
    label_text: bool = True,
    of_header: Container[str] = (),
) -> StrayLevels:
    """Find the levels of a column that are none of its own.

    Parameters
    ----------
    column : SampledColumn
        The column, with all its levels.
    lone : sequence of str
        Its `texts_of_one_row`.
    label_text : bool
        Whether the texts of levels may be used. If not, there are no markers, and the labels place
        no level.
    of_header : container of str
        Texts of the column in rows that look like a second header: the labels place none of them.

    Returns
    -------
    StrayLevels
        None of an ordered Categorical, and none that would leave fewer than two levels, unless it
        is of a header: then one may remain.

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
    >>> find_stray_levels(column, texts_of_one_row(column)).counts
    {'NaN': 2, 'Response': 1}
    """
    levels = column.known_levels or column.stray
    dtype = column.values.dtype
    if not levels or (isinstance(dtype, pd.CategoricalDtype) and dtype.ordered):
        return NONE_STRAY
    missing = _find_markers(levels) if label_text else {}
    others = {level: n for level, n in levels.items() if level not in missing}
    n_rows = column.n_rows - column.n_missing - sum(missing.values())
    if column.n_distinct - len(missing) < 2:
        return NONE_STRAY
    labels = None
    if missing:  # among the others more may stand out
        lone = lone_texts(others, is_listed=bool(column.known_levels))
    if n_rows < MIN_ROWS or len(lone) > _MAX_SHARE * n_rows:
        lone = []
    if label_text and column.known_levels and any(text not in of_header for text in lone):
        labels = _read_without(column, missing)
        unread = _without_read(column, labels, lone, n_levels=len(others))
        lone = [text for text in lone if text in of_header or text in unread]
    if column.known_levels and len(others) - len(lone) < 2:  # a rare event is a level, too
        lone = [text for text in lone if text in of_header and len(others) > len(lone)]
    return StrayLevels(missing, tuple(sorted(lone)), labels)


def _find_markers(levels: Mapping[Any, int]) -> dict[str, int]:
    """Find the texts for a missing cell among others.

    "NA" among codes of two capitals is one of them, and "-" among signs is a sign.
    """
    texts = [level for level in levels if isinstance(level, str)]
    found = {text: levels[text] for text in texts if text.strip() in markers()}
    rest = [text for text in texts if text not in found]
    if rest and all(not any(c.isalnum() for c in text) for text in rest):
        signs = read_toml("stray")["missing"]["signs"]
        found = {text: n for text, n in found.items() if text.strip() not in signs}
    if rest and all(len(text) == 2 and text.isalpha() and text.isupper() for text in rest):
        found.pop("NA", None)
    return found


def _read_without(column: SampledColumn, missing: Mapping[str, int]) -> LabelEvidence:
    """Read the labels of the levels but for those that mean a missing cell."""
    if not missing:
        return column.labels
    levels = _without(column.known_levels, missing)
    return replace(column, levels=levels, listed=None).labels


def _without_read(
    column: SampledColumn, labels: LabelEvidence, lone: Sequence[str], *, n_levels: int
) -> list[str]:
    """Return the texts of one row that the reading of all labels does not make a level."""
    n_rest = n_levels - len(lone)
    if labels.rule == NOMINAL and n_rest > 2:
        return [text for text in lone if text in totals()]
    # Of many levels, a unit such as "kg" may be read as the word for a kindergarten.
    placed = set(labels.order or ()) if column.levels else set()
    if n_rest == 2:  # beside two levels, a letter such as "v" is read as some degree too easily
        placed -= {text for text in lone if len(text) <= _SHORT and text.isascii()}
    return [text for text in lone if text not in placed]


def texts_of_one_row(column: SampledColumn) -> list[str]:
    """Find the texts that one row of a column holds, where these are exceptions."""
    if column.n_rows - column.n_missing < MIN_ROWS:
        return []
    levels = column.known_levels or column.stray
    return lone_texts(levels, is_listed=bool(column.known_levels))


def without_stray_levels(column: SampledColumn, stray: StrayLevels) -> SampledColumn:
    """Return a column in which stray levels are missing.

    Parameters
    ----------
    column : SampledColumn
    stray : StrayLevels
        Of this column.

    Returns
    -------
    SampledColumn
    """
    aside = stray.counts
    if not aside:
        return column
    is_aside = hold_any(column.values, aside)
    return replace(
        column,
        values=column.values.mask(is_aside),
        n_missing=column.n_missing + sum(aside.values()),
        n_distinct=column.n_distinct - len(aside),
        levels=_without(column.levels, aside),
        listed=_without(column.listed, aside),
        rows=column.rows[~is_aside[column.rows]],
        known_labels=None if stray.lone else stray.labels,
    )


def _without(levels: Mapping[Any, int] | None, aside: Mapping[str, int]) -> dict[Any, int] | None:
    return None if levels is None else {v: n for v, n in levels.items() if v not in aside}


def with_stray_levels(found: ColumnType, stray: StrayLevels) -> ColumnType:
    """Return the type of a column without stray levels as that of the column with them.

    Parameters
    ----------
    found : ColumnType
        The type of what `without_stray_levels` returned.
    stray : StrayLevels

    Returns
    -------
    ColumnType
        The stray levels are off the scale, and a reason names them.
    """
    aside = stray.counts
    if not aside:
        return found
    reasons = found.reasons
    if stray.markers:
        reasons = (*reasons, f"Not on the scale, as missing: {format_some(list(stray.markers))}.")
    if stray.lone:
        held = f"Not on the scale, as one row holds it: {format_some(stray.lone)}."
        reasons = (*reasons, held)
    return replace(
        found,
        levels={**found.levels, **aside} if found.levels else found.levels,
        off_scale=(*found.off_scale, *aside),
        n_levels=found.n_levels + len(aside),
        reasons=reasons,
    )
