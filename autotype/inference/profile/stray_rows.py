"""Clean a sample of what is no data: second header rows, and the stray levels of each column.

The criterion does not depend on the order of the rows: the row holds, in two columns or more, texts
that no other row of the column holds, where the column is of numbers or of levels that repeat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from autotype.inference.labels.evidence import NOMINAL
from autotype.inference.profile.stray_levels import (
    NONE_STRAY,
    StrayLevels,
    find_stray_levels,
    texts_of_one_row,
    without_stray_levels,
)
from autotype.inference.sampling.sampled_column import FrameSample, SampledColumn
from autotype.inference.sampling.stray_texts import hold_any, totals

_MIN_CELLS = 2  # that no other row of their columns holds


@dataclass(frozen=True)
class StrayRow:
    """The cells of a row that no other row of their columns holds.

    Attributes
    ----------
    cells : tuple of (int, str)
        Positions of the columns, and the texts.
    is_header : bool
        Whether they make the row look like a second header row.
    """

    cells: tuple[tuple[int, str], ...]
    is_header: bool


@dataclass(frozen=True)
class CleanSample:
    """A sample without stray levels, and what was set aside.

    Attributes
    ----------
    sample : FrameSample
        Stray levels are missing in it.
    columns : tuple of SampledColumn
        The columns as they were.
    rows : list of StrayRow
        The rows of which cells stand out.
    strays : list of StrayLevels
        The stray levels of each column.
    """

    sample: FrameSample
    columns: tuple[SampledColumn, ...]
    rows: list[StrayRow]
    strays: list[StrayLevels]


def clean_sample(
    sample: FrameSample, known: Container[int] = (), *, label_text: bool = True
) -> CleanSample:
    """Set the stray levels of all columns aside.

    Parameters
    ----------
    sample : FrameSample
        The sampled frame.
    known : container of int
        Positions of columns to leave as they are, as their types are known.
    label_text : bool
        As of `find_stray_levels`.

    Returns
    -------
    CleanSample
    """
    lone = list(map(texts_of_one_row, sample.columns))
    rows = find_stray_rows(sample.columns, lone) if label_text else []
    of_headers = [cell for row in rows if row.is_header for cell in row.cells]
    strays = [
        NONE_STRAY
        if j in known
        else find_stray_levels(
            column,
            lone[j],
            label_text=label_text,
            of_header={text for k, text in of_headers if k == j},
        )
        for j, column in enumerate(sample.columns)
    ]
    columns = tuple(map(without_stray_levels, sample.columns, strays))
    return CleanSample(replace(sample, columns=columns), sample.columns, rows, strays)


def find_stray_rows(
    columns: Sequence[SampledColumn], lone: Sequence[Sequence[str]]
) -> list[StrayRow]:
    """Find the rows of which cells stand out.

    Parameters
    ----------
    columns : sequence of SampledColumn
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
    [StrayRow(cells=((0, 'Response'), (1, 'unit')), is_header=True)]
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
        rows.append(StrayRow(tuple(cells), is_header))
    return sorted(rows, key=lambda row: row.cells)


def _is_regular(column: SampledColumn) -> bool:
    """Check for a column of numbers, or of levels that are in several rows each."""
    if pd.api.types.is_numeric_dtype(column.values.dtype):
        return True
    counts = column.known_levels.values()
    return bool(counts) and min(counts) > 1


def _is_read(column: SampledColumn, text: str) -> bool:
    """Check whether the labels of a column read a text as one of its levels."""
    if not column.levels:
        return False
    return column.labels.rule == NOMINAL or text in (column.labels.order or ())
