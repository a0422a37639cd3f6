"""Leave most columns of a wide frame unread that nobody asked for.

Every column may be a predictor of those requested, or share a scale with them, but few make a
difference. A look at some rows of a column costs a tenth of reading it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from zlib import crc32

import numpy as np
import pandas as pd

from autotype.inference.evidence.predictors import (
    MIN_SHARE,
    FramePredictors,
    Indicators,
    standardise,
    strengths,
    temporal_numbers,
)
from autotype.inference.frames.columns import Columns
from autotype.inference.profile.triage import as_numbers, is_temporal
from autotype.inference.sampling.sample import rows_by_content
from autotype.inference.sampling.stray_texts import MAX_LISTED
from autotype.types.codebook import spelling_key
from autotype.types.column_names import stem

_MOST_UNASKED = 100  # columns that are all read, although nobody asked for them
_KEPT = 32  # columns that are read of more
_SIBLINGS = 16  # of these, at most, for their levels
_ROWS = 200
_NAMED = 8  # columns by whose cells the rows are drawn, beside those requested
_MIN_LEVELS = 3  # of a requested column that others may predict
_ALIKE = 0.5  # proportion of the levels of a column that a requested one holds


def screen(
    table: Columns, requested: Collection[int], usable: Set[int], *, max_levels: int, seed: int
) -> tuple[list[int], int]:
    """Choose the columns of a frame to be read.

    Parameters
    ----------
    table : Columns
        The frame.
    requested : collection of int
        Positions of columns that have to be read.
    usable : set of int
        Positions of the columns that may be predictors.
    max_levels : int
        Most levels of a column whose order is searched.
    seed : int
        Of the rows that are looked at, which are drawn by their content.

    Returns
    -------
    kept : list of int
        Positions, ascending. All of them unless more than 100 are not requested. Of more, 32: up to
        16 most of whose levels a requested column holds, those with names alike first, and those on
        which a requested column of few levels depends most. The order of rows and columns changes
        nothing.
    n_left_out : int
        Predictors that the other columns offer, from which those that are kept were selected.
    """
    held, labels = sorted(set(requested)), list(table.names)
    names = list(map(str, labels))
    if len(names) - len(held) <= _MOST_UNASKED:
        return list(range(len(names))), 0
    others = sorted(set(range(len(names))) - set(held), key=names.__getitem__)
    named = sorted(others, key=lambda j: crc32(names[j].encode(errors="replace")))[:_NAMED]
    rows = rows_by_content(table, [*held, *named], _ROWS, max_levels=max_levels, seed=seed)
    levels = _Levels(table.some_rows(rows))
    few = [j for j in held if levels.n_by_column[j] <= max_levels]
    strength, n_predictors = _strengths(
        levels,
        [j for j in few if levels.n_by_column[j] >= _MIN_LEVELS],
        sorted(usable - set(held)),
        max_levels=max_levels,
    )
    strength = strength[:, others]
    # The strongest for each requested column, then the next for each.
    ranks = (-strength).argsort(axis=1, kind="stable").argsort(axis=1)
    best = strength.max(axis=0, initial=0.0)
    by_strength = np.lexsort((-best, ranks.min(axis=0, initial=len(others)))).tolist()
    shares, stems = levels.shares(few)[others], {stem(labels[j]) for j in held}
    likeness = [
        share + (share > _ALIKE and stem(labels[j]) in stems)
        for j, share in zip(others, shares, strict=True)
    ]
    siblings = sorted((k for k in by_strength if shares[k] > _ALIKE), key=lambda k: -likeness[k])
    chosen = [*siblings[:_SIBLINGS], *(k for k in by_strength if best[k] > 0)]
    kept = [others[k] for k in dict.fromkeys(chosen)][:_KEPT]
    n_left_out = int(n_predictors.sum() - n_predictors[kept].sum())
    return sorted([*held, *kept]), n_left_out


class _Levels:
    """The levels of some rows of all columns, coded at once.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows.

    Attributes
    ----------
    values : sequence
        The distinct values of all columns.
    column, value : ndarray of int, shape (n_levels,)
        Of each level its column, and its place among the values.
    level, row : ndarray of int
        Of each cell with a value, its level and its row.
    n_by_column : ndarray of int, shape (n_columns,)
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        cells = frame.to_numpy(dtype=object).T
        try:
            codes, self.values = pd.factorize(cells.ravel())
        except Exception:  # a cell's own methods may raise anything
            cells = np.array([_hashable(column) for column in cells], dtype=object)
            codes, self.values = pd.factorize(cells.ravel())
        at = np.flatnonzero(codes >= 0)
        column, self.row = np.divmod(at, cells.shape[1])
        n_values = len(self.values)
        self._starts = np.searchsorted(column, range(len(cells) + 1))
        self.level, found = pd.factorize(column * n_values + codes[at])
        self.column, self.value = np.divmod(found, max(n_values, 1))
        self.n_by_column = np.bincount(self.column, minlength=len(cells))

    def codes(self, position: int) -> np.ndarray:
        """Return the levels of a column from 0 up; -1 where missing."""
        own = slice(*self._starts[position : position + 2])
        codes = np.full(len(self.frame), -1)
        codes[self.row[own]] = pd.factorize(self.level[own])[0]
        return codes

    def shares(self, positions: Sequence[int]) -> np.ndarray:
        """Return for each column the largest proportion of its levels that one of some holds.

        It is 0 for columns with one level or too many.
        """
        is_listed = (self.n_by_column > 1) & (self.n_by_column <= MAX_LISTED)
        own = is_listed[self.column]
        column, value = self.column[own], self.value[own]
        used, places = np.unique(value, return_inverse=True)
        keys = [spelling_key(self.values[k]) for k in used]
        by_key = {key: k for k, key in enumerate(dict.fromkeys(keys))}
        key = np.array([by_key[k] for k in keys], dtype=np.intp)[places]
        found = np.zeros(len(is_listed))
        for position in positions:
            is_held = np.isin(key, key[column == position])
            n_held = np.bincount(column[is_held], minlength=len(is_listed))
            found = np.maximum(found, n_held / np.maximum(self.n_by_column, 1))
        return found


def _hashable(cells: np.ndarray) -> np.ndarray:
    """Return cells, missing ones if they have no hash."""
    try:
        pd.factorize(cells)
    except Exception:  # a cell's own methods may raise anything
        return np.full(len(cells), None)
    return cells


def _strengths(
    levels: _Levels, targets: Sequence[int], usable: Sequence[int], *, max_levels: int
) -> tuple[np.ndarray, np.ndarray]:
    """Compute how strongly columns speak of others, and count the predictors that they offer.

    Numbers and dates are one predictor, other columns one for each frequent level, as in `encode`.
    """
    n_rows, n_columns = levels.frame.shape
    is_usable = np.isin(np.arange(n_columns), usable) & (levels.n_by_column > 1)
    numbers = {}
    dtypes = levels.frame.dtypes.tolist()
    for j in np.flatnonzero(is_usable).tolist():
        dtype = dtypes[j]
        if is_temporal(dtype) or dtype.kind in "iuf" or levels.n_by_column[j] > max_levels:
            values = levels.frame.iloc[:, j]
            found = temporal_numbers(values) if is_temporal(dtype) else as_numbers(values)
            found = None if found is None else standardise(found, ~np.isfinite(found))
            if found is not None:
                numbers[j] = found
    is_usable[list(numbers)] = False
    n_held = np.bincount(levels.level, minlength=len(levels.column))
    kept = (n_held >= max(MIN_SHARE * n_rows, 2)) & is_usable[levels.column]
    places = np.where(kept, np.cumsum(kept) - 1, -1)[levels.level]
    masks = np.zeros((kept.sum(), n_rows), dtype=bool)
    masks[places[places >= 0], levels.row[places >= 0]] = True
    stacked = np.array(list(numbers.values()), dtype=float).reshape(-1, n_rows).T
    source = np.array([*levels.column[kept], *numbers], dtype=np.intp)
    is_number = np.arange(len(source)) >= len(masks)
    offered = FramePredictors(n_rows, Indicators(masks), stacked, source, is_number)
    every = strengths(offered, [levels.codes(j) for j in targets])
    found = np.zeros((len(targets), n_columns))
    for own, strength in zip(found, every.round(9), strict=True):
        np.maximum.at(own, source, strength)
    return found, np.bincount(source, minlength=n_columns)
